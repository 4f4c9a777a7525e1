"""Photographs of every panel and state, to be looked at: ``RETIENS_SHOTS=folder pytest tests/ui/shots``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QImage

from memory.episodes import Content, Draft, EpisodeId, Kind, Meta, Origin, Verdict
from memory.moments import Moment
from ui.photographs import settle
from ui.window import shoot

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(os.environ.get("RETIENS_SHOTS") or tmp_path)


def some_weeks(house: Any) -> None:
    subject = house.add_subject("Biology")
    told = [
        (Kind.QUESTION, "What is osmosis?", Meta(language="en")),
        (Kind.ANSWER, "**Osmosis** is the movement of water:\n\n1. through a membrane\n2. down its gradient", Meta()),
        (Kind.QUESTION, "ما هو الانتشار؟", Meta(language="ar")),
        (Kind.ANSWER, "الانتشار هو حركة الجزيئات من تركيز عالٍ إلى تركيز منخفض.", Meta(language="ar")),
        (Kind.TAUGHT, "the exam is on 12 December", Meta(language="en")),
        (Kind.CHECK, "What moves in osmosis?", Meta(verdict=Verdict.WRONG)),
    ]
    for day, (kind, text, meta) in enumerate(told, 20):
        at = Moment.parse(f"2026-11-{day}T17:00:00+01:00")
        reply = "the salt" if kind is Kind.CHECK else None
        content = Content(text, reply=reply, evaluation="No: the water moves." if reply else None)
        origin = Origin.TUTOR if kind is Kind.ANSWER else Origin.TYPED
        house.memory.ledger.append(Draft(EpisodeId(house.ids()), subject.id, kind, origin, at, at.at, content, meta))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["fr", "ar"])
@pytest.mark.parametrize("state", ["empty", "normal"])
def test_every_panel_is_photographed(
    qapp: object, house: Any, folder: Path, theme: str, language: str, state: str
) -> None:
    if state == "normal":
        some_weeks(house)
    taken = shoot(house, folder / state, language, theme)
    assert len(taken) == 10
    for path in taken:
        picture = QImage(str(path))
        assert not picture.isNull()
        assert len({picture.pixel(x, y) for x in range(0, picture.width(), 40) for y in range(0, 600, 20)}) > 3


def test_an_error_is_photographed(open_window: Any, house: Any, folder: Path) -> None:
    some_weeks(house)
    opened = open_window("fr", "light")
    opened.window.chat.show_fault(RuntimeError("something"))
    settle(opened.lanes)
    (folder / "error").mkdir(parents=True, exist_ok=True)
    assert opened.window.grab().save(str(folder / "error" / "chat-fr-light.png"))
