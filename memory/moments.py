"""Moments: when something happened, in UTC and on the student's own calendar.

An episode's local day is fixed when it is written: the instant, plus the offset in force at that place and time.
Changing time zone later moves no episode to another day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MICROSECONDS_PER_DAY = 86_400_000_000
_LEAP_SECOND = re.compile(r"(\d:\d\d:)60(?:\.\d+)?")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant and the local clock that was on the wall.

    ``at`` is microseconds since 1970-01-01 UTC, ``offset`` minutes east of UTC in force then,
    ``zone`` the IANA name where one is known, else an empty string.
    """

    at: int
    offset: int = 0
    zone: str = ""

    @property
    def day(self) -> date:
        """The local calendar day."""
        return self.local.date()

    @property
    def local(self) -> datetime:
        """The local wall clock, with its fixed offset."""
        return (_EPOCH + timedelta(microseconds=self.at)).astimezone(timezone(timedelta(minutes=self.offset)))

    @property
    def iso(self) -> str:
        """ISO 8601 with the offset, as the event log writes it."""
        return self.local.isoformat(timespec="microseconds" if self.at % 1_000_000 else "seconds")

    @classmethod
    def from_datetime(cls, when: datetime, zone: str = "") -> Moment:
        """Raises ValueError for a naive datetime: a moment without an offset is a guess."""
        offset = when.utcoffset()
        if offset is None:
            raise ValueError("a moment needs an offset")
        at = (when - _EPOCH) // timedelta(microseconds=1)
        return cls(at=at, offset=int(offset.total_seconds() // 60), zone=zone)

    @classmethod
    def parse(cls, text: str, zone: str = "") -> Moment:
        """Read ISO 8601. Without an offset, the zone (default UTC) decides. Raises ValueError.

        A leap second (23:59:60) is the last microsecond of its minute, so that it stays in its day. A time that the
        zone's clocks skipped is the one they showed instead. A zone that has another offset then is left out.
        """
        when = datetime.fromisoformat(_LEAP_SECOND.sub(r"\g<1>59.999999", text))
        try:
            place = ZoneInfo(zone) if zone else None
        except (ZoneInfoNotFoundError, ValueError) as error:
            if when.tzinfo is None:
                raise ValueError(f"unknown time zone {zone!r}") from error
            place = None
        if when.tzinfo is None:
            return cls.from_datetime(when.replace(tzinfo=place or UTC).astimezone(UTC).astimezone(place or UTC), zone)
        fits = place is not None and when.astimezone(place).utcoffset() == when.utcoffset()
        return cls.from_datetime(when, zone if fits else "")

    def at_local(self, when: datetime) -> Moment:
        """The same wall: a naive local time read on this moment's zone, else on its fixed offset."""
        if self.zone:
            try:
                return Moment.from_datetime(when.replace(tzinfo=ZoneInfo(self.zone)), self.zone)
            except (ZoneInfoNotFoundError, ValueError):
                pass
        return Moment.from_datetime(when.replace(tzinfo=timezone(timedelta(minutes=self.offset))), self.zone)


@dataclass(frozen=True, slots=True)
class Window:
    """A span of local days, both ends included."""

    first: date
    last: date

    def holds(self, day: date) -> bool:
        """Whether the day lies in the window."""
        return self.first <= day <= self.last


def day_number(day: date) -> int:
    """Days since 1970-01-01: how local days are stored and compared in SQL (``episodes.day``)."""
    return (day - date(1970, 1, 1)).days


def day_from_number(number: int) -> date:
    """The inverse of :func:`day_number`."""
    return date(1970, 1, 1) + timedelta(days=number)
