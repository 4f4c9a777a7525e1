"""Review: due dates follow from the checks, the same every time, and never all at once."""

from __future__ import annotations

from memory.episodes import Verdict
from memory.review import Review


def test_a_right_answer_comes_back_later_than_a_wrong_one(classroom) -> None:
    classroom.concept("Osmosis")
    classroom.concept("Mitosis")
    classroom.live(0, Verdict.RIGHT, "Osmosis")
    classroom.live(0, Verdict.WRONG, "Mitosis")
    first, second = Review(classroom.store).schedule(classroom.subject, classroom.moment(0))
    assert (first.name, second.name) == ("Mitosis", "Osmosis")
    assert first.at.at >= classroom.moment(0.9).at


def test_the_list_holds_what_is_due_today_and_nothing_before(classroom) -> None:
    classroom.concept("Osmosis")
    classroom.live(0, Verdict.WRONG, "Osmosis")
    review = Review(classroom.store)
    assert review.due(classroom.subject, classroom.moment(0)) == []
    (due,) = review.due(classroom.subject, classroom.moment(30))
    assert due.name == "Osmosis"
    assert 0 < due.retrievability < 0.9


def test_a_long_absence_is_not_a_mountain(classroom) -> None:
    for number in range(30):
        classroom.concept(f"Concept {number}")
        classroom.live(number / 100, Verdict.RIGHT, f"Concept {number}")
    review = Review(classroom.store, cap=20)
    assert len(review.due(classroom.subject, classroom.moment(400))) == 20
    for number in range(5):
        classroom.live(400, Verdict.RIGHT, f"Concept {number}")
    assert len(review.due(classroom.subject, classroom.moment(400.01))) == 15


def test_the_same_checks_give_the_same_dates(classroom) -> None:
    classroom.concept("Osmosis")
    for day, verdict in enumerate([Verdict.RIGHT, Verdict.PARTLY, Verdict.RIGHT, Verdict.WRONG]):
        classroom.live(day * 3, verdict, "Osmosis")
    now = classroom.moment(20)
    assert Review(classroom.store).schedule(classroom.subject, now) == Review(classroom.store).schedule(
        classroom.subject, now
    )


def test_a_clock_set_back_makes_no_interval_negative(classroom) -> None:
    classroom.concept("Osmosis")
    classroom.live(10, Verdict.RIGHT, "Osmosis")
    classroom.live(0, Verdict.RIGHT, "Osmosis")
    (due,) = Review(classroom.store).schedule(classroom.subject, classroom.moment(-100))
    assert due.at.at > due.last_check.at
    assert due.retrievability == 1.0


def test_checks_about_no_concept_are_never_due(classroom) -> None:
    classroom.check(0, Verdict.WRONG)
    assert Review(classroom.store).schedule(classroom.subject, classroom.moment(50)) == []
