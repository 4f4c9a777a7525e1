"""Recall beside plain retrievers: which share of the evidence is among the first twenty, on the same histories.

    python tests/benchmark/memory/peers.py [--keep FOLDER] [--histories N] [--words-only] [--json FILE]

Every retriever sees the same events and the same questions (those that need memories). *BM25*: words, stemmed. *dense*:
cosine by this machine's embedding model. *fusion*: the two by reciprocal rank (constant 60). *ours*: the product's
recall, with its windows, concepts and gate; *ours, words only* without the embedding model. Evidence recall at twenty
is the share of the needed events that are found, at most twenty being needed.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from building import KEEP, SUBJECT, Builder
from figures import ORDER
from histories import History, Lived, histories
from questions import Question, questions
from shared_models import KeptEmbedder, no_embedder, one_embedder

from app.models.embed import Vector
from app.wiring import House
from memory.words import stems

LIMIT = 20
FUSION = 60
K1, B = 1.2, 0.75
"""BM25's usual constants."""
RETRIEVERS = ("BM25", "dense", "fusion", "ours, words only", "ours")

Ranking = list[str]


class Words:
    """BM25 over the events of one history."""

    def __init__(self, events: Sequence[Lived], language: str) -> None:
        self._language = language
        self._ids = [event.id for event in events]
        self._counts = [Counter(stems(event.words, language)) for event in events]
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._mean = sum(self._lengths) / max(1, len(events))
        self._holding = Counter(word for counts in self._counts for word in counts)

    def rank(self, text: str) -> Ranking:
        """Events that share a word with the text, best first."""
        scores: list[tuple[float, str]] = []
        wanted = set(stems(text, self._language))
        for id, counts, length in zip(self._ids, self._counts, self._lengths, strict=True):
            score = sum(self._score(word, counts[word], length) for word in wanted if word in counts)
            if score > 0:
                scores.append((score, id))
        return [id for _, id in sorted(scores, key=lambda pair: (-pair[0], pair[1]))]

    def _score(self, word: str, count: int, length: int) -> float:
        holding, total = self._holding[word], len(self._ids)
        rarity = math.log(1 + (total - holding + 0.5) / (holding + 0.5))
        return rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * length / self._mean))


def dense(events: Sequence[Lived], embedder: KeptEmbedder) -> Callable[[str], Ranking]:
    """Events by the cosine of their words with the text."""
    matrix = np.stack(embedder.embed_passages([event.words for event in events]))
    ids = [event.id for event in events]

    def rank(text: str) -> Ranking:
        near: Vector = matrix @ embedder.embed_query(text)
        return [ids[place] for place in np.argsort(-near, kind="stable")]

    return rank


def fused(*rankings: Ranking) -> Ranking:
    """Rankings joined by reciprocal rank."""
    scores: dict[str, float] = defaultdict(float)
    for ranking in rankings:
        for place, id in enumerate(ranking, 1):
            scores[id] += 1 / (FUSION + place)
    return sorted(scores, key=lambda id: (-scores[id], id))


def ours(house: House, question: Question, external: Mapping[str, str], *, meaning: bool) -> Ranking:
    """The product's recall; a folded line brings every event it stands for."""
    subject, now = house.subject(SUBJECT).id, house.clock.now()
    reading = house.reads.understand(subject, question.text, now, language=question.language)
    if not meaning:
        reading.vector = None
    recalled = house.reads.recall(subject, question.text, reading, now, limit=LIMIT)
    return [external[id] for memory in recalled.memories for id in memory.folded if id in external]


def found_share(question: Question, ranking: Ranking) -> float:
    """Evidence recall at twenty."""
    needed = set(question.gold.needed)
    return len(needed & set(ranking[:LIMIT])) / min(len(needed), LIMIT)


def compared(history: History, house: House, embedder: KeptEmbedder | None) -> list[dict[str, Any]]:
    """A row for every question that needs memories, with the share each retriever found (without a model, by words)."""
    subject = house.subject(SUBJECT).id
    external = {
        str(episode.id): episode.meta.external_id
        for episode in house.memory.ledger.find(subject)
        if episode.meta.external_id
    }
    words = Words(history.events, history.spoken)
    near = dense(history.events, embedder) if embedder is not None else None
    rows = []
    for question in questions(history, house, subject):
        if not question.gold.needed:
            continue
        by_words = words.rank(question.text)
        rankings = {"BM25": by_words, "ours, words only": ours(house, question, external, meaning=False)}
        if near is not None:
            by_meaning = near(question.text)
            rankings |= {"dense": by_meaning, "fusion": fused(by_words, by_meaning)}
            rankings["ours"] = ours(house, question, external, meaning=True)
        shares = {name: found_share(question, ranking) for name, ranking in rankings.items()}
        rows.append({"id": question.id, "category": question.category, "language": question.language} | shares)
    return rows


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--keep", type=Path, default=KEEP)
    options.add_argument("--histories", type=int)
    options.add_argument("--words-only", action="store_true", help="no embedding model: BM25 and ours by words alone")
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    wanted, builder = histories(chosen.histories), Builder(chosen.keep)
    rows: list[dict[str, Any]] = []
    with ExitStack() as stack:
        embedder = None
        if chosen.words_only:
            stack.enter_context(no_embedder())
        else:
            embedder = stack.enter_context(one_embedder(chosen.keep))
        builder.build(wanted)
        if embedder is not None:
            builder.embed(wanted, embedder)
        for history in wanted:
            with builder.opened(history) as house:
                rows += compared(history, house, embedder)
    shown = [name for name in RETRIEVERS if name in rows[0]]
    print("| evidence recall@20 | questions | " + " | ".join(shown) + " |")
    print("|---" * (len(shown) + 2) + "|")
    for by in ("category", "language"):
        for value in ORDER[by]:
            _line(value, [row for row in rows if row[by] == value], shown)
    _line("**all**", rows, shown)
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1), "utf-8")


def _line(name: str, rows: Sequence[Mapping[str, Any]], shown: Sequence[str]) -> None:
    if rows:
        means = [f"{100 * sum(row[each] for row in rows) / len(rows):.1f}" for each in shown]
        print(f"| {name} | {len(rows)} | " + " | ".join(means) + " |")


if __name__ == "__main__":
    main()
