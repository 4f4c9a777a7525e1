"""The nightly cycle: once a night, in order, resumable anywhere, and the same result by every road."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from datetime import date, timedelta
from pathlib import Path

import pytest

from memory.belief_rules import Reason
from memory.cited_files import CitedFiles
from memory.episodes import ConceptId, Content, Kind, Meta, Origin, State, Verdict
from memory.moments import Moment
from memory.nightly import DAYS_A_NIGHT, Night, NightlyCycle
from memory.review import Review
from memory.self_model import SelfModels
from memory.working_set import WorkingSets

STEPS = 8


class Killed(BaseException):
    """Stands for the end of the process."""


class Bedroom:
    """A classroom at night: its cycle, and what was written outside the database."""

    def __init__(self, room) -> None:
        self.room = room
        self.backups = 0
        self.checkpoints: list[str] = []

    def cycle(self, die_after: int | None = None) -> NightlyCycle:
        """The cycle, or one that dies once that many steps are done."""
        room = self.room
        cycle = NightlyCycle(
            room.store,
            room.ledger,
            room.beliefs,
            CitedFiles(room.store, {"a.pdf": "11", "b.pdf": "99"}.get),
            Review(room.store),
            self._backup,
            self.checkpoints.append,
        )
        if die_after is not None:
            cycle._steps = (*cycle._steps[:die_after], _die, *cycle._steps[die_after:])
        return cycle

    def night(self, day: float, **options) -> Night:
        """The cycle of the night that ends on that day."""
        return self.cycle().run(self.room.subject, self.room.moment(day), self.room.ids, **options)

    def notes(self):
        """The consolidations, oldest first."""
        return self.room.ledger.find(self.room.subject, kinds=[Kind.CONSOLIDATION])

    def _backup(self) -> None:
        self.backups += 1


def _die(run: object) -> None:
    raise Killed


def fill(room) -> None:
    """Twelve days of a student's life, with a file that changed and a concept left alone."""
    for name, centrality, maturity in [("Osmosis", 0.5, 0.35), ("Mitosis", 0.3, 0.6), ("Meiosis", 0.2, 0.85)]:
        room.concept(name, centrality, maturity)
    room.live(0, Verdict.RIGHT, "Meiosis")
    for day in range(50, 62):
        room.append(Kind.QUESTION, day, f"What is osmosis, day {day}?", touches=(ConceptId("concept-osmosis"),))
        room.answer(day + 0.01, "a.pdf", "11")
        room.answer(day + 0.02, "b.pdf", "22")
        check = room.check(
            day + 0.03, [Verdict.WRONG, Verdict.PARTLY, Verdict.RIGHT][day % 3], "Osmosis", predicted=0.4
        )
        room.beliefs.record_check(check, ConceptId("concept-osmosis"), room.ids, check.moment.at)
    room.append(Kind.FILE, 63, "A file arrived", origin=Origin.TUTOR)


def digest(room) -> str:
    """The logical content: everything but ids, salts, hashes and the time of recording."""
    reader = room.store.reader()
    names = {id: f"episode {seq}" for id, seq in reader.execute("SELECT id, seq FROM episodes")}
    names |= {id: f"belief {row}" for id, row in reader.execute("SELECT id, row FROM beliefs")}
    tables = [
        "SELECT seq, kind, origin, at, offset, meta, body FROM episodes JOIN contents ON episode = row ORDER BY seq",
        "SELECT row, id, concept, claim, confidence, mastery, valid_from, reason, confirm, place, superseded_by"
        " FROM beliefs ORDER BY row",
        "SELECT night, step, result, finished_at IS NOT NULL FROM nights ORDER BY night",
        "SELECT day, episode, hex(digest) <> '', seen FROM condensed_days ORDER BY day",
        "SELECT v.file, v.result, v.looked_at, e.seq FROM verified_files v JOIN episodes e ON e.id = v.episode"
        " ORDER BY e.seq, v.file",
        "SELECT body FROM working_sets",
        "SELECT body FROM self_models",
        "SELECT episode, concept, how FROM episode_concepts ORDER BY episode, concept",
    ]
    dump = json.dumps([reader.execute(table).fetchall() for table in tables])
    return re.sub(r"id-\d{6}", lambda found: names.get(found[0], "?"), dump)


def test_a_night_does_all_eight_things(classroom) -> None:
    fill(classroom)
    bedroom = Bedroom(classroom)
    night = bedroom.night(64)
    assert night.ran
    assert (bedroom.backups, bedroom.checkpoints) == (1, [classroom.subject])
    assert (night.consolidated, night.waiting, night.decayed) == (13, 0, 1)
    assert (night.verified["holds"], night.verified["changed"], night.verified["looked"]) == (12, 12, 24)
    assert (night.calibration["n"], night.calibration["calibrated"]) == (12, True)
    working = WorkingSets(classroom.store, classroom.beliefs, Review(classroom.store)).get(classroom.subject)
    assert working.hubs == ("concept-osmosis",)
    assert working.confirm == ("concept-meiosis",)
    assert (working.last_day, working.last_concepts) == ("2026-05-02", ("concept-osmosis",))
    model = SelfModels(classroom.store).get(classroom.subject)
    assert (model.checks, model.unlinked_checks, model.to_confirm) == (13, 0, 1)
    assert "changed_files" in model.limits


def test_a_note_holds_ids_and_counts_and_ends_the_day(classroom) -> None:
    fill(classroom)
    bedroom = Bedroom(classroom)
    bedroom.night(64)
    note = bedroom.notes()[-1]
    assert note.moment.iso == "2026-05-02T23:59:59+00:00"
    assert (note.origin, note.content.text) == (Origin.CYCLE, "2026-05-02")
    assert note.meta.extra["counts"] == {"answer": 2, "check": 1, "question": 1}
    assert note.meta.extra["checks"] == {"partly": 1, "unjudged": 0}
    assert note.meta.concepts == ("osmosis",)
    assert note.meta.extra["changed_files"] == 1
    check = classroom.ledger.get(note.meta.extra["salient"][0])
    assert check.kind is Kind.CHECK
    assert "osmosis, day" not in json.dumps(note.meta.extra)


def test_a_quiet_day_writes_nothing_and_a_note_never_condenses_notes(classroom) -> None:
    classroom.append(Kind.FILE, 0, "A file arrived")
    classroom.answer(1, "a.pdf", "11")
    bedroom = Bedroom(classroom)
    assert bedroom.night(3).consolidated == 0
    assert bedroom.night(4).consolidated == 0
    assert bedroom.notes() == []


def test_running_twice_changes_nothing(classroom) -> None:
    fill(classroom)
    bedroom = Bedroom(classroom)
    bedroom.night(64)
    once = digest(classroom)
    again = bedroom.night(64.2)
    assert (again.ran, again.consolidated, again.decayed) == (False, 0, 0)
    assert again.verified["holds"] == 12
    assert digest(classroom) == once
    bedroom.night(64, force=True)
    assert len(bedroom.notes()) == 13


@pytest.mark.parametrize("step", range(STEPS + 1))
def test_killed_after_any_step_and_run_again_it_ends_the_same(make_classroom, tmp_path: Path, step: int) -> None:
    whole, broken = make_classroom(tmp_path / "whole.db"), make_classroom(tmp_path / "broken.db")
    for room in (whole, broken):
        fill(room)
    Bedroom(whole).night(64)
    bedroom = Bedroom(broken)
    with pytest.raises(Killed):
        bedroom.cycle(die_after=step).run(broken.subject, broken.moment(64), broken.ids)
    assert bedroom.night(64).ran
    assert digest(broken) == digest(whole)
    whole.store.close()
    broken.store.close()


def test_killed_between_two_days_it_goes_on_with_the_next(make_classroom, tmp_path: Path) -> None:
    whole, broken = make_classroom(tmp_path / "whole.db"), make_classroom(tmp_path / "broken.db")
    for room in (whole, broken):
        fill(room)
    Bedroom(whole).night(64)
    bedroom = Bedroom(broken)
    cycle = bedroom.cycle()
    condense, left = cycle._condenser.condense, [5]

    def tired(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        return condense(*arguments)

    cycle._condenser.condense = tired
    with pytest.raises(Killed):
        cycle.run(broken.subject, broken.moment(64), broken.ids)
    assert len(bedroom.notes()) == 5
    bedroom.night(64)
    assert digest(broken) == digest(whole)
    whole.store.close()
    broken.store.close()


def test_missed_nights_are_condensed_day_by_day_oldest_first_and_at_most_sixty(classroom) -> None:
    days = DAYS_A_NIGHT + 15
    for day in range(days):
        classroom.append(Kind.QUESTION, day, f"question {day}")
    bedroom = Bedroom(classroom)
    cycle = bedroom.cycle()
    missed = cycle.missed(classroom.subject, classroom.moment(days))
    assert missed == [date(2026, 3, 2) + timedelta(days=day) for day in range(days)]
    night = bedroom.night(days)
    assert (night.consolidated, night.waiting) == (DAYS_A_NIGHT, 15)
    assert bedroom.notes()[-1].meta.extra["day"] == missed[DAYS_A_NIGHT - 1].isoformat()
    assert cycle.is_due(classroom.subject, classroom.moment(days + 1))
    assert bedroom.night(days + 1).consolidated == 15
    assert not cycle.is_due(classroom.subject, classroom.moment(days + 2))


def test_today_is_not_over(classroom) -> None:
    classroom.append(Kind.QUESTION, 0)
    bedroom = Bedroom(classroom)
    assert bedroom.night(0.2).consolidated == 0
    assert bedroom.night(1).consolidated == 1


def test_a_condensed_day_that_gains_episodes_gets_a_new_note(classroom) -> None:
    classroom.append(Kind.QUESTION, 0)
    bedroom = Bedroom(classroom)
    bedroom.night(1)
    classroom.append(Kind.QUESTION, 0.1, "arrived by import")
    bedroom.night(2)
    old, new = bedroom.notes()
    assert new.meta.replaces == old.id
    assert new.meta.extra["counts"] == {"question": 2}
    recallable = classroom.store.reader().execute("SELECT recallable FROM episode_facts WHERE episode = ?", (old.row,))
    assert recallable.get == 0


def test_answers_that_were_stopped_or_replaced_are_not_counted(classroom) -> None:
    classroom.append(Kind.QUESTION, 0)
    first = classroom.append(Kind.ANSWER, 0.1)
    classroom.append(Kind.ANSWER, 0.2, "better", meta=Meta(replaces=first.id))
    classroom.append(Kind.ANSWER, 0.3, "stop", meta=Meta(state=State.STOPPED))
    bedroom = Bedroom(classroom)
    bedroom.night(1)
    assert bedroom.notes()[0].meta.extra["counts"] == {"answer": 1, "question": 1}


def test_narrations_redacted_words_and_repetitions_are_no_titles(classroom) -> None:
    for _ in range(3):
        classroom.append(Kind.QUESTION, 0, "What is a cell?")
    classroom.append(Kind.ANSWER, 0.1, "In July we saw cells.", meta=Meta(narration=True))
    secret = classroom.append(Kind.TAUGHT, 0.2, "my secret")
    classroom.ledger.redact(secret.id, "gone", classroom.moment(0.3), 0)
    bedroom = Bedroom(classroom)
    bedroom.night(1)
    (note,) = bedroom.notes()
    assert len(note.meta.extra["salient"]) == 1
    assert note.meta.extra["counts"] == {"answer": 1, "question": 3, "taught": 1}


def test_the_local_day_is_the_one_of_the_episode(classroom) -> None:
    classroom.append(Kind.QUESTION, 0, "in Auckland", offset=13 * 60)  # Tuesday 3 March there, Monday in Paris
    bedroom = Bedroom(classroom)
    bedroom.night(3)
    (note,) = bedroom.notes()
    assert note.meta.extra["day"] == "2026-03-03"
    assert note.moment.iso == "2026-03-03T23:59:59+13:00"


def test_decay_is_dated_when_it_was_due_however_late_the_night(classroom) -> None:
    classroom.concept("Osmosis")
    classroom.live(0, Verdict.RIGHT, "Osmosis")
    Bedroom(classroom).night(200)
    rows = classroom.beliefs.history(classroom.subject)
    assert [row.reason for row in rows] == [Reason.CHECK] + [Reason.DECAY] * 4
    assert [row.valid_from.day for row in rows[1:]] == [date(2026, 3, 2) + timedelta(days=45 * n) for n in (1, 2, 3, 4)]


def test_a_subject_where_nothing_happens_asks_for_nothing(classroom) -> None:
    cycle = Bedroom(classroom).cycle()
    assert not cycle.is_due(classroom.subject, classroom.moment(5))
    assert cycle.missed(classroom.subject, classroom.moment(5)) == []


def test_the_night_of_an_empty_subject_is_a_night(classroom) -> None:
    night = Bedroom(classroom).night(5)
    assert (night.ran, night.consolidated, night.decayed, night.calibration["n"]) == (True, 0, 0, 0)


@pytest.mark.slow
def test_ten_thousand_episodes_take_two_seconds_at_most(classroom) -> None:
    dice = random.Random(7)
    names = [f"Concept {number}" for number in range(60)]
    for name in names:
        classroom.concept(name, dice.random())
    with classroom.store.atomic():
        for number in range(10_000):
            name, day = dice.choice(names), number * 180 / 10_000
            if number % 3 == 0:
                classroom.append(
                    Kind.QUESTION, day, f"question {number % 997}", touches=(f"concept-{name.casefold()}",)
                )
            elif number % 3 == 1:
                classroom.answer(day, "a.pdf", "11")
            else:
                classroom.check(day, dice.choice(list(Verdict)), name, predicted=dice.random())
    classroom.beliefs.replay(classroom.subject, None, classroom.ids, 0)
    bedroom = Bedroom(classroom)
    start = time.perf_counter()
    night = bedroom.night(182)
    assert night.consolidated == DAYS_A_NIGHT
    assert time.perf_counter() - start <= 2.0


@pytest.mark.parametrize("seed", range(40))
def test_whatever_the_clock_does_no_night_is_doubled_and_no_day_is_lost(classroom, seed: int) -> None:
    dice = random.Random(seed)
    bedroom = Bedroom(classroom)
    classroom.concept("Osmosis")
    day, days, nights = 0.0, set(), set()
    for _ in range(25):
        day += dice.choice([0.2, 0.5, 1, 1, 3, 50, -1, -0.3, 4000, -4000])
        offset = dice.choice([0, 60, -600, 840])
        if dice.random() < 0.6:
            episode = classroom.append(Kind.QUESTION, day, f"at {day}", offset=offset, content=Content(f"{day}"))
            days.add(episode.moment.day)
        now = Moment(classroom.moment(day).at, offset)
        cycle = bedroom.cycle()
        if cycle.is_due(classroom.subject, now):
            night = cycle.run(classroom.subject, now, classroom.ids)
            assert night.ran
            assert night.day not in nights
            nights.add(night.day)
            assert not cycle.is_due(classroom.subject, now)
    last = Moment(classroom.moment(90000).at)
    bedroom.cycle().run(classroom.subject, last, classroom.ids)
    assert bedroom.cycle().missed(classroom.subject, last) == []
    live = {note.meta.extra["day"] for note in bedroom.notes()}
    assert live == {each.isoformat() for each in days}


_CHILD = """
import importlib.util, os, sys
from pathlib import Path

def load(name):
    spec = importlib.util.spec_from_file_location(name, Path(sys.argv[1]) / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

room = load("conftest").Classroom(Path(sys.argv[2]))
night = load("test_nightly")
if sys.argv[3] == "fill":
    night.fill(room)
bedroom = night.Bedroom(room)
cycle = bedroom.cycle()

def told(step):
    def work(run):
        step(run)
        print("done", flush=True)
        if sys.argv[3] != "run":
            sys.stdin.readline()
    return work

cycle._steps = tuple(told(step) for step in cycle._steps)
cycle.run(room.subject, room.moment(64), lambda: f"id-{next(room._numbers) + 500 * int(sys.argv[4]):06d}")
print(night.digest(room))
room.store.close()
"""


def _child(path: Path, mode: str, run: int, **environment: str) -> subprocess.Popen[str]:
    """The cycle in a process of its own: ``fill`` stops after each step for a line on its input, ``run`` does not."""
    return subprocess.Popen(
        [sys.executable, "-c", _CHILD, str(Path(__file__).parent), str(path), mode, str(run)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
    )


@pytest.mark.slow
def test_the_same_night_under_another_hash_seed_time_zone_and_locale(tmp_path: Path) -> None:
    digests = set()
    for number, (seed, zone, locale) in enumerate(
        [("0", "UTC", "C"), ("1", "Asia/Tokyo", "C.UTF-8"), ("42", "America/St_Johns", "fr_FR.UTF-8")]
    ):
        child = _child(tmp_path / f"{number}.db", "fill", 0, PYTHONHASHSEED=seed, TZ=zone, LANG=locale)
        said, _ = child.communicate("\n" * STEPS)
        digests.add(said.splitlines()[-1])
    assert len(digests) == 1
    assert next(iter(digests)).startswith("[")


@pytest.mark.slow
@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_killed_by_the_system_after_a_step_it_ends_the_same(tmp_path: Path, make_classroom, step: int) -> None:
    whole = make_classroom(tmp_path / "whole.db")
    fill(whole)
    Bedroom(whole).night(64)
    child = _child(tmp_path / "broken.db", "fill", 0)
    for _ in range(step - 1):
        assert child.stdout.readline() == "done\n"
        child.stdin.write("\n")
        child.stdin.flush()
    assert child.stdout.readline() == "done\n"
    child.kill()
    child.communicate()
    said, _ = _child(tmp_path / "broken.db", "run", 1).communicate()
    assert said.splitlines()[-1] == digest(whole)
    whole.store.close()
