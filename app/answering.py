"""The model speaks: a streamed answer from brief and passages, guarded sentence by sentence, tied to its sources.

Without a chat model the answer is extractive: the nearest passages, quoted with their place, and how to get a model.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.engines import Engines
from app.models.chat import (
    Cancel,
    ChatModel,
    ChatModelDied,
    Message,
    ModelDoesNotFit,
    ModelUnloadable,
    PromptTooLong,
    RequestRefused,
    Stopped,
)
from app.prompt import Conversation, last_message
from app.read_path import Reading
from app.turn_events import Citation, Piece, Struck
from memory.claims import disclaims, only_asks, split_claims
from memory.episodes import ConceptId, Episode, EpisodeId, Evidence, Kind, State, SubjectId, Verdict
from memory.grounding import Grounding, Source, ground
from memory.guard import Guard
from memory.memory import Memory
from memory.moments import Moment
from memory.passages import Passage
from memory.phrases import phrases_for
from memory.scratch import Unfinished

LONGEST_ANSWER = 280
"""Tokens of one answer."""
SAVED_EVERY = 1.0
"""Seconds between two saves of an unfinished answer."""
QUOTED = 3
QUOTE_LENGTH = 420


@dataclass(slots=True)
class Spoken:
    """What was said, whole or as far as it came, and its figures in milliseconds and tokens."""

    text: str
    state: State | None
    timings: dict[str, float]
    fault: str | None = None


class Answering:
    """Lets the model answer one question."""

    def __init__(self, memory: Memory, engines: Engines) -> None:
        self._memory = memory
        self._engines = engines

    def ready(self) -> ChatModel | None:
        """The chat model, loaded, before the read path's time begins to run; None where none can be used."""
        model = self._engines.chat()
        if model is not None:
            try:
                model.load()
            except (ChatModelDied, ModelDoesNotFit, ModelUnloadable):
                return None
        return model

    def speak(
        self,
        model: ChatModel | None,
        subject: SubjectId,
        question: EpisodeId | None,
        text: str,
        reading: Reading,
        conversation: Conversation,
        now: Moment,
        cancel: Cancel | None,
        *,
        guarded: bool = True,
    ) -> Iterator[Piece | Struck | Spoken]:
        """Pieces as they are written, struck sentences (where ``guarded``), and at the end what was said.

        Without a recorded ``question`` nothing is saved on the way.
        """
        if model is None:
            said = self.extract(reading)
            yield Piece(said)
            yield Spoken(said, None, {})
            return
        language = reading.understanding.language
        nonce = secrets.token_hex(3)
        prompt = last_message(text, language, reading.brief.text, reading.passages, nonce)
        words = [*(asked for asked, _ in conversation.turns), text]
        yield from _Stream(self._memory, self._engines, model, subject, question, reading, now, guarded, words).run(
            conversation, prompt, cancel
        )

    def extract(self, reading: Reading) -> str:
        """The answer without a model: the best passages, word for word, and how to get a model."""
        phrases = phrases_for(reading.understanding.language)
        found = reading.passages[:QUOTED]
        if not found:
            return f"{phrases.say('fault.no_passages')}\n\n{phrases.say('fault.no_model')}"
        lines = [phrases.say("extractive.head", n=len(found))]
        for each in found:
            passage = each.passage
            place = phrases.say("extractive.place", file=passage.name, page=passage.page)
            quote = phrases.quote(passage.text, QUOTE_LENGTH)
            lines.append("- " + phrases.say("extractive.line", quote=quote, place=place))
        return "\n".join([*lines, "", phrases.say("fault.no_model")])

    def read_passages(self, reading: Reading) -> list[Passage]:
        """The passages a turn read: those found, and those that the definitions in its brief are quoted from."""
        found = [each.passage for each in reading.passages]
        shown = [ConceptId(read.source) for read in reading.brief.reads if read.kind == "concept"]
        for concept in self._memory.map.many(shown):
            for place in concept.places:
                if place.quote is not None:
                    held = self._memory.passages.holding(place.version, place.quote.page, place.quote.first_line)
                    found += [held] if held is not None else []
        return list({passage.id: passage for passage in found}.values())

    def _episode_sources(self, reading: Reading) -> list[Source]:
        shown = self._memory.ledger.many(shown_episodes(reading))
        return [source for episode in shown for source in episode_sources(episode)]

    def ground(self, subject: SubjectId, said: str, reading: Reading) -> Grounding:
        """Tie what was said to what was read: by words, and by meaning where an embedder is at hand."""
        language = reading.understanding.language
        names: dict[str, list[str]] = {}
        for row in self._memory.map.name_rows(subject):
            names.setdefault(row.concept, []).append(row.name)
        return ground(
            split_claims(said, language),
            [*(passage_source(passage) for passage in self.read_passages(reading)), *self._episode_sources(reading)],
            language=language,
            names=names,
            similarity=self._engines.likeness if self._engines.embedder() is not None else None,
            disclaimed=disclaims(said, language) or only_asks(said, language),
        )


class _Stream:
    """One answer being written."""

    def __init__(
        self,
        memory: Memory,
        engines: Engines,
        model: ChatModel,
        subject: SubjectId,
        question: EpisodeId | None,
        reading: Reading,
        now: Moment,
        guarded: bool,
        said: Sequence[str],
    ) -> None:
        """``said`` are the student's words of this conversation."""
        self._memory = memory
        self._engines = engines
        self._model = model
        self._subject = subject
        self._question = question
        self._language = reading.understanding.language
        self._now = now
        evidence = "\n".join(line.text for line in reading.brief.lines if line.section not in ("frame", "map"))
        remembered = memory.ledger.many(shown_episodes(reading))
        self._guard = Guard(self._language, remembered, now, evidence=evidence, said=said) if guarded else None
        self._text = ""
        self._checked = 0
        self._saved = time.monotonic()

    def run(
        self, conversation: Conversation, prompt: Message, cancel: Cancel | None
    ) -> Iterator[Piece | Struck | Spoken]:
        messages = [*conversation.messages(), prompt]
        began = time.perf_counter()
        first: float | None = None
        try:
            generation = self._model.generate(messages, max_tokens=LONGEST_ANSWER, cancel=cancel)
            for piece in generation:
                if first is None:
                    first = time.perf_counter() - began
                yield from self._take(piece)
        except (ChatModelDied, ModelDoesNotFit, ModelUnloadable, RequestRefused):
            yield self._broken(first, "fault.model_died")
            return
        except PromptTooLong:
            conversation.turns.clear()
            yield self._broken(first, "fault.model_died")
            return
        yield from self._strike(len(self._text))
        figures = generation.result
        assert figures is not None
        self._engines.measure(self._model.path, figures)
        stopped = figures.stopped is Stopped.CANCELLED
        self._text = self._text.rstrip()
        if figures.stopped is Stopped.LENGTH:
            self._text = _whole_sentences(self._text)
        timings = {
            "first_token_ms": round((first or 0.0) * 1000, 1),
            "generate_ms": round((time.perf_counter() - began) * 1000, 1),
            "prompt_tokens": float(figures.tokens_in),
            "evaluated_tokens": float(figures.tokens_evaluated),
            "answer_tokens": float(figures.tokens_out),
        }
        yield Spoken(self._text, State.STOPPED if stopped else None, timings)

    def _take(self, piece: str) -> Iterator[Piece | Struck]:
        self._text += piece
        yield Piece(piece)
        end = _last_sentence_end(self._text, self._checked)
        if end > self._checked:
            yield from self._strike(end)
        if self._question is not None and time.monotonic() - self._saved > SAVED_EVERY:
            self._saved = time.monotonic()
            unfinished = Unfinished(self._question, self._subject, self._text, self._language)
            self._memory.scratch.put(unfinished, self._now.at)

    def _strike(self, end: int) -> Iterator[Struck]:
        """Look at the sentences completed since last time; a note takes the place of an unrecorded past."""
        part = self._text[self._checked : end]
        kept = ""
        for claim_text, tail in _sentences(part):
            struck = self._guard.check(claim_text) if self._guard is not None else None
            if struck is None:
                kept += claim_text + tail
                continue
            first = self._checked + len(kept)
            kept += struck.note + tail
            yield Struck(first, first + len(claim_text), struck.note)
        self._text = self._text[: self._checked] + kept + self._text[end:]
        self._checked += len(kept)

    def _broken(self, first: float | None, fault: str) -> Spoken:
        timings = {"first_token_ms": round((first or 0.0) * 1000, 1)}
        return Spoken(self._text.rstrip(), State.INTERRUPTED, timings, fault)


def shown_episodes(reading: Reading) -> list[EpisodeId]:
    """The episodes that reached the prompt, notes of the concepts among them."""
    return [EpisodeId(read.source) for read in reading.brief.reads if read.kind == "episode"]


def passage_source(passage: Passage) -> Source:
    """A passage as a source a claim may rest on."""
    return Source("passage", str(passage.id), passage.text, passage.language, passage.name)


def episode_sources(episode: Episode) -> list[Source]:
    """An episode as sources: what it states, if anything, and what was said in it.

    A question states nothing, an answer only what its own sources state, and a reply that was not right is wrong.
    """
    content, kind = episode.content, episode.kind
    if content is None:
        return []
    reply = content.reply if episode.meta.verdict is Verdict.RIGHT else None
    states: tuple[str | None, ...] = ()
    if kind is Kind.TAUGHT:
        states = (content.text,)
    elif kind in (Kind.CHECK, Kind.QUIZ):
        states = (content.expected, content.evaluation, reply)
    said = (content.text, content.reply, content.expected, content.evaluation)
    return [
        Source("episode", episode.id, text, episode.meta.language, "", episode.moment.day, said=past)
        for parts, past in ((states, False), (said, True))
        if (text := " ".join(part for part in parts if part))
    ]


def cited(text: str, grounding: Grounding, passages: Sequence[Passage]) -> tuple[list[Citation], list[Evidence]]:
    """The claims of an answer with their places, and the evidence its episode keeps."""
    by_id = {str(passage.id): passage for passage in passages}
    citations: list[Citation] = []
    evidence: dict[tuple[str, int], Evidence] = {}
    for link in grounding.citations:
        claim = text[link.first : link.last]
        passage = by_id.get(link.source or "") if link.kind == "passage" else None
        if passage is not None:
            lines = (passage.first_line, passage.last_line)
            citations.append(
                Citation(link.first, link.last, claim, passage.name, passage.id, passage.page, lines, score=link.score)
            )
            evidence.setdefault(
                (passage.sha256, passage.page), Evidence(passage.name, passage.sha256, passage.page, lines)
            )
        elif link.kind == "episode" and link.source:
            citations.append(Citation(link.first, link.last, claim, episode=EpisodeId(link.source), score=link.score))
        else:
            citations.append(Citation(link.first, link.last, claim, score=link.score))
    return citations, list(evidence.values())


def _sentences(part: str) -> Iterator[tuple[str, str]]:
    """Sentences of a part with the white space after each."""
    start = 0
    for position, letter in enumerate(part):
        if letter in ".!?؟…\n" and (position + 1 == len(part) or part[position + 1].isspace()):
            tail = position + 1
            while tail < len(part) and part[tail].isspace():
                tail += 1
            if tail > start and position + 1 > start:
                yield part[start : position + 1], part[position + 1 : tail]
            start = tail
    if start < len(part):
        yield part[start:], ""


def _last_sentence_end(text: str, start: int) -> int:
    """The place after the last sentence that is certainly over."""
    for position in range(len(text) - 2, start - 1, -1):
        if text[position] in ".!?؟…\n" and text[position + 1].isspace():
            return position + 2
    return start


def _whole_sentences(text: str) -> str:
    """An answer that ran out of room ends with its last whole sentence, when there is one."""
    end = _last_sentence_end(text + " ", 0)
    return text[:end].rstrip() if end > len(text) // 3 else text + "…"
