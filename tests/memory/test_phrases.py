"""Every sentence exists in every language, with the same placeholders and all its plural forms."""

from __future__ import annotations

from datetime import date

import pytest
from babel import Locale

from memory.moments import Window
from memory.phrases import (
    LANGUAGES,
    MissingPhrase,
    Phrases,
    capitalised,
    flattened,
    phrases_for,
    placeholders_of,
    shortened,
)

TODAY = date(2026, 10, 15)


def _forms(sentence: str | dict[str, str]) -> list[str]:
    return [sentence] if isinstance(sentence, str) else list(sentence.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_holds_the_same_keys(language: str) -> None:
    assert phrases_for(language).keys == phrases_for("en").keys


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_has_the_placeholders_of_the_english_one(language: str) -> None:
    english, other = phrases_for("en"), phrases_for(language)
    for key in sorted(english.keys):
        allowed = frozenset().union(*map(placeholders_of, _forms(english.sentence(key)))) | {"n"}
        needed = allowed - {"n", "days", "last"}
        for form in _forms(other.sentence(key)):
            assert placeholders_of(form) <= allowed, (key, form)
            if isinstance(other.sentence(key), str):
                assert needed <= placeholders_of(form), (key, form)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_tables_hold_every_form_of_their_language(language: str) -> None:
    locale = Locale.parse(language)
    wanted = {str(locale.plural_form(n)) for n in range(1, 200)}
    phrases = phrases_for(language)
    for key in phrases.keys:
        sentence = phrases.sentence(key)
        if isinstance(sentence, dict):
            assert wanted <= sentence.keys(), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_count_is_said_in_every_plural_form_but_one_and_two(language: str) -> None:
    phrases = phrases_for(language)
    for key in phrases.keys:
        sentence = phrases.sentence(key)
        if isinstance(sentence, dict) and any("{n}" in form for form in sentence.values()):
            for form, text in sentence.items():
                assert form in {"one", "two"} or "{n}" in text or language == "ar", (key, form)


def test_a_missing_key_is_an_error_that_names_language_and_key() -> None:
    with pytest.raises(MissingPhrase) as fault:
        phrases_for("fr").say("no.such.key")
    assert (fault.value.language, fault.value.key) == ("fr", "no.such.key")


def test_a_language_that_retiens_does_not_speak_is_answered_in_english() -> None:
    assert phrases_for("nl").language == "en"
    assert phrases_for(None).language == "en"


def test_arabic_counts_follow_the_six_plural_forms() -> None:
    arabic = phrases_for("ar")
    said = [arabic.say("count.questions", n=n) for n in (1, 2, 3, 11, 100)]
    assert said == ["سؤال واحد", "سؤالان", "3 أسئلة", "11 سؤالًا", "100 سؤال"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("fr", "le 1er juillet"),
        ("en", "on July 1"),
        ("es", "el 1 de julio"),
        ("ar", "يوم 1 يوليو"),
        ("de", "am 1. Juli"),
        ("it", "il 1º luglio"),
        ("pt", "em 1 de julho"),
    ],
)
def test_days_are_said_as_each_language_says_them(language: str, said: str) -> None:
    assert phrases_for(language).on(date(2026, 7, 1), TODAY) == said


def test_a_day_of_another_year_is_said_with_its_year() -> None:
    assert phrases_for("fr").on(date(2025, 7, 12), TODAY) == "le 12 juillet 2025"


def test_italian_elides_before_the_eighth_and_the_eleventh() -> None:
    italian = phrases_for("it")
    assert italian.on(date(2026, 7, 8), TODAY) == "l'8 luglio"
    assert italian.since(date(2026, 7, 11), TODAY) == "dall'11 luglio"


@pytest.mark.parametrize(
    ("window", "said"),
    [
        (Window(date(2026, 7, 1), date(2026, 7, 31)), "en juillet 2026"),
        (Window(date(2026, 7, 12), date(2026, 7, 12)), "le 12 juillet 2026"),
        (Window(date(2026, 3, 1), date(2026, 5, 31)), "de mars 2026 à mai 2026"),
        (Window(date(2025, 1, 1), date(2025, 12, 31)), "en 2025"),
        (Window(date(2026, 10, 5), date(2026, 10, 11)), "du 5 octobre au 11 octobre 2026"),
        (Window(date(2025, 12, 29), date(2026, 1, 4)), "du 29 décembre 2025 au 4 janvier 2026"),
    ],
)
def test_a_window_is_said_as_the_span_it_is(window: Window, said: str) -> None:
    assert phrases_for("fr").window(window) == said


def test_spanish_says_e_before_the_sound_i() -> None:
    assert phrases_for("es").list(["ósmosis", "hidrólisis"]) == "ósmosis e hidrólisis"
    assert phrases_for("es").list(["célula", "hielo"]) == "célula y hielo"
    assert phrases_for("es").list(["a", "b", "inercia"]) == "a, b e inercia"


def test_a_long_quotation_is_cut_on_a_word() -> None:
    assert shortened("one two three four", 12) == "one two…"
    assert phrases_for("en").quote("  spaced \n out ") == "“spaced out”"


def test_braces_in_a_students_words_are_only_words() -> None:
    assert phrases_for("en").say("missed.asked", question="{n} {0}") == "The question was {n} {0}"


def test_a_table_of_plural_forms_is_one_sentence_and_any_other_table_is_a_group() -> None:
    found = flattened({"a": {"one": "x", "other": "y"}, "b": {"c": "z"}})
    assert found == {"a": {"one": "x", "other": "y"}, "b.c": "z"}
    assert Phrases("en", found).say("a", n=2) == "y"


def test_capitals_are_raised_and_the_rest_is_left_alone() -> None:
    assert capitalised("le DNA") == "Le DNA"
    assert capitalised("") == ""
