"""The memory as a whole: the list of its parts, over one store.

:class:`Memory` is only the list of its parts; whoever needs one is given it.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory.answers import Answers
from memory.backup import Backups
from memory.beliefs import Beliefs
from memory.brief import Briefs
from memory.changes import Changes
from memory.checkpoints import CheckpointLog
from memory.checks import LessonStates, PendingChecks
from memory.cited_files import CitedFiles
from memory.concepts import SubjectMap
from memory.exchange import Importer
from memory.files import Files
from memory.grounding import AnswerRecords
from memory.kept_briefs import KeptBriefs
from memory.ledger import Ledger
from memory.nightly import NightlyCycle
from memory.passages import Passages
from memory.recall import Recall
from memory.report import Reports
from memory.review import Review
from memory.scratch import Scratch
from memory.store import Store
from memory.subjects import Subjects
from memory.teaching import Teaching
from memory.vectors import Vectors
from memory.verification import Verification


@dataclass(frozen=True, slots=True)
class Memory:
    """The parts of one student's memory, over one store."""

    store: Store
    subjects: Subjects
    ledger: Ledger
    files: Files
    passages: Passages
    vectors: Vectors
    map: SubjectMap
    teaching: Teaching
    recall: Recall
    briefs: Briefs
    beliefs: Beliefs
    checks: PendingChecks
    lessons: LessonStates
    review: Review
    answers: Answers
    records: AnswerRecords
    kept_briefs: KeptBriefs
    scratch: Scratch
    changes: Changes
    reports: Reports
    nights: NightlyCycle
    citations: CitedFiles
    importer: Importer
    verification: Verification
    checkpoints: CheckpointLog
    backups: Backups
