"""Concepts as rows: the values of the subject map and the statements that read them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import apsw

from memory.episodes import ConceptId, EpisodeId, SubjectId
from memory.files import VersionId
from memory.readings import Quote
from memory.topology import Link

NAMED, EXPLAINED, CONFIRMED, TAUGHT = 0.35, 0.60, 0.85, 1.0
"""Maturity: about the material, never the student (article, "La carte conceptuelle"; set by hand there)."""


class ConceptOrigin(StrEnum):
    """What first named a concept."""

    FILE = "file"
    TAUGHT = "taught"
    CHECK = "check"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class ConceptName:
    """One name of a concept. ``alias``: not the one it is shown by in its language."""

    name: str
    language: str | None
    alias: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file that counts today explains a concept. ``file`` is its path, pages count from 1."""

    file: str
    name: str
    sha256: str
    pages: tuple[int, ...]
    quote: Quote | None
    version: VersionId


@dataclass(frozen=True, slots=True)
class Note:
    """A taught note and the concept it hangs on (None: about the student). Its words are in the ledger."""

    episode: EpisodeId
    concept: ConceptId | None
    live: bool


@dataclass(frozen=True, slots=True)
class Concept:
    """A node of the subject map. ``builds_on`` names its direct prerequisites, the weightiest first.

    ``maturity`` in {0.35, 0.60, 0.85, 1.0} speaks of the material; ``centrality`` sums to 1 over the map. ``assumed``
    are names that its files use and never explain. ``notes`` are the live taught notes, oldest first.
    """

    row: int
    id: ConceptId
    subject: SubjectId
    key: str
    name: str
    language: str | None
    summary: str
    origin: ConceptOrigin
    created_by: EpisodeId | None
    centrality: float
    maturity: float
    hidden: bool
    names: tuple[ConceptName, ...] = ()
    places: tuple[Place, ...] = ()
    builds_on: tuple[ConceptId, ...] = ()
    assumed: tuple[str, ...] = ()
    notes: tuple[EpisodeId, ...] = ()

    @property
    def definition(self) -> Quote | None:
        """The definition quoted from the first file that gives one."""
        return next((place.quote for place in self.places if place.quote), None)

    @property
    def explained(self) -> bool:
        """Whether a file that counts today explains it; false reads *no longer explained* for one that was."""
        return any(place.quote for place in self.places)

    @property
    def aliases(self) -> tuple[str, ...]:
        """Its other names, in all languages."""
        return tuple(name.name for name in self.names if name.name != self.name)

    def name_in(self, language: str | None) -> str:
        """Its name in that language where one is known, else the one it was first read by."""
        return next((each.name for each in self.names if each.language == language and not each.alias), self.name)


_LIVE = "JOIN versions v ON v.id = {0}.version AND v.current = 1"
_EDGES = (
    "SELECT d.concept, d.needs, max(d.weight) AS weight FROM edges d " + _LIVE.format("d") + " JOIN concepts c"
    " ON c.id = d.concept JOIN concepts n ON n.id = d.needs WHERE c.subject = ? AND c.hidden = 0 AND n.hidden = 0"
    " GROUP BY d.concept, d.needs ORDER BY weight DESC, d.concept, d.needs"
)


def read_concepts(connection: apsw.Connection, where: str, bound: tuple[str, ...]) -> list[Concept]:
    """Concepts with everything that hangs on them, in the order they came to the map. ``where`` is about ``c``."""
    heads: list[Any] = connection.execute(
        "SELECT c.row, c.id, c.subject, c.key, c.name, c.language, c.summary, c.origin, c.created_by, c.centrality,"
        f" c.maturity, c.hidden FROM concepts c WHERE {where} ORDER BY c.row",
        bound,
    ).fetchall()
    ids = json.dumps([head[1] for head in heads])
    names = _grouped(
        connection,
        "SELECT n.concept, n.name, n.language, n.alias FROM json_each(?) o CROSS JOIN concept_names n"
        " ON n.concept = o.value ORDER BY n.alias, n.key",
        ids,
    )
    places = _grouped(
        connection,
        "SELECT p.concept, f.path, f.name, v.sha256, p.pages, p.definition, p.page, p.first_line, p.last_line, v.id"
        " FROM json_each(?) o CROSS JOIN concept_places p ON p.concept = o.value "
        + _LIVE.format("p")
        + " JOIN files f ON f.id = v.file ORDER BY v.id",
        ids,
    )
    needs = _grouped(
        connection,
        "SELECT d.concept, d.needs FROM json_each(?) o CROSS JOIN edges d ON d.concept = o.value "
        + _LIVE.format("d")
        + " JOIN concepts n ON n.id = d.needs AND n.hidden = 0"
        " GROUP BY d.concept, d.needs ORDER BY max(d.weight) DESC, n.row",
        ids,
    )
    assumed = _grouped(
        connection,
        "SELECT a.concept, a.name FROM json_each(?) o CROSS JOIN assumed a ON a.concept = o.value "
        + _LIVE.format("a")
        + " WHERE NOT EXISTS (SELECT 1 FROM edges d JOIN concepts n ON n.id = d.needs AND n.hidden = 0"
        " JOIN concept_names x ON x.concept = n.id AND x.key = a.key WHERE d.concept = a.concept)"
        " GROUP BY a.concept, a.key ORDER BY a.name",
        ids,
    )
    notes = _grouped(
        connection,
        "SELECT t.concept, t.episode FROM json_each(?) o CROSS JOIN notes t ON t.concept = o.value AND t.live = 1"
        " JOIN episodes e ON e.id = t.episode ORDER BY e.row",
        ids,
    )
    return [
        Concept(
            row=row,
            id=ConceptId(id),
            subject=SubjectId(subject),
            key=key,
            name=name,
            language=language,
            summary=summary,
            origin=ConceptOrigin(origin),
            created_by=created_by,
            centrality=centrality,
            maturity=maturity,
            hidden=bool(hidden),
            names=tuple(ConceptName(one, tongue or None, bool(alias)) for one, tongue, alias in names.get(id, ())),
            places=tuple(_place(found) for found in places.get(id, ())),
            builds_on=tuple(ConceptId(need) for (need,) in needs.get(id, ())),
            assumed=tuple(one for (one,) in assumed.get(id, ())),
            notes=tuple(EpisodeId(episode) for (episode,) in notes.get(id, ())),
        )
        for row, id, subject, key, name, language, summary, origin, created_by, centrality, maturity, hidden in heads
    ]


def read_links(connection: apsw.Connection, subject: SubjectId) -> list[Link]:
    """What builds on what among the visible concepts, by the versions that count today; heaviest first."""
    rows: list[Any] = connection.execute(_EDGES, (subject,)).fetchall()
    return [Link(concept, needs, weight) for concept, needs, weight in rows]


def read_notes(connection: apsw.Connection, where: str, bound: tuple[str, ...]) -> list[Note]:
    """Taught notes, oldest first. ``where`` is about ``t``."""
    rows: list[Any] = connection.execute(
        "SELECT t.episode, t.concept, t.live FROM notes t JOIN episodes e ON e.id = t.episode"
        f" WHERE {where} ORDER BY e.row, t.concept",
        bound,
    ).fetchall()
    return [Note(EpisodeId(one), ConceptId(concept) if concept else None, bool(live)) for one, concept, live in rows]


def _grouped(connection: apsw.Connection, sql: str, ids: str) -> dict[str, list[tuple[Any, ...]]]:
    """Rows of a statement by their first column."""
    rows: Iterable[Any] = connection.execute(sql, (ids,))
    found: dict[str, list[tuple[Any, ...]]] = {}
    for id, *rest in rows:
        found.setdefault(id, []).append(tuple(rest))
    return found


def _place(row: tuple[Any, ...]) -> Place:
    path, name, sha256, pages, definition, page, first, last, version = row
    quote = Quote(definition, page, first, last) if definition else None
    return Place(path, name, sha256, tuple(json.loads(pages)), quote, VersionId(version))
