"""The scenarios of tests/scenarios: a lived past, a message, and what the answer must and must not do."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.clock import Clock
from app.folders import open_folders
from app.schedule import run_night
from app.turn_events import Finished, TurnResult
from app.wiring import House, open_house
from memory.episodes import Kind
from memory.phrases import phrases_for
from memory.subjects import Subject

FOLDER = Path(__file__).with_name("scenarios")
FILES = sorted(FOLDER.glob("*.toml"))
TOP = {"why", "now", "events", "files", "turns"}
EXPECTATIONS = {
    "plan", "language", "memories", "some", "month", "empty", "says", "forbidden", "brief", "taught", "beliefs",
    "report_unlinked",
}  # fmt: skip
TURN = {"text", "times", "now", "reopen", "night"} | EXPECTATIONS


class Stage:
    """One scenario being played in a folder of its own."""

    def __init__(self, scenario: dict[str, Any], folder: Path) -> None:
        self._scenario = scenario
        self._folder = folder
        self._now = scenario["now"]
        self.house = self._open()
        self.subject: Subject = self.house.subject("Biology", create=True)

    def prepare(self) -> None:
        """Read the files, live the past, then change the files that are replaced."""
        files = self._scenario.get("files", [])
        for file in files:
            path = self._folder / file["name"]
            path.write_text(file["text"], "utf-8")
            read = self.house.reader.read(self.subject.id, path)
            assert read.fault is None, read.fault
        lines = []
        for event in self._scenario.get("events", []):
            for cited in event.get("evidence", []):
                known = self.house.memory.files.all(self.subject.id)
                (version,) = [state.version for state in known if state.name == cited["file"]]
                assert version is not None
                cited["sha256"] = version.sha256
            lines.append(json.dumps(event, ensure_ascii=False))
        done = self.house.memory.importer.run(lines, default=self.subject, now=self.house.clock.now())
        assert done.errors == [], done.errors
        for file in files:
            if "replaced_by" in file:
                (self._folder / file["name"]).write_text(file["replaced_by"], "utf-8")

    def arrive(self, turn: dict[str, Any]) -> None:
        """What happens before a turn: time passes, Retiens is opened anew, a night goes by."""
        self._now = turn.get("now", self._now)
        if turn.get("reopen"):
            self.house.close()
            self.house = self._open()
        self.house.clock.set(Clock(self._now).now())
        if turn.get("night"):
            run_night(self.house, self.subject, force=True)

    def ask(self, text: str) -> TurnResult:
        """One turn."""
        (result,) = [
            event.result for event in self.house.tutor.turn(self.subject.id, text) if isinstance(event, Finished)
        ]
        return result

    def brief(self, text: str) -> str:
        """The block of memory that a message places in the prompt."""
        now = self.house.clock.now()
        reading = self.house.reads.understand(self.subject.id, text, now)
        return self.house.reads.read(self.subject.id, text, reading, now).brief.text

    def _open(self) -> House:
        return open_house(open_folders(self._folder / "student"), Clock(self._now))


def scenario_of(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


@pytest.fixture
def stage(request: pytest.FixtureRequest, tmp_path: Path, no_models: None) -> Iterator[Stage]:
    played = Stage(scenario_of(request.param), tmp_path)
    played.prepare()
    yield played
    played.house.close()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_scenario_file_uses_only_words_that_are_known(path: Path) -> None:
    scenario = scenario_of(path)
    assert scenario.keys() <= TOP
    assert scenario["why"]
    assert scenario["turns"]
    for turn in scenario["turns"]:
        assert turn.keys() <= TURN, turn.keys() - TURN
        assert turn.keys() & EXPECTATIONS, "a turn that expects nothing tests nothing"


@pytest.mark.parametrize(
    ("stage", "path"), [(path, path) for path in FILES], ids=lambda path: path.stem, indirect=["stage"]
)
def test_scenario(stage: Stage, path: Path) -> None:
    for turn in scenario_of(path)["turns"]:
        for _ in range(turn.get("times", 1)):
            stage.arrive(turn)
            brief = stage.brief(turn["text"]) if "brief" in turn else ""
            check(stage, turn, stage.ask(turn["text"]), brief)


@pytest.mark.parametrize(
    ("stage", "wrong"),
    [
        (FOLDER / "july.toml", {"text": "What did we see in July?", "empty": True}),
        (FOLDER / "july.toml", {"text": "What did we see in July?", "month": "2026-06"}),
        (FOLDER / "july.toml", {"text": "What did we see in July?", "forbidden": ["july"]}),
        (FOLDER / "empty_month.toml", {"text": "What did we see in August?", "some": ["july-1"]}),
        (FOLDER / "unlinked_checks.toml", {"text": "How am I doing?", "report_unlinked": 0}),
    ],
    indirect=["stage"],
)
def test_a_wrong_expectation_fails(stage: Stage, wrong: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        check(stage, wrong, stage.ask(wrong["text"]), "")


def check(stage: Stage, turn: dict[str, Any], result: TurnResult, brief: str) -> None:
    """Every expectation of a turn; a failure shows what was asked and said."""
    shown = f"{turn['text']}\n→ {result.plan.value}: {result.text}"
    told = [memory.external_id for memory in result.memories]
    said = result.text.casefold()
    if "plan" in turn:
        assert result.plan.value == turn["plan"], shown
    if "language" in turn:
        assert result.language == turn["language"], shown
    if "memories" in turn:
        assert sorted(str(id) for id in told) == sorted(turn["memories"]), shown
    if "some" in turn:
        assert set(turn["some"]) <= set(told), f"{shown}\n{told}"
    if "month" in turn:
        assert result.memories, shown
        assert {memory.at.day.isoformat()[:7] for memory in result.memories} == {turn["month"]}, shown
    if turn.get("empty"):
        assert not result.memories, shown
        assert not [link for link in result.citations if link.episode], shown
        assert any(said.startswith(opening) for opening in no_record(result.language)), shown
    for words in turn.get("says", []):
        assert words.casefold() in said, f"{words!r} is missing\n{shown}"
    for words in turn.get("forbidden", []):
        assert words.casefold() not in said, f"{words!r} is said\n{shown}"
    for words in turn.get("brief", []):
        assert words in brief, f"{words!r} is not in the brief\n{brief}"
    memory, subject = stage.house.memory, stage.subject.id
    if "taught" in turn:
        assert len(memory.ledger.find(subject, kinds=[Kind.TAUGHT])) == turn["taught"], shown
    if "beliefs" in turn:
        assert len(memory.beliefs.current(subject)) == turn["beliefs"], shown
    if "report_unlinked" in turn:
        report = memory.reports.report(subject, stage.house.clock.now())
        assert report.unlinked.count == turn["report_unlinked"], shown


def no_record(language: str) -> list[str]:
    """How the ledger begins when it holds nothing: up to where the scope is filled in."""
    phrases = phrases_for(language)
    mark = "\x00"
    keys = ("in_scope", "future", "checks", "notes", "no_level")
    return [phrases.say(f"nothing.{key}", scope=mark).split(mark)[0].casefold() for key in keys]
