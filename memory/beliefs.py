"""What is held about the student, concept by concept, with its whole history.

A belief row never changes: a change of mind is a new row, and the old one points to it. Rows are never computed
twice in two ways: :func:`memory.belief_rules.derive` says what follows from a concept's checks, and this module
writes the part that is not written yet, or no longer follows. Which concept a check is evidence about is kept in
``check_concepts``, a derived table: a check routed when it was written carries ``extra.routed`` and the concept's
canonical key as the first of its chained concepts; re-deriving routes every check anew and touches no episode.

A contest's own verdict stands in place of the check's; a contest without one sets the check aside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any

import apsw

from memory.belief_rows import beliefs_by_id, read_beliefs, write_beliefs
from memory.belief_rules import (
    DECAY_DAYS,
    DECAY_KEEPS,
    DECAY_STOPS_BELOW,
    Belief,
    BeliefChange,
    Counted,
    Held,
    Reason,
    derive,
    follows,
    standing,
    unbroken_since,
)
from memory.episodes import ConceptId, Episode, EpisodeId, Origin, SubjectId, Verdict
from memory.mastery import Claim, FirstChecks, chance_of_right, first_chance, outcome
from memory.moments import MICROSECONDS_PER_DAY, Moment
from memory.store import Store

Ids = Callable[[], str]
_CURRENT = "b.superseded_by IS NULL AND b.claim <> 'withdrawn'"
_ROUTED = (
    "SELECT e.row, coalesce((SELECT c.id FROM concepts c"
    "   WHERE c.subject = e.subject AND c.key = e.meta ->> '$.concepts[0]'),"
    "  (SELECT n.concept FROM concept_names n JOIN concepts c ON c.id = n.concept"
    "   WHERE n.subject = e.subject AND n.key = e.meta ->> '$.concepts[0]'"
    "   ORDER BY n.alias, c.row LIMIT 1)) AS named"
    " FROM episodes e WHERE e.subject = ? AND e.kind = 'check' AND e.meta ->> '$.extra.routed'"
    " AND named IS NOT NULL"
)


class Beliefs:
    """Reads and writes what is held about the student."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def current(self, subject: SubjectId) -> list[Belief]:
        """The beliefs held now, one a concept at most, the latest evidence first."""
        return read_beliefs(
            self._store.reader(), f"b.subject = ? AND {_CURRENT}", (subject,), "b.valid_from DESC, c.key"
        )

    def current_of(self, concept: ConceptId) -> Belief | None:
        """The belief held now on a concept, or None."""
        found = read_beliefs(self._store.reader(), f"b.concept = ? AND {_CURRENT}", (concept,), "b.row")
        return found[0] if found else None

    def get(self, belief: str) -> Belief | None:
        """The row of that id, or None."""
        found = read_beliefs(self._store.reader(), "b.id = ?", (belief,), "b.row")
        return found[0] if found else None

    def history(self, subject: SubjectId, concept: ConceptId | None = None) -> list[Belief]:
        """Every row ever written, concept by concept, each chain in its order."""
        if concept is not None:
            return read_beliefs(self._store.reader(), "b.concept = ?", (concept,), "b.row")
        return read_beliefs(self._store.reader(), "b.subject = ?", (subject,), "c.row, b.row")

    def as_of(self, subject: SubjectId, day: date) -> list[Belief]:
        """What was true of the student at the end of a local day, with what is known today."""
        return _held(self.history(subject), lambda row: row.valid_from.day <= day)

    def known_as_of(self, subject: SubjectId, when: int) -> list[Belief]:
        """What the tutor held at an instant (UTC µs), right or wrong."""
        return _held([row for row in self.history(subject) if row.known_since <= when], lambda row: True)

    def since(self, belief: Belief) -> Moment:
        """Since when the claim held now has been true of the student without a break."""
        return unbroken_since(self.history(belief.subject, belief.concept))

    def prediction(self, subject: SubjectId, concept: ConceptId | None) -> float:
        """The probability in (0, 1) that a check now asked on the concept is answered right."""
        held = self.current_of(concept) if concept else None
        return chance_of_right(held.mastery) if held else first_chance(self._first_checks(subject))

    def concept_of(self, check: EpisodeId) -> ConceptId | None:
        """The concept that a check is evidence about, or None: it is evidence about none."""
        row = (
            self._store.reader()
            .execute(
                "SELECT l.concept FROM check_concepts l JOIN episodes e ON e.row = l.episode WHERE e.id = ?", (check,)
            )
            .fetchone()
        )
        return ConceptId(row[0]) if row else None

    def checks_of(self, concept: ConceptId) -> list[Counted]:
        """The checks that count for a concept, by (moment, seq)."""
        return _counted(self._store.reader(), concept)

    def record_check(self, check: Episode, concept: ConceptId, ids: Ids, now: int) -> BeliefChange | None:
        """Take a check as evidence about a concept. None when it changes nothing (no verdict).

        A check dated before others of its concept is put in its place, and what no longer follows is superseded.
        """
        with self._store.atomic() as connection:
            connection.execute("INSERT OR REPLACE INTO check_concepts VALUES (?, ?)", (check.row, concept))
            return self._settle(connection, check.subject, concept, check.moment.at, Reason.CHECK, ids, now)

    def reconsider(self, check: EpisodeId, reason: Reason, ids: Ids, now: int) -> BeliefChange | None:
        """Settle the belief behind a check whose verdict was contested."""
        concept = self.concept_of(check)
        if concept is None:
            return None
        with self._store.atomic() as connection:
            subject: Any = connection.execute("SELECT subject FROM concepts WHERE id = ?", (concept,)).get
            return self._settle(connection, SubjectId(subject), concept, 0, reason, ids, now)

    def decay(self, subject: SubjectId, until: int, ids: Ids, now: int) -> list[BeliefChange]:
        """Write the decay rows due by ``until`` (UTC µs). Doing it twice writes nothing twice."""
        changes = []
        with self._store.atomic() as connection:
            for concept in self._decaying(subject, until):
                change = self._settle(connection, subject, concept, until, Reason.DECAY, ids, now)
                if change is not None:
                    changes.append(change)
        return changes

    def decay_is_due(self, subject: SubjectId, until: int) -> bool:
        """Whether a decay row would be dated at or before ``until`` (UTC µs) and is not written."""
        return bool(self._decaying(subject, until))

    def replay(
        self,
        subject: SubjectId,
        concepts: Iterable[ConceptId] | None,
        ids: Ids,
        now: int,
        reason: Reason = Reason.IMPORT,
    ) -> list[BeliefChange]:
        """Settle the beliefs of some concepts (None: of all with checks) from their recorded checks.

        Checks that were routed when written and are not linked yet are linked first. Rows that still follow stay.
        """
        with self._store.atomic() as connection:
            connection.execute(f"INSERT OR IGNORE INTO check_concepts {_ROUTED}", (subject,))
            wanted = _with_checks(connection, subject) if concepts is None else list(dict.fromkeys(concepts))
            settled = [self._settle(connection, subject, concept, 0, reason, ids, now) for concept in wanted]
        return [change for change in settled if change is not None]

    def routed_when_written(self, subject: SubjectId) -> dict[int, ConceptId]:
        """Episode row → concept, for checks that chain the concept they were routed to."""
        found: list[Any] = self._store.reader().execute(_ROUTED, (subject,)).fetchall()
        return {row: ConceptId(concept) for row, concept in found}

    def rederive(self, subject: SubjectId, routes: Mapping[int, ConceptId], ids: Ids, now: int) -> list[BeliefChange]:
        """Withdraw what is held and replay the recorded checks by today's routes (episode row → concept)."""
        with self._store.atomic() as connection:
            for belief in self.current(subject):
                whose = (subject, belief.concept)
                self._write(connection, whose, belief, 0, [_withdrawn(belief)], Reason.REDERIVED, ids, now)
            connection.execute(
                "DELETE FROM check_concepts WHERE episode IN"
                " (SELECT row FROM episodes WHERE subject = ? AND kind = 'check')",
                (subject,),
            )
            connection.executemany("INSERT INTO check_concepts VALUES (?, ?)", sorted(routes.items()))
            touched = _with_checks(connection, subject)
            settled = [self._settle(connection, subject, each, now, Reason.REDERIVED, ids, now) for each in touched]
        return [change for change in settled if change is not None]

    def merge(self, subject: SubjectId, gone: ConceptId, kept: ConceptId, ids: Ids, now: int) -> list[BeliefChange]:
        """Let the checks of one concept count for another: two nodes were found to be one."""
        with self._store.atomic() as connection:
            connection.execute("UPDATE check_concepts SET concept = ? WHERE concept = ?", (kept, gone))
            settled = [self._settle(connection, subject, each, 0, Reason.MERGE, ids, now) for each in (gone, kept)]
        return [change for change in settled if change is not None]

    def _decaying(self, subject: SubjectId, until: int) -> list[ConceptId]:
        """Concepts whose belief has been left alone for 45 days and still has confidence to lose."""
        found: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT b.concept FROM beliefs b JOIN concepts c ON c.id = b.concept"
                f" WHERE b.subject = ? AND {_CURRENT} AND b.valid_from <= ? AND b.confidence * ? >= ? ORDER BY c.row",
                (subject, until - DECAY_DAYS * MICROSECONDS_PER_DAY, DECAY_KEEPS, DECAY_STOPS_BELOW),
            )
            .fetchall()
        )
        return [ConceptId(concept) for (concept,) in found]

    def _settle(
        self,
        connection: apsw.Connection,
        subject: SubjectId,
        concept: ConceptId,
        until: int,
        reason: Reason,
        ids: Ids,
        now: int,
    ) -> BeliefChange | None:
        """Write what follows from the concept's checks and is not written, in place of what no longer follows."""
        rows = self.history(subject, concept)
        kept = [row for row in standing(rows) if row.claim is not Claim.WITHDRAWN]
        if kept:
            until = max(until, kept[-1].valid_from.at)  # a clock set back takes no decay away
        sequence = derive(_counted(connection, concept), until)
        same = 0
        while same < min(len(kept), len(sequence)) and follows(kept[same], sequence[same]):
            same += 1
        before = rows[-1] if rows else None
        if same == len(sequence) == len(kept):
            return None
        if same == len(sequence):  # nothing new: the row before the first that no longer follows is stated again
            assert before is not None
            again = sequence[same - 1 :] if same else [_withdrawn(before)]
            return self._write(connection, (subject, concept), before, max(same - 1, 0), again, reason, ids, now)
        return self._write(connection, (subject, concept), before, same, sequence[same:], reason, ids, now)

    def _write(
        self,
        connection: apsw.Connection,
        whose: tuple[SubjectId, ConceptId],
        before: Belief | None,
        place: int,
        sequence: Sequence[Held],
        reason: Reason,
        ids: Ids,
        now: int,
    ) -> BeliefChange:
        """Write rows in order from ``place`` on, each the successor of the one before."""
        names = [ids() for _ in sequence]
        reasons = [_reason(connection, held, reason) for held in sequence]
        write_beliefs(connection, whose, before, place, sequence, reasons, names, now)
        return BeliefChange(whose[1], before, tuple(beliefs_by_id(connection, names)))

    def _first_checks(self, subject: SubjectId) -> FirstChecks:
        """How the student's first check of each concept went."""
        seen: set[str] = set()
        score = 0.0
        for verdict, concept in self._store.reader().execute(
            "SELECT verdict, concept FROM judged_checks"
            " WHERE subject = ? AND concept IS NOT NULL AND verdict IS NOT NULL ORDER BY at, seq",
            (subject,),
        ):
            if concept not in seen:
                seen.add(concept)
                score += outcome(Verdict(verdict))
        return FirstChecks(len(seen), score)


def _held(history: Sequence[Belief], wanted: Callable[[Belief], bool]) -> list[Belief]:
    """Per concept the last standing row that is wanted; what was withdrawn is not held."""
    held = []
    for _, chain in groupby(history, key=lambda row: row.concept):
        rows = [row for row in standing(chain) if wanted(row)]
        if rows and rows[-1].claim is not Claim.WITHDRAWN:
            held.append(rows[-1])
    return held


def _reason(connection: apsw.Connection, held: Held, reason: Reason) -> Reason:
    """Why a row is written: of one that a check brought, whether that check was answered here or imported."""
    if held.decay:
        return Reason.DECAY
    if reason not in (Reason.CHECK, Reason.IMPORT) or held.claim is Claim.WITHDRAWN:
        return reason
    origin: Any = connection.execute("SELECT origin FROM episodes WHERE id = ?", (held.episodes[-1],)).get
    return Reason.IMPORT if origin == Origin.IMPORTED.value else Reason.CHECK


def _withdrawn(belief: Belief) -> Held:
    return Held(
        claim=Claim.WITHDRAWN,
        confidence=0.0,
        mastery=belief.mastery,
        valid_from=belief.valid_from,
        decay=False,
        confirm=False,
        episodes=belief.episodes,
    )


def _counted(connection: apsw.Connection, concept: ConceptId) -> list[Counted]:
    found = connection.execute(
        "SELECT id, at, offset, zone, verdict FROM judged_checks"
        " WHERE concept = ? AND verdict IS NOT NULL ORDER BY at, seq",
        (concept,),
    )
    return [
        Counted(EpisodeId(id), Moment(at, offset, zone), Verdict(verdict)) for id, at, offset, zone, verdict in found
    ]


def _with_checks(connection: apsw.Connection, subject: SubjectId) -> list[ConceptId]:
    """Concepts with checks or with a chain, in the map's order."""
    found = connection.execute(
        "SELECT id FROM concepts c WHERE subject = ? AND (EXISTS (SELECT 1 FROM check_concepts WHERE concept = c.id)"
        " OR EXISTS (SELECT 1 FROM beliefs WHERE concept = c.id)) ORDER BY row",
        (subject,),
    )
    return [ConceptId(id) for (id,) in found]
