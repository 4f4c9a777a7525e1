"""Scratch: what an answer says so far, kept outside the record until it is whole, so that a crash loses little."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memory.episodes import EpisodeId, SubjectId
from memory.store import Store


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An answer that was being written when the program ended."""

    question: EpisodeId
    subject: SubjectId
    text: str
    language: str | None


class Scratch:
    """Unfinished answers, one a question."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(self, unfinished: Unfinished, now: int) -> None:
        """Keep what was said so far (``now`` in UTC µs)."""
        with self._store.atomic() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO scratch_answers VALUES (?, ?, ?, ?, ?)",
                (unfinished.question, unfinished.subject, unfinished.text, unfinished.language, now),
            )

    def clear(self, question: EpisodeId) -> None:
        """The answer is in the ledger, or was given up."""
        with self._store.atomic() as connection:
            connection.execute("DELETE FROM scratch_answers WHERE question = ?", (question,))

    def left(self) -> list[Unfinished]:
        """What a crash left behind, oldest first."""
        rows: list[Any] = (
            self._store.reader()
            .execute("SELECT question, subject, text, language FROM scratch_answers ORDER BY saved_at")
            .fetchall()
        )
        return [Unfinished(*row) for row in rows]
