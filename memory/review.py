"""Review: when a concept is due again, from its recorded checks, by FSRS.

The schedule is a function of the checks: nothing is stored, fuzzing is off, and the steps of minutes that a card
program uses are left out, because a check is asked once a day at most. The wanted retention is FSRS's default, 0.9.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from fsrs import Card, Rating, Scheduler

from memory.episodes import ConceptId, SubjectId, Verdict
from memory.moments import Moment
from memory.store import Store

DAILY_CAP = 20  # concepts offered a day, those already checked that day counted in
_RATINGS = {Verdict.RIGHT: Rating.Good, Verdict.PARTLY: Rating.Hard, Verdict.WRONG: Rating.Again}
_ORIGIN = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Due:
    """When a concept should be checked next, and when it was last; ``retrievability`` is FSRS's, in [0, 1], now."""

    concept: ConceptId
    name: str
    at: Moment
    last_check: Moment
    checks: int
    retrievability: float


class Review:
    """The schedule of reviews of a subject."""

    def __init__(self, store: Store, cap: int = DAILY_CAP) -> None:
        self._store = store
        self._cap = cap
        self._scheduler = Scheduler(enable_fuzzing=False, learning_steps=(), relearning_steps=())

    def schedule(self, subject: SubjectId, now: Moment) -> list[Due]:
        """Every checked concept, the soonest due first."""
        rows: list[Any] = self._rows(subject)
        return sorted(
            (self._next(list(checks), now) for _, checks in groupby(rows, key=lambda row: row[0])),
            key=lambda due: (due.at.at, due.last_check.at),
        )

    def due(self, subject: SubjectId, now: Moment) -> list[Due]:
        """The concepts due on the local day of ``now``, at most the daily cap less those checked today already."""
        schedule = self.schedule(subject, now)
        room = self._cap - sum(each.last_check.day == now.day for each in schedule)
        return [each for each in schedule if each.at.day <= now.day][: max(room, 0)]

    def _next(self, checks: list[Any], now: Moment) -> Due:
        """Feed one concept's checks to FSRS. An earlier date after a later one counts as the same instant."""
        concept, name = checks[0][0], checks[0][1]
        last = Moment(checks[-1][3], checks[-1][4], checks[-1][5])
        card = Card(card_id=1, due=_ORIGIN)
        for _, _, verdict, at, _, _ in checks:
            card, _ = self._scheduler.review_card(card, _RATINGS[Verdict(verdict)], Moment(at).local.astimezone(UTC))
        today = max(Moment(now.at), Moment(last.at), key=lambda moment: moment.at)
        return Due(
            concept=ConceptId(concept),
            name=name,
            at=Moment(Moment.from_datetime(card.due).at, last.offset, last.zone),
            last_check=last,
            checks=len(checks),
            retrievability=self._scheduler.get_card_retrievability(card, today.local.astimezone(UTC)),
        )

    def _rows(self, subject: SubjectId) -> list[Any]:
        """(concept, name, verdict, at, offset, zone) of the checks that count, concept by concept, oldest first."""
        return (
            self._store.reader()
            .execute(
                "SELECT j.concept, c.name, j.verdict, j.at, j.offset, j.zone FROM judged_checks j"
                " JOIN concepts c ON c.id = j.concept"
                " WHERE j.subject = ? AND j.verdict IS NOT NULL ORDER BY c.row, j.at, j.seq",
                (subject,),
            )
            .fetchall()
        )
