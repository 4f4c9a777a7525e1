"""The left side: one search over everything, and the subjects with what is due in each."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QInputDialog,
    QLineEdit,
    QListView,
    QMenu,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from memory.memory import Memory
from memory.moments import Moment
from memory.subjects import Subject
from ui import actions
from ui.bits import button, label, row
from ui.desk import Desk, Panel
from ui.lists import TwoLines, entry
from ui.search import HIT_ICONS, Hit, open_hit, search
from ui.theme import MEDIUM, SMALL, Theme

Place = QModelIndex | QPersistentModelIndex
_ROLE = Qt.ItemDataRole.UserRole
_DUE = Qt.ItemDataRole.UserRole + 1
_SEARCH_AFTER = 250


def due_counts(memory: Memory, now: Moment) -> list[tuple[Subject, int]]:
    """Every subject with how many concepts are due today."""
    return [(subject, len(memory.review.due(subject.id, now))) for subject in memory.subjects.all()]


class _WithDue(QStyledItemDelegate):
    """A subject's name, and what is due at the end of the line."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        due = str(index.data(_DUE) or "")
        box = QRect(option.rect)
        metrics = QFontMetrics(painter.font())
        room = metrics.horizontalAdvance(due) + self._theme.px(16) if due else 0
        right = option.direction is Qt.LayoutDirection.RightToLeft
        super().paint(painter, option, index)
        if due:
            painter.save()
            painter.setPen(QColor(self._theme.colours.accent))
            side = QRect(box.left() if right else box.right() - room, box.top(), room, box.height())
            painter.drawText(side, Qt.AlignmentFlag.AlignCenter, due)
            painter.restore()


class SubjectsPanel(Panel):
    """Subjects and search."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.setObjectName("side")
        t = desk.t
        self.field = QLineEdit()
        self.field.setPlaceholderText(t("search.placeholder"))
        self.field.setAccessibleName(t("search.placeholder"))
        self.field.setClearButtonEnabled(True)
        self.field.addAction(
            desk.theme.icon("search", desk.theme.colours.muted), QLineEdit.ActionPosition.LeadingPosition
        )
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SEARCH_AFTER)
        self._soon.timeout.connect(self._search)
        self.field.textChanged.connect(lambda _text: self._soon.start())
        self.list = self._view(t("panel.subjects"))
        self.list.setItemDelegate(_WithDue(self.list, desk.theme))
        self.list.clicked.connect(lambda index: self._choose(index.data(_ROLE)))
        self.list.activated.connect(lambda index: self._choose(index.data(_ROLE)))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._menu)
        self.hits = self._view(t("search.results"))
        self.hits.setItemDelegate(TwoLines(self.hits, desk.theme))
        self.hits.activated.connect(lambda index: self._open(index.data(_ROLE)))
        self.hits.clicked.connect(lambda index: self._open(index.data(_ROLE)))
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self.hits)
        add = self._tool("plus", t("subjects.add"))
        add.clicked.connect(self.add)
        settings = button(t("panel.settings"), desk.settings_wanted.emit, "quiet", theme=desk.theme, icon="settings")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, SMALL)
        layout.setSpacing(SMALL)
        layout.addWidget(self.field)
        self._title = label(t("panel.subjects"), "section", wrap=False)
        layout.addLayout(row(self._title, None, add))
        layout.addWidget(self._pages, 1)
        anything = button("Ctrl+K", desk.palette_wanted.emit, "quiet", name=t("command.palette"))
        layout.addLayout(row(settings, None, anything))

    def refresh(self) -> None:
        """Show the subjects."""
        memory, now = self.desk.house.memory, self.desk.now()
        self.desk.read(lambda: due_counts(memory, now), self._show)

    def _show(self, found: list[tuple[Subject, int]]) -> None:
        model = QStandardItemModel(self)
        theme = self.desk.theme
        for subject, due in sorted(found, key=lambda pair: pair[0].name.casefold()):
            item = QStandardItem(subject.name)
            item.setData(self.desk.t("subjects.due", n=due) if due else "", _DUE)
            item.setData(subject, _ROLE)
            item.setEditable(False)
            item.setSizeHint(QSize(10, theme.px(34)))
            item.setToolTip(subject.name)
            model.appendRow(item)
            if subject.id == self.desk.subject_id:
                font = item.font()
                font.setBold(True)
                item.setFont(font)
        self.list.setModel(model)
        for position in range(model.rowCount()):
            if model.item(position).data(_ROLE).id == self.desk.subject_id:
                self.list.setCurrentIndex(model.index(position, 0))

    def _search(self) -> None:
        text, subject = self.field.text().strip(), self.desk.subject_id
        if not text or subject is None:
            self._pages.setCurrentIndex(0)
            self._title.setText(self.desk.t("panel.subjects"))
            return
        memory, language, t = self.desk.house.memory, self.desk.t.language, self.desk.t
        self.desk.read(lambda: search(memory, subject, text, language, t), lambda hits: self._show_hits(text, hits))

    def _show_hits(self, text: str, hits: list[Hit]) -> None:
        if text != self.field.text().strip():
            return
        model = QStandardItemModel(self)
        for hit in hits:
            icon = self.desk.theme.icon(HIT_ICONS[hit.kind], self.desk.theme.colours.muted)
            model.appendRow(entry(hit.words, hit.where, icon, hit))
        self.hits.setModel(model)
        self._title.setText(self.desk.t("search.found", n=len(hits)))
        self._pages.setCurrentIndex(1)

    def _open(self, hit: Hit | None) -> None:
        if hit is not None:
            open_hit(self.desk, hit)

    def _choose(self, subject: Subject | None) -> None:
        if subject is not None and subject.id != self.desk.subject_id:
            actions.use_subject(self.desk, subject)

    def add(self) -> None:
        """Ask for a name and make a subject."""
        name, sure = QInputDialog.getText(self, self.desk.t("subjects.add"), self.desk.t("subjects.name"))
        if sure and name.strip():
            actions.add_subject(self.desk, name)

    def _menu(self, position: QPoint) -> None:
        index = self.list.indexAt(position)
        subject = index.data(_ROLE)
        if not isinstance(subject, Subject):
            return
        menu = QMenu(self)
        rename = menu.addAction(self.desk.t("subjects.rename"))
        if menu.exec(self.list.viewport().mapToGlobal(position)) is rename:
            name, sure = QInputDialog.getText(
                self, self.desk.t("subjects.rename"), self.desk.t("subjects.name"), text=subject.name
            )
            if sure and name.strip():
                actions.rename_subject(self.desk, subject, name)

    def _view(self, name: str) -> QListView:
        made = QListView()
        made.setAccessibleName(name)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.setUniformItemSizes(False)
        return made

    def _tool(self, icon: str, name: str) -> QToolButton:
        made = QToolButton()
        made.setIcon(self.desk.theme.icon(icon, self.desk.theme.colours.muted))
        made.setIconSize(QSize(self.desk.theme.px(18), self.desk.theme.px(18)))
        made.setToolTip(name)
        made.setAccessibleName(name)
        return made
