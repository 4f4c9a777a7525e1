"""Files: the student's course files, and every version of them that was read.

A file stays where it is on disk. What is kept is its fingerprint and, through :mod:`memory.passages`, its words, so
that an old citation still opens after the file was replaced or removed. Nothing here deletes a row: removing a file
or replacing it only makes its version no longer *current*, which withdraws it from search and from the map.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NewType

import apsw

from memory.episodes import SubjectId
from memory.store import Store

FileId = NewType("FileId", str)
VersionId = NewType("VersionId", int)


class FileStage(StrEnum):
    """Where a file stands."""

    WAITING = "waiting"
    READING = "reading"
    DONE = "done"
    FAILED = "failed"
    REMOVED = "removed"


class Arrival(StrEnum):
    """What a path turned out to be when it was added."""

    NEW = "new"
    KNOWN = "known"
    MOVED = "moved"
    RETURNED = "returned"


class UnknownFile(LookupError):
    """No file, or no version, of that id."""

    def __init__(self, id: str | int) -> None:
        super().__init__(str(id))
        self.id = id


@dataclass(frozen=True, slots=True)
class Version:
    """One reading of one file. ``pages_read`` pages are already searchable; times are UTC microseconds.

    ``current`` is false for a version that was replaced or removed, and for one still being read that is to
    replace another.
    """

    id: VersionId
    file: FileId
    sha256: str
    bytes: int
    format: str
    language: str | None
    pages: int
    pages_read: int
    seconds: float
    tokens: int
    finished: bool
    current: bool
    read_at: int


@dataclass(frozen=True, slots=True)
class FileState:
    """One file of a subject, and the version of it that counts today (None before the first reading).

    ``fault`` is a code, set while the stage is *failed*.
    """

    id: FileId
    subject: SubjectId
    path: str
    name: str
    stage: FileStage
    fault: str | None
    added_at: int
    version: Version | None

    @property
    def progress(self) -> float:
        """The share of pages already searchable, in [0, 1]."""
        if self.version is None or not self.version.pages:
            return 1.0 if self.stage is FileStage.DONE else 0.0
        return min(1.0, self.version.pages_read / self.version.pages)


@dataclass(frozen=True, slots=True)
class Added:
    """A file and what its path turned out to be."""

    file: FileState
    arrival: Arrival


_FILE_COLUMNS = "f.id, f.subject, f.path, f.name, f.state, f.fault, f.added_at"
_VERSION_COLUMNS = (
    "v.id, v.file, v.sha256, v.bytes, v.format, v.language, v.pages, v.pages_read, v.seconds, v.tokens,"
    " v.finished, v.current, v.read_at"
)
_NEWEST = "SELECT id FROM versions WHERE file = f.id ORDER BY current DESC, read_at DESC, id DESC LIMIT 1"


class Files:
    """The files of all subjects."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(
        self, subject: SubjectId, path: str, name: str, *, id: FileId, now: int, sha256: str | None = None
    ) -> Added:
        """Take a path into a subject, waiting to be read.

        A path already there is *known* (or *returned*, when it had been removed). With ``sha256``, a file that was
        read under that fingerprint at another path is *moved*: the same file, found elsewhere, with nothing to read
        again. A path that is known keeps its own history even if its content is another file's.
        """
        with self._store.atomic() as connection:
            known = self.at_path(subject, path)
            if known is not None:
                if known.stage is not FileStage.REMOVED:
                    return Added(known, Arrival.KNOWN)
                self._stage(connection, known.id, FileStage.WAITING)
                return Added(self.get(known.id), Arrival.RETURNED)
            same = [file for file in self.by_sha256(sha256, subject) if file.version and file.version.finished]
            if sha256 and same:
                self._move(connection, same[0], path, name)
                return Added(self.get(same[0].id), Arrival.MOVED)
            connection.execute(
                "INSERT INTO files (id, subject, path, name, state, added_at) VALUES (?, ?, ?, ?, ?, ?)",
                (id, subject, path, name, FileStage.WAITING.value, now),
            )
            return Added(self.get(id), Arrival.NEW)

    def begin_version(
        self, file: FileId, *, sha256: str, bytes: int, format: str, pages: int, now: int, language: str | None = None
    ) -> Version:
        """Start, or take up again, the reading of one content of a file; ``pages_read`` says where to go on.

        A first version is current from its first page. One that replaces another becomes current when it is
        finished, or when its concepts are merged, whichever comes first: until then the old one stands.
        """
        with self._store.atomic() as connection:
            self.get(file)
            connection.execute("UPDATE files SET state = 'reading', fault = NULL WHERE id = ?", (file,))
            known = connection.execute(
                "SELECT id FROM versions WHERE file = ? AND sha256 = ?", (file, sha256)
            ).fetchone()
            stands = connection.execute(
                "SELECT 1 FROM versions WHERE file = ? AND current = 1 AND sha256 <> ?", (file, sha256)
            ).fetchone()
            if known:
                version = VersionId(known[0])
                connection.execute(
                    "UPDATE versions SET pages = ?, read_at = ?, language = coalesce(?, language) WHERE id = ?",
                    (pages, now, language, version),
                )
            else:
                connection.execute(
                    "INSERT INTO versions (file, sha256, bytes, format, language, pages, pages_read, current, read_at)"
                    " VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?)",
                    (file, sha256, bytes, format, language, pages, now),
                )
                version = VersionId(connection.last_insert_rowid())
            if not stands:
                make_current(connection, version)
            return self.version(version)

    def progress(self, version: VersionId, pages_read: int, pages: int | None = None) -> None:
        """Note that the first ``pages_read`` pages are searchable; a parser may learn the number of pages late."""
        with self._store.atomic() as connection:
            connection.execute(
                "UPDATE versions SET pages_read = max(pages_read, ?), pages = max(coalesce(?, pages), ?) WHERE id = ?",
                (pages_read, pages, pages_read, version),
            )

    def finish(self, version: VersionId, *, seconds: float, tokens: int = 0, language: str | None = None) -> FileState:
        """Note that a version was read to its end: it is current from now on, and its predecessors are not.

        ``seconds`` and ``tokens`` (of a chat model, 0 without one) are what the reading cost, all sittings together.
        """
        with self._store.atomic() as connection:
            file = self.version(version).file
            connection.execute(
                "UPDATE versions SET finished = 1, pages_read = pages, seconds = seconds + ?, tokens = tokens + ?,"
                " language = coalesce(?, language) WHERE id = ?",
                (seconds, tokens, language, version),
            )
            make_current(connection, version)
            self._stage(connection, file, FileStage.DONE)
            return self.get(file)

    def fail(self, file: FileId, fault: str) -> FileState:
        """Note why a file could not be read. Pages that were read stay searchable; an older version still stands."""
        with self._store.atomic() as connection:
            self._stage(connection, file, FileStage.FAILED, fault)
            return self.get(file)

    def wait(self, file: FileId) -> FileState:
        """Put a file back in the queue: cancelled, interrupted, or to be read again."""
        with self._store.atomic() as connection:
            self._stage(connection, file, FileStage.WAITING)
            return self.get(file)

    def remove(self, file: FileId) -> FileState:
        """Withdraw a file: its passages are no longer searched, its provenance no longer counts. Nothing is deleted.

        The map follows at its next refresh.
        """
        with self._store.atomic() as connection:
            self._stage(connection, file, FileStage.REMOVED)
            current: list[Any] = connection.execute(
                "SELECT id FROM versions WHERE file = ? AND current = 1", (file,)
            ).fetchall()
            for (version,) in current:
                withdraw(connection, version)
            return self.get(file)

    def move(self, file: FileId, path: str, name: str) -> FileState:
        """Note that a file is elsewhere now. An own file already at that path is withdrawn in its favour."""
        with self._store.atomic() as connection:
            self._move(connection, self.get(file), path, name)
            return self.get(file)

    def get(self, file: FileId) -> FileState:
        """The file of that id. Raises UnknownFile."""
        for state in self._select("f.id = ?", (file,)):
            return state
        raise UnknownFile(file)

    def version(self, version: VersionId) -> Version:
        """The version of that id. Raises UnknownFile."""
        row = (
            self._store.reader()
            .execute(f"SELECT {_VERSION_COLUMNS} FROM versions v WHERE v.id = ?", (version,))
            .fetchone()
        )
        if row is None:
            raise UnknownFile(version)
        return _version(row)

    def versions(self, file: FileId) -> list[Version]:
        """Every version of a file, newest first."""
        found = self._store.reader().execute(
            f"SELECT {_VERSION_COLUMNS} FROM versions v WHERE v.file = ? ORDER BY v.read_at DESC, v.id DESC", (file,)
        )
        return [_version(row) for row in found]

    def all(self, subject: SubjectId, *, removed: bool = False) -> list[FileState]:
        """The files of a subject in the order they were added; with ``removed``, those withdrawn too."""
        where = "f.subject = ?" if removed else "f.subject = ? AND f.state <> 'removed'"
        return list(self._select(where, (subject,)))

    def unfinished(self, subject: SubjectId) -> list[FileState]:
        """Files that wait or whose reading was cut short by the end of the program, oldest first."""
        return list(self._select("f.subject = ? AND f.state IN ('waiting', 'reading')", (subject,)))

    def at_path(self, subject: SubjectId, path: str) -> FileState | None:
        """The file at that path, removed or not."""
        return next(self._select("f.subject = ? AND f.path = ?", (subject, path)), None)

    def by_sha256(self, sha256: str | None, subject: SubjectId | None = None) -> list[FileState]:
        """Files whose current content has that fingerprint, of one subject or of all; removed ones left out."""
        if not sha256:
            return []
        where = "f.state <> 'removed' AND f.id IN (SELECT file FROM versions WHERE sha256 = ? AND current = 1)"
        if subject is None:
            return list(self._select(where, (sha256,)))
        return list(self._select(where + " AND f.subject = ?", (sha256, subject)))

    def _select(self, where: str, bound: tuple[str, ...]) -> Iterator[FileState]:
        sql = (
            f"SELECT {_FILE_COLUMNS}, {_VERSION_COLUMNS} FROM files f LEFT JOIN versions v ON v.id = ({_NEWEST})"
            f" WHERE {where} ORDER BY f.added_at, f.id"
        )
        found: list[Any] = self._store.reader().execute(sql, bound).fetchall()
        for row in found:
            id, subject, path, name, state, fault, added_at = row[:7]
            version = _version(row[7:]) if row[7] is not None else None
            yield FileState(FileId(id), subject, path, name, FileStage(state), fault, added_at, version)

    @staticmethod
    def _stage(connection: apsw.Connection, file: FileId, stage: FileStage, fault: str | None = None) -> None:
        connection.execute("UPDATE files SET state = ?, fault = ? WHERE id = ?", (stage.value, fault, file))
        if not connection.changes():
            raise UnknownFile(file)

    def _move(self, connection: apsw.Connection, file: FileState, path: str, name: str) -> None:
        other = self.at_path(file.subject, path)
        if other is not None and other.id != file.id:
            self.remove(other.id)
            connection.execute("UPDATE files SET path = path || '#' || id WHERE id = ?", (other.id,))
        connection.execute("UPDATE files SET path = ?, name = ? WHERE id = ?", (path, name, file.id))


def make_current(connection: apsw.Connection, version: int) -> None:
    """Let a version count: searched and on the map, in place of every other version of its file."""
    others: list[Any] = connection.execute(
        "SELECT id FROM versions WHERE current = 1 AND id <> ? AND file = (SELECT file FROM versions WHERE id = ?)",
        (version, version),
    ).fetchall()
    for (other,) in others:
        withdraw(connection, other)
    connection.execute("UPDATE versions SET current = 1 WHERE id = ? AND current = 0", (version,))
    connection.execute("UPDATE passages SET current = 1 WHERE version = ? AND current = 0", (version,))


def withdraw(connection: apsw.Connection, version: int) -> None:
    """Let a version no longer count. Its passages can still be opened by whoever cites them."""
    connection.execute("UPDATE versions SET current = 0 WHERE id = ?", (version,))
    connection.execute("UPDATE passages SET current = 0 WHERE version = ?", (version,))


def _version(row: tuple[Any, ...]) -> Version:
    """A version from a row of ``_VERSION_COLUMNS``."""
    id, file, sha256, size, format, language, pages, pages_read, seconds, tokens, finished, current, read_at = row
    return Version(
        id=VersionId(id),
        file=FileId(file),
        sha256=sha256,
        bytes=size,
        format=format,
        language=language,
        pages=pages,
        pages_read=pages_read,
        seconds=seconds,
        tokens=tokens,
        finished=bool(finished),
        current=bool(current),
        read_at=read_at,
    )
