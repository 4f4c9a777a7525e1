"""Backups rotate by the calendar, also when the clock is set back; a damaged one is noticed; undo follows order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.backup import Backups, back_up, inspect, superfluous
from memory.episodes import Kind
from memory.faults import StoreFault
from memory.moments import Moment
from memory.store import Store
from memory.swapping import Swap
from memory.verification import Verification

BEGIN = datetime(2026, 8, 3, 0, 30, tzinfo=UTC)


def kept_after(hours: list[int]) -> list[datetime]:
    """What is left in the folder when a backup was made at each of these hours, one after the other; newest first."""
    folder: set[Path] = set()
    for hour in hours:
        folder.add(Path((BEGIN + timedelta(hours=hour)).strftime("memory-%Y%m%d-%H%M%S.db")))
        folder -= set(superfluous(folder))
    return sorted((datetime.strptime(path.name, "memory-%Y%m%d-%H%M%S.db") for path in folder), reverse=True)


def test_ninety_days_of_hours_leave_twelve_hours_seven_days_and_four_weeks() -> None:
    kept = kept_after(list(range(90 * 24)))
    assert [(kept[0] - each).total_seconds() / 3600 for each in kept[:12]] == list(range(12))
    days = sorted({each.date() for each in kept}, reverse=True)
    assert [(days[0] - day).days for day in days[:7]] == list(range(7))
    weeks = sorted({each.isocalendar()[:2] for each in kept}, reverse=True)
    assert len(weeks) == 4
    assert len(kept) <= 12 + 7 + 4
    newest_of_their_days = {each for each in kept if each.hour == 23}
    assert len(newest_of_their_days) >= 6, "of a day the last one is kept"


@given(st.lists(st.integers(0, 3000), min_size=1, max_size=80, unique=True))
def test_whenever_backups_are_made_the_newest_stays_and_there_are_never_more_than_rotation_keeps(
    hours: list[int],
) -> None:
    kept = kept_after(sorted(hours))
    assert kept[0] == (BEGIN + timedelta(hours=max(hours))).replace(tzinfo=None)
    assert len(kept) <= 23
    assert len(kept) >= min(len(hours), 12)


def test_a_clock_set_back_lets_no_new_backup_go(store: Store, subject: Any, tmp_path: Path) -> None:
    backups = Backups(store, tmp_path / "backups")
    for hour in range(14):
        backups.make(Moment.parse(f"2031-01-01T{hour:02d}:00:00+01:00"))
    made = [backups.make(Moment.parse(f"2026-10-01T{hour:02d}:00:00+02:00")).path for hour in range(10, 13)]
    assert all(path.exists() for path in made)
    for path in backups.all()[:3]:
        assert all(state.ok for state in inspect(path))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_damaged_backup_is_noticed(
    store: Store, subject: Any, ledger: Any, draft: Any, tmp_path: Path, share: float
) -> None:
    for number in range(300):
        ledger.append(draft(f"question {number} about the membrane of a cell", kind=Kind.QUESTION))
    made = back_up(store, tmp_path / "copy.db")
    raw = bytearray(made.path.read_bytes())
    place = int(len(raw) * share)
    raw[place : place + 6000] = bytes(6000)
    made.path.write_bytes(raw)
    with pytest.raises(StoreFault):
        inspect(made.path)


def test_replacements_are_undone_in_their_order_also_when_the_clock_went_back(
    store: Store, subject: Any, ledger: Any, draft: Any, tmp_path: Path
) -> None:
    back_up(store, tmp_path / "empty.db")
    swap = Swap(tmp_path / "used.db", tmp_path / "backups", tmp_path / "checkpoints.log")

    def episodes() -> int:
        used = Store(tmp_path / "used.db", room=0)
        try:
            return sum(state.episodes for state in Verification(used).chains())
        finally:
            used.close()

    days = ["2026-10-05T10:00:00", "2026-10-03T10:00:00", "2026-10-03T10:00:00", "2026-09-01T10:00:00"]
    for number, day in enumerate(days):
        back_up(store, tmp_path / f"{number}.db")
        swap.replace(tmp_path / f"{number}.db", datetime.fromisoformat(day).astimezone(UTC))
        ledger.append(draft(f"question {number}"))
    for expected in (2, 1, 0):
        swap.undo(datetime.fromisoformat("2026-01-01T10:00:00").astimezone(UTC))
        assert episodes() == expected
