"""One window for each data folder, and what is said before there is a window."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtNetwork import QLocalServer
from pytestqt.qtbot import QtBot

from app.folders import SyncedFolder, open_folders
from app.wiring import open_memory
from memory.faults import Damaged
from ui.faults import told
from ui.messages import Messages
from ui.photographs import settle
from ui.single import Answer, Single, hand_over, name_of
from ui.starting import synced_box
from ui.window import Exchange, exchanged

SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from ui.single import hand_over
application = QCoreApplication([])
print(hand_over(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]).name)
"""


def second_start(data: Path, *files: Path) -> subprocess.Popen[str]:
    call = [sys.executable, "-c", SECOND, str(data), *map(str, files)]
    root = Path(__file__).parents[2]
    return subprocess.Popen(call, stdout=subprocess.PIPE, text=True, cwd=root)


@pytest.mark.slow
def test_a_second_start_hands_its_files_to_the_first_window(
    qtbot: QtBot, open_window: Callable[..., Any], house: Any, tmp_path: Path
) -> None:
    house.add_subject()
    opened = open_window()
    path = tmp_path / "cells.md"
    path.write_text("# Cells")
    single = Single(tmp_path)
    single.called.connect(opened.come_forward)
    with qtbot.waitSignal(opened.window.reading.ended, timeout=20_000):
        second = second_start(tmp_path, path)
    assert second.communicate(timeout=20)[0].strip() == "TAKEN"
    assert house.reader.read_paths == [path]
    single.close()


@pytest.mark.slow
def test_a_window_that_does_not_answer_is_told_apart_from_none(qapp: Any, tmp_path: Path) -> None:
    assert hand_over(tmp_path, [], 200) is Answer.NOBODY
    server = QLocalServer()
    assert server.listen(name_of(tmp_path))
    assert hand_over(tmp_path, [], 200) is Answer.SILENT
    server.close()


def test_each_folder_has_its_own_window(qapp: Any, tmp_path: Path) -> None:
    assert name_of(tmp_path) != name_of(tmp_path / "other")
    assert name_of(tmp_path) == name_of(tmp_path / "other" / "..")


@pytest.mark.parametrize("language", ["en", "fr", "es", "ar"])
def test_a_synced_folder_is_named_and_another_can_be_chosen(qapp: Any, tmp_path: Path, language: str) -> None:
    with pytest.raises(SyncedFolder) as refused:
        open_folders(tmp_path / "Dropbox" / "retiens")
    box = synced_box(Messages(language), refused.value.path)
    assert "Dropbox" in box.text()
    assert box.defaultButton().objectName() == "elsewhere"
    assert {made.objectName() for made in box.buttons()} == {"elsewhere", "anyway", "leave"}


def test_the_record_is_exchanged_for_a_backup_and_brought_back(house: Any, tmp_path: Path) -> None:
    memory, now = house.memory, house.clock.now()
    house.add_subject("Before")
    made = memory.backups.make(now)
    house.add_subject("After")
    memory.store.close()
    assert exchanged(house.folders, Exchange(made.path), now.local) is None
    assert names(house) == ["Before"]
    assert exchanged(house.folders, Exchange(None), now.local) is None
    assert sorted(names(house)) == ["After", "Before"]
    broken = tmp_path / "broken.db"
    broken.write_bytes(made.path.read_bytes()[: 3 * 4096])
    fault = exchanged(house.folders, Exchange(broken), now.local)
    assert isinstance(fault, Damaged)
    assert "broken.db" in told(fault, Messages("en")).words
    assert sorted(names(house)) == ["After", "Before"]
    house.memory = open_memory(house.folders, house.clock, house.ids)


def names(house: Any) -> list[str]:
    memory = open_memory(house.folders, house.clock, house.ids)
    try:
        return [subject.name for subject in memory.subjects.all()]
    finally:
        memory.store.close()


@pytest.mark.slow
def test_asking_for_a_restore_leaves_the_window_and_says_what_is_wanted(
    qtbot: QtBot, open_window: Callable[..., Any], house: Any
) -> None:
    opened = open_window()
    settle(opened.lanes)
    opened.desk.restore_asked.emit(Path("copy.db"))
    assert opened.exchange == Exchange(Path("copy.db"))
    assert not opened.window.isVisible()
