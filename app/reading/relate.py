"""Definitions and prerequisites: which sentence explains a concept, and what it builds on.

"A builds on B" when a sentence says so; when the chosen defining sentence of A names B (unless it defines B too, or
merely lists both), and B comes earlier or is used more around A than the other way round (RefD, Liang et al. 2015); or
when the name of A holds the name of B. No cycles leave this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import networkx

from app.reading.propose import Candidate
from app.reading.sentences import Sentence, cues_of
from memory.readings import FoundConcept, FoundEdge, Quote

_BULLETS = "|—–-•▪◦●*Ì· "
_CUE_FOR_EDGE = 2.0
_LISTED = re.compile(r"(?:,|\band\b|\bor\b|\bet\b|\bou\b|\by\b|\bo\b|\bund\b|\boder\b|\be\b|،|\bو)\s*$")


def quote_of(one: Candidate, sentences: Sequence[Sentence]) -> Quote | None:
    """The sentence that defines a concept best, else the first that names it."""
    at = one.defined_by if one.defined_by is not None else (one.sentences[0] if one.sentences else None)
    if at is None:
        return None
    sentence = sentences[at]
    text = " ".join(sentence.text.split()).lstrip(_BULLETS).rstrip(" |")
    return Quote(text, sentence.page, sentence.first_line, sentence.last_line)


def relate(
    chosen: Sequence[tuple[Candidate, float]], sentences: Sequence[Sentence], language: str
) -> list[FoundConcept]:
    """The chosen candidates as concepts, with definitions and edges."""
    graph = _edges([one for one, _ in chosen], sentences, language)
    concepts = []
    for one, share in chosen:
        edges = tuple(
            FoundEdge(needed.name, data["weight"], data["reason"])
            for needed, data in sorted(
                ((other, graph.edges[one.key, other.key]) for other, _ in chosen if graph.has_edge(one.key, other.key)),
                key=lambda pair: (-pair[1]["weight"], pair[0].name),
            )
        )
        quote = quote_of(one, sentences)
        concepts.append(
            FoundConcept(
                name=one.name,
                language=language,
                definition=quote if one.cue > 0 or one.bold else None,
                summary=_summary(quote),
                pages=tuple(sorted(one.pages)),
                aliases=tuple(sorted(one.aliases)),
                builds_on=edges,
                score=round(share, 4),
            )
        )
    return concepts


def _summary(quote: Quote | None) -> str:
    """One sentence: the quote, cut on a word where it is long."""
    if quote is None or len(quote.text) <= 240:
        return quote.text if quote else ""
    return quote.text[:239].rsplit(" ", 1)[0] + "…"


def _edges(concepts: Sequence[Candidate], sentences: Sequence[Sentence], language: str) -> networkx.DiGraph[str]:
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(one.key for one in concepts)
    needs = cues_of(language).needs
    for one in concepts:
        for other in concepts:
            if one is other:
                continue
            asymmetry = _asymmetry(one, other)
            if _stated(one, other, sentences, needs):
                graph.add_edge(one.key, other.key, weight=0.9, reason="definition", asymmetry=1.0)
            elif f" {other.key} " in f" {one.key} " and other.key != one.key:
                graph.add_edge(one.key, other.key, weight=0.6, reason="name", asymmetry=asymmetry)
            elif _in_definition(one, other, sentences) and (_earlier(other, one) or asymmetry > 0):
                weight = round(min(1.0, 0.6 + 0.4 * max(0.0, asymmetry)), 3)
                graph.add_edge(one.key, other.key, weight=weight, reason="definition", asymmetry=asymmetry)
    for first, second in [(a, b) for a, b in graph.edges if a < b and graph.has_edge(b, a)]:
        weaker = min(((first, second), (second, first)), key=lambda edge: _support(graph, edge))
        graph.remove_edge(*weaker)
    while True:
        try:
            cycle = networkx.find_cycle(graph)
        except networkx.NetworkXNoCycle:
            return graph
        graph.remove_edge(*min(((edge[0], edge[1]) for edge in cycle), key=lambda edge: _support(graph, edge)))


def _support(graph: networkx.DiGraph[str], edge: tuple[str, str]) -> tuple[float, float]:
    data = graph.edges[edge]
    return data["asymmetry"], data["weight"]


def _stated(one: Candidate, other: Candidate, sentences: Sequence[Sentence], needs: re.Pattern[str]) -> bool:
    """Whether a sentence says outright that one builds on the other."""
    for at in set(one.sentences) & set(other.sentences):
        low = sentences[at].text.lower()
        first = low.find(one.name.lower())
        second = low.find(other.name.lower(), first + len(one.name)) if first >= 0 else -1
        if second > 0 and needs.search(low[first + len(one.name) : second]):
            return True
    return False


def _in_definition(one: Candidate, other: Candidate, sentences: Sequence[Sentence]) -> bool:
    if one.defined_by is None or one.cue < _CUE_FOR_EDGE or one.defined_by not in other.sentences:
        return False
    if other.defined_by == one.defined_by and other.cue >= _CUE_FOR_EDGE:
        return False
    return not _coordinated(one, other, sentences[one.defined_by].text)


def _coordinated(one: Candidate, other: Candidate, text: str) -> bool:
    """Whether the two names are merely listed side by side."""
    low = text.lower()
    first, second = low.find(one.name.lower()), low.find(other.name.lower())
    if first < 0 or second < 0:
        return False
    if first > second:
        first, second, length = second, first, len(other.name)
    else:
        length = len(one.name)
    between = low[first + length : second]
    return len(between.split()) <= 3 and bool(_LISTED.search(between))


def _earlier(one: Candidate, other: Candidate) -> bool:
    return bool(one.sentences and other.sentences) and one.sentences[0] < other.sentences[0]


def _asymmetry(one: Candidate, other: Candidate) -> float:
    """RefD-like: the share of A's paragraphs that name B, less the reverse; in [-1, 1]."""
    shared = len(one.paragraphs & other.paragraphs)
    return shared / max(1, len(one.paragraphs)) - shared / max(1, len(other.paragraphs))
