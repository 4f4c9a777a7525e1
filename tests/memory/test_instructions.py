"""A taught note keeps the student's words byte for byte, its quotation marks too, and is about what it renames."""

from __future__ import annotations

import pytest

from memory.instructions import find_instruction
from memory.note_words import term_of
from memory.words import Plain

QUOTED = [
    ("es", "recuerda que mi profe llama a la velocidad 'rapidez dirigida'", "velocidad"),
    ("es", "recuerda que llamamos a la velocidad «rapidez dirigida».", "velocidad"),
    ("fr", "retiens que mon prof appelle la racine 'le boss'", "racine"),
    ("fr", "retiens que mon prof appelle la racine ‘le boss’ !", "racine"),
    ("fr", "retiens que mon prof appelle l'arité « le nombre d'enfants »", "arité"),
    ("en", "remember that we call the root 'the boss'", "root"),
    ("en", "remember that my teacher calls enzymes 'tiny scissors'.", "enzymes"),
    ("en", "'the boss' is the root, remember that", None),
    ("de", "merk dir, dass wir die Wurzel 'Chef' nennen", "Wurzel"),
    ("it", "ricordati che chiamiamo la radice 'il capo'", "radice"),
    ("pt", "lembra-te que chamamos à raiz 'o chefe'", "raiz"),
]


@pytest.mark.parametrize(("language", "text", "term"), QUOTED)
def test_a_quotation_mark_is_part_of_the_note(language: str, text: str, term: str | None) -> None:
    plain = Plain.of(text)
    found = find_instruction(plain, language)
    assert found is not None
    note = plain.quoted(found.first, found.last)
    assert note in text
    quotes = [mark for mark in text if mark in "'‘’«»" and mark != "'"] or [mark for mark in text if mark == "'"]
    assert [mark for mark in note if mark in quotes] == quotes, note
    if term is not None:
        assert term_of(note, language) == term


def test_an_apostrophe_that_closes_nothing_is_an_edge() -> None:
    plain = Plain.of("remember that the students' osmosis lab is on Friday'")
    found = find_instruction(plain, "en")
    assert found is not None
    assert plain.quoted(found.first, found.last).endswith("Friday")
