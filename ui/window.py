"""Opening the window, and photographing it: the two ways in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from PySide6.QtCore import QLocale, QTimer
from PySide6.QtWidgets import QApplication

from app.lanes import Lanes
from ui import actions
from ui.desk import Desk
from ui.main_window import MainWindow
from ui.messages import Messages, pick_language
from ui.parts import House
from ui.settings import SettingsDialog
from ui.source.panel import RenderPage
from ui.theme import Theme, put_on, theme_of


class Opened:
    """One window over one house; it is built anew when language, theme or text size change."""

    def __init__(self, house: House, application: QApplication, render_page: RenderPage | None = None) -> None:
        self._house = house
        self._application = application
        self._render = render_page
        self.lanes = Lanes()
        values = house.settings.get()
        messages = Messages(pick_language(values.language, QLocale.system().name()))
        self.desk = Desk(house, self.lanes, messages, theme_of(values.theme, values.text_size))
        self.window = self._build()

    def start(self) -> None:
        """Show the window and take the subject last used in hand; the model is made ready behind it."""
        self.window.show()
        self.window.chat.composer.field.setFocus()
        memory = self._house.memory

        def first() -> None:
            self.desk.read(memory.subjects.all, lambda known: self._take(known))

        QTimer.singleShot(0, first)

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
        window = MainWindow(self.desk, self._render)
        window.settings_wanted.connect(self._settings)
        self.desk.sample_asked.connect(self._sample)
        return window

    def _sample(self) -> None:
        """Read the sample course into a subject of its own."""
        path = Path(str(resources.files("resources").joinpath("sample", "plasma_membranes.pdf")))
        name = self.desk.t("subjects.sample")
        actions.add_subject(self.desk, name, lambda _subject: self.desk.files_asked.emit([path]))

    def _settings(self) -> None:
        dialog = SettingsDialog(self.desk, self.window)
        dialog.exec()


def run(house: House, render_page: RenderPage | None = None) -> int:
    """Open the window and stay until it is closed; the exit code of the program."""
    application = _application()
    opened = Opened(house, application, render_page)
    opened.start()
    code = application.exec()
    opened.close()
    return code


def _application() -> QApplication:
    known = QApplication.instance()
    if isinstance(known, QApplication):
        return known
    application = QApplication(sys.argv[:1])
    application.setApplicationName("Retiens")
    application.setDesktopFileName("retiens")
    return application


__all__ = ["Callable", "Opened", "Theme", "run"]
