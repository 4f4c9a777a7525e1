"""Putting a backup in the place of the record in use, and taking it back.

The record is closed while this happens. The backup is copied beside it and verified, the record in use is kept in the
backups folder, and one rename puts the copy in place: whenever the machine stops, there is one whole record.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import apsw

from memory.backup import back_up, inspect
from memory.checkpoints import CheckpointLog
from memory.comparing import copy_of, remove
from memory.faults import Busy, Damaged, NotOurDatabase, StoreFault, named_faults, unwritten
from memory.store import Store
from memory.verification import Verification

_ASIDE = "before-restore-"
_UNDONE = "before-undo-"
_LOG = ".checkpoints"
_STAMP = "%Y%m%d-%H%M%S-%f"


class NothingToUndo(LookupError):
    """No earlier record was put aside by a replacement."""


@dataclass(frozen=True, slots=True)
class Swapped:
    """What was put in place, how many episodes it holds, and where the record it replaced is kept."""

    path: Path
    episodes: int
    aside: Path


class Swap:
    """Exchanges the record of one data folder for another. Nobody may have it open, this program included."""

    def __init__(self, database: Path, backups: Path, checkpoints: Path) -> None:
        self._database = database
        self._backups = backups
        self._checkpoints = checkpoints

    def replace(self, path: Path, now: datetime) -> Swapped:
        """Put a copy of ``path`` in place. Checkpoints that it cannot hold are kept with the record they speak of.

        Raises the faults of the store: Damaged before anything changed, Busy when the record is open elsewhere.
        """
        fresh = self._database.with_name(self._database.name + ".fresh")
        try:
            copy_of(path, fresh)
            episodes = _verified(fresh, path)
            return self._put(fresh, episodes, self._name(_ASIDE, now))
        finally:
            remove(fresh)

    @property
    def undoable(self) -> bool:
        """Whether a replacement put a record aside."""
        return any(self._backups.glob(f"{_ASIDE}*.db"))

    def undo(self, now: datetime) -> Swapped:
        """Bring back what the last replacement put aside. Raises NothingToUndo and the faults of the store."""
        kept = sorted(self._backups.glob(f"{_ASIDE}*.db"))
        if not kept:
            raise NothingToUndo
        last = kept[-1]
        fresh = self._database.with_name(self._database.name + ".fresh")
        try:
            copy_of(last, fresh)
            episodes = _verified(fresh, last)
            noted = _log_of(last)
            swapped = self._put(fresh, episodes, self._name(_UNDONE, now))
            if noted.exists():
                os.replace(noted, self._checkpoints)
            remove(last)
            return swapped
        finally:
            remove(fresh)

    def _name(self, beginning: str, now: datetime) -> Path:
        """A name after those of all records put aside: names sort by order, also when the clock was set back."""
        when = now.replace(tzinfo=None)
        for path in self._backups.glob(f"{beginning}*.db"):
            with suppress(ValueError):
                earlier = datetime.strptime(path.name, f"{beginning}{_STAMP}.db")
                when = max(when, earlier + timedelta(microseconds=1))
        return self._backups / f"{beginning}{when.strftime(_STAMP)}.db"

    def _put(self, fresh: Path, episodes: int, aside: Path) -> Swapped:
        try:
            self._backups.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._set_aside(aside)
            self._divide_log(fresh, aside)
            os.replace(fresh, self._database)
        except OSError as error:
            raise unwritten(self._database, error) from error
        return Swapped(self._database, episodes, aside)

    def _set_aside(self, aside: Path) -> None:
        """Keep the record in use: a verified copy; a record too damaged to be copied is moved as it lies."""
        if not self._database.exists():
            return
        try:
            store = Store(self._database, room=0)
            try:
                back_up(store, aside)
            finally:
                store.close()
            _leave_alone(self._database)
        except (Damaged, NotOurDatabase):
            remove(aside)
            for ending in ("-wal", "-shm", ""):
                lying = self._database.with_name(self._database.name + ending)
                if lying.exists():
                    os.replace(lying, aside.with_name(aside.name + ending))
        except StoreFault:
            remove(aside)
            raise

    def _divide_log(self, fresh: Path, aside: Path) -> None:
        """Keep the whole log of checkpoints with the record put aside; what still holds stays in use."""
        log = CheckpointLog(self._checkpoints)
        if not log.path.exists():
            return
        store = Store(fresh, room=0)
        try:
            states = Verification(store).checkpoints(log.all())
        finally:
            store.close()
        os.replace(log.path, _log_of(aside))
        for state in states:
            if state.result == "holds":
                log.write(state.checkpoint)


def _verified(copy: Path, path: Path) -> int:
    """The episodes of a copy that verifies. Raises Damaged, naming the file it was made from."""
    try:
        return sum(state.episodes for state in inspect(copy))
    except Damaged as error:
        raise Damaged(path, error.detail) from error


def _leave_alone(database: Path) -> None:
    """Fold the log into the file for good; fails when another program has the record open. Raises Busy."""
    with named_faults(database):
        connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            if connection.pragma("journal_mode", "delete") != "delete":
                raise Busy(database)
        finally:
            connection.close()


def _log_of(aside: Path) -> Path:
    return aside.with_name(aside.name + _LOG)
