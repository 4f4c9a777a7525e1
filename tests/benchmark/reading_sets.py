"""The development sets of reading, as parsed pages with their gold terms."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.reading.formats import parser_of
from app.reading.parsed import Emphasis, ParsedPage
from memory.readings import Heading, PageText

SHARED = Path(__file__).parents[3] / "shared" / "data"
_BOLD = re.compile(r"\*\*(.+?)\*\*")


@dataclass(frozen=True, slots=True)
class Case:
    """A file, in one dressing (``marked``: with its bold), and what its glossary holds."""

    id: str
    language: str
    marked: bool
    pages: list[ParsedPage]
    gold: list[dict[str, str]]


def cases() -> Iterator[Case]:
    """Every case of the development half."""
    for line in (SHARED / "concepts" / "concepts.jsonl").read_text("utf-8").splitlines():
        raw = json.loads(line)
        for marked in (True, False):
            pages = [_page(number, text, marked) for number, text in enumerate(raw["pages_marked"], 1)]
            yield Case(raw["id"], raw["language"], marked, pages, raw["gold"])
    yield from _documents()


def _documents() -> Iterator[Case]:
    gold: dict[str, list[dict[str, str]]] = defaultdict(list)
    languages: dict[str, str] = {}
    for line in (SHARED / "docs" / "gold_concepts.jsonl").read_text("utf-8").splitlines():
        raw = json.loads(line)
        if not raw.get("generic"):
            gold[raw["doc_id"]].append({"term": raw["concept"], "definition": raw.get("definition") or ""})
            languages[raw["doc_id"]] = raw["lang"]
    for line in (SHARED / "docs" / "docs.jsonl").read_text("utf-8").splitlines():
        raw = json.loads(line)
        if raw["doc_id"] not in gold:
            continue
        path = SHARED / "docs" / raw["file"]
        yield Case(raw["doc_id"], raw["lang"], True, _parse(path), gold[raw["doc_id"]])
        plain = path.parent / "plain" / path.name
        if plain.exists():
            yield Case(raw["doc_id"], raw["lang"], False, _parse(plain), gold[raw["doc_id"]])


def _parse(path: Path) -> list[ParsedPage]:
    _, parse = parser_of(path)
    return [page for _, page in parse(path)]


def _page(number: int, text: str, marked: bool) -> ParsedPage:
    lines: list[str] = []
    headings: list[Heading] = []
    emphasis: list[Emphasis] = []
    for at, line in enumerate(text.splitlines(), 1):
        plain = line.replace("**", "")
        lines.append(plain)
        if re.fullmatch(r"\*\*[^*]+\*\*", line.strip()):
            headings.append(Heading(at, plain.strip(), 2))
        elif marked:
            emphasis += [Emphasis(at, found[1]) for found in _BOLD.finditer(line)]
    return ParsedPage(PageText(number, tuple(lines), headings=tuple(headings)), tuple(emphasis))
