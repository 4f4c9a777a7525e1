"""Plans that need no model: the ledger, the map, teaching and courtesies, said in the student's language."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from app.clock import Clock
from app.ids import Ids
from app.turn_events import Citation, Plan
from memory.answers import ComposedAnswer, MapQuestion
from memory.checks import Check
from memory.episodes import Episode, EpisodeId, Evidence, Kind, SubjectId, Verdict
from memory.grounding import CitationLink, Grounding
from memory.map_questions import map_question
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

    @property
    def grounding(self) -> Grounding | None:
        """The lines that stand for episodes, as kept with the answer; a line's first episode speaks for it."""
        links: dict[tuple[int, int], CitationLink] = {}
        for each in self.citations:
            if each.episode is not None:
                link = CitationLink(len(links), each.first, each.last, "episode", each.episode, "", each.score)
                links.setdefault((each.first, each.last), link)
        return Grounding(tuple(links.values()), "answered") if links else None


@dataclass(frozen=True, slots=True)
class Wish:
    """A note the student may have wished to teach ("can you remember that …?"), kept only on a yes."""

    question: EpisodeId
    note: str
    language: str


class Speakers:
    """Says what the memory itself knows."""

    def __init__(self, memory: Memory, clock: Clock, ids: Ids) -> None:
        self._memory = memory
        self._clock = clock
        self._ids = ids
        self._wishes: dict[SubjectId, Wish] = {}

    def say(self, subject: SubjectId, question: Episode, text: str, meaning: Understanding, plan: Plan) -> Composed:
        """What a plan says to a message."""
        wish = self.take_wish(subject)
        if plan is Plan.TEACH and wish is not None and meaning.sub != "wish" and not meaning.taught:
            return self.teach_note(subject, wish.note, wish.language)
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
                asked_back = phrases.say(
                    f"teach.{'wish_besides' if meaning.besides else 'wish'}", note=phrases.quote(meaning.taught)
                )
                return Composed(asked_back, wish=meaning.taught)
            case Plan.TEACH:
                return self.teach_note(subject, meaning.taught or "", meaning.language, text)
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

    def teach_note(self, subject: SubjectId, note: str, language: str, said: str | None = None) -> Composed:
        """Keep what the student taught, in their own words, and say where it hangs. ``said``: the whole message."""
        phrases, now = phrases_for(language), self._clock.now()
        if not note.strip():
            return Composed(phrases.say("teach.empty"))
        receipt = self._memory.teaching.teach(
            subject,
            note,
            language=language,
            names=Names(self._memory.map.name_rows(subject)),
            id=EpisodeId(self._ids()),
            ids=self._ids,
            moment=now,
            recorded_at=self._clock.recorded(),
            said=said,
        )
        if receipt.made is not None:
            self._memory.map.refresh(subject)
        quoted = phrases.quote(note, 400)
        concepts = phrases.list([c.name_in(language) for c in self._memory.map.many(receipt.concepts)])
        if receipt.made is not None:
            text = phrases.say("teach.new_concept", concept=concepts, note=quoted)
        elif receipt.concepts:
            text = phrases.say("teach.attached", concepts=concepts, note=quoted)
        else:
            text = phrases.say("teach.about_you" if receipt.about_student else "teach.free", note=quoted)
        earlier = self._memory.ledger.get(receipt.replaced) if receipt.replaced else None
        if earlier is not None:
            text += " " + phrases.say("teach.replaced", on=phrases.on(earlier.moment.day, now.day))
        id = receipt.episode.id
        return Composed(f"{text} {phrases.say('teach.undo')}", memories=(id,), taught=id)

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

    def _last_session(self, subject: SubjectId) -> tuple[date, list[str]] | None:
        """The last day of work before today, and the concepts it touched; None without either."""
        today = self._clock.now().day
        kinds = (Kind.QUESTION, Kind.CHECK, Kind.QUIZ)
        recent = self._memory.ledger.find(subject, kinds=kinds, newest_first=True, limit=60)
        earlier = [episode for episode in recent if episode.moment.day < today]
        if not earlier:
            return None
        last = [episode.row for episode in earlier if episode.moment.day == earlier[0].moment.day]
        touched = [id for ids in self._memory.ledger.concepts_of(last).values() for id in ids]
        concepts = self._memory.map.many(list(dict.fromkeys(touched))[:3])
        return (earlier[0].moment.day, [concept.name for concept in concepts]) if concepts else None


def _from(answer: ComposedAnswer) -> Composed:
    """A composed answer with a citation for each line that stands for episodes or places."""
    citations: list[Citation] = []
    at = 0
    for line in answer.lines:
        first = answer.text.find(line.text, at)
        if first < 0:
            continue
        at = first + len(line.text)
        span = (first, at, line.text)
        citations += [Citation(*span, episode=episode, score=1.0) for episode in line.episodes]
        citations += [
            Citation(*span, source=place.file, page=place.pages[0] if place.pages else None, score=1.0)
            for place in line.places
        ]
    return Composed(text=answer.text, memories=answer.memories, citations=tuple(citations), narration=answer.narration)
