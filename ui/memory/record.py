"""Whether the record is whole: the chain recomputed, its head, the last checkpoint; and its copies."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from ui.bits import Scroll, button, card, clear, column, empty, label, row
from ui.desk import Desk, Panel
from ui.memory.copies import CopiesCard
from ui.memory.shown import ShownRecord, read_record
from ui.theme import MEDIUM, SMALL


class RecordPage(Panel):
    """The integrity of the chain, and what keeps it safe."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.copies = CopiesCard(desk)
        self._state = column(spacing=MEDIUM)
        self._scroll = Scroll(margins=0, spacing=MEDIUM)
        self._scroll.fill(self._state, self.copies)
        self.setLayout(column(self._scroll, margins=MEDIUM))

    def refresh(self) -> None:
        """Look at the newest part of the chain again."""
        self.copies.refresh()
        self.look(whole=False)

    def look(self, *, whole: bool) -> None:
        """Recompute the newest part of the chain, or all of it with the checkpoints, the files and the database."""
        subject, memory, now = self.desk.subject_id, self.desk.house.memory, self.desk.house.clock.recorded()
        if subject is None:
            self._show(None)
        else:
            self.desk.read(lambda: read_record(memory, subject, now, whole=whole), self._show)

    def _show(self, found: ShownRecord | None) -> None:
        t = self.desk.t
        clear(self._state)
        if found is None or found.state is None:
            nothing = empty(t("record.empty"), t("memory.no_episodes_why"), picture=self.desk.theme.sign("chain"))
            self._state.addWidget(nothing)
            return
        state = found.state
        broken = state.first_break
        verdict = label(t("record.ok"), "good")
        if broken is not None:
            verdict = label(t("record.broken", seq=broken.seq), "bad")
        looked = t("record.whole", n=state.episodes) if found.whole else t("record.newest", n=found.episodes)
        self._state.addWidget(
            card(
                "plain",
                label(t("record.title"), "section"),
                verdict,
                label(looked, "muted"),
                *self._faults(found),
                label(t("record.head", head=state.head[:32]), "small", select=True),
                row(button(t("record.verify"), lambda: self.look(whole=True)), None),
                spacing=SMALL,
            )
        )
        noted = found.checkpoint
        if noted is None:
            self._state.addWidget(card("plain", label(t("record.no_checkpoint")), label(t("record.why"), "muted")))
            return
        line = noted.line
        self._state.addWidget(
            card(
                "plain",
                label(t("record.checkpoint", at=noted.at[:16].replace("T", " "), seq=noted.seq)),
                label(t("record.why"), "muted"),
                row(button(t("record.copy"), lambda: QGuiApplication.clipboard().setText(line)), None),
                spacing=SMALL,
            )
        )

    def _faults(self, found: ShownRecord) -> list[QWidget]:
        """What a look at everything found beside the chain: database, checkpoints, files."""
        t = self.desk.t
        if not found.whole:
            return []
        said: list[QWidget] = [label(t("record.database_bad", fault=fault), "bad") for fault in found.faults]
        said += [label(t("record.checkpoint_bad", at=at[:16].replace("T", " ")), "bad") for at in found.checkpoints]
        said += [label(f"{name}: {t(f'cited.{standing}')}", "warn") for name, standing in found.files]
        return said or [label(t("record.all_well"), "muted")]
