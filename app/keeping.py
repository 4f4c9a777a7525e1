"""Keeping the record safe: copies, what a copy holds, adding it, putting it in place; logs out and in.

The command line and the window both do these by name; neither decides anything about them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from app.clock import Clock
from app.folders import Folders
from app.ids import Ids
from memory.chat_exports import NotAChatExport, read_chat_export
from memory.comparing import SubjectDifference, compare, opened_copy
from memory.exchange import Imported
from memory.exchange import export as export_lines
from memory.faults import Damaged, unwritten
from memory.joining import Joined, join
from memory.memory import Memory
from memory.store import Store
from memory.subjects import Subject
from memory.swapping import Swap
from memory.verification import Verification


class Keeper(Protocol):
    """The parts of a house that keeping needs."""

    @property
    def memory(self) -> Memory: ...
    @property
    def folders(self) -> Folders: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def ids(self) -> Ids: ...


@dataclass(frozen=True, slots=True)
class Looked:
    """What another copy of the record holds beside this one; ``fault``: the first thing in it that does not hold."""

    path: Path
    fault: str | None
    subjects: tuple[SubjectDifference, ...]

    @property
    def episodes(self) -> int:
        """How many episodes it holds."""
        return sum(each.there for each in self.subjects)


def look_into(house: Keeper, path: Path) -> Looked:
    """Open a copy of another record, verify it and compare it; nothing is changed. Raises the faults of the store."""
    with opened_copy(path, house.folders.data) as other:
        fault = _fault(other)
        return Looked(path, fault, tuple(compare(house.memory.store, other)))


def merge(house: Keeper, path: Path) -> tuple[Looked, Joined]:
    """Add what another record holds, after a backup of this one. Raises Damaged when the other does not verify."""
    with opened_copy(path, house.folders.data) as other:
        fault = _fault(other)
        if fault is not None:
            raise Damaged(path, fault)
        house.memory.backups.make(house.clock.now())
        found = tuple(compare(house.memory.store, other))
        return Looked(path, None, found), join(house.memory, other, house.ids, house.clock.now())


def export_to(house: Keeper, path: Path, subjects: Sequence[Subject]) -> int:
    """Write every episode of some subjects to an event log; how many. Raises the store's faults."""
    part = path.with_name(path.name + ".part")
    episodes = 0
    try:
        with part.open("w", encoding="utf-8") as file:
            part.chmod(0o600)
            for line in export_lines(house.memory.store, subjects):
                file.write(line + "\n")
                episodes += not line.startswith('{"belief"')
        part.replace(path)
    except OSError as error:
        raise unwritten(path, error) from error
    finally:
        with suppress(OSError):
            part.unlink()
    return episodes


def import_from(house: Keeper, path: Path, subject: Subject, language: str) -> Imported:
    """Read an event log, or the conversations of a ChatGPT export, into a subject.

    Raises NotText for what is no UTF-8 text.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotText(path) from error
    chats = None
    if _is_a_list(text):
        try:
            chats = read_chat_export(text)
        except NotAChatExport:
            chats = None
    lines = chats.lines if chats is not None else text.removesuffix("\n").split("\n")
    done = house.memory.importer.run(lines, default=subject, now=house.clock.now(), language=language)
    done.errors += chats.errors if chats is not None else ()
    return done


def can_undo(house: Keeper) -> bool:
    """Whether a record was put aside by a replacement, and can be brought back."""
    return swap_of(house.folders).undoable


def swap_of(folders: Folders) -> Swap:
    """What exchanges the record of a folder; the house over it must be closed."""
    return Swap(folders.database, folders.backups, folders.checkpoints)


def elsewhere(house: Keeper, path: Path) -> Path:
    """Where a copy goes, links followed. Raises OwnFile, NotAFile (a device, a folder) or NoFolder."""
    folders = house.folders
    database = folders.database.resolve()
    own = {database.with_name(database.name + end) for end in ("", "-wal", "-shm", "-journal")}
    own |= {folders.checkpoints.resolve(), folders.settings.resolve()}
    if path.resolve() in own or (path.exists() and path.samefile(database)):
        raise OwnFile(path)
    if path.exists() and not path.is_file():
        raise NotAFile(path)
    path = path.resolve()
    if not path.parent.is_dir():
        raise NoFolder(path.parent)
    return path


class OwnFile(ValueError):
    """A copy was to be written over a file of the record itself."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class NotAFile(ValueError):
    """A copy was to be written where no file can be."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class NoFolder(NotAFile):
    """A copy was to be written into a folder that is not there."""


class NotText(ValueError):
    """A file that should be text and is not."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


def _is_a_list(text: str) -> bool:
    """Whether a text is one JSON list: an event log has an object a line."""
    try:
        return text.lstrip("\ufeff \n\r\t").startswith("[") and isinstance(json.loads(text.lstrip("\ufeff")), list)
    except ValueError:
        return False


def _fault(other: Store) -> str | None:
    """The first thing that does not hold in another record."""
    verification = Verification(other)
    broken = [f"{state.name}: {state.first_break}" for state in verification.chains() if not state.ok]
    return next(iter(broken + verification.database()), None)
