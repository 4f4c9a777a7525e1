"""The hash chain: what exactly is hashed, so that a stranger can recompute it from an export (docs/chain.md).

LP(x) is the length of x as eight big-endian bytes, then x; it makes the concatenation injective. Every domain has a
tag of its own. The words are hashed apart, with a salt, so that they can be removed without breaking the chain; the
bytes hashed are the bytes stored, never a second serialisation of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

_CONTENT = b"retiens.content.v1\0"
_EPISODE = b"retiens.episode.v1\0"
_GENESIS = b"retiens.genesis.v1\0"


def length_prefixed(part: bytes) -> bytes:
    """LP(part)."""
    return len(part).to_bytes(8, "big") + part


def genesis(subject: str) -> bytes:
    """The hash that the first episode of a subject points back to: 32 bytes."""
    return sha256(_GENESIS + length_prefixed(subject.encode())).digest()


def content_digest(salt: bytes, body: bytes) -> bytes:
    """The digest of an episode's words: 32 bytes. ``salt`` is 16 random bytes, ``body`` the stored JSON bytes."""
    return sha256(b"".join((_CONTENT, _length(salt), salt, _length(body), body))).digest()


@dataclass(frozen=True, slots=True)
class Entry:
    """The chained fields of one episode, as they are stored."""

    seq: int
    prev: bytes
    id: str
    kind: str
    origin: str
    at: int
    recorded_at: int
    offset: int
    zone: str
    meta: bytes
    digest: bytes


def entry_hash(entry: Entry) -> bytes:
    """The hash of one episode: 32 bytes. Integers are written as decimal text."""
    return link(
        entry.seq,
        entry.prev,
        entry.id,
        entry.kind,
        entry.origin,
        entry.at,
        entry.recorded_at,
        entry.offset,
        entry.zone,
        entry.meta,
        entry.digest,
    )


def link(
    seq: int,
    prev: bytes,
    id: str,
    kind: str,
    origin: str,
    at: int,
    recorded_at: int,
    offset: int,
    zone: str,
    meta: bytes,
    digest: bytes,
) -> bytes:
    """:func:`entry_hash` on loose fields, for verifying long logs without building an object a row."""
    number, named = b"%d" % seq, id.encode()
    at_bytes, recorded, ahead = b"%d" % at, b"%d" % recorded_at, b"%d" % offset
    return sha256(
        b"".join(
            (
                _EPISODE,
                _length(number),
                number,
                _length(prev),
                prev,
                _length(named),
                named,
                _prefixed(kind),
                _prefixed(origin),
                _length(at_bytes),
                at_bytes,
                _length(recorded),
                recorded,
                _length(ahead),
                ahead,
                _prefixed(zone),
                _length(meta),
                meta,
                _length(digest),
                digest,
            )
        )
    ).digest()


_LENGTHS = tuple(size.to_bytes(8, "big") for size in range(2048))


def _length(part: bytes) -> bytes:
    size = len(part)
    return _LENGTHS[size] if size < len(_LENGTHS) else size.to_bytes(8, "big")


@lru_cache(maxsize=512)
def _prefixed(text: str) -> bytes:
    """A field that has few values in a whole log, encoded once."""
    return length_prefixed(text.encode())
