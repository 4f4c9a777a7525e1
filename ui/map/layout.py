"""Where the concepts stand on the map: layers by what they build on, few crossings, places that do not jump. No Qt.

Layers come from the subject map's own teaching order. Within a layer, a few barycentre sweeps (Sugiyama, Tagawa and
Toda, "Methods for visual understanding of hierarchical system structures", IEEE SMC-11, 1981) bring a concept near
what it builds on. A concept that was placed before keeps its rank among those that were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SWEEPS = 4
ROWS = 8
"""Concepts in one column; a fuller layer takes more columns."""
COLUMN, ROW = 222.0, 62.0
"""Distance of columns and rows, in scene units."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a concept stands: its layer from 0, and the centre of its box."""

    layer: int
    x: float
    y: float


def place(
    layers: Sequence[Sequence[str]],
    needs: Mapping[str, Sequence[str]],
    before: Mapping[str, Spot] | None = None,
) -> dict[str, Spot]:
    """A spot for every concept. ``needs``: what each builds on. ``before``: where they stood last time."""
    before = before or {}
    rows = [_in_their_places(layer, before) for layer in layers]
    needed: dict[str, list[str]] = {}
    for concept, others in needs.items():
        for other in others:
            needed.setdefault(other, []).append(concept)
    if not before:
        for sweep in range(SWEEPS):
            down = sweep % 2 == 0
            for layer in rows if down else reversed(rows):
                rank = {concept: position for row in rows for position, concept in enumerate(row)}
                _settle(layer, needs if down else needed, rank)
    spots: dict[str, Spot] = {}
    column = 0
    for number, layer in enumerate(rows):
        for start in range(0, len(layer), ROWS):
            part = layer[start : start + ROWS]
            top = -(len(part) - 1) / 2
            for position, concept in enumerate(part):
                spots[concept] = Spot(number, column * COLUMN, (top + position) * ROW)
            column += 1
    return spots


def _in_their_places(layer: Sequence[str], before: Mapping[str, Spot]) -> list[str]:
    known = sorted((concept for concept in layer if concept in before), key=lambda c: (before[c].x, before[c].y))
    return known + [concept for concept in layer if concept not in before]


def _settle(layer: list[str], near: Mapping[str, Sequence[str]], rank: Mapping[str, int]) -> None:
    """Order a layer by the mean rank of the neighbours of each concept; those without keep theirs."""

    def weight(concept: str) -> float:
        ranks = [rank[other] for other in near.get(concept, ()) if other in rank]
        return sum(ranks) / len(ranks) if ranks else float(rank[concept])

    layer.sort(key=weight)
