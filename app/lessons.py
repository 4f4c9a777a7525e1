"""Lessons: concept by concept in teaching order, weakest and due first; one check each, then on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.check_making import CheckMaker
from app.lesson_topics import Topics
from memory.checks import Check, CheckKind, letters
from memory.concept_rows import Concept
from memory.episodes import ConceptId, EpisodeId, Kind, SubjectId, Verdict
from memory.mastery import Claim
from memory.memory import Memory
from memory.moments import Moment, Window
from memory.phrases import Phrases
from memory.understanding import Understanding

LONGEST_LESSON = 8
LONGEST_TEACHING = 3
REMEMBERED = 12
"""Earlier checks of a concept that a new one is to differ from."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Where a lesson stands: the concepts still ahead (the current one first), and the verdicts so far.

    ``explain``: each concept is explained before its check ("teach me"); without, it is a quiz.
    """

    ahead: tuple[ConceptId, ...]
    explain: bool
    language: str
    total: int
    verdicts: tuple[str, ...] = ()
    checks: tuple[EpisodeId, ...] = ()

    def to_json(self) -> str:
        """As kept in the store."""
        return json.dumps(
            {
                "ahead": self.ahead,
                "explain": self.explain,
                "language": self.language,
                "total": self.total,
                "verdicts": self.verdicts,
                "checks": self.checks,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Lesson:
        """The inverse of :meth:`to_json`."""
        raw = json.loads(text)
        return cls(
            tuple(raw["ahead"]),
            raw["explain"],
            raw["language"],
            raw["total"],
            tuple(raw["verdicts"]),
            tuple(raw["checks"]),
        )

    def after(self, check: EpisodeId, verdict: Verdict | None) -> Lesson:
        """The lesson once its current check was answered."""
        return replace(
            self,
            ahead=self.ahead[1:],
            verdicts=(*self.verdicts, verdict.value if verdict else "none"),
            checks=(*self.checks, check),
        )


class Lessons:
    """Plans lessons and makes their checks."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def plan(
        self, subject: SubjectId, text: str, meaning: Understanding, now: Moment, *, explain: bool
    ) -> Lesson | None:
        """The concepts of a lesson: those asked for, else the due and weak, in teaching order.

        None: nothing to teach, or what was asked for matches nothing on the map.
        """
        maker = CheckMaker(self._memory, subject)
        fair = {concept.id for concept in maker.order if maker.fair(concept)}
        named = [ConceptId(route.id) for route in meaning.routes]
        about = Topics(self._memory, maker.order).about(text, meaning.concept_text, named, meaning.language)
        if explain and named:
            ahead = named
        elif about is not None:
            meant = about if explain else ([each for each in about if each in fair] or named)
            ahead = meant[: LONGEST_LESSON if not explain else LONGEST_TEACHING]
        elif meaning.window is not None and (seen := self._seen(subject, meaning.window)):
            ahead = [each for each in seen if each in fair][:LONGEST_LESSON]
        else:
            order = [concept.id for concept in maker.order if concept.id in fair]
            order = order or [concept.id for concept in maker.order]
            ahead = self._by_need(subject, order, now)[: LONGEST_LESSON if not explain else LONGEST_TEACHING]
        if not ahead:
            return None
        return Lesson(tuple(ahead), explain, meaning.language, len(ahead))

    def _by_need(self, subject: SubjectId, order: list[ConceptId], now: Moment) -> list[ConceptId]:
        """Due first, then weak, unsure and new, in teaching order."""
        claims = {belief.concept: belief.claim for belief in self._memory.beliefs.current(subject)}
        due = {item.concept for item in self._memory.review.due(subject, now)}
        rank = {Claim.WEAK: 0, Claim.UNSURE: 1}
        place = {concept: at for at, concept in enumerate(order)}
        order = sorted(
            order,
            key=lambda concept: (
                concept not in due,
                rank.get(claims[concept], 3) if concept in claims else 2,
                place[concept],
            ),
        )
        return self._unhurried(subject, order)

    def _seen(self, subject: SubjectId, window: Window) -> list[ConceptId]:
        """The concepts worked on in a window, the first first."""
        kinds = (Kind.QUESTION, Kind.ANSWER, Kind.CHECK, Kind.TAUGHT)
        rows = [episode.row for episode in self._memory.ledger.find(subject, kinds=kinds, window=window)]
        touched = self._memory.ledger.concepts_of(rows)
        return list(dict.fromkeys(concept for row in rows for concept in touched.get(row, ())))

    def get(self, subject: SubjectId) -> Lesson | None:
        """The lesson that was left, if any."""
        kept = self._memory.lessons.get(subject)
        return Lesson.from_json(kept) if kept else None

    def keep(self, subject: SubjectId, lesson: Lesson | None) -> None:
        """Remember where the lesson stands; None ends it."""
        if lesson is None:
            self._memory.lessons.clear(subject)
        else:
            self._memory.lessons.put(subject, lesson.to_json())

    def check(
        self,
        subject: SubjectId,
        concept: Concept,
        language: str,
        *,
        shown: str | None = None,
        but: Sequence[CheckKind] = (),
    ) -> Check:
        """A check on one concept, another than the last ones; ``shown`` is the sentence the student has just read."""
        recent = self._memory.ledger.find(
            subject, kinds=[Kind.CHECK], concept=concept.id, newest_first=True, limit=REMEMBERED
        )
        asked = [episode.content.text for episode in reversed(recent) if episode.content]
        return CheckMaker(self._memory, subject).make(concept, language, shown=shown, asked=asked, but=but)

    def _unhurried(self, subject: SubjectId, order: list[ConceptId]) -> list[ConceptId]:
        """The same order, with the concept that was checked last at its end."""
        last = self._memory.ledger.find(subject, kinds=[Kind.CHECK], newest_first=True, limit=1)
        just = {concept for each in self._memory.ledger.concepts_of([e.row for e in last]).values() for concept in each}
        return sorted(order, key=lambda concept: concept in just)


def options(check: Check, phrases: Phrases) -> str:
    """The question of a check and its lettered choices, as shown."""
    lettered = zip(letters(check.language), check.choices, strict=False)
    return "\n".join([check.question, *(phrases.say("check.option", letter=one, text=each) for one, each in lettered)])
