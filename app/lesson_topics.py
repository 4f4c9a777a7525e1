"""What a lesson is to be about: the concepts that a topic, a page, a chapter or a file stands for.

Only words decide: a concept is meant when its name holds the topic's words, then those that build on it, those that
are defined under a heading or in a file of that name. Where nothing matches, nothing is meant.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from memory.concept_rows import Concept, Place
from memory.episodes import ConceptId
from memory.gaps import stop_words_of
from memory.memory import Memory
from memory.passages import Passage
from memory.words import fold, stem, tokens

_SHARED = 5  # letters that two forms of one word share at least
_RANGE = re.compile(r"(\d+)\s*(?:-|–|à|a|to|bis|al|até|ate|الى|إلى)\s*(\d+)")


@dataclass(frozen=True, slots=True)
class Asked:
    """The part of the files that a message names: pages, or the number of a chapter."""

    pages: frozenset[int] = frozenset()
    part: int | None = None

    def __bool__(self) -> bool:
        return bool(self.pages) or self.part is not None


class Topics:
    """Finds the concepts that a message wants a lesson on."""

    def __init__(self, memory: Memory, order: Sequence[Concept]) -> None:
        self._memory = memory
        self._order = order
        self._passages: dict[int, list[Passage]] = {}

    def about(self, text: str, topic: str | None, named: Sequence[ConceptId], language: str) -> list[ConceptId] | None:
        """The concepts meant, the nearest to the topic first; None when the message names no topic at all.

        ``text`` is the whole message, ``topic`` the words that say what it is about, ``named`` the concepts it names.
        """
        asked, file = asked_part(text), self._file(text)
        if asked:
            return [concept.id for concept in self._order if self._stands_in(concept, asked, file)]
        words = [word for word in tokens(topic or "", language) if word not in stop_words_of(language)]
        if file is not None and not named:
            return [concept.id for concept in self._order if _in_file(concept, file)]
        if not named and not words:
            return None
        found = [*named, *self._by_words(words, language)]
        if found:
            found += self._building_on(found)
        found += self._by_place(words, language)
        return list(dict.fromkeys(found))

    def _by_words(self, words: Sequence[str], language: str) -> list[ConceptId]:
        if not words:
            return []
        return [
            concept.id
            for concept in self._order
            if any(holds(name.name, words, name.language or concept.language or language) for name in concept.names)
        ]

    def _building_on(self, found: Iterable[ConceptId]) -> list[ConceptId]:
        known = set(found)
        return [concept.id for concept in self._order if not known.isdisjoint(concept.builds_on)]

    def _by_place(self, words: Sequence[str], language: str) -> list[ConceptId]:
        """Concepts defined under a heading, or in a file, whose name holds the words."""
        if not words:
            return []
        headed, filed = [], []
        for concept in self._order:
            spoken = concept.language or language
            if any(holds(self._heading(place), words, spoken) for place in _defining(concept)):
                headed.append(concept.id)
            elif any(holds(_stem_of(place.name), words, spoken) for place in _defining(concept)):
                filed.append(concept.id)
        return [*headed, *filed]

    def _file(self, text: str) -> str | None:
        """The file that a message names outright, with or without its ending."""
        said = fold(text)
        names = {place.name for concept in self._order for place in concept.places}
        held = [name for name in names if fold(name) in said or _named(_stem_of(name), said)]
        return max(held, key=len) if held else None

    def _stands_in(self, concept: Concept, asked: Asked, file: str | None) -> bool:
        for place in _defining(concept):
            if file is not None and place.name != file:
                continue
            if asked.pages and place.quote is not None and place.quote.page in asked.pages:
                return True
            if asked.part is not None and _is_part(self._heading(place), asked.part):
                return True
        return False

    def _heading(self, place: Place) -> str:
        """The headings that a concept's definition stands under."""
        if place.version not in self._passages:
            self._passages[place.version] = self._memory.passages.for_version(place.version)
        quote = place.quote
        if quote is None:
            return ""
        return next(
            (
                each.heading
                for each in self._passages[place.version]
                if each.page == quote.page and each.first_line <= quote.first_line <= each.last_line
            ),
            "",
        )


def asked_part(text: str) -> Asked:
    """The pages or the chapter that a message names."""
    return _part_in(text)[0]


def part_named(text: str) -> str | None:
    """The words of a message that name pages or a chapter ("chapitre 2"), or None."""
    return _part_in(text)[1]


def _part_in(text: str) -> tuple[Asked, str | None]:
    words, numbers = _words(), _numbers()
    found = [(fold(each[0]), each[0]) for each in re.finditer(r"\w+", text)]
    said = [word for word, _ in found]
    for at, word in enumerate(said):
        near = " ".join(raw for _, raw in found[at : at + 2])
        after = said[at + 1] if at + 1 < len(said) else ""
        before = said[at - 1] if at else ""
        if word in words["page"]:
            span = _RANGE.match(fold(text).partition(word)[2].lstrip(" .s"))
            if span and int(span[1]) <= int(span[2]) < int(span[1]) + 200:
                return Asked(frozenset(range(int(span[1]), int(span[2]) + 1))), near
            number = _number(after, numbers) or (_number(before, numbers) if len(word) > 2 else None)
            if number is not None:
                return Asked(frozenset([number])), near
        if word in words["part"]:
            number = _number(after, numbers) or _number(before, numbers)
            if number is not None:
                return Asked(part=number), near
    return Asked(), None


def holds(text: str, words: Sequence[str], language: str) -> bool:
    """Whether a text holds all the words, in whatever form."""
    own = tokens(text.replace("_", " "), language)
    return bool(own) and all(any(_one_word(word, each, language) for each in own) for word in words)


def _one_word(word: str, other: str, language: str) -> bool:
    if word == other or stem(word, language) == stem(other, language):
        return True
    shortest, longest = sorted((len(word), len(other)))
    return shortest >= _SHARED and longest - shortest <= 2 and word[: shortest - 2] == other[: shortest - 2]


def _number(word: str, numbers: dict[str, int]) -> int | None:
    return int(word) if word.isdigit() and len(word) < 5 else numbers.get(word)


def _is_part(heading: str, number: int) -> bool:
    """Whether one of the headings is that of a chapter's number ("2. Trees", "Chapter 2")."""
    words, numbers = _words(), _numbers()
    for each in heading.split(" › "):
        said = re.findall(r"\w+", fold(each))[:2]
        if said and said[0].isdigit() and int(said[0]) == number:
            return True
        if len(said) == 2 and said[0] in words["part"] and _number(said[1], numbers) == number:
            return True
    return False


def _named(stem_: str, said: str) -> bool:
    """Whether a message holds a file's name without its ending, written as it is or with spaces."""
    if len(stem_) < _SHARED or not re.search(r"[\d_-]", stem_):
        return False
    plain = " ".join(re.findall(r"[^\W_]+", fold(stem_)))
    return fold(stem_) in said or plain in " ".join(re.findall(r"[^\W_]+", said))


def _stem_of(name: str) -> str:
    return name.rsplit(".", 1)[0]


def _in_file(concept: Concept, file: str) -> bool:
    return any(place.name == file for place in concept.places)


def _defining(concept: Concept) -> list[Place]:
    return [place for place in concept.places if place.quote is not None]


@cache
def _table() -> dict[str, list[str] | list[list[str]]]:
    return tomllib.loads(resources.files("resources").joinpath("lessons.toml").read_text("utf-8"))


@cache
def _words() -> dict[str, frozenset[str]]:
    table = _table()
    return {key: frozenset(str(word) for word in table[key]) for key in ("page", "part")}


@cache
def _numbers() -> dict[str, int]:
    return {word: number for number, forms in enumerate(_table()["numbers"], 1) for word in forms}
