"""Which parser a file needs, by what is in it: a name can lie."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from app.reading.markup import parse_html, parse_markdown, parse_text
from app.reading.office import parse_docx, parse_pptx
from app.reading.parsed import Fault, ParsedPage, Unreadable
from app.reading.pdf import parse_pdf

LARGEST = 400 * 1024 * 1024
"""Bytes of a file that is still read."""
LARGEST_INSIDE = 1024 * 1024 * 1024
"""Bytes that a zipped document may hold once unpacked."""
_MARKDOWN = {".md", ".markdown", ".mdown"}
_TEXTS = {".txt", ".text", ".tex", ".org", ".rst", ".csv", ".srt", ""}

Parser = Callable[[Path], Iterator[tuple[int, ParsedPage]]]


def parser_of(path: Path) -> tuple[str, Parser]:
    """The format's name and its parser. Raises Unreadable (and FileNotFoundError as a missing file)."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError as error:
        raise Unreadable(Fault.MISSING) from error
    if path.is_dir():
        raise Unreadable(Fault.MISSING)
    if size == 0 or not head.strip(b"\0 \r\n\t"):
        raise Unreadable(Fault.EMPTY)
    if size > LARGEST:
        raise Unreadable(Fault.TOO_LARGE)
    if b"%PDF-" in head[:1024]:
        return "pdf", partial(parse_pdf, kind="pdf")
    if head.startswith(b"PK"):
        return _zipped(path)
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise Unreadable(Fault.LOCKED if path.suffix.lower() in (".docx", ".pptx") else Fault.UNSUPPORTED)
    if path.suffix.lower() in (".pdf", ".docx", ".pptx", ".epub"):
        raise Unreadable(Fault.CORRUPT)
    if b"\0" in head and head[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise Unreadable(Fault.UNSUPPORTED)
    start = head.lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<?xml")) or path.suffix.lower() in (".html", ".htm", ".xhtml"):
        return "html", parse_html
    if path.suffix.lower() in _MARKDOWN:
        return "md", parse_markdown
    if path.suffix.lower() in _TEXTS:
        return "txt", parse_text
    return "txt", parse_text


def _zipped(path: Path) -> tuple[str, Parser]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            inside = sum(item.file_size for item in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise Unreadable(Fault.CORRUPT) from error
    if inside > LARGEST_INSIDE:
        raise Unreadable(Fault.TOO_LARGE)
    if "word/document.xml" in names:
        return "docx", parse_docx
    if "ppt/presentation.xml" in names:
        return "pptx", parse_pptx
    if "META-INF/container.xml" in names:
        return "epub", partial(parse_pdf, kind="epub")
    raise Unreadable(Fault.UNSUPPORTED)
