"""Pictures of pages, drawn in a process of their own: a page is as hostile as the file it is in.

The process starts with the first picture that is asked for and is ended when a page takes too long.
"""

from __future__ import annotations

import threading
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, TimeoutError
from multiprocessing import get_context
from pathlib import Path

from app.reading.parsed import Fault, Unreadable
from app.reading.pdf import render_page

SLOWEST = 15.0
"""Seconds that a page may take to be drawn, the start of the process included."""


class PagePictures:
    """Draws pages."""

    def __init__(self, slowest: float = SLOWEST) -> None:
        self._slowest = slowest
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def __call__(self, path: Path, page: int, marked: tuple[int, int] = (0, 0)) -> bytes:
        """A page (from 1) as PNG, some of its lines marked. Raises Unreadable; blocking, one page at a time."""
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
            drawn = self._pool.submit(_draw, path, page, marked)
            try:
                found = drawn.result(self._slowest)
            except (TimeoutError, BrokenExecutor) as error:
                self._end()
                fault = Fault.TIMEOUT if isinstance(error, TimeoutError) else Fault.OUT_OF_MEMORY
                raise Unreadable(fault) from error
        if isinstance(found, Fault):
            raise Unreadable(found)
        return found

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._pool is not None:
            for process in list(self._pool._processes.values()):
                process.kill()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _draw(path: Path, page: int, marked: tuple[int, int]) -> bytes | Fault:
    """In the process: the picture, or why there is none."""
    try:
        return render_page(path, page, marked)
    except Unreadable as unreadable:
        return unreadable.fault
