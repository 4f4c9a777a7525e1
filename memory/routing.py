"""Routing: which concepts a text names, exactly. The longest name wins and matches never overlap.

Names and texts are compared word by word on :func:`memory.naming.canonical_key`, in the language of the text. Arabic
words are also tried without the particles written onto them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from memory.naming import canonical_key
from memory.words import Plain, stop_words

Key = tuple[str, ...]
_WORD = re.compile(r"\w+(?:\+\+|#)?")
_PARTICLES = frozenset(["و", "ف", "ب", "ل", "ك", "لل", "ول", "وب", "فب", "ولل", "فلل", "وك"])
_PARTICLES |= {particle + "ال" for particle in _PARTICLES if not particle.endswith("ل")}


@dataclass(frozen=True, slots=True)
class NameRow:
    """One name of a concept. ``alias``: not the name it is shown by."""

    concept: str
    name: str
    alias: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """A concept named in a text: ``text[first:last]`` names it. ``how``: name, alias or meaning."""

    id: str
    name: str
    how: str
    first: int
    last: int


@cache
def _readings(word: str, language: str) -> tuple[str, ...]:
    """The keys a word of a text may stand for, likeliest first."""
    found = [_key_word(word, language)]
    if language == "ar":
        for bare in (word[1:], word[2:], word[3:]):
            taken = word[: len(word) - len(bare)]
            if len(bare) >= 3 and taken in _PARTICLES:
                found.append(_key_word(bare, language))
    return tuple(dict.fromkeys(found))


class Names:
    """All names of a subject's concepts, ready for matching. Indexes are made per language when first needed."""

    def __init__(self, rows: Iterable[NameRow] = ()) -> None:
        self._rows = tuple(rows)
        self._by_language: dict[str, tuple[dict[Key, NameRow], int]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def route(self, text: str, language: str) -> tuple[Route, ...]:
        """Concepts named in a text, in order: longest names first, none overlapping, each concept once."""
        index, longest = self._index(language)
        if not index:
            return ()
        plain = Plain.of(text)
        words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(plain.text)]
        hits: list[tuple[int, int, NameRow]] = []
        for start in range(len(words)):
            for key, length in _keys_from(words, start, longest, language):
                row = index.get(key)
                if row and not _only_a_function_word(row, key, plain, words[start], language):
                    hits.append((start, start + length, row))
        hits.sort(key=lambda hit: (hit[0] - hit[1], hit[2].alias, hit[0]))
        taken: list[tuple[int, int, NameRow]] = []
        for hit in hits:
            if all(hit[1] <= other[0] or other[1] <= hit[0] for other in taken):
                taken.append(hit)
        routes: dict[str, Route] = {}
        for start, end, row in sorted(taken, key=lambda hit: hit[0]):
            first, last = plain.origins[words[start][1]], plain.origins[words[end - 1][2] - 1] + 1
            how = "alias" if row.alias else "name"
            routes.setdefault(row.concept, Route(row.concept, row.name, how, first, last))
        return tuple(routes.values())

    def _index(self, language: str) -> tuple[dict[Key, NameRow], int]:
        if language not in self._by_language:
            index: dict[Key, NameRow] = {}
            for row in sorted(self._rows, key=lambda each: each.alias):
                key = key_of(row.name, language)
                if key:
                    index.setdefault(key, row)
            self._by_language[language] = (index, max(map(len, index), default=0))
        return self._by_language[language]


def key_of(name: str, language: str) -> Key:
    """The words of a name as they are compared."""
    return tuple(canonical_key(name, language).split())


def _only_a_function_word(row: NameRow, key: Key, plain: Plain, word: tuple[str, int, int], language: str) -> bool:
    """A name that is also a function word ("Will", "A*") is meant only when it is written as the name is."""
    if len(key) > 1 or word[0] not in stop_words(language):
        return False
    return plain.original(word[1], word[2]) != row.name


def _key_word(word: str, language: str) -> str:
    """What a word of a text is inside a canonical key."""
    return canonical_key(word, language).replace(" ", "")


def _keys_from(words: list[tuple[str, int, int]], start: int, longest: int, language: str) -> Iterable[tuple[Key, int]]:
    rest: Key = ()
    for first in _readings(words[start][0], language):
        yield (first,), 1
    for length in range(2, min(longest, len(words) - start) + 1):
        rest = (*rest, _key_word(words[start + length - 1][0], language))
        for first in _readings(words[start][0], language):
            yield (first, *rest), length
