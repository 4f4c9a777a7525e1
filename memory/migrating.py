"""Migrations: a file of an earlier schema becomes one of today's, with everything in it, or stays as it was.

The scripts are numbered, and a released one never changes. They run on a short-lived connection of their own.
"""

from __future__ import annotations

import filecmp
import os
from contextlib import suppress
from hashlib import sha256
from importlib import resources
from pathlib import Path

import apsw

from memory.faults import Damaged, NewerDatabase, NotOurDatabase, unwritten
from memory.opening import (
    APPLICATION_ID,
    create_private,
    opened_to_look,
    reach_disk,
    sqlite_vec_into,
    wait_for_others,
)


def scripts() -> list[tuple[int, str]]:
    """The numbered schema scripts, in order: (number, SQL)."""
    folder = resources.files("resources").joinpath("schema")
    found = sorted((item.name, item) for item in folder.iterdir() if item.name.endswith(".sql"))
    return [(int(name[:4]), item.read_text("utf-8")) for name, item in found]


def is_of_today(path: Path) -> bool:
    """Whether a file needs no migration. Raises NewerDatabase and NotOurDatabase."""
    newest = scripts()[-1][0]
    return _standing(path, newest) == newest


def migrate(path: Path, backups: Path | None = None) -> None:
    """Bring the file to today's schema: all scripts and their number commit together, or not at all.

    A file that holds something is copied into ``backups``, and the copy verified, before anything is changed. A newer
    file, and one of another program, is refused and not written to.
    """
    steps = scripts()
    newest = steps[-1][0]
    standing = _standing(path, newest)
    if standing == newest:
        return
    connection = apsw.Connection(str(path))
    try:
        wait_for_others(connection)
        sqlite_vec_into(connection)
        if standing and backups is not None:
            _copy_aside(connection, backups / f"before-schema-{newest}-from-{standing}.db")
        connection.pragma("journal_mode", "wal")
        connection.pragma("secure_delete", 1)
        connection.execute("BEGIN IMMEDIATE")
        try:
            version = connection.pragma("user_version")
            for number, script in steps:
                if number > version:
                    connection.execute(script)
                    connection.pragma("user_version", number)
            connection.pragma("application_id", APPLICATION_ID)
            connection.execute("COMMIT")
        except BaseException:
            if not connection.get_autocommit():
                connection.execute("ROLLBACK")
            raise
    finally:
        connection.close()


def _standing(path: Path, newest: int) -> int:
    """The schema number of a file, 0 for an empty or missing one, found without writing a byte to it.

    Raises NotOurDatabase and NewerDatabase.
    """
    if not path.exists():
        return 0
    connection = opened_to_look(path)
    try:
        version: int = connection.pragma("user_version")
        application: int = connection.pragma("application_id")
        if application != APPLICATION_ID and connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall():
            raise NotOurDatabase(path, f"application id {application:#x}")
        if version > newest:
            raise NewerDatabase(path, f"schema {version}, this program knows {newest}")
        return version
    finally:
        connection.close()


def _copy_aside(connection: apsw.Connection, target: Path) -> None:
    """Keep a verified copy of the file as it is; one that is there already, and says the same, is not made twice."""
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        create_private(part)
        connection.execute("VACUUM INTO ?", (str(part),))
        _require_same(connection, part)
        reach_disk(part)
        number = 1
        while target.exists() and not filecmp.cmp(part, target, shallow=False):
            number += 1
            target = target.with_name(f"{part.name.removesuffix('.db.part')}-{number}.db")
        os.replace(part, target)
    except OSError as error:
        raise unwritten(target, error) from error
    finally:
        with suppress(OSError):
            part.unlink()


def _require_same(connection: apsw.Connection, copy: Path) -> None:
    """Raises Damaged when a copy is not whole, or does not hold the very episodes of the original."""
    copied = opened_to_look(copy)
    try:
        faults = [str(row[0]) for row in copied.execute("PRAGMA integrity_check") if row[0] != "ok"]
        if faults or _ledger_digest(copied) != _ledger_digest(connection):
            raise Damaged(copy, "; ".join(faults) or "the episodes differ")
    finally:
        copied.close()


def _ledger_digest(connection: apsw.Connection) -> bytes:
    """One hash over every stored byte of the episodes and of their words."""
    found = sha256()
    everything = "SELECT e.*, c.* FROM episodes e LEFT JOIN contents c ON c.episode = e.row ORDER BY e.row"
    for row in connection.execute(everything):
        found.update(repr(row).encode())
    return found.digest()
