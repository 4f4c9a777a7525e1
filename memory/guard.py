"""The guard: no sentence of the model may claim a shared past that no memory at hand supports.

A sentence that says "we saw", "you got", "last week you …" is compared with the memories that reached the prompt: its
dates must be theirs, its words must be about what they are about, and an outcome must be their verdict. What is not
supported is struck and an honest note stands in its place. A sentence that states a fact of the student's own life
("your exam is on Friday") needs words of the student that say so. A sentence about the material ("in 1789 …") claims
no shared past and is never looked at further.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from memory.agreement import facts_of
from memory.calendar_words import calendar
from memory.claims import disclaims
from memory.episodes import Episode, Kind, Verdict
from memory.moments import Moment
from memory.phrases import phrases_for
from memory.windows import find_window
from memory.words import Plain, stem, stop_words, tokens

_NUMBERED_DAY = re.compile(r"\b(3[01]|[12]?\d)(?:st|nd|rd|th|er|\.|º)?\b")


class Reason(StrEnum):
    """Why a sentence was struck."""

    DATE = "date"
    VERDICT = "verdict"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Struck:
    """A sentence that claims what is not recorded. ``note`` stands in its place, in the language of the answer."""

    sentence: str
    reason: Reason
    note: str


@dataclass(frozen=True, slots=True)
class Known:
    """What the guard needs of one memory: its day, the stems of its words and names, and for a check its verdict."""

    day: date
    stems: frozenset[str]
    verdict: Verdict | None
    checked: bool


@dataclass(frozen=True, slots=True)
class _Patterns:
    shared: re.Pattern[str]
    earlier: re.Pattern[str]
    at_hand: re.Pattern[str]
    innocent: re.Pattern[str]
    wrong: re.Pattern[str]
    right: re.Pattern[str]
    persons: re.Pattern[str]
    personal: re.Pattern[str]


class Guard:
    """Reads the sentences of one answer."""

    def __init__(
        self,
        language: str,
        memories: Sequence[Episode],
        now: Moment,
        *,
        evidence: str = "",
        said: Sequence[str] = (),
        names: Sequence[Sequence[str]] = (),
    ) -> None:
        """``memories`` reached the prompt; ``names`` (aligned with them) are the concepts each touches.

        ``evidence`` is the brief's own text: beliefs and notes in it may be spoken of without a date.
        ``said`` are the words of the conversation at hand: what was just asked may be said to have been asked.
        Only the student, in taught notes among the memories or in ``said``, can state a fact of the student's life.
        """
        self._language = language
        self._now = now
        self._known = [
            known_from(memory, language, names[index] if index < len(names) else ())
            for index, memory in enumerate(memories)
        ]
        notes = [each.content.text for each in memories if each.kind is Kind.TAUGHT and each.content is not None]
        self._told = [*notes, *said]
        self._evidence = content_stems(" ".join([evidence, *said]), language)

    def check(self, sentence: str) -> Struck | None:
        """The sentence struck, or None where it claims no shared past or a memory supports it."""
        reason = unsupported(sentence, self._language, self._known, self._now, self._evidence, self._told)
        if reason is None:
            return None
        key = {Reason.DATE: "guard.note_date", Reason.VERDICT: "guard.note_verdict"}.get(reason, "guard.note")
        return Struck(sentence, reason, phrases_for(self._language).say(key))


def check_sentence(sentence: str, language: str, allowed: Sequence[Episode], now: Moment) -> Struck | None:
    """One sentence against the memories in the brief (:class:`Guard` for a whole answer)."""
    return Guard(language, allowed, now).check(sentence)


def claims_shared_past(sentence: str, language: str) -> bool:
    """Whether a sentence speaks of something that student and tutor did, said or got before."""
    patterns = _patterns(language)
    plain = Plain.of(sentence).text
    if patterns.earlier.search(plain) and not patterns.at_hand.search(plain):
        return True
    return bool(patterns.shared.search(patterns.innocent.sub(" ", plain)))


def unsupported(
    sentence: str,
    language: str,
    known: Sequence[Known],
    now: Moment,
    evidence: frozenset[str] = frozenset(),
    told: Sequence[str] = (),
) -> Reason | None:
    """Why a sentence is not supported by what is known, or None where it is, or claims nothing of the kind."""
    patterns, plain = _patterns(language), Plain.of(sentence).text
    personal = patterns.personal.search(patterns.innocent.sub(" ", plain))
    if personal is not None and not _denies(sentence, language) and not _told(personal[0], sentence, told, language):
        return Reason.NOTHING
    dated = _days_meant(sentence, plain, language, now)
    if not claims_shared_past(sentence, language):
        if dated is None or dated(now.day) or not patterns.persons.search(plain):
            return None  # no date, or one that still runs ("today we look at …"): no claim about the past
        if _months_in(plain, language) & (evidence | frozenset().union(*(memory.stems for memory in known))):
            return None  # a date that a note or a memory itself speaks of ("your exam is on 3 June")
    then = [memory for memory in known if dated is None or dated(memory.day)]
    if dated is not None and not then:
        return Reason.DATE
    words = content_stems(sentence, language) - _frame(language)
    if dated is not None:
        words -= content_stems(" ".join(calendar(language).months), language)
    about = [memory for memory in then if words & memory.stems]
    if words and not about:
        if dated is None and words & evidence:
            return None
        return Reason.NOTHING if dated is None or not known else Reason.DATE if not then else Reason.NOTHING
    if not words and not then:
        return None if dated is None and evidence else Reason.NOTHING
    return _outcome_denied(patterns, plain, about or then)


def known_from(memory: Episode, language: str, names: Sequence[str] = ()) -> Known:
    """What the guard needs of an episode."""
    content = memory.content
    text = ""
    if content is not None:
        parts = (content.text, content.topic, content.reply, content.expected, content.evaluation)
        text = " ".join(part for part in parts if part)
    spoken = memory.meta.language or language
    stems = content_stems(" ".join([text, *names, *memory.meta.concepts]), language)
    if spoken != language:
        stems |= content_stems(text, spoken)
    return Known(memory.moment.day, stems, memory.meta.verdict, memory.kind is Kind.CHECK)


def content_stems(text: str, language: str) -> frozenset[str]:
    """Stems of the words that carry content: no stop words, no numbers."""
    stopped = stop_words(language)
    return frozenset(
        stem(word, language)
        for word in tokens(text, language)
        if word not in stopped and not word.isdigit() and len(word) > 2
    )


def _denies(sentence: str, language: str) -> bool:
    """Whether a sentence admits that something is not known, or states what is not the case."""
    return disclaims(sentence, language) or bool(facts_of(sentence, language).negations)


def _told(fact: str, sentence: str, told: Sequence[str], language: str) -> bool:
    """Whether the student said it: one text speaks of the same thing, and shares what the sentence says of it."""
    subject = content_stems(fact, language)
    stopped = stop_words(language)
    said = {stem(word, language) for word in tokens(sentence, language) if word not in stopped} - subject
    for text in told:
        words = {stem(word, language) for word in tokens(text, language)}
        if subject & words and (not said or said & words):
            return True
    return False


class _Days:
    """The days a sentence speaks of."""

    def __init__(self, first: date | None, last: date | None, months: frozenset[int], day: int | None) -> None:
        self._first, self._last, self._months, self._day = first, last, months, day

    def __call__(self, day: date) -> bool:
        if self._first is not None and self._last is not None:
            return self._first <= day <= self._last
        return day.month in self._months and (self._day is None or self._day == day.day)


def _days_meant(sentence: str, plain: str, language: str, now: Moment) -> _Days | None:
    """The window of a sentence, else the months it names (with the day beside one), else None."""
    found = find_window(sentence, language, now)
    if found is not None and not found.bare:
        return _Days(found.window.first, found.window.last, frozenset(), None)
    words = plain.replace(",", " ").replace(".", " ").split()
    names = calendar(language)
    months = {
        index: names.months[word]
        for index, word in enumerate(words)
        if word in names.months and len(word) > 3 and word not in names.ambiguous
    }
    if not months:
        return None
    index = next(iter(months))
    beside = " ".join(words[max(0, index - 2) : index] + words[index + 1 : index + 2])
    day = _NUMBERED_DAY.search(beside) if len(months) == 1 else None
    return _Days(None, None, frozenset(months.values()), int(day[1]) if day else None)


def _months_in(plain: str, language: str) -> frozenset[str]:
    """Stems of the month names of a sentence."""
    names = calendar(language).months
    return frozenset(stem(word, language) for word in tokens(plain, language) if word in names)


def _outcome_denied(patterns: _Patterns, plain: str, memories: Sequence[Known]) -> Reason | None:
    """A verdict that none of the memories has, where they hold checks."""
    wrong, right = bool(patterns.wrong.search(plain)), bool(patterns.right.search(plain))
    if wrong == right:
        return None
    verdicts = {memory.verdict for memory in memories if memory.checked and memory.verdict is not None}
    if not verdicts:
        return Reason.VERDICT if all(memory.checked for memory in memories) and memories else None
    allowed = {Verdict.WRONG, Verdict.PARTLY} if wrong else {Verdict.RIGHT, Verdict.PARTLY}
    return None if verdicts & allowed else Reason.VERDICT


@cache
def _frame(language: str) -> frozenset[str]:
    """Stems of the words that only frame a memory (session, lesson, question …): they are about nothing."""
    return content_stems(str(_table(language).get("frame", "")), language)


@cache
def _patterns(language: str) -> _Patterns:
    table = _table(language)
    return _Patterns(
        *(
            re.compile("|".join(rf"(?<!\w)(?:{part})" for part in table.get(key, [])) or r"(?!)")
            for key in ("shared", "earlier", "at_hand", "innocent", "wrong", "right", "persons", "personal")
        )
    )


@cache
def _table(language: str) -> dict[str, Any]:
    source = resources.files("resources").joinpath("guard", f"{language}.toml")
    return tomllib.loads(source.read_text("utf-8")) if source.is_file() else {}
