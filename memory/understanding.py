"""Understanding a message: its kind, its time window, the concepts it names, what it teaches. Deterministic.

Rules of the likeliest languages decide, each on the message with that language's chat spellings written out.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from memory.concept_words import find_concept, find_topic
from memory.instructions import is_document
from memory.intents import WISH, Intent, MessageKind, classify
from memory.moments import Moment, Window
from memory.record_questions import RecordQuestion, record_question, topic_of
from memory.routing import Names, Route
from memory.windows import DateSaid, window_in
from memory.words import Plain, identify, ranked_languages

__all__ = ["WISH", "MessageKind", "Understanding", "understand"]

_WINDOWED = frozenset({MessageKind.RECORD, MessageKind.LESSON})


@dataclass(frozen=True, slots=True)
class Understanding:
    """What one message means. ``concept_text``, ``taught`` and ``topic`` are verbatim parts of it.

    ``topic`` is what a question about the record says outright that it is about, when the map has no such concept.
    ``besides``: a note to remember stands beside a question. ``others``: somebody else's record is asked for.
    ``asked``: what of the record, where it has an answer of its own; ``sub`` is then covered or taught.
    """

    kind: MessageKind
    sub: str | None
    window: Window | None
    routes: tuple[Route, ...]
    concept_text: str | None
    taught: str | None
    language: str
    topic: str | None = None
    besides: bool = False
    others: bool = False
    asked: RecordQuestion | None = None


class _Days:
    """The window of a message in one language, looked for once."""

    def __init__(self, plain: Plain, language: str, today: date) -> None:
        self._plain, self._language, self._today = plain, language, today
        self._found: tuple[DateSaid | None] | None = None

    def __call__(self) -> bool:
        """Whether the message names a window beyond doubt (a day without its month may be another number)."""
        found = self._date()
        return found is not None and not found.bare

    @property
    def window(self) -> Window | None:
        found = self._date()
        return Window(found.first, found.last) if found else None

    def _date(self) -> DateSaid | None:
        if self._found is None:
            self._found = (window_in(self._plain, self._language, self._today),)
        return self._found[0]


def understand(
    text: str,
    now: Moment,
    names: Names,
    pending_check: bool = False,
    conversation_language: str | None = None,
) -> Understanding:
    """What a message means at a moment, on the student's local day."""
    fallback = conversation_language or "en"
    plain = Plain.of(text)
    language, intent, days = _by_rules(plain, text, fallback, now.day, pending_check)
    asked = _asked(plain, text, fallback, language, intent)
    if asked is not None:
        question, spoken = asked
        intent = Intent(MessageKind.RECORD, "taught" if question is RecordQuestion.ME else "covered")
        if spoken != language:
            language, days = spoken, _Days(plain.spelled_out(spoken), spoken, now.day)
    plain = plain.spelled_out(language)
    routes = names.route(text, language)
    window = days.window if intent.kind in _WINDOWED else None
    taught = plain.quoted(*intent.note) if intent.note else None
    concept = None
    if intent.kind not in (MessageKind.SMALLTALK, MessageKind.CHECK_ANSWER):
        concept = text[routes[0].first : routes[0].last] if routes else find_concept(plain, language, now.day)
    topic = find_topic(plain, language, now.day) if intent.kind is MessageKind.RECORD and not routes else None
    if asked is not None and asked[0] in (RecordQuestion.FIRST, RecordQuestion.LAST) and not routes:
        concept = topic_of(plain, language)
    return Understanding(
        intent.kind,
        intent.sub,
        window,
        routes,
        concept,
        taught,
        language,
        topic,
        besides=intent.besides,
        others=intent.others,
        asked=asked[0] if asked is not None else None,
    )


def _asked(plain: Plain, text: str, fallback: str, language: str, intent: Intent) -> tuple[RecordQuestion, str] | None:
    """What a message asks of the record, and the language it is asked in; a note to keep asks nothing."""
    if intent.kind is MessageKind.TEACH or intent.sub == WISH or intent.others or is_document(text):
        return None
    for spoken in dict.fromkeys((language, *ranked_languages(text, fallback))):
        question = record_question(plain.spelled_out(spoken).text, spoken)
        if question is not None:
            return question, spoken
    return None


def _by_rules(plain: Plain, text: str, fallback: str, today: date, pending_check: bool) -> tuple[str, Intent, _Days]:
    """The first of the likely languages whose rules speak; the likeliest when none does."""
    first: tuple[str, Intent, _Days] | None = None
    for language in ranked_languages(text, fallback):
        spelled = plain.spelled_out(language)
        days = _Days(spelled, language, today)
        intent = classify(spelled, language, days, pending_check)
        if first is None:
            first = (language, intent, days)
        if intent.kind is not MessageKind.ORDINARY or intent.sub or intent.settled:
            return language, intent, days
    if first is None:
        language = identify(text, fallback)
        days = _Days(plain, language, today)
        return language, classify(plain, language, days, pending_check), days
    return first
