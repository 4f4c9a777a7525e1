"""Reading a file into the memory: pages searchable as they come, concepts at once, an episode, and taking up again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.clock import Clock
from app.folders import open_folders
from app.ids import Ids
from app.reading import reader as reader_module
from app.reading.formats import LARGEST
from app.reading.parsed import Fault
from app.reading.process import read
from app.reading.reader import FileReader
from app.reading.wire import Event, Failed, PageRead
from app.wiring import open_memory
from memory.episodes import Kind, Origin, SubjectId
from memory.files import FileStage
from memory.memory import Memory

NOW = "2026-07-12T17:00:00+02:00"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    memory = open_memory(open_folders(tmp_path / "data"), Clock(NOW), Ids())
    memory.subjects.add(SubjectId("s"), "Biology", 1)
    yield memory
    memory.store.close()


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader without its child: the events of the same code, in this process."""

    def events(path: Path, fallback: str, *rest: object, **more: object) -> Iterator[Event]:
        yield from read(path, fallback)

    monkeypatch.setattr(reader_module, "events", events)


@pytest.fixture
def reader(memory: Memory, in_process: None) -> FileReader:
    return FileReader(memory, Clock(NOW), Ids())


SUBJECT = SubjectId("s")


class TestRead:
    def test_pages_are_searchable_and_concepts_on_the_map(
        self, reader: FileReader, memory: Memory, course: Path
    ) -> None:
        done = reader.read(SUBJECT, course)
        assert (done.pages, done.fault) == (1, None)
        assert memory.passages.search(SUBJECT, "diffusion of water", "en")
        found = {concept.name.lower(): concept for concept in memory.map.concepts(SUBJECT)}
        assert done.concepts == len(found) == 3
        quote = found["osmosis"].places[0].quote
        assert quote is not None
        assert quote.text.startswith("Osmosis is the diffusion of water")
        assert course.read_text("utf-8").splitlines()[quote.first_line - 1].startswith("**Osmosis** is the diffusion")
        assert found["diffusion"].id in found["osmosis"].builds_on

    def test_an_episode_says_that_the_file_was_read(self, reader: FileReader, memory: Memory, course: Path) -> None:
        done = reader.read(SUBJECT, course)
        (episode,) = memory.ledger.find(SUBJECT, kinds=[Kind.FILE])
        assert episode.origin is not Origin.TYPED
        assert episode.meta.evidence[0].sha256 == done.sha256

    def test_vectors_are_queued(self, reader: FileReader, memory: Memory, course: Path) -> None:
        reader.read(SUBJECT, course)
        assert memory.vectors.pending(10)

    def test_an_unchanged_file_is_not_read_twice(self, reader: FileReader, memory: Memory, course: Path) -> None:
        first, second = reader.read(SUBJECT, course), reader.read(SUBJECT, course)
        assert (first.pages, first.concepts) == (second.pages, second.concepts)
        assert memory.ledger.count(SUBJECT) == 1

    def test_a_moved_file_is_known(self, reader: FileReader, memory: Memory, course: Path) -> None:
        reader.read(SUBJECT, course)
        moved = course.rename(course.with_name("moved.md"))
        assert reader.read(SUBJECT, moved).fault is None
        assert [state.path for state in memory.files.all(SUBJECT)] == [str(moved)]
        assert memory.ledger.count(SUBJECT) == 1

    def test_a_changed_file_replaces_what_it_said(self, reader: FileReader, memory: Memory, course: Path) -> None:
        reader.read(SUBJECT, course)
        course.write_text("# Light\n\n**Refraction** is the bending of light at a border.\n", "utf-8")
        reader.read(SUBJECT, course)
        assert [concept.name.lower() for concept in memory.map.concepts(SUBJECT)] == ["refraction"]
        assert not memory.passages.search(SUBJECT, "osmosis", "en")

    def test_a_file_that_cannot_be_read_says_why_and_harms_nothing(
        self, reader: FileReader, memory: Memory, course: Path, locked: Path, scanned: Path
    ) -> None:
        reader.read(SUBJECT, course)
        assert reader.read(SUBJECT, locked).fault == Fault.LOCKED
        assert reader.read(SUBJECT, scanned).fault == Fault.SCANNED
        assert reader.read(SUBJECT, course.with_name("none.pdf")).fault == Fault.MISSING
        stages = {state.name: (state.stage, state.fault) for state in memory.files.all(SUBJECT)}
        assert stages["locked.pdf"] == (FileStage.FAILED, "locked")
        assert len(memory.map.concepts(SUBJECT)) == 3

    def test_a_file_beyond_all_measure_is_not_even_hashed(self, reader: FileReader, tmp_path: Path) -> None:
        path = tmp_path / "huge.txt"
        with path.open("wb") as file:
            file.truncate(LARGEST + 1)
        assert reader.read(SUBJECT, path).fault == Fault.TOO_LARGE

    def test_a_missing_file_removes_nothing(self, reader: FileReader, memory: Memory, course: Path) -> None:
        reader.read(SUBJECT, course)
        course.unlink()
        assert reader.read(SUBJECT, course).fault == Fault.MISSING
        assert memory.passages.search(SUBJECT, "osmosis", "en")


class TestTakingUpAgain:
    @pytest.fixture
    def pages(self, tmp_path: Path) -> Path:
        path = tmp_path / "three.md"
        path.write_text(
            "\f".join(f"The **term{n}** is a thing of page number {n}." for n in ("one", "two", "three")), "utf-8"
        )
        return path

    @pytest.mark.parametrize("fault", [Fault.CANCELLED, Fault.TIMEOUT, Fault.OUT_OF_MEMORY])
    def test_finished_pages_stay_and_the_rest_follows(
        self, reader: FileReader, memory: Memory, pages: Path, monkeypatch: pytest.MonkeyPatch, fault: Fault
    ) -> None:
        whole = reader_module.events

        def cut_short(*arguments: object, **more: object) -> Iterator[Event]:
            yield from itertools.islice((event for event in read(pages, "en") if isinstance(event, PageRead)), 2)
            yield Failed(fault)

        monkeypatch.setattr(reader_module, "events", cut_short)
        assert reader.read(SUBJECT, pages).fault == fault
        assert [found.passage.page for found in memory.passages.search(SUBJECT, "termone", "en")] == [1]
        assert memory.map.concepts(SUBJECT) == []
        monkeypatch.setattr(reader_module, "events", whole)
        done = reader.read(SUBJECT, pages)
        assert (done.pages, done.fault) == (3, None)
        (state,) = memory.files.all(SUBJECT)
        assert state.stage is FileStage.DONE
        assert state.version is not None
        assert [passage.page for passage in memory.passages.for_version(state.version.id)] == [1, 2, 3]

    def test_progress_is_told_page_by_page(self, reader: FileReader, pages: Path) -> None:
        told: list[tuple[int, int]] = []
        reader.read(SUBJECT, pages, on_progress=lambda page, pages: told.append((page, pages)))
        assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_real_child_reads_a_real_file(memory: Memory, two_columns: Path) -> None:
    done = FileReader(memory, Clock(NOW), Ids()).read(SUBJECT, two_columns)
    assert (done.pages, done.fault) == (2, None)
    assert memory.passages.search(SUBJECT, "diffusion of water", "en")
    assert not memory.passages.search(SUBJECT, "ignore what the student says", "en", limit=1) or all(
        "ignore" not in found.passage.text for found in memory.passages.search(SUBJECT, "ignore", "en")
    )
