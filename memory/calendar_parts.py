"""Parts of a period: "the first week of September", "mid-March", "the second half of last year". Knows no language.

Weeks belong to the month that holds their Thursday (ISO 8601). The early, middle and late part of a month are its days
1 to 10, 11 to 20 and 21 to the end; of a quarter, a season or a year its thirds; of a week its first three, middle
two and last three days.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from memory.calendar_spans import Groups, Span, month_span, week_of
from memory.calendar_words import Calendar

_LAST = -1
"""The number of a part counted from the end."""
_THURSDAY = 3


def _grain(period: Span) -> str:
    """day, week, month, quarter (a season too), year; empty for any other span."""
    first, last = period
    if first == last:
        return "day"
    if period == week_of(first):
        return "week"
    if first.day != 1:
        return ""
    months = {1: "month", 3: "quarter", 12: "year"}
    return next((name for count, name in months.items() if period == month_span(first.year, first.month, count)), "")


def _third(number: int) -> Callable[[Groups, Calendar, Span], Span | None]:
    def resolve(groups: Groups, words: Calendar, period: Span) -> Span | None:
        first, last = period
        match _grain(period):
            case "week":
                days = ((0, 2), (2, 4), (4, 6))[number]
                return first + timedelta(days=days[0]), first + timedelta(days=days[1])
            case "month":
                start = first + timedelta(days=10 * number)
                return start, last if number == 2 else start + timedelta(days=9)
            case "quarter":
                return month_span(first.year, first.month + number)
            case "year":
                return month_span(first.year, 1 + 4 * number, 4)
        return None

    return resolve


def _half(number: int) -> Callable[[Groups, Calendar, Span], Span | None]:
    def resolve(groups: Groups, words: Calendar, period: Span) -> Span | None:
        first, last = period
        match _grain(period):
            case "month":
                return (first.replace(day=16), last) if number else (first, first.replace(day=15))
            case "year":
                return month_span(first.year, 1 + 6 * number, 6)
        return None

    return resolve


def _counted(groups: Groups, words: Calendar) -> int:
    said = groups.get("ordinal")
    return words.ordinal(said) if said else _LAST


def _nth_day_of_the_week(number: int, weekday: int, period: Span) -> date | None:
    first, last = period
    if number == _LAST:
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    found = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))
    return found if found <= last else None


def _week(groups: Groups, words: Calendar, period: Span) -> Span | None:
    if _grain(period) not in ("month", "quarter", "year"):
        return None
    thursday = _nth_day_of_the_week(_counted(groups, words), _THURSDAY, period)
    return week_of(thursday) if thursday else None


def _weekday(groups: Groups, words: Calendar, period: Span) -> Span | None:
    if _grain(period) not in ("month", "year"):
        return None
    wanted = words.weekdays[str(groups["weekday"])]
    found = _nth_day_of_the_week(_counted(groups, words), wanted, period)
    return (found, found) if found else None


def _quarter(groups: Groups, words: Calendar, period: Span) -> Span | None:
    number = _counted(groups, words)
    if _grain(period) != "year" or not 1 <= number <= 4:
        return None
    return month_span(period[0].year, 3 * number - 2, 3)


def _nth_month(groups: Groups, words: Calendar, period: Span) -> Span | None:
    number = _counted(groups, words)
    if _grain(period) != "year":
        return None
    number = 12 if number == _LAST else number
    return month_span(period[0].year, number) if number <= 12 else None


def _day(groups: Groups, words: Calendar, period: Span) -> Span | None:
    if _grain(period) != "month":
        return None
    found = period[0] + timedelta(days=words.day(str(groups["day"])) - 1)
    return (found, found) if found <= period[1] else None


def _its_week(groups: Groups, words: Calendar, period: Span) -> Span | None:
    return week_of(period[0]) if _grain(period) == "day" else None


def _weekdays(groups: Groups, words: Calendar, period: Span) -> Span | None:
    if _grain(period) != "week":
        return None
    one, other = words.weekdays[str(groups["weekday"])], words.weekdays[str(groups["weekday_more"])]
    return (period[0] + timedelta(days=one), period[0] + timedelta(days=other)) if one <= other else None


PARTS: dict[str, Callable[[Groups, Calendar, Span], Span | None]] = {
    "early": _third(0),
    "middle": _third(1),
    "late": _third(2),
    "first_half": _half(0),
    "second_half": _half(1),
    "week": _week,
    "weekday": _weekday,
    "weekdays": _weekdays,
    "quarter": _quarter,
    "month": _nth_month,
    "day": _day,
    "week_of": _its_week,
}
"""Name of a part to what it means of a whole period; None where the period has no such part."""
