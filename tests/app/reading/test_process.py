"""The reader process: pages stream out, faults are codes, limits hold, nothing of a file outlives it."""

from __future__ import annotations

import os
import time
from multiprocessing.connection import Connection
from pathlib import Path

import psutil
import pytest

from app.reading import process
from app.reading.parsed import Fault
from app.reading.process import Limits, events, read
from app.reading.wire import BadEvent, Failed, PageRead, packed, unpacked
from memory.readings import FoundConcept, FoundEdge, Heading, PageText, Quote, Reading

pytestmark = pytest.mark.slow


def children() -> list[psutil.Process]:
    return [each for each in psutil.Process().children() if "spawn_main" in " ".join(each.cmdline())]


def hang(connection: Connection, path: str, fallback: str, memory: int) -> None:
    connection.send_bytes(b"")
    time.sleep(60)


def spin(connection: Connection, path: str, fallback: str, memory: int) -> None:
    connection.send_bytes(b"")
    while True:
        pass


def grow(connection: Connection, path: str, fallback: str, memory: int) -> None:
    connection.send_bytes(b"")
    held = [bytearray(os.urandom(1 << 20)) for _ in range(300)]
    time.sleep(60)
    del held


def die(connection: Connection, path: str, fallback: str, memory: int) -> None:
    os.abort()


def lie(connection: Connection, path: str, fallback: str, memory: int) -> None:
    connection.send_bytes(b"cos\nsystem\n")
    time.sleep(60)


class TestEvents:
    def test_pages_come_first_and_the_reading_last(self, course: Path) -> None:
        found = list(events(course, "en"))
        assert isinstance(found[0], PageRead)
        assert found[0].format == "md"
        assert isinstance(found[-1], Reading)
        assert {"membrane", "diffusion", "osmosis"} <= {concept.name.lower() for concept in found[-1].concepts}
        assert not children()

    def test_a_picture_of_a_page_is_no_empty_document(self, scanned: Path) -> None:
        *pages, last = read(scanned, "en")
        assert last == Failed(Fault.SCANNED)
        assert len(pages) == 1

    def test_a_locked_file_says_so(self, locked: Path) -> None:
        assert list(read(locked, "en")) == [Failed(Fault.LOCKED)]

    def test_cancelling_ends_the_child(self, course: Path) -> None:
        assert list(events(course, "en", cancelled=lambda: True)) == [Failed(Fault.CANCELLED)]
        assert not children()

    def test_leaving_early_ends_the_child(self, course: Path) -> None:
        stream = events(course, "en")
        next(stream)
        stream.close()
        assert not children()

    @pytest.mark.parametrize(
        ("work", "limits", "fault"),
        [
            (hang, Limits(page_seconds=0.2), Fault.TIMEOUT),
            (spin, Limits(page_seconds=0.2), Fault.TIMEOUT),
            (grow, Limits(memory=150 << 20), Fault.OUT_OF_MEMORY),
            (die, Limits(), Fault.CORRUPT),
            (lie, Limits(), Fault.CORRUPT),
        ],
    )
    def test_a_child_beyond_its_limits_is_ended(
        self, course: Path, monkeypatch: pytest.MonkeyPatch, work: object, limits: Limits, fault: Fault
    ) -> None:
        monkeypatch.setattr(process, "work", work)
        assert list(events(course, "en", limits)) == [Failed(fault)]
        assert not children()


class TestWire:
    def test_everything_comes_back_as_it_was(self) -> None:
        page = PageText(2, ("Osmosis", "خلية"), "iv", (Heading(1, "Osmosis", 2),), "en", (2,), False)
        concept = FoundConcept(
            "osmosis",
            "en",
            Quote("Osmosis is …", 2, 1, 1),
            "Osmosis is …",
            (2,),
            ("osmotic flow",),
            (FoundEdge("diffusion", 0.7, "definition"),),
            ("water",),
            0.8,
        )
        for event in (PageRead("pdf", page, 3), Reading("en", (concept,)), Failed(Fault.LOCKED)):
            assert unpacked(packed(event)) == event

    @pytest.mark.parametrize(
        "data", [b"", b"[]", b"{}", b'{"is": "PageRead"}', b'{"is": "Failed", "fault": "?"}', b"\x80"]
    )
    def test_other_bytes_are_refused(self, data: bytes) -> None:
        with pytest.raises(BadEvent):
            unpacked(data)
