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
from memory.windows import dates_in
from memory.words import Plain, fold, stop_words

_WORD = re.compile(r"\w+")
_BORDER = re.compile(r"[,;:.?!]")
_LONGEST = 6  # words
_FRAME = ("study", "studying", "past", "imperfect", "done", "i", "my", "ever", "think")
"""The words of a lexicon that only frame a question about the record."""

Run = tuple[int, int]


@cache
def _dropped(language: str) -> frozenset[str]:
    """Words that are never a concept of their own: function words, and the words cues are made of."""
    cues = lexicon(language)
    drop = set(stop_words(language)) | set(re.findall(r"\w+", cues.cue("drop").pattern))
    for name in ("request", "error", "content", "lesson", "session", "opinion", "change", "smalltalk"):
        drop |= {word for word in re.findall(r"[^\W\d_]+", cues.cue(name).pattern) if len(word) > 1}
    for name in _FRAME:
        drop |= set(re.findall(r"[^\W\d_]+", cues.words.get(name, "")))
    names = calendar(language)
    for table in (names.months, names.weekdays, names.seasons, names.numbers):
        drop |= {word for name in table for word in name.split()}
    return frozenset(fold(word) for word in drop)


class _Runs:
    """The words of a message, and the runs of those that may name something."""

    def __init__(self, plain: Plain, language: str, today: date) -> None:
        self.text = plain.text
        self.words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(plain.text)]
        dates = dates_in(plain, language, today)
        dropped = _dropped(language)
        self._inner = [
            word in dropped
            or (language == "ar" and word[:1] == "و" and word[1:] in dropped)
            or word.isdigit()
            or any(date.start < last and first < date.end for date in dates)
            for word, first, last in self.words
        ]
        self.runs = list(self._found())

    def _found(self) -> list[Run]:
        runs: list[Run] = []
        start: int | None = None
        for index, inner in enumerate(self._inner):
            if start is not None and (inner or _BORDER.search(self.text, self.words[index - 1][2], self._at(index))):
                runs.append((start, index))
                start = None
            if start is None and not inner:
                start = index
        return runs if start is None else [*runs, (start, len(self.words))]

    def _at(self, index: int) -> int:
        return self.words[index][1]

    def first_after(self, place: int, language: str) -> Run | None:
        """The run that begins at a place of the text, function words and marks of opening apart."""
        stopped = stop_words(language)
        for run in self.runs:
            if self._at(run[0]) < place:
                continue
            between = [word for word, first, _ in self.words if place <= first < self._at(run[0])]
            return run if all(word in stopped for word in between) else None
        return None


def find_concept(plain: Plain, language: str, today: date) -> str | None:
    """What the message is about, as typed, or None."""
    found = _Runs(plain, language, today)
    topic = lexicon(language).cue("topic")

    def weight(run: Run) -> tuple[bool, int, int]:
        before = plain.text[: found.words[run[0]][1]].rstrip()
        return bool(topic.search(before[-25:])), min(run[1] - run[0], _LONGEST), run[0]

    best = max(found.runs, key=weight, default=None)
    return _said(plain, found, best) if best else None


def find_topic(plain: Plain, language: str, today: date) -> str | None:
    """What a question says outright that it is about ("… about quaternions"), as typed, or None."""
    found = _Runs(plain, language, today)
    for slot in lexicon(language).cue("about").finditer(plain.text):
        run = found.first_after(slot.end(), language)
        if run:
            return _said(plain, found, run)
    return None


def _said(plain: Plain, found: _Runs, run: Run) -> str:
    return plain.original(found.words[run[0]][1], found.words[run[1] - 1][2])
