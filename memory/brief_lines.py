"""The words of a brief: each memory, belief, concept and note as one dated line in the language of the message."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from importlib import resources

from memory.brief_budget import Entry
from memory.episodes import Episode, Kind, Verdict
from memory.moments import Moment, Window
from memory.phrases import FALLBACK, LANGUAGES, Phrases, flattened, shortened
from memory.recall import Remembered

WORDS = 160  # characters of someone's words in a line
FEWER_WORDS = 56  # and in its shorter wording
CHECK_WORDS = 90
_FRAMES = str.maketrans({"=": " ", "\u2028": " ", "\u2029": " ", "`": "'"})  # nobody's words may look like our frame


class FileState(StrEnum):
    """What became of a cited file: still there with the same fingerprint, or not."""

    HOLDS = "holds"
    REPLACED = "replaced"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class BeliefLine:
    """A belief as the brief shows it. ``claim``: understands, unsure or weak."""

    id: str
    name: str
    claim: str
    confidence: float
    since: Moment
    confirm: bool = False


@dataclass(frozen=True, slots=True)
class MapLine:
    """A concept as the brief shows it; ``builds_on`` are names."""

    id: str
    name: str
    summary: str = ""
    builds_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MapShare:
    """How many concepts the map has, and the share of them that the files explain, in [0, 1]."""

    concepts: int
    explained: float


@cache
def brief_phrases(language: str) -> Phrases:
    """The brief's templates together with the dates and marks of that language; English for an unknown one."""
    known = language if language in LANGUAGES else FALLBACK
    folder = resources.files("resources").joinpath("phrases")
    spoken = flattened(tomllib.loads(folder.joinpath(f"{known}.toml").read_text("utf-8")))
    own = flattened(tomllib.loads(folder.joinpath(f"brief.{known}.toml").read_text("utf-8")))
    return Phrases(known, {**spoken, **own})


class Lines:
    """Writes lines for one message: one language, one today."""

    def __init__(self, language: str, today: date, names: Mapping[int, str], states: Mapping[str, FileState]) -> None:
        """``names``: the concept of a check by episode row; ``states``: of the cited file by episode id."""
        self.phrases = brief_phrases(language)
        self._today = today
        self._names = names
        self._states = states

    def memory(self, memory: Remembered, rank: int) -> Entry | None:
        """A recalled episode; None for one without words."""
        if memory.episode.content is None or not self._words(memory.episode, WORDS):
            return None
        return Entry(
            text=self._remembered(memory, WORDS),
            shorter=self._remembered(memory, FEWER_WORDS),
            sources=tuple(("episode", id) for id in memory.folded),
            rank=rank,
            score=memory.score,
            at=memory.episode.moment.at,
        )

    def note(self, episode: Episode, rank: int) -> Entry:
        """A taught note that hangs on the map."""
        return Entry(
            text=self._dated(episode, WORDS),
            shorter=self._dated(episode, FEWER_WORDS),
            sources=(("episode", episode.id),),
            rank=rank,
            at=episode.moment.at,
        )

    def belief(self, belief: BeliefLine, rank: int) -> Entry:
        """A belief with its confidence and since when."""
        key = "lines.belief_confirm" if belief.confirm else "lines.belief"
        text = self.phrases.say(
            key,
            claim=self.phrases.say(f"claim.{belief.claim}"),
            name=plain_words(belief.name, FEWER_WORDS),
            confidence=f"{belief.confidence:.2f}",
            date=self._day(belief.since),
        )
        return Entry(text, text, (("belief", belief.id),), rank, belief.confidence)

    def concept(self, line: MapLine, rank: int) -> Entry:
        """A concept of the map with what it builds on."""
        names = ", ".join(plain_words(name, FEWER_WORDS) for name in line.builds_on)
        builds = self.phrases.say("lines.builds_on", names=names) if names else ""
        summary = self.phrases.say("lines.summary", text=plain_words(line.summary, WORDS)) if line.summary else ""
        name = plain_words(line.name, FEWER_WORDS)
        return Entry(
            text=self.phrases.say("lines.concept", name=name, summary=summary, builds_on=builds),
            shorter=self.phrases.say("lines.concept", name=name, summary="", builds_on=builds),
            sources=(("concept", line.id),),
            rank=rank,
        )

    def empty_window(self, window: Window) -> str:
        """That nothing is recorded in a window."""
        return self.phrases.say("empty_window", window=self.phrases.window(window))

    def beside(self, episodes: tuple[Episode, ...]) -> str:
        """The nearest records around an empty window; empty where there are none."""
        days = self.phrases.list([self._day(episode.moment) for episode in episodes])
        return self.phrases.say("beside", days=days) if days else ""

    def map_head(self, share: MapShare | None) -> str:
        """The heading of the map: always about the material, never the student."""
        if share is None:
            return self.phrases.say("heads.map")
        return self.phrases.say("heads.map_share", n=share.concepts, share=self.phrases.percent(share.explained))

    def _remembered(self, memory: Remembered, length: int) -> str:
        return self._dated(memory.episode, length) + self._folded(memory) + self._mark(memory)

    def _dated(self, episode: Episode, length: int) -> str:
        words = self._words(episode, length)
        return self.phrases.say(f"lines.{episode.kind.value}", date=self._day(episode.moment), text=words)

    def _words(self, episode: Episode, length: int) -> str:
        content = episode.content
        if content is None:
            return ""
        said = plain_words(content.text if episode.kind is Kind.TAUGHT else content.summary or content.text, length)
        if episode.kind is Kind.CHECK:
            return self._checked(episode, plain_words(content.text or content.summary, min(length, CHECK_WORDS)))
        if episode.kind in (Kind.CONSOLIDATION, Kind.FILE, Kind.QUIZ):
            return said
        return self.phrases.say("marks.quote", text=said) if said else ""

    def _checked(self, episode: Episode, question: str) -> str:
        """ "osmosis: wrong, “What moves through the membrane?”"; the question only where something was missed."""
        verdict = episode.meta.verdict
        outcome = self.phrases.say(f"verdict.{verdict.value if verdict else 'none'}")
        colon = self.phrases.say("marks.colon")
        asked = self.phrases.say("marks.quote", text=question)
        name = self._names.get(episode.row)
        if name is None:
            return f"{asked}{colon}{outcome}"
        missed = question and verdict is not Verdict.RIGHT
        return f"{plain_words(name, FEWER_WORDS)}{colon}{outcome}{f', {asked}' if missed else ''}"

    def _folded(self, memory: Remembered) -> str:
        others = memory.count - 1
        if not others:
            return ""
        first, last = memory.first, memory.last
        if first.day == last.day:
            return self.phrases.say("marks.folded_same_day", n=others)
        return self.phrases.say("marks.folded", n=others, first=self._day(first), last=self._day(last))

    def _mark(self, memory: Remembered) -> str:
        state = self._states.get(memory.episode.id, FileState.HOLDS)
        return "" if state is FileState.HOLDS else self.phrases.say(f"marks.{state.value}")

    def _day(self, moment: Moment) -> str:
        return self.phrases.day(moment.day, self._today)


def plain_words(text: str, length: int) -> str:
    """Someone's words on one line, without what could pass for the brief's own frame."""
    return shortened(
        "".join(letter for letter in text.translate(_FRAMES) if letter.isprintable() or letter.isspace()), length
    )
