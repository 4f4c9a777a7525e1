"""What parsers hand over: pages of plain lines, and which words on them stood out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memory.readings import PageText


class Fault(StrEnum):
    """Why a file, or the rest of it, could not be read."""

    MISSING = "missing"
    UNSUPPORTED = "unsupported"
    EMPTY = "empty"
    SCANNED = "scanned"
    LOCKED = "locked"
    CORRUPT = "corrupt"
    TOO_LARGE = "too_large"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"
    CANCELLED = "cancelled"


class Unreadable(Exception):
    """A file that cannot be parsed."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Words set in bold inside a line of running text (never a whole line: that is a heading)."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """One page as text, with its emphasis; ``code``: numbers of the lines that are a program's, not prose."""

    page: PageText
    emphasis: tuple[Emphasis, ...] = ()
    code: tuple[int, ...] = ()
