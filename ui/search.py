"""One search over everything of a subject: concepts, passages, and every episode, notes and checks included."""

from __future__ import annotations

from dataclasses import dataclass

from memory.episodes import SubjectId
from memory.memory import Memory
from ui.desk import Desk
from ui.messages import Messages
from ui.text import one_line

HIT_ICONS = {"concept": "map", "passage": "file", "episode": "note"}
_HITS = 12


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that a search found: what it is (episode, passage, concept), its id, how it reads, where it stands."""

    kind: str
    id: str
    words: str
    where: str


def search(memory: Memory, subject: SubjectId, text: str, language: str, t: Messages) -> list[Hit]:
    """Concepts, passages and episodes that hold a text's words. Read on the reads lane."""
    sought = text.casefold()
    hits = [
        Hit("concept", concept.id, concept.name_in(language), t("map.concept"))
        for concept in memory.map.concepts(subject)
        if any(sought in name.name.casefold() for name in concept.names)
    ][:_HITS]
    for found in memory.passages.search(subject, text, language, limit=_HITS):
        where = f"{found.passage.name} · {t('source.page', page=found.passage.label or found.passage.page)}"
        hits.append(Hit("passage", str(found.passage.id), one_line(found.passage.text, 110), where))
    for episode in memory.ledger.search(subject, text, language, limit=_HITS):
        if episode.content is not None:
            where = f"{t.short_day(episode.moment.day)} · {t(f'kind.{episode.kind.value}')}"
            hits.append(Hit("episode", episode.id, one_line(episode.content.text, 110), where))
    return hits


def open_hit(desk: Desk, hit: Hit) -> None:
    """Show what was found where it is kept."""
    if hit.kind == "episode":
        desk.episode_asked.emit(hit.id)
    elif hit.kind == "passage":
        desk.passage_asked.emit(int(hit.id))
    else:
        desk.concept_asked.emit(hit.id)
