"""Identifiers: UUIDv7 (RFC 9562, section 5.7), ordered by time within one process."""

from __future__ import annotations

import os
import threading
import time
import uuid


class Ids:
    """Gives identifiers that sort in the order they were made, also within one millisecond."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def __call__(self) -> str:
        """A new UUIDv7: 48 bits of milliseconds, 12 bits that count on within one, 62 random bits."""
        with self._lock:
            ticks = (time.time_ns() // 1_000_000) << 12
            self._last = ticks = max(ticks, self._last + 1)
        high = (ticks >> 12) << 16 | 0x7000 | (ticks & 0xFFF)
        low = 0x8000_0000_0000_0000 | int.from_bytes(os.urandom(8), "big") >> 2
        return str(uuid.UUID(int=(high & (1 << 64) - 1) << 64 | low))
