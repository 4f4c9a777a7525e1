"""Courtesies: which one a bit of small talk is, and whether a word is a yes. The words are data."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from memory.words import fold, tokens

_ORDER = ("how", "thanks", "bye", "hello")
LONGEST_YES = 4
"""Words of a yes; a longer message says something of its own."""


def courtesy(text: str, language: str) -> str:
    """Which courtesy a small-talk message is: hello, how, thanks, bye, or ok for any other."""
    words = " ".join(tokens(text))
    for kind in _ORDER:
        for start in _words(language)[kind]:
            if _begins(words, start):
                return kind
    return "ok"


def agrees(text: str, language: str) -> bool:
    """Whether a short message is a yes, in its language or in English."""
    said = tokens(text)
    if not said or len(said) > LONGEST_YES:
        return False
    words = " ".join(said)
    return any(_begins(words, start) for spoken in (language, "en") for start in _words(spoken)["yes"])


def _begins(words: str, start: str) -> bool:
    return words == start or words.startswith(f"{start} ")


@cache
def _words(language: str) -> dict[str, list[str]]:
    table = _table()
    kinds = table.get(language) or table["en"]
    return {kind: [" ".join(tokens(fold(word))) for word in words] for kind, words in kinds.items()}


@cache
def _table() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(resources.files("resources").joinpath("small_talk.toml").read_text("utf-8"))
