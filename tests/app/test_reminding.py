"""The quiet line under an answer: one, seldom, and not again when it was of no use."""

from __future__ import annotations

from typing import Any

import pytest

from memory.episodes import Kind
from memory.words import LANGUAGES

QUESTION = "How does osmosis move water through a membrane?"


def test_one_line_brings_up_a_missed_check_that_the_answer_did_not_tell(student: Any) -> None:
    result = student.ask(QUESTION)
    assert result.reminder is not None
    told = student.memory.ledger.get(result.reminder.episode)
    assert told.kind in (Kind.CHECK, Kind.QUIZ, Kind.TAUGHT)
    assert result.reminder.episode not in {link.episode for link in result.citations}
    assert "reminds me" in result.reminder.text
    assert str(told.moment.local.day) in result.reminder.text


def test_the_same_episode_is_not_brought_up_again_soon(student: Any) -> None:
    seen = [result.reminder.episode for _ in range(3) if (result := student.ask(QUESTION)).reminder is not None]
    assert seen
    assert len(set(seen)) == len(seen)


def test_what_was_of_no_use_never_comes_back(student: Any) -> None:
    reminder = student.ask(QUESTION).reminder
    assert reminder is not None
    student.house.tutor.reminding.not_useful(reminder.episode)
    student.reopen("2027-03-05T18:00:00+01:00")
    later = [student.ask(QUESTION).reminder for _ in range(6)]
    assert reminder.episode not in {each.episode for each in later if each is not None}


def test_answers_of_the_record_and_stopped_answers_carry_none(student: Any) -> None:
    assert student.ask("What did I get wrong in September?").reminder is None
    student.chat.will_say(RuntimeError("no"))
    with pytest.raises(RuntimeError):
        student.ask(QUESTION)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_line_is_said_in_every_language(student: Any, language: str) -> None:
    from memory.phrases import phrases_for

    phrases = phrases_for(language)
    said = phrases.say("reminding.check", on="ON", quote="QUOTE", verdict="VERDICT")
    assert all(part in said for part in ("ON", "QUOTE", "VERDICT"))
