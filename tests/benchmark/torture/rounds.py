"""Rounds: one process is killed, another one looks at what it left."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from inspection import faults_of, logical, warm, works_again
from operations import OPERATIONS, Operation

from memory.store import Store

_FORK = multiprocessing.get_context("fork")
_SPAN = 1.03
"""Kills fall into the operation's own time and a little beyond it."""


@dataclass(slots=True)
class Tally:
    """What the rounds of one operation gave; ``ended`` came to their end before the kill."""

    rounds: int = 0
    kills: int = 0
    ended: int = 0
    acknowledged: int = 0
    lost: int = 0
    faults: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """As kept from slice to slice."""
        return asdict(self)


class Torture:
    """The rounds of one operation."""

    def __init__(self, name: str, folder: Path, seed: int, broken: str | None) -> None:
        self._operation: Operation = OPERATIONS[name](folder / "before")
        self._folder, self._seed, self._name, self._broken = folder, seed, name, broken
        warm()
        _apart(self._operation.prepare)
        began = time.monotonic()
        self._whole: str = _apart(lambda: self._finish(self._fresh("whole", random.Random(0))))
        self._seconds = self._operation.seconds or time.monotonic() - began

    def round(self, tally: Tally) -> None:
        """Kill once, and look."""
        tally.rounds += 1
        drawn = random.Random(f"{self._seed} {self._name} {tally.rounds}")
        data = self._fresh("round", drawn)
        acknowledged, killed = self._kill(data, drawn.uniform(0, self._seconds * _SPAN))
        tally.kills += killed
        tally.ended += not killed
        tally.acknowledged += len(acknowledged)
        lost, faults = _apart(lambda: self._look(data, acknowledged))
        tally.lost += lost
        tally.faults += [f"round {tally.rounds}: {fault}" for fault in faults]

    def _fresh(self, name: str, drawn: random.Random) -> Path:
        data = self._folder / name
        shutil.rmtree(data, ignore_errors=True)
        self._operation.fill(data, drawn)
        return data

    def _kill(self, data: Path, seconds: float) -> tuple[list[Any], bool]:
        """Start the operation, end it after so many seconds; what it acknowledged, and whether it was still at it."""
        here, there = _FORK.Pipe(duplex=False)

        def act() -> None:
            os.setsid()
            here.close()
            with _silenced(), _broken(self._broken):
                there.send(None)
                self._operation.act(data, there.send, self._broken == "early")

        child = _FORK.Process(target=act)
        child.start()
        there.close()
        here.recv()
        child.join(seconds)
        child.kill()
        child.join()
        with suppress(ProcessLookupError):
            assert child.pid is not None
            os.killpg(child.pid, signal.SIGKILL)  # a reader process that has not noticed yet
        acknowledged = _all_of(here)
        if child.exitcode not in (0, -signal.SIGKILL):
            raise RuntimeError(f"{self._name} ended with {child.exitcode}")
        return acknowledged, child.exitcode == -signal.SIGKILL

    def _look(self, data: Path, acknowledged: list[Any]) -> tuple[int, list[str]]:
        lost = self._operation.lost(data, acknowledged)
        faults = faults_of(data)
        try:
            ended = self._finish(data)
            if self._operation.same_end and ended != self._whole:
                faults.append("done again, it ends otherwise: " + _difference(self._whole, ended))
            faults += faults_of(data) + works_again(data)
        except Exception:
            faults.append(traceback.format_exc(limit=-3))
        return lost, faults

    def _finish(self, data: Path) -> str:
        """Do the operation to its end; the logical content then."""
        with _silenced():
            self._operation.complete(data)
        return logical(data) if self._operation.same_end else ""


def _apart(work: Callable[[], Any]) -> Any:
    """Do something in a process of its own, so that nothing is open in this one when the next is forked."""
    here, there = _FORK.Pipe(duplex=False)

    def run() -> None:
        try:
            there.send((True, work()))
        except BaseException:
            there.send((False, traceback.format_exc()))
        there.close()

    child = _FORK.Process(target=run)
    child.start()
    there.close()
    good, result = here.recv()
    child.join()
    if not good:
        raise RuntimeError(result)
    return result


def _all_of(pipe: Connection) -> list[Any]:
    found = []
    with suppress(EOFError, OSError):
        while pipe.poll():
            found.append(pipe.recv())
    pipe.close()
    return found


def _difference(one: str, other: str) -> str:
    """The first line of the logical content that differs."""
    for mine, theirs in zip(one.splitlines(), other.splitlines(), strict=False):
        if mine != theirs:
            place = next(i for i, (a, b) in enumerate(zip(mine + "\0", theirs + "\1", strict=False)) if a != b)
            return json.dumps([mine[max(0, place - 200) : place + 100], theirs[max(0, place - 200) : place + 100]])
    return "one is longer"


@contextmanager
def _silenced() -> Iterator[None]:
    """What the program says goes nowhere."""
    with open(os.devnull, "w") as nowhere:
        kept = os.dup(1)
        os.dup2(nowhere.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)


@contextmanager
def _broken(how: str | None) -> Iterator[None]:
    """With ``no-transactions``, every statement of the store commits alone."""
    if how == "no-transactions":

        @contextmanager
        def atomic(store: Store) -> Iterator[Any]:
            store._local.writing = getattr(store._local, "writing", 0) + 1
            try:
                yield store._writer
            finally:
                store._local.writing -= 1

        Store.atomic = atomic  # type: ignore[method-assign]
    yield
