"""The demo command."""

from __future__ import annotations

from app.cli.call import Call


def demo(call: Call) -> int:
    """Play the shipped demo."""
    raise NotImplementedError(call)
