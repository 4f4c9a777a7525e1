"""The student's one SQLite file: opened with care, written by one connection, read by one per thread.

WAL with ``synchronous=FULL``: a commit that returned has reached the disk. The record is append-only three times
over: triggers in the schema, an insert trigger that demands the head, and an authorizer on every running connection.
Files are opened by :mod:`memory.opening` and brought to today's schema by :mod:`memory.migrating`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from memory.faults import DiskFull, OldLibrary, StoreFault, Unwritable, named_faults
from memory.migrating import is_of_today, migrate
from memory.opening import create_private, only_to_read, opened_to_look, sqlite_vec_into, wait_for_others

OLDEST_SQLITE = (3, 53, 2)  # earlier ones have a WAL-reset corruption bug and FTS5 overflows
RESERVE_BYTES = 16 * 1024 * 1024
_LENT_BYTES = 1024 * 1024
_CLOSING_MILLISECONDS = 500
_CHAINED = frozenset({"episodes"})
_OWN_CACHES = ("vec_",)  # vec0 caches come and go with the embedding model

_SETTINGS = (
    ("journal_mode", "wal"),
    ("synchronous", 2),
    ("foreign_keys", 1),
    ("recursive_triggers", 1),
    ("trusted_schema", 0),
    ("secure_delete", 1),
    ("cell_size_check", 1),
    ("mmap_size", 0),
    ("temp_store", 2),
    ("cache_size", -16_000),  # KiB
    ("journal_size_limit", 16 * 1024 * 1024),
)
_SEALED_PRAGMAS = frozenset(
    {"recursive_triggers", "writable_schema", "trusted_schema", "foreign_keys", "synchronous", "journal_mode"}
    | {"user_version", "application_id", "schema_version", "secure_delete"}
)


class Store:
    """One open database file. Threads share the writing connection under a lock; each has its own for reading."""

    def __init__(self, path: Path, *, room: int = RESERVE_BYTES, backups: Path | None = None) -> None:
        """Opens, migrates and seals the file; a file of an older schema is first copied into ``backups``.

        ``room`` is the size in bytes of the reserve for a full disk. A file that cannot be written, such as one on a
        read-only medium, is opened to be read: ``read_only``. Raises the faults of :mod:`memory.faults`.
        """
        self.path = path
        self._reserve = path.with_name(path.name + ".reserve")
        self._room = room
        self._lock = threading.RLock()
        self._local = threading.local()
        self._readers: list[apsw.Connection] = []
        self._depth = 0
        self._owed = False
        check_library(path)
        self.read_only = only_to_read(path)
        if self.read_only:
            self._writer = _to_read(path)
            return
        try:
            self._writer = _opened(path, backups)
        except DiskFull:  # even opening takes a few pages: those of the reserve, not all of it
            if not self._lend():
                raise
            self._writer = _opened(path, backups)
        self._keep_reserve()

    @contextmanager
    def atomic(self) -> Iterator[apsw.Connection]:
        """One transaction: all of it is on disk when the block ends, or none of it. Nests by savepoints."""
        if self.read_only:
            raise Unwritable(self.path, "read-only")
        with self._lock, named_faults(self.path):
            if self._depth == 0:
                self._writer.execute("BEGIN IMMEDIATE")
                begin, done, undo = "", "COMMIT", "ROLLBACK"
            else:
                name = f"level{self._depth}"
                begin, done, undo = f"SAVEPOINT {name}", f"RELEASE {name}", f"ROLLBACK TO {name}"
                self._writer.execute(begin)
            self._depth += 1
            self._local.writing = getattr(self._local, "writing", 0) + 1
            try:
                yield self._writer
                self._writer.execute(done)
            except BaseException:
                if not self._writer.get_autocommit():
                    self._writer.execute(undo)
                    if begin:
                        self._writer.execute(done)
                raise
            finally:
                self._depth -= 1
                self._local.writing -= 1
        if self._owed and not self._depth:
            with suppress(StoreFault):  # the transaction is done; closing tries again
                self.checkpoint()

    def reader(self) -> apsw.Connection:
        """This thread's connection for reading; inside its own :meth:`atomic`, the writing one."""
        if getattr(self._local, "writing", 0):
            return self._writer
        connection: apsw.Connection | None = getattr(self._local, "reader", None)
        if connection is None:
            with named_faults(self.path):
                connection = _to_read(self.path) if self.read_only else _connect(self.path)
                connection.execute("PRAGMA query_only = 1")
            self._local.reader = connection
            with self._lock:
                self._readers.append(connection)
        return connection

    def release_reserve(self) -> bool:
        """Give the file system back the room kept for the last message. False when it was already given."""
        try:
            self._reserve.unlink()
        except OSError:
            return False
        return True

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file and cut it to nothing; inside a transaction, when that is done."""
        if self.read_only:
            return
        with self._lock, named_faults(self.path):
            self._owed = self._depth > 0
            if not self._owed:
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def copy_to(self, target: Path) -> None:
        """A consistent, compact copy of the whole database at ``target``, which must not exist yet."""
        with named_faults(target):
            connection = (
                opened_to_look(self.path)
                if self.read_only
                else apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READONLY)
            )
            try:
                wait_for_others(connection)
                sqlite_vec_into(connection)
                create_private(target)
                connection.execute("VACUUM INTO ?", (str(target),))
            finally:
                connection.close()

    def close(self) -> None:
        """Close every connection of this store; the file is complete without its log, where there is room."""
        with self._lock:
            for reader in self._readers:
                reader.close()
            self._readers.clear()
            self._local = threading.local()
            self._writer.set_busy_timeout(_CLOSING_MILLISECONDS)
            with suppress(StoreFault), named_faults(self.path):  # what cannot be moved now stays safe in the log
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._writer.close()

    def _lend(self) -> bool:
        """Give the file system back a part of the reserve. False when there is none."""
        try:
            os.truncate(self._reserve, max(0, self._reserve.stat().st_size - _LENT_BYTES))
        except OSError:
            return False
        return True

    def _keep_reserve(self) -> None:
        """Keep room for the last message of a full disk; a disk too full for the reserve has none to keep."""
        if not self._room:
            return
        try:
            descriptor = os.open(self._reserve, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return
        kept = os.fstat(descriptor).st_size
        try:
            if kept < self._room and hasattr(os, "posix_fallocate"):
                os.posix_fallocate(descriptor, 0, self._room)
            elif kept < self._room:
                os.write(descriptor, bytes(self._room))
        except OSError:
            os.ftruncate(descriptor, kept)  # what is left of it stays
        finally:
            os.close(descriptor)
            if not self._reserve.stat().st_size:
                self._reserve.unlink()


def _opened(path: Path, backups: Path | None) -> apsw.Connection:
    """The writing connection of a file, made or migrated where it must be."""
    with named_faults(path):
        create_private(path)
        migrate(path, backups)
        return _connect(path)


def _to_read(path: Path) -> apsw.Connection:
    """A connection to a file that cannot be written. Raises Unwritable for one of an earlier schema."""
    with named_faults(path):
        if not is_of_today(path):
            raise Unwritable(path, "earlier schema")
        connection = opened_to_look(path)
        sqlite_vec_into(connection)
        connection.authorizer = _authorize
        return connection


def open_store(path: Path) -> Store:
    """Open (or create) the student's file."""
    return Store(path)


def check_library(path: Path) -> None:
    """Raises OldLibrary when the SQLite inside apsw has known corruption holes."""
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if version < OLDEST_SQLITE:
        raise OldLibrary(path, apsw.sqlite_lib_version())


def _connect(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    wait_for_others(connection)
    sqlite_vec_into(connection)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    for name, value in _SETTINGS:
        connection.pragma(name, value)
    for name, value in _SETTINGS[:7]:
        kept = connection.pragma(name)
        if kept != value:
            connection.close()
            raise Unwritable(path, f"{name} is {kept}, not {value}")
    connection.authorizer = _authorize
    return connection


def _authorize(operation: int, one: str | None, two: str | None, database: str | None, inner: str | None) -> int:
    """Refuse what no running part of Retiens has reason to do to the record or to the schema."""
    if operation in _DROPS:
        name = two if operation in (apsw.SQLITE_DROP_TRIGGER, apsw.SQLITE_DROP_INDEX) else one
        return apsw.SQLITE_OK if name and name.startswith(_OWN_CACHES) else apsw.SQLITE_DENY
    if operation == apsw.SQLITE_ALTER_TABLE:
        return apsw.SQLITE_OK if two and two.startswith(_OWN_CACHES) else apsw.SQLITE_DENY
    if operation in (apsw.SQLITE_ATTACH, apsw.SQLITE_DETACH):
        return apsw.SQLITE_DENY
    if operation in (apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE) and one in _CHAINED:
        return apsw.SQLITE_DENY
    if operation == apsw.SQLITE_DELETE and one == "contents":
        return apsw.SQLITE_DENY
    if operation == apsw.SQLITE_PRAGMA and one in _SEALED_PRAGMAS and two is not None:
        return apsw.SQLITE_DENY
    return apsw.SQLITE_OK


_DROPS = frozenset(
    {
        apsw.SQLITE_DROP_TABLE,
        apsw.SQLITE_DROP_VTABLE,
        apsw.SQLITE_DROP_TRIGGER,
        apsw.SQLITE_DROP_INDEX,
        apsw.SQLITE_DROP_VIEW,
    }
)
