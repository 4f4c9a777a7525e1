"""The report's plots, drawn: how sure the tutor was against how the checks went."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from memory.calibration import Band
from ui.messages import Messages
from ui.theme import Colours, Theme

SIDE = 220
"""Pixels of the square at 100 %."""
_LEAST, _MOST = 4.0, 11.0  # radii of a point, from one check to twenty
_TICKS = (0.0, 0.5, 1.0)


def draw_calibration(
    painter: QPainter, room: QSizeF, bands: Sequence[Band], colours: Colours, font: QFont, t: Messages
) -> None:
    """Draw the bands: predicted along, observed up, a larger point for more checks; the dashed line is perfect."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    left = metrics.horizontalAdvance(t.percent(1.0)) + metrics.height() + 10
    foot, top = 2 * metrics.height() + 10, _MOST + 2
    side = min(room.width() - left - _MOST - 2, room.height() - foot - top)
    box = QRectF(left, top, side, side)
    painter.setPen(QPen(QColor(colours.line), 1))
    for tick in _TICKS:
        x, y = box.left() + tick * side, box.bottom() - tick * side
        painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
    painter.setPen(QPen(QColor(colours.muted), 1.2, Qt.PenStyle.DashLine))
    painter.drawLine(box.bottomLeft(), box.topRight())
    painter.setPen(QColor(colours.muted))
    high = metrics.height()
    for tick in _TICKS:
        words = t.percent(tick)
        wide = metrics.horizontalAdvance(words)
        x = max(box.left(), min(box.right() - wide, box.left() + tick * side - wide / 2))
        painter.drawText(QPointF(x, box.bottom() + high), words)
        painter.drawText(QPointF(box.left() - wide - 6, box.bottom() - tick * side + high / 3), words)
    painter.drawText(
        QRectF(box.left(), box.bottom() + high + 4, side, high), Qt.AlignmentFlag.AlignHCenter, t("report.predicted")
    )
    painter.save()
    painter.translate(0, box.center().y())
    painter.rotate(-90)
    painter.drawText(QRectF(-side / 2, 0, side, high), Qt.AlignmentFlag.AlignHCenter, t("report.observed"))
    painter.restore()
    painter.setPen(QPen(QColor(colours.surface), 1))
    painter.setBrush(QColor(colours.accent))
    for band in bands:
        if band.count:
            radius = min(_MOST, _LEAST + (_MOST - _LEAST) * (band.count - 1) / 19)
            at = QPointF(box.left() + band.predicted * side, box.bottom() - band.observed * side)
            painter.drawEllipse(at, radius, radius)


class CalibrationPlot(QWidget):
    """The plot in the report panel; its figures stand in the table below it, for those who do not see it."""

    def __init__(self, bands: Sequence[Band], theme: Theme, t: Messages) -> None:
        super().__init__()
        self._bands = bands
        self._theme = theme
        self._t = t
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(theme.px(SIDE) + 2 * self.fontMetrics().height())
        self.setAccessibleName(t("report.calibration"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * 0.85)
        draw_calibration(painter, QSizeF(self.size()), self._bands, self._theme.colours, font, self._t)
        painter.end()
