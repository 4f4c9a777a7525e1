"""The palette: type, and do or find anything: commands, subjects, concepts, passages, episodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QStandardItemModel
from PySide6.QtWidgets import QDialog, QLineEdit, QListView, QWidget

from memory.subjects import Subject
from ui import actions
from ui.bits import column
from ui.commands import Command, keys_shown
from ui.desk import Desk
from ui.lists import ENTRY, TwoLines, entry
from ui.search import HIT_ICONS, Hit, open_hit, search
from ui.text import safe
from ui.theme import MEDIUM, SMALL

_SEARCH_AFTER = 150
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True, slots=True)
class Choice:
    """A line of the palette and what it does."""

    words: str
    head: str
    icon: str
    do: Callable[[], object]
    keys: str = ""


class Palette(QDialog):
    """One field, one list; Enter does what is chosen, Esc goes away."""

    def __init__(self, desk: Desk, commands: list[Command], parent: QWidget) -> None:
        super().__init__(parent)
        self._desk = desk
        t, theme = desk.t, desk.theme
        self.setWindowTitle(t("command.palette"))
        self.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        self._commands = [
            Choice(t(f"command.{command.name}"), "", "open", command.do, keys_shown(command.keys))
            for command in commands
            if command.name != "palette"
        ]
        self._subjects: list[Subject] = []
        self._hits: list[Hit] = []
        self.field = QLineEdit()
        self.field.setPlaceholderText(t("palette.placeholder"))
        self.field.setAccessibleName(t("palette.placeholder"))
        self.field.textChanged.connect(self._typed)
        self.field.returnPressed.connect(self._do)
        self.field.installEventFilter(self)
        self.list = QListView()
        self.list.setAccessibleName(t("search.results"))
        self.list.setItemDelegate(TwoLines(self.list, theme))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.clicked.connect(lambda _index: self._do())
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SEARCH_AFTER)
        self._soon.timeout.connect(self._search)
        self.setLayout(column(self.field, self.list, spacing=SMALL, margins=MEDIUM))
        room = parent.screen().availableGeometry()
        self.resize(min(theme.px(560), room.width()), min(theme.px(460), room.height()))
        desk.read(desk.house.memory.subjects.all, self._show_subjects)
        self._show()

    @property
    def choices(self) -> list[str]:
        """What the list says, from the top."""
        model = self.list.model()
        return [str(model.index(line, 0).data()) for line in range(model.rowCount())]

    def _show_subjects(self, found: list[Subject]) -> None:
        self._subjects = found
        self._show()

    def _typed(self) -> None:
        self._hits = []
        self._show()
        self._soon.start()

    def _search(self) -> None:
        desk, text, subject = self._desk, self.field.text().strip(), self._desk.subject_id
        if not text or subject is None:
            return
        memory, language, t = desk.house.memory, desk.t.language, desk.t

        def found(hits: list[Hit]) -> None:
            if self.field.text().strip() == text:
                self._hits = hits
                self._show()

        desk.read(lambda: search(memory, subject, text, language, t), found)

    def _show(self) -> None:
        """Commands and subjects that hold the words, then what the memory found."""
        desk, words = self._desk, self.field.text().casefold().split()
        t, theme = desk.t, desk.theme
        choices = [choice for choice in self._commands if all(word in choice.words.casefold() for word in words)]
        choices += [
            Choice(safe(subject.name), t("palette.subject"), "due", lambda subject=subject: self._take(subject))  # type: ignore[misc]
            for subject in self._subjects
            if all(word in subject.name.casefold() for word in words)
        ]
        choices += [
            Choice(hit.words, hit.where, HIT_ICONS[hit.kind], lambda hit=hit: open_hit(desk, hit))  # type: ignore[misc]
            for hit in self._hits
        ]
        model = QStandardItemModel(self)
        for choice in choices:
            icon = theme.icon(choice.icon, theme.colours.muted)
            model.appendRow(entry(choice.words, choice.head, icon, choice, choice.keys))
        self.list.setModel(model)
        if choices:
            self.list.setCurrentIndex(model.index(0, 0))

    def _take(self, subject: Subject) -> None:
        actions.use_subject(self._desk, subject)

    def _do(self) -> None:
        choice = self.list.currentIndex().data(ENTRY)
        self.accept()
        if isinstance(choice, Choice):
            choice.do()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows move in the list while the words are being typed."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _MOVES:
            self.list.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)
