"""No room, a limit on the size of files, a read-only disk: one sentence, nothing lost, and on it goes with room."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("small_disk.py")
MOUNTED = "mount -t tmpfs -o size=40m none {place} && exec"


@pytest.fixture
def crowded(half_a_year: Path, tmp_path: Path, event: Callable[..., str]) -> Callable[[str], list[Any]]:
    """Runs all operations where room is scarce in one way; what each said."""
    place, course, log = tmp_path / "place", tmp_path / "enzymes.md", tmp_path / "log.jsonl"
    place.mkdir()
    course.write_text("# Enzyme\n\nAn enzyme is a protein that speeds up a reaction of the cell. " * 40, "utf-8")
    lines = [event("question", f"What does an enzyme do, case {number}? " + "Say it. " * 40) for number in range(300)]
    log.write_text("\n".join(lines), "utf-8")

    def run(how: str) -> list[Any]:
        call = [sys.executable, str(SCRIPT), str(place), str(half_a_year), str(course), str(log), how]
        if how != "limit":
            call = ["unshare", "-rm", "sh", "-c", MOUNTED.format(place=place) + ' "$@"', "sh", *call]
            if subprocess.run(
                [*call[:4], "mount -t tmpfs none " + str(place)], check=False, capture_output=True
            ).returncode:
                pytest.skip("no file system can be mounted here; the limit on the size of files is tested")
        said = subprocess.run(
            call, check=False, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}
        )
        assert said.returncode == 0, said.stderr[-2000:]
        return [json.loads(line) for line in said.stdout.splitlines()]

    return run


def holds(each: Any) -> None:
    """One clear sentence, nothing lost, nothing left lying about, and the same again with room."""
    where = each["operation"], each["room"]
    sentences = [line for line in each["said"].splitlines() if not line.endswith("1/1")]
    assert each["code"] in (0, 4), each
    assert len(sentences) == (each["code"] == 4), each
    assert not any("went wrong" in sentence or "Traceback" in sentence for sentence in sentences), each
    assert each["left"] == [], where
    verified = each["verify"][1]
    assert isinstance(verified, dict), verified
    assert [chain["ok"] for chain in verified["chains"]] == [True], where
    assert verified["database"]["ok"], verified["database"]
    assert {checkpoint["result"] for checkpoint in verified["checkpoints"]} <= {"holds"}, where
    assert each["again"][0] == 0, each


@pytest.mark.slow
@pytest.mark.parametrize("how", ["full", "limit", "read-only"])
def test_without_room_nothing_is_lost_and_with_room_it_goes_on(crowded: Callable[[str], list[Any]], how: str) -> None:
    found = crowded(how)
    for each in found:
        holds(each)
    refused = Counter(each["operation"] for each in found if each["code"] == 4)
    assert len({each["operation"] for each in found}) == 8
    if how == "read-only":
        assert len(refused) == 8, "nothing can be written at all"
    else:
        assert {"import", "nightly", "backup"} <= set(refused)
    if how == "full":
        assert refused["append"] == 0, "the reserve is there for the last message"
