"""Copies and logs through the window: made, looked into, added, written and read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from memory.episodes import Content, Draft, EpisodeId, Kind, Origin
from ui.memory.restore import RestoreDialog
from ui.photographs import settle

pytestmark = pytest.mark.slow


def write(house: Any, subject: Any, text: str) -> None:
    now = house.clock.now()
    draft = Draft(EpisodeId(house.ids()), subject.id, Kind.QUESTION, Origin.TYPED, now, now.at, Content(text))
    house.memory.ledger.append(draft)


@pytest.fixture
def page(qtbot: QtBot, open_window: Callable[..., Any], house: Any) -> Any:
    write(house, house.add_subject(), "What is osmosis?")
    opened, done = open_window(), list[bool]()
    opened.lanes.writes.run(lambda: True, done.append)  # the night that was missed is over
    qtbot.waitUntil(lambda: bool(done), timeout=10_000)
    opened.window.show_panel("memory")
    opened.window.memory.tabs.setCurrentIndex(3)
    settle(opened.lanes)
    return opened.window.memory.record


def said(qtbot: QtBot, page: Any, words: str) -> None:
    qtbot.waitUntil(lambda: words in page.copies.said.text(), timeout=10_000)


def test_a_backup_is_made_and_a_look_into_it_shows_both_sides_before_anything_is_added(
    qtbot: QtBot, page: Any, house: Any
) -> None:
    page.copies.buttons["now"].click()
    said(qtbot, page, "1 entry, verified")
    (made,) = house.memory.backups.all()
    write(house, house.memory.subjects.all()[0], "What is diffusion?")
    page.copies.look_into(made)
    qtbot.waitUntil(lambda: bool(page.copies.findChildren(RestoreDialog)), timeout=10_000)
    (dialog,) = page.copies.findChildren(RestoreDialog)
    words = [child.text() for child in dialog.findChildren(QLabel)]
    assert "The record here goes further: adding changes nothing." in words
    assert {"Biology", "2", "1"} <= set(words)
    dialog.merge.click()
    said(qtbot, page, "0 entries added, 1 were there already")
    assert len(house.memory.backups.all()) >= 1


def test_a_log_is_written_and_read_into_another_subject(
    qtbot: QtBot, page: Any, house: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.jsonl"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(target), ""))
    page.copies.buttons["export"].click()
    said(qtbot, page, "1 entry written to out.jsonl")
    assert "What is osmosis?" in target.read_text("utf-8")
    page.copies.import_from(target)
    said(qtbot, page, "0 entries added, 1 were there already")
    other = tmp_path / "other.jsonl"
    other.write_text('{"at": "2026-10-01T10:00:00+02:00", "kind": "question", "text": "What is a cell?"}\nnot one\n')
    page.copies.import_from(other)
    said(qtbot, page, "1 entry added, 0 were there already, 1 not understood")


def test_a_copy_over_the_record_itself_is_refused_in_words(
    qtbot: QtBot, page: Any, house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = house.folders.database
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(own), ""))
    before = own.read_bytes()
    page.copies.buttons["to"].click()
    said(qtbot, page, "part of the record itself")
    assert own.read_bytes() == before


def test_recomputing_everything_looks_at_the_database_and_the_checkpoints_too(
    qtbot: QtBot, page: Any, house: Any
) -> None:
    page.look(whole=True)
    qtbot.waitUntil(
        lambda: any("all as they should be" in child.text() for child in page.findChildren(QLabel)), timeout=10_000
    )
