"""Folding: identical episodes are one memory, retained several times.

On a real subject 161 questions came down to 56 sentences (article, "Deux choses que des historiques réels ont
ajoutées"). The best ranked copy stands for all of them and keeps every id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fold:
    """One memory: ``places`` in the ranked sequence it was made from; the first is the survivor."""

    places: tuple[int, ...]

    @property
    def survivor(self) -> int:
        """The place of the copy that stands for the others."""
        return self.places[0]


def fold_repetitions(keys: Sequence[bytes]) -> list[Fold]:
    """Group a ranked sequence by repetition key; groups keep the order of their best copy. Loses no place."""
    groups: dict[bytes, list[int]] = {}
    for place, key in enumerate(keys):
        groups.setdefault(key, []).append(place)
    return [Fold(tuple(places)) for places in groups.values()]
