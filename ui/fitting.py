"""Widgets that fit narrow places: a row that goes on below, words that are cut with an ellipsis."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QLayout, QLayoutItem, QPushButton, QSizePolicy, QWidget

from ui.text import isolated, safe


class Flow(QLayout):
    """Widgets side by side, going on in a new line where the width ends; mirrored where words run right to left."""

    def __init__(self, *widgets: QWidget, spacing: int) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for widget in widgets:
            self.addWidget(widget)

    def _arrange(self, box: QRect, *, move: bool) -> int:
        """Place the items (or only measure); the height they take."""
        margins = self.contentsMargins()
        inside = box.marginsRemoved(margins)
        owner = self.parentWidget()
        right = owner is not None and owner.layoutDirection() is Qt.LayoutDirection.RightToLeft
        x, y, tall = 0, inside.top(), 0
        for item in self._items:
            widget = item.widget()
            if widget is not None and widget.isHidden():
                continue
            size = item.sizeHint()
            width = min(size.width(), inside.width())
            if x and x + width > inside.width():
                x, y, tall = 0, y + tall + self.spacing(), 0
            if move:
                left = inside.right() + 1 - x - width if right else inside.left() + x
                item.setGeometry(QRect(QPoint(left, y), QSize(width, size.height())))
            x += width + self.spacing()
            tall = max(tall, size.height())
        return y + tall - box.top() + margins.bottom()

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, box: QRect) -> None:
        super().setGeometry(box)
        self._arrange(box, move=True)

    def sizeHint(self) -> QSize:
        widths = [item.sizeHint().width() for item in self._items]
        return QSize(sum(widths) + self.spacing() * max(0, len(widths) - 1), self.minimumSize().height())

    def minimumSize(self) -> QSize:
        heights = [item.sizeHint().height() for item in self._items]
        return QSize(0, max(heights, default=0))


class LineButton(QPushButton):
    """A quiet button as wide as its place; words that are too long end in an ellipsis and stand whole in its tip."""

    def __init__(self, words: str, chosen: Callable[[], object]) -> None:
        super().__init__()
        self._words = safe(words)
        self.setProperty("role", "line")
        self.setToolTip(self._words)
        self.setAccessibleName(self._words)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(lambda _checked=False: chosen())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.width() - 2 * self.fontMetrics().averageCharWidth()
        self.setText(isolated(self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, room)))


class LineLabel(QLabel):
    """One line of muted words as wide as its place; what is cut stands whole in its tip."""

    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        self.setProperty("role", "muted")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_words(self, words: str) -> None:
        """Show a text."""
        self._words = safe(words)
        self.setToolTip(self._words)
        self.setAccessibleName(self._words)
        self._fit()

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
