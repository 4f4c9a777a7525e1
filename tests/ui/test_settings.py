"""Settings apply at once, and to the whole window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from ui.photographs import settle
from ui.settings import SettingsDialog
from ui.window import Look, Opened

pytestmark = pytest.mark.slow


def test_another_language_and_theme_dress_the_window_anew_with_the_subject_in_hand(qapp: Any, house: Any) -> None:
    house.add_subject("Biology")
    house.settings.change(language="fr")
    opened = Opened(house, qapp)
    opened.start()
    settle(opened.lanes)
    assert opened.window.tabs.tabText(0) == "Carte"
    house.settings.change(language="ar", theme="dark", text_size=150)
    opened.dress()
    settle(opened.lanes)
    assert opened.window.tabs.tabText(0) == "الخريطة"
    assert opened.window.layoutDirection() is Qt.LayoutDirection.RightToLeft
    assert opened.desk.theme.colours.name == "dark"
    assert opened.desk.theme.scale == 1.5
    assert opened.desk.subject is not None
    assert opened.desk.subject.name == "Biology"
    opened.close()
    opened.window.close()


def test_the_dialog_shows_the_models_and_keeps_what_is_chosen(
    qtbot: QtBot, open_window: Callable[..., Any], house: Any
) -> None:
    opened = open_window()
    dialog = SettingsDialog(opened.desk, opened.window)
    settle(opened.lanes)
    assert "small" in [child.text() for child in dialog.findChildren(QLabel)]
    with qtbot.waitSignal(dialog.look_changed):
        dialog.colours.setCurrentIndex(dialog.colours.findData("dark"))
    dialog.night.setCurrentIndex(dialog.night.findData(4))
    assert (house.settings.get().theme, house.settings.get().night_hour) == ("dark", 4)
    dialog.close()


def test_a_photograph_leaves_the_settings_alone(qapp: Any, house: Any) -> None:
    opened = Opened(house, qapp, None, Look("es", "dark", 100))
    assert opened.desk.t.language == "es"
    assert house.settings.get().language is None
    opened.close()
    opened.window.close()
