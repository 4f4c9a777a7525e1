"""Sources as they are shown, read from the memory on the reads lane: passages, dated memories, what was read. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from memory.episodes import ConceptId, Episode, EpisodeId
from memory.memory import Memory
from memory.passages import Passage, PassageId
from ui.source.answer_sources import AnswerSources, Place, Read
from ui.text import one_line

_AT_MOST = 12


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A passage on its page: the page's lines (from 1), those of the passage marked. ``score``: how well it fits."""

    file: str
    path: str
    page: int
    label: str
    first_line: int
    last_line: int
    lines: tuple[str, ...]
    current: bool
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class ShownMemory:
    """A dated memory, and the names of the concepts it touches."""

    episode: Episode
    concepts: tuple[str, ...] = ()
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class ShownRead:
    """Something that reached the prompt, in words."""

    kind: str
    words: str
    score: float
    episode: EpisodeId | None = None
    passage: int | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What the panel shows: places of the claim chosen, and what the answer read."""

    places: tuple[ShownPassage | ShownMemory, ...] = ()
    reads: tuple[ShownRead, ...] = ()


def show_sources(memory: Memory, sources: AnswerSources, claim: int) -> Shown:
    """The places of one claim (-1: none), and everything the answer read."""
    places = sources.claims[claim].places if 0 <= claim < len(sources.claims) else ()
    shown = [found for place in places[:_AT_MOST] if (found := _place(memory, place)) is not None]
    reads = sources.reads
    if not any(read.kind == "passage" for read in reads):
        reads = tuple(Read(*row) for row in memory.records.reads(sources.answer)) or reads
    return Shown(tuple(shown), tuple(_read(memory, read) for read in reads[:60]))


def show_passage(memory: Memory, passage: int, score: float = 0.0) -> Shown:
    """One passage."""
    found = memory.passages.get(PassageId(passage))
    return Shown((_passage(memory, found, score),) if found else ())


def show_episode(memory: Memory, episode: EpisodeId) -> Shown:
    """One episode."""
    found = memory.ledger.get(episode)
    return Shown((_memory(memory, found),) if found else ())


def _place(memory: Memory, place: Place) -> ShownPassage | ShownMemory | None:
    if place.passage is not None:
        passage = memory.passages.get(PassageId(place.passage))
        return _passage(memory, passage, place.score) if passage else None
    if place.episode is not None:
        episode = memory.ledger.get(place.episode)
        return _memory(memory, episode, place.score) if episode else None
    return ShownPassage(place.file, "", place.page or 1, "", 0, 0, (), True, place.score)


def _passage(memory: Memory, passage: Passage, score: float) -> ShownPassage:
    return ShownPassage(
        file=passage.name,
        path=passage.file,
        page=passage.page,
        label=passage.label,
        first_line=passage.first_line,
        last_line=passage.last_line,
        lines=memory.passages.page_lines(passage.version, passage.page),
        current=passage.current,
        score=score,
    )


def _memory(memory: Memory, episode: Episode, score: float = 0.0) -> ShownMemory:
    touched = memory.ledger.concepts_of([episode.row]).get(episode.row, [])
    names = tuple(concept.name for concept in memory.map.many(touched))
    return ShownMemory(episode, names, score)


def _read(memory: Memory, read: Read) -> ShownRead:
    match read.kind:
        case "episode":
            episode = memory.ledger.get(read.source)
            words = one_line(episode.content.text, 110) if episode and episode.content else read.source
            day = f"{episode.moment.day.isoformat()}  " if episode else ""
            return ShownRead(read.kind, day + words, read.score, episode=EpisodeId(read.source))
        case "passage":
            passage = memory.passages.get(PassageId(int(read.source)))
            words = f"{passage.name}, {passage.page}  {one_line(passage.text, 90)}" if passage else read.source
            return ShownRead(read.kind, words, read.score, passage=int(read.source))
        case "concept" | "belief":
            found = memory.map.many([ConceptId(read.source)])
            return ShownRead(read.kind, found[0].name if found else read.source, read.score)
        case _:
            return ShownRead(read.kind, read.source, read.score)
