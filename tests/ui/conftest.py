"""The window's tests run without a screen, and nothing that Qt complains about passes."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_QUICK_BACKEND", "software")

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QtMsgType, qInstallMessageHandler

_HARMLESS = ("This plugin does not support propagateSizeHints", "Could not find the Qt platform plugin")


@pytest.fixture(autouse=True)
def qt_complaints() -> Iterator[list[str]]:
    """What Qt said during a test: anything but the known habits of the offscreen platform fails it."""
    said: list[str] = []

    def note(kind: QtMsgType, _context: object, message: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not message.startswith(_HARMLESS):
            said.append(message)

    before = qInstallMessageHandler(note)
    yield said
    qInstallMessageHandler(before)
    assert not said, said
