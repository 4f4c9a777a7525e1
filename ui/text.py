"""Text on its way to the screen: direction, characters that deceive, lines too long for Qt, Markdown that is plain."""

from __future__ import annotations

import re
import unicodedata

from PySide6.QtCore import Qt

LONGEST_LINE = 20_000
"""Characters from which a line is broken before Qt lays it out (it would stall the window)."""
RIGHT_TO_LEFT_LANGUAGES = frozenset({"ar", "fa", "he", "ur"})
ISOLATE, END_ISOLATE, RIGHT_TO_LEFT = "\u2068", "\u2069", "\u200f"
_MARKS = re.compile("[\u202a-\u202e\u2066\u2067]")
_MARKDOWN = re.compile(r"([\\`*_{}\]#+\-!|<>~$])")


def direction_of(text: str) -> Qt.LayoutDirection:
    """The direction of a text by its first letter that has one; left to right where none has."""
    for character in text[:2000]:
        kind = unicodedata.bidirectional(character)
        if kind in ("R", "AL"):
            return Qt.LayoutDirection.RightToLeft
        if kind == "L":
            break
    return Qt.LayoutDirection.LeftToRight


def direction_of_language(language: str) -> Qt.LayoutDirection:
    """The direction of an interface in that language."""
    right = language in RIGHT_TO_LEFT_LANGUAGES
    return Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight


def isolated(text: str) -> str:
    """A text that keeps its own direction, punctuation included, among words that run the other way."""
    plain = bare(text)
    return f"{ISOLATE}{plain}{END_ISOLATE}" if plain else plain


def among_right_to_left(text: str) -> str:
    """A text for a place in a mirrored window: it begins at the right, and each line keeps its own direction."""
    if direction_of(text) is Qt.LayoutDirection.RightToLeft or not text.strip():
        return text
    return "\n".join(f"{RIGHT_TO_LEFT}{ISOLATE}{bare(line)}{END_ISOLATE}" for line in text.split("\n"))


def bare(text: str) -> str:
    """A text without the marks of :func:`isolated`: for what is asked or saved, not shown."""
    return text.replace(ISOLATE, "").replace(END_ISOLATE, "")


def has_direction(text: str, direction: Qt.LayoutDirection) -> bool:
    """Whether a text holds a letter that runs in that direction."""
    kinds = ("R", "AL") if direction is Qt.LayoutDirection.RightToLeft else ("L",)
    return any(unicodedata.bidirectional(character) in kinds for character in text[:2000])


def safe(text: str) -> str:
    """A text that looks like what it is: direction overrides made visible, endless lines wrapped, no NUL."""
    text = _MARKS.sub(lambda found: f"[U+{ord(found.group()):04X}]", text.replace("\0", "\ufffd"))
    if len(text) <= LONGEST_LINE:
        return text
    lines = []
    for line in text.split("\n"):
        lines += [line[at : at + LONGEST_LINE] for at in range(0, len(line), LONGEST_LINE)] or [""]
    return "\n".join(lines)


def as_markdown(text: str) -> str:
    """A plain text, written so that Markdown shows it as it stands: neither marks nor formulas."""
    return _MARKDOWN.sub(r"\\\1", text)


def one_line(text: str, length: int = 120) -> str:
    """A text on one line, cut on a word with an ellipsis when it is longer than that."""
    line = " ".join(safe(text).split())
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    if line[length - 1] != " " and " " in cut[length // 2 :]:
        cut = cut[: cut.rfind(" ")]
    return cut.rstrip(" ,;:") + "…"


def file_name(words: str, fallback: str = "retiens") -> str:
    """A name for a file, made of words: no letter that a file system refuses, at most 60 of them."""
    return re.sub(r'[<>:"/\\|?*\x00-\x1f]+', " ", words).strip(" .")[:60] or fallback
