"""The report about a student: what is held and why, what is due, what was taught, and how far any of it can be trusted.

It is data; whoever shows it finds the words. A figure without enough data is its count and None, never invented.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from memory.belief_rules import Belief, Reason, unbroken_since
from memory.beliefs import Beliefs
from memory.calibration import Calibration, calibrate, predictions
from memory.cited_files import Cited, CitedFiles, Verification
from memory.episodes import ConceptId, EpisodeId, SubjectId
from memory.mastery import Claim
from memory.moments import Moment
from memory.review import Review
from memory.self_model import SelfModel, SelfModels
from memory.store import Store


@dataclass(frozen=True, slots=True)
class Turn:
    """One step of a belief's chain: what was held from when on, why, and by which episodes."""

    claim: Claim
    confidence: float
    valid_from: Moment
    reason: Reason
    because: tuple[EpisodeId, ...]


@dataclass(frozen=True, slots=True)
class HeldConcept:
    """What is held on one concept. ``since``: the start of the unbroken claim; ``turns``: the chain, oldest first."""

    concept: ConceptId
    name: str
    claim: Claim
    confidence: float
    mastery: float
    since: Moment
    last_check: Moment | None
    checks: int
    due: Moment | None
    confirm: bool
    because: tuple[EpisodeId, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class TaughtNote:
    """A note the student taught: its episode (the words are there), its concepts by name; none: about the student."""

    episode: EpisodeId
    at: Moment
    concepts: tuple[str, ...]
    live: bool


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that the files could not answer (``not_possible``) or only in part (``partly``)."""

    question: EpisodeId
    answer: EpisodeId
    at: Moment
    status: str


@dataclass(frozen=True, slots=True)
class Unlinked:
    """Judged checks that could be tied to no concept, out of how many."""

    count: int
    checks: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the map one file explains: its concepts, out of all, and that share in [0, 1]; None without a map."""

    file: str
    concepts: int
    of: int
    share: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything the report shows, weak beliefs first."""

    concepts: tuple[HeldConcept, ...]
    taught: tuple[TaughtNote, ...]
    unanswered: tuple[Unanswered, ...]
    unlinked: Unlinked
    calibration: Calibration
    citations: Verification
    changed_files: tuple[Cited, ...]
    coverage: tuple[Coverage, ...]
    self_model: SelfModel


_ORDER = {Claim.WEAK: 0, Claim.UNSURE: 1, Claim.UNDERSTANDS: 2}


class Reports:
    """Makes the report of a subject. Writes nothing."""

    def __init__(self, store: Store, beliefs: Beliefs, review: Review, files: CitedFiles) -> None:
        self._store = store
        self._beliefs = beliefs
        self._review = review
        self._files = files
        self._self_models = SelfModels(store)

    def report(self, subject: SubjectId, now: Moment) -> Report:
        """The report as of now."""
        calibration = calibrate(predictions(self._store, subject))
        citations = self._files.totals(subject)
        return Report(
            concepts=self._concepts(subject, now),
            taught=self._taught(subject),
            unanswered=self._unanswered(subject),
            unlinked=self.unlinked(subject),
            calibration=calibration,
            citations=citations,
            changed_files=tuple(self._files.broken(subject)),
            coverage=self._coverage(subject),
            self_model=self._self_models.compose(subject, calibration, citations, now.at),
        )

    def _concepts(self, subject: SubjectId, now: Moment) -> tuple[HeldConcept, ...]:
        schedule = {due.concept: due for due in self._review.schedule(subject, now)}
        chains: dict[ConceptId, list[Belief]] = defaultdict(list)
        for row in self._beliefs.history(subject):
            chains[row.concept].append(row)
        held = []
        for concept, chain in chains.items():
            last, due = chain[-1], schedule.get(concept)
            if last.claim is Claim.WITHDRAWN:
                continue
            held.append(
                HeldConcept(
                    concept=concept,
                    name=last.name,
                    claim=last.claim,
                    confidence=last.confidence,
                    mastery=last.mastery,
                    since=unbroken_since(chain),
                    last_check=due.last_check if due else None,
                    checks=due.checks if due else 0,
                    due=due.at if due else None,
                    confirm=last.confirm,
                    because=last.episodes,
                    turns=tuple(
                        Turn(row.claim, row.confidence, row.valid_from, row.reason, row.episodes) for row in chain
                    ),
                )
            )
        return tuple(sorted(held, key=lambda each: (_ORDER[each.claim], -each.confidence)))

    def _taught(self, subject: SubjectId) -> tuple[TaughtNote, ...]:
        """Notes, newest first. One that names two concepts is one note."""
        rows: list[Any] = self._all(
            "SELECT e.id, e.at, e.offset, e.zone, c.name, n.live FROM notes n JOIN episodes e ON e.id = n.episode"
            " LEFT JOIN concepts c ON c.id = n.concept WHERE n.subject = ? ORDER BY e.at DESC, e.seq DESC, c.row",
            subject,
        )
        notes: dict[str, TaughtNote] = {}
        for id, at, offset, zone, name, live in rows:
            before = notes.get(id)
            names = (*(before.concepts if before else ()), *((name,) if name else ()))
            notes[id] = TaughtNote(EpisodeId(id), Moment(at, offset, zone), names, bool(live))
        return tuple(notes.values())

    def _unanswered(self, subject: SubjectId) -> tuple[Unanswered, ...]:
        """Newest first; a question whose answer was replaced is judged by the answer that stands."""
        rows = self._all(
            "SELECT q.id, a.id, q.at, q.offset, q.zone, s.status FROM answer_status s"
            " JOIN episodes a ON a.id = s.answer JOIN episodes q ON q.id = a.about"
            " WHERE a.subject = ? AND s.status <> 'answered'"
            " AND NOT EXISTS (SELECT 1 FROM episodes r WHERE r.replaces = a.id) ORDER BY q.at DESC, q.seq DESC",
            subject,
        )
        return tuple(
            Unanswered(EpisodeId(question), EpisodeId(answer), Moment(at, offset, zone), status)
            for question, answer, at, offset, zone, status in rows
        )

    def unlinked(self, subject: SubjectId) -> Unlinked:
        """How many judged checks are recorded, and how many of them are evidence about no concept."""
        ((checks, unlinked),) = self._all(
            "SELECT count(*), coalesce(sum(l.episode IS NULL), 0) FROM episodes e"
            " LEFT JOIN check_concepts l ON l.episode = e.row"
            " WHERE e.subject = ? AND e.kind = 'check' AND e.verdict IS NOT NULL",
            subject,
        )
        return Unlinked(unlinked, checks)

    def _coverage(self, subject: SubjectId) -> tuple[Coverage, ...]:
        """Each file not removed, by its current version."""
        rows = self._all(
            "SELECT f.name, count(DISTINCT c.id),"
            " (SELECT count(*) FROM concepts WHERE subject = f.subject AND NOT hidden)"
            " FROM files f LEFT JOIN versions v ON v.file = f.id AND v.current"
            " LEFT JOIN concept_places p ON p.version = v.id"
            " LEFT JOIN concepts c ON c.id = p.concept AND NOT c.hidden"
            " WHERE f.subject = ? AND f.state <> 'removed' GROUP BY f.id ORDER BY f.added_at, f.id",
            subject,
        )
        return tuple(Coverage(file, count, of, count / of if of else None) for file, count, of in rows)

    def _all(self, query: str, subject: SubjectId) -> list[Any]:
        found: list[Any] = self._store.reader().execute(query, (subject,)).fetchall()
        return found
