"""Numbers with units, as students write them: 9,81 m/s² · 1 200 · 3/4 · 25 % · 6.02 × 10^23 · ٣٫٥.

Units are compared by the seven base units of the SI (BIPM, The International System of Units, 9th edition), so that
72 km/h is 20 m/s. A unit that is not known here is a plain word and is not compared.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import isclose, pi

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_PLAIN = str.maketrans(
    {"−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "٫": ".", "٬": "", "µ": "μ", "Ω": "Ω", "٪": "%"}
)
_SPACES = re.compile(r"[\u00a0\u2007\u2009\u202f]")
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<number>[-+]?(?:\d{1,3}(?:(?P<group>[ .,'’])\d{3})(?:(?P=group)\d{3})*(?:[.,]\d+)?(?!\d)"
    r"|\d+(?:[.,]\d+)?|[.,]\d+))"
    r"(?:\s*/\s*(?P<under>\d+(?:[.,]\d+)?)(?![\w/]))?"
    r"(?:\s*\*\s*10\s*\^?\s*(?P<power>[-+]?\d+)|[eE](?P<exponent>[-+]?\d+))?"
)
_UNIT = re.compile(r"\s*(?P<unit>%|°?[A-Za-zμΩ°]+(?:\^?-?\d)?(?:\s?[/*.]\s?[A-Za-zμΩ]+(?:\^?-?\d)?)*)")
_TERM = re.compile(r"(?P<divide>/)?\s?[*.]?\s?(?P<name>[A-Za-zμΩ°]+)\^?(?P<power>-?\d)?")

_Dimensions = tuple[tuple[str, int], ...]
_BASE: dict[str, tuple[float, dict[str, int]]] = {
    "m": (1, {"m": 1}),
    "g": (1e-3, {"kg": 1}),
    "s": (1, {"s": 1}),
    "A": (1, {"A": 1}),
    "K": (1, {"K": 1}),
    "mol": (1, {"mol": 1}),
    "cd": (1, {"cd": 1}),
    "Hz": (1, {"s": -1}),
    "N": (1, {"kg": 1, "m": 1, "s": -2}),
    "Pa": (1, {"kg": 1, "m": -1, "s": -2}),
    "J": (1, {"kg": 1, "m": 2, "s": -2}),
    "W": (1, {"kg": 1, "m": 2, "s": -3}),
    "C": (1, {"A": 1, "s": 1}),
    "V": (1, {"kg": 1, "m": 2, "s": -3, "A": -1}),
    "Ω": (1, {"kg": 1, "m": 2, "s": -3, "A": -2}),
    "F": (1, {"kg": -1, "m": -2, "s": 4, "A": 2}),
    "T": (1, {"kg": 1, "s": -2, "A": -1}),
    "L": (1e-3, {"m": 3}),
    "l": (1e-3, {"m": 3}),
    "eV": (1.602176634e-19, {"kg": 1, "m": 2, "s": -2}),
    "cal": (4.184, {"kg": 1, "m": 2, "s": -2}),
    "bar": (1e5, {"kg": 1, "m": -1, "s": -2}),
    "t": (1e3, {"kg": 1}),
}
_ALONE: dict[str, tuple[float, dict[str, int]]] = {
    "min": (60, {"s": 1}),
    "h": (3600, {"s": 1}),
    "d": (86400, {"s": 1}),
    "atm": (101325, {"kg": 1, "m": -1, "s": -2}),
    "ha": (1e4, {"m": 2}),
    "°C": (1, {"°C": 1}),
    "°F": (1, {"°F": 1}),
    "°": (pi / 180, {}),
    "rad": (1, {}),
    "%": (0.01, {}),
}
_PREFIXES = {"G": 1e9, "M": 1e6, "k": 1e3, "h": 1e2, "d": 1e-1, "c": 1e-2, "m": 1e-3, "μ": 1e-6, "n": 1e-9, "p": 1e-12}


@dataclass(frozen=True, slots=True)
class Unit:
    """A known unit: its factor to SI base units and its dimensions."""

    factor: float
    dimensions: _Dimensions


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as written. ``values`` holds every way of reading it (1,234 is two), ``decimals`` the digits after
    the mark; ``unit`` is None where none was written or it is not known, ``word`` what stood there."""

    values: tuple[float, ...]
    decimals: int
    unit: Unit | None = None
    word: str = ""


def quantities(text: str, language: str | None = None) -> list[Quantity]:
    """The numbers of a text, in order. With a language, 1,234 and 1.234 are read that language's way only."""
    plain = _SPACES.sub(" ", _RAISED.sub(lambda raised: "^" + raised[0].translate(_SUPERSCRIPTS), text))
    plain = "".join(
        str(unicodedata.digit(letter)) if letter.isdigit() and not letter.isascii() else letter
        for letter in plain.translate(_PLAIN)
    )
    found = []
    position = 0
    while match := _NUMBER.search(plain, position):
        position = match.end()
        values = _readings(match["number"], language)
        scale = 10.0 ** int(match["power"] or match["exponent"] or 0)
        if match["under"]:
            under = float(match["under"].replace(",", "."))
            values = [value / under for value in values] if under else []
        decimals = len(re.split("[.,]", match["number"])[-1]) if re.search("[.,]", match["number"]) else 0
        word = _UNIT.match(plain, position)
        unit = unit_of(word["unit"]) if word else None
        if word and unit is not None:
            position = word.end()
        exact = bool(match["under"])
        found.append(
            Quantity(
                tuple(value * scale for value in values),
                12 if exact else decimals - int(match["power"] or match["exponent"] or 0),
                unit,
                word["unit"] if word else "",
            )
        )
    return [each for each in found if each.values]


def unit_of(text: str) -> Unit | None:
    """The unit written so, or None for what is not one."""
    factor, dimensions = 1.0, Counter[str]()
    text = text.strip().rstrip(".")
    if text == "%":
        return Unit(0.01, ())
    position = 0
    while position < len(text):
        term = _TERM.match(text, position)
        single = _single(term["name"]) if term else None
        if term is None or single is None:
            return None
        power = int(term["power"] or 1) * (-1 if term["divide"] else 1)
        factor *= single[0] ** power
        for name, exponent in single[1].items():
            dimensions[name] += exponent * power
        position = term.end()
    return Unit(factor, tuple(sorted((name, power) for name, power in dimensions.items() if power)))


def agree(expected: Quantity, given: Quantity, tolerance: float | None = None) -> bool:
    """Whether two quantities are the same number, units converted where both are known and alike.

    The tolerance (absolute, in the expected unit) defaults to half of the last digit that was expected.
    """
    wanted = expected.values[0]
    scales = [1.0]
    if expected.unit and given.unit:
        scales = [given.unit.factor / expected.unit.factor]
    elif given.unit and given.word == "%":
        scales = [given.unit.factor]
    elif expected.unit and expected.word == "%":
        scales = [1.0, 1 / expected.unit.factor]
    slack = tolerance if tolerance is not None else _half_digit(expected)
    return any(
        abs(value * scale - wanted) <= slack + 1e-12 or isclose(value * scale, wanted, rel_tol=1e-9)
        for value in given.values
        for scale in scales
    )


def _half_digit(expected: Quantity) -> float:
    return 0.5 * 10.0**-expected.decimals if expected.decimals > 0 and expected.decimals < 12 else 0.0


def _single(name: str) -> tuple[float, dict[str, int]] | None:
    if name in _ALONE:
        return _ALONE[name]
    if name in _BASE:
        return _BASE[name]
    if name[:1] in _PREFIXES and name[1:] in _BASE:
        factor, dimensions = _BASE[name[1:]]
        return factor * _PREFIXES[name[0]], dimensions
    return None


def _readings(number: str, language: str | None) -> list[float]:
    """Every number that the digits may stand for, the likeliest first."""
    bare = re.sub(r"(?<=\d)[ '’](?=\d)", "", number)
    marks = [letter for letter in bare if letter in ".,"]
    if not marks:
        return [float(bare)]
    last = marks[-1]
    whole, _, fraction = bare.rpartition(last)
    as_decimal = float(re.sub("[.,]", "", whole or "0") + "." + fraction) if whole.count(last) == 0 else None
    grouped = len(fraction) == 3 and len(set(marks)) == 1 and whole.strip("+-") not in ("", "0")
    as_groups = float(re.sub("[.,]", "", bare)) if grouped else None
    order: Iterable[float | None] = (as_decimal, as_groups)
    if language is not None:
        english_thousands = last == "," and language == "en" and as_groups is not None
        return [value for value in ((as_groups,) if english_thousands else order) if value is not None][:1]
    return [value for value in order if value is not None]
