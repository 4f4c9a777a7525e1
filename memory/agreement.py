"""Agreement: what must be the same in a claim and in its source, beside their words.

Numbers, months, names and negation decide between a supported claim and its near miss: "in 1789" is not supported by
"in 1798", nor "osmosis needs no energy" by "osmosis needs energy", however many words they share.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
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
LONGEST_SUBJECT = 8
"""Words before "is" that may still be one subject."""
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_BEFORE = re.compile(r"[,;:،؛–—]")
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
    doubtful: frozenset[str]
    month_after: frozenset[str]
    copulas: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Facts:
    """A sentence as it is compared. ``order`` are its content stems in order, ``words`` and ``counts`` those of all
    its words; ``negations`` are the content stems that each negation can reach; ``names`` are stems of words written
    with a capital inside the sentence."""

    order: tuple[str, ...]
    words: tuple[str, ...]
    counts: Mapping[str, int]
    stems: frozenset[str]
    numbers: tuple[Quantity, ...]
    number_words: frozenset[str]
    months: frozenset[int]
    negations: tuple[frozenset[str], ...]
    names: frozenset[str]
    subject: frozenset[str]


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
        months={name: number for name, number in months.months.items() if " " not in name},
        doubtful=frozenset(name for name in months.months if len(name) <= 3) | months.ambiguous,
        month_after=frozenset(str(table.get("month_after", "")).split()),
        copulas=re.compile(rf"\b(?:{'|'.join(str(table.get('copulas', '')).split()) or '(?!)'})\b"),
    )


def facts_of(text: str, language: str) -> Facts:
    """A sentence's facts. Cheap: no model, one pass over its words."""
    data = words_of(language)
    text = _MARKUP.sub(" ", text)
    words = tokens(_CONTRACTED.sub(r"\1 not", text.replace("’", "'")) if language == "en" else text, language)
    stopped = stop_words(language)
    order: list[str] = []
    reached: list[set[str]] = []
    number_words: set[str] = set()
    months: set[int] = set()
    reach = 0
    for place, word in enumerate(words):
        if word in data.negations:
            # "ne … pas" is one negation: a second within the first one's reach adds nothing
            if not reach:
                reached.append(set())
            reach = SCOPE
            continue
        if word in data.months and _is_month(data, words, place):
            months.add(data.months[word])
            continue
        if word in data.numbers:
            number_words.add(data.numbers[word])
            continue
        if word in stopped or word.isdigit():
            continue
        root = stem(word, language)
        order.append(root)
        if reach:
            reached[-1].add(root)
            reach -= 1
    all_words = tuple(stem(word, language) for word in words)
    return Facts(
        order=tuple(order),
        words=all_words,
        counts=Counter(all_words),
        stems=frozenset(order),
        numbers=tuple(quantities(text, language)),
        number_words=frozenset(number_words),
        months=frozenset(months),
        negations=tuple(frozenset(words) for words in reached),
        names=frozenset() if language in _CAPITALS_ARE_NOUNS else _names(text, language),
        subject=_subject(text, language, data, stopped),
    )


def subjects_agree(claim: Facts, sentence: Facts) -> bool:
    """Whether what the sentence says of its subject is not said of a part of it.

    "The trace of a matrix is the sum of its diagonal" does not support "a matrix is the sum of its diagonal".
    """
    narrower = bool(claim.subject) and claim.subject < sentence.subject
    return not (narrower and sentence.subject - claim.stems)


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
    """Whether a claim denies as often as the sentence: only negations that reach words of both count."""
    return _denials(claim, sentence) == _denials(sentence, claim)


def _denials(one: Facts, other: Facts) -> int:
    """How many negations of one sentence reach a word of the other; one that reaches nothing counts too."""
    return sum(not words or bool(words & other.stems) for words in one.negations)


def opposites_agree(claim: Facts, sentence: Facts, language: str) -> bool:
    """Whether no word of the claim stands where the sentence has its opposite."""
    for word, others in words_of(language).opposites.items():
        if claim.counts.get(word, 0) > sentence.counts.get(word, 0) and any(
            claim.counts.get(other, 0) < sentence.counts.get(other, 0) for other in others
        ):
            return False
        if any(_turned_round(claim, sentence, word, other) for other in others if word < other):
            return False
    return True


def _turned_round(claim: Facts, sentence: Facts, one: str, two: str) -> bool:
    """ "from low to high" against "from high to low": both opposites in both, once each, in another order."""
    if any(facts.counts.get(word, 0) != 1 for facts in (claim, sentence) for word in (one, two)):
        return False
    here = claim.words.index(one) < claim.words.index(two)
    return here != (sentence.words.index(one) < sentence.words.index(two))


def _subject(text: str, language: str, data: Words, stopped: frozenset[str]) -> frozenset[str]:
    """Content stems of what stands before the first "is", without asides and openings; empty where there is none."""
    text = _ASIDE.sub(" ", text.lower())
    found = data.copulas.search(text)
    if found is None:
        return frozenset()
    words = tokens(_BEFORE.split(text[: found.start()])[-1], language)
    roots = {stem(word, language) for word in words if word not in stopped and not word.isdigit()}
    return frozenset(roots) if len(words) <= LONGEST_SUBJECT else frozenset()


def _is_month(data: Words, words: list[str], place: int) -> bool:
    """Whether a month's name is meant as one: never in doubt, beside a number, or after "in"."""
    if words[place] not in data.doubtful or (place > 0 and words[place - 1] in data.month_after):
        return True
    return any(word.isdigit() for word in words[max(0, place - 2) : place] + words[place + 1 : place + 2])


def _names(text: str, language: str) -> frozenset[str]:
    """Stems of the words with a capital letter that no sentence start explains."""
    data = words_of(language)
    found: set[str] = set()
    for match in _CAPITAL.finditer(text):
        before = text[: match.start()].rstrip()
        if before and before[-1] not in '.!?:…"“«(':
            for word in tokens(match[0], language):
                if len(word) > 2 and word not in stop_words(language) | data.numbers.keys() | data.months.keys():
                    found.add(stem(word, language))
    return frozenset(found)
