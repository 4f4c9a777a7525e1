"""Centring: the mean that vectors share, taken away before they are compared, and the bits that are left.

One row of ``vector_models`` an embedding model, kind and subject holds the running sum; the bits of its vectors are
taken around the mean of the day they were counted, and taken anew while that mean still moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]

_PRIOR = 64  # vectors' worth of belief in the mean of everything, while a subject has few of its own
_CHUNK = 256  # owners side by side in one row: small enough to rewrite for one more, large enough to read in one go
_SETTLED = 4096  # past this many vectors the mean hardly moves: the bits are no longer taken anew by themselves


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
class Sum:
    """The vectors of one kind and subject, summed; ``centre`` is what was taken away before their bits were taken."""

    id: int
    count: int
    total: npt.NDArray[np.float64]
    centre: Vector
    centred_at: int
    stale: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """An owner and the day its vector is filed under."""

    owner: int
    day: int


def read_all(connection: apsw.Connection, sql: str, bound: Sequence[Any]) -> list[Any]:
    """Every row that a statement gives; the statement says what its columns are."""
    return connection.execute(sql, bound).fetchall()


def unit_rows(matrix: Matrix, dimension: int) -> Matrix:
    """The rows at unit length. Raises BadVector for what can have none."""
    if matrix.ndim != 2 or matrix.shape[1] != dimension:
        raise BadVector("wrong_dimension", f"{matrix.shape} for {dimension}")
    if not np.isfinite(matrix).all():
        raise BadVector("not_finite")
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    if not (lengths > 1e-6).all():
        raise BadVector("no_length")
    unit: Matrix = (matrix / lengths).astype(np.float32)
    return unit


def sum_of(connection: apsw.Connection, kind: str, subject: str, space: Space) -> Sum | None:
    """What is summed for a kind and subject in a space; None where nothing is. Raises BadVector."""
    rows = read_all(
        connection,
        "SELECT id, dimension, count, total, centre, centred_at, stale FROM vector_models"
        " WHERE kind = ? AND subject = ? AND model = ?",
        (kind, subject, space.model),
    )
    if not rows:
        return None
    id, dimension, count, total, centre, centred_at, stale = rows[0]
    if dimension != space.dimension:
        raise BadVector("wrong_dimension", f"{space.model} was {dimension}, now {space.dimension}")
    return Sum(id, count, np.frombuffer(total), np.frombuffer(centre, dtype="<f4"), centred_at, bool(stale))


def mean_of(connection: apsw.Connection, space: Space, sums: Sum) -> Vector:
    """The subject's own mean, drawn towards the background (else the mean of everything) while it has few vectors."""
    prior = space.background
    if prior is None:
        count, total = 0, np.zeros(space.dimension)
        for some, part in read_all(
            connection, "SELECT count, total FROM vector_models WHERE model = ?", (space.model,)
        ):
            count, total = count + some, total + np.frombuffer(part)
        prior = (total / max(count, 1)).astype(np.float32)
    mean: Vector = ((sums.total + _PRIOR * prior) / (sums.count + _PRIOR)).astype(np.float32)
    return mean


def add(
    connection: apsw.Connection, space: Space, kind: str, subject: str, placed: Sequence[Placed], rows: Matrix
) -> None:
    """Count new vectors (already in ``vectors``) in the sum, and take their bits."""
    sums = sum_of(connection, kind, subject, space)
    count = (sums.count if sums else 0) + len(placed)
    if sums is None or sums.stale or (count >= 2 * sums.centred_at and sums.centred_at < _SETTLED):
        recentre(connection, space, kind, subject)
        return
    total = sums.total + rows.sum(axis=0, dtype=np.float64)
    connection.execute("UPDATE vector_models SET count = ?, total = ? WHERE id = ?", (count, total.tobytes(), sums.id))
    _append_bits(connection, sums.id, placed, rows - sums.centre)


def recentre(connection: apsw.Connection, space: Space, kind: str, subject: str) -> None:
    """Count the sum anew, and take every bit anew around today's mean."""
    found = read_all(
        connection,
        "SELECT owner, day, vector FROM vectors WHERE kind = ? AND subject = ? AND model = ?",
        (kind, subject, space.model),
    )
    rows = np.frombuffer(b"".join(raw for _, _, raw in found), dtype="<f4").reshape(-1, space.dimension)
    total = rows.sum(axis=0, dtype=np.float64)
    ((id,),) = read_all(
        connection,
        "INSERT INTO vector_models (kind, subject, model, dimension, count, total, centre, centred_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kind, subject, model) DO UPDATE SET stale = 0,"
        " count = excluded.count, total = excluded.total, centred_at = excluded.centred_at RETURNING id",
        (
            kind,
            subject,
            space.model,
            space.dimension,
            len(found),
            total.tobytes(),
            bytes(4 * space.dimension),
            len(found),
        ),
    )
    centre = mean_of(connection, space, Sum(id, len(found), total, rows[:0].sum(axis=0), len(found), False))
    connection.execute("UPDATE vector_models SET centre = ? WHERE id = ?", (centre.astype("<f4").tobytes(), id))
    connection.execute("DELETE FROM vector_bits WHERE space = ?", (id,))
    _append_bits(connection, id, [Placed(owner, day) for owner, day, _ in found], rows - centre)


def closest_by_bits(
    connection: apsw.Connection, sums: Sum, query: Vector, days: tuple[int, int], limit: int
) -> list[int]:
    """The owners whose bits differ least from the query's, within those days (both included); in no order."""
    found = read_all(
        connection,
        "SELECT owners, days, bits FROM vector_bits WHERE space = ? AND last_day >= ? AND first_day <= ?",
        (sums.id, *days),
    )
    if not found:
        return []
    owners = np.frombuffer(b"".join(row[0] for row in found), dtype="<i8")
    filed = np.frombuffer(b"".join(row[1] for row in found), dtype="<i4")
    wanted = np.packbits(query - sums.centre > 0)
    word = np.dtype(np.uint64 if len(wanted) % 8 == 0 else np.uint8)
    packed = np.frombuffer(b"".join(row[2] for row in found), dtype=word).reshape(len(owners), -1)
    inside = np.flatnonzero((filed >= days[0]) & (filed <= days[1]))
    if len(inside) < len(owners):
        owners, packed = owners[inside], packed[inside]
    apart = np.zeros(len(owners), dtype=np.uint16)
    for place, part in enumerate(wanted.view(word)):
        apart += np.bitwise_count(packed[:, place] ^ part)
    best = np.argpartition(apart, limit)[:limit] if len(apart) > limit else slice(None)
    nearest: list[int] = owners[best].tolist()
    return nearest


def _append_bits(connection: apsw.Connection, space: int, placed: Sequence[Placed], centred: Matrix) -> None:
    """Fill the last chunk of a space, then start new ones."""
    last = read_all(
        connection,
        "SELECT chunk, owners, days, bits FROM vector_bits WHERE space = ? ORDER BY chunk DESC LIMIT 1",
        (space,),
    )
    chunk, owners, days, bits = last[0] if last else (0, b"", b"", b"")
    if len(owners) >= 8 * _CHUNK:
        chunk, owners, days, bits = chunk + 1, b"", b"", b""
    packed = np.packbits(centred > 0, axis=1)
    start = 0
    while start < len(placed):
        part = placed[start : start + _CHUNK - len(owners) // 8]
        owners += np.array([place.owner for place in part], dtype="<i8").tobytes()
        days += np.array([place.day for place in part], dtype="<i4").tobytes()
        bits += packed[start : start + len(part)].tobytes()
        filed = np.frombuffer(days, dtype="<i4")
        connection.execute(
            "REPLACE INTO vector_bits VALUES (?, ?, ?, ?, ?, ?, ?)",
            (space, chunk, int(filed.min()), int(filed.max()), owners, days, bits),
        )
        start += len(part)
        chunk, owners, days, bits = chunk + 1, b"", b"", b""
