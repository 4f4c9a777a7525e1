"""Pictures of pages come from a process of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.reading.parsed import Fault, Unreadable
from app.reading.pictures import PagePictures

SAMPLE = Path(__file__).parents[3] / "resources" / "sample" / "plasma_membranes.pdf"
pytestmark = pytest.mark.slow


@pytest.fixture
def pictures() -> Iterator[PagePictures]:
    made = PagePictures()
    yield made
    made.close()


def test_a_page_is_drawn_as_png_and_a_broken_file_says_so(pictures: PagePictures, tmp_path: Path) -> None:
    assert pictures(SAMPLE, 1).startswith(b"\x89PNG")
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nnothing")
    with pytest.raises(Unreadable) as told:
        pictures(broken, 1)
    assert told.value.fault is Fault.CORRUPT
    assert pictures(SAMPLE, 2).startswith(b"\x89PNG")


def test_a_page_that_takes_too_long_ends_the_process_and_the_next_one_begins_anew() -> None:
    hasty = PagePictures(slowest=0.01)
    with pytest.raises(Unreadable) as told:
        hasty(SAMPLE, 1)
    assert told.value.fault is Fault.TIMEOUT
    hasty.close()


def test_the_lines_that_are_cited_are_marked_and_nothing_else(pictures: PagePictures) -> None:
    import pymupdf

    plain, marked = (pymupdf.Pixmap(pictures(SAMPLE, 3, lines)) for lines in ((0, 0), (8, 9)))
    rows = {
        row
        for row in range(plain.height)
        if any(plain.pixel(x, row) != marked.pixel(x, row) for x in range(0, plain.width, 7))
    }
    assert rows
    assert max(rows) - min(rows) < plain.height / 10
    white = [plain.pixel(x, row) == (255, 255, 255) for row in rows for x in range(0, plain.width, 7)]
    assert any(white)
