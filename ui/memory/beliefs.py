"""What is held about the student, with how sure and since when; each opens to the chain behind it."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QCheckBox, QDateEdit, QLabel, QWidget

from memory.belief_rules import Belief
from ui.bits import Scroll, button, card, column, empty, label, row
from ui.desk import Desk, Panel
from ui.map.view import STANDINGS
from ui.memory.shown import ShownBelief, read_beliefs
from ui.theme import MEDIUM, SMALL, TIGHT


class BeliefsPage(Panel):
    """Beliefs, weak ones first, as of today or of another day."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        t = desk.t
        self._open: set[str] = set()
        self._past = QCheckBox(t("memory.as_of"))
        self._day = QDateEdit()
        self._day.setCalendarPopup(True)
        self._day.setAccessibleName(t("memory.as_of"))
        today = desk.now().day
        self._day.setDate(QDate(today.year, today.month, today.day))
        self._day.setEnabled(False)
        self._past.toggled.connect(self._day.setEnabled)
        self._past.toggled.connect(lambda _on: self.refresh())
        self._day.dateChanged.connect(lambda _date: self.refresh())
        self._scroll = Scroll(margins=0)
        layout = column(row(self._past, self._day, None), self._scroll, margins=MEDIUM)
        self.setLayout(layout)

    def refresh(self) -> None:
        """Read the beliefs again."""
        subject, memory = self.desk.subject_id, self.desk.house.memory
        if subject is None:
            self._show([])
            return
        chosen = self._day.date()
        day = date(chosen.year(), chosen.month(), chosen.day()) if self._past.isChecked() else None
        self.desk.read(lambda: read_beliefs(memory, subject, day), self._show)

    def _show(self, found: list[ShownBelief]) -> None:
        t = self.desk.t
        if not found:
            ask = button(t("memory.quiz_do"), lambda: self.desk.asked.emit(t("memory.quiz")), "primary")
            self._scroll.fill(empty(t("memory.no_beliefs"), t("memory.no_beliefs_why"), ask))
            return
        self._scroll.fill(*(self._card(one) for one in found))

    def _card(self, shown: ShownBelief) -> QWidget:
        t, theme, belief = self.desk.t, self.desk.theme, shown.belief
        icon, tone, _ = STANDINGS[belief.claim]
        picture = QLabel()
        picture.setPixmap(theme.pixmap(icon, getattr(theme.colours, tone)))
        words = label(t(f"standing.{belief.claim.value}"), tone, wrap=False)
        since = t("memory.since", day=t.short_day(shown.since.day))
        sure = t("map.confidence", share=t.percent(belief.confidence))
        facts = f"{sure} · {since}" + (f" · {t('memory.confirm')}" if belief.confirm else "")
        chain = QWidget()
        chain.setLayout(column(*(self._step(row) for row in shown.chain), spacing=TIGHT))
        chain.setVisible(belief.concept in self._open)

        def unfold() -> None:
            chain.setVisible(not chain.isVisible())
            (self._open.add if chain.isVisible() else self._open.discard)(belief.concept)

        history = button(t("memory.chain", n=len(shown.chain)), unfold, "quiet")
        head = row(picture, label(belief.name, "heading"), words, spacing=SMALL)
        head.setStretch(1, 1)
        foot = row(label(facts, "muted"), history)
        foot.setStretch(0, 1)
        return card("plain", head, foot, chain, spacing=TIGHT)

    def _step(self, belief: Belief) -> QWidget:
        """One belief of the chain: what, how sure, from when, why, and the episode behind it."""
        t = self.desk.t
        words = t(
            "memory.step",
            day=t.short_day(belief.valid_from.day),
            claim=t(f"standing.{belief.claim.value}"),
            share=t.percent(belief.confidence),
            reason=t(f"reason.{belief.reason.value}"),
        )
        parts: list[QWidget | None] = [label(words, "muted")]
        if belief.episodes:
            episode = belief.episodes[-1]
            parts.append(button(t("action.open"), lambda: self.desk.episode_asked.emit(episode), "quiet"))
        line = row(*parts)
        line.setStretch(0, 1)
        made = QWidget()
        made.setLayout(line)
        return made
