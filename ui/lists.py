"""Lists of two-line entries: a small head, the words below, an icon; rows as tall as their type."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QIcon, QPainter, QStandardItem
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ui.text import isolated
from ui.theme import SMALL, TIGHT, Theme

ENTRY = Qt.ItemDataRole.UserRole
HEAD = Qt.ItemDataRole.UserRole + 2
TAIL = Qt.ItemDataRole.UserRole + 3
_ICON = 16
_SMALLER = 0.87


class TwoLines(QStyledItemDelegate):
    """Draws an item: its head (muted, may be missing) above its words, each cut to the width; its tail at the end."""

    def __init__(self, view: QListView, theme: Theme) -> None:
        super().__init__(view)
        self._theme = theme

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, colours = self._theme, self._theme.colours
        box = QRect(option.rect)
        right = option.direction is Qt.LayoutDirection.RightToLeft
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = ""
        if option.state & QStyle.StateFlag.State_Selected:
            ground = colours.soft
        elif option.state & QStyle.StateFlag.State_MouseOver:
            ground = colours.raised
        if ground:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), theme.px(6), theme.px(6))
        icon, side = index.data(Qt.ItemDataRole.DecorationRole), theme.px(_ICON)
        inside = box.adjusted(theme.px(SMALL), 0, -theme.px(SMALL), 0)
        if isinstance(icon, QIcon):
            at = inside.right() - side if right else inside.left()
            icon.paint(painter, QRect(at, box.center().y() - side // 2, side, side))
            gap = side + theme.px(SMALL)
            inside.adjust(0 if right else gap, 0, -gap if right else 0, 0)
        tail = str(index.data(TAIL) or "")
        if tail:
            font = _smaller(option.font)
            wide = QFontMetrics(font).horizontalAdvance(tail) + theme.px(SMALL)
            at = inside.left() if right else inside.right() - wide
            self._draw(
                painter, QRect(at, inside.top(), wide, inside.height()), tail, font, colours.muted, right=not right
            )
            inside.adjust(wide if right else 0, 0, 0 if right else -wide, 0)
        head, words = str(index.data(HEAD) or ""), str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        tall = self._heights(option, bool(head))
        top = box.center().y() - sum(tall) // 2
        if head:
            line = QRect(inside.left(), top, inside.width(), tall[0])
            self._draw(painter, line, head, _smaller(option.font), colours.muted, right=right)
            top += tall[0]
        line = QRect(inside.left(), top, inside.width(), tall[-1])
        self._draw(painter, line, words, option.font, colours.text, right=right)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        height = sum(self._heights(option, bool(index.data(HEAD))))
        return QSize(10, height + 2 * self._theme.px(SMALL - 1))

    def _heights(self, option: QStyleOptionViewItem, head: bool) -> list[int]:
        words = QFontMetrics(option.font).height()
        return [QFontMetrics(_smaller(option.font)).height() + TIGHT // 2, words] if head else [words]

    def _draw(self, painter: QPainter, box: QRect, text: str, font: QFont, colour: str, *, right: bool) -> None:
        painter.setFont(font)
        painter.setPen(QColor(colour))
        fitted = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        side = Qt.AlignmentFlag.AlignAbsolute | (Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft)
        painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, isolated(fitted))


def entry(words: str, head: str, icon: QIcon, value: object, tail: str = "") -> QStandardItem:
    """An item of such a list; ``value`` is kept under :data:`ENTRY`, and the whole is what a screen reader says."""
    made = QStandardItem(words)
    made.setData(head, HEAD)
    made.setData(tail, TAIL)
    made.setData(value, ENTRY)
    made.setIcon(icon)
    made.setEditable(False)
    made.setToolTip(words)
    made.setAccessibleText(", ".join(part for part in (head, words, tail) if part))
    return made


def _smaller(font: QFont) -> QFont:
    made = QFont(font)
    made.setPointSizeF(font.pointSizeF() * _SMALLER)
    return made
