"""Reading a file: pages become searchable as they come, concepts join the map at the end, an episode says so.

Cancelled or killed, a file keeps its finished pages and goes on from there.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.clock import Clock
from app.ids import Ids
from app.models.embed import Embedder, EmbedderDied
from app.reading.formats import LARGEST
from app.reading.parsed import Fault
from app.reading.process import events
from app.reading.wire import Failed, PageRead
from memory.episodes import Content, Draft, EpisodeId, Evidence, Kind, Meta, Origin, SubjectId
from memory.files import Arrival, FileId, FileStage, FileState, Version
from memory.memory import Memory
from memory.merging import Similarity, concept_text, rule_for
from memory.readings import Reading

OnProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class FileRead:
    """What reading a file gave. ``tokens`` are those a chat model read for it; ``fault``: a code, or None."""

    path: Path
    sha256: str
    pages: int
    concepts: int
    seconds: float
    tokens: int = 0
    fault: str | None = None
    episode: EpisodeId | None = None


class FileReader:
    """Reads files into the memory."""

    def __init__(
        self, memory: Memory, clock: Clock, ids: Ids, embedder: Callable[[], Embedder | None] = lambda: None
    ) -> None:
        """``embedder`` is asked for when concepts may join by meaning; without one, names alone decide."""
        self._memory = memory
        self._clock = clock
        self._ids = ids
        self._embedder = embedder

    def read(
        self,
        subject: SubjectId,
        path: Path,
        *,
        language: str = "en",
        on_progress: OnProgress = lambda page, pages: None,
        cancelled: Callable[[], bool] = lambda: False,
        again: bool = False,
    ) -> FileRead:
        """Read one file. A file read before under the same fingerprint is not read twice, unless ``again``."""
        began = time.perf_counter()
        try:
            size = path.stat().st_size
            if size > LARGEST:
                return FileRead(path, "", 0, 0, 0.0, fault=Fault.TOO_LARGE)
            sha256 = sha256_of(path)
        except OSError:
            return FileRead(path, "", 0, 0, 0.0, fault=Fault.MISSING)
        added = self._memory.files.add(
            subject, str(path), path.name, id=FileId(self._ids()), now=self._clock.recorded(), sha256=sha256
        )
        known = added.file.version
        unchanged = known is not None and known.sha256 == sha256 and known.finished
        if unchanged and known is not None and not again and added.file.stage is FileStage.DONE:
            return FileRead(path, sha256, known.pages, self._explained(subject, str(path)), 0.0)
        if added.arrival is Arrival.MOVED and not again:
            return FileRead(path, sha256, added.file.version.pages if added.file.version else 0, 0, 0.0)
        return _Run(self, subject, path, sha256, size, added.file, began).run(language, on_progress, cancelled)

    def _explained(self, subject: SubjectId, path: str) -> int:
        concepts = self._memory.map.concepts(subject)
        return sum(any(place.file == path for place in concept.places) for concept in concepts)


class _Run:
    """One reading of one file."""

    def __init__(
        self,
        reader: FileReader,
        subject: SubjectId,
        path: Path,
        sha256: str,
        size: int,
        file: FileState,
        began: float,
    ) -> None:
        self._reader = reader
        self._memory = reader._memory
        self._subject = subject
        self._path = path
        self._sha256 = sha256
        self._size = size
        self._file = file
        self._began = began
        self._version: Version | None = None
        self._done = 0

    def run(self, language: str, on_progress: OnProgress, cancelled: Callable[[], bool]) -> FileRead:
        pages = 0
        for event in events(self._path, language, cancelled=cancelled):
            match event:
                case PageRead():
                    pages = event.pages
                    self._page(event)
                    on_progress(event.page.page, pages)
                case Reading():
                    return self._finish(event, pages)
                case Failed():
                    return self._fail(event.fault, pages)
        return self._fail(Fault.CORRUPT, pages)

    def _page(self, read: PageRead) -> None:
        """Make one page searchable, in one transaction with the note of how far reading has come."""
        with self._memory.store.atomic():
            if self._version is None:
                self._version = self._memory.files.begin_version(
                    self._file.id,
                    sha256=self._sha256,
                    bytes=self._size,
                    format=read.format,
                    pages=read.pages,
                    now=self._reader._clock.recorded(),
                    language=read.page.language,
                )
                self._done = self._version.pages_read
            if read.page.page > self._done:
                self._memory.passages.add_page(self._subject, self._version.id, read.page)
                self._memory.files.progress(self._version.id, read.page.page, read.pages)

    def _finish(self, reading: Reading, pages: int) -> FileRead:
        """The concepts join the map, the file is done, and an episode says so: all of it, or none."""
        assert self._version is not None
        similarity = self._similarity(reading)
        seconds = time.perf_counter() - self._began
        with self._memory.store.atomic():
            self._memory.map.merge(
                self._subject,
                self._version.id,
                reading,
                ids=self._reader._ids,
                now=self._reader._clock.recorded(),
                similarity=similarity,
            )
            self._memory.files.finish(self._version.id, seconds=seconds, language=reading.language)
            episode = self._memory.ledger.append(self._draft(reading.language, pages, len(reading.concepts)))
        count = len(reading.concepts)
        return FileRead(self._path, self._sha256, pages, count, seconds, episode=episode.id)

    def _similarity(self, reading: Reading) -> Similarity | None:
        """What tells whether a concept in another language is one the map has; None while there is none to compare."""
        known = self._memory.map.concepts(self._subject)
        if not any(concept.language != reading.language for concept in known):
            return None
        embedder = self._reader._embedder()
        rule = rule_for(embedder.name) if embedder is not None else None
        if embedder is None or rule is None:
            return None
        kept = self._memory.vectors.get("concept", [concept.row for concept in known])
        try:
            found = embedder.embed_passages([concept_text(concept) for concept in reading.concepts])
        except EmbedderDied:
            return None
        return Similarity(rule, found, {concept.id: kept[concept.row] for concept in known if concept.row in kept})

    def _fail(self, fault: Fault, pages: int) -> FileRead:
        """Keep what was read; a file that gave nothing says why."""
        if fault is Fault.CANCELLED:
            self._memory.files.wait(self._file.id)
        else:
            self._memory.files.fail(self._file.id, fault.value)
        seconds = time.perf_counter() - self._began
        return FileRead(self._path, self._sha256, pages, 0, seconds, fault=fault.value)

    def _draft(self, language: str, pages: int, concepts: int) -> Draft:
        return Draft(
            id=EpisodeId(self._reader._ids()),
            subject=self._subject,
            kind=Kind.FILE,
            origin=Origin.TUTOR,
            moment=self._reader._clock.now(),
            recorded_at=self._reader._clock.recorded(),
            content=Content(self._path.name),
            meta=Meta(
                language=language,
                evidence=(Evidence(str(self._path), self._sha256),),
                extra={"pages": pages, "concepts": concepts},
            ),
        )


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
