"""The memory panel: beliefs, notes, the timeline, and whether the record is whole."""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget

from ui.bits import column
from ui.desk import Desk, Panel
from ui.memory.beliefs import BeliefsPage
from ui.memory.notes import NotesPage
from ui.memory.record import RecordPage
from ui.memory.timeline import TimelinePage


class MemoryPanel(Panel):
    """Four pages over the memory of the subject in hand; each looks again when it is seen."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.beliefs, self.notes = BeliefsPage(desk), NotesPage(desk)
        self.timeline, self.record = TimelinePage(desk), RecordPage(desk)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("pages")
        self.tabs.setAccessibleName(desk.t("panel.memory"))
        for name in ("beliefs", "notes", "timeline", "record"):
            self.tabs.addTab(getattr(self, name), desk.t(f"memory.{name}"))
        self.setLayout(column(self.tabs))

    def refresh(self) -> None:
        """Its pages look for themselves."""
