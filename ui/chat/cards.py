"""The cards of the chat: the student's words, the tutor's answer, a receipt, a verdict, a notice, a day."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLayout, QWidget

from memory.episodes import Verdict
from ui.bits import button, card, column, label, row, rule
from ui.chat.body import Body
from ui.desk import Desk
from ui.fitting import Flow
from ui.text import direction_of
from ui.theme import LARGE, MEDIUM, SMALL, TIGHT

VERDICT_LOOKS = {Verdict.RIGHT: ("right", "good"), Verdict.PARTLY: ("partly", "warn"), Verdict.WRONG: ("wrong", "bad")}


class StudentCard(QWidget):
    """What the student wrote, in a bubble at the end of the line."""

    def __init__(self, desk: Desk, text: str, *, saved: bool = True, redacted: bool = False) -> None:
        super().__init__()
        self._desk = desk
        self.text = text
        self._words = label(text or desk.t("chat.redacted"), "muted" if redacted else "", select=True)
        self._words.setLayoutDirection(direction_of(text))
        self._bubble = card("student", self._words, margins=desk.theme.px(SMALL + TIGHT))
        self._saved = label("" if saved else desk.t("chat.saving"), "small", wrap=False)
        self._saved.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._saved.setVisible(not saved)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.addStretch(1)
        line.addWidget(self._bubble)
        layout = column(line, self._saved, spacing=TIGHT)
        layout.setContentsMargins(0, desk.theme.px(MEDIUM), 0, 0)
        self.setLayout(layout)
        self.setAccessibleName(desk.t("chat.you_said", text=text))

    def mark_saved(self) -> None:
        """The words are on disk."""
        self._saved.hide()

    def fit(self, width: int) -> None:
        """Be as wide as the words, at most three quarters of the column."""
        metrics = self._words.fontMetrics()
        widest = max((metrics.horizontalAdvance(line) for line in self._words.text().split("\n")), default=0)
        self._words.setFixedWidth(max(24, min(widest + 4, width * 3 // 4)))


class AnswerCard(QWidget):
    """What the tutor said: a heading for verdicts and receipts, the text, and what can be done with it.

    Signals:
        link_chosen: a source mark or another link was chosen.
    """

    link_chosen = Signal(str)

    def __init__(self, desk: Desk, look: str = "tutor") -> None:
        super().__init__()
        self._desk = desk
        self.raw = ""
        self.again: Callable[[], object] | None = None
        self.body = Body(desk.theme, desk.formulas)
        self.body.link_chosen.connect(self.link_chosen)
        self._heading = row(spacing=SMALL)
        self._footer = Flow(spacing=LARGE)
        self._choices = column(spacing=SMALL)
        margins = 0 if look == "tutor" else MEDIUM
        self._frame = card(look, self._heading, self.body, self._choices, self._footer, spacing=SMALL, margins=margins)
        self.setLayout(column(self._frame))

    def show_text(self, markdown: str) -> None:
        """Show Markdown."""
        self.raw = markdown
        self.body.show_markdown(markdown)
        self.body.setAccessibleName(self._desk.t("chat.tutor_said", text=markdown[:300]))

    def head(self, icon: str, tone: str, words: str, *more: QWidget) -> None:
        """Set the heading: an icon, words in a tone (``good``, ``warn``, ``bad``, ``accent``), and more at the end."""
        _emptied(self._heading)
        theme = self._desk.theme
        picture = QLabel()
        picture.setPixmap(theme.pixmap(icon, getattr(theme.colours, tone)))
        self._heading.addWidget(picture)
        self._heading.addWidget(label(words, tone if tone != "accent" else "heading", wrap=False))
        self._heading.addStretch(1)
        for widget in more:
            self._heading.addWidget(widget)

    def foot(self, *widgets: QWidget) -> None:
        """What can be done with the answer."""
        _emptied(self._footer)
        for widget in widgets:
            self._footer.addWidget(widget)

    def offer(self, choices: Sequence[tuple[str, Callable[[], object]]], note: str = "") -> None:
        """Offer answers to choose from."""
        for words, chosen in choices:
            self._choices.addWidget(button(words, chosen, "choice"))
        if note:
            self._choices.addWidget(label(note, "muted"))

    def withdraw_offer(self) -> None:
        """The check was answered: its choices are no longer there to be chosen."""
        for position in range(self._choices.count()):
            item = self._choices.itemAt(position)
            widget = item.widget() if item else None
            if widget is not None:
                widget.setEnabled(False)

    def fit(self, width: int) -> None:
        """Answers take the whole column."""


class DayCard(QWidget):
    """The beginning of a day."""

    def __init__(self, words: str) -> None:
        super().__init__()
        name = label(words, "section", wrap=False)
        line = QHBoxLayout()
        line.setContentsMargins(0, LARGE, 0, SMALL)
        line.setSpacing(MEDIUM)
        line.addWidget(rule(), 1)
        line.addWidget(name)
        line.addWidget(rule(), 1)
        self.setLayout(line)

    def fit(self, width: int) -> None:
        """A day takes the whole column."""


class NoticeCard(QWidget):
    """Something that happened, on one line."""

    def __init__(self, desk: Desk, icon: str, words: str, chosen: Callable[[], object] | None = None) -> None:
        super().__init__()
        theme = desk.theme
        picture = QLabel()
        picture.setPixmap(theme.pixmap(icon, theme.colours.muted))
        parts: list[QWidget | None] = [picture, label(words, "muted"), None]
        if chosen is not None:
            parts.append(button(desk.t("action.open"), chosen, "quiet"))
        line = row(*parts)
        line.setStretch(1, 1)
        self.setLayout(column(line))

    def fit(self, width: int) -> None:
        """A notice takes the whole column."""


class FaultCard(QWidget):
    """What went wrong: what happened, what is safe, one action; the details are folded away."""

    def __init__(self, desk: Desk, words: str, details: str = "", action: QWidget | None = None) -> None:
        super().__init__()
        theme = desk.theme
        picture = QLabel()
        picture.setPixmap(theme.pixmap("cancel", theme.colours.bad, 18))
        picture.setAlignment(Qt.AlignmentFlag.AlignTop)
        text = label(words)
        head = row(picture, text, spacing=SMALL)
        head.setStretch(1, 1)
        self.words = words
        self.folded = label(details, "small", select=True)
        self.folded.hide()

        def unfold() -> None:
            self.folded.setVisible(not self.folded.isVisible())

        actions: list[QWidget | None] = [action] if action is not None else []
        if details:
            actions.append(button(desk.t("action.details"), unfold, "quiet"))
            actions.append(button(desk.t("action.copy"), lambda: QGuiApplication.clipboard().setText(details), "quiet"))
        self.frame: QFrame = card("fault", head, row(*actions, None), self.folded, spacing=SMALL)
        self.setLayout(column(self.frame))

    def fit(self, width: int) -> None:
        """A fault takes the whole column."""


def _emptied(line: QLayout) -> None:
    while (item := line.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
