"""Beliefs: rows that never change, chains that can be walked, and the same result by every road."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.belief_rules import DECAY_DAYS, Belief, Reason, standing
from memory.episodes import ConceptId, Content, Kind, Meta, Origin, Verdict
from memory.mastery import Claim, chance_of_right
from memory.moments import MICROSECONDS_PER_DAY
from memory.rerouting import todays_routes
from memory.routing import NameRow, Names

R, P, W = Verdict.RIGHT, Verdict.PARTLY, Verdict.WRONG


def said(rows: list[Belief]) -> list[tuple[str, float, float, int, bool]]:
    """What rows say, without their ids and without when they were written."""
    return [(row.claim.value, row.confidence, row.mastery, row.valid_from.at, row.confirm) for row in rows]


class TestOneCheckAfterAnother:
    def test_a_change_of_mind_is_a_new_row_and_the_old_one_points_to_it(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        wrong = classroom.live(0, W, "Osmosis")
        right = classroom.live(1, R, "Osmosis")
        first, second = classroom.beliefs.history(classroom.subject, osmosis)
        assert (first.claim, first.episodes, first.superseded_by) == (Claim.WEAK, (wrong.id,), second.id)
        assert (second.claim, second.episodes, second.superseded_by) == (Claim.UNSURE, (wrong.id, right.id), None)
        assert classroom.beliefs.current(classroom.subject) == [second]
        assert second.name == "Osmosis"

    def test_a_check_that_could_not_be_judged_is_no_evidence(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        check = classroom.check(0, None, "Osmosis")
        assert classroom.beliefs.record_check(check, osmosis, classroom.ids, 0) is None
        assert classroom.beliefs.history(classroom.subject) == []

    def test_the_change_says_what_was_held_before_and_after(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        classroom.live(0, W, "Osmosis")
        check = classroom.check(1, R, "Osmosis")
        change = classroom.beliefs.record_check(check, osmosis, classroom.ids, check.moment.at)
        assert change.before.claim is Claim.WEAK
        assert change.after.claim is Claim.UNSURE

    def test_the_prediction_moves_with_what_happened(self, classroom) -> None:
        osmosis, mitosis = classroom.concept("Osmosis"), classroom.concept("Mitosis")
        beliefs, subject = classroom.beliefs, classroom.subject
        at_first = beliefs.prediction(subject, mitosis)
        classroom.live(0, W, "Osmosis")
        assert beliefs.prediction(subject, osmosis) < at_first
        assert beliefs.prediction(subject, mitosis) < at_first
        assert beliefs.prediction(subject, osmosis) == chance_of_right(beliefs.current_of(osmosis).mastery)

    def test_a_row_cannot_be_changed_or_deleted(self, classroom) -> None:
        classroom.concept("Osmosis")
        classroom.live(0, W, "Osmosis")
        for statement in ("UPDATE beliefs SET confidence = 1", "UPDATE beliefs SET place = 4", "DELETE FROM beliefs"):
            with pytest.raises(apsw.ConstraintError), classroom.store.atomic() as connection:
                connection.execute(statement)

    def test_since_is_the_start_of_the_unbroken_claim(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        for day, verdict in enumerate([W, R, R, R]):
            classroom.live(day, verdict, "Osmosis")
        held = classroom.beliefs.current_of(osmosis)
        assert held.valid_from.day == date(2026, 3, 5)
        assert classroom.beliefs.since(held).day == date(2026, 3, 4)


class TestTime:
    def test_one_row_for_each_full_45_days_dated_when_due(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        check = classroom.live(0, R, "Osmosis")
        until = classroom.moment(91).at
        assert len(classroom.beliefs.decay(classroom.subject, until, classroom.ids, until)[0].written) == 2
        assert classroom.beliefs.decay(classroom.subject, until, classroom.ids, until) == []
        start, once, twice = classroom.beliefs.history(classroom.subject, osmosis)
        assert once.valid_from.at == check.moment.at + DECAY_DAYS * MICROSECONDS_PER_DAY
        assert once.confidence == pytest.approx(start.confidence * 0.85)
        assert twice.confidence == pytest.approx(start.confidence * 0.85**2)
        assert once.mastery == twice.mastery == start.mastery
        assert (once.reason, once.confirm, once.claim, once.episodes) == (
            Reason.DECAY,
            True,
            Claim.UNDERSTANDS,
            (check.id,),
        )

    def test_a_day_short_of_45_changes_nothing(self, classroom) -> None:
        classroom.concept("Osmosis")
        classroom.live(0, R, "Osmosis")
        almost = classroom.moment(45).at - 1
        assert classroom.beliefs.decay(classroom.subject, almost, classroom.ids, almost) == []

    def test_the_next_check_confirms(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        classroom.live(0, R, "Osmosis")
        classroom.beliefs.decay(classroom.subject, classroom.moment(50).at, classroom.ids, 0)
        classroom.live(60, R, "Osmosis")
        assert not classroom.beliefs.current_of(osmosis).confirm

    def test_a_clock_set_back_takes_no_decay_away(self, classroom) -> None:
        classroom.concept("Osmosis")
        classroom.live(0, R, "Osmosis")
        classroom.beliefs.decay(classroom.subject, classroom.moment(100).at, classroom.ids, 0)
        assert classroom.beliefs.decay(classroom.subject, classroom.moment(-3000).at, classroom.ids, 0) == []

    def test_a_clock_far_ahead_writes_a_bounded_number_of_rows(self, classroom) -> None:
        classroom.concept("Osmosis")
        classroom.live(0, R, "Osmosis")
        (change,) = classroom.beliefs.decay(classroom.subject, classroom.moment(36500).at, classroom.ids, 0)
        assert len(change.written) < 30

    def test_what_was_true_and_what_was_known_are_two_questions(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        beliefs, subject = classroom.beliefs, classroom.subject
        classroom.live(10, R, "Osmosis")
        classroom.check(0, W, "Osmosis")  # arrives by import, much later, with an earlier date
        learned = classroom.moment(30).at
        beliefs.replay(subject, [osmosis], classroom.ids, learned)
        assert [row.claim for row in beliefs.as_of(subject, date(2026, 3, 5))] == [Claim.WEAK]
        assert beliefs.known_as_of(subject, classroom.moment(5).at) == []
        assert [row.claim for row in beliefs.known_as_of(subject, classroom.moment(20).at)] == [Claim.UNDERSTANDS]
        assert [row.claim for row in beliefs.known_as_of(subject, learned)] == [Claim.UNSURE]
        assert [row.claim for row in beliefs.as_of(subject, date(2026, 3, 20))] == [Claim.UNSURE]
        assert beliefs.as_of(subject, date(2026, 3, 1)) == []


class TestReplay:
    def test_an_import_supersedes_only_what_no_longer_follows(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        for day in (0, 1, 5):
            classroom.live(day, R, "Osmosis")
        rows = classroom.beliefs.history(classroom.subject, osmosis)
        late = classroom.check(3, W, "Osmosis", origin=Origin.IMPORTED)
        (change,) = classroom.beliefs.replay(classroom.subject, [osmosis], classroom.ids, 7)
        assert change.before == rows[-1]
        assert [row.reason for row in change.written] == [Reason.IMPORT, Reason.CHECK]
        assert late.id in change.written[0].episodes
        kept = standing(classroom.beliefs.history(classroom.subject, osmosis))
        assert [row.id for row in kept] == [rows[0].id, rows[1].id, *(row.id for row in change.written)]
        assert all(row.known_since == 7 for row in change.written)

    def test_a_check_answered_here_is_the_reason_whatever_was_imported_around_it(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        classroom.live(5, W, "Osmosis")
        for day in (2, 5.2):  # the second is dated later the same day
            classroom.check(day, R, "Osmosis", origin=Origin.IMPORTED)
        classroom.beliefs.replay(classroom.subject, [osmosis], classroom.ids, 7)
        held = standing(classroom.beliefs.history(classroom.subject, osmosis))
        assert [row.reason for row in held] == [Reason.IMPORT, Reason.CHECK, Reason.IMPORT]
        classroom.live(1, W, "Osmosis")
        held = standing(classroom.beliefs.history(classroom.subject, osmosis))
        assert [row.reason for row in held] == [Reason.CHECK, Reason.IMPORT, Reason.CHECK, Reason.IMPORT]

    def test_replaying_again_changes_nothing(self, classroom) -> None:
        classroom.concept("Osmosis")
        for day, verdict in [(5, R), (0, W), (90, P)]:
            classroom.check(day, verdict, "Osmosis")
        assert classroom.beliefs.replay(classroom.subject, None, classroom.ids, 7)
        assert classroom.beliefs.replay(classroom.subject, None, classroom.ids, 8) == []

    def test_a_check_that_is_not_routed_never_becomes_a_belief(self, classroom) -> None:
        classroom.concept("Osmosis")
        classroom.check(0, R)
        classroom.append(Kind.CHECK, 1, meta=Meta(verdict=R, concepts=("osmosis",)))
        assert classroom.beliefs.replay(classroom.subject, None, classroom.ids, 0) == []

    def test_a_contested_verdict_is_taken_back(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        first = classroom.live(0, W, "Osmosis")
        classroom.append(Kind.CONTEST, 1, meta=Meta(about=first.id, verdict=R))
        change = classroom.beliefs.reconsider(first.id, Reason.CONTEST, classroom.ids, 9)
        assert (change.before.claim, change.after.claim) == (Claim.WEAK, Claim.UNDERSTANDS)
        assert change.after.reason is Reason.CONTEST
        assert classroom.beliefs.as_of(classroom.subject, date(2026, 3, 2))[0].claim is Claim.UNDERSTANDS
        assert classroom.beliefs.reconsider(first.id, Reason.CONTEST, classroom.ids, 9) is None
        assert classroom.beliefs.current_of(osmosis) == change.after

    def test_a_check_set_aside_leaves_what_was_held_before_it(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        classroom.live(0, R, "Osmosis")
        second = classroom.live(2, W, "Osmosis")
        classroom.append(Kind.CONTEST, 3, meta=Meta(about=second.id))
        change = classroom.beliefs.reconsider(second.id, Reason.CONTEST, classroom.ids, 9)
        first = classroom.beliefs.history(classroom.subject, osmosis)[0]
        assert said([change.after]) == said([first])
        assert said(classroom.beliefs.as_of(classroom.subject, date(2026, 3, 4))) == said([first])

    def test_the_only_check_set_aside_leaves_nothing(self, classroom) -> None:
        osmosis = classroom.concept("Osmosis")
        only = classroom.live(0, R, "Osmosis")
        classroom.append(Kind.CONTEST, 3, meta=Meta(about=only.id))
        change = classroom.beliefs.reconsider(only.id, Reason.CONTEST, classroom.ids, 9)
        assert change.after.claim is Claim.WITHDRAWN
        assert classroom.beliefs.current_of(osmosis) is None
        assert classroom.beliefs.as_of(classroom.subject, date(2026, 4, 1)) == []

    def test_rederiving_withdraws_and_replays_by_todays_routes(self, classroom) -> None:
        osmosis, mitosis = classroom.concept("Osmosis"), classroom.concept("Mitosis")
        check = classroom.live(0, W, "Osmosis")
        other = classroom.check(1, R)
        head = classroom.ledger.head(classroom.subject)
        classroom.beliefs.rederive(classroom.subject, {check.row: mitosis, other.row: mitosis}, classroom.ids, 77)
        assert classroom.beliefs.current_of(osmosis) is None
        assert classroom.beliefs.current_of(mitosis).claim is Claim.UNSURE
        assert classroom.beliefs.concept_of(check.id) == mitosis
        claims = [row.claim for row in classroom.beliefs.history(classroom.subject, osmosis)]
        assert claims == [Claim.WEAK, Claim.WITHDRAWN]
        assert classroom.ledger.head(classroom.subject) == head

    def test_todays_routes_ask_the_topic_again_but_keep_what_was_named(self, classroom) -> None:
        osmosis, mitosis = classroom.concept("Osmosis"), classroom.concept("Mitosis")
        names = Names([NameRow(osmosis, "Osmosis"), NameRow(mitosis, "Mitosis")])
        utterance = Content("?", topic="ask me the questions", evaluation="Not yet.")
        said = Content("?", topic="ask me the questions", evaluation="Mitosis it is.")
        kept = Meta(verdict=R, concepts=("osmosis",), extra={"routed": True, "named": True})
        old = Meta(verdict=R, concepts=("osmosis",), extra={"routed": True})
        lesson = Meta(verdict=R, concepts=("osmosis",), extra={"routed": True}, plan="grade")
        checks = [
            classroom.append(Kind.CHECK, day, meta=meta, content=content)
            for day, (meta, content) in enumerate(
                [(kept, utterance), (old, utterance), (lesson, utterance), (old, said), (old, utterance)]
            )
        ]
        classroom.ledger.redact(checks[4].id, "gone", classroom.moment(9), 0)
        routes = todays_routes(classroom.ledger, classroom.beliefs, classroom.subject, names, "en")
        rows = [check.row for check in checks]
        assert routes == {rows[0]: osmosis, rows[2]: osmosis, rows[3]: mitosis, rows[4]: osmosis}

    def test_two_concepts_found_to_be_one_put_their_checks_together(self, classroom) -> None:
        osmosis, diffusion = classroom.concept("Osmosis"), classroom.concept("Diffusion of water")
        classroom.live(0, W, "Diffusion of water")
        classroom.live(1, R, "Osmosis")
        classroom.beliefs.merge(classroom.subject, diffusion, osmosis, classroom.ids, 9)
        assert classroom.beliefs.current_of(diffusion) is None
        assert classroom.beliefs.current_of(osmosis).claim is Claim.UNSURE


history = st.lists(
    st.tuples(st.integers(0, 200), st.sampled_from([R, P, W]), st.sampled_from(["Osmosis", "Mitosis"])), max_size=12
)


class TestLaws:
    @settings(max_examples=40, deadline=None)
    @given(history, st.integers(0, 300))
    def test_exactly_one_current_row_a_concept_and_the_same_by_every_road(self, make_classroom, checks, end) -> None:
        with TemporaryDirectory() as folder:
            live, imported = make_classroom(Path(folder) / "a.db"), make_classroom(Path(folder) / "b.db")
            for room in (live, imported):
                room.concept("Osmosis")
                room.concept("Mitosis")
            for day, verdict, name in checks:
                live.live(day, verdict, name)
                live.beliefs.decay(live.subject, live.moment(day).at, live.ids, 0)
            for day, verdict, name in reversed(checks):
                imported.check(day, verdict, name)
            imported.beliefs.replay(imported.subject, None, imported.ids, 0)
            until = max([end, *(day for day, _, _ in checks)])
            for room in (live, imported):
                room.beliefs.decay(room.subject, room.moment(until).at, room.ids, 0)
                assert room.beliefs.replay(room.subject, None, room.ids, 0) == []
            days_are_distinct = len({(day, name) for day, _, name in checks}) == len(checks)
            for name in {name for _, _, name in checks}:
                concept = ConceptId(f"concept-{name.casefold()}")
                for room in (live, imported):
                    rows = room.beliefs.history(room.subject, concept)
                    assert [row.superseded_by for row in rows] == [*(row.id for row in rows[1:]), None]
                    kept = standing(rows)
                    assert [row.valid_from.at for row in kept] == sorted(row.valid_from.at for row in kept)
                if days_are_distinct:
                    assert said(standing(live.beliefs.history(live.subject, concept))) == said(
                        standing(imported.beliefs.history(imported.subject, concept))
                    )
            live.store.close()
            imported.store.close()
