"""The map as it is shown, read from the memory on the reads lane: concepts with their standing. No Qt here."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from memory.concept_rows import Concept
from memory.episodes import ConceptId, SubjectId
from memory.mastery import Claim
from memory.memory import Memory
from memory.moments import Moment

AT_MOST = 150
"""Concepts shown at once, the most central ones; the rest is folded."""


@dataclass(frozen=True, slots=True)
class ShownConcept:
    """A concept and the student's standing on it (None: never checked)."""

    concept: Concept
    name: str
    claim: Claim | None
    confidence: float
    due: bool
    builds_on: tuple[ConceptId, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownMap:
    """The concepts in teaching order, their layers, how well the material explains them, and how many are folded."""

    concepts: tuple[ShownConcept, ...]
    layers: tuple[tuple[str, ...], ...]
    maturity: float
    folded: int


def around(shown: ShownMap, concept: str) -> ShownMap:
    """The part of a map that a concept rests on and that rests on it, however far; the rest is folded."""
    needs: dict[str, set[str]] = {one.concept.id: set(one.builds_on) for one in shown.concepts}
    serves: dict[str, set[str]] = {}
    for id, others in needs.items():
        for other in others:
            serves.setdefault(other, set()).add(id)
    kept = _reached(concept, needs) | _reached(concept, serves)
    concepts = tuple(one for one in shown.concepts if one.concept.id in kept)
    layers = tuple(part for layer in shown.layers if (part := tuple(id for id in layer if id in kept)))
    return replace(shown, concepts=concepts, layers=layers, folded=shown.folded + len(shown.concepts) - len(concepts))


def _reached(start: str, ways: Mapping[str, AbstractSet[str]]) -> set[str]:
    found, todo = {start}, [start]
    while todo:
        new = set(ways.get(todo.pop(), ())) - found
        found |= new
        todo += new
    return found


def read_map(memory: Memory, subject: SubjectId, language: str, now: Moment) -> ShownMap:
    """Read the map of a subject."""
    everything = memory.map.concepts(subject)
    kept = {concept.id for concept in sorted(everything, key=lambda one: -one.centrality)[:AT_MOST]}
    beliefs = {belief.concept: belief for belief in memory.beliefs.current(subject)}
    due = {one.concept for one in memory.review.due(subject, now)}
    order = memory.map.order(subject)
    layers = tuple(tuple(id for id in layer if id in kept) for layer in order.layers)
    by_id = {concept.id: concept for concept in everything}
    shown = []
    for layer in layers:
        for id in layer:
            concept = by_id[ConceptId(id)]
            belief = beliefs.get(concept.id)
            notes = [episode.content.text for episode in memory.ledger.many(concept.notes) if episode.content]
            shown.append(
                ShownConcept(
                    concept=concept,
                    name=concept.name_in(language),
                    claim=belief.claim if belief and belief.claim is not Claim.WITHDRAWN else None,
                    confidence=belief.confidence if belief else 0.0,
                    due=concept.id in due,
                    builds_on=tuple(other for other in concept.builds_on if other in kept),
                    notes=tuple(notes),
                )
            )
    return ShownMap(tuple(shown), layers, memory.map.maturity(subject), len(everything) - len(kept))
