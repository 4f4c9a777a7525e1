"""What the student takes back or disputes: each is an episode of its own, and settles what followed from the first."""

from __future__ import annotations

from app.clock import Clock
from app.ids import Ids
from memory.belief_rules import Reason
from memory.episodes import Content, Draft, Episode, EpisodeId, Kind, Meta, Origin
from memory.faults import UnknownEpisode
from memory.memory import Memory


def withdraw(memory: Memory, clock: Clock, ids: Ids, note: EpisodeId) -> Episode:
    """Take a taught note back: it counts no longer. Raises UnknownEpisode for what is no note."""
    return memory.teaching.withdraw(note, id=EpisodeId(ids()), moment=clock.now(), recorded_at=clock.recorded())


def contest(memory: Memory, clock: Clock, ids: Ids, check: EpisodeId, words: str = "") -> Episode:
    """Dispute a verdict: the check is set aside until judged again. Raises UnknownEpisode for what is no check."""
    disputed = memory.ledger.get(check)
    if disputed is None or disputed.kind is not Kind.CHECK:
        raise UnknownEpisode(check)
    draft = Draft(
        id=EpisodeId(ids()),
        subject=disputed.subject,
        kind=Kind.CONTEST,
        origin=Origin.TYPED,
        moment=clock.now(),
        recorded_at=clock.recorded(),
        content=Content(words),
        meta=Meta(language=disputed.meta.language, about=check),
    )
    with memory.store.atomic():
        written = memory.ledger.append(draft)
        memory.beliefs.reconsider(check, Reason.CONTEST, ids, clock.recorded())
        memory.map.refresh(disputed.subject)
    return written


def redact(memory: Memory, clock: Clock, ids: Ids, episode: EpisodeId) -> Episode:
    """Empty the words of an episode for good, wherever they stand. Raises UnknownEpisode."""
    with memory.store.atomic():
        written = memory.ledger.redact(episode, EpisodeId(ids()), clock.now(), clock.recorded())
        memory.map.forget_names(episode)
        memory.scratch.clear(episode)
    return written
