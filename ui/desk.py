"""The desk: what all panels share. The house, the lanes, the subject in hand, the language, the theme, three signals.

A panel reads on the *reads* lane and shows what comes back; an action writes on the *writes* lane and says
``changed``; every panel reacts by looking again. Nothing here decides what is true: the house does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.lanes import Job, Lanes
from app.wiring import House
from memory.episodes import SubjectId
from memory.moments import Moment
from memory.subjects import Subject
from ui.formulas import Formulas
from ui.messages import Messages
from ui.theme import Theme, body_font

Result = TypeVar("Result")


class Desk(QObject):
    """What all panels share.

    Signals:
        changed: the memory has changed; the argument is who changed it (a panel may ignore its own).
        subject_changed: another subject is in hand (or none).
        asked: a question to put to the tutor as if it had been typed.
        episode_asked, passage_asked, concept_asked: an episode, a passage, a concept to open, by id.
        source_asked: an answer whose sources to show (``ui.source.answer_sources.AnswerSources``), and which claim.
        files_asked: paths to read.
        files_wanted, sample_asked, settings_wanted, palette_wanted: the student wants to choose files, the sample
            course, the settings, the palette.
        restore_asked: a backup is to be put in the place of the record; undo_asked: that is to be taken back.
        faulted: something failed on a lane.
    """

    changed = Signal(object)
    subject_changed = Signal()
    asked = Signal(str)
    episode_asked = Signal(str)
    passage_asked = Signal(int)
    concept_asked = Signal(str)
    source_asked = Signal(object, int)
    files_asked = Signal(list)
    files_wanted = Signal()
    sample_asked = Signal()
    settings_wanted = Signal()
    palette_wanted = Signal()
    restore_asked = Signal(object)
    undo_asked = Signal()
    faulted = Signal(object)

    def __init__(self, house: House, lanes: Lanes, messages: Messages, theme: Theme) -> None:
        super().__init__()
        self.house = house
        self.lanes = lanes
        self.t = messages
        self.theme = theme
        self.formulas = Formulas(lanes, body_font(theme), theme.colours.text)
        self._subject: Subject | None = None

    @property
    def subject(self) -> Subject | None:
        """The subject in hand."""
        return self._subject

    @property
    def subject_id(self) -> SubjectId | None:
        """Its id."""
        return self._subject.id if self._subject else None

    def take(self, subject: Subject | None) -> None:
        """Take another subject in hand."""
        if (subject and subject.id) != self.subject_id:
            self._subject = subject
            self.subject_changed.emit()
        else:
            self._subject = subject

    def now(self) -> Moment:
        """The present moment."""
        return self.house.clock.now()

    def read(self, work: Callable[[], Result], done: Callable[[Result], None]) -> Job:
        """Ask the memory something; ``done`` is called here with what it said."""
        return self.lanes.reads.run(work, done, self.faulted.emit)

    def write(
        self, work: Callable[[], Result], done: Callable[[Result], None] | None = None, by: QWidget | None = None
    ) -> Job:
        """Change the memory, then say so to everybody."""

        def written(result: Result) -> None:
            if done is not None:
                done(result)
            self.changed.emit(by)

        return self.lanes.writes.run(work, written, self.faulted.emit)


class Panel(QWidget):
    """A view of the memory: it looks again when something changed, at once if it is seen, else when it next is."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self._stale = True
        desk.changed.connect(self._on_changed)
        desk.subject_changed.connect(self._on_changed)

    def refresh(self) -> None:
        """Look again."""
        raise NotImplementedError

    def _on_changed(self, by: object = None) -> None:
        if by is self:
            return
        self._stale = True
        if self.isVisible():
            self._look()

    def _look(self) -> None:
        self._stale = False
        self.refresh()

    def showEvent(self, event: object) -> None:
        if self._stale:
            self._look()
