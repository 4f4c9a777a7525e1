"""Lanes: work off the main thread, results on it, nothing after the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.lanes import Lanes


@pytest.fixture
def lanes(qapp: QApplication) -> Iterator[Lanes]:
    made = Lanes()
    yield made
    assert made.close()


def test_work_runs_elsewhere_and_its_result_comes_back_here(qtbot: QtBot, lanes: Lanes) -> None:
    seen: list[tuple[str, str]] = []
    lanes.reads.run(
        lambda: threading.current_thread().name, lambda name: seen.append((name, threading.current_thread().name))
    )
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [("lane reads", threading.main_thread().name)]


def test_work_on_a_lane_keeps_its_order(qtbot: QtBot, lanes: Lanes) -> None:
    seen: list[int] = []
    for number in range(20):
        lanes.writes.run(lambda number=number: number, seen.append)
    qtbot.waitUntil(lambda: len(seen) == 20)
    assert seen == list(range(20))


def test_what_is_raised_is_told_and_the_lane_goes_on(qtbot: QtBot, lanes: Lanes) -> None:
    told: list[object] = []

    def breaks() -> None:
        raise ValueError("no")

    lanes.chat.run(breaks, None, told.append)
    lanes.chat.run(lambda: 5, told.append)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert isinstance(told[0], ValueError)
    assert told[1] == 5


def test_a_dropped_job_never_begins_and_delivers_nothing(qtbot: QtBot, lanes: Lanes) -> None:
    gate, seen = threading.Event(), list[str]()
    lanes.files.run(gate.wait)
    job = lanes.files.run(lambda: "dropped", seen.append)
    job.drop()
    lanes.files.run(lambda: "kept", seen.append)
    gate.set()
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == ["kept"]


def test_nothing_is_delivered_after_the_end(qtbot: QtBot, qapp: QApplication) -> None:
    lanes, seen = Lanes(), list[int]()
    lanes.reads.run(lambda: 1, seen.append)
    assert lanes.close()
    qapp.processEvents()
    assert seen == []
