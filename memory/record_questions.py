"""Record questions with an answer of their own: how a quiz went, how many, when first or last, what the tutor said.

Understanding says that a message asks about the record; which of these it asks is told by its words, from patterns in
``resources/record_questions.toml``.
"""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from memory.words import Plain, stop_words

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 40  # words: a longer message tells something besides


class RecordQuestion(StrEnum):
    """What is asked of the record, each with an answer that its rows give."""

    QUIZ = "quiz"
    CHECKS = "checks"
    QUIZZES = "quizzes"
    QUESTIONS = "questions"
    NOTES = "notes"
    FIRST = "first"
    LAST = "last"
    SAID = "said"
    ME = "me"


def record_question(text: str, language: str) -> RecordQuestion | None:
    """What a message in plain text asks of the record, by the patterns of one language; None for nothing of these."""
    if len(text.split()) > _LONGEST:
        return None
    return next((asked for asked, pattern in _patterns(language) if pattern.search(text)), None)


def topic_of(plain: Plain, language: str) -> str | None:
    """What "when did I first see …?" is about, as typed: the words that are left of the question without its frame."""
    frame, stops = _frame(language), stop_words(language)
    words = [each for each in _WORD.finditer(plain.text) if not frame.fullmatch(each[0]) and each[0] not in stops]
    return plain.original(words[0].start(), words[-1].end()) if words else None


@cache
def _frame(language: str) -> re.Pattern[str]:
    table = _table(language)
    return re.compile(f"{table.get('frame', '')}|{table.get('saw', '')}")


@cache
def _table(language: str) -> dict[str, Any]:
    text = resources.files("resources").joinpath("record_questions.toml").read_text("utf-8")
    table: dict[str, Any] = tomllib.loads(text).get(language, {})
    return table


@cache
def _patterns(language: str) -> tuple[tuple[RecordQuestion, re.Pattern[str]], ...]:
    table = _table(language)
    saw = table.get("saw", "")
    return tuple(
        (asked, re.compile("|".join(rf"\b(?:{each})" for each in table.get(asked.value, [])).replace("{saw}", saw)))
        for asked in RecordQuestion
        if asked.value in table
    )
