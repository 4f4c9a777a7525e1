"""Calibration: what the tutor predicted before each check, against how the check went.

Predictions are put in ten bands of equal width; the expected calibration error is the mean distance between the
mean prediction and the mean outcome of a band, weighted by its checks (Naeini, Cooper and Hauskrecht 2015, "Obtaining
well calibrated probabilities using Bayesian binning"); the Brier score is the mean squared error (Brier 1950). Below
five checks with a prediction there are no figures, only the count (the article, "La boucle nocturne").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memory.episodes import SubjectId, Verdict
from memory.mastery import outcome
from memory.store import Store

CALIBRATED_FROM = 5
MANY_FROM = 50  # below this a band holds a handful of checks, and the error is mostly chance
BANDS = 10
LEANS_FROM = 0.10  # a mean prediction this far from the mean outcome is said in words


@dataclass(frozen=True, slots=True)
class Band:
    """The checks predicted in [low, high): how many, the mean prediction and the mean outcome."""

    low: float
    high: float
    count: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far a confidence may be believed. ``ece`` and ``brier`` are None below five checks.

    ``limits`` are codes: ``too_few`` (a confidence is a ranking, not a probability), ``few``, ``overconfident``,
    ``underconfident``.
    """

    count: int
    calibrated: bool
    ece: float | None
    brier: float | None
    bands: tuple[Band, ...]
    limits: tuple[str, ...]


def calibrate(pairs: Sequence[tuple[float, float]]) -> Calibration:
    """The calibration of (prediction, outcome) pairs, both in [0, 1]; *partly* is an outcome of one half."""
    count = len(pairs)
    bands = _bands(pairs)
    if count < CALIBRATED_FROM:
        return Calibration(count, False, None, None, bands, ("too_few",))
    limits = ["few"] if count < MANY_FROM else []
    lean = sum(predicted - observed for predicted, observed in pairs) / count
    if abs(lean) >= LEANS_FROM:
        limits.append("overconfident" if lean > 0 else "underconfident")
    return Calibration(
        count=count,
        calibrated=True,
        ece=sum(band.count * abs(band.predicted - band.observed) for band in bands) / count,
        brier=sum((predicted - observed) ** 2 for predicted, observed in pairs) / count,
        bands=bands,
        limits=tuple(limits),
    )


def predictions(store: Store, subject: SubjectId) -> list[tuple[float, float]]:
    """Each check with a prediction and a verdict that stands: (prediction, outcome), in the order recorded."""
    found: list[Any] = (
        store.reader()
        .execute(
            "SELECT predicted, verdict FROM judged_checks"
            " WHERE subject = ? AND predicted BETWEEN 0 AND 1 AND verdict IS NOT NULL ORDER BY seq",
            (subject,),
        )
        .fetchall()
    )
    return [(float(predicted), outcome(Verdict(verdict))) for predicted, verdict in found]


def _bands(pairs: Sequence[tuple[float, float]]) -> tuple[Band, ...]:
    """The bands that hold at least one pair, lowest first."""
    held: dict[int, list[tuple[float, float]]] = {}
    for predicted, observed in pairs:
        held.setdefault(min(int(predicted * BANDS), BANDS - 1), []).append((predicted, observed))
    return tuple(
        Band(
            low=index / BANDS,
            high=(index + 1) / BANDS,
            count=len(each),
            predicted=sum(predicted for predicted, _ in each) / len(each),
            observed=sum(observed for _, observed in each) / len(each),
        )
        for index, each in sorted(held.items())
    )
