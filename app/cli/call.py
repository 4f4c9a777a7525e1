"""One call of the command line: its options, the house opened when first needed, and its one output."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from app.cli.speech import DATA, MISSING, USAGE, Refusal, Speech
from app.clock import Clock
from app.folders import open_folders
from app.settings import Settings
from app.wiring import House, open_house
from memory.subjects import Subject

_CREATING = frozenset({"read", "import"})


class Call:
    """What a command is given."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.json: bool = arguments.json
        self.folders = open_folders(
            Path(arguments.data) if arguments.data else None,
            allow_synced=getattr(arguments, "allow_synced", False),  # answered in the window's warning
        )
        settings = Settings(self.folders.settings).get()
        self.language: str = arguments.lang or settings.language or "en"
        self.clock = Clock(arguments.now, settings.timezone or "")
        self.say = Speech(self.language)
        self._house: House | None = None

    @property
    def house(self) -> House:
        """The student's house, opened on first use."""
        if self._house is None:
            self._house = open_house(self.folders, self.clock)
        return self._house

    def subject(self) -> Subject:
        """The subject of this call; it becomes the current one. Raises UnknownSubject."""
        named = self.arguments.subject
        subject = self.house.subject(named, create=self.arguments.command in _CREATING)
        if named is not None:
            self.house.use(subject)
        return subject

    def subjects(self) -> list[Subject]:
        """The named subject, or all of them."""
        if self.arguments.subject is not None:
            return [self.subject()]
        return self.house.memory.subjects.all()

    def print(self, document: dict[str, Any], *lines: str) -> None:
        """The result: one JSON document, or plain lines."""
        if self.json:
            sys.stdout.write(json.dumps(document, ensure_ascii=False, default=str) + "\n")
        else:
            for line in lines:
                sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def note(self, line: str) -> None:
        """Something said beside the result, on stderr."""
        sys.stderr.write(line + "\n")

    def close(self) -> None:
        """Let everything go; the house is opened again when it is needed again."""
        house, self._house = self._house, None
        if house is not None:
            house.close()


def day_of(text: str | None) -> date | None:
    """A date option. Raises Refusal."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Refusal(USAGE, "fault.bad_date", text=text) from error


def lines_of(path: str) -> list[str]:
    """The lines of a UTF-8 file; only a newline ends one, for JSON may hold other separators. Raises Refusal."""
    return text_of(path).removesuffix("\n").split("\n")


def text_of(path: str) -> str:
    """The whole of a UTF-8 file. Raises Refusal."""
    try:
        return Path(path).read_text("utf-8")
    except (FileNotFoundError, IsADirectoryError) as error:
        raise Refusal(MISSING, "fault.missing_file", path=path) from error
    except (UnicodeDecodeError, OSError) as error:
        raise Refusal(DATA, "fault.unreadable_file", path=path) from error


def objects_of(path: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a batch file, one a line. Raises Refusal."""
    for line in lines_of(path):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
        except ValueError as error:
            raise Refusal(DATA, "fault.unreadable_file", path=path) from error
        if not isinstance(raw, dict) or not isinstance(raw.get("text"), str):
            raise Refusal(DATA, "fault.no_text")
        yield raw
