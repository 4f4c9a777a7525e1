"""The map's places: layers apart, no box on another, and nothing jumps."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memory.concept_rows import Concept, ConceptOrigin
from memory.episodes import ConceptId, SubjectId
from ui.map.layout import COLUMN, ROW, ROWS, place
from ui.map.shown import ShownConcept, ShownMap, around


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


def test_around_a_concept_is_what_it_rests_on_and_what_rests_on_it_and_the_rest_is_folded() -> None:
    def one(name: str, *needs: str) -> ShownConcept:
        origin, id = ConceptOrigin.FILE, ConceptId(name)
        concept = Concept(1, id, SubjectId("s"), name, name, "en", "", origin, None, 0.5, 0.6, hidden=False)
        return ShownConcept(concept, name, None, 0.0, False, tuple(map(ConceptId, needs)), ())

    concepts = (
        one("solute"),
        one("gradient", "solute"),
        one("osmosis", "gradient"),
        one("lipid"),
        one("raft", "lipid"),
    )
    whole = ShownMap(concepts, (("solute", "lipid"), ("gradient", "raft"), ("osmosis",)), 0.5, 2)
    part = around(whole, "gradient")
    assert [shown.name for shown in part.concepts] == ["solute", "gradient", "osmosis"]
    assert part.layers == (("solute",), ("gradient",), ("osmosis",))
    assert part.folded == 4
