"""Routing: which concepts a text names, exactly. The longest name wins and matches never overlap.

Names and texts are compared word by word on :func:`key_words`: folded, plural endings and attached articles off,
in the language of the text. Arabic words are also tried without the particles written onto them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from memory.words import Plain, stop_words

Key = tuple[str, ...]
_WORD = re.compile(r"\w+")
_ATTACHED = re.compile(r"(?:[وف](?=..))?(?:[بلك](?=..))?(?:ال|ل(?=ل))?(?=..)")


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


_PLURALS = {
    "en": (
        ("ies", "y"),
        ("sses", "ss"),
        ("xes", "x"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("ss", "ss"),
        ("us", "us"),
        ("is", "is"),
        ("s", ""),
    ),
    "fr": (("eaux", "eau"), ("aux", "al"), ("eux", "eu"), ("oux", "ou"), ("ss", "ss"), ("s", "")),
    "es": (("ces", "z"), ("iones", "ion"), ("es", ""), ("s", "")),
    "pt": (
        ("oes", "ao"),
        ("aes", "ao"),
        ("ais", "al"),
        ("eis", "el"),
        ("res", "r"),
        ("zes", "z"),
        ("ns", "m"),
        ("s", ""),
    ),
    "de": (("innen", "in"), ("en", ""), ("er", ""), ("es", ""), ("n", ""), ("s", ""), ("e", "")),
    "it": (("che", "ca"), ("ghe", "ga"), ("i", ""), ("e", ""), ("o", ""), ("a", "")),
    "ar": (("ات", ""), ("ون", ""), ("ين", ""), ("ه", "")),
}
_SHORTEST_STEM = 3


@cache
def key_word(word: str, language: str) -> str:
    """A folded word without its plural (and, in Arabic, its article)."""
    if language == "ar" and len(word) > 4 and word.startswith("ال"):
        word = word[2:]
    for ending, singular in _PLURALS.get(language, ()):
        if word.endswith(ending) and len(word) - len(ending) + len(singular) >= _SHORTEST_STEM:
            return word[: len(word) - len(ending)] + singular
    return word


@cache
def _readings(word: str, language: str) -> tuple[str, ...]:
    """The keys a word of a text may stand for, likeliest first."""
    found = [key_word(word, language)]
    if language == "ar":
        for bare in (word[1:], word[2:], word[3:]):
            taken = word[: len(word) - len(bare)]
            if len(bare) >= 3 and taken in _PARTICLES:
                found.append(key_word(bare, language))
                if taken.endswith("ل") and not taken.endswith("ال"):
                    found.append(key_word("ال" + bare, language))
    return tuple(dict.fromkeys(found))


_PARTICLES = frozenset("و ف ب ل ك ال وال بال فال كال لل ول وب فب ولل".split())


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
                if row:
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
    """The words of a name as they are compared: a leading article dropped unless it is all there is."""
    words = _WORD.findall(Plain.of(name).text)
    while len(words) > 1 and words[0] in stop_words(language) and len(words[0]) <= 3:
        words = words[1:]
    return tuple(key_word(word, language) for word in words)


def _keys_from(words: list[tuple[str, int, int]], start: int, longest: int, language: str) -> Iterable[tuple[Key, int]]:
    rest: Key = ()
    for first in _readings(words[start][0], language):
        yield (first,), 1
    for length in range(2, min(longest, len(words) - start) + 1):
        rest = (*rest, key_word(words[start + length - 1][0], language))
        for first in _readings(words[start][0], language):
            yield (first, *rest), length
