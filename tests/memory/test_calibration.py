"""Calibration: figures only from five checks on, and figures that can be checked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.calibration import calibrate, predictions
from memory.episodes import Kind, Meta, Verdict

pairs = st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0])), max_size=80)


def test_four_checks_give_a_count_and_no_figure() -> None:
    result = calibrate([(0.5, 1.0)] * 4)
    assert (result.count, result.calibrated, result.ece, result.brier) == (4, False, None, None)
    assert result.limits == ("too_few",)


def test_five_checks_give_figures() -> None:
    result = calibrate([(0.9, 1.0)] * 4 + [(0.9, 0.0)])
    assert result.calibrated
    assert result.ece == pytest.approx(0.1)
    assert result.brier == pytest.approx((4 * 0.01 + 0.81) / 5)
    assert result.limits == ("few", "overconfident")


def test_the_curve_by_hand() -> None:
    result = calibrate([(0.15, 0.0), (0.15, 1.0), (0.85, 1.0), (0.85, 1.0), (1.0, 0.5)])
    assert [(band.low, band.count, band.observed) for band in result.bands] == [
        (0.1, 2, 0.5),
        (0.8, 2, 1.0),
        (0.9, 1, 0.5),
    ]
    assert result.ece == pytest.approx((2 * 0.35 + 2 * 0.15 + 0.5) / 5)


@given(pairs)
def test_errors_are_probabilities_and_no_check_is_lost(checks: list[tuple[float, float]]) -> None:
    result = calibrate(checks)
    assert sum(band.count for band in result.bands) == result.count == len(checks)
    if result.calibrated:
        assert 0 <= result.ece <= 1
        assert 0 <= result.brier <= 1


def test_a_contested_verdict_counts_as_it_stands(classroom) -> None:
    classroom.check(0, Verdict.RIGHT, predicted=0.7)
    contested = classroom.check(1, Verdict.WRONG, predicted=0.2)
    aside = classroom.check(2, Verdict.WRONG, predicted=0.1)
    classroom.check(3, None, predicted=0.5)
    classroom.check(4, Verdict.PARTLY)
    classroom.append(Kind.CONTEST, 5, meta=Meta(about=contested.id, verdict=Verdict.PARTLY))
    classroom.append(Kind.CONTEST, 6, meta=Meta(about=aside.id))
    assert predictions(classroom.store, classroom.subject) == [(0.7, 1.0), (0.2, 0.5)]
