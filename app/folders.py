"""Folders: where everything of a student lies, created readable by its owner only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs

from memory.faults import unwritten

_SYNCED = ("onedrive", "dropbox", "google drive", "googledrive", "icloud", "nextcloud", "mobile documents")


class SyncedFolder(ValueError):
    """The folder lies under a sync client, whose races with the database have destroyed others' data."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


@dataclass(frozen=True, slots=True)
class Folders:
    """The places of one student's data."""

    data: Path
    models: Path

    @property
    def database(self) -> Path:
        """The one file that matters."""
        return self.data / "memory.db"

    @property
    def backups(self) -> Path:
        """Rotating backups."""
        return self.data / "backups"

    @property
    def checkpoints(self) -> Path:
        """Noted heads, beside the database."""
        return self.data / "checkpoints.log"

    @property
    def settings(self) -> Path:
        """What the student set."""
        return self.data / "settings.json"


def default_data() -> Path:
    """The platform's user data folder for Retiens."""
    return Path(platformdirs.user_data_dir("retiens", appauthor=False))


def open_folders(data: Path | None = None, *, allow_synced: bool = False) -> Folders:
    """The student's folders, made where missing. Models are shared between data folders.

    Raises SyncedFolder (unless allowed) and Unwritable.
    """
    chosen = (data or default_data()).expanduser().absolute()
    if not allow_synced and any(mark in part.casefold() for part in chosen.parts for mark in _SYNCED):
        raise SyncedFolder(chosen)
    folders = Folders(chosen, default_data() / "models")
    try:
        chosen.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise unwritten(chosen, error) from error
    return folders
