"""What an answer rests on, as values: its claims with their places, what it read, how long it took. No Qt here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.turn_events import Citation, TurnResult
from memory.episodes import EpisodeId
from memory.grounding import CitationLink
from memory.memory import Memory
from ui.formula_text import formulas_in


@dataclass(frozen=True, slots=True)
class Place:
    """Where a claim rests: a passage, a dated memory, or (``file`` with its ``page``) a place in a file by name."""

    passage: int | None = None
    episode: EpisodeId | None = None
    file: str = ""
    page: int | None = None
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A claim (a span of the answer's text) and its places; none: no support was found."""

    first: int
    last: int
    text: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """Something that reached the prompt: its kind (episode, passage, belief, concept), id, rank and score."""

    kind: str
    source: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class AnswerSources:
    """Everything an answer can show for itself."""

    answer: EpisodeId
    text: str
    plan: str = ""
    status: str = ""
    claims: tuple[ShownClaim, ...] = ()
    reads: tuple[Read, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)

    @property
    def supported(self) -> int:
        """How many claims rest on something."""
        return sum(1 for claim in self.claims if claim.places)

    @property
    def memories(self) -> tuple[EpisodeId, ...]:
        """The episodes it read, in their order."""
        return tuple(EpisodeId(read.source) for read in self.reads if read.kind == "episode")


def sources_of(result: TurnResult) -> AnswerSources:
    """What a turn that has just finished can show."""
    return AnswerSources(
        answer=result.answer or result.question,
        text=result.text,
        plan=result.plan.value,
        status=result.status,
        claims=grouped(result.text, (_place(citation) for citation in result.citations)),
        reads=tuple(Read("episode", ref.id, rank, ref.score) for rank, ref in enumerate(result.memories)),
        timings=dict(result.timings),
    )


def read_sources(memory: Memory, answer: EpisodeId) -> AnswerSources | None:
    """What an answer of the past can show, from what was kept with it; None where there is no such answer."""
    episode = memory.ledger.get(answer)
    if episode is None or episode.content is None:
        return None
    text = episode.content.text
    status = memory.records.status(answer)
    reads = tuple(Read(*row) for row in memory.records.reads(answer))
    return AnswerSources(
        answer=answer,
        text=text,
        plan=episode.meta.plan or "",
        status=status[0] if status else "",
        claims=grouped(text, (_linked(link) for link in memory.records.citations(answer))),
        reads=reads,
        timings=status[2] if status else {},
    )


def grouped(text: str, found: Iterable[tuple[int, int, Place | None]]) -> tuple[ShownClaim, ...]:
    """Claims in the order of the text, the places of the same span together."""
    spans: dict[tuple[int, int], list[Place]] = {}
    for first, last, place in found:
        places = spans.setdefault((first, last), [])
        if place is not None and place not in places:
            places.append(place)
    return tuple(ShownClaim(first, last, text[first:last], tuple(spans[first, last])) for first, last in sorted(spans))


def with_marks(text: str, claims: Sequence[ShownClaim]) -> str:
    """The Markdown with a small link after each claim: its number, or a question mark where nothing supports it."""
    formulas = formulas_in(text)
    for number in range(len(claims), 0, -1):
        claim = claims[number - 1]
        end = min(claim.last, len(text))
        end = next((formula.last for formula in formulas if formula.first < end < formula.last), end)
        while end > claim.first and text[end - 1].isspace():
            end -= 1
        sign = str(number) if claim.places else "?"
        text = f"{text[:end]} [\\[{sign}\\]]({LINK}{number - 1}){text[end:]}"
    return text


LINK = "retiens:claim/"
"""The address of a claim's mark, before its number."""


def _place(citation: Citation) -> tuple[int, int, Place | None]:
    place = None
    if citation.passage is not None or citation.episode is not None or citation.source:
        place = Place(citation.passage, citation.episode, citation.source, citation.page, citation.score)
    return citation.first, citation.last, place


def _linked(link: CitationLink) -> tuple[int, int, Place | None]:
    if link.source is None or link.kind == "none":
        return link.first, link.last, None
    if link.kind == "passage":
        return link.first, link.last, Place(passage=int(link.source), score=link.score)
    return link.first, link.last, Place(episode=EpisodeId(link.source), score=link.score)
