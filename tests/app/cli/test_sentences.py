"""What the command line says is said in four languages, with the same keys and the same values."""

from __future__ import annotations

import tomllib
from importlib import resources
from string import Formatter

import pytest


def sentences(language: str) -> dict[str, set[str]]:
    """Key → names of the values it takes."""
    text = resources.files("resources").joinpath("cli", f"{language}.toml").read_text("utf-8")
    return {
        f"{group}.{name}": {field for _, field, _, _ in Formatter().parse(sentence) if field is not None}
        for group, said in tomllib.loads(text).items()
        for name, sentence in said.items()
    }


@pytest.mark.parametrize("language", ["fr", "es", "ar"])
def test_every_language_says_the_same(language: str) -> None:
    assert sentences(language) == sentences("en")
