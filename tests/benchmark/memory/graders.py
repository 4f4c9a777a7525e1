"""The judges: strings and identifiers are compared, nothing is weighed. Each is tested in ``test_graders.py``.

*Prompt level*: what reached the prompt, or what the record and the map said by themselves. *Answer level*: what was
said, by its words alone, in the same way for every arm.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from babel.dates import get_month_names
from histories import ARABIC_MONTHS, wording
from matching import holds, holds_words, named_in, normal
from questions import Question

_IN_PROMPT = 0.6
"""Share of a definition's words that must be in a prompt …"""
_IN_ANSWER = 0.3
"""… and in an answer, which says it in other words."""
_QUOTE = 0.7
_KEYS = frozenset({"in_scope", "future", "checks", "quizzes", "said", "notes", "no_level"})
"""The tutor's sentences that say of a time or a concept that nothing is on record."""
_FILE = re.compile(r"[\w-]+\.(?:md|pdf|html)\b")
_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩", "0123456789")


class Outcome(StrEnum):
    """How an answer, or what was read for it, fared."""

    RIGHT = "right"
    MISSING = "missing"
    HONEST = "honest miss"
    STALE = "stale"
    FORBIDDEN = "forbidden"
    INVENTED = "invented"


@dataclass(frozen=True, slots=True)
class Grade:
    """An outcome and what it rests on."""

    outcome: Outcome
    why: str = ""

    @property
    def right(self) -> bool:
        """Whether it counts."""
        return self.outcome is Outcome.RIGHT


RIGHT = Grade(Outcome.RIGHT)


@dataclass(frozen=True, slots=True)
class Told:
    """What the record or the map said by itself. ``stated`` are the ids its lines stand for."""

    text: str
    stated: frozenset[str]


@dataclass(frozen=True, slots=True)
class Shown:
    """What reached a prompt: its text without the question, the ids of the memories in it, its cost and its limit."""

    text: str
    reached: frozenset[str]
    tokens: int = 0
    budget: int = 0


def grade_prompt(question: Question, shown: Shown) -> Grade:
    """Did what is needed reach the prompt, within budget, and nothing that may not be there?"""
    gold = question.gold
    if shown.budget and shown.tokens > shown.budget:
        return Grade(Outcome.FORBIDDEN, f"{shown.tokens} tokens, allowed {shown.budget}")
    strays = shown.reached & set(gold.apart)
    if strays:
        return Grade(Outcome.FORBIDDEN, f"{len(strays)} of another time or replaced, e.g. {min(strays)}")
    if gold.empty:
        return RIGHT if says_nothing_is_recorded(shown.text, question.language) else Grade(Outcome.MISSING, "not said")
    found = len(shown.reached & set(gold.needed))
    if found < gold.least:
        return Grade(Outcome.MISSING, f"{found} of {gold.least} memories")
    if gold.definition and not holds_words(shown.text, gold.definition, _IN_PROMPT):
        return Grade(Outcome.MISSING, "the definition")
    if question.category == "prerequisite" and not named_in(shown.text, gold.names, question.language):
        return Grade(Outcome.MISSING, "what it builds on")
    return RIGHT


def grade_told(question: Question, told: Told) -> Grade:
    """Did the record (or the map) state all that is needed, and nothing else?"""
    gold, language = question.gold, question.language
    strays = told.stated & {*gold.apart, *gold.untold}
    if strays:
        return Grade(Outcome.FORBIDDEN, f"{len(strays)} stated that may not be, e.g. {min(strays)}")
    if gold.empty:
        if not says_nothing_is_recorded(told.text, language):
            return Grade(Outcome.MISSING, "not said")
        named = _wrongly_named(question, told.text)
        return Grade(Outcome.INVENTED, f"names {named[0]}") if named else RIGHT
    found = len(told.stated & set(gold.needed))
    wanted = len(gold.needed) if gold.complete else gold.least
    if found < wanted:
        honest = says_nothing_is_recorded(told.text, language)
        return Grade(Outcome.HONEST if honest else Outcome.MISSING, f"{found} of {wanted} told")
    return _grade_names(question, told.text, every=gold.every)


def grade_answer(question: Question, text: str) -> Grade:
    """Is an answer right by its words?"""
    gold, language = question.gold, question.language
    silent = says_nothing_is_recorded(text, language)
    if gold.empty:
        return _grade_emptiness(question, text, silent)
    if gold.wrong_words and holds(text, gold.wrong_words) and not holds(text, gold.words):
        return Grade(Outcome.STALE, gold.wrong_words)
    if gold.words:
        return _missed(silent, "the note") if not holds(text, gold.words) else RIGHT
    if question.category == "explain":
        if gold.definition and not holds_words(text, gold.definition, _IN_ANSWER):
            return _missed(silent, "the definition")
        return RIGHT if named_in(text, gold.names, language) else _missed(silent, "the concept's name")
    if question.category == "missed":
        return _grade_missed(question, text, silent)
    if question.category == "active_month":
        strange = sorted(set(days_in(text, language)) - {(day.day, day.month) for day in gold.days})
        if strange:
            return Grade(Outcome.INVENTED, f"day {strange[0]}")
    grade = _grade_names(question, text, every=False)
    return _missed(silent, grade.why) if grade.outcome is Outcome.MISSING else grade


def says_nothing_is_recorded(text: str, language: str) -> bool:
    """Whether a text says that nothing is on record: in the tutor's own sentences, or in other usual words."""
    plain = normal(text)
    return any(words in plain for words in _nothing(language))


@cache
def _nothing(language: str) -> tuple[str, ...]:
    """The tutor's sentences up to where they are filled in; then the usual ways to say it."""
    own = [text for key, text in _sentences(f"{language}.toml")["nothing"].items() if key in _KEYS]
    own.append(_sentences(f"brief.{language}.toml")["empty_window"])
    return tuple(normal(text) for text in (*(each.split("{")[0] for each in own), *wording()[language]["no_record"]))


def _sentences(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files("resources").joinpath("phrases", name).read_text("utf-8"))


def days_in(text: str, language: str) -> list[tuple[int, int]]:
    """The days of the year that a text names, as (day, month)."""
    found: list[tuple[int, int]] = []
    plain = normal(text.translate(_DIGITS))
    for pattern, order in _day_patterns(language):
        for hit in pattern.finditer(plain):
            day, month = int(hit["day"]), order[hit["month"]]
            if 1 <= day <= 31:
                found.append((day, month))
    return found


@cache
def _day_patterns(language: str) -> tuple[tuple[re.Pattern[str], dict[str, int]], ...]:
    names: dict[str, int] = {}
    for locale in ARABIC_MONTHS if language == "ar" else (language,):
        for width in ("wide", "abbreviated"):
            for number, name in get_month_names(width, locale=locale).items():
                names[normal(name).rstrip(".")] = number
    month = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    day = r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th|er)?"
    before = re.compile(rf"{day}\.? (?:de |of )?(?P<month>{month})\b")
    after = re.compile(rf"\b(?P<month>{month}) {day}(?!\d)")
    return ((before, names), (after, names)) if language == "en" else ((before, names),)


def _grade_emptiness(question: Question, text: str, silent: bool) -> Grade:
    """Nothing is recorded: said, with no day told as worked on, and no concept but the one asked about."""
    named = _wrongly_named(question, text)
    if not silent:
        return Grade(Outcome.INVENTED, f"names {named[0]}" if named else "no word of there being no record")
    return Grade(Outcome.INVENTED, f"names {named[0]}") if named else RIGHT


def _grade_missed(question: Question, text: str, silent: bool) -> Grade:
    """One of the questions or replies is told, or a concept and a day; no day on which nothing was missed."""
    gold, language = question.gold, question.language
    days = days_in(text, language)
    strange = sorted(set(days) - {(day.day, day.month) for day in gold.days})
    if strange:
        return Grade(Outcome.INVENTED, f"day {strange[0]}")
    quoted = any(len(quote) > 3 and _quotes(text, quote) for quote in gold.quotes)
    named = named_in(text, gold.names, language)
    if quoted or (named and (days or question.variant != "on a concept")):
        return RIGHT
    return _missed(silent, "no question, reply or day that was missed")


def _quotes(text: str, quote: str) -> bool:
    return holds(text, quote) or (len(quote.split()) > 3 and holds_words(text, quote, _QUOTE))


def _grade_names(question: Question, text: str, *, every: bool) -> Grade:
    gold, language = question.gold, question.language
    if gold.wrong_words and holds(text, gold.wrong_words):
        return Grade(Outcome.STALE, gold.wrong_words)
    if gold.words and not holds(text, gold.words):
        return Grade(Outcome.MISSING, gold.words)
    if gold.definition and not holds_words(text, gold.definition, _IN_ANSWER):
        return Grade(Outcome.MISSING, "the definition")
    wrong = _wrongly_named(question, text)
    if wrong:
        return Grade(Outcome.INVENTED, f"names {wrong[0]}")
    named = named_in(text, {*gold.names, *gold.known}, language)
    missing: Collection[str] = [name for name in gold.names if name not in named]
    if missing and (every or len(missing) == len(gold.names)):
        return Grade(Outcome.MISSING, f"does not name {_first(missing)}")
    return RIGHT


def _wrongly_named(question: Question, text: str) -> list[str]:
    """The names a text says that it may not; those of files, and the words that say there is no record, are none."""
    gold, plain = question.gold, _FILE.sub(" ", normal(text))
    for words in sorted(_nothing(question.language), key=len, reverse=True):
        plain = plain.replace(words, " ")
    named = named_in(plain, {*gold.names, *gold.wrong_names, *gold.known}, question.language)
    return [name for name in named if name in gold.wrong_names]


def _first(names: Collection[str]) -> str:
    return sorted(names)[0]


def _missed(silent: bool, why: str) -> Grade:
    return Grade(Outcome.HONEST if silent else Outcome.MISSING, why)


def wilson(right: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    if not of:
        return 0.0, 1.0
    z, share = 1.959964, right / of
    middle = share + z * z / (2 * of)
    spread = z * ((share * (1 - share) + z * z / (4 * of)) / of) ** 0.5
    whole = 1 + z * z / of
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def outcomes(grades: Sequence[Grade]) -> dict[str, int]:
    """How often each outcome occurred."""
    counted: dict[str, int] = {}
    for grade in grades:
        counted[grade.outcome.value] = counted.get(grade.outcome.value, 0) + 1
    return counted
