"""Spans of days: what each form of date means on a given day. Pure calendar arithmetic; knows no language.

Each resolver takes the named groups of a form, the language's calendar and today, and gives the first and the last
day, or None for a date that does not exist.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta

from memory.calendar_words import Calendar

OLDEST_YEARS = 12
"""A year further back than a student's own record can reach is history, not a window."""
_MONTHS_IN = {"month": 1, "quarter": 3, "year": 12}
_SPELLED_ALONE = 12  # "the second" is rarely a day
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}  # first month; three months each

Span = tuple[date, date]
Groups = dict[str, str | None]


def years_before(day: date, years: int) -> date:
    """The same day of an earlier year (28 February for the 29th)."""
    return date(day.year - years, day.month, min(day.day, monthrange(day.year - years, day.month)[1]))


def _months_before(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 - months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def month_span(year: int, month: int, months: int = 1) -> Span:
    """The first and the last day of so many whole months."""
    index = year * 12 + month - 1 + months - 1
    last_year, last_month = divmod(index, 12)
    return date(year, month, 1), date(last_year, last_month + 1, monthrange(last_year, last_month + 1)[1])


def week_of(day: date) -> Span:
    """The week of a day, Monday to Sunday."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


def _quarter(day: date) -> Span:
    return month_span(day.year, day.month - (day.month - 1) % 3, 3)


def _season_span(name: str, year: int) -> Span:
    return month_span(year, _SEASONS[name], 3)


def _weekend(day: date) -> Span:
    """The latest weekend whose Saturday is on or before the day."""
    saturday = day - timedelta(days=(day.weekday() - 5) % 7)
    return saturday, saturday + timedelta(days=1)


def _named_month(groups: Groups, words: Calendar) -> int:
    return words.dated_months[str(groups["month"])]


def _single(day: date) -> Span:
    return day, day


def _ago(groups: Groups, words: Calendar, today: date) -> Span | None:
    count, unit = words.number(str(groups["n"])), words.unit(str(groups["unit"]))
    if count > 400 and unit != "day":
        return None
    if unit == "day":
        return _single(today - timedelta(days=count))
    if unit in ("week", "fortnight"):
        return week_of(today - timedelta(weeks=count * (2 if unit == "fortnight" else 1)))
    if unit == "weekend":
        return _weekend(week_of(today)[0] - timedelta(weeks=count - 1))
    if unit == "year":
        return month_span(today.year - count, 1, 12) if count <= OLDEST_YEARS else None
    then = _months_before(today, count * (3 if unit == "quarter" else 1))
    return _quarter(then) if unit == "quarter" else month_span(then.year, then.month)


def _last_n(groups: Groups, words: Calendar, today: date) -> Span | None:
    count, unit = words.number(str(groups["n"])), words.unit(str(groups["unit"]))
    if unit == "day":
        return today - timedelta(days=count), today
    if unit in ("week", "fortnight"):
        return today - timedelta(weeks=count * (2 if unit == "fortnight" else 1)), today
    if unit == "weekend":
        return _weekend(week_of(today)[0] - timedelta(weeks=count - 1))[0], _weekend(week_of(today)[0])[1]
    months = count * _MONTHS_IN[unit]
    return (_months_before(today, months), today) if months <= 12 * OLDEST_YEARS else None


def _last(groups: Groups, words: Calendar, today: date) -> Span:
    unit = words.unit(str(groups["unit"]))
    if unit == "day":
        return _single(today - timedelta(days=1))
    if unit == "week":
        return week_of(today - timedelta(weeks=1))
    if unit == "fortnight":
        return today - timedelta(weeks=2), today
    if unit == "weekend":
        return _weekend(week_of(today)[0])
    if unit == "quarter":
        return _quarter(_months_before(today, 3))
    if unit == "year":
        return month_span(today.year - 1, 1, 12)
    then = _months_before(today, 1)
    return month_span(then.year, then.month)


def this(unit: str, today: date) -> Span:
    """The whole day, week, month … that a day is in."""
    if unit == "day":
        return _single(today)
    if unit in ("week", "fortnight"):
        return week_of(today)
    if unit == "weekend":
        return _weekend(today)
    if unit == "quarter":
        return _quarter(today)
    if unit == "year":
        return month_span(today.year, 1, 12)
    return month_span(today.year, today.month)


def earlier(unit: str, today: date) -> Span:
    """The whole day, week, month … before the one that a day is in."""
    return this(unit, this(unit, today)[0] - timedelta(days=1))


def _ago_sum(groups: Groups, words: Calendar, today: date) -> Span | None:
    """ "A month and 21 days ago": one day."""
    day = today
    for number, unit in (("n", "unit"), ("n_more", "unit_more")):
        count, of = words.number(str(groups[number])), words.unit(str(groups[unit]))
        if of in ("day", "week", "fortnight"):
            day -= timedelta(days=count * {"day": 1, "week": 7, "fortnight": 14}[of])
        elif of in _MONTHS_IN and count * _MONTHS_IN[of] <= 12 * OLDEST_YEARS:
            day = _months_before(day, count * _MONTHS_IN[of])
        else:
            return None
    return _single(day)


def _weekday(groups: Groups, words: Calendar, today: date) -> Span:
    wanted = words.weekdays[str(groups["weekday"])]
    return _single(today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1))


def _weekday_ago(groups: Groups, words: Calendar, today: date) -> Span | None:
    count = words.number(str(groups["n"]))
    latest = _weekday(groups, words, today)[0]
    return _single(latest - timedelta(weeks=count - 1)) if 1 <= count <= 60 else None


def _weekday_day(groups: Groups, words: Calendar, today: date) -> Span | None:
    """ "Friday the 22nd": the latest day that is both."""
    said, weekday = groups.get("day"), words.weekdays[str(groups["weekday"])]
    day = words.day(said) if said else words.number(str(groups["n"]))
    found = (_dated(*month, day) for month in _months_back(today, 12))
    return next((_single(each) for each in found if each and each <= today and each.weekday() == weekday), None)


def _months_back(today: date, count: int) -> list[tuple[int, int]]:
    months = [today.year * 12 + today.month - 1 - back for back in range(count + 1)]
    return [(index // 12, index % 12 + 1) for index in months]


def _day_alone(groups: Groups, words: Calendar, today: date) -> Span | None:
    """ "The 22nd": of this month, or of the latest month whose 22nd has come. A small number must be in digits."""
    said = str(groups["day"])
    day = words.day(said)
    if not said.isdigit() and day <= _SPELLED_ALONE:
        return None
    found = (_dated(*month, day) for month in _months_back(today, 2))
    return next((_single(each) for each in found if each and each <= today), None)


def _days_alone(groups: Groups, words: Calendar, today: date) -> Span | None:
    """ "From the 3rd to the 9th": the latest such days that have begun."""
    day, day_to = words.day(str(groups["day"])), words.day(str(groups["day_to"]))
    for year, month in _months_back(today, 2):
        first = _dated(year, month, day)
        last = _dated(year, month, day_to)
        if first and day > day_to:
            following = month_span(year, month, 2)[1]
            last = _dated(following.year, following.month, day_to)
        if first and last and first <= today:
            return first, last
    return None


def _quarter_named(groups: Groups, words: Calendar, today: date) -> Span | None:
    """ "Q2", of the year given or the latest that has begun."""
    year = groups.get("year")
    number = int(groups.get("quarter") or words.ordinal(str(groups["ordinal"])))
    if number > 4:
        return None
    if year:
        return month_span(int(year), 3 * number - 2, 3)
    spans = (month_span(today.year - back, 3 * number - 2, 3) for back in range(2))
    return next((span for span in spans if span[0] <= today), None)


def _weekday_last_week(groups: Groups, words: Calendar, today: date) -> Span:
    return _single(week_of(today - timedelta(weeks=1))[0] + timedelta(days=words.weekdays[str(groups["weekday"])]))


def _weekday_this_week(groups: Groups, words: Calendar, today: date) -> Span:
    return _single(week_of(today)[0] + timedelta(days=words.weekdays[str(groups["weekday"])]))


def _month(groups: Groups, words: Calendar, today: date, before: bool = False) -> Span:
    month = _named_month(groups, words)
    if groups.get("year"):
        return month_span(int(str(groups["year"])), month)
    passed = month < today.month or (month == today.month and not before)
    return month_span(today.year if passed else today.year - 1, month)


def _month_last_year(groups: Groups, words: Calendar, today: date) -> Span:
    return month_span(today.year - 1, _named_month(groups, words))


def _month_this_year(groups: Groups, words: Calendar, today: date) -> Span:
    return month_span(today.year, _named_month(groups, words))


def _dated(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _latest(month: int, day: int, today: date) -> date | None:
    """The latest such date up to today (29 February: up to eight years back)."""
    years = (_dated(today.year - back, month, day) for back in range(9))
    return next((found for found in years if found and found <= today), None)


def _day_month(groups: Groups, words: Calendar, today: date) -> Span | None:
    month, day = _named_month(groups, words), words.day(str(groups["day"]))
    year = groups.get("year")
    found = _dated(int(year), month, day) if year else _latest(month, day, today)
    return _single(found) if found else None


def _day_range(groups: Groups, words: Calendar, today: date) -> Span | None:
    last = _day_month({**groups, "day": groups["day_to"]}, words, today)
    if not last:
        return None
    first = _dated(last[0].year, last[0].month, words.day(str(groups["day"])))
    return (first, last[0]) if first and first <= last[0] else None


def _season(groups: Groups, words: Calendar, today: date) -> Span:
    name = words.seasons[str(groups["season"])]
    if groups.get("year"):
        return _season_span(name, int(str(groups["year"])))
    spans = (_season_span(name, today.year - back) for back in range(3))
    return next(span for span in spans if span[0] <= today)


def _last_season(groups: Groups, words: Calendar, today: date) -> Span:
    name = words.seasons[str(groups["season"])]
    return next(span for span in (_season_span(name, today.year - back) for back in range(4)) if span[1] < today)


def _year(groups: Groups, words: Calendar, today: date) -> Span | None:
    year = int(str(groups["year"]))
    return month_span(year, 1, 12) if 1000 <= year <= today.year + 1 else None


def numeric(groups: Groups, today: date) -> Span | None:
    day, month = int(str(groups["day"])), int(str(groups["month"]))
    said = groups.get("year")
    if said:
        year = int(said) + (2000 if len(said) == 2 else 0)
        found = _dated(year, month, day)
    else:
        found = _latest(month, day, today) if 1 <= month <= 12 else None
    return _single(found) if found else None


RESOLVE: dict[str, Callable[[Groups, Calendar, date], Span | None]] = {
    "today": lambda groups, words, today: _single(today),
    "yesterday": lambda groups, words, today: _single(today - timedelta(days=1)),
    "before_yesterday": lambda groups, words, today: _single(today - timedelta(days=2)),
    "three_days_ago": lambda groups, words, today: _single(today - timedelta(days=3)),
    "ago": _ago,
    "ago_two": lambda groups, words, today: _ago({**groups, "n": "2"}, words, today),
    "ago_sum": _ago_sum,
    "last_n": _last_n,
    "last_two": lambda groups, words, today: _last_n({**groups, "n": "2"}, words, today),
    "last": _last,
    "this": lambda groups, words, today: this(words.unit(str(groups["unit"])), today),
    "weekday": _weekday,
    "weekday_ago": _weekday_ago,
    "weekday_day": _weekday_day,
    "weekday_last_week": _weekday_last_week,
    "weekday_this_week": _weekday_this_week,
    "season": _season,
    "last_season": _last_season,
    "day_month": _day_month,
    "day_range": _day_range,
    "day": _day_alone,
    "days": _days_alone,
    "quarter": _quarter_named,
    "month": _month,
    "last_month": lambda groups, words, today: _month(groups, words, today, before=True),
    "month_last_year": _month_last_year,
    "month_this_year": _month_this_year,
    "year": _year,
}
