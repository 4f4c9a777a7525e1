"""What changed, day by day: beliefs before and after and why, concepts, files, notes, nights; each with evidence."""

from __future__ import annotations

from itertools import groupby

from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from memory.changes import Change, What
from ui.bits import Scroll, card, column, empty, label, opener, row
from ui.changes.words import ICONS, why, words_of
from ui.desk import Desk, Panel
from ui.theme import MEDIUM, SMALL

AT_MOST = 200
"""Changes shown at once."""


class ChangesPanel(Panel):
    """The history of what changed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        t = desk.t
        self.what = QComboBox()
        self.what.setAccessibleName(t("changes.filter"))
        self.what.addItem(t("changes.all"), None)
        for what in What:
            self.what.addItem(t(f"changes.of_{what.value}"), what)
        self.what.currentIndexChanged.connect(lambda _index: self._show(self._found))
        self._found: list[Change] = []
        self._scroll = Scroll(margins=0)
        self.setLayout(column(row(self.what, None), self._scroll, margins=MEDIUM))

    def refresh(self) -> None:
        """Read the history again."""
        subject, changes = self.desk.subject_id, self.desk.house.memory.changes
        if subject is None:
            self._show([])
            return
        self.desk.read(lambda: changes.history(subject), self._show)

    def _show(self, found: list[Change]) -> None:
        t, today = self.desk.t, self.desk.now().day
        self._found = found
        wanted = self.what.currentData()
        shown = [change for change in found if wanted in (None, change.what)][:AT_MOST]
        if not shown:
            self._scroll.fill(
                empty(t("changes.empty_title"), t("changes.empty_body"), picture=self.desk.theme.sign("again"))
            )
            return
        parts: list[QWidget] = []
        for day, changes in groupby(shown, key=lambda change: change.at.day):
            parts.append(label(t.day(day, today), "section"))
            parts.append(card("plain", *(self._line(change) for change in changes), spacing=SMALL))
        self._scroll.fill(*parts)

    def _line(self, change: Change) -> QWidget:
        t, theme = self.desk.t, self.desk.theme
        icon = QLabel()
        icon.setPixmap(theme.pixmap(ICONS[change.what], theme.colours.muted))
        icon.setFixedWidth(theme.px(20))
        words = [label(words_of(change, t))]
        reason = why(change, t)
        if reason:
            words.append(label(reason, "muted"))
        parts: list[QWidget | None] = [icon]
        line = row(*parts, spacing=SMALL)
        line.addLayout(column(*words, spacing=2), 1)
        if change.because:
            episode = change.because[-1]
            line.addWidget(opener(self.desk.theme, t("action.open"), lambda: self.desk.episode_asked.emit(episode)))
        made = QWidget()
        made.setLayout(line)
        return made
