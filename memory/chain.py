"""The hash chain: what exactly is hashed, so that a stranger can recompute it from an export (docs/chain.md).

LP(x) is the length of x as eight big-endian bytes, then x; it makes the concatenation injective. Every domain has a
tag of its own. The words are hashed apart, with a salt, so that they can be removed without breaking the chain; the
bytes hashed are the bytes stored, never a second serialisation of them.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    return sha256(_CONTENT + length_prefixed(salt) + length_prefixed(body)).digest()


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
    parts = (
        b"%d" % seq,
        prev,
        id.encode(),
        kind.encode(),
        origin.encode(),
        b"%d" % at,
        b"%d" % recorded_at,
        b"%d" % offset,
        zone.encode(),
        meta,
        digest,
    )
    return sha256(_EPISODE + b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()
