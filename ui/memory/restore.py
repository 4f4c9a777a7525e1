"""What a backup holds beside the record in use, before anything is done with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QMessageBox, QWidget

from app.keeping import Looked
from ui.bits import Scroll, button, card, column, label, row
from ui.desk import Desk
from ui.theme import LARGE, MEDIUM, SMALL


class RestoreDialog(QDialog):
    """The preview of a restore.

    Signals:
        merge_wanted: what the backup holds is to be added to the record in use.
    """

    merge_wanted = Signal()

    def __init__(self, desk: Desk, looked: Looked, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk = desk
        self._looked = looked
        t, theme = desk.t, desk.theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(t("restore.title"))
        whole = looked.fault is None
        grid = QGridLayout()
        grid.setHorizontalSpacing(LARGE)
        grid.setVerticalSpacing(SMALL)
        for place, name in enumerate(("subject", "here", "there", "common")):
            grid.addWidget(label(t(f"restore.{name}"), "section", wrap=False), 0, place)
        for line, each in enumerate(looked.subjects, 1):
            grid.addWidget(label(each.name), 2 * line - 1, 0)
            for place, count in enumerate((each.here, each.there, each.common), 1):
                grid.addWidget(label(t.number(count), wrap=False), 2 * line - 1, place)
            grid.addWidget(label(t(f"restore.is_{each.relation.value}"), "muted"), 2 * line, 0, 1, 4)
        grid.setColumnStretch(0, 1)
        inside = Scroll(margins=LARGE, spacing=MEDIUM)
        inside.fill(
            label(looked.path.name, "heading"),
            label(t("restore.whole", n=looked.episodes) if whole else t("restore.broken"), "good" if whole else "bad"),
            card("plain", grid, margins=MEDIUM),
            label(t("restore.why"), "muted"),
        )
        self.merge = button(t("restore.merge"), self._merge, "primary")
        self.replace = button(t("restore.replace"), self._replace)
        for each_button in (self.merge, self.replace):
            each_button.setEnabled(whole)
        foot = row(button(t("action.cancel"), self.reject), None, self.replace, self.merge)
        foot.setContentsMargins(LARGE, MEDIUM, LARGE, LARGE)
        self.setLayout(column(inside, foot, spacing=0))
        room = parent.screen().availableGeometry()
        self.resize(min(theme.px(560), room.width()), min(theme.px(420), room.height()))

    def _merge(self) -> None:
        self.accept()
        self.merge_wanted.emit()

    def _replace(self) -> None:
        t = self._desk.t
        sure = QMessageBox.question(self, t("restore.replace"), t("restore.replace_ask"))
        if sure is QMessageBox.StandardButton.Yes:
            self.accept()
            self._desk.restore_asked.emit(self._looked.path)
