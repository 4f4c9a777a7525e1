"""The working set: what a greeting needs, ready before the student comes back. Ids and counts only."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from memory.beliefs import Beliefs
from memory.episodes import ConceptId, SubjectId
from memory.mastery import Claim
from memory.moments import Moment
from memory.review import Review
from memory.store import Store

HUBS = 5
EXPLAINED_FROM = 0.60  # maturity of a concept that a file explains


@dataclass(frozen=True, slots=True)
class WorkingSet:
    """Open weak beliefs, beliefs to confirm, what is due, unexplained hubs (concept ids), and the last session.

    ``last_day`` is the ISO date of the last day with a question, check, quiz or taught note, ``last_concepts`` what
    it touched.
    """

    weak: tuple[ConceptId, ...]
    confirm: tuple[ConceptId, ...]
    due: tuple[ConceptId, ...]
    hubs: tuple[ConceptId, ...]
    last_day: str | None
    last_episodes: int
    last_concepts: tuple[ConceptId, ...]


class WorkingSets:
    """The working set of each subject, as last rebuilt."""

    def __init__(self, store: Store, beliefs: Beliefs, review: Review) -> None:
        self._store = store
        self._beliefs = beliefs
        self._review = review

    def build(self, subject: SubjectId, now: Moment) -> WorkingSet:
        """Gather the set; writes nothing."""
        held = self._beliefs.current(subject)
        day, count = self._last_session(subject)
        return WorkingSet(
            weak=tuple(belief.concept for belief in held if belief.claim is Claim.WEAK),
            confirm=tuple(belief.concept for belief in held if belief.confirm),
            due=tuple(due.concept for due in self._review.due(subject, now)),
            hubs=self._hubs(subject),
            last_day=day,
            last_episodes=count,
            last_concepts=self._touched(subject, day),
        )

    def keep(self, subject: SubjectId, found: WorkingSet, now: int) -> None:
        """Keep the set in place of the one before."""
        with self._store.atomic() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO working_sets VALUES (?, ?, ?)",
                (subject, now, json.dumps(asdict(found), sort_keys=True)),
            )

    def get(self, subject: SubjectId) -> WorkingSet | None:
        """The set last kept, or None before the first night."""
        found = self._store.reader().execute("SELECT body FROM working_sets WHERE subject = ?", (subject,))
        row: Any = found.fetchone()
        if row is None:
            return None
        body: dict[str, Any] = json.loads(row[0])
        for key in ("weak", "confirm", "due", "hubs", "last_concepts"):
            body[key] = tuple(body[key])
        return WorkingSet(**body)

    def _hubs(self, subject: SubjectId) -> tuple[ConceptId, ...]:
        """Concepts that much builds on (centrality above the mean) and no file explains, the most central first."""
        found: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT id FROM concepts c WHERE subject = ?1 AND NOT hidden AND maturity < ?2 AND centrality >"
                " (SELECT avg(centrality) FROM concepts WHERE subject = ?1 AND NOT hidden)"
                " ORDER BY centrality DESC, row LIMIT ?3",
                (subject, EXPLAINED_FROM, HUBS),
            )
            .fetchall()
        )
        return tuple(ConceptId(id) for (id,) in found)

    def _last_session(self, subject: SubjectId) -> tuple[str | None, int]:
        row: Any = (
            self._store.reader()
            .execute(
                "SELECT date(day * 86400, 'unixepoch'), count(*) FROM episodes WHERE subject = ?"
                " AND kind IN ('question', 'check', 'quiz', 'taught') GROUP BY day ORDER BY day DESC LIMIT 1",
                (subject,),
            )
            .fetchone()
        )
        return (row[0], row[1]) if row else (None, 0)

    def _touched(self, subject: SubjectId, day: str | None) -> tuple[ConceptId, ...]:
        found: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT c.id FROM episodes e JOIN episode_concepts t ON t.episode = e.row"
                " JOIN concepts c ON c.id = t.concept WHERE e.subject = ? AND e.day = unixepoch(?) / 86400"
                " AND e.kind IN ('question', 'check', 'quiz', 'taught')"
                " GROUP BY c.id ORDER BY count(*) DESC, c.row",
                (subject, day),
            )
            .fetchall()
        )
        return tuple(ConceptId(id) for (id,) in found)
