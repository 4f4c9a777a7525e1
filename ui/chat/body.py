"""The body of a card: Markdown without HTML, as tall as its text, that loads nothing and opens nothing by itself."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QByteArray, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QColor, QImage, QResizeEvent, QTextBlockFormat, QTextCursor, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

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

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
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
        text = safe(text)
        self.document().setMarkdown(text, MARKDOWN)
        self._set_lines(text)
        self._fit()

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

    def _fit(self) -> None:
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

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The column scrolls, not the card."""
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
