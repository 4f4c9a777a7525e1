"""The read path of a turn: what a message means, what it calls for, and the brief and passages made from that.

No generative model, one embedding. Reading may take 2.5 s at most; after that the turn goes on without a brief, and
its timings say so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from dataclasses import dataclass, field, replace

from app.models.embed import Embedder, EmbedderDied, Vector
from app.prompt import Speed, within
from memory.brief import BeliefLine, Brief, MapLine, MapShare
from memory.brief_budget import estimate
from memory.concept_rows import Concept
from memory.episodes import ConceptId, SubjectId
from memory.follow_ups import changed, leans_back
from memory.memory import Memory
from memory.moments import Moment
from memory.passages import Found
from memory.recall import Recalled
from memory.routing import NameRow, Names
from memory.understanding import MessageKind, Understanding, understand

SLOWEST = 2.5
"""Seconds of the read path after which a turn goes on without a brief."""
PASSAGES = 6
DEFINITIONS = 2
"""Defining passages of the concepts named, put before those that the search finds."""
CONCEPTS = 10
_NO_BRIEF = Brief("", 0, (), 0, (), ())

CountTokens = Callable[[Sequence[str]], list[int]]


@dataclass(slots=True)
class Reading:
    """What one turn read. Timings are in milliseconds."""

    understanding: Understanding
    vector: Vector | None
    recalled: Recalled | None = None
    passages: tuple[Found, ...] = ()
    brief: Brief = _NO_BRIEF
    timings: dict[str, float] = field(default_factory=dict)
    searched: str | None = None
    """The words to search for, where the message alone does not say what it is about."""


class ReadPath:
    """Reads the memory for messages."""

    def __init__(
        self,
        memory: Memory,
        embedder: Callable[[], Embedder | None],
        slowest: float = SLOWEST,
    ) -> None:
        """``embedder`` is asked for when first needed and may give None; ``slowest`` is in seconds."""
        self._memory = memory
        self._embedder = embedder
        self._slowest = slowest
        self._names: dict[SubjectId, tuple[list[NameRow], Names]] = {}
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="read-path")

    def close(self) -> None:
        """Let go of the worker."""
        self._worker.shutdown(wait=True, cancel_futures=True)

    def understand(
        self, subject: SubjectId, text: str, now: Moment, *, pending: bool = False, language: str | None = None
    ) -> Reading:
        """Kind, window, concepts and language of a message, with its one embedding."""
        began = time.perf_counter()
        vector = self._embed(text)
        embedded = time.perf_counter()
        meaning = understand(
            text,
            now,
            self.names(subject),
            pending_check=pending,
            conversation_language=language,
        )
        done = time.perf_counter()
        timings = {"embed_ms": _ms(embedded - began), "understand_ms": _ms(done - embedded)}
        return Reading(meaning, vector, timings=timings)

    def follow(self, subject: SubjectId, text: str, reading: Reading, earlier: str, now: Moment) -> Reading:
        """The reading of a message in the light of the question ``earlier``, where it leans on it."""
        meaning = reading.understanding
        before = understand(earlier, now, self.names(subject), conversation_language=meaning.language)
        if (other := changed(text, meaning, before, now)) is not None:
            return Reading(other, reading.vector, timings=reading.timings)
        if leans_back(text, meaning):
            both = f"{earlier}\n{text}"
            joined = self.understand(subject, both, now, language=meaning.language)
            meant = replace(meaning, routes=joined.understanding.routes, concept_text=joined.understanding.concept_text)
            return Reading(meant, joined.vector, timings=reading.timings, searched=both)
        return reading

    def names(self, subject: SubjectId) -> Names:
        """Every name of the subject's concepts; its index is made anew only when the names have changed."""
        rows = self._memory.map.name_rows(subject)
        kept = self._names.get(subject)
        if kept is None or kept[0] != rows:
            kept = self._names[subject] = (rows, Names(rows))
        return kept[1]

    def recall(
        self,
        subject: SubjectId,
        text: str,
        reading: Reading,
        now: Moment,
        exclude: Collection[str] = (),
        limit: int = 20,
    ) -> Recalled:
        """The ranked episodes, before any budget."""
        recalled = self._memory.recall.for_message(
            subject, text, reading.understanding, reading.vector, now, exclude, limit
        )
        reading.recalled = recalled
        return recalled

    def read(
        self,
        subject: SubjectId,
        text: str,
        reading: Reading,
        now: Moment,
        *,
        exclude: Collection[str] = (),
        speed: Speed | None = None,
        count_tokens: CountTokens | None = None,
        only_episodes: bool = False,
    ) -> Reading:
        """Passages, recall and brief, within the time cap; a brief that comes too late takes no passages with it.

        ``only_episodes``: the brief holds ranked episodes and nothing of the map, the notes or the beliefs; passages
        are the same.
        """
        began = time.perf_counter()
        speed = speed or Speed()
        text = reading.searched or text

        done = Reading(reading.understanding, reading.vector)

        def work() -> None:
            done.passages = self._passages(subject, text, reading, speed, count_tokens)
            if only_episodes:
                done.understanding = replace(done.understanding, routes=())
            recalled = self.recall(subject, text, done, now, exclude)
            meaning = reading.understanding
            done.brief = self._brief(subject, meaning, recalled, now, speed.brief, count_tokens, only_episodes)

        waiting: Future[None] = self._worker.submit(work)
        try:
            waiting.result(self._slowest)
            reading.recalled, reading.brief = done.recalled, done.brief
        except TooSlow:
            waiting.cancel()
            reading.timings["brief_left_out"] = 1.0
        reading.passages = done.passages
        reading.timings["brief_ms"] = _ms(time.perf_counter() - began)
        return reading

    def search(self, subject: SubjectId, text: str, reading: Reading, limit: int = PASSAGES) -> list[Found]:
        """The passages nearest to a text."""
        return self._memory.passages.search(subject, text, reading.understanding.language, reading.vector, limit)

    def _embed(self, text: str) -> Vector | None:
        embedder = self._embedder()
        if embedder is None or not text.strip():
            return None
        try:
            return embedder.embed_query(text)
        except EmbedderDied:
            return None

    def _passages(
        self, subject: SubjectId, text: str, reading: Reading, speed: Speed, count_tokens: CountTokens | None
    ) -> tuple[Found, ...]:
        kind = reading.understanding.kind
        if kind in (MessageKind.RECORD, MessageKind.SMALLTALK, MessageKind.TEACH):
            return ()
        found = [*self._defining(reading), *self.search(subject, text, reading)]
        once = list({each.passage.id: each for each in reversed(found)}.values())[::-1]
        return tuple(within(speed.passages, once, count_tokens or estimate))

    def _defining(self, reading: Reading) -> list[Found]:
        """The passages that define the concepts a message names: whatever else is found, these are about it."""
        routes = [ConceptId(route.id) for route in reading.understanding.routes]
        quotes = [
            (place.version, place.quote)
            for concept in self._memory.map.many(routes)
            for place in concept.places
            if place.quote is not None
        ]
        passages = [
            self._memory.passages.holding(version, quote.page, quote.first_line)
            for version, quote in quotes[:DEFINITIONS]
        ]
        return [Found(passage, 1.0, None, None) for passage in passages if passage is not None]

    def _brief(
        self,
        subject: SubjectId,
        meaning: Understanding,
        recalled: Recalled,
        now: Moment,
        budget: int,
        count_tokens: CountTokens | None,
        only_episodes: bool,
    ) -> Brief:
        known = [] if only_episodes else self._memory.map.concepts(subject)
        concepts = {concept.id: concept for concept in known}
        named = [concepts[id] for route in meaning.routes if (id := ConceptId(route.id)) in concepts]
        return self._memory.briefs.build(
            subject,
            kind=meaning.kind.value,
            language=meaning.language,
            now=now,
            recalled=recalled,
            budget=budget,
            beliefs=[] if only_episodes else self._beliefs(subject, meaning, named),
            concepts=_slice(concepts, named, meaning.language),
            share=MapShare(len(concepts), self._memory.map.maturity(subject)) if concepts else None,
            notes=self._memory.ledger.many([note for concept in named for note in concept.notes]),
            count_tokens=count_tokens,
        )

    def _beliefs(self, subject: SubjectId, meaning: Understanding, named: list[Concept]) -> list[BeliefLine]:
        """Current beliefs: all of them for a record question, else those on and under the concepts named."""
        held = self._memory.beliefs.current(subject)
        first = {concept.id: place for place, concept in enumerate(named)}
        if meaning.kind is not MessageKind.RECORD or named:
            near = {id for concept in named for id in (concept.id, *concept.builds_on)}
            held = [belief for belief in held if belief.concept in near]
        return [
            BeliefLine(
                id=belief.id,
                name=belief.name,
                claim=belief.claim.value,
                confidence=belief.confidence,
                since=belief.valid_from,
                confirm=belief.confirm,
            )
            for belief in sorted(held, key=lambda belief: first.get(belief.concept, len(first)))
        ]


def _slice(concepts: dict[ConceptId, Concept], named: list[Concept], language: str) -> list[MapLine]:
    """The concepts named, what they build on, then the hubs of the map."""
    hubs = sorted(concepts.values(), key=lambda concept: (-concept.centrality, concept.key))
    needed = [concepts[id] for concept in named for id in concept.builds_on if id in concepts]
    chosen = dict.fromkeys(concept.id for concept in (*named, *needed, *([] if named else hubs)))
    return [
        MapLine(
            id=id,
            name=concepts[id].name_in(language),
            summary=concepts[id].summary,
            builds_on=tuple(concepts[other].name_in(language) for other in concepts[id].builds_on if other in concepts),
        )
        for id in list(chosen)[:CONCEPTS]
    ]


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)
