"""The body of a card: Markdown without HTML, as tall as its text, that loads nothing and opens nothing by itself."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QByteArray, QMimeData, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from ui.formula_text import Formula, formulas_in, with_places
from ui.formulas import Formulas, Picture, put_formulas, with_sources
from ui.text import direction_of, safe
from ui.theme import Theme

MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
NO_SUPPORT = "[?]"
"""The mark of a claim that nothing supports: it has another colour too."""
LINE_HEIGHT = 128
"""Percent of the font's own line."""


class Body(QTextBrowser):
    """Shows a text.

    Signals:
        link_chosen: the address of a link that was clicked or entered.
    """

    link_chosen = Signal(str)

    def __init__(self, theme: Theme, formulas: Formulas | None = None) -> None:
        """``formulas`` draws those that stand in a Markdown text; without it they are shown as they are written."""
        super().__init__()
        self._theme = theme
        self._formulas = formulas
        self._shown: list[Formula] = []
        self._markdown = ""
        if formulas is not None:
            formulas.drawn.connect(self._redraw)
        self._waiting = False
        self._changing = False
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(1)
        self.document().setIndentWidth(theme.px(20))
        self.document().setDefaultStyleSheet(f"a {{ color: {theme.colours.accent}; text-decoration: none; }}")
        self.anchorClicked.connect(lambda url: self.link_chosen.emit(url.toString()))
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())

    def show_markdown(self, text: str) -> None:
        """Show Markdown. HTML in it is shown as it stands."""
        self._markdown = text = safe(text)
        self._waiting = False
        self._shown = formulas_in(text) if self._formulas is not None else []
        self._changing = True
        self.document().setMarkdown(with_places(text, self._shown) if self._shown else text, MARKDOWN)
        self._set_lines(text)
        self._dress_tables()
        if self._formulas is not None and self._shown:
            put_formulas(self.document(), self._shown, self._picture, self.viewport().width() - 4)
        self._changing = False
        self._fit()

    def _picture(self, formula: Formula) -> Picture | None:
        picture = self._formulas.picture(formula) if self._formulas is not None else None
        self._waiting |= picture is None
        return picture

    def _redraw(self) -> None:
        """A formula was drawn: one of those that are still shown as they are written may be it."""
        if self._waiting:
            self.show_markdown(self._markdown)

    def show_plain(self, text: str) -> None:
        """Show a plain text."""
        text = safe(text)
        self.setPlainText(text)
        self._set_lines(text)
        self._fit()

    def _set_lines(self, text: str) -> None:
        """Loosen the lines, close up the blocks, and colour the links."""
        document = self.document()
        option = document.defaultTextOption()
        if option.textDirection() is not direction_of(text):
            option.setTextDirection(direction_of(text))
            document.setDefaultTextOption(option)
        block = document.begin()
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        while block.isValid():
            cursor.setPosition(block.position())
            form = block.blockFormat()
            if not form.property(QTextBlockFormat.Property.BlockCodeLanguage):
                form.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            form.setTopMargin(self._theme.px(3) if block.textList() else self._theme.px(4))
            form.setBottomMargin(self._theme.px(3) if block.textList() else self._theme.px(4))
            cursor.setBlockFormat(form)
            fragment = block.begin()
            while not fragment.atEnd():
                piece = fragment.fragment()
                if piece.charFormat().isAnchor():
                    cursor.setPosition(piece.position())
                    cursor.setPosition(piece.position() + piece.length(), QTextCursor.MoveMode.KeepAnchor)
                    shown = piece.charFormat()
                    colours = self._theme.colours
                    shown.setForeground(QColor(colours.warn if piece.text() == NO_SUPPORT else colours.accent))
                    shown.setFontUnderline(False)
                    cursor.setCharFormat(shown)
                fragment += 1
            block = block.next()
        cursor.endEditBlock()

    def _dress_tables(self) -> None:
        """Give tables air and thin lines."""
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                form = frame.format()
                form.setCellPadding(self._theme.px(5))
                form.setCellSpacing(0)
                form.setBorderCollapse(True)
                form.setBorder(1)
                form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                form.setBorderBrush(QColor(self._theme.colours.line))
                frame.setFormat(form)

    def _fit(self) -> None:
        if self._changing:
            return  # the height is asked for once, when the text stands
        height = round(self.document().size().height()) + 2
        if height != self.height():
            self.setFixedHeight(max(height, self.fontMetrics().height() + 4))

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Nothing is ever loaded: an image is one transparent pixel, anything else is a blank."""
        if kind == QTextDocument.ResourceType.ImageResource.value:
            blank = QImage(QSize(1, 1), QImage.Format.Format_ARGB32)
            blank.fill(Qt.GlobalColor.transparent)
            return blank
        return QByteArray(b" ")

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied holds the LaTeX of the formulas, not their pictures."""
        made = QMimeData()
        text = self.textCursor().selectedText().replace("\u2029", "\n").replace("\u2028", "\n")
        made.setText(with_sources(self.textCursor(), self._shown, text))
        return made

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The column scrolls, not the card."""
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
