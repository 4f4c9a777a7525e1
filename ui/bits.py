"""Small pieces that every panel is made of: labels by role, quiet buttons, columns that scroll, empty states."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ui.text import among_right_to_left, safe
from ui.theme import LARGE, MEDIUM, SMALL, TIGHT, WIDE, Theme


def label(text: str, role: str = "", *, wrap: bool = True, select: bool = False) -> QLabel:
    """A plain-text label; ``role`` names its look in the style sheet."""
    text = safe(text)
    mirrored = QGuiApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft
    made = QLabel(among_right_to_left(text) if mirrored and not select else text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if role:
        made.setProperty("role", role)
    if select:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def button(
    text: str,
    chosen: Callable[[], object],
    role: str = "",
    *,
    theme: Theme | None = None,
    icon: str = "",
    name: str = "",
) -> QPushButton:
    """A button; one that shows only an icon is named for those who do not see it."""
    made = QPushButton(text)
    if role:
        made.setProperty("role", role)
    if icon and theme is not None:
        colours = theme.colours
        made.setIcon(
            theme.icon(
                icon,
                {"primary": colours.on_accent, "quiet": colours.muted, "foot": colours.muted}.get(role, colours.text),
            )
        )
        made.setIconSize(QSize(theme.px(16), theme.px(16)))
    if name:
        made.setAccessibleName(name)
        made.setToolTip(name)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.clicked.connect(lambda _checked=False: chosen())
    return made


def opener(theme: Theme, name: str, chosen: Callable[[], object]) -> QPushButton:
    """The small button at the end of a line that opens what the line is about."""
    return button("", chosen, "quiet", theme=theme, icon="open", name=name)


def row(*widgets: QWidget | None, spacing: int = SMALL) -> QHBoxLayout:
    """Widgets side by side; None is a stretch."""
    made = QHBoxLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setSpacing(spacing)
    for widget in widgets:
        if widget is None:
            made.addStretch(1)
        else:
            made.addWidget(widget)
    return made


def column(*widgets: QWidget | QLayout | None, spacing: int = SMALL, margins: int = 0) -> QVBoxLayout:
    """Widgets one below the other; None is a stretch."""
    made = QVBoxLayout()
    made.setContentsMargins(margins, margins, margins, margins)
    made.setSpacing(spacing)
    for widget in widgets:
        if widget is None:
            made.addStretch(1)
        elif isinstance(widget, QLayout):
            made.addLayout(widget)
        else:
            made.addWidget(widget)
    return made


def card(look: str, *parts: QWidget | QLayout | None, spacing: int = TIGHT, margins: int = MEDIUM) -> QFrame:
    """A framed column; ``look`` names its frame in the style sheet."""
    frame = QFrame()
    frame.setProperty("card", look)
    frame.setLayout(column(*parts, spacing=spacing, margins=margins))
    return frame


def rule() -> QFrame:
    """A thin line."""
    made = QFrame()
    made.setProperty("role", "rule")
    made.setFixedHeight(1)
    return made


def empty(title: str, body: str, action: QPushButton | None = None, *, picture: QPixmap | None = None) -> QWidget:
    """An empty state: what is missing, and the one thing to do about it."""
    made = QWidget()
    sign, head, text = QLabel(), label(title, "heading"), label(body, "muted")
    for each in (sign, head, text):
        each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    parts: list[QWidget | QLayout | None] = [None, head, text]
    if picture is not None:
        sign.setPixmap(picture)
        parts.insert(1, sign)
    if action is not None:
        parts.append(row(None, action, None))
    made.setLayout(column(*parts, None, None, spacing=MEDIUM, margins=WIDE))
    return made


def clear(layout: QLayout) -> None:
    """Take everything out of a layout and let it go."""
    while (item := layout.takeAt(0)) is not None:
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            clear(inner)
        if widget is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()


class Scroll(QScrollArea):
    """A column that scrolls up and down and never sideways."""

    def __init__(self, margins: int = LARGE, spacing: int = SMALL) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        self.column = column(spacing=spacing, margins=margins)
        inside.setLayout(self.column)
        self.setWidget(inside)

    def fill(self, *parts: QWidget | QLayout) -> None:
        """Show these parts instead of what is there."""
        clear(self.column)
        for part in parts:
            if isinstance(part, QLayout):
                self.column.addLayout(part)
            else:
                self.column.addWidget(part)
        self.column.addStretch(1)
