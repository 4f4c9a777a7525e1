"""The head of a GGUF file: what kind of model it is and what it takes to run, without loading it.

The file is foreign: every length is checked before it is believed, and reading stops at the vocabulary.
Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (versions 2 and 3, little-endian).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MAGIC = b"GGUF"
MOST_ENTRIES, LONGEST_STRING, LONGEST_LIST = 4_000, 1 << 20, 1 << 16

_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _LIST = 8, 9

COMPUTE_BUFFERS = 200_000_000
"""Bytes of working memory besides weights and cache (measured: 150 MB for a vocabulary of 152,000)."""

Value = int | float | bool | str | list["Value"]


class NotGguf(ValueError):
    """The file is no GGUF file, or its head makes no sense."""


@dataclass(frozen=True, slots=True)
class Head:
    """What the head says. `cache_per_token` is bytes of key-value cache in half precision, 0 when not known."""

    architecture: str
    name: str
    context: int
    cache_per_token: int
    size: int

    @property
    def is_chat(self) -> bool:
        """Whether it can write: encoders and projectors cannot."""
        return self.architecture not in {"", "bert", "nomic-bert", "jina-bert-v2", "clip", "t5encoder", "whisper"}

    def memory_needed(self, context: int, contexts: int = 2) -> int:
        """Bytes to run with `contexts` caches of `context` tokens: weights, caches, working memory."""
        cache = self.cache_per_token or self.size // 20_000
        return self.size + contexts * context * cache + COMPUTE_BUFFERS


def read_head(path: Path) -> Head:
    """The head of the file. Raises NotGguf, OSError."""
    with open(path, "rb") as file:
        try:
            entries = _entries(file)
        except (struct.error, UnicodeDecodeError, MemoryError) as error:
            raise NotGguf(str(error)) from error
    architecture = entries.get("general.architecture")
    architecture = architecture if isinstance(architecture, str) else ""
    layers = _number(entries, f"{architecture}.block_count")
    heads = _number(entries, f"{architecture}.attention.head_count")
    width = _number(entries, f"{architecture}.embedding_length")
    shared = entries.get(f"{architecture}.attention.head_count_kv")
    key = _number(entries, f"{architecture}.attention.key_length") or (width // heads if heads else 0)
    value = _number(entries, f"{architecture}.attention.value_length") or key
    if isinstance(shared, list):
        all_heads = sum(count for count in shared if isinstance(count, int))
    else:
        all_heads = layers * (shared if isinstance(shared, int) else heads)
    name = entries.get("general.name")
    return Head(
        architecture=architecture,
        name=name if isinstance(name, str) else "",
        context=_number(entries, f"{architecture}.context_length"),
        cache_per_token=2 * all_heads * (key + value),
        size=path.stat().st_size,
    )


def _number(entries: dict[str, Value], key: str) -> int:
    value = entries.get(key)
    return value if isinstance(value, int) and 0 < value < 1 << 32 else 0


def _entries(file: BinaryIO) -> dict[str, Value]:
    if file.read(4) != MAGIC:
        raise NotGguf("magic")
    version, _, count = struct.unpack("<IQQ", file.read(20))
    if version not in (2, 3) or count > MOST_ENTRIES:
        raise NotGguf("version or number of entries")
    entries: dict[str, Value] = {}
    for _ in range(count):
        key = _text(file)
        if key.startswith("tokenizer."):
            break
        entries[key] = _value(file, *struct.unpack("<I", file.read(4)))
    return entries


def _text(file: BinaryIO) -> str:
    (length,) = struct.unpack("<Q", file.read(8))
    if length > LONGEST_STRING:
        raise NotGguf("string")
    return file.read(length).decode("utf-8", "replace")


def _value(file: BinaryIO, kind: int) -> Value:
    if kind == _STRING:
        return _text(file)
    if kind == _LIST:
        inner, length = struct.unpack("<IQ", file.read(12))
        if length > LONGEST_LIST or inner == _LIST:
            raise NotGguf("list")
        return [_value(file, inner) for _ in range(length)]
    layout = _NUMBERS.get(kind)
    if layout is None:
        raise NotGguf("type")
    number: Value = struct.unpack("<" + layout, file.read(struct.calcsize("<" + layout)))[0]
    return number
