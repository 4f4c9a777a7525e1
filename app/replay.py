"""Replay: the brain made anew from the ledger in a copy, and questioned there; the original is only read.

It answers "would the tutor still know?": everything derived is thrown away in the copy and rebuilt from the record,
then questions go through the same turn as everywhere else.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from importlib import resources
from pathlib import Path

from babel.dates import format_date

from app.clock import Clock
from app.turn_events import Finished, TurnResult
from app.wiring import House, open_house
from memory.belief_rules import Belief
from memory.episodes import Episode, Kind, SubjectId
from memory.rebuilding import rebuild

_LIVED = (Kind.QUESTION, Kind.CHECK, Kind.QUIZ, Kind.TAUGHT)


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the rebuilt brain answered, what it holds, and what it no longer holds (beliefs, by their old ids)."""

    turns: tuple[tuple[str, TurnResult], ...]
    beliefs: tuple[Belief, ...]
    dropped: tuple[Belief, ...]


@contextmanager
def isolated(house: House, now: str | None, zone: str) -> Iterator[House]:
    """A house over a copy of this one's record, in a folder that is gone afterwards. Models are shared."""
    with tempfile.TemporaryDirectory(prefix="retiens-replay-") as folder:
        folders = replace(house.folders, data=Path(folder))
        house.memory.store.copy_to(folders.database)
        if house.folders.settings.exists():
            folders.settings.write_bytes(house.folders.settings.read_bytes())
        copy = open_house(folders, Clock(now, zone))
        try:
            yield copy
        finally:
            copy.close()


def replay(copy: House, subject: SubjectId, questions: Sequence[str] | None, language: str) -> Replayed:
    """Rebuild ``copy`` from its ledger and ask it; without questions, three shaped like the student's own."""
    held = copy.memory.beliefs.current(subject)
    rebuild(copy.memory, copy.ids, copy.clock.now())
    if copy.engines.embedder() is not None:
        copy.engines.catch_up()
    beliefs = copy.memory.beliefs.current(subject)
    kept = {(belief.concept, belief.claim) for belief in beliefs}
    dropped = [belief for belief in held if (belief.concept, belief.claim) not in kept]
    asked = list(questions) if questions is not None else own_questions(copy, subject, language)
    turns: list[tuple[str, TurnResult]] = []
    for text in asked:
        events = copy.tutor.turn(subject, text, language=language)
        turns += [(text, event.result) for event in events if isinstance(event, Finished)]
    return Replayed(tuple(turns), tuple(beliefs), tuple(dropped))


def own_questions(house: House, subject: SubjectId, language: str) -> list[str]:
    """What was missed; what was covered in the most active month; the concept that was checked most, explained.

    In the language the student writes most; ``language`` where the record does not tell.
    """
    episodes = house.memory.ledger.find(subject, kinds=_LIVED)
    language = spoken_most(episodes) or language
    phrases = _phrases(language)
    questions = [phrases["missed"]]
    month = _busiest_month(episodes)
    if month is not None:
        questions.append(phrases["covered"].format(month=format_date(month, "LLLL y", locale=language)))
    concept = _most_checked(house, subject, episodes)
    if concept is not None:
        questions.append(phrases["explain"].format(concept=concept))
    return questions


def spoken_most(episodes: Sequence[Episode]) -> str | None:
    """The language of most questions."""
    counted = Counter(each.meta.language for each in episodes if each.kind is Kind.QUESTION and each.meta.language)
    return counted.most_common(1)[0][0] if counted else None


def _busiest_month(episodes: Sequence[Episode]) -> date | None:
    counted = Counter(each.moment.day.replace(day=1) for each in episodes)
    return max(counted, key=lambda month: (counted[month], month), default=None)


def _most_checked(house: House, subject: SubjectId, episodes: Sequence[Episode]) -> str | None:
    """The name of the concept with most checks; where none is tied to a concept, the topic written most often."""
    checks = [each for each in episodes if each.kind is Kind.CHECK] or list(episodes)
    touched = house.memory.ledger.concepts_of([each.row for each in checks])
    counted = Counter(concept for concepts in touched.values() for concept in concepts)
    names = {concept.id: concept.name for concept in house.memory.map.concepts(subject)}
    named = next((names[concept] for concept, _ in counted.most_common() if concept in names), None)
    topics = Counter(each.content.topic for each in checks if each.content is not None and each.content.topic)
    return named or next((topic for topic, _ in topics.most_common(1)), None)


def _phrases(language: str) -> dict[str, str]:
    """The questions of a language, English where it has none."""
    every: dict[str, dict[str, str]] = tomllib.loads(
        resources.files("resources").joinpath("replay.toml").read_text("utf-8")
    )
    return every.get(language, every["en"])
