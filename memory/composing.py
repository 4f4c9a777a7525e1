"""Composed answers: sentences the memory says by itself, each tied to the episodes it stands for.

A composed answer is never a dump: an opening sentence, one line an event or concept, and what must be said beside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from memory.episodes import ConceptId, EpisodeId
from memory.phrases import Phrases, capitalised

EPISODES_A_LINE = 60
"""A line that stands for more episodes keeps the latest of them as its links; its words still count them all."""


@dataclass(frozen=True, slots=True)
class PlaceShown:
    """Where a file explains a concept."""

    file: str
    sha256: str
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One sentence or list item. ``episodes`` are what it states; ``also`` what it mentions beside (a later success,
    a file), outside what was asked. ``item``: one of a list."""

    text: str
    episodes: tuple[EpisodeId, ...] = ()
    also: tuple[EpisodeId, ...] = ()
    concepts: tuple[ConceptId, ...] = ()
    places: tuple[PlaceShown, ...] = ()
    item: bool = False


@dataclass(frozen=True, slots=True)
class ComposedAnswer:
    """What the ledger or the map says, in Markdown. ``memories``: the episodes it answers with, in order, once each.

    ``empty`` says that there was nothing to tell; ``nearest`` then holds the closest recorded days (before, after).
    ``narration``: the answer tells the record, and is never to be recalled as a memory of what it tells.
    """

    text: str
    lines: tuple[AnswerLine, ...]
    memories: tuple[EpisodeId, ...]
    language: str
    empty: bool = False
    nearest: tuple[date, ...] = ()
    narration: bool = True


class Composer:
    """Collects lines in the order they are said."""

    def __init__(self, phrases: Phrases, today: date) -> None:
        self.phrases = phrases
        self.today = today
        self._lines: list[AnswerLine] = []

    def say(self, key: str, **values: object) -> None:
        """A sentence that stands for no episode of its own."""
        self.line(self.phrases.say(key, **values), item=False)

    def line(
        self,
        text: str,
        episodes: Iterable[EpisodeId] = (),
        *,
        also: Iterable[EpisodeId] = (),
        concepts: Iterable[ConceptId] = (),
        places: Iterable[PlaceShown] = (),
        item: bool = True,
    ) -> None:
        """One line, with what it stands for."""
        self._lines.append(
            AnswerLine(
                capitalised(text), tuple(episodes)[-EPISODES_A_LINE:], tuple(also), tuple(concepts), tuple(places), item
            )
        )

    def add(self, line: AnswerLine) -> None:
        """A line made elsewhere."""
        self._lines.append(line)

    def finished(self, *, empty: bool = False, nearest: Sequence[date] = (), narration: bool = True) -> ComposedAnswer:
        """The answer: list items as a Markdown list, other sentences as paragraphs."""
        memories = dict.fromkeys(id for line in self._lines for id in line.episodes)
        return ComposedAnswer(
            text=_markdown(self._lines),
            lines=tuple(self._lines),
            memories=tuple(memories),
            language=self.phrases.language,
            empty=empty,
            nearest=tuple(nearest),
            narration=narration,
        )


def _markdown(lines: Sequence[AnswerLine]) -> str:
    parts: list[str] = []
    for index, line in enumerate(lines):
        if index:
            follows = line.item and lines[index - 1].item
            parts.append("\n" if follows else "\n\n")
        parts.append(f"- {line.text}" if line.item else line.text)
    return "".join(parts)
