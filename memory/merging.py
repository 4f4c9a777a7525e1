"""Merging: which concepts of a newly read file are ones the map already knows. Pure decisions, no database.

A name decides first: the same canonical key, then an alias. Similarity decides only where an embedder's own
calibrated rule was handed in. Two concepts that one file lists apart stay apart, and so do two whose definitions
contradict each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from memory.episodes import ConceptId
from memory.naming import NameFault, canonical_key, fault_of_name
from memory.readings import FoundConcept, FoundEdge, Reading
from memory.words import fold

Vector = npt.NDArray[np.float32]
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|ne|non|pas|jamais|sans|nunca|sin|nicht|kein\w*|nie|ohne|mai|senza|nao|sem|لا|ليس\w*|لم|لن|غير|بدون)\b"
)


class How(StrEnum):
    """What made a found concept the one it was merged into."""

    NEW = "new"
    KEY = "key"
    ALIAS = "alias"
    SIMILAR = "similar"


@dataclass(frozen=True, slots=True)
class SameConceptRule:
    """One embedder's rule for saying that two texts "name: definition" are about one concept. Raw cosines.

    ``within``: two of one language, at least this alike. Across languages: each the other's nearest, ahead of the
    runner-up by ``margin`` (or the pair's own value in ``margins``, keyed by both codes in order, "ar-fr") and at
    least ``across`` alike.
    """

    within: float
    across: float
    margin: float
    margins: Mapping[str, float] = field(default_factory=dict)

    def margin_between(self, one: str | None, two: str | None) -> float:
        """The margin that this pair of languages needs."""
        return self.margins.get("-".join(sorted((one or "", two or ""))), self.margin)


@dataclass(frozen=True, slots=True)
class Similarity:
    """A rule with the vectors it speaks of: one a concept of the reading, in its order, and one a known concept."""

    rule: SameConceptRule
    found: Sequence[Vector | None]
    known: Mapping[ConceptId, Vector]


@dataclass(frozen=True, slots=True)
class Known:
    """A concept the map already has. Keys by language; ``definition`` is "" where no file defines it."""

    id: ConceptId
    language: str | None
    names: Mapping[str, str]  # main name's key by language ("" where unknown)
    aliases: frozenset[str] = frozenset()
    definition: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A found concept, its key, and the known concept it is (None: a new one)."""

    found: FoundConcept
    key: str
    into: ConceptId | None
    how: How


@dataclass(frozen=True, slots=True)
class Refused:
    """A name that cannot be a concept's, and why."""

    name: str
    fault: NameFault


@dataclass(frozen=True, slots=True)
class Plan:
    """What a merge will do."""

    decisions: tuple[Decision, ...]
    refused: tuple[Refused, ...]


def plan(known: Sequence[Known], reading: Reading, similarity: Similarity | None = None) -> Plan:
    """Decide for each concept of a reading whether it is new or known; at most one of them goes to each known one."""
    found, refused, sources = _distinct(reading)
    taken: dict[str, tuple[ConceptId, How]] = {}
    mains, others = _by_key(known, lambda one: one.names.values()), _by_key(known, lambda one: one.aliases)

    def claim(key: str, among: Sequence[Known], language: str, how: How) -> None:
        free = [one for one in among if all(one.id != id for id, _ in taken.values())]
        native = [one for one in free if language in one.names or one.language == language]
        if key not in taken and (len(native) == 1 or (not native and len(free) == 1)):
            taken[key] = ((native or free)[0].id, how)

    for key, one in found.items():
        claim(key, mains.get(key, ()), one.language, How.KEY)
    for key, one in found.items():
        claim(key, others.get(key, ()), one.language, How.ALIAS)
    for key, one in found.items():
        for alias in one.aliases:
            claim(key, mains.get(canonical_key(alias, one.language), ()), one.language, How.ALIAS)
    if similarity is not None:
        vectors = {key: similarity.found[position] for key, position in sources.items()}
        taken |= _alike(known, found, taken, vectors, similarity)
    decisions = tuple(Decision(one, key, *taken.get(key, (None, How.NEW))) for key, one in found.items())
    return Plan(decisions, tuple(refused))


def definitions_conflict(one: str, two: str) -> bool:
    """Whether two definitions contradict each other: other numbers in both, or a negation in only one of them."""
    first, second = fold(one), fold(two)
    if not first.strip() or not second.strip():
        return False
    numbers, others = set(_NUMBER.findall(first)), set(_NUMBER.findall(second))
    if numbers and others and numbers != others:
        return True
    return bool(_NEGATION.search(first)) != bool(_NEGATION.search(second))


def _distinct(reading: Reading) -> tuple[dict[str, FoundConcept], list[Refused], dict[str, int]]:
    """The valid concepts of a reading by key: spellings of one name folded together, and their first positions.

    An alias that is another concept's own name in the same file is none: the file lists them apart.
    """
    found: dict[str, FoundConcept] = {}
    refused: list[Refused] = []
    sources: dict[str, int] = {}
    for position, one in enumerate(reading.concepts):
        fault = fault_of_name(one.name, one.language)
        key = canonical_key(one.name, one.language)
        if fault is not None or not key:
            refused.append(Refused(one.name, fault or NameFault.EMPTY))
            continue
        found[key] = _joined(found[key], one) if key in found else one
        sources.setdefault(key, position)
    owners: dict[str, set[str]] = {}
    for key, one in found.items():
        for alias in one.aliases:
            owners.setdefault(canonical_key(alias, one.language), set()).add(key)
    for key, one in found.items():
        kept: dict[str, str] = {}
        for alias in one.aliases:
            other = canonical_key(alias, one.language)
            apart = other in found or len(owners[other]) > 1
            if other and not apart and fault_of_name(alias, one.language) is None:
                kept.setdefault(other, alias)
        found[key] = replace(one, aliases=tuple(kept.values()))
    return found, refused, sources


def _joined(one: FoundConcept, two: FoundConcept) -> FoundConcept:
    edges: dict[str, FoundEdge] = {}
    for edge in (*one.builds_on, *two.builds_on):
        if edge.name not in edges or edge.weight > edges[edge.name].weight:
            edges[edge.name] = edge
    return replace(
        one,
        definition=one.definition or two.definition,
        summary=one.summary or two.summary,
        pages=tuple(sorted({*one.pages, *two.pages})),
        aliases=tuple(dict.fromkeys((*one.aliases, *two.aliases))),
        builds_on=tuple(edges.values()),
        assumed=tuple(dict.fromkeys((*one.assumed, *two.assumed))),
        score=max(one.score, two.score),
    )


def _by_key(known: Iterable[Known], keys: Callable[[Known], Iterable[str]]) -> dict[str, list[Known]]:
    found: dict[str, list[Known]] = {}
    for one in known:
        for key in dict.fromkeys(keys(one)):
            found.setdefault(key, []).append(one)
    return found


def _alike(
    known: Sequence[Known],
    found: Mapping[str, FoundConcept],
    taken: Mapping[str, tuple[ConceptId, How]],
    vectors: Mapping[str, Vector | None],
    similarity: Similarity,
) -> dict[str, tuple[ConceptId, How]]:
    """Pairs that the embedder's rule joins, among what no name has joined; the closest pair first.

    Nearness is ranked against every concept of the other side, joined ones too: being second to one that a name
    has already claimed is no mutual nearness.
    """
    left = [(key, vector) for key in found if (vector := vectors.get(key)) is not None]
    right = [(one, similarity.known[one.id]) for one in known if one.id in similarity.known]
    if not left or not right:
        return {}
    scores = np.stack([_unit(v) for _, v in left]) @ np.stack([_unit(v) for _, v in right]).T
    gone = {id for id, _ in taken.values()}
    pairs: list[tuple[float, str, ConceptId]] = []
    for row, (key, _) in enumerate(left):
        for column, (one, _) in enumerate(right):
            if key in taken or one.id in gone:
                continue
            definition = found[key].definition
            if definition and definitions_conflict(definition.text, one.definition):
                continue
            if _joins(scores, row, column, found[key].language, one, similarity.rule, right):
                pairs.append((float(scores[row, column]), key, one.id))
    joined: dict[str, tuple[ConceptId, How]] = {}
    for _, key, id in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if key not in joined and all(id != other for other, _ in joined.values()):
            joined[key] = (id, How.SIMILAR)
    return joined


def _joins(
    scores: npt.NDArray[np.float32],
    row: int,
    column: int,
    language: str,
    one: Known,
    rule: SameConceptRule,
    right: Sequence[tuple[Known, Vector]],
) -> bool:
    score = float(scores[row, column])
    if language in one.names or one.language == language:
        return score >= rule.within
    peers = [place for place, (other, _) in enumerate(right) if other.language == one.language]
    margin = rule.margin_between(language, one.language)
    ahead = score - _best_but(scores[row, peers], peers.index(column))
    behind = score - _best_but(scores[:, column], row)
    return score >= rule.across and ahead >= margin and behind >= margin


def _best_but(scores: npt.NDArray[np.float32], position: int) -> float:
    others = np.delete(scores, position)
    return float(others.max()) if len(others) else -1.0


def _unit(vector: Vector) -> Vector:
    return vector / max(float(np.linalg.norm(vector)), 1e-9)
