"""Cited files: does what a memory rests on still stand? A look at fingerprints, never a model.

An episode's evidence names a file and the fingerprint it had. Looked up again, the file *holds* (there, the same),
was *replaced* or is *missing*; an episode that cites no file, or whose evidence has no fingerprint, is *unverifiable*,
which is a result and not an error (the article, "Une mémoire qui se vérifie elle-même").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from memory.episodes import EpisodeId, SubjectId
from memory.rows import placeholders
from memory.store import Store

BATCH = 500  # citations looked at in one night, and
FILES = 24  # the most files read for them: hashing is what takes time
Fingerprint = Callable[[str], str | None]

_CITED = (
    "SELECT e.row, e.id, j.value ->> '$.file' AS file, max(j.value ->> '$.sha256') AS sha256"
    " FROM episodes e, json_each(e.meta, '$.evidence') j"
    " WHERE e.subject = ? AND e.meta ->> '$.evidence' IS NOT NULL GROUP BY e.row, file"
)


class Standing(StrEnum):
    """What a look at a cited file found."""

    HOLDS = "holds"
    REPLACED = "replaced"
    MISSING = "missing"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True)
class Cited:
    """One file that one episode cites, as it stood when last looked at."""

    episode: EpisodeId
    file: str
    standing: Standing
    looked_at: int


@dataclass(frozen=True, slots=True)
class Verification:
    """All citations of a subject as last looked at.

    ``changed`` is ``replaced`` and ``missing`` together; ``unverifiable`` is ``silent`` (episodes that cite no file)
    and ``no_fingerprint`` together.
    """

    holds: int
    changed: int
    unverifiable: int
    replaced: int
    missing: int
    no_fingerprint: int
    never_looked: int
    silent: int


class CitedFiles:
    """Looks at cited files, and remembers what it found."""

    def __init__(self, store: Store, fingerprint: Fingerprint) -> None:
        """``fingerprint`` gives the SHA-256 of the file at a path, or None where there is none to read."""
        self._store = store
        self._fingerprint = fingerprint

    def verify(self, subject: SubjectId, now: int, limit: int | None = BATCH) -> list[Cited]:
        """Look at citations and keep what was found, where it can be written; None looks at all of them."""
        looked = self.look(subject, now, limit)
        if not self._store.read_only:
            self.keep(looked)
        return looked

    def look(self, subject: SubjectId, now: int, limit: int | None = BATCH) -> list[Cited]:
        """Look at citations, those never looked at first, then the longest unseen. Writes nothing."""
        found: list[Any] = (
            self._store.reader()
            .execute(
                f"SELECT c.row, c.id, c.file, c.sha256 FROM ({_CITED}) c"
                " LEFT JOIN verified_files v ON v.episode = c.id AND v.file = c.file"
                " ORDER BY v.looked_at IS NOT NULL, v.looked_at, c.row, c.file LIMIT ?",
                (subject, -1 if limit is None else limit),
            )
            .fetchall()
        )
        seen: dict[str, str | None] = {}
        places = self._places(subject)
        looked = []
        for _, id, file, sha256 in found:
            if limit is not None and len(seen) >= FILES:
                break
            looked.append(Cited(EpisodeId(id), file, self._look(places, file, sha256 or "", seen), now))
        return looked

    def keep(self, looked: Sequence[Cited]) -> None:
        """Remember what a look found."""
        with self._store.atomic() as connection:
            connection.executemany(
                "INSERT INTO verified_files VALUES (?, ?, ?, ?) ON CONFLICT (episode, file)"
                " DO UPDATE SET result = excluded.result, looked_at = excluded.looked_at",
                [(each.episode, each.file, each.standing.value, each.looked_at) for each in looked],
            )

    def totals(self, subject: SubjectId) -> Verification:
        """How all citations of the subject stand, as last looked at."""
        reader = self._store.reader()
        counts: Counter[str | None] = Counter()
        for result, count in reader.execute(
            f"SELECT v.result, count(*) FROM ({_CITED}) c"
            " LEFT JOIN verified_files v ON v.episode = c.id AND v.file = c.file GROUP BY v.result",
            (subject,),
        ):
            counts[result] = count
        silent: int = reader.execute(
            "SELECT count(*) FROM episodes e WHERE e.subject = ? AND e.meta ->> '$.evidence' IS NULL"
            " AND e.kind NOT IN ('consolidation', 'redaction', 'withdrawal', 'contest')",
            (subject,),
        ).get
        return Verification(
            holds=counts[Standing.HOLDS],
            changed=counts[Standing.REPLACED] + counts[Standing.MISSING],
            unverifiable=counts[Standing.UNVERIFIABLE] + silent,
            replaced=counts[Standing.REPLACED],
            missing=counts[Standing.MISSING],
            no_fingerprint=counts[Standing.UNVERIFIABLE],
            never_looked=counts[None],
            silent=silent,
        )

    def broken(self, subject: SubjectId) -> list[Cited]:
        """Citations that no longer hold, the newest episode first."""
        found: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT v.episode, v.file, v.result, v.looked_at FROM verified_files v"
                " JOIN episodes e ON e.id = v.episode WHERE e.subject = ? AND v.result IN ('replaced', 'missing')"
                " ORDER BY e.at DESC, e.seq DESC, v.file",
                (subject,),
            )
            .fetchall()
        )
        return [Cited(EpisodeId(id), file, Standing(result), at) for id, file, result, at in found]

    def of(self, episodes: Sequence[EpisodeId]) -> dict[EpisodeId, list[Cited]]:
        """What was last found for the files that some episodes cite; episodes never looked at are absent."""
        found: dict[EpisodeId, list[Cited]] = {}
        for start in range(0, len(episodes), 500):
            part = episodes[start : start + 500]
            rows: list[Any] = (
                self._store.reader()
                .execute(
                    "SELECT episode, file, result, looked_at FROM verified_files"
                    f" WHERE episode IN ({placeholders(part)}) ORDER BY file",
                    part,
                )
                .fetchall()
            )
            for id, file, result, at in rows:
                found.setdefault(EpisodeId(id), []).append(Cited(EpisodeId(id), file, Standing(result), at))
        return found

    def _look(self, places: list[Any], file: str, sha256: str, seen: dict[str, str | None]) -> Standing:
        """The file is looked for where that fingerprint was read, else under that path, else under that name."""
        if not sha256:
            return Standing.UNVERIFIABLE
        paths = [path for path, _, known in places if known == sha256]
        paths += [path for path, name, _ in places if file in (path, name)] or [file]
        found = None
        for path in dict.fromkeys(paths):
            if path not in seen:
                seen[path] = self._fingerprint(path)
            if seen[path] == sha256:
                return Standing.HOLDS
            found = found or seen[path]
        return Standing.REPLACED if found else Standing.MISSING

    def _places(self, subject: SubjectId) -> list[Any]:
        """(path, name, fingerprint) of every version of every file of the subject, then of what the record says of
        files: a restored record knows where its files were, and its index of files is still empty."""
        reader = self._store.reader()
        read: list[Any] = reader.execute(
            "SELECT f.path, f.name, v.sha256 FROM files f LEFT JOIN versions v ON v.file = f.id"
            " WHERE f.subject = ? ORDER BY f.added_at, f.id, v.id",
            (subject,),
        ).fetchall()
        told: list[Any] = reader.execute(
            "SELECT DISTINCT j.value ->> '$.file', c.body ->> '$.text', j.value ->> '$.sha256' FROM episodes e"
            " JOIN contents c ON c.episode = e.row, json_each(e.meta, '$.evidence') j"
            " WHERE e.subject = ? AND e.kind = 'file' AND c.body <> '' ORDER BY e.seq",
            (subject,),
        ).fetchall()
        return [*read, *told]
