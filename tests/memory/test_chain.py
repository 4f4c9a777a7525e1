"""Test vectors: computed once by hand from the written rule; a change here is a change of the format."""

from __future__ import annotations

from hashlib import sha256

from memory import chain


def lp(part: bytes) -> bytes:
    return len(part).to_bytes(8, "big") + part


def test_the_genesis_depends_on_the_subject_alone() -> None:
    assert chain.genesis("s1") == sha256(b"retiens.genesis.v1\0" + lp(b"s1")).digest()
    assert chain.genesis("s1").hex() == "794dfe6b4eb54cc2456e1d5e238e961df87e2ddefa82c1e97c2495fd8f62bce0"


def test_the_words_are_hashed_with_their_salt() -> None:
    body = '{"text":"Qu’est-ce que l’osmose ?"}'.encode()
    expected = sha256(b"retiens.content.v1\0" + lp(bytes(range(16))) + lp(body)).digest()
    assert chain.content_digest(bytes(range(16)), body) == expected
    assert expected.hex() == "53893481fee59fff6fb0724dbd46f302a5b8a06f8435d3f8bcf175e143628099"


def test_an_entry_is_hashed_field_by_field_in_the_written_order() -> None:
    entry = chain.Entry(
        seq=7,
        prev=b"\1" * 32,
        id="e",
        kind="question",
        origin="typed",
        at=-5,
        recorded_at=12,
        offset=-90,
        zone="Europe/Paris",
        meta=b"{}",
        digest=b"\2" * 32,
    )
    parts = [b"7", b"\1" * 32, b"e", b"question", b"typed", b"-5", b"12", b"-90", b"Europe/Paris", b"{}", b"\2" * 32]
    assert chain.entry_hash(entry) == sha256(b"retiens.episode.v1\0" + b"".join(map(lp, parts))).digest()
    assert chain.entry_hash(entry).hex() == "6945389000ad011cdcc590bf1e7d2f83ebd1349900bafbcd782003eafe405506"


def test_length_prefixes_keep_neighbouring_fields_apart() -> None:
    one = chain.link(1, b"", "ab", "c", "", 0, 0, 0, "", b"", b"")
    other = chain.link(1, b"", "a", "bc", "", 0, 0, 0, "", b"", b"")
    assert one != other
