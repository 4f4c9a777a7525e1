"""Orphans: derived rows without their source, sources without their derived rows, and work left half done.

One list of questions put to the file, each the count of rows that should not be there. Foreign keys answer for the
rest. What waits is no orphan: a text in the vector queue, the checks of an import that is not settled yet. Nor is a
vector whose episode was taken out of recall since.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from memory.store import Store

_WORDED = (
    "e.kind NOT IN ('redaction', 'withdrawal', 'contest') AND EXISTS"
    " (SELECT 1 FROM contents c WHERE c.episode = e.row AND c.body <> '')"
)
_HOMES = {"episode": ("episodes", "row"), "passage": ("passages", "id"), "concept": ("concepts", "row")}
_QUESTIONS = {
    "episodes without words": "episodes e LEFT JOIN contents c ON c.episode = e.row WHERE c.episode IS NULL",
    "episodes without facts": "episodes e LEFT JOIN episode_facts f ON f.episode = e.row WHERE f.episode IS NULL",
    "episodes missing in the full-text index": f"episodes e WHERE {_WORDED}"
    " AND NOT EXISTS (SELECT 1 FROM episode_words_docsize d WHERE d.id = e.row)",
    "full-text rows of no episode": "episode_words_docsize d WHERE NOT EXISTS"
    f" (SELECT 1 FROM episodes e WHERE e.row = d.id AND {_WORDED})",
    "passages missing in the full-text index": "passages p WHERE NOT EXISTS"
    " (SELECT 1 FROM passage_words_docsize d WHERE d.id = p.id)",
    "full-text rows of no passage": "passage_words_docsize d WHERE NOT EXISTS"
    " (SELECT 1 FROM passages p WHERE p.id = d.id)",
    "touched concepts that are not there": "episode_concepts t WHERE NOT EXISTS"
    " (SELECT 1 FROM concepts c WHERE c.id = t.concept)",
    "notes on concepts that are not there": "notes n WHERE n.concept <> '' AND NOT EXISTS"
    " (SELECT 1 FROM concepts c WHERE c.id = n.concept)",
    "taught episodes without a note": "episodes e WHERE e.kind = 'taught' AND NOT EXISTS"
    " (SELECT 1 FROM notes n WHERE n.episode = e.id)",
    "routed checks that count for no concept": "episodes e WHERE e.kind = 'check' AND e.meta ->> '$.extra.routed'"
    " AND e.subject NOT IN (SELECT subject FROM unsettled)"
    " AND NOT EXISTS (SELECT 1 FROM check_concepts k WHERE k.episode = e.row) AND EXISTS (SELECT 1 FROM concept_names n"
    " WHERE n.subject = e.subject AND n.key = e.meta ->> '$.concepts[0]')",
    "beliefs without an episode": "beliefs b WHERE b.reason <> 'merge' AND b.claim <> 'withdrawn' AND NOT EXISTS"
    " (SELECT 1 FROM belief_episodes x WHERE x.belief = b.id)",
    "passages beyond the pages read": "passages p JOIN versions v ON v.id = p.version WHERE p.page > v.pages_read",
    "concepts of a file that is not read to its end": "(SELECT version FROM concept_places UNION"
    " SELECT version FROM edges UNION SELECT version FROM assumed) m JOIN versions v ON v.id = m.version"
    " WHERE v.finished = 0",
    "files read that no episode tells of": "versions v JOIN files f ON f.id = v.file WHERE v.finished = 1"
    " AND NOT EXISTS (SELECT 1 FROM episodes e WHERE e.kind = 'file' AND e.subject = f.subject"
    " AND e.meta ->> '$.evidence[0].sha256' = v.sha256)",
}
_VECTORS = {
    "vectors of no {kind}": "vectors v WHERE v.kind = '{kind}' AND NOT EXISTS"
    " (SELECT 1 FROM {table} o WHERE o.{column} = v.owner)",
    "waiting for a vector, and no {kind}": "vector_queue q WHERE q.kind = '{kind}' AND NOT EXISTS"
    " (SELECT 1 FROM {table} o WHERE o.{column} = q.owner)",
}


def orphans(store: Store) -> dict[str, int]:
    """What should not be there, and how often; empty when the file is whole."""
    reader = store.reader()
    questions = dict(_QUESTIONS)
    for kind, (table, column) in _HOMES.items():
        for name, question in _VECTORS.items():
            questions[name.format(kind=kind)] = question.format(kind=kind, table=table, column=column)
    found: dict[str, int] = {}
    for name, rest in questions.items():
        count: Any = reader.execute(f"SELECT count(*) FROM {rest}").get
        found[name] = count
    found["vector bits out of step"] = _bits_out_of_step(store)
    return {name: count for name, count in found.items() if count}


def _bits_out_of_step(store: Store) -> int:
    """Owners whose bits are kept without a vector, or the reverse, in spaces that are not to be made anew."""
    reader = store.reader()
    wrong = 0
    spaces: list[Any] = reader.execute(
        "SELECT id, kind, subject, model, count FROM vector_models WHERE stale = 0"
    ).fetchall()
    for space, *whose, count in spaces:
        chunks: list[Any] = reader.execute("SELECT owners FROM vector_bits WHERE space = ?", (space,)).fetchall()
        bits = [owner for (owners,) in chunks for owner in np.frombuffer(owners, dtype="<i8").tolist()]
        owned = "SELECT owner FROM vectors WHERE kind = ? AND subject = ? AND model = ?"
        kept = {int(row[0]) for row in reader.execute(owned, whose)}
        wrong += max(len(kept ^ set(bits)) + len(bits) - len(set(bits)), abs(count - len(kept)))
    return wrong
