"""How long a turn's read path takes as one: embedding, understanding, passages, recall and brief.

``python tests/benchmark/brief_speed.py [--episodes 10000] [--questions 60] [--keep FOLDER]`` reads the shipped course,
imports a seeded record made of its sentences, gives every episode its real vector, and prints p50 and p95 in
milliseconds of the whole read path, with the embedding and without. No chat model. Needs the installed embedder.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from datetime import datetime, timedelta
from importlib import resources
from pathlib import Path

from app.clock import Clock
from app.demo import COURSE, SUBJECT
from app.folders import open_folders
from app.wiring import House, open_house

NOW = "2026-11-05T18:00:00+01:00"
WORDED = (
    "What is {}?",
    "Qu'est-ce que j'ai raté sur {} ?",
    "¿Qué vimos en mayo sobre {}?",
    "Remind me what you said about {}",
    "What did I get wrong in March?",
    "How does {} work, and why does it matter for {}?",
    "ماذا درسنا في يوليو؟",
    "Pourquoi {} dépend de {} ?",
)


def record(house: House, size: int) -> list[str]:
    """Events made of the course's own sentences, laid over ten months; a check in every five."""
    chance = random.Random(size)
    subject = house.subject(SUBJECT, create=True)
    concepts = [concept.name for concept in house.memory.map.concepts(subject.id)]
    texts = [concept.summary for concept in house.memory.map.concepts(subject.id) if concept.summary]
    first = datetime.fromisoformat("2026-01-05T17:00:00+01:00")
    lines = []
    for number in range(size):
        concept = chance.choice(concepts)
        event = {
            "at": (first + timedelta(minutes=430_000 * number / size)).isoformat(),
            "external_id": f"e{number}",
            "language": "en",
            "kind": ("question", "answer", "question", "answer", "check")[number % 5],
            "text": f"{concept}, case {number}: {chance.choice(texts)} {chance.choice(texts)}",
        }
        if number % 5 == 4:
            event |= {"concept": concept, "verdict": chance.choice(("right", "wrong", "partly")), "reply": "…"}
        lines.append(json.dumps(event, ensure_ascii=False))
    return lines


def build(house: House, size: int) -> None:
    """Course, record and vectors, unless they are there."""
    subject = house.subject(SUBJECT, create=True)
    if house.memory.ledger.count(subject.id) < size:
        with resources.as_file(resources.files("resources").joinpath("sample", COURSE)) as course:
            house.reader.read(subject.id, course)
        done = house.memory.importer.run(record(house, size), default=subject, now=house.clock.now())
        assert done.imported == size, done.errors[:3]
    house.engines.catch_up()


def timed(house: House, questions: int) -> dict[str, list[float]]:
    """Milliseconds of each part of each read path, and of the whole."""
    chance = random.Random(7)
    subject = house.subject(SUBJECT)
    names = [concept.name for concept in house.memory.map.concepts(subject.id)]
    taken: dict[str, list[float]] = {"embedding": [], "brief": [], "whole": []}
    for number in range(questions + 3):
        text = WORDED[number % len(WORDED)].format(*chance.choices(names, k=2))
        began = time.perf_counter()
        reading = house.reads.understand(subject.id, text, house.clock.now())
        reading = house.reads.read(subject.id, text, reading, house.clock.now())
        whole = 1000 * (time.perf_counter() - began)
        assert reading.brief.text, text
        if number >= 3:
            taken["embedding"].append(reading.timings["embed_ms"])
            taken["brief"].append(whole - reading.timings["embed_ms"])
            taken["whole"].append(whole)
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--keep", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folders = open_folders((chosen.keep or Path(scratch)) / f"brief-{chosen.episodes}")
        house = open_house(folders, Clock(NOW))
        assert house.engines.embedder() is not None, "no embedder is installed"
        build(house, chosen.episodes)
        for part, values in timed(house, chosen.questions).items():
            p95 = statistics.quantiles(values, n=20)[18]
            print(f"{part}: p50 {statistics.median(values):.1f} ms, p95 {p95:.1f} ms, n {len(values)}", flush=True)
        house.close()


if __name__ == "__main__":
    main()
