"""A classroom: one real store with one subject, and short ways to make things happen in it on a given day."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from app.clock import Clock
from app.folders import Folders
from app.ids import Ids
from app.wiring import open_memory
from memory.beliefs import Beliefs
from memory.episodes import (
    ConceptId,
    Content,
    Draft,
    Episode,
    EpisodeId,
    Evidence,
    Kind,
    Meta,
    Origin,
    SubjectId,
    Verdict,
)
from memory.exchange import Imported, export
from memory.ledger import Ledger
from memory.memory import Memory
from memory.moments import Moment
from memory.store import Store, open_store
from memory.subjects import Subject, Subjects

FIRST_DAY = datetime(2026, 3, 2, 16, 0, tzinfo=UTC)


class Classroom:
    """A store, its ledger and its beliefs; ``day`` counts from Monday 2 March 2026, four in the afternoon UTC."""

    def __init__(self, path: Path) -> None:
        self._numbers = count(1)
        self._salts = count(1)
        self.path = path
        self.subject = SubjectId("biology")
        self.store: Store = open_store(path)
        self.ledger = Ledger(self.store, lambda: next(self._salts).to_bytes(16, "big"))
        self.beliefs = Beliefs(self.store)
        if not Subjects(self.store).all():
            Subjects(self.store).add(self.subject, "Biology", 0)

    def ids(self) -> str:
        return f"id-{next(self._numbers):06d}"

    @staticmethod
    def moment(day: float, offset: int = 0) -> Moment:
        return (
            Moment.from_datetime(FIRST_DAY + timedelta(days=day))
            if not offset
            else Moment(Moment.from_datetime(FIRST_DAY + timedelta(days=day)).at, offset)
        )

    def concept(self, name: str, centrality: float = 0.0, maturity: float = 0.35) -> ConceptId:
        key = name.casefold()
        with self.store.atomic() as connection:
            connection.execute(
                "INSERT INTO concepts (id, subject, key, name, origin, created_at, centrality, maturity)"
                " VALUES (?, ?, ?, ?, 'check', 0, ?, ?)",
                (f"concept-{key}", self.subject, key, name, centrality, maturity),
            )
            connection.execute(
                "INSERT INTO concept_names (concept, subject, key, name, alias) VALUES (?, ?, ?, ?, 0)",
                (f"concept-{key}", self.subject, key, name),
            )
        return ConceptId(f"concept-{key}")

    def append(
        self,
        kind: Kind,
        day: float,
        text: str = "some words",
        *,
        meta: Meta | None = None,
        content: Content | None = None,
        touches: tuple[ConceptId, ...] = (),
        offset: int = 0,
        origin: Origin = Origin.TYPED,
    ) -> Episode:
        moment = self.moment(day, offset)
        draft = Draft(
            id=EpisodeId(self.ids()),
            subject=self.subject,
            kind=kind,
            origin=origin,
            moment=moment,
            recorded_at=moment.at,
            content=content or Content(text=text),
            meta=meta or Meta(),
        )
        return self.ledger.append(draft, [(concept, "exact") for concept in touches])

    def check(
        self,
        day: float,
        verdict: Verdict | None,
        concept: str | None = None,
        *,
        predicted: float | None = None,
        text: str = "What is it?",
        origin: Origin = Origin.TYPED,
    ) -> Episode:
        """A check in the ledger, routed to the concept of that name when one is given; no belief is written."""
        key = (concept.casefold(),) if concept else ()
        meta = Meta(verdict=verdict, predicted=predicted, concepts=key, extra={"routed": True} if concept else {})
        touches = (ConceptId(f"concept-{concept.casefold()}"),) if concept else ()
        return self.append(Kind.CHECK, day, text, meta=meta, touches=touches, origin=origin)

    def answer(self, day: float, file: str, sha256: str) -> Episode:
        return self.append(Kind.ANSWER, day, f"See {file}.", meta=Meta(evidence=(Evidence(file, sha256, 1),)))

    def live(self, day: float, verdict: Verdict, concept: str) -> Episode:
        """A check and the belief that it changes, as a lesson does it."""
        check = self.check(day, verdict, concept)
        self.beliefs.record_check(check, ConceptId(f"concept-{concept.casefold()}"), self.ids, check.moment.at)
        return check


@pytest.fixture
def classroom(tmp_path: Path) -> Iterator[Classroom]:
    """A fresh classroom, closed at the end."""
    room = Classroom(tmp_path / "memory.db")
    yield room
    room.store.close()


@pytest.fixture(scope="session")
def make_classroom() -> type[Classroom]:
    """For tests that need several rooms, or one an example: ``make_classroom(path)``; the caller closes the store."""
    return Classroom


class Brain:
    """A whole memory with one subject, and short ways in and out."""

    now = Moment.parse("2026-11-05T18:00:00+01:00")

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self.ids = Ids()
        self.memory: Memory = open_memory(Folders(data, data / "models"), Clock(self.now.iso), self.ids)
        self.subject: Subject = self.memory.subjects.add(SubjectId("bio"), "Biology", 1)

    def take(self, *lines: Any) -> Imported:
        """Import lines, given as text or as values."""
        texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
        return self.memory.importer.run(texts, default=self.subject, now=self.now)

    def give(self) -> list[str]:
        """The export of everything."""
        return list(export(self.memory.store, self.memory.subjects.all()))

    def beliefs(self) -> list[tuple[str, str, float]]:
        """What is held, without ids."""
        held = self.memory.beliefs.current(self.memory.subjects.all()[0].id)
        return sorted((row.name, row.claim.value, round(row.confidence, 6)) for row in held)


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    opened = Brain(tmp_path / "one")
    yield opened
    opened.memory.store.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Brain]:
    """Another student's memory, empty."""
    opened = Brain(tmp_path / "two")
    yield opened
    opened.memory.store.close()


@pytest.fixture
def past() -> list[dict[str, Any]]:
    """Eight events of a spring, one of each kind that a log may hold."""
    check = {"kind": "check", "text": "What moves?", "reply": "water"}
    return [
        {"at": "2026-03-14T00:30:00+01:00", "kind": "question", "text": "What is osmosis?", "external_id": "q1"},
        {"at": "2026-03-14T00:31:00+01:00", "kind": "answer", "text": "Water moves.", "external_id": "a1"},
        {**check, "at": "2026-04-02T10:00:00+02:00", "verdict": "wrong", "external_id": "c1", "concept": "Osmosis"},
        {**check, "at": "2026-04-09T10:00:00+02:00", "verdict": "right", "external_id": "c2", "concept": "Osmosis"},
        {**check, "at": "2026-04-20T10:00:00+02:00", "verdict": "right", "external_id": "c3", "topic": "osmosis"},
        {"at": "2026-04-21T10:00:00+02:00", "kind": "quiz", "text": "A quiz", "score": 0.5, "external_id": "z1"},
        {"at": "2026-04-22T10:00:00+02:00", "kind": "taught", "text": "osmosis is my favourite", "external_id": "t1"},
        {"at": "2026-04-23T10:00:00+02:00", "kind": "file", "text": "cells.pdf", "external_id": "f1"},
    ]
