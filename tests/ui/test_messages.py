"""The interface says the same things in every language it has, and says each of them somewhere."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from memory.episodes import Kind, Origin, Verdict
from memory.phrases import PLURAL_FORMS, Sentence, placeholders_of
from ui.messages import INTERFACE_LANGUAGES, Messages, _read, pick_language

TODAY = date(2026, 12, 1)
ROOT = Path(__file__).parents[2]


def forms(sentence: Sentence) -> list[str]:
    return list(sentence.values()) if isinstance(sentence, dict) else [sentence]


@pytest.mark.parametrize("language", INTERFACE_LANGUAGES)
def test_every_language_has_the_same_keys_as_english(language: str) -> None:
    assert _read(language).keys == _read("en").keys


@pytest.mark.parametrize("language", INTERFACE_LANGUAGES)
def test_no_language_has_a_placeholder_that_english_has_not_and_the_general_form_has_all(language: str) -> None:
    english, other = _read("en"), _read(language)
    for key in english.keys:
        wanted = set().union(*(placeholders_of(form) for form in forms(english.sentence(key)))) - {"n"}
        for form in forms(other.sentence(key)):
            assert placeholders_of(form) - {"n"} <= wanted, key
        sentence = other.sentence(key)
        general = sentence["other"] if isinstance(sentence, dict) else sentence
        assert placeholders_of(general) - {"n"} == wanted, key


@pytest.mark.parametrize("language", INTERFACE_LANGUAGES)
def test_plurals_are_named_as_the_language_names_them(language: str) -> None:
    messages = _read(language)
    for key in messages.keys:
        sentence = messages.sentence(key)
        if isinstance(sentence, dict):
            assert set(sentence) <= PLURAL_FORMS
            assert "other" in sentence, key


def test_every_key_that_the_window_names_exists() -> None:
    known = _read("en").keys
    named = set()
    for path in (ROOT / "ui").rglob("*.py"):
        named |= set(re.findall(r"""\bt\(\s*"([a-z_]+\.[a-z_]+)\"""", path.read_text("utf-8")))
    assert named
    assert not named - known


def test_every_kind_origin_and_verdict_has_a_word() -> None:
    known = _read("en").keys
    wanted = {f"kind.{kind.value}" for kind in Kind} | {f"origin.{origin.value}" for origin in Origin}
    assert wanted | {f"verdict.{verdict.value}" for verdict in Verdict} <= known


def test_a_day_is_today_yesterday_or_named() -> None:
    english, french = Messages("en"), Messages("fr")
    assert english.day(TODAY, TODAY) == "Today"
    assert french.day(date(2026, 11, 30), TODAY) == "Hier"
    assert french.day(date(2026, 11, 3), TODAY) == "Mardi 3 novembre"
    assert english.day(date(2025, 11, 3), TODAY) == "Monday 3 November 2025"


def test_sizes_and_shares_are_written_as_the_language_writes_them() -> None:
    assert Messages("en").size(1_117_000_000) == "1.1 GB"
    assert Messages("fr").size(1_117_000_000) == "1,1 Go"
    assert Messages("en").percent(0.421) == "42%"


def test_the_interface_language_is_the_chosen_one_else_the_systems_else_english() -> None:
    assert pick_language("es", "fr_FR") == "es"
    assert pick_language(None, "fr_FR") == "fr"
    assert pick_language(None, "ja_JP") == "en"
