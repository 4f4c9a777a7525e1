"""Record rows: what the composed answers read of the record, in a handful of statements.

*Studied* is what counts as work done: questions, answers, checks, quizzes and notes that stand. Not counted: files
and consolidations; questions about the record itself, their answers, courtesies and receipts; what the map told (it
names every concept and explains none); answers that were stopped, interrupted or replaced; notes that were withdrawn.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from memory.episodes import ConceptId, EpisodeId, Kind, SubjectId, Verdict
from memory.moments import Moment, Window, day_from_number, day_number
from memory.rows import placeholders
from memory.store import Store
from memory.words import nearly_same, stem, stop_words, tokens

_UNSTUDIED_PLANS = "('ledger', 'smalltalk', 'teach')"
_UNSTUDIED_ANSWERS = "('ledger', 'smalltalk', 'teach', 'map')"
_STUDIED = f"""
e.kind IN ('question', 'answer', 'check', 'quiz', 'taught')
AND (e.kind IN ('question', 'check', 'quiz')
     OR (SELECT f.recallable FROM episode_facts f WHERE f.episode = e.row) = 1)
AND NOT (e.kind = 'answer' AND coalesce(e.meta ->> '$.plan', '') IN {_UNSTUDIED_ANSWERS})
AND NOT (e.kind = 'question' AND (
    EXISTS (SELECT 1 FROM episodes a WHERE a.about = e.id AND a.kind = 'answer'
            AND (a.meta ->> '$.narration' OR coalesce(a.meta ->> '$.plan', '') IN {_UNSTUDIED_PLANS}))
    OR EXISTS (SELECT 1 FROM episodes a WHERE a.subject = e.subject AND a.seq = e.seq + 1 AND a.kind = 'answer'
               AND a.about IS NULL AND a.meta ->> '$.narration')))
"""
_OWN_CONCEPTS = (
    "LEFT JOIN check_concepts l ON l.episode = e.row"
    " LEFT JOIN episode_concepts x ON x.episode = e.row AND l.concept IS NULL"
)
"""What an episode is about: a check, the one concept it is evidence about, not every concept a reply names."""
_REPLACED_ON_IMPORT = (
    "EXISTS (SELECT 1 FROM notes m JOIN contents c ON c.episode = e.row WHERE m.episode = e.id AND m.live = 0"
    " AND c.body <> '')"
)
"""Nothing in the chain says of an imported note that another took its place: the map does."""
_CONTEST = (
    "LEFT JOIN episodes k ON k.row = (SELECT max(d.row) FROM episodes d WHERE d.about = e.id AND d.kind = 'contest')"
)


@dataclass(frozen=True, slots=True)
class About:
    """What an answer is limited to: concepts of the map, or words where the map has no such concept."""

    concepts: tuple[ConceptId, ...] = ()
    match: str = ""

    def __bool__(self) -> bool:
        return bool(self.concepts or self.match)


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check. ``verdict`` is the one that stands after any contest (None: set aside, or never judged).

    ``concept`` is what it is evidence about, else what its words name; ``tied`` tells the two apart.
    """

    row: int
    id: EpisodeId
    moment: Moment
    verdict: Verdict | None
    concept: ConceptId | None
    tied: bool
    contested: Moment | None


@dataclass(frozen=True, slots=True)
class StudiedRow:
    """One episode of work done, with the concepts it touches."""

    row: int
    id: EpisodeId
    kind: Kind
    moment: Moment
    verdict: Verdict | None
    concepts: tuple[ConceptId, ...]


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A taught note that stands: not withdrawn, not replaced. ``concept`` is None for one about the student."""

    row: int
    concepts: tuple[ConceptId, ...]
    about_student: bool


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question the files could not fully answer: its row, its answer's row and status."""

    question: int
    answer: int
    status: str


class RecordRows:
    """Reads rows of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def checks(
        self,
        subject: SubjectId,
        window: Window | None = None,
        about: About = About(),
        exclude: EpisodeId | None = None,
    ) -> list[CheckRow]:
        """Checks in the order they happened."""
        where, bound = _within("e.subject = ? AND e.kind = 'check'", [subject], window, exclude)
        if about.concepts:
            held = placeholders(about.concepts)
            where += (
                f" AND CASE WHEN l.concept IS NULL THEN EXISTS (SELECT 1 FROM episode_concepts x"
                f" WHERE x.episode = e.row AND x.concept IN ({held})) ELSE l.concept IN ({held}) END"
            )
            bound += [*about.concepts, *about.concepts]
        elif about.match:
            where, bound = _matching(where, bound, about.match)
        found = self._store.reader().execute(
            "SELECT e.row, e.id, e.at, e.offset, CASE WHEN k.row IS NULL THEN e.verdict ELSE k.verdict END,"
            " l.concept, l.concept IS NOT NULL, k.at, k.offset FROM episodes e"
            f" LEFT JOIN check_concepts l ON l.episode = e.row {_CONTEST} WHERE {where} ORDER BY e.at, e.seq",
            bound,
        )
        return [
            CheckRow(
                row,
                EpisodeId(id),
                Moment(at, offset),
                Verdict(verdict) if verdict else None,
                ConceptId(concept) if concept else None,
                bool(tied),
                Moment(contested, there) if contested is not None else None,
            )
            for row, id, at, offset, verdict, concept, tied, contested, there in found
        ]

    def studied(
        self,
        subject: SubjectId,
        window: Window | None = None,
        about: About = About(),
        exclude: EpisodeId | None = None,
    ) -> list[StudiedRow]:
        """Work done, in the order it happened."""
        where, bound = _studied(subject, window, about, exclude)
        reader = self._store.reader()
        rows: list[Any] = reader.execute(
            f"SELECT e.row, e.id, e.kind, e.at, e.offset, e.verdict FROM episodes e WHERE {where} ORDER BY e.at, e.seq",
            bound,
        ).fetchall()
        touched: dict[int, dict[ConceptId, None]] = {}
        for row, concept in reader.execute(
            f"SELECT e.row, coalesce(l.concept, x.concept) FROM episodes e {_OWN_CONCEPTS} WHERE {where}", bound
        ):
            if concept is not None:
                touched.setdefault(row, {})[ConceptId(concept)] = None
        return [
            StudiedRow(
                row,
                EpisodeId(id),
                Kind(kind),
                Moment(at, offset),
                Verdict(verdict) if verdict else None,
                tuple(touched.get(row, ())),
            )
            for row, id, kind, at, offset, verdict in rows
        ]

    def neighbours(
        self,
        subject: SubjectId,
        window: Window,
        about: About = About(),
        kinds: Sequence[Kind] = (),
        exclude: EpisodeId | None = None,
    ) -> tuple[date | None, date | None]:
        """The nearest days with work done before and after a window (of some kinds only, where given)."""
        where, bound = _studied(subject, None, about, exclude)
        if kinds:
            where += f" AND e.kind IN ({placeholders(kinds)})"
            bound += [kind.value for kind in kinds]
        found: list[date | None] = []
        for side, way, edge in (("<", "DESC", window.first), (">", "ASC", window.last)):
            row: Any = (
                self._store.reader()
                .execute(
                    f"SELECT e.day FROM episodes e WHERE {where} AND e.day {side} ? ORDER BY e.day {way} LIMIT 1",
                    [*bound, day_number(edge)],
                )
                .fetchone()
            )
            found.append(day_from_number(row[0]) if row else None)
        return found[0], found[1]

    def files(self, subject: SubjectId, window: Window | None) -> list[int]:
        """Rows of the file arrivals in a window."""
        where, bound = _within("e.subject = ? AND e.kind = 'file'", [subject], window, None)
        return [
            row
            for (row,) in self._store.reader().execute(
                f"SELECT e.row FROM episodes e WHERE {where} ORDER BY e.at, e.seq", bound
            )
        ]

    def notes(
        self,
        subject: SubjectId,
        window: Window | None = None,
        about: About = About(),
        exclude: EpisodeId | None = None,
    ) -> list[NoteRow]:
        """Taught notes that stand, oldest first."""
        where, bound = _within("e.subject = ? AND e.kind = 'taught'", [subject], window, exclude)
        where += (
            " AND NOT EXISTS (SELECT 1 FROM episodes w WHERE w.about = e.id AND w.kind = 'withdrawal')"
            " AND NOT EXISTS (SELECT 1 FROM episodes n WHERE n.replaces = e.id)"
            f" AND NOT ({_REPLACED_ON_IMPORT})"
        )
        if about.concepts:
            held = placeholders(about.concepts)
            where += (
                f" AND (EXISTS (SELECT 1 FROM notes n WHERE n.episode = e.id AND n.concept IN ({held}))"
                f" OR e.row IN (SELECT x.episode FROM episode_concepts x WHERE x.concept IN ({held})))"
            )
            bound += [*about.concepts, *about.concepts]
        elif about.match:
            where, bound = _matching(where, bound, about.match)
        rows: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT e.row, (SELECT json_group_array(n.concept) FROM notes n WHERE n.episode = e.id),"
                " (SELECT json_group_array(x.concept) FROM episode_concepts x WHERE x.episode = e.row)"
                f" FROM episodes e WHERE {where} ORDER BY e.at, e.seq",
                bound,
            )
            .fetchall()
        )
        return [_note(row, kept, touched) for row, kept, touched in rows]

    def open_questions(
        self,
        subject: SubjectId,
        window: Window | None = None,
        about: About = About(),
    ) -> list[OpenQuestion]:
        """Questions with the status of their standing answers, oldest first: every status, answered too."""
        where, bound = _within("q.subject = ? AND q.kind = 'question'", [subject], window, None, "q")
        if about.concepts:
            held = placeholders(about.concepts)
            where += (
                " AND EXISTS (SELECT 1 FROM episode_concepts x WHERE x.episode IN (q.row, a.row)"
                f" AND x.concept IN ({held}))"
            )
            bound += list(about.concepts)
        elif about.match:
            where, bound = _matching(where, bound, about.match, "q")
        found = self._store.reader().execute(
            "SELECT q.row, a.row, s.status FROM answer_status s JOIN episodes a ON a.id = s.answer"
            " JOIN episodes q ON q.id = a.about JOIN episode_facts f ON f.episode = a.row"
            f" WHERE f.recallable = 1 AND {where} ORDER BY q.at, q.seq",
            bound,
        )
        return [OpenQuestion(question, answer, status) for question, answer, status in found]

    def names(self, subject: SubjectId, language: str) -> dict[ConceptId, str]:
        """Every concept's name, in that language where the map knows one."""
        reader = self._store.reader()
        named = {
            ConceptId(id): str(name)
            for id, name in reader.execute("SELECT id, name FROM concepts WHERE subject = ?", (subject,))
        }
        for id, name in reader.execute(
            "SELECT concept, name FROM concept_names WHERE subject = ? AND language = ? ORDER BY alias DESC, key DESC",
            (subject, language),
        ):
            named[ConceptId(id)] = str(name)
        own = reader.execute("SELECT id, name FROM concepts WHERE subject = ? AND language = ?", (subject, language))
        named.update((ConceptId(id), str(name)) for id, name in own)
        return named

    def matching_checks(self, subject: SubjectId, match: str, limit: int = 50) -> list[int]:
        """Rows of the newest checks that hold the words of a full-text query."""
        where, bound = _matching("e.subject = ? AND e.kind = 'check'", [subject], match)
        return [
            row
            for (row,) in self._store.reader().execute(
                f"SELECT e.row FROM episodes e WHERE {where} ORDER BY e.at DESC LIMIT ?", [*bound, limit]
            )
        ]

    def speaks_of(self, subject: SubjectId, text: str, language: str, exclude: EpisodeId | None = None) -> bool:
        """Whether any word of a text stands in any work done, in any inflection or nearly so spelled."""
        reader = self._store.reader()
        for word in _content(text, language):
            spelled = {word, stem(word, language)}
            first, following = word[0], chr(ord(word[0]) + 1)
            spelled |= {
                term
                for (term,) in reader.execute(
                    "SELECT term FROM episode_vocabulary WHERE term >= ? AND term < ?", (first, following)
                )
                if nearly_same(word, term)
            }
            match = " OR ".join(f'"{each}"' for each in sorted(spelled))
            where, bound = _studied(subject, None, About(match=match), exclude)
            if reader.execute(f"SELECT 1 FROM episodes e WHERE {where} LIMIT 1", bound).fetchall():
                return True
        return False

    def anything(self, subject: SubjectId, exclude: EpisodeId | None = None) -> bool:
        """Whether any work is recorded at all."""
        where, bound = _studied(subject, None, About(), exclude)
        return bool(self._store.reader().execute(f"SELECT 1 FROM episodes e WHERE {where} LIMIT 1", bound).fetchall())


def words_to_match(text: str, language: str) -> str:
    """A full-text query for every word of a text that is no stop word, in any inflection; empty for none."""
    return " AND ".join(f'("{word}" OR "{stem(word, language)}")' for word in _content(text, language))


def _content(text: str, language: str) -> list[str]:
    return [word for word in tokens(text, language) if word not in stop_words(language)]


def _studied(
    subject: SubjectId, window: Window | None, about: About, exclude: EpisodeId | None
) -> tuple[str, list[Any]]:
    where, bound = _within(f"e.subject = ? AND {_STUDIED}", [subject], window, exclude)
    if about.concepts:
        held = placeholders(about.concepts)
        where += (
            f" AND (e.row IN (SELECT l.episode FROM check_concepts l WHERE l.concept IN ({held}))"
            f" OR e.row IN (SELECT x.episode FROM episode_concepts x WHERE x.concept IN ({held})"
            " AND NOT EXISTS (SELECT 1 FROM check_concepts l WHERE l.episode = x.episode)))"
        )
        bound += [*about.concepts, *about.concepts]
    elif about.match:
        where, bound = _matching(where, bound, about.match)
    return where, bound


def _within(
    where: str, bound: list[Any], window: Window | None, exclude: EpisodeId | None, table: str = "e"
) -> tuple[str, list[Any]]:
    if window is not None:
        where += f" AND {table}.day BETWEEN ? AND ?"
        bound = [*bound, day_number(window.first), day_number(window.last)]
    if exclude is not None:
        where += f" AND {table}.id <> ?"
        bound = [*bound, exclude]
    return where, bound


def _matching(where: str, bound: list[Any], match: str, table: str = "e") -> tuple[str, list[Any]]:
    return (
        f"{where} AND {table}.row IN (SELECT rowid FROM episode_words WHERE episode_words MATCH ?)",
        [*bound, match],
    )


def _note(row: int, kept: str, touched: str) -> NoteRow:
    concepts = [ConceptId(id) for id in _listed(kept) if id]
    about_student = not concepts and "" in _listed(kept)
    if not concepts and not about_student:
        concepts = [ConceptId(id) for id in _listed(touched)]
    return NoteRow(row, tuple(concepts), about_student)


def _listed(text: str) -> list[str]:
    return [str(item) for item in json.loads(text)]
