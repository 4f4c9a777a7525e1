"""The words that check topics and replies are read with, one ``resources/checks/<language>.toml`` a language."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from memory.words import LANGUAGES, fold, tokens


@dataclass(frozen=True, slots=True)
class CheckWords:
    """Folded words of all languages together; a ``no_idea`` is a whole reply, as its words in order."""

    openers: frozenset[str]
    telling: frozenset[str]
    negations: frozenset[str]
    articles: frozenset[str]
    no_idea: frozenset[tuple[str, ...]]


@cache
def check_words() -> CheckWords:
    """The words of every language: a topic or a reply may be in another language than the course."""
    folder = resources.files("resources").joinpath("checks")
    tables = [tomllib.loads(folder.joinpath(f"{language}.toml").read_text("utf-8")) for language in LANGUAGES]

    def words(*keys: str) -> frozenset[str]:
        return frozenset(fold(word) for table in tables for key in keys for word in table[key].split())

    return CheckWords(
        openers=words("openers"),
        telling=words("questions", "requests", "pronouns", "said"),
        negations=words("negations"),
        articles=words("articles"),
        no_idea=frozenset(tuple(tokens(said)) for table in tables for said in table["no_idea"]),
    )
