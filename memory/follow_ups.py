"""Follow-ups: a message that leans on the one before it ("why?", "an example?", "and in animals?")."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from memory.moments import Moment
from memory.pools import question_terms
from memory.understanding import MessageKind, Understanding
from memory.windows import find_window
from memory.words import Plain, stem, tokens

LONGEST_CHANGE = 6
"""Words of a message that changes the time or the concept of the question before it."""
LONGEST = 3
"""Words of its own that a message with an opener may have and still lean on the one before."""


def leans_back(text: str, meaning: Understanding) -> bool:
    """Whether an ordinary message needs the one before it to say what it is about.

    It names no concept, and has no word of its own, or begins like a continuation and has few.
    """
    if meaning.kind is not MessageKind.ORDINARY or meaning.routes or meaning.window is not None:
        return False
    words = _words(meaning.language)
    own = [root for _, root in question_terms(text, meaning) if root not in words.turns]
    return not own or (len(own) <= LONGEST and words.openers.match(Plain.of(text).text) is not None)


def changed(text: str, meaning: Understanding, before: Understanding, now: Moment) -> Understanding | None:
    """The question about the record ``before``, with the time or the concept that this message puts in their place.

    None where the message does not only do that ("and in November?", "and on osmosis?").
    """
    if before.kind is not MessageKind.RECORD or meaning.kind is not MessageKind.ORDINARY:
        return None
    if len(tokens(text)) > LONGEST_CHANGE or not _words(meaning.language).openers.match(Plain.of(text).text):
        return None
    found = find_window(text, meaning.language, now)
    if found is None and not meaning.routes:
        return None
    topic = meaning if meaning.routes else before
    window = found.window if found is not None else before.window
    return replace(
        before, window=window, routes=topic.routes, concept_text=topic.concept_text, language=meaning.language
    )


@dataclass(frozen=True, slots=True)
class _Words:
    openers: re.Pattern[str]
    turns: frozenset[str]


@cache
def _words(language: str) -> _Words:
    every = tomllib.loads(resources.files("resources").joinpath("follow_ups.toml").read_text("utf-8"))
    table = every.get(language, every["en"])
    openers = "|".join(re.escape(opener) for opener in table["openers"])
    joined = r"و(?=\w)" if language == "ar" else r"(?!)"
    turns = frozenset(stem(word, language) for word in tokens(table["turns"]))
    return _Words(re.compile(rf"(?:{openers})\b|{joined}"), turns)
