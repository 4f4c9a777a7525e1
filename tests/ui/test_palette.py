"""The palette and the keys: everything can be done and found without a mouse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from memory.episodes import Content, Draft, EpisodeId, Kind, Origin
from ui.commands import ShortcutsDialog
from ui.palette import Palette
from ui.photographs import settle

pytestmark = pytest.mark.slow

Open = Callable[..., Any]


def opened_palette(opened: Any) -> Palette:
    opened.window.show_palette()
    settle(opened.lanes)
    return next(iter(opened.window.findChildren(Palette)))


def test_typing_finds_a_command_and_enter_does_it(qtbot: QtBot, open_window: Open, house: Any) -> None:
    house.add_subject()
    opened = open_window()
    palette = opened_palette(opened)
    qtbot.keyClicks(palette.field, "show repo")
    assert palette.choices == ["Show the report"]
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert opened.window.tabs.currentWidget() is opened.window.report


def test_typing_finds_what_was_said_and_taught_and_enter_opens_it(qtbot: QtBot, open_window: Open, house: Any) -> None:
    subject, now = house.add_subject(), house.clock.now()
    for kind, text in ((Kind.QUESTION, "What is plasmolysis?"), (Kind.TAUGHT, "plasmolysis is on the exam")):
        house.memory.ledger.append(
            Draft(EpisodeId(house.ids()), subject.id, kind, Origin.TYPED, now, now.at, Content(text))
        )
    opened = open_window()
    palette = opened_palette(opened)
    qtbot.keyClicks(palette.field, "plasmolysis")
    qtbot.waitUntil(lambda: len(palette.choices) == 2, timeout=5000)
    assert sorted(palette.choices) == ["What is plasmolysis?", "plasmolysis is on the exam"]
    with qtbot.waitSignal(opened.desk.episode_asked):
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert opened.window.tabs.currentWidget() is opened.window.source


def test_the_arrows_choose_while_words_are_typed(qtbot: QtBot, open_window: Open, house: Any) -> None:
    opened = open_window()
    palette = opened_palette(opened)
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    assert palette.list.currentIndex().row() == 1
    palette.reject()


@pytest.mark.parametrize("language", ["en", "fr", "es", "ar"])
def test_every_command_has_words_and_its_keys_are_listed(open_window: Open, language: str) -> None:
    opened = open_window(language)
    dialog = ShortcutsDialog(opened.desk, opened.window.commands, opened.window)
    said = [child.text() for child in dialog.findChildren(QLabel)]
    assert len(said) == 2 * len(opened.window.commands)
    assert all(said)
    keys = [key for command in opened.window.commands for key in (command.keys, *command.also)]
    assert len(set(keys)) == len(keys)


def test_panes_panels_and_the_composer_are_reached_by_keys(qtbot: QtBot, open_window: Open, house: Any) -> None:
    house.add_subject()
    opened = open_window()
    window = opened.window
    with qtbot.waitActive(window):
        window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.tabs.currentWidget() is window.memory
    window.chat.composer.field.setFocus()
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_F6)
    assert QApplication.focusWidget() is window.tabs.tabBar()
    qtbot.keyClick(window.tabs.tabBar(), Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert QApplication.focusWidget() is window.chat.composer.field
    qtbot.keyClicks(window.chat.composer.field, "why?")
    assert window.chat.composer.field.toPlainText() == "why?"
