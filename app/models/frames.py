"""What travels between a process and its child: one JSON object, a line feed, then raw bytes (vectors)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Frame:
    """One message of the pipe: a JSON object and the bytes after it."""

    head: dict[str, Any]
    body: bytes = b""

    def pack(self) -> bytes:
        """The bytes that travel."""
        return json.dumps(self.head, ensure_ascii=True).encode("ascii") + b"\n" + self.body


def unpack(data: bytes) -> Frame:
    """A frame from its bytes; ValueError when they are none."""
    line, separator, body = data.partition(b"\n")
    head = json.loads(line)
    if not separator or not isinstance(head, dict):
        raise ValueError("not a frame")
    return Frame(head, body)
