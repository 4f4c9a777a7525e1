"""Builds the databases of the histories: the file read by the real reader, the log by the real importer.

Each course is read once; each history starts from a copy of that folder. Built folders are kept (``--keep``) and named
after a digest of what went into them, so that a rerun takes seconds and a changed history is built anew. The digest
knows nothing of the program: after a change of the reader or of the importer, build in an empty folder.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from histories import NOW, ZONE, History, histories
from shared_models import KeptEmbedder, no_embedder, one_embedder

from app.clock import Clock
from app.folders import open_folders
from app.wiring import House, open_house

READ_AT = "2025-09-08T17:00:00+02:00"
SUBJECT = "Course"
KEEP = Path("/tmp/retiens-benchmark")


class Builder:
    """Builds and opens the houses of histories under one folder."""

    def __init__(self, keep: Path) -> None:
        self._keep = keep
        keep.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def opened(self, history: History) -> Iterator[House]:
        """The house of a history, at the moment the questions are asked."""
        house = open_house(open_folders(self._built(history)), Clock(NOW, ZONE))
        try:
            yield house
        finally:
            house.close()

    def build(self, wanted: Sequence[History]) -> None:
        """Build what is not there yet."""
        for number, history in enumerate(wanted, 1):
            if not self._place(history).exists():
                self._built(history)
                print(f"built {number}/{len(wanted)}: {history.id} {history.course.id}", flush=True)

    def embed(self, wanted: Sequence[History], embedder: KeptEmbedder) -> None:
        """Give every episode, passage and concept of the histories its vector."""
        for number, history in enumerate(wanted, 1):
            with self.opened(history) as house:
                done = house.engines.catch_up()
            if done:
                embedder.save()
                print(f"embedded {number}/{len(wanted)}: {history.id}, {done} texts", flush=True)

    def _place(self, history: History) -> Path:
        digest = hashlib.sha256("\n".join([history.course.id, *history.log()]).encode())
        return self._keep / f"{history.id}-{digest.hexdigest()[:12]}"

    def _built(self, history: History) -> Path:
        place = self._place(history)
        if not place.exists():
            making = place.with_suffix(f".part-{os.getpid()}")
            shutil.copytree(self._read(history), making)
            house = open_house(open_folders(making), Clock(NOW, ZONE))
            try:
                subject, now = house.subject(SUBJECT), house.clock.now()
                done = house.memory.importer.run(history.log(), default=subject, now=now, language=history.spoken)
                assert not done.errors, done.errors[:3]
            finally:
                house.close()
            _kept(making, place)
        return place

    def _read(self, history: History) -> Path:
        """The folder of a student who has read the course and done nothing yet."""
        course, place = history.course, self._keep / f"course-{history.course.id}"
        if not place.exists():
            making = place.with_suffix(f".part-{os.getpid()}")
            house = open_house(open_folders(making), Clock(READ_AT, ZONE))
            try:
                subject = house.subject(SUBJECT, create=True)
                read = house.reader.read(subject.id, course.written(self._keep), language=course.language)
                assert read.fault is None, read.fault
            finally:
                house.close()
            _kept(making, place)
        return place


def _kept(made: Path, place: Path) -> None:
    """Give what was made its name; another run may have been quicker."""
    try:
        made.rename(place)
    except OSError:
        shutil.rmtree(made)


def main() -> None:
    """Build every history."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--keep", type=Path, default=KEEP)
    options.add_argument("--histories", type=int)
    chosen = options.parse_args()
    builder, wanted = Builder(chosen.keep), histories(chosen.histories)
    with no_embedder():
        builder.build(wanted)
    with one_embedder(chosen.keep) as embedder:
        builder.embed(wanted, embedder)


if __name__ == "__main__":
    main()
