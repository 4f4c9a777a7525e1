"""Time windows: which days of the student's own past a message speaks of.

The latest past occurrence is meant unless a year is given; weeks run from Monday (ISO 8601); seasons are whole
months of the northern hemisphere; numeric dates are day first. Silence is better than a wrong window: a date that is
the content ("July 1789", "mai 68", "the July Crisis"), a date still to come, and two dates that do not fit together
give none.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from memory.calendar_words import Calendar, calendar, said
from memory.moments import Moment, Window
from memory.words import Plain

OLDEST_YEARS = 12
"""A year further back than a student's own record can reach is history, not a window."""
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}  # first month; three months each
_NUMERIC = re.compile(
    r"(?<![\d/.,])(?P<day>\d{1,2})(?P<mark>[/.] ?)(?P<month>\d{1,2})(?:[/.] ?(?P<year>\d{4}|\d{2}))?(?![\d/])"
)
_ISO = re.compile(r"(?<!\d)(?P<year>\d{4}) (?P<month>\d{2}) (?P<day>\d{2})(?!\d)")
_CLAUSE = re.compile(r"[,;.?!:]")
_TO_COME = frozenset({"day_month", "month", "numeric", "year"})


@dataclass(frozen=True, slots=True)
class FoundWindow:
    """A window and the words that gave it: ``first:last`` are indices into the message. ``soft``: early, mid, late."""

    window: Window
    first: int
    last: int
    soft: bool = False


@dataclass(frozen=True, slots=True)
class _Atom:
    """One date expression in plain text, resolved. ``dated``: a year was given."""

    start: int
    end: int
    first: date
    last: date
    form: str
    dated: bool = False


def find_window(text: str, language: str, now: Moment) -> FoundWindow | None:
    """The window a message names, on the student's local calendar at ``now``; None where it names none."""
    plain = Plain.of(text)
    found = window_in(plain, language, now.day)
    if found is None:
        return None
    atom, soft = found
    return FoundWindow(Window(atom.first, atom.last), plain.origins[atom.start], plain.origins[atom.end - 1] + 1, soft)


def window_in(plain: Plain, language: str, today: date) -> tuple[_Atom, bool] | None:
    """As :func:`find_window`, on plain text."""
    words = calendar(language)
    atoms = _atoms(plain, words, today)
    usable = [atom for atom in _joined(atoms, plain.text, words, today) if atom is not None]
    kept = [atom for atom in usable if _is_the_students(atom, plain, words, today)]
    if not kept:
        return None
    chosen = min(kept, key=lambda atom: (atom.last - atom.first, atom.start))
    for other in kept:
        if other.last < chosen.first or chosen.last < other.first:
            if chosen.form == "weekday" or other.form == "weekday":
                chosen = other if chosen.form == "weekday" else chosen
                continue
            return None
    last = chosen.last if chosen.dated else min(chosen.last, today)
    if chosen.first > last:
        return None
    return (
        _Atom(chosen.start, chosen.end, chosen.first, last, chosen.form, chosen.dated),
        chosen.form in ("early", "middle", "late"),
    )


def _atoms(plain: Plain, words: Calendar, today: date) -> list[_Atom]:
    """Date expressions, longest first where they overlap, in order."""
    text = plain.text
    found: list[_Atom] = []
    for form, pattern in words.forms:
        for match in pattern.finditer(text):
            groups = said(match)
            span = _RESOLVE[form](groups, words, today)
            if span:
                dated = bool(groups.get("year"))
                found.append(_Atom(match.start(), match.end(), span[0], span[1], form, dated))
    for pattern, form in ((_ISO, "iso"), (_NUMERIC, "numeric")):
        for match in pattern.finditer(text):
            if form == "numeric" and not _is_numeric_date(match, text, words):
                continue
            span = _numeric(match.groupdict(), today)
            if span:
                found.append(_Atom(match.start(), match.end(), span[0], span[1], form, bool(match["year"])))
    found.sort(key=lambda atom: (atom.start - atom.end, atom.start))
    kept: list[_Atom] = []
    for atom in found:
        if all(atom.end <= other.start or other.end <= atom.start for other in kept):
            kept.append(atom)
    return sorted(kept, key=lambda atom: atom.start)


def _joined(atoms: list[_Atom], text: str, words: Calendar, today: date) -> list[_Atom]:
    """Ranges ("between A and B"), "since A", and lists of neighbours, made one."""
    joined: list[_Atom] = []
    index = 0
    while index < len(atoms):
        atom = atoms[index]
        before = text[: atom.start]
        after = text[atom.end :]
        following = atoms[index + 1] if index + 1 < len(atoms) else None
        gap = text[atom.end : following.start] if following else ""
        if following and (
            words.cues["to"].fullmatch(gap)
            or (words.cues["and"].fullmatch(gap) and words.cues["between"].search(before))
        ):
            span = _range(atom, following, today)
            if span:
                joined.append(span)
            index += 2
            continue
        if following and words.cues["or"].fullmatch(gap):
            one, other = sorted((atom, following), key=lambda each: each.first)
            if (other.first - one.last).days <= 1:
                joined.append(
                    _Atom(atom.start, following.end, one.first, max(one.last, other.last), atom.form, atom.dated)
                )
                index += 2
                continue
        if atom.first <= today and (
            words.cues["since"].search(before) or words.cues["onwards"].match(after) or _to_now(after, words)
        ):
            joined.append(_Atom(atom.start, atom.end, atom.first, today, "since", False))
        else:
            joined.append(atom)
        index += 1
    return joined


def _to_now(after: str, words: Calendar) -> bool:
    to = words.cues["to"].match(after)
    return bool(to and words.cues["now"].match(after, to.end()))


def _range(one: _Atom, other: _Atom, today: date) -> _Atom | None:
    first, last = one.first, other.last
    if first > last and not one.dated:
        first = _years_before(first, 1)
    if other.dated and not one.dated and one.form in ("month", "day_month"):
        first = first.replace(year=last.year) if first.month <= last.month else first.replace(year=last.year - 1)
    if first > last:
        return None
    return _Atom(one.start, other.end, first, last, "range", other.dated)


def _is_the_students(atom: _Atom, plain: Plain, words: Calendar, today: date) -> bool:
    """Whether a date selects the student's own past: not content, not a name, not still to come."""
    text = plain.text
    before, after = text[: atom.start], text[atom.end :]
    spelled = text[atom.start : atom.end]
    if before.count('"') % 2 or atom.first < _years_before(today, OLDEST_YEARS):
        return False
    if words.cues["bad_before"].search(before) or words.cues["bad_after"].match(after):
        return False
    border = [found.end() for found in _CLAUSE.finditer(before)]
    clause = before[border[-1] if border else 0 :]
    if words.cues["ahead"].search(clause) and atom.form in ("weekday", "day_month", "month", "numeric"):
        return False
    if atom.form in ("day_month", "month", "year", "season", "numeric", "early", "late", "middle"):
        if _is_named(atom, plain, words):
            return False
        if atom.form == "day_month" and words.cues["topic_before"].search(before):
            return False
    if atom.form == "year":
        return bool(words.cues["years_before"].search(before)) or spelled != spelled.strip("0123456789")
    if atom.form == "month" and not atom.dated and spelled.rsplit(" ", 1)[-1] in words.ambiguous:
        alone = not before.strip() and (not after or after[0] in ":?!,.")
        return alone or " " in spelled or bool(words.cues["date_before"].search(before))
    return True


def _is_named(atom: _Atom, plain: Plain, words: Calendar) -> bool:
    """A month, date or season inside a name: beside an event's noun, or followed by a capital letter."""
    text = plain.text
    event = words.cues["event"]
    following = re.match(r"(?: \w+){1,2}", text[atom.end :])
    if following and event.match(following[0].strip()):
        return True
    preceding = re.search(r"(?:\w+ ){1,3}$", text[: atom.start])
    if preceding and event.search(preceding[0]):
        return True
    if re.match(r" ?'?\d{2}(?!\d)", text[atom.end :]) and atom.form == "month":
        return True
    if not words.names_are_capital:
        return False
    at = plain.origins[atom.end - 1] + 1
    return (
        bool(re.match(r"[ '’-][^\W\d_]", plain.raw[at : at + 2]))
        and plain.raw[at + 1].isupper()
        and (plain.raw[plain.origins[atom.start]].isupper() and not plain.raw.isupper())
    )


def _is_numeric_date(match: re.Match[str], text: str, words: Calendar) -> bool:
    """3/10 is a date after a word that wants one, or with a year; else it may be a fraction."""
    if match["year"] and len(match["year"]) == 4:
        return True
    return bool(words.cues["numeric_before"].search(text[: match.start()]))


# Resolving one form: named groups and today to an inclusive span.
Span = tuple[date, date]
Groups = dict[str, str | None]


def _years_before(day: date, years: int) -> date:
    return date(day.year - years, day.month, min(day.day, monthrange(day.year - years, day.month)[1]))


def _months_before(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 - months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _month_span(year: int, month: int, months: int = 1) -> Span:
    index = year * 12 + month - 1 + months - 1
    last_year, last_month = divmod(index, 12)
    return date(year, month, 1), date(last_year, last_month + 1, monthrange(last_year, last_month + 1)[1])


def _week(day: date) -> Span:
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


def _quarter(day: date) -> Span:
    return _month_span(day.year, day.month - (day.month - 1) % 3, 3)


def _season_span(name: str, year: int) -> Span:
    return _month_span(year, _SEASONS[name], 3)


def _weekend(day: date) -> Span:
    """The latest weekend whose Saturday is on or before the day."""
    saturday = day - timedelta(days=(day.weekday() - 5) % 7)
    return saturday, saturday + timedelta(days=1)


def _number(said: str, words: Calendar) -> int:
    return int(said) if said.isdigit() else words.numbers[said]


def _named_month(groups: Groups, words: Calendar) -> int:
    return words.months[str(groups["month"])]


def _day(said: str, words: Calendar) -> int:
    return int(said) if said.isdigit() else words.days[said]


def _single(day: date) -> Span:
    return day, day


def _ago(groups: Groups, words: Calendar, today: date) -> Span | None:
    count, unit = _number(str(groups["n"]), words), words.unit(str(groups["unit"]))
    if count > 400 and unit != "day":
        return None
    if unit == "day":
        return _single(today - timedelta(days=count))
    if unit in ("week", "fortnight"):
        return _week(today - timedelta(weeks=count * (2 if unit == "fortnight" else 1)))
    if unit == "weekend":
        return _weekend(_week(today)[0] - timedelta(weeks=count - 1))
    if unit == "year":
        return _month_span(today.year - count, 1, 12) if count <= OLDEST_YEARS else None
    then = _months_before(today, count * (3 if unit == "quarter" else 1))
    return _quarter(then) if unit == "quarter" else _month_span(then.year, then.month)


def _last_n(groups: Groups, words: Calendar, today: date) -> Span | None:
    count, unit = _number(str(groups["n"]), words), words.unit(str(groups["unit"]))
    if unit == "day":
        return today - timedelta(days=count), today
    if unit in ("week", "fortnight"):
        return today - timedelta(weeks=count * (2 if unit == "fortnight" else 1)), today
    if unit == "weekend":
        return _weekend(_week(today)[0] - timedelta(weeks=count - 1))[0], _weekend(_week(today)[0])[1]
    months = count * {"month": 1, "quarter": 3, "year": 12}[unit]
    return (_months_before(today, months), today) if months <= 12 * OLDEST_YEARS else None


def _last(groups: Groups, words: Calendar, today: date) -> Span:
    unit = words.unit(str(groups["unit"]))
    if unit == "day":
        return _single(today - timedelta(days=1))
    if unit == "week":
        return _week(today - timedelta(weeks=1))
    if unit == "fortnight":
        return today - timedelta(weeks=2), today
    if unit == "weekend":
        return _weekend(_week(today)[0])
    if unit == "quarter":
        return _quarter(_months_before(today, 3))
    if unit == "year":
        return _month_span(today.year - 1, 1, 12)
    then = _months_before(today, 1)
    return _month_span(then.year, then.month)


def _this(groups: Groups, words: Calendar, today: date) -> Span:
    unit = words.unit(str(groups["unit"]))
    if unit == "day":
        return _single(today)
    if unit in ("week", "fortnight"):
        return _week(today)[0], today
    if unit == "weekend":
        return _weekend(today)
    if unit == "quarter":
        return _quarter(today)[0], today
    if unit == "year":
        return date(today.year, 1, 1), today
    return today.replace(day=1), today


def _weekday(groups: Groups, words: Calendar, today: date) -> Span:
    wanted = words.weekdays[str(groups["weekday"])]
    return _single(today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1))


def _weekday_last_week(groups: Groups, words: Calendar, today: date) -> Span:
    return _single(_week(today - timedelta(weeks=1))[0] + timedelta(days=words.weekdays[str(groups["weekday"])]))


def _weekday_this_week(groups: Groups, words: Calendar, today: date) -> Span:
    return _single(_week(today)[0] + timedelta(days=words.weekdays[str(groups["weekday"])]))


def _month(groups: Groups, words: Calendar, today: date, before: bool = False) -> Span:
    month = _named_month(groups, words)
    if groups.get("year"):
        return _month_span(int(str(groups["year"])), month)
    passed = month < today.month or (month == today.month and not before)
    return _month_span(today.year if passed else today.year - 1, month)


def _month_last_year(groups: Groups, words: Calendar, today: date) -> Span:
    return _month_span(today.year - 1, _named_month(groups, words))


def _month_this_year(groups: Groups, words: Calendar, today: date) -> Span:
    return _month_span(today.year, _named_month(groups, words))


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
    month, day = _named_month(groups, words), _day(str(groups["day"]), words)
    year = groups.get("year")
    found = _dated(int(year), month, day) if year else _latest(month, day, today)
    return _single(found) if found else None


def _day_range(groups: Groups, words: Calendar, today: date) -> Span | None:
    last = _day_month({**groups, "day": groups["day_to"]}, words, today)
    if not last:
        return None
    first = _dated(last[0].year, last[0].month, _day(str(groups["day"]), words))
    return (first, last[0]) if first and first <= last[0] else None


def _part(first_day: int, last_day: int) -> Callable[[Groups, Calendar, date], Span]:
    def resolve(groups: Groups, words: Calendar, today: date) -> Span:
        first, last = _month(groups, words, today)
        if first.replace(day=first_day) > today and not groups.get("year"):
            first, last = _month_span(first.year - 1, first.month)
        return first.replace(day=first_day), min(last, first.replace(day=last_day)) if last_day < 28 else last

    return resolve


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
    return _month_span(year, 1, 12) if 1000 <= year <= today.year + 1 else None


def _numeric(groups: Groups, today: date) -> Span | None:
    day, month = int(str(groups["day"])), int(str(groups["month"]))
    said = groups.get("year")
    if said:
        year = int(said) + (2000 if len(said) == 2 else 0)
        found = _dated(year, month, day)
    else:
        found = _latest(month, day, today) if 1 <= month <= 12 else None
    return _single(found) if found else None


_RESOLVE: dict[str, Callable[[Groups, Calendar, date], Span | None]] = {
    "today": lambda groups, words, today: _single(today),
    "yesterday": lambda groups, words, today: _single(today - timedelta(days=1)),
    "before_yesterday": lambda groups, words, today: _single(today - timedelta(days=2)),
    "three_days_ago": lambda groups, words, today: _single(today - timedelta(days=3)),
    "ago": _ago,
    "last_n": _last_n,
    "last": _last,
    "this": _this,
    "weekday": _weekday,
    "weekday_last_week": _weekday_last_week,
    "weekday_this_week": _weekday_this_week,
    "season": _season,
    "last_season": _last_season,
    "day_month": _day_month,
    "day_range": _day_range,
    "month": _month,
    "last_month": lambda groups, words, today: _month(groups, words, today, before=True),
    "month_last_year": _month_last_year,
    "month_this_year": _month_this_year,
    "early": _part(1, 10),
    "middle": _part(11, 20),
    "late": _part(21, 31),
    "year": _year,
}
