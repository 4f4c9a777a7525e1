"""The nightly cycle while the window stays open: when its hour has struck and the student does nothing."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.schedule import night_has_come
from ui import actions
from ui.desk import Desk

EVERY = 60_000
"""Milliseconds between two looks at the clock."""
IDLE = 300.0
"""Seconds without anything written or answered after which the student counts as idle."""


class NightWatch(QObject):
    """Runs the cycle once its hour has struck, as soon as the student is idle."""

    def __init__(self, desk: Desk, busy: Callable[[], bool], parent: QObject, idle: float = IDLE) -> None:
        """``busy``: whether an answer is being written, a file read, or a message typed."""
        super().__init__(parent)
        self._desk = desk
        self._busy = busy
        self._idle = idle
        self._since = desk.now()
        self._stirred = time.monotonic()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        desk.changed.connect(self.stir)
        desk.asked.connect(self.stir)

    def stir(self, _by: object = None) -> None:
        """The student does something."""
        self._stirred = time.monotonic()

    def look(self) -> None:
        """Run the cycle if its hour has struck since the last one and nothing is going on."""
        now, hour = self._desk.now(), self._desk.house.settings.get().night_hour
        if self._busy():
            self.stir()
        elif time.monotonic() - self._stirred >= self._idle and night_has_come(self._since, now, hour):
            self._since = now
            actions.run_night(self._desk)
