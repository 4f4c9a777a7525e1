"""The timeline: every episode of the subject, newest first, by kind and by words; each opens where it is kept."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QLineEdit, QListView, QMenu, QMessageBox, QStackedWidget

from memory.episodes import Episode, EpisodeId, Kind
from ui import actions
from ui.bits import button, column, empty, row
from ui.desk import Desk, Panel
from ui.lists import ENTRY, TwoLines, entry
from ui.memory.shown import PAGE, read_timeline
from ui.messages import Messages
from ui.text import one_line
from ui.theme import MEDIUM

_ICONS = {Kind.CHECK: "flag", Kind.FILE: "file", Kind.TAUGHT: "note", Kind.CONSOLIDATION: "night", Kind.QUIZ: "flag"}


class TimelinePage(Panel):
    """Episodes with a filter and a search."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        t = desk.t
        self._count = PAGE
        self.kind = QComboBox()
        self.kind.setAccessibleName(t("memory.kind"))
        self.kind.addItem(t("memory.all_kinds"), None)
        for kind in Kind:
            self.kind.addItem(t(f"kind.{kind.value}"), kind)
        self.words = QLineEdit()
        self.words.setPlaceholderText(t("memory.search"))
        self.words.setAccessibleName(t("memory.search"))
        self.words.setClearButtonEnabled(True)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(250)
        self._soon.timeout.connect(self.refresh)
        self.words.textChanged.connect(lambda _text: self._soon.start())
        self.kind.currentIndexChanged.connect(lambda _index: self.refresh())
        self.list = QListView()
        self.list.setItemDelegate(TwoLines(self.list, desk.theme))
        self.list.setAccessibleName(t("memory.timeline"))
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.clicked.connect(lambda index: desk.episode_asked.emit(index.data(ENTRY)))
        self.list.activated.connect(lambda index: desk.episode_asked.emit(index.data(ENTRY)))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._menu)
        self._bare = empty(t("memory.no_episodes"), t("memory.no_episodes_why"), picture=desk.theme.sign("chain"))
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._bare)
        self._more = button(t("memory.more"), self._show_more, "chip")
        filters = row(self.kind, self.words)
        filters.setStretch(1, 1)
        self.setLayout(column(filters, self._pages, row(None, self._more, None), margins=MEDIUM))

    def refresh(self) -> None:
        """Read the timeline again."""
        subject, memory = self.desk.subject_id, self.desk.house.memory
        if subject is None:
            self._show([])
            return
        kind, text, language, count = self.kind.currentData(), self.words.text(), self.desk.t.language, self._count
        self.desk.read(lambda: read_timeline(memory, subject, kind, text, language, count), self._show)

    def _show(self, found: list[Episode]) -> None:
        t, theme = self.desk.t, self.desk.theme
        model = QStandardItemModel(self)
        for episode in found:
            words = _words(episode, t)
            head = f"{t.short_day(episode.moment.day)} · {t(f'kind.{episode.kind.value}')}"
            if episode.meta.verdict is not None:
                head += f" · {t(f'verdict.{episode.meta.verdict.value}')}"
            icon = theme.icon(_ICONS.get(episode.kind, "chain"), theme.colours.muted)
            model.appendRow(entry(words or head, head if words else "", icon, episode.id))
        self.list.setModel(model)
        self._pages.setCurrentWidget(self.list if found else self._bare)
        self._more.setVisible(len(found) >= self._count)

    def _show_more(self) -> None:
        self._count += PAGE
        self.refresh()

    def _menu(self, position: QPoint) -> None:
        episode = self.list.indexAt(position).data(ENTRY)
        if not episode:
            return
        t = self.desk.t
        menu = QMenu(self)
        redact = menu.addAction(t("memory.redact"))
        if menu.exec(self.list.viewport().mapToGlobal(position)) is redact:
            sure = QMessageBox.question(self, t("memory.redact"), t("memory.redact_ask"))
            if sure is QMessageBox.StandardButton.Yes:
                actions.redact(self.desk, EpisodeId(episode))


def _words(episode: Episode, t: Messages) -> str:
    """What a line of the timeline says: the episode's words; a day that was condensed is named."""
    if episode.content is None:
        return t("chat.redacted")
    if episode.kind is Kind.CONSOLIDATION:
        return ""
    return one_line(episode.content.text, 150)
