r"""Formulas in a text: what stands between ``$…$``, ``$$…$$``, ``\(…\)`` and ``\[…\]``, never anything else. No Qt.

Code keeps its dollars, and so do prices: an opening ``$`` is followed by no space, a closing one preceded by none and
not followed by a digit (Pandoc's rule, ``tex_math_dollars``); words between two dollars must look like a formula. A
bracket that Markdown escapes in a link is none either.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 2000
"""Characters; whatever is longer is shown as it is written."""
OPEN, CLOSE = "\ue000", "\ue001"
"""The letters around a formula's number where it stands in the Markdown (private use: no text has them)."""
_FORMULA = re.compile(
    r"(?P<fence>^[ ]{0,3}(?P<mark>```+|~~~+)[\s\S]*?(?:^[ ]{0,3}(?P=mark)|\Z))"
    r"|(?P<code>(?P<ticks>`+)(?!`)[\s\S]*?(?<!`)(?P=ticks)(?!`))"
    r"|\$\$(?P<block>[^$]+?)\$\$"
    r"|(?<![\\\[])\\\[(?P<display>[\s\S]+?)\\\]"
    r"|(?<!\\)\\\((?P<inline>[\s\S]+?)\\\)"
    r"|(?<![\\$\w])\$(?P<dollar>[^\s$](?:[^$\n]*?[^\s$\\])?)\$(?![\d$])",
    re.MULTILINE,
)
_LIKE_A_FORMULA = re.compile(r"[\\^_=+<>{}]|^\S+$")
_PLACE = re.compile(f"[{OPEN}{CLOSE}]")


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in a text: its span there, delimiters included, its LaTeX, and whether it stands by itself."""

    first: int
    last: int
    source: str
    display: bool


def formulas_in(text: str) -> list[Formula]:
    """The formulas of a text, in its order."""
    found = []
    for match in _FORMULA.finditer(text):
        display = match["block"] or match["display"]
        source = (display or match["inline"] or match["dollar"] or "").strip()
        if not source or len(source) > LONGEST:
            continue
        if match["dollar"] is not None and not _LIKE_A_FORMULA.search(source):
            continue
        found.append(Formula(match.start(), match.end(), source, bool(display)))
    return found


def with_places(text: str, formulas: list[Formula]) -> str:
    """The text with a numbered place instead of each formula; one that has its lines to itself becomes a paragraph."""
    made, at = "", 0
    for number, formula in enumerate(formulas):
        made += _PLACE.sub("", text[at : formula.first])
        place = f"{OPEN}{number}{CLOSE}"
        line = made.rpartition("\n")[2]
        rest = text[formula.last :].partition("\n")[0]
        alone = formula.display and not line.strip() and not rest.strip(" .,;")
        made += f"\n\n{place}" if alone else place
        at = formula.last
        if alone:
            made += rest.strip() + "\n"
            at += len(rest)
    return made + _PLACE.sub("", text[at:])
