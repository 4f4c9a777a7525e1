"""The child's side of a child process: it is quiet, without a network, bounded, and ends with its parent."""

from __future__ import annotations

import importlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

from app.models.frames import Frame, unpack


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


def requests(connection: Connection) -> Iterator[Frame]:
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
