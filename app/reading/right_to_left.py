"""Lines of Arabic in a PDF, from glyphs with their places to text in logical order.

Such files hold shaped letters in whatever order they were drawn, often without spaces. The order is rebuilt from
right to left, words are divided where the paper shows white, and runs of Latin letters and digits keep their own
direction (a small part of the Unicode bidirectional algorithm, UAX #9: levels 1 and 2 only).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

ARABIC = re.compile("[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufeff]")
_GAP = 0.15
"""White that divides two words, as a share of the letter size; within one word it stays under 0.05."""
_CLOSING, _OPENING = frozenset(")]}"), frozenset("([{")
_SHAPED_MARK = re.compile("[\ufc5e-\ufc63\ufe70\ufe72\ufe74\ufe76\ufe78\ufe7a\ufe7c\ufe7e]")


@dataclass(frozen=True, slots=True)
class Glyph:
    """One drawn character: its left and right edge in points, its size, whether it is bold."""

    text: str
    x0: float
    x1: float
    size: float
    bold: bool


def logical(glyphs: Sequence[Glyph]) -> list[tuple[str, bool]]:
    """The text of one line in the order it is read, as runs of (text, bold). Spaces of the file are not trusted."""
    drawn = sorted((glyph for glyph in glyphs if glyph.text.strip()), key=lambda glyph: -(glyph.x0 + glyph.x1) / 2)
    letters: list[tuple[str, bool]] = []
    for at, glyph in enumerate(drawn):
        if at and drawn[at - 1].x0 - glyph.x1 > _GAP * glyph.size:
            letters.append((" ", glyph.bold and drawn[at - 1].bold))
        letters.append((_plain(glyph.text), glyph.bold))
    return _runs(_levelled(letters))


def _plain(text: str) -> str:
    """Shaped letters as plain ones; a vowel sign without the space that its isolated shape stands on."""
    if _SHAPED_MARK.search(text):
        return unicodedata.normalize("NFKC", text).replace(" ", "")
    return unicodedata.normalize("NFKC", text)


def _levelled(letters: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Left-to-right runs turned back; what stands between two such letters, or closes on them, turns with them."""
    turned: list[tuple[str, bool]] = []
    at = 0
    while at < len(letters):
        if not _leftward(letters[at][0]):
            turned.append(letters[at])
            at += 1
            continue
        last = end = at
        while end < len(letters) and (_leftward(letters[end][0]) or not ARABIC.search(letters[end][0])):
            if _leftward(letters[end][0]):
                last = end
            end += 1
        run = letters[at : last + 1]
        at = last + 1
        while turned and turned[-1][0] in _CLOSING:
            run.insert(0, turned.pop())
        while at < len(letters) and letters[at][0] in _OPENING:
            run.append(letters[at])
            at += 1
        turned += reversed(run)
    return turned


def _leftward(text: str) -> bool:
    """Whether a character is read from left to right: Latin and Greek letters, digits of either kind."""
    return any(unicodedata.bidirectional(letter) in ("L", "EN", "AN") for letter in text)


def _runs(letters: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    runs: list[tuple[str, bool]] = []
    for text, bold in letters:
        if runs and runs[-1][1] == bold:
            runs[-1] = (runs[-1][0] + text, bold)
        else:
            runs.append((text, bold))
    return runs
