"""What follows from checks: a pure function, the same by any road."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.belief_rules import DECAY_DAYS, DECAY_KEEPS, EPISODES_KEPT, Counted, derive
from memory.episodes import EpisodeId, Verdict
from memory.mastery import Claim
from memory.moments import MICROSECONDS_PER_DAY, Moment

checks = st.lists(st.tuples(st.integers(0, 500), st.sampled_from(list(Verdict))), max_size=15).map(
    lambda found: [
        Counted(EpisodeId(f"e{index}"), Moment(day * MICROSECONDS_PER_DAY), verdict)
        for index, (day, verdict) in enumerate(sorted(found, key=lambda each: each[0]))
    ]
)


@given(checks, st.integers(0, 900))
def test_one_row_a_check_and_one_for_each_full_45_days_between(found: list[Counted], end: int) -> None:
    sequence = derive(found, end * MICROSECONDS_PER_DAY)
    assert sum(not held.decay for held in sequence) == len(found)
    for index, held in enumerate(sequence[1:], 1):
        before = sequence[index - 1]
        assert held.valid_from.at >= before.valid_from.at
        if held.decay:
            assert held.valid_from.at - before.valid_from.at == DECAY_DAYS * MICROSECONDS_PER_DAY
            assert held.confidence == before.confidence * DECAY_KEEPS
            assert (held.mastery, held.claim, held.confirm) == (before.mastery, before.claim, True)
        else:
            assert held.valid_from.at - before.valid_from.at <= DECAY_DAYS * MICROSECONDS_PER_DAY or (
                before.confidence < 0.02
            )
            assert not held.confirm


@given(checks, st.integers(0, 500), st.integers(0, 900))
def test_what_comes_later_never_changes_what_was(found: list[Counted], day: int, end: int) -> None:
    until = day * MICROSECONDS_PER_DAY
    earlier = [check for check in found if check.moment.at <= until]
    prefix = derive(earlier, until)
    whole = derive(found, max(end * MICROSECONDS_PER_DAY, until))
    assert whole[: len(prefix)] == prefix or any(check.moment.at == until for check in found)


def test_a_row_names_its_latest_checks() -> None:
    found = [Counted(EpisodeId(f"e{day}"), Moment(day), Verdict.RIGHT) for day in range(20)]
    last = derive(found, 0)[-1]
    assert last.claim is Claim.UNDERSTANDS
    assert last.episodes == tuple(f"e{day}" for day in range(20 - EPISODES_KEPT, 20))
