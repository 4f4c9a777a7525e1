"""Merging: which concepts of a newly read file are ones the map already knows. Pure decisions, no database.

A name decides first: the same canonical key, then an alias. Similarity decides only where an embedder's own
calibrated rule was handed in. Two concepts that one file lists apart stay apart, and so do two whose definitions
contradict each other.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from memory.episodes import ConceptId
from memory.naming import NameFault, canonical_key, fault_of_name
from memory.readings import FoundConcept, FoundEdge, Reading
from memory.words import fold

Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]
_ENOUGH = 8  # concepts of a language, on each side, before its mean says something
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
    """One embedder's rule for saying that two texts "name: definition" are about one concept.

    ``within``: plain cosine from which two of one language are one. Across languages, each must be the other's
    nearest: cosine at least ``across`` and ahead of the runner-up by ``margin``, both measured after the mean of each
    language was taken away (a multilingual model puts every language in a corner of its own). ``pairs`` holds other
    (across, margin) for some pairs of languages, keyed by both codes in order, "ar-fr"; a key of one code, "ar", is
    for every pair with it.
    """

    within: float
    across: float
    margin: float
    pairs: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def between(self, one: str | None, two: str | None) -> tuple[float, float]:
        """The least cosine and the least margin for this pair of languages."""
        first, second = sorted((one or "", two or ""))
        for key in (f"{first}-{second}", first, second):
            if key in self.pairs:
                return self.pairs[key]
        return self.across, self.margin


@cache
def rule_for(model: str) -> SameConceptRule | None:
    """The calibrated rule of an embedding model; None for one without: then only names merge."""
    source = resources.files("resources").joinpath("merging.toml")
    raw: dict[str, Any] = tomllib.loads(source.read_text(encoding="utf-8")).get(model, {})
    if not raw:
        return None
    pairs = {key: (float(least), float(margin)) for key, (least, margin) in raw.get("pairs", {}).items()}
    return SameConceptRule(float(raw["within"]), float(raw["across"]), float(raw["margin"]), pairs)


def concept_text(found: FoundConcept) -> str:
    """The text of a found concept that similarity is about; the vector of a known one is of the same kind."""
    told = found.summary or (found.definition.text if found.definition else "")
    return f"{found.name}: {told}" if told else found.name


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
    rows = np.stack([vector for _, vector in left])
    columns = np.stack([vector for _, vector in right])
    tongues = [found[key].language for key, _ in left]
    others = [one.language for one, _ in right]
    plain = _unit(rows) @ _unit(columns).T
    apart = _unit(_centred(rows, tongues)) @ _unit(_centred(columns, others)).T
    gone = {id for id, _ in taken.values()}
    pairs: list[tuple[float, str, ConceptId]] = []
    for row, (key, _) in enumerate(left):
        for column, (one, _) in enumerate(right):
            if key in taken or one.id in gone:
                continue
            definition = found[key].definition
            if definition and definitions_conflict(definition.text, one.definition):
                continue
            if tongues[row] in one.names or tongues[row] == one.language:
                joins = float(plain[row, column]) >= similarity.rule.within
            else:
                joins = _across(apart, row, column, tongues, others, similarity.rule)
            if joins:
                pairs.append((float(plain[row, column]), key, one.id))
    joined: dict[str, tuple[ConceptId, How]] = {}
    for _, key, id in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if key not in joined and all(id != other for other, _ in joined.values()):
            joined[key] = (id, How.SIMILAR)
    return joined


def _across(
    scores: Matrix,
    row: int,
    column: int,
    tongues: Sequence[str | None],
    others: Sequence[str | None],
    rule: SameConceptRule,
) -> bool:
    """Whether a pair across languages is mutually nearest by the rule's margin; too few texts tell nothing."""
    rivals = [place for place, tongue in enumerate(tongues) if tongue == tongues[row]]
    peers = [place for place, tongue in enumerate(others) if tongue == others[column]]
    if min(len(rivals), len(peers)) < _ENOUGH:
        return False
    score = float(scores[row, column])
    least, margin = rule.between(tongues[row], others[column])
    ahead = score - _best_but(scores[row, peers], peers.index(column))
    behind = score - _best_but(scores[rivals, column], rivals.index(row))
    return score >= least and min(ahead, behind) >= margin


def _best_but(scores: Vector, position: int) -> float:
    return float(np.delete(scores, position).max())


def _centred(rows: Matrix, tongues: Sequence[str | None]) -> Matrix:
    """Rows less the mean of the rows of their own language."""
    centred = rows.copy()
    for tongue in set(tongues):
        own = [place for place, each in enumerate(tongues) if each == tongue]
        centred[own] -= rows[own].mean(axis=0)
    return centred


def _unit(rows: Matrix) -> Matrix:
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return np.asarray(rows / lengths, dtype=np.float32)
