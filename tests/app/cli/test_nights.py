"""Nights that were missed are made up for by the chat and the window; a single command never runs one by itself."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Line = Callable[..., str]

_DAYS = ("2026-10-05", "2026-10-06", "2026-10-08", "2026-10-21")


@pytest.fixture
def away(cli: Run, tmp_path: Path, event: Line) -> Run:
    """Four active days and, in between, nights on which the computer was off."""
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(event("question", f"What is osmosis on {day}?", at=day) for day in _DAYS), "utf-8")
    assert cli("import", log).document["imported"] == len(_DAYS)
    return cli


def kinds(cli: Run, tmp_path: Path) -> list[tuple[str, str]]:
    """(kind, day) of everything in the record."""
    out = tmp_path / "out.jsonl"
    cli("export", out)
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return [(line["kind"], line["at"][:10]) for line in lines if "belief" not in line]


def condensed(cli: Run, tmp_path: Path) -> list[str]:
    return [day for kind, day in kinds(cli, tmp_path) if kind == "consolidation"]


def test_one_night_makes_up_for_every_night_that_was_missed(away: Run, tmp_path: Path) -> None:
    (night,) = away("nightly").document["subjects"]
    assert night["consolidated"] == len(_DAYS)
    assert condensed(away, tmp_path) == list(_DAYS)
    (again,) = away("nightly").document["subjects"]
    assert again["consolidated"] == 0
    assert condensed(away, tmp_path) == list(_DAYS)


def test_the_chat_runs_a_missed_night_before_it_begins(
    away: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert away("chat", plain=True).code == 0
    assert condensed(away, tmp_path) == list(_DAYS)


def test_a_single_command_never_runs_a_night(away: Run, tmp_path: Path) -> None:
    for command in ("understand", "recall", "brief", "ask"):
        assert away(command, "What did we do last week?").code == 0
    for command in ("map", "beliefs", "history", "report", "review", "subjects", "files", "checkpoint", "verify"):
        assert away(command).code == 0
    assert condensed(away, tmp_path) == []
