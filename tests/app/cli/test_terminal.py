"""The command line in a process of its own: code pages, pipes and several at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def started(data: Path, *arguments: str | Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "XDG_DATA_HOME": str(data.parent / "elsewhere")}
    command = [sys.executable, "-m", "app", "--data", str(data), "--now", "2026-11-05T18:00:00+01:00"]
    return subprocess.Popen(
        [*command, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
    )


@pytest.mark.slow
def test_every_script_comes_out_whole_whatever_the_terminal_says_of_itself(data: Path) -> None:
    with started(data, "ask", "ماذا درسنا في يوليو؟", "--json") as running:
        out, _ = running.communicate()
    assert running.returncode == 0
    assert json.loads(out.decode("utf-8"))["language"] == "ar"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="names of files are Unicode there")
def test_bytes_that_are_no_text_in_a_message_stop_nothing(data: Path) -> None:
    command = [sys.executable, "-m", "app", "--data", str(data), "understand", b"\xff\xfe what is osmosis", "--json"]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=False)  # type: ignore[arg-type]
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["language"] == "en"


@pytest.mark.slow
def test_three_imports_at_once_lose_and_double_nothing(data: Path, six_months: Path) -> None:
    names = ("A", "B", "A")
    running = [started(data, "import", six_months, "--subject", name, "--json") for name in names]
    done = [(each.communicate()[0], each.returncode) for each in running]
    assert all(code == 0 for _, code in done), done
    events = len(six_months.read_text("utf-8").splitlines())
    assert sum(json.loads(out)["imported"] for out, _ in done) == 2 * events
    with started(data, "verify", "--json") as verifying:
        out, _ = verifying.communicate()
    assert {chain["episodes"] for chain in json.loads(out)["chains"]} == {events}
    assert verifying.returncode == 0
