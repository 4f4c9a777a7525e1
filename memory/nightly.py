"""The nightly cycle: eight steps of upkeep, in this order, without any model.

Back up, verify a batch of citations, condense finished days, decay, calibrate, rebuild the working set, recompose the
self-model, write checkpoints. Each step's result and the fact that it is done are one transaction, so that a killed
cycle goes on where it stopped and ends as if it had never been killed. The night belongs to the local day before
``now``: a clock set back, or a second launch on the same day, finds it done.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from memory.beliefs import Beliefs, Ids
from memory.calibration import calibrate, predictions
from memory.cited_files import CitedFiles
from memory.condense import Condenser
from memory.episodes import SubjectId
from memory.ledger import Ledger
from memory.moments import Moment, day_from_number, day_number
from memory.review import Review
from memory.self_model import SelfModel, SelfModels
from memory.store import Store
from memory.working_set import WorkingSets

DAYS_A_NIGHT = 60  # missed days condensed in one night, oldest first
Backup = Callable[[], object]
Checkpoint = Callable[[SubjectId], object]


@dataclass(frozen=True, slots=True)
class Night:
    """What one cycle did: nothing when it had been done already (``ran`` is False). ``waiting``: days left for later.

    ``verified`` and ``calibration`` are what the subject looks like now: ``{holds, changed, unverifiable, looked}``
    and ``{n, ece, brier, calibrated, limits, bands}``.
    """

    subject: SubjectId
    day: date
    ran: bool
    consolidated: int
    waiting: int
    decayed: int
    verified: dict[str, int]
    calibration: dict[str, Any]


class NightlyCycle:
    """Runs the cycle of one subject."""

    def __init__(
        self,
        store: Store,
        ledger: Ledger,
        beliefs: Beliefs,
        files: CitedFiles,
        review: Review,
        backup: Backup,
        checkpoint: Checkpoint,
    ) -> None:
        """``backup`` and ``checkpoint`` write outside the database, and may be called again after a kill."""
        self._store = store
        self._ledger = ledger
        self._beliefs = beliefs
        self._files = files
        self._backup = backup
        self._checkpoint = checkpoint
        self._condenser = Condenser(store, ledger)
        self._working_sets = WorkingSets(store, beliefs, review)
        self._self_models = SelfModels(store)
        self._steps: tuple[Callable[[_Run], None], ...] = (
            self._back_up,
            self._verify,
            self._condense,
            self._decay,
            self._calibrate,
            self._rebuild_working_set,
            self._recompose_self_model,
            self._write_checkpoint,
        )

    def missed(self, subject: SubjectId, now: Moment) -> list[date]:
        """Active local days before today that no cycle has condensed, oldest first."""
        return self._condenser.waiting(subject, _night_of(now))

    def is_due(self, subject: SubjectId, now: Moment) -> bool:
        """Whether tonight's cycle is still to be run: not finished, and something has happened or is due."""
        done = self._journal(subject, _night_of(now))
        if done is not None and done[1]:
            return False
        seen: int | None = (
            self._store.reader()
            .execute(
                "SELECT max(result ->> '$.seq') FROM nights WHERE subject = ? AND finished_at IS NOT NULL", (subject,)
            )
            .get
        )
        head = self._ledger.head(subject).seq
        return head > (seen or 0) or bool(self.missed(subject, now)) or self._beliefs.decay_is_due(subject, now.at)

    def run(self, subject: SubjectId, now: Moment, ids: Ids, *, force: bool = False) -> Night:
        """Run tonight's cycle, or what a killed one left of it; once finished, only ``force`` runs it again."""
        night = _night_of(now)
        journal = self._journal(subject, night)
        if journal is None or (force and journal[1]):
            self._begin(subject, night, now)
            journal = (0, False, {})
        step, finished, result = journal
        run = _Run(self._store, subject, night, now, ids, step, result)
        if not finished:
            for number, work in enumerate(self._steps, 1):
                if number > step:
                    work(run)
            run.finish(self._ledger.head(subject).seq)
        return Night(
            subject=subject,
            day=night,
            ran=not finished,
            consolidated=0 if finished else result["consolidated"],
            waiting=result["waiting"],
            decayed=0 if finished else result["decayed"],
            verified=result["verified"],
            calibration=result["calibration"],
        )

    def rebuild(self, subject: SubjectId, now: Moment) -> None:
        """Make anew what nights have derived and kept: which days are condensed, the working set, the self-model.

        The last two only where a night has been; they say what is true ``now``.
        """
        with self._store.atomic():
            self._condenser.rebuild(subject)
            if self._nights(subject):
                self._working_sets.keep(subject, self._working_sets.build(subject, now), now.at)
                self._self_models.keep(subject, self._composed(subject, now))

    def _back_up(self, run: _Run) -> None:
        self._backup()
        with self._store.atomic():
            run.done(1)

    def _verify(self, run: _Run) -> None:
        looked = self._files.look(run.subject, run.now.at)
        with self._store.atomic():
            self._files.keep(looked)
            totals = self._files.totals(run.subject)
            run.result["verified"] = {
                "holds": totals.holds,
                "changed": totals.changed,
                "unverifiable": totals.unverifiable,
                "looked": len(looked),
            }
            run.done(2)

    def _condense(self, run: _Run) -> None:
        days = self._condenser.waiting(run.subject, run.night)
        run.result.setdefault("consolidated", 0)
        run.result.setdefault("condensed_days", 0)
        for day in days[: DAYS_A_NIGHT - run.result["condensed_days"]]:
            with self._store.atomic():
                note = self._condenser.condense(run.subject, day, run.ids, run.now.at)
                run.result["condensed_days"] += 1
                run.result["consolidated"] += note is not None
                run.done(2)
        with self._store.atomic():
            run.result["waiting"] = len(self._condenser.waiting(run.subject, run.night))
            run.done(3)

    def _decay(self, run: _Run) -> None:
        with self._store.atomic():
            changes = self._beliefs.decay(run.subject, run.now.at, run.ids, run.now.at)
            run.result["decayed"] = len(changes)
            run.done(4)

    def _calibrate(self, run: _Run) -> None:
        with self._store.atomic():
            found = calibrate(predictions(self._store, run.subject))
            run.result["calibration"] = {
                "n": found.count,
                "ece": found.ece,
                "brier": found.brier,
                "calibrated": found.calibrated,
                "limits": list(found.limits),
                "bands": [asdict(band) for band in found.bands],
            }
            run.done(5)

    def _rebuild_working_set(self, run: _Run) -> None:
        with self._store.atomic():
            self._working_sets.keep(run.subject, self._working_sets.build(run.subject, run.now), run.now.at)
            run.done(6)

    def _recompose_self_model(self, run: _Run) -> None:
        with self._store.atomic():
            self._self_models.keep(run.subject, self._composed(run.subject, run.now))
            run.done(7)

    def _composed(self, subject: SubjectId, now: Moment) -> SelfModel:
        calibration = calibrate(predictions(self._store, subject))
        return self._self_models.compose(subject, calibration, self._files.totals(subject), now.at)

    def _nights(self, subject: SubjectId) -> int:
        """How many nights the journal knows of."""
        found: Any = self._store.reader().execute("SELECT count(*) FROM nights WHERE subject = ?", (subject,)).get
        return int(found)

    def _write_checkpoint(self, run: _Run) -> None:
        self._checkpoint(run.subject)
        with self._store.atomic():
            run.done(8)

    def _begin(self, subject: SubjectId, night: date, now: Moment) -> None:
        with self._store.atomic() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO nights VALUES (?, ?, 0, ?, NULL, '{}')", (subject, day_number(night), now.at)
            )

    def _journal(self, subject: SubjectId, night: date) -> tuple[int, bool, dict[str, Any]] | None:
        """How far the cycle of a night came: steps done, whether finished, results so far."""
        row: Any = (
            self._store.reader()
            .execute(
                "SELECT step, finished_at IS NOT NULL, result FROM nights WHERE subject = ? AND night = ?",
                (subject, day_number(night)),
            )
            .fetchone()
        )
        return (row[0], bool(row[1]), json.loads(row[2])) if row else None


@dataclass(slots=True)
class _Run:
    """One cycle under way, and its journal."""

    store: Store
    subject: SubjectId
    night: date
    now: Moment
    ids: Ids
    step: int
    result: dict[str, Any]

    def done(self, step: int) -> None:
        """Note, in the transaction under way, that a step is done and what it found."""
        with self.store.atomic() as connection:
            connection.execute(
                "UPDATE nights SET step = ?, result = ? WHERE subject = ? AND night = ?",
                (step, json.dumps(self.result, sort_keys=True), self.subject, day_number(self.night)),
            )

    def finish(self, seq: int) -> None:
        """The cycle is over for this night; it saw the chain up to ``seq``."""
        self.result["seq"] = seq
        with self.store.atomic() as connection:
            connection.execute(
                "UPDATE nights SET finished_at = ?, result = ? WHERE subject = ? AND night = ?",
                (self.now.at, json.dumps(self.result, sort_keys=True), self.subject, day_number(self.night)),
            )


def _night_of(now: Moment) -> date:
    """The last local day that is over."""
    return day_from_number(day_number(now.day) - 1)
