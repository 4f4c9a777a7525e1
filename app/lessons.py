"""Lessons: concept by concept in teaching order, weakest and due first; one check each, then on.

A check is made from the file's own sentence: the concept's name is taken out of its definition, and the student
names it, among sibling concepts or freely. A machine can judge both beyond doubt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from memory.check_topics import topic_concept
from memory.checks import Check, CheckKind
from memory.concept_rows import Concept
from memory.episodes import ConceptId, EpisodeId, Evidence, SubjectId, Verdict
from memory.mastery import Claim
from memory.memory import Memory
from memory.moments import Moment
from memory.phrases import Phrases, phrases_for
from memory.routing import Names
from memory.understanding import Understanding
from memory.words import fold

CHOICES = 4
LONGEST_LESSON = 8
GAP = "____"


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

    def plan(self, subject: SubjectId, meaning: Understanding, now: Moment, *, explain: bool) -> Lesson | None:
        """The concepts of a lesson: those named, else the due and weak, in teaching order.

        None: nothing to teach, or an explanation was asked of what the map does not know.
        """
        named = [ConceptId(route.id) for route in meaning.routes]
        if not named and meaning.concept_text:
            names = Names(self._memory.map.name_rows(subject))
            found = topic_concept(meaning.concept_text, None, names, meaning.language)
            named = [found] if found else []
            if explain and not named:
                return None
        if named:
            ahead = named
        else:
            order = [concept.id for concept in self._in_order(subject)]
            claims = {belief.concept: belief.claim for belief in self._memory.beliefs.current(subject)}
            due = {item.concept for item in self._memory.review.due(subject, now)}
            rank = {Claim.WEAK: 0, Claim.UNSURE: 1}
            place = {concept: at for at, concept in enumerate(order)}
            order.sort(
                key=lambda concept: (
                    concept not in due,
                    rank.get(claims[concept], 3) if concept in claims else 2,
                    place[concept],
                )
            )
            ahead = order[: LONGEST_LESSON if not explain else 3]
        if not ahead:
            return None
        return Lesson(tuple(ahead), explain, meaning.language, len(ahead))

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

    def check(self, subject: SubjectId, concept: Concept, language: str) -> Check:
        """A check on one concept, in turn with choices and without; its prediction is made before any reply."""
        phrases = phrases_for(language)
        predicted = round(self._memory.beliefs.prediction(subject, concept.id), 4)
        quote = concept.definition
        asked_before = len(self._memory.beliefs.checks_of(concept.id))
        gapped = without_name(quote.text, names_of(concept)) if quote else None
        if quote is None or gapped is None:
            return Check(
                CheckKind.SHORT_ANSWER,
                phrases.say("check.ask_short", concept=concept.name_in(language)),
                quote.text if quote else concept.summary or concept.name,
                language,
                concept.id,
                concept.key,
                predicted=predicted,
                source=_source(concept),
            )
        siblings = self._siblings(subject, concept, language)
        if len(siblings) >= CHOICES - 1 and asked_before % 2 == 0:
            choices = _shuffled([concept.name_in(language), *siblings[: CHOICES - 1]], f"{concept.id}{asked_before}")
            return Check(
                CheckKind.MULTIPLE_CHOICE,
                phrases.say("check.ask_means", definition=phrases.quote(gapped, 400)),
                concept.name_in(language),
                language,
                concept.id,
                concept.key,
                choices=tuple(choices),
                predicted=predicted,
                source=_source(concept),
            )
        return Check(
            CheckKind.CLOZE,
            phrases.say("check.ask_cloze", sentence=phrases.quote(gapped, 400)),
            concept.name,
            language,
            concept.id,
            concept.key,
            accepted=names_of(concept),
            predicted=predicted,
            source=_source(concept),
        )

    def _in_order(self, subject: SubjectId) -> list[Concept]:
        """Explained concepts in teaching order."""
        sequence = [ConceptId(id) for id in self._memory.map.order(subject).sequence]
        return [concept for concept in self._memory.map.many(sequence) if concept.explained]

    def _siblings(self, subject: SubjectId, concept: Concept, language: str) -> list[str]:
        """Names of other explained concepts, the nearest in teaching order first, none that says the same."""
        order = self._in_order(subject)
        here = next((at for at, each in enumerate(order) if each.id == concept.id), 0)
        taken = {fold(name) for name in names_of(concept)}
        names: list[str] = []
        for _, other in sorted(enumerate(order), key=lambda pair: (abs(pair[0] - here), pair[0])):
            name = other.name_in(language)
            if not any(fold(name) in known or known in fold(name) for known in taken):
                names.append(name)
                taken.add(fold(name))
        return names


def names_of(concept: Concept) -> tuple[str, ...]:
    """Every name of a concept, in all languages."""
    return tuple(dict.fromkeys((concept.name, *(each.name for each in concept.names))))


def without_name(definition: str, names: Sequence[str]) -> str | None:
    """The definition with every mention of the concept taken out; None when it does not hold the name."""
    gapped = " ".join(definition.split())
    found = False
    for name in sorted(names, key=len, reverse=True):
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?:s|es)?(?!\w)", re.IGNORECASE)
        gapped, count = pattern.subn(GAP, gapped)
        found = found or count > 0
    return gapped if found and len(gapped.replace(GAP, "").split()) >= 4 else None


def options(check: Check, phrases: Phrases) -> str:
    """The question of a check and its lettered choices, as shown."""
    letters = "أبجد" if check.language == "ar" else "ABCDEFGH"
    lines = [check.question]
    lines += [
        phrases.say("check.option", letter=letters[number], text=choice) for number, choice in enumerate(check.choices)
    ]
    return "\n".join(lines)


def _shuffled(names: list[str], seed: str) -> list[str]:
    """The same order on every run, and another for another check."""
    return sorted(names, key=lambda name: sha256(f"{seed}{name}".encode()).digest())


def _source(concept: Concept) -> Evidence | None:
    for place in concept.places:
        if place.quote is not None:
            lines = (place.quote.first_line, place.quote.last_line)
            return Evidence(place.name, place.sha256, place.quote.page, lines)
    return None
