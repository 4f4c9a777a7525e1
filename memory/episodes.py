"""The values of the record: episodes, what they hold, and what is asked of the ledger to append one.

An episode is one event. Its *meta* (verdict, evidence, language …) is chained and never changes; its *content*
(the words) lies beside it, and is what redaction can empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NewType

from memory.moments import Moment

EpisodeId = NewType("EpisodeId", str)
SubjectId = NewType("SubjectId", str)
ConceptId = NewType("ConceptId", str)


class Kind(StrEnum):
    """What an episode is. The last three are bookkeeping: never recalled, always shown in What changed."""

    QUESTION = "question"
    ANSWER = "answer"
    CHECK = "check"
    QUIZ = "quiz"
    FILE = "file"
    TAUGHT = "taught"
    CONSOLIDATION = "consolidation"
    REDACTION = "redaction"
    WITHDRAWAL = "withdrawal"
    CONTEST = "contest"


BOOKKEEPING = frozenset({Kind.REDACTION, Kind.WITHDRAWAL, Kind.CONTEST})


class Origin(StrEnum):
    """Whose words an episode holds. Only ``typed`` and an imported ``taught`` event ever teach."""

    TYPED = "typed"
    TUTOR = "tutor"
    IMPORTED = "imported"
    CYCLE = "cycle"


class Verdict(StrEnum):
    """The outcome of a graded check. *Could not judge* is no verdict: such a check has none."""

    RIGHT = "right"
    PARTLY = "partly"
    WRONG = "wrong"


class State(StrEnum):
    """How an answer ended when it did not end by itself, or that a later one took its place on screen."""

    STOPPED = "stopped"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The place in a file that an episode rests on, with the file's fingerprint at that time."""

    file: str
    sha256: str = ""
    page: int | None = None
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """The words of an episode. For a check, ``text`` is the question asked."""

    text: str
    summary: str = ""
    topic: str | None = None
    reply: str | None = None
    expected: str | None = None
    evaluation: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Meta:
    """What is chained beside the words. ``concepts`` are the concept keys at write; they never change.

    ``predicted`` is the mastery in [0, 1] predicted before the verdict; ``narration`` marks an answer that tells
    the record (never recalled as a memory of the period it talks about); ``about`` is the episode a bookkeeping
    episode speaks of, the question an answer answers, or the check a contest disputes; ``replaces`` is the answer
    that a regenerated one replaces on screen, or the taught note that a newer one replaces.
    """

    language: str | None = None
    verdict: Verdict | None = None
    predicted: float | None = None
    score: float | None = None
    concepts: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    external_id: str | None = None
    plan: str | None = None
    narration: bool = False
    state: State | None = None
    about: EpisodeId | None = None
    replaces: EpisodeId | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Draft:
    """An episode about to be appended: everything but its place in the chain."""

    id: EpisodeId
    subject: SubjectId
    kind: Kind
    origin: Origin
    moment: Moment
    recorded_at: int
    content: Content
    meta: Meta = Meta()


@dataclass(frozen=True, slots=True)
class Episode:
    """One event of the ledger as it was read back. ``content`` is None once redacted."""

    row: int
    id: EpisodeId
    subject: SubjectId
    seq: int
    kind: Kind
    origin: Origin
    moment: Moment
    recorded_at: int
    salience: float
    meta: Meta
    content: Content | None

    @property
    def summary(self) -> str:
        """The one-line summary, empty once redacted."""
        return self.content.summary if self.content else ""


_SALIENCE = {
    Kind.TAUGHT: 0.85,
    Kind.QUIZ: 0.6,
    Kind.FILE: 0.5,
    Kind.ANSWER: 0.4,
    Kind.QUESTION: 0.35,
    Kind.CONSOLIDATION: 0.5,
    Kind.REDACTION: 0.0,
    Kind.WITHDRAWAL: 0.0,
    Kind.CONTEST: 0.0,
}
_CHECK_SALIENCE = {Verdict.WRONG: 0.7, Verdict.PARTLY: 0.65, Verdict.RIGHT: 0.6, None: 0.6}


def salience(kind: Kind, verdict: Verdict | None) -> float:
    """How much an episode of this kind matters, fixed at write (article, "Épisodes"; numbers set by hand there)."""
    if kind is Kind.CHECK:
        return _CHECK_SALIENCE[verdict]
    return _SALIENCE[kind]
