"""Lessons in the chat: explanation, one check, verdict with its source, and on to the next concept."""

from __future__ import annotations

import tomllib
from collections.abc import Generator
from dataclasses import replace
from functools import cache
from importlib import resources

from app.check_asides import CheckAsides, again
from app.check_talk import WITH_HELP, Text, feedback
from app.clock import Clock
from app.composed import Composed
from app.engines import Engines
from app.ids import Ids
from app.lesson_topics import asked_part, part_named
from app.lessons import Lesson, Lessons, options
from app.models.chat import Cancel, ChatModelDied, Message, PromptTooLong, RequestRefused
from app.prompt import lesson_prompt, rules
from app.record import Record
from app.turn_events import Piece
from memory.checks import Check, CheckKind, judge, misspelled
from memory.concept_rows import Concept
from memory.episodes import Content, Draft, Episode, EpisodeId, Kind, Meta, Origin, SubjectId, Verdict
from memory.memory import Memory
from memory.phrases import Phrases, phrases_for
from memory.routing import Names
from memory.understanding import Understanding
from memory.words import tokens

LONGEST_EXPLANATION = 160
"""Tokens of an explanation before a check."""
LONGEST_NAME = 6
"""Words of a reply that is a name and no more."""


class LessonTurns:
    """Begins lessons and grades their checks."""

    def __init__(self, memory: Memory, clock: Clock, record: Record, engines: Engines, ids: Ids) -> None:
        self._memory = memory
        self._clock = clock
        self._record = record
        self._engines = engines
        self._ids = ids
        self._lessons = Lessons(memory)
        self.asides = CheckAsides(memory, clock, ids, self._lessons)

    def begin(
        self, subject: SubjectId, text: str, meaning: Understanding, cancel: Cancel | None
    ) -> Generator[Piece, None, Composed]:
        """Start a lesson or a quiz: the explanation as it is written, then the first check."""
        phrases = phrases_for(meaning.language)
        explain = not is_quiz(text, meaning.language)
        left = self._lessons.get(subject)
        anything = not meaning.routes and not meaning.concept_text and not meaning.window and not asked_part(text)
        if left is not None and left.explain == explain and anything:
            concept = self._memory.map.get(left.ahead[0]).name_in(left.language)
            opening = phrases_for(left.language).say("lesson.resumed", concept=concept) + "\n\n"
            return (yield from self._ask(subject, left, phrases_for(left.language), opening))
        lesson = self._lessons.plan(subject, text, meaning, self._clock.now(), explain=explain)
        if lesson is None:
            known = bool(self._memory.map.concepts(subject))
            topic = part_named(text) or meaning.concept_text
            if known and topic:
                key = "lesson.unknown" if explain else "lesson.unknown_topic"
                said = phrases.say(key, name=phrases.quote(topic))
            else:
                said = phrases.say("lesson.quiz_too_small" if known else "lesson.nothing")
            yield Piece(said)
            return Composed(said)
        if lesson.explain:
            return (yield from self._teach(subject, lesson, phrases, "", cancel))
        opening = phrases.say("lesson.quiz_begin", n=lesson.total) + "\n\n"
        return (yield from self._ask(subject, lesson, phrases, opening))

    def fits_no_choice(self, subject: SubjectId, reply: str) -> Composed | None:
        """The same question again, when a reply picks none of its choices and names no other concept; else None."""
        pending = self._memory.checks.get(subject)
        if pending is None or pending.check.kind is not CheckKind.MULTIPLE_CHOICE:
            return None
        check = pending.check
        names = Names(self._memory.map.name_rows(subject))
        if (
            self.asides.gives_up(subject, reply)
            or judge(check, reply) is not None
            or _names_another(check, reply, names)
        ):
            return None
        return again(check, phrases_for(check.language).say("check.choose"))

    def grade(self, subject: SubjectId, reply: str, cancel: Cancel | None) -> Generator[Piece, None, Composed]:
        """Judge the reply to the pending check, record it, and go on with the lesson if there is one."""
        pending = self._memory.checks.get(subject)
        assert pending is not None
        check = pending.check
        phrases = phrases_for(check.language)
        names = Names(self._memory.map.name_rows(subject))
        shown = self.asides.gives_up(subject, reply)
        verdict = Verdict.WRONG if shown else self._verdict(subject, check, reply, names)
        other = self._another_form(subject, check) if verdict is None else None
        if other is None:
            text = feedback(check, reply, verdict, phrases, shown=shown)
        else:
            text = Text(f"{phrases.say('check.unjudged')} {phrases.say('check.another_form')}")
        with self._memory.store.atomic():
            episode = self._record.check(subject, check, reply, verdict, text.said, names, shown=shown)
            if check.concept is not None and verdict is not None:
                self._memory.beliefs.record_check(episode, check.concept, self._ids, self._clock.recorded())
                self._memory.map.refresh(subject)
            self._memory.checks.clear(subject)
        yield Piece(text.said)
        composed = Composed(
            text.said,
            memories=(episode.id,),
            citations=text.citations,
            language=check.language,
            checked=episode.id,
            verdict=verdict,
        )
        if other is not None:
            self._memory.checks.put(subject, other, self._clock.now().at)
            asked = f"\n\n{options(other, phrases)}"
            yield Piece(asked)
            return replace(composed, text=composed.text + asked, check=other)
        lesson = self._lessons.get(subject)
        if lesson is None:
            return composed
        return (yield from self._go_on(subject, lesson.after(episode.id, verdict), phrases, composed, cancel))

    def _verdict(self, subject: SubjectId, check: Check, reply: str, names: Names) -> Verdict | None:
        """What the reply is worth; a right one is partly right once a choice was taken away or letters were given."""
        verdict = judge(check, reply)
        if verdict is None and _names_another(check, reply, names):
            return Verdict.WRONG
        if verdict is Verdict.RIGHT:
            slips = misspelled(check, reply)
            if slips and (_names_another(check, reply, names) or self._in_files(subject, slips, check.language)):
                return None  # a word of its own, not a slip of the pen
            if check.hints >= WITH_HELP:
                return Verdict.PARTLY
        return verdict

    def _in_files(self, subject: SubjectId, words: tuple[str, ...], language: str) -> bool:
        """Whether one of the words stands in the files as it is written."""
        found = self._memory.passages.search(subject, " ".join(words), language, limit=5)
        return any(not set(words).isdisjoint(tokens(each.passage.text)) for each in found)

    def _another_form(self, subject: SubjectId, check: Check) -> Check | None:
        """The same concept asked in a form that a machine can judge, once; None where there is none."""
        if check.concept is None or check.retry:
            return None
        concept = self._memory.map.get(check.concept)
        other = self._lessons.check(subject, concept, check.language, but=(check.kind, CheckKind.SHORT_ANSWER))
        return replace(other, retry=True) if other.kind not in (check.kind, CheckKind.SHORT_ANSWER) else None

    def _go_on(
        self, subject: SubjectId, lesson: Lesson, phrases: Phrases, composed: Composed, cancel: Cancel | None
    ) -> Generator[Piece, None, Composed]:
        if not lesson.ahead:
            closing = "\n\n" + self._close(subject, lesson, phrases)
            yield Piece(closing)
            return replace(composed, text=composed.text + closing)
        yield Piece("\n\n")
        if lesson.explain:
            more = yield from self._teach(subject, lesson, phrases, "", cancel)
        else:
            more = yield from self._ask(subject, lesson, phrases, "")
        return replace(composed, text=f"{composed.text}\n\n{more.text}", check=more.check)

    def _teach(
        self, subject: SubjectId, lesson: Lesson, phrases: Phrases, opening: str, cancel: Cancel | None
    ) -> Generator[Piece, None, Composed]:
        concept = self._memory.map.get(lesson.ahead[0])
        said = opening + phrases.say("lesson.begin", concept=concept.name_in(lesson.language)) + "\n\n"
        yield Piece(said)
        explanation = yield from self._explain(concept, lesson.language, phrases, cancel)
        said += explanation
        yield Piece("\n\n")
        quote = concept.definition
        asked = yield from self._ask(subject, lesson, phrases, "", quote.text if quote else None)
        return replace(asked, text=f"{said}\n\n{asked.text}")

    def _explain(
        self, concept: Concept, language: str, phrases: Phrases, cancel: Cancel | None
    ) -> Generator[Piece, None, str]:
        """The model's explanation from the file's own sentences; without a model, the sentences themselves."""
        quote = concept.definition
        if quote is None:
            said = phrases.say("lesson.no_definition", concept=concept.name_in(language))
            yield Piece(said)
            return said
        model = self._engines.chat()
        if model is not None:
            prompt = lesson_prompt(language, concept.name_in(language), quote.text)
            said = ""
            try:
                for piece in model.generate(
                    [Message("system", rules()), Message("user", prompt)],
                    max_tokens=LONGEST_EXPLANATION,
                    cancel=cancel,
                    conversation="lesson",
                ):
                    said += piece
                    yield Piece(piece)
            except (ChatModelDied, PromptTooLong, RequestRefused):
                said = ""
            if said.strip():
                return said.rstrip()
        place = phrases.say("extractive.place", file=concept.places[0].name, page=quote.page)
        said = phrases.say("extractive.line", quote=phrases.quote(quote.text, 600), place=place)
        yield Piece(said)
        return said

    def _ask(
        self, subject: SubjectId, lesson: Lesson, phrases: Phrases, opening: str, shown: str | None = None
    ) -> Generator[Piece, None, Composed]:
        """The check of the lesson's next concept; ``shown`` is the sentence the student has just read."""
        concept = self._memory.map.get(lesson.ahead[0])
        check = self._lessons.check(subject, concept, lesson.language, shown=shown)
        number = lesson.total - len(lesson.ahead) + 1
        said = opening
        if not lesson.explain:
            said += phrases.say("lesson.quiz_question", number=number, total=lesson.total) + "\n\n"
        said += options(check, phrases)
        self._memory.checks.put(subject, check, self._clock.now().at)
        self._lessons.keep(subject, lesson)
        yield Piece(said)
        return Composed(said, check=check)

    def _close(self, subject: SubjectId, lesson: Lesson, phrases: Phrases) -> str:
        """The end of a lesson; the end of a quiz is an episode of its own."""
        self._lessons.keep(subject, None)
        if lesson.explain:
            return phrases.say("lesson.done")
        right = lesson.verdicts.count(Verdict.RIGHT.value)
        said = phrases.say("lesson.quiz_end", right=right, total=lesson.total)
        self._quiz(subject, lesson, said, right)
        return said

    def _quiz(self, subject: SubjectId, lesson: Lesson, said: str, right: int) -> Episode:
        now = self._clock.now()
        checked = self._memory.ledger.many(list(lesson.checks))
        keys = tuple(dict.fromkeys(key for check in checked for key in check.meta.concepts[:1]))
        touched = {id for ids in self._memory.ledger.concepts_of([c.row for c in checked]).values() for id in ids}
        return self._memory.ledger.append(
            Draft(
                id=EpisodeId(self._ids()),
                subject=subject,
                kind=Kind.QUIZ,
                origin=Origin.TUTOR,
                moment=now,
                recorded_at=self._clock.recorded(),
                content=Content(said),
                meta=Meta(
                    language=lesson.language,
                    score=round(right / max(1, lesson.total), 4),
                    concepts=keys,
                    extra={"checks": list(lesson.checks)},
                ),
            ),
            [(concept, "exact") for concept in sorted(touched)],
        )


def is_quiz(text: str, language: str) -> bool:
    """Whether a lesson is asked for as questions only ("quiz me") rather than as teaching."""
    starts = tuple(_quiz_words().get(language, ()))
    return any(word.startswith(starts) for word in tokens(text)) if starts else False


@cache
def _quiz_words() -> dict[str, list[str]]:
    table = tomllib.loads(resources.files("resources").joinpath("lessons.toml").read_text("utf-8"))
    words: dict[str, list[str]] = table["quiz"]
    return words


def _names_another(check: Check, reply: str, names: Names) -> bool:
    """Whether a reply to "which concept is this?" is the name of another concept, though not one of the choices."""
    if check.kind not in (CheckKind.MULTIPLE_CHOICE, CheckKind.CLOZE) or len(tokens(reply)) > LONGEST_NAME:
        return False
    found = {route.id for route in names.route(reply, check.language)}
    return len(found) == 1 and check.concept not in found
