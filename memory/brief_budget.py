"""The budget of a brief: which entries fit, and which are left out and counted.

Pure. Every section first gets one entry, the most urgent section first, then its own share of the room, so that no
section starves the next; what is left over is then given out in the same order. Cuts fall between entries only; an
entry too long for its room is tried once more in a shorter wording.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

CountTokens = Callable[[Sequence[str]], Sequence[int]]
BYTES_A_TOKEN = 2.5  # without a chat model; generous for every language the lexicons know


@dataclass(frozen=True, slots=True)
class Entry:
    """One line, and the same line in fewer words. ``sources``: (kind, id) of what it is made from."""

    text: str
    shorter: str
    sources: tuple[tuple[str, str], ...] = ()
    rank: int = 0
    score: float = 0.0
    at: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A headed run of entries, most wanted first.

    ``share`` of the room is its own; ``urgency`` (0 first) says whose first entry is placed first where the room is
    short; ``dated`` shows the oldest first.
    """

    name: str
    head: str
    share: float
    entries: tuple[Entry, ...]
    dated: bool = False
    urgency: int = 0


@dataclass(slots=True)
class Filling:
    """How far a section came: the entries taken (with the wording that fitted) and what they cost together."""

    section: Section
    taken: list[tuple[Entry, str]] = field(default_factory=list)
    spent: int = 0

    @property
    def left_out(self) -> int:
        """How many entries found no room."""
        return len(self.section.entries) - len(self.taken)


def estimate(texts: Sequence[str]) -> list[int]:
    """Tokens of each text where no model can count: ceil(UTF-8 bytes / 2.5)."""
    return [math.ceil(len(text.encode()) / BYTES_A_TOKEN) for text in texts]


def costs_of(lines: Sequence[str], count: CountTokens) -> dict[str, int]:
    """The cost of each line with its line break, counted in one request."""
    distinct = list(dict.fromkeys(line for line in lines if line))
    return dict(zip(distinct, count([line + "\n" for line in distinct]), strict=True)) if distinct else {}


def fill(sections: Sequence[Section], room: int, costs: Mapping[str, int]) -> list[Filling]:
    """Fill the room (in tokens) in the order of the sections: one entry each, then their shares, then what is left."""
    fillings = [Filling(section) for section in sections]
    left = room
    for filling in sorted(fillings, key=lambda filling: filling.section.urgency):
        left -= _fill_one(filling, left, costs, most=1)
    for filling in fillings:
        left -= _fill_one(filling, min(left, int(filling.section.share * room) - filling.spent), costs)
    for filling in fillings:
        left -= _fill_one(filling, left, costs)
    return fillings


def _fill_one(filling: Filling, allowed: int, costs: Mapping[str, int], most: int | None = None) -> int:
    """Take entries (``most`` of them) while they fit; what they cost. Of a dated record, rather many in few words."""
    spent = 0
    waiting = filling.section.entries[len(filling.taken) :]
    brief = filling.section.dated and sum(costs[entry.text] for entry in waiting) > allowed
    for entry in waiting[:most]:
        head = 0 if filling.taken else costs.get(filling.section.head, 0)
        for text in (entry.shorter,) if brief else (entry.text, entry.shorter):
            cost = costs[text] + head
            if spent + cost <= allowed:
                filling.taken.append((entry, text))
                spent += cost
                break
        else:
            break
    filling.spent += spent
    return spent
