"""Whatever the clock does: order by sequence, days as they were written, windows that tell the right episodes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.clock import Clock
from app.folders import Folders
from app.schedule import run_missed_nights, run_night
from app.wiring import House, open_house
from memory.episodes import Episode, Kind
from memory.moments import Moment, Window
from memory.verification import Verification

ZONES = ("Europe/Paris", "America/New_York", "Asia/Kolkata", "Pacific/Apia")


class Student:
    """One student's house, opened anew for every session, in whatever zone the computer is."""

    def __init__(self, data: Path) -> None:
        self._folders = Folders(data, data / "models")

    @contextmanager
    def session(self, now: str, zone: str = "") -> Iterator[House]:
        """The program at one moment: ISO 8601, on the clocks of ``zone`` where it has no offset."""
        house = open_house(self._folders, Clock(now, zone))
        try:
            yield house
        finally:
            house.close()
        assert self.green(), "verify"

    def write(self, now: str, text: str, zone: str = "") -> Episode:
        with self.session(now, zone) as house:
            return note(house, text)

    def told(self, now: str, question: str, zone: str = "") -> list[str]:
        """The texts that a question brings up, in order of time."""
        with self.session(now, zone) as house:
            subject = house.subject(None)
            reading = house.reads.understand(subject.id, question, house.clock.now())
            assert reading.understanding.window is not None, question
            found = house.reads.recall(subject.id, question, reading, house.clock.now())
            episodes = sorted((memory.episode for memory in found.memories), key=lambda each: each.moment.at)
            return [episode.content.text for episode in episodes if episode.content]

    def green(self) -> bool:
        house = open_house(self._folders, Clock("2026-01-01T00:00:00Z"))
        try:
            verification = Verification(house.memory.store)
            chains, noted = verification.chains(), verification.checkpoints(house.memory.checkpoints.all())
            return (
                all(state.ok for state in chains)
                and all(state.result == "holds" for state in noted)
                and verification.database() == []
            )
        finally:
            house.close()


def note(house: House, text: str) -> Episode:
    subject = house.subject(None)
    return house.record.question(subject.id, text, "en", house.reads.names(subject.id))


@pytest.fixture
def student(no_models: None, tmp_path: Path) -> Student:
    data = tmp_path / "student"
    data.mkdir()
    return Student(data)


def test_a_clock_set_back_or_far_ahead_changes_no_order(student: Student) -> None:
    moments = ("2026-11-05T18:00:00", "2026-11-01T09:00:00", "2199-01-01T00:00:00", "2016-02-29T12:00:00")
    for number, moment in enumerate(moments):
        student.write(f"{moment}+01:00", f"What is enzyme number {number}?")
    with student.session("2026-11-06T10:00:00+01:00") as house:
        episodes = house.memory.ledger.find(house.subject(None).id)
        by_sequence = sorted(episodes, key=lambda each: each.seq)
        assert [each.seq for each in by_sequence] == [1, 2, 3, 4]
        assert [each.moment.day.year for each in by_sequence] == [2026, 2026, 2199, 2016]
    assert student.told("2026-11-06T10:00:00+01:00", "What did I ask yesterday?") == ["What is enzyme number 0?"]
    assert student.told("2199-01-02T10:00:00+01:00", "What did I ask yesterday?") == ["What is enzyme number 2?"]


@pytest.mark.parametrize(
    ("zone", "day", "half_hours"),
    [
        ("Europe/Paris", date(2026, 3, 29), 46),
        ("Europe/Paris", date(2026, 10, 25), 50),
        ("America/New_York", date(2026, 3, 8), 46),
        ("America/New_York", date(2026, 11, 1), 50),
        ("Asia/Kolkata", date(2026, 3, 29), 48),
        ("Pacific/Apia", date(2011, 12, 29), 48),
        ("Pacific/Apia", date(2011, 12, 30), 0),
        ("Pacific/Apia", date(2011, 12, 31), 48),
    ],
)
def test_a_day_is_as_long_as_the_clocks_of_the_place_made_it(
    student: Student, zone: str, day: date, half_hours: int
) -> None:
    place = ZoneInfo(zone)
    start = datetime.combine(day, datetime.min.time(), UTC) - timedelta(hours=30)
    with student.session(start.isoformat()) as house:
        subject = house.subject(None)
        for step in range(2 * 72):
            when = (start + timedelta(minutes=30 * step)).astimezone(place)
            house.clock.set(Moment.from_datetime(when, zone))
            written = note(house, f"Half hour {step}")
            assert written.moment.day == when.date()
        kept = house.memory.ledger.find(subject.id, window=Window(day, day))
        assert len(kept) == half_hours
        assert [each.seq for each in kept] == sorted(each.seq for each in kept)
        house.clock.set(Moment.from_datetime((start + timedelta(days=4)).astimezone(place), zone))
        for _ in range(3):
            run_missed_nights(house)
        noted = Counter(each.moment.day for each in house.memory.ledger.find(subject.id, kinds=[Kind.CONSOLIDATION]))
        assert noted[day] == (half_hours > 0), "one note for a day that there was, none for one that was skipped"
        assert max(noted.values()) == 1


@pytest.mark.parametrize("zone", ZONES)
def test_windows_tell_the_episodes_of_the_students_own_days(student: Student, zone: str) -> None:
    for moment in ("2026-09-30T23:30", "2026-10-01T00:30", "2026-10-25T02:30", "2026-10-31T23:30", "2026-11-01T00:30"):
        student.write(moment, f"What is osmosis on {moment}?", zone)
    asked = {
        ("2026-11-20T10:00", "What did I ask in October?"): [
            "2026-10-01T00:30",
            "2026-10-25T02:30",
            "2026-10-31T23:30",
        ],
        ("2026-10-01T00:45", "What did I ask yesterday?"): ["2026-09-30T23:30"],
        ("2026-11-01T23:59", "What did I ask yesterday?"): ["2026-10-31T23:30"],
        ("2026-10-26T00:01", "What did I ask yesterday?"): ["2026-10-25T02:30"],
        ("2026-11-02T10:00", "What did I ask in November?"): ["2026-11-01T00:30"],
    }
    for (now, question), moments in asked.items():
        assert student.told(now, question, zone) == [f"What is osmosis on {moment}?" for moment in moments], now


def test_an_episode_stays_on_the_day_where_it_was_written_when_the_student_travels(student: Student) -> None:
    in_kolkata = student.write("2026-11-05T00:30", "What is a monsoon?", "Asia/Kolkata")
    in_apia = student.write(
        "2026-11-05T11:00", "What is a reef?", "Pacific/Apia"
    )  # half past two in the morning in Kolkata
    in_new_york = student.write("2026-11-04T23:30", "What is a glacier?", "America/New_York")
    assert in_apia.moment.at > in_kolkata.moment.at
    assert [each.moment.day.day for each in (in_kolkata, in_apia, in_new_york)] == [5, 5, 4]
    for zone in ZONES:
        told = student.told("2026-11-06T12:00", "What did I ask yesterday?", zone)
        assert told == ["What is a monsoon?", "What is a reef?"], zone
        assert student.told("2026-11-05T12:00", "What did I ask yesterday?", zone) == ["What is a glacier?"], zone


def test_the_night_is_neither_lost_nor_doubled_for_a_student_who_travels(student: Student) -> None:
    student.write("2026-11-05T20:00", "What is a monsoon?", "Asia/Kolkata")
    ran = []
    for moment, zone in (
        ("2026-11-06T08:00", "Asia/Kolkata"),
        ("2026-11-05T23:00", "America/New_York"),  # later, and yet the day before
        ("2026-11-06T07:00", "America/New_York"),
        ("2026-11-07T09:00", "Pacific/Apia"),
    ):
        with student.session(moment, zone) as house:
            ran.append([night.consolidated for night in run_missed_nights(house)])
    assert ran == [[1], [], [], []]


def test_the_29th_of_february_is_a_day_like_another(student: Student) -> None:
    student.write("2028-02-28T23:59:59+01:00", "What is a leap?")
    student.write("2028-02-29T23:59:59+01:00", "What is a leap year?")
    student.write("2028-03-01T00:00:00+01:00", "What is March?")
    leap = ["What is a leap year?"]
    assert student.told("2028-03-01T12:00:00+01:00", "What did I ask yesterday?") == leap
    assert student.told("2029-02-28T12:00:00+01:00", "What did I ask on 29 February?") == leap
    assert student.told("2029-03-01T12:00:00+01:00", "What did I ask on February 29, 2028?") == leap
    assert student.told("2028-03-20T12:00:00+01:00", "What did I ask in February?") == ["What is a leap?", *leap]


def test_the_year_ends_at_midnight_where_the_student_is(student: Student) -> None:
    student.write("2026-12-31T23:59:59.999999", "What is the old year?", "Pacific/Apia")
    student.write("2027-01-01T00:00:00", "What is the new year?", "Pacific/Apia")
    assert student.told("2027-01-02T09:00", "What did I ask last year?", "America/New_York") == [
        "What is the old year?"
    ]
    assert student.told("2027-01-02T09:00", "What did I ask in December?", "Asia/Kolkata") == ["What is the old year?"]
    assert student.told("2027-01-02T09:00", "What did I ask in January?", "Europe/Paris") == ["What is the new year?"]
    assert student.told("2027-01-02T09:00", "What did I ask this year?", "Europe/Paris") == ["What is the new year?"]


def test_a_leap_second_is_the_end_of_its_minute() -> None:
    second = Moment.parse("2016-12-31T23:59:60Z")
    assert second.day == date(2016, 12, 31)
    assert Moment.parse("2016-12-31T23:59:59Z").at < second.at < Moment.parse("2017-01-01T00:00:00Z").at
    assert Moment.parse("2017-01-01T05:29:60.5+05:30").day == date(2017, 1, 1)
    with pytest.raises(ValueError, match="second"):
        Moment.parse("2016-12-31T23:59:61Z")


def test_a_time_that_the_clocks_skipped_is_the_one_they_showed_instead() -> None:
    assert Moment.parse("2026-03-29T02:30:00", "Europe/Paris").iso == "2026-03-29T03:30:00+02:00"
    assert Moment.parse("2011-12-30T12:00:00", "Pacific/Apia").iso == "2011-12-31T12:00:00+14:00"
    assert Moment.parse("2026-10-25T02:30:00", "Europe/Paris").iso == "2026-10-25T02:30:00+02:00"


def test_a_zone_that_has_another_offset_is_not_kept() -> None:
    assert Moment.parse("2026-10-05T10:00:00+05:30", "Europe/Paris").zone == ""
    assert Moment.parse("2026-10-05T10:00:00+02:00", "Europe/Paris").zone == "Europe/Paris"
    assert Moment.parse("2026-12-05T10:00:00+02:00", "Europe/Paris").zone == ""
    assert Moment.parse("2026-12-05T10:00:00+02:00", "Nowhere/City").zone == ""


def test_odd_times_are_imported_to_their_own_days(
    cli: Callable[..., Any], event: Callable[..., str], tmp_path: Path
) -> None:
    odd = {
        "2016-12-31T23:59:60Z": "2016-12-31",
        "2028-02-29T23:59:59.999999-05:00": "2028-02-29",
        "2026-10-25T02:30:00+01:00": "2026-10-25",
        "8999-12-31T23:59:59+14:00": "8999-12-31",
        "1970-01-01T00:00:00-05:00": "1970-01-01",
        "1969-12-31T23:59:59+05:30": "1969-12-31",
    }
    log = tmp_path / "odd.jsonl"
    checks = {"verdict": "right", "concept": "Osmosis", "reply": "water"}
    lines = [event("check", f"What moves, {number}?", at, **checks) for number, at in enumerate(odd)]
    log.write_text("\n".join(lines), "utf-8")
    assert cli("import", log).document["imported"] == len(odd)
    out = tmp_path / "out.jsonl"
    assert cli("export", out).code == 0
    written = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [line["at"][:10] for line in written if "kind" in line] == list(odd.values())
    for command in (
        ("nightly", "--force"),
        ("report",),
        ("review",),
        ("beliefs", "--history"),
        ("history",),
        ("verify",),
    ):
        for now in ("2026-11-05T18:00:00+01:00", "8999-12-31T23:00:00+14:00", "1990-02-28T00:00:00-10:00"):
            assert cli(*command, now=now).code == 0, (command, now)


def test_a_night_far_ahead_hinders_no_night_of_today(student: Student) -> None:
    student.write("2026-11-04T18:00:00+01:00", "What is osmosis?")
    with student.session("2120-01-01T08:00:00+01:00") as house:
        assert run_night(house, house.subject(None)).consolidated == 1
    student.write("2026-11-05T18:00:00+01:00", "What is diffusion?")
    with student.session("2026-11-06T08:00:00+01:00") as house:
        assert [night.consolidated for night in run_missed_nights(house)] == [1]
        assert run_missed_nights(house) == []
        taken = [path.name[7:11] for path in house.memory.backups.all()]
        assert taken == ["2120", "2026"]


def test_backups_of_a_clock_that_ran_ahead_do_not_push_out_those_of_today(student: Student) -> None:
    with student.session("2026-11-06T08:00:00+01:00") as house:
        backups = house.memory.backups
        backups.folder.mkdir()
        for number in range(60):
            (backups.folder / f"memory-2120{1 + number // 28:02d}{1 + number % 28:02d}-080000.db").touch()
        made = [backups.make(Moment.parse(f"2026-11-06T{hour:02d}:00:00+01:00")).path for hour in (8, 9, 10)]
        assert set(made) <= set(backups.all())
