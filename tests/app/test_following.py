"""A message that leans on the one before it is read with it, in one run of the program and across two."""

from __future__ import annotations

from typing import Any

import pytest

from app.turn_events import Plan
from memory.follow_ups import leans_back
from memory.moments import Moment
from memory.routing import Names
from memory.understanding import understand

NOW = Moment.parse("2026-11-05T18:00:00+01:00")
LEANING = [
    "why tho?", "give me an example", "and in animals?", "i dont get it", "can you say that more simply", "who?",
    "et pourquoi ?", "un exemple ?", "explique mieux", "et pour les plantes ?", "j'ai pas compris", "t'es sûr ?",
    "¿y por qué?", "¿puedes dar un ejemplo?", "لماذا؟", "مثال؟", "وماذا عن النبات؟", "warum?",
    "kannst du das einfacher erklären?", "puoi fare un esempio?", "podes dar um exemplo?",
]  # fmt: skip
STANDING = [
    "whats a polymer", "why do cells divide?", "explain photosynthesis simply", "when is my exam", "e=mc2 c'est quoi",
    "what is the difference between mitosis and meiosis?", "c'est quoi la tectonique ?", "pourquoi le ciel est bleu ?",
    "donne un exemple de polymère", "كيف تعمل الخلية؟", "¿qué es un polímero?", "was ist ein Polymer?",
    "Et si on parlait de la Révolution française et de ses causes profondes ?",
]  # fmt: skip


@pytest.mark.parametrize("text", LEANING)
def test_what_is_about_nothing_by_itself_leans_on_what_was_said(text: str) -> None:
    assert leans_back(text, understand(text, NOW, Names([])))


@pytest.mark.parametrize("text", STANDING)
def test_what_says_what_it_is_about_stands_alone(text: str) -> None:
    assert not leans_back(text, understand(text, NOW, Names([])))


def passages(student: Any) -> str:
    return student.chat.shown[-1][-1].content


def test_a_follow_up_searches_for_what_the_talk_is_about(student: Any) -> None:
    student.ask("What is a phospholipid bilayer?")
    student.ask("why tho?")
    assert "double layer of phospholipids" in passages(student)
    assert "double layer of phospholipids" in (student.ask("an example?") and passages(student))


def test_a_follow_up_in_a_new_run_still_knows_the_talk(student: Any) -> None:
    student.chat.will_say("It is a double layer.")
    student.ask("What is a phospholipid bilayer?")
    student.reopen("2026-11-05T18:10:00+01:00")
    student.ask("why tho?")
    prompt = "\n".join(message.content for message in student.chat.shown[-1])
    assert "It is a double layer." in prompt
    assert "double layer of phospholipids" in passages(student)


def test_after_half_an_hour_nothing_is_leant_on(student: Any) -> None:
    student.chat.will_say("It is a double layer.")
    student.ask("What is a phospholipid bilayer?")
    student.reopen("2026-11-05T18:40:00+01:00")
    student.ask("why tho?")
    assert all("It is a double layer." not in message.content for message in student.chat.shown[-1][:-1])


@pytest.mark.parametrize(
    ("asked", "then", "month"),
    [
        ("What did I get wrong in February?", "and in September?", "September"),
        ("Qu'est-ce que j'ai raté en février ?", "et en septembre ?", "septembre"),
        ("¿Qué fallé en febrero?", "¿y en septiembre?", "septiembre"),
    ],
)
def test_another_month_asks_the_record_the_same_question(student: Any, asked: str, then: str, month: str) -> None:
    empty = student.ask(asked)
    told = student.ask(then)
    assert (empty.plan, told.plan) == (Plan.LEDGER, Plan.LEDGER)
    assert not empty.memories
    assert told.memories
    assert month in told.text.lower() or month in told.text
    student.reopen("2026-11-05T18:05:00+01:00")
    assert student.ask(then).memories == told.memories
