"""What a taught note is about when it names no known concept: a term that it defines, or the student. Pure.

The rules are data, ``resources/teaching/<language>.toml``, written for :class:`memory.words.Plain` text.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from importlib import resources
from typing import Any

from memory.naming import fault_of_name
from memory.words import LANGUAGES, Plain, stop_words, tokens

_WORD = re.compile(r"[^\W_]+")
_TERM_WORDS = 3  # of a term, link words apart
_OPENING_WORDS = 4  # of a subject that a note opens with
_PREFIX_WORDS = (2, 3)  # that two notes must open with: at the least, and to be about the same thing without more ado
_MOSTLY = 0.6
_PARTING = ',;:.!?"()=«»“”„،؛؟…'


@dataclass(frozen=True, slots=True)
class NoteRules:
    """The rules of one language."""

    language: str
    define: tuple[re.Pattern[str], ...]
    self: re.Pattern[str]
    student: re.Pattern[str]
    place: re.Pattern[str]
    replaces: re.Pattern[str]
    verbs: frozenset[str]
    determiners: frozenset[str]
    of: frozenset[str]


@cache
def note_rules(language: str) -> NoteRules:
    """The rules of a language; English for one without any."""
    tongue = language if language in LANGUAGES else "en"
    source = resources.files("resources").joinpath("teaching", f"{tongue}.toml")
    raw: dict[str, Any] = tomllib.loads(source.read_text(encoding="utf-8"))
    return NoteRules(
        language=tongue,
        define=tuple(re.compile(pattern) for pattern in raw["define"]),
        self=re.compile(raw["self"]),
        student=re.compile(raw["student"]),
        place=re.compile(raw["place"]),
        replaces=re.compile(raw["replaces"]),
        verbs=frozenset(raw["verbs"].split()),
        determiners=frozenset(raw["determiners"].split()),
        of=frozenset(raw["of"].split()),
    )


def term_of(text: str, language: str) -> str | None:
    """The short name of the term that a note defines or renames; None for a note about the student, or about nothing.

    A definition or a renaming wins over the first person ("when I write P I mean pressure" is about pressure); the
    first person wins over a mere "X is …" ("my exam is on Friday" is about the student).
    """
    rules, plain = note_rules(language), Plain.of(text)
    for pattern in rules.define:
        for found in pattern.finditer(plain.text):
            name = _term(plain, found.start("rest"), found.end("rest"), rules)
            if name:
                return name
    return None if rules.self.search(plain.text) else _subject(plain, rules)


def is_about_student(text: str, language: str) -> bool:
    """Whether a note is about the student: the first person, teachers, exams, dates of a student's life."""
    rules, plain = note_rules(language), Plain.of(text)
    return bool(rules.self.search(plain.text) or rules.student.search(plain.text))


def says_it_replaces(text: str, language: str) -> bool:
    """Whether the wording says that something else held until now."""
    return bool(note_rules(language).replaces.search(Plain.of(text).text))


def opens_alike(one: str, two: str, names: tuple[str, ...], language: str) -> bool:
    """Whether two notes say something of the same thing: equal up to their verb and to the concept they name.

    After an opening of two words ("density is …") most of the rest has to be equal too.
    """
    first, second = tokens(one, language), tokens(two, language)
    length = _prefix(first, names, language)
    if length < _PREFIX_WORDS[0] or first == second or first[:length] != second[:length]:
        return False
    return length >= _PREFIX_WORDS[1] or SequenceMatcher(None, first, second).ratio() >= _MOSTLY


def shared_words(one: str, two: str, language: str) -> int:
    """How many telling words two notes have in common."""
    stops = stop_words(language) if language in LANGUAGES else frozenset[str]()
    return len((set(tokens(one, language)) & set(tokens(two, language))) - stops)


def _prefix(words: list[str], names: tuple[str, ...], language: str) -> int:
    """How many words a note needs to have said what it is about: through its first verb and its concept's name."""
    verbs = note_rules(language).verbs
    end = next((place + 1 for place, word in enumerate(words) if word in verbs), 0)
    for name in names:
        named = tokens(name, language)
        for place in range(len(words) - len(named) + 1):
            if named and words[place : place + len(named)] == named:
                end = max(end, place + len(named))
                break
    return end


def _term(plain: Plain, first: int, last: int, rules: NoteRules) -> str | None:
    """The noun phrase that opens ``text[first:last]``, as typed."""
    words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(plain.text, first, last)]
    while words and (words[0][0] in rules.determiners):
        words = words[1:]
    stops = stop_words(rules.language) | rules.determiners | rules.verbs
    kept = 0
    content = 0
    while kept < len(words) and content < _TERM_WORDS:
        word, start, _ = words[kept]
        if kept and (_parted(plain.between(words[kept - 1][2], start)) or not _continues(words[0][0], word, rules)):
            break
        if word in rules.of and content and kept + 1 < len(words):
            after = kept + 1
            while after < len(words) - 1 and words[after][0] in rules.determiners:
                after += 1
            if after - kept > 2 or words[after][0] in stops:
                break
            kept = after
            continue
        if word in stops or word.isdigit():
            break
        kept += 1
        content += 1
    if not content:
        return None
    name = plain.original(words[0][1], words[kept - 1][2])
    return name if fault_of_name(name, rules.language) is None else None


def _subject(plain: Plain, rules: NoteRules) -> str | None:
    """The short subject that a note opens with, when a verb, a colon or an equals sign follows it; never a person."""
    opening = rules.place.match(plain.text)
    start = opening.end() if opening else 0
    words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(plain.text, start)]
    while words and words[0][0] in rules.determiners:
        words = words[1:]
    for place, (word, start, _) in enumerate(words[: _OPENING_WORDS + 1]):
        between = plain.text[words[place - 1][2] : start] if place else ""
        if place and (word in rules.verbs or ":" in between or "=" in between):
            name = plain.original(words[0][1], words[place - 1][2])
            person = rules.student.search(plain.text, words[0][1], words[min(place + 2, len(words) - 1)][2])
            return None if person or fault_of_name(name, rules.language) else name
        if _parted(between) or (place and not _continues(words[0][0], word, rules)):
            return None
        if word in stop_words(rules.language) and word not in rules.of and word not in rules.determiners:
            return None
    return None


def _continues(first: str, word: str, rules: NoteRules) -> bool:
    """Arabic: an adjective agrees with its noun in the article; what does not is another phrase."""
    return rules.language != "ar" or (first.startswith("ال") == word.startswith("ال"))


def _parted(between: str) -> bool:
    """Whether what stands between two words parts them; an apostrophe does where a space stands beside it."""
    return any(mark in between for mark in _PARTING) or ("'" in between and " " in between)
