"""Why this answer: what reached the prompt of an answer, with scores, claims and timings, rendered from ids."""

from __future__ import annotations

from typing import Any

from memory.episodes import ConceptId, EpisodeId, Kind, Origin, SubjectId
from memory.faults import UnknownEpisode
from memory.memory import Memory
from memory.passages import PassageId


class NoAnswerYet(LookupError):
    """The tutor has answered nothing in this subject."""


def explain(memory: Memory, subject: SubjectId, answer: str | None) -> dict[str, Any]:
    """The brief, reads, claims, status and timings of an answer: the one named, or the subject's last.

    ``brief`` is line by line what the model read, its words taken from the ledger and the map; what was redacted since
    stays gone. Raises NoAnswerYet and UnknownEpisode.
    """
    if answer is None:
        latest = memory.ledger.find(subject, kinds=[Kind.ANSWER], newest_first=True, limit=200)
        episode = next((each for each in latest if each.origin is Origin.TUTOR), None)
    else:
        episode = memory.ledger.get(answer)
        if episode is None or episode.kind is not Kind.ANSWER:
            raise UnknownEpisode(answer)
    if episode is None:
        raise NoAnswerYet
    kept = memory.records.status(episode.id)
    status, brief, timings = kept if kept is not None else ("", None, {})
    question = memory.ledger.get(episode.meta.about) if episode.meta.about else None
    return {
        "answer": episode.id,
        "question": question.summary if question else None,
        "text": episode.content.text if episode.content else None,
        "plan": episode.meta.plan,
        "status": status,
        "brief": memory.kept_briefs.shown(brief),
        "reads": [
            {"kind": kind, "source": source, "rank": rank, "score": score, "words": _words(memory, kind, source)}
            for kind, source, rank, score in memory.records.reads(episode.id)
        ],
        "citations": [
            {
                "claim": episode.content.text[link.first : link.last] if episode.content else None,
                "kind": link.kind,
                "source": link.source,
                "score": link.score,
            }
            for link in memory.records.citations(episode.id)
        ],
        "timings": timings,
    }


def _words(memory: Memory, kind: str, source: str) -> str:
    """What a source says, on one line."""
    match kind:
        case "episode":
            episode = memory.ledger.get(EpisodeId(source))
            return f"{episode.moment.day.isoformat()} {episode.summary}" if episode else ""
        case "passage":
            passage = memory.passages.get(PassageId(int(source)))
            return f"{passage.name}, p. {passage.page}: {' '.join(passage.text.split())}" if passage else ""
        case "concept":
            concepts = memory.map.many([ConceptId(source)])
            return concepts[0].name if concepts else ""
        case "belief":
            held = memory.beliefs.get(source)
            return f"{held.name}: {held.claim.value} ({held.confidence:.2f})" if held else ""
        case _:
            return ""
