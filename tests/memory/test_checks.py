"""Checks: their round trip, judging without a model, and which concept a topic names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.check_topics import reads_like_an_utterance
from memory.checks import Check, CheckKind, LessonStates, PendingChecks, judge
from memory.episodes import ConceptId, Evidence, Verdict
from memory.quantities import quantities

R, P, W = Verdict.RIGHT, Verdict.PARTLY, Verdict.WRONG
ORGANS = ("The mitochondria", "The nucleus", "The cell membrane", "The cell wall")


def choice(expected: str = "The nucleus", choices: tuple[str, ...] = ORGANS) -> Check:
    return Check(CheckKind.MULTIPLE_CHOICE, "Where is the DNA?", expected, "en", choices=choices)


def number(expected: str, question: str = "How much?", language: str = "fr", tolerance: float | None = None) -> Check:
    return Check(CheckKind.NUMERIC, question, expected, language, tolerance=tolerance)


def gap(expected: str, *accepted: str) -> Check:
    return Check(CheckKind.CLOZE, "Water crosses a membrane by …", expected, "en", accepted=accepted)


class TestMultipleChoice:
    @pytest.mark.parametrize(
        ("reply", "verdict"),
        [
            ("b", R),
            ("B)", R),
            ("(b)", R),
            ("2", R),
            ("ب", R),
            ("nucleus", R),
            ("the nucleus", R),
            ("I think it is the nucleus", R),
            ("answer B", R),
            ("la b", R),
            ("réponse b !", R),
            ("la a", W),
            ("not b", None),
            ("الجواب ب", R),
            ("c", W),
            ("3.", W),
            ("mitochondria", W),
            ("the cell wall", W),
            ("I don't know", W),
            ("je sais pas", W),
            ("not the nucleus", None),
            ("the nucleus or the cell wall", None),
            ("cell", None),
            ("z", None),
            ("9", None),
            ("", None),
            ("a very long story about something else", None),
        ],
    )
    def test_by_letter_number_or_words(self, reply: str, verdict: Verdict | None) -> None:
        assert judge(choice(), reply) is verdict

    def test_choices_that_are_numbers_are_meant_by_their_value(self) -> None:
        check = choice("2", ("4", "2", "1"))
        assert judge(check, "2") is R
        assert judge(check, "1") is W

    def test_an_expected_choice_may_be_given_by_its_letter(self) -> None:
        assert judge(choice("B"), "nucleus") is R


class TestNumbers:
    @pytest.mark.parametrize(
        ("expected", "reply", "verdict"),
        [
            ("9,81 m/s²", "9.81 m/s^2", R),
            ("9,81 m/s²", "9,8 m/s²", W),
            ("20 m/s", "72 km/h", R),
            ("20 m/s", "20", P),
            ("20 m/s", "20 m", P),
            ("20 m/s", "21 m/s", W),
            ("1200", "1 200", R),
            ("1200", "1,200", R),
            ("0,75", "3/4", R),
            ("25 %", "0,25", R),
            ("25 %", "25", R),
            ("25 %", "26 %", W),
            ("0,25", "25 %", R),
            ("3.5", "٣٫٥", R),
            ("6,02 × 10^23", "6.02e23", R),
            ("46 chromosomes", "46", R),
            ("12", "x = 12", R),
            ("12", "2x = 24, x = 12", R),
            ("-3", "−3", R),
            ("12", "12 ou 13", None),
            ("12", "douze", None),
            ("12", "je ne sais pas", W),
            ("2 kJ", "2000 J", R),
            ("3 h", "180 min", R),
        ],
    )
    def test_with_units_and_comma_decimals(self, expected: str, reply: str, verdict: Verdict | None) -> None:
        assert judge(number(expected), reply) is verdict

    def test_a_bare_number_is_enough_when_the_question_names_the_unit(self) -> None:
        assert judge(number("20 m/s", "What is the speed in m/s?"), "20") is R

    def test_a_tolerance_is_in_the_expected_unit(self) -> None:
        assert judge(number("9,81 m/s²", tolerance=0.05), "9.8 m/s²") is R

    @given(st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 3)))
    def test_a_number_is_right_about_itself_with_a_point_or_a_comma(self, value: float) -> None:
        text = f"{value:.3f}"
        assert judge(number(text, language="en"), text) is R
        assert judge(number(text, language="en"), text.replace(".", ",")) is R

    @given(st.text(max_size=60))
    def test_any_text_is_read_without_a_fault(self, text: str) -> None:
        quantities(text)
        judge(number("12 m/s"), text)
        judge(choice(), text)
        judge(gap("osmosis"), text)
        reads_like_an_utterance(text or "x")


class TestGaps:
    @pytest.mark.parametrize(
        ("reply", "verdict"),
        [
            ("osmosis", R),
            ("Osmosis.", R),
            ("it is osmosis", R),
            ("the osmosis", R),
            ("diffusion", W),
            ("osmossis", R),
            ("osmsois", R),
            ("A", None),
            ("osmoses", None),
            ("not osmosis", None),
            ("something about water going through the small holes", None),
            ("no idea", W),
        ],
    )
    def test_by_folded_words(self, reply: str, verdict: Verdict | None) -> None:
        assert judge(gap("osmosis"), reply) is verdict

    def test_accents_and_other_accepted_words(self) -> None:
        assert judge(gap("méiose", "division réductionnelle"), "Meiose") is R
        assert judge(gap("méiose", "division réductionnelle"), "la division reductionnelle") is R

    def test_two_words_that_are_one_letter_apart_are_never_taken_for_each_other(self) -> None:
        assert judge(gap("alkane"), "alkene") is None


def test_a_short_answer_is_judged_only_beyond_doubt() -> None:
    check = Check(CheckKind.SHORT_ANSWER, "Why?", "Water follows the salt.", "en")
    assert judge(check, "water follows the salt") is R
    assert judge(check, "because of salt") is None
    assert judge(check, "no idea") is W


def test_a_check_survives_its_json() -> None:
    check = Check(
        CheckKind.NUMERIC,
        "Combien ?",
        "9,81 m/s²",
        "fr",
        concept=ConceptId("c"),
        key="pesanteur",
        choices=("a", "b"),
        accepted=("x",),
        tolerance=0.1,
        source=Evidence("cours.pdf", "ab", 3, (1, 4)),
        predicted=0.4,
    )
    assert Check.from_json(check.to_json()) == check
    assert Check.from_json(choice().to_json()) == choice()


def test_one_check_waits_at_a_time_and_survives_a_restart(classroom, make_classroom) -> None:
    pending = PendingChecks(classroom.store)
    assert pending.get(classroom.subject) is None
    pending.put(classroom.subject, choice(), 1)
    pending.put(classroom.subject, gap("osmosis"), 2)
    waiting = PendingChecks(classroom.store).get(classroom.subject)
    assert (waiting.check, waiting.asked_at) == (gap("osmosis"), 2)
    pending.clear(classroom.subject)
    assert pending.get(classroom.subject) is None


def test_a_lesson_is_found_where_it_was_left(classroom) -> None:
    lessons = LessonStates(classroom.store)
    assert lessons.get(classroom.subject) is None
    lessons.put(classroom.subject, '{"at": 2}')
    assert lessons.get(classroom.subject) == '{"at": 2}'
    lessons.clear(classroom.subject)
    assert lessons.get(classroom.subject) is None
