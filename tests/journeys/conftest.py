"""Journeys: a student at a real house with real models, as ``make test`` fetches them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from app.clock import Clock
from app.folders import Folders, default_data, open_folders
from app.models.chat import ChatModel
from app.settings import Settings
from app.turn_events import Finished, TurnResult
from app.wiring import House, open_house

MODEL = "qwen2.5-coder-0.5b-instruct-q4_k_m"
BEGINS = "2026-10-05T17:00:00+02:00"
COURSE = "plasma_membranes.pdf"


class Student:
    """One student: ``ask`` runs a whole turn."""

    def __init__(self, folders: Folders, now: str) -> None:
        self.folders = folders
        self.open = True
        self.house: House = open_house(folders, Clock(now))
        self.subject = self.house.subject("Biology", create=True)

    def ask(self, text: str, **settings: Any) -> TurnResult:
        """A whole turn."""
        (result,) = [
            event.result
            for event in self.house.tutor.turn(self.subject.id, text, **settings)
            if isinstance(event, Finished)
        ]
        return result

    def words(self, id: str | None) -> str:
        """The text of an episode."""
        episode = self.house.memory.ledger.get(id or "")
        assert episode is not None
        assert episode.content is not None
        return episode.content.text

    def model(self) -> ChatModel:
        """The chat model in use."""
        model = self.house.engines.chat()
        assert model is not None
        return model

    def close(self) -> None:
        """Close Retiens; once is enough."""
        if self.open:
            self.open = False
            self.house.close()

    def reopen(self, now: str) -> None:
        """Close Retiens and open it again."""
        self.close()
        self.open = True
        self.house = open_house(self.folders, Clock(now))


@pytest.fixture(scope="session")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the sample course was read, with its vectors; copy it, never write into it."""
    path = default_data() / "models" / f"{MODEL}.gguf"
    assert path.is_file(), f"{path} is missing: run `make test-models` (or `make test`, which does)"
    folder = tmp_path_factory.mktemp("studied")
    course = folder / COURSE
    course.write_bytes(resources.files("resources").joinpath("sample", COURSE).read_bytes())
    folders = open_folders(folder / "student")
    Settings(folders.settings).change(chat_model=MODEL)
    student = Student(folders, BEGINS)
    read = student.house.reader.read(student.subject.id, course)
    assert read.fault is None
    student.house.engines.catch_up()
    student.close()
    return folders.data


@pytest.fixture
def student(studied: Path, tmp_path: Path) -> Iterator[Student]:
    """A student who has read the course, before the real models."""
    data = tmp_path / "student"
    copytree(studied, data)
    opened = Student(open_folders(data), BEGINS)
    yield opened
    opened.close()
