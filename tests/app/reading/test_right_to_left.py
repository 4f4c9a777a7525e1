"""Arabic lines of a PDF come out in the order they are read."""

from __future__ import annotations

from app.reading.right_to_left import Glyph, logical


def drawn(*words: str, left: bool = False) -> list[Glyph]:
    """Glyphs of words from right to left, 5 points each, 4 points of white between words, none of it as a character."""
    glyphs: list[Glyph] = []
    x = 500.0
    for word in words:
        for letter in reversed(word) if word.isascii() else word:
            glyphs.append(Glyph(letter, x - 5, x, 10, False))
            x -= 5
        x -= 4
    return glyphs[::-1] if left else glyphs


def said(glyphs: list[Glyph]) -> str:
    return "".join(text for text, _ in logical(glyphs))


def test_words_are_divided_where_the_paper_shows_white() -> None:
    assert said(drawn("الخلية", "هي", "وحدة")) == "الخلية هي وحدة"


def test_the_order_in_the_file_does_not_matter() -> None:
    assert said(drawn("الخلية", "وحدة", left=True)) == "الخلية وحدة"


def test_shaped_letters_become_plain_ones() -> None:
    assert said(drawn("ﺧﻠﻴﺔ")) == "خلية"


def test_latin_words_and_numbers_keep_their_direction() -> None:
    assert said(drawn("الخلية", "cell", "هي", "229", "وحدة")) == "الخلية cell هي 229 وحدة"


def test_a_formula_keeps_its_brackets() -> None:
    assert said(drawn("له", "P(E)", "هنا")) == "له P(E) هنا"


def test_bold_is_kept_by_the_run() -> None:
    glyphs = [Glyph("خ", 495, 500, 10, True), Glyph("ل", 490, 495, 10, False)]
    assert logical(glyphs) == [("خ", True), ("ل", False)]
