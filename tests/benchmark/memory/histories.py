"""Histories: what fifty students lived with one course each, as event logs. Seeded; the same ones every time.

Real are the courses, their terms, definitions and exercises, the tutoring dialogues (English), what students type
beside the point, and who was right when: the answers of one real student to one skill, in their order, become the
checks on one term. Laid on are the dates: no public log says on which evening a student worked. Every tenth wrong
answer is called partly right, since the logs know no third verdict. Some months hold nothing, some only the arrival of
the file, and every history has evidence of the same day, week, month, quarter, and older.
"""

from __future__ import annotations

import csv
import json
import random
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_date
from courses import SHARED, Course, Exercise, Term, courses, lines
from matching import normal

ZONE = "Europe/Paris"
NOW = "2026-11-26T18:30:00+01:00"
"""When the questions are asked: a Thursday evening."""
TODAY = date(2026, 11, 26)
FIRST = date(2025, 9, 8)
"""When the file arrived."""
MONTHS = [date(2025 + (8 + place) // 12, (8 + place) % 12 + 1, 1) for place in range(15)]
AGES = (("day", 0), ("week", 7), ("month", 31), ("quarter", 92), ("older", 10_000))
ARABIC_MONTHS = ("ar", "ar_SY", "ar_MA", "ar_DZ")
_OWN = {"en": 13, "fr": 12, "es": 11, "ar": 8}
_ACROSS = (
    ("s-cs229-probability-pt", "es"),
    ("s-cs229-linear-algebra-pt", "fr"),
    ("s-cs229-probability-fr", "ar"),
    ("s-bio-membranes", "fr"),
    ("s-cs229-linear-algebra-en", "ar"),
    ("s-fis-gravitacion", "en"),
)
"""Students who write in another language than their file."""


@dataclass(frozen=True, slots=True)
class Lived:
    """One event and what it is about; ``line`` is its line of the event log."""

    id: str
    day: date
    kind: str
    term: str | None
    verdict: str | None
    line: Mapping[str, Any]
    stale: bool = False
    narration: bool = False

    @property
    def words(self) -> str:
        """Everything that was said in it."""
        return " ".join(str(self.line[key]) for key in ("text", "reply", "expected", "evaluation") if key in self.line)


@dataclass(frozen=True, slots=True)
class Note:
    """What the student taught about a term, and the earlier note that it took the place of."""

    term: str
    token: str
    id: str
    replaced: str | None = None
    replaced_token: str | None = None


@dataclass(slots=True)
class History:
    """One student and one course. ``spoken`` is the student's language, ``months`` those with work, oldest first."""

    id: str
    seed: int
    course: Course
    spoken: str
    terms: tuple[Term, ...]
    months: tuple[date, ...]
    events: list[Lived] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    @property
    def empty_months(self) -> list[date]:
        """Months without work since the file arrived."""
        return [month for month in MONTHS if month not in self.months]

    def log(self) -> Iterator[str]:
        """The event log, oldest first."""
        for event in sorted(self.events, key=lambda each: each.line["at"]):
            yield json.dumps(event.line, ensure_ascii=False)

    def in_month(self, month: date) -> list[Lived]:
        """What happened in a month."""
        return [event for event in self.events if event.day.replace(day=1) == month]


def age_of(day: date) -> str:
    """The class of age of a day, seen from today."""
    past = (TODAY - day).days
    return next(name for name, most in AGES if past <= most)


def month_name(month: date, language: str, chance: random.Random) -> str:
    """A month as a student writes it: with its year where another is nearer, and now and then without need."""
    locale = chance.choice(ARABIC_MONTHS) if language == "ar" else language
    with_year = month <= TODAY.replace(year=TODAY.year - 1, day=1) or chance.random() < 0.2
    name = str(format_date(month, "LLLL", locale=locale))
    name = name.lower() if language in ("fr", "es") else name
    return f"{name} {month.year}" if with_year else name


@cache
def wording() -> dict[str, dict[str, Any]]:
    """The phrases of the histories and of the questions, by language."""
    return tomllib.loads(Path(__file__).with_name("wording.toml").read_text("utf-8"))


def histories(count: int | None = None, shared: Path = SHARED) -> list[History]:
    """All histories, or so many of them from every language in turn."""
    by_language: dict[str, list[tuple[Course, str]]] = {}
    for language, number in _OWN.items():
        own = [course for course in courses(shared) if course.language == language]
        by_language[language] = [(own[place % len(own)], language) for place in range(number)]
    named = {course.id: course for course in courses(shared)}
    by_language["across"] = [(named[id], spoken) for id, spoken in _ACROSS]
    chosen = list(_in_turn(list(by_language.values())))[:count]
    return [_Writer(place, course, spoken, shared).history for place, (course, spoken) in enumerate(chosen)]


def _in_turn(lists: Sequence[list[tuple[Course, str]]]) -> Iterator[tuple[Course, str]]:
    for place in range(max(map(len, lists))):
        for each in lists:
            yield from each[place : place + 1]


class _Writer:
    """Writes one history."""

    def __init__(self, place: int, course: Course, spoken: str, shared: Path) -> None:
        chance = self._chance = random.Random(1000 + place)
        self._words = wording()[spoken]
        self._asides = asides(spoken, shared)
        chosen = chance.sample(list(course.terms), min(len(course.terms), chance.randint(7, 14)))
        answered = skills(shared)[place % len(skills(shared))]
        self._answers = {term.name: list(answered[n % len(answered)]) for n, term in enumerate(chosen)}
        quarter = chance.sample([date(2026, 9, 1), date(2026, 10, 1)], chance.randint(1, 2))
        older = chance.sample(MONTHS[1 if place % 3 == 0 else 0 : 12], chance.randint(4, 6))
        months = tuple(sorted({*quarter, *older, date(2026, 11, 1)}))
        self.history = History(f"h{place:02d}", 1000 + place, course, spoken, tuple(chosen), months)
        self._untied = place % 3 == 1
        self._live()

    def _live(self) -> None:
        chance, history = self._chance, self.history
        for number, month in enumerate(history.months):
            few = min(len(history.terms) - 1, chance.randint(2, 4))
            terms = [history.terms[(number * 2 + place) % len(history.terms)] for place in range(few)]
            for day in self._days(month):
                self._session(day, chance.sample(terms, min(len(terms), 2)))
        self._teach()
        self._narrate()

    def _days(self, month: date) -> list[date]:
        """Two or three days of work; in the present month also this week and today."""
        if month == TODAY.replace(day=1):
            return [date(2026, 11, self._chance.randint(2, 17)), date(2026, 11, 24), TODAY]
        lowest = FIRST.day + 1 if month == FIRST.replace(day=1) else 1
        return sorted(date(month.year, month.month, day) for day in self._chance.sample(range(lowest, 28), 2))

    def _session(self, day: date, terms: Sequence[Term]) -> None:
        chance, words = self._chance, self._words
        hour = 8 if day == TODAY else chance.randint(16, 20)
        clock = datetime(day.year, day.month, day.day, hour, chance.randint(0, 40), tzinfo=ZoneInfo(ZONE))
        for term in terms:
            slots = {"concept": term.name, "definition": ended(term.definition)}
            clock += timedelta(minutes=chance.randint(1, 4))
            self._add(clock, "question", chance.choice(words["ask"]).format(**slots), term=term.name)
            clock += timedelta(minutes=1)
            self._add(clock, "answer", chance.choice(words["answer"]).format(**slots), term=term.name)
            for _ in range(chance.randint(1, 3)):
                clock += timedelta(minutes=chance.randint(1, 3))
                self._check(clock, term)
        if chance.random() < 0.4:
            asked, answered = chance.choice(self._asides)
            clock += timedelta(minutes=2)
            self._add(clock, "question", asked)
            if answered:
                self._add(clock + timedelta(minutes=1), "answer", answered)

    def _check(self, clock: datetime, term: Term) -> None:
        """One check, right or wrong as the real student was next on this skill."""
        chance, answers = self._chance, self._answers[term.name]
        right = answers.pop(0) if answers else True
        verdict = "right" if right else "partly" if chance.random() < 0.1 else "wrong"
        own = [each for each in self.history.course.exercises if each.term == term.name]
        exercise = chance.choice(own) if own and chance.random() < 0.6 else self._cloze(term)
        others = exercise.others or tuple(other.name for other in self.history.terms if other.name != term.name)
        reply = exercise.answer if right else chance.choice(others)
        tied = {"concept": term.name} if chance.random() < 0.75 else {"topic": term.name}
        if self._untied and chance.random() < 0.15:
            tied = {"topic": chance.choice(self._words["untied"])}
            exercise = Exercise(term.name, f"{chance.randint(2, 9)} + {chance.randint(2, 9)} = ?", "", ())
            reply = str(chance.randint(4, 18))
        expected = {"expected": exercise.answer} if exercise.answer else {}
        named = None if tied.get("topic") not in (None, term.name) else term.name
        self._add(clock, "check", exercise.question, term=named, verdict=verdict, reply=reply, **tied, **expected)

    def _cloze(self, term: Term) -> Exercise:
        """Which term has this definition? The term itself is not given away."""
        name = normal(term.name)
        hidden = " ".join("…" if normal(word) in name else word for word in term.definition[:160].split())
        return Exercise(term.name, self._chance.choice(self._words["cloze"]).format(definition=hidden), term.name, ())

    def _teach(self) -> None:
        """Three notes; the first is taught anew later, with another word."""
        chance, words, history = self._chance, self._words, self.history
        tokens = chance.sample(words["tokens"], 4)
        terms = chance.sample(list(history.terms), 3)
        early, late = history.months[0], history.months[-2]
        days = [date(early.year, early.month, 28), date(late.year, late.month, 28), date(2026, 11, 25)]
        for number, (term, day) in enumerate(zip(terms, days, strict=True)):
            note = self._note(day, term, tokens[number])
            if number == 0:
                again = self._note(date(late.year, late.month, 28), term, tokens[3])
                place = next(place for place, each in enumerate(history.events) if each.id == note.id)
                history.events[place] = _stale(history.events[place])
                note = Note(term.name, tokens[3], again.id, note.id, note.token)
            history.notes.append(note)

    def _note(self, day: date, term: Term, token: str) -> Note:
        clock = datetime(day.year, day.month, day.day, 19, self._chance.randint(0, 59), tzinfo=ZoneInfo(ZONE))
        text = self._words["teach"].format(concept=term.name, token=token)
        return Note(term.name, token, self._add(clock, "taught", text, term=term.name))

    def _narrate(self) -> None:
        """The tutor once told of an empty month what never was, and of a full one what was."""
        chance, history = self._chance, self.history
        asked = datetime(2026, 11, 24, 21, 5, tzinfo=ZoneInfo(ZONE))
        for month in (chance.choice(history.empty_months), history.months[0]):
            term, name = chance.choice(history.terms), month_name(month, history.spoken, chance)
            self._add(asked, "question", self._words["past"].format(month=name), narration=True)
            told = self._words["narrated"].format(month=name, concept=term.name)
            self._add(asked + timedelta(minutes=1), "answer", told, narration=True)
            asked += timedelta(minutes=5)

    def _add(
        self,
        clock: datetime,
        kind: str,
        text: str,
        *,
        term: str | None = None,
        narration: bool = False,
        **more: str,
    ) -> str:
        history = self.history
        id = f"{history.id}-{len(history.events):03d}"
        line = {"at": clock.isoformat(), "kind": kind, "text": text, "external_id": id, "language": history.spoken}
        history.events.append(
            Lived(id, clock.date(), kind, term, more.get("verdict"), {**line, **more}, narration=narration)
        )
        return id


def _stale(event: Lived) -> Lived:
    return Lived(event.id, event.day, event.kind, event.term, event.verdict, event.line, stale=True)


def ended(text: str) -> str:
    """A sentence with its full stop."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


@cache
def skills(shared: Path) -> list[list[list[bool]]]:
    """By student, most answers first: the answers to each skill, in the order they were given."""
    found: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    with (shared / "logs" / "spanish_vocabulary_trials.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found[row["student"]][row["skill"]].append(row["correct"] == "1")
    return [
        [each[1] for each in sorted(own.items(), key=lambda pair: (-len(pair[1]), pair[0]))]
        for _, own in sorted(found.items())
    ]


@cache
def asides(language: str, shared: Path) -> list[tuple[str, str]]:
    """What is said beside the course: real tutoring turns in English, else what students type to a tutor."""
    if language == "en":
        return [
            (row["history"][-1]["text"], " ".join(row["expert_reply"]))
            for row in lines(shared / "dialogues" / "bridge.jsonl")
            if row["history"][-1]["role"] == "student" and any(map(str.isalpha, row["history"][-1]["text"]))
        ]
    return [
        (row["text"], "")
        for row in lines(shared / "utterances.jsonl")
        if row["lang"] == language and row["kind"] in ("ordinary", "smalltalk")
    ]
