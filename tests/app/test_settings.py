from __future__ import annotations

from pathlib import Path

import pytest

from app.folders import SyncedFolder, open_folders
from app.settings import Settings
from memory.faults import Unwritable


def test_only_what_was_set_is_written(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    Settings(path).change(language="fr")
    assert path.read_text() == '{\n  "language": "fr"\n}'
    assert Settings(path).get().language == "fr"
    assert (path.stat().st_mode & 0o777) == 0o600


@pytest.mark.parametrize("broken", ["", "[]", "{", '{"text_size": "big", "theme": 3, "unknown": 1}'])
def test_a_broken_file_counts_as_not_set(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(broken)
    assert Settings(path).get() == Settings(tmp_path / "none").get()


def test_a_folder_under_a_sync_client_is_refused_unless_allowed(tmp_path: Path) -> None:
    synced = tmp_path / "OneDrive - School" / "retiens"
    with pytest.raises(SyncedFolder):
        open_folders(synced)
    assert open_folders(synced, allow_synced=True).data == synced
    assert (synced.stat().st_mode & 0o777) == 0o700


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unwritable):
        open_folders(tmp_path / "file" / "data")
