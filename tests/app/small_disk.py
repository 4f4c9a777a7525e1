"""Eight operations on a disk that is full, limited or read-only. Run by ``test_full_disk.py``, one process a place.

    python small_disk.py PLACE STUDENT COURSE LOG full|limit|read-only

``PLACE`` is a folder that may be filled (a small file system of its own for ``full`` and ``read-only``). Prints one
JSON line an operation and state of the disk: the exit codes and what was said, then and once there was room again.
"""

from __future__ import annotations

import faulthandler
import gzip
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from app import folders
from app.__main__ import main
from app.engines import Engines
from app.models import shelf

NOW = "2026-11-05T18:00:00+01:00"
ROOM = {"full": (0, 64, 256), "limit": (0, 64, 256), "read-only": (0,)}
"""Kilobytes that are left, by the way in which room is scarce."""


def say(data: Path, *words: str | Path) -> tuple[int, str, str]:
    """One call of the command line: code, stdout, stderr."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["--data", str(data), "--now", NOW, "--subject", "Biology", "--json", *map(str, words)])
    return code, out.getvalue(), err.getvalue()


@contextmanager
def scarce(place: Path, how: str, kilobytes: int) -> Iterator[None]:
    """Leave so many kilobytes of room, for a while."""
    if how == "limit":
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        return
    if how == "read-only":
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        try:
            yield
        finally:
            subprocess.run(["mount", "-o", "remount,rw", str(place)], check=True)
        return
    filler = place / "filler"
    free = os.statvfs(place)
    room = free.f_bavail * free.f_frsize - kilobytes * 1024
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(room, 1))
    try:
        yield
    finally:
        filler.unlink()


def run(place: Path, student: Path, course: Path, log: Path, how: str) -> None:
    """Every operation, at every amount of room."""
    faulthandler.enable()
    folders.default_data = lambda: place / "elsewhere"  # no model but those that the program brings
    shelf.find_models = list
    Engines.embedder = lambda engines: None  # type: ignore[method-assign]
    frozen = sorted((Path(__file__).parents[1] / "data" / "schemas").glob("*.db.gz"))[3]
    operations = {
        "append": ("ask", "What is osmosis?"),
        "import": ("import", log),
        "read": ("read", course),
        "nightly": ("nightly", "--force"),
        "backup": ("backup", place / "copy.db"),
        "export": ("export", place / "out.jsonl"),
        "redact": ("redact", "demo-002"),
        "migrate": ("subjects",),
    }
    for name, words in operations.items():
        for kilobytes in ROOM[how]:
            data = place / "student"
            if name == "migrate":
                data.mkdir()
                (data / "memory.db").write_bytes(gzip.decompress(frozen.read_bytes()))
            else:
                shutil.copytree(student, data, ignore=shutil.ignore_patterns("*.reserve"))
            before = say(data, "checkpoint")[1] if name != "migrate" else ""
            with scarce(place, how, kilobytes):
                code, out, err = say(data, *words)
            left = sorted(path.name for path in place.rglob("*") if ".part" in path.name)
            line = json.loads(before)["line"] if before else ""
            held = say(data, "verify", *(["--checkpoint", line] if line else []))
            again = say(data, *words)
            print(
                json.dumps(
                    {
                        "operation": name,
                        "room": kilobytes,
                        "code": code,
                        "said": err,
                        "out": out[-300:],
                        "left": left,
                        "verify": [held[0], json.loads(held[1]) if held[1] else held[2]],
                        "again": [again[0], again[2]],
                    }
                )
            )
            for path in (data, place / "copy.db", place / "out.jsonl"):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


if __name__ == "__main__":
    run(*map(Path, sys.argv[1:5]), sys.argv[5])
