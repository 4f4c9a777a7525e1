"""Qt itself: the version we pin does not lose references to None."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QTextBrowser


def test_twenty_thousand_calls_without_a_result_do_not_abort_the_interpreter(qapp: QApplication) -> None:
    """PySide6 6.12.0 on CPython 3.11 aborts after some 5,000; the pin can go when a newer one passes."""
    browser = QTextBrowser()
    for _ in range(20_000):
        browser.setPlainText("x")
    assert browser.toPlainText() == "x"
