"""Writing on the subject map: the statements behind :class:`memory.concepts.SubjectMap`, inside its transactions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import apsw

from memory.concept_rows import CONFIRMED, EXPLAINED, NAMED, TAUGHT, ConceptOrigin
from memory.episodes import ConceptId, EpisodeId, SubjectId
from memory.files import VersionId
from memory.merging import Decision, Known
from memory.naming import canonical_key, fault_of_name
from memory.rows import content_from, searchable
from memory.words import fold

ASSUMED_BY = 2  # concepts that must assume a name before it is a node (article, "La carte conceptuelle")
_ASSUMED_WEIGHT = 0.5  # of an edge to what a file uses without explaining it

_SUPPORTED = f"""(
    EXISTS (SELECT 1 FROM concept_places p JOIN versions v ON v.id = p.version AND v.current = 1
            WHERE p.concept = concepts.id)
    OR EXISTS (SELECT 1 FROM notes t WHERE t.concept = concepts.id AND t.live = 1)
    OR EXISTS (SELECT 1 FROM beliefs b WHERE b.subject = concepts.subject AND b.concept = concepts.id)
    OR EXISTS (SELECT 1 FROM check_concepts k WHERE k.concept = concepts.id)
    OR EXISTS (SELECT 1 FROM episode_concepts x JOIN episode_facts f ON f.episode = x.episode AND f.recallable = 1
               JOIN episodes e ON e.row = x.episode AND e.kind NOT IN ('file', 'consolidation')
               WHERE x.concept = concepts.id)
    OR (origin = 'assumed' AND {ASSUMED_BY} <=
        (SELECT count(DISTINCT a.concept) FROM concept_names n JOIN assumed a ON a.key = n.key
         JOIN versions v ON v.id = a.version AND v.current = 1
         JOIN concepts c ON c.id = a.concept AND c.subject = n.subject WHERE n.concept = concepts.id))
)"""

_MATURITY = f"""CASE
    WHEN EXISTS (SELECT 1 FROM notes t WHERE t.concept = concepts.id AND t.live = 1) THEN {TAUGHT}
    WHEN EXISTS (SELECT 1 FROM check_concepts l JOIN episodes e ON e.row = l.episode
                 LEFT JOIN episodes k ON k.row =
                     (SELECT max(d.row) FROM episodes d WHERE d.about = e.id AND d.kind = 'contest')
                 WHERE l.concept = concepts.id
                 AND CASE WHEN k.id IS NULL THEN e.verdict ELSE k.verdict END = 'right') THEN {CONFIRMED}
    WHEN EXISTS (SELECT 1 FROM concept_places p JOIN versions v ON v.id = p.version AND v.current = 1
                 WHERE p.concept = concepts.id AND p.definition <> '') THEN {EXPLAINED}
    ELSE {NAMED}
END"""


def key_for(name: str, language: str | None) -> str:
    """The canonical key, or for a name of signs alone the name itself."""
    return canonical_key(name, language) or " ".join(name.casefold().split())


def by_name(connection: apsw.Connection, subject: SubjectId, key: str, language: str | None) -> ConceptId | None:
    """The concept with that key: names before aliases, the language's own before others, visible ones first.

    Nothing has an empty one: concepts that lost their names to redaction are each their own.
    """
    if not key:
        return None
    row: Any = connection.execute(
        "SELECT n.concept FROM concept_names n JOIN concepts c ON c.id = n.concept WHERE n.subject = ? AND n.key = ?"
        " ORDER BY n.alias, n.language IS NOT ?, c.hidden, c.row LIMIT 1",
        (subject, key, language or ""),
    ).fetchone()
    return ConceptId(row[0]) if row else None


def by_spelling(connection: apsw.Connection, subject: SubjectId, name: str) -> ConceptId | None:
    """The concept with a name of the same letters in any language: a student may name what a file calls so."""
    wanted = key_for(name, None)
    rows: list[Any] = connection.execute(
        "SELECT n.concept, n.name FROM concept_names n JOIN concepts c ON c.id = n.concept WHERE n.subject = ?"
        " ORDER BY n.alias, c.hidden, c.row",
        (subject,),
    ).fetchall()
    return next((ConceptId(concept) for concept, known in rows if key_for(known, None) == wanted), None)


def known(connection: apsw.Connection, subject: SubjectId) -> list[Known]:
    """The subject's concepts as a merge looks at them, hidden ones too, in the order they came."""
    heads: list[Any] = connection.execute(
        "SELECT c.id, c.language, coalesce((SELECT p.definition FROM concept_places p WHERE p.concept = c.id"
        " AND p.definition <> '' ORDER BY p.version DESC LIMIT 1), '') FROM concepts c"
        " WHERE c.subject = ? AND c.name <> '' ORDER BY c.row",
        (subject,),
    ).fetchall()
    rows: list[Any] = connection.execute(
        "SELECT concept, key, language, alias FROM concept_names WHERE subject = ? ORDER BY key", (subject,)
    ).fetchall()
    names: dict[str, dict[str, str]] = {}
    aliases: dict[str, set[str]] = {}
    for concept, key, language, alias in rows:
        if alias:
            aliases.setdefault(concept, set()).add(key)
        else:
            names.setdefault(concept, {})[language] = key
    return [
        Known(ConceptId(id), language, names.get(id, {}), frozenset(aliases.get(id, ())), definition)
        for id, language, definition in heads
    ]


def add(
    connection: apsw.Connection,
    subject: SubjectId,
    id: str,
    name: str,
    language: str | None,
    origin: ConceptOrigin,
    now: int,
    created_by: EpisodeId | None = None,
) -> ConceptId:
    """A new node, only named so far. A homonym of another node gets a key of its own.

    A node that only an episode's words name has the episode for a key: keys are chained, and words that redaction is
    to remove may stand in no chain.
    """
    base = key = f"note {created_by}" if created_by else key_for(name, language)
    count = 1
    while connection.execute("SELECT 1 FROM concepts WHERE subject = ? AND key = ?", (subject, key)).fetchall():
        count += 1
        key = f"{base} {count}"
    connection.execute(
        "INSERT INTO concepts (id, subject, key, name, language, origin, created_at, created_by, maturity, hidden)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (id, subject, key, name, language, origin.value, now, created_by, NAMED, int(not name)),
    )
    if name:  # one that lost its name to redaction comes back without it
        _wait_for_vector(connection, id)
        add_name(connection, subject, ConceptId(id), name, language, alias=False)
    return ConceptId(id)


def add_name(
    connection: apsw.Connection, subject: SubjectId, concept: ConceptId, name: str, language: str | None, *, alias: bool
) -> None:
    """One more name of a concept. An alias that already names another concept is left to that one."""
    key = key_for(name, language)
    tongue = language or ""
    if alias:
        connection.execute(
            "INSERT OR IGNORE INTO concept_names (concept, subject, key, name, language, alias)"
            " SELECT ?, ?, ?, ?, ?, 1 WHERE NOT EXISTS"
            " (SELECT 1 FROM concept_names WHERE subject = ? AND key = ? AND concept <> ?)",
            (concept, subject, key, name, tongue, subject, key, concept),
        )
        return
    connection.execute("UPDATE concept_names SET alias = 1 WHERE concept = ? AND language = ?", (concept, tongue))
    connection.execute(
        "INSERT INTO concept_names (concept, subject, key, name, language, alias) VALUES (?, ?, ?, ?, ?, 0)"
        " ON CONFLICT DO UPDATE SET name = excluded.name, alias = 0",
        (concept, subject, key, name, tongue),
    )


def place(
    connection: apsw.Connection,
    subject: SubjectId,
    version: VersionId,
    decision: Decision,
    ids: Callable[[], str],
    now: int,
) -> ConceptId:
    """Put one found concept on the map: its node, its names, where the version explains it. Returns the node."""
    found = decision.found
    id = decision.into
    if id is None:
        id = add(connection, subject, ids(), found.name, found.language, ConceptOrigin.FILE, now)
    elif connection.execute(
        "SELECT 1 FROM concept_names WHERE concept = ? AND language = ? AND alias = 0", (id, found.language)
    ).fetchall():
        add_name(connection, subject, id, found.name, found.language, alias=True)
    else:
        add_name(connection, subject, id, found.name, found.language, alias=False)
    for alias in found.aliases:
        add_name(connection, subject, id, alias, found.language, alias=True)
    quote = found.definition
    pages = sorted({*found.pages, *([quote.page] if quote else [])})
    connection.execute(
        "INSERT OR REPLACE INTO concept_places (concept, version, pages, definition, page, first_line, last_line)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            *(id, version, json.dumps(pages)),
            *((quote.text, quote.page, quote.first_line, quote.last_line) if quote else ("", None, None, None)),
        ),
    )
    summary = found.summary or (quote.text if quote else "")
    connection.execute(
        "UPDATE concepts SET summary = ? WHERE id = ? AND ? <> '' AND summary <> ? AND (summary = '' OR NOT EXISTS"
        " (SELECT 1 FROM concept_places WHERE concept = ? AND version <> ?))",
        (summary, id, summary, summary, id, version),
    )
    if connection.changes():
        _wait_for_vector(connection, id)
    return id


def relate(
    connection: apsw.Connection,
    subject: SubjectId,
    version: VersionId,
    decisions: Sequence[Decision],
    placed: Mapping[str, ConceptId],
) -> None:
    """Write what builds on what by this version, and what its concepts assume.

    A prerequisite is looked for in the file's own list, then on the map; one that is on neither is assumed.
    """
    local = dict(placed)
    for decision in decisions:
        for alias in decision.found.aliases:
            local.setdefault(canonical_key(alias, decision.found.language), placed[decision.key])
    for decision in decisions:
        concept, language = placed[decision.key], decision.found.language
        supposed = list(decision.found.assumed)
        for edge in decision.found.builds_on:
            key = key_for(edge.name, language)
            needs = local.get(key) or by_name(connection, subject, key, language)
            if needs is None:
                supposed.append(edge.name)
            elif needs != concept:
                connection.execute(
                    "INSERT INTO edges VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                    " weight = max(weight, excluded.weight), reason = excluded.reason",
                    (concept, needs, version, edge.weight, edge.reason),
                )
        for name in supposed:
            if fault_of_name(name, language) is None:
                connection.execute(
                    "INSERT OR IGNORE INTO assumed VALUES (?, ?, ?, ?)",
                    (concept, version, key_for(name, language), name),
                )


def grow_assumed(connection: apsw.Connection, subject: SubjectId, ids: Callable[[], str], now: int) -> list[ConceptId]:
    """Make a node of each name that at least two concepts assume and nothing explains; returns the new ones.

    Whatever a concept assumes and the map has is also tied to it by an edge.
    """
    wanted: list[Any] = connection.execute(
        "SELECT min(a.name), c.language, a.key FROM assumed a JOIN versions v ON v.id = a.version AND v.current = 1"
        " JOIN concepts c ON c.id = a.concept WHERE c.subject = ? AND NOT EXISTS"
        " (SELECT 1 FROM concept_names n WHERE n.subject = c.subject AND n.key = a.key)"
        " GROUP BY a.key HAVING count(DISTINCT a.concept) >= ? ORDER BY a.key",
        (subject, ASSUMED_BY),
    ).fetchall()
    added = [
        add(connection, subject, ids(), name, language, ConceptOrigin.ASSUMED, now) for name, language, _ in wanted
    ]
    connection.execute(
        "INSERT OR IGNORE INTO edges SELECT a.concept, n.concept, a.version, ?, 'assumed' FROM assumed a"
        " JOIN concepts c ON c.id = a.concept JOIN concept_names n ON n.subject = c.subject AND n.key = a.key"
        " WHERE c.subject = ? AND n.concept <> a.concept",
        (_ASSUMED_WEIGHT, subject),
    )
    return added


def clear_version(connection: apsw.Connection, version: VersionId) -> None:
    """Forget what this version had put on the map; its concepts stay."""
    for table in ("edges", "assumed", "concept_places"):
        connection.execute(f"DELETE FROM {table} WHERE version = ?", (version,))


def hide(connection: apsw.Connection, subject: SubjectId) -> None:
    """Hide the concepts that nothing supports and nothing touches; show those that something does.

    The log is searched anew for what comes back: episodes written meanwhile did not know its names.
    """
    wrong = f"subject = ? AND name <> '' AND hidden = {_SUPPORTED}"
    connection.execute(
        f"UPDATE concept_names SET swept = 0 WHERE concept IN (SELECT id FROM concepts WHERE {wrong} AND hidden = 1)",
        (subject,),
    )
    connection.execute(f"UPDATE concepts SET hidden = 1 - hidden WHERE {wrong}", (subject,))


def rate(connection: apsw.Connection, subject: SubjectId) -> None:
    """Recompute every concept's maturity."""
    connection.execute(
        f"UPDATE concepts SET maturity = {_MATURITY} WHERE subject = ? AND maturity <> {_MATURITY}", (subject,)
    )


def forget_names(connection: apsw.Connection, episode: EpisodeId) -> list[ConceptId]:
    """Empty the names of nodes that only redacted words named, this episode's being the last; returns those nodes."""
    rows: list[Any] = connection.execute(
        "SELECT c.id, c.row FROM concepts c JOIN episodes n ON n.id = c.created_by JOIN contents w ON w.episode = n.row"
        " WHERE w.body = '' AND c.name <> '' AND (c.created_by = ?1 OR c.id IN (SELECT t.concept"
        " FROM episode_concepts t JOIN episodes e ON e.row = t.episode WHERE e.id = ?1))"
        " AND NOT EXISTS (SELECT 1 FROM concept_places p WHERE p.concept = c.id)",
        (episode,),
    ).fetchall()
    rows = [(id, row) for id, row in rows if not _is_named(connection, id)]
    for id, row in rows:
        connection.execute("DELETE FROM concept_names WHERE concept = ?", (id,))
        connection.execute(
            "UPDATE concepts SET name = '', summary = '', hidden = 1,"
            " key = iif(key = 'note ' || created_by, key, 'redacted ' || id) WHERE id = ?",
            (id,),
        )
        connection.execute(
            "DELETE FROM pending_checks WHERE subject = (SELECT subject FROM concepts WHERE id = ?)", (id,)
        )
        for table in ("vectors", "vector_queue"):
            connection.execute(f"DELETE FROM {table} WHERE kind = 'concept' AND owner = ?", (row,))
    return [ConceptId(id) for id, _ in rows]


def _is_named(connection: apsw.Connection, concept: str) -> bool:
    """Whether any words that are left name a concept; an episode may touch it and not say so, such as a quiz."""
    rows: list[Any] = connection.execute("SELECT name FROM concept_names WHERE concept = ?", (concept,)).fetchall()
    names = [fold(name) for (name,) in rows]
    bodies = connection.execute(
        "SELECT c.body FROM episode_concepts t CROSS JOIN contents c ON c.episode = t.episode WHERE t.concept = ?",
        (concept,),
    )
    contents = (content_from(body) for (body,) in bodies)
    texts = (fold(searchable(content)) for content in contents if content is not None)
    return any(name in text for text in texts for name in names)


def _wait_for_vector(connection: apsw.Connection, concept: str) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO vector_queue SELECT 'concept', row FROM concepts WHERE id = ?", (concept,)
    )
