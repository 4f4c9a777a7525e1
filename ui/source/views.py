"""How a source looks: a page with its lines marked, a dated memory, the list of what was read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPixmap, QResizeEvent, QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from memory.episodes import Kind
from ui.bits import card, column, label, opener, row
from ui.chat.body import Body
from ui.desk import Desk
from ui.source.answer_sources import AnswerSources
from ui.source.shown import ShownMemory, ShownPassage, ShownRead
from ui.text import safe
from ui.theme import SMALL

RenderPage = Callable[[Path, int, tuple[int, int]], bytes]
"""The picture (PNG) of a page of a file, counted from 1, with its lines from one to another marked (0: none)."""
AROUND = 3
"""Lines shown before and after the marked ones."""


class PagePicture(QLabel):
    """The picture of a page, as wide as its place."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self._page = QPixmap()
        self.setProperty("role", "muted")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_page(self, page: QPixmap) -> None:
        """Show a page."""
        self._page = page
        self._fit()

    def _fit(self) -> None:
        if self._page.isNull():
            return
        ratio = self.devicePixelRatioF()
        scaled = self._page.scaledToWidth(round(self.width() * ratio), Qt.TransformationMode.SmoothTransformation)
        scaled.setDevicePixelRatio(ratio)
        self.setPixmap(scaled)
        self.setFixedHeight(round(scaled.height() / ratio))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()


def page_card(desk: Desk, place: ShownPassage, render: RenderPage | None) -> QWidget:
    """A passage on its page."""
    t = desk.t
    where = t("source.page", page=place.label or place.page)
    if place.first_line:
        where += " · " + t("source.lines", first=place.first_line, last=place.last_line)
    parts: list[QWidget] = [label(place.file, "heading"), label(where, "muted")]
    if not place.current:
        parts.append(label(t("source.old_version"), "warn"))
    picture = _page_picture(desk, place, render)
    if place.lines:
        parts.append(_lines(desk, place))
    if picture is not None:
        parts.append(picture)
    if not place.lines and picture is None:
        parts.append(label(t("source.page_only"), "muted"))
    return card("plain", *parts, spacing=SMALL)


def memory_card(desk: Desk, memory: ShownMemory) -> QWidget:
    """A dated memory."""
    t, episode = desk.t, memory.episode
    head = t.moment(episode.moment.day, episode.moment.local, desk.now().day)
    parts: list[QWidget] = [
        label(head, "heading"),
        label(t(f"kind.{episode.kind.value}") + " · " + t(f"origin.{episode.origin.value}"), "muted"),
    ]
    content = episode.content
    if content is None:
        parts.append(label(t("chat.redacted"), "muted"))
    else:
        parts.append(label(content.text, select=True))
        if content.reply:
            parts.append(label(t("source.reply", text=content.reply), select=True))
        if content.expected:
            parts.append(label(t("source.expected", text=content.expected), "muted", select=True))
    if episode.kind is Kind.CHECK:
        verdict = episode.meta.verdict
        tone = {"right": "good", "partly": "warn", "wrong": "bad"}.get(verdict.value if verdict else "", "muted")
        parts.append(label(t(f"verdict.{verdict.value if verdict else 'none'}"), tone))
    if memory.concepts:
        parts.append(label(", ".join(memory.concepts), "muted"))
    parts.append(label(t("source.chain", seq=episode.seq, id=episode.id[:13]), "small", select=True))
    return card("plain", *parts, spacing=SMALL)


def reads_card(desk: Desk, sources: AnswerSources, reads: tuple[ShownRead, ...]) -> QWidget:
    """Why this answer: who spoke, how it stands, how long it took, and everything that reached the prompt."""
    t = desk.t
    facts = [t(f"plan_was.{sources.plan}")] if t.has(f"plan_was.{sources.plan}") else []
    if sources.status and sources.plan == "answer":
        facts.append(t(f"status.{sources.status}"))
    total = sources.timings.get("total_ms")
    if total is not None:
        facts.append(t("source.seconds", seconds=t.number(total / 1000)))
    lines = column(spacing=2)
    for read in reads:
        lines.addLayout(_read_line(desk, read))
    head = label(t("source.why"), "section")
    parts: list[QWidget] = [head, label(" · ".join(facts), "muted")]
    holder = QWidget()
    holder.setLayout(lines)
    parts.append(holder if reads else label(t("source.read_nothing"), "muted"))
    return card("plain", *parts, spacing=SMALL)


def _read_line(desk: Desk, read: ShownRead) -> QHBoxLayout:
    theme = desk.theme
    icon = QLabel()
    names = {"episode": "note", "passage": "file", "concept": "map", "belief": "map"}
    icon.setPixmap(theme.pixmap(names.get(read.kind, "note"), theme.colours.muted, 14))
    words = label(read.words, "muted")
    parts: list[QWidget | None] = [icon, words]
    opener = _opener(desk, read)
    if opener is not None:
        parts.append(opener)
    line = row(*parts, spacing=SMALL)
    line.setStretch(1, 1)
    return line


def _opener(desk: Desk, read: ShownRead) -> QPushButton | None:
    t = desk.t
    episode, passage = read.episode, read.passage
    if episode is not None:
        return opener(desk.theme, t("action.open"), lambda: desk.episode_asked.emit(episode))
    if passage is not None:
        return opener(desk.theme, t("action.open"), lambda: desk.passage_asked.emit(passage))
    return None


def _lines(desk: Desk, place: ShownPassage) -> QWidget:
    """The lines of the page around the passage, numbered, those of the passage on a marked ground."""
    first = max(1, place.first_line - AROUND)
    last = min(len(place.lines), place.last_line + AROUND)
    body = Body(desk.theme)
    body.setAccessibleName(desk.t("source.page", page=place.page))
    font = body.font()
    font.setPointSizeF(font.pointSizeF() * 0.9)
    body.document().setDefaultFont(font)
    body.show_plain("\n".join(f"{number:>3}  {place.lines[number - 1]}" for number in range(first, last + 1)))
    cursor = QTextCursor(body.document())
    ground, faint = QColor(desk.theme.colours.mark), QColor(desk.theme.colours.muted)
    for number in range(first, last + 1):
        cursor.setPosition(body.document().findBlockByNumber(number - first).position())
        form = cursor.blockFormat()
        form.setTopMargin(0)
        form.setBottomMargin(0)
        form.setLeftMargin(desk.theme.px(30))
        form.setTextIndent(-desk.theme.px(30))
        form.setLineHeight(112, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        form.setProperty(QTextBlockFormat.Property.BlockNonBreakableLines, False)
        inside = place.first_line <= number <= place.last_line
        if inside:
            form.setBackground(ground)
        cursor.setBlockFormat(form)
        cursor.movePosition(
            QTextCursor.MoveOperation.EndOfBlock if not inside else QTextCursor.MoveOperation.NextCharacter,
            QTextCursor.MoveMode.KeepAnchor,
            1 if not inside else 5,
        )
        shown = cursor.charFormat()
        shown.setForeground(faint)
        cursor.setCharFormat(shown)
    return body


def _page_picture(desk: Desk, place: ShownPassage, render: RenderPage | None) -> QWidget | None:
    path = Path(place.path)
    if render is None or not place.path or not path.is_file():
        return None
    picture = PagePicture(desk.t("source.drawing"))
    picture.setAccessibleName(safe(f"{place.file}, {place.page}"))

    def drawn(data: bytes) -> None:
        pixmap = QPixmap()
        if data and pixmap.loadFromData(data):
            picture.show_page(pixmap)
        else:
            picture.hide()

    marked = (place.first_line, place.last_line) if place.current else (0, 0)
    desk.lanes.reads.run(lambda: render(path, place.page, marked), drawn, lambda _error: picture.hide())
    return picture
