"""Another copy of a student's record, looked into without touching it, and compared with the one in use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from pathlib import Path
from urllib.parse import quote

import apsw

from memory.episodes import SubjectId
from memory.faults import NotOurDatabase, named_faults
from memory.opening import APPLICATION_ID, sqlite_vec_into, wait_for_others
from memory.store import Store

_LEFTOVERS = ("", "-wal", "-shm")


class Relation(Enum):
    """How one chain stands to the same chain elsewhere."""

    SAME = "same"
    HERE_ONLY = "here_only"
    THERE_ONLY = "there_only"
    HERE_IS_LONGER = "here_is_longer"
    THERE_IS_LONGER = "there_is_longer"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class SubjectDifference:
    """One subject here and there: episodes in each, and how many of them, by id, are in both."""

    subject: SubjectId
    name: str
    here: int
    there: int
    common: int
    relation: Relation


def copy_of(path: Path, target: Path) -> None:
    """A consistent copy at ``target`` of a database that may be in use; the file itself is not written.

    Raises FileNotFoundError, NotOurDatabase, Damaged and the other faults of the store.
    """
    with path.open("rb"):
        pass
    log = path.with_name(path.name + "-wal")
    still = not log.exists() or log.stat().st_size == 0
    source = f"file:{quote(str(path.absolute()))}?mode=ro" + ("&immutable=1" if still else "")
    with named_faults(path):
        connection = apsw.Connection(source, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        try:
            wait_for_others(connection)
            sqlite_vec_into(connection)
            if connection.pragma("application_id") != APPLICATION_ID:
                raise NotOurDatabase(path)
            remove(target)
            connection.execute("VACUUM INTO ?", (str(target),))
        finally:
            connection.close()
    target.chmod(0o600)


@contextmanager
def opened_copy(path: Path, folder: Path) -> Iterator[Store]:
    """A copy of another record, opened for a while under a temporary name in ``folder``. Raises as :func:`copy_of`."""
    target = folder / "looked-into.db"
    store: Store | None = None
    try:
        copy_of(path, target)
        store = Store(target, room=0)
        yield store
    finally:
        if store is not None:
            store.close()
        remove(target)


def remove(path: Path) -> None:
    """Remove a database of ours that is closed, with what SQLite keeps beside it."""
    for ending in _LEFTOVERS:
        path.with_name(path.name + ending).unlink(missing_ok=True)


def compare(here: Store, there: Store) -> list[SubjectDifference]:
    """Every subject of either, by the subject's id."""
    names = {**_names(there), **_names(here)}
    return [_difference(subject, name, here, there) for subject, name in names.items()]


def _difference(subject: SubjectId, name: str, here: Store, there: Store) -> SubjectDifference:
    mine, theirs = _chain(here, subject), _chain(there, subject)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(mine, theirs, strict=False)))
    common = len({id for id, _ in mine} & {id for id, _ in theirs})
    if len(mine) == len(theirs) == shared:
        relation = Relation.SAME
    elif not theirs:
        relation = Relation.HERE_ONLY
    elif not mine:
        relation = Relation.THERE_ONLY
    elif shared == len(theirs):
        relation = Relation.HERE_IS_LONGER
    elif shared == len(mine):
        relation = Relation.THERE_IS_LONGER
    else:
        relation = Relation.DIFFERENT
    return SubjectDifference(subject, name, len(mine), len(theirs), common, relation)


def _names(store: Store) -> dict[SubjectId, str]:
    found = store.reader().execute("SELECT id, name FROM subjects ORDER BY created_at, id")
    return {SubjectId(id): name for id, name in found}


def _chain(store: Store, subject: SubjectId) -> list[tuple[str, bytes]]:
    """(id, hash) of a chain's episodes in order: equal pairs mean an equal history up to there."""
    found = store.reader().execute("SELECT id, hash FROM episodes WHERE subject = ? ORDER BY seq", (subject,))
    return [(id, entry) for id, entry in found]
