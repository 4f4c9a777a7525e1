"""How long the map takes: merging a file of 60 concepts into a long log, refreshing, and searching passages.

``python tests/benchmark/map_speed.py [--episodes 10000] [--passages 2000] [--json FILE]`` prints milliseconds, on a
made-up course with Zipf's word frequencies. Vectors are left out: words alone are measured.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from memory.concepts import SubjectMap
from memory.episodes import Content, Draft, EpisodeId, Kind, Meta, Origin, SubjectId
from memory.files import FileId, Files
from memory.ledger import Ledger
from memory.moments import Moment
from memory.passages import Passages
from memory.readings import FoundConcept, FoundEdge, PageText, Quote, Reading
from memory.store import Store
from memory.subjects import Subjects
from memory.vectors import Vectors

SUBJECT = SubjectId("bench")
CONCEPTS = 60
WORDS = 6000
LINES_A_PAGE = 30
WORDS_A_LINE = 12


class Course:
    """Made-up words with Zipf's frequencies; every tenth text holds the name of a concept."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.words = [
            "".join(self.chance.choices("abcdefghilmnoprstuv", k=self.chance.randint(4, 9))) for _ in range(WORDS)
        ]
        self.weights = [1 / rank for rank in range(1, WORDS + 1)]
        self.names = [f"{one}ose {two}" for one, two in itertools.pairwise(self.words[200 : 201 + CONCEPTS])]

    def text(self, words: int) -> str:
        """Words, and sometimes a name among them."""
        said = self.chance.choices(self.words, self.weights, k=words)
        return " ".join([*said, self.chance.choice(self.names)] if self.chance.random() < 0.1 else said)

    def reading(self) -> Reading:
        """All the concepts, each building on two others and assuming a name of its own."""
        return Reading(
            "en",
            tuple(
                FoundConcept(
                    name,
                    "en",
                    Quote(f"{name} is {self.text(12)}.", 1, 1, 1),
                    pages=(1,),
                    builds_on=tuple(FoundEdge(each, 0.5, "order") for each in self.chance.sample(self.names, 2)),
                    assumed=(self.text(1).split()[0],),
                )
                for name in self.names
            ),
        )


def main() -> None:
    """Build, measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--episodes", type=int, default=10_000)
    arguments.add_argument("--passages", type=int, default=2_000)
    arguments.add_argument("--json", type=Path)
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measured = measure(Path(folder) / "memory.db", asked.episodes, asked.passages)
    for name, value in measured.items():
        print(f"{name:28} {value:10.2f}")
    if asked.json:
        asked.json.write_text(json.dumps(measured, indent=1))


def measure(path: Path, episodes: int, passages: int) -> dict[str, float]:
    """Milliseconds by what was done."""
    store, course = Store(path), Course(seed=7)
    Subjects(store).add(SUBJECT, "Course", 1)
    files, shelf, map = Files(store), Passages(store, Vectors(store)), SubjectMap(store)
    ledger = Ledger(store, lambda: bytes(16))
    ids = (f"c{number}" for number in itertools.count())
    file = files.add(SUBJECT, "/course.md", "course.md", id=FileId("f"), now=1).file
    version = files.begin_version(file.id, sha256="0", bytes=1, format="md", pages=1, now=1).id
    stored, page = 0, 0
    began = time.perf_counter()
    while stored < passages:
        page += 1
        lines = tuple(course.text(WORDS_A_LINE) for _ in range(LINES_A_PAGE))
        stored += len(shelf.add_page(SUBJECT, version, PageText(page, lines, language="en")))
    found = {"add a page": (time.perf_counter() - began) * 1000 / page}
    for start in range(0, episodes, 1000):
        numbers = range(start, min(start + 1000, episodes))
        ledger.append_many([(draft(number, course.text(25)), ()) for number in numbers])
    searches = [timed(lambda: shelf.search(SUBJECT, course.text(8), "en")) for _ in range(60)]
    found["search, median"] = statistics.median(searches)
    found["search, p95"] = statistics.quantiles(searches, n=20)[-1]
    reading = course.reading()
    found["merge 60 concepts"] = timed(lambda: map.merge(SUBJECT, version, reading, ids=ids.__next__, now=1))
    found["merge them again"] = timed(lambda: map.merge(SUBJECT, version, reading, ids=ids.__next__, now=1))
    found["refresh"] = timed(lambda: map.refresh(SUBJECT))
    found["rebuild all touches"] = timed(lambda: map.rebuild(SUBJECT))
    found["all concepts"] = timed(lambda: map.concepts(SUBJECT))
    found["teaching order"] = timed(lambda: map.order(SUBJECT))
    store.close()
    return found


def draft(number: int, text: str) -> Draft:
    """A question of the made-up student."""
    moment = Moment((number + 1) * 1_000_000)
    meta = Meta(language="en")
    return Draft(EpisodeId(f"e{number}"), SUBJECT, Kind.QUESTION, Origin.TYPED, moment, moment.at, Content(text), meta)


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that a piece of work takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
