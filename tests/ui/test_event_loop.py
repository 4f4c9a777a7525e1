"""The window stays alive: no pass of its event loop takes more than a tenth of a second, whatever goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from memory.episodes import Content, Draft, EpisodeId, Kind, Meta, Origin
from memory.moments import Moment
from ui.photographs import settle

pytestmark = pytest.mark.slow

LONGEST = 0.100
"""Seconds that a pass may take of this thread's own work."""
_EVERY = 5


class Watch:
    """Counts the processor seconds of this thread between two beats of a timer: other programs do not count."""

    def __init__(self) -> None:
        self.passes: list[float] = []
        self._last = time.thread_time()
        self._timer = QTimer()
        self._timer.setInterval(_EVERY)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = time.thread_time()
        self.passes.append(now - self._last)
        self._last = now

    def stop(self) -> None:
        self._timer.stop()


@contextmanager
def watched() -> Iterator[Watch]:
    watch = Watch()
    yield watch
    watch.stop()
    assert len(watch.passes) > 3, "the loop was not watched"
    assert max(watch.passes) < LONGEST, sorted(watch.passes)[-5:]


def long_answer(words: int) -> str:
    lines = []
    for number in range(words // 12):
        lines.append(
            f"{number + 1}. The **membrane** lets water through, and $c_{number}$ is its `value` here, says line."
        )
        if number % 8 == 7:
            lines.append("\n| a | b |\n|---|---|\n| one | two |\n")
    return "\n".join(lines)


def fill(house: Any, subject: Any, count: int) -> None:
    drafts = []
    for number in range(count):
        at = Moment.parse(f"2026-{1 + number // 250:02d}-{1 + number // 10 % 25:02d}T10:{number % 60:02d}:00+01:00")
        kind, origin = (Kind.ANSWER, Origin.TUTOR) if number % 2 else (Kind.QUESTION, Origin.TYPED)
        content = Content(f"Line {number}: *water* moves through the membrane, says the course, and so on. " * 4)
        drafts.append((Draft(EpisodeId(house.ids()), subject.id, kind, origin, at, at.at, content, Meta()), ()))
    house.memory.ledger.append_many(drafts)


def test_while_a_long_answer_streams(qtbot: QtBot, open_window: Callable[..., Any], house: Any) -> None:
    subject = house.add_subject()
    fill(house, subject, 60)
    house.tutor.answers = [long_answer(900)]
    house.tutor.pace = 0.004
    opened = open_window()
    with watched(), qtbot.waitSignal(opened.window.chat.turn_ended, timeout=60_000):
        opened.window.chat.ask("Tell me everything")


def test_while_a_file_is_read(qtbot: QtBot, open_window: Callable[..., Any], house: Any, tmp_path: Path) -> None:
    subject = house.add_subject()
    fill(house, subject, 60)
    house.reader.pages = 300
    opened = open_window()
    with watched(), qtbot.waitSignal(opened.window.reading.ended, timeout=60_000):
        opened.desk.files_asked.emit([tmp_path / "long.md"])


def test_while_the_cycle_runs(qtbot: QtBot, open_window: Callable[..., Any], house: Any) -> None:
    subject = house.add_subject()
    opened = open_window()
    fill(house, subject, 1500)
    house.clock.set(Moment.parse("2026-12-02T03:00:00+01:00"))
    opened.window.night._idle = 0.0
    opened.window.show_panel("changes")
    settle(opened.lanes)
    with watched(), qtbot.waitSignal(opened.desk.changed, timeout=120_000):
        opened.window.night.look()


def test_two_thousand_messages_open_within_a_second_and_a_key_takes_no_time(
    qtbot: QtBot, open_window: Callable[..., Any], house: Any
) -> None:
    fill(house, house.add_subject(), 2000)
    began = time.thread_time()
    opened = open_window()
    qtbot.waitUntil(lambda: len(opened.window.chat.timeline) > 20, timeout=10_000)
    assert time.thread_time() - began < 1.0  # the building of the whole window included
    field = opened.window.chat.composer.field
    took = []
    for letter in "what is osmosis, and why does it matter":
        start = time.thread_time()
        qtbot.keyClick(field, letter)
        took.append(time.thread_time() - start)
    assert max(took) < 0.05
    assert threading.active_count() <= 6
