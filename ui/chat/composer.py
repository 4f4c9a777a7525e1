"""Where the student writes: grows with the text, Enter sends, Shift+Enter begins a line, Esc stops the answer."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QToolButton

from ui.desk import Desk
from ui.text import direction_of, direction_of_language
from ui.theme import MEDIUM, SMALL, TIGHT

TALLEST = 8
"""Lines the composer grows to before it scrolls."""


class Composer(QFrame):
    """Signals:
    sent: the student's text, not blank.
    stopped: the student wants the answer to end here.
    """

    sent = Signal(str)
    stopped = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._busy = False
        self.setProperty("card", "composer")
        self.field = _Field(self)
        self.field.setPlaceholderText(desk.t("chat.placeholder"))
        self.field.setAccessibleName(desk.t("chat.composer"))
        self.field.setTabChangesFocus(True)
        self.field.textChanged.connect(self._grow)
        self.act = QToolButton()
        self.act.setIconSize(QSize(desk.theme.px(20), desk.theme.px(20)))
        self.act.clicked.connect(self._act)
        line = QHBoxLayout()
        line.setContentsMargins(MEDIUM, SMALL, SMALL, SMALL)
        line.setSpacing(SMALL)
        line.addWidget(self.field, 1)
        line.addWidget(self.act, 0, Qt.AlignmentFlag.AlignBottom)
        self.setLayout(line)
        self.set_busy(False)
        self._grow()

    def set_busy(self, busy: bool) -> None:
        """While an answer is written the button stops it, and nothing can be sent."""
        self._busy = busy
        name = self._desk.t("chat.stop" if busy else "chat.send")
        colours = self._desk.theme.colours
        self.act.setIcon(self._desk.theme.icon("stop" if busy else "send", colours.bad if busy else colours.accent))
        self.act.setToolTip(name)
        self.act.setAccessibleName(name)

    @property
    def busy(self) -> bool:
        """Whether an answer is being written."""
        return self._busy

    def send(self) -> None:
        """Send what is written, unless it is blank or an answer is being written."""
        text = self.field.toPlainText()
        if not self._busy and text.strip():
            self.field.clear()
            self.sent.emit(text)

    def _act(self) -> None:
        if self._busy:
            self.stopped.emit()
        else:
            self.send()

    def _grow(self) -> None:
        text = self.field.toPlainText()
        option = self.field.document().defaultTextOption()
        direction = direction_of(text) if text.strip() else direction_of_language(self._desk.t.language)
        if option.textDirection() != direction:
            option.setTextDirection(direction)
            self.field.document().setDefaultTextOption(option)
        lines = max(1, min(TALLEST, round(self.field.document().size().height())))
        never, needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.field.setVerticalScrollBarPolicy(needed if lines == TALLEST else never)
        height = lines * self.field.fontMetrics().lineSpacing() + 3 * TIGHT
        self.field.setFixedHeight(height)

    def show_focus(self, focused: bool) -> None:
        """Draw the frame as focused."""
        self.setProperty("focused", focused)
        self.style().unpolish(self)
        self.style().polish(self)


class _Field(QPlainTextEdit):
    """The text of the composer."""

    def __init__(self, composer: Composer) -> None:
        super().__init__()
        self._composer = composer

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._composer.send()
        elif event.key() == Qt.Key.Key_Escape and self._composer.busy:
            self._composer.stopped.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._composer.show_focus(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._composer.show_focus(False)
