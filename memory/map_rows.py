"""Map rows: what the map's answers read of the concepts, their places and their links, in four statements."""

from __future__ import annotations

import json
from dataclasses import dataclass

from memory.composing import PlaceShown
from memory.episodes import ConceptId, SubjectId
from memory.store import Store
from memory.topology import Link


@dataclass(frozen=True, slots=True)
class MapConcept:
    """One concept: what the files say of it and where. ``assumed`` are names used in its pages and never explained."""

    id: ConceptId
    summary: str
    centrality: float
    hidden: bool
    places: tuple[PlaceShown, ...]
    assumed: tuple[str, ...]


class MapRows:
    """Reads the map of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def concepts(self, subject: SubjectId) -> list[MapConcept]:
        """Every concept in the order it was made, with the places that current files give it."""
        reader = self._store.reader()
        places: dict[str, list[PlaceShown]] = {}
        for concept, name, sha256, pages in reader.execute(
            "SELECT p.concept, f.name, v.sha256, p.pages FROM concept_places p"
            " JOIN versions v ON v.id = p.version JOIN files f ON f.id = v.file"
            " JOIN concepts c ON c.id = p.concept WHERE c.subject = ? AND v.current = 1 AND f.state <> 'removed'"
            " ORDER BY f.added_at, f.name",
            (subject,),
        ):
            places.setdefault(concept, []).append(PlaceShown(name, sha256, tuple(json.loads(pages))))
        assumed: dict[str, dict[str, None]] = {}
        for concept, name in reader.execute(
            "SELECT a.concept, a.name FROM assumed a JOIN versions v ON v.id = a.version"
            " JOIN concepts c ON c.id = a.concept WHERE c.subject = ? AND v.current = 1 ORDER BY a.name",
            (subject,),
        ):
            assumed.setdefault(concept, {})[name] = None
        return [
            MapConcept(
                ConceptId(id), summary, centrality, bool(hidden), tuple(places.get(id, ())), tuple(assumed.get(id, ()))
            )
            for id, summary, centrality, hidden in reader.execute(
                "SELECT id, summary, centrality, hidden FROM concepts WHERE subject = ? ORDER BY row", (subject,)
            )
        ]

    def links(self, subject: SubjectId) -> list[Link]:
        """What builds on what, by current files; the strongest weight of each pair."""
        found = self._store.reader().execute(
            "SELECT e.concept, e.needs, max(e.weight) FROM edges e JOIN concepts c ON c.id = e.concept"
            " JOIN versions v ON v.id = e.version WHERE c.subject = ? AND v.current = 1"
            " GROUP BY e.concept, e.needs ORDER BY e.concept, e.needs",
            (subject,),
        )
        return [Link(concept, needs, weight) for concept, needs, weight in found]
