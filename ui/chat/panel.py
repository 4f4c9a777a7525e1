"""The chat: the ledger's own cards, the running answer at the end, the composer below."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.turn_events import Planned, TurnEvent, TurnResult
from memory.checks import PendingCheck
from memory.episodes import EpisodeId, SubjectId
from memory.moments import Moment
from ui import actions
from ui.bits import column
from ui.chat.build import CardMaker
from ui.chat.cards import AnswerCard, DayCard, FaultCard, StudentCard
from ui.chat.composer import Composer
from ui.chat.entries import PageOfChat, before, latest
from ui.chat.reminder import ReminderLine
from ui.chat.timeline import Timeline
from ui.chat.turn import RunningTurn
from ui.chat.welcome import Welcome
from ui.desk import Desk
from ui.faults import told
from ui.source.answer_sources import sources_of
from ui.theme import LARGE, MEDIUM

PAGE = 30
"""Entries fetched at once."""


class ChatPanel(QWidget):
    """The chat of the subject in hand.

    Signals:
        turn_ended: a turn is over (``TurnResult``, or None when it failed).
    """

    turn_ended = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.setObjectName("chat")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(desk.t("panel.chat"))
        self._maker = CardMaker(desk, self.regenerate, self.ask)
        self.timeline = Timeline(desk.t("chat.latest"), desk.theme.scale)
        self.timeline.top_reached.connect(self._load_older)
        self.timeline.latest_wanted.connect(self.reload)
        self.composer = Composer(desk)
        self.composer.sent.connect(self.ask)
        self.composer.stopped.connect(self.stop)
        self._composer_line = QWidget()
        self._composer_line.setMaximumWidth(round(780 * desk.theme.scale))
        self._composer_line.setLayout(column(self.composer))
        below = column(spacing=0)
        below.setContentsMargins(LARGE, MEDIUM // 2, LARGE, LARGE)
        below.addWidget(self._composer_line)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.timeline, 1)
        layout.addLayout(below)
        self._turn: RunningTurn | None = None
        self._oldest: tuple[Moment, int] | None = None
        self._more = False
        self._loading = False
        self._last_day: date | None = None
        self._welcome: Welcome | None = None
        desk.subject_changed.connect(self.reload)
        desk.asked.connect(self.ask)

    @property
    def running(self) -> bool:
        """Whether an answer is being written."""
        return self._turn is not None

    def ask(self, text: str) -> None:
        """Put a text to the tutor; without any subject, one is made first."""
        if self.running or not text.strip():
            return
        subject = self.desk.subject_id
        if subject is None:
            actions.add_subject(self.desk, self.desk.t("subjects.first"), lambda _subject: self.ask(text))
            return
        self._forget_welcome()
        self.timeline.jump()
        self._begin_day(self.desk.now())
        card = StudentCard(self.desk, text, saved=False)
        self.timeline.add(card)
        language = self.desk.t.language
        self._run(lambda cancel: self.desk.house.tutor.turn(subject, text, cancel=cancel, language=language), card)

    def regenerate(self, answer: EpisodeId, card: AnswerCard) -> None:
        """Another answer in the place of one."""
        if not self.running:
            self.timeline.remove(card)
            self._run(lambda cancel: self.desk.house.tutor.regenerate(answer, cancel=cancel), None)

    def stop(self) -> None:
        """Let the answer end where it is."""
        if self._turn is not None:
            self._turn.stop()

    def catch_up(self) -> None:
        """Show what came into the ledger from elsewhere, unless the student is reading further up or waits."""
        if not self.running and self.timeline.at_end:
            self.reload()

    def reload(self) -> None:
        """Show the newest cards of the subject in hand."""
        self.timeline.empty_out()
        self._oldest, self._more, self._last_day = None, False, None
        self._welcome = None
        subject = self.desk.subject_id
        if subject is None:
            self._greet(nothing=True)
            return
        memory = self.desk.house.memory

        def work() -> tuple[SubjectId, PageOfChat, PendingCheck | None]:
            return subject, latest(memory.ledger, subject, PAGE), memory.checks.get(subject)

        self._loading = True
        self.desk.read(work, self._show_latest)

    def _show_latest(self, found: tuple[SubjectId, PageOfChat, PendingCheck | None]) -> None:
        subject, page, pending = found
        self._loading = False
        if subject != self.desk.subject_id or self.running:
            return
        self._note_page(page)
        if not page.entries:
            self._greet(nothing=False)
            return
        for entry in page.entries:
            self._begin_day(entry.moment)
            self.timeline.add(self._maker.card(entry))
        if pending is not None:
            asked_above = pending.check.question in page.entries[-1].text
            self.timeline.add(self._maker.pending(pending.check, asked_above=asked_above))

    def _load_older(self) -> None:
        subject = self.desk.subject_id
        if self._loading or not self._more or self._oldest is None or subject is None:
            return
        self._loading = True
        moment, seq = self._oldest
        ledger = self.desk.house.memory.ledger
        self.desk.read(lambda: (subject, before(ledger, subject, moment, seq, PAGE)), self._show_older)

    def _show_older(self, found: tuple[SubjectId, PageOfChat]) -> None:
        subject, page = found
        self._loading = False
        if subject != self.desk.subject_id:
            return
        self._note_page(page)
        cards: list[QWidget] = []
        day: date | None = None
        for entry in page.entries:
            if entry.moment.day != day:
                day = entry.moment.day
                cards.append(self._day(entry.moment))
            cards.append(self._maker.card(entry))
        self.timeline.put_before(cards)

    def _note_page(self, page: PageOfChat) -> None:
        self._more = page.more
        if page.oldest is not None:
            self._oldest = page.oldest

    def _run(self, events: Callable[[threading.Event], Iterator[TurnEvent]], question: StudentCard | None) -> None:
        answer = AnswerCard(self.desk)
        answer.link_chosen.connect(self._maker.link_chosen(answer))
        answer.head("due", "muted", self.desk.t("chat.thinking"))
        self.timeline.add(answer)
        turn = RunningTurn(self.desk, events, self)
        self._turn = turn
        self.composer.set_busy(True)
        if question is not None:
            turn.saved.connect(question.mark_saved)
        turn.planned.connect(lambda planned: self._plan(answer, planned))
        turn.grown.connect(answer.show_text)
        turn.finished.connect(lambda result: self._finish(answer, question, result))
        turn.failed.connect(lambda error: self._fail(answer, error))
        turn.start()

    def _plan(self, answer: AnswerCard, planned: Planned) -> None:
        key = f"plan.{planned.plan.value}"
        if self.desk.t.has(key):
            answer.head("due", "muted", self.desk.t(key))

    def _finish(self, answer: AnswerCard, question: StudentCard | None, result: TurnResult | None) -> None:
        self._turn = None
        self.composer.set_busy(False)
        if result is None:
            self.timeline.remove(answer)
        else:
            if question is not None:
                question.mark_saved()
            at = self.timeline.place_of(answer)
            self.timeline.remove(answer)
            done = self._maker.finished(result)
            self.timeline.put_at(done, at)
            if result.reminder is not None:
                self.timeline.put_at(ReminderLine(self.desk, result.reminder), at + 1)
            if result.check is not None:
                asked_above = result.check.question in result.text
                self.timeline.add(self._maker.pending(result.check, asked_above=asked_above))
            QAccessible.updateAccessibility(QAccessibleEvent(done, QAccessible.Event.Alert))
            self.desk.source_asked.emit(sources_of(result), -1)
        self.desk.changed.emit(self)
        self.turn_ended.emit(result)
        self.composer.field.setFocus()

    def _fail(self, answer: AnswerCard, error: Exception) -> None:
        self._turn = None
        self.composer.set_busy(False)
        self.timeline.remove(answer)
        said = told(error, self.desk.t)
        self.timeline.add(FaultCard(self.desk, said.words, said.details))
        self.turn_ended.emit(None)

    def show_fault(self, error: Exception) -> None:
        """Say in the chat what went wrong elsewhere."""
        said = told(error, self.desk.t)
        self.timeline.add(FaultCard(self.desk, said.words, said.details))

    def _greet(self, *, nothing: bool) -> None:
        self._welcome = Welcome(self.desk, first_run=nothing)
        self.timeline.add(self._welcome)

    def _forget_welcome(self) -> None:
        if self._welcome is not None:
            self.timeline.remove(self._welcome)
            self._welcome = None

    def _begin_day(self, moment: Moment) -> None:
        if moment.day != self._last_day:
            self._last_day = moment.day
            self.timeline.add(self._day(moment))

    def _day(self, moment: Moment) -> DayCard:
        return DayCard(self.desk.t.day(moment.day, self.desk.now().day))
