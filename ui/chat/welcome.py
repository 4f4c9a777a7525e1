"""What the chat shows when there is nothing yet: what is missing, and what to do about it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from ui.bits import button, card, column, label, row
from ui.desk import Desk
from ui.theme import LARGE, MEDIUM, SMALL, WIDE


class Welcome(QWidget):
    """The first card: the sample course, own files, a model; or, in an empty subject, files and a first question."""

    def __init__(self, desk: Desk, *, first_run: bool) -> None:
        super().__init__()
        t, theme = desk.t, desk.theme
        picture = QLabel()
        picture.setPixmap(theme.pixmap("app", theme.colours.accent, 40))
        title = label(t("welcome.title" if first_run else "welcome.empty_title"), "title")
        parts: list[QWidget | None] = [label(t("welcome.body" if first_run else "welcome.empty_body"), "muted")]
        steps = column(spacing=SMALL)
        if first_run:
            steps.addWidget(
                _step(desk, "app", "welcome.sample", button(t("welcome.sample_do"), desk.sample_asked.emit, "primary"))
            )
        files = button(t("welcome.files_do"), desk.files_wanted.emit, "" if first_run else "primary")
        steps.addWidget(_step(desk, "file", "welcome.files", files))
        steps.addWidget(
            _step(desk, "settings", "welcome.model", button(t("welcome.model_do"), desk.settings_wanted.emit))
        )
        head = row(picture, title, spacing=MEDIUM)
        head.setStretch(1, 1)
        line = QHBoxLayout()
        line.setContentsMargins(0, WIDE * 2, 0, 0)
        line.addWidget(card("notice", head, *parts, steps, spacing=MEDIUM, margins=WIDE))
        self.setLayout(line)

    def fit(self, width: int) -> None:
        """The welcome takes the whole column."""


def _step(desk: Desk, icon: str, key: str, do: QPushButton) -> QWidget:
    theme = desk.theme
    picture = QLabel()
    picture.setPixmap(theme.pixmap(icon, theme.colours.accent, 20))
    picture.setFixedWidth(theme.px(28))
    do.setMinimumWidth(theme.px(150))
    line = QHBoxLayout()
    line.setContentsMargins(LARGE, MEDIUM, MEDIUM, MEDIUM)
    line.setSpacing(MEDIUM)
    line.addWidget(picture)
    line.addLayout(column(label(desk.t(key)), label(desk.t(f"{key}_why"), "muted"), spacing=2), 1)
    line.addWidget(do)
    made = card("plain", line, margins=0)
    return made
