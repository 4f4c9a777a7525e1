"""What the window asks of the program: the seams it is built on.

The memory itself is used as it is (:class:`memory.memory.Memory`); everything that runs a model, reads a file or tells
the time is asked through these. :class:`app.wiring.House` is the one that is used; tests bring a smaller one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from app.models.chat import Cancel, ChatModel
from app.models.fetch import Progress
from app.models.shelf import ModelState
from app.reading.reader import FileRead
from app.settings import Settings
from app.turn_events import TurnEvent, TurnResult
from memory.episodes import EpisodeId, SubjectId
from memory.memory import Memory
from memory.moments import Moment


class TellsTime(Protocol):
    """The clock."""

    def now(self) -> Moment:
        """The present moment."""

    def recorded(self) -> int:
        """When something reaches the ledger, in UTC microseconds."""


class Tutors(Protocol):
    """Runs turns; blocking, so always on the chat lane."""

    def turn(
        self, subject: SubjectId, text: str, *, cancel: Cancel | None = None, language: str | None = None
    ) -> Iterator[TurnEvent]:
        """One turn."""

    def regenerate(self, answer: EpisodeId, *, cancel: Cancel | None = None) -> Iterator[TurnEvent]:
        """Another answer to the same question."""

    def confirm_wish(self, subject: SubjectId) -> TurnResult | None:
        """The student said yes to keeping a note."""

    def prefill(self, subject: SubjectId, cancel: Cancel | None = None) -> None:
        """Make the next answer start sooner."""

    def recover(self) -> list[EpisodeId]:
        """Record the answers that a crash cut short."""


class ReadsFiles(Protocol):
    """Reads files into the subject map; blocking, so always on the files lane."""

    def read(
        self,
        subject: SubjectId,
        path: Path,
        *,
        language: str = "en",
        on_progress: Callable[[int, int], None] = ...,
        cancelled: Callable[[], bool] = ...,
        again: bool = False,
    ) -> FileRead:
        """Read one file; ``on_progress`` is told pages read and pages of the file."""


class RunsEngines(Protocol):
    """The models at work."""

    def chat(self) -> ChatModel | None:
        """The chat model, not loaded until it is asked for something."""

    def catch_up(self, limit: int | None = None) -> int:
        """Give what waits its vectors; how many were given."""


class KnowsModels(Protocol):
    """The catalogue, what is installed, what is in use."""

    def all(self) -> list[ModelState]:
        """Every model."""

    def fetch(
        self, name: str, on_progress: Callable[[Progress], None] = ..., cancel: Cancel | None = None
    ) -> list[Path]:
        """Fetch a model of the catalogue."""

    def use(self, name_or_file: str) -> ModelState:
        """Choose a model."""


class House(Protocol):
    """Everything the window is given."""

    @property
    def memory(self) -> Memory:
        """The memory's parts."""

    @property
    def tutor(self) -> Tutors:
        """Who runs turns."""

    @property
    def reader(self) -> ReadsFiles:
        """Who reads files."""

    @property
    def engines(self) -> RunsEngines:
        """Who runs the models."""

    @property
    def models(self) -> KnowsModels:
        """Who knows the models."""

    @property
    def settings(self) -> Settings:
        """What the student set."""

    @property
    def clock(self) -> TellsTime:
        """Who tells the time."""

    @property
    def ids(self) -> Callable[[], str]:
        """A new id each time."""

    def close(self) -> None:
        """End the processes and close the store."""
