"""DOCX and PPTX: paragraphs are lines; a slide is a page."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
import pptx
from docx.opc.exceptions import PackageNotFoundError as NoDocument
from lxml import etree
from pptx.exc import PackageNotFoundError as NoPresentation

from app.reading.parsed import Emphasis, Fault, ParsedPage, Unreadable
from memory.readings import Heading, PageText

_TITLES = frozenset({1, 3})  # placeholder types TITLE and CENTER_TITLE
_BROKEN = (NoDocument, NoPresentation, zipfile.BadZipFile, KeyError, ValueError, etree.LxmlError, AttributeError)


def parse_docx(path: Path) -> Iterator[tuple[int, ParsedPage]]:
    """A document is page 1; headings come from its styles, emphasis from bold runs."""
    try:
        document = docx.Document(str(path))
        lines: list[str] = []
        headings: list[Heading] = []
        emphasis: list[Emphasis] = []
        hidden: list[int] = []
        for block in document.iter_inner_content():
            paragraphs: list[Any] = [block] if hasattr(block, "runs") else _table(block)
            for paragraph in paragraphs:
                text = " ".join(paragraph.text.split())
                lines.append(text)
                at = len(lines)
                runs = [run for run in paragraph.runs if run.text.strip()]
                if runs and all(run.font.hidden for run in runs):
                    hidden.append(at)
                    continue
                level = _level(paragraph, text, runs)
                if level:
                    headings.append(Heading(at, text, level))
                else:
                    emphasis += [Emphasis(at, words) for words in _bold(paragraph.runs)]
    except _BROKEN as error:
        raise Unreadable(Fault.CORRUPT) from error
    page = PageText(1, tuple(lines), headings=tuple(headings), hidden=tuple(hidden))
    yield 1, ParsedPage(page, tuple(emphasis))


def parse_pptx(path: Path) -> Iterator[tuple[int, ParsedPage]]:
    """A slide is a page; its title is a heading."""
    try:
        slides = list(pptx.Presentation(str(path)).slides)
    except _BROKEN as error:
        raise Unreadable(Fault.CORRUPT) from error
    for number, slide in enumerate(slides, 1):
        lines: list[str] = []
        headings: list[Heading] = []
        emphasis: list[Emphasis] = []
        for shape in _shapes(slide.shapes):
            title = shape.is_placeholder and shape.placeholder_format.type in _TITLES
            for paragraph in shape.text_frame.paragraphs:
                text = " ".join("".join(run.text for run in paragraph.runs).split())
                if not text:
                    continue
                lines.append(text)
                if title:
                    headings.append(Heading(len(lines), text, 2))
                else:
                    emphasis += [Emphasis(len(lines), words) for words in _bold(paragraph.runs)]
        yield len(slides), ParsedPage(PageText(number, tuple(lines), headings=tuple(headings)), tuple(emphasis))


def _shapes(shapes: Any) -> Iterator[Any]:
    """Shapes with text, those in groups too, from top to bottom."""
    for shape in sorted(shapes, key=lambda each: ((each.top or 0), (each.left or 0))):
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        elif shape.has_text_frame:
            yield shape


def _table(block: Any) -> list[Any]:
    seen: list[Any] = []
    for row in block.rows:
        for cell in row.cells:
            seen += [paragraph for paragraph in cell.paragraphs if paragraph.text.strip()]
    return seen


def _level(paragraph: Any, text: str, runs: list[Any]) -> int:
    style = (paragraph.style.name if paragraph.style is not None else "") or ""
    if style.startswith(("Heading", "Titre", "Título", "Title")):
        digits = "".join(c for c in style if c.isdigit())
        return int(digits) if digits else 1
    wholly_bold = bool(runs) and all(run.bold for run in runs)
    return 4 if wholly_bold and 0 < len(text.split()) <= 12 and not text.endswith(".") else 0


def _bold(runs: Any) -> list[str]:
    words: list[str] = []
    open_run = False
    for run in runs:
        if run.font.bold and run.text.strip():
            if open_run:
                words[-1] += run.text
            else:
                words.append(run.text)
            open_run = True
        elif run.text.strip():
            open_run = False
    cleaned = [" ".join(word.split()).strip(" .,;:()") for word in words]
    return [word for word in cleaned if word]
