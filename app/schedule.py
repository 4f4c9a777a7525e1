"""The schedule: nights that were missed are made up for at launch, and the night's hour in an open window."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol

from app.clock import Clock
from app.ids import Ids
from memory.memory import Memory
from memory.moments import Moment
from memory.nightly import Night
from memory.subjects import Subject


class Sleeper(Protocol):
    """The parts of a house that a night needs."""

    @property
    def memory(self) -> Memory: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def ids(self) -> Ids: ...


def run_missed_nights(house: Sleeper) -> list[Night]:
    """Run the cycle of every subject whose night was missed; what each did."""
    return [run_night(house, subject) for subject in house.memory.subjects.all() if _is_due(house, subject)]


def run_night(house: Sleeper, subject: Subject, *, force: bool = False) -> Night:
    """Run one subject's cycle for the current local night."""
    return house.memory.nights.run(subject.id, house.clock.now(), house.ids, force=force)


def night_has_come(since: Moment, now: Moment, hour: int) -> bool:
    """Whether the local hour of the nightly cycle (0 to 23) has struck after one moment and not after another."""
    struck = now.local.replace(hour=hour, minute=0, second=0, microsecond=0)
    if struck > now.local:
        struck -= timedelta(days=1)
    return since.local < struck


def _is_due(house: Sleeper, subject: Subject) -> bool:
    return house.memory.nights.is_due(subject.id, house.clock.now())
