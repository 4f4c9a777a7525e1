"""Missed nights are made up for, subject by subject, once."""

from __future__ import annotations

from typing import Any

import pytest

from app.schedule import night_has_come, run_missed_nights, run_night
from memory.episodes import Kind, SubjectId
from memory.moments import Moment


def test_a_night_that_was_missed_is_made_up_for_once(student: Any) -> None:
    (night,) = run_missed_nights(student.house)
    assert night.ran
    assert night.consolidated > 0
    assert run_missed_nights(student.house) == []


def test_the_next_night_is_due_on_the_next_day(student: Any) -> None:
    run_missed_nights(student.house)
    student.ask("Remember that my exam is on Friday")
    assert run_missed_nights(student.house) == []
    student.reopen("2026-11-06T09:00:00+01:00")
    (night,) = run_missed_nights(student.house)
    assert night.consolidated == 1, "yesterday"


def test_weeks_away_are_one_night(student: Any) -> None:
    run_missed_nights(student.house)
    student.reopen("2027-01-15T09:00:00+01:00")
    assert len(run_missed_nights(student.house)) == 1
    assert run_missed_nights(student.house) == []


def test_a_clock_set_back_runs_no_night_twice_and_breaks_nothing(student: Any) -> None:
    run_missed_nights(student.house)
    student.reopen("2026-10-01T09:00:00+02:00")
    condensed = len(student.episodes(Kind.CONSOLIDATION))
    run_missed_nights(student.house)
    assert len(student.episodes(Kind.CONSOLIDATION)) == condensed
    assert all(chain.ok for chain in student.memory.verification.chains())


def test_every_subject_has_its_own_night(student: Any) -> None:
    other = student.memory.subjects.add(SubjectId("other"), "Chemistry", 1)
    list(student.house.tutor.turn(other.id, "Remember that acids are sour"))
    student.reopen("2026-11-07T09:00:00+01:00")
    assert len(run_missed_nights(student.house)) == 2
    assert not run_night(student.house, other).ran
    assert run_night(student.house, other, force=True).ran


def test_a_night_keeps_the_head_outside_the_database(student: Any) -> None:
    run_missed_nights(student.house)
    noted = student.memory.checkpoints.all()
    assert noted
    head = student.memory.ledger.head(student.subject.id)
    assert noted[-1].seq <= head.seq
    assert all(state.result == "holds" for state in student.memory.verification.checkpoints(noted))


def test_without_models_a_night_costs_little(student: Any) -> None:
    night = run_night(student.house, student.subject, force=True)
    assert night.ran
    assert student.chat.shown == [], "the nightly cycle asks no model"


@pytest.mark.parametrize(
    ("since", "now", "come"),
    [
        ("2026-11-05T22:00:00+01:00", "2026-11-06T01:59:00+01:00", False),
        ("2026-11-05T22:00:00+01:00", "2026-11-06T02:00:00+01:00", True),
        ("2026-11-06T02:10:00+01:00", "2026-11-06T23:00:00+01:00", False),
        ("2026-11-06T02:10:00+01:00", "2026-11-08T01:00:00+01:00", True),
    ],
)
def test_the_hour_of_the_night_strikes_once_a_day(since: str, now: str, come: bool) -> None:
    assert night_has_come(Moment.parse(since), Moment.parse(now), 2) is come
