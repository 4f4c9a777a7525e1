"""Pools: where candidates for recall come from, each over the whole history, each within the window first.

Four pools (article, "Rappel"): the 500 most recent; every episode with a distinctive word of the message; every
episode of a routed concept; the nearest vectors. Cutting first ("the 500 most recent") would lose a perfect memory
of March before it was ever scored. Only numbers are fetched here; words are read for the survivors alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from memory.centring import Vector
from memory.check_words import check_words
from memory.episodes import SubjectId
from memory.moments import MICROSECONDS_PER_DAY, Window, day_number
from memory.ranking import Floats, Integers
from memory.store import Store
from memory.vectors import Vectors
from memory.words import stem, stop_words, tokens

RECENT = 500  # article, "Rappel"; as many checks and taught notes again
NEAREST = 96  # design: at least 64
DISTINCTIVE_LEAST = 20  # a word in at most max(20, 5 %) of the subject's episodes is distinctive
DISTINCTIVE_SHARE = 0.05
WORDS_KEPT = 1000  # of the episodes with a distinctive word, the best by words go on
PAIRED = 300  # of those, the questions among the best bring their answers along
ANSWER_SHARE = 0.25  # an answer inherits this part of what its question's words said (0 and 0.5 measured worse)
SATURATION = 1.2  # holding every distinctive term once is worth 1 - e^-1.2 = 0.70; more of them nears 1
_MOST_TERMS = 24
_NAMED = 20_000
ABOUT_THE_RECORD = frozenset({"record", "lesson"})
_HOW = {"exact": 1.0, "name": 1.0, "alias": 0.9}  # sureness of a concept match by how it was found
_SIMILAR = 0.6  # and of one found by similarity


class Routed(Protocol):
    """A concept that a message was routed to, and how it was found: by name, alias or meaning."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def how(self) -> str: ...


class Understood(Protocol):
    """What recall needs to know of an understood message."""

    @property
    def kind(self) -> str: ...
    @property
    def sub(self) -> str | None: ...
    @property
    def window(self) -> Window | None: ...
    @property
    def routes(self) -> Sequence[Routed]: ...
    @property
    def concept_text(self) -> str | None: ...
    @property
    def language(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Scope:
    """Which episodes may be recalled: one subject, perhaps a window, nothing dated after tomorrow, not ``exclude``.

    ``missed``: checks that were not right, and nothing else, on these concepts (none: whatever they are about).
    """

    subject: SubjectId
    now: int
    window: Window | None = None
    exclude: tuple[str, ...] = ()
    missed: tuple[str, ...] | None = None

    @property
    def days(self) -> tuple[int, int]:
        """First and last local day, as numbers."""
        if self.window is None:
            return -(10**6), 10**6
        return day_number(self.window.first), day_number(self.window.last)

    @property
    def instants(self) -> tuple[int, int]:
        """Instants that hold every episode of those days, whatever its offset (less than a day)."""
        first, last = self.days
        latest = min((last + 2) * MICROSECONDS_PER_DAY, self.now + MICROSECONDS_PER_DAY)
        return (first - 1) * MICROSECONDS_PER_DAY, latest


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of candidates without reading their words; parallel arrays."""

    rows: Integers
    at: Integers
    salience: Floats
    same: tuple[bytes, ...]


def question_terms(text: str, understood: Understood) -> list[tuple[str, str]]:
    """The words a message is about, as (surface, stem), folded, no stop words, each once.

    A message about the record is about the concept it names and nothing else: "what did I get wrong in July" must
    not look for the word "wrong". Words that only ask ("explain", "please") are left out where others are there.
    """
    if understood.kind in ABOUT_THE_RECORD:
        text = understood.concept_text or ""
    elif understood.kind == "prerequisite":
        text = understood.concept_text or text
    language = understood.language
    stops = stop_words(language)
    found = {
        word: stem(word, language)
        for word in tokens(text, language)
        if word not in stops and (len(word) > 1 or word.isdigit() or ord(word) > 0x2E80)
    }
    asking = check_words().telling
    telling = {word: root for word, root in found.items() if word not in asking}
    return list((telling or found).items())[:_MOST_TERMS]


class Pools:
    """Finds candidates; reads only."""

    def __init__(self, store: Store, vectors: Vectors) -> None:
        self._store = store
        self._vectors = vectors

    def recent(self, scope: Scope) -> list[int]:
        """The most recent episodes, and the most recent checks and taught notes, which matter for longer."""
        found: dict[int, None] = {}
        for kind in ("", " AND e.kind = 'check'", " AND e.kind = 'taught'"):
            rows = self._all(
                f"SELECT e.row FROM episodes e CROSS JOIN episode_facts f ON f.episode = e.row WHERE {_IN_SCOPE}{kind}"
                " AND f.recallable = 1 ORDER BY e.at DESC, e.seq DESC LIMIT ?",
                (scope.subject, *scope.instants, *scope.days, RECENT),
            )
            found.update(dict.fromkeys(row for (row,) in rows))
        return list(found)

    def any_work(self, scope: Scope) -> bool:
        """Whether anything recallable was said or done in the window; a file that arrived is not work."""
        first, last = scope.days
        found = self._all(
            f"SELECT 1 FROM episodes e CROSS JOIN episode_facts f ON f.episode = e.row WHERE {_IN_SCOPE}"
            f" AND f.recallable = 1 AND {_WORKED} AND e.id NOT IN (SELECT value FROM json_each(?)) LIMIT 1",
            (scope.subject, *scope.instants, first, last, json.dumps(list(scope.exclude))),
        )
        return bool(found)

    def by_words(self, scope: Scope, terms: Sequence[tuple[str, str]]) -> dict[int, float]:
        """Episodes holding a distinctive term, and how much their words say about the message, in (0, 1].

        The weight is BM25 over the distinctive terms, as a share of what holding each of them once would give.
        """
        total, own = self._sizes(scope.subject)
        most = max(DISTINCTIVE_LEAST, int(DISTINCTIVE_SHARE * own))
        shared = total > own
        parts: list[tuple[Integers, Floats]] = []
        full = 0.0
        for surface, root in terms:
            hits = self._holding(surface, root, most, scope.subject if shared else None)
            if not hits or len(hits) > most:
                continue
            rows = _integers(hits)
            idf = math.log1p((total - len(rows) + 0.5) / (len(rows) + 0.5))
            plain = max(math.log(max(total - len(rows) + 0.5, 0.5) / (len(rows) + 0.5)), 1e-6)
            weight = np.fromiter((-score for _, score in hits), float, len(hits)) / plain
            parts.append((rows, idf * np.clip(weight, 0.05, 2.2)))
            full += idf
        if not parts:
            return {}
        rows, places = np.unique(np.concatenate([rows for rows, _ in parts]), return_inverse=True)
        weights = np.bincount(places, np.concatenate([weight for _, weight in parts]))
        if scope.window is not None:
            inside = np.isin(rows, self._rows_of_window(scope), assume_unique=True)
            rows, weights = rows[inside], weights[inside]
        best = np.argsort(-weights, kind="stable")[:WORDS_KEPT]
        lexical = 1 - np.exp(-SATURATION * weights[best] / full)
        return dict(zip(rows[best].tolist(), lexical.tolist(), strict=True))

    def by_name(self, scope: Scope, terms: Sequence[tuple[str, str]], share: float = 1.0) -> dict[int, float]:
        """Episodes holding every one of the terms, however common each is; all alike. The newest 20,000 at most.

        Nothing where they are more than ``share`` of the subject's episodes: what is everywhere is no topic.
        """
        match = " AND ".join(f'("{surface}" OR "{root}")' for surface, root in terms)
        found = self._all(
            "SELECT rowid FROM episode_words WHERE episode_words MATCH ? ORDER BY rowid DESC LIMIT ?", (match, _NAMED)
        )
        rows = _integers(found)
        if scope.window is not None:
            rows = rows[np.isin(rows, self._rows_of_window(scope), assume_unique=True)]
        _, own = self._sizes(scope.subject)
        if len(rows) > max(DISTINCTIVE_LEAST, share * own):
            return {}
        return dict.fromkeys(rows.tolist(), 1 - math.exp(-SATURATION))

    def answers_to(self, found: Mapping[int, float]) -> dict[int, float]:
        """The answers to the best questions found by words: what they answer is what they are about."""
        best = sorted(found, key=lambda row: -found[row])[:PAIRED]
        pairs = self._all(
            "SELECT a.row, q.row FROM json_each(?) o CROSS JOIN episodes q ON q.row = o.value"
            " CROSS JOIN episodes a ON a.subject = q.subject AND a.seq = q.seq + 1"
            " WHERE q.kind = 'question' AND a.kind = 'answer'",
            (json.dumps(best),),
        )
        return {answer: ANSWER_SHARE * found[question] for answer, question in pairs}

    def by_concepts(self, scope: Scope, routes: Iterable[Routed]) -> dict[int, float]:
        """Episodes touching routed concepts, and the share of the routes they touch, in (0, 1]."""
        sure = {route.id: _HOW.get(route.how, _SIMILAR) for route in routes}
        if not sure:
            return {}
        found = self._all(
            "SELECT c.episode, c.concept, c.how FROM json_each(?) o"
            " CROSS JOIN episode_concepts c ON c.concept = o.value",
            (json.dumps(list(sure)),),
        )
        if scope.window is not None:
            inside = set(self._rows_of_window(scope).tolist())
            found = [hit for hit in found if hit[0] in inside]
        touched: dict[int, float] = {}
        for row, concept, how in found:
            touched[row] = touched.get(row, 0.0) + sure[concept] * _HOW.get(how, _SIMILAR)
        return {row: weight / len(sure) for row, weight in touched.items()}

    def nearest(self, scope: Scope, vector: Vector) -> dict[int, float]:
        """The nearest episodes by meaning and their centred cosines."""
        return dict(self._vectors.nearest("episode", scope.subject, vector, NEAREST, scope.window))

    def facts(self, scope: Scope, rows: Collection[int]) -> Facts:
        """The facts of those rows that may be recalled in this scope, in no particular order.

        Of a day's consolidations only the newest may.
        """
        first, last = scope.days
        found = self._all(
            "SELECT e.row, e.at, e.salience, f.same FROM json_each(?) o"
            " CROSS JOIN episodes e ON e.row = o.value CROSS JOIN episode_facts f ON f.episode = e.row"
            f" WHERE {_IN_SCOPE} AND f.recallable = 1"
            " AND e.id NOT IN (SELECT value FROM json_each(?)) AND NOT (e.kind = 'consolidation' AND EXISTS"
            " (SELECT 1 FROM episodes n WHERE n.subject = e.subject AND n.day = e.day"
            " AND n.kind = 'consolidation' AND n.seq > e.seq))"
            " AND (NOT ? OR (e.kind = 'check' AND e.verdict IN ('wrong', 'partly')))"
            " AND (NOT ? OR NOT EXISTS (SELECT 1 FROM check_concepts l WHERE l.episode = e.row"
            " AND l.concept NOT IN (SELECT value FROM json_each(?))))",
            (
                json.dumps([int(row) for row in rows]),
                scope.subject,
                *scope.instants,
                first,
                last,
                json.dumps(list(scope.exclude)),
                scope.missed is not None,
                bool(scope.missed),
                json.dumps(scope.missed or ()),
            ),
        )
        return Facts(
            rows=_integers(found),
            at=np.fromiter((at for _, at, *_ in found), np.int64, len(found)),
            salience=np.fromiter((salience for _, _, salience, *_ in found), float, len(found)),
            same=tuple(same for _, _, _, same in found),
        )

    def stamps(self, rows: Sequence[int]) -> list[Any]:
        """(row, id, at, offset, zone) of those rows."""
        return self._all(
            "SELECT e.row, e.id, e.at, e.offset, e.zone FROM json_each(?) o CROSS JOIN episodes e ON e.row = o.value",
            (json.dumps(list(rows)),),
        )

    def beside(self, scope: Scope) -> tuple[int | None, int | None]:
        """The rows of the last piece of work before the window and of the first one after it."""
        first, last = scope.instants
        edges = []
        for side, edge, order in (("<", scope.days[0], "DESC"), (">", scope.days[1], "ASC")):
            bound = "e.at < ?" if side == "<" else "e.at > ?"
            instant = first + 2 * MICROSECONDS_PER_DAY if side == "<" else last - 3 * MICROSECONDS_PER_DAY
            found = self._all(
                "SELECT e.row FROM episodes e CROSS JOIN episode_facts f ON f.episode = e.row"
                f" WHERE e.subject = ? AND {bound} AND e.day {side} ? AND e.at <= ?"
                f" AND f.recallable = 1 AND {_WORKED} ORDER BY e.at {order}, e.seq {order} LIMIT 1",
                (scope.subject, instant, edge, scope.now + MICROSECONDS_PER_DAY),
            )
            edges.append(found[0][0] if found else None)
        return edges[0], edges[1]

    def _holding(self, surface: str, root: str, most: int, subject: str | None) -> list[Any]:
        """(row, BM25) of the episodes holding a term or its stem, at most ``most + 1`` of them."""
        match = f'"{surface}"' if root == surface else f'"{surface}" OR "{root}"'
        if subject is None:
            if self._everywhere(surface, root) > most:
                return []
            return self._all(
                "SELECT rowid, bm25(episode_words, 0.5, 0.5) FROM episode_words WHERE episode_words MATCH ? LIMIT ?",
                (match, most + 1),
            )
        return self._all(
            "SELECT w.rowid, bm25(episode_words, 0.5, 0.5) FROM episode_words w"
            " CROSS JOIN episodes e ON e.row = w.rowid WHERE episode_words MATCH ? AND e.subject = ? LIMIT ?",
            (match, subject, most + 1),
        )

    def _everywhere(self, surface: str, root: str) -> int:
        """How many episodes hold the more frequent of a term and its stem, from the index's own vocabulary."""
        ((most,),) = self._all("SELECT max(doc) FROM episode_vocabulary WHERE term = ? OR term = ?", (surface, root))
        return most or 0

    def _rows_of_window(self, scope: Scope) -> Integers:
        first, last = scope.days
        return _integers(
            self._all(
                "SELECT row FROM episodes WHERE subject = ? AND day BETWEEN ? AND ?", (scope.subject, first, last)
            )
        )

    def _sizes(self, subject: str) -> tuple[int, int]:
        """How many episodes there are in all, and in this subject."""
        total, own = self._all(
            "SELECT (SELECT max(row) FROM episodes), (SELECT max(seq) FROM episodes WHERE subject = ?)", (subject,)
        )[0]
        return total or 0, own or 0

    def _all(self, sql: str, bound: Sequence[Any]) -> list[Any]:
        return self._store.reader().execute(sql, bound).fetchall()


_WORKED = "e.kind NOT IN ('file', 'consolidation')"
_IN_SCOPE = "e.subject = ? AND e.at BETWEEN ? AND ? AND e.day BETWEEN ? AND ?"


def both(one: Mapping[int, float], other: Mapping[int, float]) -> dict[int, float]:
    """Two kinds of evidence, each in [0, 1], put together by row."""
    return {row: 1 - (1 - one.get(row, 0.0)) * (1 - other.get(row, 0.0)) for row in {*one, *other}}


def _integers(found: Sequence[Any]) -> Integers:
    return np.fromiter((row[0] for row in found), np.int64, len(found))
