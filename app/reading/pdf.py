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
from memory.readings import Heading, PageText

_open: Any = pymupdf.open
_BOLD = 16
_COLUMN_GAP = 8.0
"""Points of white between two columns."""
_TINY = 3.0
"""Points under which nobody reads a letter."""
_PRESENTATION = re.compile("[\ufb1d-\ufdff\ufe70-\ufeff]")
_ARABIC = re.compile("[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufeff]")


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


def render_page(path: Path, page: int, dpi: int = 110) -> bytes:
    """A page as PNG, for the source panel. Raises Unreadable."""
    try:
        with _open(path) as document:
            return bytes(document[page - 1].get_pixmap(dpi=dpi).tobytes("png"))
    except (pymupdf.FileDataError, RuntimeError, ValueError, IndexError) as error:
        raise Unreadable(Fault.CORRUPT) from error


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
    found: list[_Line] = []
    flags = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES
    rect = page.rect
    for block in page.get_text("dict", flags=flags)["blocks"]:
        for line in block.get("lines", ()):
            spans = [span for span in line["spans"] if span["text"]]
            if not spans or not any(span["text"].strip() for span in spans):
                continue
            x0, y0, x1, y1 = line["bbox"]
            text = "".join(span["text"] for span in spans)
            letters = max(1, sum(len(span["text"].strip()) for span in spans))
            bold = sum(len(span["text"].strip()) for span in spans if _is_bold(span)) / letters
            size = statistics.median(span["size"] for span in spans if span["text"].strip())
            outside = x1 < rect.x0 or x0 > rect.x1 or y1 < rect.y0 or y0 > rect.y1
            hidden = outside or size < _TINY or all(_unseen(span) for span in spans if span["text"].strip())
            parts = [(span["text"], _is_bold(span)) for span in spans]
            found.append(_Line(x0, y0, x1, y1, text, size, bold, parts, hidden))
    return _joined(found)


def _is_bold(span: dict[str, Any]) -> bool:
    return bool(int(span["flags"]) & _BOLD)


def _unseen(span: dict[str, Any]) -> bool:
    """White on the (white) page, or without any paint at all."""
    return bool(span.get("alpha", 255) == 0 or span.get("color", 0) >= 0xFDFDFD)


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
    arabic = sum(bool(_ARABIC.search(line.text)) for line in lines) * 2 > len(lines) > 0
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
    for at, line in enumerate(lines, 1):
        text = clean(line.text)
        texts.append(text)
        if line.hidden:
            hidden.append(at)
            continue
        level = _heading_level(line, text, body)
        if level:
            headings.append(Heading(at, text, level))
        elif 0 < line.bold < 0.95:
            emphasis += [Emphasis(at, words) for words in _bold_runs(line.parts)]
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
