"""The tutor's turn: from a typed line to a recorded answer.

The question is on disk before anything else. What is known is answered by the ledger or the map; the model explains.
Everything said ends in the ledger, with what it read and what it can show for its claims.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.answering import Answering, Spoken, cited
from app.clock import Clock
from app.composed import Composed, Speakers
from app.engines import Engines
from app.following import Following
from app.lesson_turns import LessonTurns
from app.models.chat import Cancel
from app.prompt import Conversation
from app.read_path import Reading, ReadPath
from app.record import Record
from app.reminding import Reminding
from app.turn_events import Citation, Finished, MemoryRef, Piece, Plan, Planned, Saved, TurnEvent, TurnResult
from memory.episodes import Episode, EpisodeId, Kind, State, SubjectId
from memory.memory import Memory
from memory.phrases import phrases_for
from memory.rows import valid_text
from memory.understanding import MessageKind, Understanding
from memory.words import identify

_PLANS = {
    MessageKind.TEACH: Plan.TEACH,
    MessageKind.RECORD: Plan.LEDGER,
    MessageKind.PREREQUISITE: Plan.MAP,
    MessageKind.LESSON: Plan.LESSON,
    MessageKind.SMALLTALK: Plan.SMALLTALK,
    MessageKind.CHECK_ANSWER: Plan.GRADE,
    MessageKind.ORDINARY: Plan.ANSWER,
}
CHUNK = 40
"""Characters of a composed answer a piece: it is there at once, but is shown like any other."""


class Tutor:
    """Runs turns. One turn a subject at a time; blocking, so it belongs on a worker's lane."""

    def __init__(
        self,
        memory: Memory,
        clock: Clock,
        record: Record,
        reads: ReadPath,
        engines: Engines,
        speakers: Speakers,
        lessons: LessonTurns,
    ) -> None:
        self._memory = memory
        self._clock = clock
        self._record = record
        self._reads = reads
        self._engines = engines
        self._speakers = speakers
        self._answering = Answering(memory, engines)
        self._lessons = lessons
        self.reminding = Reminding(memory, clock)
        self._following = Following(memory, clock, reads)
        self._conversations: dict[SubjectId, Conversation] = {}

    def turn(
        self, subject: SubjectId, text: str, *, cancel: Cancel | None = None, language: str | None = None
    ) -> Iterator[TurnEvent]:
        """One turn. ``language`` is the fallback for a message too short to tell. Raises the store's faults."""
        began = time.perf_counter()
        text = valid_text(text).strip()
        conversation = self._conversations.setdefault(subject, Conversation())
        language = conversation.language or language
        beside = self._lessons.asides.beside(subject, text, identify(text, language or "en"))
        if beside is not None:
            yield from self._aside(subject, text, beside, began)
            return
        pending = self._memory.checks.get(subject)
        if pending is not None:
            reading = self._reads.understand(
                subject, text, self._clock.now(), pending=True, language=pending.check.language
            )
            asides, kind = self._lessons.asides, reading.understanding.kind
            replies = asides.replies(subject, text) or asides.gives_up(subject, text)
            if replies or (kind is MessageKind.CHECK_ANSWER and not asides.asks(subject, text)):
                again = self._lessons.fits_no_choice(subject, text)
                if again is not None:
                    yield from self._aside(subject, text, again, began)
                    return
                yield from self._grade(subject, text, reading, began, cancel)
                return
        names = self._reads.names(subject)
        question = self._record.question(subject, text, identify(text, language or "en"), names)
        yield Saved(question.id)
        reading = self._reads.understand(subject, text, self._clock.now(), language=language)
        reading = self._following.read(subject, text, reading, conversation, question.id)
        meaning, plan = self._plan(subject, text, reading.understanding)
        reading.understanding = meaning
        yield Planned(meaning.kind.value, plan, meaning.language)
        if plan is Plan.ANSWER:
            yield from self._answer(subject, question, text, reading, conversation, began, cancel)
        else:
            yield from self._compose(subject, question, text, reading, plan, began, cancel)

    def regenerate(self, answer: EpisodeId, *, cancel: Cancel | None = None) -> Iterator[TurnEvent]:
        """Another answer to the same question; it takes the earlier one's place on screen, both stay in the ledger."""
        earlier = self._memory.ledger.get(answer)
        question = self._memory.ledger.get(earlier.meta.about) if earlier and earlier.meta.about else None
        if earlier is None or question is None or question.content is None:
            return
        text = question.content.text
        reading = self._reads.understand(question.subject, text, self._clock.now(), language=question.meta.language)
        conversation = self._conversations.setdefault(question.subject, Conversation())
        if conversation.turns and conversation.turns[-1][0] == text:
            conversation.turns.pop()
        yield Planned(reading.understanding.kind.value, Plan.ANSWER, reading.understanding.language)
        yield from self._answer(
            question.subject, question, text, reading, conversation, time.perf_counter(), cancel, replaces=answer
        )

    def prefill(self, subject: SubjectId, cancel: Cancel | None = None) -> None:
        """Read the trimmed history into the model's cache while the student reads the answer."""
        model, conversation = self._engines.chat(), self._conversations.get(subject)
        if model is not None and conversation is not None and conversation.turns:
            conversation.trim(model.count_tokens)
            model.prefill(conversation.messages(), cancel=cancel)

    def recover(self) -> list[EpisodeId]:
        """Answers that were being written when the program ended are recorded as interrupted; their ids."""
        recovered = []
        for left in self._memory.scratch.left():
            names = self._reads.names(left.subject)
            language = left.language or "en"
            if left.text.strip():
                routes = names.route(left.text, language)
                written = self._record.answer(
                    left.subject, left.question, left.text, language, Plan.ANSWER, routes, state=State.INTERRUPTED
                )
                recovered.append(written.id)
            self._memory.scratch.clear(left.question)
        return recovered

    def _plan(self, subject: SubjectId, text: str, meaning: Understanding) -> tuple[Understanding, Plan]:
        if self._speakers.confirms(subject, text):
            return meaning, Plan.TEACH
        if meaning.sub == "wish":
            return meaning, Plan.TEACH
        if meaning.others:  # only the student's own record is held, and a model would tell it as somebody else's
            return meaning, Plan.LEDGER
        if meaning.kind is MessageKind.CHECK_ANSWER:
            return replace(meaning, kind=MessageKind.ORDINARY), Plan.ANSWER
        if meaning.kind is MessageKind.ORDINARY and self._speakers.asks_the_map(text, meaning) is not None:
            return meaning, Plan.MAP
        return meaning, _PLANS[meaning.kind]

    def _compose(
        self,
        subject: SubjectId,
        question: Episode,
        text: str,
        reading: Reading,
        plan: Plan,
        began: float,
        cancel: Cancel | None,
    ) -> Iterator[TurnEvent]:
        """Plans that need no generative model, and lessons, whose explanation may come from one."""
        meaning = reading.understanding
        if plan is Plan.LESSON:
            said = yield from self._lessons.begin(subject, text, meaning, cancel)
        else:
            said = self._speakers.say(subject, question, text, meaning, plan)
            for start in range(0, len(said.text), CHUNK):
                yield Piece(said.text[start : start + CHUNK])
        timings = {**reading.timings, "total_ms": _ms(began)}
        timings.setdefault("first_token_ms", timings["total_ms"])
        timings.setdefault("brief_ms", 0.0)
        result = self._finish_composed(subject, question.id, said, plan, meaning.language, timings)
        self._conversations[subject].add(text, result.text, meaning.language)
        yield Finished(replace(result, kind=meaning.kind.value, sub=meaning.sub))

    def _finish_composed(
        self,
        subject: SubjectId,
        question: EpisodeId,
        said: Composed,
        plan: Plan,
        language: str,
        timings: dict[str, float],
    ) -> TurnResult:
        routes = self._reads.names(subject).route(said.text, language)
        answer = self._record.answer(
            subject,
            question,
            said.text,
            language,
            plan,
            () if said.narration or plan is Plan.MAP else routes,  # the map names concepts, it explains none
            narration=said.narration,
            evidence=said.evidence,
        )
        self._memory.records.write(
            answer.id,
            reads=[("episode", id, rank, 1.0) for rank, id in enumerate(said.memories)],
            status="answered",
            brief={"plan": plan.value},
            timings=timings,
            grounding=said.grounding,
        )
        return TurnResult(
            question=question,
            answer=answer.id,
            kind="",
            sub=None,
            plan=plan,
            text=said.text,
            language=language,
            memories=self.refs(said.memories),
            citations=said.citations,
            timings=timings,
            taught=said.taught,
            wish=said.wish,
            check=said.check or self._lessons.asides.waiting(subject),
            checked=said.checked,
            verdict=said.verdict,
        )

    def _aside(self, subject: SubjectId, text: str, said: Composed, began: float) -> Iterator[TurnEvent]:
        """A message that answers no check though one waits: leaving the lesson, or a reply that fits no choice."""
        language = said.language or "en"
        question = self._record.question(subject, text, language, self._reads.names(subject))
        yield Saved(question.id)
        yield Planned(MessageKind.LESSON.value, Plan.LESSON, language)
        yield Piece(said.text)
        timings = {"total_ms": _ms(began), "first_token_ms": _ms(began), "brief_ms": 0.0}
        result = self._finish_composed(subject, question.id, said, Plan.LESSON, language, timings)
        yield Finished(replace(result, kind=MessageKind.LESSON.value))

    def _grade(
        self, subject: SubjectId, text: str, reading: Reading, began: float, cancel: Cancel | None
    ) -> Iterator[TurnEvent]:
        yield Planned(MessageKind.CHECK_ANSWER.value, Plan.GRADE, reading.understanding.language)
        said = yield from self._lessons.grade(subject, text, cancel)
        assert said.checked is not None
        language = said.language or reading.understanding.language
        timings = {**reading.timings, "total_ms": _ms(began), "first_token_ms": _ms(began), "brief_ms": 0.0}
        result = self._finish_composed(subject, said.checked, said, Plan.GRADE, language, timings)
        self._conversations.setdefault(subject, Conversation()).add(text, said.text, language)
        yield Finished(replace(result, kind=MessageKind.CHECK_ANSWER.value))

    def _answer(
        self,
        subject: SubjectId,
        question: Episode,
        text: str,
        reading: Reading,
        conversation: Conversation,
        began: float,
        cancel: Cancel | None,
        replaces: EpisodeId | None = None,
    ) -> Iterator[TurnEvent]:
        now, meaning = self._clock.now(), reading.understanding
        model = self._answering.ready()
        count = model.count_tokens if model is not None else None
        self._reads.read(
            subject,
            text,
            reading,
            now,
            exclude=[question.id] + ([replaces] if replaces else []),
            speed=self._engines.speed(),
            count_tokens=count,
        )
        spoken: Spoken | None = None
        for event in self._answering.speak(model, subject, question.id, text, reading, conversation, now, cancel):
            if isinstance(event, Spoken):
                spoken = event
            else:
                yield event
        assert spoken is not None
        said = spoken.text
        if spoken.fault is not None:
            note = phrases_for(meaning.language).say(spoken.fault)
            yield Piece(f"\n\n{note}" if said else note)
            said = f"{said}\n\n{note}" if said else note
        yield Finished(self._finish_answer(subject, question, said, reading, spoken, began, replaces))
        if spoken.state is None and model is not None:
            conversation.add(text, said, meaning.language)
            conversation.trim(model.count_tokens)
        conversation.language = meaning.language

    def _finish_answer(
        self,
        subject: SubjectId,
        question: Episode,
        said: str,
        reading: Reading,
        spoken: Spoken,
        began: float,
        replaces: EpisodeId | None,
    ) -> TurnResult:
        meaning = reading.understanding
        grounding = self._answering.ground(subject, said, reading)
        citations, evidence = cited(said, grounding, self._answering.read_passages(reading))
        only_episodes = bool(citations) and not evidence and any(link.episode for link in citations)
        answer = self._record.answer(
            subject,
            question.id,
            said,
            meaning.language,
            Plan.ANSWER,
            self._reads.names(subject).route(said, meaning.language),
            narration=only_episodes,
            evidence=evidence,
            state=spoken.state,
            replaces=replaces,
        )
        self._memory.scratch.clear(question.id)
        timings = {**reading.timings, **spoken.timings, "total_ms": _ms(began)}
        timings.setdefault("first_token_ms", timings["total_ms"])
        told = [question.id, *(link.episode for link in citations if link.episode is not None)]
        reads = [(read.kind, read.source, read.rank, read.score) for read in reading.brief.reads]
        reads += [("passage", str(found.passage.id), rank, found.score) for rank, found in enumerate(reading.passages)]
        self._memory.records.write(
            answer.id,
            reads=reads,
            status=grounding.status,
            brief=self._memory.kept_briefs.keep(reading.brief.lines, meaning.language),
            timings=timings,
            grounding=grounding,
        )
        return TurnResult(
            question=question.id,
            answer=answer.id,
            kind=meaning.kind.value,
            sub=meaning.sub,
            plan=Plan.ANSWER,
            text=said,
            language=meaning.language,
            memories=self.refs([memory.episode.id for memory in reading.brief.memories]),
            citations=self._labelled(citations, meaning.language),
            status=grounding.status,
            brief_tokens=reading.brief.tokens,
            timings=timings,
            check=self._lessons.asides.waiting(subject),
            stopped=spoken.state is State.STOPPED,
            reminder=None if spoken.state is not None else self.reminding.after(subject, reading, told),
        )

    def refs(self, ids: Sequence[EpisodeId]) -> tuple[MemoryRef, ...]:
        """Episodes as a turn's result names them."""
        return tuple(memory_ref(episode) for episode in self._memory.ledger.many(list(dict.fromkeys(ids))))

    def _labelled(self, citations: Sequence[Citation], language: str) -> tuple[Citation, ...]:
        """Citations of memories, labelled by their date in the student's language."""
        phrases, today = phrases_for(language), self._clock.now().day
        found = {
            episode.id: episode
            for episode in self._memory.ledger.many([c.episode for c in citations if c.episode is not None])
        }
        labelled = []
        for citation in citations:
            if citation.episode in found:
                on = phrases.on(found[citation.episode].moment.day, today)
                citation = replace(citation, source=phrases.say("grounding.episode", on=on))
            labelled.append(citation)
        return tuple(labelled)


def memory_ref(episode: Episode, score: float = 0.0) -> MemoryRef:
    """An episode as results name it: its summary, and for a check its verdict."""
    label = episode.summary
    if episode.kind is Kind.CHECK and episode.meta.verdict is not None:
        topic = episode.content.topic if episode.content else None
        label = f"{topic or episode.summary}: {episode.meta.verdict.value}"
    return MemoryRef(episode.id, episode.kind.value, episode.moment, label, episode.meta.external_id, score)


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 1)
