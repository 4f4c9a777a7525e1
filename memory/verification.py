"""Verification: recompute every chain from what is stored, and say which episode is the first that does not hold.

Reading code, apart from the writing code: it takes rows as they lie in the file and trusts none of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from memory import chain
from memory.checkpoints import Checkpoint
from memory.episodes import Kind, SubjectId, Verdict, salience
from memory.faults import named_faults
from memory.orphans import orphans
from memory.store import Store

_COLUMNS = (
    "e.seq, e.prev, e.id, e.kind, e.origin, e.at, e.recorded_at, e.offset, e.zone, e.meta, e.digest, e.hash,"
    " e.salience, c.salt, c.body"
)


@dataclass(frozen=True, slots=True)
class Break:
    """The first episode of a chain that does not hold, and which part of it: order, link, hash, words or salience."""

    seq: int
    id: str
    what: str


@dataclass(frozen=True, slots=True)
class ChainState:
    """One subject's chain, recomputed."""

    subject: SubjectId
    name: str
    episodes: int
    head: str
    first_break: Break | None

    @property
    def ok(self) -> bool:
        """Whether every episode holds."""
        return self.first_break is None


@dataclass(frozen=True, slots=True)
class CheckpointState:
    """A noted head against today's chain: ``holds``, ``shorter`` (the tail was cut), ``different`` or ``unknown``."""

    checkpoint: Checkpoint
    result: str


class Verification:
    """Checks chains, checkpoints, the database file and the index."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def chains(self, newest: int | None = None) -> list[ChainState]:
        """Every chain, whole or (``newest``) only its last so many episodes."""
        subjects: list[Any] = (
            self._store.reader().execute("SELECT id, name FROM subjects ORDER BY created_at, id").fetchall()
        )
        return [self._chain(SubjectId(id), name, newest) for id, name in subjects]

    def checkpoints(self, noted: Iterable[Checkpoint]) -> list[CheckpointState]:
        """Noted heads against the chains as they are."""
        return [CheckpointState(checkpoint, self._against(checkpoint)) for checkpoint in noted]

    def database(self) -> list[str]:
        """What SQLite itself finds wrong with the file, and orphans; empty when nothing is."""
        with named_faults(self._store.path):
            reader = self._store.reader()
            faults = [str(row[0]) for row in reader.execute("PRAGMA integrity_check") if row[0] != "ok"]
            faults += [f"foreign key: {row[0]} {row[1]}" for row in reader.execute("PRAGMA foreign_key_check")]
            faults += [f"{what}: {count}" for what, count in orphans(self._store).items()]
        return faults

    def _against(self, checkpoint: Checkpoint) -> str:
        reader = self._store.reader()
        if not reader.execute("SELECT 1 FROM subjects WHERE id = ?", (checkpoint.subject,)).fetchall():
            return "unknown"
        if checkpoint.seq == 0:
            return "holds" if checkpoint.head == chain.genesis(checkpoint.subject).hex() else "different"
        found: list[Any] = reader.execute(
            "SELECT hash FROM episodes WHERE subject = ? AND seq = ?", (checkpoint.subject, checkpoint.seq)
        ).fetchall()
        if not found:
            return "shorter"
        return "holds" if found[0][0].hex() == checkpoint.head else "different"

    def _chain(self, subject: SubjectId, name: str, newest: int | None) -> ChainState:
        reader = self._store.reader()
        counted = "count(*)" if newest is None else "coalesce(max(seq), 0)"  # counting a long log takes its time
        last: tuple[Any, ...] = reader.execute(
            f"SELECT max(seq), {counted} FROM episodes WHERE subject = ?", (subject,)
        ).fetchall()[0]
        start = max(0, (last[0] or 0) - newest) if newest is not None else 0
        prev = chain.genesis(subject)
        if start:
            before: list[Any] = reader.execute(
                "SELECT hash FROM episodes WHERE subject = ? AND seq = ?", (subject, start)
            ).fetchall()
            prev = before[0][0] if before else b""
        redacted = {
            str(row[0])
            for row in reader.execute(
                "SELECT about FROM episodes WHERE subject = ? AND kind = 'redaction' AND about IS NOT NULL", (subject,)
            )
        }
        rows = reader.execute(
            f"SELECT {_COLUMNS} FROM episodes e LEFT JOIN contents c ON c.episode = e.row"
            " WHERE e.subject = ? AND (e.seq > ? OR NOT ?) ORDER BY e.seq",
            (subject, start, start),
        )
        head, broken = verify_rows(rows, start, prev, redacted)
        return ChainState(subject, name, last[1], head.hex(), broken)


def verify_rows(
    rows: Iterable[tuple[Any, ...]], start: int, prev: bytes, redacted: set[str]
) -> tuple[bytes, Break | None]:
    """Walk rows of one chain in order of ``seq``; the last hash and the first break, if any.

    ``redacted`` holds the ids that a redaction episode names: only their words may be missing.
    """
    weights = _weights()
    expected = start
    for seq, before, id, kind, origin, at, recorded_at, offset, zone, meta, digest, stored, weight, salt, body in rows:
        expected += 1
        if seq != expected:
            return prev, Break(seq, id, "order")
        if before != prev:
            return prev, Break(seq, id, "link")
        meta_bytes = meta.encode()
        try:
            found = chain.link(seq, before, id, kind, origin, at, recorded_at, offset, zone, meta_bytes, digest)
        except (AttributeError, TypeError):
            return prev, Break(seq, id, "hash")
        if found != stored:
            return prev, Break(seq, id, "hash")
        if body:
            if chain.content_digest(salt, body.encode()) != digest:
                return prev, Break(seq, id, "words")
        elif salt or id not in redacted:
            return prev, Break(seq, id, "words")
        verdict = json.loads(meta).get("verdict") if kind == "check" else None
        if weights.get((kind, verdict)) != weight:
            return prev, Break(seq, id, "salience")
        prev = stored
    return prev, None


def _weights() -> dict[tuple[str, str | None], float]:
    return {
        (kind.value, verdict.value if verdict else None): salience(kind, verdict)
        for kind in Kind
        for verdict in (*Verdict, None)
        if verdict is None or kind is Kind.CHECK
    }
