"""Forgetting: what is derived from an episode's words goes with them, and what was taken back is recalled no more."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import Any

import apsw

from memory.episodes import Episode, EpisodeId
from memory.rows import content_from
from memory.words import fold, tokens

_TAUGHT_WITHIN = 4  # episodes before a note in which it was said: a wish, the tutor asking back, a yes


def repetition_key(episode: Episode) -> bytes:
    """Equal for repetitions: the same normalised text, the same kind and verdict."""
    content = episode.content
    words = " ".join(fold(content.text if content else episode.id).split())
    verdict = episode.meta.verdict.value if episode.meta.verdict else ""
    return blake2b(f"{episode.kind.value}\0{verdict}\0{words}".encode(), digest_size=16).digest()


def forget(connection: apsw.Connection, episode: Episode) -> None:
    """Remove everything derived from an episode's words: index row, vectors, and the hash that finds repetitions."""
    row, emptied = episode.row, replace(episode, content=None)
    connection.execute("DELETE FROM episode_words WHERE rowid = ?", (row,))
    # A contentless index only marks the row as gone; merging all segments into one writes its words no more.
    connection.execute("INSERT INTO episode_words (episode_words) VALUES ('optimize')")
    connection.execute("DELETE FROM vectors WHERE kind = 'episode' AND owner = ?", (row,))
    connection.execute("DELETE FROM vector_queue WHERE kind = 'episode' AND owner = ?", (row,))
    connection.execute(
        "UPDATE episode_facts SET recallable = 0, same = ? WHERE episode = ?", (repetition_key(emptied), emptied.row)
    )


def out_of_recall(connection: apsw.Connection, episode: EpisodeId) -> None:
    """Let recall bring an episode up no more; of a taught note, neither the messages that it was taught with."""
    rows: list[Any] = connection.execute(
        "SELECT o.row, o.id = n.id, o.meta ->> '$.language', c.body FROM episodes n JOIN episodes o"
        " ON o.subject = n.subject AND (o.id = n.id OR (n.kind = 'taught' AND o.kind IN ('question', 'answer')"
        "  AND o.seq BETWEEN n.seq - ?2 AND n.seq + 1)) JOIN contents c ON c.episode = o.row"
        " WHERE n.id = ?1 ORDER BY o.id = n.id DESC",
        (episode, _TAUGHT_WITHIN),
    ).fetchall()
    taught = ""
    for row, own, language, body in rows:
        content = content_from(body)
        said = " ".join(tokens(content.text, language)) if content else ""
        taught = said if own else taught
        if own or (taught and taught in said):
            connection.execute("UPDATE episode_facts SET recallable = 0 WHERE episode = ?", (row,))
