from PySide6.QtWidgets import QDialog


class SettingsDialog(QDialog):
    def __init__(self, desk, parent) -> None:
        super().__init__(parent)
