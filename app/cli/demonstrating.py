"""The demo command: the dialogue in the terminal, with sources and ids, and pictures of every panel."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from app.cli import shapes
from app.cli.call import Call
from app.cli.speech import CHECK_FOUND
from app.demo import Demo, Step, document
from app.folders import open_folders
from app.wiring import House

Shoot = Callable[[House, Path], list[Path]]


def demo(call: Call, shoot: Shoot | None = None) -> int:
    """Play the demo in a new folder (or the one given by --data). 1 when an answer was not right."""
    data = Path(call.arguments.data) if call.arguments.data else Path(tempfile.mkdtemp(prefix="retiens-demo-"))
    shots = Path(call.arguments.shots) if getattr(call.arguments, "shots", None) else data / "pictures"
    steps: list[Step] = []
    for step in Demo(open_folders(data), shoot, shots).run():
        steps.append(step)
        if not call.json:
            call.print({}, *_lines(call, step))
    if call.json:
        call.print(document(steps, shapes.turn))
    return 0 if all(step.ok for step in steps) else CHECK_FOUND


def _lines(call: Call, step: Step) -> list[str]:
    mark = "✓" if step.ok else "✗"
    if step.result is None:
        return [f"{mark} {step.name} ({step.seconds} s) {step.note}"]
    lines = ["", f"{mark} {step.name} ({step.seconds} s)", f"> {step.question}", step.result.text]
    sources = {
        f"  · {link.source}, p. {link.page}" + (f", {link.lines[0]}–{link.lines[1]}" if link.lines else "")
        for link in step.result.citations
        if link.page is not None
    }
    lines += sorted(sources)
    lines += [
        f"  · {call.say('say.memory')} {ref.id} ({ref.external_id}) {ref.at.day.isoformat()} {ref.label}"
        for ref in step.result.memories
    ]
    return lines
