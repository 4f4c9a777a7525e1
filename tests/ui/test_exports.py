"""What leaves the window as a file: the map, the report, the conversation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from memory.calibration import Band
from memory.concept_rows import Concept, ConceptOrigin
from memory.episodes import ConceptId, Content, Draft, EpisodeId, Kind, Meta, Origin, Verdict
from memory.mastery import Claim
from ui.chat.saved import conversation_markdown
from ui.map.layout import Spot
from ui.map.shown import ShownConcept
from ui.messages import Messages
from ui.photographs import settle
from ui.report.paper import write_pdf
from ui.theme import LIGHT, Theme, body_font

BANDS = (Band(0.2, 0.3, 2, 0.25, 0.5), Band(0.8, 0.9, 12, 0.85, 0.75))


def write(house: Any, subject: Any, kind: Kind, content: Content, meta: Meta) -> None:
    now, origin = house.clock.now(), Origin.TUTOR if kind is Kind.ANSWER else Origin.TYPED
    house.memory.ledger.append(Draft(EpisodeId(house.ids()), subject.id, kind, origin, now, now.at, content, meta))


def shown(subject: Any, name: str) -> ShownConcept:
    origin = ConceptOrigin.FILE
    concept = Concept(1, ConceptId(name), subject.id, name, name, "en", "", origin, None, 0.5, 0.6, hidden=False)
    return ShownConcept(concept, name, Claim.WEAK, 0.7, False, (), ())


def test_a_conversation_is_written_with_its_days_its_verdicts_and_its_latex(house: Any) -> None:
    subject = house.add_subject("Biology")
    write(house, subject, Kind.QUESTION, Content("What is # osmosis?"), Meta())
    write(house, subject, Kind.ANSWER, Content("It is $\\Delta c$ at work."), Meta())
    content = Content("What moves?", reply="the salt", evaluation="No: the water.")
    write(house, subject, Kind.CHECK, content, Meta(verdict=Verdict.WRONG))
    text = conversation_markdown(house.memory, subject, Messages("en"))
    assert text.startswith("# Biology\n\n## Tuesday 1 December 2026\n")
    assert "**You**, 10:00\n\nWhat is \\# osmosis?" in text
    assert "**Retiens**, 10:00\n\nIt is $\\Delta c$ at work." in text
    assert "**Wrong**, 10:00\n\nWhat moves?\n\nNo: the water." in text


@pytest.mark.slow
@pytest.mark.parametrize("language", ["fr", "ar"])
def test_a_report_on_paper_has_its_words_and_its_plot(qapp: Any, tmp_path: Path, language: str) -> None:
    t, path = Messages(language), tmp_path / "report.pdf"
    heading = t("report.calibration")
    markdown = f"## {t('report.title', subject='Biology')}\n\n### {heading}\n\nLine.\n\n### {t('report.coverage')}"
    write_pdf(path, markdown, BANDS, body_font(Theme(LIGHT)), t)
    with pymupdf.open(path) as paper:
        assert "Biology" in paper[0].get_text()
        assert len(paper[0].get_images()) == 1
    write_pdf(path, markdown, (), body_font(Theme(LIGHT)), t)
    with pymupdf.open(path) as paper:
        assert not paper[0].get_images()


@pytest.mark.slow
def test_the_map_is_written_as_a_drawing_and_as_a_picture(
    open_window: Callable[..., Any], house: Any, tmp_path: Path
) -> None:
    subject = house.add_subject()
    opened = open_window()
    view = opened.window.map.view
    concepts = tuple(shown(subject, name) for name in ("osmosis", "diffusion"))
    view.draw(concepts, {one.concept.id: Spot(0, 0.0, 60.0 * at) for at, one in enumerate(concepts)}, mirrored=False)
    view.write(tmp_path / "map.png")
    assert QImage(str(tmp_path / "map.png")).width() > 200
    view.write(tmp_path / "map.svg")
    assert "osmosis" in (tmp_path / "map.svg").read_text("utf-8")
    with pytest.raises(OSError, match="map"):
        view.write(tmp_path / "nowhere" / "map.png")


@pytest.mark.slow
def test_the_conversation_is_saved_from_the_window_and_said(
    qtbot: QtBot, open_window: Callable[..., Any], house: Any, tmp_path: Path
) -> None:
    subject = house.add_subject()
    write(house, subject, Kind.QUESTION, Content("What is osmosis?"), Meta())
    opened = open_window()
    settle(opened.lanes)
    path = tmp_path / "talk.md"
    with qtbot.waitSignal(opened.window.status.messageChanged, timeout=10_000) as said:
        opened.window.write_conversation(subject, path)
    assert said.args == ["talk.md was written."]
    assert "What is osmosis?" in path.read_text("utf-8")
