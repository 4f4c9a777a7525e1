"""The map's places: layers apart, no box on another, and nothing jumps."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ui.map.layout import COLUMN, ROW, ROWS, place


def test_what_a_concept_builds_on_stands_before_it() -> None:
    spots = place([["a", "b"], ["c"]], {"c": ["a", "b"]})
    assert spots["a"].x < spots["c"].x
    assert spots["b"].x < spots["c"].x


def test_crossing_arrows_are_uncrossed() -> None:
    spots = place([["a", "b"], ["c", "d"]], {"c": ["b"], "d": ["a"]})
    assert (spots["a"].y < spots["b"].y) == (spots["d"].y < spots["c"].y)


@given(st.lists(st.integers(1, 3 * ROWS), min_size=1, max_size=5))
def test_no_two_concepts_stand_in_the_same_place(sizes: list[int]) -> None:
    layers = [[f"{layer}-{number}" for number in range(size)] for layer, size in enumerate(sizes)]
    spots = place(layers, {})
    places = sorted((spot.x, spot.y) for spot in spots.values())
    for one, other in pairwise(places):
        assert other[0] - one[0] >= COLUMN or other[1] - one[1] >= ROW


def test_a_new_concept_does_not_move_those_that_were_there() -> None:
    before = place([["a", "b", "c"]], {})
    after = place([["x", "c", "b", "a"]], {}, before)
    order = sorted("abc", key=lambda concept: after[concept].y)
    assert order == sorted("abc", key=lambda concept: before[concept].y)
