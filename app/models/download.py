"""One https download: listed hosts only, from an offset, redirects held to the same rule."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import IO, Any, Protocol
from urllib.parse import urlsplit

from app.models.fetch_faults import Offline, SourceFailed

TIMEOUT = 30.0
"""Seconds without a byte."""


class Opener(Protocol):
    """Opens an address: a stream of bytes and the offset in the file at which it begins."""

    def __call__(self, url: str, offset: int, hosts: Sequence[str]) -> AbstractContextManager[tuple[IO[bytes], int]]:
        """See `open_address`."""


@contextmanager
def open_address(
    url: str, offset: int, hosts: Sequence[str], schemes: Sequence[str] = ("https",)
) -> Iterator[tuple[IO[bytes], int]]:
    """The bytes at `url` from `offset` on, or from 0 when the server cannot resume.

    Raises SourceFailed (a host that is not listed, an error of the server), Offline.
    """
    if not is_allowed(url, hosts, schemes):
        raise SourceFailed(url, "host not listed")
    request = urllib.request.Request(url, headers={"User-Agent": "retiens", "Accept-Encoding": "identity"})
    if offset:
        request.add_header("Range", f"bytes={offset}-")
    opener = urllib.request.build_opener(_ListedRedirects(hosts, schemes))
    try:
        with opener.open(request, timeout=TIMEOUT) as answer:
            resumed = answer.status == http.client.PARTIAL_CONTENT
            yield answer, offset if resumed else 0
    except urllib.error.HTTPError as error:
        error.close()
        raise SourceFailed(url, str(error.code)) from error
    except (urllib.error.URLError, TimeoutError, ConnectionError, http.client.HTTPException) as error:
        raise Offline(url) from error


def is_allowed(url: str, hosts: Sequence[str], schemes: Sequence[str] = ("https",)) -> bool:
    """Whether `url` is of an allowed scheme and its host is listed, or below one that is."""
    address = urlsplit(url)
    host = (address.hostname or "").lower()
    return address.scheme in schemes and any(host == listed or host.endswith("." + listed) for listed in hosts)


class _ListedRedirects(urllib.request.HTTPRedirectHandler):
    def __init__(self, hosts: Sequence[str], schemes: Sequence[str]) -> None:
        self._hosts = hosts
        self._schemes = schemes

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if not is_allowed(newurl, self._hosts, self._schemes):
            fp.close()
            raise SourceFailed(newurl, "host not listed")
        return super().redirect_request(req, fp, code, msg, headers, newurl)
