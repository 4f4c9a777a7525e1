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

from memory.agreement import (
    Facts,
    facts_of,
    months_agree,
    negation_agrees,
    numbers_agree,
    opposites_agree,
    subjects_agree,
)
from memory.claims import Claim, spans
from memory.episodes import EpisodeId
from memory.guard import claims_shared_past
from memory.store import Store
from memory.words import identify, stem, tokens

Similarity = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Pairs of a claim and a sentence to their calibrated likeness in [0, 1]."""

SUPPORTED = 0.55
"""Share of a claim's weighed words that a sentence must hold (measured, as below: tests/benchmark/grounding.py)."""
SUPPORTED_WITH_NAME = 0.4
"""The same, where the sentence names every concept that the claim names."""
NEIGHBOUR, ELSEWHERE, NOWHERE = 1.5, 2.0, 0.7
"""What a word missing from the sentence weighs: said by its neighbours, said elsewhere in the sources (a near miss puts
such words together), or said nowhere (a paraphrase)."""
SIMILAR = 0.8
"""Calibrated likeness from which meaning alone supports a claim."""
PAIRS_SAME, PAIRS_OTHER = 3, 8
"""Sentences compared by meaning for one claim, of its own language and of others."""
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
    """A passage or an episode that reached the prompt; ``id`` names it in the store, ``day`` is an episode's own.

    ``said``: words that student or tutor said, true or not; they support only a claim about the shared past.
    """

    kind: str
    id: str
    text: str
    language: str | None
    label: str
    day: date | None = None
    said: bool = False


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
    """One sentence of a source, its neighbours, and the stems that recur in the source: what it is about throughout."""

    source: Source
    text: str
    facts: Facts
    around: tuple[Facts, ...]
    language: str
    recurring: frozenset[str]


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
    every = [place for source in sources for place in _places(source, language)]
    concepts = _Concepts(names or {})
    weights = _weights([place for place in every if place.language == language])
    found: list[tuple[_Place | None, float]] = []
    for claim in claims:
        past = claims_shared_past(claim.text, language)
        places = [place for place in every if past or not place.source.said]
        own = [place for place in places if place.language == language]
        others = [place for place in places if place.language != language][:PAIRS_OTHER]
        facts = facts_of(claim.text, language)
        named = concepts.of(claim.text, language)
        ranked = _ranked(facts, own, weights)
        place, score = _best(facts, ranked, named, concepts)
        if place is None and similarity is not None:
            candidates = [candidate for _, candidate in ranked[:PAIRS_SAME]] + others
            if candidates:
                meant = _by_meaning(claim, facts, candidates, named, concepts, similarity, language)
                place, score = meant if meant[0] else (None, score)
        found.append((place, score))
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
    counts = Counter(stem for fact in facts for stem in fact.stems)
    recurring = frozenset(stem for stem, count in counts.items() if count > 1)
    return [
        _Place(source, part, fact, tuple(facts[max(0, at - 1) : at] + facts[at + 1 : at + 2]), language, recurring)
        for at, (part, fact) in enumerate(zip(parts, facts, strict=True))
        if fact.order
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


def _ranked(claim: Facts, places: Sequence[_Place], weights: Mapping[str, float]) -> list[tuple[float, _Place]]:
    """Sentences that share a word with the claim, the best first, with their scores."""
    known = frozenset().union(*(place.facts.stems for place in places)) if places else frozenset()
    scored = []
    for place in places:
        shared = claim.stems & place.facts.stems
        if not shared:
            continue
        near = frozenset().union(*(facts.stems for facts in place.around)) if place.around else frozenset()
        held = sum(weights[word] for word in shared)
        missing = sum(
            weights[word] * (NEIGHBOUR if word in near else ELSEWHERE if word in known else NOWHERE)
            for word in claim.stems - shared
        )
        scored.append((held / (held + missing), place))
    scored.sort(key=lambda each: -each[0])
    return scored


def _best(
    claim: Facts, ranked: Sequence[tuple[float, _Place]], named: frozenset[str], concepts: _Concepts
) -> tuple[_Place | None, float]:
    """The best sentence that supports a claim, with its score; the best score alone where none does."""
    if len(claim.stems) < _FEWEST_STEMS:
        return None, 0.0
    for score, place in ranked:
        if score < SUPPORTED_WITH_NAME:
            break
        there = concepts.of(place.text, place.language) if named else frozenset()
        whole = bool(named) and named <= there
        if score < SUPPORTED and not whole:
            continue
        begins = claim.order[0] in place.facts.stems or whole or place.source.kind == "episode"
        if begins and _agrees(claim, place, named, there, concepts):
            return place, score
    return None, ranked[0][0] if ranked else 0.0


def _agrees(claim: Facts, place: _Place, named: frozenset[str], there: frozenset[str], concepts: _Concepts) -> bool:
    month = place.source.day.month if place.source.day else None
    near = (place.facts, *place.around)
    return (
        numbers_agree(claim, place.facts)
        and subjects_agree(claim, place.facts)
        and months_agree(claim, *near, month=month)
        and negation_agrees(claim, place.facts)
        and opposites_agree(claim, place.facts, place.language)
        and claim.names <= place.facts.stems | place.recurring
        and _names_agree(named, there, place, concepts)
    )


def _names_agree(named: frozenset[str], there: frozenset[str], place: _Place, concepts: _Concepts) -> bool:
    """Every concept the claim names is named by the sentence, or by the source when the sentence names no other."""
    missing = named - there
    if not missing:
        return True
    if there - named and not named & there:
        return False
    return missing <= concepts.of(place.source.text, place.language)


def _by_meaning(
    claim: Claim,
    facts: Facts,
    candidates: Sequence[_Place],
    named: frozenset[str],
    concepts: _Concepts,
    similarity: Similarity,
    language: str,
) -> tuple[_Place | None, float]:
    """The sentence closest in meaning; what must agree must agree all the same, in another language too."""
    likeness = similarity([(claim.text, place.text) for place in candidates])
    for score, place in sorted(zip(likeness, candidates, strict=True), key=lambda each: -each[0]):
        if score < SIMILAR:
            break
        there = concepts.of(place.text, place.language)
        if place.language == language:
            agreed = _agrees(facts, place, named, there, concepts)
        else:
            month = place.source.day.month if place.source.day else None
            agreed = (
                numbers_agree(facts, place.facts)
                and months_agree(facts, place.facts, month=month)
                and len(facts.negations) == len(place.facts.negations)
                and _names_agree(named, there, place, concepts)
            )
        if agreed:
            return place, float(score)
    return None, 0.0


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

        ``brief`` is kept as JSON and holds no words of anybody. Raises the store's faults; writing twice is refused.
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
