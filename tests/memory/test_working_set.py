"""The working set: what a greeting needs, in ids and counts."""

from __future__ import annotations

from memory.episodes import Kind, Origin, Verdict
from memory.review import Review
from memory.working_set import WorkingSet, WorkingSets


def sets(classroom) -> WorkingSets:
    return WorkingSets(classroom.store, classroom.beliefs, Review(classroom.store))


def test_of_an_empty_subject_it_is_empty(classroom) -> None:
    assert sets(classroom).build(classroom.subject, classroom.moment(0)) == WorkingSet((), (), (), (), None, 0, ())


def test_weak_beliefs_beliefs_to_confirm_and_what_is_due(classroom) -> None:
    osmosis, mitosis = classroom.concept("Osmosis"), classroom.concept("Mitosis")
    classroom.live(0, Verdict.RIGHT, "Mitosis")
    classroom.live(60, Verdict.WRONG, "Osmosis")
    now = classroom.moment(61)
    classroom.beliefs.decay(classroom.subject, now.at, classroom.ids, now.at)
    found = sets(classroom).build(classroom.subject, now)
    assert (found.weak, found.confirm) == ((osmosis,), (mitosis,))
    assert found.due == (mitosis, osmosis)


def test_hubs_are_central_and_explained_by_no_file(classroom) -> None:
    classroom.concept("Leaf", 0.1)
    hub = classroom.concept("Hub", 0.6)
    classroom.concept("Explained hub", 0.7, 0.6)
    assert sets(classroom).build(classroom.subject, classroom.moment(0)).hubs == (hub,)


def test_the_last_session_is_the_last_day_the_student_did_something(classroom) -> None:
    osmosis, mitosis = classroom.concept("Osmosis"), classroom.concept("Mitosis")
    classroom.append(Kind.QUESTION, 0, touches=(mitosis,))
    classroom.append(Kind.QUESTION, 3, touches=(osmosis, mitosis))
    classroom.append(Kind.QUESTION, 3, "again", touches=(osmosis,))
    classroom.append(Kind.FILE, 5, "a file", origin=Origin.TUTOR)
    found = sets(classroom).build(classroom.subject, classroom.moment(6))
    assert (found.last_day, found.last_episodes, found.last_concepts) == ("2026-03-05", 2, (osmosis, mitosis))


def test_it_is_found_again_as_it_was_kept(classroom) -> None:
    classroom.concept("Osmosis")
    classroom.live(0, Verdict.WRONG, "Osmosis")
    working = sets(classroom)
    assert working.get(classroom.subject) is None
    found = working.build(classroom.subject, classroom.moment(1))
    working.keep(classroom.subject, found, 5)
    assert working.get(classroom.subject) == found
