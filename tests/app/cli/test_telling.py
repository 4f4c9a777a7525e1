"""Without --json the commands speak sentences of the student's language: no id, no float, no English, no ISO date."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Line = Callable[..., str]
_RAW = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}|\d\.\d{3,}|\d{4}-\d{2}-\d{2}|[{}\[\]]|\b(?:None|True|False)\b|\(\)")
_CODES = re.compile(r"\b(?:weak|unsure|understands|decay|import|rederived|confirm|consolidation|redaction|sha256)\b")
_DAYS = {"fr": "novembre", "es": "noviembre", "ar": "نوفمبر", "en": "November"}
LANGUAGES = list(_DAYS)


def told(said: Any, language: str) -> list[str]:
    """The lines of a command, none of them raw."""
    assert said.code == 0, said.err
    lines: list[str] = said.out.splitlines()
    assert lines
    for line in lines:
        assert not _RAW.search(line), line
        if language != "en":
            assert not _CODES.search(line), line
    return lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_is_a_sentence(lived: Run, language: str) -> None:
    lived("redact", "demo-001")
    lived("contest", "demo-005")
    lived("nightly")
    spoken = ("--lang", language)
    for command in (
        ("beliefs",),
        ("beliefs", "--history"),
        ("beliefs", "--as-of", "2026-08-01"),
        ("history",),
        ("files",),
        ("map",),
        ("subjects",),
        ("understand", "what did I get wrong in July?"),
        ("recall", "osmosis"),
    ):
        told(lived(*command, *spoken, plain=True), language)


def test_a_belief_says_how_sure_since_when_and_why(lived: Run) -> None:
    lines = told(lived("beliefs", "--lang", "fr", plain=True), "fr")
    assert all(re.search(r"%|pencher", line) and re.search(r"depuis (?:le|l’)", line) for line in lines), lines
    assert any("contrôle" in line for line in lines)


def test_what_changed_says_the_words_of_a_note_until_they_are_removed(lived: Run) -> None:
    asked = lived("ask", "Remember that my teacher calls enzymes little rascals").document
    assert any("rascals" in line for line in told(lived("history", plain=True), "en"))
    for episode in (asked["taught"], asked["question_id"], asked["answer_id"]):
        lived("redact", episode)
    lines = told(lived("history", "--lang", "es", plain=True), "es")
    assert not [line for line in lines if "rascals" in line]
    assert any("nota" in line and "borr" in line for line in lines)


@pytest.mark.parametrize(
    ("language", "words"),
    [("fr", "depuis le"), ("en", "since"), ("es", "desde el"), ("ar", "منذ")],
)
def test_what_is_due_says_since_when(lived: Run, language: str, words: str) -> None:
    lines = told(lived("review", "--lang", language, plain=True, now="2027-03-01T10:00:00+01:00"), language)
    assert words in lines[0]
    assert any(_DAYS[language] in line or "202" in line for line in lines)


def test_a_message_is_said_as_it_was_understood(lived: Run) -> None:
    lines = told(lived("understand", "qu'est-ce que j'ai raté en juillet ?", "--lang", "fr", plain=True), "fr")
    assert lines[0] == "Une question sur le journal : ce qui n'était pas juste."
    assert "Période : en juillet 2026." in lines
    assert lines[-1] == "Langue : français."


def test_a_language_without_sentences_of_its_own_is_told_in_one_language(lived: Run) -> None:
    assert lived("beliefs", "--lang", "de", plain=True).out == lived("beliefs", "--lang", "en", plain=True).out


@pytest.mark.parametrize(
    ("language", "words"),
    [("fr", "1 contrôle est enregistré"), ("en", "1 check is recorded"), ("es", "1 control"), ("ar", "واحد")],
)
def test_a_check_tied_to_no_concept_is_counted_where_nothing_is_held(
    cli: Run, tmp_path: Path, event: Line, language: str, words: str
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(event("check", "7 × 8 = ?", topic="times tables", verdict="wrong", external_id="c1"), "utf-8")
    cli("import", log)
    lines = told(cli("beliefs", "--lang", language, plain=True), language)
    assert words in lines[0]
