"""Folding, tokens, rule form and language of a text."""

from __future__ import annotations

import errno

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import words
from memory.words import (
    LANGUAGES,
    Plain,
    fold,
    identify,
    nearly_same,
    ranked_languages,
    stems,
    stop_words,
    tokens,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Été", "ete"),
        ("Straße", "strasse"),
        ("œuvre", "oeuvre"),
        ("الأُستاذةُ", "الاستاذه"),
        ("٣٤", "34"),
        ("مـــارس", "مارس"),
        ("l’eau", "l'eau"),
    ],
)
def test_two_spellings_of_a_word_become_one(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(max_size=80))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_elided_articles_are_split_off() -> None:
    assert tokens("L'osmose d'hier", "fr") == ["osmose", "hier"]


def test_forms_of_one_word_share_a_stem() -> None:
    assert stems("fractions", "en") == stems("fraction", "en")


@given(st.text(max_size=80))
def test_the_rule_form_points_back_to_the_letters_it_came_from(text: str) -> None:
    plain = Plain.of(text)
    assert len(plain.text) == len(plain.origins)
    assert list(plain.origins) == sorted(plain.origins)
    assert "  " not in plain.text
    if plain.text:
        assert plain.original(0, len(plain.text)) in text


def test_the_rule_form_opens_apostrophes_and_hyphens_and_glues_marks() -> None:
    assert Plain.of("Rappelle-toi : j’ai  tort !!!").text == "rappelle toi: j ai tort!"


def test_a_span_of_the_rule_form_is_the_students_own_letters() -> None:
    raw = "Retiens que l'Été  c’est « bien »"
    plain = Plain.of(raw)
    start = plain.text.index("ete")
    assert plain.original(start, start + 3) == "Été"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_function_words(language: str) -> None:
    assert len(stop_words(language)) > 60
    assert all(word == fold(word) for word in stop_words(language))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("what did we do yesterday", "en"),
        ("qu'est-ce qu'on a vu hier", "fr"),
        ("qué vimos ayer", "es"),
        ("ماذا درسنا أمس", "ar"),
        ("was haben wir gestern gemacht", "de"),
        ("cosa abbiamo fatto ieri", "it"),
        ("o que fizemos ontem", "pt"),
        ("gracias", "es"),
        ("danke", "de"),
        ("obrigado", "pt"),
    ],
)
def test_the_language_of_short_texts_is_told(text: str, language: str) -> None:
    assert identify(text, "en" if language != "en" else "fr") == language


@pytest.mark.parametrize("text", ["", "7/12", "???", "x = 3"])
def test_what_tells_nothing_keeps_the_conversations_language(text: str) -> None:
    assert identify(text, "it") == "it"


def test_the_likeliest_language_comes_first() -> None:
    assert ranked_languages("quiz", "fr")[0] in LANGUAGES


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("thaaanks!!!", "thanks!"),
        ("obrigadaaa", "obrigada"),
        ("شكرااا كتييير", "شكرا كتير"),
        ("XVIIIe siècle", "xviiie siecle"),
        ("www.site.org", "www.site.org"),
        ("see you", "see you"),
    ],
)
def test_a_letter_drawn_out_is_one_letter(raw: str, plain: str) -> None:
    assert Plain.of(raw).text == plain


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("osmosis", "osmosys", True),
        ("osmosis", "osmossi", True),
        ("mitochondries", "mitochondria", True),
        ("cell", "bell", False),
        ("quaternions", "questions", False),
        ("photosynthese", "phtosynthese", True),
        ("rome", "romes", False),
    ],
)
def test_two_words_are_nearly_the_same_when_typing_or_an_ending_parts_them(one: str, other: str, same: bool) -> None:
    assert nearly_same(one, other) is same
    assert nearly_same(other, one) is same


@given(st.text("abcdeé", max_size=12), st.text("abcdeé", max_size=12))
def test_nearness_of_words_has_no_direction(one: str, other: str) -> None:
    assert nearly_same(one, other) is nearly_same(other, one)


def test_without_room_for_temporary_files_the_words_of_a_text_still_tell_its_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*args: object, **options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    words._identifier.cache_clear()
    monkeypatch.setattr("py3langid.modelio.tempfile.TemporaryFile", full)
    assert identify("What is the difference between osmosis and diffusion?", "fr") == "en"
    assert identify("Quelle est la différence entre ces deux choses ?", "en") == "fr"
