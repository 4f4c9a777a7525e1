"""Messages as students type them, in seven languages: typing errors, no accents, dialect, chat spelling, ellipsis."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.moments import Moment
from memory.routing import Names
from memory.understanding import understand
from memory.words import LANGUAGES

NOW = Moment.parse("2026-10-15T17:00:00+02:00")
WORDINGS = [
    line.split("\t")
    for line in Path(__file__).with_name("wordings.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_is_told_by_its_words(language: str) -> None:
    wrong = []
    for spoken, label, text in WORDINGS:
        if spoken == language:
            kind = label.partition(".")[0]
            found = understand(text, NOW, Names(), kind == "check_answer", language)
            said = found.kind + (f".{found.sub}" if found.kind == "record" else "")
            if said != label:
                wrong.append(f"{text} [{label}]: {said}")
            if kind == "teach":
                assert found.taught
                assert found.taught in text
    assert wrong == []
