"""The map panel: the drawn map, its twin as a list, and what is known of the concept chosen."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFileDialog, QPushButton, QSplitter, QStackedWidget, QTreeView, QWidget

from memory.episodes import ConceptId
from memory.faults import Unwritable
from ui.bits import Scroll, button, card, column, empty, label, row
from ui.desk import Desk, Panel
from ui.fitting import Flow, LineLabel
from ui.map.layout import Spot, place
from ui.map.shown import ShownConcept, ShownMap, around, read_map
from ui.map.view import STANDINGS, MapView, maturity_word, standing_words
from ui.text import bare, file_name
from ui.theme import MEDIUM, SMALL, TIGHT

_ROLE = Qt.ItemDataRole.UserRole
_ANY_HEIGHT = 16_777_215


class MapPanel(Panel):
    """The subject map."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        t, theme = desk.t, desk.theme
        self._shown: dict[str, ShownConcept] = {}
        self._spots: dict[str, Spot] = {}
        self._fitted = False
        self._whole: ShownMap | None = None
        self._centre = ""
        self.view = MapView(theme, t)
        self.view.chosen.connect(self._choose)
        self.view.entered.connect(self._ask)
        self.tree = QTreeView()
        self.tree.setAccessibleName(t("map.list"))
        self.tree.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.tree.activated.connect(lambda index: self._ask(index.siblingAtColumn(0).data(_ROLE)))
        self._bare = empty(
            t("map.empty_title"),
            t("map.empty_body"),
            button(t("welcome.files_do"), desk.files_wanted.emit, "primary"),
            picture=desk.theme.sign("map"),
        )
        self._pages = QStackedWidget()
        for page in (self._bare, self.view, self.tree):
            self._pages.addWidget(page)
        self._words = LineLabel()
        self._twin = button(t("map.list"), self._turn, "chip")
        self._around = button(t("map.around"), self.fold, "chip", name=t("map.around_why"))
        for each in (self._twin, self._around):
            each.setCheckable(True)
        tools: list[QWidget] = []
        for words, name, factor in (("−", "map.out", 1 / 1.25), ("+", "map.in", 1.25)):
            tools.append(button(words, partial(self.view.zoom, factor), "chip", name=t(name)))
        tools += [button(t("map.fit"), self.view.fit, "chip"), self._around, self._twin]
        tools.append(button("", self._export, "chip", theme=theme, icon="down", name=t("map.export")))
        self._detail = Scroll(margins=0, spacing=SMALL)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self._pages)
        split.addWidget(self._detail)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setSizes([theme.px(440), theme.px(240)])
        self._head = QWidget()
        self._head.setLayout(column(self._words, Flow(*tools, spacing=TIGHT), spacing=TIGHT))
        layout = column(self._head, split, spacing=SMALL, margins=MEDIUM)
        self.setLayout(layout)
        desk.concept_asked.connect(self._bring)
        desk.subject_changed.connect(self._other_subject)

    def refresh(self) -> None:
        """Read the map again; places are kept."""
        subject = self.desk.subject_id
        if subject is None:
            self._show_bare()
            return
        memory, language, now = self.desk.house.memory, self.desk.t.language, self.desk.now()
        self.desk.read(lambda: read_map(memory, subject, language, now), self._show)

    def _show(self, found: ShownMap) -> None:
        self._whole = found
        self._draw()

    def fold(self) -> None:
        """Show only what the chosen concept rests on and what rests on it, or the whole map again."""
        self._centre = self.view.current if self._around.isChecked() else ""
        self._around.setChecked(bool(self._centre))
        self._spots, self._fitted = {}, False
        self._draw()

    def _draw(self) -> None:
        t, found = self.desk.t, self._whole
        if found is None:
            return
        if any(one.concept.id == self._centre for one in found.concepts):
            found = around(found, self._centre)
        self._shown = {shown.concept.id: shown for shown in found.concepts}
        if not found.concepts:
            self._show_bare()
            return
        needs: dict[str, list[ConceptId]] = {shown.concept.id: list(shown.builds_on) for shown in found.concepts}
        self._spots = place(found.layers, needs, self._spots)
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        self.view.draw(found.concepts, self._spots, mirrored)
        self._fill_tree(found)
        words = t("map.count", n=len(found.concepts)) + " · " + t("map.covered", share=t.percent(found.maturity))
        if found.folded:
            words += " · " + t("map.folded", n=found.folded)
        self._words.show_words(words)
        if self._pages.currentWidget() is self._bare:
            self._turn()
        for part in (self._head, self._detail):
            part.show()
        if self.view.current not in self._shown:
            self._describe(None)
        if not self._fitted:
            self._fitted = True
            QTimer.singleShot(0, self.view.fit)

    def _show_bare(self) -> None:
        self._pages.setCurrentWidget(self._bare)
        for part in (self._head, self._detail):
            part.hide()

    def _fill_tree(self, found: ShownMap) -> None:
        t = self.desk.t
        model = QStandardItemModel(self)
        model.setHorizontalHeaderLabels([t("map.concept"), t("map.standing"), t("map.builds_on")])
        for shown in found.concepts:
            first = QStandardItem(shown.name)
            first.setData(shown.concept.id, _ROLE)
            needed = ", ".join(self._shown[other].name for other in shown.builds_on if other in self._shown)
            items = [first, QStandardItem(standing_words(shown, t)), QStandardItem(needed)]
            if shown.claim:
                icon, tone, _ = STANDINGS[shown.claim]
                items[1].setIcon(self.desk.theme.icon(icon, getattr(self.desk.theme.colours, tone)))
            model.appendRow(items)
        self.tree.setModel(model)
        self.tree.setRootIsDecorated(False)
        self.tree.setColumnWidth(0, self.desk.theme.px(160))
        self.tree.setColumnWidth(1, self.desk.theme.px(120))
        self.tree.selectionModel().currentChanged.connect(
            lambda index, _before: self._describe(self._shown.get(index.siblingAtColumn(0).data(_ROLE)))
        )

    def _export(self) -> None:
        """Write the map to a file of the student's choice."""
        name = file_name(self.desk.subject.name if self.desk.subject else "")
        path, _ = QFileDialog.getSaveFileName(
            self, self.desk.t("map.export"), f"{name}.png", "PNG (*.png);;SVG (*.svg)"
        )
        if path:
            try:
                self.view.write(Path(path))
            except OSError as error:
                self.desk.faulted.emit(Unwritable(Path(path), str(error)))

    def _turn(self) -> None:
        self._pages.setCurrentWidget(self.tree if self._twin.isChecked() else self.view)

    def _choose(self, concept: str) -> None:
        self._describe(self._shown.get(concept))

    def _bring(self, concept: str) -> None:
        if self._centre and concept not in self._shown:
            self._around.setChecked(False)
            self.fold()
        if concept in self._shown:
            self.view.choose(concept)
        self._describe(self._shown.get(concept))

    def _other_subject(self) -> None:
        self._spots, self._fitted, self._centre = {}, False, ""
        self._around.setChecked(False)

    def _ask(self, concept: str | None) -> None:
        shown = self._shown.get(concept or "")
        if shown is not None:
            self.desk.asked.emit(bare(self.desk.t("map.ask", concept=shown.name)))

    def _describe(self, shown: ShownConcept | None) -> None:
        t = self.desk.t
        if shown is None:
            self._detail.setMaximumHeight(self.desk.theme.px(44))
            self._detail.fill(label(t("map.choose"), "muted"))
            return
        self._detail.setMaximumHeight(_ANY_HEIGHT)
        concept = shown.concept
        claim = label(standing_words(shown, t), STANDINGS[shown.claim][1] if shown.claim else "muted")
        facts = t(f"maturity.{maturity_word(concept.maturity)}")
        if shown.claim:
            facts = t("map.confidence", share=t.percent(shown.confidence)) + " · " + facts
        parts: list[QWidget] = [label(shown.name, "heading"), claim, label(facts, "muted")]
        if concept.definition is not None:
            parts.append(label(f"“{concept.definition.text}”", select=True))
        parts += [
            label(f"{place.name}, {t('source.pages', pages=', '.join(map(str, place.pages)))}", "muted")
            for place in concept.places
        ]
        if not concept.explained:
            parts.append(label(t("map.not_explained"), "warn"))
        needed = [self._shown[other].name for other in shown.builds_on if other in self._shown]
        if needed:
            parts.append(label(t("map.needs", concepts=", ".join(needed)), "muted"))
        parts += [label(t("map.note", text=note)) for note in shown.notes]
        do: list[QPushButton] = [
            button(t("map.ask_do"), lambda: self._ask(concept.id), "primary"),
            button(t("map.teach_do"), lambda: self.desk.asked.emit(bare(t("map.teach", concept=shown.name)))),
        ]
        self._detail.fill(card("plain", *parts, row(*do, None), spacing=SMALL))
