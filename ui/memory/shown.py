"""What the memory panel shows, read on the reads lane. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from memory.belief_rules import Belief
from memory.checkpoints import Checkpoint
from memory.concept_rows import Note
from memory.episodes import Episode, EpisodeId, Kind, SubjectId
from memory.mastery import Claim
from memory.memory import Memory
from memory.moments import Moment
from memory.verification import ChainState

PAGE = 100
NEWEST = 1000
"""Episodes of the chain that are checked when the panel opens; the button checks all."""


@dataclass(frozen=True, slots=True)
class ShownBelief:
    """A belief that is held, since when, and the chain of beliefs behind it, newest first."""

    belief: Belief
    since: Moment
    chain: tuple[Belief, ...]


@dataclass(frozen=True, slots=True)
class ShownBeliefs:
    """What is held, weak ones first, and the day from which something was."""

    held: tuple[ShownBelief, ...]
    first: date | None


@dataclass(frozen=True, slots=True)
class ShownNote:
    """A taught note with its words (None: removed), the concept it hangs on ("": about the student)."""

    episode: EpisodeId
    text: str | None
    at: Moment
    concepts: tuple[str, ...]
    live: bool


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """How the chain stands: how many of its episodes were looked at, the head, and the last checkpoint.

    After a look at everything (``whole``): faults of the database, moments of checkpoints that do not hold, and files
    that are no longer as they were read, with how each stands.
    """

    state: ChainState | None
    checkpoint: Checkpoint | None
    whole: bool
    episodes: int
    faults: tuple[str, ...] = ()
    checkpoints: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()


def read_beliefs(memory: Memory, subject: SubjectId, as_of: date | None) -> ShownBeliefs:
    """The beliefs held now, or true of the student at the end of a day; weak ones first."""
    found = memory.beliefs.current(subject) if as_of is None else memory.beliefs.as_of(subject, as_of)
    chains: dict[str, list[Belief]] = {}
    for row in memory.beliefs.history(subject):
        chains.setdefault(row.concept, []).append(row)
    order = {Claim.WEAK: 0, Claim.UNSURE: 1, Claim.UNDERSTANDS: 2}
    shown = [
        ShownBelief(belief, memory.beliefs.since(belief), tuple(reversed(chains.get(belief.concept, []))))
        for belief in found
        if belief.claim is not Claim.WITHDRAWN
    ]
    held = sorted(shown, key=lambda one: (order[one.belief.claim], -one.belief.confidence, one.belief.name))
    days = [row.valid_from.day for rows in chains.values() for row in rows]
    return ShownBeliefs(tuple(held), min(days, default=None))


def read_notes(memory: Memory, subject: SubjectId) -> list[ShownNote]:
    """Taught notes, newest first, those withdrawn or replaced at the end."""
    hung: dict[EpisodeId, list[Note]] = {}
    for note in memory.map.notes(subject, live=False):
        hung.setdefault(note.episode, []).append(note)
    concepts = {note.concept for notes in hung.values() for note in notes if note.concept}
    names = {concept.id: concept.name for concept in memory.map.many(sorted(concepts))}
    shown = [
        ShownNote(
            episode.id,
            episode.content.text if episode.content else None,
            episode.moment,
            tuple(names[note.concept] for note in hung[episode.id] if note.concept in names),
            any(note.live for note in hung[episode.id]),
        )
        for episode in memory.ledger.many(list(hung))
    ]
    return sorted(shown, key=lambda one: (not one.live, -one.at.at))


def read_timeline(
    memory: Memory, subject: SubjectId, kind: Kind | None, text: str, language: str, count: int
) -> list[Episode]:
    """The newest episodes, of one kind or of all, that hold the words sought."""
    if text.strip():
        found = memory.ledger.search(subject, text, language, limit=count)
        return [episode for episode in found if kind in (None, episode.kind)]
    return memory.ledger.find(subject, kinds=[kind] if kind else None, newest_first=True, limit=count)


def read_record(memory: Memory, subject: SubjectId, now: int, *, whole: bool) -> ShownRecord:
    """Look at the subject's chain: its newest episodes; or all of them, the checkpoints, the files, the database."""
    states = memory.verification.chains(None if whole else NEWEST)
    state = next((state for state in states if state.subject == subject), None)
    shown = ShownRecord(state, memory.checkpoints.last(subject), whole, memory.ledger.count(subject))
    if not whole:
        return shown
    noted = memory.verification.checkpoints([one for one in memory.checkpoints.all() if one.subject == subject])
    changed = {
        Path(cited.file).name: cited.standing.value
        for cited in memory.citations.verify(subject, now, None)
        if cited.standing.value in ("replaced", "missing")
    }
    return replace(
        shown,
        faults=tuple(memory.verification.database()),
        checkpoints=tuple(seen.checkpoint.at for seen in noted if seen.result != "holds"),
        files=tuple(sorted(changed.items())),
    )
