"""Opening: the few ways in which a database file is made, looked at and opened, and what is the same for all."""

from __future__ import annotations

import os
import time
from pathlib import Path
from urllib.parse import quote

import apsw
import sqlite_vec

from memory.faults import unwritten

APPLICATION_ID = 0x52455449  # "RETI"
_LOOKS_A_SECOND = 200
_PATIENCE_SECONDS = 30


def wait_for_others(connection: apsw.Connection) -> None:
    """Let a connection wait for what another process writes: half a minute, and looking every few milliseconds.

    SQLite's own waiting looks ten times a second, and is overtaken again and again by a process that writes one
    transaction after the other (an import).
    """

    def wait(looks: int) -> bool:
        time.sleep(1 / _LOOKS_A_SECOND)
        return looks < _PATIENCE_SECONDS * _LOOKS_A_SECOND

    connection.set_busy_handler(wait)


def opened_to_look(path: Path) -> apsw.Connection:
    """A connection that changes nothing: where no log lies beside the file, not even a lock is taken."""
    log = path.with_name(path.name + "-wal")
    alone = not log.exists() or log.stat().st_size == 0
    source = f"file:{quote(str(path.absolute()))}?mode=ro" + ("&immutable=1" if alone else "")
    connection = apsw.Connection(source, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    wait_for_others(connection)
    return connection


def only_to_read(path: Path) -> bool:
    """Whether a file is there and neither it nor what SQLite keeps beside it can be written."""
    return path.is_file() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def create_private(path: Path) -> None:
    """Create the file readable by its owner only; SQLite gives -wal and -shm the same mode."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise unwritten(path, error) from error


def sqlite_vec_into(connection: apsw.Connection) -> None:
    """Load sqlite-vec, then shut the door to any other extension."""
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)


def reach_disk(path: Path) -> None:
    """Wait until a file and its name are on the disk. Raises OSError."""
    for target in (path, path.parent):
        descriptor = os.open(target, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
