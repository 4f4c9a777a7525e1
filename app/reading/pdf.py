"""PDF and EPUB through MuPDF: lines in reading order, headings, emphasis, and what a reader would not see.

Columns are found by cutting the page recursively along its white gaps (XY-cut, Nagy and Seth 1984). Runs only in the
reader process.
"""

from __future__ import annotations

import re
import statistics
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf

from app.reading.parsed import Emphasis, Fault, ParsedPage, Unreadable
from app.reading.right_to_left import ARABIC, Glyph, logical
from memory.readings import Heading, PageText

_open: Any = pymupdf.open
_BOLD = 16
_COLUMN_GAP = 8.0
"""Points of white between two columns."""
_TINY = 3.0
"""Points under which nobody reads a letter."""
_PAINTED = 16 | 32
"""MuPDF's marks of filled and of stroked letters."""
_MARKER = (1.0, 0.82, 0.15)
"""The colour of marked lines: red, green and blue in [0, 1]."""
_WHITE = 0xFDFDFD
_NEARLY_WHITE = 240
_COARSE = 36
"""Dots an inch of the drawing that tells white paper from what is behind white words."""
_PRESENTATION = re.compile("[\ufb1d-\ufdff\ufe70-\ufeff]")


@dataclass(slots=True)
class _Line:
    """One line: its box, its text, its spans as (text, size, bold)."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    size: float
    bold: float
    parts: list[tuple[str, bool]]
    hidden: bool


def parse_pdf(path: Path, kind: str) -> Iterator[tuple[int, ParsedPage]]:
    """Pages in order, with their number of all. Raises Unreadable."""
    try:
        document: Any = _open(path, filetype=kind)
    except (pymupdf.FileDataError, pymupdf.EmptyFileError, RuntimeError, ValueError) as error:
        raise Unreadable(Fault.CORRUPT) from error
    with document:
        if document.needs_pass:
            raise Unreadable(Fault.LOCKED)
        if document.page_count == 0:
            raise Unreadable(Fault.CORRUPT if kind == "pdf" else Fault.EMPTY)
        if kind == "epub":
            yield from _chapters(document)
            return
        for number in range(document.page_count):
            try:
                page = document[number]
                yield document.page_count, _page(page, number + 1)
            except (RuntimeError, ValueError):
                yield document.page_count, ParsedPage(PageText(number + 1, ()))


def render_page(path: Path, page: int, marked: tuple[int, int] = (0, 0), dpi: int = 110) -> bytes:
    """A page as PNG, for the source panel, with its lines from ``marked[0]`` to ``marked[1]`` (from 1; 0: none) marked.

    Raises Unreadable.
    """
    try:
        with _open(path) as document:
            drawn = document[(page - 1, 0)] if document.is_reflowable else document[page - 1]
            if document.is_pdf and marked[0] > 0:
                _mark(drawn, *marked)
            return bytes(drawn.get_pixmap(dpi=dpi).tobytes("png"))
    except (pymupdf.FileDataError, RuntimeError, ValueError, IndexError) as error:
        raise Unreadable(Fault.CORRUPT) from error


def _mark(page: Any, first: int, last: int) -> None:
    """Lay a marker's colour over some lines, counted as reading counts them."""
    rect: Any = pymupdf.Rect
    for line in _ordered(_lines(page), page.rect.width)[first - 1 : last]:
        box = rect(line.x0 - 2, line.y0 - 1, line.x1 + 2, line.y1 + 1) * page.derotation_matrix
        page.draw_rect(box, color=None, fill=_MARKER, fill_opacity=0.35, overlay=True)


def _chapters(document: Any) -> Iterator[tuple[int, ParsedPage]]:
    """An EPUB chapter is a page."""
    count = document.chapter_count
    for chapter in range(count):
        lines: list[_Line] = []
        for number in range(document.chapter_page_count(chapter)):
            lines += _lines(document[(chapter, number)])
        yield count, _assembled(lines, chapter + 1, "", scanned=False)


def _page(page: Any, number: int) -> ParsedPage:
    lines = _ordered(_lines(page), page.rect.width)
    scanned = not any(line.text.strip() for line in lines) and bool(page.get_images())
    try:
        label = page.get_label() or ""
    except (RuntimeError, ValueError, TypeError):
        label = ""
    return _assembled(lines, number, label if label != str(number) else "", scanned=scanned)


def _lines(page: Any) -> list[_Line]:
    flags = pymupdf.TEXTFLAGS_RAWDICT & ~pymupdf.TEXT_PRESERVE_IMAGES
    paper = _Paper(page)
    lines = (line for block in page.get_text("rawdict", flags=flags)["blocks"] for line in block.get("lines", ()))
    return _joined(
        [
            _line(line, paper)
            for line in lines
            if any(glyph["c"].strip() for span in line["spans"] for glyph in span["chars"])
        ]
    )


def _line(raw: dict[str, Any], paper: _Paper) -> _Line:
    spans = [span for span in raw["spans"] if any(glyph["c"].strip() for glyph in span["chars"])]
    parts = [(_text(span), _is_bold(span)) for span in raw["spans"]]
    if any(ARABIC.search(text) for text, _ in parts):
        parts = logical(
            [
                Glyph(text, glyph["bbox"][0], glyph["bbox"][2], span["size"], _is_bold(span))
                for span in raw["spans"]
                for text, glyph in zip(_text(span), span["chars"], strict=True)
            ]
        )
    x0, y0, x1, y1 = raw["bbox"]
    text = "".join(text for text, _ in parts)
    letters = max(1, sum(len(part.strip()) for part, _ in parts))
    bold = sum(len(part.strip()) for part, bold in parts if bold) / letters
    size = statistics.median(span["size"] for span in spans)
    hidden = paper.misses(raw["bbox"]) or size < _TINY or all(paper.hides(span) for span in spans)
    return _Line(x0, y0, x1, y1, text, size, bold, parts, hidden)


def _text(span: dict[str, Any]) -> str:
    """The words of a span; the marks of a font of ornaments are bullets, whatever letters they pass for."""
    if "dingbats" in span["font"].lower() or "wingdings" in span["font"].lower():
        return "•" * len(span["chars"])
    return "".join(glyph["c"][:1] or " " for glyph in span["chars"])


class _Paper:
    """What a page looks like behind its words: drawn once, coarsely, and only where words could be unseen."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._rect = page.rect
        self._drawn: Any = None

    def misses(self, box: Sequence[float]) -> bool:
        """Whether a box lies wholly off the page."""
        x0, y0, x1, y1 = box
        rect = self._rect
        return bool(x1 < rect.x0 or x0 > rect.x1 or y1 < rect.y0 or y0 > rect.y1)

    def hides(self, span: dict[str, Any]) -> bool:
        """Words without paint, unless they lie over a picture of themselves (a scan); or white on white."""
        if span.get("alpha", 255) == 0 or not span.get("char_flags", _PAINTED) & _PAINTED:
            return self._blank(span["bbox"])
        return bool(span.get("color", 0) >= _WHITE and self._blank(span["bbox"]))

    def _blank(self, box: Sequence[float]) -> bool:
        """Whether nothing but white is seen in a box."""
        if self._drawn is None:
            self._drawn = self._page.get_pixmap(dpi=_COARSE, colorspace=pymupdf.csGRAY, alpha=False)
        scale = _COARSE / 72
        first = [int((box[0] - self._rect.x0) * scale), int((box[1] - self._rect.y0) * scale)]
        last = [int((box[2] - self._rect.x0) * scale), int((box[3] - self._rect.y0) * scale)]
        width, height, grey = self._drawn.width, self._drawn.height, self._drawn.samples
        for y in range(max(0, first[1]), min(height, last[1] + 1)):
            row = grey[y * width + max(0, first[0]) : y * width + min(width, last[0] + 1)]
            if row and min(row) < _NEARLY_WHITE:
                return False
        return True


def _is_bold(span: dict[str, Any]) -> bool:
    return bool(int(span["flags"]) & _BOLD)


def _joined(lines: list[_Line]) -> list[_Line]:
    """Pieces of one printed line that the file holds apart (a term and its definition, a number and its heading)."""
    joined: list[_Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last is not None and abs(last.y1 - line.y1) < 0.35 * line.size and -1 <= line.x0 - last.x1 < 1.2 * line.size:
            last.text += " " + line.text
            last.parts += [(" ", False), *line.parts]
            last.x1, last.y0, last.y1 = line.x1, min(last.y0, line.y0), max(last.y1, line.y1)
            weight = len(line.text) / max(1, len(last.text))
            last.bold = last.bold * (1 - weight) + line.bold * weight
            last.size = max(last.size, line.size)
            last.hidden = last.hidden and line.hidden
        else:
            joined.append(line)
    return joined


def _ordered(lines: list[_Line], width: float) -> list[_Line]:
    """Reading order: cut along white columns, else along white rows, until nothing can be cut."""
    arabic = sum(bool(ARABIC.search(line.text)) for line in lines) * 2 > len(lines) > 0
    return _cut(lines, width, arabic, depth=0)


def _cut(lines: list[_Line], width: float, arabic: bool, depth: int) -> list[_Line]:
    """Along the gutter that the fewest lines cross: what crosses it stands alone, between such lines one column
    comes after the other."""
    gutter = _gutter(lines, width) if depth < 6 else None
    if gutter is None:
        return sorted(lines, key=lambda line: (round(line.y1 / 2), line.x0))
    across = sorted((line for line in lines if line.x0 < gutter < line.x1), key=lambda line: line.y0)
    columns = [
        [line for line in lines if line.x1 <= gutter],
        [line for line in lines if line.x0 >= gutter],
    ]
    if arabic:
        columns.reverse()
    ordered: list[_Line] = []
    top = float("-inf")
    for bottom, separator in [*((line.y0, line) for line in across), (float("inf"), None)]:
        for column in columns:
            between = [line for line in column if top <= (line.y0 + line.y1) / 2 < bottom]
            ordered += _cut(between, width, arabic, depth + 1)
        if separator is not None:
            ordered.append(separator)
            top = (separator.y0 + separator.y1) / 2
    return ordered


def _gutter(lines: list[_Line], width: float) -> float | None:
    """Where a white band divides the lines into two broad columns; None for a single one."""
    if len(lines) < 6:
        return None
    edges = sorted({round(line.x0 - _COLUMN_GAP / 2, 1) for line in lines})
    best: tuple[int, float] | None = None
    for x in edges:
        left = [line for line in lines if line.x1 <= x - _COLUMN_GAP / 2 + 0.1]
        right = [line for line in lines if line.x0 >= x + _COLUMN_GAP / 2 - 0.1]
        crossing = len(lines) - len(left) - len(right)
        if crossing > max(2, 0.12 * len(lines)) or min(len(left), len(right)) < max(3, 0.15 * len(lines)):
            continue
        if min(_broad(left), _broad(right)) < 0.18 * width:
            continue
        if best is None or crossing < best[0]:
            best = (crossing, x)
    return best[1] if best else None


def _broad(lines: list[_Line]) -> float:
    """The width that the full lines of a column reach: the upper tenth, in points."""
    widths = sorted(line.x1 - line.x0 for line in lines)
    return widths[9 * len(widths) // 10]


def _assembled(lines: list[_Line], number: int, label: str, *, scanned: bool) -> ParsedPage:
    body = statistics.median([line.size for line in lines for _ in range(max(1, len(line.text) // 20))] or [10.0])
    texts: list[str] = []
    headings: list[Heading] = []
    emphasis: list[Emphasis] = []
    hidden: list[int] = []
    open_at = 0
    for at, line in enumerate(lines, 1):
        text = clean(line.text)
        texts.append(text)
        if line.hidden:
            hidden.append(at)
            continue
        level = _heading_level(line, text, body)
        if level:
            headings.append(Heading(at, text, level))
        elif line.bold > 0:
            runs = _bold_runs(line.parts)
            if emphasis and open_at == at - 1 and runs and _starts_bold(line.parts):
                emphasis[-1] = Emphasis(emphasis[-1].line, f"{emphasis[-1].text} {runs.pop(0)}")
            emphasis += [Emphasis(at, words) for words in runs]
            open_at = at if _starts_bold(line.parts[::-1]) else 0
    return ParsedPage(
        PageText(number, tuple(texts), label, tuple(headings), None, tuple(hidden), scanned), tuple(emphasis)
    )


def _heading_level(line: _Line, text: str, body: float) -> int:
    words = text.split()
    if not 0 < len(words) <= 14 or text.endswith((".", ",", ";", ":")) or not any(c.isalpha() for c in text):
        return 0
    ratio = line.size / body
    if ratio >= 1.6:
        return 1
    if ratio >= 1.25:
        return 2
    if ratio >= 1.1 or line.bold >= 0.95:
        return 3
    return 0


def _starts_bold(parts: Sequence[tuple[str, bool]]) -> bool:
    """Whether the first words of a line (the last ones, of its reversed parts) are bold: a term may run on."""
    return next((bold for text, bold in parts if text.strip()), False)


def _bold_runs(parts: Sequence[tuple[str, bool]]) -> list[str]:
    """The words in bold, run by run."""
    runs: list[str] = []
    open_run = False
    for text, bold in parts:
        if bold or (open_run and not text.strip()):
            if open_run:
                runs[-1] += text
            else:
                runs.append(text)
            open_run = True
        else:
            open_run = False
    return [words for run in runs if (words := clean(run).strip(" .,;:()[]—–-")) and any(c.isalpha() for c in words)]


def clean(text: str) -> str:
    """Ligatures and presentation forms as plain letters, detached accents joined, white space on one line."""
    if _PRESENTATION.search(text) or "\ufb00" <= max(text, default="") <= "\ufb06":
        text = unicodedata.normalize("NFKC", text)
    text = re.sub("([´`ˆ¨˜])([A-Za-z])", _accented, text)
    text = unicodedata.normalize("NFC", text).replace("\u00ad", "").replace("\0", "")
    return " ".join(text.split())


_ACCENTS = {"´": "\u0301", "`": "\u0300", "ˆ": "\u0302", "¨": "\u0308", "˜": "\u0303"}


def _accented(found: re.Match[str]) -> str:
    joined = unicodedata.normalize("NFC", found[2] + _ACCENTS[found[1]])
    return joined if len(joined) == 1 else found[0]
