"""The prompt of a turn, laid out so that the model's cached prefix survives from one turn to the next.

``[rules, static] [earlier turns, verbatim, bounded] [last message: brief, passages, the student's words]``: everything
before the last message stays byte for byte the same, so only new tokens are evaluated. The earlier turns hold the
student's bare words, never an old brief. Passages are data: fenced with a nonce of the turn, and the rules say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from app.models.chat import Message
from memory.passages import Found

LONGEST_HISTORY = 1500
"""Tokens of earlier turns after which they are cut …"""
KEPT_HISTORY = 700
"""… down to this many, so that the prefix changes once in many turns."""

CountTokens = Callable[[Sequence[str]], list[int]]


@dataclass(slots=True)
class Conversation:
    """The turns of one subject since the program started, as the model saw them."""

    turns: list[tuple[str, str]] = field(default_factory=list)
    language: str | None = None
    about: str | None = None
    """The last question that said by itself what it was about."""

    def add(self, question: str, answer: str, language: str) -> None:
        """One more exchange."""
        self.turns.append((question, answer))
        self.language = language

    def trim(self, count_tokens: CountTokens) -> bool:
        """Cut the oldest turns in one block when there are too many tokens; whether anything was cut."""
        counts = count_tokens([f"{question}\n{answer}" for question, answer in self.turns])
        if sum(counts) <= LONGEST_HISTORY:
            return False
        kept, total = 0, 0
        for count in reversed(counts):
            if kept and total + count > KEPT_HISTORY:
                break
            kept, total = kept + 1, total + count
        del self.turns[: len(self.turns) - kept]
        return True

    def messages(self) -> list[Message]:
        """The static rules and the earlier turns: the part of the prompt that is evaluated once."""
        messages = [Message("system", rules())]
        for question, answer in self.turns:
            messages += [Message("user", question), Message("assistant", answer)]
        return messages


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens of prompt a second on this machine, as last measured; what the brief and the passages may cost."""

    tokens: float = 89.0

    @property
    def brief(self) -> int:
        """Tokens for the brief: with the passages 5 s of reading at most, within 200 and 700."""
        return int(min(700.0, max(200.0, self.tokens * 5 * 0.56)))

    @property
    def passages(self) -> int:
        """Tokens for the passages, within 200 and 600."""
        return int(min(600.0, max(200.0, self.tokens * 5 * 0.44)))


UNHURRIED = Speed(10_000.0)
"""Where no model reads the brief, its ceiling alone bounds it."""


@cache
def rules() -> str:
    """The tutor's role and rules, the same on every turn."""
    return resources.files("resources").joinpath("prompts", "rules.txt").read_text("utf-8").strip()


@cache
def _closing(language: str) -> str:
    folder = resources.files("resources").joinpath("prompts")
    return folder.joinpath(f"answer.{language}.txt").read_text("utf-8").strip()


def lesson_prompt(language: str, concept: str, definition: str) -> str:
    """The request to explain one concept from the file's own sentence."""
    folder = resources.files("resources").joinpath("prompts")
    template = folder.joinpath(f"lesson.{language}.txt").read_text("utf-8").strip()
    return template.replace("{concept}", concept).replace("{definition}", definition)


def last_message(question: str, language: str, brief: str, passages: Sequence[Found], nonce: str) -> Message:
    """The turn's own message: brief, fenced passages, the student's words, and the language to answer in."""
    parts = [brief] if brief else []
    if passages:
        parts.append("\n".join(fenced(found, number, nonce) for number, found in enumerate(passages, 1)))
    parts.append(_closing(language).replace("{question}", question))
    return Message("user", "\n\n".join(parts))


def fenced(found: Found, number: int, nonce: str) -> str:
    """One passage as quoted data: its end cannot be forged by the file, since the nonce is new on every turn."""
    passage = found.passage
    heading = f" — {passage.heading}" if passage.heading else ""
    return f"<file {nonce} {number} page {passage.page}{heading}>\n{' '.join(passage.text.split())}\n</file {nonce}>"


def within(budget: int, passages: Sequence[Found], count_tokens: CountTokens) -> list[Found]:
    """The best passages that fit; the first is kept even when it alone is too long, cut by :func:`fenced`'s caller."""
    kept: list[Found] = []
    spent = 0
    for found, cost in zip(
        passages, count_tokens([" ".join(found.passage.text.split()) for found in passages]), strict=True
    ):
        if kept and spent + cost > budget:
            continue
        kept.append(found)
        spent += cost
        if spent >= budget:
            break
    return kept
