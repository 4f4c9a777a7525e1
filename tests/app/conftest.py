"""What the application's tests share: the command line called in this process, in a folder of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import resources
from io import StringIO
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from app.__main__ import main
from app.clock import Clock
from app.folders import open_folders
from app.models.chat import Cancel, Generated, Message, Stopped
from app.turn_events import Finished, TurnResult
from app.wiring import open_house
from memory.episodes import Episode, EpisodeId, Kind
from memory.memory import Memory

NOW = "2026-11-05T18:00:00+01:00"


@dataclass(frozen=True, slots=True)
class Said:
    """What one call of the command line gave."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout; anything else there fails."""
        lines = self.out.splitlines()
        assert len(lines) == 1, self.out
        return json.loads(lines[0])

    @property
    def documents(self) -> list[Any]:
        """One JSON document a line."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The student's folder, not made yet."""
    return tmp_path / "student"


@pytest.fixture
def cli(no_models: None, data: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Runs one command: ``cli("ask", "What is osmosis?")``; ``now``, ``plain`` and ``data`` may be given."""

    def run(*arguments: str | Path, plain: bool = False, now: str | None = NOW) -> Said:
        capsys.readouterr()
        fixed = ["--data", str(data), *(["--now", now] if now else []), *([] if plain else ["--json"])]
        try:
            code = main([*fixed, *map(str, arguments)])
        except SystemExit as ended:
            code = int(ended.code or 0)
        shown = capsys.readouterr()
        return Said(code, shown.out, shown.err)

    return run


NOTES = """# Osmosis

Osmosis is the movement of water through a semipermeable membrane according to the concentration gradient of water.
Osmosis builds on diffusion.

# Diffusion

Diffusion is the movement of a substance from a place of high concentration to a place of low concentration. Diffusion
needs no energy. In diffusion, particles spread until they are even.

# Phospholipid bilayer

A phospholipid bilayer is a double layer of phospholipids whose tails point inwards. The phospholipid bilayer lets
small molecules pass by diffusion.
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Notes a student might have written: Markdown, so that reading takes a moment only."""
    path = tmp_path / "membranes.md"
    path.write_text(NOTES, "utf-8")
    return path


@pytest.fixture
def six_months(tmp_path: Path) -> Path:
    """Half a year of a student's life, as shipped."""
    path = tmp_path / "six_months.jsonl"
    path.write_text(resources.files("resources").joinpath("sample", "six_months.jsonl").read_text("utf-8"), "utf-8")
    return path


@pytest.fixture(scope="session")
def half_a_year(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A student's folder after a course was read and six months were lived; copy it, never write into it."""
    folder = tmp_path_factory.mktemp("half-a-year")
    course, log, data = folder / "membranes.md", folder / "six_months.jsonl", folder / "student"
    course.write_text(NOTES, "utf-8")
    log.write_text(resources.files("resources").joinpath("sample", "six_months.jsonl").read_text("utf-8"), "utf-8")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        patch.setattr("app.folders.default_data", lambda: folder / "elsewhere")
        patch.setattr("app.engines.Engines.embedder", lambda engines: None)
        begin = "2026-05-04T17:00:00+02:00"
        assert main(["--data", str(data), "--now", begin, "--subject", "Biology", "read", str(course)]) == 0
        assert main(["--data", str(data), "--now", NOW, "--subject", "Biology", "import", str(log)]) == 0
    return data


@pytest.fixture
def lived(cli: Callable[..., Said], half_a_year: Path, data: Path) -> Callable[..., Said]:
    """The command line over a folder in which half a year has passed."""
    copytree(half_a_year, data)
    return cli


@pytest.fixture
def event() -> Callable[..., str]:
    """One line of an event log: ``event("question", "What is osmosis?", at="2026-07-12", external_id="q1")``."""

    def build(kind: str, text: str, at: str = "2026-07-12T17:00:00+02:00", **more: Any) -> str:
        moment = at if "T" in at else f"{at}T17:00:00+02:00"
        return json.dumps({"at": moment, "kind": kind, "text": text, **more}, ensure_ascii=False)

    return build


class ScriptedChat:
    """A chat model that says what it was told to, and keeps what it was shown. An exception in a script is raised."""

    def __init__(self) -> None:
        self.path = Path("scripted.gguf")
        self.scripts: list[list[str | Exception]] = []
        self.shown: list[list[Message]] = []
        self.prefilled: list[list[Message]] = []

    def will_say(self, *pieces: str | Exception) -> None:
        """Queue one answer, piece by piece."""
        self.scripts.append(list(pieces))

    def load(self) -> None:
        return None

    def generate(self, messages: list[Message], *, cancel: Cancel | None = None, **settings: object) -> ScriptedAnswer:
        self.shown.append(list(messages))
        return ScriptedAnswer(self.scripts.pop(0) if self.scripts else ["An answer."], cancel)

    def prefill(self, messages: list[Message], **settings: object) -> None:
        self.prefilled.append(list(messages))

    def count_tokens(self, texts: list[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def close(self) -> None:
        return None


class ScriptedAnswer:
    """The stream of one scripted answer."""

    def __init__(self, script: list[str | Exception], cancel: Cancel | None) -> None:
        self._script = script
        self._cancel = cancel
        self.result: Generated | None = None

    def __iter__(self) -> Iterator[str]:
        stopped = Stopped.END
        for piece in self._script:
            if self._cancel is not None and self._cancel.is_set():
                stopped = Stopped.CANCELLED
                break
            if isinstance(piece, Exception):
                raise piece
            yield piece
        self.result = Generated(100, 50, len(self._script), 10.0, 20.0, stopped)


class Student:
    """One student at work in a house: ``ask`` runs a turn to its end."""

    def __init__(self, data: Path, now: str, chat: ScriptedChat) -> None:
        self._data = data
        self.chat = chat
        self.house = open_house(open_folders(data), Clock(now))
        self.subject = self.house.subject("Biology", create=True)

    @property
    def memory(self) -> Memory:
        return self.house.memory

    def ask(self, text: str, **settings: Any) -> TurnResult:
        """A whole turn."""
        (result,) = [
            event.result
            for event in self.house.tutor.turn(self.subject.id, text, **settings)
            if isinstance(event, Finished)
        ]
        return result

    def episodes(self, *kinds: Kind) -> list[Episode]:
        """What the ledger holds, oldest first."""
        return self.memory.ledger.find(self.subject.id, kinds=kinds or None)

    def words(self, id: EpisodeId | None) -> str:
        """The text of an episode."""
        assert id is not None
        episode = self.memory.ledger.get(id)
        assert episode is not None
        assert episode.content is not None
        return episode.content.text

    def reopen(self, now: str) -> None:
        """Close Retiens and open it again at another time."""
        self.house.close()
        self.house = open_house(open_folders(self._data), Clock(now))


@pytest.fixture
def chat(no_models: None, monkeypatch: pytest.MonkeyPatch) -> ScriptedChat:
    """The chat model of every house opened in this test."""
    model = ScriptedChat()
    monkeypatch.setattr("app.engines.Engines.chat", lambda engines: model)
    return model


@pytest.fixture
def student(chat: ScriptedChat, half_a_year: Path, data: Path) -> Iterator[Student]:
    """A student with half a year behind them, before a scripted chat model."""
    copytree(half_a_year, data)
    opened = Student(data, NOW, chat)
    yield opened
    opened.house.close()
