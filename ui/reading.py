"""Files on their way into the map: one after the other on the files lane, with how far each has come."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from ui import actions
from ui.desk import Desk


class FilesBeingRead(QObject):
    """What is being read.

    Signals:
        progressed: the name of the file, pages read, pages of the file; an empty name when all is done.
    """

    progressed = Signal(str, int, int)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._cancel: threading.Event | None = None
        self._waiting = 0

    @property
    def busy(self) -> bool:
        """Whether something is being read or waits for it."""
        return self._waiting > 0

    def read(self, paths: list[Path]) -> None:
        """Read files into the subject in hand; without any, one is made first."""
        subject = self._desk.subject_id
        if subject is None:
            actions.add_subject(self._desk, self._desk.t("subjects.first"), lambda _subject: self.read(paths))
            return
        if self._cancel is None or self._cancel.is_set():
            self._cancel = threading.Event()
        cancel, lane, reader = self._cancel, self._desk.lanes.files, self._desk.house.reader
        self._waiting += 1
        self.progressed.emit(paths[0].name, 0, 0)

        def work() -> Any:
            return reader.read(paths, subject, lambda step: lane.say(None, lambda: self._tell(step)), cancel)

        lane.run(work, self._done, self._failed)

    def cancel(self) -> None:
        """Stop reading; what was read stays, and reading again goes on from there."""
        if self._cancel is not None:
            self._cancel.set()

    def _tell(self, step: Any) -> None:
        self.progressed.emit(Path(str(step.path)).name, step.pages_read, step.pages)
        self._desk.changed.emit(None)

    def _done(self, _result: Any) -> None:
        self._end()

    def _failed(self, error: Exception) -> None:
        self._end()
        self._desk.faulted.emit(error)

    def _end(self) -> None:
        self._waiting -= 1
        if not self._waiting:
            self.progressed.emit("", 0, 0)
        self._desk.changed.emit(None)
