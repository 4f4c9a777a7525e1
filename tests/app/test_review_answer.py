"""What to review is answered from the schedule, in any language, never by the model."""

from __future__ import annotations

from typing import Any

import pytest

from app.turn_events import Plan
from memory.episodes import Kind

ASKED = [
    ("what should i revise", "May"),
    ("qu'est-ce que je dois réviser ?", "mai"),
    ("qué tengo que repasar", "mayo"),
    ("ماذا يجب أن أراجع", "مايو"),
    ("was soll ich wiederholen?", "Mai"),
    ("cosa devo ripassare?", "maggio"),
    ("o que tenho de rever hoje?", "maio"),
]


@pytest.mark.parametrize(("text", "month"), ASKED)
def test_what_is_due_is_told_by_the_schedule(student: Any, text: str, month: str) -> None:
    due = student.memory.review.due(student.subject.id, student.house.clock.now())
    told = student.ask(text)
    assert student.chat.shown == []
    assert told.plan is Plan.MAP
    assert due
    assert len([line for line in told.text.splitlines() if line.startswith("- ")]) == len(due)
    assert month in told.text
    assert {ref.kind for ref in told.memories} == {Kind.CHECK.value}


def test_without_checks_nothing_is_due(student: Any) -> None:
    other = student.house.subject("Chemistry", create=True)
    student.subject = other
    told = student.ask("what should I review?")
    assert told.plan is Plan.MAP
    assert "No check is recorded yet" in told.text


def test_what_to_review_before_a_concept_asks_for_what_it_builds_on(student: Any) -> None:
    assert "Before Osmosis, 1 concept" in student.ask("what should I review before osmosis?").text
