"""A record on a medium that cannot be written is read, verified and copied; what would write says so."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
READING = (
    ("map",),
    ("beliefs",),
    ("history",),
    ("report",),
    ("review",),
    ("files",),
    ("subjects",),
    ("checkpoint",),
    ("verify",),
    ("understand", "what did I get wrong in July?"),
    ("recall", "osmosis"),
    ("brief", "what did I get wrong in July?"),
)
WRITING = (
    ("ask", "what did I get wrong in July?"),
    ("contest", "demo-005"),
    ("redact", "demo-001"),
    ("nightly", "--force"),
    ("rebuild",),
    ("subjects", "add", "Chemistry"),
)


@pytest.fixture
def medium(tmp_path: Path, half_a_year: Path) -> Iterator[Path]:
    """The folder of half a year on a file system of its own, mounted to be read only."""
    place = tmp_path / "medium"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(place)], capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        shutil.copytree(half_a_year, place / "student")
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        yield place / "student"
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_what_reads_reads_and_what_writes_says_it_cannot(cli: Run, medium: Path, tmp_path: Path) -> None:
    there = ("--data", medium, "--subject", "Biology")
    before = (medium / "memory.db").read_bytes()
    for command in READING:
        said = cli(*command, *there)
        assert said.code == 0, (command, said.err)
    exported = cli("export", tmp_path / "log.jsonl", *there).document
    copied = cli("backup", tmp_path / "copy.db", *there).document
    assert copied["episodes"] == exported["episodes"] > 0
    for command in WRITING:
        said = cli(*command, *there)
        assert said.code == 4, (command, said.out)
        assert said.document["sentence"].startswith(f"{medium / 'memory.db'} cannot be written"), said.document
    for language, words in (("fr", "Impossible d'écrire"), ("es", "No se puede escribir"), ("ar", "memory.db")):
        assert words in cli("rebuild", *there, "--lang", language, plain=True).err
    assert (medium / "memory.db").read_bytes() == before
