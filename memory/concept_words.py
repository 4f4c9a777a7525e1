"""The words of a message that name what it is about, when no known concept does: a verbatim part of it.

What is left when cue words, dates and function words are taken away; function words stay inside a name
("area of a circle"), never at its edges.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from memory.calendar_words import calendar
from memory.lexicon import lexicon
from memory.words import Plain, fold, stop_words

_WORD = re.compile(r"\w+")
_LONGEST = 6  # words


@cache
def _dropped(language: str) -> frozenset[str]:
    """Words that are never a concept of their own: function words, and the words cues are made of."""
    cues = lexicon(language)
    drop = set(stop_words(language)) | set(re.findall(r"\w+", cues.cue("drop").pattern))
    for name in ("request", "error", "content", "lesson", "session", "opinion", "change", "smalltalk"):
        drop |= {word for word in re.findall(r"[^\W\d_]+", cues.cue(name).pattern) if len(word) > 1}
    names = calendar(language)
    for table in (names.months, names.weekdays, names.seasons, names.numbers):
        drop |= {word for name in table for word in name.split()}
    return frozenset(fold(word) for word in drop)


def find_concept(plain: Plain, language: str, today: date) -> str | None:
    """What the message is about, as typed, or None."""
    text = plain.text
    dropped = _dropped(language)
    topic = lexicon(language).cue("topic")
    words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(text)]
    runs: list[tuple[int, int]] = []
    start: int | None = None
    for index, (word, _, _) in enumerate(words):
        inner = word in dropped or word.isdigit()
        if not inner and start is None:
            start = index
        if start is not None and (inner or index == len(words) - 1):
            end = index if inner else index + 1
            runs.append((start, end))
            start = None
    if not runs:
        return None

    def weight(run: tuple[int, int]) -> tuple[bool, int, int]:
        before = text[: words[run[0]][1]].rstrip()
        return bool(topic.search(before[-25:])), min(run[1] - run[0], _LONGEST), run[0]

    best = max(runs, key=weight)
    return plain.original(words[best[0]][1], words[best[1] - 1][2])
