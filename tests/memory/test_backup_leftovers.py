"""What a program killed in the middle of a backup left behind goes with the next one."""

from __future__ import annotations

import os
from typing import Any

from memory.moments import Moment


def test_a_copy_that_was_given_up_is_removed_and_one_under_way_is_not(brain: Any) -> None:
    backups = brain.memory.backups
    backups.folder.mkdir()
    old, now = backups.folder / "memory-20261101-080000.db.part", backups.folder / "memory-20261105-080000.db.part"
    for part in (old, now):
        part.write_bytes(b"half a copy")
    made = backups.make(Moment.parse("2026-11-05T08:00:01+01:00")).path
    assert {old, now} < set(backups.folder.iterdir())
    os.utime(old, (0, 0))
    made = backups.make(Moment.parse("2026-11-06T08:00:01+01:00")).path
    assert old not in set(backups.folder.iterdir())
    assert {now, made} < set(backups.folder.iterdir())
