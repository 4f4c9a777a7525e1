"""The calendar of one language, compiled: month and weekday names (CLDR), units, numbers, seasons, forms of dates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from babel.dates import get_day_names, get_month_names

from memory.lexicon import Lexicon, alternatives, lexicon, lines
from memory.words import fold

_Width = Literal["wide", "abbreviated"]
_Context = Literal["format", "stand-alone"]
_Names = Callable[[_Width, _Context, str], Mapping[int, str]]
_WIDTHS: tuple[_Width, ...] = ("wide", "abbreviated")
_CONTEXTS: tuple[_Context, ...] = ("format", "stand-alone")
_SHORTEST_NAME = 3  # letters: shorter abbreviations are other words
SAID = "said"
"""The group of a form that holds the date itself, without a particle written onto it (Arabic "and")."""
_AGAIN = "__"  # a form may name a group in several alternatives: they are numbered
_DAY = r"3[01]|[12]\d|0?[1-9]"
_ORDINAL = r"[1-9]\d?(?:st|nd|rd|th|ere|er|re|eme|e|o|a|\.)"
_DAYS_IN_A_MONTH = 31
CUES = (
    "since",
    "between",
    "and",
    "to",
    "or",
    "topic_before",
    "date_before",
    "bad_before",
    "bad_after",
    "ahead",
    "event",
    "numeric_before",
    "years_before",
    "now",
    "onwards",
    "of",
    "numbered_before",
)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Names to numbers, and the forms in which the language writes dates, each with named groups.

    ``dated_months`` also has the abbreviations that are other words unless a day stands beside them ("3 mar", "dec 5");
    ``weekday_before`` finds a weekday, however short, that stands before a date. ``parts`` are the forms of a part of a
    period ("the first week of"); the period follows, or is named in the form.
    """

    language: str
    months: Mapping[str, int]
    dated_months: Mapping[str, int]
    weekdays: Mapping[str, int]
    weekday_before: re.Pattern[str]
    seasons: Mapping[str, str]
    numbers: Mapping[str, int]
    units: tuple[tuple[str, re.Pattern[str]], ...]
    days: Mapping[str, int]
    ordinals: Mapping[str, int]
    forms: tuple[tuple[str, re.Pattern[str]], ...]
    parts: tuple[tuple[str, re.Pattern[str]], ...]
    cues: Mapping[str, re.Pattern[str]]
    ambiguous: frozenset[str]
    names_are_capital: bool

    def unit(self, said: str) -> str:
        """The unit's own name ("day", "week" …) for a word of the language."""
        return next(name for name, pattern in self.units if pattern.fullmatch(said))

    def number(self, said: str) -> int:
        """How many, from digits or a word."""
        return int(said) if said.isdigit() else self.numbers[said]

    def day(self, said: str) -> int:
        """A day of the month, from digits or a word."""
        return int(said) if said.isdigit() else self.days[said]

    def ordinal(self, said: str) -> int:
        """First, second …, from a word or digits with their ending."""
        return self.ordinals[said] if said in self.ordinals else int(re.sub(r"\D", "", said))


def _spaced(name: str) -> str:
    return re.sub(r"[-.'\s]+", " ", fold(name)).strip()


def _names(
    table: Mapping[str, str], getter: _Names, locales: list[str], dropped: set[str], shortest: int = _SHORTEST_NAME
) -> dict[str, int]:
    found: dict[str, int] = {}
    for locale in locales:
        for width in _WIDTHS:
            for context in _CONTEXTS:
                names = getter(width, context, locale)
                for number, name in names.items():
                    spelled = _spaced(str(name))
                    if len(spelled) >= shortest and spelled not in dropped:
                        found.setdefault(spelled, int(number))
    for key, expressions in table.items():
        for expression in expressions.split("|"):
            found[_spaced(expression)] = int(key)
    return found


def _numbered(table: Mapping[str, str]) -> dict[str, int]:
    """Words to numbers, from a table of numbers to words."""
    return {_spaced(said): int(number) for number, block in table.items() for said in block.split("|")}


def _either(names: Mapping[str, object]) -> str:
    return "|".join(sorted((re.escape(name).replace(r"\ ", " ") for name in names), key=len, reverse=True))


@cache
def calendar(language: str) -> Calendar:
    """The compiled calendar of a language."""
    words = lexicon(language)
    time = words.table["time"]
    dropped = {_spaced(name) for name in time.get("not_names", "").split()}
    locales = time["locales"].split()
    months = _names(time.get("months", {}), get_month_names, locales, dropped)
    weekdays = _names(time.get("weekdays", {}), get_day_names, locales, dropped)
    dated_months = _names(time.get("months", {}), get_month_names, locales, set())
    all_weekdays = _names(time.get("weekdays", {}), get_day_names, locales, set(), shortest=2)
    seasons = {_spaced(said): name for name, block in time["seasons"].items() for said in block.split("|")}
    exact, vague = _numbered(time["numbers"]), _numbered(time.get("vague", {}))
    numbers = {**vague, **exact}
    ordinals = _numbered(time["ordinals"])
    days = _numbered(time.get("days", {}))
    spelled = exact if time.get("days_are_cardinal") else ordinals
    days = {word: number for word, number in spelled.items() if 2 <= number <= _DAYS_IN_A_MONTH} | days
    units = tuple((name, re.compile(words.expand(block))) for name, block in time["units"].items())
    groups = {
        "month": rf"(?P<month>{_either(months)})\.?",
        "dated_month": rf"(?P<month>{_either(dated_months)})\.?",
        "weekday": rf"(?P<weekday>{_either(weekdays)})",
        "season": rf"(?P<season>{_either(seasons)})",
        "year": r"(?P<year>\d{4})",
        "n": rf"(?P<n>\d{{1,3}}|{_either(numbers)})",
        "unit": rf"(?P<unit>{'|'.join(words.expand(block) for block in time['units'].values())})",
        "day": rf"(?P<day>{_DAY}|{_either(days)})",
        "day_to": rf"(?P<day_to>{_DAY}|{_either(days)})",
        "ordinal": rf"(?P<ordinal>{_ORDINAL}|{_either(ordinals)})",
    }
    groups |= {f"{name}_more": groups[name].replace(f"<{name}>", f"<{name}_more>") for name in ("n", "unit", "weekday")}
    cues = {name: _edge(name, time.get(name, ""), words) for name in CUES}
    return Calendar(
        language,
        months,
        dated_months,
        weekdays,
        re.compile(rf"(?<!\w)(?:{_either(all_weekdays)})\.?,? ?(?:\w{{1,3}} )?$"),
        seasons,
        numbers,
        units,
        days,
        ordinals,
        _forms(time["forms"], groups, words),
        _forms(time["parts"], groups, words),
        cues,
        frozenset(_spaced(name) for name in time.get("ambiguous", "").split()),
        bool(time.get("names_are_capital", True)),
    )


def _forms(
    table: Mapping[str, str], groups: Mapping[str, str], words: Lexicon
) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (form, re.compile(words.bounded(f"(?P<{SAID}>{_filled(line, groups, words)})")))
        for form, block in table.items()
        for line in lines(block)
    )


def _filled(line: str, groups: Mapping[str, str], words: Lexicon) -> str:
    for name in groups:
        line = line.replace("{" + name + "}", f"\x00{name}\x00")
    spelled = words.expand(line)
    for name, group in groups.items():
        spelled = spelled.replace(f"\x00{name}\x00", group)
    seen: Counter[str] = Counter()

    def numbered(found: re.Match[str]) -> str:
        seen[found[1]] += 1
        return f"(?P<{found[1]}{_AGAIN}{seen[found[1]]}>"

    return re.sub(r"\(\?P<(\w+)>", numbered, spelled)


def said(match: re.Match[str]) -> dict[str, str | None]:
    """The named groups of a form's match; a group written twice in a line is one group."""
    found: dict[str, str | None] = {}
    for name, value in match.groupdict().items():
        bare = name.partition(_AGAIN)[0]
        found[bare] = found.get(bare) or value
    return found


def _edge(name: str, block: str, words: Lexicon) -> re.Pattern[str]:
    """A cue that stands just before a date (…_before, since, between), just after it, or in the middle."""
    if not lines(block):
        return re.compile(r"(?!)")
    expression = alternatives(words.expand(line) for line in lines(block))
    if name.endswith("_before") or name in ("since", "between"):
        return re.compile(rf"(?<!\w){expression} ?$")
    if name in ("bad_after", "onwards"):
        return re.compile(rf"^ ?{expression}(?!\w)")
    if name == "of":
        return re.compile(rf" ?,? ?(?:{expression} ?)?")
    if name in ("and", "to", "or", "now"):
        return re.compile(rf" ?,? ?{expression} ?")
    return re.compile(rf"(?<!\w){expression}(?!\w)")
