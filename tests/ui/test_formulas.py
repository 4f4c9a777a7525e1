"""Formulas: found where they stand and nowhere else, drawn on their line, copied as they were written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from ui.chat.body import Body
from ui.formula_text import CLOSE, OPEN, formulas_in, with_places
from ui.formulas import Undrawable, draw
from ui.photographs import settle
from ui.source.answer_sources import Place, ShownClaim, with_marks
from ui.text import as_markdown


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("so $x^2$ and \\(y\\), then\n\\[ z = 1 \\]\nand $$w$$", ["x^2", "y", "z = 1", "w"]),
        ("it costs $5 and $6", []),
        ("it costs $5, or 6$ then", []),
        ("$5-$6 each", []),
        ("`$x$` and ``a $y$ b``\n```\n$z$\n```\n$t$", ["t"]),
        ("\\$x$ is not one", []),
        ("half of $x", []),
        ("\\begin{a}", []),
    ],
)
def test_only_what_stands_between_the_signs_is_a_formula(text: str, sources: list[str]) -> None:
    assert [formula.source for formula in formulas_in(text)] == sources


def test_a_formula_with_its_lines_to_itself_becomes_a_paragraph() -> None:
    text = "Before:\n\\[ a \\]\nafter $b$."
    made = with_places(text, formulas_in(text))
    assert f"\n\n{OPEN}0{CLOSE}\n" in made
    assert f"after {OPEN}1{CLOSE}." in made


def test_the_mark_of_a_claim_never_splits_a_formula() -> None:
    text = "It is \\(a. b\\) here."
    marked = with_marks(text, [ShownClaim(0, 10, text[:10], (Place(passage=1),))])
    assert "\\(a. b\\) [" in marked


@pytest.mark.parametrize("text", ["see (a) and (b)", "[a](b) [c]", "\\[ x \\] and \\( y \\)", "$x^2$", "1 [2] (3) [4]"])
def test_a_plain_text_and_the_marks_of_claims_hold_no_formula(text: str) -> None:
    assert formulas_in(as_markdown(text)) == []
    claims = [ShownClaim(0, 3, text[:3], (Place(passage=1),)), ShownClaim(4, 7, text[4:7], ())]
    assert formulas_in(with_marks("One. Two. " + as_markdown(text), claims)) == []


@pytest.mark.parametrize(
    "source",
    [r"\frac{c_1}{c_2}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\sum_{i=1}^n \sqrt{i}", r"\vec{F} = m\vec{a}"],
)
def test_a_formula_is_drawn(source: str) -> None:
    drawing = draw(source, 16, "#102030", display=True)
    assert drawing.svg.startswith("<svg")
    assert 0 < drawing.depth < drawing.height


@pytest.mark.parametrize("source", [r"\ce{H2O}", r"\nonsense{x}", r"\left( x", r"\text{الماء}"])
def test_what_the_library_does_not_know_is_not_drawn_halfway(source: str) -> None:
    with pytest.raises(Undrawable):
        draw(source, 16, "#102030", display=False)


@pytest.mark.slow
def test_an_answer_shows_its_formula_as_a_picture_and_copies_its_latex(
    qtbot: QtBot, open_window: Callable[..., Any], house: Any
) -> None:
    opened = open_window()
    body = Body(opened.desk.theme, opened.desk.formulas)
    qtbot.addWidget(body)
    body.resize(400, 100)
    with qtbot.waitSignal(opened.desk.formulas.drawn, timeout=15_000):
        body.show_markdown("Energy is $E = mc^2$ and \\(\\ce{H2O}\\).")
        assert "E = mc^2" in body.toPlainText()
    settle(opened.lanes)
    assert body.toPlainText() == "Energy is \ufffc and \\ce{H2O}."
    cursor = body.textCursor()
    cursor.select(QTextCursor.SelectionType.Document)
    body.setTextCursor(cursor)
    assert body.createMimeDataFromSelection().text() == "Energy is $E = mc^2$ and \\ce{H2O}."
