"""Expected faults of the store: each carries its data; whoever shows it finds the words."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw


class StoreFault(Exception):
    """Something outside the program's control happened to the student's file. ``path`` says which."""

    code = "store"

    def __init__(self, path: Path, detail: str = "") -> None:
        super().__init__(f"{self.code}: {path} {detail}".rstrip())
        self.path = path
        self.detail = detail


class NewerDatabase(StoreFault):
    """The file was written by a newer Retiens; opening it with this one could lose something."""

    code = "newer_database"


class NotOurDatabase(StoreFault):
    """The file is a SQLite database of another program, or no database at all."""

    code = "not_our_database"


class Unwritable(StoreFault):
    """The file or its folder cannot be written."""

    code = "unwritable"


class DiskFull(StoreFault):
    """No room is left; nothing of the attempted write was kept."""

    code = "disk_full"


def unwritten(path: Path, error: OSError) -> StoreFault:
    """The fault that an error of the operating system amounts to, when a file could not be written."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return (DiskFull if full else Unwritable)(path, error.strerror or "")


class Damaged(StoreFault):
    """SQLite reports that the file is malformed."""

    code = "damaged"


class Busy(StoreFault):
    """Another process has held the file for longer than the waiting time."""

    code = "busy"


class OldLibrary(StoreFault):
    """The SQLite library is older than the first one without the known corruption holes."""

    code = "old_library"


class UnknownSubject(LookupError):
    """No subject of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class UnknownEpisode(LookupError):
    """No episode of that id, or not of the kind that was asked for."""

    def __init__(self, episode: str) -> None:
        super().__init__(episode)
        self.episode = episode


@contextmanager
def named_faults(path: Path) -> Iterator[None]:
    """Turn SQLite's expected failures into the family above; bugs pass through untouched."""
    try:
        yield
    except apsw.FullError as error:
        raise DiskFull(path, str(error)) from error
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError) as error:
        raise Unwritable(path, str(error)) from error
    except apsw.NotADBError as error:
        raise NotOurDatabase(path, str(error)) from error
    except apsw.CorruptError as error:
        raise Damaged(path, str(error)) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise Busy(path, str(error)) from error
    except apsw.IOError as error:
        raise (DiskFull if _no_room(path) else Unwritable)(path, str(error)) from error


def _no_room(path: Path) -> bool:
    try:
        room = os.statvfs(path.parent)
    except (OSError, AttributeError):
        return False
    return room.f_bavail * room.f_frsize < 1_000_000
