"""The status bar: offline, the model, what is being read, what is due, the last night."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QWidget

from app.models.catalogue import Role
from app.wiring import House
from memory.episodes import Kind, SubjectId
from ui.bits import button, row
from ui.desk import Desk
from ui.fitting import LineLabel
from ui.reading import BeingRead
from ui.text import one_line
from ui.theme import SMALL


@dataclass(frozen=True, slots=True)
class Standing:
    """The figures of the status bar. ``model`` is the chat model's name ("" for none) and ``size`` its bytes."""

    model: str
    size: int
    due: int
    night: date | None


def standing(house: House, subject: SubjectId | None) -> Standing:
    """Look at the models, the review and the last night."""
    model = next((state for state in house.models.all() if state.role is Role.CHAT and state.in_use), None)
    due, night = 0, None
    if subject is not None:
        memory = house.memory
        due = len(memory.review.due(subject, house.clock.now()))
        last = memory.ledger.find(subject, kinds=(Kind.CONSOLIDATION,), newest_first=True, limit=1)
        night = last[0].moment.day if last else None
    return Standing(model.name if model else "", model.size if model else 0, due, night)


class StatusBar(QStatusBar):
    """What is going on, in one line."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._loading = False
        self.setSizeGripEnabled(False)
        t = desk.t
        self.setMinimumWidth(desk.theme.px(200))
        self.model = LineLabel()
        self.model.show_words(t("status.model_looking"))
        self.due = QLabel("")
        self.night = QLabel("")
        self.reading = _Reading(desk)
        self.reading.hide()
        self.addWidget(self._with_icon("offline", QLabel(t("status.offline"))))
        self.addWidget(self.model, 1)
        self.addWidget(self.reading)
        self.addPermanentWidget(self._with_icon("due", self.due))
        self.addPermanentWidget(self._with_icon("night", self.night))
        desk.changed.connect(lambda _by: self.refresh())
        desk.subject_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Look again."""
        house, subject = self._desk.house, self._desk.subject_id
        self._desk.lanes.reads.run(lambda: standing(house, subject), self._show)

    def show_reading(self, file: BeingRead | None) -> None:
        """Show how far the reading of a file has come; None when nothing is read."""
        self.reading.setVisible(file is not None)
        if file is not None:
            key = "status.paused" if file.paused else "status.reading" if file.pages else "status.opening"
            self.reading.show_paused(file.paused)
            name = one_line(file.path.name, 32)
            self.reading.words.setText(self._desk.t(key, name=name, done=file.done, total=file.pages))
            self.reading.bar.setRange(0, file.pages)
            self.reading.bar.setValue(file.done)

    def model_loading(self) -> None:
        """Say that the model is being loaded."""
        self._loading = True
        self.model.show_words(self._desk.t("status.model_loading"))

    def model_loaded(self) -> None:
        """The model is loaded, or there is none."""
        self._loading = False
        self.refresh()

    def _show(self, found: Standing) -> None:
        t = self._desk.t
        if self._loading and found.model:
            self.model.show_words(t("status.model_loading"))
        else:
            self._show_model(found)
        self.due.setText(t("status.due", n=found.due) if found.due else t("status.nothing_due"))
        self.night.setText(t("status.night", day=t.short_day(found.night)) if found.night else t("status.no_night"))

    def _show_model(self, found: Standing) -> None:
        t = self._desk.t
        name = t("status.model", name=found.model, size=t.size(found.size)) if found.model else t("status.no_model")
        self.model.show_words(name)

    def _with_icon(self, icon: str, words: QLabel) -> QWidget:
        theme = self._desk.theme
        picture = QLabel()
        picture.setPixmap(theme.pixmap(icon, theme.colours.muted, 14))
        made = QWidget()
        made.setLayout(row(picture, words, spacing=2))
        return made


class _Reading(QWidget):
    """What is being read, how far, and how to stop it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.words = QLabel("")
        self.bar = QProgressBar()
        self.bar.setFixedWidth(desk.theme.px(110))
        self.bar.setTextVisible(False)
        self._t = desk.t
        self.pause = button("", lambda: None, "quiet")
        self.cancel = button(desk.t("action.cancel"), lambda: None, "quiet")
        self.show_paused(False)
        self.setLayout(row(self.words, self.bar, self.pause, self.cancel, spacing=SMALL))

    def show_paused(self, paused: bool) -> None:
        """Offer to go on with what was paused, else to pause."""
        self.pause.setText(self._t("action.resume" if paused else "action.pause"))
