"""Backups: whole, consistent copies of the student's file, verified before they count.

A copy is made with ``VACUUM INTO`` under a temporary name, opened and verified, then renamed: a backup that exists
is a backup that works. Rotation keeps the newest of each of the last 12 hours, 7 days and 4 weeks.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory.faults import Damaged, unwritten
from memory.moments import Moment
from memory.opening import reach_disk
from memory.store import Store
from memory.verification import ChainState, Verification

_NAME = "memory-%Y%m%d-%H%M%S.db"
_ABANDONED_SECONDS = 3600  # a copy that nobody has written to for so long is what a killed program left
_KEPT = (("%Y%m%d%H", 12), ("%Y%m%d", 7), ("%G%V", 4))


@dataclass(frozen=True, slots=True)
class Backup:
    """A verified copy: where it lies, how many episodes it holds."""

    path: Path
    episodes: int


def back_up(store: Store, target: Path) -> Backup:
    """Copy the whole database to ``target`` (replaced if it is there). Raises Damaged when the copy does not verify."""
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        store.copy_to(part)
        chains = inspect(part)
        reach_disk(part)
        os.replace(part, target)
    except OSError as error:
        raise unwritten(target, error) from error
    finally:
        for leftover in (part, part.with_name(part.name + "-wal"), part.with_name(part.name + "-shm")):
            with suppress(OSError):
                leftover.unlink()
    return Backup(target, sum(state.episodes for state in chains))


def inspect(path: Path) -> list[ChainState]:
    """Open a copy and verify its chains and structure. Raises Damaged and the other faults of the store."""
    copy = Store(path, room=0)
    try:
        verification = Verification(copy)
        chains = verification.chains()
        faults = verification.database()
        broken = [f"{state.name}: {state.first_break}" for state in chains if not state.ok]
        if faults or broken:
            raise Damaged(path, "; ".join(faults + broken))
        return chains
    finally:
        copy.close()


class Backups:
    """The rotating backups in one folder."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store = store
        self.folder = folder

    def make(self, now: Moment) -> Backup:
        """Make one, verify it, then let go of those that rotation no longer keeps."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise unwritten(self.folder, error) from error
        made = back_up(self._store, self.folder / now.local.strftime(_NAME))
        # Those of a clock that ran ahead are no newer than this one: they are left out, and push nothing out.
        for old in superfluous(path for path in self.all() if path.name <= made.path.name):
            old.unlink(missing_ok=True)
        for part in self.folder.glob("memory-*.db.part*"):
            if part.stat().st_mtime < made.path.stat().st_mtime - _ABANDONED_SECONDS:
                part.unlink(missing_ok=True)
        return made

    def all(self) -> list[Path]:
        """Every backup, newest first."""
        return sorted(self.folder.glob("memory-*.db"), reverse=True)

    def copies(self) -> list[Path]:
        """Every file that holds the record as it once was: what redaction cannot reach and the student may delete.

        Backups, records put aside by a restore or a migration, and what a killed copy left behind.
        """
        beside = self._store.path.parent.glob("*.db*")
        own = {self._store.path.name + ending for ending in ("", "-wal", "-shm", "-journal", ".reserve")}
        kept = [path for path in self.folder.glob("*.db*") if path.suffix != ".checkpoints"]
        return sorted({*kept, *(path for path in beside if path.name not in own)})


def superfluous(backups: Iterable[Path]) -> list[Path]:
    """Which of these backups rotation lets go: all but the newest of each kept hour, day and week."""
    dated = sorted(((taken, path) for path in backups if (taken := taken_at(path)) is not None), reverse=True)
    kept: set[Path] = set()
    for period, count in _KEPT:
        seen: dict[str, Path] = {}
        for taken, path in dated:
            seen.setdefault(taken.strftime(period), path)
        kept.update(list(seen.values())[:count])
    return [path for _, path in dated if path not in kept]


def taken_at(path: Path) -> datetime | None:
    """When a rotating backup was made, by the local clock; None for another file."""
    try:
        return datetime.strptime(path.name, _NAME)
    except ValueError:
        return None
