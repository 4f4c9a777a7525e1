"""Opening the window, and photographing it: the two ways in."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import resources
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QLocale, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app import keeping
from app.folders import Folders
from app.lanes import Lanes
from app.reading.pictures import PagePictures
from app.settings import Settings
from app.wiring import House
from memory.faults import StoreFault
from memory.swapping import NothingToUndo
from ui import actions, starting
from ui.desk import Desk
from ui.main_window import MainWindow
from ui.messages import Messages, pick_language
from ui.photographs import photograph
from ui.settings import SIZES, USUAL_SIZE, SettingsDialog
from ui.single import Answer, Single, hand_over
from ui.source.views import RenderPage
from ui.text import direction_of_language
from ui.theme import put_on, theme_of

SILENT = 4
"""The exit code where a window is open on the folder and does not answer."""
_BUSY = 300  # milliseconds until it is looked again whether the window can be built anew


@dataclass(frozen=True, slots=True)
class Look:
    """Language (None: the system's), theme and text size in percent."""

    language: str | None
    theme: str
    text_size: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """The record is to be exchanged: for a backup, or (``path`` None) for the one that was put aside last."""

    path: Path | None


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
        self._handed: list[Path] = []
        self._before: Exception | None = None
        self.lanes = Lanes()
        self.exchange: Exchange | None = None
        self.desk = self._desk()
        self.window = self._build()

    @property
    def now(self) -> datetime:
        """The local time."""
        return self._house.clock.now().local

    def start(self, *, warm: bool = False, files: Sequence[Path] = (), error: Exception | None = None) -> None:
        """Show the window and take the subject last used in hand.

        ``warm`` makes the model ready behind it; ``files`` are read; ``error`` is said: it happened before the window.
        """
        self._handed = list(files)
        self._before = error
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
        handed, self._handed = self._handed, []
        if handed:
            self.desk.files_asked.emit(handed)
        if self._before is not None:
            self.desk.faulted.emit(self._before)

    def come_forward(self, files: list[Path]) -> None:
        """Another start on this folder: bring the window to the front, and read what it was started with."""
        window = self.window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        self._application.alert(window)
        if files:
            self.desk.files_asked.emit(files)

    def _exchange(self, path: Path | None) -> None:
        """Leave the window so that the record can be exchanged."""
        self.exchange = Exchange(path)
        self.window.close()  # the last window: the application ends with it

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
        self.desk.restore_asked.connect(self._exchange)
        self.desk.undo_asked.connect(lambda: self._exchange(None))
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
        if self.window.chat.running or self.window.reading.busy:
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


class Door(Protocol):
    """What opens and closes the house over a data folder; ``house`` opens it anew after ``close``."""

    @property
    def folders(self) -> Folders: ...
    @property
    def house(self) -> House: ...
    def close(self) -> None: ...


def run(door: Door, files: Sequence[Path] = ()) -> int:
    """Open the window and stay until it is closed; the exit code of the program.

    Where a window is open on the same folder already, it comes to the front, with the files, and this start ends.
    A record that is put in place of another is exchanged while no house is open; the window then opens anew.
    """
    application = starting.application()
    t = starting.spoken(Settings(door.folders.settings).get().language)
    match hand_over(door.folders.data, files):
        case Answer.TAKEN:
            sys.stderr.write(t("start.already") + "\n")
            return 0
        case Answer.SILENT:
            starting.say(t, t("start.silent"))
            return SILENT
    single = Single(door.folders.data)
    pictures = PagePictures()
    error: Exception | None = None
    while True:
        opened = Opened(door.house, application, pictures)
        single.called.connect(opened.come_forward)
        opened.start(warm=True, files=files, error=error)
        code = application.exec()
        single.called.disconnect(opened.come_forward)
        opened.close()
        exchange, files = opened.exchange, ()
        if exchange is None:
            break
        opened.window.close()
        door.close()
        error = exchanged(door.folders, exchange, opened.now)
    single.close()
    pictures.close()
    return code


def exchanged(folders: Folders, exchange: Exchange, now: datetime) -> Exception | None:
    """Put a backup in the place of the record, or take that back; what went wrong. No house may be open."""
    swap = keeping.swap_of(folders)
    try:
        if exchange.path is None:
            swap.undo(now)
        else:
            swap.replace(exchange.path, now)
    except (StoreFault, OSError, NothingToUndo) as error:
        return error
    return None


def shoot(house: House, folder: Path, language: str, theme: str) -> list[Path]:
    """Photograph every panel of the real window into PNG files; their paths. Needs no screen. Settings are not touched.

    ``language`` is the interface's, ``theme`` is ``light`` or ``dark``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    application = starting.application()
    pictures = PagePictures()
    opened = Opened(house, application, pictures, Look(language, theme, 100))
    opened.start()
    try:
        return photograph(opened.window, opened.lanes, folder, f"{language}-{theme}")
    finally:
        opened.close()
        opened.window.close()
        pictures.close()
