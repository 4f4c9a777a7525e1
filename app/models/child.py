"""A child process that answers numbered requests over a pipe, and its parent side.

Native code that reads foreign bytes (llama.cpp, an embedding engine) runs in a child of its own: it may abort, leak or
be killed without taking the window or the record down. `Child` is the parent's side: it starts the process, sends
requests, sorts the replies by number, notices a death, and starts again at the next request. `child_side` is the other
half. The pipe is multiprocessing's own, a local socket pair: nothing here opens a network socket.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

from app.models.child_side import enter
from app.models.frames import Frame, unpack

LARGEST_FRAME = 64 * 1024 * 1024
"""Bytes; a child that sends more is treated as dead."""

CRASHES_BEFORE_GIVING_UP = 3
"""After this many deaths a smaller model is offered instead of another restart by itself."""


class ChildDied(Exception):
    """The child process ended while it was needed.

    `exit_code` is negative for a signal (-9: killed, by the system when memory ran out or by us when it hung), None
    when the process had been closed. `doing` is the request that was running. `crashes` counts deaths since the
    parent object was made.
    """

    def __init__(self, exit_code: int | None, doing: str, crashes: int) -> None:
        super().__init__(exit_code, doing, crashes)
        self.exit_code = exit_code
        self.doing = doing
        self.crashes = crashes


class ChildRefused(Exception):
    """The child answered a request with a fault of its own: `fault` names it, `facts` holds its figures."""

    def __init__(self, fault: str, facts: dict[str, Any]) -> None:
        super().__init__(fault, facts)
        self.fault = fault
        self.facts = facts


class Answer:
    """The replies to one request, in order. The last one carries `end`."""

    def __init__(self, number: int, doing: str) -> None:
        self.number = number
        self.doing = doing
        self._frames: queue.SimpleQueue[Frame | ChildDied] = queue.SimpleQueue()

    def put(self, frame: Frame | ChildDied) -> None:
        """Called by the reading thread."""
        self._frames.put(frame)

    def next(self, timeout: float | None = None) -> Frame | None:
        """The next reply, or None when `timeout` seconds pass. Raises ChildDied, ChildRefused."""
        try:
            frame = self._frames.get(timeout=timeout)
        except queue.Empty:
            return None
        if isinstance(frame, ChildDied):
            raise frame
        fault = frame.head.get("fault")
        if fault is not None:
            raise ChildRefused(str(fault), dict(frame.head.get("facts") or {}))
        return frame

    def last(self, timeout: float | None = None) -> Frame | None:
        """The final reply, or None when it did not come within `timeout` seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            frame = self.next(None if deadline is None else max(0.0, deadline - time.monotonic()))
            if frame is None or frame.head.get("end"):
                return frame


class Child:
    """The parent's side of one child process. Safe to use from several threads.

    `module` is imported in the child only; its function `run(connection, *arguments)` is what the child does. A child
    that refuses request 0 (it cannot load) ends by itself, which is no crash.
    """

    def __init__(self, module: str, arguments: tuple[Any, ...], died: type[ChildDied] = ChildDied) -> None:
        self._module = module
        self.arguments = arguments
        self._died = died
        self._lock = threading.RLock()
        self._process: Any = None
        self._connection: Connection | None = None
        self._reader: threading.Thread | None = None
        self._waiting: dict[int, Answer] = {}
        self._numbers = 0
        self._closed = False
        self._ready = Answer(0, "load")
        self._greeted: tuple[Answer, Frame] | None = None
        self._greeting = threading.Lock()
        self.crashes = 0

    @property
    def pid(self) -> int | None:
        """The running child's process id, None when there is none."""
        return None if self._connection is None else self._process.pid

    def start(self) -> Answer:
        """Starts the process unless it runs; its answer number 0 says when it is ready."""
        with self._lock:
            if self._closed:
                raise self._died(None, "closed", self.crashes)
            if self._connection is not None:
                return self._ready
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe(duplex=True)
            process = context.Process(target=enter, args=(theirs, self._module, self.arguments), daemon=True)
            self._ready = Answer(0, "load")
            self._waiting = {0: self._ready}
            process.start()
            theirs.close()
            self._process, self._connection = process, ours
            self._reader = threading.Thread(target=self._read, args=(process, ours, self._waiting), daemon=True)
            self._reader.start()
            return self._ready

    def ready(self, timeout: float) -> Frame:
        """Starts the process unless it runs and waits until it has loaded; what it said of itself then.

        A child that is silent for `timeout` seconds is ended. Raises ChildDied, ChildRefused.
        """
        with self._greeting:
            answer = self.start()
            if self._greeted is None or self._greeted[0] is not answer:
                try:
                    self._greeted = (answer, self.wait(answer, timeout))
                except ChildRefused:
                    # It is about to end: the next start must not take it for a running one.
                    if self._reader is not None:
                        self._reader.join()
                    raise
            return self._greeted[1]

    def wait(self, answer: Answer, timeout: float) -> Frame:
        """The final reply to a request; a child that is silent for `timeout` seconds is ended, and ChildDied raised."""
        frame = answer.last(timeout)
        if frame is None:
            self.end_hung()
            frame = answer.last()
        assert frame is not None
        return frame

    def ask(self, verb: str, body: bytes = b"", **fields: Any) -> Answer:
        """Sends one request, starting the process first when it is not there."""
        with self._lock:
            self.start()
            self._numbers += 1
            answer = Answer(self._numbers, verb)
            self._waiting[answer.number] = answer
            self._send(Frame({"id": answer.number, "verb": verb, **fields}, body))
            return answer

    def tell(self, verb: str, **fields: Any) -> None:
        """Sends a request without an answer; nothing happens when the process is gone."""
        with self._lock:
            self._send(Frame({"id": -1, "verb": verb, **fields}))

    def end_hung(self) -> None:
        """Kills a child that does not answer; who waits for it sees ChildDied."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Ends the process. A later request raises."""
        with self._lock:
            self._closed = True
            # Closing the pipe under the thread that reads it would not wake the other end: the child is told.
            self._send(Frame({"id": -1, "verb": "close"}))
            process, reader = self._process, self._reader
        if process is not None and reader is not None:
            reader.join(2.0)
            process.kill()
            reader.join()

    def _send(self, frame: Frame) -> None:
        # A broken pipe is reported once, by the reading thread, with the exit code.
        if self._connection is not None:
            with contextlib.suppress(OSError, ValueError):
                self._connection.send_bytes(frame.pack())

    # Only the reading thread waits for the process, so that its exit code is collected once.
    def _read(self, process: Any, connection: Connection, waiting: dict[int, Answer]) -> None:
        refused = False
        while True:
            try:
                frame = unpack(connection.recv_bytes(LARGEST_FRAME))
                number = int(frame.head["id"])
            except (EOFError, OSError, ValueError, TypeError, KeyError):
                break
            with self._lock:
                answer = waiting.pop(number, None) if frame.head.get("end") else waiting.get(number)
            if answer is not None:
                refused = refused or (answer.number == 0 and "fault" in frame.head)
                answer.put(frame)
        process.join(2.0)
        if process.is_alive():
            process.kill()
            process.join()
        with self._lock:
            if not self._closed and not refused:
                self.crashes += 1
            if self._connection is connection:
                self._connection = None
            left = list(waiting.values())
            waiting.clear()
        with contextlib.suppress(OSError):
            connection.close()
        for answer in left:
            answer.put(self._died(process.exitcode, answer.doing, self.crashes))
