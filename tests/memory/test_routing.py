"""Concepts are found by their names, exactly."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.routing import NameRow, Names

NAMES = Names(
    [
        NameRow("wave", "Wave"),
        NameRow("sound", "Sound wave"),
        NameRow("newton", "Newton's laws"),
        NameRow("osmosis", "Osmosis"),
        NameRow("osmosis", "L'osmose", alias=True),
        NameRow("osmosis", "التناضح", alias=True),
        NameRow("light", "البناء الضوئي"),
        NameRow("c", "C"),
        NameRow("cpp", "C++"),
        NameRow("will", "Will"),
    ]
)


def found(text: str, language: str) -> list[tuple[str, str]]:
    return [(route.id, text[route.first : route.last]) for route in NAMES.route(text, language)]


def test_the_longest_name_wins_and_matches_do_not_overlap() -> None:
    assert found("quiz me on sound waves", "en") == [("sound", "sound waves")]


def test_a_shorter_name_is_still_found_elsewhere_in_the_text() -> None:
    assert found("sound waves and waves", "en") == [("sound", "sound waves"), ("wave", "waves")]


def test_articles_plurals_case_and_elision_do_not_matter() -> None:
    assert found("explique-moi l'OSMOSE", "fr") == [("osmosis", "OSMOSE")]
    assert found("Newton's law", "en") == [("newton", "Newton's law")]


@pytest.mark.parametrize("text", ["اختبرني في التناضح", "اختبرني بالتناضح", "ماذا أراجع للتناضح", "وتناضح"])
def test_arabic_particles_written_onto_a_word_do_not_hide_it(text: str) -> None:
    assert [route.id for route in NAMES.route(text, "ar")] == ["osmosis"]


def test_an_alias_is_said_to_be_one() -> None:
    assert [route.how for route in NAMES.route("osmosis", "en")] == ["name"]
    assert [route.how for route in NAMES.route("التناضح", "ar")] == ["alias"]


def test_signs_tell_names_apart() -> None:
    assert found("is C++ harder than C?", "en") == [("cpp", "C++"), ("c", "C")]


def test_a_name_that_is_a_function_word_needs_its_own_spelling() -> None:
    assert found("will it rain", "en") == []
    assert found("is Will the hero", "en") == [("will", "Will")]


def test_a_word_inside_another_word_is_not_a_name() -> None:
    assert found("microwaveable", "en") == []


def test_no_names_no_routes() -> None:
    assert Names().route("osmosis", "en") == ()


@given(st.text(max_size=60), st.sampled_from(["en", "fr", "ar", "de"]))
def test_spans_lie_in_the_text_and_never_overlap(text: str, language: str) -> None:
    routes = NAMES.route(text, language)
    assert all(0 <= route.first < route.last <= len(text) for route in routes)
    assert all(one.last <= other.first for one, other in pairwise(routes))
