"""Vectors: meaning as numbers, kept beside episodes, passages and concepts, and searched by nearness.

The ``vectors`` table is the truth. ``vector_bits`` holds the signs of the same vectors after their mean was taken
away: 48 bytes for 384 dimensions, clustered by subject and day, so that a search looks at all of them first
(Hamming distance, sqlite-vec), then computes exact scores for the few hundred closest.

Scores are cosines after subtracting the mean. Raw cosines of some models are 0.8 for unrelated texts; what a text
shares with every other text of the course says nothing about it (Mu and Viswanath, "All-but-the-top", ICLR 2018).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import apsw
import numpy as np
import numpy.typing as npt

from memory.moments import Window, day_number
from memory.rows import content_from, searchable
from memory.store import Store

Vector = npt.NDArray[np.float32]
VectorKind = Literal["episode", "passage", "concept"]

_KINDS: tuple[VectorKind, ...] = ("concept", "passage", "episode")  # the order in which waiting texts are embedded
_RESCORED = 256  # how many of the closest by bits are scored exactly; four times the least pool of 64
_PRIOR = 64  # vectors' worth of belief in the mean of everything, while a subject has few of its own
_SETTLED = 4096  # past this many vectors the mean hardly moves: the bits are no longer taken anew by themselves
_ANY_DAY = (-(10**6), 10**7)


class BadVector(ValueError):
    """A vector that cannot be kept or compared. ``fault``: not_finite, no_length, wrong_dimension, other_model."""

    def __init__(self, fault: str, detail: str = "") -> None:
        super().__init__(f"{fault} {detail}".rstrip())
        self.fault = fault
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Space:
    """The embedding model in use: its identity, its dimension, and the centred cosine that counts as a match.

    ``background`` is the mean of many unrelated texts under this model; it stands in while there are few vectors.
    """

    model: str
    dimension: int
    match_threshold: float
    background: Vector | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A text that waits for its vector."""

    kind: VectorKind
    owner: int
    text: str


@dataclass(frozen=True, slots=True)
class _Sum:
    count: int
    total: npt.NDArray[np.float64]
    centre: Vector
    centred_at: int
    stale: bool


class Vectors:
    """Stores vectors of one model at a time and finds the nearest; other models' vectors are kept, never mixed in."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._space: Space | None = None

    def use(self, space: Space | None) -> None:
        """Work in this space from now on; None: no embedding model is there, and every search finds nothing."""
        self._space = space

    @property
    def space(self) -> Space | None:
        """The space in use."""
        return self._space

    def put(self, kind: VectorKind, owner: int, model: str, vector: Vector) -> None:
        """Keep one vector; see :meth:`put_many`."""
        self.put_many(kind, [owner], model, np.asarray(vector, dtype=np.float32)[None, :])

    def put_many(self, kind: VectorKind, owners: Sequence[int], model: str, matrix: npt.NDArray[np.float32]) -> None:
        """Keep one vector an owner (rows of ``matrix``) and take the owners off the queue; all of them, or none.

        Owners that no longer exist are passed over. Raises BadVector.
        """
        space = self._space
        if space is None or model != space.model:
            raise BadVector("other_model", model)
        unit = _unit(matrix, space.dimension)
        if len(unit) != len(owners):
            raise BadVector("wrong_dimension", f"{len(unit)} vectors for {len(owners)} owners")
        position = {owner: place for place, owner in enumerate(owners)}
        with self._store.atomic() as connection:
            homes = _all(connection, _HOMES[kind], (json.dumps(list(position)),))
            subjects: dict[str, list[tuple[int, int]]] = {}
            for owner, subject, day in homes:
                subjects.setdefault(subject, []).append((owner, day))
            for subject, placed in subjects.items():
                rows = unit[[position[owner] for owner, _ in placed]]
                self._write(connection, space, kind, subject, placed, rows)
            connection.execute(
                "DELETE FROM vector_queue WHERE kind = ? AND owner IN (SELECT value FROM json_each(?))",
                (kind, json.dumps(list(position))),
            )

    def enqueue(self, kind: VectorKind, owners: Iterable[int]) -> None:
        """Note that these texts wait for a vector."""
        with self._store.atomic() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO vector_queue VALUES (?, ?)", [(kind, owner) for owner in owners]
            )

    def enqueue_missing(self) -> int:
        """Note every text that has no vector in the space in use (after another model was chosen); how many wait."""
        if self._space is None:
            return 0
        with self._store.atomic() as connection:
            for kind, source in _SOURCES.items():
                connection.execute(
                    f"INSERT OR IGNORE INTO vector_queue SELECT ?, {source} AND NOT EXISTS"
                    " (SELECT 1 FROM vectors v WHERE v.kind = ? AND v.owner = o.owner AND v.model = ?)",
                    (kind, kind, self._space.model),
                )
        return self.waiting()

    def waiting(self) -> int:
        """How many texts wait for a vector."""
        return int(_all(self._store.reader(), "SELECT count(*) FROM vector_queue", ())[0][0])

    def pending(self, limit: int = 64) -> list[Waiting]:
        """Texts that wait: concepts, then passages, then episodes, each newest first.

        Queued owners whose text is gone are taken off the queue on the way.
        """
        found: list[Waiting] = []
        gone: list[tuple[str, int]] = []
        reader = self._store.reader()
        for kind in _KINDS:
            if len(found) >= limit:
                break
            rows = _all(
                reader,
                "SELECT owner FROM vector_queue WHERE kind = ? ORDER BY owner DESC LIMIT ?",
                (kind, limit - len(found)),
            )
            texts = _texts(reader, kind, [owner for (owner,) in rows])
            found += [Waiting(kind, owner, texts[owner]) for (owner,) in rows if owner in texts]
            gone += [(kind, owner) for (owner,) in rows if owner not in texts]
        if gone:
            with self._store.atomic() as connection:
                connection.executemany("DELETE FROM vector_queue WHERE kind = ? AND owner = ?", gone)
            return found or self.pending(limit)
        return found

    def forget(self, kind: VectorKind, owners: Sequence[int]) -> None:
        """Drop the vectors of these owners, of every model; their bits and the sums follow."""
        owned = json.dumps(list(owners))
        with self._store.atomic() as connection:
            for table in ("vectors", "vector_queue"):
                connection.execute(
                    f"DELETE FROM {table} WHERE kind = ? AND owner IN (SELECT value FROM json_each(?))", (kind, owned)
                )

    def get(self, kind: VectorKind, owners: Sequence[int]) -> dict[int, Vector]:
        """The kept vectors of these owners in the space in use."""
        if self._space is None or not owners:
            return {}
        found = _all(
            self._store.reader(),
            "SELECT v.owner, v.vector FROM json_each(?) o CROSS JOIN vectors v"
            " WHERE v.kind = ? AND v.owner = o.value AND v.model = ?",
            (json.dumps(list(owners)), kind, self._space.model),
        )
        return {owner: np.frombuffer(raw, dtype="<f4") for owner, raw in found}

    def nearest(
        self, kind: VectorKind, subject: str, vector: Vector, limit: int, window: Window | None = None
    ) -> list[tuple[int, float]]:
        """The nearest owners of a subject and their scores (centred cosine, in [-1, 1]), best first.

        ``window`` keeps to episodes of those local days before anything else is cut. Passages of replaced versions
        are left out. Raises BadVector for a vector of another space.
        """
        space = self._space
        if space is None or limit <= 0:
            return []
        sums = _sum(self._store.reader(), kind, subject, space)
        if sums is None:
            return []
        query = _unit(np.asarray(vector, dtype=np.float32)[None, :], space.dimension)[0]
        first, last = (day_number(window.first), day_number(window.last)) if window else _ANY_DAY
        live = " AND owner IN (SELECT id FROM passages WHERE current = 1)" if kind == "passage" else ""
        close = _all(
            self._store.reader(),
            "SELECT owner, vec_distance_hamming(vec_bit(bits), vec_bit(?)) AS apart FROM vector_bits"
            f" WHERE kind = ? AND model = ? AND subject = ? AND day BETWEEN ? AND ?{live} ORDER BY apart LIMIT ?",
            (_bits(query - sums.centre), kind, space.model, subject, first, last, max(4 * limit, _RESCORED)),
        )
        scores = self.scores(kind, subject, query, [owner for owner, _ in close])
        return sorted(scores.items(), key=lambda pair: (-pair[1], -pair[0]))[:limit]

    def scores(self, kind: VectorKind, subject: str, vector: Vector, owners: Sequence[int]) -> dict[int, float]:
        """The exact scores (centred cosine) of these owners; those without a vector are left out."""
        kept = self.get(kind, owners)
        mean = self.mean(kind, subject)
        if not kept or mean is None:
            return {}
        query = np.asarray(vector, dtype=np.float32) - mean
        matrix = np.stack(list(kept.values())) - mean
        lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(query)
        cosines = (matrix @ query) / np.maximum(lengths, 1e-9)
        return dict(zip(kept, cosines.tolist(), strict=True))

    def mean(self, kind: VectorKind, subject: str) -> Vector | None:
        """What scores are centred on: the subject's own mean, drawn to the background while there are few vectors.

        None where nothing of that model is kept.
        """
        if self._space is None:
            return None
        reader = self._store.reader()
        sums = _sum(reader, kind, subject, self._space)
        return _mean(reader, self._space, sums) if sums else None

    def rebuild(self) -> None:
        """Take sums and bits anew from the kept vectors, for every kind and subject of the space in use."""
        space = self._space
        if space is None:
            return
        with self._store.atomic() as connection:
            groups = _all(
                connection, "SELECT DISTINCT kind, subject FROM vector_models WHERE model = ?", (space.model,)
            )
            for kind, subject in groups:
                _recentre(connection, space, kind, subject)

    def _write(
        self,
        connection: apsw.Connection,
        space: Space,
        kind: VectorKind,
        subject: str,
        placed: list[tuple[int, int]],
        rows: npt.NDArray[np.float32],
    ) -> None:
        connection.execute(
            "DELETE FROM vectors WHERE kind = ? AND model = ? AND owner IN (SELECT value FROM json_each(?))",
            (kind, space.model, json.dumps([owner for owner, _ in placed])),
        )
        connection.executemany(
            "INSERT INTO vectors VALUES (?, ?, ?, ?, ?, ?)",
            [
                (kind, owner, space.model, subject, day, row.astype("<f4").tobytes())
                for (owner, day), row in zip(placed, rows, strict=True)
            ],
        )
        sums = _sum(connection, kind, subject, space)
        count = (sums.count if sums else 0) + len(placed)
        if sums is None or sums.stale or (count >= 2 * sums.centred_at and sums.centred_at < _SETTLED):
            _recentre(connection, space, kind, subject)
            return
        total = sums.total + rows.sum(axis=0, dtype=np.float64)
        connection.execute(
            "UPDATE vector_models SET count = ?, total = ? WHERE kind = ? AND subject = ? AND model = ?",
            (count, total.tobytes(), kind, subject, space.model),
        )
        _write_bits(connection, space, kind, subject, placed, rows - sums.centre)


_SOURCES: dict[VectorKind, str] = {
    "episode": "o.owner FROM (SELECT episode AS owner FROM episode_facts WHERE recallable = 1) o WHERE 1",
    "passage": "o.owner FROM (SELECT id AS owner FROM passages WHERE current = 1) o WHERE 1",
    "concept": "o.owner FROM (SELECT row AS owner FROM concepts) o WHERE 1",
}
_HOMES: dict[VectorKind, str] = {
    "episode": "SELECT e.row, e.subject, e.day FROM json_each(?) o CROSS JOIN episodes e WHERE e.row = o.value",
    "passage": "SELECT p.id, p.subject, 0 FROM json_each(?) o CROSS JOIN passages p WHERE p.id = o.value",
    "concept": "SELECT c.row, c.subject, 0 FROM json_each(?) o CROSS JOIN concepts c WHERE c.row = o.value",
}


def _all(connection: apsw.Connection, sql: str, bound: Sequence[Any]) -> list[Any]:
    """Every row that a statement gives; the statement says what its columns are."""
    return connection.execute(sql, bound).fetchall()


def _texts(reader: apsw.Connection, kind: VectorKind, owners: list[int]) -> dict[int, str]:
    listed = (json.dumps(owners),)
    if kind == "episode":
        found = _all(
            reader,
            "SELECT c.episode, c.body FROM json_each(?) o CROSS JOIN contents c ON c.episode = o.value"
            " CROSS JOIN episode_facts f ON f.episode = o.value WHERE f.recallable = 1",
            listed,
        )
        kept = ((row, content_from(body)) for row, body in found)
        return {row: searchable(content) for row, content in kept if content is not None}
    if kind == "passage":
        return {
            row: f"{heading}\n{text}" if heading else text
            for row, heading, text in _all(
                reader,
                "SELECT p.id, p.heading, p.text FROM json_each(?) o CROSS JOIN passages p"
                " WHERE p.id = o.value AND p.current = 1",
                listed,
            )
        }
    return {
        row: f"{name}: {summary}" if summary else name
        for row, name, summary in _all(
            reader,
            "SELECT c.row, c.name, c.summary FROM json_each(?) o CROSS JOIN concepts c WHERE c.row = o.value",
            listed,
        )
    }


def _unit(matrix: npt.NDArray[np.float32], dimension: int) -> npt.NDArray[np.float32]:
    """Rows of unit length. Raises BadVector for what is none."""
    if matrix.ndim != 2 or matrix.shape[1] != dimension:
        raise BadVector("wrong_dimension", f"{matrix.shape} for {dimension}")
    if not np.isfinite(matrix).all():
        raise BadVector("not_finite")
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    if not (lengths > 1e-6).all():
        raise BadVector("no_length")
    unit: npt.NDArray[np.float32] = (matrix / lengths).astype(np.float32)
    return unit


def _bits(vector: Vector) -> bytes:
    return np.packbits(vector > 0).tobytes()


def _sum(connection: apsw.Connection, kind: str, subject: str, space: Space) -> _Sum | None:
    rows = _all(
        connection,
        "SELECT dimension, count, total, centre, centred_at, stale FROM vector_models"
        " WHERE kind = ? AND subject = ? AND model = ?",
        (kind, subject, space.model),
    )
    if not rows:
        return None
    dimension, count, total, centre, centred_at, stale = rows[0]
    if dimension != space.dimension:
        raise BadVector("wrong_dimension", f"{space.model} was {dimension}, now {space.dimension}")
    return _Sum(count, np.frombuffer(total), np.frombuffer(centre, dtype="<f4"), centred_at, bool(stale))


def _mean(connection: apsw.Connection, space: Space, sums: _Sum) -> Vector:
    prior = space.background
    if prior is None:
        everything = _all(connection, "SELECT count, total FROM vector_models WHERE model = ?", (space.model,))
        count, total = 0, np.zeros(space.dimension)
        for some, part in everything:
            count, total = count + some, total + np.frombuffer(part)
        prior = (total / max(count, 1)).astype(np.float32)
    mean: Vector = ((sums.total + _PRIOR * prior) / (sums.count + _PRIOR)).astype(np.float32)
    return mean


def _recentre(connection: apsw.Connection, space: Space, kind: VectorKind, subject: str) -> None:
    """Count the sum anew and take every bit anew around today's mean."""
    found = _all(
        connection,
        "SELECT owner, day, vector FROM vectors WHERE kind = ? AND subject = ? AND model = ?",
        (kind, subject, space.model),
    )
    rows = np.frombuffer(b"".join(raw for _, _, raw in found), dtype="<f4").reshape(-1, space.dimension)
    total = rows.sum(axis=0, dtype=np.float64)
    sums = _Sum(len(found), total, np.zeros(space.dimension, dtype=np.float32), len(found), False)
    key = (kind, subject, space.model)
    fields = "(kind, subject, model, dimension, count, total, centre, centred_at)"
    empty = sums.centre.tobytes()
    connection.execute(
        f"REPLACE INTO vector_models {fields} VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (*key, space.dimension, sums.count, total.tobytes(), empty, sums.count),
    )
    centre = _mean(connection, space, sums)
    connection.execute(
        "UPDATE vector_models SET centre = ? WHERE kind = ? AND subject = ? AND model = ?",
        (centre.astype("<f4").tobytes(), *key),
    )
    connection.execute("DELETE FROM vector_bits WHERE kind = ? AND subject = ? AND model = ?", key)
    _write_bits(connection, space, kind, subject, [(owner, day) for owner, day, _ in found], rows - centre)


def _write_bits(
    connection: apsw.Connection,
    space: Space,
    kind: VectorKind,
    subject: str,
    placed: list[tuple[int, int]],
    centred: npt.NDArray[np.float32],
) -> None:
    packed = np.packbits(centred > 0, axis=1)
    connection.executemany(
        "REPLACE INTO vector_bits VALUES (?, ?, ?, ?, ?, ?)",
        [
            (kind, space.model, subject, day, owner, row.tobytes())
            for (owner, day), row in zip(placed, packed, strict=True)
        ],
    )
