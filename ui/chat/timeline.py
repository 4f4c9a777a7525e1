"""The column of cards: at most sixty alive, older ones fetched when the student scrolls up, newer ones on the way back.

While an answer grows, the view follows it only if it was at the end; scrolled up, it stays where it is.
"""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from ui.bits import Scroll, column
from ui.theme import LARGE, MEDIUM

LIVE = 60
"""Cards alive at once."""
WIDEST = 780
"""Pixels of the column at 100 %: longer lines are hard to read."""
_NEAR = 48


class Timeline(Scroll):
    """The column of cards.

    Signals:
        top_reached: the student scrolled to the oldest card.
        latest_wanted: the newest cards were let go, and the student wants them back.
    """

    top_reached = Signal()
    latest_wanted = Signal()

    def __init__(self, latest: str, scale: float) -> None:
        super().__init__(margins=0)
        self.setObjectName("timeline")
        self._widest = round(WIDEST * scale)
        self._cards: list[QWidget] = []
        self._following = True
        self._cut_at_end = False
        self._held: int | None = None
        self._inner = QWidget()
        self.cards = column(spacing=MEDIUM)
        self.cards.setContentsMargins(LARGE, LARGE, LARGE, LARGE)
        self._inner.setLayout(self.cards)
        self._inner.setMaximumWidth(self._widest)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.addStretch(1)
        line.addWidget(self._inner, 1000)
        line.addStretch(1)
        self.column.addLayout(line)
        self.column.addStretch(1)
        self._jump = QPushButton(latest, self)
        self._jump.clicked.connect(self.jump)
        self._jump.hide()
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._on_range)
        bar.valueChanged.connect(self._on_value)

    def __len__(self) -> int:
        return len(self._cards)

    @property
    def shown(self) -> list[QWidget]:
        """The cards alive, oldest first."""
        return list(self._cards)

    def add(self, card: QWidget) -> None:
        """Add a card at the end; the oldest is let go when there are too many."""
        self._place(card, len(self._cards))
        while len(self._cards) > LIVE:
            self._drop(0)

    def put_before(self, cards: list[QWidget]) -> None:
        """Add older cards at the beginning, oldest first; the view does not move, the newest are let go."""
        bar = self.verticalScrollBar()
        self._held = bar.maximum() - bar.value()
        for position, card in enumerate(cards):
            self._place(card, position)
        while len(self._cards) > LIVE:
            self._cut_at_end = True
            self._drop(len(self._cards) - 1)
        QTimer.singleShot(0, self._let_go)

    def remove(self, card: QWidget) -> None:
        """Take one card out."""
        if card in self._cards:
            self._drop(self._cards.index(card))

    def place_of(self, card: QWidget) -> int:
        """Where a card stands, counted from the oldest; the end for one that is not there."""
        return self._cards.index(card) if card in self._cards else len(self._cards)

    def put_at(self, card: QWidget, position: int) -> None:
        """Add a card in a certain place."""
        self._place(card, min(position, len(self._cards)))

    def empty_out(self) -> None:
        """Take every card out and follow the end again."""
        while self._cards:
            self._drop(0)
        self._cut_at_end = False
        self._following = True
        self._jump.hide()

    def jump(self) -> None:
        """Go to the newest card."""
        if self._cut_at_end:
            self.latest_wanted.emit()
        self._following = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self._jump.hide()

    @property
    def at_end(self) -> bool:
        """Whether the view follows the newest card."""
        return self._following

    def _place(self, card: QWidget, position: int) -> None:
        self._cards.insert(position, card)
        self.cards.insertWidget(position, card)
        self._fit(card)

    def _drop(self, position: int) -> None:
        card = self._cards.pop(position)
        self.cards.removeWidget(card)
        card.hide()
        card.setParent(None)
        card.deleteLater()

    def _fit(self, card: QWidget) -> None:
        fit = getattr(card, "fit", None)
        if fit is not None:
            fit(min(self._widest, self.viewport().width()) - 2 * LARGE)

    def _let_go(self) -> None:
        self._held = None

    def _on_range(self, _low: int, high: int) -> None:
        bar = self.verticalScrollBar()
        if self._held is not None:
            bar.setValue(high - self._held)
        elif self._following:
            bar.setValue(high)
        else:
            self._jump.setVisible(high - bar.value() > _NEAR)

    def _on_value(self, value: int) -> None:
        bar = self.verticalScrollBar()
        self._following = bar.maximum() - value <= _NEAR and not self._cut_at_end
        self._jump.setVisible(not self._following)
        self._place_jump()
        if value <= _NEAR and bar.maximum() > 0 and self._held is None:
            self.top_reached.emit()

    def _place_jump(self) -> None:
        self._jump.adjustSize()
        port = self.viewport().rect()
        self._jump.move((port.width() - self._jump.width()) // 2, port.height() - self._jump.height() - MEDIUM)
        self._jump.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for card in self._cards:
            self._fit(card)
        self._place_jump()
