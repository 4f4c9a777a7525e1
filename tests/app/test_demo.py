"""The shipped demo plays from beginning to end and judges its own answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.__main__ import main
from app.demo import QUESTIONS, SUBJECT, Demo, document
from app.folders import open_folders
from memory.events import parse_line


def test_the_six_months_are_whole_lines_of_the_event_log(six_months: Path) -> None:
    events = [parse_line(line) for line in six_months.read_text("utf-8").splitlines()]
    assert len({event.external_id for event in events}) == len(events)
    assert {event.kind.value for event in events} >= {"question", "answer", "check", "quiz", "taught"}
    months = {event.moment.day.isoformat()[:7] for event in events}
    assert "2026-07" in months
    assert "2026-08" not in months, "the empty month of the demo is empty"


def test_the_demo_asks_in_four_languages_and_of_every_part_of_the_record() -> None:
    assert {asked.name for asked in QUESTIONS} >= {"explanation", "missed", "july", "empty month", "prerequisite"}


@pytest.mark.slow
def test_the_demo_plays_without_any_model(no_models: None, data: Path) -> None:
    steps = list(Demo(open_folders(data), None, data / "pictures").run())
    told = {step.name: step for step in steps}
    wrong = [
        (step.name, step.question, step.result.text if step.result else step.note) for step in steps if not step.ok
    ]
    assert wrong == []
    assert told["empty month"].result is not None
    assert told["the day after"].result is not None
    shown = document(steps, lambda result: {"answer": result.text})
    assert shown["ok"]
    assert json.dumps(shown, ensure_ascii=False)
    assert SUBJECT in told["verify"].note


@pytest.mark.slow
@pytest.mark.model
def test_the_demo_plays_with_the_models_of_this_machine(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--data", str(data), "--json", "demo", "--shots", str(data / "shots")])
    shown: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [step["name"] for step in shown["steps"] if not step["ok"]] == []
    assert code == 0
    assert shown["steps"][0].keys() >= {"name", "ok", "seconds", "question", "turn"}
    assert list((data / "shots").glob("*.png"))
