"""The drawn map: boxes and arrows, zoomed with the wheel, moved with the mouse, walked with the arrow keys."""

from __future__ import annotations

import errno
import math
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QImageWriter,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsPathItem,
    QGraphicsScene,
    QGraphicsView,
    QStyleOptionGraphicsItem,
    QWidget,
)

from memory.mastery import Claim
from ui.map.layout import Spot
from ui.map.shown import ShownConcept
from ui.messages import Messages
from ui.text import direction_of_language
from ui.theme import Theme

WIDTH, HEIGHT = 176.0, 48.0
GAUGE = 4.0
LEAST_SCALE, MOST_SCALE = 0.8, 1.1
"""How far :meth:`MapView.fit` shrinks and enlarges, at a text size of 100 %."""
RADIUS = 9.0
SHARP = 2.0
"""Pixels of an exported picture to one of the scene."""
STANDINGS = {
    Claim.UNDERSTANDS: ("right", "good", "understands"),
    Claim.UNSURE: ("partly", "warn", "unsure"),
    Claim.WEAK: ("wrong", "bad", "weak"),
}
"""Icon, colour and word of each standing: never the colour alone."""


class Box(QGraphicsItem):
    """One concept: name, maturity as the fill of a gauge along its foot, standing as ring, icon and word."""

    def __init__(self, shown: ShownConcept, theme: Theme, t: Messages, font: QFont) -> None:
        super().__init__()
        self.shown = shown
        self._theme = theme
        self._font = font
        self.layout = direction_of_language(t.language)
        self._words = standing_words(shown, t)
        self.grow = 0.92 + 0.16 * min(1.0, shown.concept.centrality)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.setToolTip(f"{shown.name}\n{self._words}\n{t(f'maturity.{maturity_word(shown.concept.maturity)}')}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setZValue(1)

    @property
    def half(self) -> QPointF:
        """Half the size of the box."""
        return QPointF(WIDTH * self.grow / 2, HEIGHT * self.grow / 2)

    def boundingRect(self) -> QRectF:
        half = self.half
        return QRectF(-half.x() - 3, -half.y() - 3, 2 * half.x() + 6, 2 * half.y() + 6)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        colours, half, shown = self._theme.colours, self.half, self.shown
        box = QRectF(-half.x(), -half.y(), 2 * half.x(), 2 * half.y())
        path = QPainterPath()
        path.addRoundedRect(box, RADIUS, RADIUS)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(path, QColor(colours.raised))
        painter.save()
        painter.setClipPath(path)
        gauge = QRectF(box.left(), box.bottom() - GAUGE, box.width(), GAUGE)
        painter.fillRect(gauge, QColor(colours.line))
        filled = QRectF(gauge)
        filled.setWidth(box.width() * shown.concept.maturity)
        if self.layout is Qt.LayoutDirection.RightToLeft:
            filled.moveRight(box.right())
        painter.fillRect(filled, QColor(colours.accent))
        painter.restore()
        icon, tone, _ = STANDINGS.get(shown.claim, ("", "line", "")) if shown.claim else ("", "line", "")
        pen = QPen(QColor(getattr(colours, tone)), 2.0 if shown.claim else 1.2)
        if not shown.concept.explained:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawPath(path)
        if self.isSelected():
            painter.setPen(QPen(QColor(colours.accent), 2.5))
            painter.drawRoundedRect(box.adjusted(-2.5, -2.5, 2.5, 2.5), RADIUS + 2, RADIUS + 2)
        self._write(painter, box, icon, tone)

    def _write(self, painter: QPainter, box: QRectF, icon: str, tone: str) -> None:
        colours = self._theme.colours
        inside = box.adjusted(10, 4, -8, -GAUGE - 4)
        name, small = QFont(self._font), QFont(self._font)
        name.setPixelSize(13)
        name.setWeight(QFont.Weight.DemiBold)
        small.setPixelSize(11)
        painter.setFont(name)
        painter.setPen(QColor(colours.text))
        fitted = QFontMetricsF(name).elidedText(self.shown.name, Qt.TextElideMode.ElideRight, inside.width())
        upper = QRectF(inside.left(), inside.top(), inside.width(), inside.height() / 2)
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading, fitted)
        lower = QRectF(inside.left(), inside.center().y(), inside.width(), inside.height() / 2)
        painter.setFont(small)
        painter.setPen(QColor(getattr(colours, tone) if icon else colours.muted))
        if icon:
            size = 12
            spot = QRectF(lower.left(), lower.center().y() - size / 2, size, size)
            painter.drawPixmap(spot.toRect(), self._theme.icon(icon, getattr(colours, tone)).pixmap(32, 32))
            lower.setLeft(lower.left() + size + 4)
        words = QFontMetricsF(small).elidedText(self._words, Qt.TextElideMode.ElideRight, lower.width())
        painter.drawText(lower, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading, words)


class MapView(QGraphicsView):
    """The drawn map.

    Signals:
        chosen: the id of the concept that was chosen.
        entered: the id of the concept that Enter was pressed on, or that was double-clicked.
    """

    chosen = Signal(str)
    entered = Signal(str)

    def __init__(self, theme: Theme, t: Messages) -> None:
        super().__init__()
        self._theme = theme
        self._t = t
        self._boxes: dict[str, Box] = {}
        self.setScene(QGraphicsScene(self))
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setAccessibleName(t("panel.map"))
        self.scene().selectionChanged.connect(self._on_selection)

    def draw(self, concepts: tuple[ShownConcept, ...], spots: Mapping[str, Spot], mirrored: bool) -> None:
        """Draw concepts at their spots; ``mirrored`` runs from right to left."""
        kept = self.current
        self.scene().clear()
        self._boxes = {}
        side = -1.0 if mirrored else 1.0
        for shown in concepts:
            spot = spots[shown.concept.id]
            box = Box(shown, self._theme, self._t, self.font())
            box.setPos(side * spot.x, spot.y)
            self.scene().addItem(box)
            self._boxes[shown.concept.id] = box
        for shown in concepts:
            for needed in shown.builds_on:
                if needed in self._boxes:
                    self._arrow(self._boxes[needed], self._boxes[shown.concept.id], side)
        self.scene().setSceneRect(self.scene().itemsBoundingRect().adjusted(-16, -16, 16, 16))
        if kept in self._boxes:
            self._boxes[kept].setSelected(True)

    @property
    def current(self) -> str:
        """The id of the chosen concept, or an empty string."""
        for item in self.scene().selectedItems():
            if isinstance(item, Box):
                return item.shown.concept.id
        return ""

    @property
    def concepts(self) -> list[str]:
        """The ids of the concepts drawn, in teaching order."""
        return list(self._boxes)

    def choose(self, concept: str) -> None:
        """Choose a concept and bring it into view."""
        box = self._boxes.get(concept)
        if box is not None:
            self.scene().clearSelection()
            box.setSelected(True)
            self.centerOn(box)

    def fit(self) -> None:
        """Show the whole map, but never so small that its words cannot be read."""
        self.resetTransform()
        self.fitInView(self.scene().sceneRect(), Qt.AspectRatioMode.KeepAspectRatio)
        scale = self.transform().m11()
        wanted = self._theme.scale * max(LEAST_SCALE, min(MOST_SCALE, scale / self._theme.scale))
        if scale > 0 and wanted != scale:
            self.scale(wanted / scale, wanted / scale)
        if wanted > scale and self._boxes:
            edge = self.scene().sceneRect()
            right = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
            tall = edge.height() * wanted > self.viewport().height()
            self.centerOn(QPointF(edge.right() if right else edge.left(), edge.top() if tall else edge.center().y()))

    def write(self, path: Path) -> None:
        """Write the whole map to an SVG or PNG file. Raises OSError when it cannot be written."""
        box = self.scene().sceneRect()
        kept = self.current
        self.scene().clearSelection()
        if path.suffix.casefold() == ".svg":
            made = QSvgGenerator()
            made.setFileName(str(path))
            made.setSize(box.size().toSize())
            made.setViewBox(QRectF(QPointF(0, 0), box.size()))
            made.setTitle("Retiens")
            painter = QPainter(made)
            self.scene().render(painter, QRectF(QPointF(0, 0), box.size()), box)
            done = painter.end()
        else:
            image = QImage((box.size() * SHARP).toSize(), QImage.Format.Format_RGB32)
            image.fill(QColor(self._theme.colours.surface))
            painter = QPainter(image)
            self.scene().render(painter, QRectF(image.rect()), box)
            painter.end()
            done = QImageWriter(str(path), QByteArray(b"png")).write(image)
        self.choose(kept)
        if not done or not path.exists():
            raise OSError(errno.EIO, "", str(path))

    def zoom(self, factor: float) -> None:
        """Come nearer or go further away."""
        if 0.2 < self.transform().m11() * factor / self._theme.scale < 4:
            self.scale(factor, factor)

    def _arrow(self, start: Box, end: Box, side: float) -> None:
        a, b = start.pos() + QPointF(side * start.half.x(), 0), end.pos() - QPointF(side * (end.half.x() + 7), 0)
        bend = max(30.0, abs(b.x() - a.x()) / 2)
        path = QPainterPath(a)
        path.cubicTo(a + QPointF(side * bend, 0), b - QPointF(side * bend, 0), b)
        line = QGraphicsPathItem(path)
        line.setPen(QPen(QColor(self._theme.colours.muted), 1.1))
        line.setOpacity(0.6)
        self.scene().addItem(line)
        angle = math.radians(24)
        tips = [b + QPointF(-side * 9 * math.cos(angle) + side * 7, sign * 9 * math.sin(angle)) for sign in (1, -1)]
        head = QPainterPath()
        head.addPolygon(QPolygonF([b + QPointF(side * 7, 0), *tips]))
        head.closeSubpath()
        tip = QGraphicsPathItem(head)
        tip.setBrush(QColor(self._theme.colours.muted))
        tip.setPen(QPen(Qt.PenStyle.NoPen))
        self.scene().addItem(tip)

    def _on_selection(self) -> None:
        if self.current:
            self.chosen.emit(self.current)

    def _step(self, key: int) -> None:
        """Go to the nearest concept in a direction."""
        here = self._boxes.get(self.current)
        if here is None:
            if self._boxes:
                self.choose(next(iter(self._boxes)))
            return
        ways = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
        dx, dy = ways[Qt.Key(key)]
        best, least = "", math.inf
        for id, box in self._boxes.items():
            gap = box.pos() - here.pos()
            along, aside = gap.x() * dx + gap.y() * dy, abs(gap.x() * dy) + abs(gap.y() * dx)
            if along > 1 and along + 2 * aside < least:
                best, least = id, along + 2 * aside
        if best:
            self.choose(best)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(event.key())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current:
            self.entered.emit(self.current)
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1.2)
        elif event.key() == Qt.Key.Key_Minus:
            self.zoom(1 / 1.2)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(1.0015 ** event.angleDelta().y())


def maturity_word(maturity: float) -> str:
    """The word for how well the material covers a concept."""
    return (
        "named" if maturity < 0.5 else "explained" if maturity < 0.8 else "confirmed" if maturity < 0.95 else "taught"
    )


def standing_words(shown: ShownConcept, t: Messages) -> str:
    """The standing in words, and whether it is due."""
    words = t(f"standing.{shown.claim.value}") if shown.claim else t("standing.unchecked")
    if shown.due:
        words += " · " + t("standing.due")
    return words
