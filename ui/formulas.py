"""Formulas as pictures: drawn by ziamath on the reads lane, kept, and put into the documents that wait for them.

A formula that cannot be drawn (an unknown command, letters the mathematical font lacks) is shown as it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QByteArray, QObject, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontInfo,
    QFontMetricsF,
    QImage,
    QPainter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
)
from PySide6.QtSvg import QSvgRenderer

from app.lanes import Lanes
from ui.formula_text import CLOSE, OPEN, Formula

SCHEME = "retiens:formula/"
SHARP = 2.0
"""Pixels of the picture to one of the screen."""
LARGER = 1.12
"""The mathematical font beside the text's: its small letters are lower."""
KEPT = 400
"""Pictures kept; when there are more, the oldest is let go."""
_DRAWN_LETTERS = (0x0600, 0x2000)  # from Arabic up to the general punctuation: none is in the mathematical font


class Undrawable(ValueError):
    """The formula's LaTeX, which the drawing library does not know all of."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn formula: SVG, its size and the part below the line of writing, in pixels."""

    svg: str
    width: float
    height: float
    depth: float


def draw(source: str, pixels: float, colour: str, *, display: bool) -> Drawing:
    """Draw LaTeX at a letter size in pixels. Blocking (the first time nearly a second). Raises Undrawable."""
    from ziafont.config import config  # noqa: PLC0415 (loaded, with their fonts, only when there is a formula)
    from ziamath.zmath import Latex  # noqa: PLC0415

    config.svg2 = False  # Qt draws SVG 1.2 Tiny
    if any(_DRAWN_LETTERS[0] <= ord(letter) < _DRAWN_LETTERS[1] for letter in source):
        raise Undrawable(source)
    try:
        drawn = Latex(source, size=pixels, color=colour, inline=not display)
        if "\\" in drawn.mathmlstr():  # a command that was not understood is left in the MathML as it was
            raise Undrawable(source)
        width, height = drawn.getsize()
        return Drawing(
            drawn.svg(), width + 2 * drawn.margin, height + 2 * drawn.margin, drawn.margin - drawn.getyofst()
        )
    except Undrawable:
        raise
    except Exception as error:  # the library's parsers raise whatever they trip over, assertions included
        raise Undrawable(source) from error


@dataclass(frozen=True, slots=True)
class Picture:
    """A formula as it stands in a line: its image, and how it is aligned so that its line of writing fits."""

    image: QImage
    size: QSizeF
    align: QTextCharFormat.VerticalAlignment


class Formulas(QObject):
    """Draws formulas and remembers them.

    Signals:
        drawn: a picture that was not there is there now.
    """

    drawn = Signal()

    def __init__(self, lanes: Lanes, font: QFont, colour: str) -> None:
        super().__init__()
        self._lanes = lanes
        self._metrics = QFontMetricsF(font)
        self._pixels = LARGER * QFontInfo(font).pixelSize()
        self._colour = colour
        self._known: dict[tuple[str, bool], Picture | None] = {}
        self._asked: set[tuple[str, bool]] = set()

    def picture(self, formula: Formula) -> Picture | None:
        """The picture of a formula; None while it is being drawn and when it cannot be."""
        key = (formula.source, formula.display)
        if key not in self._known and key not in self._asked:
            self._asked.add(key)
            work = partial(draw, formula.source, self._pixels, self._colour, display=formula.display)
            self._lanes.reads.run(work, partial(self._keep, key), lambda _error: self._keep(key, None))
        return self._known.get(key)

    def _keep(self, key: tuple[str, bool], drawing: Drawing | None) -> None:
        self._asked.discard(key)
        self._known[key] = self._picture(drawing) if drawing else None
        while len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        if drawing:
            self.drawn.emit()

    def _picture(self, drawing: Drawing) -> Picture:
        """Pad the drawing so that one of Qt's ways to align an image puts it exactly on the line of writing."""
        above, below = drawing.height - drawing.depth, drawing.depth
        descent, half = self._metrics.descent(), self._metrics.xHeight() / 2
        if below <= descent:
            align, height, top = QTextCharFormat.VerticalAlignment.AlignBaseline, above + descent, 0.0
        else:
            height = max(2 * above - half, 2 * below + half)
            align, top = QTextCharFormat.VerticalAlignment.AlignMiddle, (height + half) / 2 - above
        image = QImage(round(drawing.width * SHARP), round(height * SHARP), QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        box = QRectF(0, top * SHARP, drawing.width * SHARP, drawing.height * SHARP)
        QSvgRenderer(QByteArray(drawing.svg.encode())).render(painter, box)
        painter.end()
        return Picture(image, QSizeF(drawing.width, height), align)


def put_formulas(
    document: QTextDocument, formulas: list[Formula], picture: Callable[[Formula], Picture | None], room: float
) -> None:
    """Put each formula into its place: as a picture no wider than ``room`` pixels, else as it is written."""
    whole = QTextCursor(document)
    whole.beginEditBlock()
    for number, formula in enumerate(formulas):
        found = document.find(f"{OPEN}{number}{CLOSE}")
        if found.isNull():
            continue
        drawn = picture(formula)
        if drawn is None:
            written = found.charFormat()
            written.setFontFixedPitch(True)
            written.setFontFamilies(["monospace"])
            found.insertText(formula.source, written)
            continue
        name = f"{SCHEME}{number}"
        document.addResource(QTextDocument.ResourceType.ImageResource.value, name, drawn.image)
        form = QTextImageFormat()
        form.setName(name)
        form.setProperty(QTextImageFormat.Property.ImageAltText.value, formula.source)
        shrunk = min(1.0, room / drawn.size.width()) if room > 0 else 1.0
        form.setWidth(drawn.size.width() * shrunk)
        form.setHeight(drawn.size.height() * shrunk)
        form.setVerticalAlignment(drawn.align)
        found.insertImage(form)
        if formula.display and len(found.block().text().strip(" .,;")) == 1:
            block = found.blockFormat()
            block.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            found.setBlockFormat(block)
    whole.endEditBlock()


def with_sources(cursor: QTextCursor, formulas: list[Formula], text: str) -> str:
    """What was selected, with the LaTeX of each formula instead of its picture."""
    document, made = cursor.document(), ""
    walk = QTextCursor(document)
    at = cursor.selectionStart()
    for letter in text:
        if letter == "\ufffc":
            walk.setPosition(at + 1)
            name = walk.charFormat().toImageFormat().name()
            known = name.startswith(SCHEME)
            formula = formulas[int(name.removeprefix(SCHEME))] if known else None
            letter = f"${formula.source}$" if formula else ""
        made += letter
        at += 1
    return made
