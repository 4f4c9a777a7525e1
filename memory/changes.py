"""What changed: beliefs, concepts, files, notes, and everything done to the record, newest first.

A change holds ids, names of concepts and files, and numbers; the words of episodes are never copied here. A belief
that follows from a dated event stands at the date of its evidence (a decay at the date it was due); one that was
reconsidered stands at the instant the tutor changed its mind.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any

from memory.belief_rules import Belief, Reason
from memory.beliefs import Beliefs
from memory.episodes import ConceptId, EpisodeId, Kind, SubjectId
from memory.moments import Moment
from memory.store import Store

_DATED = frozenset({Reason.CHECK, Reason.IMPORT, Reason.DECAY})
_EVENTS = (Kind.TAUGHT, Kind.CONSOLIDATION, Kind.REDACTION, Kind.WITHDRAWAL, Kind.CONTEST)


class What(StrEnum):
    """What kind of thing changed."""

    BELIEF = "belief"
    FILE = "file"
    CONCEPT = "concept"
    TAUGHT = "taught"
    CONSOLIDATION = "consolidation"
    REDACTION = "redaction"
    WITHDRAWAL = "withdrawal"
    CONTEST = "contest"


@dataclass(frozen=True, slots=True)
class Change:
    """One change. ``before`` and ``after`` are JSON values, None where there was or is nothing.

    Of a belief: ``{id, claim, confidence, mastery, confirm}``. Of a file's reading: ``{file, sha256, added, merged}``
    with the names of concepts. Of a concept made without a file: ``{name, origin}``. Of an event: the chained ids and
    counts (``about``, ``replaces``, ``verdict``, and a consolidation's ``extra``).
    """

    at: Moment
    what: What
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None
    because: tuple[EpisodeId, ...] = ()
    reason: str | None = None
    concept: ConceptId | None = None
    name: str = ""


class Changes:
    """Reads what changed in a subject. Writes nothing."""

    def __init__(self, store: Store, beliefs: Beliefs) -> None:
        self._store = store
        self._beliefs = beliefs

    def history(self, subject: SubjectId, limit: int | None = None) -> list[Change]:
        """Every change, newest first; at most ``limit``."""
        found = [
            *self._of_beliefs(subject),
            *self._of_files(subject),
            *self._of_concepts(subject),
            *self._of_events(subject),
        ]
        order = sorted(range(len(found)), key=lambda index: (found[index].at.at, index), reverse=True)
        return [found[index] for index in order[:limit]]

    def _of_beliefs(self, subject: SubjectId) -> Iterable[Change]:
        for concept, chain in groupby(self._beliefs.history(subject), key=lambda row: row.concept):
            before: Belief | None = None
            for row in chain:
                at = row.valid_from
                if row.reason not in _DATED:
                    at = Moment(row.known_since, at.offset, at.zone)
                yield Change(
                    at=at,
                    what=What.BELIEF,
                    before=_said(before) if before else None,
                    after=_said(row),
                    because=row.episodes,
                    reason=row.reason.value,
                    concept=concept,
                    name=row.name,
                )
                before = row

    def _of_files(self, subject: SubjectId) -> Iterable[Change]:
        """Each reading of a file: the concepts it brought, and those it explained again."""
        rows: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT v.id, f.name, v.sha256, v.read_at, c.name,"
                " v.id = (SELECT min(p.version) FROM concept_places p WHERE p.concept = c.id)"
                " FROM versions v JOIN files f ON f.id = v.file"
                " LEFT JOIN concept_places k ON k.version = v.id LEFT JOIN concepts c ON c.id = k.concept"
                " WHERE f.subject = ? ORDER BY v.read_at, v.id, c.row",
                (subject,),
            )
            .fetchall()
        )
        episodes = self._file_episodes(subject)
        for (_, file, sha256, read_at), places in groupby(rows, key=lambda row: row[:4]):
            brought = [(name, first) for *_, name, first in places if name is not None]
            id, offset = episodes.get(sha256, (None, 0))
            yield Change(
                at=Moment(read_at, offset),
                what=What.FILE,
                before=None,
                after={
                    "file": file,
                    "sha256": sha256,
                    "added": [name for name, first in brought if first],
                    "merged": [name for name, first in brought if not first],
                },
                because=(id,) if id else (),
            )

    def _file_episodes(self, subject: SubjectId) -> dict[str, tuple[EpisodeId, int]]:
        """Fingerprint → the episode of the file's arrival, and the offset in force then."""
        found: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT j.value ->> '$.sha256', e.id, e.offset FROM episodes e, json_each(e.meta, '$.evidence') j"
                " WHERE e.subject = ? AND e.kind = 'file' ORDER BY e.seq",
                (subject,),
            )
            .fetchall()
        )
        return {sha256: (EpisodeId(id), offset) for sha256, id, offset in found if sha256}

    def _of_concepts(self, subject: SubjectId) -> Iterable[Change]:
        """Concepts that no file brought: taught, checked by name, or assumed by several."""
        rows: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT c.id, c.name, c.origin, c.created_at, e.id, coalesce(e.at, c.created_at), coalesce(e.offset, 0)"
                " FROM concepts c LEFT JOIN episodes e ON e.id = c.created_by"
                " WHERE c.subject = ? AND c.origin <> 'file' ORDER BY c.row",
                (subject,),
            )
            .fetchall()
        )
        for id, name, origin, _, episode, at, offset in rows:
            yield Change(
                at=Moment(at, offset),
                what=What.CONCEPT,
                before=None,
                after={"name": name, "origin": origin},
                because=(EpisodeId(episode),) if episode else (),
                concept=ConceptId(id),
                name=name,
            )

    def _of_events(self, subject: SubjectId) -> Iterable[Change]:
        rows: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT e.id, e.kind, e.at, e.offset, e.zone, e.about, e.replaces, e.verdict,"
                " iif(e.kind = 'consolidation', e.meta -> '$.extra', NULL), a.verdict FROM episodes e"
                " LEFT JOIN episodes a ON a.id = e.about"
                f" WHERE e.subject = ? AND e.kind IN ({', '.join('?' for _ in _EVENTS)}) ORDER BY e.seq",
                (subject, *(kind.value for kind in _EVENTS)),
            )
            .fetchall()
        )
        for id, kind, at, offset, zone, about, replaces, verdict, extra, disputed in rows:
            what = What(kind)
            after: dict[str, Any] = {"episode": id}
            if what is What.CONSOLIDATION:
                after |= _parsed(extra)
            if what is What.CONTEST:
                after["verdict"] = verdict
            yield Change(
                at=Moment(at, offset, zone),
                what=what,
                before={"verdict": disputed} if what is What.CONTEST else _gone(about or replaces),
                after=after,
                because=tuple(EpisodeId(each) for each in (id, about) if each),
            )


def _said(row: Belief) -> dict[str, Any]:
    return {
        "id": row.id,
        "claim": row.claim.value,
        "confidence": row.confidence,
        "mastery": row.mastery,
        "confirm": row.confirm,
    }


def _gone(episode: str | None) -> dict[str, Any] | None:
    return {"episode": episode} if episode else None


def _parsed(text: str | None) -> dict[str, Any]:
    return dict(json.loads(text)) if text else {}
