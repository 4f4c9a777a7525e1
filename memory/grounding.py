"""Grounding: each claim of an answer tied to the passage or the episode that says so. No model is asked.

A claim is compared with every sentence (and every two neighbouring sentences) of the turn's sources: by the share of
its words found there, each weighed by how rare it is among the sources, and where an embedder is at hand by meaning.
Then numbers, months, names, negation and opposites must agree (:mod:`memory.agreement`). The best source above the
threshold is the claim's citation; the share of linked claims is the answer's status.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.agreement import (
    Facts,
    facts_of,
    months_agree,
    negation_agrees,
    numbers_agree,
    opposites_agree,
)
from memory.claims import Claim, spans
from memory.episodes import EpisodeId
from memory.store import Store
from memory.words import identify, stem, tokens

Similarity = Callable[[Sequence[str], Sequence[str]], NDArray[np.float32]]
"""Claims and sentences to a matrix of calibrated likeness in [0, 1], one row a claim."""

SUPPORTED = 0.62
"""Share of a claim's weighed words that a source must hold (measured: tests/benchmark/grounding.py)."""
SUPPORTED_WITH_NAME = 0.5
"""The same, where the source's sentence names the concept that the claim is about."""
SIMILAR = 0.8
"""Calibrated likeness from which meaning alone supports a claim."""
ANSWERED_SHARE = 0.6
PARTLY_SHARE = 0.25
_FEWEST_STEMS = 2


class Status(StrEnum):
    """Whether the sources answered."""

    ANSWERED = "answered"
    PARTLY = "partly"
    NOT_POSSIBLE = "not_possible"


@dataclass(frozen=True, slots=True)
class Source:
    """A passage or an episode that reached the prompt; ``id`` names it in the store, ``day`` is an episode's own."""

    kind: str
    id: str
    text: str
    language: str | None
    label: str
    day: date | None = None


@dataclass(frozen=True, slots=True)
class CitationLink:
    """A claim and what supports it. ``kind``: passage, episode or none; ``quote``: the sentence that does."""

    claim: int
    first: int
    last: int
    kind: str
    source: str | None
    label: str
    score: float
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Grounding:
    """Every claim's link, in order, and the status of the whole answer."""

    citations: tuple[CitationLink, ...]
    status: str

    @property
    def share(self) -> float:
        """The share of claims that are linked; 0 without claims."""
        linked = sum(link.kind != "none" for link in self.citations)
        return linked / len(self.citations) if self.citations else 0.0


@dataclass(frozen=True, slots=True)
class _Place:
    """One sentence of a source, and its neighbours."""

    source: Source
    text: str
    facts: Facts
    around: tuple[Facts, ...]
    language: str


def ground(
    claims: Sequence[Claim],
    sources: Sequence[Source],
    *,
    language: str = "en",
    names: Mapping[str, Sequence[str]] | None = None,
    similarity: Similarity | None = None,
    disclaimed: bool = False,
) -> Grounding:
    """Tie claims to sources. ``names``: every name of every concept of the subject, by concept.

    ``disclaimed`` says that the answer itself admits that the files do not tell: without a linked claim it is
    *not possible*. An answer without claims and without such an admission has nothing to be tied: *answered*.
    """
    places = [place for source in sources for place in _places(source, language)]
    weights = _weights(places)
    concepts = _Concepts(names or {})
    found: list[tuple[_Place | None, float]] = []
    facts = [facts_of(claim.text, language) for claim in claims]
    for claim, fact in zip(claims, facts, strict=True):
        found.append(_best(claim.text, fact, places, weights, concepts, language))
    if similarity is not None and places:
        left = [index for index, (place, _) in enumerate(found) if place is None]
        if left:
            _by_meaning(left, claims, facts, places, similarity, concepts, language, found)
    citations = tuple(
        CitationLink(
            index,
            claim.first,
            claim.last,
            place.source.kind if place else "none",
            place.source.id if place else None,
            place.source.label if place else "",
            round(score, 3),
            place.text if place else "",
        )
        for index, (claim, (place, score)) in enumerate(zip(claims, found, strict=True))
    )
    return Grounding(citations, _status(citations, disclaimed).value)


def _status(citations: Sequence[CitationLink], disclaimed: bool) -> Status:
    if not citations:
        return Status.NOT_POSSIBLE if disclaimed else Status.ANSWERED
    share = sum(link.kind != "none" for link in citations) / len(citations)
    if share == 0.0 and disclaimed:
        return Status.NOT_POSSIBLE
    if share >= ANSWERED_SHARE and not disclaimed:
        return Status.ANSWERED
    return Status.PARTLY if share >= PARTLY_SHARE else Status.NOT_POSSIBLE


def _places(source: Source, fallback: str) -> list[_Place]:
    """The sentences of a source, with the facts of the one before and the one after."""
    language = source.language or identify(source.text, fallback)
    text = " ".join(source.text.split())
    parts = [text[first:last] for first, last in spans(text)]
    facts = [facts_of(part, language) for part in parts]
    return [
        _Place(
            source, part, facts[index], tuple(facts[max(0, index - 1) : index] + facts[index + 1 : index + 2]), language
        )
        for index, part in enumerate(parts)
        if facts[index].order
    ]


def _weights(places: Sequence[_Place]) -> Mapping[str, float]:
    """Inverse document frequency of stems over the sentences of the turn's sources; unknown stems weigh the most."""
    counts: Counter[str] = Counter()
    for place in places:
        counts.update(place.facts.stems)
    total = len(places) + 1
    return _Weights({word: log(1 + total / (1 + count)) for word, count in counts.items()}, log(1 + total))


class _Weights(dict[str, float]):
    def __init__(self, known: Mapping[str, float], unknown: float) -> None:
        super().__init__(known)
        self._unknown = unknown

    def __missing__(self, key: str) -> float:
        return self._unknown


class _Concepts:
    """Which concepts a text names, by stems."""

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        self._names = names
        self._keys: dict[str, list[tuple[str, tuple[str, ...]]]] = {}

    def of(self, text: str, language: str) -> frozenset[str]:
        """Concepts named in a text in that language; a name inside a longer one does not count."""
        if not self._names:
            return frozenset()
        if language not in self._keys:
            self._keys[language] = [
                (concept, tuple(stem(word, language) for word in tokens(name, language)))
                for concept, many in self._names.items()
                for name in many
            ]
        words = [stem(word, language) for word in tokens(text, language)]
        joined = f" {' '.join(words)} "
        hits = [(concept, key) for concept, key in self._keys[language] if key and f" {' '.join(key)} " in joined]
        longest = [
            (concept, key)
            for concept, key in hits
            if joined.count(f" {' '.join(key)} ")
            > max((_inside(key, other) for _, other in hits if len(other) > len(key)), default=0)
        ]
        return frozenset(concept for concept, _ in longest)


def _inside(key: tuple[str, ...], other: tuple[str, ...]) -> int:
    return f" {' '.join(other)} ".count(f" {' '.join(key)} ")


def _best(
    text: str,
    claim: Facts,
    places: Sequence[_Place],
    weights: Mapping[str, float],
    concepts: _Concepts,
    language: str,
) -> tuple[_Place | None, float]:
    total = sum(weights[word] for word in claim.stems)
    if len(claim.stems) < _FEWEST_STEMS or not total:
        return None, 0.0
    named = concepts.of(text, language)
    scored: list[tuple[float, float, _Place]] = []
    for place in places:
        alone = sum(weights[word] for word in claim.stems & place.facts.stems) / total
        near = frozenset().union(*(facts.stems for facts in place.around)) if place.around else frozenset()
        wide = sum(weights[word] for word in claim.stems & (place.facts.stems | near)) / total
        scored.append((max(alone, 0.92 * wide if alone >= 0.5 * wide else alone), alone, place))
    scored.sort(key=lambda each: (-each[0], -each[1]))
    for score, _, place in scored:
        if score < SUPPORTED_WITH_NAME:
            break
        there = concepts.of(place.text, place.language) if named else frozenset()
        if score < SUPPORTED and not (named and named <= there):
            continue
        if _agrees(claim, place, named, there, concepts):
            return place, score
    return None, scored[0][0] if scored else 0.0


def _agrees(claim: Facts, place: _Place, named: frozenset[str], there: frozenset[str], concepts: _Concepts) -> bool:
    month = place.source.day.month if place.source.day else None
    near = (place.facts, *place.around)
    return (
        numbers_agree(claim, *near)
        and months_agree(claim, *near, month=month)
        and negation_agrees(claim, place.facts)
        and opposites_agree(claim, place.facts, place.language)
        and claim.names <= frozenset().union(*(facts.stems for facts in near))
        and _names_agree(named, there, place, concepts)
    )


def _names_agree(named: frozenset[str], there: frozenset[str], place: _Place, concepts: _Concepts) -> bool:
    """Every concept the claim names is named by the source; where its sentence names others, by that sentence."""
    missing = named - there
    if not missing:
        return True
    if there - named:
        return False
    return missing <= concepts.of(place.source.text, place.language)


def _by_meaning(
    left: Sequence[int],
    claims: Sequence[Claim],
    facts: Sequence[Facts],
    places: Sequence[_Place],
    similarity: Similarity,
    concepts: _Concepts,
    language: str,
    found: list[tuple[_Place | None, float]],
) -> None:
    """Claims that words did not tie, by likeness of meaning; what must agree must agree all the same."""
    likeness = similarity([claims[index].text for index in left], [place.text for place in places])
    for row, index in enumerate(left):
        named = concepts.of(claims[index].text, language)
        for column in np.argsort(-likeness[row])[:5]:
            score, place = float(likeness[row][column]), places[int(column)]
            if score < SIMILAR:
                break
            there = concepts.of(place.text, place.language)
            same = place.language == language
            near = (place.facts, *place.around)
            month = place.source.day.month if place.source.day else None
            if (
                _agrees(facts[index], place, named, there, concepts)
                if same
                else numbers_agree(facts[index], *near)
                and months_agree(facts[index], *near, month=month)
                and (facts[index].negations > 0) == (place.facts.negations > 0)
                and _names_agree(named, there, place, concepts)
            ):
                found[index] = (place, score)
                break


class AnswerRecords:
    """What an answer read, and what its claims rest on: written once with the answer, never changed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def write(
        self,
        answer: EpisodeId,
        *,
        status: str,
        reads: Sequence[tuple[str, str, int, float]] = (),
        brief: Any = None,
        timings: Mapping[str, float] | None = None,
        grounding: Grounding | None = None,
    ) -> None:
        """Write an answer's reads (kind, source, rank, score), citations and status in one transaction.

        ``brief`` is kept as JSON and holds ids and labels only. Raises the store's faults; writing twice is refused.
        """
        with self._store.atomic() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO answer_reads VALUES (?, ?, ?, ?, ?)",
                [(answer, kind, source, rank, score) for kind, source, rank, score in reads],
            )
            connection.executemany(
                "INSERT INTO answer_citations VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (answer, link.claim, link.first, link.last, link.kind, link.source, link.score)
                    for link in (grounding.citations if grounding else ())
                ],
            )
            connection.execute(
                "INSERT INTO answer_status VALUES (?, ?, ?, ?)",
                (answer, status, json.dumps(brief, ensure_ascii=False), json.dumps(dict(timings or {}))),
            )

    def reads(self, answer: EpisodeId) -> list[tuple[str, str, int, float]]:
        """What reached the prompt of an answer: kind, source, rank and score, in order."""
        found = self._store.reader().execute(
            "SELECT kind, source, rank, score FROM answer_reads WHERE answer = ? ORDER BY kind, rank", (answer,)
        )
        return [(kind, source, rank, score) for kind, source, rank, score in found]

    def citations(self, answer: EpisodeId) -> list[CitationLink]:
        """The claims of an answer and what they rest on, in order."""
        found = self._store.reader().execute(
            "SELECT claim, first, last, kind, source, score FROM answer_citations WHERE answer = ? ORDER BY claim",
            (answer,),
        )
        return [
            CitationLink(claim, first, last, kind, source, "", score)
            for claim, first, last, kind, source, score in found
        ]

    def status(self, answer: EpisodeId) -> tuple[str, Any, dict[str, float]] | None:
        """Status, brief and timings of an answer, or None where none were kept."""
        row: Any = (
            self._store.reader()
            .execute("SELECT status, brief, timings FROM answer_status WHERE answer = ?", (answer,))
            .fetchone()
        )
        return (str(row[0]), json.loads(row[1]), json.loads(row[2])) if row else None
