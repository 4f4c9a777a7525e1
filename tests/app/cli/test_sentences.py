"""What the command line says is said in four languages, with the same keys and the same values."""

from __future__ import annotations

import tomllib
from importlib import resources
from string import Formatter

import pytest

from app.cli.speech import Speech


def sentences(language: str) -> dict[str, set[str]]:
    """Key → names of the values it takes."""
    text = resources.files("resources").joinpath("cli", f"{language}.toml").read_text("utf-8")
    return {
        f"{group}.{name}": {field for form in forms(sentence) for _, field, _, _ in Formatter().parse(form) if field}
        for group, said in tomllib.loads(text).items()
        for name, sentence in said.items()
    }


def forms(sentence: str | dict[str, str]) -> list[str]:
    """A sentence, or each of its plural forms."""
    return [sentence] if isinstance(sentence, str) else list(sentence.values())


@pytest.mark.parametrize("language", ["fr", "es", "ar"])
def test_every_language_says_the_same(language: str) -> None:
    assert sentences(language) == sentences("en")


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [
        ("en", "1 page", "18 pages"),
        ("fr", "1 page", "18 pages"),
        ("es", "1 página", "18 páginas"),
        ("ar", "صفحة واحدة", "18 صفحة"),
    ],
)
def test_counts_agree_with_their_noun(language: str, one: str, many: str) -> None:
    say = Speech(language)
    assert (say("read.pages", n=1), say("read.pages", n=18)) == (one, many)
