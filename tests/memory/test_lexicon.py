"""Lexicons are data: every language has the same parts, written as its speakers write."""

from __future__ import annotations

import re

import pytest

from memory.calendar_words import calendar
from memory.lexicon import NEVER, alternatives, lexicon, lines
from memory.words import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_cue(language: str) -> None:
    assert set(lexicon(language).cues) == set(lexicon("en").cues)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_cue_matches_the_empty_text(language: str) -> None:
    assert [name for name, cue in lexicon(language).cues.items() if cue.search("")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_calendar_knows_twelve_months_seven_days_and_four_seasons(language: str) -> None:
    found = calendar(language)
    assert set(found.months.values()) == set(range(1, 13))
    assert set(found.weekdays.values()) == set(range(7))
    assert set(found.seasons.values()) == {"spring", "summer", "autumn", "winter"}


def test_an_apostrophe_is_an_optional_space() -> None:
    cue = lexicon("en").compile("don't forget")
    assert cue.search("dont forget")
    assert cue.search("don t forget")


def test_cues_match_whole_words_only() -> None:
    cue = lexicon("en").compile("test")
    assert not cue.search("latest")
    assert not cue.search("testing")


def test_arabic_cues_also_stand_behind_an_attached_and() -> None:
    assert lexicon("ar").compile("شكرا").search("وشكرا")


def test_accents_in_a_lexicon_are_folded() -> None:
    assert lexicon("fr").compile("été").search("ete")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(KeyError):
        lexicon("xx")


def test_an_unknown_cue_never_matches() -> None:
    assert lexicon("en").cue("no such cue") is NEVER


def test_blocks_are_read_line_by_line() -> None:
    assert lines("a\n# note\n\n b \n") == ["a", "b"]
    assert re.fullmatch(alternatives(["a", "b"]), "b")
