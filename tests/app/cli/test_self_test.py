"""The program tries everything it ships with, says so in one JSON line, and ends with 0 only when all of it works."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

pytestmark = pytest.mark.filterwarnings("ignore:path is deprecated:DeprecationWarning")


def test_all_parts_are_tried_and_said(cli: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.__main__._shoot", lambda house, folder: [folder / "chat.png"])
    said = cli("--self-test", plain=True, now=None)
    document = said.document
    assert said.code == 0, document
    assert document["ok"] is True
    assert document["model"]["installed"] is False
    assert document["reader"]["pages"] == 10
    assert document["formula"]["ok"]
    assert document["window"]["pictures"] == 1
    assert list(data.iterdir()) == [], "the student's folder is left alone"


def test_a_part_that_does_not_work_is_named_and_stops_no_other(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(house: object, folder: Path) -> list[Path]:
        raise RuntimeError("no platform plugin")

    monkeypatch.setattr("app.__main__._shoot", broken)
    said = cli("--self-test", now=None)
    assert said.code == 1
    assert said.document["window"]["fault"] == "RuntimeError: no platform plugin"
    assert said.document["reader"]["ok"]
