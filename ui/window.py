"""Opening the window, and photographing it: the two ways in."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from PySide6.QtCore import QLocale, QTimer
from PySide6.QtWidgets import QApplication

from app.lanes import Lanes
from app.reading.pictures import PagePictures
from app.wiring import House
from ui import actions
from ui.desk import Desk
from ui.main_window import MainWindow
from ui.messages import Messages, pick_language
from ui.photographs import photograph
from ui.settings import SIZES, USUAL_SIZE, SettingsDialog
from ui.source.panel import RenderPage
from ui.text import direction_of_language
from ui.theme import put_on, theme_of

_BUSY = 300  # milliseconds until it is looked again whether the window can be built anew


@dataclass(frozen=True, slots=True)
class Look:
    """Language (None: the system's), theme and text size in percent."""

    language: str | None
    theme: str
    text_size: int


class Opened:
    """One window over one house; it is built anew when language, theme or text size change."""

    def __init__(
        self,
        house: House,
        application: QApplication,
        render_page: RenderPage | None = None,
        fixed: Look | None = None,
    ) -> None:
        """``fixed`` overrides the look that is set (photographs)."""
        self._house = house
        self._application = application
        self._render = render_page
        self._fixed = fixed
        self.lanes = Lanes()
        self.desk = self._desk()
        self.window = self._build()

    def start(self, *, warm: bool = False) -> None:
        """Show the window and take the subject last used in hand; ``warm`` makes the model ready behind it."""
        self.window.show()
        self.window.chat.composer.field.setFocus()
        memory = self._house.memory

        def first() -> None:
            self.desk.read(memory.subjects.all, lambda known: self._take(known))

        QTimer.singleShot(0, first)
        if warm:
            self.window.status.model_loading()
            actions.make_ready(self.desk, lambda _there: self.window.status.model_loaded(), self._unready)

    def _unready(self, error: Exception) -> None:
        self.window.status.model_loaded()
        self.desk.faulted.emit(error)

    def _take(self, known: object) -> None:
        subjects = known if isinstance(known, list) else []
        if subjects:
            self.desk.take(subjects[0])
        else:
            self.desk.subject_changed.emit()
        self.window.status.refresh()
        actions.run_night(self.desk)

    def close(self) -> None:
        """Stop the lanes."""
        self.window.chat.stop()
        self.window.reading.cancel()
        self.lanes.close()

    def _build(self) -> MainWindow:
        put_on(self._application, self.desk.theme)
        self._application.setLayoutDirection(direction_of_language(self.desk.t.language))
        window = MainWindow(self.desk, self._render)
        window.settings_wanted.connect(self._settings)
        window.size_wanted.connect(self._resize)
        self.desk.sample_asked.connect(self._sample)
        return window

    def _sample(self) -> None:
        """Read the sample course into a subject of its own."""
        path = Path(str(resources.files("resources").joinpath("sample", "plasma_membranes.pdf")))
        name = self.desk.t("subjects.sample")
        actions.add_subject(self.desk, name, lambda _subject: self.desk.files_asked.emit([path]))

    def _settings(self) -> None:
        """Show the settings; the window dresses anew once they are closed, if its look was changed."""
        look = self._look()
        SettingsDialog(self.desk, self.window).exec()
        if self._look() != look:
            self.dress()

    def _resize(self, step: int) -> None:
        """Take the next larger or smaller size of text, or the usual one."""
        at = min(range(len(SIZES)), key=lambda place: abs(SIZES[place] - self._look().text_size))
        size = SIZES[max(0, min(len(SIZES) - 1, at + step))] if step else USUAL_SIZE
        if size != self._look().text_size:
            self._house.settings.change(text_size=size)
            self.dress()

    def _look(self) -> Look:
        values = self._house.settings.get()
        return self._fixed or Look(values.language, values.theme, values.text_size)

    def _desk(self) -> Desk:
        look = self._look()
        messages = Messages(pick_language(look.language, QLocale.system().name()))
        return Desk(self._house, self.lanes, messages, theme_of(look.theme, look.text_size))

    def dress(self) -> None:
        """Build the window anew in the language, theme and text size that are set; the subject stays in hand.

        An answer being written, or a file being read, is waited for.
        """
        if self.window.chat.running or self.window.reading.files:
            QTimer.singleShot(_BUSY, self.dress)
            return
        before, subject = self.window, self.desk.subject
        self.desk = self._desk()
        self.window = self._build()
        self.window.setGeometry(before.geometry())
        self.window.tabs.setCurrentIndex(before.tabs.currentIndex())
        self.window.show()
        before.close()
        before.deleteLater()
        self.desk.take(subject)
        self.window.status.refresh()


def run(house: House) -> int:
    """Open the window and stay until it is closed; the exit code of the program. The house stays open."""
    application = _application()
    pictures = PagePictures()
    opened = Opened(house, application, pictures)
    opened.start(warm=True)
    code = application.exec()
    opened.close()
    pictures.close()
    return code


def shoot(house: House, folder: Path, language: str, theme: str) -> list[Path]:
    """Photograph every panel of the real window into PNG files; their paths. Needs no screen. Settings are not touched.

    ``language`` is the interface's, ``theme`` is ``light`` or ``dark``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    application = _application()
    pictures = PagePictures()
    opened = Opened(house, application, pictures, Look(language, theme, 100))
    opened.start()
    try:
        return photograph(opened.window, opened.lanes, folder, f"{language}-{theme}")
    finally:
        opened.close()
        opened.window.close()
        pictures.close()


def _application() -> QApplication:
    known = QApplication.instance()
    if isinstance(known, QApplication):
        return known
    application = QApplication(sys.argv[:1])
    application.setApplicationName("Retiens")
    application.setDesktopFileName("retiens")
    return application
