"""The only assembly: every part of Retiens is made here and given what it needs."""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from app.clock import Clock
from app.composed import Speakers
from app.engines import Engines, open_models
from app.folders import Folders
from app.ids import Ids
from app.lesson_turns import LessonTurns
from app.models.shelf import Models
from app.read_path import ReadPath
from app.reading.reader import FileReader
from app.record import Record
from app.settings import Settings
from app.tutor import Tutor
from memory.answers import Answers
from memory.backup import Backups
from memory.beliefs import Beliefs
from memory.brief import Briefs
from memory.changes import Changes
from memory.checkpoints import Checkpoint, CheckpointLog
from memory.checks import LessonStates, PendingChecks
from memory.cited_files import CitedFiles
from memory.concepts import SubjectMap
from memory.episodes import SubjectId
from memory.exchange import Importer
from memory.faults import StoreFault
from memory.files import Files
from memory.grounding import AnswerRecords
from memory.kept_briefs import KeptBriefs
from memory.ledger import Ledger
from memory.memory import Memory
from memory.nightly import NightlyCycle
from memory.passages import Passages
from memory.recall import Recall
from memory.report import Reports
from memory.review import Review
from memory.scratch import Scratch
from memory.store import Store
from memory.subjects import Subject, Subjects
from memory.teaching import Teaching
from memory.vectors import Vectors
from memory.verification import Verification

DEFAULT_SUBJECT = "default"


@dataclass(frozen=True, slots=True)
class House:
    """Everything of one run of Retiens over one student's folder."""

    folders: Folders
    settings: Settings
    clock: Clock
    ids: Ids
    memory: Memory
    models: Models
    engines: Engines
    reads: ReadPath
    record: Record
    speakers: Speakers
    tutor: Tutor
    reader: FileReader

    def subject(self, name: str | None, *, create: bool = False) -> Subject:
        """The subject of that name, or the last one used (made as ``default``). Raises UnknownSubject."""
        subjects = self.memory.subjects
        if name is None:
            known = subjects.all()
            return known[0] if known else self._find_or_add(DEFAULT_SUBJECT)
        return self._find_or_add(name) if create else subjects.find(name)

    def use(self, subject: Subject) -> None:
        """Remember the subject as the current one; a record that can only be read remembers nothing."""
        if self.memory.store.read_only:
            return
        self.memory.subjects.use(subject.id, self.clock.recorded())

    def close(self) -> None:
        """End the model processes, then close the file."""
        self.reads.close()
        self.engines.close()
        self.memory.store.close()

    def _find_or_add(self, name: str) -> Subject:
        return self.memory.subjects.find_or_add(SubjectId(self.ids()), name, self.clock.recorded())


def open_house(folders: Folders, clock: Clock) -> House:
    """Open a student's folder. Raises the faults of the store."""
    settings, ids = Settings(folders.settings), Ids()
    memory = open_memory(folders, clock, ids)
    with suppress(StoreFault):  # a disk that is full or held: another start will do
        memory.importer.settle_all(clock.now())
    models = open_models(folders, settings)
    engines = Engines(models, memory.vectors, folders.data / "speeds.json")
    reads = ReadPath(memory, engines.embedder)
    record = Record(memory, clock, ids)
    speakers = Speakers(memory, clock, ids)
    lessons = LessonTurns(memory, clock, record, engines, ids)
    return House(
        folders=folders,
        settings=settings,
        clock=clock,
        ids=ids,
        memory=memory,
        models=models,
        engines=engines,
        reads=reads,
        record=record,
        speakers=speakers,
        tutor=Tutor(memory, clock, record, reads, engines, speakers, lessons),
        reader=FileReader(memory, clock, ids, engines.embedder),
    )


def open_memory(folders: Folders, clock: Clock, ids: Ids) -> Memory:
    """Every part of the memory over the student's file."""
    store = Store(folders.database, backups=folders.backups)
    subjects = Subjects(store)
    ledger = Ledger(store, lambda: os.urandom(16))
    vectors = Vectors(store)
    map = SubjectMap(store)
    teaching = Teaching(store, ledger, map)
    beliefs = Beliefs(store)
    review = Review(store)
    citations = CitedFiles(store, fingerprint)
    checkpoints = CheckpointLog(folders.checkpoints)
    backups = Backups(store, folders.backups)

    def note_head(subject: SubjectId) -> None:
        head = ledger.head(subject)
        checkpoints.write(Checkpoint(subject, head.seq, head.hash.hex(), clock.now().iso))

    return Memory(
        store=store,
        subjects=subjects,
        ledger=ledger,
        files=Files(store),
        passages=Passages(store, vectors),
        vectors=vectors,
        map=map,
        teaching=teaching,
        recall=Recall(store, ledger, vectors, time.perf_counter),
        briefs=Briefs(store),
        beliefs=beliefs,
        checks=PendingChecks(store),
        lessons=LessonStates(store),
        review=review,
        answers=Answers(store, ledger, beliefs),
        records=AnswerRecords(store),
        kept_briefs=KeptBriefs(ledger, map, beliefs),
        scratch=Scratch(store),
        changes=Changes(store, beliefs),
        reports=Reports(store, beliefs, review, citations),
        nights=NightlyCycle(
            store, ledger, beliefs, citations, review, backup=lambda: backups.make(clock.now()), checkpoint=note_head
        ),
        citations=citations,
        importer=Importer(store, subjects, ledger, map, teaching, beliefs, ids),
        verification=Verification(store),
        checkpoints=checkpoints,
        backups=backups,
    )


def fingerprint(path: str) -> str | None:
    """The SHA-256 of a file in hexadecimal; None where there is none to read."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
