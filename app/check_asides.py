"""Messages around a check that are no reply to it: leaving, asking for a hint, asking why, contesting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.check_making import CheckMaker
from app.check_talk import Text, explained, hinted, last_graded
from app.clock import Clock
from app.composed import Composed
from app.corrections import contest
from app.ids import Ids
from app.lessons import Lessons, options
from app.turn_events import Plan
from memory.check_replies import Aside, aside
from memory.checks import Check, CheckKind, choice_made, judge, names_a_choice
from memory.episodes import Episode, EpisodeId, Kind, SubjectId, Verdict
from memory.memory import Memory
from memory.phrases import Phrases, phrases_for
from memory.routing import Names
from memory.words import tokens

RECENT = 4
"""Answers among which the last verdict is looked for."""
LONGEST = 120
"""Characters of a message that may be about the last verdict when no check waits."""
LONGEST_DOUBT = 2
"""Words of a reply that is asked rather than said ("diffusion?")."""
_LESSON_TALK = (Plan.LESSON, Plan.GRADE)


class CheckAsides:
    """Says what is to be said around the check that waits, or after the last verdict. Nothing is graded here."""

    def __init__(self, memory: Memory, clock: Clock, ids: Ids, lessons: Lessons) -> None:
        self._memory = memory
        self._clock = clock
        self._ids = ids
        self._lessons = lessons

    def beside(self, subject: SubjectId, text: str, language: str) -> Composed | None:
        """What is said to a message around a check that is no reply to it; None for every other message."""
        pending = self._memory.checks.get(subject)
        check = pending.check if pending else None
        if check is not None:
            if names_a_choice(check, text) or judge(check, text) is Verdict.RIGHT:
                return None
            language = check.language
        elif len(text) > LONGEST:
            return None
        answers = self._memory.ledger.find(subject, kinds=[Kind.ANSWER], newest_first=True, limit=RECENT)
        if check is None and answers and answers[0].meta.plan in _LESSON_TALK:
            language = answers[0].meta.language or language
        graded = self._last_graded(answers)
        content = graded.content if graded else None
        own = [*(check.choices if check else ()), *self._choices_of(graded)]
        kind = aside(text, language, [*own, content.expected or ""] if content else own)
        phrases = phrases_for(language)
        match kind:
            case Aside.LEAVE:
                return self._leave(subject, check, phrases)
            case Aside.HINT | Aside.NO_IDEA if check is not None:
                return self._hint(subject, check, phrases, asked=kind is Aside.HINT)
            case Aside.WHY | Aside.DOUBT | Aside.CONTEST if graded is not None:
                return self._about_verdict(subject, graded, kind, check)
            case Aside.WHY | Aside.DOUBT if check is not None and answers and answers[0].meta.plan == Plan.LESSON:
                return again(check, phrases_for(language).say("check.reply_first"))
            case _:
                return None

    def gives_up(self, subject: SubjectId, text: str) -> bool:
        """Whether a message asks to be shown the answer of the check that waits, or has no hint left to ask for."""
        pending = self._memory.checks.get(subject)
        if pending is None or names_a_choice(pending.check, text):
            return False
        check = pending.check
        kind = aside(text, check.language)
        return kind is Aside.SHOW or (kind is Aside.NO_IDEA and hinted(check, phrases_for(check.language)) is None)

    def replies(self, subject: SubjectId, text: str) -> bool:
        """Whether a message is a reply to the check that waits beyond doubt, whatever else it may look like."""
        pending = self._memory.checks.get(subject)
        return pending is not None and names_a_choice(pending.check, text)

    def asks(self, subject: SubjectId, text: str) -> bool:
        """Whether a message is a question rather than a (perhaps doubtful) reply to the check that waits."""
        pending = self._memory.checks.get(subject)
        if pending is None or not any(mark in text for mark in "?؟") or judge(pending.check, text) is Verdict.RIGHT:
            return False
        if pending.check.kind is CheckKind.MULTIPLE_CHOICE:
            return choice_made(pending.check, text) is None
        return len(tokens(text)) > LONGEST_DOUBT

    def waiting(self, subject: SubjectId) -> Check | None:
        """The check that waits for a reply, if any."""
        pending = self._memory.checks.get(subject)
        return pending.check if pending else None

    def _leave(self, subject: SubjectId, check: Check | None, phrases: Phrases) -> Composed:
        """Nothing waits for a reply any more; the lesson can be taken up again."""
        lesson = self._lessons.get(subject)
        if check is None:
            key = "lesson.nothing_runs" if lesson is None else "lesson.already_left"
            return Composed(phrases.say(key), language=phrases.language)
        self._memory.checks.clear(subject)
        return Composed(phrases.say("lesson.left"), language=check.language)

    def _hint(self, subject: SubjectId, check: Check, phrases: Phrases, *, asked: bool) -> Composed | None:
        """The next hint; None where the student does not know and only the answer is left."""
        step = hinted(check, phrases)
        if step is None:
            return again(check, phrases.say("check.no_more_hints")) if asked else None
        said, waiting = step
        self._memory.checks.put(subject, waiting, self._clock.now().at)
        return again(waiting, f"{said} {phrases.say('check.or_show')}")

    def _about_verdict(self, subject: SubjectId, graded: Episode, kind: Aside, check: Check | None) -> Composed:
        """Why the last verdict is what it is; a contest sets it aside first."""
        phrases = phrases_for(graded.meta.language)
        maker = CheckMaker(self._memory, subject)
        key = graded.meta.concepts[0] if graded.meta.concepts else None
        found = self._memory.map.with_key(subject, key) if key else None
        concept = self._memory.map.get(found) if found else None
        why = explained(maker, graded, concept, Names(self._memory.map.name_rows(subject)), phrases)
        text = Text()
        memories: tuple[EpisodeId, ...] = (graded.id,)
        if kind is Aside.CONTEST and graded.meta.verdict is Verdict.RIGHT:
            text = text.then(phrases.say("check.was_right"))
        elif kind is Aside.CONTEST:
            written = contest(self._memory, self._clock, self._ids, graded.id)
            text, memories = text.then(phrases.say("check.contested")), (graded.id, written.id)
        offset = len(text.said) + 1 if text.said else 0
        said = f"{text.said}\n{why.said}" if text.said else why.said
        links = tuple(replace(each, first=each.first + offset, last=each.last + offset) for each in why.citations)
        if check is not None:
            said += f"\n\n{phrases.say('check.waits')}\n{options(check, phrases_for(check.language))}"
        return Composed(said, memories=memories, citations=links, language=phrases.language, check=check)

    def _last_graded(self, answers: Sequence[Episode]) -> Episode | None:
        """The check whose verdict was just given; ``answers`` are the latest, newest first."""
        graded = last_graded(answers)
        found = self._memory.ledger.get(graded) if graded else None
        return found if found is not None and found.kind is Kind.CHECK else None

    @staticmethod
    def _choices_of(graded: Episode | None) -> tuple[str, ...]:
        found = graded.content.extra.get("choices", ()) if graded and graded.content else ()
        return tuple(str(choice) for choice in found)


def again(check: Check, said: str) -> Composed:
    """Something said, and the check that waits once more."""
    phrases = phrases_for(check.language)
    return Composed(f"{said}\n\n{options(check, phrases)}", language=check.language, check=check)
