"""Which names stand in a text: whole words, the longest name first, no two of them on the same words.

Written apart from the product's own routing, so that the benchmark does not ask the product whether it is right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

_MARKS = re.compile("[\u064b-\u0652\u0640]")
_PLURAL = re.compile(r"(?<=\w{3})[es]+(?=\s|$)")
_WORDS = re.compile(r"\w{2,}")
_ARABIC = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه"})
_COMMON = 5
"""Letters of a word that must agree for two of its forms to count as one."""


def normal(text: str) -> str:
    """Lower case, without accents, Arabic vowel signs and doubled spaces."""
    plain = unicodedata.normalize("NFKD", _MARKS.sub("", text.casefold()))
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(bare.translate(_ARABIC).split()).replace("’", "'")


@cache
def _pattern(stem: str, language: str) -> re.Pattern[str]:
    before = r"(?:[وفبلك]{0,2}(?:ال|لل)?)" if language == "ar" else ""
    words = r"[es]*\s".join(map(re.escape, stem.split()))
    return re.compile(rf"(?<!\w){before}{words}[es]*(?:'s)?(?!\w)")


def named_in(text: str, names: Iterable[str], language: str) -> list[str]:
    """The names that stand in a text, in the order of their first place; spellings of one name stand together."""
    plain = normal(text)
    spellings: dict[str, list[str]] = {}
    for name in sorted(set(names)):
        spellings.setdefault(one_name(name), []).append(name)
    found: list[tuple[int, str]] = []
    for stem, own in sorted(spellings.items(), key=lambda each: (-len(each[0]), each[0])):
        places = [hit.span() for hit in _pattern(stem, language).finditer(plain)]
        if places:
            found += [(places[0][0], name) for name in own]
            for first, last in places:
                plain = plain[:first] + "\x00" * (last - first) + plain[last:]
    return [name for _, name in sorted(found)]


def one_name(name: str) -> str:
    """What the spellings of a name share: no capitals, accents, plural or Arabic article."""
    return _PLURAL.sub("", normal(name).removeprefix("ال"))


def holds_words(text: str, wanted: str, share: float) -> bool:
    """Whether a text holds that share of another's words; words agree by their first letters."""
    own = {word[:_COMMON] for word in _WORDS.findall(normal(text))}
    needed = {word[:_COMMON] for word in _WORDS.findall(normal(wanted)) if len(word) > 3}
    return bool(needed) and len(needed & own) >= share * len(needed)


def holds(text: str, wanted: str) -> bool:
    """Whether a text holds these very words."""
    return f" {_spaced(wanted)} " in f" {_spaced(text)} "


def _spaced(text: str) -> str:
    return " ".join(re.findall(r"\w+", normal(text)))
