"""What is held about the student, with how sure and since when; each opens to the chain behind it."""

from __future__ import annotations

from datetime import date, timedelta

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLabel, QSlider, QWidget

from memory.belief_rules import Belief
from ui.bits import Scroll, button, card, column, empty, label, row
from ui.desk import Desk, Panel
from ui.map.view import STANDINGS
from ui.memory.shown import ShownBelief, ShownBeliefs, read_beliefs
from ui.theme import MEDIUM, SMALL, TIGHT

_AFTER = 120
"""Milliseconds that the slider must rest before the memory is asked."""


class BeliefsPage(Panel):
    """Beliefs, weak ones first, as of today or of another day."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        t = desk.t
        self._open: set[str] = set()
        self._today = desk.now().day
        self.back = QSlider(Qt.Orientation.Horizontal)
        self.back.setAccessibleName(t("memory.as_of"))
        self.back.setRange(0, 0)
        self.back.setPageStep(7)
        self._when = label("", "muted", wrap=False)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_AFTER)
        self._soon.timeout.connect(self.refresh)
        self.back.valueChanged.connect(lambda _days: self._moved())
        self._scroll = Scroll(margins=0)
        self._line = QWidget()
        line = row(label(t("memory.as_of"), "muted", wrap=False), self.back, self._when)
        line.setStretch(1, 1)
        self._line.setLayout(line)
        self._line.hide()
        self.setLayout(column(self._line, self._scroll, margins=MEDIUM))
        desk.subject_changed.connect(lambda: self.back.setValue(self.back.maximum()))

    @property
    def day(self) -> date | None:
        """The day that the slider stands at; None for today."""
        days = self.back.maximum() - self.back.value()
        return self._today - timedelta(days) if days else None

    def _moved(self) -> None:
        self._say_when()
        self._soon.start()

    def _say_when(self) -> None:
        t, day = self.desk.t, self.day
        self._when.setText(t.short_day(day) if day else t("date.today"))
        self.back.setAccessibleDescription(self._when.text())

    def refresh(self) -> None:
        """Read the beliefs again."""
        subject, memory = self.desk.subject_id, self.desk.house.memory
        if subject is None:
            self._show(ShownBeliefs((), None))
            return
        day = self.day
        self.desk.read(lambda: read_beliefs(memory, subject, day), self._show)

    def _show(self, shown: ShownBeliefs) -> None:
        t, found = self.desk.t, shown.held
        self._stretch(shown.first)
        if not found and self.day is not None:
            self._scroll.fill(label(t("memory.none_then"), "muted"))
        elif not found:
            ask = button(t("memory.quiz_do"), lambda: self.desk.asked.emit(t("memory.quiz")), "primary")
            self._scroll.fill(
                empty(t("memory.no_beliefs"), t("memory.no_beliefs_why"), ask, picture=self.desk.theme.sign("eye"))
            )
        else:
            self._scroll.fill(*(self._card(one) for one in found))

    def _stretch(self, first: date | None) -> None:
        """Let the slider reach back to the day of the first belief; where it stands is kept."""
        self._today = self.desk.now().day
        days = (self._today - first).days if first else 0
        self._line.setVisible(days > 0)
        if days != self.back.maximum():
            back = self.back.maximum() - self.back.value()
            self.back.blockSignals(True)
            self.back.setRange(0, days)
            self.back.setValue(days - back)
            self.back.blockSignals(False)
        self._say_when()

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
