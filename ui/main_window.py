"""The main window: subjects, chat, and the panels beside it; it connects them and holds no logic of its own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QMainWindow, QSplitter, QTabWidget, QWidget

from memory.subjects import Subject
from ui.bits import column
from ui.changes.panel import ChangesPanel
from ui.chat.panel import ChatPanel
from ui.chat.saved import conversation_markdown
from ui.commands import ShortcutsDialog, bind, commands_of
from ui.desk import Desk
from ui.files.panel import FilesPanel
from ui.map.panel import MapPanel
from ui.memory.panel import MemoryPanel
from ui.night import NightWatch
from ui.palette import Palette
from ui.panes import PaneBar
from ui.reading import FilesBeingRead
from ui.report.panel import ReportPanel
from ui.source.panel import SourcePanel
from ui.source.views import RenderPage
from ui.status import StatusBar
from ui.subjects import SubjectsPanel
from ui.text import direction_of_language, file_name

PANELS = ("map", "memory", "changes", "files", "report", "source")
LEAST = (190, 380, 330)
"""What subjects, chat and panels need at least, in pixels at 100 %."""
LOWEST = 220
"""Pixels at 100 % below which the window is not made lower."""
SUBJECTS, CHAT, SIDE = 0, 1, 2
_FILES = "*.pdf *.docx *.pptx *.epub *.html *.htm *.md *.txt"


class MainWindow(QMainWindow):
    """The window.

    Signals:
        settings_wanted: the student wants the settings.
        size_wanted: larger text (1), smaller (-1), or the usual size (0).
        closing: the window is about to close.
    """

    settings_wanted = Signal()
    size_wanted = Signal(int)
    closing = Signal()

    def __init__(self, desk: Desk, render_page: RenderPage | None = None) -> None:
        super().__init__()
        self.desk = desk
        self.setWindowTitle("Retiens")
        self.setWindowIcon(desk.theme.icon("app", desk.theme.colours.accent))
        self.setLayoutDirection(direction_of_language(desk.t.language))
        self.setAcceptDrops(True)
        self.subjects = SubjectsPanel(desk)
        self.chat = ChatPanel(desk)
        self.map = MapPanel(desk)
        self.memory = MemoryPanel(desk)
        self.changes = ChangesPanel(desk)
        self.reading = FilesBeingRead(desk)
        self.files = FilesPanel(desk, self.reading)
        self.report = ReportPanel(desk)
        self.source = SourcePanel(desk, render_page)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("dock")
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(desk.t("panel.side"))
        for name in PANELS:
            self.tabs.addTab(getattr(self, name), desk.t(f"panel.{name}"))
        self.splitter = QSplitter()
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        room = self.screen().availableGeometry()
        panes: tuple[QWidget, ...] = (self.subjects, self.chat, self.tabs)
        widths = [min(desk.theme.px(least), room.width() - 2) for least in LEAST]
        for widget, least in zip(panes, widths, strict=True):
            widget.setMinimumWidth(least)
            self.splitter.addWidget(widget)
        for position, stretch in enumerate((0, 3, 2)):
            self.splitter.setStretchFactor(position, stretch)
        self.splitter.setSizes([desk.theme.px(size) for size in (220, 640, 460)])
        self.panes = PaneBar(desk, panes, widths)
        inside = QWidget()
        inside.setMinimumSize(min(widths), desk.theme.px(LOWEST))  # narrower than the panes together: some are let go
        inside.setLayout(column(self.panes, self.splitter, spacing=0))
        self.setCentralWidget(inside)
        self.status = StatusBar(desk)
        self.setStatusBar(self.status)
        self.resize(min(desk.theme.px(1320), room.width()), min(desk.theme.px(820), room.height()))
        self._connect()

    def show_panel(self, name: str) -> None:
        """Bring one of the panels to the front."""
        self.panes.bring(SIDE)
        self.tabs.setCurrentWidget(getattr(self, name))

    def choose_files(self) -> None:
        """Ask for files to read."""
        t = self.desk.t
        paths, _ = QFileDialog.getOpenFileNames(self, t("files.choose"), "", f"{t('files.kinds')} ({_FILES})")
        if paths:
            self.desk.files_asked.emit([Path(path) for path in paths])

    def _connect(self) -> None:
        desk = self.desk
        desk.source_asked.connect(self._source_asked)
        desk.passage_asked.connect(lambda _id: self.show_panel("source"))
        desk.episode_asked.connect(lambda _id: self.show_panel("source"))
        desk.concept_asked.connect(lambda _id: self.show_panel("map"))
        desk.asked.connect(lambda _text: self.panes.bring(CHAT))
        desk.files_asked.connect(self._read_files)
        desk.files_wanted.connect(self.choose_files)
        desk.settings_wanted.connect(self.settings_wanted)
        desk.palette_wanted.connect(self.show_palette)
        desk.faulted.connect(self.chat.show_fault)
        self.reading.ended.connect(lambda _read: self.chat.catch_up())
        self.reading.progressed.connect(self.status.show_reading)
        self.status.reading.pause.clicked.connect(lambda _checked=False: self.pause_reading())
        self.status.reading.cancel.clicked.connect(lambda _checked=False: self.reading.cancel())
        self.night = NightWatch(desk, self._busy, self)
        self.commands = commands_of(self)
        bind(self, self.commands)

    def show_palette(self) -> None:
        """Open the palette over the window."""
        palette = Palette(self.desk, self.commands, self)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.move(self.mapToGlobal(QPoint((self.width() - palette.width()) // 2, self.height() // 8)))
        palette.open()

    def show_shortcuts(self) -> None:
        """List the keys."""
        shortcuts = ShortcutsDialog(self.desk, self.commands, self)
        shortcuts.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shortcuts.open()

    def _source_asked(self, _sources: object, claim: int) -> None:
        """A claim that was chosen brings its source to the front; a finished turn only makes it ready."""
        if claim >= 0:
            self.show_panel("source")

    def _read_files(self, paths: list[Path]) -> None:
        self.show_panel("files")
        self.reading.read(paths)

    def _busy(self) -> bool:
        return self.chat.running or self.reading.busy or bool(self.chat.composer.field.toPlainText())

    def export_conversation(self) -> None:
        """Write the conversation of the subject in hand as Markdown."""
        subject, t = self.desk.subject, self.desk.t
        if subject is None:
            return
        path, _ = QFileDialog.getSaveFileName(
            self, t("command.export"), f"{file_name(subject.name)}.md", "Markdown (*.md)"
        )
        if path:
            self.write_conversation(subject, Path(path))

    def write_conversation(self, subject: Subject, path: Path) -> None:
        """Write a subject's conversation to a file; the status bar says that it is there."""
        desk = self.desk
        desk.lanes.files.run(
            lambda: path.write_text(conversation_markdown(desk.house.memory, subject, desk.t), "utf-8"),
            lambda _count: self.status.showMessage(desk.t("saved.done", path=path.name), 8000),
            desk.faulted.emit,
        )

    def pause_reading(self) -> None:
        """Pause what is being read, or go on with it."""
        current = self.reading.current
        if current is not None:
            (self.reading.resume if current.paused else self.reading.pause)()

    def write(self) -> None:
        """Go to where the student writes."""
        self.panes.bring(CHAT)
        self.chat.composer.field.setFocus()

    def seek(self) -> None:
        """Go to the search."""
        self.panes.bring(SUBJECTS)
        self.subjects.field.setFocus()

    def next_pane(self, step: int) -> None:
        """Go to the pane after (1) or before (-1) the one that has the keys."""
        panes: list[QWidget] = [self.subjects.list, self.chat.composer.field, self.tabs.tabBar()]
        at = next((place for place, pane in enumerate(panes) if pane.hasFocus()), -1)
        number = (max(at, 0) + step) % len(panes) if at >= 0 else CHAT
        self.panes.bring(number)
        panes[number].setFocus()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.desk.files_asked.emit(paths)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.panes.fit(event.size().width())

    def closeEvent(self, event: QCloseEvent) -> None:
        self.chat.stop()
        self.closing.emit()
        super().closeEvent(event)
