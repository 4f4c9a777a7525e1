"""Pictures of the real window, panel by panel: for the demo, for the documents, for whoever checks how it looks."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app.lanes import Lanes
from memory.episodes import Kind
from ui.main_window import PANELS, MainWindow
from ui.settings import SettingsDialog
from ui.source.answer_sources import read_sources

WIDE_ENOUGH = (1320, 820)
"""Pixels of a picture at 100 %: all three panes are in it, whatever the screen."""
PATIENCE = 20.0
"""Seconds to wait for a panel to be filled."""


def photograph(window: MainWindow, lanes: Lanes, folder: Path, name: str) -> list[Path]:
    """One picture of each panel with the chat beside it, of the pages of the memory, and of the settings."""
    taken: list[Path] = []

    def take(what: str) -> None:
        settle(lanes)
        path = folder / f"{what}-{name}.png"
        window.grab().save(str(path))
        taken.append(path)

    theme = window.desk.theme
    window.resize(theme.px(WIDE_ENOUGH[0]), theme.px(WIDE_ENOUGH[1]))
    settle(lanes)
    _choose_something(window)
    for panel in PANELS:
        window.show_panel(panel)
        if panel == "map":
            settle(lanes)
            if window.map.view.concepts:
                window.map.view.choose(window.map.view.concepts[0])
                settle(lanes)
            window.map.view.fit()
        take(panel)
    window.show_panel("memory")
    for number, page in enumerate(("beliefs", "notes", "timeline", "record")):
        window.memory.tabs.setCurrentIndex(number)
        if number:
            take(f"memory-{page}")
    dialog = SettingsDialog(window.desk, window)
    dialog.show()
    settle(lanes)
    path = folder / f"settings-{name}.png"
    dialog.grab().save(str(path))
    dialog.close()
    return [*taken, path]


def settle(lanes: Lanes) -> None:
    """Let the reads that were asked for come back and be shown."""
    for _ in range(3):
        loop, done = QEventLoop(), list[bool]()
        lanes.reads.run(lambda: True, done.append)
        until = time.monotonic() + PATIENCE
        while not done and time.monotonic() < until:
            QTimer.singleShot(10, loop.quit)
            loop.exec()
        QApplication.processEvents()


def _choose_something(window: MainWindow) -> None:
    """Choose a claim of the newest answer that rests on something, so that the source panel has what to show."""
    memory, subject = window.desk.house.memory, window.desk.subject_id
    if subject is None:
        return
    for episode in memory.ledger.find(subject, kinds=(Kind.ANSWER,), newest_first=True, limit=30):
        sources = read_sources(memory, episode.id)
        if sources is not None and sources.supported:
            number = next(at for at, claim in enumerate(sources.claims) if claim.places)
            window.desk.source_asked.emit(sources, number)
            return
    for file in memory.files.all(subject):
        passages = memory.passages.for_version(file.version.id) if file.version else []
        if passages:
            window.desk.passage_asked.emit(passages[len(passages) // 2].id)
            return
    found = memory.ledger.find(subject, kinds=(Kind.CHECK,), newest_first=True, limit=1)
    if found:
        window.desk.episode_asked.emit(found[0].id)
