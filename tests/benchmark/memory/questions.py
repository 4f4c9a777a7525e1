"""The questions of a history and what is right about each, from the history itself (and, for prerequisites, its map).

Six categories. The wording comes from the shared templates; ways of asking that those do not hold (mistakes overall, of
a month or of today; an empty month asked with presupposition) from ``wording.toml``.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path

from courses import SHARED, lines
from histories import FIRST, TODAY, History, Lived, age_of, month_name, wording
from matching import holds_words, named_in, one_name

from app.wiring import House
from memory.episodes import SubjectId

CATEGORIES = ("explain", "missed", "active_month", "empty_month", "prerequisite", "taught")
LEAST = 3
"""So many of the needed memories, where there are more, must reach a prompt: a brief has no room for forty."""
STANDS = 0.7
"""Share of a definition's words that must stand in one passage of the file for it to be asked for."""
FILE = "file"
"""The age of what stands in the file."""


@dataclass(frozen=True, slots=True)
class Gold:
    """What is right about a question.

    ``needed`` events answer it: a prompt must hold ``least`` of them, the record's own answer all of them (where
    ``complete``). ``apart`` may reach no prompt and no answer, ``untold`` may not be stated by the record's answer.
    Of ``names`` one must be said (all, where ``every``), of ``wrong_names`` none. ``words`` must be said, and
    ``wrong_words`` not. ``known`` are all names of the course and its map, so that the longest one is heard.
    ``definition`` is what the material says. ``days`` are those an answer may name.
    """

    needed: tuple[str, ...] = ()
    least: int = 0
    complete: bool = False
    apart: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    every: bool = False
    wrong_names: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    words: str = ""
    wrong_words: str = ""
    definition: str = ""
    quotes: tuple[str, ...] = ()
    days: tuple[date, ...] = ()
    empty: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One question; ``age`` is that of the oldest evidence it needs."""

    id: str
    history: str
    category: str
    variant: str
    language: str
    text: str
    age: str
    gold: Gold


@cache
def templates(shared: Path = SHARED) -> dict[tuple[str, str], tuple[str, ...]]:
    """The shared templates by language and category."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in lines(shared / "questions_templates.jsonl"):
        found[row["lang"], row["category"]].append(row["template"])
    return {key: tuple(dict.fromkeys(own)) for key, own in found.items()}


def questions(history: History, house: House, subject: SubjectId) -> list[Question]:
    """All questions of one history."""
    versions = [file.version.id for file in house.memory.files.all(subject) if file.version is not None]
    texts = [passage.text for version in versions for passage in house.memory.passages.for_version(version)]
    return list(_Asker(history, map_links(house, subject), texts).all())


Links = dict[str, tuple[str, ...]]


def map_links(house: House, subject: SubjectId) -> Links:
    """The concepts of a map and what each builds on directly, by the names they are shown by."""
    concepts = {concept.id: concept for concept in house.memory.map.concepts(subject)}
    return {
        concept.name: tuple(concepts[other].name for other in concept.builds_on if other in concepts)
        for concept in concepts.values()
    }


def above(name: str, links: Links) -> set[str]:
    """Everything that builds on a concept, directly or through others."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        here = waiting.pop()
        for other, needs in links.items():
            if here in needs and other not in found:
                found.add(other)
                waiting.append(other)
    return found


class _Asker:
    """Asks about one history."""

    def __init__(self, history: History, links: Links, texts: Sequence[str]) -> None:
        self._history = history
        self._links = links
        self._defined = {
            term.name: term.definition
            for term in history.terms
            if any(holds_words(text, term.definition, STANDS) for text in texts)
        }
        self._known = tuple(sorted({*links, *(term.name for term in history.course.terms)}))
        self._chance = random.Random(f"{history.seed} questions")
        self._words = wording()[history.spoken]
        self._every = tuple(event.id for event in history.events)
        self._checks = [event for event in history.events if event.kind == "check"]
        self._missed = [event for event in self._checks if event.verdict in ("wrong", "partly")]
        self._count = 0

    def all(self) -> Iterator[Question]:
        """Questions of every category, as far as the history has something to ask about."""
        for each in (
            self._explain_file(),
            self._explain_noted(),
            self._missed_on_a_term(),
            self._missed_otherwise(),
            *self._active(),
            *self._empty(),
            self._prerequisite(),
            self._taught(),
        ):
            if each is not None:
                yield each

    def _explain_file(self) -> Question | None:
        """A term without a note, whose definition stands in the file (some glossaries were cut from theirs)."""
        noted = {note.term for note in self._history.notes}
        able = [name for name in self._defined if name not in noted]
        if not able:
            return None
        name = self._chance.choice(able)
        return self._ask("explain", "file", FILE, Gold(names=(name,), definition=self._defined[name]), name)

    def _explain_noted(self) -> Question:
        note = self._chance.choice(self._history.notes)
        gold = Gold(
            needed=(note.id,),
            least=1,
            apart=(note.replaced,) if note.replaced else (),
            names=(note.term,),
            definition=self._defined.get(note.term, ""),
        )
        return self._ask("explain", "noted", self._age([note.id]), gold, note.term)

    def _missed_on_a_term(self) -> Question | None:
        terms = sorted({event.term for event in self._missed if event.term})
        if not terms:
            return None
        term = self._chance.choice(terms)
        wrong = [event for event in self._missed if event.term == term]
        gold = self._missed_gold(wrong, [event for event in self._checks if event not in wrong], (term,))
        return self._ask("missed", "on a concept", self._age(gold.needed), gold, term)

    def _missed_otherwise(self) -> Question | None:
        """Overall, in a month, or today, in turn."""
        kind = ("overall", "month", "today")[self._history.seed % 3]
        wrong, slots = self._missed, {}
        if kind == "today":
            wrong = [event for event in wrong if event.day == TODAY]
        if kind == "month" or not wrong:
            kind = "month"
            month = self._chance.choice(sorted({event.day.replace(day=1) for event in self._missed}))
            wrong = [event for event in self._missed if event.day.replace(day=1) == month]
            slots["month"] = month_name(month, self._history.spoken, self._chance)
        days = {event.day for event in wrong}
        beside = () if kind == "overall" else tuple(e.id for e in self._history.events if not _inside(e, days, kind))
        right = [event for event in self._checks if event not in wrong]
        names = tuple(sorted({event.term for event in wrong if event.term}))
        gold = self._missed_gold(wrong, right, names, apart=beside)
        text = self._chance.choice(self._words[f"missed_{kind}"]).format(**slots)
        return self._question("missed", kind, text, self._age(gold.needed), gold)

    def _missed_gold(
        self, wrong: Sequence[Lived], others: Sequence[Lived], names: tuple[str, ...], apart: tuple[str, ...] = ()
    ) -> Gold:
        later = [event for event in self._checks if event.verdict == "right" and event.term in names]
        quotes = {str(event.line[key]) for event in wrong for key in ("reply", "text") if event.line.get(key)}
        return Gold(
            needed=tuple(event.id for event in wrong),
            least=min(LEAST, len(wrong)),
            complete=True,
            apart=apart,
            untold=tuple(event.id for event in others),
            names=names,
            quotes=tuple(sorted(quotes)),
            days=_days([*wrong, *later]),
        )

    def _active(self) -> Iterator[Question]:
        """One month of the last quarter, one older."""
        months = self._history.months
        recent = [month for month in months if month >= date(2026, 9, 1)]
        older = [month for month in months if month < date(2026, 9, 1)]
        for variant, some in (("recent", recent), ("older", older)):
            month = self._chance.choice(some)
            inside = [event for event in self._history.in_month(month) if not event.narration and not event.stale]
            said = " ".join(event.words for event in self._history.in_month(month) if not event.narration)
            known = {term.name for term in self._history.course.terms}
            own = {event.term for event in inside if event.term}
            there = own | set(named_in(said, self._known, self._history.course.language))
            there |= {name for name in known if one_name(name) in {one_name(other) for other in there}}
            gold = Gold(
                needed=tuple(event.id for event in inside),
                least=min(LEAST, len(inside)),
                apart=tuple(event.id for event in self._history.events if event.day.replace(day=1) != month),
                names=tuple(sorted(own)),
                every=True,
                wrong_names=tuple(sorted(known - there)),
                known=self._known,
                days=tuple(sorted({*_days(inside), FIRST})),
            )
            slot = month_name(month, self._history.spoken, self._chance)
            yield self._ask("active_month", variant, self._age(gold.needed), gold, slot)

    def _empty(self) -> Iterator[Question]:
        """Asked plainly, and as if there had been something."""
        history, chance = self._history, self._chance
        empty = history.empty_months
        arrival = FIRST.replace(day=1)
        plain = arrival if arrival in empty and history.seed % 2 else chance.choice(empty)
        term = chance.choice(history.terms).name
        known = tuple(name.name for name in history.course.terms)
        gold = Gold(apart=self._every, wrong_names=known, known=self._known, empty=True)
        variant = "only a file" if plain == arrival else "plain"
        last = min(TODAY, (plain + timedelta(days=31)).replace(day=1) - timedelta(days=1))
        yield self._ask("empty_month", variant, age_of(last), gold, month_name(plain, history.spoken, chance))
        other = chance.choice(empty)
        last = (other + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        text = chance.choice(self._words["presupposed"]).format(
            month=month_name(other, history.spoken, chance), concept=term
        )
        others = tuple(name for name in known if name != term)
        gold = Gold(apart=self._every, wrong_names=others, known=self._known, empty=True)
        yield self._question("empty_month", "presupposed", text, age_of(last), gold)

    def _prerequisite(self) -> Question | None:
        """A concept whose name can be typed, and what it builds on by the map."""
        links, known = self._links, {term.name.casefold() for term in self._history.course.terms}
        able = [name for name, needs in links.items() if needs and 4 <= len(name) <= 40]
        able = [name for name in able if name.casefold() in known] or able
        if not able:
            return None
        name = self._chance.choice(sorted(able))
        needed = {one_name(each) for each in links[name]}
        wrong = {each for each in above(name, links) if one_name(each) not in needed}
        gold = Gold(names=links[name], wrong_names=tuple(sorted(wrong)), known=self._known)
        return self._ask("prerequisite", "direct", FILE, gold, name)

    def _taught(self) -> Question:
        note = self._chance.choice(self._history.notes)
        replaced = (note.replaced,) if note.replaced else ()
        others = tuple(each.id for each in self._history.notes if each.id != note.id)
        gold = Gold(
            needed=(note.id,),
            least=1,
            complete=True,
            apart=replaced,
            untold=others,
            names=(note.term,),
            words=note.token,
            wrong_words=note.replaced_token or "",
        )
        return self._ask("taught", "replaced" if note.replaced else "first", self._age([note.id]), gold, note.term)

    def _age(self, needed: Sequence[str]) -> str:
        return age_of(min(event.day for event in self._history.events if event.id in set(needed)))

    def _ask(self, category: str, variant: str, age: str, gold: Gold, slot: str) -> Question:
        template = self._chance.choice(templates()[self._history.spoken, category])
        text = template.replace("{concept}", slot).replace("{month}", slot)
        return self._question(category, variant, text, age, gold)

    def _question(self, category: str, variant: str, text: str, age: str, gold: Gold) -> Question:
        history = self._history
        self._count += 1
        id = f"{history.id}-q{self._count:02d}"
        return Question(id, history.id, category, variant, history.spoken, text, age, gold)


def _days(events: Sequence[Lived]) -> tuple[date, ...]:
    return tuple(sorted({event.day for event in events}))


def _inside(event: Lived, days: set[date], kind: str) -> bool:
    if kind == "today":
        return event.day == TODAY
    return event.day.replace(day=1) in {day.replace(day=1) for day in days}
