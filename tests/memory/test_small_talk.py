from __future__ import annotations

import pytest

from memory.small_talk import agrees, courtesy


@pytest.mark.parametrize(
    ("text", "language", "kind"),
    [
        ("Hello!", "en", "hello"),
        ("Bonjour", "fr", "hello"),
        ("¡Hola!", "es", "hello"),
        ("مرحبا", "ar", "hello"),
        ("Merci beaucoup", "fr", "thanks"),
        ("شكرًا جزيلا", "ar", "thanks"),
        ("Vielen Dank!", "de", "thanks"),
        ("Tchau", "pt", "bye"),
        ("À demain !", "fr", "bye"),
        ("come stai?", "it", "how"),
        ("ok", "en", "ok"),
        ("😀", "en", "ok"),
    ],
)
def test_each_courtesy_is_told_from_the_others(text: str, language: str, kind: str) -> None:
    assert courtesy(text, language) == kind


@pytest.mark.parametrize(
    ("text", "language"),
    [("yes", "en"), ("oui, vas-y", "fr"), ("sí", "es"), ("نعم", "ar"), ("Ja gerne", "de"), ("OK", "it")],
)
def test_a_yes_is_a_yes(text: str, language: str) -> None:
    assert agrees(text, language)


@pytest.mark.parametrize("text", ["no", "yesterday we saw osmosis", "ok but what is osmosis then", "", "non merci"])
def test_anything_else_is_not(text: str) -> None:
    assert not agrees(text, "en")
