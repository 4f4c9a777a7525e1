"""The student's journey through the real window, over a real memory."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from memory.episodes import Content, Draft, EpisodeId, Kind, Meta, Origin, Verdict
from memory.faults import DiskFull
from memory.moments import Moment
from ui.chat.cards import AnswerCard, FaultCard, StudentCard
from ui.chat.timeline import LIVE
from ui.chat.welcome import Welcome
from ui.main_window import PANELS
from ui.photographs import settle

pytestmark = pytest.mark.slow

Open = Callable[..., Any]


def cards(opened: Any, kind: type) -> list[Any]:
    return [card for card in opened.window.chat.timeline.shown if isinstance(card, kind)]


def ask(qtbot: QtBot, opened: Any, text: str) -> None:
    chat = opened.window.chat
    qtbot.keyClicks(chat.composer.field, text)
    with qtbot.waitSignal(chat.turn_ended, timeout=5000):
        qtbot.keyClick(chat.composer.field, Qt.Key.Key_Return)
    settle(opened.lanes)


def many(house: Any, subject: Any, count: int) -> None:
    drafts = []
    for number in range(count):
        at = Moment.parse(f"2026-0{1 + number // 90}-{1 + number // 4 % 22:02d}T10:{number % 60:02d}:00+01:00")
        kind, origin = (Kind.ANSWER, Origin.TUTOR) if number % 2 else (Kind.QUESTION, Origin.TYPED)
        draft = Draft(EpisodeId(house.ids()), subject.id, kind, origin, at, at.at, Content(f"Line {number}"), Meta())
        drafts.append((draft, ()))
    house.memory.ledger.append_many(drafts)


class TestFirstRun:
    def test_an_empty_house_is_greeted_with_what_to_do(self, open_window: Open) -> None:
        assert len(cards(open_window(), Welcome)) == 1

    def test_writing_at_once_makes_a_subject_and_asks(self, qtbot: QtBot, open_window: Open, house: Any) -> None:
        opened = open_window()
        ask(qtbot, opened, "hello")
        assert [subject.name for subject in house.memory.subjects.all()] == ["My course"]
        assert house.tutor.asked == ["hello"]
        assert not cards(opened, Welcome)


class TestChat:
    def test_a_question_and_its_answer_are_shown_and_are_the_ledger(
        self, qtbot: QtBot, open_window: Open, house: Any
    ) -> None:
        house.add_subject()
        house.tutor.answers = ["Osmosis is the **movement** of water."]
        opened = open_window()
        ask(qtbot, opened, "What is osmosis?")
        assert [card.text for card in cards(opened, StudentCard)] == ["What is osmosis?"]
        (answer,) = cards(opened, AnswerCard)
        assert answer.raw == "Osmosis is the **movement** of water."
        assert "movement of water. [?]" in answer.body.toPlainText()
        opened.window.chat.reload()
        settle(opened.lanes)
        assert cards(opened, AnswerCard)[0].raw == "Osmosis is the **movement** of water."

    def test_shift_enter_begins_a_line_and_sends_nothing(self, qtbot: QtBot, open_window: Open, house: Any) -> None:
        house.add_subject()
        field = open_window().window.chat.composer.field
        qtbot.keyClicks(field, "one")
        qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        qtbot.keyClicks(field, "two")
        assert field.toPlainText() == "one\ntwo"
        assert house.tutor.asked == []

    def test_escape_stops_the_answer_and_keeps_what_was_said(self, qtbot: QtBot, open_window: Open, house: Any) -> None:
        house.add_subject()
        house.tutor.answers, house.tutor.hold = ["Half an answer"], threading.Event()
        opened = open_window()
        chat = opened.window.chat
        qtbot.keyClicks(chat.composer.field, "go")
        qtbot.keyClick(chat.composer.field, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: any(card.raw for card in cards(opened, AnswerCard)), timeout=5000)
        with qtbot.waitSignal(chat.turn_ended, timeout=5000) as ended:
            qtbot.keyClick(chat.composer.field, Qt.Key.Key_Escape)
        assert ended.args[0].stopped
        assert not chat.composer.busy

    def test_a_fault_is_said_in_words_with_its_details_folded(
        self, qtbot: QtBot, open_window: Open, house: Any
    ) -> None:
        house.add_subject()
        house.tutor.answers = [DiskFull(Path("memory.db"), "no space left")]
        opened = open_window()
        ask(qtbot, opened, "What is osmosis?")
        (fault,) = cards(opened, FaultCard)
        assert "disk is full" in fault.words
        assert not fault.folded.isVisible()

    def test_no_more_than_sixty_cards_live_and_older_ones_come_on_the_way_up(
        self, qtbot: QtBot, open_window: Open, house: Any
    ) -> None:
        many(house, house.add_subject(), 300)
        opened = open_window()
        timeline = opened.window.chat.timeline
        assert "Line 299" in [card.raw for card in cards(opened, AnswerCard)]
        for _ in range(4):
            timeline.top_reached.emit()
            settle(opened.lanes)
        assert len(timeline) <= LIVE
        shown = [card.text for card in cards(opened, StudentCard)]
        assert "Line 298" not in shown
        timeline.jump()
        settle(opened.lanes)
        assert "Line 299" in [card.raw for card in cards(opened, AnswerCard)]

    def test_html_in_an_answer_is_shown_as_it_stands_and_loads_nothing(
        self, qtbot: QtBot, open_window: Open, house: Any
    ) -> None:
        house.add_subject()
        house.tutor.answers = ['Look <b>here</b> ![x](file:///etc/passwd) <img src="file:///etc/passwd">']
        opened = open_window()
        ask(qtbot, opened, "go")
        (answer,) = cards(opened, AnswerCard)
        assert "<b>here</b>" in answer.body.toPlainText()
        assert answer.body.loadResource(2, QUrl("file:///etc/passwd")).width() == 1

    def test_an_arabic_message_runs_from_right_to_left_in_an_english_window(
        self, qtbot: QtBot, open_window: Open, house: Any
    ) -> None:
        house.add_subject()
        house.tutor.answers = ["الانتشار هو حركة الجزيئات."]
        opened = open_window()
        ask(qtbot, opened, "hello")
        (answer,) = cards(opened, AnswerCard)
        assert answer.body.document().defaultTextOption().textDirection() is Qt.LayoutDirection.RightToLeft
        assert opened.window.layoutDirection() is Qt.LayoutDirection.LeftToRight


class TestReceiptsAndVerdicts:
    def test_a_taught_note_is_shown_as_a_receipt_and_undo_withdraws_it(
        self, qtbot: QtBot, open_window: Open, house: Any
    ) -> None:
        subject = house.add_subject()
        now = house.clock.now()
        note = house.memory.ledger.append(
            Draft(EpisodeId(house.ids()), subject.id, Kind.TAUGHT, Origin.TYPED, now, now.at, Content("my exam"))
        )
        opened = open_window()
        (receipt,) = cards(opened, AnswerCard)
        undo = next(found for found in receipt.findChildren(QPushButton) if found.text() == "Undo")
        undo.click()
        ledger = house.memory.ledger
        qtbot.waitUntil(lambda: bool(ledger.find(subject.id, kinds=(Kind.WITHDRAWAL,))), timeout=5000)
        (withdrawal,) = ledger.find(subject.id, kinds=(Kind.WITHDRAWAL,))
        assert withdrawal.meta.about == note.id

    def test_a_check_is_shown_with_the_reply_and_the_verdict_in_words(self, open_window: Open, house: Any) -> None:
        subject = house.add_subject()
        now = house.clock.now()
        content = Content("What moves in osmosis?", reply="the salt", expected="water", evaluation="No: the water.")
        meta = Meta(verdict=Verdict.WRONG)
        draft = Draft(EpisodeId(house.ids()), subject.id, Kind.CHECK, Origin.TYPED, now, now.at, content, meta)
        house.memory.ledger.append(draft)
        opened = open_window()
        assert [card.text for card in cards(opened, StudentCard)] == ["the salt"]
        (verdict,) = cards(opened, AnswerCard)
        assert "What moves in osmosis?" in verdict.body.toPlainText()
        assert "Wrong" in [child.text() for child in verdict.findChildren(QLabel)]


class TestFiles:
    def test_a_file_dropped_anywhere_on_the_window_is_read(
        self, qtbot: QtBot, open_window: Open, house: Any, tmp_path: Path
    ) -> None:
        house.add_subject()
        path = tmp_path / "cells.md"
        path.write_text("# Cells")
        opened = open_window()
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path))])
        drop = QDropEvent(
            QPointF(5, 5),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        with qtbot.waitSignal(opened.window.reading.ended, timeout=5000):
            opened.window.dropEvent(drop)
        assert house.reader.read_paths == [path]
        assert opened.window.tabs.currentWidget() is opened.window.files

    def test_reading_is_paused_and_goes_on(self, qtbot: QtBot, open_window: Open, house: Any, tmp_path: Path) -> None:
        house.add_subject()
        house.reader.hold = threading.Event()
        opened = open_window()
        reading, status = opened.window.reading, opened.window.status.reading
        opened.desk.files_asked.emit([tmp_path / "cells.md"])
        qtbot.waitUntil(lambda: bool(reading.files and reading.files[0].begun), timeout=5000)
        opened.window.pause_reading()
        assert status.pause.text() == "Resume"
        qtbot.waitUntil(lambda: reading.files[0].cancel.is_set(), timeout=5000)
        settle(opened.lanes)
        assert [file.paused for file in reading.files] == [True]
        assert not reading.busy
        house.reader.hold.set()
        with qtbot.waitSignal(reading.ended, timeout=5000):
            status.pause.click()
        assert house.reader.read_paths == [tmp_path / "cells.md"] * 2
        assert reading.files == []

    def test_what_is_paused_can_be_cancelled(self, open_window: Open, house: Any, qtbot: QtBot, tmp_path: Path) -> None:
        house.add_subject()
        house.reader.hold = threading.Event()
        opened = open_window()
        reading = opened.window.reading
        opened.desk.files_asked.emit([tmp_path / "cells.md", tmp_path / "next.md"])
        reading.pause(str(tmp_path / "next.md"))
        assert [file.paused for file in reading.files] == [False, True]
        reading.cancel()
        qtbot.waitUntil(lambda: reading.files == [], timeout=5000)
        assert not opened.window.status.reading.isVisible()


class TestNight:
    def test_the_cycle_runs_in_an_open_window_once_its_hour_has_struck_and_nobody_writes(
        self, qtbot: QtBot, open_window: Open, house: Any
    ) -> None:
        subject = house.add_subject()
        opened = open_window()
        many(house, subject, 4)
        night = opened.window.night
        night._idle = 0.0
        house.clock.set(Moment.parse("2026-12-02T01:00:00+01:00"))
        night.look()
        house.clock.set(Moment.parse("2026-12-02T02:30:00+01:00"))
        opened.window.chat.composer.field.setPlainText("half a question")
        night.look()
        done = list[bool]()
        opened.lanes.writes.run(lambda: True, done.append)
        qtbot.waitUntil(lambda: bool(done), timeout=10_000)
        assert not house.memory.ledger.find(subject.id, kinds=(Kind.CONSOLIDATION,))
        opened.window.chat.composer.field.clear()
        with qtbot.waitSignal(opened.desk.changed, timeout=10_000):
            night.look()
        assert house.memory.ledger.find(subject.id, kinds=(Kind.CONSOLIDATION,))


@pytest.mark.parametrize("language", ["en", "fr", "es", "ar"])
@pytest.mark.parametrize("filled", [False, True])
def test_every_panel_opens_in_every_language_empty_and_filled(
    open_window: Open, house: Any, language: str, filled: bool
) -> None:
    if filled:
        many(house, house.add_subject(), 20)
    opened = open_window(language, "dark")
    right = Qt.LayoutDirection.RightToLeft if language == "ar" else Qt.LayoutDirection.LeftToRight
    assert opened.window.layoutDirection() is right
    for panel in PANELS:
        opened.window.show_panel(panel)
        settle(opened.lanes)
    opened.window.show_panel("memory")
    for page in range(4):
        opened.window.memory.tabs.setCurrentIndex(page)
        settle(opened.lanes)
    assert not cards(opened, FaultCard)


@pytest.mark.parametrize("language", ["fr", "ar"])
@pytest.mark.parametrize("size", [80, 150, 250])
def test_no_pane_is_wider_than_a_small_screen_at_any_text_size(
    qtbot: QtBot, open_window: Open, house: Any, language: str, size: int
) -> None:
    house.add_subject()
    house.tutor.answers = ["Osmosis is the movement of water through a membrane."]
    opened = open_window(language, "light", size)
    opened.window.resize(1366, 768)
    ask(qtbot, opened, "What is osmosis?")
    for panel in PANELS:
        opened.window.show_panel(panel)
        settle(opened.lanes)
        assert opened.window.width() == 1366
        shown = [pane for pane in (opened.window.subjects, opened.window.chat, opened.window.tabs) if pane.isVisible()]
        assert sum(pane.width() for pane in shown) <= 1366
        for area in opened.window.findChildren(QScrollArea):
            if area.isVisible() and area.widget() is not None:
                assert area.widget().width() <= area.viewport().width(), (panel, area)
