"""Agreement: what must be the same in a claim and in its source, beside their words.

Numbers, months, names and negation decide between a supported claim and its near miss: "in 1789" is not supported by
"in 1798", nor "osmosis needs no energy" by "osmosis needs energy", however many words they share.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from memory.calendar_words import calendar
from memory.quantities import Quantity, agree, quantities
from memory.words import fold, stem, stop_words, tokens

SCOPE = 4
"""Words after a negation that it can turn round."""
_CONTRACTED = re.compile(r"\b(\w+)n't\b")
_CAPITAL = re.compile(r"[^\W\d_]*[A-ZÀ-ÖØ-Þ][\w'’-]*")
_CAPITALS_ARE_NOUNS = frozenset({"de", "ar"})
_MARKUP = re.compile(r"[*_`#|]+")


@dataclass(frozen=True, slots=True)
class Words:
    """What language data says of agreement in one language; stems throughout."""

    negations: frozenset[str]
    opposites: Mapping[str, frozenset[str]]
    numbers: Mapping[str, str]
    months: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Facts:
    """A sentence as it is compared. ``order`` are its content stems in order; ``negated`` those a negation can reach,
    ``negations`` how many there are; ``names`` are stems of words written with a capital inside the sentence."""

    order: tuple[str, ...]
    stems: frozenset[str]
    numbers: tuple[Quantity, ...]
    number_words: frozenset[str]
    months: frozenset[int]
    negations: int
    negated: frozenset[str]
    names: frozenset[str]


@cache
def words_of(language: str) -> Words:
    """The agreement data of a language."""
    text = resources.files("resources").joinpath("grounding.toml").read_text("utf-8")
    table: dict[str, Any] = tomllib.loads(text).get(language, {})
    opposites: dict[str, set[str]] = {}
    for pair in str(table.get("opposites", "")).split():
        one, other = (stem(fold(word), language) for word in pair.split(":"))
        if one != other:
            opposites.setdefault(one, set()).add(other)
            opposites.setdefault(other, set()).add(one)
    numbers = dict(pair.split(":") for pair in str(table.get("numbers", "")).split())
    months = calendar(language)
    return Words(
        negations=frozenset(fold(word) for word in str(table.get("negations", "")).split()),
        opposites={word: frozenset(others) for word, others in opposites.items()},
        numbers=numbers,
        months={
            name: number
            for name, number in months.months.items()
            if " " not in name and len(name) > 3 and name not in months.ambiguous
        },
    )


def facts_of(text: str, language: str) -> Facts:
    """A sentence's facts. Cheap: no model, one pass over its words."""
    data = words_of(language)
    text = _MARKUP.sub(" ", text)
    words = tokens(_CONTRACTED.sub(r"\1 not", text.replace("’", "'")) if language == "en" else text, language)
    stopped = stop_words(language)
    order: list[str] = []
    negated: set[str] = set()
    number_words: set[str] = set()
    months: set[int] = set()
    negations, reach = 0, 0
    for word in words:
        if word in data.negations:
            # "ne … pas" is one negation: a second within the first one's reach adds nothing
            negations += reach == 0
            reach = SCOPE
            continue
        if word in data.months:
            months.add(data.months[word])
        if word in data.numbers:
            number_words.add(data.numbers[word])
            continue
        if word in stopped or word.isdigit():
            continue
        root = stem(word, language)
        order.append(root)
        if reach:
            negated.add(root)
            reach -= 1
    return Facts(
        order=tuple(order),
        stems=frozenset(order),
        numbers=tuple(quantities(text, language)),
        number_words=frozenset(number_words),
        months=frozenset(months),
        negations=negations,
        negated=frozenset(negated),
        names=frozenset() if language in _CAPITALS_ARE_NOUNS else _names(text, language),
    )


def numbers_agree(claim: Facts, *places: Facts) -> bool:
    """Whether every number of the claim stands in one of the places, in digits or in words."""
    written = [number for place in places for number in place.numbers]
    spelled = {word for place in places for word in place.number_words}
    for number in claim.numbers:
        if not any(agree(number, other) or agree(other, number) for other in written) and not any(
            str(value).removesuffix(".0") in spelled for value in number.values
        ):
            return False
    return all(
        word in spelled or any(float(word) in number.values for number in written) for word in claim.number_words
    )


def months_agree(claim: Facts, *places: Facts, month: int | None = None) -> bool:
    """Whether every month of the claim is named in a place, or is the month of the episode itself."""
    known = {named for place in places for named in place.months} | ({month} if month else set())
    return claim.months <= known


def negation_agrees(claim: Facts, sentence: Facts) -> bool:
    """Whether a claim denies exactly what the sentence denies: only negations that reach shared words count."""
    there = bool(sentence.negated & claim.stems)
    here = bool(claim.negated & sentence.stems) or (claim.negations > 0 and not claim.negated)
    return there == here


def opposites_agree(claim: Facts, sentence: Facts, language: str) -> bool:
    """Whether no word of the claim stands where the sentence has its opposite."""
    data = words_of(language).opposites
    for word in claim.stems - sentence.stems:
        others = data.get(word)
        if others and others & sentence.stems - claim.stems:
            return False
    return True


def _names(text: str, language: str) -> frozenset[str]:
    """Stems of the words with a capital letter that no sentence start explains."""
    found: set[str] = set()
    for match in _CAPITAL.finditer(text):
        before = text[: match.start()].rstrip()
        if before and before[-1] not in '.!?:…"“«(':
            for word in tokens(match[0], language):
                if word not in stop_words(language):
                    found.add(stem(word, language))
    return frozenset(found)
