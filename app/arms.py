"""The arms of the memory benchmark: one question, answered with more or less of the memory, and nothing kept.

All arms search the same files in the same way. *plain* reads passages alone; *window* the last twenty turns of the
record, unranked, beside them; *episodes* ranked recall, without map, beliefs, record answers and guard; *phrased* the
full memory, every plan phrased by the model; *shipped* is the tutor's own turn. They belong in an isolated copy.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from app.answering import Answering, Spoken, cited
from app.models.chat import ChatModel
from app.prompt import Conversation
from app.read_path import Reading
from app.replay import isolated
from app.turn_events import Finished, Plan, TurnResult
from app.wiring import House
from memory.brief_budget import estimate
from memory.episodes import Episode, EpisodeId, Kind, SubjectId
from memory.understanding import MessageKind

WINDOW = 20
"""Turns of the *window* arm (the article's baseline)."""
CONTEXT = 8192
"""Tokens of the model's context in every arm, so that the window fits."""
ROOM = 1600
"""Tokens of the context that the window leaves to rules, passages, question and answer."""


class Arm(StrEnum):
    """How much of the memory a question may use."""

    PLAIN = "plain"
    WINDOW = "window"
    EPISODES = "episodes"
    PHRASED = "phrased"
    SHIPPED = "shipped"


class Arms:
    """Answers questions by an arm over one house, an isolated copy; each question faces the same record."""

    def __init__(self, copy: House) -> None:
        self._house = copy
        self._answering = Answering(copy.memory, copy.engines)
        copy.engines.context = CONTEXT

    def ask(self, subject: SubjectId, text: str, arm: Arm, language: str | None = None) -> TurnResult:
        """The answer of an arm; nothing is recorded. Raises the store's faults."""
        if arm is not Arm.SHIPPED:
            return self._phrased_by_the_model(subject, text, arm, language)
        with isolated(self._house, None, self._house.clock.zone) as own:
            own.clock.set(self._house.clock.now())
            own.engines.context = CONTEXT
            events = own.tutor.turn(subject, text, language=language)
            return next(event.result for event in events if isinstance(event, Finished))

    def _phrased_by_the_model(self, subject: SubjectId, text: str, arm: Arm, language: str | None) -> TurnResult:
        began, house = time.perf_counter(), self._house
        now = house.clock.now()
        model = self._answering.ready()
        count = model.count_tokens if model is not None else estimate
        reading = house.reads.understand(subject, text, now, language=language)
        if arm is not Arm.PHRASED:
            reading.understanding = replace(reading.understanding, kind=MessageKind.ORDINARY, sub=None)
        house.reads.read(
            subject,
            text,
            reading,
            now,
            speed=house.engines.speed(),
            count_tokens=count,
            only_episodes=arm is not Arm.PHRASED,
        )
        conversation = Conversation()
        if arm in (Arm.PLAIN, Arm.WINDOW):
            reading = Reading(reading.understanding, reading.vector, passages=reading.passages, timings=reading.timings)
        if arm is Arm.WINDOW:
            conversation.turns = self._last_turns(subject, model)
        spoken = self._speak(model, subject, text, reading, conversation, guarded=arm is Arm.PHRASED)
        grounding = self._answering.ground(subject, spoken.text, reading)
        citations, _ = cited(spoken.text, grounding, self._answering.read_passages(reading))
        timings = {**reading.timings, **spoken.timings, "total_ms": round(1000 * (time.perf_counter() - began), 1)}
        return TurnResult(
            question=EpisodeId(""),
            answer=None,
            kind=reading.understanding.kind.value,
            sub=reading.understanding.sub,
            plan=Plan.ANSWER,
            text=spoken.text,
            language=reading.understanding.language,
            memories=house.tutor.refs([memory.episode.id for memory in reading.brief.memories]),
            citations=tuple(citations),
            status=grounding.status,
            brief_tokens=reading.brief.tokens,
            timings=timings,
        )

    def _speak(
        self,
        model: ChatModel | None,
        subject: SubjectId,
        text: str,
        reading: Reading,
        conversation: Conversation,
        *,
        guarded: bool,
    ) -> Spoken:
        now = self._house.clock.now()
        events = self._answering.speak(model, subject, None, text, reading, conversation, now, None, guarded=guarded)
        return next(event for event in events if isinstance(event, Spoken))

    def _last_turns(self, subject: SubjectId, model: ChatModel | None) -> list[tuple[str, str]]:
        """The last turns of the record as a chat would hold them, oldest first, each with its day; as many as fit."""
        found = self._house.memory.ledger.find(subject, newest_first=True, limit=4 * WINDOW)
        turns = as_turns(found[::-1])[-WINDOW:]
        counts = model.count_tokens([f"{asked}\n{answered}" for asked, answered in turns]) if model is not None else []
        while counts and sum(counts) > CONTEXT - ROOM:
            del counts[0], turns[0]
        return turns


def as_turns(episodes: Sequence[Episode]) -> list[tuple[str, str]]:
    """Episodes, oldest first, as exchanges between student and tutor."""
    turns: list[tuple[str, str]] = []
    asked: dict[EpisodeId, int] = {}
    for episode in episodes:
        content, day = episode.content, episode.moment.day.isoformat()
        if content is None:
            continue
        match episode.kind:
            case Kind.QUESTION | Kind.TAUGHT | Kind.FILE:
                asked[episode.id] = len(turns)
                turns.append((f"({day}) {content.text}", ""))
            case Kind.ANSWER:
                at = asked.get(episode.meta.about or EpisodeId(""), len(turns) - 1)
                if 0 <= at < len(turns) and not turns[at][1]:
                    turns[at] = (turns[at][0], content.text)
                else:
                    turns.append(("", content.text))
            case Kind.CHECK | Kind.QUIZ:
                verdict = episode.meta.verdict.value if episode.meta.verdict is not None else ""
                said = " ".join(part for part in (content.evaluation, f"[{verdict}]" if verdict else "") if part)
                turns.append((f"({day}) [{content.text}] {content.reply or ''}".strip(), said))
            case _:
                pass
    return turns
