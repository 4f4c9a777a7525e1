"""The ledger: the append-only, hash-chained log of everything that happened in a subject.

An append writes the episode, its words, its full-text row and its facts in one transaction; when it returns, they
are on disk. Nothing here ever updates an episode. Redaction empties the words and says so in an episode of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import numpy as np
import numpy.typing as npt

from memory import chain
from memory.episodes import (
    BOOKKEEPING,
    ConceptId,
    Content,
    Draft,
    Episode,
    EpisodeId,
    Kind,
    Meta,
    Origin,
    SubjectId,
    salience,
)
from memory.faults import DiskFull, UnknownEpisode, UnknownSubject
from memory.forgetting import forget, out_of_recall, repetition_key
from memory.moments import Moment, Window, day_number
from memory.rows import (
    EPISODE_COLUMNS,
    EPISODE_TABLES,
    content_body,
    content_from,
    episode_from,
    meta_text,
    placeholders,
    searchable,
)
from memory.store import Store
from memory.words import stem, tokens

Vector = npt.NDArray[np.float32]
Touch = tuple[ConceptId, str]
Salt = Callable[[], bytes]
_ROWS_AT_ONCE = 500
_LONGEST_PHRASE = 60  # words of a text that are looked for in others


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain: the last ``seq`` (0 for an empty one) and its hash (the genesis for an empty one)."""

    seq: int
    hash: bytes


class Ledger:
    """Appends episodes and reads them back."""

    def __init__(self, store: Store, salt: Salt) -> None:
        """``salt`` gives 16 random bytes an episode."""
        self._store = store
        self._salt = salt

    def append(self, draft: Draft, touches: Sequence[Touch] = ()) -> Episode:
        """Append one episode and the concepts it touches. Raises UnknownSubject and the store's faults.

        On a full disk the reserve is released and the append tried once more: a message is not lost for want of
        a few kilobytes.
        """
        try:
            return self._append([(draft, touches)])[0]
        except DiskFull:
            if not self._store.release_reserve():
                raise
            return self._append([(draft, touches)])[0]

    def append_many(self, drafts: Iterable[tuple[Draft, Sequence[Touch]]]) -> list[Episode]:
        """Append many episodes in one transaction: all of them, or none."""
        return self._append(list(drafts))

    def get(self, id: str) -> Episode | None:
        """The episode of that id, or None."""
        found = self._select("e.id = ?", (id,))
        return found[0] if found else None

    def rows(self, rows: Sequence[int]) -> list[Episode]:
        """Episodes by row number, in the order asked for; unknown rows are left out."""
        found: dict[int, Episode] = {}
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            part = rows[start : start + _ROWS_AT_ONCE]
            for episode in self._select(f"e.row IN ({placeholders(part)})", part):
                found[episode.row] = episode
        return [found[row] for row in rows if row in found]

    def many(self, ids: Sequence[str]) -> list[Episode]:
        """Episodes by id, in the order asked for; unknown ids are left out."""
        found: dict[str, Episode] = {}
        for start in range(0, len(ids), _ROWS_AT_ONCE):
            part = ids[start : start + _ROWS_AT_ONCE]
            for episode in self._select(f"e.id IN ({placeholders(part)})", part):
                found[episode.id] = episode
        return [found[id] for id in ids if id in found]

    def find(
        self,
        subject: SubjectId,
        *,
        kinds: Iterable[Kind] | None = None,
        window: Window | None = None,
        concept: ConceptId | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[Episode]:
        """Episodes of a subject by kind, local days and concept; by (at, seq), oldest first unless asked."""
        where = "e.subject = ?"
        bound: list[Any] = [subject]
        if kinds is not None:
            wanted = [kind.value for kind in kinds]
            where += f" AND e.kind IN ({placeholders(wanted)})"
            bound += wanted
        if window is not None:
            where += " AND e.day BETWEEN ? AND ?"
            bound += [day_number(window.first), day_number(window.last)]
        if concept is not None:
            where += " AND e.row IN (SELECT episode FROM episode_concepts WHERE concept = ?)"
            bound.append(concept)
        way = "DESC" if newest_first else "ASC"
        tail = f" ORDER BY e.at {way}, e.seq {way}"
        if limit is not None:
            tail += " LIMIT ?"
            bound.append(limit)
        return self._select(where + tail, bound)

    def search(self, subject: SubjectId, text: str, language: str, limit: int = 50) -> list[Episode]:
        """Episodes holding every word of the text (any inflection), newest first: the student's own search."""
        terms = [f'("{word}" OR "{stem(word, language)}")' for word in tokens(text, language)]
        if not terms:
            return []
        return self._select(
            "e.subject = ? AND e.row IN (SELECT rowid FROM episode_words WHERE episode_words MATCH ?)"
            " ORDER BY e.at DESC, e.seq DESC LIMIT ?",
            (subject, " AND ".join(terms), limit),
        )

    def count(self, subject: SubjectId) -> int:
        """How many episodes the subject's chain holds."""
        return self.head(subject).seq

    def head(self, subject: SubjectId) -> Head:
        """The end of the subject's chain."""
        row = (
            self._store.reader()
            .execute("SELECT seq, hash FROM episodes WHERE subject = ? ORDER BY seq DESC LIMIT 1", (subject,))
            .fetchone()
        )
        return Head(*row) if row else Head(0, chain.genesis(subject))

    def by_external_id(self, subject: SubjectId, external_id: str) -> EpisodeId | None:
        """The episode that an import brought in under that id."""
        row = (
            self._store.reader()
            .execute("SELECT id FROM episodes WHERE subject = ? AND external_id = ?", (subject, external_id))
            .fetchone()
        )
        return EpisodeId(row[0]) if row else None

    def done_to(self, id: EpisodeId, kind: Kind) -> Episode | None:
        """The first episode of a kind (a redaction, a withdrawal, a contest) that is about this one, or None."""
        found = self._select("e.about = ? AND e.kind = ? ORDER BY e.seq LIMIT 1", (id, kind.value))
        return found[0] if found else None

    def paired(self, id: EpisodeId) -> list[EpisodeId]:
        """The answers to a question, or the question of an answer: what also holds some of its words."""
        found = self._store.reader().execute(
            "SELECT id FROM episodes WHERE about = ? AND kind = 'answer'"
            " UNION ALL SELECT about FROM episodes WHERE id = ? AND kind = 'answer' AND about IS NOT NULL",
            (id, id),
        )
        return [EpisodeId(str(row[0])) for row in found]

    def copies(self, id: EpisodeId) -> list[EpisodeId]:
        """Other episodes in which the text of this one stands, word for word: at most fifty, newest first."""
        episode = self.get(id)
        words = tokens(episode.content.text, episode.meta.language) if episode and episode.content else []
        if not words:
            return []
        phrase = 'surface : "' + " ".join(words[:_LONGEST_PHRASE]) + '"'
        found = self._store.reader().execute(
            "SELECT e.id FROM episode_words w JOIN episodes e ON e.row = w.rowid"
            " WHERE episode_words MATCH ? AND e.id <> ? ORDER BY e.row DESC LIMIT 50",
            (phrase, id),
        )
        return [EpisodeId(str(row[0])) for row in found]

    def concepts_of(self, rows: Sequence[int]) -> dict[int, list[ConceptId]]:
        """The concepts that episodes touch by today's map, by row."""
        touched: dict[int, list[ConceptId]] = {}
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            part = rows[start : start + _ROWS_AT_ONCE]
            found = self._store.reader().execute(
                f"SELECT episode, concept FROM episode_concepts WHERE episode IN ({placeholders(part)})", part
            )
            for episode, concept in found:
                touched.setdefault(episode, []).append(ConceptId(concept))
        return touched

    def redact(self, episode: EpisodeId, id: EpisodeId, moment: Moment, recorded_at: int) -> Episode:
        """Empty the words of one episode for good, and append the ``redaction`` that says so.

        Verdict, concepts and dates stay. Raises UnknownEpisode where there is none or its words are already gone.
        """
        target = self.get(episode)
        if target is None or target.content is None:
            raise UnknownEpisode(episode)
        draft = Draft(
            id=id,
            subject=target.subject,
            kind=Kind.REDACTION,
            origin=Origin.TYPED,
            moment=moment,
            recorded_at=recorded_at,
            content=Content(text=""),
            meta=Meta(about=target.id),
        )
        with self._store.atomic() as connection:
            connection.execute("UPDATE contents SET body = '', salt = x'' WHERE episode = ?", (target.row,))
            forget(connection, target)
            written = self._append([(draft, ())])[0]
        self._store.checkpoint()
        return written

    def _select(self, where: str, bound: Sequence[Any]) -> list[Episode]:
        found = self._store.reader().execute(f"SELECT {EPISODE_COLUMNS} FROM {EPISODE_TABLES} WHERE {where}", bound)
        return [episode_from(row) for row in found]

    def _append(self, drafts: list[tuple[Draft, Sequence[Touch]]]) -> list[Episode]:
        written: list[Episode] = []
        heads: dict[SubjectId, Head] = {}
        with self._store.atomic() as connection:
            for draft, touches in drafts:
                head = heads.get(draft.subject) or self.head(draft.subject)
                if head.seq == 0:
                    self._require_subject(connection, draft.subject)
                episode, heads[draft.subject] = self._write(connection, draft, head)
                for concept, how in touches:
                    connection.execute(
                        "INSERT OR IGNORE INTO episode_concepts VALUES (?, ?, ?)", (episode.row, concept, how)
                    )
                written.append(episode)
        return written

    def _write(self, connection: apsw.Connection, draft: Draft, head: Head) -> tuple[Episode, Head]:
        salt, body, meta = self._salt(), content_body(draft.content), meta_text(draft)
        digest = chain.content_digest(salt, body.encode())
        moment, seq = draft.moment, head.seq + 1
        entry = chain.Entry(
            seq=seq,
            prev=head.hash,
            id=draft.id,
            kind=draft.kind.value,
            origin=draft.origin.value,
            at=moment.at,
            recorded_at=draft.recorded_at,
            offset=moment.offset,
            zone=moment.zone,
            meta=meta.encode(),
            digest=digest,
        )
        weight = salience(draft.kind, draft.meta.verdict)
        row = insert_entry(connection, draft.subject, entry, weight, salt, body)
        content = content_from(body)
        assert content is not None
        episode = Episode(
            row=row,
            id=draft.id,
            subject=draft.subject,
            seq=seq,
            kind=draft.kind,
            origin=draft.origin,
            moment=moment,
            recorded_at=draft.recorded_at,
            salience=weight,
            meta=draft.meta,
            content=content,
        )
        index_episode(connection, episode)
        return episode, Head(seq, chain.entry_hash(entry))

    @staticmethod
    def _require_subject(connection: apsw.Connection, subject: SubjectId) -> None:
        if not connection.execute("SELECT 1 FROM subjects WHERE id = ?", (subject,)).fetchall():
            raise UnknownSubject(subject)


def insert_entry(
    connection: apsw.Connection,
    subject: SubjectId,
    entry: chain.Entry,
    weight: float,
    salt: bytes,
    body: str,
) -> int:
    """Write one chained entry and its words; the row it got. The schema refuses one that does not extend the head."""
    connection.execute(
        "INSERT INTO episodes (id, subject, seq, kind, origin, at, offset, zone, recorded_at, salience, meta,"
        " digest, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry.id,
            subject,
            entry.seq,
            entry.kind,
            entry.origin,
            entry.at,
            entry.offset,
            entry.zone,
            entry.recorded_at,
            weight,
            entry.meta.decode(),
            entry.digest,
            entry.prev,
            chain.entry_hash(entry),
        ),
    )
    row = connection.last_insert_rowid()
    connection.execute("INSERT INTO contents VALUES (?, ?, ?)", (row, salt, body))
    return row


def index_episode(connection: apsw.Connection, episode: Episode) -> None:
    """Write what is derived from one episode (index row, facts, vector queue); note what it takes out of recall."""
    if episode.content is not None and episode.kind not in BOOKKEEPING:
        language = episode.meta.language or "en"
        surface = tokens(searchable(episode.content), episode.meta.language)
        connection.execute(
            "INSERT INTO episode_words (rowid, surface, stems) VALUES (?, ?, ?)",
            (episode.row, " ".join(surface), " ".join(stem(word, language) for word in surface)),
        )
        connection.execute("INSERT OR IGNORE INTO vector_queue VALUES ('episode', ?)", (episode.row,))
    connection.execute(
        "INSERT INTO episode_facts VALUES (?, ?, ?)",
        (episode.row, int(recallable(episode)), repetition_key(episode)),
    )
    if episode.meta.replaces is not None:
        out_of_recall(connection, episode.meta.replaces)
    if episode.kind in (Kind.WITHDRAWAL, Kind.REDACTION) and episode.meta.about is not None:
        out_of_recall(connection, episode.meta.about)


def recallable(episode: Episode) -> bool:
    """Whether recall may ever bring the episode up, by itself (what a later episode takes out is noted then)."""
    return (
        episode.kind not in BOOKKEEPING
        and episode.content is not None
        and not episode.meta.narration
        and episode.meta.state is None
    )
