"""The schedule: nights that were missed are made up for at launch, subject by subject."""

from __future__ import annotations

from app.wiring import House
from memory.nightly import Night
from memory.subjects import Subject


def run_missed_nights(house: House) -> list[Night]:
    """Run the cycle of every subject whose night was missed; what each did."""
    return [run_night(house, subject) for subject in house.memory.subjects.all() if _is_due(house, subject)]


def run_night(house: House, subject: Subject, *, force: bool = False) -> Night:
    """Run one subject's cycle for the current local night."""
    return house.memory.nights.run(subject.id, house.clock.now(), house.ids, force=force)


def _is_due(house: House, subject: Subject) -> bool:
    return house.memory.nights.is_due(subject.id, house.clock.now())
