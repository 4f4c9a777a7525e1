"""The map answers: what comes before a concept, what builds on it, what comes next, what the course is about.

Always in teaching order, with the files and pages that explain each concept and where the student stands on it:
"nothing recorded yet" where nothing is, never an invented standing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.belief_rules import Belief
from memory.beliefs import Beliefs
from memory.composing import ComposedAnswer, Composer, PlaceShown
from memory.episodes import ConceptId, EpisodeId, SubjectId
from memory.map_rows import MapConcept, MapRows
from memory.mastery import Claim
from memory.moments import Moment
from memory.phrases import Phrases, ended
from memory.record_rows import RecordRows
from memory.review import Due
from memory.student_answers import confidence_words
from memory.topology import Link, built_on, needed_by, teaching_order

COURSE_SHOWN = 20
FIRST_SHOWN = 5
AFTER_SHOWN = 3
FILES_SHOWN = 2


@dataclass(frozen=True, slots=True)
class Atlas:
    """The map of one subject as answers need it: shown concepts, links, teaching order, and the student's standing."""

    phrases: Phrases
    concepts: Mapping[ConceptId, MapConcept]
    links: Sequence[Link]
    order: tuple[ConceptId, ...]
    names: Mapping[ConceptId, str]
    held: Mapping[ConceptId, Belief]
    checks: Mapping[ConceptId, tuple[EpisodeId, ...]]
    beliefs: Beliefs
    now: Moment

    def name(self, concept: ConceptId) -> str:
        """The concept's name in the language of the answer."""
        return self.names.get(concept, "")

    def in_order(self, wanted: set[str]) -> list[ConceptId]:
        """Of all concepts, those wanted, in teaching order."""
        return [concept for concept in self.order if concept in wanted]

    def understood(self, concept: ConceptId) -> bool:
        """Whether the student is held to understand it, with nothing left to confirm."""
        belief = self.held.get(concept)
        return belief is not None and belief.claim is Claim.UNDERSTANDS


def atlas(
    maps: MapRows, record: RecordRows, beliefs: Beliefs, subject: SubjectId, now: Moment, phrases: Phrases
) -> Atlas:
    """Read a subject's map once for one answer."""
    concepts = {concept.id: concept for concept in maps.concepts(subject) if not concept.hidden}
    links = [link for link in maps.links(subject) if link.concept in concepts and link.needs in concepts]
    order = teaching_order(list(concepts), links, {each.id: each.centrality for each in concepts.values()})
    checks: dict[ConceptId, list[EpisodeId]] = {}
    for check in record.checks(subject):
        if check.tied and check.concept:
            checks.setdefault(check.concept, []).append(check.id)
    return Atlas(
        phrases=phrases,
        concepts=concepts,
        links=links,
        order=tuple(ConceptId(node) for node in order.sequence),
        names=record.names(subject, phrases.language),
        held={belief.concept: belief for belief in beliefs.current(subject)},
        checks={concept: tuple(ids) for concept, ids in checks.items()},
        beliefs=beliefs,
        now=now,
    )


def prerequisites(scene: Atlas, asked: Sequence[ConceptId]) -> ComposedAnswer:
    """What the concepts build on, directly or through others, in teaching order."""
    composer = Composer(scene.phrases, scene.now.day)
    for concept in asked:
        before = scene.in_order(needed_by(concept, scene.links))
        if before:
            composer.say("map.prerequisites", n=len(before), concept=scene.name(concept))
            for each in before:
                _say_concept(scene, composer, each)
        else:
            composer.say("map.none" if _places(scene, concept) else "map.unread", concept=scene.name(concept))
        assumed = scene.concepts[concept].assumed if concept in scene.concepts else ()
        if assumed:
            composer.say("map.assumed", names=scene.phrases.list(assumed))
    return composer.finished(narration=False)


def dependants(scene: Atlas, asked: Sequence[ConceptId]) -> ComposedAnswer:
    """What builds on the concepts, directly or through others, in teaching order."""
    composer = Composer(scene.phrases, scene.now.day)
    for concept in asked:
        after = scene.in_order(built_on(concept, scene.links))
        if after:
            composer.say("map.dependants", n=len(after), concept=scene.name(concept))
            for each in after:
                _say_concept(scene, composer, each)
        else:
            composer.say("map.no_dependants" if _places(scene, concept) else "map.unread", concept=scene.name(concept))
    return composer.finished(narration=False)


def next_step(scene: Atlas) -> ComposedAnswer:
    """The first concept in teaching order that is not held as understood; a weak one that others need goes first."""
    composer = Composer(scene.phrases, scene.now.day)
    left = [concept for concept in scene.order if not scene.understood(concept)]
    if not scene.order:
        composer.say("map.empty")
        return composer.finished(empty=True, narration=False)
    if not left:
        composer.say("map.next_done")
        return composer.finished(narration=False)
    weak = [
        concept
        for concept in left
        if concept in scene.held and scene.held[concept].claim is Claim.WEAK and built_on(concept, scene.links)
    ]
    chosen = weak[0] if weak else left[0]
    key = "next_weak" if weak else "next" if needed_by(chosen, scene.links) else "next_first"
    after = built_on(chosen, scene.links)
    composer.line(
        scene.phrases.say(f"map.{key}", concept=scene.name(chosen)),
        concepts=[chosen],
        places=_places(scene, chosen),
        item=False,
    )
    if after:
        composer.say("map.next_why", n=len(after))
    _say_concept(scene, composer, chosen)
    following = [scene.name(concept) for concept in left if concept != chosen][:AFTER_SHOWN]
    if following:
        composer.say("map.next_after", concepts=scene.phrases.list(following))
    return composer.finished(narration=False)


def course(scene: Atlas) -> ComposedAnswer:
    """What the course is about: its hubs with their summaries, where it begins, and what the files explain."""
    composer, phrases = Composer(scene.phrases, scene.now.day), scene.phrases
    if not scene.order:
        composer.say("map.empty")
        return composer.finished(empty=True, narration=False)
    files = list(dict.fromkeys(place.file for each in scene.concepts.values() for place in each.places))
    ranked = sorted(scene.concepts.values(), key=lambda each: -each.centrality)
    if files:
        composer.say("map.course", n=len(ranked), files=phrases.list(files))
    else:
        composer.say("map.course_no_files", n=len(ranked))
    for concept in ranked[:COURSE_SHOWN]:
        name, summary = scene.name(concept.id), concept.summary
        text = phrases.say("map.course_line", concept=name, summary=summary) if summary else f"{name}."
        composer.line(ended(text), concepts=[concept.id], places=_places(scene, concept.id))
    rest = ranked[COURSE_SHOWN:]
    if rest:
        named = phrases.list([scene.name(concept.id) for concept in rest])
        composer.line(
            phrases.say("map.course_more", n=len(rest), concepts=named), concepts=[each.id for each in rest], item=False
        )
    first = [scene.name(concept) for concept in scene.order[:FIRST_SHOWN]]
    if len(scene.order) > FIRST_SHOWN:
        composer.say("map.course_order", concepts=phrases.list(first))
    return composer.finished(narration=False)


def unknown(phrases: Phrases, now: Moment, name: str, *, empty_map: bool) -> ComposedAnswer:
    """A concept that is not on the map: said so, nothing guessed."""
    composer = Composer(phrases, now.day)
    if empty_map:
        composer.say("map.empty")
    else:
        composer.say("map.unknown", name=phrases.quote(name))
    return composer.finished(empty=True, narration=False)


def review(scene: Atlas, due: Sequence[Due], schedule: Sequence[Due]) -> ComposedAnswer:
    """What is due for review today, each with where the student stands; else what comes next, and when."""
    composer, phrases, today = Composer(scene.phrases, scene.now.day), scene.phrases, scene.now.day
    if due:
        composer.say("review.head", n=len(due))
    for each in due:
        concept = ConceptId(each.concept)
        text = phrases.say(
            "review.line",
            concept=scene.names.get(concept, each.name),
            standing=standing_words(scene, concept),
            on=phrases.on(each.last_check.day, today),
        )
        composer.line(text, scene.checks.get(concept, ()), concepts=[concept], item=True)
    if not due:
        composer.say("review.none" if schedule else "review.never")
        if schedule:
            soonest = schedule[0]
            name = scene.names.get(ConceptId(soonest.concept), soonest.name)
            composer.say("review.next", concept=name, on=phrases.on(max(soonest.at.day, today), today))
    return composer.finished(empty=not due, narration=False)


def standing_words(scene: Atlas, concept: ConceptId) -> str:
    """Where the student stands on a concept: the claim held, the checks recorded, or that nothing is."""
    phrases = scene.phrases
    belief = scene.held.get(concept)
    if belief is not None:
        return phrases.say(
            "map.standing",
            claim=phrases.say(f"claim.{belief.claim.value}"),
            confidence=confidence_words(phrases, belief),
            since=phrases.since(scene.beliefs.since(belief).day, scene.now.day),
        )
    checks = scene.checks.get(concept, ())
    return phrases.say("map.standing_checks", n=len(checks)) if checks else phrases.say("map.standing_none")


def _say_concept(scene: Atlas, composer: Composer, concept: ConceptId) -> None:
    phrases, places = scene.phrases, _places(scene, concept)
    standing = standing_words(scene, concept)
    said = [_place_words(phrases, place) for place in places[:FILES_SHOWN]] or [phrases.say("map.unexplained")]
    text = phrases.say("map.line_place", concept=scene.name(concept), places=phrases.list(said), standing=standing)
    belief = scene.held.get(concept)
    ids = scene.checks.get(concept) or (belief.episodes if belief else ())
    composer.line(text, ids, concepts=[concept], places=places)


def _places(scene: Atlas, concept: ConceptId) -> tuple[PlaceShown, ...]:
    return scene.concepts[concept].places if concept in scene.concepts else ()


def _place_words(phrases: Phrases, place: PlaceShown) -> str:
    if not place.pages:
        return phrases.say("map.place_file", file=place.file)
    return phrases.say("map.place", n=len(place.pages), file=place.file, pages=page_ranges(place.pages))


def page_ranges(pages: Sequence[int]) -> str:
    """ "3–5, 8"."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in runs)
