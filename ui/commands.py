"""What can be done by name or by keys: one list for the shortcuts, the palette and the page that tells them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from ui.bits import Scroll, button, column, label, row
from ui.chat.cards import AnswerCard
from ui.desk import Desk
from ui.text import isolated
from ui.theme import LARGE, MEDIUM, SMALL, WIDE

if TYPE_CHECKING:
    from ui.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class Command:
    """One thing to do: the key of its name (``command.…``), its keys ("" for none), what it does."""

    name: str
    keys: str
    do: Callable[[], object]
    also: tuple[str, ...] = ()


def commands_of(window: MainWindow) -> list[Command]:
    """Everything the window can be told to do."""
    desk, chat = window.desk, window.chat
    panels = [
        Command(f"panel_{name}", f"Ctrl+{number}", partial(window.show_panel, name))
        for number, name in enumerate(("map", "memory", "changes", "files", "report", "source"), 1)
    ]
    return [
        Command("palette", "Ctrl+K", window.show_palette),
        Command("shortcuts", "?", window.show_shortcuts, ("F1",)),
        Command("write", "Ctrl+L", window.write),
        Command("search", "Ctrl+F", window.seek, ("Ctrl+Shift+F",)),
        Command("next_pane", "F6", partial(window.next_pane, 1)),
        Command("pane_before", "Shift+F6", partial(window.next_pane, -1)),
        Command("stop", "Esc", chat.stop),
        Command("again", "Ctrl+R", partial(_again, window)),
        Command("copy", "Ctrl+Shift+C", partial(_copy, window)),
        Command("quiz", "Ctrl+D", lambda: desk.asked.emit(desk.t("memory.quiz"))),
        Command("files", "Ctrl+O", window.choose_files),
        Command("pause", "Ctrl+Shift+P", window.pause_reading),
        Command("export", "Ctrl+E", window.export_conversation),
        Command("subject", "Ctrl+Shift+N", window.subjects.add),
        *panels,
        Command("larger", "Ctrl++", partial(window.size_wanted.emit, 1), ("Ctrl+=",)),
        Command("smaller", "Ctrl+-", partial(window.size_wanted.emit, -1)),
        Command("usual", "Ctrl+0", partial(window.size_wanted.emit, 0)),
        Command("settings", "Ctrl+,", window.settings_wanted.emit),
        Command("quit", "Ctrl+Q", window.close),
    ]


def bind(window: MainWindow, commands: list[Command]) -> None:
    """Let the keys of the commands do what they name, anywhere in the window."""
    for command in commands:
        for keys in (command.keys, *command.also):
            if keys:
                QShortcut(QKeySequence(keys), window).activated.connect(command.do)


def keys_shown(keys: str) -> str:
    """Keys as this system writes them."""
    return isolated(QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText))


class ShortcutsDialog(QDialog):
    """The list of all shortcuts."""

    def __init__(self, desk: Desk, commands: list[Command], parent: QWidget) -> None:
        super().__init__(parent)
        t, theme = desk.t, desk.theme
        self.setWindowTitle(t("command.shortcuts"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(WIDE)
        grid.setVerticalSpacing(SMALL)
        for line, command in enumerate(command for command in commands if command.keys):
            grid.addWidget(label(t(f"command.{command.name}")), line, 0)
            keys = label(keys_shown(command.keys), "badge", wrap=False)
            holder = QWidget()
            holder.setLayout(row(keys, None))
            grid.addWidget(holder, line, 1)
        grid.setColumnStretch(0, 1)
        inside = Scroll(margins=LARGE, spacing=MEDIUM)
        inside.fill(grid)
        foot = row(None, button(t("action.close"), self.accept, "primary"))
        foot.setContentsMargins(LARGE, MEDIUM, LARGE, LARGE)
        self.setLayout(column(inside, foot, spacing=0))
        room = parent.screen().availableGeometry()
        self.resize(min(theme.px(460), room.width()), min(theme.px(620), room.height()))


def _last_answer(window: MainWindow) -> AnswerCard | None:
    cards = [card for card in window.chat.timeline.shown if isinstance(card, AnswerCard) and card.raw]
    return cards[-1] if cards else None


def _copy(window: MainWindow) -> None:
    card = _last_answer(window)
    if card is not None:
        QGuiApplication.clipboard().setText(card.raw)


def _again(window: MainWindow) -> None:
    card = _last_answer(window)
    if card is not None and card.again is not None:
        card.again()
