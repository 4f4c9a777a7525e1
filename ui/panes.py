"""Which of the three panes are seen: all where there is room, else the chat with one other, else one alone.

Large type on a small screen leaves no room for three panes; a bar then says which are there and brings each back.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from ui.bits import button, row
from ui.desk import Desk
from ui.theme import MEDIUM, SMALL, TIGHT

NAMES = ("subjects", "chat", "side")
CHAT = 1


def seen(widths: Sequence[int], room: int, wanted: int) -> set[int]:
    """The panes to show, by number. ``widths``: what each needs at least; ``wanted``: the one asked for last."""
    if sum(widths) <= room:
        return {0, 1, 2}
    other = wanted if wanted != CHAT else 2
    if widths[CHAT] + widths[other] <= room:
        return {CHAT, other}
    return {wanted}


class PaneBar(QWidget):
    """The bar that names the panes; it is there only where some of them are not."""

    def __init__(self, desk: Desk, panes: Sequence[QWidget], widths: Sequence[int]) -> None:
        super().__init__()
        self._panes = panes
        self._widths = widths
        self._wanted = CHAT
        self._room = 0
        self.buttons: list[QPushButton] = []
        for number, name in enumerate(NAMES):
            made = button(desk.t(f"panel.{name}"), partial(self.bring, number), "chip")
            made.setCheckable(True)
            self.buttons.append(made)
        line = row(*self.buttons, None, spacing=TIGHT)
        line.setContentsMargins(MEDIUM, SMALL, MEDIUM, TIGHT)
        self.setLayout(line)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def bring(self, number: int) -> None:
        """Show a pane."""
        self._wanted = number
        self._show()

    def fit(self, room: int) -> None:
        """Show as many panes as that many pixels hold."""
        if room != self._room:
            self._room = room
            self._show()

    def _show(self) -> None:
        shown = seen(self._widths, self._room, self._wanted)
        for number, (pane, each) in enumerate(zip(self._panes, self.buttons, strict=True)):
            each.setChecked(number in shown)
            if pane.isHidden() == (number in shown):
                pane.setVisible(number in shown)
        self.setVisible(len(shown) < len(self._panes))
