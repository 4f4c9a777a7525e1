"""The report on paper: PDF pages of the same Markdown, always dark on white, with the plot."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMarginsF, QSizeF, QUrl
from PySide6.QtGui import (
    QFont,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
)

from memory.calibration import Band
from ui.chat.body import MARKDOWN
from ui.messages import Messages
from ui.report.plots import draw_calibration
from ui.text import direction_of_language, safe
from ui.theme import LIGHT

_POINTS = 10.0
_PLOT = QSizeF(300, 260)
_SHARP = 3
_NAME = "retiens:plot"


def write_pdf(path: Path, markdown: str, bands: tuple[Band, ...], font: QFont, t: Messages) -> None:
    """Write the report to a PDF file, A4. ``bands``: of the calibration, empty where there is no figure."""
    document = QTextDocument()
    document.setDefaultFont(_sized(font, _POINTS))
    option = document.defaultTextOption()
    option.setTextDirection(direction_of_language(t.language))
    document.setDefaultTextOption(option)
    document.setMarkdown(safe(markdown), MARKDOWN)
    if any(band.count for band in bands):
        cursor = document.find(t("report.calibration"))
        if not cursor.isNull():
            cursor.movePosition(QTextCursor.MoveOperation.NextBlock)
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
            document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(_NAME), _plot(bands, font, t))
            form = QTextImageFormat()
            form.setName(_NAME)
            form.setWidth(_PLOT.width())
            form.setHeight(_PLOT.height())
            cursor.insertBlock()
            cursor.insertImage(form)
    writer = QPdfWriter(str(path))
    writer.setCreator("Retiens")
    margins = QMarginsF(4, 4, 4, 4)  # Qt adds two centimetres of its own
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Millimeter
        )
    )
    document.print_(writer)


def _plot(bands: tuple[Band, ...], font: QFont, t: Messages) -> QImage:
    image = QImage((_PLOT * _SHARP).toSize(), QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    painter.scale(_SHARP, _SHARP)
    draw_calibration(painter, _PLOT, bands, LIGHT, _sized(font, 9.0), t)
    painter.end()
    return image


def _sized(font: QFont, points: float) -> QFont:
    made = QFont(font)
    made.setPointSizeF(points)
    return made
