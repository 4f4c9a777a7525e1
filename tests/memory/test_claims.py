"""An answer is cut where its sentences end, and only what asserts something is a claim."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.claims import SentenceKind, split_claims, split_sentences


def texts(answer: str, language: str = "en") -> list[str]:
    return [claim.text for claim in split_claims(answer, language)]


def test_spans_point_into_the_answer_as_it_was_given() -> None:
    answer = "  Osmosis moves water. It needs a membrane!\n\n- Salt stays behind.\n"
    claims = split_claims(answer, "en")
    assert [answer[claim.first : claim.last] for claim in claims] == [claim.text for claim in claims]
    assert [claim.text for claim in claims] == [
        "Osmosis moves water.",
        "It needs a membrane!",
        "Salt stays behind.",
    ]


def test_abbreviations_initials_and_decimals_end_no_sentence() -> None:
    answer = "See e.g. Fig. 3 on p. 12 for pi = 3.14 in J. Smith's book. Mr. Brown agrees, i.e. he nods."
    assert texts(answer) == [
        "See e.g. Fig. 3 on p. 12 for pi = 3.14 in J. Smith's book.",
        "Mr. Brown agrees, i.e. he nods.",
    ]


def test_german_ordinals_end_no_sentence_and_a_year_does() -> None:
    assert texts("Am 12. Juli war es so weit, z. B. in Berlin. Es war 1789. Dann kam der Winter.", "de") == [
        "Am 12. Juli war es so weit, z. B. in Berlin.",
        "Es war 1789.",
        "Dann kam der Winter.",
    ]


def test_arabic_marks_end_sentences() -> None:
    answer = "ينتقل الماء عبر الغشاء. هل هذا واضح؟ يتوقف عند التوازن."
    assert texts(answer, "ar") == ["ينتقل الماء عبر الغشاء.", "يتوقف عند التوازن."]


def test_numbered_and_bulleted_items_are_claims_of_their_own() -> None:
    answer = "Three steps:\n1. Water enters the cell.\n2) The cell swells.\n* It bursts in the end."
    assert texts(answer) == ["Water enters the cell.", "The cell swells.", "It bursts in the end."]


def test_headings_rules_and_code_claim_nothing() -> None:
    answer = "# Osmosis\n**In short**\n---\n```\nx = water.move()\n```\nWater moves through the membrane."
    assert texts(answer) == ["Water moves through the membrane."]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Great question!"),
        ("en", "Let me know if you want more."),
        ("fr", "N'hésite pas à me demander."),
        ("es", "Espero que te ayude."),
        ("ar", "لا تتردد في السؤال."),
        ("de", "Ich hoffe, das hilft dir."),
        ("it", "Fammi sapere se non è chiaro."),
        ("pt", "Boa pergunta!"),
    ],
)
def test_courtesies_claim_nothing(language: str, sentence: str) -> None:
    assert split_sentences(sentence, language)[0].kind is SentenceKind.COURTESY


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Your files do not mention this."),
        ("en", "I don't know who discovered it."),
        ("fr", "Je ne trouve rien à ce sujet dans tes fichiers."),
        ("fr", "Tes fichiers n'en disent rien, ces fichiers ne le précisent pas."),
        ("es", "No encuentro nada sobre eso."),
        ("ar", "لا أجد ذلك في ملفاتك."),
        ("de", "Ich finde nichts dazu in deinen Dateien."),
        ("it", "Non trovo nulla su questo."),
        ("pt", "Não encontro nada sobre isso."),
    ],
)
def test_admissions_of_not_knowing_claim_nothing(language: str, sentence: str) -> None:
    kinds = {each.kind for each in split_sentences(sentence, language)}
    assert kinds == {SentenceKind.DISCLAIMER}


def test_a_quoted_sentence_keeps_its_closing_mark() -> None:
    assert texts("He wrote “Water moves.” Then he stopped writing.") == [
        "He wrote “Water moves.”",
        "Then he stopped writing.",
    ]


def test_a_short_word_alone_claims_nothing() -> None:
    assert texts("Yes. Osmosis moves water.") == ["Osmosis moves water."]


@given(st.text(max_size=200))
def test_sentences_never_overlap_and_always_lie_in_the_text(answer: str) -> None:
    end = 0
    for sentence in split_sentences(answer, "en"):
        assert end <= sentence.first < sentence.last <= len(answer)
        assert answer[sentence.first : sentence.last] == sentence.text
        end = sentence.last
