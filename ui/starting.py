"""What is said in a window before the window can be opened: where the data lies, what is wrong, who is here already."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from ui.messages import Messages, pick_language


def application() -> QApplication:
    """The one application of this process."""
    known = QApplication.instance()
    if isinstance(known, QApplication):
        return known
    made = QApplication(sys.argv[:1])
    made.setApplicationName("Retiens")
    made.setDesktopFileName("retiens")
    return made


def spoken(language: str | None) -> Messages:
    """The words of the interface before there is a window."""
    return Messages(pick_language(language, QLocale.system().name()))


def where_instead(path: Path, language: str | None) -> Path | None:
    """Ask where the data should lie, for it would lie in a synchronised folder; None to leave."""
    application()
    return ask_about_synced(spoken(language), path)


def refuse(words: str, language: str | None) -> None:
    """Say in a window why none can be opened."""
    application()
    say(spoken(language), words)


def say(t: Messages, words: str) -> None:
    """Say that Retiens cannot open, and why."""
    box = QMessageBox(QMessageBox.Icon.Warning, t("start.title"), words)
    box.setStandardButtons(QMessageBox.StandardButton.Close)
    box.button(QMessageBox.StandardButton.Close).setText(t("action.close"))
    box.exec()


def synced_box(t: Messages, path: Path) -> QMessageBox:
    """The warning that a data folder lies where another program copies it; its buttons are named after what they do."""
    box = QMessageBox(QMessageBox.Icon.Warning, t("start.title"), t("start.synced", path=str(path)))
    box.setInformativeText(t("start.synced_why"))
    for name, role in (
        ("elsewhere", QMessageBox.ButtonRole.AcceptRole),
        ("anyway", QMessageBox.ButtonRole.DestructiveRole),
        ("leave", QMessageBox.ButtonRole.RejectRole),
    ):
        made = box.addButton(t(f"start.{name}"), role)
        made.setObjectName(name)
        if name == "elsewhere":
            box.setDefaultButton(made)
    return box


def ask_about_synced(t: Messages, path: Path) -> Path | None:
    """The folder to open after a warning: another one, the same one all the same, or None to leave."""
    box = synced_box(t, path)
    box.exec()
    match box.clickedButton().objectName() if box.clickedButton() else "leave":
        case "anyway":
            return path
        case "elsewhere":
            chosen = QFileDialog.getExistingDirectory(None, t("start.elsewhere"), str(Path.home()))
            return Path(chosen) / "retiens" if chosen else None
        case _:
            return None
