"""Which concept a check is about, from its topic as written (the article, "De quel sujet parle une croyance").

A topic is routed by name. One that reads like an utterance ("ask me the questions", "bueno ahora explícame …") is not
a topic: then only the tutor's own words on the reply count. What names nothing stays evidence, about no concept.
"""

from __future__ import annotations

import re

from memory.check_words import check_words
from memory.episodes import ConceptId
from memory.routing import Names, Route
from memory.words import fold, tokens

LONGEST_TOPIC = 8  # words; more is a sentence
_SPOKEN = re.compile(r"[?؟¿=]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SENTENCE_END = re.compile(r"[.!…]\s*$")
_LITERAL = frozenset({"name", "alias"})


def topic_concept(topic: str | None, evaluation: str | None, names: Names, language: str) -> ConceptId | None:
    """The concept a check is evidence about, or None: it stays evidence and never becomes a belief.

    Only names that stand in the text count, never similarity; where several do, the first.
    """
    topic = (topic or "").strip()
    if topic:
        found = _literal(topic, names, language)
        if (found and _whole(topic, found[0])) or not reads_like_an_utterance(topic):
            return ConceptId(found[0].id) if found else None
    found = _literal(evaluation or "", names, language)
    return ConceptId(found[0].id) if found else None


def reads_like_an_utterance(topic: str) -> bool:
    """Whether a topic is something someone said (or computed), not the name of something to know."""
    words = check_words()
    said = tokens(topic)
    return (
        _SPOKEN.search(topic) is not None
        or not _WORD.search(fold(topic))
        or len(said) > LONGEST_TOPIC
        or (len(said) > 4 and _SENTENCE_END.search(topic) is not None)
        or said[0] in words.openers
        or not words.telling.isdisjoint(said)
    )


def _literal(text: str, names: Names, language: str) -> list[Route]:
    return [route for route in names.route(text, language) if route.how in _LITERAL] if text.strip() else []


def _whole(topic: str, route: Route) -> bool:
    """Whether the topic is the name and nothing else, articles apart."""
    return check_words().articles.issuperset(tokens(topic[: route.first]) + tokens(topic[route.last :]))
