"""How fast the ledger is: verifying, importing, appending, and opening a long record.

    python tests/benchmark/ledger_speed.py [--episodes 1000000] [--folder DIR]

A long record is built once in DIR (episodes of made-up words, seeded, appended as always) and used again next time.
``hash part`` recomputes digests and links of rows already read; ``end to end`` reads them from the file as well. Rates
are given by the wall clock and by processor time, which other work on the machine disturbs less. What is imported are
the shipped six months, over and over, with other numbers in the texts.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from app.clock import Clock
from app.folders import Folders
from app.ids import Ids
from app.wiring import open_memory
from memory import chain
from memory.episodes import Content, Draft, EpisodeId, Kind, Meta, Origin, SubjectId, Verdict
from memory.ledger import Ledger
from memory.moments import Moment
from memory.store import Store
from memory.subjects import Subjects
from memory.verification import Verification, verify_rows

SUBJECT = SubjectId("speed")
BEGIN = Moment.parse("2021-09-01T08:00:00+02:00").at
MINUTES = 60_000_000
HASHED = 200_000


def words(seed: int) -> list[str]:
    chosen = random.Random(seed)
    return ["".join(chosen.choices("abcdefghilmnoprstu", k=chosen.randint(3, 10))) for _ in range(20_000)]


def drafts(count: int, seed: int = 7) -> Iterator[Draft]:
    """A life of questions, answers and checks, two minutes apart."""
    chosen, known, ids = random.Random(seed), words(seed), Ids()
    for number in range(count):
        kind = (Kind.QUESTION, Kind.ANSWER, Kind.QUESTION, Kind.ANSWER, Kind.CHECK)[number % 5]
        text = " ".join(known[int(chosen.paretovariate(0.3)) % len(known)] for _ in range(chosen.randint(4, 30)))
        verdict = chosen.choice([*Verdict]) if kind is Kind.CHECK else None
        moment = Moment(BEGIN + number * 2 * MINUTES, 120, "Europe/Paris")
        content = Content(text, reply=text[:20] if kind is Kind.CHECK else None)
        origin = Origin.TUTOR if kind is Kind.ANSWER else Origin.TYPED
        meta = Meta(language="en", verdict=verdict)
        yield Draft(EpisodeId(ids()), SUBJECT, kind, origin, moment, moment.at, content, meta)


def build(data: Path, episodes: int) -> None:
    """The long record, in one file."""
    store = Store(data / "memory.db")
    Subjects(store).add(SUBJECT, "Speed", 1)
    ledger = Ledger(store, lambda: os.urandom(16))
    batch: list[tuple[Draft, tuple[()]]] = []
    began = time.perf_counter()
    for number, draft in enumerate(drafts(episodes), 1):
        batch.append((draft, ()))
        if len(batch) == 5_000 or number == episodes:
            ledger.append_many(batch)
            batch.clear()
            if number % 100_000 == 0:
                print(f"  built {number:,} in {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    store.close()


class Watch:
    """What passed by the wall clock and in processor time, as rates of ``count`` things."""

    def __init__(self) -> None:
        self._began = time.perf_counter(), time.process_time()

    def rates(self, name: str, count: int) -> dict[str, Any]:
        wall, processor = time.perf_counter() - self._began[0], time.process_time() - self._began[1]
        return {f"{name}, wall": round(count / wall), f"{name}, processor": round(count / processor)}


def verifying(data: Path) -> dict[str, Any]:
    store = Store(data / "memory.db")
    rows = (
        store.reader()
        .execute(
            "SELECT e.seq, e.prev, e.id, e.kind, e.origin, e.at, e.recorded_at, e.offset, e.zone, e.meta, e.digest,"
            " e.hash, e.salience, c.salt, c.body FROM episodes e JOIN contents c ON c.episode = e.row"
            " WHERE e.subject = ? AND e.seq <= ? ORDER BY e.seq",
            (SUBJECT, HASHED),
        )
        .fetchall()
    )
    watch = Watch()
    _, broken = verify_rows(rows, 0, chain.genesis(SUBJECT), set())
    found = watch.rates("verify, hash part, episodes/s", len(rows))
    assert broken is None
    del rows
    watch = Watch()
    (state,) = Verification(store).chains()
    found |= watch.rates("verify, end to end, episodes/s", state.episodes)
    began = time.perf_counter()
    assert Verification(store).chains(newest=1000)[0].ok
    found["last 1,000 at start, ms"] = round(1000 * (time.perf_counter() - began), 1)
    assert state.ok
    store.close()
    return found


def importing(events: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        memory = open_memory(Folders(Path(folder), Path(folder)), Clock("2026-11-05T18:00:00+01:00"), Ids())
        subject = memory.subjects.add(SUBJECT, "Speed", 1)
        shipped = resources.files("resources").joinpath("sample", "six_months.jsonl").read_text("utf-8").splitlines()
        lines = []
        for number in range(events):
            event = json.loads(shipped[number % len(shipped)])
            lines.append(json.dumps({**event, "text": f"{event['text']} {number}", "external_id": str(number)}))
        watch = Watch()
        done = memory.importer.run(lines, default=subject, now=Moment.parse("2026-11-05T18:00:00+01:00"))
        found = watch.rates("import, events/s", events)
        assert done.imported == events
        memory.store.close()
    return found


def appending(data: Path, count: int) -> dict[str, Any]:
    """Single durable appends at the end of the long record."""
    store = Store(data / "memory.db")
    ledger = Ledger(store, lambda: os.urandom(16))
    times = []
    for draft in drafts(count, seed=int(time.time())):
        began = time.perf_counter()
        ledger.append(draft)
        times.append(1000 * (time.perf_counter() - began))
    store.close()
    times.sort()
    return {f"append, p{share}, ms": round(times[count * share // 100], 2) for share in (50, 95, 99)}


_OPEN = """
import sys, time
from pathlib import Path
from app.clock import Clock
from app.folders import open_folders
from app.wiring import open_house
began = time.perf_counter()
house = open_house(open_folders(Path(sys.argv[1])), Clock(None))
head = house.memory.ledger.head(house.memory.subjects.all()[0].id)
print(time.perf_counter() - began)
assert head.seq > 0
house.close()
"""


def opening(data: Path, times: int = 7) -> dict[str, Any]:
    """A fresh process opens everything and reads the head; the file is put out of the system's cache each time."""
    taken = []
    for _ in range(times):
        if hasattr(os, "posix_fadvise"):
            descriptor = os.open(data / "memory.db", os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)
        done = subprocess.run([sys.executable, "-c", _OPEN, data], capture_output=True, text=True, check=True)
        taken.append(float(done.stdout))
    return {"open, median, ms": round(1000 * sorted(taken)[times // 2]), "open, worst, ms": round(1000 * max(taken))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "retiens-ledger-speed")
    arguments = parser.parse_args()
    data = arguments.folder / str(arguments.episodes)
    if not (data / "built").exists():
        build(data, arguments.episodes)
        (data / "built").touch()
    found: dict[str, Any] = {"episodes": arguments.episodes, "file, MB": (data / "memory.db").stat().st_size // 10**6}
    for part in (opening(data), verifying(data), importing(10_000), appending(data, 2_000)):
        found |= part
    for name, value in found.items():
        print(f"{name:<40} {value:>12,}")


if __name__ == "__main__":
    main()
