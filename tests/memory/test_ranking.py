"""Laws of ranking: the gate, the order, and that a wider pool changes no order."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory.moments import MICROSECONDS_PER_DAY
from memory.ranking import Basis, Candidates, in_context, matches, rank, recency_of, relevance, score

NOW = 20_000 * MICROSECONDS_PER_DAY
THRESHOLD = 0.4

part = st.one_of(st.just(0.0), st.floats(0, 1))
candidate = st.tuples(
    st.integers(0, NOW), st.sampled_from([0.35, 0.4, 0.5, 0.6, 0.65, 0.7, 0.85]), part, part, st.floats(-1, 1)
)
pool = st.lists(candidate, min_size=1, max_size=40)


def made(rows: list[tuple[int, float, float, float, float]], first: int = 1) -> Candidates:
    return Candidates(
        rows=np.arange(first, first + len(rows)),
        at=np.array([row[0] for row in rows], dtype=np.int64),
        salience=np.array([row[1] for row in rows], dtype=float),
        lexical=np.array([row[2] for row in rows], dtype=float),
        concept=np.array([row[3] for row in rows], dtype=float),
        semantic=np.array([row[4] for row in rows], dtype=float),
        context=np.zeros(len(rows)),
    )


@given(pool)
def test_nothing_that_does_not_match_ever_comes_with_a_match(
    rows: list[tuple[int, float, float, float, float]],
) -> None:
    candidates = made(rows)
    matched = matches(candidates, THRESHOLD)
    ranking = rank(candidates, NOW, query=True, match_threshold=THRESHOLD)
    if matched.any():
        assert ranking.basis is Basis.MATCH
        assert sorted(ranking.order) == sorted(np.flatnonzero(matched))
    else:
        assert ranking.basis is Basis.MERELY_RECENT
        assert len(ranking.order) == min(3, len(rows))


@given(pool, pool)
def test_widening_the_pool_never_changes_the_order_of_what_was_there(
    rows: list[tuple[int, float, float, float, float]], more: list[tuple[int, float, float, float, float]]
) -> None:
    narrow = made(rows)
    wide = made(rows + more)
    if not matches(narrow, THRESHOLD).any():
        return
    before = narrow.rows[rank(narrow, NOW, query=True, match_threshold=THRESHOLD).order].tolist()
    after = wide.rows[rank(wide, NOW, query=True, match_threshold=THRESHOLD).order].tolist()
    assert [row for row in after if row in set(before)] == before


@given(pool)
def test_scores_fall_and_ties_go_to_the_newest(rows: list[tuple[int, float, float, float, float]]) -> None:
    candidates = made(rows)
    ranking = rank(candidates, NOW, query=True, match_threshold=THRESHOLD)
    if ranking.basis is Basis.MATCH:
        pairs = list(zip(ranking.scores.tolist(), candidates.at[ranking.order].tolist(), strict=True))
        assert pairs == sorted(pairs, reverse=True)


@given(pool)
def test_relevance_and_scores_stay_in_their_ranges(rows: list[tuple[int, float, float, float, float]]) -> None:
    candidates = made(rows)
    assert ((relevance(candidates) >= 0) & (relevance(candidates) <= 1)).all()
    assert ((score(candidates) >= 0) & (score(candidates) <= 0.85)).all()


@given(pool)
def test_company_makes_no_match_and_only_ever_helps_one(rows: list[tuple[int, float, float, float, float]]) -> None:
    alone = made(rows)
    together = in_context(alone, THRESHOLD)
    matched = matches(alone, THRESHOLD)
    assert (matches(together, THRESHOLD) == matched).all()
    assert (relevance(together) >= relevance(alone) - 1e-12).all()
    assert (together.context[~matched] == 0).all()


def test_a_match_beside_a_better_one_passes_the_same_match_alone() -> None:
    hour = MICROSECONDS_PER_DAY // 24
    rows = [(NOW - hour, 0.4, 0.9, 0.0, 0.0), (NOW - hour, 0.4, 0.3, 0.0, 0.0), (NOW + hour, 0.4, 0.3, 0.0, 0.0)]
    candidates = in_context(made(rows), THRESHOLD)
    assert rank(candidates, NOW, query=True, match_threshold=THRESHOLD).order.tolist() == [0, 1, 2]
    assert candidates.context[2] == 0  # said two hours later


def test_an_exact_match_of_242_days_ago_outranks_yesterdays_noise() -> None:
    old, noise = (
        (NOW - 242 * MICROSECONDS_PER_DAY, 0.35, 0.9, 0.0, 0.0),
        (NOW - MICROSECONDS_PER_DAY, 0.85, 0.0, 0.0, 0.1),
    )
    ranking = rank(made([noise, old]), NOW, query=True, match_threshold=THRESHOLD)
    assert ranking.order.tolist() == [1]


def test_recency_weighs_only_where_there_is_no_query() -> None:
    rows = [(NOW, 0.35, 0.5, 0.0, 0.0), (NOW - 300 * MICROSECONDS_PER_DAY, 0.35, 0.5, 0.0, 0.0)]
    asked = rank(made(rows), NOW, query=True, match_threshold=THRESHOLD)
    assert asked.scores[0] == asked.scores[1]
    unasked = rank(made(rows), NOW, query=False, match_threshold=THRESHOLD)
    assert unasked.basis is Basis.NO_QUERY
    assert unasked.scores[0] == 0.26  # 0.30 x 0.35 + 0.15 x 1, rounded
    assert unasked.scores[1] < unasked.scores[0]


def test_recency_halves_in_75_days_and_the_future_is_now() -> None:
    at = np.array([NOW, NOW - 75 * MICROSECONDS_PER_DAY, NOW + 5 * MICROSECONDS_PER_DAY])
    assert np.allclose(recency_of(at, NOW), [1.0, 0.5, 1.0])


def test_a_failed_check_passes_a_passed_one_that_matches_as_well() -> None:
    right, wrong = (NOW, 0.6, 0.8, 0.0, 0.0), (NOW - 50 * MICROSECONDS_PER_DAY, 0.7, 0.8, 0.0, 0.0)
    assert rank(made([right, wrong]), NOW, query=True, match_threshold=THRESHOLD).order.tolist() == [1, 0]
