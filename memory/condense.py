"""Condensing: one active day becomes one ``consolidation`` episode, of ids and counts only.

The words stay where they are, in the episodes: a note holds nothing that redaction would have to hunt for, and is
put into words when it is shown. A day that gains episodes later gets a new note, which replaces the old one.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, time
from hashlib import sha256
from typing import Any

from memory.beliefs import Ids
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
)
from memory.ledger import Ledger
from memory.moments import Window, day_from_number, day_number
from memory.rows import placeholders
from memory.store import Store

MOST_SALIENT = 5  # the article, "La boucle nocturne"
_CONDENSED = tuple(kind for kind in Kind if kind not in BOOKKEEPING and kind is not Kind.CONSOLIDATION)
_ACTIVE = (Kind.QUESTION, Kind.CHECK, Kind.QUIZ, Kind.TAUGHT)


class Condenser:
    """Writes the notes of finished days."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._store = store
        self._ledger = ledger

    def waiting(self, subject: SubjectId, last: date) -> list[date]:
        """Active days up to ``last`` without a note of all their episodes, oldest first."""
        active = placeholders(_ACTIVE)
        found: list[Any] = (
            self._store.reader()
            .execute(
                f"SELECT e.day FROM episodes e LEFT JOIN condensed_days d ON d.subject = e.subject AND d.day = e.day"
                f" WHERE e.subject = ? AND e.day <= ? AND e.kind IN ({placeholders(_CONDENSED)})"
                f" GROUP BY e.day HAVING count(*) > coalesce(max(d.seen), 0) AND max(e.kind IN ({active})) = 1"
                " ORDER BY e.day",
                (subject, day_number(last), *_CONDENSED, *_ACTIVE),
            )
            .fetchall()
        )
        return [day_from_number(day) for (day,) in found]

    def condense(self, subject: SubjectId, day: date, ids: Ids, now: int) -> Episode | None:
        """Write the note of one day; None where the note it has says the same. Atomic."""
        number = day_number(day)
        episodes = self._ledger.find(subject, kinds=_CONDENSED, window=Window(day, day))
        with self._store.atomic() as connection:
            counted = self._counted(episodes)
            digest = _digest(counted)
            before: Any = connection.execute(
                "SELECT episode, digest FROM condensed_days WHERE subject = ? AND day = ?", (subject, number)
            ).fetchone()
            note = None
            if before is None or before[1] != digest:
                note = self._append(subject, day, counted, EpisodeId(before[0]) if before else None, ids, now)
            connection.execute(
                "INSERT OR REPLACE INTO condensed_days VALUES (?, ?, ?, ?, ?)",
                (subject, number, note.id if note else before[0], digest, len(episodes)),
            )
        return note

    def rebuild(self, subject: SubjectId) -> None:
        """Make ``condensed_days`` anew from the notes themselves: the newest of each day, and what it condensed."""
        notes: dict[date, Episode] = {}
        for note in sorted(self._ledger.find(subject, kinds=(Kind.CONSOLIDATION,)), key=lambda each: each.seq):
            notes[note.moment.day] = note
        with self._store.atomic() as connection:
            connection.execute("DELETE FROM condensed_days WHERE subject = ?", (subject,))
            for day, note in notes.items():
                then = self._ledger.find(subject, kinds=_CONDENSED, window=Window(day, day))
                then = [episode for episode in then if episode.seq < note.seq]
                connection.execute(
                    "INSERT INTO condensed_days VALUES (?, ?, ?, ?, ?)",
                    (subject, day_number(day), note.id, _digest(self._counted(then, note.seq)), len(then)),
                )

    def _append(
        self,
        subject: SubjectId,
        day: date,
        episodes: list[Episode],
        replaces: EpisodeId | None,
        ids: Ids,
        now: int,
    ) -> Episode:
        concepts = self._concepts(episodes)
        checks = [episode for episode in episodes if episode.kind is Kind.CHECK]
        verdicts = Counter(check.meta.verdict.value for check in checks if check.meta.verdict)
        last = max(episodes, key=lambda episode: (episode.moment.at, episode.seq))
        draft = Draft(
            id=EpisodeId(ids()),
            subject=subject,
            kind=Kind.CONSOLIDATION,
            origin=Origin.CYCLE,
            moment=last.moment.at_local(datetime.combine(day, time(23, 59, 59))),
            recorded_at=now,
            content=Content(text=day.isoformat()),
            meta=Meta(
                replaces=replaces,
                concepts=tuple(concepts.values()),
                extra={
                    "day": day.isoformat(),
                    "counts": dict(sorted(Counter(episode.kind.value for episode in episodes).items())),
                    "checks": {**dict(sorted(verdicts.items())), "unjudged": len(checks) - verdicts.total()},
                    "salient": [episode.id for episode in self._salient(episodes)],
                    "changed_files": self._changed_files(episodes),
                },
            ),
        )
        return self._ledger.append(draft, [(ConceptId(concept), "exact") for concept in concepts])

    def _counted(self, episodes: list[Episode], before: int | None = None) -> list[Episode]:
        """The day's episodes without answers that were stopped, interrupted or replaced (by then: ``before`` a seq)."""
        answers = [episode.id for episode in episodes if episode.kind is Kind.ANSWER]
        replaced: set[str] = set()
        for start in range(0, len(answers), 500):
            part = answers[start : start + 500]
            found: list[Any] = (
                self._store.reader()
                .execute(
                    f"SELECT replaces FROM episodes WHERE replaces IN ({placeholders(part)}) AND seq < ?",
                    (*part, before if before is not None else 2**62),
                )
                .fetchall()
            )
            replaced.update(id for (id,) in found)
        return [episode for episode in episodes if episode.meta.state is None and episode.id not in replaced]

    def _concepts(self, episodes: list[Episode]) -> dict[str, str]:
        """The concepts the day touched and their keys, the most touched first."""
        touched = self._ledger.concepts_of([episode.row for episode in episodes])
        counts = Counter(concept for concepts in touched.values() for concept in set(concepts))
        order: list[Any] = (
            self._store.reader()
            .execute(f"SELECT id, key, row FROM concepts WHERE id IN ({placeholders(counts)})", tuple(counts))
            .fetchall()
        )
        return {id: key for id, key, row in sorted(order, key=lambda found: (-counts[found[0]], found[2]))}

    def _salient(self, episodes: list[Episode]) -> list[Episode]:
        """The most salient episodes, repetitions once; the tutor's narrations and redacted words left out."""
        chosen: dict[tuple[Kind, str], Episode] = {}
        for episode in sorted(episodes, key=lambda each: (-each.salience, each.moment.at, each.seq)):
            if episode.content is not None and not episode.meta.narration:
                chosen.setdefault((episode.kind, " ".join(episode.content.text.casefold().split())), episode)
        return list(chosen.values())[:MOST_SALIENT]

    def _changed_files(self, episodes: list[Episode]) -> int:
        """How many files that the day's episodes cite no longer hold, as last looked at."""
        ids = [episode.id for episode in episodes if episode.meta.evidence]
        changed: set[str] = set()
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            found: list[Any] = (
                self._store.reader()
                .execute(
                    "SELECT file FROM verified_files WHERE result IN ('replaced', 'missing')"
                    f" AND episode IN ({placeholders(part)})",
                    part,
                )
                .fetchall()
            )
            changed.update(file for (file,) in found)
        return len(changed)


def _digest(episodes: list[Episode]) -> bytes:
    """Equal for the same episodes: another set means another note."""
    return sha256("\n".join(sorted(episode.id for episode in episodes)).encode()).digest()
