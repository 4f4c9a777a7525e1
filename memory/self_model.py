"""The self-model: what the tutor knows about its own reliability, recomposed every night, in numbers and codes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from memory.calibration import Calibration
from memory.cited_files import Verification
from memory.episodes import SubjectId
from memory.store import Store


@dataclass(frozen=True, slots=True)
class SelfModel:
    """Made at ``made_at`` (UTC µs). ``limits`` are codes: those of calibration, and ``no_checks``,
    ``unlinked_checks``, ``no_belief``, ``changed_files``, ``unexplained_concepts``.
    """

    made_at: int
    episodes: int
    active_days: int
    checks: int
    unlinked_checks: int
    beliefs: dict[str, int]
    to_confirm: int
    predictions: int
    calibrated: bool
    ece: float | None
    citations_hold: int
    citations_changed: int
    concepts: int
    explained: int
    limits: tuple[str, ...]


class SelfModels:
    """The self-model of each subject, as last composed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def compose(self, subject: SubjectId, calibration: Calibration, verification: Verification, now: int) -> SelfModel:
        """Count what there is; writes nothing."""
        reader = self._store.reader()
        episodes, days = self._row(
            "SELECT count(*), count(DISTINCT day) FROM episodes WHERE subject = ?"
            " AND kind IN ('question', 'answer', 'check', 'quiz', 'taught', 'file')",
            subject,
        )
        checks, unlinked = self._row(
            "SELECT count(*), coalesce(sum(l.episode IS NULL), 0) FROM episodes e"
            " LEFT JOIN check_concepts l ON l.episode = e.row"
            " WHERE e.subject = ? AND e.kind = 'check' AND e.verdict IS NOT NULL",
            subject,
        )
        concepts, explained = self._row(
            "SELECT count(*), coalesce(sum(EXISTS (SELECT 1 FROM concept_places p WHERE p.concept = c.id)), 0)"
            " FROM concepts c WHERE subject = ? AND NOT hidden",
            subject,
        )
        claims: dict[str, int] = {}
        to_confirm = 0
        held: list[Any] = reader.execute(
            "SELECT claim, count(*), sum(confirm) FROM beliefs"
            " WHERE subject = ? AND superseded_by IS NULL AND claim <> 'withdrawn' GROUP BY claim ORDER BY claim",
            (subject,),
        ).fetchall()
        for claim, count, confirm in held:
            claims[claim] = count
            to_confirm += confirm
        limits = list(calibration.limits)
        limits += ["no_checks"] if not checks else []
        limits += ["unlinked_checks"] if unlinked else []
        limits += ["no_belief"] if checks and not claims else []
        limits += ["changed_files"] if verification.changed else []
        limits += ["unexplained_concepts"] if explained < concepts else []
        return SelfModel(
            made_at=now,
            episodes=episodes,
            active_days=days,
            checks=checks,
            unlinked_checks=unlinked,
            beliefs=claims,
            to_confirm=to_confirm,
            predictions=calibration.count,
            calibrated=calibration.calibrated,
            ece=calibration.ece,
            citations_hold=verification.holds,
            citations_changed=verification.changed,
            concepts=concepts,
            explained=explained,
            limits=tuple(limits),
        )

    def keep(self, subject: SubjectId, model: SelfModel) -> None:
        """Keep the model in place of the one before."""
        with self._store.atomic() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO self_models VALUES (?, ?, ?)",
                (subject, model.made_at, json.dumps(asdict(model), sort_keys=True)),
            )

    def get(self, subject: SubjectId) -> SelfModel | None:
        """The model last kept, or None before the first night."""
        found = self._store.reader().execute("SELECT body FROM self_models WHERE subject = ?", (subject,))
        row: Any = found.fetchone()
        if row is None:
            return None
        body = json.loads(row[0])
        return SelfModel(**{**body, "limits": tuple(body["limits"])})

    def _row(self, query: str, subject: SubjectId) -> tuple[Any, ...]:
        found: Any = self._store.reader().execute(query, (subject,)).fetchone()
        return tuple(found)
