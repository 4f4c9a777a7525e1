"""Answers without a model: the ledger speaks for the record, the map for the material, templates for courtesies.

Why code and not a prompt: a small model told "there is no record for March" still narrates March. A prompt can ask
for honesty; this can guarantee it. The sentences are in ``resources/phrases``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from memory import map_answers, record_answers, student_answers
from memory.beliefs import Beliefs
from memory.composing import AnswerLine, ComposedAnswer, PlaceShown
from memory.covered_answer import covered
from memory.episodes import ConceptId, EpisodeId, SubjectId
from memory.ledger import Ledger
from memory.map_questions import MapQuestion
from memory.map_rows import MapRows
from memory.moments import Moment
from memory.phrases import Phrases, phrases_for
from memory.record_questions import RecordQuestion
from memory.record_rows import About, RecordRows, words_to_match
from memory.record_scene import Scene, nowhere, somebody_elses
from memory.record_tallies import tallied
from memory.review import Review
from memory.store import Store
from memory.understanding import Understanding
from memory.words import nearly_same, stems, tokens

_WHOLE = frozenset({RecordQuestion.ME, RecordQuestion.QUIZ})
"""Asked of the whole record: what their words name limits nothing."""
_BY_WORDS = frozenset({RecordQuestion.FIRST, RecordQuestion.LAST, RecordQuestion.SAID, RecordQuestion.CHECKS})
"""A day that is asked for must be the topic's own: its words limit the rows even where the map has no concept."""
__all__ = ["AnswerLine", "Answers", "ComposedAnswer", "MapQuestion", "PlaceShown"]


class Answers:
    """Composes the answers of one student's store."""

    def __init__(self, store: Store, ledger: Ledger, beliefs: Beliefs) -> None:
        self._ledger = ledger
        self._beliefs = beliefs
        self._record = RecordRows(store)
        self._map = MapRows(store)
        self._review = Review(store)

    def ledger_answer(
        self,
        subject: SubjectId,
        understanding: Understanding,
        now: Moment,
        *,
        exclude: EpisodeId | None = None,
        language: str | None = None,
    ) -> ComposedAnswer:
        """The record's own answer to a record question, in the message's language.

        ``exclude`` is the question itself, already in the ledger. An unknown sub is told what was covered.
        """
        phrases = phrases_for(language or understanding.language)
        names = self._record.names(subject, phrases.language)
        about, label = self._about(subject, understanding, names, phrases)
        scene = Scene(
            rows=self._record,
            ledger=self._ledger,
            phrases=phrases,
            names=names,
            subject=subject,
            window=understanding.window,
            about=about,
            about_label=label,
            now=now,
            exclude=exclude,
        )
        if understanding.others:
            return somebody_elses(scene)
        topic = understanding.topic if understanding.asked not in _WHOLE else None
        if (
            topic
            and not about
            and self._record.anything(subject, exclude)
            and not self._record.speaks_of(subject, topic, understanding.language, exclude)
        ):
            return nowhere(replace(scene, about_label=phrases.quote(topic)), understanding.sub)
        if understanding.asked is not None:
            return tallied(scene, understanding.asked, self._beliefs)
        match understanding.sub:
            case "missed":
                return record_answers.missed(scene)
            case "progress":
                return student_answers.progress(scene, self._beliefs)
            case "changed":
                return student_answers.changed(scene, self._beliefs)
            case "taught":
                return record_answers.taught(scene)
            case "unanswered":
                return record_answers.unanswered(scene)
            case _:
                return covered(scene)

    def map_answer(
        self,
        subject: SubjectId,
        understanding: Understanding,
        now: Moment,
        question: MapQuestion = MapQuestion.PREREQUISITES,
        *,
        language: str | None = None,
    ) -> ComposedAnswer:
        """The map's own answer. A prerequisite question that names no concept is told what comes next."""
        phrases = phrases_for(language or understanding.language)
        atlas = map_answers.atlas(self._map, self._record, self._beliefs, subject, now, phrases)
        asked = [ConceptId(route.id) for route in understanding.routes if route.id in atlas.concepts]
        if question in (MapQuestion.PREREQUISITES, MapQuestion.DEPENDANTS) and not asked:
            if understanding.concept_text or not atlas.order:
                name = understanding.concept_text or ""
                return map_answers.unknown(phrases, now, name, empty_map=not atlas.order)
            question = MapQuestion.NEXT
        match question:
            case MapQuestion.PREREQUISITES:
                return map_answers.prerequisites(atlas, asked)
            case MapQuestion.DEPENDANTS:
                return map_answers.dependants(atlas, asked)
            case MapQuestion.NEXT:
                return map_answers.next_step(atlas)
            case MapQuestion.COURSE:
                return map_answers.course(atlas)
            case MapQuestion.REVIEW:
                due = self._review.due(subject, now)
                return map_answers.review(atlas, due, self._review.schedule(subject, now))
            case _:
                assert_never(question)

    def _about(
        self, subject: SubjectId, understanding: Understanding, names: Mapping[ConceptId, str], phrases: Phrases
    ) -> tuple[About, str]:
        """What the question is limited to, and how to say it.

        Concepts of the map; else words that stand as the topic of recorded checks. Any other words limit nothing:
        a guess at what is meant must not hide what is recorded. (What a question says outright that it is about, and
        no recorded word comes near, is answered before: :func:`memory.record_scene.nowhere`.)
        """
        if understanding.asked in _WHOLE:
            return About(), ""
        concepts = tuple(dict.fromkeys(ConceptId(route.id) for route in understanding.routes if route.id in names))
        concepts = concepts or _nearly_named(understanding.topic or "", names)
        if concepts:
            return About(concepts), phrases.list([names[concept] for concept in concepts])
        text, language = understanding.concept_text or "", understanding.language
        if understanding.asked in (RecordQuestion.CHECKS, RecordQuestion.SAID):
            text = understanding.topic or ""
        match = words_to_match(text, language)
        if not match:
            return About(), ""
        if understanding.asked in _BY_WORDS:
            return About(match=match), phrases.quote(text)
        wanted = set(stems(text, language))
        for episode in self._ledger.rows(self._record.matching_checks(subject, match)):
            topic = episode.content.topic if episode.content else None
            if topic and wanted <= set(stems(topic, episode.meta.language or language)):
                return About(match=match), phrases.quote(text)
        return About(), ""


def _nearly_named(topic: str, names: Mapping[ConceptId, str]) -> tuple[ConceptId, ...]:
    """The one concept whose name a topic spells with typing errors; none where it may be several."""
    said = tokens(topic)
    near = [
        concept
        for concept, name in names.items()
        if len(spelled := tokens(name)) == len(said) and all(map(nearly_same, said, spelled))
    ]
    return tuple(near) if said and len(near) == 1 else ()
