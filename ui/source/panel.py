"""The source panel: what each claim of an answer rests on, and why the answer is what it is.

A file is shown at its page with the lines marked: the page itself where it can be drawn, its words else. A memory is
shown with its date. A claim that nothing supports says so.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from memory.episodes import EpisodeId
from ui.bits import Scroll, card, column, empty, label, row
from ui.desk import Desk, Panel
from ui.fitting import LineButton
from ui.source.answer_sources import AnswerSources, ShownClaim
from ui.source.shown import Shown, ShownMemory, ShownPassage, show_episode, show_passage, show_sources
from ui.source.views import RenderPage, memory_card, page_card, reads_card
from ui.text import one_line
from ui.theme import LARGE, MEDIUM, SMALL


class SourcePanel(Panel):
    """Shows where an answer, or one claim of it, comes from."""

    def __init__(self, desk: Desk, render_page: RenderPage | None = None) -> None:
        super().__init__(desk)
        self._render = render_page
        self._sources: AnswerSources | None = None
        self._claim = -1
        self._scroll = Scroll(margins=LARGE, spacing=MEDIUM)
        self.setLayout(column(self._scroll))
        desk.source_asked.connect(self.show_answer)
        desk.passage_asked.connect(self.show_passage)
        desk.episode_asked.connect(self.show_episode)
        desk.subject_changed.connect(self._let_go)
        self._let_go()

    def refresh(self) -> None:
        """An answer's sources never change: there is nothing to look at again."""

    def show_answer(self, sources: AnswerSources, claim: int) -> None:
        """Show the sources of an answer; ``claim`` is the one chosen, -1 for the whole answer."""
        self._sources, self._claim = sources, claim
        memory = self.desk.house.memory
        self.desk.read(lambda: show_sources(memory, sources, claim), self._show)

    def show_passage(self, passage: int) -> None:
        """Show a passage by itself."""
        self._sources = None
        memory = self.desk.house.memory
        self.desk.read(lambda: show_passage(memory, passage), self._show)

    def show_episode(self, episode: str) -> None:
        """Show an episode by itself."""
        self._sources = None
        memory = self.desk.house.memory
        self.desk.read(lambda: show_episode(memory, EpisodeId(episode)), self._show)

    def _let_go(self) -> None:
        self._sources = None
        t = self.desk.t
        self._scroll.fill(empty(t("source.empty_title"), t("source.empty_body"), picture=self.desk.theme.sign("chain")))

    def _show(self, shown: Shown) -> None:
        t = self.desk.t
        parts: list[QWidget] = []
        sources = self._sources
        if sources is not None and sources.claims:
            parts.append(self._claims(sources))
        if sources is not None and self._claim >= 0 and not shown.places:
            parts.append(self._nothing(sources.claims[self._claim]))
        if shown.places and sources is not None and self._claim >= 0:
            claim = sources.claims[self._claim]
            parts.append(label(t("source.for_claim", text=one_line(claim.text, 200)), "muted"))
        for place in shown.places:
            match place:
                case ShownPassage():
                    parts.append(page_card(self.desk, place, self._render))
                case ShownMemory():
                    parts.append(memory_card(self.desk, place))
        if sources is not None:
            parts.append(reads_card(self.desk, sources, shown.reads))
        self._scroll.fill(*parts)
        self._scroll.verticalScrollBar().setValue(0)

    def _claims(self, sources: AnswerSources) -> QWidget:
        t, theme = self.desk.t, self.desk.theme
        lines = column(spacing=2)
        for number, claim in enumerate(sources.claims):
            sign = QLabel(f"{number + 1}" if claim.places else "?")
            sign.setProperty("role", "count" if claim.places else "warn")
            sign.setFixedWidth(theme.px(18))
            sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
            words = LineButton(one_line(claim.text, 300), partial(self.show_answer, sources, number))
            words.setCheckable(True)
            words.setChecked(number == self._claim)
            line = row(sign, words, spacing=SMALL)
            line.setStretch(1, 1)
            lines.addLayout(line)
        return card("plain", label(t("source.claims"), "section"), lines, spacing=SMALL)

    def _nothing(self, claim: ShownClaim) -> QWidget:
        t = self.desk.t
        return card(
            "notice",
            label(t("source.no_support"), "warn"),
            label(claim.text),
            label(t("source.no_support_why"), "muted"),
        )
