"""Makes a frozen database of each released schema, as a program of that schema would have left it.

    .venv/bin/python tests/data/schemas/build.py [NUMBER …]

One student's record is lived through the command line: every kind of episode, a file that was read, vectors, beliefs, a
redaction, a night. For each schema number a fresh file is made by the scripts up to that number, and every row of
every table that existed then is copied into it, the tables behind the full-text indexes included. A file that is there
is never made again: it is frozen, and what it holds is what every later program must still find in it. Where there are
earlier ones, a new one is the same record, migrated: give it rows for the tables that the schema brought.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from pathlib import Path

import apsw
import numpy as np

from app.__main__ import main
from app.clock import Clock
from app.engines import Engines
from app.folders import Folders
from app.ids import Ids
from app.wiring import open_memory
from memory import migrating
from memory.migrating import migrate, scripts
from memory.opening import sqlite_vec_into
from memory.vectors import Space, Vectors

HERE = Path(__file__).parent
_MAP = 3
"""The schema number that brought concepts."""
_WITHOUT_A_MAP = {
    "episode_concepts": "WHERE 0",
    "vectors": "WHERE kind <> 'concept'",
    "vector_models": "WHERE kind <> 'concept'",
    "vector_bits": "WHERE space NOT IN (SELECT id FROM lived.vector_models WHERE kind = 'concept')",
}
SPACE = Space("frozen", 8, 0.5)
NOTES = """# Osmosis

Osmosis is the movement of water through a semipermeable membrane. Osmosis builds on diffusion.

# Diffusion

Diffusion is the movement of a substance from a place of high concentration to a place of low concentration.
"""
_CHECK = {"kind": "check", "text": "What moves in osmosis?", "concept": "Osmosis", "reply": "salt"}
LOG = [
    {"at": "2025-10-03T16:05:00+02:00", "kind": "question", "text": "What is osmosis?", "external_id": "q1"},
    {"at": "2025-10-03T16:06:00+02:00", "kind": "answer", "text": "Water moves to the salt.", "external_id": "a1"},
    {"at": "2025-10-03T16:09:00+02:00", "external_id": "c1", **_CHECK, "verdict": "wrong", "predicted": 0.4},
    {"at": "2025-10-10T16:09:00+02:00", "external_id": "c2", **_CHECK, "verdict": "right", "reply": "water"},
    {"at": "2025-10-26T02:30:00+01:00", "external_id": "c3", **_CHECK, "verdict": "partly", "concept": "Diffusion"},
    {"at": "2025-10-27T10:00:00+01:00", "kind": "quiz", "text": "Membranes", "score": 0.5, "external_id": "z1"},
    {"at": "2025-11-02T18:00:00+01:00", "kind": "taught", "text": "Osmosis: think of raisins.", "external_id": "t1"},
    {"at": "2025-11-02T18:01:00+01:00", "kind": "taught", "text": "My exam is in June.", "external_id": "t2"},
    {"at": "2025-11-03T18:00:00+01:00", "kind": "question", "text": "My neighbour Zed snores.", "external_id": "q2"},
]


def live(data: Path) -> None:
    """A student's first weeks, through the command line."""

    def say(now: str, *words: str | Path) -> None:
        called = ["--data", str(data), "--now", now, "--subject", "Biology", "--json", *map(str, words)]
        assert main(called) == 0, called

    Engines.embedder = lambda engines: None  # type: ignore[method-assign] # small vectors are given at the end
    notes, log = data / "membranes.md", data / "log.jsonl"
    data.mkdir()
    notes.write_text(NOTES, "utf-8")
    log.write_text("\n".join(json.dumps(event) for event in LOG), "utf-8")
    say("2025-10-02T17:00:00+02:00", "read", notes)
    say("2025-11-04T17:00:00+01:00", "import", log)
    say("2025-11-04T17:01:00+01:00", "ask", "What builds on diffusion?")
    for command, episode in (("contest", "c1"), ("withdraw", "t2"), ("redact", "q2")):
        say("2025-11-04T17:02:00+01:00", command, episode)
    say("2026-02-01T17:00:00+01:00", "nightly")
    memory = open_memory(Folders(data, data / "models"), Clock("2026-02-01T17:01:00+01:00"), Ids())
    give_vectors(memory.vectors)
    memory.store.close()


def give_vectors(vectors: Vectors) -> None:
    """Every text that waits gets a small vector that depends on its words."""
    vectors.use(SPACE)
    while waiting := vectors.pending():
        for item in waiting:
            drawn = np.random.default_rng(list(item.text.encode())).standard_normal(SPACE.dimension)
            vectors.put(item.kind, item.owner, SPACE.model, drawn.astype(np.float32))


def freeze(lived: Path, number: int, target: Path) -> None:
    """Copy what existed at a schema number into a file made by the scripts up to it."""
    whole = scripts()
    migrating.scripts = lambda: [step for step in whole if step[0] <= number]  # type: ignore[assignment]
    try:
        migrate(target)
    finally:
        migrating.scripts = lambda: whole  # type: ignore[assignment]
    connection = apsw.Connection(str(target))
    sqlite_vec_into(connection)
    connection.execute("ATTACH ? AS lived", (str(lived),))
    plain = "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    with connection:
        connection.execute("PRAGMA defer_foreign_keys = 1")
        for (table,) in connection.execute(plain + " ORDER BY rowid").fetchall():
            columns = ", ".join(
                f'"{name}"'
                for _, name, _, _, _, _, hidden in connection.execute(f"PRAGMA main.table_xinfo({table})")
                if not hidden
            )
            connection.execute(f"DELETE FROM main.{table}") if "_words_" in table else None
            rest = _WITHOUT_A_MAP.get(table, "") if number < _MAP else ""
            connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM lived.{table} {rest}")
    connection.execute("DETACH lived")
    connection.pragma("journal_mode", "delete")
    connection.execute("VACUUM")
    connection.close()


def build(wanted: list[int]) -> None:
    """Make the files that are wanted and not there."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "student"
        earlier = sorted(HERE.glob("schema-*.db.gz"))
        if earlier:
            data.mkdir()
            (data / "memory.db").write_bytes(gzip.decompress(earlier[-1].read_bytes()))
            migrate(data / "memory.db")
        else:
            live(data)
        for number in wanted:
            frozen = HERE / f"schema-{number:04d}.db.gz"
            if frozen.exists():
                continue
            target = Path(folder) / f"{number}.db"
            freeze(data / "memory.db", number, target)
            frozen.write_bytes(gzip.compress(target.read_bytes(), 9, mtime=0))


if __name__ == "__main__":
    build([int(word) for word in sys.argv[1:]] or [number for number, _ in scripts()])
