"""Settings: language, theme, text size, models, the night; each applies at once."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QWidget,
)

from app.models.catalogue import Role
from app.models.fetch import Progress
from app.models.shelf import ModelState
from ui.bits import Scroll, button, card, clear, column, label, row
from ui.desk import Desk
from ui.faults import told
from ui.messages import INTERFACE_LANGUAGES, NAMES
from ui.theme import LARGE, MEDIUM, SMALL

THEMES = ("system", "light", "dark")
USUAL_SIZE = 100
SIZES = (80, 90, 100, 110, 125, 150, 175, 200, 250)


class SettingsDialog(QDialog):
    """The settings.

    Signals:
        look_changed: language, theme or text size changed; the window dresses anew.
    """

    look_changed = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._cancel: threading.Event | None = None
        t, theme = desk.t, desk.theme
        self.setWindowTitle(t("panel.settings"))
        self.resize(theme.px(620), theme.px(640))
        values = desk.house.settings.get()
        self.language = _choice([(NAMES[code], code) for code in INTERFACE_LANGUAGES], t.language)
        self.language.currentIndexChanged.connect(lambda _i: self._set(language=self.language.currentData()))
        self.colours = _choice([(t(f"settings.theme_{name}"), name) for name in THEMES], values.theme)
        self.colours.currentIndexChanged.connect(lambda _i: self._set(theme=self.colours.currentData()))
        self.percent = _choice([(f"{size} %", size) for size in SIZES], values.text_size)
        self.percent.currentIndexChanged.connect(lambda _i: self._set(text_size=self.percent.currentData()))
        self.night = _choice([(f"{hour:02}:00", hour) for hour in range(24)], values.night_hour)
        self.night.currentIndexChanged.connect(
            lambda _i: desk.house.settings.change(night_hour=self.night.currentData())
        )
        self.network = _choice([(t(f"settings.network_{name}"), name) for name in ("ask", "never")], values.network)
        self.network.currentIndexChanged.connect(
            lambda _i: desk.house.settings.change(network=self.network.currentData())
        )
        looks = QWidget()
        form = QFormLayout(looks)
        form.setHorizontalSpacing(LARGE)
        form.setVerticalSpacing(MEDIUM)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        fields: tuple[tuple[str, QWidget], ...] = (
            ("language", self.language),
            ("theme", self.colours),
            ("text_size", self.percent),
            ("night", self.night),
            ("network", self.network),
        )
        for name, field in fields:
            words = label(t(f"settings.{name}"), wrap=False)
            words.setBuddy(field)
            field.setAccessibleName(t(f"settings.{name}"))
            form.addRow(words, field)
        self._models = column(spacing=SMALL)
        self._progress = QLabel("")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.hide()
        own = button(t("settings.own_model"), self._own_model)
        inside = Scroll(margins=LARGE, spacing=MEDIUM)
        inside.fill(
            label(t("settings.look"), "section"),
            card("plain", looks),
            row(label(t("settings.models"), "section"), None, own),
            self._models,
            self._progress,
            self._bar,
            label(t("settings.models_why"), "muted"),
        )
        done = button(t("action.close"), self.accept, "primary")
        foot = row(None, done)
        foot.setContentsMargins(LARGE, MEDIUM, LARGE, LARGE)
        self.setLayout(column(inside, foot, spacing=0))
        self.refresh()

    def refresh(self) -> None:
        """Look at the models again."""
        models = self._desk.house.models
        self._desk.lanes.reads.run(models.all, self._show_models, self._fail)

    def _show_models(self, found: list[ModelState]) -> None:
        clear(self._models)
        for role in Role:
            self._models.addWidget(label(self._desk.t(f"settings.role_{role.value}"), "muted"))
            for state in found:
                if state.role is role:
                    self._models.addWidget(self._model(state))

    def _model(self, state: ModelState) -> QWidget:
        t = self._desk.t
        facts = [t.size(state.size), state.licence or t("settings.own_file"), ", ".join(state.languages[:8])]
        do: list[QPushButton] = []
        standing = None
        if state.in_use:
            standing = label(t("settings.in_use"), "good", wrap=False)
        elif state.installed:
            do.append(button(t("settings.use"), lambda: self._use(state.name)))
        else:
            do.append(button(t("settings.fetch"), lambda: self._fetch(state.name)))
        words = column(label(state.name), label(" · ".join(fact for fact in facts if fact), "muted"), spacing=2)
        line = row(spacing=MEDIUM)
        line.addLayout(words, 1)
        for widget in [standing, *do] if standing else do:
            line.addWidget(widget)
        return card("plain", line)

    def _use(self, name: str) -> None:
        house = self._desk.house

        def work() -> None:
            house.models.use(name)

        self._desk.lanes.chat.run(work, lambda _none: self._after(), self._fail)

    def _own_model(self) -> None:
        t = self._desk.t
        path, _ = QFileDialog.getOpenFileName(self, t("settings.own_model"), "", "GGUF (*.gguf)")
        if path:
            self._use(path)

    def _fetch(self, name: str) -> None:
        """Fetch a model: the one thing that goes on the network, because the student asked for it."""
        t, house, lane = self._desk.t, self._desk.house, self._desk.lanes.files
        self._cancel = cancel = threading.Event()
        self._bar.show()
        self._bar.setRange(0, 0)
        self._progress.setText(t("settings.fetching", name=name))

        def tell(progress: Progress) -> None:
            lane.say(None, lambda: self._fetched(progress))

        lane.run(lambda: house.models.fetch(name, tell, cancel), lambda _paths: self._after(), self._fail)

    def _fetched(self, progress: Progress) -> None:
        t = self._desk.t
        self._bar.setRange(0, 1000)
        self._bar.setValue(round(1000 * progress.done / max(1, progress.total)))
        key = "settings.checking" if progress.checking else "settings.fetched"
        self._progress.setText(t(key, file=progress.file, done=t.size(progress.done), total=t.size(progress.total)))

    def _after(self) -> None:
        self._bar.hide()
        self._progress.setText("")
        self._desk.changed.emit(None)
        self.refresh()

    def _fail(self, error: Exception) -> None:
        self._bar.hide()
        self._progress.setText(told(error, self._desk.t).words)

    def _set(self, **values: str | int) -> None:
        self._desk.house.settings.change(**values)
        self.look_changed.emit()

    def done(self, result: int) -> None:
        if self._cancel is not None:
            self._cancel.set()
        super().done(result)


def _choice(options: Sequence[tuple[str, str | int]], now: object) -> QComboBox:
    made = QComboBox()
    for words, value in options:
        made.addItem(words, value)
    made.setCurrentIndex(max(0, made.findData(now)))
    return made
