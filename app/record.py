"""Writing a turn into the ledger: the student's words at once, the tutor's when they are whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.clock import Clock
from app.ids import Ids
from memory.checks import Check, choice_made, letters
from memory.episodes import (
    ConceptId,
    Content,
    Draft,
    Episode,
    EpisodeId,
    Evidence,
    Kind,
    Meta,
    Origin,
    State,
    SubjectId,
    Verdict,
)
from memory.memory import Memory
from memory.routing import Names, Route


class Record:
    """Appends what is said on a turn, with the concepts it touches."""

    def __init__(self, memory: Memory, clock: Clock, ids: Ids) -> None:
        self._memory = memory
        self._clock = clock
        self._ids = ids

    def question(self, subject: SubjectId, text: str, language: str, names: Names) -> Episode:
        """The student's message: on disk when this returns."""
        return self._append(
            subject, Kind.QUESTION, Origin.TYPED, Content(text), Meta(language=language), names.route(text, language)
        )

    def answer(
        self,
        subject: SubjectId,
        question: EpisodeId,
        text: str,
        language: str,
        plan: str,
        routes: Sequence[Route],
        *,
        narration: bool = False,
        evidence: Sequence[Evidence] = (),
        state: State | None = None,
        replaces: EpisodeId | None = None,
    ) -> Episode:
        """The tutor's answer, complete or marked as stopped or interrupted."""
        meta = Meta(
            language=language,
            plan=plan,
            narration=narration,
            about=question,
            evidence=tuple(evidence),
            state=state,
            replaces=replaces,
        )
        return self._append(subject, Kind.ANSWER, Origin.TUTOR, Content(text), meta, routes)

    def check(
        self,
        subject: SubjectId,
        check: Check,
        reply: str,
        verdict: Verdict | None,
        evaluation: str,
        names: Names,
        *,
        shown: bool = False,
    ) -> Episode:
        """A check with its reply; a verdict makes it evidence, none leaves it recorded without one.

        A choice is kept in its words with its letter, beside all choices and what the student wrote. ``shown``: the
        student asked to be shown the answer.
        """
        own = self._memory.map.get(check.concept) if check.concept else None
        keys = (own.key,) if own else ()
        meta = Meta(
            language=check.language,
            verdict=verdict,
            predicted=check.predicted,
            concepts=keys,
            evidence=(check.source,) if check.source else (),
            plan="grade",
            extra={
                "form": check.kind.value,
                **({"routed": True} if own else {}),
                **({"hints": check.hints} if check.hints else {}),
                **({"shown": True} if shown else {}),
            },
        )
        chosen = choice_made(check, reply) if not shown else None
        place = dict(zip(check.choices, letters(check.language), strict=False))
        content = Content(
            text=check.question,
            topic=own.name if own else None,
            reply=f"{place[chosen]}. {chosen}" if chosen else reply,
            expected=check.expected,
            evaluation=evaluation,
            extra={"choices": list(check.choices), "said": reply, **({"chosen": chosen} if chosen else {})}
            if check.choices
            else {},
        )
        touches = [(own.id, "exact")] if own else []
        return self._memory.ledger.append(self._draft(subject, Kind.CHECK, Origin.TYPED, content, meta), touches)

    def _append(
        self, subject: SubjectId, kind: Kind, origin: Origin, content: Content, meta: Meta, routes: Sequence[Route]
    ) -> Episode:
        touches = [(ConceptId(route.id), route.how) for route in routes]
        keys = tuple(key for concept, _ in touches if (key := self._memory.map.key_of(concept)))
        draft = self._draft(subject, kind, origin, content, replace(meta, concepts=keys))
        return self._memory.ledger.append(draft, touches)

    def _draft(self, subject: SubjectId, kind: Kind, origin: Origin, content: Content, meta: Meta) -> Draft:
        now = self._clock.now()
        return Draft(
            id=EpisodeId(self._ids()),
            subject=subject,
            kind=kind,
            origin=origin,
            moment=now,
            recorded_at=self._clock.recorded(),
            content=content,
            meta=meta,
        )
