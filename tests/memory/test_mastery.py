"""The student model: one number a concept, and what it says."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.episodes import Verdict
from memory.mastery import (
    KNOWN_AT_FIRST,
    LEARNS,
    Claim,
    FirstChecks,
    chance_of_right,
    claim_of,
    confidence_of,
    first_chance,
    learn_from,
)

masteries = st.floats(0.0, 1.0)


def test_one_right_answer_is_understood_one_wrong_answer_is_weak_and_partly_is_unsure() -> None:
    assert claim_of(learn_from(KNOWN_AT_FIRST, Verdict.RIGHT)) is Claim.UNDERSTANDS
    assert claim_of(learn_from(KNOWN_AT_FIRST, Verdict.WRONG)) is Claim.WEAK
    assert claim_of(learn_from(KNOWN_AT_FIRST, Verdict.PARTLY)) is Claim.UNSURE


def test_the_published_formula_by_hand() -> None:
    posterior = 0.4 * 0.9 / (0.4 * 0.9 + 0.6 * 0.2)
    assert learn_from(0.4, Verdict.RIGHT) == pytest.approx(posterior + (1 - posterior) * LEARNS)


@given(masteries)
def test_partly_is_the_mean_of_right_and_wrong_then_the_learning_step(mastery: float) -> None:
    right, wrong = learn_from(mastery, Verdict.RIGHT), learn_from(mastery, Verdict.WRONG)
    assert learn_from(mastery, Verdict.PARTLY) == pytest.approx((right + wrong) / 2)


@given(masteries, st.lists(st.sampled_from(Verdict), max_size=200))
def test_mastery_stays_a_probability_and_right_never_says_less_than_wrong(
    mastery: float, verdicts: list[Verdict]
) -> None:
    for verdict in verdicts:
        assert learn_from(mastery, Verdict.WRONG) <= learn_from(mastery, Verdict.RIGHT) + 1e-12
        mastery = learn_from(mastery, verdict)
        assert 0.0 <= mastery <= 1.0
        assert 0.0 < chance_of_right(mastery) < 1.0


@given(masteries)
def test_the_confidence_is_that_of_the_claim(mastery: float) -> None:
    expected = {Claim.UNDERSTANDS: mastery, Claim.WEAK: 1 - mastery, Claim.UNSURE: 0.5}
    assert confidence_of(mastery) == expected[claim_of(mastery)]


@pytest.mark.parametrize(
    ("mastery", "claim"), [(0.70, Claim.UNDERSTANDS), (0.69, Claim.UNSURE), (0.36, Claim.UNSURE), (0.35, Claim.WEAK)]
)
def test_the_thresholds_are_where_the_design_puts_them(mastery: float, claim: Claim) -> None:
    assert claim_of(mastery) is claim


def test_a_concept_never_checked_is_predicted_from_first_checks_elsewhere() -> None:
    nothing_known = first_chance(FirstChecks(0, 0.0))
    assert nothing_known == pytest.approx(chance_of_right(KNOWN_AT_FIRST))
    assert first_chance(FirstChecks(20, 18.0)) > nothing_known > first_chance(FirstChecks(20, 2.0))


def test_on_real_answers_it_predicts_better_than_a_running_mean_and_is_calibrated() -> None:
    path = Path(__file__).parents[1] / "benchmark" / "mastery.py"
    spec = importlib.util.spec_from_file_location("mastery_benchmark", path)
    benchmark = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = benchmark
    spec.loader.exec_module(benchmark)
    students = benchmark.read(benchmark.DATA, "item")
    model = benchmark.measure(students, benchmark.student_model)
    mean = benchmark.measure(students, benchmark.running_mean_per_concept)
    assert model.auc >= 0.80
    assert model.ece <= 0.05
    assert model.brier < mean.brier
    assert model.auc > mean.auc
