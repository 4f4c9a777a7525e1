"""The report about the student and the tutor: plain Markdown made of the report's data, to read, copy or save."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from memory.calibration import Band
from memory.report import Report
from ui.bits import Scroll, button, card, column, empty, label, row
from ui.chat.body import Body
from ui.desk import Desk, Panel
from ui.report.paper import write_pdf
from ui.report.plots import CalibrationPlot
from ui.report.words import report_markdown
from ui.text import bare, file_name
from ui.theme import MEDIUM, body_font

_KINDS = "PDF (*.pdf);;Markdown (*.md)"


class ReportPanel(Panel):
    """The report.

    Signals:
        saved: the report was written to this path.
    """

    saved = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        t = desk.t
        self._markdown = ""
        self._bands: tuple[Band, ...] = ()
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
        self._bands = report.calibration.bands if report.calibration.ece is not None else ()
        parts: list[QWidget] = [card("plain", body)]
        if any(band.count for band in self._bands):
            plot = CalibrationPlot(self._bands, self.desk.theme, t)
            parts.append(
                card("plain", label(t("report.calibration"), "section"), plot, label(t("report.plot"), "muted"))
            )
        self._scroll.fill(*parts)

    def _to_clipboard(self) -> None:
        QGuiApplication.clipboard().setText(bare(self._markdown))

    def _to_file(self) -> None:
        name = self.desk.subject.name if self.desk.subject else ""
        path, _ = QFileDialog.getSaveFileName(self, self.desk.t("report.save"), f"{file_name(name)}.pdf", _KINDS)
        if path:
            self.save(Path(path))

    def save(self, path: Path) -> None:
        """Write the report as PDF, or as Markdown where the name says so."""
        text, bands, font, t = self._markdown, self._bands, body_font(self.desk.theme), self.desk.t

        def work() -> None:
            if path.suffix.casefold() == ".pdf":
                write_pdf(path, text, bands, font, t)
            else:
                path.write_text(bare(text), "utf-8")

        self.desk.lanes.files.run(work, lambda _none: self.saved.emit(path), self.desk.faulted.emit)
