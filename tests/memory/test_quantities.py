"""Numbers with units, as students write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.quantities import agree, quantities, unit_of


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1 234,5", (1234.5,)),
        ("1.234.567", (1234567.0,)),
        ("1,234.56", (1234.56,)),
        ("1.234,56", (1234.56,)),
        ("1,234", (1.234, 1234.0)),
        (",5", (0.5,)),
        ("-2", (-2.0,)),
        ("6,02 × 10²³", (6.02e23,)),
        ("1.6e-19", (1.6e-19,)),
        ("3/4", (0.75,)),
        ("١٢٫٥", (12.5,)),
    ],
)
def test_the_ways_a_number_is_written(text: str, values: tuple[float, ...]) -> None:
    (found,) = quantities(text)
    assert found.values == pytest.approx(values)


def test_a_language_settles_what_a_comma_is() -> None:
    assert quantities("1,234", "en")[0].values == (1234.0,)
    assert quantities("1,234", "fr")[0].values == (1.234,)


@pytest.mark.parametrize(
    ("one", "other"), [("m/s", "m*s^-1"), ("N", "kg*m/s^2"), ("J", "N*m"), ("W", "J/s"), ("Pa", "N/m²"), ("L", "dm^3")]
)
def test_the_same_unit_in_other_words(one: str, other: str) -> None:
    first, second = unit_of(one), unit_of(other.replace("²", "^2"))
    assert first.dimensions == second.dimensions
    assert first.factor == pytest.approx(second.factor)


@pytest.mark.parametrize("word", ["chromosomes", "pommes", "xyz", "m/quux"])
def test_a_plain_word_is_no_unit(word: str) -> None:
    assert unit_of(word) is None


def test_units_are_converted_before_they_are_compared() -> None:
    assert agree(quantities("1,5 km", "fr")[0], quantities("1500 m")[0])
    assert agree(quantities("20 °C", "fr")[0], quantities("20 °C")[0])
    assert not agree(quantities("1,5 km", "fr")[0], quantities("15 m")[0])


@given(st.integers(-(10**9), 10**9), st.integers(0, 6))
def test_every_decimal_is_found_as_it_was_written(digits: int, decimals: int) -> None:
    value = digits / 10**decimals
    (found,) = quantities(f"it is {value:.{decimals}f}")
    assert value in found.values or found.values[0] == pytest.approx(value)


def test_dividing_by_zero_is_no_number() -> None:
    assert quantities("3/0") == []
