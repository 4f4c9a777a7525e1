"""The one theme: colours, spacing and type as tokens, light and dark, and the style sheet made of them.

Every pair of text and ground used in the style sheet has a contrast of at least 4.5:1 (a test computes them).
"""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

HAIR, TIGHT, SMALL, MEDIUM, LARGE, WIDE = 2, 4, 8, 12, 16, 24
"""Spacing, in pixels at 100 %."""
BODY_POINTS = 10.5
_TYPE = (85, 92, 100, 115, 135, 165)
_TOKEN = re.compile(r"@(\w+)")
FAMILIES = ("Noto Sans", "Segoe UI", "SF Pro Text", "Noto Sans Arabic UI", "Noto Naskh Arabic", "DejaVu Sans")


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme, as #rrggbb."""

    name: str
    ground: str
    surface: str
    raised: str
    line: str
    text: str
    muted: str
    accent: str
    on_accent: str
    soft: str
    good: str
    warn: str
    bad: str
    mark: str


LIGHT = Colours(
    name="light",
    ground="#f4f3ef",
    surface="#ffffff",
    raised="#faf9f6",
    line="#d9d7cf",
    text="#1f2328",
    muted="#585f6b",
    accent="#0b635d",
    on_accent="#ffffff",
    soft="#dcecea",
    good="#1c6b3c",
    warn="#7d5200",
    bad="#a8261c",
    mark="#fff0bf",
)
DARK = Colours(
    name="dark",
    ground="#15181c",
    surface="#1d2126",
    raised="#252a31",
    line="#383f48",
    text="#e6e8eb",
    muted="#a5adb8",
    accent="#6fcabb",
    on_accent="#0c2320",
    soft="#1f3a38",
    good="#7fcf9b",
    warn="#e5b45f",
    bad="#f3968d",
    mark="#57491a",
)


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours and the size of text (1.0 is 100 %)."""

    colours: Colours
    scale: float = 1.0

    def px(self, pixels: float) -> int:
        """Pixels at this text size."""
        return round(pixels * self.scale)

    def icon(self, name: str, colour: str | None = None) -> QIcon:
        """One of our own icons, in a colour of the theme (by default the text's)."""
        return _icon(name, colour or self.colours.text)

    def sign(self, name: str) -> QPixmap:
        """The quiet picture of an empty state."""
        return self.pixmap(name, self.colours.muted, 36)

    def pixmap(self, name: str, colour: str, size: int = 16) -> QPixmap:
        """An icon as a picture of ``size`` pixels at this text size."""
        return _icon(name, colour).pixmap(QSize(self.px(size), self.px(size)))


def theme_of(chosen: str, text_size: int) -> Theme:
    """The theme the student chose (``light``, ``dark`` or ``system``) at a text size in percent."""
    dark = chosen == "dark"
    if chosen == "system":
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return Theme(DARK if dark else LIGHT, max(0.8, min(2.5, text_size / 100)))


def put_on(application: QApplication, theme: Theme) -> None:
    """Dress the whole application."""
    application.setStyle("Fusion")
    application.setFont(body_font(theme))
    application.setPalette(_palette(theme.colours))
    application.setStyleSheet(style_sheet(theme))


def body_font(theme: Theme) -> QFont:
    """The font of all that is read."""
    font = QFont()
    font.setFamilies([*FAMILIES, *(family for family in font.families() if family not in FAMILIES)])
    font.setPointSizeF(BODY_POINTS * theme.scale)
    return font


def _palette(colours: Colours) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for where, colour in (
        (role.Window, colours.ground),
        (role.WindowText, colours.text),
        (role.Base, colours.surface),
        (role.AlternateBase, colours.raised),
        (role.Text, colours.text),
        (role.Button, colours.raised),
        (role.ButtonText, colours.text),
        (role.ToolTipBase, colours.raised),
        (role.ToolTipText, colours.text),
        (role.PlaceholderText, colours.muted),
        (role.Highlight, colours.accent),
        (role.HighlightedText, colours.on_accent),
        (role.Link, colours.accent),
        (role.LinkVisited, colours.accent),
    ):
        palette.setColor(where, QColor(colour))
    disabled = QPalette.ColorGroup.Disabled
    for where in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(disabled, where, QColor(colours.muted))
    return palette


def style_sheet(theme: Theme) -> str:
    """The style sheet of the theme (``resources/style.qss`` with its tokens filled in)."""
    text = resources.files("resources").joinpath("style.qss").read_text("utf-8")
    values = {token: getattr(theme.colours, token) for token in Colours.__slots__ if token != "name"}
    values |= {f"px{number}": f"{theme.px(number)}px" for number in range(1, 41)}
    values |= {f"pt{percent}": f"{BODY_POINTS * theme.scale * percent / 100:.1f}pt" for percent in _TYPE}
    signs = (("down", "down", "muted"), ("tick", "right", "on_accent"))
    values |= {f"icon_{name}": _icon_file(icon, getattr(theme.colours, tone)) for name, icon, tone in signs}
    return _TOKEN.sub(lambda found: values[found.group(1)], text)


@cache
def _icon_folder() -> Path:
    """Where icons lie in the colours of a theme: a style sheet takes its pictures from files only."""
    folder = tempfile.mkdtemp(prefix="retiens-icons-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def _icon_file(name: str, colour: str) -> str:
    path = _icon_folder() / f"{name}-{colour[1:]}.svg"
    path.write_text(_drawing(name, colour), "utf-8")
    return path.as_posix()


def _drawing(name: str, colour: str) -> str:
    source = resources.files("resources").joinpath("icons", f"{name}.svg").read_text("utf-8")
    return source.replace("currentColor", colour)


@cache
def _icon(name: str, colour: str) -> QIcon:
    renderer = QSvgRenderer(QByteArray(_drawing(name, colour).encode()))
    icon = QIcon()
    for size in (16, 24, 32, 48, 96):
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter, QRectF(0, 0, size, size))
        painter.end()
        icon.addPixmap(pixmap)
    return icon
