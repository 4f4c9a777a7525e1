"""What the student taught, each note with its date and where it hangs, and a way to take it back."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from ui import actions
from ui.bits import Scroll, button, card, column, empty, label, row
from ui.desk import Desk, Panel
from ui.memory.shown import ShownNote, read_notes
from ui.theme import MEDIUM, SMALL


class NotesPage(Panel):
    """Taught notes."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._scroll = Scroll(margins=0)
        self.setLayout(column(self._scroll, margins=MEDIUM))

    def refresh(self) -> None:
        """Read the notes again."""
        subject, memory = self.desk.subject_id, self.desk.house.memory
        if subject is None:
            self._show([])
            return
        self.desk.read(lambda: read_notes(memory, subject), self._show)

    def _show(self, found: list[ShownNote]) -> None:
        t = self.desk.t
        if not found:
            self._scroll.fill(
                empty(t("memory.no_notes"), t("memory.no_notes_why"), picture=self.desk.theme.sign("note"))
            )
            return
        self._scroll.fill(*(self._card(note) for note in found))

    def _card(self, note: ShownNote) -> QWidget:
        t = self.desk.t
        where = ", ".join(note.concepts) or t("memory.about_you")
        facts = f"{t.short_day(note.at.day)} · {where}"
        do: list[QPushButton] = [
            button(t("action.open"), lambda: self.desk.episode_asked.emit(note.episode), "quiet"),
        ]
        if note.live:
            do.append(button(t("memory.withdraw"), lambda: actions.withdraw_note(self.desk, note.episode), "quiet"))
        else:
            facts += " · " + t("memory.withdrawn")
        words = label(note.text or t("chat.redacted"), "" if note.live else "muted", select=True)
        foot = row(label(facts, "muted"), *do)
        foot.setStretch(0, 1)
        return card("plain", words, foot, spacing=SMALL)
