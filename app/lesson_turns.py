"""Lessons in the chat: explanation, one check, verdict with its source, and on to the next concept."""

from __future__ import annotations

import tomllib
from collections.abc import Generator
from dataclasses import replace
from functools import cache
from importlib import resources

from app.clock import Clock
from app.composed import Composed
from app.engines import Engines
from app.ids import Ids
from app.lessons import Lesson, Lessons, options
from app.models.chat import Cancel, ChatModelDied, Message, PromptTooLong, RequestRefused
from app.prompt import lesson_prompt, rules
from app.record import Record
from app.turn_events import Citation, Piece
from memory.checks import Check, CheckKind, judge
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

    def begin(
        self, subject: SubjectId, text: str, meaning: Understanding, cancel: Cancel | None
    ) -> Generator[Piece, None, Composed]:
        """Start a lesson or a quiz: the explanation as it is written, then the first check."""
        phrases = phrases_for(meaning.language)
        explain = not is_quiz(text, meaning.language)
        left = self._lessons.get(subject)
        if left is not None and left.explain == explain and not meaning.routes and not meaning.concept_text:
            concept = self._memory.map.get(left.ahead[0]).name_in(left.language)
            opening = phrases_for(left.language).say("lesson.resumed", concept=concept) + "\n\n"
            return (yield from self._ask(subject, left, phrases_for(left.language), opening))
        lesson = self._lessons.plan(subject, meaning, self._clock.now(), explain=explain)
        if lesson is None:
            known = bool(self._memory.map.concepts(subject))
            said = (
                phrases.say("lesson.unknown", name=phrases.quote(meaning.concept_text))
                if known and meaning.concept_text
                else phrases.say("lesson.nothing")
            )
            yield Piece(said)
            return Composed(said)
        if lesson.explain:
            return (yield from self._teach(subject, lesson, phrases, "", cancel))
        opening = phrases.say("lesson.quiz_begin", n=lesson.total) + "\n\n"
        return (yield from self._ask(subject, lesson, phrases, opening))

    def leave(self, subject: SubjectId, language: str) -> Composed:
        """The student leaves; nothing waits for a reply any more, and the lesson can be taken up again."""
        self._memory.checks.clear(subject)
        return Composed(phrases_for(language).say("lesson.left"), language=language)

    def fits_no_choice(self, subject: SubjectId, reply: str) -> Composed | None:
        """The same question again, when a reply picks none of its choices and names no other concept; else None."""
        pending = self._memory.checks.get(subject)
        if pending is None or pending.check.kind is not CheckKind.MULTIPLE_CHOICE:
            return None
        check = pending.check
        names = Names(self._memory.map.name_rows(subject))
        if judge(check, reply) is not None or _names_another(check, reply, names):
            return None
        phrases = phrases_for(check.language)
        said = f"{phrases.say('check.choose')}\n\n{options(check, phrases)}"
        return Composed(said, language=check.language, check=check)

    def grade(self, subject: SubjectId, reply: str, cancel: Cancel | None) -> Generator[Piece, None, Composed]:
        """Judge the reply to the pending check, record it, and go on with the lesson if there is one."""
        pending = self._memory.checks.get(subject)
        assert pending is not None
        check = pending.check
        phrases = phrases_for(check.language)
        names = Names(self._memory.map.name_rows(subject))
        verdict = judge(check, reply)
        if verdict is None and _names_another(check, reply, names):
            verdict = Verdict.WRONG
        said, citations = _feedback(check, verdict, phrases)
        with self._memory.store.atomic():
            episode = self._record.check(subject, check, reply, verdict, said, names)
            if check.concept is not None and verdict is not None:
                self._memory.beliefs.record_check(episode, check.concept, self._ids, self._clock.recorded())
                self._memory.map.refresh(subject)
            self._memory.checks.clear(subject)
        yield Piece(said)
        composed = Composed(
            said,
            memories=(episode.id,),
            citations=citations,
            language=check.language,
            checked=episode.id,
            verdict=verdict,
        )
        lesson = self._lessons.get(subject)
        if lesson is None:
            return composed
        return (yield from self._go_on(subject, lesson.after(episode.id, verdict), phrases, composed, cancel))

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
        asked = yield from self._ask(subject, lesson, phrases, "")
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
        self, subject: SubjectId, lesson: Lesson, phrases: Phrases, opening: str
    ) -> Generator[Piece, None, Composed]:
        concept = self._memory.map.get(lesson.ahead[0])
        check = self._lessons.check(subject, concept, lesson.language)
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
    starts = tuple(_words("quiz").get(language, ()))
    return any(word.startswith(starts) for word in tokens(text)) if starts else False


def leaves(text: str, language: str) -> bool:
    """Whether a message, all of it, says that the lesson is to be left."""
    said = " ".join(tokens(text))
    return any(said == " ".join(tokens(way)) for spoken in (language, "en") for way in _words("leave").get(spoken, ()))


@cache
def _words(group: str) -> dict[str, list[str]]:
    table = tomllib.loads(resources.files("resources").joinpath("lessons.toml").read_text("utf-8"))
    words: dict[str, list[str]] = table[group]
    return words


def _names_another(check: Check, reply: str, names: Names) -> bool:
    """Whether a reply to "which concept is this?" is the name of another concept, though not one of the choices."""
    if check.kind not in (CheckKind.MULTIPLE_CHOICE, CheckKind.CLOZE) or len(tokens(reply)) > LONGEST_NAME:
        return False
    found = {route.id for route in names.route(reply, check.language)}
    return len(found) == 1 and check.concept not in found


def _feedback(check: Check, verdict: Verdict | None, phrases: Phrases) -> tuple[str, tuple[Citation, ...]]:
    """The verdict, the expected answer where it was not right, and the place in the file that says so."""
    said = phrases.say(f"check.{verdict.value if verdict else 'unjudged'}")
    if verdict is not Verdict.RIGHT:
        said += " " + phrases.say("check.expected", expected=phrases.quote(check.expected, 300))
    citations: tuple[Citation, ...] = ()
    source = check.source
    if source is not None and source.page is not None:
        if source.lines is not None:
            first, last = source.lines
            place = phrases.say(
                "extractive.place_lines", file=source.file, page=source.page, first=first, last=last, n=last - first + 1
            )
        else:
            place = phrases.say("extractive.place", file=source.file, page=source.page)
        start = len(said) + 1
        said += " " + phrases.say("check.source", place=place)
        citations = (
            Citation(start, len(said), said[start:], source.file, page=source.page, lines=source.lines, score=1.0),
        )
    return said, citations
