"""Touches: which episodes name which concepts (``episode_concepts``), when the map learns a name after the fact.

An episode gets its touches when it is appended. A name that comes later is looked for in the whole log, once, through
the full-text index: the spellings that the log really holds of each of its words, then one phrase query. Words are
read only where two names can claim the same ones ("cell" in "cell membrane"), to see which of them stands there.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from memory.episodes import ConceptId, SubjectId
from memory.naming import naming, singular_key
from memory.routing import NameRow, Names
from memory.rows import content_from, searchable
from memory.words import LANGUAGES, fold, stop_words

_MOST_SPELLINGS = 64  # phrases tried for one name
_ATTACHED = ("ال", "وال", "بال", "كال", "فال", "لل", "و", "ب", "ل", "ك", "ف", "الال", "والال", "بالال", "للال")
"""Particles that Arabic writes onto a word, also before one that begins with the letters of the article."""
_ELIDED = frozenset(["c", "d", "j", "l", "m", "n", "s", "t", "un", "gl", "qu", "all", "dall", "dell", "nell", "sull"])
_OPENING = 3  # letters that all the spellings of a word share
_HAS_TERM = "SELECT 1 FROM episode_vocabulary WHERE term = ?"
_KEYS = (
    "(SELECT subject, key, concept FROM concept_names UNION SELECT subject, key, id FROM concepts"
    " UNION SELECT subject, id, id FROM concepts)"
)
"""What an episode may chain for a concept: a key of its names, its own key, or its id."""
_OWN = ("name", "alias")  # touches found by words; those an append was given by meaning or as a check's own stay


@dataclass(frozen=True, slots=True)
class _Name:
    concept: ConceptId
    words: tuple[str, ...]
    language: str
    how: str
    name: str
    swept: bool


def sweep(connection: apsw.Connection, subject: SubjectId) -> int:
    """Tie the log to every name that was never looked for; how many names that were. Runs in the caller's transaction.

    Episodes that chain a concept's key touch it whatever their words are.
    """
    names = _names(connection, subject)
    fresh = [name for name in names if not name.swept]
    if not fresh:
        return 0
    _tie_by_account(connection, subject)
    queries = {name: query for name in names if (query := _query(connection, name))}
    overlaps = _overlaps(names, fresh, queries)
    unsure: set[int] = set()
    for name in dict.fromkeys([*fresh, *overlaps]):
        query = queries.get(name, "")
        rivals = " OR ".join(f"({queries[one]})" for one in overlaps.get(name, ()))
        if query and rivals:
            if name.swept:
                _untie(connection, name, f"({query}) AND ({rivals})")
            unsure.update(_matching(connection, subject, f"({query}) AND ({rivals})"))
            query = f"({query}) NOT ({rivals})"
        if query and not name.swept and _is_function_word(name):
            unsure.update(_matching(connection, subject, query))
        elif query and not name.swept:
            connection.execute(
                "INSERT OR IGNORE INTO episode_concepts SELECT e.row, ?, ? FROM episode_words w CROSS JOIN episodes e"
                " ON e.row = w.rowid WHERE episode_words MATCH ? AND e.subject = ?",
                (name.concept, name.how, query, subject),
            )
    _tie_by_words(connection, unsure, names)
    connection.execute(
        "INSERT OR IGNORE INTO episode_concepts SELECT e.row, n.concept, 'name' FROM episodes e,"
        f" json_each(e.meta, '$.concepts') k CROSS JOIN {_KEYS} n ON n.subject = e.subject AND n.key = k.value"
        " WHERE e.subject = ? AND e.meta LIKE '%\"concepts\"%'",
        (subject,),
    )
    _hang_by_account(connection, subject)
    connection.execute("UPDATE concept_names SET swept = 1 WHERE subject = ? AND swept = 0", (subject,))
    return len(fresh)


def unsweep(connection: apsw.Connection, subject: SubjectId) -> None:
    """Forget every touch that words or keys gave, so that the next sweep finds them all anew."""
    connection.execute(
        "DELETE FROM episode_concepts WHERE how <> 'similar'"
        " AND episode IN (SELECT row FROM episodes WHERE subject = ?)",
        (subject,),
    )
    connection.execute("UPDATE concept_names SET swept = 0 WHERE subject = ?", (subject,))


def _tie_by_account(connection: apsw.Connection, subject: SubjectId) -> None:
    """Tie episodes to what they say they are about (a check's concept, a quiz's, a condensed day's), by the chain."""
    for keys, which in (
        ("$.concepts", "e.kind IN ('quiz', 'consolidation') OR e.meta ->> '$.extra.routed' AND k.key = 0"),
        ("$.extra.concepts", "e.kind = 'consolidation'"),  # ids: notes written before they chained keys
    ):
        connection.execute(
            f"INSERT OR IGNORE INTO episode_concepts SELECT e.row, n.concept, 'exact' FROM episodes e,"
            f" json_each(e.meta, '{keys}') k CROSS JOIN {_KEYS} n ON n.subject = e.subject AND n.key = k.value"
            f" WHERE e.subject = ? AND ({which})",
            (subject,),
        )


def _hang_by_account(connection: apsw.Connection, subject: SubjectId) -> None:
    """Hang the notes that hung on nothing on the concepts they chain, once the map knows them."""
    waiting: list[Any] = connection.execute(
        "SELECT t.episode, n.concept, t.live FROM notes t JOIN episodes e ON e.id = t.episode,"
        f" json_each(e.meta, '$.concepts') k CROSS JOIN {_KEYS} n ON n.subject = e.subject AND n.key = k.value"
        " WHERE t.subject = ? AND t.concept = ''",
        (subject,),
    ).fetchall()
    for episode, concept, live in waiting:
        connection.execute("DELETE FROM notes WHERE episode = ? AND concept = ''", (episode,))
        connection.execute("INSERT OR IGNORE INTO notes VALUES (?, ?, ?, ?)", (episode, subject, concept, live))


def _names(connection: apsw.Connection, subject: SubjectId) -> list[_Name]:
    rows: list[Any] = connection.execute(
        "SELECT concept, key, language, alias, name, swept FROM concept_names WHERE subject = ? AND key <> ''"
        " ORDER BY alias, key",
        (subject,),
    ).fetchall()
    return [
        _Name(ConceptId(concept), tuple(key.split()), language, _OWN[int(bool(alias))], name, bool(swept))
        for concept, key, language, alias, name, swept in rows
    ]


def _is_function_word(name: _Name) -> bool:
    """A name such as *Will* or *NOT*: only reading a text tells whether the name is meant."""
    return len(name.words) == 1 and any(fold(name.name) in stop_words(language) for language in LANGUAGES)


def _query(connection: apsw.Connection, name: _Name) -> str:
    """The full-text query for a name in all spellings that the log holds; "" when one of its words is never there.

    The index splits elided words off where it knows the language of a text (loi d'Ohm: "loi ohm"), so that a name is
    looked for with and without them.
    """
    phrases: list[str] = []
    for words in dict.fromkeys((name.words, _unelided(name))):
        spellings = [_spellings(connection, word, name.language) for word in words]
        phrases += [" ".join(phrase) for phrase in itertools.islice(itertools.product(*spellings), _MOST_SPELLINGS)]
    return "surface : (" + " OR ".join(f'"{phrase}"' for phrase in phrases) + ")" if phrases else ""


def _unelided(name: _Name) -> tuple[str, ...]:
    if name.language not in ("fr", "it", ""):
        return name.words
    return (*(word for word in name.words[:-1] if word not in _ELIDED), name.words[-1])


def _spellings(connection: apsw.Connection, word: str, language: str) -> list[str]:
    """The words of the log that have this key: its inflections, and in Arabic what is written with particles."""
    forms = [word]
    if len(word) < _OPENING:
        return [word] if connection.execute(_HAS_TERM, (word,)).fetchall() else []
    if language in LANGUAGES:
        forms += [plural for plural, single in naming(language).irregular.items() if single == word]
    openings = {form[:_OPENING] for form in forms}
    if language == "ar":
        openings |= {particle + opening for particle in _ATTACHED for opening in openings}
    found: set[str] = set()
    for start in sorted(openings):
        rows: list[Any] = connection.execute(
            "SELECT term FROM episode_vocabulary WHERE term >= ? AND term < ?", (start, start + "\U0010ffff")
        ).fetchall()
        found |= {term for (term,) in rows if _stands_for(term, word, language)}
    return sorted(found, key=lambda term: (term != word, len(term), term))


def _stands_for(term: str, word: str, language: str) -> bool:
    if singular_key(term, language) == word:
        return True
    if language != "ar":
        return False
    return any(
        term.startswith(particle) and singular_key(term[len(particle) :], language) == word for particle in _ATTACHED
    )


def _overlaps(names: Sequence[_Name], fresh: Iterable[_Name], queries: dict[_Name, str]) -> dict[_Name, list[_Name]]:
    """For each name at stake, the names of other concepts that can take its words from it in a text.

    Those are the longer ones that hold it ("cell membrane" of "cell") and those that share an end with it ("cell wall"
    and "plant cell": in "plant cell wall" only one of them stands).
    """
    new = frozenset(fresh)
    holders: dict[str, list[_Name]] = {}
    for name in queries:
        for word in set(name.words):
            holders.setdefault(word, []).append(name)
    found: dict[_Name, list[_Name]] = {}
    for name in queries:
        rivals = dict.fromkeys(rival for word in dict.fromkeys(name.words) for rival in holders[word])
        for rival in rivals:
            at_stake = rival.concept != name.concept and (name in new or rival in new)
            if at_stake and (_holds(rival.words, name.words) or _share_an_end(rival.words, name.words)):
                found.setdefault(name, []).append(rival)
    return found


def _holds(long: tuple[str, ...], short: tuple[str, ...]) -> bool:
    size = len(short)
    return len(long) > size and any(long[at : at + size] == short for at in range(len(long) - size + 1))


def _share_an_end(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether the last words of one are the first of the other, without either holding the other whole."""
    sizes = range(1, min(len(one), len(two)))
    return any(one[-size:] == two[:size] or two[-size:] == one[:size] for size in sizes)


def _untie(connection: apsw.Connection, name: _Name, query: str) -> None:
    connection.execute(
        f"DELETE FROM episode_concepts WHERE concept = ? AND how IN ('{_OWN[0]}', '{_OWN[1]}') AND episode IN"
        " (SELECT rowid FROM episode_words WHERE episode_words MATCH ?)",
        (name.concept, query),
    )


def _matching(connection: apsw.Connection, subject: SubjectId, query: str) -> list[int]:
    rows: list[Any] = connection.execute(
        "SELECT e.row FROM episode_words w CROSS JOIN episodes e ON e.row = w.rowid"
        " WHERE episode_words MATCH ? AND e.subject = ?",
        (query, subject),
    ).fetchall()
    return [row for (row,) in rows]


def _tie_by_words(connection: apsw.Connection, rows: set[int], names: Sequence[_Name]) -> None:
    """Read these episodes and tie them to the concepts that their words name: longest names first, none overlapping."""
    if not rows:
        return
    router = Names(NameRow(name.concept, name.name, name.how == _OWN[1]) for name in names)
    found: list[Any] = connection.execute(
        "SELECT c.episode, c.body, e.meta ->> '$.language' FROM json_each(?) o CROSS JOIN contents c"
        " ON c.episode = o.value CROSS JOIN episodes e ON e.row = o.value",
        (json.dumps(sorted(rows)),),
    ).fetchall()
    touches: list[tuple[int, str, str]] = []
    for row, body, language in found:
        content = content_from(body)
        if content is not None:
            routes = router.route(searchable(content), language or "en")
            touches += [(row, route.id, route.how) for route in routes]
    connection.executemany("INSERT OR IGNORE INTO episode_concepts VALUES (?, ?, ?)", touches)
