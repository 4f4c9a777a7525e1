"""Following: what a message means in the light of what was said before it, also when the program was begun anew."""

from __future__ import annotations

from app.clock import Clock
from app.prompt import Conversation
from app.read_path import Reading, ReadPath
from memory.episodes import EpisodeId, Kind, SubjectId
from memory.follow_ups import leans_back
from memory.memory import Memory
from memory.understanding import MessageKind

SAME_TALK = 30 * 60 * 1_000_000
"""Microseconds after which a message leans on nothing said before."""
_RECENT = 7
_ABOUT = (MessageKind.ORDINARY, MessageKind.RECORD, MessageKind.PREREQUISITE)


class Following:
    """Reads messages that lean on the one before ("why?", "and in November?")."""

    def __init__(self, memory: Memory, clock: Clock, reads: ReadPath) -> None:
        self._memory = memory
        self._clock = clock
        self._reads = reads

    def read(
        self, subject: SubjectId, text: str, reading: Reading, conversation: Conversation, question: EpisodeId
    ) -> Reading:
        """The reading of a message in its conversation, which learns what it is about from now on.

        A message that leans on a talk recorded before this program began brings that talk back into the prompt.
        """
        recorded = self._recorded(subject, question) if conversation.about is None else []
        conversation.about = conversation.about or self._about(subject, recorded)
        if conversation.about is not None:
            reading = self._reads.follow(subject, text, reading, conversation.about, self._clock.now())
        if reading.searched is not None:
            conversation.turns = conversation.turns or recorded
        elif reading.understanding.kind in _ABOUT:
            conversation.about = text
        return reading

    def _about(self, subject: SubjectId, turns: list[tuple[str, str]]) -> str | None:
        """The last question that said by itself what it was about."""
        for asked, _ in reversed(turns):
            meaning = self._reads.understand(subject, asked, self._clock.now()).understanding
            if meaning.kind in _ABOUT and not leans_back(asked, meaning):
                return asked
        return None

    def _recorded(self, subject: SubjectId, question: EpisodeId) -> list[tuple[str, str]]:
        """The last exchanges of the same talk, as the record holds them, oldest first."""
        since = self._clock.now().at - SAME_TALK
        found = self._memory.ledger.find(subject, kinds=(Kind.QUESTION, Kind.ANSWER), newest_first=True, limit=_RECENT)
        recent = [each for each in found if each.moment.at >= since and each.id != question]
        answers = {each.meta.about: each.content for each in recent if each.kind is Kind.ANSWER}
        turns = []
        for each in reversed(recent):
            answer = answers.get(each.id) if each.kind is Kind.QUESTION else None
            if each.content is not None and answer is not None:
                turns.append((each.content.text, answer.text))
        return turns
