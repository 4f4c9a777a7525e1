"""What the application's tests share: the command line called in this process, in a folder of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import resources
from io import StringIO
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from app.__main__ import main

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
