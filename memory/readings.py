"""What a file reading hands to the memory: pages with their lines, and the concepts found in them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading on a page: its line (from 1) and its level (1 is the highest)."""

    line: int
    text: str
    level: int


@dataclass(frozen=True, slots=True)
class PageText:
    """One page in reading order. ``page`` and line numbers start at 1; ``label`` is the page's own name ("iv").

    ``hidden`` lists lines that a reader would not see (white, tiny, off the page): they are never put in a prompt.
    """

    page: int
    lines: tuple[str, ...]
    label: str = ""
    headings: tuple[Heading, ...] = ()
    language: str | None = None
    hidden: tuple[int, ...] = ()
    scanned: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """Words as they stand in a file, with their place; lines are of the page, from 1, both included."""

    text: str
    page: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class FoundEdge:
    """The concept builds on ``name``; ``reason`` is definition, name or order; ``weight`` in (0, 1]."""

    name: str
    weight: float
    reason: str


@dataclass(frozen=True, slots=True)
class FoundConcept:
    """One concept of one file. Every name stands in the file; the definition is quoted from it."""

    name: str
    language: str
    definition: Quote | None = None
    summary: str = ""
    pages: tuple[int, ...] = ()
    aliases: tuple[str, ...] = ()
    builds_on: tuple[FoundEdge, ...] = ()
    assumed: tuple[str, ...] = ()
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    """The concepts of one file, best first. ``fault`` is a code where nothing could be read."""

    language: str
    concepts: tuple[FoundConcept, ...] = ()
    fault: str | None = None
