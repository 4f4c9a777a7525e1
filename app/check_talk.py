"""What is said around a check: its verdict, a hint, and why a reply was wrong, from the files' own sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.check_making import CHOICE_LENGTH, CheckMaker, names_of
from app.turn_events import Citation
from memory.checks import Check, CheckKind, misspelled
from memory.concept_rows import Concept
from memory.episodes import Episode, EpisodeId, Evidence, Verdict
from memory.gaps import GAP
from memory.phrases import Phrases, ended, shortened
from memory.quantities import quantities
from memory.routing import Names
from memory.words import fold

FIRST_LETTERS = 2
WITH_HELP = 2
"""Hints after which a right reply counts as partly right: a choice was taken away, or letters were given."""
QUOTED = 400


@dataclass(frozen=True, slots=True)
class Text:
    """Sentences one after the other, with the places they speak of."""

    said: str = ""
    citations: tuple[Citation, ...] = ()

    def then(self, said: str, source: Evidence | None = None, between: str = " ") -> Text:
        """One more sentence; ``source`` is the place in a file it rests on."""
        first = len(self.said) + len(between) if self.said else 0
        text = f"{self.said}{between}{said}" if self.said else said
        if source is None:
            return replace(self, said=text)
        link = Citation(first, len(text), said, source.file, page=source.page, lines=source.lines, score=1.0)
        return Text(text, (*self.citations, link))


def feedback(check: Check, reply: str, verdict: Verdict | None, phrases: Phrases, *, shown: bool = False) -> Text:
    """The verdict, the expected answer where it was not right, and the place in the file that says so."""
    if shown:
        text = Text(phrases.say("check.shown"))
    elif verdict is Verdict.PARTLY and check.hints >= WITH_HELP:
        text = Text(phrases.say("check.with_hint"))
    else:
        text = Text(phrases.say(f"check.{verdict.value if verdict else 'unjudged'}"))
    if verdict is not Verdict.RIGHT:
        text = text.then(ended(phrases.say("check.expected", expected=phrases.quote(check.expected, QUOTED))))
    elif misspelled(check, reply):
        text = text.then(phrases.say("check.spelled", expected=phrases.quote(check.expected)))
    if check.source is not None and (place := place_of(check.source, phrases)):
        text = text.then(phrases.say("check.source", place=place), check.source)
    return text


def place_of(source: Evidence, phrases: Phrases) -> str:
    """ "file, p. 3, lines 4–5"; empty where the page is not known."""
    if source.page is None:
        return ""
    if source.lines is None:
        return phrases.say("extractive.place", file=source.file, page=source.page)
    first, last = source.lines
    return phrases.say(
        "extractive.place_lines", file=source.file, page=source.page, first=first, last=last, n=last - first + 1
    )


def hinted(check: Check, phrases: Phrases) -> tuple[str, Check] | None:
    """The next hint and the check as it then waits; None where only the answer is left to show.

    The first names the place; the second takes a wrong choice away, or gives first letters or the unit.
    """
    if check.hints == 0 and check.source is not None and (place := place_of(check.source, phrases)):
        return phrases.say("check.hint_place", place=place), replace(check, hints=1)
    if check.hints >= WITH_HELP:
        return None
    given = replace(check, hints=WITH_HELP)
    match check.kind:
        case CheckKind.MULTIPLE_CHOICE:
            wrong = [choice for choice in check.choices if choice != check.expected]
            if len(wrong) < 2:
                return None
            left = tuple(choice for choice in check.choices if choice != wrong[-1])
            return phrases.say("check.hint_fewer"), replace(given, choices=left)
        case CheckKind.NUMERIC:
            wanted = quantities(check.expected, check.language)
            if not wanted or not wanted[0].word:
                return None
            return phrases.say("check.hint_unit", unit=wanted[0].word), given
        case CheckKind.CLOZE:
            letters = " … ".join(word[:FIRST_LETTERS] for word in check.expected.split())
            return phrases.say("check.hint_letters", letters=phrases.quote(f"{letters}…")), given
        case _:
            return None


def explained(maker: CheckMaker, check: Episode, concept: Concept | None, names: Names, phrases: Phrases) -> Text:
    """Why a verdict is what it is: the passage that defines the concept, and the one of what was answered instead."""
    content = check.content
    text = Text()
    if content is None:
        return Text(phrases.say("check.unjudged"))
    if check.meta.verdict is not Verdict.RIGHT and content.reply:
        text = text.then(phrases.say("check.you_answered", reply=phrases.quote(content.reply, QUOTED)))
    if content.expected:
        text = text.then(ended(phrases.say("check.expected", expected=phrases.quote(content.expected, QUOTED))))
    if concept is not None:
        text = _defined(text, maker, concept, check.meta.evidence, phrases, "check.why_expected")
    other = _instead(maker, check, concept, names)
    if other is not None:
        text = _defined(text, maker, other, (), phrases, "check.why_given")
    return text


def _defined(
    text: Text, maker: CheckMaker, concept: Concept, asked: Sequence[Evidence], phrases: Phrases, key: str
) -> Text:
    """The file's sentence on a concept: the one that was asked about, else its definition."""
    told = maker.told(concept)
    at = next((each for each in told if each.source in asked), None) or (told[0] if told else None)
    if at is not None:
        sentence, source = at.sentence, at.source
    else:
        place = next((place for place in concept.places if place.quote), None)
        if place is None or place.quote is None:
            return text
        sentence = place.quote.text
        lines = (place.quote.first_line, place.quote.last_line)
        source = Evidence(place.name, place.sha256, place.quote.page, lines)
    said = phrases.say(
        key,
        concept=phrases.quote(concept.name_in(phrases.language)),
        quote=phrases.quote(sentence, QUOTED),
        place=place_of(source, phrases),
    )
    return text.then(said, source, "\n")


def _instead(maker: CheckMaker, check: Episode, concept: Concept | None, names: Names) -> Concept | None:
    """The concept that was answered, or whose definition was chosen or shown, in place of the right one."""
    content = check.content
    if content is None or concept is None or check.meta.verdict is Verdict.RIGHT:
        return None
    given = str(content.extra.get("chosen") or content.reply or "")
    for other in maker.order:
        if other.id == concept.id:
            continue
        for told in maker.definitions(other):
            if told.gapped is not None and (
                shortened(told.gapped, CHOICE_LENGTH) == given or told.gapped in content.text
            ):
                return other
    own = {fold(name) for name in names_of(concept)}
    if GAP in given:  # a definition was chosen: what it names is not what was meant
        return None
    for route in names.route(given, check.meta.language or "en"):
        if route.id != concept.id and fold(route.name) not in own:
            return next((other for other in maker.order if other.id == route.id), None)
    return None


def last_graded(episodes: Sequence[Episode]) -> EpisodeId | None:
    """The check of the latest verdict among answers given newest first, if nothing but lesson talk came after it."""
    for episode in episodes:
        if episode.meta.plan == "grade":
            return episode.meta.about
        if episode.meta.plan != "lesson":
            return None
    return None
