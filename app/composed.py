"""Plans that need no model: the ledger, the map, teaching and courtesies, said in the student's language."""

from __future__ import annotations

from dataclasses import dataclass

from memory.map_questions import map_question

from app.clock import Clock
from app.ids import Ids
from app.record import Record
from app.turn_events import Citation, Plan
from memory.answers import MapQuestion
from memory.checks import Check
from memory.episodes import Episode, EpisodeId, Evidence, Kind, Meta, SubjectId, Verdict
from memory.memory import Memory
from memory.phrases import phrases_for
from memory.routing import Names
from memory.small_talk import agrees, courtesy
from memory.understanding import Understanding


@dataclass(frozen=True, slots=True)
class Composed:
    """What a plan said, and what it stands on."""

    text: str
    memories: tuple[EpisodeId, ...] = ()
    citations: tuple[Citation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    narration: bool = False
    language: str | None = None
    taught: EpisodeId | None = None
    wish: str | None = None
    check: Check | None = None
    checked: EpisodeId | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """A note the student may have wished to teach ("can you remember that …?"), kept only on a yes."""

    question: EpisodeId
    note: str
    language: str


class Speakers:
    """Says what the memory itself knows."""

    def __init__(self, memory: Memory, clock: Clock, record: Record, ids: Ids) -> None:
        self._memory = memory
        self._clock = clock
        self._record = record
        self._ids = ids
        self._wishes: dict[SubjectId, Wish] = {}

    def say(self, subject: SubjectId, question: Episode, text: str, meaning: Understanding, plan: Plan) -> Composed:
        """What a plan says to a message."""
        wish = self.take_wish(subject)
        if plan is Plan.TEACH and wish is not None and meaning.sub != "wish" and not meaning.taught:
            return self.teach_note(subject, wish.question, wish.note, wish.language)
        match plan:
            case Plan.LEDGER:
                return _from(
                    self._memory.answers.ledger_answer(subject, meaning, self._clock.now(), exclude=question.id)
                )
            case Plan.MAP:
                asked = self.asks_the_map(text, meaning) or MapQuestion.PREREQUISITES
                return _from(self._memory.answers.map_answer(subject, meaning, self._clock.now(), asked))
            case Plan.TEACH if meaning.sub == "wish" and meaning.taught:
                self._wishes[subject] = Wish(question.id, meaning.taught, meaning.language)
                phrases = phrases_for(meaning.language)
                asked_back = phrases.say("teach.wish", note=phrases.quote(meaning.taught))
                return Composed(asked_back, wish=meaning.taught)
            case Plan.TEACH:
                return self.teach_note(subject, question.id, meaning.taught or "", meaning.language)
            case _:
                return Composed(self._courtesy(subject, text, meaning.language))

    def asks_the_map(self, text: str, meaning: Understanding) -> MapQuestion | None:
        """What a message asks of the map, when it asks it."""
        return map_question(text, meaning)

    def confirms(self, subject: SubjectId, text: str) -> bool:
        """Whether a message is the yes to a wish that was asked back."""
        wish = self._wishes.get(subject)
        return wish is not None and agrees(text, wish.language)

    def take_wish(self, subject: SubjectId) -> Wish | None:
        """The wish that was asked back, if any; it is asked once."""
        return self._wishes.pop(subject, None)

    def teach_note(self, subject: SubjectId, question: EpisodeId, note: str, language: str) -> Composed:
        """Keep what the student taught, in their own words, and say where it hangs."""
        phrases = phrases_for(language)
        if not note.strip():
            return Composed(phrases.say("teach.empty"))
        names = Names(self._memory.map.name_rows(subject))
        replaced = self._memory.teaching.replaced_by(subject, note, language, names)
        episode = self._record.taught(subject, note, language, names, replaced)
        receipt = self._memory.teaching.attach(episode, names, self._ids)
        said = phrases.quote(note, 400)
        concepts = [self._memory.map.get(concept).name_in(language) for concept in receipt.concepts]
        if receipt.created:
            text = phrases.say("teach.new_concept", concept=phrases.list(concepts), note=said)
        elif concepts:
            text = phrases.say("teach.attached", concepts=phrases.list(concepts), note=said)
        elif receipt.about_student:
            text = phrases.say("teach.about_you", note=said)
        else:
            text = phrases.say("teach.free", note=said)
        if replaced is not None:
            earlier = self._memory.ledger.get(replaced)
            if earlier is not None:
                on = phrases.on(earlier.moment.day, self._clock.now().day)
                text += " " + phrases.say("teach.replaced", on=on)
        return Composed(f"{text} {phrases.say('teach.undo')}", memories=(episode.id,), taught=episode.id)

    def withdraw(self, subject: SubjectId, note: EpisodeId) -> Episode:
        """Withdraw a taught note: an episode of its own says so, the note counts no longer."""
        episode = self._record.bookkeeping(subject, Kind.WITHDRAWAL, "", Meta(about=note))
        self._memory.map.withdraw_note(note)
        return episode

    def _courtesy(self, subject: SubjectId, text: str, language: str) -> str:
        phrases = phrases_for(language)
        kind = courtesy(text, language)
        if kind != "hello":
            return phrases.say(f"smalltalk.{kind}")
        last = self._last_session(subject)
        if last is None:
            return phrases.say("smalltalk.hello")
        day, concepts = last
        on = phrases.on(day, self._clock.now().day)
        return phrases.say("smalltalk.hello_back", on=on, concepts=phrases.list(concepts))


"""Everything above is said without a model."""
