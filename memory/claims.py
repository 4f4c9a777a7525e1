"""Claims: an answer cut into the sentences that assert something, each with its place in the text.

Sentences and list items are claims; questions, headings, courtesies, introductions and admissions of not knowing are
not. Spans are character offsets into the text as it was given, so that a window can mark exactly those letters.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from memory.words import Plain, fold, identify

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_ITEM = re.compile(r"^\s*(?:>\s*)*(?:[-*+•‣▪–—]\s+|\(?(?:\d{1,3}|[A-Za-z])[.)]\s+(?=\S))?")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|(?:\*\*|__)[^*_]+(?:\*\*|__)\s*:?\s*$)")
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$|^\s*\|?[\s:|-]+\|[\s:|-]*$")
_ENDS = ".!?؟…。"
_CLOSERS = "\"'”’»)]*_"
_LAST_WORD = re.compile(r"([^\s(\[«“\"']+)\.$")
_GERMAN_ORDINAL = re.compile(
    r"\s+(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Jahrhundert|Jh|Klasse|Kapitel|Auflage)"
)
_SPACED_OUT = re.compile(r"[a-z] \w\.(?!\w)")  # "z. B.", "d. h."
_LETTERS = re.compile(r"[^\W_]")
_FEWEST_LETTERS = 6
"""A shorter sentence ("Yes.", "OK.") asserts nothing by itself."""


class SentenceKind(StrEnum):
    """What a sentence does."""

    CLAIM = "claim"
    QUESTION = "question"
    HEADING = "heading"
    COURTESY = "courtesy"
    DISCLAIMER = "disclaimer"


@dataclass(frozen=True, slots=True)
class Sentence:
    """``text[first:last]`` of an answer, and what it does."""

    first: int
    last: int
    text: str
    kind: SentenceKind


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that asserts something: ``text`` is ``answer[first:last]``."""

    first: int
    last: int
    text: str


def split_claims(text: str, language: str | None = None) -> tuple[Claim, ...]:
    """The claims of an answer, in order."""
    return tuple(
        Claim(each.first, each.last, each.text)
        for each in split_sentences(text, language)
        if each.kind is SentenceKind.CLAIM
    )


def disclaims(text: str, language: str | None = None) -> bool:
    """Whether an answer admits somewhere that the files or the record do not tell."""
    return any(each.kind is SentenceKind.DISCLAIMER for each in split_sentences(text, language))


def only_asks(text: str, language: str | None = None) -> bool:
    """Whether an answer is nothing but questions: it answers nothing."""
    kinds = {each.kind for each in split_sentences(text, language)}
    return bool(kinds) and kinds <= {SentenceKind.QUESTION, SentenceKind.HEADING}


def split_sentences(text: str, language: str | None = None) -> tuple[Sentence, ...]:
    """Every sentence, item and heading of an answer, with what it does. Code between fences is left out."""
    language = language or identify(text, "en")
    found = []
    for first, last in _lines(text):
        line = text[first:last]
        if _RULE.match(line):
            continue
        if _HEADING.match(line):
            found.append(_sentence(text, first, last, SentenceKind.HEADING))
            continue
        start = first + len(_ITEM.match(line)[0])  # type: ignore[index]  # the pattern matches the empty string
        for begin, end in spans(text[start:last]):
            found.append(_sentence(text, start + begin, start + end, None, language))
    return tuple(each for each in found if each.text)


def spans(line: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of one line stand: abbreviations, initials, decimals and ordinals end none."""
    start = 0
    position = 0
    while position < len(line):
        if line[position] in _ENDS:
            end = position + 1
            while end < len(line) and line[end] in _ENDS:
                end += 1
            if _is_end(line, start, position, end):
                while end < len(line) and line[end] in _CLOSERS:
                    end += 1
                yield start, end
                start = end
                while start < len(line) and line[start].isspace():
                    start += 1
                position = start
                continue
            position = end
            continue
        position += 1
    if line[start:].strip():
        yield start, len(line.rstrip())


def _is_end(line: str, start: int, position: int, end: int) -> bool:
    after = line[end:].lstrip(_CLOSERS)
    if not after.strip():
        return True
    if not after[0].isspace():
        return line[position] in "؟。"
    if line[position] != "." or end - position > 1:
        return True
    following = after.lstrip()
    word = _LAST_WORD.search(line[start:end])
    if word is None:
        return True
    bare = fold(word[1])
    if bare in _abbreviations() or (len(bare) == 1 and word[1].isupper()) or _SPACED_OUT.match(bare + after):
        return False
    if bare.isdigit() and len(bare) <= 2 and _GERMAN_ORDINAL.match(after):
        return False
    return not following[0].islower()


def _lines(text: str) -> Iterator[tuple[int, int]]:
    position, fenced = 0, False
    for line in text.splitlines(keepends=True):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and line.strip():
            yield position, position + len(line.rstrip())
        position += len(line)


def _sentence(text: str, first: int, last: int, kind: SentenceKind | None, language: str = "en") -> Sentence:
    while first < last and text[first].isspace():
        first += 1
    while last > first and text[last - 1].isspace():
        last -= 1
    words = text[first:last]
    return Sentence(first, last, words, kind or _kind(words, language))


def _kind(words: str, language: str) -> SentenceKind:
    bare = words.rstrip(_CLOSERS + " ")
    plain = Plain.of(words).text
    if bare.endswith(("?", "؟")):
        return SentenceKind.QUESTION
    if _pattern("disclaimers", language).match(plain):
        return SentenceKind.DISCLAIMER
    if bare.endswith(":") or _pattern("courtesies", language).match(plain):
        return SentenceKind.COURTESY
    if len(_LETTERS.findall(words)) < _FEWEST_LETTERS:
        return SentenceKind.COURTESY
    return SentenceKind.CLAIM


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(resources.files("resources").joinpath("claims.toml").read_text("utf-8"))


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(str(_table()["abbreviations"]).split())


@cache
def _pattern(group: str, language: str) -> re.Pattern[str]:
    return re.compile(_table()[group].get(language) or r"(?!)")
