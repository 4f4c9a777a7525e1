"""Laws of folding: nothing is lost, the best copy stands for all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.fold import fold_repetitions

keys = st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), max_size=60)


@given(keys)
def test_folding_loses_no_place_and_repeats_none(ranked: list[bytes]) -> None:
    places = [place for fold in fold_repetitions(ranked) for place in fold.places]
    assert sorted(places) == list(range(len(ranked)))


@given(keys)
def test_the_best_ranked_copy_survives_and_the_order_of_survivors_is_kept(ranked: list[bytes]) -> None:
    folds = fold_repetitions(ranked)
    assert [fold.survivor for fold in folds] == sorted(fold.survivor for fold in folds)
    assert all(fold.survivor == min(fold.places) == ranked.index(ranked[fold.survivor]) for fold in folds)


def test_nine_copies_are_one_memory_held_nine_times() -> None:
    (fold,) = fold_repetitions([b"what is a cell"] * 9)
    assert len(fold.places) == 9
