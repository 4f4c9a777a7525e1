"""What a turn tells while it runs: the window and the terminal consume the same events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from memory.checks import Check
from memory.episodes import EpisodeId, Verdict
from memory.moments import Moment


class Plan(StrEnum):
    """Who speaks on a turn (design: the ledger and the map answer for themselves)."""

    LEDGER = "ledger"
    MAP = "map"
    TEACH = "teach"
    LESSON = "lesson"
    GRADE = "grade"
    SMALLTALK = "smalltalk"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class MemoryRef:
    """An episode that a turn read or speaks of."""

    id: EpisodeId
    kind: str
    at: Moment
    label: str
    external_id: str | None = None
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Citation:
    """A claim of the answer (a character span of its text) and the source it rests on.

    ``source`` is a file's name or the label of a dated memory; exactly one of ``passage`` and ``episode`` is set,
    neither where no support was found.
    """

    first: int
    last: int
    claim: str
    source: str = ""
    passage: int | None = None
    page: int | None = None
    lines: tuple[int, int] | None = None
    episode: EpisodeId | None = None
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Reminder:
    """An earlier episode brought up beside an answer, and the line that says so."""

    episode: EpisodeId
    text: str


@dataclass(frozen=True, slots=True)
class TurnResult:
    """A finished turn, everything of it already in the ledger (an arm's has no ``answer``: it keeps nothing)."""

    question: EpisodeId
    answer: EpisodeId | None
    kind: str
    sub: str | None
    plan: Plan
    text: str
    language: str
    memories: tuple[MemoryRef, ...] = ()
    citations: tuple[Citation, ...] = ()
    status: str = "answered"
    brief_tokens: int = 0
    timings: Mapping[str, float] = field(default_factory=dict)
    taught: EpisodeId | None = None
    wish: str | None = None
    check: Check | None = None
    checked: EpisodeId | None = None
    verdict: Verdict | None = None
    stopped: bool = False
    reminder: Reminder | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """The student's message is on disk."""

    question: EpisodeId


@dataclass(frozen=True, slots=True)
class Planned:
    """What the message was understood as, and who will answer."""

    kind: str
    plan: Plan
    language: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the answer as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Struck:
    """A sentence already shown turned out to claim a past that is not recorded; the note stands in its place."""

    first: int
    last: int
    note: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn is over and recorded."""

    result: TurnResult


TurnEvent = Saved | Planned | Piece | Struck | Finished
