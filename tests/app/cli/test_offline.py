"""A whole session opens no network socket."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SESSION = """
import socket, sys
opened = []

def watch(event, arguments):
    if event == "socket.__new__" and arguments[1] in (socket.AF_INET, socket.AF_INET6):
        opened.append((event, arguments))
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "urllib.Request", "http.client.connect"):
        address = arguments[1] if event.startswith("socket.") and len(arguments) > 1 else arguments
        if not isinstance(address, (str, bytes)):
            opened.append((event, address))

sys.addaudithook(watch)
from app.__main__ import main

def run():
    if sys.argv[4:]:
        socket.create_connection(("127.0.0.1", 9), 0.1)
    data, course, log = sys.argv[1:4]
    fixed = ["--data", data, "--now", "2026-11-05T18:00:00+01:00", "--subject", "Biology", "--json"]
    for command in (
        ["read", course], ["import", log], ["ask", "What is osmosis?"], ["ask", "¿Qué vimos en julio?"],
        ["ask", "Teach me osmosis"], ["map"], ["report"], ["nightly"], ["verify"], ["models", "list"],
    ):
        assert main([*fixed, *command]) == 0, command

if __name__ == "__main__":
    try:
        run()
    except OSError:
        pass
    sys.stderr.write("opened " + repr(opened))
    sys.exit(1 if opened else 0)
"""


def played(tmp_path: Path, course: Path, six_months: Path, *more: str) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "session.py"
    script.write_text(SESSION, "utf-8")
    call = [sys.executable, str(script), str(tmp_path / "student"), str(course), str(six_months), *more]
    environment = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    return subprocess.run(call, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)


@pytest.mark.slow
@pytest.mark.weights
def test_a_whole_session_opens_no_network_socket(tmp_path: Path, course: Path, six_months: Path) -> None:
    done = played(tmp_path, course, six_months)
    assert done.returncode == 0, done.stderr[-600:]


@pytest.mark.slow
@pytest.mark.weights
def test_the_watch_sees_a_socket(tmp_path: Path, course: Path, six_months: Path) -> None:
    done = played(tmp_path, course, six_months, "and connect")
    assert done.returncode == 1
    assert "socket.connect" in done.stderr
