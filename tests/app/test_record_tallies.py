"""Quizzes, counts, first times and what is kept of the student are answered by the ledger, from its rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def log_of(six_months: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in six_months.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("question", "day", "score"),
    [
        ("what did I get on the last quiz?", "July 15", "80%"),
        ("j'ai eu quoi au dernier quiz", "15 juillet", "80"),
        ("¿qué saqué en el último quiz?", "15 de julio", "80"),
        ("was hatte ich im letzten Quiz?", "15. Juli", "80"),
        ("كم حصلت في آخر اختبار؟", "15 يوليو", "80"),
    ],
)
def test_the_last_quiz_is_told_with_its_day_and_score(lived: Run, question: str, day: str, score: str) -> None:
    told = lived("ask", question).document
    assert told["plan"] == "ledger"
    assert day in told["answer"]
    assert score in told["answer"]


def test_checks_are_counted_from_the_rows(lived: Run, six_months: Path) -> None:
    checks = [event for event in log_of(six_months) if event["kind"] == "check"]
    july = [event for event in checks if event["at"].startswith("2026-07")]
    for question, some in (
        ("how many checks did I do in all?", checks),
        ("combien de contrôles j'ai fait en juillet ?", july),
        ("¿cuántos controles he hecho en total?", checks),
    ):
        told = lived("ask", question).document
        assert told["plan"] == "ledger"
        assert told["answer"].split("\n")[0].replace("Hay ", "").startswith(f"{len(some)} "), told["answer"]
    wrong = sum(event["verdict"] == "wrong" for event in checks)
    assert f"{wrong} wrong" in lived("ask", "how many checks did I do in all?").document["answer"]


def test_a_first_time_is_the_first_row_of_its_topic_and_another_topic_has_none(lived: Run, six_months: Path) -> None:
    told = lived("ask", "when did I first study osmosis?").document
    first = min(event["at"] for event in log_of(six_months) if "osmosis" in json.dumps(event).lower())
    assert told["plan"] == "ledger"
    assert any(memory["at"][:10] == first[:10] for memory in told["memories"])
    none = lived("ask", "quand est-ce que j'ai étudié la thermodynamique pour la première fois ?").document
    assert none["plan"] == "ledger"
    assert none["memories"] == []
    assert "thermodynamique" in none["answer"]


def test_what_the_tutor_said_is_not_the_students_notes(lived: Run) -> None:
    none = lived("ask", "tu te souviens de ce que tu m'as dit sur les arbres rouge-noir en septembre ?").document
    assert none["plan"] == "ledger"
    assert "note" not in none["answer"]
    assert "arbres rouge-noir" in none["answer"]
    assert "septembre 2026" in none["answer"]


def test_what_is_known_of_the_student_is_the_record_and_never_the_model(lived: Run) -> None:
    lived("ask", "Remember that my exam is on January 14")
    for question in ("que sais tu de moi ?", "que sais-tu de moi ?", "what do you know about me?", "cosa sai di me?"):
        told = lived("ask", question).document
        assert told["plan"] == "ledger"
        assert "January 14" in told["answer"]
        assert "osmosis" in told["answer"].lower()


def test_nothing_is_kept_of_a_new_student(cli: Run) -> None:
    cli("subjects", "add", "Biology")
    told = cli("ask", "¿qué sabes de mí?").document
    assert told["plan"] == "ledger"
    assert told["memories"] == []
