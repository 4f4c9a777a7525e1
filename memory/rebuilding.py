"""Rebuilding: every derived table made anew from ledger, files and beliefs. The record itself is only read."""

from __future__ import annotations

from collections.abc import Callable

from memory.episodes import SubjectId
from memory.ledger import index_episode
from memory.memory import Memory
from memory.moments import Moment
from memory.rows import EPISODE_COLUMNS, EPISODE_TABLES, episode_from

_EMPTIED = (
    "INSERT INTO episode_words (episode_words) VALUES ('delete-all')",
    "DELETE FROM episode_facts",
)


def rebuild(memory: Memory, ids: Callable[[], str], now: Moment) -> dict[str, int]:
    """Rebuild what follows from the record: indexes, facts, touches, notes, the map, vector caches, what nights keep.

    Gives counts by table.
    """
    subjects = [subject.id for subject in memory.subjects.all()]
    with memory.store.atomic() as connection:
        for statement in _EMPTIED:
            connection.execute(statement)
        episodes = sum(_episodes(memory, subject) for subject in subjects)
        passages = memory.passages.rebuild()
        notes = 0
        for subject in subjects:
            notes += memory.teaching.rebuild(subject, ids)
            memory.beliefs.replay(subject, None, ids, now.at)  # which checks count for what: maturity follows from it
            memory.map.rebuild(subject)
            memory.nights.rebuild(subject, now)
        memory.vectors.enqueue_missing()
    memory.vectors.rebuild()
    return {"episodes": episodes, "passages": passages, "notes": notes}


def _episodes(memory: Memory, subject: SubjectId) -> int:
    """Index every episode of a subject again, in the order of its chain."""
    with memory.store.atomic() as connection:
        rows = connection.execute(
            f"SELECT {EPISODE_COLUMNS} FROM {EPISODE_TABLES} WHERE e.subject = ? ORDER BY e.seq", (subject,)
        ).fetchall()
        for row in rows:
            index_episode(connection, episode_from(row))
    return len(rows)
