"""Checkpoints: heads of chains written down outside the database.

A chain alone cannot show that its tail was cut or that all of it was rewritten; a head noted elsewhere can. This is
evidence of tampering, not protection from it, and only for as long as the note is kept.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory.episodes import SubjectId
from memory.faults import unwritten

_MARK = "retiens1"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The head of one chain at one time. ``at`` is ISO 8601, ``head`` 64 hexadecimal digits."""

    subject: SubjectId
    seq: int
    head: str
    at: str

    @property
    def line(self) -> str:
        """One line, for a file or a sheet of paper."""
        return f"{_MARK} {self.subject} {self.seq} {self.head} {self.at}"


class NoCheckpoint(ValueError):
    """The line is not one of ours."""


def parse_checkpoint(line: str) -> Checkpoint:
    """Read a line back. Raises NoCheckpoint."""
    parts = line.split()
    if len(parts) != 5 or parts[0] != _MARK:
        raise NoCheckpoint(line)
    _, subject, seq, head, at = parts
    try:
        datetime.fromisoformat(at)
        if len(bytes.fromhex(head)) != 32 or int(seq) < 0:
            raise NoCheckpoint(line)
        return Checkpoint(SubjectId(subject), int(seq), head.lower(), at)
    except ValueError as error:
        raise NoCheckpoint(line) from error


class CheckpointLog:
    """``checkpoints.log`` beside the database: one line a checkpoint, only ever appended to."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, checkpoint: Checkpoint) -> None:
        """Append one line and wait for the disk; a head already noted is not noted twice.

        A line torn by a full disk or a power cut is left alone: the next one begins on a line of its own. Raises
        Unwritable and DiskFull.
        """
        last = self.last(checkpoint.subject)
        if last is not None and (last.seq, last.head) == (checkpoint.seq, checkpoint.head):
            return
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                if os.lseek(descriptor, 0, os.SEEK_END):
                    os.lseek(descriptor, -1, os.SEEK_END)
                whole = os.read(descriptor, 1) in (b"", b"\n")
                line = f"{'' if whole else chr(10)}{checkpoint.line}\n".encode()
                if os.write(descriptor, line) != len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise unwritten(self.path, error) from error

    def all(self) -> list[Checkpoint]:
        """Every checkpoint that can be read, oldest first; a torn last line is left out."""
        try:
            lines = self.path.read_text("utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return []
        found = []
        for line in lines:
            try:
                found.append(parse_checkpoint(line))
            except NoCheckpoint:
                continue
        return found

    def last(self, subject: SubjectId) -> Checkpoint | None:
        """The newest checkpoint of a subject."""
        own = [checkpoint for checkpoint in self.all() if checkpoint.subject == subject]
        return own[-1] if own else None
