"""A turn as it runs: events from the chat lane, pieces gathered to about twenty updates a second."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.lanes import Job
from app.turn_events import Finished, Piece, Planned, Saved, Struck, TurnEvent, TurnResult
from ui.desk import Desk

EVERY = 50
"""Milliseconds between two updates of the growing answer."""


class RunningTurn(QObject):
    """One turn on the chat lane.

    Signals:
        saved: the student's words are on disk.
        planned: what it was understood as (``Planned``).
        grown: the whole text so far.
        finished: the recorded turn (``TurnResult``), or None when there was nothing to do.
        failed: what went wrong.
    """

    saved = Signal()
    planned = Signal(object)
    grown = Signal(str)
    finished = Signal(object)
    failed = Signal(object)

    def __init__(self, desk: Desk, events: Callable[[threading.Event], Iterator[TurnEvent]], parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._events = events
        self._cancel = threading.Event()
        self._text = ""
        self._result: TurnResult | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(EVERY)
        self._soon.timeout.connect(lambda: self.grown.emit(self._text))
        self._job: Job | None = None

    def start(self) -> None:
        """Run it on the chat lane."""
        self._job = self._desk.lanes.chat.run(self._run, lambda _none: self._end(), self._fail)

    def stop(self) -> None:
        """The answer ends where it is; what was said so far is kept."""
        self._cancel.set()

    @property
    def text(self) -> str:
        """What was said so far."""
        return self._text

    def _run(self) -> None:
        for event in self._events(self._cancel):
            self._desk.lanes.chat.say(None, partial(self._take, event))

    def _take(self, event: TurnEvent) -> None:
        match event:
            case Saved():
                self.saved.emit()
            case Planned():
                self.planned.emit(event)
            case Piece():
                self._text += event.text
                self._update()
            case Struck():
                self._text = self._text[: event.first] + event.note + self._text[event.last :]
                self._update()
            case Finished():
                self._result = event.result

    def _update(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    def _end(self) -> None:
        self._soon.stop()
        self.finished.emit(self._result)

    def _fail(self, error: Exception) -> None:
        self._soon.stop()
        self.failed.emit(error)
