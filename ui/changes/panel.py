from ui.bits import column, empty
from ui.desk import Desk, Panel


class ChangesPanel(Panel):
    def __init__(self, desk: Desk, *more: object) -> None:
        super().__init__(desk)
        self.setLayout(column(empty("…", "…")))

    def refresh(self) -> None:
        pass
