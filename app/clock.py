"""The clock: the system's, or one that was set for a test or a replay."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memory.moments import Moment

EARLIEST, LATEST = 1900, 9000
"""Years between which a clock may stand: windows around a moment must be dates too."""


class BadTime(ValueError):
    """``--now`` or a time zone that cannot be read."""


class TimeOutOfRange(BadTime):
    """``--now`` is a time, but outside the years in which a clock may stand."""


class Clock:
    """Tells the present moment in the student's zone.

    With ``now`` set the clock stands still at that moment and its own offset decides the local day; otherwise the
    ``zone`` given (an IANA name) or the system's.
    """

    def __init__(self, now: str | None = None, zone: str = "") -> None:
        """Raises BadTime and TimeOutOfRange."""
        self.zone = zone or system_zone()
        self._fixed: Moment | None = None
        try:
            ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError) as error:
            if zone:
                raise BadTime(zone) from error
            self.zone = "UTC"
        if now is not None:
            try:
                when = datetime.fromisoformat(now)
                if not EARLIEST <= when.year <= LATEST:
                    raise TimeOutOfRange(now)
                self._fixed = Moment.from_datetime(when) if when.tzinfo else Moment.parse(now, self.zone)
            except (ValueError, OverflowError) as error:
                raise error if isinstance(error, BadTime) else BadTime(now) from error

    def now(self) -> Moment:
        """The present moment."""
        if self._fixed is not None:
            return self._fixed
        return Moment.from_datetime(datetime.now(ZoneInfo(self.zone)), self.zone)

    def recorded(self) -> int:
        """When something reaches the ledger: the set moment, else the system's, in UTC microseconds."""
        return self.now().at

    @property
    def fixed(self) -> Moment | None:
        """The moment the clock stands still at; None while it runs."""
        return self._fixed

    def set(self, moment: Moment | None) -> None:
        """Stand still at another moment (replays of a student's months); None lets it run."""
        self._fixed = moment


def system_zone() -> str:
    """The IANA name of the system's zone; UTC where it cannot be told."""
    try:
        target = Path("/etc/localtime").resolve()
        if "zoneinfo" in target.parts:
            return "/".join(target.parts[target.parts.index("zoneinfo") + 1 :])
        named = Path("/etc/timezone").read_text("utf-8").strip()
        if named:
            return named
    except OSError:
        pass
    local = datetime.now(UTC).astimezone().tzname() or "UTC"
    return local if "/" in local or local == "UTC" else "UTC"
