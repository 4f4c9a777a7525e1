"""Vectors: meaning as numbers, kept beside episodes, passages and concepts, and searched by nearness.

The ``vectors`` table is the truth. ``vector_bits`` holds the signs of the same vectors after their mean was taken
away: 48 bytes for 384 dimensions, side by side in chunks, so that a search first looks at all of them (Hamming
distance), then computes exact scores for the few hundred closest. Measured at 100,000 episodes, 384 dimensions:
7 ms by chunks, 24 ms by sqlite-vec's ``vec_distance_hamming`` over rows, 42 ms by a ``vec0`` table for 256 neighbours.

Scores are cosines after subtracting the mean. Raw cosines of some models are 0.8 for unrelated texts; what a text
shares with every other text of the course says nothing about it (Mu and Viswanath, "All-but-the-top", ICLR 2018).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import apsw
import numpy as np
import numpy.typing as npt

from memory.centring import (
    BadVector,
    Placed,
    Space,
    Vector,
    add,
    closest_by_bits,
    mean_of,
    read_all,
    recentre,
    sum_of,
    unit_rows,
)
from memory.moments import Window, day_number
from memory.rows import content_from, searchable
from memory.store import Store

__all__ = ["BadVector", "Space", "Vector", "VectorKind", "Vectors", "Waiting"]

VectorKind = Literal["episode", "passage", "concept"]

_KINDS: tuple[VectorKind, ...] = ("concept", "passage", "episode")  # the order in which waiting texts are embedded
_RESCORED = 256  # how many of the closest by bits are scored exactly: four times the least pool of 64
_COMPARED = 10_000  # and how many when their bits were dropped
_ANY_DAY = (-(10**6), 10**7)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A text that waits for its vector."""

    kind: VectorKind
    owner: int
    text: str


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

        Owners that are gone meanwhile (redacted, withdrawn, replaced) are passed over. Raises BadVector.
        """
        space = self._space
        if space is None or model != space.model:
            raise BadVector("other_model", model)
        unit = unit_rows(matrix, space.dimension)
        if len(unit) != len(owners):
            raise BadVector("wrong_dimension", f"{len(unit)} vectors for {len(owners)} owners")
        position = {owner: place for place, owner in enumerate(owners)}
        with self._store.atomic() as connection:
            homes = read_all(connection, _HOMES[kind], (json.dumps(list(position)),))
            subjects: dict[str, list[Placed]] = {}
            for owner, subject, day in homes:
                subjects.setdefault(subject, []).append(Placed(owner, day))
            for subject, placed in subjects.items():
                rows = unit[[position[place.owner] for place in placed]]
                _keep(connection, space.model, kind, subject, placed, rows)
                add(connection, space, kind, subject, placed, rows)
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
        return int(read_all(self._store.reader(), "SELECT count(*) FROM vector_queue", ())[0][0])

    def pending(self, limit: int = 64) -> list[Waiting]:
        """Texts that wait: concepts, then passages, then episodes, each newest first.

        Queued owners whose text is gone are taken off the queue on the way.
        """
        while True:
            found, gone = self._pending(limit)
            if not gone:
                return found
            with self._store.atomic() as connection:
                connection.executemany("DELETE FROM vector_queue WHERE kind = ? AND owner = ?", gone)
            if found:
                return found

    def _pending(self, limit: int) -> tuple[list[Waiting], list[tuple[str, int]]]:
        """The head of the queue: texts that wait, and queued owners that have none."""
        found: list[Waiting] = []
        gone: list[tuple[str, int]] = []
        reader = self._store.reader()
        for kind in _KINDS:
            room = limit - len(found)
            if room <= 0:
                break
            rows = read_all(
                reader, "SELECT owner FROM vector_queue WHERE kind = ? ORDER BY owner DESC LIMIT ?", (kind, room)
            )
            texts = _texts(reader, kind, [owner for (owner,) in rows])
            found += [Waiting(kind, owner, texts[owner]) for (owner,) in rows if owner in texts]
            gone += [(kind, owner) for (owner,) in rows if owner not in texts]
        return found, gone

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
        found = read_all(
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
        sums = sum_of(self._store.reader(), kind, subject, space)
        if sums is None:
            return []
        query = unit_rows(np.asarray(vector, dtype=np.float32)[None, :], space.dimension)[0]
        first, last = (day_number(window.first), day_number(window.last)) if window else _ANY_DAY
        reader, most = self._store.reader(), max(2 * limit, _RESCORED)
        if sums.stale:
            owners = self._every(kind, subject, space, (first, last))
        else:
            owners = closest_by_bits(reader, sums, query, (first, last), most)
        if kind == "passage":
            owners = [id for (id,) in read_all(reader, _SEARCHED, (json.dumps(owners),))]
        scores = self.scores(kind, subject, query, owners)
        return sorted(scores.items(), key=lambda pair: (-pair[1], -pair[0]))[:limit]

    def _every(self, kind: VectorKind, subject: str, space: Space, days: tuple[int, int]) -> list[int]:
        """The newest owners of those days: compared one by one from a forgotten vector to the next one put."""
        found = read_all(
            self._store.reader(),
            "SELECT owner FROM vectors WHERE kind = ? AND model = ? AND subject = ? AND day BETWEEN ? AND ?"
            " ORDER BY owner DESC LIMIT ?",
            (kind, space.model, subject, *days, _COMPARED),
        )
        return [owner for (owner,) in found]

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
        sums = sum_of(reader, kind, subject, self._space)
        return mean_of(reader, self._space, sums) if sums else None

    def mend(self) -> None:
        """Take anew the bits that were dropped with a forgotten vector, where no other was put since."""
        space = self._space
        if space is None:
            return
        stale = "SELECT kind, subject FROM vector_models WHERE model = ? AND stale = 1"
        if read_all(self._store.reader(), stale, (space.model,)):
            with self._store.atomic() as connection:
                for kind, subject in read_all(connection, stale, (space.model,)):
                    recentre(connection, space, kind, subject)

    def rebuild(self) -> None:
        """Take sums and bits anew from the kept vectors, for every kind and subject of the space in use."""
        space = self._space
        if space is None:
            return
        with self._store.atomic() as connection:
            groups = read_all(
                connection, "SELECT DISTINCT kind, subject FROM vector_models WHERE model = ?", (space.model,)
            )
            for kind, subject in groups:
                recentre(connection, space, kind, subject)


_SEARCHED = "SELECT p.id FROM json_each(?) o CROSS JOIN passages p WHERE p.id = o.value AND p.current = 1"


def _keep(
    connection: apsw.Connection,
    model: str,
    kind: str,
    subject: str,
    placed: Sequence[Placed],
    rows: npt.NDArray[np.float32],
) -> None:
    """Write vectors over whatever the owners had in that model."""
    owners = [(kind, model, place.owner) for place in placed]
    connection.executemany("DELETE FROM vectors WHERE kind = ? AND model = ? AND owner = ?", owners)
    connection.executemany(
        "INSERT INTO vectors VALUES (?, ?, ?, ?, ?, ?)",
        [
            (kind, place.owner, model, subject, place.day, row.astype("<f4").tobytes())
            for place, row in zip(placed, rows, strict=True)
        ],
    )


_SOURCES: dict[VectorKind, str] = {
    "episode": "o.owner FROM (SELECT episode AS owner FROM episode_facts WHERE recallable = 1) o WHERE 1",
    "passage": "o.owner FROM (SELECT id AS owner FROM passages WHERE current = 1) o WHERE 1",
    "concept": "o.owner FROM (SELECT row AS owner FROM concepts) o WHERE 1",
}
_HOMES: dict[VectorKind, str] = {
    "episode": "SELECT e.row, e.subject, e.day FROM json_each(?) o CROSS JOIN episodes e ON e.row = o.value"
    " CROSS JOIN episode_facts f ON f.episode = e.row WHERE f.recallable = 1",
    "passage": "SELECT p.id, p.subject, 0 FROM json_each(?) o CROSS JOIN passages p WHERE p.id = o.value",
    "concept": "SELECT c.row, c.subject, 0 FROM json_each(?) o CROSS JOIN concepts c WHERE c.row = o.value",
}


def _texts(reader: apsw.Connection, kind: VectorKind, owners: list[int]) -> dict[int, str]:
    listed = (json.dumps(owners),)
    if kind == "episode":
        found = read_all(
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
            for row, heading, text in read_all(
                reader,
                "SELECT p.id, p.heading, p.text FROM json_each(?) o CROSS JOIN passages p"
                " WHERE p.id = o.value AND p.current = 1",
                listed,
            )
        }
    return {
        row: f"{name}: {summary}" if summary else name
        for row, name, summary in read_all(
            reader,
            "SELECT c.row, c.name, c.summary FROM json_each(?) o CROSS JOIN concepts c WHERE c.row = o.value",
            listed,
        )
    }
