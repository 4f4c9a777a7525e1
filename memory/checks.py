"""Checks: one question asked by the tutor, and what a reply to it is worth where no model is needed to say so.

Multiple choice, numbers and gaps are judged here; a short answer only where it is beyond doubt. *Could not judge* is
None: it is an outcome of grading, never evidence. The check that waits for a reply is kept in the store, so that
closing the window forgets nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, assert_never

from memory.check_words import check_words
from memory.episodes import ConceptId, Evidence, SubjectId, Verdict
from memory.quantities import agree, quantities
from memory.store import Store
from memory.words import stem, tokens

_LETTERS = "abcdefghij"
_ARABIC_LETTERS = "ابجدهوزحطي"
_CHOICE_MARK = re.compile(r"^(?:([a-jا-ي])|(\d{1,2}))$")
_LONE_CAPITAL = re.compile(r"(?<![\w'’])([B-J])(?![\w'’])|(?<![\w'’])([A-Ja-j])\s*[).]")
_SLIP = 6  # letters from which a word may hold a slip
_ENDING = 3  # letters that two forms of one word differ by at most
_ROOM_AROUND = 6  # words a reply may hold besides the expected ones


class CheckKind(StrEnum):
    """How a check is asked, and so how it is judged."""

    MULTIPLE_CHOICE = "multiple_choice"
    NUMERIC = "numeric"
    CLOZE = "cloze"
    SHORT_ANSWER = "short_answer"


@dataclass(frozen=True, slots=True)
class Check:
    """A question with what a right reply says.

    ``expected`` is the right choice's text, the number with its unit, the missing words, or a reference answer;
    ``accepted`` holds other right wordings; ``tolerance`` is absolute, in the expected unit; ``predicted`` is the
    probability of a right reply, stored before there is one; ``hints`` counts those given while it waits;
    ``retry``: it asks again, in another form, what could not be judged.
    """

    kind: CheckKind
    question: str
    expected: str
    language: str
    concept: ConceptId | None = None
    key: str = ""
    choices: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    tolerance: float | None = None
    source: Evidence | None = None
    predicted: float | None = None
    hints: int = 0
    retry: bool = False

    def to_json(self) -> str:
        """The check as JSON, keys sorted."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Check:
        """The inverse of :meth:`to_json`. Raises ValueError, KeyError or TypeError for what is not a check."""
        raw: Mapping[str, Any] = json.loads(text)
        source = raw.get("source")
        lines = source.get("lines") if source else None
        return cls(
            kind=CheckKind(raw["kind"]),
            question=raw["question"],
            expected=raw["expected"],
            language=raw["language"],
            concept=raw.get("concept"),
            key=raw.get("key", ""),
            choices=tuple(raw.get("choices", ())),
            accepted=tuple(raw.get("accepted", ())),
            tolerance=raw.get("tolerance"),
            source=Evidence(source["file"], source["sha256"], source["page"], tuple(lines) if lines else None)
            if source
            else None,
            predicted=raw.get("predicted"),
            hints=raw.get("hints", 0),
            retry=raw.get("retry", False),
        )


@dataclass(frozen=True, slots=True)
class PendingCheck:
    """A check that waits for the student's reply since ``asked_at`` (UTC µs)."""

    check: Check
    asked_at: int


class PendingChecks:
    """The check now waiting for a reply, one a subject at most."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(self, subject: SubjectId, check: Check, asked_at: int) -> None:
        """Let this check wait; one that waited before is dropped, unanswered."""
        with self._store.atomic() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO pending_checks VALUES (?, ?, ?)", (subject, asked_at, check.to_json())
            )

    def get(self, subject: SubjectId) -> PendingCheck | None:
        """The check that waits, or None."""
        row: Any = (
            self._store.reader()
            .execute("SELECT check_json, asked_at FROM pending_checks WHERE subject = ?", (subject,))
            .fetchone()
        )
        return PendingCheck(Check.from_json(row[0]), row[1]) if row else None

    def clear(self, subject: SubjectId) -> None:
        """Nothing waits any more."""
        with self._store.atomic() as connection:
            connection.execute("DELETE FROM pending_checks WHERE subject = ?", (subject,))


class LessonStates:
    """Where each subject's current lesson stands: a JSON text that the lesson itself writes and reads."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(self, subject: SubjectId, state: str) -> None:
        """Keep the state of the subject's lesson."""
        with self._store.atomic() as connection:
            connection.execute("INSERT OR REPLACE INTO lessons VALUES (?, ?)", (subject, state))

    def get(self, subject: SubjectId) -> str | None:
        """The state last kept, or None."""
        found = self._store.reader().execute("SELECT state_json FROM lessons WHERE subject = ?", (subject,))
        row: Any = found.fetchone()
        return row[0] if row else None

    def clear(self, subject: SubjectId) -> None:
        """The lesson is over."""
        with self._store.atomic() as connection:
            connection.execute("DELETE FROM lessons WHERE subject = ?", (subject,))


def judge(check: Check, reply: str) -> Verdict | None:
    """What a reply is worth, or None where only a reader of meanings could tell."""
    said = tuple(tokens(reply))
    if said in check_words().no_idea:
        return Verdict.WRONG
    if not said:
        return None
    match check.kind:
        case CheckKind.MULTIPLE_CHOICE:
            return _judge_choice(check, reply)
        case CheckKind.NUMERIC:
            return _judge_number(check, reply)
        case CheckKind.CLOZE:
            return _judge_gap(check, reply)
        case CheckKind.SHORT_ANSWER:
            same = any(_bare(reply) == _bare(right) for right in (check.expected, *check.accepted))
            return Verdict.RIGHT if same else None
        case _:
            assert_never(check.kind)


def letters(language: str) -> str:
    """The letters of choices, in their order."""
    return "أبجدهوزح" if language == "ar" else "ABCDEFGH"


def choice_made(check: Check, reply: str) -> str | None:
    """The words of the choice that a reply means, or None where it means none."""
    place = _chosen(check.choices, reply) if check.choices else None
    return check.choices[place] if place is not None else None


def names_a_choice(check: Check, reply: str) -> bool:
    """Whether a reply is a choice's letter or words, and nothing else."""
    said = _bare(reply)
    marked = len(said) == 1 and len(tokens(reply)) == 1 and choice_made(check, reply) is not None
    return marked or any(_bare(choice) == said for choice in check.choices)


def misspelled(check: Check, reply: str) -> tuple[str, ...]:
    """The words of a right reply that are right but for a slip of the pen (not for another ending)."""
    said = _bare(reply)
    wanted = [_bare(right) for right in (check.expected, *check.accepted)]
    if check.kind is not CheckKind.CLOZE or any(_same(said, right, check.language, slips=False) for right in wanted):
        return ()
    for right in wanted:
        if _same(said, right, check.language, slips=True):
            return tuple(
                word for word, known in zip(said, right, strict=True) if not _inflected(word, known, check.language)
            )
    return ()


def _judge_choice(check: Check, reply: str) -> Verdict | None:
    right = _chosen(check.choices, check.expected)
    given = _chosen(check.choices, reply)
    if right is None or given is None:
        return None
    return Verdict.RIGHT if given == right else Verdict.WRONG


def _chosen(choices: tuple[str, ...], reply: str) -> int | None:
    """Which choice a reply means: by its words, else by its letter or number; None when it is not clear."""
    said = _bare(reply)
    exact = [index for index, choice in enumerate(choices) if _bare(choice) == said]
    if exact:
        return exact[0] if len(exact) == 1 else None
    words = tokens(reply)
    if len(words) <= 3 and check_words().negations.isdisjoint(words):
        mark = _CHOICE_MARK.match(words[-1])
        if mark and (place := _index(mark[1] or mark[2], len(choices))) is not None:
            return place
    held = [index for index, choice in enumerate(choices) if _within(_bare(choice), said)]
    longest = [
        index
        for index in held
        if not any(other != index and _within(_bare(choices[index]), _bare(choices[other])) for other in held)
    ]
    if len(longest) == 1:
        choice = _bare(choices[longest[0]])
        denied = not check_words().negations.isdisjoint(set(said) - set(choice))
        return None if denied or len(said) > len(choice) + _ROOM_AROUND else longest[0]
    if longest:
        return None
    lone = {mark[0] or mark[1] for mark in _LONE_CAPITAL.findall(reply)}
    if len(lone) == 1 and len(tokens(reply)) <= _ROOM_AROUND + 1:
        return _index(lone.pop().lower(), len(choices))
    initials = [index for index, choice in enumerate(choices) if len(words) == 1 and choice[:1].lower() == words[0]]
    if len(initials) == 1:
        return initials[0]
    parts = [index for index, choice in enumerate(choices) if len(said) > 0 and _within(said, _bare(choice))]
    return parts[0] if len(parts) == 1 and len("".join(said)) >= 4 else None


def _index(mark: str, count: int) -> int | None:
    place = int(mark) - 1 if mark.isdigit() else max(_LETTERS.find(mark), _ARABIC_LETTERS.find(mark))
    return place if 0 <= place < count else None


def _judge_number(check: Check, reply: str) -> Verdict | None:
    wanted = quantities(check.expected, check.language)
    given = quantities(reply.rpartition("=")[2])
    if len(wanted) != 1 or not given:
        return None
    if len({each.values for each in given}) > 1:
        return None
    expected, answer = wanted[0], given[-1]
    right = agree(expected, answer, check.tolerance)
    if expected.unit and answer.unit and expected.unit.dimensions != answer.unit.dimensions:
        same_number = any(value == expected.values[0] for value in answer.values)
        return Verdict.PARTLY if same_number else Verdict.WRONG
    if right and expected.unit and expected.unit.dimensions and not answer.unit:
        asked_in_it = expected.word in check.question
        return Verdict.RIGHT if asked_in_it else Verdict.PARTLY
    return Verdict.RIGHT if right else Verdict.WRONG


def _judge_gap(check: Check, reply: str) -> Verdict | None:
    said = _bare(reply)
    wanted = [_bare(right) for right in (check.expected, *check.accepted)]
    if any(_same(said, right, check.language, slips=True) for right in wanted):
        return Verdict.RIGHT
    if len("".join(said)) == 1:
        return None  # the letter of a choice, where there are none
    for right in wanted:
        if right and _within(right, said):
            denied = not check_words().negations.isdisjoint(set(said) - set(right))
            return None if denied or len(said) > len(right) + _ROOM_AROUND else Verdict.RIGHT
        if _near(" ".join(right), " ".join(said)) or _within(said, right):
            return None  # a slip of the pen, another ending or a part of it: not for us to say
    return Verdict.WRONG if len(said) <= 4 else None


def _same(said: tuple[str, ...], right: tuple[str, ...], language: str, *, slips: bool) -> bool:
    """Whether a reply says the wanted words, in whatever form; with ``slips``, a slip of the pen in six letters."""
    return len(said) == len(right) > 0 and all(
        _inflected(word, known, language) or (slips and _slip(word, known))
        for word, known in zip(said, right, strict=True)
    )


def _inflected(word: str, known: str, language: str) -> bool:
    alike = stem(word, language) == stem(known, language) and abs(len(word) - len(known)) <= _ENDING
    return word == known or (alike and min(len(word), len(known)) >= 3)


def _slip(word: str, known: str) -> bool:
    """One letter too many, one too few, or two in the wrong order; another letter may make another word (alkene)."""
    moved = len(word) != len(known) or sorted(word) == sorted(known)
    return moved and min(len(word), len(known)) >= _SLIP and _edits(word, known) <= 1


def _bare(text: str) -> tuple[str, ...]:
    """The words of a text without articles; all of them where it has nothing else."""
    said = tokens(text)
    bare = tuple(word for word in said if word not in check_words().articles)
    return bare or tuple(said)


def _within(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether the words of ``part`` stand in ``whole``, in a row."""
    return bool(part) and any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def _near(one: str, other: str) -> bool:
    """Whether two spellings are at most two letters apart (Levenshtein), and at most one in four."""
    return abs(len(one) - len(other)) <= 2 and _edits(one, other) <= min(2, max(len(one), len(other)) // 4)


def _edits(one: str, other: str) -> int:
    """Letters to insert, delete, replace or swap with the next to make one spelling the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one):
        earlier, before, row = before, row, [at + 1]
        for place, against in enumerate(other):
            cost = min(before[place] + (letter != against), before[place + 1] + 1, row[place] + 1)
            if at and place and letter == other[place - 1] and one[at - 1] == against:
                cost = min(cost, earlier[place - 1] + 1)
            row.append(cost)
    return row[-1]
