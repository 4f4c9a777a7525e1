"""A file on its way: it grows under another name, with a note of what is certain, and gets its own when it is right."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO

from app.models.catalogue import ModelFile
from app.models.fetch_faults import SourceFailed, WrongHash

BLOCK = 1 << 20
"""Bytes read or written at once."""


class Partial:
    """`NAME.part` and the note of how much of it is certain: bytes flushed to disk, whole parts."""

    def __init__(self, target: Path, source: str) -> None:
        self._target = target
        self._path = target.with_name(target.name + ".part")
        self._note = target.with_name(target.name + ".part.json")
        self._source = source
        self.size = 0
        self.parts = 0

    def open(self) -> None:
        """Goes on from what is certain; from nothing when it came from another source."""
        try:
            note = json.loads(self._note.read_text("utf-8"))
            size, parts = int(note["size"]), int(note["parts"])
            usable = note["source"] == self._source and self._path.stat().st_size >= size
        except (OSError, ValueError, KeyError, TypeError):
            usable = False
        if not usable:
            self.restart()
            return
        os.truncate(self._path, size)
        self.size, self.parts = size, parts

    def restart(self) -> None:
        """Begins again with an empty file."""
        with os.fdopen(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb"):
            self.size = self.parts = 0
        self.note(0)

    def append(
        self, content: IO[bytes], *, limit: int | None = None, on_size: Callable[[int], None] | None = None
    ) -> None:
        """Adds everything in `content`.

        With `on_size`, which hears the size as it grows and may raise, what arrived is certain whenever this stops;
        without it, only once `note` says so. Raises SourceFailed.
        """
        with open(self._path, "ab") as file:
            try:
                while block := content.read(BLOCK):
                    if limit is not None and self.size + len(block) > limit:
                        raise SourceFailed(self._source, "larger than the model")
                    file.write(block)
                    self.size += len(block)
                    if on_size is not None:
                        on_size(self.size)
                file.flush()
                os.fsync(file.fileno())
            except OSError as error:
                raise SourceFailed(self._source, str(error)) from error
            finally:
                file.flush()
                if on_size is not None:
                    self.note(self.parts)

    def note(self, parts: int) -> None:
        """Writes down, atomically, that the bytes so far and `parts` whole parts are certain."""
        self.parts = parts
        replace_text(self._note, json.dumps({"source": self._source, "size": self.size, "parts": parts}))

    def finish(self, file: ModelFile) -> None:
        """Checks the whole file and gives it its name. Raises WrongHash, and then nothing is left of it."""
        found = sha256_of(self._path)
        if found != file.sha256:
            self._path.unlink(missing_ok=True)
            self._note.unlink(missing_ok=True)
            raise WrongHash(file.name, file.sha256, found)
        os.replace(self._path, self._target)
        self._note.unlink(missing_ok=True)


def replace_text(path: Path, text: str) -> None:
    """Gives a small file a new content at once, readable by its owner only. Raises OSError."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def is_whole(path: Path, file: ModelFile) -> bool:
    """Whether the file is there with the right size (its hash was checked when it got its name)."""
    try:
        return path.stat().st_size == file.size
    except OSError:
        return False


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
