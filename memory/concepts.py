"""The subject map: what a subject is made of, and what builds on what.

Files, notes and checks put concepts on it; nothing takes one off. A concept whose support was withdrawn stays, shown
as no longer explained, while episodes or beliefs touch it, and is hidden otherwise. Everything derived from the map
(centrality, maturity, which episodes touch what) is recomputed by :meth:`SubjectMap.refresh`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import apsw

from memory import map_writing, topology, touches
from memory.concept_rows import (
    Concept,
    ConceptOrigin,
    Note,
    read_concepts,
    read_links,
    read_notes,
)
from memory.episodes import ConceptId, EpisodeId, SubjectId
from memory.files import VersionId, make_current, withdraw
from memory.merging import Decision, How, Plan, Refused, Similarity, plan
from memory.readings import Reading
from memory.routing import NameRow
from memory.store import Store

Ids = Callable[[], str]


class UnknownConcept(LookupError):
    """No concept of that id."""

    def __init__(self, concept: str) -> None:
        super().__init__(concept)
        self.concept = concept


@dataclass(frozen=True, slots=True)
class Merged:
    """What one file's reading changed: concepts added, known ones it joined and by what, names it could not use.

    ``assumed`` are new nodes that no file explains and at least two concepts assume. ``broken`` are the edges that
    give way to others in the teaching order.
    """

    added: tuple[ConceptId, ...] = ()
    joined: tuple[tuple[ConceptId, How], ...] = ()
    assumed: tuple[ConceptId, ...] = ()
    refused: tuple[Refused, ...] = ()
    broken: tuple[topology.Link, ...] = field(default=())


class SubjectMap:
    """The maps of all subjects."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def concepts(self, subject: SubjectId, *, hidden: bool = False) -> list[Concept]:
        """The concepts of a subject in the order they came; with ``hidden``, those that nothing supports too."""
        where = "c.subject = ?" if hidden else "c.subject = ? AND c.hidden = 0"
        return read_concepts(self._store.reader(), where, (subject,))

    def get(self, concept: ConceptId) -> Concept:
        """The concept of that id. Raises UnknownConcept."""
        for found in read_concepts(self._store.reader(), "c.id = ?", (concept,)):
            return found
        raise UnknownConcept(concept)

    def many(self, concepts: Sequence[ConceptId]) -> list[Concept]:
        """Concepts by id, in the order asked for; unknown ids are left out."""
        marks = ", ".join("?" * len(concepts))
        found = {c.id: c for c in read_concepts(self._store.reader(), f"c.id IN ({marks})", tuple(concepts))}
        return [found[id] for id in concepts if id in found]

    def key_of(self, concept: ConceptId) -> str | None:
        """The key that episodes chain for a concept."""
        row: Any = self._store.reader().execute("SELECT key FROM concepts WHERE id = ?", (concept,)).fetchone()
        return str(row[0]) if row else None

    def find(self, subject: SubjectId, name: str, language: str | None) -> Concept | None:
        """The concept called that, by its name or by an alias, visible or not."""
        found = map_writing.by_name(self._store.reader(), subject, map_writing.key_for(name, language), language)
        return self.get(found) if found else None

    def with_key(self, subject: SubjectId, key: str) -> ConceptId | None:
        """The concept that has, or once had, that key."""
        row: Any = (
            self._store.reader()
            .execute("SELECT id FROM concepts WHERE subject = ? AND key = ?", (subject, key))
            .fetchone()
        )
        return ConceptId(row[0]) if row else map_writing.by_name(self._store.reader(), subject, key, None)

    def name_rows(self, subject: SubjectId) -> list[NameRow]:
        """All names of the visible concepts, for :class:`memory.routing.Names`; names before aliases."""
        rows: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT n.concept, n.name, n.alias FROM concept_names n JOIN concepts c ON c.id = n.concept"
                " WHERE n.subject = ? AND c.hidden = 0 ORDER BY n.alias, c.row, n.key",
                (subject,),
            )
            .fetchall()
        )
        return [NameRow(concept, name, bool(alias)) for concept, name, alias in rows]

    def merge(
        self,
        subject: SubjectId,
        version: VersionId,
        reading: Reading,
        *,
        ids: Ids,
        now: int,
        similarity: Similarity | None = None,
    ) -> Merged:
        """Put what one file says on the map, in one transaction; the version counts from then on.

        Merging the same version again replaces what it had said (a reading refined window by window, or resumed).
        Ends with a refresh.
        """
        with self._store.atomic() as connection:
            make_current(connection, version)
            map_writing.clear_version(connection, version)
            made = plan(map_writing.known(connection, subject), reading, similarity)
            placed = {
                decision.key: map_writing.place(connection, subject, version, decision, ids, now)
                for decision in made.decisions
            }
            map_writing.relate(connection, subject, version, made.decisions, placed)
            assumed = map_writing.grow_assumed(connection, subject, ids, now)
            self.refresh(subject)
            return _merged(made, placed, assumed, self.order(subject).broken)

    def ensure(
        self,
        subject: SubjectId,
        name: str,
        language: str | None,
        origin: ConceptOrigin | str,
        id: str,
        now: int,
        created_by: EpisodeId | None = None,
    ) -> Concept:
        """The concept of that name; made under ``id``, only *named*, when there is none.

        ``created_by`` is the episode whose words name it, so that redacting them can take the name away.
        """
        with self._store.atomic() as connection:
            found = map_writing.by_name(connection, subject, map_writing.key_for(name, language), language)
            found = found or map_writing.by_spelling(connection, subject, name)
            if found is None:
                found = map_writing.add(
                    connection, subject, id, name, language, ConceptOrigin(origin), now, created_by=created_by
                )
            connection.execute("UPDATE concepts SET hidden = 0 WHERE id = ? AND hidden = 1 AND name <> ''", (found,))
            return self.get(found)

    def rename(self, concept: ConceptId, name: str, language: str | None) -> Concept:
        """Show a concept by another name in that language; the earlier name stays as an alias, the key as it was."""
        with self._store.atomic() as connection:
            known = self.get(concept)
            map_writing.add_name(connection, known.subject, concept, name, language, alias=False)
            connection.execute("UPDATE concepts SET name = ?, language = ? WHERE id = ?", (name, language, concept))
            self.refresh(known.subject)
            return self.get(concept)

    def add_note(self, subject: SubjectId, episode: EpisodeId, concepts: Iterable[ConceptId]) -> None:
        """Hang a taught note on the concepts it names; on none of them, it is about the student."""
        with self._store.atomic() as connection:
            hung = list(dict.fromkeys(concepts)) or [ConceptId("")]
            connection.executemany(
                "INSERT OR REPLACE INTO notes VALUES (?, ?, ?, 1)", [(episode, subject, concept) for concept in hung]
            )
            connection.execute(
                "UPDATE concepts SET hidden = 0 WHERE id IN (SELECT concept FROM notes WHERE episode = ?)", (episode,)
            )
            map_writing.rate(connection, subject)

    def withdraw_note(self, episode: EpisodeId) -> None:
        """A note was replaced, withdrawn or redacted: it counts no longer."""
        with self._store.atomic() as connection:
            rows: list[Any] = connection.execute(
                "SELECT DISTINCT subject FROM notes WHERE episode = ?", (episode,)
            ).fetchall()
            connection.execute("UPDATE notes SET live = 0 WHERE episode = ?", (episode,))
            for (subject,) in rows:
                map_writing.hide(connection, subject)
                map_writing.rate(connection, subject)

    def notes(self, subject: SubjectId, *, live: bool = True) -> list[Note]:
        """Taught notes, oldest first; without ``live``, those replaced or withdrawn too."""
        where = "t.subject = ? AND t.live = 1" if live else "t.subject = ?"
        return read_notes(self._store.reader(), where, (subject,))

    def about_student(self, subject: SubjectId) -> list[EpisodeId]:
        """The live notes that are about the student, oldest first."""
        return [note.episode for note in self.notes(subject) if note.concept is None]

    def links(self, subject: SubjectId) -> list[topology.Link]:
        """What builds on what, heaviest first."""
        return read_links(self._store.reader(), subject)

    def order(self, subject: SubjectId) -> topology.Order:
        """The teaching order: layers of concept ids, and the edges that gave way to have one."""
        rows: list[Any] = (
            self._store.reader()
            .execute("SELECT id, centrality FROM concepts WHERE subject = ? AND hidden = 0 ORDER BY row", (subject,))
            .fetchall()
        )
        return topology.teaching_order([id for id, _ in rows], self.links(subject), dict(rows))

    def prerequisites(self, subject: SubjectId, concept: ConceptId) -> list[Concept]:
        """Everything a concept builds on, directly or not, in the order to learn it."""
        return self._reach(subject, concept, topology.needed_by)

    def dependants(self, subject: SubjectId, concept: ConceptId) -> list[Concept]:
        """Everything that builds on a concept, directly or not, in teaching order."""
        return self._reach(subject, concept, topology.built_on)

    def maturity(self, subject: SubjectId) -> float:
        """How well the material explains the subject: the mean over its concepts, weighted by centrality; 0 if empty.

        Never the student's mastery (article, "La carte conceptuelle").
        """
        row: Any = (
            self._store.reader()
            .execute(
                "SELECT coalesce(sum(maturity * centrality) / nullif(sum(centrality), 0), avg(maturity), 0)"
                " FROM concepts WHERE subject = ? AND hidden = 0",
                (subject,),
            )
            .fetchone()
        )
        return float(row[0])

    def withdraw_version(self, version: VersionId) -> None:
        """Let a file version no longer support the map. Nothing is deleted."""
        with self._store.atomic() as connection:
            withdraw(connection, version)
            row: Any = connection.execute(
                "SELECT f.subject FROM versions v JOIN files f ON f.id = v.file WHERE v.id = ?", (version,)
            ).fetchone()
            if row:
                self.refresh(SubjectId(row[0]))

    def forget_names(self, episode: EpisodeId) -> list[ConceptId]:
        """The words of an episode were redacted: nodes known from them alone lose their name. Returns those nodes."""
        with self._store.atomic() as connection:
            self.withdraw_note(episode)
            return map_writing.forget_names(connection, episode)

    def refresh(self, subject: SubjectId) -> None:
        """Recompute what the map only derives: touched episodes (of new names), visibility, centrality, maturity."""
        with self._store.atomic() as connection:
            map_writing.hide(connection, subject)
            if touches.sweep(connection, subject):
                map_writing.hide(connection, subject)
            self._weigh(connection, subject)
            map_writing.rate(connection, subject)

    def rebuild(self, subject: SubjectId) -> None:
        """Refresh, with every touch by words or keys found anew from the whole log."""
        with self._store.atomic() as connection:
            touches.unsweep(connection, subject)
            self.refresh(subject)

    def _weigh(self, connection: apsw.Connection, subject: SubjectId) -> None:
        rows: list[Any] = connection.execute(
            "SELECT id FROM concepts WHERE subject = ? AND hidden = 0 ORDER BY row", (subject,)
        ).fetchall()
        ranks = topology.pagerank([id for (id,) in rows], read_links(connection, subject))
        connection.execute("UPDATE concepts SET centrality = 0 WHERE subject = ? AND hidden = 1", (subject,))
        connection.executemany(
            "UPDATE concepts SET centrality = ? WHERE id = ?", [(rank, id) for id, rank in ranks.items()]
        )

    def _reach(
        self,
        subject: SubjectId,
        concept: ConceptId,
        reach: Callable[[str, Iterable[topology.Link]], set[str]],
    ) -> list[Concept]:
        order = self.order(subject)
        cut = {(link.concept, link.needs) for link in order.broken}
        links = [link for link in self.links(subject) if (link.concept, link.needs) not in cut]
        wanted = reach(concept, links)
        return self.many([ConceptId(id) for id in order.sequence if id in wanted])


def _merged(
    made: Plan, placed: dict[str, ConceptId], assumed: list[ConceptId], broken: tuple[topology.Link, ...]
) -> Merged:
    def of(decision: Decision) -> ConceptId:
        return placed[decision.key]

    return Merged(
        added=tuple(of(one) for one in made.decisions if one.into is None),
        joined=tuple((of(one), one.how) for one in made.decisions if one.into is not None),
        assumed=tuple(assumed),
        refused=made.refused,
        broken=broken,
    )
