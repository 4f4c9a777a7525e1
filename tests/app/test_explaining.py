"""Why this answer: the brief is shown again word for word, and what was redacted since is in none of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.speech import Speech

Run = Callable[..., Any]
QUESTIONS = (
    "What is osmosis?",
    "C'est quoi la diffusion ?",
    "¿Qué es la ósmosis?",
    "ما هو osmosis؟",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_brief_of_an_answer_is_the_one_that_was_read(lived: Run, question: str) -> None:
    lived("ask", "Remember that my teacher says osmosis is lazy water")
    read = lived("brief", question).document["text"]
    assert read.count("\n") > 4
    asked = lived("ask", question).document
    assert asked["plan"] == "answer"
    shown = lived("ask", "--explain", asked["answer_id"]).document["brief"]
    assert "\n".join(str(line["text"]) for line in shown) == read


def test_words_that_were_redacted_are_in_no_kept_brief(lived: Run, data: Path) -> None:
    told = lived("ask", "Remember that osmosis is my xylophonist water").document
    asked = lived("ask", "What is osmosis?").document
    before = lived("ask", "--explain", asked["answer_id"]).document
    assert "xylophonist" in str(before["brief"])
    for episode in (told["taught"], told["question_id"], told["answer_id"], asked["answer_id"]):
        lived("redact", episode)
    after = lived("ask", "--explain", asked["answer_id"]).document
    assert "xylophonist" not in str(after)
    assert len(after["brief"]) == len(before["brief"])
    assert [path.name for path in data.rglob("*") if path.is_file() and b"xylophonist" in path.read_bytes()] == []


@pytest.mark.parametrize("language", ["fr", "en", "es", "ar"])
def test_without_json_it_is_a_text_to_read(lived: Run, language: str) -> None:
    lived("ask", "What is osmosis?")
    said = lived("ask", "--explain", "--lang", language, plain=True)
    assert said.code == 0
    assert not said.out.startswith("{")
    assert Speech(language)("explained.brief") in said.out.splitlines()
    assert "=== " in said.out
    assert "_ms" not in said.out
    assert said.out.splitlines().count(Speech(language)("explained.brief")) == 1
    lived("ask", "what did I get wrong in July?")
    told = lived("ask", "--explain", "--lang", language, plain=True)
    assert Speech(language)("explained.episodes") in told.out.splitlines()
    assert "2026-07" not in told.out


@pytest.mark.parametrize(("language", "words"), [("fr", "Aucune réponse"), ("en", "No answer"), ("es", "ninguna")])
def test_before_any_answer_there_is_nothing_to_explain(cli: Run, language: str, words: str) -> None:
    cli("subjects", "add", "Biology")
    said = cli("ask", "--explain", "--lang", language)
    assert said.code == 2
    assert words in said.document["sentence"]
