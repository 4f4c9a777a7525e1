"""Briefs as they are kept with an answer: their lines word for word, with every quoted word left where it is kept.

A kept line is a list of parts: the brief's own words as they were, and in place of someone's words where to find
them (an episode's text, a concept's name). So a brief can be shown again exactly, and words that are redacted later
are in no brief. A line in which any word is neither the brief's own nor found in its sources is kept by its sources
alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from babel import Locale

from memory.beliefs import Beliefs
from memory.brief import BriefLine
from memory.brief_lines import CHECK_WORDS, FEWER_WORDS, WORDS, brief_phrases, plain_words
from memory.concept_rows import Concept
from memory.concepts import SubjectMap
from memory.episodes import ConceptId, Episode, EpisodeId
from memory.ledger import Ledger
from memory.phrases import PLURAL_FORMS
from memory.words import tokens

_FRAME = "frame"
_GONE = "…"
Slot = dict[str, Any]
Parts = list[str | Slot]


class KeptBriefs:
    """Takes the words out of a brief's lines, and puts them back."""

    def __init__(self, ledger: Ledger, map: SubjectMap, beliefs: Beliefs) -> None:
        self._ledger = ledger
        self._map = map
        self._beliefs = beliefs

    def keep(self, lines: Sequence[BriefLine], language: str) -> list[dict[str, Any]]:
        """The lines as JSON that holds nobody's words."""
        sources = [source for line in lines for source in line.sources]
        episodes = self._ledger.many([EpisodeId(id) for kind, id in sources if kind == "episode"])
        touched = self._ledger.concepts_of([episode.row for episode in episodes])
        named: dict[str, list[ConceptId]] = {episode.id: touched.get(episode.row, []) for episode in episodes}
        for kind, id in sources:
            if kind == "belief" and (held := self._beliefs.get(id)) is not None:
                named[id] = [held.concept]
            if kind == "concept":
                named[id] = [ConceptId(id)]
        there = _There(episodes, self._map.many(list(dict.fromkeys(each for ids in named.values() for each in ids))))
        below = {id: list(concept.builds_on) for id, concept in there.concepts.items()}
        there = _There(
            episodes, [*there.concepts.values(), *self._map.many([each for ids in below.values() for each in ids])]
        )
        kept = []
        for line in lines:
            near = [concept for _, id in line.sources for concept in named.get(id, [])]
            if any(kind == "concept" for kind, _ in line.sources):
                near += [each for concept in near for each in below.get(concept, [])]
            kept.append(_kept(line, near, there, language))
        return kept

    def shown(self, kept: Any) -> list[dict[str, Any]]:
        """The kept lines with their words: ``{section, sources, text}``; ``text`` is None where only sources are kept.

        Words that were redacted since are an ellipsis.
        """
        lines = [line for line in kept if isinstance(line, dict)] if isinstance(kept, list) else []
        slots = [part for line in lines for part in line.get("parts", []) if isinstance(part, dict)]
        there = _There(
            self._ledger.many([EpisodeId(slot["episode"]) for slot in slots if "episode" in slot]),
            self._map.many([ConceptId(slot["concept"]) for slot in slots if "concept" in slot]),
        )

        def said(part: str | Slot) -> str:
            return part if isinstance(part, str) else there.words(part) or _GONE

        return [
            {
                "section": line.get("section"),
                "sources": line.get("sources", []),
                "text": "".join(map(said, line["parts"])) if "parts" in line else None,
            }
            for line in lines
        ]


class _There:
    """The episodes and concepts that some lines are made from."""

    def __init__(self, episodes: Sequence[Episode], concepts: Sequence[Concept]) -> None:
        self.episodes = {episode.id: episode for episode in episodes}
        self.concepts = {concept.id: concept for concept in concepts}

    def words(self, slot: Mapping[str, Any]) -> str:
        """The words at a place, as the brief shows them; empty where they are gone."""
        if "episode" in slot:
            episode = self.episodes.get(EpisodeId(slot["episode"]))
            content = episode.content if episode is not None else None
            return plain_words(getattr(content, slot["of"]), slot["length"]) if content is not None else ""
        concept = self.concepts.get(ConceptId(slot["concept"]))
        if concept is None:
            return ""
        if slot["of"] == "summary":
            return plain_words(concept.summary, slot["length"])
        return plain_words(concept.name_in(slot["language"]) if slot["language"] else concept.name, slot["length"])


def _kept(line: BriefLine, concepts: Sequence[ConceptId], there: _There, language: str) -> dict[str, Any]:
    bare = {"section": line.section, "sources": line.sources}
    parts: Parts = [line.text]
    if line.section != _FRAME:
        places = [(there.words(slot), slot) for slot in _slots(line, concepts, language)]
        for words, slot in sorted(places, key=lambda place: -len(place[0])):
            parts = _placed(parts, words, slot)
        own = {word for part in parts if isinstance(part, str) for word in tokens(part)}
        if not any(isinstance(part, dict) for part in parts) or not own <= _own_words(language):
            return bare
    return {**bare, "parts": parts}


def _slots(line: BriefLine, concepts: Sequence[ConceptId], language: str) -> Iterator[Slot]:
    """Every run of words that a line made from these sources may hold."""
    for kind, source in line.sources:
        if kind == "episode":
            for field in ("text", "summary"):
                for length in (WORDS, CHECK_WORDS, FEWER_WORDS):
                    yield {"episode": source, "of": field, "length": length}
    for concept in dict.fromkeys(concepts):
        for spoken in (language, None):
            yield {"concept": concept, "of": "name", "language": spoken, "length": FEWER_WORDS}
        yield {"concept": concept, "of": "summary", "length": WORDS}


def _placed(parts: Parts, words: str, slot: Slot) -> Parts:
    """The parts with the first such words taken out of the brief's own."""
    if not words:
        return parts
    for place, part in enumerate(parts):
        if isinstance(part, str) and words in part:
            before, _, after = part.partition(words)
            return [
                *parts[:place],
                *([before] if before else []),
                slot,
                *([after] if after else []),
                *parts[place + 1 :],
            ]
    return parts


@cache
def _own_words(language: str) -> frozenset[str]:
    """Every word that a brief may say by itself: its sentences, months and numbers."""
    phrases = brief_phrases(language)
    said: list[str] = []
    for key in phrases.keys:
        sentence = phrases.sentence(key)
        said += (
            [sentence] if isinstance(sentence, str) else [sentence[form] for form in sentence if form in PLURAL_FORMS]
        )
    locale = Locale.parse(phrases.language)
    for context in locale.months.values():
        for names in context.values():
            said += names.values()
    numbers = [f"{number}" for number in range(10000)] + [f"{number:02}" for number in range(100)]
    return frozenset(word for each in [*said, *numbers, "1er 1º"] for word in tokens(each))
