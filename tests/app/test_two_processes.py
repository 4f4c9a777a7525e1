"""The window and the command line on one record at once: no write is lost, and nobody is told that it is locked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.clock import Clock
from app.folders import Folders
from app.wiring import open_house

NOW = "2026-11-06T18:00:00+01:00"
PROGRAM = """
import sys
from app.__main__ import main
from app.engines import Engines
Engines.embedder = lambda engines: None
sys.exit(main())
"""


def call_of(data: Path, *words: str | Path) -> list[str]:
    """One call of the command line, without any model."""
    fixed = ["--data", str(data), "--now", NOW, "--subject", "Biology", "--json"]
    return [sys.executable, "-c", PROGRAM, *fixed, *map(str, words)]


class Window:
    """A process that has the record open all the while."""

    def __init__(self, data: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("open_window.py")), str(data), NOW],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "open\n"

    def close(self) -> tuple[list[str], list[str], float]:
        """What it wrote, and the longest that one turn took, in seconds."""
        out, _ = self._process.communicate("end\n")
        assert self._process.returncode == 0
        said = json.loads(out)
        return said["asked"], said["answered"], said["slowest"]

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))  # no model that was fetched on this machine
    data = tmp_path / "student"
    data.mkdir()
    return data


@pytest.fixture
def window(record: Path) -> Iterator[Window]:
    opened = Window(record)
    yield opened
    opened.kill()


@pytest.fixture
def say(record: Path) -> Callable[..., Any]:
    """A process of the command line; its one JSON document."""

    def run(*words: str | Path) -> Any:
        said = subprocess.run(call_of(record, *words), check=False, capture_output=True, text=True)
        assert said.returncode == 0, (words, said.stderr)
        assert not any(word in said.stderr.casefold() for word in ("lock", "busy", "held by")), said.stderr
        return json.loads(said.stdout.splitlines()[-1])

    return run


def log_of(path: Path, count: int) -> Path:
    check = {"kind": "check", "concept": "Osmosis", "reply": "water", "verdict": "right"}
    lines = [
        {"at": f"2026-10-{1 + number % 28:02d}T10:00:00+02:00", "external_id": f"e{number}", "text": f"Case {number}?"}
        | (check if number % 3 == 0 else {"kind": "question"})
        for number in range(count)
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return path


@pytest.mark.slow
def test_the_window_and_the_command_line_write_side_by_side(
    window: Window, say: Callable[..., Any], record: Path, tmp_path: Path
) -> None:
    course = tmp_path / "enzymes.md"
    course.write_text("# Enzyme\n\nAn enzyme is a protein that speeds up a reaction of the cell.\n", "utf-8")
    assert say("import", log_of(tmp_path / "log.jsonl", 1500))["imported"] == 1500
    assert say("read", course)["files"][0]["fault"] is None
    typed = say("ask", "What did I get wrong in October?")["question_id"]
    redacted = say("redact", "e1")["by"]
    contested = say("contest", "e3")["by"]
    say("nightly")
    say("backup", tmp_path / "copy.db")
    say("rebuild")
    assert say("export", tmp_path / "out.jsonl")["episodes"] > 1500
    asked, answered, slowest = window.close()
    assert len(asked) == len(answered) > 20
    assert slowest < 30, "a turn waited longer than anybody should"
    (chain,) = say("verify")["chains"]
    assert chain["ok"]
    say("export", tmp_path / "after.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "after.jsonl").read_text("utf-8").splitlines()]
    events = [line for line in lines if "kind" in line]
    kept = {line["id"] for line in events}
    assert {*asked, *answered, typed, redacted, contested} <= kept
    assert {f"e{number}" for number in range(1500)} <= {line["external_id"] for line in events}
    assert len(kept) == len(events) == chain["episodes"]


@pytest.mark.slow
def test_six_processes_at_once_lose_no_write(window: Window, record: Path, tmp_path: Path) -> None:
    calls = [
        call_of(record, "import", log_of(tmp_path / "one.jsonl", 1500)),
        call_of(record, "import", log_of(tmp_path / "two.jsonl", 1500)),  # the same events
        call_of(record, "ask", "What is osmosis?"),
        call_of(record, "nightly", "--force"),
        call_of(record, "backup", tmp_path / "copy.db"),
    ]
    started = [subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for call in calls]
    said = [process.communicate() for process in started]
    assert [process.returncode for process in started] == [0] * len(calls), [err for _, err in said]
    assert not any("lock" in err.casefold() or "held by" in err for _, err in said)
    imported = [json.loads(out) for out, _ in said[:2]]
    assert sum(each["imported"] for each in imported) == 1500
    assert sum(each["skipped"] for each in imported) == 1500
    asked, answered, _ = window.close()
    house = open_house(Folders(record, record / "models"), Clock(NOW))
    (state,) = house.memory.verification.chains()
    faults = house.memory.verification.database()
    kept = {episode.id for episode in house.memory.ledger.find(state.subject)}
    house.close()
    assert state.ok
    assert faults == []
    assert {*asked, *answered} <= kept
