"""Checks made from the files' sentences: fair, in several forms, judged without doubt, never the same twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.check_making import CheckMaker
from memory.checks import CheckKind, judge, letters
from memory.episodes import Verdict
from memory.gaps import GAP
from tests.app.check_courses import COURSES, put

LANGUAGES = tuple(COURSES)


@pytest.fixture(params=LANGUAGES)
def making(request: Any, student: Any) -> tuple[Any, CheckMaker, str]:
    """A student with a course of one language, and the maker of its checks."""
    language: str = request.param
    student.subject = student.house.subject(f"Course {language}", create=True)
    put(student.memory, student.subject.id, language)
    return student, CheckMaker(student.memory, student.subject.id), language


def every(maker: CheckMaker, language: str) -> list[Any]:
    """All the checks of a course, as they come one after the other."""
    found = []
    for concept in maker.order:
        asked: list[str] = []
        for _ in range(6):
            check = maker.make(concept, language, asked=asked)
            found.append((concept, check))
            asked.append(check.question)
    return found


def test_every_concept_that_is_defined_can_be_asked_about(making: Any) -> None:
    _, maker, _ = making
    assert len(maker.order) >= 5
    assert all(maker.fair(concept) for concept in maker.order)


def test_the_right_answer_is_right_and_every_other_choice_is_wrong(making: Any) -> None:
    _, maker, language = making
    for _, check in every(maker, language):
        assert judge(check, check.expected) is Verdict.RIGHT
        for letter, choice in zip(letters(language), check.choices, strict=False):
            wanted = Verdict.RIGHT if choice == check.expected else Verdict.WRONG
            assert judge(check, choice) is wanted, (check, choice)
            assert judge(check, letter) is wanted


def test_a_gap_is_the_concept_defined_and_nothing_gives_it_away(making: Any) -> None:
    _, maker, language = making
    for concept, check in every(maker, language):
        if GAP in check.question and check.expected == concept.name:
            assert concept.name.casefold() not in check.question.casefold()
        assert check.source is not None
        assert check.source.page in (1, 2)


def test_the_same_check_never_comes_twice_in_a_row_and_forms_change(making: Any) -> None:
    _, maker, language = making
    for concept in maker.order:
        asked: list[str] = []
        kinds = set()
        for _ in range(6):
            check = maker.make(concept, language, asked=asked)
            assert check.question not in asked[-1:]
            asked.append(check.question)
            kinds.add((check.kind, len(check.choices)))
        assert len(kinds) >= 2
        assert len(set(asked)) >= 3


def test_the_sentence_just_shown_is_not_asked_with_its_name_out(making: Any) -> None:
    _, maker, language = making
    for concept in maker.order:
        shown = concept.definition.text
        check = maker.make(concept, language, shown=shown)
        told = maker.definitions(concept)[0]
        assert told.gapped not in check.question


def test_choices_are_siblings_in_the_same_language_and_none_is_right_as_well(making: Any) -> None:
    student, maker, language = making
    other = "en" if language != "en" else "fr"
    put(student.memory, student.subject.id, other)
    maker = CheckMaker(student.memory, student.subject.id)
    own = {name.casefold() for name in COURSES[language]}
    for concept in maker.order:
        if concept.language != language:
            continue
        for form in maker.forms(concept, language):
            if form.form == "name":
                assert {choice.casefold() for choice in form.check.choices} <= own
                assert len(form.check.choices) >= 3


def test_a_definition_that_says_another_concepts_is_no_gap_question(student: Any) -> None:
    student.subject = student.house.subject("Course", create=True)
    put(student.memory, student.subject.id, "fr")
    maker = CheckMaker(student.memory, student.subject.id)
    root = next(concept for concept in maker.order if concept.name == "racine")
    quote = replace(root.places[0].quote, text="Racine (ou nœud racine) : c'est le nœud de départ de l'arbre.")
    node = replace(root, id="node", name="nœud", names=(), places=(replace(root.places[0], quote=quote),))
    assert not maker.fair(node)
    again = replace(node, id="root2", name="racine")
    (told,) = maker.definitions(again)
    assert told.gapped == "____ : c'est le nœud de départ de l'arbre."


@pytest.mark.parametrize(
    ("language", "name", "right", "wrong"),
    [
        ("fr", "vitesse du son", ["340 m/s", "340,0 m/s", "0,34 km/s", "٣٤٠ m/s", "1224 km/h"], ["34 m/s", "340 km/s"]),
        ("en", "speed of sound", ["340 m/s", "it is 340 m/s", "0.34 km/s"], ["341 m/s", "3 m/s"]),
        ("es", "velocidad del sonido", ["340 m/s", "0,34 km/s"], ["343 m/s"]),
    ],
)
def test_a_number_with_its_unit_is_asked_for(
    student: Any, language: str, name: str, right: list[str], wrong: list[str]
) -> None:
    student.subject = student.house.subject("Course", create=True)
    put(student.memory, student.subject.id, language)
    maker = CheckMaker(student.memory, student.subject.id)
    concept = next(concept for concept in maker.order if concept.name == name)
    (check,) = [form.check for form in maker.forms(concept, language) if form.check.kind is CheckKind.NUMERIC]
    assert "340" not in check.question
    assert name.split()[-1] in check.question
    assert [judge(check, reply) for reply in right] == [Verdict.RIGHT] * len(right)
    assert [judge(check, reply) for reply in wrong] == [Verdict.WRONG] * len(wrong)
    assert judge(check, "340") is Verdict.PARTLY
