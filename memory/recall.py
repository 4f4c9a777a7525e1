"""Recall: the earlier work that a message calls for, from the whole history, by what it is about.

Candidates are pooled over everything, gated, ranked and only then cut. No generative model, no loop over the log:
pools fetch numbers, words are read for the few that are returned.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from memory.centring import Vector
from memory.episodes import ConceptId, Episode, EpisodeId, Kind, SubjectId
from memory.fold import fold_repetitions
from memory.ledger import Ledger
from memory.moments import MICROSECONDS_PER_DAY, Moment, Window
from memory.pools import ABOUT_THE_RECORD, Facts, Pools, Scope, Understood, both, question_terms
from memory.ranking import Basis, Candidates, in_context, matches, rank, recency_of, score
from memory.store import Store
from memory.vectors import Vectors

LIMIT = 20
_COMPLETED = 200  # the best by words and concepts whose meaning is compared too, where the pools did not
_TOPIC_SHARE = 0.25  # a message whose words are all common is about them, unless a quarter of the log is
_NEARLY = 0.05  # a cosine this little under the threshold is said to exist, not shown
_REMIND_SALIENCE = 0.6  # a student's own question is a fair recall and a useless reminder
_REMIND_KINDS = frozenset({Kind.CHECK, Kind.QUIZ, Kind.TAUGHT})
_REMIND_AFTER = 1 * MICROSECONDS_PER_DAY
_REMIND_AGAIN = 14 * MICROSECONDS_PER_DAY
_NEVER = 2**62  # shown in a future that does not come

Stopwatch = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Why:
    """What spoke for a memory: words, concept, meaning (centred cosine), salience, recency."""

    lexical: float
    concept: float
    semantic: float
    salience: float
    recency: float


@dataclass(frozen=True, slots=True)
class Remembered:
    """A recalled episode. ``folded`` are the ids of all identical ones, its own first; ``first`` and ``last``
    are when the earliest and the latest of them happened."""

    episode: Episode
    score: float
    why: Why
    folded: tuple[EpisodeId, ...]
    first: Moment
    last: Moment

    @property
    def count(self) -> int:
        """How many times the same thing is in the ledger."""
        return len(self.folded)


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a message called for, best first.

    ``basis`` says why anything is there; ``empty_window`` that no work at all is recorded in the window (a file that
    arrived is not work), and then ``beside`` holds the nearest episodes before and after it; ``weaker`` how many
    episodes were nearly close enough in meaning; ``semantic`` whether meaning was compared at all. Timings are in
    milliseconds.
    """

    memories: tuple[Remembered, ...]
    window: Window | None
    basis: Basis
    empty_window: bool = False
    beside: tuple[Episode, ...] = ()
    weaker: int = 0
    semantic: bool = False
    timings: Mapping[str, float] = field(default_factory=dict)

    @property
    def matched(self) -> bool:
        """Whether what is there is about the message."""
        return self.basis is Basis.MATCH


class Recall:
    """Recalls from the ledger of one student. Reads only, but for what is noted about reminders."""

    def __init__(self, store: Store, ledger: Ledger, vectors: Vectors, stopwatch: Stopwatch) -> None:
        """``stopwatch`` gives seconds, for the timings."""
        self._store = store
        self._ledger = ledger
        self._vectors = vectors
        self._pools = Pools(store, vectors)
        self._stopwatch = stopwatch

    def for_message(
        self,
        subject: SubjectId,
        text: str,
        understanding: Understood,
        vector: Vector | None,
        now: Moment,
        exclude: Collection[str] = (),
        limit: int = LIMIT,
    ) -> Recalled:
        """The memories that a message calls for. ``exclude`` holds the ids of the message itself.

        Asked what was missed, it brings checks that were not right; other work only where there is none.
        """
        missed = understanding.kind == "record" and understanding.sub == "missed"
        concepts = tuple(route.id for route in understanding.routes) if missed else None
        scope = Scope(subject, now.at, understanding.window, tuple(exclude), concepts)
        recalled = self._recalled(scope, text, understanding, vector, now, limit)
        if missed and (not recalled.memories or recalled.basis is Basis.MERELY_RECENT):
            recalled = self._recalled(replace(scope, missed=None), text, understanding, vector, now, limit)
        return recalled

    def _recalled(
        self, scope: Scope, text: str, understanding: Understood, vector: Vector | None, now: Moment, limit: int
    ) -> Recalled:
        laps = _Laps(self._stopwatch)
        terms = question_terms(text, understanding)
        query = bool(terms or understanding.routes)
        if scope.window is not None and not self._pools.any_work(scope):
            beside = self._ledger.rows([row for row in self._pools.beside(scope) if row is not None])
            laps.mark("total_ms", whole=True)
            return Recalled((), scope.window, Basis.NO_QUERY, True, tuple(beside), timings=laps.taken)
        facts, candidates = self._gathered(scope, understanding, terms, vector, laps)
        compared = "semantic_ms" in laps.taken and self._vectors.mean("episode", scope.subject) is not None
        threshold = self._threshold
        matched = matches(candidates, threshold)
        nearly = int(((candidates.semantic >= threshold - _NEARLY) & ~matched).sum())
        if terms and not matched.any():
            words = self._pools.by_name(scope, terms, share=_TOPIC_SHARE)
            facts = self._pools.facts(scope, words)
            candidates = _candidates(facts, words, {}, {})
            matched = matches(candidates, threshold)
        if not matched.any():
            facts = self._pools.facts(scope, self._pools.recent(scope))
            candidates = _candidates(facts, {}, {}, {})
            laps.mark("recent_ms")
        ranking = rank(candidates, now.at, query=query, match_threshold=threshold)
        laps.mark("rank_ms")
        ordered = candidates.take(ranking.order)
        same = [facts.same[place] for place in ranking.order]
        memories = self._remembered(ordered, same, ranking.scores.tolist(), ranking.recency.tolist(), limit)
        laps.mark("read_ms")
        laps.mark("total_ms", whole=True)
        return Recalled(
            memories=memories,
            window=scope.window,
            basis=ranking.basis,
            weaker=nearly,
            semantic=compared,
            timings=laps.taken,
        )

    def reminding(
        self,
        subject: SubjectId,
        concepts: Collection[ConceptId],
        vector: Vector | None,
        now: Moment,
        exclude: Collection[str] = (),
    ) -> Remembered | None:
        """At most one earlier episode worth bringing up by itself after an ordinary answer.

        The same concept or close in meaning, of high salience, not from the last day, not brought up in two weeks.
        Salience decides, then relevance, then recency.
        """
        scope = Scope(subject, now.at - _REMIND_AFTER - MICROSECONDS_PER_DAY, None, (*exclude, *self._shown(now)))
        concept = self._pools.by_concepts(scope, [_Exactly(id) for id in concepts])
        semantic = self._pools.nearest(scope, vector) if vector is not None else {}
        close = {row: cosine for row, cosine in semantic.items() if cosine >= self._threshold}
        facts = self._pools.facts(scope, {*concept, *close})
        candidates = _candidates(facts, {}, concept, close)
        places = np.flatnonzero(candidates.salience >= _REMIND_SALIENCE)
        chosen = candidates.take(places)
        order = np.lexsort((chosen.at, score(chosen), chosen.salience))[::-1]
        best, scores = chosen.take(order), score(chosen)[order].tolist()
        recency = recency_of(best.at, now.at).tolist()
        same = [facts.same[places[place]] for place in order]
        for memory in self._remembered(best, same, scores, recency, LIMIT):
            if memory.episode.kind in _REMIND_KINDS:
                return memory
        return None

    def reminded(self, episode: EpisodeId, now: Moment) -> None:
        """Note that an episode was brought up, so that it is not again for two weeks."""
        with self._store.atomic() as connection:
            connection.execute("REPLACE INTO reminders VALUES (?, ?)", (episode, now.at))

    def never_remind(self, episode: EpisodeId) -> None:
        """Note that an episode is not to be brought up by itself again."""
        with self._store.atomic() as connection:
            connection.execute("REPLACE INTO reminders VALUES (?, ?)", (episode, _NEVER))

    @property
    def _threshold(self) -> float:
        space = self._vectors.space
        return space.match_threshold if space is not None else 1.0

    def _shown(self, now: Moment) -> list[str]:
        found = self._store.reader().execute(
            "SELECT episode FROM reminders WHERE shown_at > ?", (now.at - _REMIND_AGAIN,)
        )
        return [str(episode) for (episode,) in found]

    def _gathered(
        self,
        scope: Scope,
        understanding: Understood,
        terms: Sequence[tuple[str, str]],
        vector: Vector | None,
        laps: _Laps,
    ) -> tuple[Facts, Candidates]:
        """Everything that words, concepts and meaning bring; empty where the message is about nothing."""
        concept = self._pools.by_concepts(scope, understanding.routes)
        laps.mark("concept_ms")
        words = self._words(scope, understanding, terms)
        laps.mark("lexical_ms")
        # A question about the record is near other questions about the record, not near what it asks for: its meaning
        # counts only where neither its words nor its concept are found.
        told = understanding.kind in ABOUT_THE_RECORD and bool(words or concept)
        about = bool(terms or understanding.routes) and not told
        semantic: dict[int, float] = {}
        if vector is not None and about and self._vectors.space is not None:
            semantic = self._pools.nearest(scope, vector)
            laps.mark("semantic_ms")
        facts = self._pools.facts(scope, {*words, *concept, *semantic})
        if vector is not None and semantic:
            self._complete(scope.subject, vector, facts, words, concept, semantic)
        return facts, in_context(_candidates(facts, words, concept, semantic), self._threshold)

    def _words(self, scope: Scope, understanding: Understood, terms: Sequence[tuple[str, str]]) -> dict[int, float]:
        """What the message's words find: distinctive ones; for a record question about something that is no concept
        of the map, all the words that name it, together and however common."""
        if not terms:
            return {}
        named = understanding.kind in ABOUT_THE_RECORD and not understanding.routes
        words = (self._pools.by_name(scope, terms) if named else {}) or self._pools.by_words(scope, terms)
        return both(words, self._pools.answers_to(words))

    def _complete(
        self,
        subject: SubjectId,
        vector: Vector,
        facts: Facts,
        words: Mapping[int, float],
        concept: Mapping[int, float],
        semantic: dict[int, float],
    ) -> None:
        """Compare meaning for the best candidates that came by words or concept alone."""
        without = [row for row in facts.rows.tolist() if row not in semantic and (row in words or row in concept)]
        without.sort(key=lambda row: -(words.get(row, 0.0) + concept.get(row, 0.0)))
        semantic.update(self._vectors.scores("episode", subject, vector, without[:_COMPLETED]))

    def _remembered(
        self,
        ordered: Candidates,
        same: Sequence[bytes],
        scores: Sequence[float],
        recency: Sequence[float],
        limit: int,
    ) -> tuple[Remembered, ...]:
        """Fold what was ranked, cut to the limit, and read the words of what is left."""
        folds = fold_repetitions(same)[:limit]
        needed = [int(ordered.rows[place]) for fold in folds for place in fold.places]
        survivors = {
            episode.row: episode for episode in self._ledger.rows([int(ordered.rows[f.survivor]) for f in folds])
        }
        stamps = self._stamps(needed)
        memories = []
        for fold in folds:
            place = fold.survivor
            copies = [stamps[int(ordered.rows[copy])] for copy in fold.places]
            moments = sorted((moment for _, moment in copies), key=lambda moment: moment.at)
            why = Why(
                lexical=round(float(ordered.lexical[place]), 4),
                concept=round(float(ordered.concept[place]), 4),
                semantic=round(float(ordered.semantic[place]), 4),
                salience=float(ordered.salience[place]),
                recency=round(recency[place], 4),
            )
            ids = tuple(id for id, _ in copies)
            episode = survivors[int(ordered.rows[place])]
            memories.append(Remembered(episode, scores[place], why, ids, moments[0], moments[-1]))
        return tuple(memories)

    def _stamps(self, rows: Sequence[int]) -> dict[int, tuple[EpisodeId, Moment]]:
        return {
            row: (EpisodeId(id), Moment(at, offset, zone)) for row, id, at, offset, zone in self._pools.stamps(rows)
        }


@dataclass(frozen=True, slots=True)
class _Exactly:
    """A concept named outright."""

    id: str
    name: str = ""
    how: str = "exact"


class _Laps:
    """Milliseconds between marks."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._start = self._last = stopwatch()
        self.taken: dict[str, float] = {}

    def mark(self, name: str, *, whole: bool = False) -> None:
        now = self._stopwatch()
        self.taken[name] = round(1000 * (now - (self._start if whole else self._last)), 3)
        self._last = now


def _candidates(
    facts: Facts, lexical: Mapping[int, float], concept: Mapping[int, float], semantic: Mapping[int, float]
) -> Candidates:
    rows = facts.rows.tolist()
    return Candidates(
        rows=facts.rows,
        at=facts.at,
        salience=facts.salience,
        lexical=np.array([lexical.get(row, 0.0) for row in rows], dtype=float),
        concept=np.array([concept.get(row, 0.0) for row in rows], dtype=float),
        semantic=np.array([semantic.get(row, 0.0) for row in rows], dtype=float),
        context=np.zeros(len(rows)),
    )
