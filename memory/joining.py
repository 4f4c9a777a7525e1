"""Joining another copy of the record to the one in use: what is not here yet is added, nothing is changed.

A chain that begins as ours does and goes on is continued verbatim; one that is not here at all is restored verbatim;
of a chain that went another way, the missing episodes come as imports, with their own dates. Doing it again adds
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import apsw

from memory import chain
from memory.comparing import Relation, SubjectDifference, compare
from memory.episodes import Kind
from memory.exchange import LineError, export
from memory.forgetting import forget
from memory.ledger import index_episode, insert_entry
from memory.memory import Memory
from memory.moments import Moment
from memory.rows import EPISODE_COLUMNS, EPISODE_TABLES, episode_from
from memory.store import Store
from memory.subjects import Subjects

_STORED = (
    "e.seq, e.prev, e.id, e.kind, e.origin, e.at, e.recorded_at, e.offset, e.zone, e.meta, e.digest, e.salience,"
    " c.salt, c.body, e.about"
)


@dataclass(slots=True)
class Joined:
    """Episodes added, episodes that were here already, and what could not be read."""

    added: int = 0
    known: int = 0
    errors: list[LineError] = field(default_factory=list)


def join(memory: Memory, other: Store, ids: Callable[[], str], now: Moment) -> Joined:
    """Add what ``other`` (verified by the caller) holds and this record does not."""
    done = Joined()
    subjects = {subject.id: subject for subject in Subjects(other).all()}
    for difference in compare(memory.store, other):
        if difference.relation in (Relation.THERE_ONLY, Relation.DIFFERENT):
            subject = subjects[difference.subject]
            imported = memory.importer.run(export(other, [subject]), default=subject, now=now)
            done.added += imported.imported
            done.known += imported.skipped
            done.errors += imported.errors
        elif difference.relation is Relation.THERE_IS_LONGER:
            done.added += _continue(memory, other, difference, ids, now)
            done.known += difference.common
        else:
            done.known += difference.common
    return done


def _continue(memory: Memory, other: Store, difference: SubjectDifference, ids: Callable[[], str], now: Moment) -> int:
    """Append the other chain's tail to ours, byte for byte; what is derived follows."""
    subject = difference.subject
    rows: list[tuple[Any, ...]] = (
        other.reader()
        .execute(
            f"SELECT {_STORED} FROM episodes e JOIN contents c ON c.episode = e.row"
            " WHERE e.subject = ? AND e.seq > ? ORDER BY e.seq",
            (subject, difference.here),
        )
        .fetchall()
    )
    with memory.store.atomic() as connection:
        for seq, prev, id, kind, origin, at, recorded_at, offset, zone, meta, digest, weight, salt, body, about in rows:
            entry = chain.Entry(seq, prev, id, kind, origin, at, recorded_at, offset, zone, meta.encode(), digest)
            insert_entry(connection, subject, entry, weight, salt, body)
            if kind == Kind.REDACTION.value:
                _empty(connection, about)
        for row in connection.execute(
            f"SELECT {EPISODE_COLUMNS} FROM {EPISODE_TABLES} WHERE e.subject = ? AND e.seq > ? ORDER BY e.seq",
            (subject, difference.here),
        ).fetchall():
            index_episode(connection, episode_from(row))
        memory.teaching.rebuild(subject, ids)
        memory.beliefs.replay(subject, None, ids, now.at)
        memory.map.rebuild(subject)
        memory.nights.rebuild(subject, now)
    return len(rows)


def _empty(connection: apsw.Connection, redacted: str) -> None:
    """What was redacted there is redacted here."""
    for row in connection.execute(
        f"SELECT {EPISODE_COLUMNS} FROM {EPISODE_TABLES} WHERE e.id = ?", (redacted,)
    ).fetchall():
        episode = episode_from(row)
        connection.execute("UPDATE contents SET body = '', salt = x'' WHERE episode = ?", (episode.row,))
        forget(connection, episode)
