"""The theme can be read: every text on every ground it stands on, in both themes."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from ui.theme import DARK, LIGHT, Colours, Theme, style_sheet

TEXTS = ("text", "muted", "accent", "good", "warn", "bad")
GROUNDS = ("ground", "surface", "raised")


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("ground", GROUNDS)
def test_text_stands_out_from_its_ground(colours: Colours, text: str, ground: str) -> None:
    assert contrast(getattr(colours, text), getattr(colours, ground)) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_words_on_coloured_grounds_stand_out_too(colours: Colours) -> None:
    assert contrast(colours.on_accent, colours.accent) >= 4.5
    assert contrast(colours.text, colours.soft) >= 4.5
    assert contrast(colours.muted, colours.soft) >= 4.5
    assert contrast(colours.text, colours.mark) >= 4.5
    assert contrast(colours.accent, colours.soft) >= 4.5


def test_no_token_is_left_in_the_style_sheet_and_text_grows_with_the_scale(qapp: QApplication) -> None:
    assert "@" not in style_sheet(Theme(LIGHT))
    assert "font-size: 28.4pt" in style_sheet(Theme(LIGHT, 2.0))
