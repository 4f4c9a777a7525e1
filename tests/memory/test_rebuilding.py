"""Rebuilding: every derived table is made anew from the record, and nothing that is told changes."""

from __future__ import annotations

from typing import Any

from memory.rebuilding import rebuild


def test_a_rebuild_changes_neither_what_is_found_nor_what_is_believed(brain: Any, past: list[dict[str, Any]]) -> None:
    brain.take(*past)
    before, lines = brain.beliefs(), brain.give()
    counted = rebuild(brain.memory, brain.ids, brain.now)
    assert counted["episodes"] == len(past)
    assert counted["notes"] == 1
    assert brain.beliefs() == before
    assert brain.give() == lines
    again = rebuild(brain.memory, brain.ids, brain.now)
    assert again == counted


def test_a_rebuild_restores_indexes_that_were_lost(brain: Any, past: list[dict[str, Any]]) -> None:
    brain.take(*past)
    words = "SELECT count(*) FROM episode_words WHERE episode_words MATCH 'osmosis'"
    facts = "SELECT count(*) FROM episode_facts"

    def counts() -> list[int]:
        reader = brain.memory.store.reader()
        return [int(reader.execute(query).fetchall()[0][0]) for query in (words, facts)]

    before = counts()
    assert min(before) > 0
    with brain.memory.store.atomic() as connection:
        connection.execute("INSERT INTO episode_words (episode_words) VALUES ('delete-all')")
        connection.execute("DELETE FROM episode_facts")
    assert counts() == [0, 0]
    rebuild(brain.memory, brain.ids, brain.now)
    assert counts() == before
