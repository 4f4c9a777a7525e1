"""A child process that answers numbered requests over a pipe, and its parent side.

Native code that reads foreign bytes (llama.cpp, an embedding engine) runs in a child of its own: it may abort, leak or
be killed without taking the window or the record down. `Child` is the parent's side: it starts the process, sends
requests, sorts the replies by number, notices a death, and starts again at the next request. `enter`, `frames` and
`Outlet` are the child's side.

A frame is one JSON object, a line feed, then raw bytes (vectors). The pipe is multiprocessing's own, a local socket
pair: nothing here opens a network socket. The child ends as soon as its parent's end of the pipe closes.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import multiprocessing
import os
import queue
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

LARGEST_FRAME = 64 * 1024 * 1024
"""Bytes; a child that sends more is treated as dead."""

CRASHES_BEFORE_GIVING_UP = 3
"""After this many deaths a smaller model is offered instead of another restart by itself."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message of the pipe: a JSON object and the bytes after it."""

    head: dict[str, Any]
    body: bytes = b""

    def pack(self) -> bytes:
        """The bytes that travel."""
        return json.dumps(self.head, ensure_ascii=True).encode("ascii") + b"\n" + self.body


def unpack(data: bytes) -> Frame:
    """A frame from its bytes; ValueError when they are none."""
    line, separator, body = data.partition(b"\n")
    head = json.loads(line)
    if not separator or not isinstance(head, dict):
        raise ValueError("not a frame")
    return Frame(head, body)


class ChildDied(Exception):
    """The child process ended while it was needed.

    `exit_code` is negative for a signal (-9: killed, often by the system when memory ran out), None when it hung and
    was ended by us. `doing` is the request that was running. `crashes` counts deaths since the parent object was made.
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
            except (EOFError, OSError, ValueError, TypeError):
                break
            with self._lock:
                number = frame.head.get("id")
                answer = waiting.pop(number, None) if frame.head.get("end") else waiting.get(number)  # type: ignore[arg-type]
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


class Outlet:
    """The child's sending end; several threads may answer at once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()

    def send(self, number: int, body: bytes = b"", *, end: bool = True, **fields: Any) -> None:
        """One reply to request `number`."""
        with self._lock:
            self._connection.send_bytes(Frame({"id": number, "end": end, **fields}, body).pack())

    def refuse(self, number: int, fault: str, **facts: Any) -> None:
        """The request failed; the parent raises ChildRefused."""
        self.send(number, fault=fault, facts=facts)


def enter(connection: Connection, module: str, arguments: tuple[Any, ...]) -> None:
    """What the child process does first and last."""
    make_quiet()
    sys.addaudithook(refuse_network)
    # Native threads that wait by spinning starve each other when anything else runs: beside one busy program a model
    # wrote 0.5 tokens a second that way, and 12 with threads that sleep. Read when the native library is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    importlib.import_module(module).run(connection, *arguments)


def frames(connection: Connection) -> Iterator[Frame]:
    """The requests as they come; when the parent is gone this process ends at once, whatever its threads do."""
    while True:
        try:
            data = connection.recv_bytes()
        except (EOFError, OSError):
            os._exit(0)
        frame = unpack(data)
        if frame.head["verb"] == "close":
            os._exit(0)
        yield frame


def refuse_network(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: Python code of this process makes no network socket, whatever library asks for one."""
    if event == "socket.__new__" and arguments[1] in (socket.AF_INET, socket.AF_INET6):
        raise PermissionError(event)


def limit_memory(most: int) -> None:
    """Bounds the memory this process may ask for, where the system can (files mapped for reading are not counted)."""
    if sys.platform != "win32":
        resource = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def make_quiet() -> None:
    """For the first line of a child: Ctrl-C is the parent's business, and native chatter goes nowhere."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.close(silence)
