"""The words of the interface: one TOML file a language, the same keys and placeholders in each.

Sentences, plurals and dates are said by :class:`memory.phrases.Phrases`; only the file differs.
"""

from __future__ import annotations

import tomllib
from datetime import date, datetime
from functools import cache
from importlib import resources

from babel.dates import format_date, format_time
from babel.numbers import format_decimal, format_percent
from PySide6.QtCore import Qt

from memory.phrases import Phrases, flattened
from ui.text import direction_of_language, has_direction, isolated

INTERFACE_LANGUAGES = ("fr", "en", "es", "ar")
"""Languages that the interface speaks, in the order it offers them."""
NAMES = {"fr": "Français", "en": "English", "es": "Español", "ar": "العربية"}
DEFAULT = "en"
_DIGITS = "latn"


class Messages:
    """What the interface says in one language."""

    def __init__(self, language: str) -> None:
        self.language = language if language in INTERFACE_LANGUAGES else DEFAULT
        self._phrases = _read(self.language)
        left = direction_of_language(self.language) is Qt.LayoutDirection.LeftToRight
        self._against = Qt.LayoutDirection.RightToLeft if left else Qt.LayoutDirection.LeftToRight

    def __call__(self, key: str, **values: object) -> str:
        """The sentence ``group.name`` with its values; ``n`` also chooses its plural. Raises MissingPhrase.

        A value that runs against the interface (a Latin file name among Arabic words) keeps its own direction.
        """
        for name, value in values.items():
            if isinstance(value, str) and has_direction(value, self._against):
                values[name] = isolated(value)
        return self._phrases.say(key, **values)

    def has(self, key: str) -> bool:
        """Whether there is a sentence of that key."""
        return key in self._phrases.keys

    def day(self, day: date, today: date | None = None) -> str:
        """A day in words: today, yesterday, else "Monday 3 November", with its year when that is another."""
        if today is not None and (today - day).days in (0, 1):
            return self("date.today" if today == day else "date.yesterday")
        same_year = today is not None and today.year == day.year
        patterns = {"en": "EEEE d MMMM", "es": "EEEE d 'de' MMMM", "ar": "EEEE d MMMM", "fr": "EEEE d MMMM"}
        pattern = patterns[self.language] + ("" if same_year else (" 'de' y" if self.language == "es" else " y"))
        said = format_date(day, pattern, locale=self._locale)
        return said[:1].upper() + said[1:]

    def short_day(self, day: date) -> str:
        """A day for a narrow column: "3 Nov 2026"."""
        return format_date(day, "d MMM y", locale=self._locale)

    def time(self, when: datetime) -> str:
        """The time on the clock."""
        return format_time(when, "HH:mm", locale=self._locale)

    def moment(self, day: date, when: datetime, today: date) -> str:
        """A day and the time on the clock: "Yesterday, 18:00"."""
        return self("date.at", day=self.day(day, today), time=self.time(when))

    def percent(self, share: float) -> str:
        """A share in [0, 1] as a percentage."""
        return format_percent(round(share, 2), locale=self._locale, numbering_system=_DIGITS)

    def number(self, value: float) -> str:
        """A number with at most one decimal place."""
        return format_decimal(round(value, 1), locale=self._locale, numbering_system=_DIGITS)

    def size(self, count: int) -> str:
        """A size in bytes, in words a student reads: "1.1 GB"."""
        unit, value = ("gb", count / 1e9) if count >= 1e9 else ("mb", count / 1e6)
        return self(f"size.{unit}", value=self.number(value))

    @property
    def _locale(self) -> str:
        return self.language


@cache
def _read(language: str) -> Phrases:
    file = resources.files("resources").joinpath("translations", f"{language}.toml")
    return Phrases(language, flattened(tomllib.loads(file.read_text("utf-8"))))


def pick_language(chosen: str | None, system: str) -> str:
    """The interface language: the one chosen, else the system's where it is spoken, else English."""
    for name in (chosen or "", system.split("_")[0].split("-")[0]):
        if name in INTERFACE_LANGUAGES:
            return name
    return DEFAULT
