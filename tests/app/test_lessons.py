"""Lessons: an explanation, one check, a verdict with its source, a belief that changes; a quiz ends in an episode."""

from __future__ import annotations

from typing import Any

import pytest

from app.turn_events import Plan
from memory.checks import Check, CheckKind
from memory.episodes import Kind, Verdict
from memory.gaps import without_name
from memory.mastery import Claim


def wrong(check: Any) -> str:
    """A reply that is wrong beyond doubt."""
    return next((choice for choice in check.choices if choice != check.expected), "a potato")


def test_a_lesson_explains_from_the_file_then_asks_one_check(student: Any) -> None:
    student.chat.will_say("Osmosis moves water through a membrane.")
    result = student.ask("Teach me osmosis")
    assert result.plan is Plan.LESSON
    assert "Osmosis moves water" in result.text
    assert result.check is not None
    assert result.check.question in result.text
    assert result.check.expected not in result.check.question, "the question does not tell its answer"
    assert "____ is the movement of water" not in result.check.question, "nor repeats the sentence with the name out"


def test_a_wrong_reply_becomes_a_check_a_belief_and_a_correction_with_its_place(student: Any) -> None:
    concept = student.memory.map.find(student.subject.id, "phospholipid bilayer", "en")
    assert all(held.concept != concept.id for held in student.memory.beliefs.current(student.subject.id))
    asked = student.ask("Teach me phospholipid bilayer")
    graded = student.ask(wrong(asked.check))
    assert graded.plan is Plan.GRADE
    assert graded.verdict is Verdict.WRONG
    assert "membranes.md" in graded.text
    assert asked.check.expected.casefold() in graded.text.casefold()
    (check,) = [e for e in student.episodes(Kind.CHECK) if e.id == graded.checked]
    assert check.content.reply
    assert check.meta.predicted is not None, "what was expected of the student was noted before the reply"
    (held,) = [held for held in student.memory.beliefs.current(student.subject.id) if held.concept == concept.id]
    assert held.claim is Claim.WEAK
    assert held.episodes == (check.id,)


def test_right_replies_after_a_wrong_one_supersede_the_belief_and_keep_it_readable(student: Any) -> None:
    concept = student.memory.map.find(student.subject.id, "phospholipid bilayer", "en")
    asked = student.ask("Teach me phospholipid bilayer")
    student.ask(wrong(asked.check))
    for day in (8, 12, 20):
        student.reopen(f"2026-11-{day:02d}T18:00:00+01:00")
        asked = student.ask("Teach me phospholipid bilayer")
        assert student.ask(asked.check.expected).verdict is Verdict.RIGHT
    (held,) = [held for held in student.memory.beliefs.current(student.subject.id) if held.concept == concept.id]
    assert held.claim is not Claim.WEAK
    chain = student.memory.beliefs.chain(concept.id) if hasattr(student.memory.beliefs, "chain") else None
    rows = chain or [row for row in student.memory.beliefs.history(student.subject.id) if row.concept == concept.id]
    assert rows[0].claim is Claim.WEAK
    assert rows[0].superseded_by is not None
    assert rows[-1].superseded_by is None


def test_a_quiz_is_asked_to_its_end_and_recorded_as_one_episode(student: Any) -> None:
    before = len(student.episodes(Kind.QUIZ))
    result = student.ask("Quiz me")
    replies = 0
    while result.check is not None:
        result = student.ask(result.check.expected if replies else wrong(result.check))
        replies += 1
        assert replies < 20
    quizzes = student.episodes(Kind.QUIZ)
    assert len(quizzes) == before + 1
    quiz = quizzes[-1]
    assert len(quiz.meta.extra["checks"]) == replies
    assert quiz.meta.score == pytest.approx((replies - 1) / replies, abs=1e-3)
    assert student.memory.checks.get(student.subject.id) is None
    assert student.chat.shown == [], "nothing of a quiz needs a model"


def test_a_quiz_is_no_evidence_its_checks_are(student: Any) -> None:
    result = student.ask("Quiz me")
    while result.check is not None:
        result = student.ask(result.check.expected)
    quizzes = {quiz.id for quiz in student.episodes(Kind.QUIZ)}
    for held in student.memory.beliefs.history(student.subject.id):
        assert not quizzes & set(held.episodes)


def test_a_question_in_the_middle_of_a_check_is_answered_and_the_check_still_waits(student: Any) -> None:
    asked = student.ask("Teach me osmosis")
    student.chat.will_say("A membrane is a thin layer.")
    other = student.ask("What is a membrane?")
    assert other.plan is Plan.ANSWER
    assert student.memory.checks.get(student.subject.id).check == asked.check
    assert student.ask(asked.check.expected).verdict is Verdict.RIGHT


def test_a_check_waits_through_closing_and_opening(student: Any) -> None:
    asked = student.ask("Teach me osmosis")
    student.reopen("2026-11-06T09:00:00+01:00")
    assert student.ask(asked.check.expected).verdict is Verdict.RIGHT


def test_i_do_not_know_to_the_end_is_wrong_and_what_nobody_can_judge_is_no_evidence(student: Any) -> None:
    student.ask("Teach me osmosis")
    hinted = student.ask("I don't know")
    assert (hinted.verdict, hinted.check.hints) == (None, 1)
    while hinted.verdict is None:
        hinted = student.ask("I don't know")
    assert hinted.verdict is Verdict.WRONG
    asked = student.ask("Teach me diffusion")
    beliefs = [row.id for row in student.memory.beliefs.history(student.subject.id)]
    graded = student.ask("hmm, something with particles maybe, in the broad sense of the word, as it were")
    if graded.verdict is None and graded.plan is Plan.GRADE:
        assert [row.id for row in student.memory.beliefs.history(student.subject.id)] == beliefs
        assert asked.check.expected.casefold() in graded.text.casefold()


def test_a_reply_that_fits_no_choice_is_asked_again_and_is_no_evidence(student: Any) -> None:
    choices = ("osmosis", "budding", "erosion", "inflation")
    waiting = Check(CheckKind.MULTIPLE_CHOICE, "Which concept is this?", "osmosis", "en", choices=choices)
    student.memory.checks.put(student.subject.id, waiting, 1)
    before = len(student.episodes(Kind.CHECK))
    again = student.ask("a potato")
    assert again.check == waiting
    assert again.verdict is None
    assert "B. budding" in again.text
    assert len(student.episodes(Kind.CHECK)) == before
    assert student.ask("A").verdict is Verdict.RIGHT


def test_a_lesson_is_left_and_taken_up_where_it_was(student: Any) -> None:
    asked = student.ask("quiz me")
    left = student.ask("stop")
    assert left.check is None
    assert student.memory.checks.get(student.subject.id) is None
    assert student.ask("What is osmosis?").plan is Plan.ANSWER
    resumed = student.ask("quiz me")
    assert resumed.check is not None
    assert resumed.check.concept == asked.check.concept


def test_a_lesson_about_something_unknown_says_so(student: Any) -> None:
    result = student.ask("Teach me quantum chromodynamics")
    assert result.plan is Plan.LESSON
    assert result.check is None
    assert "quantum chromodynamics" in result.text


def test_a_lesson_without_a_model_quotes_the_file(student: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engines.Engines.chat", lambda engines: None)
    result = student.ask("Teach me osmosis")
    assert "semipermeable membrane" in result.text
    assert "membranes.md" in result.text
    assert result.check is not None


def test_a_model_that_dies_in_a_lesson_leaves_the_lesson_standing(student: Any) -> None:
    from app.models.chat import ChatModelDied

    student.chat.will_say("Osmosis ", ChatModelDied(exit_code=-9, doing="generate", crashes=1))
    result = student.ask("Teach me osmosis")
    assert result.check is not None
    assert student.ask(result.check.expected).verdict is Verdict.RIGHT


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("fr", "Interroge-moi"),
        ("en", "Quiz me"),
        ("es", "Hazme un test"),
        ("ar", "اختبرني"),
        ("de", "Frag mich ab"),
        ("it", "Interrogami"),
        ("pt", "Faz-me um teste"),
    ],
)
def test_a_quiz_is_asked_for_in_every_language(student: Any, language: str, message: str) -> None:
    result = student.ask(message)
    assert (result.plan, result.language) == (Plan.LESSON, language)
    assert result.check is not None
    assert result.check.language == language


def test_a_definition_loses_every_mention_of_its_concept() -> None:
    assert without_name("Osmosis is the movement of water. In osmosis, water moves.", ["osmosis"]) == (
        "____ is the movement of water. In ____, water moves."
    )
    assert without_name("Water moves through a membrane.", ["osmosis"]) is None
    assert without_name("Osmosis moves water.", ["osmosis"]) is None, "too little is left to answer from"
