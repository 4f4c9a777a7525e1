"""Tables of a run: shares with their Wilson intervals by arm and category, language and age; win, tie, lose."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from graders import wilson
from histories import AGES
from questions import CATEGORIES, FILE

Row = Mapping[str, Any]
ORDER = {
    "category": CATEGORIES,
    "language": ("en", "fr", "es", "ar"),
    "age": (*(name for name, _ in AGES), FILE),
}


def share(rows: Sequence[Row]) -> str:
    """ "412/420 = 98.1 % (96.3–99.0)"."""
    right, of = sum(row["right"] for row in rows), len(rows)
    if not of:
        return "–"
    low, high = wilson(right, of)
    return f"{right}/{of} = {100 * right / of:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def table(rows: Sequence[Row], by: str, arms: Sequence[str]) -> Iterator[str]:
    """A Markdown table: one line a value of ``by``, one column an arm, the total last."""
    yield f"| {by} | " + " | ".join(arms) + " |"
    yield "|---" * (len(arms) + 1) + "|"
    for value in (*ORDER[by], None):
        own = [row for row in rows if value is None or row[by] == value]
        if own:
            cells = [share([row for row in own if row["arm"] == arm]) for arm in arms]
            yield f"| {value or '**all**'} | " + " | ".join(cells) + " |"


def report(rows: Sequence[Row], arms: Sequence[str], costs: Sequence[str]) -> str:
    """Every table of a run, as Markdown."""
    parts: list[str] = []
    for by in ("category", "language", "age"):
        parts += [*table(rows, by, arms), ""]
    parts += ["| outcome | " + " | ".join(arms) + " |", "|---" * (len(arms) + 1) + "|"]
    counted = {arm: Counter(row["outcome"] for row in rows if row["arm"] == arm) for arm in arms}
    for outcome in dict.fromkeys(row["outcome"] for row in rows):
        parts.append(f"| {outcome} | " + " | ".join(str(counted[arm][outcome]) for arm in arms) + " |")
    parts += ["", "| cost, median (p95) | " + " | ".join(arms) + " |", "|---" * (len(arms) + 1) + "|"]
    for cost in costs:
        cells = [spread([row[cost] for row in rows if row["arm"] == arm and row.get(cost) is not None]) for arm in arms]
        parts.append(f"| {cost} | " + " | ".join(cells) + " |")
    return "\n".join(parts)


def spread(values: Sequence[float]) -> str:
    """Median and 95th percentile."""
    if not values:
        return "–"
    ordered = sorted(values)
    return f"{ordered[len(ordered) // 2]:.0f} ({ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]:.0f})"


def failures(rows: Sequence[Row], arm: str) -> Iterator[str]:
    """Every question an arm failed, to be read one by one."""
    for row in rows:
        if row["arm"] == arm and not row["right"]:
            yield (
                f"{row['id']} {row['category']}/{row['variant']} {row['language']} [{row['plan']}] {row['outcome']}:"
                f" {row['why']} | {row['text']}"
            )


def baseline(rows: Sequence[Row]) -> dict[str, Any]:
    """A run in few bytes: each question with a digest of its words, and by arm 1 for right and 0 for not."""
    asked = dict.fromkeys((row["id"], _digest(row)) for row in rows)
    right = {(row["arm"], row["id"]): row["right"] for row in rows}
    arms = dict.fromkeys(row["arm"] for row in rows)
    return {
        "questions": [f"{id} {digest}" for id, digest in asked],
        "right": {arm: "".join("01"[right.get((arm, id), False)] for id, _ in asked) for arm in arms},
    }


def compare(rows: Sequence[Row], place: Path, arms: Sequence[str]) -> str:
    """Win, tie, lose against an earlier run, on the questions that both asked in the same words."""
    before = json.loads(place.read_text("utf-8"))
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    lost: list[str] = []
    earlier = {
        (arm, question): mark == "1"
        for arm, marks in before["right"].items()
        for question, mark in zip(before["questions"], marks, strict=True)
    }
    for row in rows:
        was = earlier.get((row["arm"], f"{row['id']} {_digest(row)}"))
        if was is not None:
            found = "tie" if was == row["right"] else "win" if row["right"] else "lose"
            counted[row["arm"]][found] += 1
            if found == "lose":
                lost.append(f"lost: {row['arm']} {row['id']} {row['why']} | {row['text']}")
    lines = [f"{arm}: " + ", ".join(f"{counted[arm][name]} {name}" for name in ("win", "tie", "lose")) for arm in arms]
    return "\n".join([*lines, *lost])


def _digest(row: Row) -> str:
    return hashlib.sha256(row["text"].encode()).hexdigest()[:8]
