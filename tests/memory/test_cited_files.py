"""Cited files: three honest answers, bounded work, never-verified first."""

from __future__ import annotations

from memory.cited_files import FILES, Cited, CitedFiles, Standing
from memory.episodes import Evidence, Kind, Meta


class Disk:
    """A fake disk: paths and fingerprints, and how often it was asked."""

    def __init__(self, **files: str) -> None:
        self.files = files
        self.asked: list[str] = []

    def __call__(self, path: str) -> str | None:
        self.asked.append(path)
        return self.files.get(path)


def test_holds_replaced_and_missing_are_told_apart(classroom) -> None:
    same = classroom.answer(0, "a", "11")
    other = classroom.answer(1, "b", "22")
    gone = classroom.answer(2, "c", "33")
    files = CitedFiles(classroom.store, Disk(a="11", b="99"))
    files.verify(classroom.subject, 5)
    found = files.of([same.id, other.id, gone.id])
    assert [found[id][0].standing for id in (same.id, other.id, gone.id)] == [
        Standing.HOLDS,
        Standing.REPLACED,
        Standing.MISSING,
    ]
    assert [each.episode for each in files.broken(classroom.subject)] == [gone.id, other.id]
    totals = files.totals(classroom.subject)
    assert (totals.holds, totals.replaced, totals.missing, totals.changed) == (1, 1, 1, 2)


def test_an_episode_that_cites_nothing_is_unverifiable_and_no_error(classroom) -> None:
    classroom.check(0, None)
    classroom.answer(1, "a", "")
    files = CitedFiles(classroom.store, Disk(a="11"))
    files.verify(classroom.subject, 5)
    totals = files.totals(classroom.subject)
    assert (totals.holds, totals.changed, totals.unverifiable, totals.silent) == (0, 0, 2, 1)


def test_never_verified_come_first_and_the_batch_is_bounded(classroom) -> None:
    episodes = [classroom.answer(day, f"f{day}", "11") for day in range(5)]
    files = CitedFiles(classroom.store, Disk())
    first = files.verify(classroom.subject, 1, limit=2)
    second = files.verify(classroom.subject, 2, limit=2)
    third = files.verify(classroom.subject, 3, limit=2)
    order = [each.episode for each in first + second + third]
    assert order == [*(episode.id for episode in episodes), episodes[0].id]
    assert files.totals(classroom.subject).never_looked == 0


def test_a_file_cited_a_hundred_times_is_hashed_once(classroom) -> None:
    for day in range(100):
        classroom.answer(day, "a", "11")
    disk = Disk(a="11")
    CitedFiles(classroom.store, disk).verify(classroom.subject, 1, limit=None)
    assert disk.asked == ["a"]


def test_a_file_is_found_by_the_name_the_student_sees(classroom) -> None:
    with classroom.store.atomic() as connection:
        connection.execute(
            "INSERT INTO files VALUES ('f', ?, '/course/cells.pdf', 'cells.pdf', 'done', NULL, 0)",
            (classroom.subject,),
        )
    episode = classroom.answer(0, "cells.pdf", "11")
    files = CitedFiles(classroom.store, Disk(**{"/course/cells.pdf": "11"}))
    assert files.verify(classroom.subject, 4) == [Cited(episode.id, "cells.pdf", Standing.HOLDS, 4)]


def test_one_night_reads_a_bounded_number_of_files_and_the_next_goes_on(classroom) -> None:
    for day in range(FILES + 5):
        classroom.answer(day, f"f{day}", "11")
    disk = Disk()
    files = CitedFiles(classroom.store, disk)
    assert len(files.verify(classroom.subject, 1)) == FILES
    assert files.totals(classroom.subject).never_looked == 5
    assert files.verify(classroom.subject, 2)[0].file == f"f{FILES}"
    assert len(files.verify(classroom.subject, 3, limit=None)) == FILES + 5


def test_a_restored_record_finds_its_files_where_it_says_they_were(classroom) -> None:
    told = classroom.append(Kind.FILE, 0, "cells.pdf", meta=Meta(evidence=(Evidence("/home/ana/cells.pdf", "11"),)))
    answer = classroom.answer(1, "cells.pdf", "11")
    gone = classroom.answer(2, "never_read.pdf", "22")
    files = CitedFiles(classroom.store, Disk(**{"/home/ana/cells.pdf": "11"}))
    files.verify(classroom.subject, 5)
    found = files.of([told.id, answer.id, gone.id])
    assert [found[id][0].standing for id in (told.id, answer.id, gone.id)] == [
        Standing.HOLDS,
        Standing.HOLDS,
        Standing.MISSING,
    ]
