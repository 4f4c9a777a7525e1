"""Time windows: which days of the student's own past a message speaks of.

The latest past occurrence is meant unless a year is given; weeks run from Monday (ISO 8601); seasons are whole
months of the northern hemisphere; numeric dates are day first. Silence is better than a wrong window: a date that is
the content ("July 1789", "mai 68", "the July Crisis"), a date still to come, and two dates that do not fit together
give none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from memory.calendar_spans import OLDEST_YEARS, RESOLVE, numeric, years_before
from memory.calendar_words import SAID, Calendar, calendar, said
from memory.moments import Moment, Window
from memory.words import Plain

_NUMERIC = re.compile(
    r"(?<![\d/.,])(?P<day>\d{1,2})(?P<mark>[/.] ?)(?P<month>\d{1,2})(?:[/.] ?(?P<year>\d{4}|\d{2}))?(?![\d/])"
)
_ISO = re.compile(r"(?<!\d)(?P<year>\d{4}) (?P<month>\d{2}) (?P<day>\d{2})(?!\d)")
_LINK = re.compile(r"(?: ?[^\W\d_]{1,3}){0,2} ?")  # "of", "di", "de ce": between two parts of one date
_CLAUSE = re.compile(r"[,;.?!:]")


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
    usable = _joined(atoms, plain.text, words, today)
    refused = [atom for atom in usable if not _is_the_students(atom, plain, words, today)]
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
            span = RESOLVE[form](groups, words, today)
            if span:
                dated = bool(groups.get("year"))
                found.append(_Atom(match.start(SAID), match.end(SAID), span[0], span[1], form, dated))
    for pattern, form in ((_ISO, "iso"), (_NUMERIC, "numeric")):
        for match in pattern.finditer(text):
            if form == "numeric" and not _is_numeric_date(match, text, words):
                continue
            span = numeric(match.groupdict(), today)
            if span:
                found.append(_Atom(match.start(), match.end(), span[0], span[1], form, bool(match["year"])))
    found.sort(key=lambda atom: (atom.start - atom.end, atom.start))
    kept: list[_Atom] = []
    for atom in found:
        if all(atom.end <= other.start or other.end <= atom.start for other in kept):
            kept.append(atom)
    return sorted(kept, key=lambda atom: atom.start)


def _belong_together(one: _Atom, other: _Atom, text: str) -> bool:
    """Whether two dates make one expression ("the first Monday of this month"): half of it would be a wrong window."""
    first, second = sorted((one, other), key=lambda atom: atom.start)
    return bool(_LINK.fullmatch(text[first.end : second.start]))


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
            words.cues["since"].search(before) or words.cues["onwards"].match(after) or _to_now(before, after, words)
        ):
            joined.append(_Atom(atom.start, atom.end, atom.first, today, "since", False))
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


def _range(one: _Atom, other: _Atom, today: date) -> _Atom | None:
    first, last = one.first, other.last
    if first > last and not one.dated:
        first = years_before(first, 1)
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
    if before.count('"') % 2 or atom.first < years_before(today, OLDEST_YEARS):
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
