"""Belief rows: the one place where beliefs become rows of ``beliefs`` and ``belief_episodes``, and rows beliefs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

from memory.belief_rules import Belief, Held, Reason
from memory.episodes import ConceptId, EpisodeId, SubjectId
from memory.mastery import Claim
from memory.moments import Moment
from memory.rows import placeholders

_COLUMNS = (
    "b.row, b.id, b.subject, b.concept, c.name, b.claim, b.confidence, b.mastery, b.valid_from, b.valid_offset,"
    " b.known_since, b.reason, b.confirm, b.place, b.superseded_by"
)
_TABLES = "beliefs b JOIN concepts c ON c.id = b.concept"


def read_beliefs(connection: apsw.Connection, where: str, bound: Sequence[Any], order: str) -> list[Belief]:
    """The rows (``b``, with their concept ``c``) for which ``where`` holds, each with its episodes, oldest first."""
    episodes: dict[str, list[EpisodeId]] = {}
    links: list[Any] = connection.execute(
        "SELECT x.belief, x.episode FROM belief_episodes x JOIN episodes e ON e.id = x.episode"
        f" WHERE x.belief IN (SELECT b.id FROM {_TABLES} WHERE {where}) ORDER BY e.at, e.seq",
        bound,
    ).fetchall()
    for belief, episode in links:
        episodes.setdefault(belief, []).append(EpisodeId(episode))
    rows = connection.execute(f"SELECT {_COLUMNS} FROM {_TABLES} WHERE {where} ORDER BY {order}", bound)
    return [_belief(row, tuple(episodes.get(str(row[1]), ()))) for row in rows]


def beliefs_by_id(connection: apsw.Connection, ids: Sequence[str]) -> list[Belief]:
    """Those beliefs, in the order written."""
    found: list[Belief] = []
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        found += read_beliefs(connection, f"b.id IN ({placeholders(part)})", part, "b.row")
    return found


def write_beliefs(
    connection: apsw.Connection,
    whose: tuple[SubjectId, ConceptId],
    before: Belief | None,
    place: int,
    sequence: Sequence[Held],
    reasons: Sequence[Reason],
    names: Sequence[str],
    now: int,
) -> None:
    """Write rows under the given ids and for these reasons from ``place`` on, each the successor of the one before."""
    subject, concept = whose
    if before is not None:
        connection.execute("UPDATE beliefs SET superseded_by = ? WHERE id = ?", (names[0], before.id))
    for index, held in enumerate(sequence):
        connection.execute(
            "INSERT INTO beliefs (id, subject, concept, claim, confidence, mastery, valid_from, valid_offset,"
            " known_since, reason, confirm, place, superseded_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                names[index],
                subject,
                concept,
                held.claim.value,
                held.confidence,
                held.mastery,
                held.valid_from.at,
                held.valid_from.offset,
                now,
                reasons[index].value,
                int(held.confirm),
                place + index,
                names[index + 1] if index + 1 < len(names) else None,
            ),
        )
        connection.executemany(
            "INSERT INTO belief_episodes VALUES (?, ?)", [(names[index], each) for each in held.episodes]
        )


def _belief(row: tuple[Any, ...], episodes: tuple[EpisodeId, ...]) -> Belief:
    number, id, subject, concept, name, claim, confidence, mastery, at, offset, known, reason, confirm, place, by = row
    return Belief(
        row=number,
        id=id,
        subject=SubjectId(subject),
        concept=ConceptId(concept),
        name=name,
        claim=Claim(claim),
        confidence=confidence,
        mastery=mastery,
        valid_from=Moment(at, offset),
        known_since=known,
        reason=Reason(reason),
        confirm=bool(confirm),
        place=place,
        superseded_by=by,
        episodes=episodes,
    )
