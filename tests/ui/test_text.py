"""Text on its way to the screen looks like what it is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument

from ui.chat.body import MARKDOWN
from ui.messages import Messages
from ui.panes import seen
from ui.source.answer_sources import Place, ShownClaim, with_marks
from ui.text import (
    LONGEST_LINE,
    among_right_to_left,
    as_markdown,
    bare,
    direction_of,
    isolated,
    one_line,
    safe,
)

RIGHT, LEFT = Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight


@pytest.mark.parametrize(
    ("text", "direction"),
    [("What is osmosis?", LEFT), ("ما هو الانتشار؟", RIGHT), ("1) שלום", RIGHT), ("42", LEFT), ("", LEFT)],
)
def test_a_text_runs_as_its_first_letter_does(text: str, direction: Qt.LayoutDirection) -> None:
    assert direction_of(text) is direction


def test_a_mark_that_turns_the_direction_is_made_visible() -> None:
    assert safe("exam\u202efdp.exe") == "exam[U+202E]fdp.exe"


def test_an_endless_line_is_broken_before_qt_sees_it() -> None:
    lines = safe("x" * (2 * LONGEST_LINE + 5)).split("\n")
    assert [len(line) for line in lines] == [LONGEST_LINE, LONGEST_LINE, 5]


@pytest.mark.parametrize(
    "text",
    [
        "a * b * c",
        "# not a heading",
        "<b>x</b>",
        "[a](b)",
        "1 - 2",
        "`x`",
        "a_b_c",
        "$x$ (y) \\[z\\]",
        "[ ] a",
        "![a](b)",
    ],
)
def test_a_plain_text_survives_markdown_as_it_stands(text: str) -> None:
    document = QTextDocument()
    document.setMarkdown(as_markdown(text), MARKDOWN)
    assert document.toPlainText().strip() == text


def test_a_long_text_on_one_line_is_cut_on_a_word() -> None:
    assert one_line("one two\nthree four five", 14) == "one two three…"


def test_each_claim_has_its_number_and_one_without_support_a_question_mark() -> None:
    text = "Water moves. Salt sings.\n"
    claims = [ShownClaim(0, 12, "Water moves.", (Place(passage=1),)), ShownClaim(13, 25, "Salt sings.", ())]
    document = QTextDocument()
    document.setMarkdown(with_marks(text, claims), MARKDOWN)
    assert document.toPlainText().strip() == "Water moves. [1] Salt sings. [?]"


def test_a_latin_name_keeps_its_direction_among_arabic_words_and_is_bare_when_it_is_asked() -> None:
    said = Messages("ar")("map.ask", concept="cell (plant)")
    assert isolated("cell (plant)") in said
    assert isolated("cell") not in bare(said)
    assert "\u2068" not in Messages("en")("map.ask", concept="cell (plant)")


def test_a_latin_line_in_a_mirrored_window_begins_at_the_right() -> None:
    assert among_right_to_left("What is it?") == "\u200f\u2068What is it?\u2069"
    assert among_right_to_left("ما هو؟") == "ما هو؟"


def test_as_many_panes_are_seen_as_there_is_room_for() -> None:
    widths = (190, 380, 330)
    assert seen(widths, 900, 0) == {0, 1, 2}
    assert seen(widths, 800, 1) == {1, 2}
    assert seen(widths, 800, 0) == {0, 1}
    assert seen(widths, 500, 2) == {2}
