"""Reminding: after an ordinary answer, at most one quiet line about an earlier episode worth bringing up."""

from __future__ import annotations

from collections.abc import Collection

from app.clock import Clock
from app.read_path import Reading
from app.turn_events import Reminder
from memory.episodes import ConceptId, Episode, EpisodeId, Kind, SubjectId
from memory.memory import Memory
from memory.phrases import phrases_for

QUOTED = 140
"""Letters of the earlier words that the line shows."""


class Reminding:
    """Brings an earlier check, quiz or note up by itself, seldom; the student may say that it was of no use."""

    def __init__(self, memory: Memory, clock: Clock) -> None:
        self._memory = memory
        self._clock = clock

    def after(self, subject: SubjectId, reading: Reading, exclude: Collection[str] = ()) -> Reminder | None:
        """The line for the answer made from ``reading``, noted as shown; ``exclude``: what the answer told already."""
        meaning, now = reading.understanding, self._clock.now()
        concepts = [ConceptId(route.id) for route in meaning.routes]
        found = self._memory.recall.reminding(subject, concepts, reading.vector, now, exclude)
        if found is None or found.episode.content is None:
            return None
        self._memory.recall.reminded(found.episode.id, now)
        return Reminder(found.episode.id, self._line(found.episode, meaning.language))

    def not_useful(self, episode: EpisodeId) -> None:
        """The student does not want to be reminded of that episode again."""
        self._memory.recall.never_remind(episode)

    def _line(self, episode: Episode, language: str) -> str:
        phrases, content = phrases_for(language), episode.content
        assert content is not None
        on = phrases.on(episode.moment.day, self._clock.now().day)
        quote = phrases.quote(content.text, QUOTED)
        if episode.kind is Kind.TAUGHT:
            return phrases.say("reminding.note", on=on, quote=quote)
        verdict = episode.meta.verdict
        told = phrases.say(f"verdict.{verdict.value if verdict is not None else 'none'}")
        return phrases.say("reminding.check", on=on, quote=quote, verdict=told)
