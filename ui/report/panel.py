"""The report about the student and the tutor: plain Markdown made of the report's data, to read, copy or save."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from memory.report import Report
from ui.bits import Scroll, button, card, column, empty, row
from ui.chat.body import Body
from ui.desk import Desk, Panel
from ui.report.words import report_markdown
from ui.theme import MEDIUM


class ReportPanel(Panel):
    """The report."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        t = desk.t
        self._markdown = ""
        self._scroll = Scroll(margins=0)
        self._copy = button(t("action.copy"), self._to_clipboard, "chip")
        self._save = button(t("report.save"), self._to_file, "chip")
        self.setLayout(column(row(None, self._copy, self._save), self._scroll, margins=MEDIUM))

    def refresh(self) -> None:
        """Make the report again."""
        subject, reports, now = self.desk.subject_id, self.desk.house.memory.reports, self.desk.now()
        if subject is None:
            self._show(None)
            return
        self.desk.read(lambda: reports.report(subject, now), self._show)

    def _show(self, report: Report | None) -> None:
        t = self.desk.t
        nothing = report is None or not report.self_model.episodes
        for each in (self._copy, self._save):
            each.setEnabled(not nothing)
        if report is None or nothing:
            self._scroll.fill(
                empty(t("report.empty_title"), t("report.empty_body"), picture=self.desk.theme.sign("flag"))
            )
            return
        name = self.desk.subject.name if self.desk.subject else ""
        self._markdown = report_markdown(report, name, self.desk.now().day, t)
        body = Body(self.desk.theme)
        body.setAccessibleName(t("panel.report"))
        body.show_markdown(self._markdown)
        self._scroll.fill(card("plain", body))

    def _to_clipboard(self) -> None:
        QGuiApplication.clipboard().setText(self._markdown)

    def _to_file(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, self.desk.t("report.save"), "retiens.md", "Markdown (*.md)")
        if path:
            text = self._markdown
            self.desk.lanes.files.run(lambda: Path(path).write_text(text, "utf-8"), None, self.desk.faulted.emit)
