"""Files on their way into the map: one after the other on the files lane, with how far each has come."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.reading.reader import FileRead
from memory.episodes import SubjectId
from ui import actions
from ui.desk import Desk


@dataclass(slots=True)
class BeingRead:
    """One file that waits, is being read, or was paused: pages read, of how many (0: not known yet)."""

    path: Path
    subject: SubjectId
    again: bool
    cancel: threading.Event
    done: int = 0
    pages: int = 0
    begun: bool = False
    paused: bool = False


class FilesBeingRead(QObject):
    """What waits and what is being read.

    Signals:
        progressed: the file being read (``BeingRead``), or None when nothing is.
        ended: a file was read or could not be (``FileRead``).
    """

    progressed = Signal(object)
    ended = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._files: list[BeingRead] = []

    @property
    def files(self) -> list[BeingRead]:
        """The file being read, then those that wait."""
        return list(self._files)

    def of(self, path: str) -> BeingRead | None:
        """The file at a path, when it waits or is being read."""
        return next((file for file in self._files if str(file.path) == path), None)

    def read(self, paths: list[Path], *, again: bool = False) -> None:
        """Read files into the subject in hand; without any subject, one is made first."""
        subject = self._desk.subject_id
        if subject is None:
            name = self._desk.t("subjects.first")
            actions.add_subject(self._desk, name, lambda _subject: self.read(paths, again=again))
            return
        for path in paths:
            if self.of(str(path)) is None:
                self._begin(BeingRead(path, subject, again, threading.Event()))

    def cancel(self, path: str | None = None) -> None:
        """Stop reading one file, or all of them; pages that were read stay, and reading again goes on from there."""
        for file in self.files:
            if path is None or str(file.path) == path:
                file.cancel.set()
                if file.paused:
                    file.paused = False
                    self._files.remove(file)
                    self.progressed.emit(self.current)

    def pause(self, path: str | None = None) -> None:
        """Let one file, or all of them, rest: pages that were read stay, and the reader's process ends meanwhile."""
        for file in self.files:
            if (path is None or str(file.path) == path) and not file.paused:
                file.paused = True
                file.cancel.set()
                self.progressed.emit(file)

    def resume(self, path: str | None = None) -> None:
        """Go on with what was paused, from the first page that was not read."""
        for file in self.files:
            if (path is None or str(file.path) == path) and file.paused:
                again = BeingRead(file.path, file.subject, file.again, threading.Event(), file.done, file.pages)
                self._files[self._files.index(file)] = again
                self._work(again)

    @property
    def current(self) -> BeingRead | None:
        """The file being read, or the next one; else one that was paused."""
        return next((file for file in self._files if not file.paused), next(iter(self._files), None))

    @property
    def busy(self) -> bool:
        """Whether a file is being read or waits to be."""
        return any(not file.paused for file in self._files)

    def _begin(self, file: BeingRead) -> None:
        self._files.append(file)
        self._work(file)

    def _work(self, file: BeingRead) -> None:
        lane, house, language = self._desk.lanes.files, self._desk.house, self._desk.t.language

        def tell(page: int, pages: int) -> None:
            lane.say(None, lambda: self._tell(file, page, pages))

        def work() -> FileRead | None:
            if file.cancel.is_set():
                return None
            lane.say(None, lambda: self._tell(file, 0, 0))
            read = house.reader.read(
                file.subject,
                file.path,
                language=language,
                on_progress=tell,
                cancelled=file.cancel.is_set,
                again=file.again,
            )
            lane.say(None, lambda: self._desk.changed.emit(None))
            house.engines.catch_up()
            return read

        lane.run(work, lambda read: self._end(file, read), lambda error: self._fail(file, error))
        self.progressed.emit(self.current)

    def _tell(self, file: BeingRead, done: int, pages: int) -> None:
        first = not file.begun
        file.begun, file.done, file.pages = True, done, pages
        self.progressed.emit(file)
        if first:
            self._desk.changed.emit(None)

    def _end(self, file: BeingRead, read: FileRead | None) -> None:
        rests = file.paused and (read is None or read.fault is not None)
        if not rests and file in self._files:
            self._files.remove(file)
        self.progressed.emit(self.current)
        self._desk.changed.emit(None)
        if read is not None and not rests:
            self.ended.emit(read)

    def _fail(self, file: BeingRead, error: Exception) -> None:
        file.paused = False
        self._end(file, None)
        self._desk.faulted.emit(error)
