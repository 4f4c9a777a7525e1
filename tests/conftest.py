"""What every test may use: a real database in a temporary folder, ids that count, salts that are known."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from memory.episodes import Content, Draft, EpisodeId, Kind, Meta, Origin, SubjectId
from memory.ledger import Ledger
from memory.moments import Moment
from memory.store import Store
from memory.subjects import Subjects

# A shared machine is slow at times: that is no failing law. In CI the examples are the same on every run.
settings.register_profile("retiens", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("retiens")
SUBJECT = SubjectId("01890000-0000-7000-8000-000000000001")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "memory.db", room=0)
    yield opened
    opened.close()


@pytest.fixture
def subject(store: Store) -> SubjectId:
    Subjects(store).add(SUBJECT, "Biology", 1)
    return SUBJECT


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return Ledger(store, lambda: bytes(16))


@pytest.fixture
def ids() -> Callable[[], str]:
    counter = itertools.count(1)
    return lambda: f"01890000-0000-7000-9000-{next(counter):012d}"


@pytest.fixture
def draft(ids: Callable[[], str]) -> Callable[..., Draft]:
    """Builds drafts: ``draft("What is osmosis?", at="2026-07-12T17:00:00+02:00", kind=Kind.CHECK, meta=…)``."""

    def build(
        text: str = "What is osmosis?",
        at: str = "2026-07-12T17:00:00+02:00",
        kind: Kind = Kind.QUESTION,
        origin: Origin = Origin.TYPED,
        meta: Meta | None = None,
        subject: SubjectId = SUBJECT,
        content: Content | None = None,
    ) -> Draft:
        moment = Moment.parse(at)
        return Draft(
            id=EpisodeId(ids()),
            subject=subject,
            kind=kind,
            origin=origin,
            moment=moment,
            recorded_at=moment.at,
            content=content or Content(text),
            meta=meta or Meta(language="en"),
        )

    return build


@pytest.fixture
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which no model was ever fetched: everything that needs none must work all the same."""
    empty = tmp_path / "elsewhere"
    monkeypatch.setattr("app.folders.default_data", lambda: empty)
    monkeypatch.setattr("app.models.shelf.find_models", list)
    monkeypatch.setattr("app.engines.Engines.embedder", lambda engines: None)
