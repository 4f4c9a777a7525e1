"""A short form of ``tests/benchmark/torture``: each operation is killed a few times; the script is tested as well."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

TORTURE = Path(__file__).parents[1] / "benchmark" / "torture"


def torture(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(TORTURE), *arguments], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_whatever_is_killed_loses_nothing_and_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    out = tmp_path / "torture.json"
    said = torture("--kills", "4", "--seed", "3", "--out", str(out))
    assert said.returncode == 0, said.stdout + said.stderr
    kept = json.loads(out.read_text("utf-8"))
    assert sorted(kept) == ["append", "import", "migration", "nightly", "read"]
    assert all(tally["kills"] == 4 and tally["rounds"] >= 4 for tally in kept.values())
    assert kept["append"]["acknowledged"] + kept["import"]["acknowledged"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("broken", ["no-transactions", "early"])
def test_a_program_that_loses_something_is_found_out(broken: str) -> None:
    said = torture("append", "--kills", "12", "--seed", "4", "--broken", broken)
    assert said.returncode == 1, said.stdout + said.stderr
