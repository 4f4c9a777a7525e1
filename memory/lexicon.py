"""Lexicons: what one language says, as data. ``resources/lexicon/<language>.toml`` holds everything; nothing here
knows a language.

A *cue* is a named set of expressions, one regular expression a line, matched on :class:`memory.words.Plain` text and
only at word boundaries. In a line an apostrophe stands for an optional space (``don't`` also finds ``dont``),
``{name}`` for the alternatives of ``[words].name``. Lines are written with their accents and folded when read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from memory.words import fold, lexicon_table

_MACRO = re.compile(r"\{([a-z_]+)\}")
_GROUP = re.compile(r"\(\?p(?=<)")
NEVER = re.compile(r"(?!)")


def lines(block: str) -> list[str]:
    """The expressions of a block: one a line, blank lines and comments left out."""
    return [line.strip() for line in block.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def alternatives(expressions: Iterable[str]) -> str:
    """One group that matches any of the expressions."""
    return "(?:" + "|".join(expressions) + ")"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language, compiled. ``table`` is the raw file for the parts that other modules compile."""

    language: str
    cues: Mapping[str, re.Pattern[str]]
    words: Mapping[str, str]
    attached: str
    table: Mapping[str, Any]

    def cue(self, name: str) -> re.Pattern[str]:
        """A cue by name; a language that has none never matches it."""
        return self.cues.get(name, NEVER)

    def compile(self, block: str) -> re.Pattern[str]:
        """A block of expressions as one pattern, at word boundaries."""
        return re.compile(self.bounded(alternatives(self.expand(line) for line in lines(block))))

    def bounded(self, expression: str) -> str:
        """An expression at word boundaries, after what the language writes attached to a word (Arabic w, b, l, al)."""
        return rf"(?<!\w){self.attached}{expression}(?:(?<=\s)|(?!\w))"

    def expand(self, line: str) -> str:
        """A line of a block as a regular expression on plain text. Raises KeyError for an unknown ``{name}``."""
        spaced = fold(line).replace("'", " ?")
        return _MACRO.sub(lambda found: self.words[found[1]], _GROUP.sub("(?P", spaced))


@cache
def lexicon(language: str) -> Lexicon:
    """The compiled lexicon of a language, read once. Raises KeyError for a language without one."""
    table = lexicon_table(language)
    words: dict[str, str] = {}
    found = Lexicon(language, {}, words, str(table.get("attached", "")), table)
    for name, block in table.get("words", {}).items():
        words[name] = alternatives(found.expand(line) for line in lines(block))
    cues = {name: found.compile(block) for name, block in table["cues"].items() if lines(block)}
    return Lexicon(language, cues, words, found.attached, table)
