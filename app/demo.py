"""The shipped demo: a course is read, six months of a student's life are replayed with their nights, then it asks.

Nothing is scripted but the questions: the answers come from the same turn as everywhere else, and each is checked
against the record it should have come from.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from app.clock import Clock
from app.folders import Folders
from app.schedule import run_night
from app.turn_events import Finished, Plan, TurnResult
from app.wiring import House, open_house
from memory.events import Event, parse_line
from memory.moments import Moment

SUBJECT = "Biology"
COURSE = "plasma_membranes.pdf"
BEGINS = "2026-05-04T17:00:00+02:00"
TODAY = "2026-11-05T18:00:00+01:00"
TOMORROW = "2026-11-06T17:30:00+01:00"

Check = Callable[[House, TurnResult], bool]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of the demo and what makes its answer right."""

    name: str
    text: str
    plan: Plan
    holds: Check


@dataclass(frozen=True, slots=True)
class Step:
    """One step that was taken: what was said, by whom, from what, and whether it was right."""

    name: str
    ok: bool
    seconds: float
    question: str = ""
    result: TurnResult | None = None
    note: str = ""


def _explains(house: House, result: TurnResult) -> bool:
    """Answered from the course: at least one claim is tied to a page; without a model, passages are quoted."""
    return bool(result.text.strip()) and (any(link.page for link in result.citations) or house.engines.chat() is None)


def _missed(house: House, result: TurnResult) -> bool:
    """Exactly the checks of the record that were not right, told by their own ids."""
    expected = {event.external_id for event in _events() if event.verdict in ("wrong", "partly")}
    told = {ref.external_id for ref in result.memories}
    return told >= expected and all(ref.kind == "check" for ref in result.memories if ref.external_id in expected)


def _july(house: House, result: TurnResult) -> bool:
    """Everything told happened in July, and something is told."""
    days = [ref.at.day for ref in result.memories]
    return bool(days) and all((day.year, day.month) == (2026, 7) for day in days)


def _empty(house: House, result: TurnResult) -> bool:
    """No session is described: the answer stands on no episode at all."""
    return not result.memories and not any(link.episode for link in result.citations)


def _prerequisites(house: House, result: TurnResult) -> bool:
    """What the map says the concept builds on is in the answer."""
    subject = house.memory.subjects.find(SUBJECT).id
    concept = house.memory.map.find(subject, "osmosis", "en")
    if concept is None:
        return False
    needed = house.memory.map.prerequisites(subject, concept.id)
    return bool(needed) and all(each.name.casefold() in result.text.casefold() for each in needed)


def _taught(house: House, result: TurnResult) -> bool:
    """The notes of the record, and nothing else."""
    return {ref.external_id for ref in result.memories} == {e.external_id for e in _events() if e.kind == "taught"}


def _yesterday(house: House, result: TurnResult) -> bool:
    """After closing and opening again, yesterday's questions are there."""
    return bool(result.memories) and all(ref.at.day.isoformat() == TODAY[:10] for ref in result.memories)


QUESTIONS = (
    Asked("explanation", "What is osmosis?", Plan.ANSWER, _explains),
    Asked("missed", "Qu'est-ce que j'ai raté jusqu'ici ?", Plan.LEDGER, _missed),
    Asked("july", "¿Qué vimos en julio?", Plan.LEDGER, _july),
    Asked("empty month", "ماذا درسنا في أغسطس؟", Plan.LEDGER, _empty),
    Asked("empty month, presupposed", "Remind me what you told me in August about osmosis", Plan.LEDGER, _empty),
    Asked("prerequisite", "Que dois-je savoir avant osmosis ?", Plan.MAP, _prerequisites),
    Asked("taught", "What have I taught you?", Plan.LEDGER, _taught),
)
NEXT_DAY = Asked("the day after", "what did we do yesterday?", Plan.LEDGER, _yesterday)


class Demo:
    """Plays the demo in a folder of its own."""

    def __init__(self, folders: Folders, shoot: Callable[[House, Path], list[Path]] | None, shots: Path) -> None:
        """``shoot`` photographs every panel of the window into ``shots``; None where no window can be made."""
        self._folders = folders
        self._shoot = shoot
        self._shots = shots

    def run(self) -> Iterator[Step]:
        """The steps as they are taken."""
        house = open_house(self._folders, Clock(BEGINS))
        try:
            yield self._read(house)
            yield self._live(house)
            for asked in QUESTIONS:
                yield self._ask(house, asked)
        finally:
            house.close()
        house = open_house(self._folders, Clock(TOMORROW))
        try:
            yield self._ask(house, NEXT_DAY)
            yield self._verify(house)
            if self._shoot is not None:
                yield self._photograph(house, self._shoot)
        finally:
            house.close()

    def _read(self, house: House) -> Step:
        began = time.perf_counter()
        course = self._folders.data / COURSE
        with resources.as_file(resources.files("resources").joinpath("sample", COURSE)) as shipped:
            shutil.copyfile(shipped, course)
        subject = house.subject(SUBJECT, create=True)
        read = house.reader.read(subject.id, course)
        if house.engines.embedder() is not None:
            house.engines.catch_up()
        note = f"{COURSE}: {read.pages} pages, {read.concepts} concepts"
        return Step("read", read.fault is None and read.concepts > 0, _since(began), note=note)

    def _live(self, house: House) -> Step:
        """Six months, month by month: events arrive, and every night that has something to condense runs."""
        began = time.perf_counter()
        subject = house.memory.subjects.find(SUBJECT)
        months: dict[str, list[str]] = {}
        for line in _lines():
            months.setdefault(parse_line(line).moment.day.isoformat()[:7], []).append(line)
        imported = condensed = 0
        for _, lines in sorted(months.items()):
            last = max(parse_line(line).moment.at for line in lines)
            house.clock.set(Moment(last + 6 * 3_600_000_000, 60, ""))
            imported += house.memory.importer.run(lines, default=subject, now=house.clock.now()).imported
            house.clock.set(Moment(last + 30 * 3_600_000_000, 60, ""))
            condensed += run_night(house, subject).consolidated
        house.clock.set(Clock(TODAY).now())
        run_night(house, subject)
        if house.engines.embedder() is not None:
            house.engines.catch_up()
        note = f"{imported} events, {condensed} days condensed"
        return Step("six months", imported == len(_lines()) and condensed > 0, _since(began), note=note)

    def _ask(self, house: House, asked: Asked) -> Step:
        began = time.perf_counter()
        subject = house.memory.subjects.find(SUBJECT)
        result = None
        for event in house.tutor.turn(subject.id, asked.text):
            if isinstance(event, Finished):
                result = event.result
        ok = result is not None and result.plan is asked.plan and asked.holds(house, result)
        return Step(asked.name, ok, _since(began), asked.text, result)

    def _verify(self, house: House) -> Step:
        began = time.perf_counter()
        chains = house.memory.verification.chains()
        ok = all(state.ok for state in chains) and not house.memory.verification.database()
        note = ", ".join(f"{state.name}: {state.episodes} episodes" for state in chains)
        return Step("verify", ok, _since(began), note=note)

    def _photograph(self, house: House, shoot: Callable[[House, Path], list[Path]]) -> Step:
        began = time.perf_counter()
        self._shots.mkdir(parents=True, exist_ok=True)
        pictures = shoot(house, self._shots)
        return Step("pictures", bool(pictures), _since(began), note=f"{len(pictures)} in {self._shots}")


def document(steps: list[Step], shape: Callable[[TurnResult], dict[str, Any]]) -> dict[str, Any]:
    """The demo as one JSON document."""
    return {
        "steps": [
            {
                "name": step.name,
                "ok": step.ok,
                "seconds": step.seconds,
                "question": step.question,
                "note": step.note,
                "turn": shape(step.result) if step.result else None,
            }
            for step in steps
        ],
        "ok": all(step.ok for step in steps),
    }


def _lines() -> list[str]:
    return resources.files("resources").joinpath("sample", "six_months.jsonl").read_text("utf-8").splitlines()


def _events() -> list[Event]:
    return [parse_line(line) for line in _lines()]


def _since(began: float) -> float:
    return round(time.perf_counter() - began, 2)
