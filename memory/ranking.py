"""Ranking: which of the candidates are about the message, and in which order.

Pure: numbers in, an order out. Relevance rules; recency only breaks ties. When the message is about something and
anything matches, what matches nothing is dropped, not ranked low: no weighting that lets a recent stranger pass an
old match is right, whatever the weights.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from memory.moments import MICROSECONDS_PER_DAY

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

RELEVANCE_WEIGHT = 0.55  # article, "Rappel": set by hand there, never tuned
SALIENCE_WEIGHT = 0.30  # completes the article's two weights to 1
RECENCY_WEIGHT = 0.15  # article, "Rappel": only where there is no query
HALF_LIFE_DAYS = 75.0
MERELY_RECENT = 3  # the article's second exemption: nothing matches, so a little of the recent past
CONCEPT_SHARE = 0.7  # what a full concept match is worth by itself; words or meaning must add the rest
CONTEXT_SHARE = 0.25  # what a neighbour's relevance lends: on 533 sentences, 248 questions, words alone, the share of
# evidence among the first twenty rises from 94.5 to 96.4 %; more costs the first place
_ONE_BREATH = MICROSECONDS_PER_DAY // 24
FULL_COSINE = 0.8  # the centred cosine that is taken as full evidence: paraphrases of one sentence reach it


class Basis(StrEnum):
    """Why anything was recalled: it matched, nothing did (so merely recent), or there was nothing to match."""

    MATCH = "match"
    MERELY_RECENT = "merely_recent"
    NO_QUERY = "no_query"


@dataclass(frozen=True, slots=True)
class Candidates:
    """Parallel arrays, one place an episode.

    ``lexical`` and ``concept`` in [0, 1]; ``semantic`` a centred cosine; ``context`` in [0, 1] what the episodes said
    just before and after lend (:func:`in_context`).
    """

    rows: Integers
    at: Integers
    salience: Floats
    lexical: Floats
    concept: Floats
    semantic: Floats
    context: Floats

    def take(self, places: npt.NDArray[np.intp]) -> Candidates:
        """The candidates at these places, in that order."""
        return Candidates(
            self.rows[places],
            self.at[places],
            self.salience[places],
            self.lexical[places],
            self.concept[places],
            self.semantic[places],
            self.context[places],
        )


@dataclass(frozen=True, slots=True)
class Ranking:
    """``order``: places of the candidates, best first; ``scores`` and ``recency`` are parallel to it."""

    basis: Basis
    order: npt.NDArray[np.intp]
    scores: Floats
    recency: Floats


def rank(candidates: Candidates, now: int, *, query: bool, match_threshold: float) -> Ranking:
    """Gate and rank. ``now`` in UTC microseconds; ``query`` says whether the message is about anything."""
    recency = recency_of(candidates.at, now)
    if not query:
        scores = np.round(SALIENCE_WEIGHT * candidates.salience + RECENCY_WEIGHT * recency, 2)
        return _ordered(Basis.NO_QUERY, np.arange(len(candidates.rows)), scores, candidates, recency)
    matched = np.flatnonzero(matches(candidates, match_threshold))
    scores = score(candidates)
    if len(matched):
        return _ordered(Basis.MATCH, matched, scores, candidates, recency)
    newest = np.lexsort((candidates.rows, candidates.at))[::-1][:MERELY_RECENT]
    return Ranking(Basis.MERELY_RECENT, newest, scores[newest], recency[newest])


def score(candidates: Candidates) -> Floats:
    """round(0.55 x relevance + 0.30 x salience, 2)."""
    weighed = RELEVANCE_WEIGHT * relevance(candidates) + SALIENCE_WEIGHT * candidates.salience
    rounded: Floats = np.round(weighed, 2)
    return rounded


def relevance(candidates: Candidates) -> Floats:
    """Independent kinds of evidence put together, in [0, 1]: the chance that not all of them are wrong."""
    concept = CONCEPT_SHARE * np.clip(candidates.concept, 0, 1)
    semantic = np.clip(candidates.semantic / FULL_COSINE, 0, 1)
    lexical, context = np.clip(candidates.lexical, 0, 1), np.clip(candidates.context, 0, 1)
    together: Floats = 1 - (1 - lexical) * (1 - concept) * (1 - semantic) * (1 - context)
    return together


def in_context(candidates: Candidates, match_threshold: float) -> Candidates:
    """The same candidates, each match lent a part of the relevance of what was said just before and after it.

    What is said in one breath belongs together. Nothing becomes a match by its company.
    """
    order = np.argsort(candidates.rows)
    rows, at, relevant = candidates.rows[order], candidates.at[order], relevance(candidates)[order]
    adjacent = (np.diff(rows) == 1) & (np.abs(np.diff(at)) <= _ONE_BREATH)
    lent = np.zeros(len(rows))
    lent[1:] = np.where(adjacent, relevant[:-1], 0)
    lent[:-1] = np.maximum(lent[:-1], np.where(adjacent, relevant[1:], 0))
    context = np.empty(len(rows))
    context[order] = CONTEXT_SHARE * lent
    return replace(candidates, context=np.where(matches(candidates, match_threshold), context, 0.0))


def matches(candidates: Candidates, match_threshold: float) -> npt.NDArray[np.bool_]:
    """Which candidates are about the message: a distinctive word, a routed concept, or a meaning close enough."""
    found: npt.NDArray[np.bool_] = (
        (candidates.lexical > 0) | (candidates.concept > 0) | (candidates.semantic >= match_threshold)
    )
    return found


def recency_of(at: Integers, now: int) -> Floats:
    """0.5 ^ (age / 75 days), in (0, 1]."""
    age = np.maximum(now - at, 0) / MICROSECONDS_PER_DAY
    halved: Floats = np.power(0.5, age / HALF_LIFE_DAYS)
    return halved


def _ordered(
    basis: Basis, places: npt.NDArray[np.intp], scores: Floats, candidates: Candidates, recency: Floats
) -> Ranking:
    """By score, then the newest, then the last written."""
    best = places[np.lexsort((candidates.rows[places], candidates.at[places], scores[places]))[::-1]]
    return Ranking(basis, best, scores[best], recency[best])
