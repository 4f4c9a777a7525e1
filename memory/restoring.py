"""Restoring: an exported chain, whole and verifying, comes back into an empty subject exactly as it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import apsw

from memory import chain
from memory.beliefs import Beliefs
from memory.concepts import SubjectMap
from memory.episodes import Kind, SubjectId
from memory.ledger import index_episode, insert_entry
from memory.moments import Moment
from memory.rows import EPISODE_COLUMNS, EPISODE_TABLES, episode_from
from memory.store import Store
from memory.subjects import Subject, Subjects, fitting_name
from memory.verification import verify_rows

Numbered = tuple[int, str]
_MARK = '"chain"'
_BELIEF = '{"belief"'


def is_belief(line: str) -> bool:
    """Whether a line of an export is a belief row, not an event."""
    return line.lstrip().startswith(_BELIEF)


def chained_line(subject: SubjectId, stored: Sequence[Any]) -> dict[str, Any]:
    """The place of an episode in its chain, as exported: ``meta`` and ``body`` are the very texts that were hashed.

    ``stored`` is (meta, salt, body, prev, digest, hash).
    """
    meta, salt, body, prev, digest, entry = stored
    return {
        "subject": subject,
        "prev": prev.hex(),
        "salt": salt.hex(),
        "digest": digest.hex(),
        "hash": entry.hex(),
        "meta": meta,
        "body": body,
    }


class Restoring:
    """Takes out of an import the chains that can be restored verbatim."""

    def __init__(
        self, store: Store, subjects: Subjects, map: SubjectMap, beliefs: Beliefs, ids: Callable[[], str]
    ) -> None:
        self._store = store
        self._subjects = subjects
        self._map = map
        self._beliefs = beliefs
        self._ids = ids

    def run(self, lines: Sequence[Numbered], now: Moment) -> tuple[dict[Subject, int], list[Numbered]]:
        """Restore what can be; (episodes restored a subject, the lines left to import as events)."""
        chains: dict[str, list[tuple[Numbered, Mapping[str, Any]]]] = {}
        beliefs: dict[str, list[dict[str, Any]]] = {}
        for numbered in lines:
            raw = _object(numbered[1])
            if is_belief(numbered[1]) and isinstance(raw.get("belief"), dict):
                beliefs.setdefault(str(raw.get("subject_id")), []).append(raw["belief"])
            elif isinstance(raw.get("chain"), dict):
                chains.setdefault(str(raw["chain"].get("subject")), []).append((numbered, raw))
        restored: dict[Subject, int] = {}
        taken: set[int] = set()
        for id, found in chains.items():
            subject = self._restore(SubjectId(id), [raw for _, raw in found], beliefs.get(id, []), now)
            if subject is not None:
                restored[subject] = len(found)
                taken.update(number for (number, _), _ in found)
        return restored, [numbered for numbered in lines if numbered[0] not in taken]

    def _restore(
        self, id: SubjectId, lines: list[Mapping[str, Any]], beliefs: list[dict[str, Any]], now: Moment
    ) -> Subject | None:
        try:
            rows = [_row(raw) for raw in lines]
            name = str(lines[0]["subject"])
        except (KeyError, TypeError, ValueError):
            return None
        redacted = {about for row in rows if row[3] == Kind.REDACTION and (about := _about(row[9]))}
        _, broken = verify_rows(rows, 0, chain.genesis(id), redacted)
        if broken is not None:
            return None
        with self._store.atomic() as connection:
            if connection.execute("SELECT 1 FROM episodes WHERE subject = ? LIMIT 1", (id,)).fetchall():
                return None
            subject = self._make_room(connection, id, name, now)
            if subject is None:
                return None
            for row in rows:
                _insert(connection, id, row)
            for episode in connection.execute(
                f"SELECT {EPISODE_COLUMNS} FROM {EPISODE_TABLES} WHERE e.subject = ? ORDER BY e.seq", (id,)
            ).fetchall():
                index_episode(connection, episode_from(episode))
            self._believe(connection, id, beliefs, now)
            self._name(id, rows, now)
            self._beliefs.replay(id, None, self._ids, now.at)
        return subject

    def _make_room(self, connection: apsw.Connection, id: SubjectId, name: str, now: Moment) -> Subject | None:
        """The subject to restore into: made, or an empty one of that name given the exported id."""
        for other in self._subjects.all():
            if other.id == id:
                return other
            if other.name.casefold() == name.casefold():
                if connection.execute("SELECT 1 FROM episodes WHERE subject = ? LIMIT 1", (other.id,)).fetchall():
                    return None
                held = "SELECT 1 FROM files WHERE subject = ? UNION ALL SELECT 1 FROM concepts WHERE subject = ?"
                if connection.execute(held, (other.id, other.id)).fetchall():
                    return None
                connection.execute("DELETE FROM subjects WHERE id = ?", (other.id,))
        return self._subjects.add(id, fitting_name(name), now.at)

    def _name(self, subject: SubjectId, rows: list[tuple[Any, ...]], now: Moment) -> None:
        """The concepts that events were given outright, by their names."""
        for meta in (_object_of(row[9]) for row in rows):
            extra = meta.get("extra")
            name = extra.get("named") if isinstance(extra, dict) else None
            if isinstance(name, str):
                self._map.ensure(subject, name, meta.get("language"), "check", self._ids(), now.at, None)

    def _believe(
        self, connection: apsw.Connection, subject: SubjectId, beliefs: list[dict[str, Any]], now: Moment
    ) -> None:
        for belief in beliefs:
            concept = self._map.ensure(
                subject,
                str(belief["concept_name"]),
                belief["concept_language"],
                "taught" if belief.get("concept_named_by") else "check",
                str(belief["concept"]),
                now.at,
                belief.get("concept_named_by"),
            )
            columns = ("id", "claim", "confidence", "mastery", "valid_from", "valid_offset", "known_since", "reason")
            connection.execute(
                "INSERT INTO beliefs (id, claim, confidence, mastery, valid_from, valid_offset, known_since, reason,"
                " confirm, place, superseded_by, subject, concept) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(belief[column] for column in columns),
                    belief["confirm"],
                    belief["place"],
                    belief["superseded_by"],
                    subject,
                    concept.id,
                ),
            )
            connection.executemany(
                "INSERT INTO belief_episodes VALUES (?, ?)", [(belief["id"], episode) for episode in belief["because"]]
            )


def _object(line: str) -> Mapping[str, Any]:
    return _object_of(line) if _MARK in line or is_belief(line) else {}


def _object_of(text: str) -> Mapping[str, Any]:
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return raw if isinstance(raw, dict) else {}


def _row(raw: Mapping[str, Any]) -> tuple[Any, ...]:
    """A line of an export as the row that :func:`verify_rows` walks."""
    place = raw["chain"]
    moment, recorded = Moment.parse(raw["at"]), Moment.parse(raw["recorded_at"])
    return (
        int(raw["seq"]),
        bytes.fromhex(place["prev"]),
        str(raw["id"]),
        str(raw["kind"]),
        str(raw["origin"]),
        moment.at,
        recorded.at,
        int(raw["offset"]),
        str(raw["zone"]),
        str(place["meta"]),
        bytes.fromhex(place["digest"]),
        bytes.fromhex(place["hash"]),
        float(raw["salience"]),
        bytes.fromhex(place["salt"]),
        str(place["body"]),
    )


def _about(meta: str) -> str | None:
    """What a redaction chains that it emptied; what a line shows beside its chain counts for nothing."""
    about = _object_of(meta).get("about")
    return about if isinstance(about, str) else None


def _insert(connection: apsw.Connection, subject: SubjectId, row: tuple[Any, ...]) -> None:
    seq, prev, id, kind, origin, at, recorded_at, offset, zone, meta, digest, _, weight, salt, body = row
    entry = chain.Entry(seq, prev, id, kind, origin, at, recorded_at, offset, zone, meta.encode(), digest)
    insert_entry(connection, subject, entry, weight, salt, body)
