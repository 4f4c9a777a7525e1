"""How long the read path takes: recall and the brief, on seeded synthetic histories.

``python tests/benchmark/recall_speed.py [--sizes 1000 10000 100000] [--questions 60] [--json FILE] [--keep FOLDER]``
prints p50 and p95 in milliseconds by size, without vectors and with them (synthetic, clustered like a course; the
embedding itself is not in the figures): by the wall clock, and in processor time, which other work on the machine
disturbs less. Half of the questions name a concept, a quarter ask about a month, a quarter
only use words.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memory.brief import BeliefLine, Briefs, MapLine, MapShare
from memory.episodes import ConceptId, Content, Draft, EpisodeId, Kind, Meta, Origin, SubjectId, Verdict
from memory.ledger import Ledger
from memory.moments import MICROSECONDS_PER_DAY, Moment
from memory.recall import Recall
from memory.routing import NameRow, Names
from memory.store import Store, open_store
from memory.subjects import Subjects
from memory.understanding import understand
from memory.vectors import Space, Vector, Vectors

SUBJECT = SubjectId("bench")
SPACE = Space("synthetic", 384, 0.35)
NOW = Moment.parse("2026-12-01T18:00:00+01:00")
CONCEPTS = 60
WORDS = 6000
KINDS = (Kind.QUESTION, Kind.ANSWER, Kind.QUESTION, Kind.ANSWER, Kind.CHECK)
AT_ONCE = 5000


@dataclass(frozen=True, slots=True)
class Course:
    """A made-up course: words with Zipf's frequencies, concept names, and a direction in space for each concept."""

    words: list[str]
    weights: list[float]
    names: list[str]
    centres: npt.NDArray[np.float32]
    mean: npt.NDArray[np.float32]

    @classmethod
    def seeded(cls, seed: int) -> Course:
        chance, space = random.Random(seed), np.random.default_rng(seed)
        words = ["".join(chance.choices("abcdefghilmnoprstuv", k=chance.randint(4, 9))) for _ in range(WORDS)]
        names = [f"{word}ose" for word in words[100 : 100 + CONCEPTS]]
        centres = space.normal(size=(CONCEPTS, SPACE.dimension)).astype(np.float32)
        mean = 3 * space.normal(size=SPACE.dimension).astype(np.float32)
        return cls(words, [1 / (place + 8) for place in range(WORDS)], names, centres, mean)

    def vector(self, concept: int, space: np.random.Generator) -> Vector:
        raw = self.mean + self.centres[concept] + space.normal(size=SPACE.dimension).astype(np.float32)
        unit: Vector = (raw / np.linalg.norm(raw)).astype(np.float32)
        return unit


def drafts(course: Course, size: int) -> Iterator[tuple[Draft, list[tuple[ConceptId, str]]]]:
    """Episodes laid over three years, oldest first."""
    chance = random.Random(size)
    start = NOW.at - 3 * 365 * MICROSECONDS_PER_DAY
    for place in range(size):
        concept, kind = chance.randrange(CONCEPTS), KINDS[place % len(KINDS)]
        words = chance.choices(course.words, course.weights, k=6 if kind is Kind.QUESTION else 24)
        text = " ".join([*words, course.names[concept]]) + ("?" if kind is Kind.QUESTION else ".")
        verdict = chance.choice(list(Verdict)) if kind is Kind.CHECK else None
        moment = Moment(start + place * (NOW.at - start) // size, 60)
        draft = Draft(
            id=EpisodeId(f"e{place:08d}"),
            subject=SUBJECT,
            kind=kind,
            origin=Origin.TUTOR if kind is Kind.ANSWER else Origin.TYPED,
            moment=moment,
            recorded_at=moment.at,
            content=Content(text),
            meta=Meta(language="en", verdict=verdict),
        )
        yield draft, [(ConceptId(f"c{concept}"), "exact")]


def build(store: Store, course: Course, size: int) -> Vectors:
    """Fill the store; returns its vectors, in use."""
    Subjects(store).add(SUBJECT, "bench", 1)
    ledger, vectors, space = Ledger(store, lambda: bytes(16)), Vectors(store), np.random.default_rng(size)
    vectors.use(SPACE)
    waiting: list[tuple[Draft, list[tuple[ConceptId, str]]]] = []
    for item in drafts(course, size):
        waiting.append(item)
        if len(waiting) == AT_ONCE:
            write(ledger, vectors, course, space, waiting)
            waiting = []
    write(ledger, vectors, course, space, waiting)
    return vectors


def write(
    ledger: Ledger,
    vectors: Vectors,
    course: Course,
    space: np.random.Generator,
    waiting: list[tuple[Draft, list[tuple[ConceptId, str]]]],
) -> None:
    if waiting:
        episodes = ledger.append_many(waiting)
        rows = np.stack([course.vector(int(touches[0][0][1:]), space) for _, touches in waiting])
        vectors.put_many("episode", [episode.row for episode in episodes], SPACE.model, rows)


def ask(store: Store, vectors: Vectors, course: Course, questions: int, *, embedded: bool) -> list[tuple[float, float]]:
    """Milliseconds (wall, processor) of each read path: understand, recall, brief."""
    chance, space = random.Random(7), np.random.default_rng(7)
    recall = Recall(store, Ledger(store, lambda: bytes(16)), vectors, time.perf_counter)
    briefs, names = Briefs(store), Names(NameRow(f"c{i}", name) for i, name in enumerate(course.names))
    beliefs = [BeliefLine(f"b{i}", course.names[i], "unsure", 0.5, NOW) for i in range(8)]
    concepts = [MapLine(f"c{i}", course.names[i], "one sentence about it", (course.names[i + 1],)) for i in range(6)]
    taken: list[tuple[float, float]] = []
    for number in range(questions + 3):
        concept = chance.randrange(CONCEPTS)
        words = " ".join(chance.choices(course.words, course.weights, k=5))
        text = (
            f"explain {course.names[concept]} and {words}",
            f"what did I get wrong on {course.names[concept]} so far?",
            "what did we study in July?",
            f"why {words}?",
        )[number % 4]
        vector = course.vector(concept, space) if embedded else None
        started, worked = time.perf_counter(), time.thread_time()
        understood = understand(text, NOW, names)
        recalled = recall.for_message(SUBJECT, text, understood, vector, NOW)
        briefs.build(
            SUBJECT,
            kind=understood.kind,
            language=understood.language,
            now=NOW,
            recalled=recalled,
            budget=600,
            beliefs=beliefs,
            concepts=concepts,
            share=MapShare(CONCEPTS, 0.8),
        )
        taken.append((1000 * (time.perf_counter() - started), 1000 * (time.thread_time() - worked)))
    return taken[3:]


def p95(values: list[float]) -> float:
    return sorted(values)[max(0, int(0.95 * len(values)) - 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--keep", type=Path)
    chosen = parser.parse_args()
    figures: list[dict[str, float | int | str]] = []
    course = Course.seeded(1)
    for size in chosen.sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = (chosen.keep or Path(folder)) / f"bench-{size}.db"
            fresh = not path.exists()
            store = open_store(path)
            started = time.perf_counter()
            vectors = build(store, course, size) if fresh else Vectors(store)
            vectors.use(SPACE)
            built = time.perf_counter() - started
            for embedded in (False, True):
                taken = ask(store, vectors, course, chosen.questions, embedded=embedded)
                wall, worked = [pair[0] for pair in taken], [pair[1] for pair in taken]
                row: dict[str, float | int | str] = {
                    "episodes": size,
                    "vectors": "with" if embedded else "without",
                    "p50_ms": round(statistics.median(wall), 1),
                    "p95_ms": round(p95(wall), 1),
                    "cpu_p50_ms": round(statistics.median(worked), 1),
                    "cpu_p95_ms": round(p95(worked), 1),
                    "built_s": round(built, 1),
                    "bytes_an_episode": path.stat().st_size // size,
                }
                figures.append(row)
                print(row, flush=True)
            store.close()
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
