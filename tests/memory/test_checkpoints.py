"""The log of checkpoints survives what tears its last line."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from memory.checkpoints import Checkpoint, CheckpointLog
from memory.episodes import SubjectId
from memory.faults import DiskFull


def noted(seq: int) -> Checkpoint:
    return Checkpoint(SubjectId("biology"), seq, "ab" * 32, "2026-11-05T18:00:00+01:00")


@pytest.mark.parametrize("kept", [1, 10, 60])
def test_a_torn_line_does_not_take_the_next_one_with_it(tmp_path: Path, kept: int) -> None:
    log = CheckpointLog(tmp_path / "checkpoints.log")
    log.write(noted(1))
    with log.path.open("a", encoding="utf-8") as file:
        file.write(noted(2).line[:kept])
    log.write(noted(3))
    assert [checkpoint.seq for checkpoint in log.all()] == [1, 3]


def test_a_line_that_a_full_disk_cuts_is_a_fault_and_the_next_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = CheckpointLog(tmp_path / "checkpoints.log")
    log.write(noted(1))
    write = os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda descriptor, line: write(descriptor, line[:20]))
        with pytest.raises(DiskFull):
            log.write(noted(2))
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda descriptor, line: (_ for _ in ()).throw(OSError(errno.ENOSPC, "no room")))
        with pytest.raises(DiskFull):
            log.write(noted(2))
    log.write(noted(2))
    assert [checkpoint.seq for checkpoint in log.all()] == [1, 2]
