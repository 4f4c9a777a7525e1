"""Laws of beliefs that hold whatever happens, in whatever order: checks, late imports, contests, decay, re-deriving."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.belief_rules import Reason, derive, standing
from memory.episodes import ConceptId, Kind, Meta, Verdict
from memory.mastery import Claim

NAMES = ("Osmosis", "Mitosis")
verdicts = st.sampled_from(list(Verdict))
names = st.sampled_from(NAMES)
days = st.integers(0, 240)
events = st.one_of(
    st.tuples(st.just("check"), days, verdicts, names),
    st.tuples(st.just("late"), days, verdicts, names),
    st.tuples(st.just("contest"), days, st.one_of(st.none(), verdicts), st.integers(0, 20)),
    st.tuples(st.just("decay"), days),
    st.tuples(st.just("replay")),
    st.tuples(st.just("rederive")),
)


def concept_of(name: str) -> ConceptId:
    return ConceptId(f"concept-{name.casefold()}")


def said(rows) -> dict[str, tuple]:
    return {row.concept: (row.claim, row.confidence, row.mastery, row.valid_from.at) for row in rows}


class Life:
    """One classroom to which things happen; ``clock`` is the tutor's, and only goes forward."""

    def __init__(self, room) -> None:
        self.room = room
        self.clock = 0
        self.checks = []
        self.snapshots = []
        for name in NAMES:
            room.concept(name)

    def happen(self, event: tuple) -> None:
        self.clock += 1
        room, beliefs = self.room, self.room.beliefs
        match event:
            case ("check", day, verdict, name):
                check = room.check(day, verdict, name)
                self.checks.append(check)
                beliefs.record_check(check, concept_of(name), room.ids, self.clock)
            case ("late", day, verdict, name):
                self.checks.append(room.check(day, verdict, name))
                beliefs.replay(room.subject, [concept_of(name)], room.ids, self.clock)
            case ("contest", day, verdict, index) if self.checks:
                check = self.checks[index % len(self.checks)]
                room.append(Kind.CONTEST, day, meta=Meta(about=check.id, verdict=verdict))
                beliefs.reconsider(check.id, Reason.CONTEST, room.ids, self.clock)
            case ("decay", day):
                beliefs.decay(room.subject, room.moment(day).at, room.ids, self.clock)
            case ("replay",):
                assert beliefs.replay(room.subject, None, room.ids, self.clock) == []
            case ("rederive",):
                routes = beliefs.routed_when_written(room.subject)
                beliefs.rederive(room.subject, routes, room.ids, room.moment(0).at)
        self.snapshots.append((self.clock, said(beliefs.current(room.subject))))


@settings(max_examples=60, deadline=None)
@given(st.lists(events, max_size=14))
def test_one_current_row_one_chain_and_two_kinds_of_past(make_classroom, story) -> None:
    with TemporaryDirectory() as folder:
        life = Life(make_classroom(Path(folder) / "memory.db"))
        for event in story:
            life.happen(event)
        room, beliefs = life.room, life.room.beliefs
        for name in NAMES:
            rows = beliefs.history(room.subject, concept_of(name))
            assert [row.superseded_by for row in rows] == [*(row.id for row in rows[1:]), *([None] if rows else [])]
            kept = [row for row in standing(rows) if row.claim is not Claim.WITHDRAWN]
            until = kept[-1].valid_from.at if kept else 0
            follows = derive(beliefs.checks_of(concept_of(name)), until)
            assert [(row.claim, row.confidence, row.mastery) for row in kept] == [
                (held.claim, held.confidence, held.mastery) for held in follows
            ]
            for day in range(0, 300, 20):
                last = room.moment(day).day
                true_then = [held for held in follows if held.valid_from.day <= last]
                found = [row for row in beliefs.as_of(room.subject, last) if row.concept == concept_of(name)]
                assert [row.mastery for row in found] == [held.mastery for held in true_then[-1:]]
        if not any(event[0] == "rederive" for event in story):
            for clock, held in life.snapshots:
                assert said(beliefs.known_as_of(room.subject, clock)) == held
        assert beliefs.as_of(room.subject, room.moment(0).day - timedelta(days=1)) == []
        room.store.close()
