"""What follows from a concept's checks: the sequence of beliefs, as pure values.

The sequence is a function of the checks, in the order of (moment, seq), and of how far time has come: one row a
check, and between or after checks one row for every full 45 days without one. Live checks, imports and nightly decay
all come from here, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.episodes import ConceptId, EpisodeId, SubjectId, Verdict
from memory.mastery import KNOWN_AT_FIRST, Claim, claim_of, confidence_of, learn_from
from memory.moments import MICROSECONDS_PER_DAY, Moment

DECAY_DAYS = 45  # the article, "La boucle nocturne"
DECAY_KEEPS = 0.85  # the same: a belief left alone loses 15 %
DECAY_STOPS_BELOW = 0.01  # a confidence this low has nothing left to lose
EPISODES_KEPT = 8  # the latest checks listed as the reason of one row


class Reason(StrEnum):
    """Why a belief row was written."""

    CHECK = "check"
    DECAY = "decay"
    IMPORT = "import"
    CONTEST = "contest"
    REDERIVED = "rederived"
    REDACTION = "redaction"
    WITHDRAWAL = "withdrawal"
    MERGE = "merge"


@dataclass(frozen=True, slots=True)
class Counted:
    """A check that counts: its verdict is the one that stands after any contest."""

    episode: EpisodeId
    moment: Moment
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Held:
    """One belief of the sequence, before it is a row. ``decay`` tells the rows that only time brought."""

    claim: Claim
    confidence: float
    mastery: float
    valid_from: Moment
    decay: bool
    confirm: bool
    episodes: tuple[EpisodeId, ...]


@dataclass(frozen=True, slots=True)
class Belief:
    """A belief row as it was read back. ``valid_from``: true of the student since; ``known_since``: held since (µs)."""

    row: int
    id: str
    subject: SubjectId
    concept: ConceptId
    name: str
    claim: Claim
    confidence: float
    mastery: float
    valid_from: Moment
    known_since: int
    reason: Reason
    confirm: bool
    place: int
    superseded_by: str | None
    episodes: tuple[EpisodeId, ...]


@dataclass(frozen=True, slots=True)
class BeliefChange:
    """What one event did to a concept's belief: the row before it, and the rows it wrote, in order."""

    concept: ConceptId
    before: Belief | None
    written: tuple[Belief, ...]

    @property
    def after(self) -> Belief:
        """The row that is current now."""
        return self.written[-1]


def derive(checks: Sequence[Counted], until: int) -> list[Held]:
    """The beliefs that follow from the checks (sorted by moment and seq), with decay up to ``until`` (UTC µs)."""
    sequence: list[Held] = []
    mastery = KNOWN_AT_FIRST
    for index, check in enumerate(checks):
        mastery = learn_from(mastery, check.verdict)
        held = Held(
            claim=claim_of(mastery),
            confidence=confidence_of(mastery),
            mastery=mastery,
            valid_from=check.moment,
            decay=False,
            confirm=False,
            episodes=tuple(each.episode for each in checks[max(0, index + 1 - EPISODES_KEPT) : index + 1]),
        )
        sequence.append(held)
        last = index + 1 == len(checks)
        sequence += _decayed(held, until if last else checks[index + 1].moment.at - 1)
    return sequence


def _decayed(held: Held, until: int) -> Iterable[Held]:
    """The rows that time alone brings to a belief: one each full 45 days, dated when due."""
    due, confidence = held.valid_from.at, held.confidence
    while True:
        due += DECAY_DAYS * MICROSECONDS_PER_DAY
        confidence *= DECAY_KEEPS
        if due > until or confidence < DECAY_STOPS_BELOW:
            return
        yield Held(
            claim=held.claim,
            confidence=confidence,
            mastery=held.mastery,
            valid_from=Moment(due, held.valid_from.offset, held.valid_from.zone),
            decay=True,
            confirm=True,
            episodes=held.episodes,
        )


def follows(row: Belief, held: Held) -> bool:
    """Whether a row still says what follows from the checks."""
    return (
        row.claim is held.claim
        and row.mastery == held.mastery
        and row.confidence == held.confidence
        and row.valid_from.at == held.valid_from.at
        and row.confirm == held.confirm
    )


def standing(rows: Iterable[Belief]) -> list[Belief]:
    """Of one concept's rows in the order written, those that no later row took the place of."""
    kept: list[Belief] = []
    for row in rows:
        del kept[row.place :]
        kept.append(row)
    return kept


def unbroken_since(rows: Iterable[Belief]) -> Moment:
    """Since when the claim of one concept's last row has been true without a break. Raises IndexError for no rows."""
    kept = standing(rows)
    start = kept[-1].valid_from
    for row in reversed(kept):
        if row.claim is not kept[-1].claim:
            break
        start = row.valid_from
    return start
