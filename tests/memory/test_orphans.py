"""Every kind of orphan is counted, and a record that was only lived in has none."""

from __future__ import annotations

from typing import Any

import apsw
import numpy as np
import pytest

from memory.files import FileId
from memory.orphans import orphans
from memory.passages import PageText
from memory.vectors import Space

DAMAGE = {
    "episodes without words": "DELETE FROM contents WHERE episode = 1",
    "episodes without facts": "DELETE FROM episode_facts WHERE episode = 1",
    "episodes missing in the full-text index": "DELETE FROM episode_words WHERE rowid = 1",
    "full-text rows of no episode": "INSERT INTO episode_words (rowid, surface, stems) VALUES (999, 'a', 'a')",
    "passages missing in the full-text index": "DELETE FROM passage_words WHERE rowid = 1",
    "full-text rows of no passage": "INSERT INTO passage_words (rowid, surface, stems) VALUES (999, 'a', 'a')",
    "touched concepts that are not there": "INSERT INTO episode_concepts VALUES (1, 'nowhere', 'exact')",
    "notes on concepts that are not there": "UPDATE notes SET concept = 'nowhere'",
    "taught episodes without a note": "DELETE FROM notes",
    "routed checks that count for no concept": "DELETE FROM check_concepts WHERE episode = 3",
    "beliefs without an episode": "DELETE FROM belief_episodes WHERE belief = (SELECT id FROM beliefs LIMIT 1)",
    "passages beyond the pages read": "UPDATE versions SET pages_read = 0",
    "files read that no episode tells of": "UPDATE versions SET finished = 1",
    "vectors of no episode": "INSERT INTO vectors VALUES ('episode', 999, 'other', 'bio', 0, x'00')",
    "vectors of no passage": "INSERT INTO vectors VALUES ('passage', 999, 'other', 'bio', 0, x'00')",
    "waiting for a vector, and no concept": "INSERT INTO vector_queue VALUES ('concept', 999)",
    "vector bits out of step": "INSERT INTO vectors VALUES ('episode', 2, 'tiny', 'bio', 0, x'00')",
}


@pytest.fixture
def lived(brain: Any, past: list[dict[str, Any]]) -> Any:
    """Eight events, a page that was read, and a vector."""
    brain.take(*past)
    memory = brain.memory
    file = memory.files.add(brain.subject.id, "/cells.pdf", "cells.pdf", id=FileId("file"), now=1, sha256="ab").file
    with memory.store.atomic():
        version = memory.files.begin_version(file.id, sha256="ab", bytes=1, format="pdf", pages=2, now=1)
        memory.passages.add_page(brain.subject.id, version.id, PageText(1, ("Water moves through the membrane.",)))
        memory.files.progress(version.id, 1, 2)
    memory.vectors.use(Space("tiny", 4, 0.5))
    memory.vectors.put("episode", 1, "tiny", np.ones(4, dtype=np.float32))
    return brain


def test_a_record_that_was_lived_in_has_none(lived: Any) -> None:
    assert orphans(lived.memory.store) == {}
    assert lived.memory.verification.database() == []


@pytest.mark.parametrize("what", DAMAGE)
def test_each_kind_is_counted_and_verify_tells_it(lived: Any, what: str) -> None:
    connection = apsw.Connection(str(lived.memory.store.path))
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f'DROP TRIGGER "{name}"')
    connection.execute(DAMAGE[what])
    connection.close()
    assert orphans(lived.memory.store)[what] == 1
    assert f"{what}: 1" in lived.memory.verification.database()
