"""Files and their versions: read, resumed, replaced, moved, withdrawn; never deleted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.episodes import SubjectId
from memory.files import Arrival, FileId, Files, FileStage, UnknownFile, VersionId
from memory.store import Store
from memory.subjects import Subjects

SUBJECT = SubjectId("biology")
OTHER = SubjectId("physics")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "memory.db", room=0)
    subjects = Subjects(opened)
    subjects.add(SUBJECT, "Biology", 1)
    subjects.add(OTHER, "Physics", 2)
    yield opened
    opened.close()


@pytest.fixture
def files(store: Store) -> Files:
    return Files(store)


def read(files: Files, id: str, path: str, sha256: str, pages: int = 2, now: int = 5) -> VersionId:
    file = files.add(SUBJECT, path, path[1:], id=FileId(id), now=now).file
    version = files.begin_version(file.id, sha256=sha256, bytes=10, format="pdf", pages=pages, now=now)
    files.finish(version.id, seconds=1.5, tokens=7, language="en")
    return version.id


def test_a_file_goes_from_waiting_to_done(files: Files) -> None:
    added = files.add(SUBJECT, "/a.pdf", "a.pdf", id=FileId("1"), now=3)
    assert (added.arrival, added.file.stage, added.file.version) == (Arrival.NEW, FileStage.WAITING, None)
    version = files.begin_version(FileId("1"), sha256="x", bytes=10, format="pdf", pages=4, now=4)
    assert version.current
    assert files.get(FileId("1")).stage is FileStage.READING
    files.progress(version.id, 1)
    assert files.get(FileId("1")).progress == 0.25
    done = files.finish(version.id, seconds=2.0, tokens=9, language="fr")
    assert done.stage is FileStage.DONE
    assert done.version is not None
    assert (done.version.pages_read, done.version.seconds, done.version.tokens) == (4, 2.0, 9)
    assert (done.version.language, done.version.finished, done.progress) == ("fr", True, 1.0)


def test_an_interrupted_reading_is_taken_up_where_it_stopped(files: Files) -> None:
    files.add(SUBJECT, "/a.pdf", "a.pdf", id=FileId("1"), now=3)
    version = files.begin_version(FileId("1"), sha256="x", bytes=10, format="pdf", pages=4, now=4)
    files.progress(version.id, 3)
    assert [file.id for file in files.unfinished(SUBJECT)] == ["1"]
    again = files.begin_version(FileId("1"), sha256="x", bytes=10, format="pdf", pages=4, now=9)
    assert (again.id, again.pages_read) == (version.id, 3)


def test_a_new_content_replaces_the_old_only_once_it_is_read(files: Files) -> None:
    old = read(files, "1", "/a.pdf", "x")
    new = files.begin_version(FileId("1"), sha256="y", bytes=11, format="pdf", pages=2, now=9)
    assert files.version(old).current
    assert not new.current
    files.finish(new.id, seconds=1)
    assert not files.version(old).current
    assert files.version(new.id).current
    assert [version.sha256 for version in files.versions(FileId("1"))] == ["y", "x"]


def test_a_failed_replacement_leaves_the_old_version_standing(files: Files) -> None:
    old = read(files, "1", "/a.pdf", "x")
    files.begin_version(FileId("1"), sha256="y", bytes=11, format="pdf", pages=2, now=9)
    failed = files.fail(FileId("1"), "damaged")
    assert (failed.stage, failed.fault) == (FileStage.FAILED, "damaged")
    assert failed.version is not None
    assert failed.version.id == old
    assert files.wait(FileId("1")).fault is None


def test_the_same_fingerprint_elsewhere_is_the_same_file_moved(files: Files) -> None:
    version = read(files, "1", "/a.pdf", "x")
    added = files.add(SUBJECT, "/new/b.pdf", "b.pdf", id=FileId("2"), now=9, sha256="x")
    assert added.arrival is Arrival.MOVED
    assert (added.file.id, added.file.path, added.file.stage) == ("1", "/new/b.pdf", FileStage.DONE)
    assert added.file.version is not None
    assert added.file.version.id == version
    assert len(files.all(SUBJECT)) == 1


def test_another_subject_reads_the_same_content_for_itself(files: Files) -> None:
    read(files, "1", "/a.pdf", "x")
    assert files.add(OTHER, "/a.pdf", "a.pdf", id=FileId("2"), now=9, sha256="x").arrival is Arrival.NEW
    assert [file.id for file in files.by_sha256("x")] == ["1"]
    assert files.by_sha256("x", OTHER) == []


def test_a_known_path_is_the_known_file_whatever_its_content_is_now(files: Files) -> None:
    read(files, "1", "/a.pdf", "x")
    read(files, "2", "/b.pdf", "y")
    added = files.add(SUBJECT, "/b.pdf", "b.pdf", id=FileId("3"), now=9, sha256="x")
    assert (added.arrival, added.file.id) == (Arrival.KNOWN, "2")


def test_removing_withdraws_and_deletes_nothing(files: Files) -> None:
    version = read(files, "1", "/a.pdf", "x")
    assert files.remove(FileId("1")).stage is FileStage.REMOVED
    assert files.all(SUBJECT) == []
    assert [file.id for file in files.all(SUBJECT, removed=True)] == ["1"]
    assert not files.version(version).current
    assert files.by_sha256("x") == []


def test_a_removed_file_that_returns_has_nothing_to_read_again(files: Files) -> None:
    version = read(files, "1", "/a.pdf", "x")
    files.remove(FileId("1"))
    assert files.add(SUBJECT, "/a.pdf", "a.pdf", id=FileId("2"), now=9).arrival is Arrival.RETURNED
    again = files.begin_version(FileId("1"), sha256="x", bytes=10, format="pdf", pages=2, now=9)
    assert (again.id, again.pages_read, again.current, again.finished) == (version, 2, True, True)


def test_a_file_moved_onto_another_takes_its_place(files: Files) -> None:
    read(files, "1", "/a.pdf", "x")
    read(files, "2", "/b.pdf", "y")
    moved = files.move(FileId("1"), "/b.pdf", "b.pdf")
    assert moved.path == "/b.pdf"
    assert [file.id for file in files.all(SUBJECT)] == ["1"]
    assert files.get(FileId("2")).stage is FileStage.REMOVED


def test_unknown_ids_are_said_to_be_unknown(files: Files) -> None:
    with pytest.raises(UnknownFile):
        files.get(FileId("ghost"))
    with pytest.raises(UnknownFile):
        files.version(VersionId(99))
    with pytest.raises(UnknownFile):
        files.fail(FileId("ghost"), "damaged")
