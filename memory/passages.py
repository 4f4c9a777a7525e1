"""Passages: pages cut into pieces short enough to be read in a prompt, each knowing its page and lines.

Line numbers are exact: line ``first_line + i`` of the page is line ``i`` of the passage's text, always. Lines that a
reader would not see are blank there, so that hidden words reach neither the index nor a prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NewType

from memory.episodes import SubjectId
from memory.files import VersionId
from memory.readings import Heading, PageText
from memory.store import Store
from memory.vectors import Vector, Vectors
from memory.words import LANGUAGES, stem, stop_words, tokens

PassageId = NewType("PassageId", int)

WORDS = 180  # aimed at a passage (design, "Passages")
_SOFT = 120  # words from which a blank line ends a passage
_SMALL = 40  # a rest of fewer words joins the passage before it in its section …
_MOST = 240  # … unless that made it longer than this
_FUSION = 60  # Cormack, Clarke and Büttcher, "Reciprocal rank fusion", SIGIR 2009
_POOL = 4  # candidates from each ranking, times the limit
_HEADING_JOIN = " › "


@dataclass(frozen=True, slots=True)
class Cut:
    """A piece of one page, before it is stored: lines ``first_line`` to ``last_line`` (from 1, both included)."""

    page: int
    label: str
    first_line: int
    last_line: int
    heading: str
    text: str
    language: str | None


@dataclass(frozen=True, slots=True)
class Passage:
    """A stored piece of a file version. ``file`` is its path; not ``current``: of a replaced or removed version."""

    id: PassageId
    version: VersionId
    subject: SubjectId
    file: str
    name: str
    sha256: str
    page: int
    label: str
    first_line: int
    last_line: int
    heading: str
    text: str
    language: str | None
    current: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that a search found. Ranks count from 1; None: not found that way. ``score`` only orders."""

    passage: Passage
    score: float
    lexical_rank: int | None
    semantic_rank: int | None


def cut(page: PageText) -> list[Cut]:
    """Cut a page into passages of about 180 words; a heading always opens one. Pure.

    Every visible line that is not blank is in exactly one passage; a line is never divided, so one very long line
    makes a long passage.
    """
    lines = _visible(page)
    headings = {one.line: one for one in page.headings if 0 < one.line <= len(lines) and lines[one.line - 1]}
    pieces: list[list[int]] = []
    section: list[int] = []
    for number, line in enumerate(lines, 1):
        if number in headings and any(lines[one - 1] and one not in headings for one in section):
            pieces += _packed(section, lines)
            section = []
        if line:
            section.append(number)
    pieces += _packed(section, lines)
    return [_cut(page, lines, piece, headings) for piece in pieces]


class Passages:
    """The words of all files, searchable."""

    def __init__(self, store: Store, vectors: Vectors) -> None:
        self._store = store
        self._vectors = vectors

    def add_page(self, subject: SubjectId, version: VersionId, page: PageText) -> list[PassageId]:
        """Make one page searchable, in one transaction, and queue its passages for vectors.

        A page added before is left as it is, so that a reading can be taken up again.
        """
        with self._store.atomic() as connection:
            known: list[Any] = connection.execute(
                "SELECT id FROM passages WHERE version = ? AND page = ?", (version, page.page)
            ).fetchall()
            if known:
                return [PassageId(id) for (id,) in known]
            (current,) = self._one("SELECT current FROM versions WHERE id = ?", (version,))
            added: list[PassageId] = []
            for piece in cut(page):
                connection.execute(
                    "INSERT INTO passages (version, subject, page, label, first_line, last_line, heading, text,"
                    " language, current) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        *(version, subject, piece.page, piece.label, piece.first_line, piece.last_line),
                        *(piece.heading, piece.text, piece.language, current),
                    ),
                )
                id = PassageId(connection.last_insert_rowid())
                surface, stems = _index_words(piece.heading, piece.text, piece.language)
                connection.execute(
                    "INSERT INTO passage_words (rowid, surface, stems) VALUES (?, ?, ?)", (id, surface, stems)
                )
                added.append(id)
            self._vectors.enqueue("passage", added)
            return added

    def search(
        self, subject: SubjectId, text: str, language: str, vector: Vector | None = None, limit: int = 20
    ) -> list[Found]:
        """Passages that answer a text, best first: words (BM25, surface or stem) and meaning, fused by rank.

        ``language`` is the text's; files in other languages are found by meaning. Replaced versions never are.
        """
        lexical = self._lexical(subject, text, language, _POOL * limit)
        semantic: list[int] = []
        if vector is not None:
            semantic = [owner for owner, _ in self._vectors.nearest("passage", subject, vector, _POOL * limit)]
        word_rank = {id: rank for rank, id in enumerate(lexical, 1)}
        sense_rank = {id: rank for rank, id in enumerate(semantic, 1)}
        scores = {
            id: sum(1.0 / (_FUSION + ranks[id]) for ranks in (word_rank, sense_rank) if id in ranks)
            for id in {*word_rank, *sense_rank}
        }
        best = sorted(scores, key=lambda id: (-scores[id], id))[:limit]
        found = {passage.id: passage for passage in self.many(best)}
        return [
            Found(found[PassageId(id)], scores[id], word_rank.get(id), sense_rank.get(id))
            for id in best
            if PassageId(id) in found
        ]

    def get(self, id: PassageId) -> Passage | None:
        """The passage of that id, of whatever version; None where there is none."""
        return next(iter(self.many([id])), None)

    def many(self, ids: Sequence[int]) -> list[Passage]:
        """Passages by id, in the order asked for; unknown ids are left out."""
        found: dict[int, Passage] = {}
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            found |= {p.id: p for p in self._select(f"p.id IN ({', '.join('?' * len(part))})", tuple(part))}
        return [found[id] for id in ids if id in found]

    def for_version(self, version: VersionId, page: int | None = None) -> list[Passage]:
        """The passages of a version, of one page or of all, in reading order."""
        if page is None:
            return self._select("p.version = ?", (version,))
        return self._select("p.version = ? AND p.page = ?", (version, page))

    def holding(self, version: VersionId, page: int, line: int) -> Passage | None:
        """The passage of a page in which a line stands; None where there is none."""
        return next(
            (found for found in self.for_version(version, page) if found.first_line <= line <= found.last_line), None
        )

    def page_lines(self, version: VersionId, page: int) -> tuple[str, ...]:
        """The visible lines of a page as they were read; index 0 is line 1. Empty for an unknown page.

        Blank lines after the last visible one are not kept.
        """
        lines: list[str] = []
        for passage in self.for_version(version, page):
            lines += [""] * (passage.first_line - 1 - len(lines))
            lines += passage.text.split("\n")
        return tuple(lines)

    def rebuild(self) -> int:
        """Write the full-text index of passages anew from the passages; how many there are."""
        with self._store.atomic() as connection:
            rows: list[Any] = connection.execute("SELECT id, heading, text, language FROM passages").fetchall()
            connection.execute("INSERT INTO passage_words (passage_words) VALUES ('delete-all')")
            connection.executemany(
                "INSERT INTO passage_words (rowid, surface, stems) VALUES (?, ?, ?)",
                [(id, *_index_words(heading, text, language)) for id, heading, text, language in rows],
            )
            return len(rows)

    def _lexical(self, subject: SubjectId, text: str, language: str, limit: int) -> list[int]:
        query = _query(text, language)
        if not query:
            return []
        rows: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT p.id FROM passage_words w CROSS JOIN passages p ON p.id = w.rowid"
                " WHERE passage_words MATCH ? AND p.subject = ? AND p.current = 1 ORDER BY w.rank, p.id LIMIT ?",
                (query, subject, limit),
            )
            .fetchall()
        )
        return [id for (id,) in rows]

    def _select(self, where: str, bound: tuple[int, ...]) -> list[Passage]:
        rows: list[Any] = (
            self._store.reader()
            .execute(
                "SELECT p.id, p.version, p.subject, f.path, f.name, v.sha256, p.page, p.label, p.first_line,"
                " p.last_line, p.heading, p.text, p.language, p.current FROM passages p"
                " JOIN versions v ON v.id = p.version JOIN files f ON f.id = v.file"
                f" WHERE {where} ORDER BY p.version, p.page, p.first_line",
                bound,
            )
            .fetchall()
        )
        return [_passage(row) for row in rows]

    def _one(self, sql: str, bound: tuple[int, ...]) -> tuple[Any, ...]:
        row: Any = self._store.reader().execute(sql, bound).fetchone()
        found: tuple[Any, ...] = row
        return found


def _passage(row: tuple[Any, ...]) -> Passage:
    id, version, subject, file, name, sha256, page, label, first, last, heading, text, language, current = row
    return Passage(
        id=PassageId(id),
        version=VersionId(version),
        subject=SubjectId(subject),
        file=file,
        name=name,
        sha256=sha256,
        page=page,
        label=label,
        first_line=first,
        last_line=last,
        heading=heading,
        text=text,
        language=language,
        current=bool(current),
    )


def _visible(page: PageText) -> list[str]:
    """The page's lines with what is blank or hidden emptied; one list item a line of the page."""
    hidden = frozenset(page.hidden)
    return [
        "" if number in hidden or not line.strip() else line.replace("\n", " ").replace("\0", " ")
        for number, line in enumerate(page.lines, 1)
    ]


def _packed(section: list[int], lines: list[str]) -> list[list[int]]:
    """The line numbers of one section, grouped into passages."""
    pieces: list[list[int]] = []
    size = 0
    for number in section:
        words = len(lines[number - 1].split())
        gap = bool(pieces) and number - pieces[-1][-1] > 1
        if not pieces or (size and size + words > WORDS) or (gap and size >= _SOFT):
            pieces.append([])
            size = 0
        pieces[-1].append(number)
        size += words
    if len(pieces) > 1 and size < _SMALL:
        before = sum(len(lines[number - 1].split()) for number in pieces[-2])
        if before + size <= _MOST:
            rest = pieces.pop()
            pieces[-1] += rest
    return pieces


def _cut(page: PageText, lines: list[str], piece: list[int], headings: dict[int, Heading]) -> Cut:
    first, last = piece[0], piece[-1]
    return Cut(
        page=page.page,
        label=page.label,
        first_line=first,
        last_line=last,
        heading=_heading_at(first, last, headings),
        text="\n".join(lines[first - 1 : last]),
        language=page.language,
    )


def _heading_at(first: int, last: int, headings: dict[int, Heading]) -> str:
    """The path of headings that a passage stands under: those above it, and those that open it."""
    path: list[Heading] = []
    for line in sorted(headings):
        if line > last or (line > first and not all(one in headings for one in range(first, line))):
            break
        path = [above for above in path if above.level < headings[line].level] + [headings[line]]
    return _HEADING_JOIN.join(" ".join(heading.text.split()) for heading in path if heading.text.strip())


def _index_words(heading: str, text: str, language: str | None) -> tuple[str, str]:
    words = tokens(f"{heading}\n{text}", language)
    if language is None:
        return " ".join(words), ""
    return " ".join(words), " ".join(stem(word, language) for word in words)


def _query(text: str, language: str) -> str:
    """An FTS5 query for any telling word of a text, as it stands or by its stem; "" when there is no word."""
    words = list(dict.fromkeys(tokens(text, language)))
    stops = stop_words(language) if language in LANGUAGES else frozenset[str]()
    telling = [word for word in words if word not in stops] or words
    parts = []
    for word in telling:
        parts.append(f'surface : "{word}"')
        parts.append(f'stems : "{stem(word, language)}"')
    return " OR ".join(parts)
