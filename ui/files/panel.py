"""The files of the subject: where each stands, how far its reading is, and what can be done with it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QWidget

from app.reading.reader import FileRead
from memory.episodes import SubjectId
from memory.files import FileStage, FileState
from memory.memory import Memory
from ui import actions
from ui.bits import Scroll, button, card, column, empty, label, row
from ui.desk import Desk, Panel
from ui.reading import BeingRead, FilesBeingRead
from ui.theme import MEDIUM, SMALL

ShownFile = tuple[FileState, int]
_TONES = {FileStage.DONE: ("right", "good"), FileStage.FAILED: ("wrong", "bad")}


def read_files(memory: Memory, subject: SubjectId) -> list[ShownFile]:
    """The files of a subject, each with how many concepts it explains."""
    concepts = memory.map.concepts(subject)
    return [
        (file, sum(any(place.file == file.path for place in concept.places) for concept in concepts))
        for file in memory.files.all(subject)
    ]


class FilesPanel(Panel):
    """Files, with drop, cancel, read again, remove."""

    def __init__(self, desk: Desk, reading: FilesBeingRead) -> None:
        super().__init__(desk)
        t = desk.t
        self._reading = reading
        self._bars: dict[str, tuple[QProgressBar, QLabel]] = {}
        self._scroll = Scroll(margins=0)
        drop = label(t("files.drop"), "muted")
        add = button(t("welcome.files_do"), desk.files_wanted.emit, "primary")
        head = row(drop, add)
        head.setStretch(0, 1)
        self._drop = card("drop", head)
        self.setLayout(column(self._drop, self._scroll, margins=MEDIUM, spacing=MEDIUM))
        reading.progressed.connect(self._progress)
        reading.ended.connect(self._ended)

    def refresh(self) -> None:
        """Read the files again."""
        subject, memory = self.desk.subject_id, self.desk.house.memory
        if subject is None:
            self._show([])
            return
        self.desk.read(lambda: read_files(memory, subject), self._show)

    def _show(self, found: list[ShownFile]) -> None:
        t = self.desk.t
        self._bars = {}
        known = {file.path for file, _ in found}
        waiting = [file for file in self._reading.files if str(file.path) not in known]
        if not found and not waiting:
            self._scroll.fill(
                empty(t("files.empty_title"), t("files.empty_body"), picture=self.desk.theme.sign("file"))
            )
            return
        cards = [self._card(file, concepts) for file, concepts in found]
        self._scroll.fill(*cards, *(self._waiting(file) for file in waiting))

    def _card(self, file: FileState, concepts: int) -> QWidget:
        t, path = self.desk.t, file.path
        being_read = self._reading.of(path)
        pages = file.version.pages if file.version else 0
        stage = ("paused" if being_read.paused else "reading") if being_read else file.stage.value
        facts = [t(f"file_stage.{stage}")]
        if pages:
            facts.append(t("files.pages", n=pages))
        if concepts:
            facts.append(t("files.concepts", n=concepts))
        do: list[QPushButton] = []
        if being_read is not None:
            do += self._while_reading(being_read)
        else:
            do += [
                button(t("files.again"), lambda: self._reading.read([Path(path)], again=True), "quiet"),
                button(t("files.reveal"), lambda: _reveal(path), "quiet"),
                button(t("files.remove"), lambda: actions.remove_file(self.desk, file.id), "quiet"),
            ]
        picture = QLabel()
        icon, tone = _TONES.get(file.stage, ("file", "muted")) if being_read is None else ("file", "accent")
        picture.setPixmap(self.desk.theme.pixmap(icon, getattr(self.desk.theme.colours, tone)))
        head = row(picture, label(file.name, "heading"), spacing=SMALL)
        head.setStretch(1, 1)
        parts: list[QWidget] = [label(" · ".join(facts), "muted")]
        if file.stage is FileStage.FAILED and being_read is None:
            parts.append(label(fault_words(file.fault, self.desk), "bad"))
        if being_read is not None:
            parts.append(self._bar(path, being_read))
        return card("plain", head, *parts, row(*do, None), spacing=SMALL)

    def _waiting(self, file: BeingRead) -> QWidget:
        t, path = self.desk.t, str(file.path)
        words = label(t("file_stage.paused" if file.paused else "file_stage.waiting"), "muted")
        do = row(*self._while_reading(file), None)
        return card("plain", label(file.path.name, "heading"), words, self._bar(path, file), do)

    def _while_reading(self, file: BeingRead) -> list[QPushButton]:
        """What can be done with a file that is being read, waits or rests."""
        t, path = self.desk.t, str(file.path)
        if file.paused:
            rest = button(t("action.resume"), lambda: self._reading.resume(path), "quiet")
        else:
            rest = button(t("action.pause"), lambda: self._reading.pause(path), "quiet")
        return [rest, button(t("action.cancel"), lambda: self._reading.cancel(path), "quiet")]

    def _bar(self, path: str, file: BeingRead) -> QWidget:
        bar, words = QProgressBar(), label("", "muted", wrap=False)
        bar.setTextVisible(False)
        self._bars[path] = bar, words
        _fill(bar, words, file, self.desk)
        made = QWidget()
        line = row(bar, words)
        line.setStretch(0, 1)
        made.setLayout(line)
        return made

    def _progress(self, file: BeingRead | None) -> None:
        if file is not None and str(file.path) in self._bars and not file.paused:
            _fill(*self._bars[str(file.path)], file, self.desk)
        elif self.isVisible():
            self.refresh()

    def _ended(self, read: FileRead) -> None:
        if self.isVisible():
            self.refresh()


def fault_words(fault: str | None, desk: Desk) -> str:
    """Why a file could not be read, in words."""
    key = f"file_fault.{fault}"
    return desk.t(key if desk.t.has(key) else "file_fault.corrupt")


def _fill(bar: QProgressBar, words: QLabel, file: BeingRead, desk: Desk) -> None:
    bar.setRange(0, max(file.pages, 0 if file.begun else 1))
    bar.setValue(file.done)
    words.setText(desk.t("files.progress", done=file.done, total=file.pages) if file.pages else "")


def _reveal(path: str) -> None:
    """Show the file's folder in the system's own window."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(path).parent)))
