"""The arms of the benchmark: each reads what its name says, and none leaves a trace in the record."""

from __future__ import annotations

from typing import Any

import pytest

from app.arms import CONTEXT, WINDOW, Arm, Arms, as_turns
from app.turn_events import Plan
from memory.episodes import Kind

INVENTED = "Last week we worked on osmosis together and you got it wrong."


def told(student: Any, text: str, arm: Arm, said: str = "Water moves.") -> tuple[Any, str]:
    """What an arm answers, and its whole prompt (empty where no model was asked)."""
    before = len(student.chat.shown)
    student.chat.will_say(said)
    result = Arms(student.house).ask(student.subject.id, text, arm)
    shown = student.chat.shown[before:]
    return result, "\n".join(message.content for message in shown[-1]) if shown else ""


def test_plain_reads_the_files_and_nothing_of_the_past(student: Any) -> None:
    result, prompt = told(student, "What is osmosis?", Arm.PLAIN)
    assert "semipermeable" in prompt
    assert result.brief_tokens == 0
    assert result.memories == ()
    assert all(episode.summary not in prompt for episode in student.episodes(Kind.CHECK))


def test_the_window_holds_the_last_turns_oldest_first_with_their_days(student: Any) -> None:
    result, prompt = told(student, "What is osmosis?", Arm.WINDOW)
    last = as_turns(student.episodes())[-WINDOW:]
    places = [prompt.index(asked) for asked, _ in last if asked]
    assert len(last) == WINDOW
    assert places == sorted(places)
    assert all(answered in prompt for _, answered in last)
    assert result.memories == ()


def test_episodes_alone_have_no_map_no_beliefs_no_record_answer_and_no_guard(student: Any) -> None:
    result, prompt = told(student, "What did I get wrong in September?", Arm.EPISODES, INVENTED)
    assert result.plan is Plan.ANSWER
    assert result.memories
    assert not [name for name in ("builds on", "confidence") if name in prompt]
    assert result.text == INVENTED


def test_phrased_has_the_whole_brief_and_the_guard(student: Any) -> None:
    result, prompt = told(student, "What did I get wrong in February?", Arm.PHRASED, INVENTED)
    assert result.plan is Plan.ANSWER
    assert result.brief_tokens > 0
    assert "February" in prompt
    assert INVENTED not in result.text


def test_shipped_lets_the_ledger_answer(student: Any) -> None:
    result, prompt = told(student, "What did I get wrong in September?", Arm.SHIPPED)
    assert result.plan is Plan.LEDGER
    assert prompt == ""


@pytest.mark.parametrize("arm", list(Arm))
def test_an_arm_leaves_the_record_and_the_conversation_as_they_were(student: Any, arm: Arm) -> None:
    before, head = len(student.episodes()), student.memory.ledger.head(student.subject.id)
    first = told(student, "Remember that my exam is on Friday", arm)
    again = told(student, "Remember that my exam is on Friday", arm)
    assert len(student.episodes()) == before
    assert student.memory.ledger.head(student.subject.id) == head
    assert first[1].replace(" ", "")[:400] == again[1].replace(" ", "")[:400]
    assert student.house.engines.context == CONTEXT


def test_the_command_answers_by_an_arm_and_keeps_nothing(lived: Any) -> None:
    before = lived("subjects").document
    said = lived("ask", "What did I get wrong in September?", "--arm", "shipped").document
    assert said["arm"] == "shipped"
    assert said["plan"] == "ledger"
    assert lived("subjects").document == before
    assert lived("ask", "hello", "--arm", "bogus").code == 2
