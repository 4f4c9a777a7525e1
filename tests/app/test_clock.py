from __future__ import annotations

from datetime import date

import pytest

from app.clock import BadTime, Clock
from app.ids import Ids


def test_a_set_clock_keeps_its_own_offset() -> None:
    now = Clock("2026-03-14T23:30:00-05:00").now()
    assert (now.day, now.offset, now.zone) == (date(2026, 3, 14), -300, "")


def test_a_set_clock_without_an_offset_reads_the_zone() -> None:
    now = Clock("2026-07-14T01:00:00", "Europe/Paris").now()
    assert (now.offset, now.zone) == (120, "Europe/Paris")


def test_z_means_utc() -> None:
    assert Clock("2026-03-14T16:05:00Z").now().offset == 0


@pytest.mark.parametrize(("now", "zone"), [("yesterday", ""), ("2026-13-01T00:00:00Z", ""), (None, "Nowhere/City")])
def test_what_is_no_time_is_refused(now: str | None, zone: str) -> None:
    with pytest.raises(BadTime):
        Clock(now, zone)


def test_ids_are_sorted_and_of_version_seven() -> None:
    ids = Ids()
    made = [ids() for _ in range(5000)]
    assert made == sorted(made)
    assert len(set(made)) == 5000
    assert {identifier[14] for identifier in made} == {"7"}
    assert {identifier[19] for identifier in made} <= set("89ab")
