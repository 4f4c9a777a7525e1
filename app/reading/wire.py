"""Between the reader process and the program: pages and readings as JSON, never as pickles.

The process that parses hostile files could be taken over by one; what comes out of it is only ever data.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from app.reading.parsed import Fault
from memory.readings import FoundConcept, FoundEdge, Heading, PageText, Quote, Reading


@dataclass(frozen=True, slots=True)
class PageRead:
    """One page, ready to be stored, of a file that has ``pages`` of them."""

    format: str
    page: PageText
    pages: int


@dataclass(frozen=True, slots=True)
class Failed:
    """Why the file, or the rest of it, could not be read."""

    fault: Fault


Event = PageRead | Reading | Failed


class BadEvent(ValueError):
    """Bytes that are no event."""


def packed(event: Event) -> bytes:
    """The bytes of an event."""
    return json.dumps({"is": type(event).__name__, **asdict(event)}, ensure_ascii=True).encode("ascii")


def unpacked(data: bytes) -> Event:
    """The event of some bytes. Raises BadEvent."""
    try:
        raw = json.loads(data)
        kind = raw["is"]
        if kind == "PageRead":
            return PageRead(str(raw["format"]), _page(raw["page"]), int(raw["pages"]))
        if kind == "Reading":
            return Reading(str(raw["language"]), tuple(_concept(each) for each in raw["concepts"]), raw["fault"])
        if kind == "Failed":
            return Failed(Fault(raw["fault"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadEvent(len(data)) from error
    raise BadEvent(len(data))


def _page(raw: dict[str, Any]) -> PageText:
    return PageText(
        page=int(raw["page"]),
        lines=tuple(str(line) for line in raw["lines"]),
        label=str(raw["label"]),
        headings=tuple(Heading(int(each["line"]), str(each["text"]), int(each["level"])) for each in raw["headings"]),
        language=raw["language"],
        hidden=tuple(int(line) for line in raw["hidden"]),
        scanned=bool(raw["scanned"]),
    )


def _concept(raw: dict[str, Any]) -> FoundConcept:
    return FoundConcept(
        name=str(raw["name"]),
        language=str(raw["language"]),
        definition=_quote(raw["definition"]),
        summary=str(raw["summary"]),
        pages=tuple(int(page) for page in raw["pages"]),
        aliases=tuple(str(alias) for alias in raw["aliases"]),
        builds_on=tuple(
            FoundEdge(str(each["name"]), float(each["weight"]), str(each["reason"])) for each in raw["builds_on"]
        ),
        assumed=tuple(str(name) for name in raw["assumed"]),
        score=float(raw["score"]),
    )


def _quote(raw: dict[str, Any] | None) -> Quote | None:
    if raw is None:
        return None
    return Quote(str(raw["text"]), int(raw["page"]), int(raw["first_line"]), int(raw["last_line"]))
