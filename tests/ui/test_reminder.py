"""The quiet line under an answer goes away for good when the student has no use for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.turn_events import Reminder
from memory.episodes import Content, Draft, EpisodeId, Kind, Meta, Origin
from memory.moments import Moment
from ui.chat.cards import AnswerCard
from ui.chat.reminder import ReminderLine
from ui.photographs import settle

pytestmark = pytest.mark.slow


def test_a_reminder_stands_under_its_answer_and_can_be_sent_away(
    qtbot: QtBot, open_window: Callable[..., Any], house: Any
) -> None:
    subject = house.add_subject()
    moment = Moment.parse("2026-10-03T10:00:00+02:00")
    note = Draft(
        EpisodeId("e1"), subject.id, Kind.TAUGHT, Origin.TYPED, moment, moment.at, Content("Water moves"), Meta()
    )
    house.memory.ledger.append(note)
    house.tutor.reminder = Reminder(note.id, "This reminds me: on 3 October you told me “water moves”.")
    opened = open_window()
    chat = opened.window.chat
    qtbot.keyClicks(chat.composer.field, "What is osmosis?")
    with qtbot.waitSignal(chat.turn_ended, timeout=5000):
        qtbot.keyClick(chat.composer.field, Qt.Key.Key_Return)
    settle(opened.lanes)
    shown = chat.timeline.shown
    (line,) = [card for card in shown if isinstance(card, ReminderLine)]
    assert isinstance(shown[shown.index(line) - 1], AnswerCard)
    (dismiss,) = line.findChildren(QPushButton)
    assert dismiss.text() == "Not useful"
    dismiss.click()
    settle(opened.lanes)
    assert not line.isVisible()
    kept = house.memory.store.reader().execute("SELECT episode, shown_at FROM reminders").fetchall()
    assert [row[0] for row in kept] == ["e1"]
    assert kept[0][1] > house.clock.now().at
