"""The quiet line under an answer that brings an earlier episode up, and the way to say that it was of no use."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.turn_events import Reminder
from ui import actions
from ui.bits import button, label, row
from ui.desk import Desk
from ui.text import direction_of
from ui.theme import SMALL


class ReminderLine(QWidget):
    """One line; it goes away when the student has no use for it."""

    def __init__(self, desk: Desk, reminder: Reminder) -> None:
        super().__init__()
        self._desk = desk
        self._reminder = reminder
        words = label(reminder.text, "small", select=True)
        words.setLayoutDirection(direction_of(reminder.text))
        dismiss = button(desk.t("chat.not_useful"), self._dismiss, "quiet")
        line = row(spacing=SMALL)
        line.addWidget(words, 1)
        line.addWidget(dismiss)
        self.setLayout(line)
        self.setAccessibleName(reminder.text)

    def _dismiss(self) -> None:
        self.hide()
        actions.not_useful(self._desk, self._reminder.episode)
