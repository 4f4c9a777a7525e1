"""What is being killed: appending, importing, reading a file, a night, a migration. Each through the real program."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pymupdf

from app.clock import Clock
from app.folders import Folders
from app.schedule import run_night
from app.wiring import House, open_house
from memory import exchange
from memory.migrating import scripts
from memory.store import Store
from memory.subjects import Subject
from memory.vectors import Space

NOW = "2026-11-05T18:00:00+01:00"
SPACE = Space("torture", 16, 0.5)
CONCEPTS = ("Osmosis", "Diffusion", "Membrane", "Enzyme", "Ribosome", "Mitosis")
FROZEN = Path(__file__).parents[2] / "data" / "schemas"
Send = Callable[[Any], None]


class Operation(Protocol):
    """One thing that is killed. ``seconds``: the time in which kills fall, 0: as long as it takes."""

    seconds: float
    same_end: bool

    def prepare(self) -> None:
        """Make, once, what every round begins from."""

    def fill(self, data: Path, drawn: random.Random) -> None:
        """Make the folder of one round."""

    def act(self, data: Path, send: Send, early: bool) -> None:
        """Do it, to the end; ``send`` what is acknowledged (``early``: before it is true)."""

    def complete(self, data: Path) -> None:
        """Do it again after a kill, to the end."""

    def lost(self, data: Path, acknowledged: list[Any]) -> int:
        """How much of what was acknowledged is not there."""


@contextmanager
def house(data: Path) -> Iterator[tuple[House, Subject]]:
    """The program over one folder, without any model."""
    opened = open_house(Folders(data, data / "models"), Clock(NOW))
    try:
        yield opened, opened.subject("Biology", create=True)
    finally:
        opened.close()


def catch_up(opened: House) -> None:
    """Give every waiting text a vector, as the program does when an embedder is there."""
    vectors = opened.memory.vectors
    vectors.use(SPACE)
    while waiting := vectors.pending(32):
        for kind in dict.fromkeys(item.kind for item in waiting):
            own = [item for item in waiting if item.kind == kind]
            rows = [np.random.default_rng(list(item.text.encode())).standard_normal(SPACE.dimension) for item in own]
            vectors.put_many(kind, [item.owner for item in own], SPACE.model, np.stack(rows).astype(np.float32))


def _rows(data: Path, sql: str) -> list[Any]:
    store = Store(data / "memory.db", room=0, backups=data / "backups")
    try:
        return store.reader().execute(sql).fetchall()
    finally:
        store.close()


class _FromFolder:
    """Rounds that begin from a folder made once."""

    seconds = 0.0
    same_end = True

    def __init__(self, before: Path) -> None:
        self.before = before

    def prepare(self) -> None:
        self.before.mkdir()

    def fill(self, data: Path, drawn: random.Random) -> None:
        shutil.copytree(self.before, data)

    def act(self, data: Path, send: Send, early: bool) -> None:
        raise NotImplementedError

    def complete(self, data: Path) -> None:
        self.act(data, lambda item: None, False)


class Appending(_FromFolder):
    """Questions, answers and their vectors, one after the other."""

    seconds = 0.5
    same_end = False

    def act(self, data: Path, send: Send, early: bool) -> None:
        self._turns(data, 100_000, send, early)

    def complete(self, data: Path) -> None:
        self._turns(data, 3, lambda item: None, False)

    def _turns(self, data: Path, count: int, send: Send, early: bool) -> None:
        with house(data) as (opened, subject):
            names = opened.reads.names(subject.id)
            for number in range(count):
                if early:
                    send(number)
                text = f"Question {number} about the membrane of a cell?"
                asked = opened.record.question(subject.id, text, "en", names)
                answered = opened.record.answer(subject.id, asked.id, "Water moves.", "en", "answer", ())
                if not early:
                    send(asked.id)
                    send(answered.id)
                catch_up(opened)

    def lost(self, data: Path, acknowledged: list[Any]) -> int:
        kept = {id for (id,) in _rows(data, "SELECT id FROM episodes")}
        early = [item for item in acknowledged if isinstance(item, int)]
        answered = _rows(data, "SELECT count(*) FROM episodes WHERE kind = 'answer'")[0][0]
        return len({item for item in acknowledged if isinstance(item, str)} - kept) + max(0, len(early) - answered)


class Importing(_FromFolder):
    """Six hundred events of a year, in batches of 100: checks with topics, notes, a quiz, a file."""

    def prepare(self) -> None:
        super().prepare()
        log = [json.dumps(event) for event in _events(random.Random(5), 600)]
        (self.before / "log.jsonl").write_text("\n".join(log), "utf-8")
        with house(self.before) as (opened, subject):
            for concept in CONCEPTS:
                opened.memory.map.ensure(subject.id, concept, "en", "check", opened.ids(), opened.clock.recorded())

    def act(self, data: Path, send: Send, early: bool) -> None:
        exchange._AT_ONCE = 100
        with house(data) as (opened, subject):
            lines = (data / "log.jsonl").read_text("utf-8").splitlines()
            opened.memory.importer.run(lines, default=subject, now=opened.clock.now(), language="en", progress=send)
            catch_up(opened)

    def lost(self, data: Path, acknowledged: list[Any]) -> int:
        return max(0, max(acknowledged, default=0) - _rows(data, "SELECT count(*) FROM episodes")[0][0])


class Reading(_FromFolder):
    """A PDF of six pages, through the reader process, onto a map that has a past."""

    def prepare(self) -> None:
        super().prepare()
        document = pymupdf.open()
        for name in CONCEPTS:
            page = document.new_page()
            page.insert_text((72, 72), name, fontsize=20, fontname="hebo")
            body = f"{name} is the process by which a cell keeps what it needs. {name} builds on Diffusion. " * 6
            page.insert_textbox((72, 100, 520, 700), body, fontsize=11)
        document.save(self.before / "cells.pdf")
        document.close()
        with house(self.before) as (opened, subject):
            lines = [json.dumps(event) for event in _events(random.Random(6), 40)]
            opened.memory.importer.run(lines, default=subject, now=opened.clock.now(), language="en")
            catch_up(opened)

    def act(self, data: Path, send: Send, early: bool) -> None:
        with house(data) as (opened, subject):
            path = data.parent / "before" / "cells.pdf"
            opened.reader.read(subject.id, path, on_progress=lambda page, pages: send(page))
            catch_up(opened)

    def lost(self, data: Path, acknowledged: list[Any]) -> int:
        kept = {page for (page,) in _rows(data, "SELECT DISTINCT page FROM passages")}
        return len(set(acknowledged) - kept)


class Night(_FromFolder):
    """The first night of a student who has half a year behind them."""

    def prepare(self) -> None:
        super().prepare()
        with house(self.before) as (opened, subject):
            lines = [json.dumps(event) for event in _events(random.Random(7), 200)]
            opened.memory.importer.run(lines, default=subject, now=opened.clock.now(), language="en")
            catch_up(opened)

    def act(self, data: Path, send: Send, early: bool) -> None:
        with house(data) as (opened, subject):
            run_night(opened, subject)
            send("night")
            catch_up(opened)

    def lost(self, data: Path, acknowledged: list[Any]) -> int:
        finished = _rows(data, "SELECT count(*) FROM nights WHERE finished_at IS NOT NULL")[0][0]
        return max(0, len(acknowledged) - finished)


class Migrating(_FromFolder):
    """A frozen database of an older schema, opened by today's program."""

    same_end = False

    def fill(self, data: Path, drawn: random.Random) -> None:
        data.mkdir()
        old = drawn.choice(sorted(FROZEN.glob("*.db.gz"))[3:-1])  # those whose derived tables are all there
        (data / "memory.db").write_bytes(gzip.decompress(old.read_bytes()))

    def act(self, data: Path, send: Send, early: bool) -> None:
        with house(data) as (opened, subject):
            send(opened.memory.ledger.count(subject.id))

    def lost(self, data: Path, acknowledged: list[Any]) -> int:
        frozen = gzip.decompress((FROZEN / f"schema-{scripts()[-1][0]:04d}.db.gz").read_bytes())
        whole = data / "whole" / "memory.db"
        whole.parent.mkdir()
        whole.write_bytes(frozen)
        ledger = "SELECT e.id, e.hash, c.body FROM episodes e JOIN contents c ON c.episode = e.row"
        gone = len(set(_rows(whole.parent, ledger)) - set(_rows(data, ledger)))
        shutil.rmtree(whole.parent)
        return gone


def _events(drawn: random.Random, count: int) -> Iterator[dict[str, Any]]:
    """A student's year, drawn at random: a few events a day, all kinds."""
    at = datetime.fromisoformat("2026-03-01T16:00:00+01:00")
    for number in range(count):
        at += timedelta(hours=drawn.choice((0.1, 0.2, 20, 30)))
        concept = drawn.choice(CONCEPTS)
        event: dict[str, Any] = {"at": at.isoformat(), "external_id": f"e{number}", "language": "en"}
        match drawn.randrange(8):
            case 0 | 1:
                yield {**event, "kind": "question", "text": f"What is {concept.lower()}, case {number}?"}
            case 2:
                yield {**event, "kind": "answer", "text": f"{concept} keeps the cell alive, case {number}."}
            case 3:
                yield {**event, "kind": "taught", "text": f"{concept} is like door number {number}."}
            case 4:
                yield {**event, "kind": "quiz", "text": f"Quiz {number}", "score": 0.5}
            case _:
                named = {"concept": concept} if drawn.random() < 0.5 else {"topic": concept.lower()}
                verdict = drawn.choice(("right", "partly", "wrong"))
                yield {**event, **named, "kind": "check", "text": f"Say what {concept} does.", "verdict": verdict}


OPERATIONS: dict[str, Callable[[Path], Operation]] = {
    "append": Appending,
    "import": Importing,
    "read": Reading,
    "nightly": Night,
    "migration": Migrating,
}
