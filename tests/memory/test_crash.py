"""What was acknowledged survives ``kill -9`` at any moment (short form; the long one is a benchmark)."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from memory.episodes import Content, Draft, EpisodeId, Kind, Meta, Origin, SubjectId
from memory.ledger import Ledger
from memory.moments import Moment
from memory.store import Store
from memory.subjects import Subjects
from memory.verification import Verification

SUBJECT = SubjectId("01890000-0000-7000-8000-000000000001")

KILLS = 200


def append_until_killed(path: Path, run: int, acknowledged: Connection) -> None:
    store = Store(path, room=0)
    ledger = Ledger(store, lambda: os.urandom(16))
    acknowledged.send(None)
    for number in range(100_000):
        id = EpisodeId(f"{run}-{number}")
        content = Content(f"question {number} about the membrane of a cell")
        ledger.append(
            Draft(id, SUBJECT, Kind.QUESTION, Origin.TYPED, Moment(number), number, content, Meta(language="en"))
        )
        acknowledged.send(id)


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_by_killing_the_writer(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = Store(path, room=0)
    Subjects(store).add(SUBJECT, "Biology", 1)
    store.close()
    random.seed(7)
    spawn = multiprocessing.get_context("fork")
    acknowledged: set[str] = set()
    for run in range(KILLS):
        here, there = spawn.Pipe(duplex=False)
        child = spawn.Process(target=append_until_killed, args=(path, run, there))
        child.start()
        there.close()
        assert here.recv() is None, "the record is open"
        time.sleep(random.uniform(0.01, 0.12))
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        try:
            while here.poll():
                acknowledged.add(here.recv())
        except EOFError:
            pass
        here.close()
    store = Store(path, room=0)
    (state,) = Verification(store).chains()
    kept = {row[0] for row in store.reader().execute("SELECT id FROM episodes").fetchall()}
    assert state.ok
    assert Verification(store).database() == []
    assert acknowledged <= kept
    assert len(acknowledged) > KILLS // 4
    store.close()
