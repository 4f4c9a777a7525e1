"""Cards made from entries of the ledger and from finished turns, with what can be done on each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QInputDialog, QMessageBox, QPushButton, QWidget

from app.turn_events import Plan, TurnResult
from memory.checks import Check
from memory.episodes import EpisodeId, Kind, Verdict
from ui import actions
from ui.bits import button, label
from ui.chat.cards import VERDICT_LOOKS, AnswerCard, NoticeCard, StudentCard
from ui.chat.entries import Entry, Look
from ui.desk import Desk
from ui.source.answer_sources import LINK, AnswerSources, read_sources, sources_of, with_marks
from ui.text import as_markdown, one_line

Regenerate = Callable[[EpisodeId, AnswerCard], None]
_NOTICES = {Kind.FILE: "file", Kind.QUIZ: "due"}


class CardMaker:
    """Makes the cards of the chat."""

    def __init__(self, desk: Desk, regenerate: Regenerate, ask: Callable[[str], None]) -> None:
        self._desk = desk
        self._regenerate = regenerate
        self._ask = ask

    def card(self, entry: Entry) -> QWidget:
        """The card of an entry."""
        t = self._desk.t
        match entry.look:
            case Look.STUDENT:
                return StudentCard(self._desk, entry.text, redacted=entry.redacted)
            case Look.TUTOR:
                return self._answer_of(entry)
            case Look.RECEIPT:
                plain = entry.text if entry.kind is Kind.ANSWER else as_markdown(entry.text)
                return self._receipt(plain, entry.note)
            case Look.VERDICT:
                text = f"{as_markdown(entry.caption)}\n\n{entry.text}".strip()
                return self._verdict(text, entry.verdict, entry.check, entry.episode)
            case Look.NOTICE:
                episode = entry.episode
                words = t(f"chat.notice_{entry.kind.value}", text=one_line(entry.text, 160))
                return NoticeCard(
                    self._desk, _NOTICES.get(entry.kind, "note"), words, lambda: self._desk.episode_asked.emit(episode)
                )

    def finished(self, result: TurnResult) -> AnswerCard:
        """The card of a turn that has just finished."""
        if result.taught is not None:
            return self._receipt(result.text, result.taught)
        if result.checked is not None:
            return self._verdict(result.text, result.verdict, result.checked, result.answer)
        card = AnswerCard(self._desk)
        self._dress(card, sources_of(result), stopped=result.stopped)
        if result.wish is not None:
            card.offer([(self._desk.t("chat.keep_note"), lambda: self._ask(self._desk.t("chat.yes")))])
        return card

    def pending(self, check: Check, *, asked_above: bool = False) -> AnswerCard:
        """The card of a check that waits: choices are answered with a click, others by writing.

        ``asked_above``: the card before it says the question already.
        """
        t = self._desk.t
        card = AnswerCard(self._desk, "check")
        card.head("flag", "accent", t("check.title"))
        if asked_above:
            card.body.hide()
        else:
            card.show_text(as_markdown(check.question))

        def choose(choice: str) -> None:
            card.withdraw_offer()
            self._ask(choice)

        card.offer(
            [(choice, partial(choose, choice)) for choice in check.choices],
            t("check.choose" if check.choices else "check.write"),
        )
        return card

    def link_chosen(self, card: AnswerCard) -> Callable[[str], None]:
        """What a link in a card does: a mark shows its source, any other address is opened only when confirmed."""
        return lambda address: self._follow(address, None, card)

    def _answer_of(self, entry: Entry) -> AnswerCard:
        card = AnswerCard(self._desk)
        t = self._desk.t
        if entry.redacted:
            card.show_text(f"*{t('chat.redacted')}*")
            return card
        card.show_text(entry.text)
        memory, episode = self._desk.house.memory, entry.episode

        def dress(sources: AnswerSources | None) -> None:
            if sources is not None and card.parent() is not None:
                self._dress(card, sources, stopped=entry.state == "stopped", interrupted=entry.state == "interrupted")

        self._desk.read(lambda: read_sources(memory, episode), dress)
        return card

    def _dress(
        self, card: AnswerCard, sources: AnswerSources, *, stopped: bool = False, interrupted: bool = False
    ) -> None:
        t = self._desk.t
        card.show_text(with_marks(sources.text, sources.claims))
        card.raw = sources.text
        card.link_chosen.connect(lambda address: self._follow(address, sources, card))
        foot: list[QWidget] = []
        if stopped or interrupted:
            foot.append(label(t("chat.stopped" if stopped else "chat.interrupted"), "warn", wrap=False))
        words = self._support(sources)
        if words:
            foot.append(self._quiet(words, "chain", lambda: self._desk.source_asked.emit(sources, -1)))
        foot.append(self._quiet(t("action.copy"), "copy", lambda: QGuiApplication.clipboard().setText(sources.text)))
        if sources.plan == Plan.ANSWER.value:
            card.again = partial(self._regenerate, sources.answer, card)
            foot.append(self._quiet(t("action.again"), "again", card.again))
        card.foot(*foot)

    def _support(self, sources: AnswerSources) -> str:
        t = self._desk.t
        if sources.plan in (Plan.LEDGER.value, Plan.MAP.value):
            count = len(sources.memories)
            return t("source.from_record", n=count) if count else t(f"source.from_{sources.plan}")
        if not sources.claims:
            return t("source.why") if sources.reads else ""
        if sources.supported == 0:
            return t("source.none_supported")
        return t("source.supported", n=sources.supported, of=len(sources.claims))

    def _receipt(self, text: str, note: EpisodeId | None) -> AnswerCard:
        t = self._desk.t
        card = AnswerCard(self._desk, "receipt")

        def undone() -> None:
            card.head("undo", "muted", t("receipt.undone"))

        def undo() -> None:
            if note is not None:
                actions.withdraw_note(self._desk, note, lambda _written: undone())

        undo_button = button(t("action.undo"), undo, "quiet", theme=self._desk.theme, icon="undo")
        card.head("note", "accent", t("receipt.title"), *([undo_button] if note is not None else []))
        card.show_text(text)
        return card

    def _verdict(
        self, text: str, verdict: Verdict | None, check: EpisodeId | None, episode: EpisodeId | None
    ) -> AnswerCard:
        t = self._desk.t
        card = AnswerCard(self._desk, "notice")
        icon, tone = VERDICT_LOOKS.get(verdict, ("flag", "muted")) if verdict else ("flag", "muted")
        more: list[QPushButton] = []
        if check is not None and verdict is not None:
            more.append(self._quiet(t("check.contest"), "flag", lambda: self._contest(check, card)))
        if check is not None:
            more.append(self._quiet(t("action.open"), "open", lambda: self._desk.episode_asked.emit(check)))
        card.head(icon, tone, t(f"verdict.{verdict.value if verdict else 'none'}"), *more)
        card.show_text(text)
        return card

    def _contest(self, check: EpisodeId, card: AnswerCard) -> None:
        t = self._desk.t
        words, sure = QInputDialog.getText(card, t("check.contest"), t("check.contest_why"))
        if sure:
            actions.contest(self._desk, check, words, lambda _written: card.foot(label(t("check.contested"), "muted")))

    def _follow(self, address: str, sources: AnswerSources | None, card: AnswerCard) -> None:
        if address.startswith(LINK):
            if sources is not None:
                self._desk.source_asked.emit(sources, int(address.removeprefix(LINK)))
            return
        t = self._desk.t
        asked = QMessageBox.question(card, t("link.title"), t("link.ask", address=address))
        if asked is QMessageBox.StandardButton.Yes:
            QDesktopServices.openUrl(QUrl(address))

    def _quiet(self, words: str, icon: str, chosen: Callable[[], object]) -> QPushButton:
        return button(words, chosen, "foot", theme=self._desk.theme, icon=icon)
