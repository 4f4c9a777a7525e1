"""Time windows: which days of the student's own past a message speaks of.

The latest past occurrence is meant unless a year is given; weeks run from Monday (ISO 8601); seasons are whole
months of the northern hemisphere; numeric dates are day first. Silence is better than a wrong window: a date that is
the content ("July 1789", "mai 68", "the July Crisis"), a date still to come, and two dates that do not fit together
give none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from memory.calendar_parts import PARTS
from memory.calendar_spans import OLDEST_YEARS, RESOLVE, Groups, Span, earlier, month_span, numeric, this, years_before
from memory.calendar_words import SAID, Calendar, calendar, said
from memory.lexicon import lexicon
from memory.moments import Moment, Window
from memory.words import Plain, stop_words

_NUMERIC = re.compile(
    r"(?<![\d/.,])(?P<day>\d{1,2})(?P<mark>[/.] ?)(?P<month>\d{1,2})(?:[/.] ?(?P<year>\d{4}|\d{2}))?(?![\d/])"
)
_ISO = re.compile(r"(?<!\d)(?P<year>\d{4}) (?P<month>\d{2}) (?P<day>\d{2})(?!\d)")
_LINK = re.compile(r"(?: ?[^\W\d_]{1,3}){0,2} ?")  # "of", "di", "de ce": between two parts of one date
_NEXT_WORD = re.compile(r" ?([\w%/:]+)")
_NUMBER_GOES_ON = re.compile(r" ?[/.:,]\d| ?%|\d|/")
_SOFT = ("early", "middle", "late")
_BARE = ("day", "days")
_PART, _REFUSED = "part", "refused"
_CLAUSE = re.compile(r"[,;.?!:]")


@dataclass(frozen=True, slots=True)
class FoundWindow:
    """A window and the words that gave it: ``first:last`` are indices into the message.

    ``soft``: early, mid, late. ``bare``: days without their month ("the 22nd"), which may be numbers of something else.
    """

    window: Window
    first: int
    last: int
    soft: bool = False
    bare: bool = False


@dataclass(frozen=True, slots=True)
class DateSaid:
    """One date expression in plain text, resolved. ``dated``: a year was given."""

    start: int
    end: int
    first: date
    last: date
    form: str
    dated: bool = False

    @property
    def bare(self) -> bool:
        """A day without its month."""
        return self.form in _BARE


def find_window(text: str, language: str, now: Moment) -> FoundWindow | None:
    """The window a message names, on the student's local calendar at ``now``; None where it names none."""
    plain = Plain.of(text)
    found = window_in(plain, language, now.day)
    if found is None:
        return None
    return FoundWindow(
        Window(found.first, found.last),
        plain.origins[found.start],
        plain.origins[found.end - 1] + 1,
        found.form in _SOFT,
        found.bare,
    )


def window_in(plain: Plain, language: str, today: date) -> DateSaid | None:
    """As :func:`find_window`, on plain text: the date expression that gives the window, cut at today."""
    words = calendar(language)
    atoms = _atoms(plain, words, today)
    usable = _joined(atoms, plain.text, words, today)
    refused = [atom for atom in usable if atom.form == _REFUSED or not _is_the_students(atom, plain, words, today)]
    kept = [
        atom
        for atom in usable
        if atom not in refused and not any(_belong_together(atom, other, plain.text) for other in refused)
    ]
    if not kept:
        return None
    chosen = min(kept, key=lambda atom: (atom.last - atom.first, atom.start))
    if any(other.last < chosen.first or chosen.last < other.first for other in kept):
        return None
    last = min(chosen.last, today) if chosen.first <= today else chosen.last
    return replace(chosen, last=last)


def dates_in(plain: Plain, language: str, today: date) -> list[DateSaid]:
    """Every date expression of a message, whether it gives a window or not."""
    return _atoms(plain, calendar(language), today)


def _atoms(plain: Plain, words: Calendar, today: date) -> list[DateSaid]:
    """Date expressions, longest first where they overlap, in order."""
    text = plain.text
    found: list[DateSaid] = []
    for form, pattern in words.forms:
        for match in pattern.finditer(text):
            groups = said(match)
            span = RESOLVE[form](groups, words, today)
            if span and not (form in _BARE and _NUMBER_GOES_ON.match(text, match.end(SAID))):
                dated = bool(groups.get("year"))
                found.append(DateSaid(match.start(SAID), match.end(SAID), span[0], span[1], form, dated))
    for pattern, form in ((_ISO, "iso"), (_NUMERIC, "numeric")):
        for match in pattern.finditer(text):
            if form == "numeric" and not _is_numeric_date(match, text, words):
                continue
            span = numeric(match.groupdict(), today)
            if span:
                found.append(DateSaid(match.start(), match.end(), span[0], span[1], form, bool(match["year"])))
    found = [_with_its_weekday(atom, text, words) for atom in found]
    found += _parts(text, found, words, today)
    found.sort(key=lambda atom: (atom.start - atom.end, atom.start))
    kept: list[DateSaid] = []
    for atom in found:
        if all(atom.end <= other.start or other.end <= atom.start for other in kept):
            kept.append(atom)
    return sorted(kept, key=lambda atom: atom.start)


def _with_its_weekday(atom: DateSaid, text: str, words: Calendar) -> DateSaid:
    """A date with the weekday that stands before it: one expression, and the date decides."""
    if atom.form not in ("day_month", "numeric", "iso"):
        return atom
    weekday = words.weekday_before.search(text[: atom.start])
    return replace(atom, start=weekday.start()) if weekday else atom


def _parts(text: str, found: list[DateSaid], words: Calendar, today: date) -> list[DateSaid]:
    """Parts of a period, tied to the longest date expression that says which period. A part it has not is refused."""
    parts: list[DateSaid] = []
    for name, pattern in words.parts:
        for match in pattern.finditer(text):
            groups = said(match)
            start, end = match.span(SAID)
            near: DateSaid | None = None
            if not groups.get("unit") and not groups.get("month"):
                near = _period(text, name, start, end, found, words)
                if near is None or (name == "day" and near.form == "month"):  # "3 May" is a form of its own
                    continue
                start, end = min(start, near.start), max(end, near.end)
            span = _part(name, groups, near, words, today)
            form = name if name in _SOFT else _PART
            dated = bool(groups.get("year")) or bool(near and near.dated)
            if span is None:
                parts.append(DateSaid(start, end, today, today, _REFUSED))
            else:
                parts.append(DateSaid(start, end, span[0], span[1], form, dated))
    return parts


def _period(text: str, name: str, start: int, end: int, found: list[DateSaid], words: Calendar) -> DateSaid | None:
    """The longest date expression right after a part; a year, or the week of named weekdays, may stand before it."""
    of = words.cues["of"]
    near = [atom for atom in found if atom.start >= end and of.fullmatch(text[end : atom.start])]
    if not near:
        near = [
            atom
            for atom in found
            if atom.end <= start
            and (name == "weekdays" or atom.form == "year")
            and of.fullmatch(text[atom.end : start])
        ]
    return max(near, key=lambda atom: atom.end - atom.start, default=None)


def _part(name: str, groups: Groups, near: DateSaid | None, words: Calendar, today: date) -> Span | None:
    """What a part means; of a period that is not said to be this one, the latest part that has begun."""
    periods: list[Span] = []
    unit, month, year = groups.get("unit"), groups.get("month"), groups.get("year")
    if unit:
        kind = words.unit(unit)
        periods = [this(kind, today), earlier(kind, today)]
    elif month and year:
        periods = [month_span(int(year), words.dated_months[month])]
    elif month:
        periods = [month_span(today.year - back, words.dated_months[month]) for back in range(2)]
    elif near and near.form == "month" and not near.dated:
        periods = [month_span(near.first.year - back, near.first.month) for back in range(2)]
    elif near:
        periods = [(near.first, near.last)]
    spans = [PARTS[name](groups, words, period) for period in periods]
    return next((span for span in spans if span and span[0] <= today), None)


def _belong_together(one: DateSaid, other: DateSaid, text: str) -> bool:
    """Whether two dates make one expression ("the first Monday of this month"): half of it would be a wrong window."""
    first, second = sorted((one, other), key=lambda atom: atom.start)
    return bool(_LINK.fullmatch(text[first.end : second.start]))


def _joined(atoms: list[DateSaid], text: str, words: Calendar, today: date) -> list[DateSaid]:
    """Ranges ("between A and B"), "since A", and lists of neighbours, made one."""
    joined: list[DateSaid] = []
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
        side_by_side = following and atom.form == following.form == "month" and not gap.strip(" /")  # "July-August"
        if following and (words.cues["or"].fullmatch(gap) or side_by_side):
            one, other = sorted((atom, following), key=lambda each: each.first)
            if (other.first - one.last).days <= 1:
                joined.append(
                    DateSaid(atom.start, following.end, one.first, max(one.last, other.last), atom.form, atom.dated)
                )
                index += 2
                continue
        if atom.first <= today and (
            words.cues["since"].search(before) or words.cues["onwards"].match(after) or _to_now(before, after, words)
        ):
            joined.append(DateSaid(atom.start, atom.end, atom.first, today, "since", False))
        else:
            joined.append(atom)
        index += 1
    return joined


def _to_now(before: str, after: str, words: Calendar) -> bool:
    """Whether "to now" follows a date, or "and now" after "between"."""
    to = words.cues["to"].match(after)
    if not to and words.cues["between"].search(before):
        to = words.cues["and"].match(after)
    return bool(to and words.cues["now"].match(after, to.end()))


def _range(one: DateSaid, other: DateSaid, today: date) -> DateSaid | None:
    first, last = one.first, other.last
    if first > last and one.form == other.form == "weekday":
        first -= timedelta(weeks=1)
    elif first > last and not one.dated:
        first = years_before(first, 1)
    if other.dated and not one.dated and one.form in ("month", "day_month"):
        first = first.replace(year=last.year) if first.month <= last.month else first.replace(year=last.year - 1)
    if first > last:
        return None
    return DateSaid(one.start, other.end, first, last, "range", other.dated)


def _is_the_students(atom: DateSaid, plain: Plain, words: Calendar, today: date) -> bool:
    """Whether a date selects the student's own past: not content, not a name, not still to come."""
    text = plain.text
    before, after = text[: atom.start], text[atom.end :]
    spelled = text[atom.start : atom.end]
    if before.count('"') % 2 or atom.first < years_before(today, OLDEST_YEARS):
        return False
    if words.cues["bad_before"].search(before) or words.cues["bad_after"].match(after):
        return False
    border = [found.end() for found in _CLAUSE.finditer(before)]
    clause = before[border[-1] if border else 0 :]
    if words.cues["ahead"].search(clause) and atom.form in ("weekday", "day_month", "month", "numeric", *_BARE):
        return False
    if atom.form in _BARE and (words.cues["numbered_before"].search(before) or not _stands_alone(after, words)):
        return False
    if atom.form in ("day_month", "month", "year", "season", "numeric", _PART, *_SOFT):
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


def _stands_alone(after: str, words: Calendar) -> bool:
    """Whether a number is followed by nothing it could count ("the 3rd question", "le 5/8")."""
    following = _NEXT_WORD.match(after)
    if following is None or following[1] in stop_words(words.language):
        return True
    return bool(lexicon(words.language).cue("error").match(following[1]))


def _is_named(atom: DateSaid, plain: Plain, words: Calendar) -> bool:
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
    if match["year"]:
        return True
    return bool(words.cues["numeric_before"].search(text[: match.start()]))
