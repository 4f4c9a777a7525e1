"""Passages: pages cut without losing or moving a line, and found again by words and by meaning."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.episodes import SubjectId
from memory.files import FileId, Files, VersionId
from memory.passages import Passages, cut
from memory.readings import Heading, PageText
from memory.store import Store
from memory.subjects import Subjects
from memory.vectors import Space, Vectors

SUBJECT = SubjectId("biology")
WORDS = " ".join(["word"] * 60)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "memory.db", room=0)
    Subjects(opened).add(SUBJECT, "Biology", 1)
    yield opened
    opened.close()


@pytest.fixture
def vectors(store: Store) -> Vectors:
    return Vectors(store)


@pytest.fixture
def passages(store: Store, vectors: Vectors) -> Passages:
    return Passages(store, vectors)


def version_of(store: Store, path: str = "/cells.md", sha256: str = "a", pages: int = 3) -> VersionId:
    files = Files(store)
    file = files.add(SUBJECT, path, path[1:], id=FileId(path), now=1).file
    return files.begin_version(file.id, sha256=sha256, bytes=9, format="md", pages=pages, now=2).id


@st.composite
def pages(draw: st.DrawFn) -> PageText:
    lines = draw(st.lists(st.one_of(st.just(""), st.just(" "), st.just(WORDS), st.text(max_size=30)), max_size=40))
    numbers = st.sets(st.integers(1, 42), max_size=6)
    headings = tuple(Heading(line, f"h{line}", draw(st.integers(1, 3))) for line in sorted(draw(numbers)))
    return PageText(page=draw(st.integers(1, 9)), lines=tuple(lines), headings=headings, hidden=tuple(draw(numbers)))


@settings(deadline=None)
@given(pages())
def test_every_visible_line_is_in_exactly_one_passage_at_its_own_number(page: PageText) -> None:
    seen: list[int] = []
    for piece in cut(page):
        assert piece.page == page.page
        held = piece.text.split("\n")
        assert len(held) == piece.last_line - piece.first_line + 1
        for number, line in enumerate(held, piece.first_line):
            if line:
                seen.append(number)
                assert line == page.lines[number - 1].replace("\n", " ").replace("\0", " ")
    visible = [number for number, line in enumerate(page.lines, 1) if line.strip() and number not in page.hidden]
    assert seen == visible


@settings(deadline=None)
@given(pages())
def test_hidden_words_reach_no_passage(page: PageText) -> None:
    shown = {f"h{heading.line}" for heading in page.headings if heading.line not in page.hidden}
    for piece in cut(page):
        assert not piece.heading or set(piece.heading.split(" › ")) <= shown


def test_a_heading_opens_a_passage_and_names_it() -> None:
    lines = ("Cells", "A cell is small.", "", "Membranes", "A membrane surrounds it.")
    page = PageText(1, lines, headings=(Heading(1, "Cells", 1), Heading(4, "Membranes", 2)))
    pieces = cut(page)
    assert [(piece.first_line, piece.last_line) for piece in pieces] == [(1, 2), (4, 5)]
    assert [piece.heading for piece in pieces] == ["Cells", "Cells › Membranes"]


def test_headings_in_a_row_stay_with_the_text_below_them() -> None:
    page = PageText(1, ("Part", "Cells", "Text."), headings=(Heading(1, "Part", 1), Heading(2, "Cells", 2)))
    (piece,) = cut(page)
    assert (piece.first_line, piece.last_line, piece.heading) == (1, 3, "Part › Cells")


def test_passages_have_about_180_words_and_a_small_rest_joins_the_one_before() -> None:
    pieces = cut(PageText(1, (*[WORDS] * 6, "a few words more")))
    assert [len(piece.text.split()) for piece in pieces] == [180, 184]


def test_an_empty_page_has_no_passages() -> None:
    assert cut(PageText(1, ("", "  "))) == []


def test_a_page_is_found_by_a_word_by_its_stem_and_by_its_heading(store: Store, passages: Passages) -> None:
    version = version_of(store)
    passages.add_page(
        SUBJECT,
        version,
        PageText(1, ("Osmosis", "Water crosses membranes."), headings=(Heading(1, "Osmosis", 1),), language="en"),
    )
    passages.add_page(SUBJECT, version, PageText(2, ("Plants make glucose.",), language="en"))
    for query in ("membranes", "what is a membrane", "osmosis?"):
        (found,) = passages.search(SUBJECT, query, "en")
        assert (found.passage.page, found.lexical_rank, found.semantic_rank) == (1, 1, None)
        assert found.passage.file == "/cells.md"
    assert passages.search(SUBJECT, "volcano", "en") == []
    assert passages.search(SUBJECT, "?!", "en") == []
    assert passages.search(SubjectId("other"), "membranes", "en") == []


def test_a_question_of_stop_words_alone_still_searches(store: Store, passages: Passages) -> None:
    passages.add_page(SUBJECT, version_of(store), PageText(1, ("To be or not to be.",), language="en"))
    assert passages.search(SUBJECT, "to be or not to be", "en")


def test_words_that_mean_something_to_the_search_engine_are_only_words(store: Store, passages: Passages) -> None:
    passages.add_page(SUBJECT, version_of(store), PageText(1, ("Not near and or.",), language="en"))
    assert passages.search(SUBJECT, 'NEAR("x" AND) surface : * NOT ^', "en")


def test_meaning_and_words_are_fused_by_rank(store: Store, vectors: Vectors, passages: Passages) -> None:
    version = version_of(store)
    ids = [
        passages.add_page(SUBJECT, version, PageText(number, (text,), language="en"))[0]
        for number, text in enumerate(("Water and salt.", "Water crosses membranes.", "Diffusion of solvent."), 1)
    ]
    assert vectors.waiting() == 3
    vectors.use(Space("fake", 3, 0.5))
    vectors.put_many("passage", ids, "fake", np.array([[1, 0, 0], [0, 1, 0], [0, 0.9, 0.1]], dtype=np.float32))
    found = passages.search(SUBJECT, "membranes", "en", np.array([0, 1, 0], dtype=np.float32), limit=3)
    assert found[0].passage.page == 2
    assert (found[0].lexical_rank, found[0].semantic_rank) == (1, 1)
    assert found[1].passage.page == 3
    assert found[1].lexical_rank is None
    assert passages.search(SUBJECT, "membranes", "en", limit=1)[0].score < found[0].score


def test_a_replaced_version_is_not_searched_and_still_opens(store: Store, passages: Passages) -> None:
    files = Files(store)
    old = version_of(store)
    (id,) = passages.add_page(SUBJECT, old, PageText(1, ("Old membranes.",), language="en"))
    files.finish(old, seconds=1)
    new = version_of(store, sha256="b")
    passages.add_page(SUBJECT, new, PageText(1, ("New membranes.",), language="en"))
    assert [found.passage.text for found in passages.search(SUBJECT, "membranes", "en")] == ["Old membranes."]
    files.finish(new, seconds=1)
    assert [found.passage.text for found in passages.search(SUBJECT, "membranes", "en")] == ["New membranes."]
    opened = passages.get(id)
    assert opened is not None
    assert (opened.text, opened.current, opened.sha256) == ("Old membranes.", False, "a")


def test_adding_a_page_twice_changes_nothing(store: Store, passages: Passages) -> None:
    version = version_of(store)
    page = PageText(1, ("Once.",), language="en")
    assert passages.add_page(SUBJECT, version, page) == passages.add_page(SUBJECT, version, page)
    assert len(passages.for_version(version)) == 1


def test_the_lines_of_a_page_can_be_read_back(store: Store, passages: Passages) -> None:
    version = version_of(store)
    lines = ("", "One", "", "secret", "Two", "")
    passages.add_page(SUBJECT, version, PageText(2, lines, hidden=(4,)))
    assert passages.page_lines(version, 2) == ("", "One", "", "", "Two")
    assert passages.page_lines(version, 1) == ()


def test_the_index_can_be_rebuilt_from_the_passages(store: Store, passages: Passages) -> None:
    passages.add_page(SUBJECT, version_of(store), PageText(1, ("Membranes.",), language="en"))
    with store.atomic() as connection:
        connection.execute("INSERT INTO passage_words (passage_words) VALUES ('delete-all')")
    assert passages.search(SUBJECT, "membrane", "en") == []
    assert passages.rebuild() == 1
    assert passages.search(SUBJECT, "membrane", "en")
