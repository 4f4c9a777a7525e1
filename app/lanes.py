"""Lanes: the window's only threads, and the one seam by which their results come back to it.

Four lanes, one thread each: *writes* changes the memory, *chat* runs a turn, *files* reads files and fetches models,
*reads* answers what the panels ask. Work on a lane runs in the order it was given. Whatever it returns, raises or
says meanwhile is delivered on the thread that made the lanes (Qt's main thread), never anywhere else.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

Result = TypeVar("Result")
Deliver = Callable[[], None]
_END = object()


@dataclass(slots=True)
class Job:
    """One piece of work on a lane. ``dropped``: nobody waits for it any more, its results go nowhere."""

    dropped: bool = False
    started: threading.Event = field(default_factory=threading.Event)

    def drop(self) -> None:
        """Let go of the work: what has not begun never will, what has begun delivers nothing more."""
        self.dropped = True


class Lane:
    """One thread that does one thing after the other."""

    def __init__(self, name: str, deliver: Callable[[Deliver], None]) -> None:
        self._deliver = deliver
        self._waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=f"lane {name}", daemon=True)
        self._thread.start()

    def run(
        self,
        work: Callable[[], Result],
        done: Callable[[Result], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> Job:
        """Do the work on the lane; ``done`` or ``failed`` is called on the main thread afterwards."""
        job = Job()
        self._waiting.put((job, work, done, failed))
        return job

    def say(self, job: Job | None, tell: Deliver) -> None:
        """From inside the work: have something called on the main thread, unless the job was dropped."""
        self._deliver(lambda: None if job is not None and job.dropped else tell())

    def close(self, patience: float) -> bool:
        """Begin nothing more and wait for what is under way; whether it ended within ``patience`` seconds."""
        while True:
            try:
                self._waiting.get_nowait()
            except queue.Empty:
                break
        self._waiting.put(_END)
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (item := self._waiting.get()) is not _END:
            job, work, done, failed = item
            if job.dropped:
                continue
            job.started.set()
            try:
                result = work()
            except Exception as error:  # whatever it is, it must reach the window, not die with the thread
                if failed is not None:
                    self.say(job, partial(failed, error))
            else:
                if done is not None:
                    self.say(job, partial(done, result))


class Lanes(QObject):
    """The four lanes.

    Signals:
        arrived: something to call on the main thread. The seam; nobody else connects to it.
    """

    arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._closed = False
        self.arrived.connect(self._call, Qt.ConnectionType.QueuedConnection)
        self.writes = Lane("writes", self._bring)
        self.chat = Lane("chat", self._bring)
        self.files = Lane("files", self._bring)
        self.reads = Lane("reads", self._bring)

    def close(self, patience: float = 5.0) -> bool:
        """Nothing is delivered from now on; whether every lane came to rest within ``patience`` seconds each."""
        self._closed = True
        ended = [lane.close(patience) for lane in (self.reads, self.files, self.chat, self.writes)]
        return all(ended)

    def _bring(self, tell: Deliver) -> None:
        if not self._closed:
            self.arrived.emit(tell)

    def _call(self, tell: Deliver) -> None:
        if not self._closed:
            tell()
