"""The reader process: one file is parsed and mined in a child of its own, under limits, without a database.

``events`` is the parent's side. It starts the child, yields its pages as they come and then its reading, and ends the
child when it is too slow, too large, cancelled, or no longer needed. ``work`` is all that the child does.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil

from app.reading.formats import parser_of
from app.reading.parsed import Fault, ParsedPage, Unreadable
from app.reading.understand import language_of, understand_pages, with_language
from app.reading.wire import BadEvent, Event, Failed, PageRead, packed, unpacked

if sys.platform != "win32":
    import resource

_WATCH = 0.05
"""Seconds between two looks at the child's memory."""
_START = 60.0
"""Seconds of work in which the child must have begun: it loads its libraries."""
_PATIENCE = 6.0
"""A busy machine or a slow disk makes the child wait: so many times its seconds of work may pass on the clock."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost: bytes of memory, seconds of work a page and of mining, seconds on the clock in all."""

    memory: int = 1024 * 1024 * 1024
    page_seconds: float = 30.0
    mining_seconds: float = 300.0
    total_seconds: float = 3600.0


def events(
    path: Path, fallback: str, limits: Limits | None = None, cancelled: Callable[[], bool] = lambda: False
) -> Generator[Event]:
    """Pages in order, then one Reading; or Failed as the last event, after the pages that could be read.

    ``fallback`` is the language of a page that does not tell. Closing the iterator ends the child.
    """
    limits = limits or Limits()
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=work, args=(theirs, str(path), fallback, limits.memory), daemon=True)
    child.start()
    theirs.close()
    try:
        yield from _watched(child, ours, limits, cancelled)
    finally:
        ours.close()
        child.kill()
        child.join()
        child.close()


def _watched(child: Any, ours: Connection, limits: Limits, cancelled: Callable[[], bool]) -> Iterator[Event]:
    began = time.monotonic()
    allowed = _Allowance(child.pid, _START)
    while True:
        waited = False
        while not ours.poll(_WATCH if waited else 0):
            waited = True
            if cancelled():
                yield Failed(Fault.CANCELLED)
                return
            if _resident(child.pid) > limits.memory:
                yield Failed(Fault.OUT_OF_MEMORY)
                return
            if allowed.spent() or time.monotonic() > began + limits.total_seconds:
                yield Failed(Fault.TIMEOUT)
                return
        if cancelled():
            yield Failed(Fault.CANCELLED)
            return
        try:
            data = ours.recv_bytes()
            event = unpacked(data) if data else None
        except (EOFError, OSError):
            child.join(5)
            yield Failed(_fault_of_death(child.exitcode))
            return
        except BadEvent:
            yield Failed(Fault.CORRUPT)
            return
        if event is None:
            allowed = _Allowance(child.pid, limits.page_seconds)
            continue
        if isinstance(event, PageRead):
            last = event.page.page >= event.pages
            allowed = _Allowance(child.pid, limits.mining_seconds if last else limits.page_seconds)
            yield event
            continue
        yield event
        return


class _Allowance:
    """Seconds of work that the child has for its next step."""

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid = pid
        self._seconds = seconds
        self._worked = _worked(pid)
        self._began = time.monotonic()

    def spent(self) -> bool:
        """Whether it worked longer, or was waited for much longer."""
        waited = time.monotonic() - self._began
        return _worked(self._pid) - self._worked > self._seconds or waited > _PATIENCE * self._seconds


def _worked(pid: int) -> float:
    """Seconds of processor time of a process; 0 where it cannot be told."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def _resident(pid: int) -> int:
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0


def _fault_of_death(code: int | None) -> Fault:
    """A process killed from outside ran out of memory, as a rule; one that fell over met a file that broke it."""
    if sys.platform != "win32" and code == -signal.SIGKILL:
        return Fault.OUT_OF_MEMORY
    if sys.platform != "win32" and code == -signal.SIGXCPU:
        return Fault.TIMEOUT
    return Fault.CORRUPT


def work(connection: Connection, path: str, fallback: str, memory: int) -> None:
    """All that the child does: parse, send each page, mine, send the reading."""
    _limit(memory)
    try:
        connection.send_bytes(b"")
        for event in read(Path(path), fallback):
            connection.send_bytes(packed(event))
    except MemoryError:
        connection.send_bytes(packed(Failed(Fault.OUT_OF_MEMORY)))
    except (BrokenPipeError, ConnectionError):
        return
    except Exception:  # whatever a parser trips over, it is the file that is broken, and the parent is told
        connection.send_bytes(packed(Failed(Fault.CORRUPT)))
    finally:
        connection.close()


def read(path: Path, fallback: str) -> Iterator[Event]:
    """The events of one file, in this process."""
    pages: list[ParsedPage] = []
    try:
        format, parse = parser_of(path)
        for count, parsed in parse(path):
            told = with_language(parsed, fallback)
            pages.append(told)
            yield PageRead(format, told.page, count)
    except Unreadable as unreadable:
        yield Failed(unreadable.fault)
        return
    if not any(_says(page) for page in pages):
        yield Failed(Fault.SCANNED if any(page.page.scanned for page in pages) else Fault.EMPTY)
        return
    yield understand_pages(pages, language_of(pages, fallback))


def _says(parsed: ParsedPage) -> bool:
    return any(any(letter.isalnum() for letter in line) for line in parsed.page.lines)


def _limit(memory: int) -> None:
    """Address space (twice the resident limit: libraries are mapped, not loaded), no core file, last in the queue."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (2 * memory, 2 * memory))
    with contextlib.suppress(OSError):
        psutil.Process().nice(10)
