from __future__ import annotations

import threading

import pytest

from memory.episodes import SubjectId
from memory.faults import UnknownSubject
from memory.store import Store
from memory.subjects import NameTaken, Subjects


def test_a_subject_is_found_whatever_the_case_and_made_once(store: Store) -> None:
    subjects = Subjects(store)
    made = subjects.find_or_add(SubjectId("a"), "  Biology ", 1)
    assert subjects.find_or_add(SubjectId("b"), "biology", 2) == made
    assert [subject.name for subject in subjects.all()] == ["Biology"]


@pytest.mark.parametrize("name", ["", "   ", "\0"])
def test_a_name_that_is_none_is_refused(store: Store, name: str) -> None:
    with pytest.raises(NameTaken):
        Subjects(store).find_or_add(SubjectId("a"), name, 1)


def test_a_name_is_taken_once_and_can_be_changed(store: Store) -> None:
    subjects = Subjects(store)
    one, _ = subjects.add(SubjectId("a"), "Biology", 1), subjects.add(SubjectId("b"), "Algebra", 2)
    with pytest.raises(NameTaken):
        subjects.add(SubjectId("c"), "algebra", 3)
    with pytest.raises(NameTaken):
        subjects.rename(one.id, "ALGEBRA")
    subjects.rename(one.id, "Cells")
    assert subjects.find("cells").id == one.id
    with pytest.raises(UnknownSubject):
        subjects.find("Biology")


def test_two_programs_that_make_the_same_subject_at_once_share_it(store: Store) -> None:
    other = Store(store.path, room=0)
    found: list[str] = []
    barrier = threading.Barrier(2)

    def make(one: Store, id: str) -> None:
        barrier.wait()
        found.append(Subjects(one).find_or_add(SubjectId(id), "Biology", 1).id)

    threads = [threading.Thread(target=make, args=each) for each in ((store, "a"), (other, "b"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    assert len(set(found)) == 1
    other.close()
