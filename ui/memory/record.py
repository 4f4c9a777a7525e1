"""Whether the record is whole: the chain recomputed, its head, the last checkpoint."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from ui.bits import Scroll, button, card, column, empty, label, row
from ui.desk import Desk, Panel
from ui.memory.shown import ShownRecord, read_record
from ui.theme import MEDIUM, SMALL


class RecordPage(Panel):
    """The integrity of the chain."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._scroll = Scroll(margins=0)
        self.setLayout(column(self._scroll, margins=MEDIUM))

    def refresh(self) -> None:
        """Look at the newest part of the chain again."""
        self._look_at(whole=False)

    def _look_at(self, *, whole: bool) -> None:
        subject, memory = self.desk.subject_id, self.desk.house.memory
        if subject is not None:
            self.desk.read(lambda: read_record(memory, subject, whole=whole), self._show)
        else:
            self._scroll.fill(
                empty(
                    self.desk.t("memory.no_episodes"),
                    self.desk.t("memory.no_episodes_why"),
                    picture=self.desk.theme.sign("chain"),
                )
            )

    def _show(self, found: ShownRecord) -> None:
        t, state = self.desk.t, found.state
        if state is None:
            self._scroll.fill(
                empty(t("memory.no_episodes"), t("memory.no_episodes_why"), picture=self.desk.theme.sign("chain"))
            )
            return
        broken = state.first_break
        verdict = label(t("record.ok"), "good")
        if broken is not None:
            verdict = label(t("record.broken", seq=broken.seq), "bad")
        looked = t("record.whole", n=state.episodes) if found.whole else t("record.newest", n=found.episodes)
        parts: list[QWidget] = [
            card(
                "plain",
                verdict,
                label(looked, "muted"),
                label(t("record.head", head=state.head[:32]), "small", select=True),
                row(button(t("record.verify"), lambda: self._look_at(whole=True)), None),
                spacing=SMALL,
            )
        ]
        noted = found.checkpoint
        if noted is None:
            parts.append(card("plain", label(t("record.no_checkpoint")), label(t("record.why"), "muted")))
        else:
            line = noted.line
            copy = button(t("record.copy"), lambda: QGuiApplication.clipboard().setText(line), icon="")
            parts.append(
                card(
                    "plain",
                    label(t("record.checkpoint", at=noted.at[:16].replace("T", " "), seq=noted.seq)),
                    label(t("record.why"), "muted"),
                    row(copy, None),
                    spacing=SMALL,
                )
            )
        self._scroll.fill(*parts)
