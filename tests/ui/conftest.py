"""The window's tests run without a screen, over a real memory, with a tutor that says what it was told to.

Nothing that Qt complains about passes.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from app.clock import Clock
from app.folders import Folders, open_folders
from app.ids import Ids
from app.models.catalogue import Role
from app.models.shelf import ModelState
from app.reading.reader import FileRead
from app.reminding import Reminding
from app.settings import Settings
from app.turn_events import Citation, Finished, Piece, Plan, Planned, Reminder, Saved, TurnEvent, TurnResult
from app.wiring import open_memory
from memory.episodes import Content, Draft, Episode, EpisodeId, Kind, Meta, Origin, SubjectId
from memory.memory import Memory
from memory.subjects import Subject
from ui.photographs import settle
from ui.window import Look, Opened

NOW = "2026-12-01T10:00:00+01:00"
_HARMLESS = ("This plugin does not support propagateSizeHints", "This plugin does not support raise()")


@pytest.fixture(autouse=True)
def qt_complaints() -> Iterator[list[str]]:
    """What Qt said during a test: anything but the known habits of the offscreen platform fails it."""
    said: list[str] = []

    def note(kind: QtMsgType, _context: object, message: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not message.startswith(_HARMLESS):
            said.append(message)

    before = qInstallMessageHandler(note)
    yield said
    qInstallMessageHandler(before)
    assert not said, said


@pytest.fixture(autouse=True)
def no_window_is_left(qt_complaints: list[str]) -> Iterator[None]:
    """Every window of a test is gone after it: those that stay would be dressed again with each new one."""
    yield
    application = QApplication.instance()
    if isinstance(application, QApplication):
        for widget in application.topLevelWidgets():
            widget.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # no event loop is left that would


@dataclass
class ScriptedTutor:
    """Writes questions and answers to the real ledger; what it says is queued.

    ``hold`` keeps it from ending; ``pace`` is the seconds between two words.
    """

    memory: Memory
    clock: Clock
    ids: Ids
    answers: list[str | Exception] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    hold: threading.Event | None = None
    pace: float = 0.0
    plan: Plan = Plan.ANSWER
    unsupported: bool = True
    reminder: Reminder | None = None

    def __post_init__(self) -> None:
        self.reminding = Reminding(self.memory, self.clock)

    def turn(
        self, subject: SubjectId, text: str, *, cancel: object = None, language: str | None = None
    ) -> Iterator[TurnEvent]:
        self.asked.append(text)
        question = self._write(subject, Kind.QUESTION, Origin.TYPED, text, Meta(language=language))
        yield Saved(question.id)
        yield Planned("ordinary", self.plan, "en")
        said = self.answers.pop(0) if self.answers else "An answer."
        if isinstance(said, Exception):
            raise said
        told = ""
        for word in said.split(" "):
            told = f"{told} {word}".strip()
            yield Piece(f" {word}" if told != word else word)
            if self.pace:
                time.sleep(self.pace)
            if cancel is not None and cancel.is_set():  # type: ignore[attr-defined]
                break
        while self.hold is not None and not self.hold.is_set() and not cancel.is_set():  # type: ignore[attr-defined]
            self.hold.wait(0.02)
        stopped = cancel is not None and cancel.is_set()  # type: ignore[attr-defined]
        meta = Meta(language="en", plan=self.plan.value, about=question.id)
        answer = self._write(subject, Kind.ANSWER, Origin.TUTOR, told, meta)
        self.memory.records.write(answer.id, status="answered")
        citations = (Citation(0, len(told), told),) if self.unsupported else ()
        yield Finished(
            TurnResult(
                question.id,
                answer.id,
                "ordinary",
                None,
                self.plan,
                told,
                "en",
                citations=citations,
                stopped=stopped,
                reminder=self.reminder,
            )
        )

    def regenerate(self, answer: EpisodeId, *, cancel: object = None) -> Iterator[TurnEvent]:
        return iter(())

    def confirm_wish(self, subject: SubjectId) -> TurnResult | None:
        return None

    def prefill(self, subject: SubjectId, cancel: object = None) -> None:
        return None

    def recover(self) -> list[EpisodeId]:
        return []

    def _write(self, subject: SubjectId, kind: Kind, origin: Origin, text: str, meta: Meta) -> Episode:
        now = self.clock.now()
        return self.memory.ledger.append(
            Draft(EpisodeId(self.ids()), subject, kind, origin, now, now.at, Content(text), meta)
        )


class OnePageReader:
    """Reads any file as one page. ``hold`` keeps it from ending; what is cancelled meanwhile ends as such."""

    def __init__(self) -> None:
        self.read_paths: list[Path] = []
        self.hold: threading.Event | None = None
        self.pages = 1

    def read(
        self,
        subject: SubjectId,
        path: Path,
        *,
        language: str = "en",
        on_progress: Callable[[int, int], None] = lambda page, pages: None,
        cancelled: Callable[[], bool] = lambda: False,
        again: bool = False,
    ) -> FileRead:
        self.read_paths.append(path)
        for page in range(1, self.pages + 1):
            on_progress(page, self.pages + 1 if self.hold else self.pages)
            if self.pages > 1:
                time.sleep(0.01)
        while self.hold is not None and not self.hold.wait(0.02):
            if cancelled():
                return FileRead(path, "", 1, 0, 0.0, fault="cancelled")
        return FileRead(path, "", 1, 0, 0.0)


class NoEngines:
    """No model is installed."""

    def chat(self) -> None:
        return None

    def catch_up(self, limit: int | None = None) -> int:
        return 0


class OneModel:
    """A catalogue of one chat model that is in use."""

    def all(self) -> list[ModelState]:
        return [ModelState("small", Role.CHAT, True, True, True, 98_000_000, None, None, ("en",), "Apache-2.0", 0)]

    def fetch(self, name: str, on_progress: object = None, cancel: object = None) -> list[Path]:
        return []

    def use(self, name_or_file: str) -> ModelState:
        return self.all()[0]


@dataclass
class SmallHouse:
    """A house with a real memory and scripted inhabitants."""

    memory: Memory
    tutor: ScriptedTutor
    reader: OnePageReader
    engines: NoEngines
    models: OneModel
    settings: Settings
    clock: Clock
    ids: Ids
    folders: Folders

    def close(self) -> None:
        self.memory.store.close()

    def add_subject(self, name: str = "Biology") -> Subject:
        return self.memory.subjects.add(SubjectId(self.ids()), name, self.clock.recorded())


@pytest.fixture
def house(tmp_path: Path) -> Iterator[SmallHouse]:
    folders, clock, ids = open_folders(tmp_path / "student"), Clock(NOW), Ids()
    memory = open_memory(folders, clock, ids)
    tutor = ScriptedTutor(memory, clock, ids)
    made = SmallHouse(
        memory, tutor, OnePageReader(), NoEngines(), OneModel(), Settings(folders.settings), clock, ids, folders
    )
    yield made
    made.close()


@pytest.fixture
def open_window(qapp: QApplication, house: SmallHouse) -> Iterator[Callable[..., Opened]]:
    """Opens the real window: ``open_window("fr", "dark")``."""
    opened: list[Opened] = []

    def build(language: str = "en", theme: str = "light", size: int = 100) -> Opened:
        one = Opened(house, qapp, None, Look(language, theme, size))
        one.start()
        settle(one.lanes)
        opened.append(one)
        return one

    yield build
    for one in opened:
        one.close()
        one.window.close()
        one.window.deleteLater()
    qapp.processEvents()
