"""A replay rebuilds the brain in a copy and questions it; the original is only read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from babel.dates import format_date

from app.replay import _phrases
from memory.intents import MessageKind
from memory.moments import Moment
from memory.routing import Names
from memory.understanding import understand
from memory.words import LANGUAGES

Run = Callable[..., Any]


def prints(folder: Path) -> dict[str, str]:
    """Every byte of a data folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith("-shm")
    }


def test_nothing_of_the_original_is_touched(lived: Run, data: Path) -> None:
    lived("subjects")
    before = prints(data)
    assert lived("replay").code == 0
    assert lived("replay", "--subject", "Biology").code == 0
    assert prints(data) == before
    assert lived("replay", "--subject", "Astrology").code == 2
    assert prints(data) == before


def test_without_a_map_the_topic_checked_most_is_explained(cli: Run, six_months: Path) -> None:
    cli("import", six_months)
    explained = cli("replay").document["questions"][2]
    assert explained["plan"] == "answer"


def test_three_questions_shaped_like_the_students_own_are_asked(lived: Run) -> None:
    document = lived("replay").document
    missed, covered, explained = document["questions"]
    assert (missed["plan"], covered["plan"], explained["plan"]) == ("ledger", "ledger", "answer")
    assert missed["memories"]
    assert {each["kind"] for each in missed["memories"]} == {"check"}
    assert covered["memories"]
    assert len({each["at"][:7] for each in covered["memories"]}) == 1, "one month"
    assert explained["reached"]["answer"] == explained["answer_id"]
    assert {each["claim"] for each in document["beliefs"]}
    assert document["dropped"] == []


def test_questions_of_ones_own_are_asked_instead(lived: Run, tmp_path: Path) -> None:
    path = tmp_path / "questions.txt"
    path.write_text('What have I taught you?\n{"text": "¿Qué vimos en julio?"}\n', "utf-8")
    taught, july = lived("replay", "--questions", path).document["questions"]
    assert taught["text"] == "What have I taught you?"
    assert {each["kind"] for each in taught["memories"]} == {"taught"}
    assert {each["at"][:7] for each in july["memories"]} == {"2026-07"}


def test_questions_that_cannot_be_read_are_refused(lived: Run, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    assert lived("replay", "--questions", path).code == 3
    path.write_text("\n", "utf-8")
    assert lived("replay", "--questions", path).code == 4
    path.write_text("{torn", "utf-8")
    assert lived("replay", "--questions", path).code == 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_default_questions_are_understood_in_every_language(language: str) -> None:
    now = Moment.parse("2026-11-05T18:00:00+01:00")
    phrases = _phrases(language)
    month = format_date(date(2026, 7, 1), "LLLL y", locale=language)
    missed = understand(phrases["missed"], now, Names([]), conversation_language=language)
    covered = understand(phrases["covered"].format(month=month), now, Names([]), conversation_language=language)
    assert (missed.kind, missed.sub) == (MessageKind.RECORD, "missed")
    assert (covered.kind, covered.sub) == (MessageKind.RECORD, "covered")
    assert covered.window is not None
    assert (covered.window.first, covered.window.last) == (date(2026, 7, 1), date(2026, 7, 31))
