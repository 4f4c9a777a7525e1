"""What can go wrong with a fetch. Each carries its data; the window and the command line find the words."""

from __future__ import annotations


class FetchFault(Exception):
    """Any of them. ``code`` names its sentence; ``facts`` are the values that the sentence shows."""

    code = "failed"

    @property
    def facts(self) -> dict[str, object]:
        """Every attribute by its name."""
        return dict(vars(self))


class FetchCancelled(FetchFault):
    """The student stopped it; what was fetched is kept."""

    code = "cancelled"

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.file = file


class Offline(FetchFault):
    """The source could not be reached."""

    code = "offline"

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.source = source


class SourceFailed(FetchFault):
    """The source was reached and did not give the file; `detail` is its own technical word on it."""

    def __init__(self, source: str, detail: str) -> None:
        super().__init__(source, detail)
        self.source = source
        self.detail = detail


class NoPackageClient(FetchFault):
    """This program has no package client (an installer build): packages are no source here."""

    code = "no_client"


class WrongHash(FetchFault):
    """The file arrived whole and is not the one expected; it was deleted."""

    code = "wrong_hash"

    def __init__(self, file: str, expected: str, found: str) -> None:
        super().__init__(file, expected, found)
        self.file = file
        self.expected = expected
        self.found = found


class NoSpace(FetchFault):
    """The disk has no room: `needs` and `free` are bytes."""

    code = "no_space"

    def __init__(self, needs: int, free: int) -> None:
        super().__init__(needs, free)
        self.needs = needs
        self.free = free


class NotFetchable(FetchFault):
    """No source can bring it: it comes with a package that has no build for this system."""

    code = "not_fetchable"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class AlreadyFetching(FetchFault):
    """Another fetch of the same model is running, in `process`."""

    code = "already"

    def __init__(self, process: int) -> None:
        super().__init__(process)
        self.process = process
