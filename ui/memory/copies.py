"""Copies of the record: made now, looked into, added, put in place; logs written and read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app import keeping
from memory.backup import back_up, taken_at
from ui.bits import button, card, column, label
from ui.desk import Desk
from ui.faults import told
from ui.fitting import Flow
from ui.memory.restore import RestoreDialog
from ui.text import file_name
from ui.theme import SMALL

_LOG = "JSON Lines (*.jsonl)"
_LOGS = "JSON Lines, ChatGPT (*.jsonl *.json)"
_RECORD = "Retiens (*.db)"


class CopiesCard(QWidget):
    """What can be done to keep the record safe, and what came of it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        t = desk.t
        self._newest = label("", "muted")
        self.said = label("", "muted")
        self.said.setAccessibleName(t("copies.title"))
        self.said.hide()
        self.buttons = {
            name: button(t(f"copies.{name}"), do)
            for name, do in (
                ("now", self._back_up),
                ("to", self._back_up_to),
                ("look", self._look),
                ("undo", self._undo),
                ("export", self._export),
                ("import", self._import),
            )
        }
        copies = Flow(*(self.buttons[name] for name in ("now", "to", "look", "undo")), spacing=SMALL)
        logs = Flow(*(self.buttons[name] for name in ("export", "import")), spacing=SMALL)
        frame = card(
            "plain",
            label(t("copies.title"), "section"),
            self._newest,
            copies,
            label(t("copies.logs"), "section"),
            label(t("copies.logs_why"), "muted"),
            logs,
            self.said,
            spacing=SMALL,
        )
        self.setLayout(column(frame))
        self.refresh()

    def refresh(self) -> None:
        """Look at the backups again."""
        desk = self._desk
        for name in ("export", "import"):
            self.buttons[name].setEnabled(desk.subject is not None)
        desk.read(lambda: (desk.house.memory.backups.all(), keeping.can_undo(desk.house)), self._show)

    def _show(self, found: tuple[list[Path], bool]) -> None:
        backups, undoable = found
        t = self._desk.t
        taken = taken_at(backups[0]) if backups else None
        words = t("copies.none")
        if taken is not None:
            when = t.moment(taken.date(), taken, self._desk.now().day)
            words = t("copies.newest", name=when, n=len(backups))
        self._newest.setText(words)
        self.buttons["undo"].setVisible(undoable)

    def _say(self, words: str) -> None:
        self.said.setText(words)
        self.said.show()

    def _failed(self, error: Exception) -> None:
        self._say(told(error, self._desk.t).words)

    def _run(self, work: Callable[[], str], *, changes: bool = False) -> None:
        """Do it on the lane that writes, and say what came of it."""
        self._say(self._desk.t("copies.working"))

        def done(words: str) -> None:
            self._say(words)
            self.refresh()
            if changes:
                self._desk.changed.emit(self)

        self._desk.lanes.writes.run(work, done, self._failed)

    def _back_up(self) -> None:
        house, t = self._desk.house, self._desk.t

        def work() -> str:
            made = house.memory.backups.make(house.clock.now())
            return t("copies.made", path=made.path.name, n=made.episodes)

        self._run(work)

    def _back_up_to(self) -> None:
        house, t = self._desk.house, self._desk.t
        path, _ = QFileDialog.getSaveFileName(self, t("copies.to"), "retiens-backup.db", _RECORD)
        if not path:
            return

        def work() -> str:
            made = back_up(house.memory.store, keeping.elsewhere(house, Path(path)))
            return t("copies.made", path=made.path.name, n=made.episodes)

        self._run(work)

    def _look(self) -> None:
        t = self._desk.t
        folder = str(self._desk.house.memory.backups.folder)
        path, _ = QFileDialog.getOpenFileName(self, t("copies.look"), folder, _RECORD)
        if path:
            self.look_into(Path(path))

    def look_into(self, path: Path) -> None:
        """Show what another copy holds, and what can be done with it."""
        house = self._desk.house
        self._say(self._desk.t("copies.working"))

        def looked(found: keeping.Looked) -> None:
            self.said.hide()
            self.dialog = RestoreDialog(self._desk, found, self)
            self.dialog.merge_wanted.connect(lambda: self._merge(path))
            self.dialog.open()

        self._desk.lanes.reads.run(lambda: keeping.look_into(house, path), looked, self._failed)

    def _merge(self, path: Path) -> None:
        house, t = self._desk.house, self._desk.t

        def work() -> str:
            _, joined = keeping.merge(house, path)
            return t("copies.merged", n=joined.added, known=joined.known)

        self._run(work, changes=True)

    def _undo(self) -> None:
        self._desk.undo_asked.emit()

    def _export(self) -> None:
        house, t, subject = self._desk.house, self._desk.t, self._desk.subject
        if subject is None:
            return
        path, _ = QFileDialog.getSaveFileName(self, t("copies.export"), f"{file_name(subject.name)}.jsonl", _LOG)
        if path:
            target = Path(path)
            self._run(
                lambda: t(
                    "copies.exported",
                    n=keeping.export_to(house, keeping.elsewhere(house, target), [subject]),
                    path=target.name,
                )
            )

    def _import(self) -> None:
        t = self._desk.t
        path, _ = QFileDialog.getOpenFileName(self, t("copies.import"), "", _LOGS)
        if path:
            self.import_from(Path(path))

    def import_from(self, path: Path) -> None:
        """Read a log into the subject in hand, and say what came of it."""
        house, t, subject = self._desk.house, self._desk.t, self._desk.subject
        if subject is None:
            return

        def work() -> str:
            done = keeping.import_from(house, path, subject, t.language)
            return t("copies.imported", n=done.imported, known=done.skipped, bad=len(done.errors))

        self._run(work, changes=True)
