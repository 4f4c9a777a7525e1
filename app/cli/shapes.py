"""Values as JSON: the shapes that the contract of the command line names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.read_path import Reading
from app.turn_events import Citation, MemoryRef, TurnResult
from memory.belief_rules import Belief
from memory.concept_rows import Concept
from memory.memory import Memory
from memory.recall import Recalled, Remembered
from memory.understanding import Understanding


def understanding(meaning: Understanding) -> dict[str, Any]:
    """``understand``."""
    window = meaning.window
    return {
        "kind": meaning.kind.value,
        "sub": meaning.sub,
        "window": {"from": window.first.isoformat(), "to": window.last.isoformat()} if window else None,
        "concepts": [{"id": route.id, "name": route.name, "how": route.how} for route in meaning.routes],
        "concept_text": meaning.concept_text,
        "taught": meaning.taught,
        "language": meaning.language,
    }


def memory_ref(ref: MemoryRef) -> dict[str, Any]:
    """A memory as ``ask`` lists it."""
    return {
        "id": ref.id,
        "external_id": ref.external_id,
        "kind": ref.kind,
        "at": ref.at.iso,
        "label": ref.label,
    }


def remembered(memory: Remembered) -> dict[str, Any]:
    """A memory as ``recall`` and ``brief`` list it."""
    episode, why = memory.episode, memory.why
    return {
        "id": episode.id,
        "external_id": episode.meta.external_id,
        "kind": episode.kind.value,
        "at": episode.moment.iso,
        "label": episode.summary,
        "score": memory.score,
        "why": {
            "lexical": round(why.lexical, 4),
            "concept": round(why.concept, 4),
            "semantic": round(why.semantic, 4),
            "salience": why.salience,
            "recency": round(why.recency, 4),
        },
        "folded": list(memory.folded),
    }


def recall(recalled: Recalled, meaning: Understanding, timings: dict[str, float]) -> dict[str, Any]:
    """``recall``."""
    return {
        "memories": [remembered(memory) for memory in recalled.memories],
        "window": understanding(meaning)["window"],
        "basis": recalled.basis.value,
        "empty_window": recalled.empty_window,
        "weaker": recalled.weaker,
        "timings": {**timings, **recalled.timings},
    }


def brief(reading: Reading, beliefs: Sequence[Belief], concepts: Sequence[Concept]) -> dict[str, Any]:
    """``brief``."""
    meaning = understanding(reading.understanding)
    shown = {read.source for read in reading.brief.reads}
    return {
        "kind": meaning["kind"],
        "sub": meaning["sub"],
        "window": meaning["window"],
        "concepts": meaning["concepts"],
        "language": meaning["language"],
        "text": reading.brief.text,
        "tokens": reading.brief.tokens,
        "left_out": reading.brief.left_out,
        "memories": [remembered(memory) for memory in reading.brief.memories],
        "beliefs": [belief(held) for held in beliefs if held.id in shown],
        "map": [{"id": concept.id, "name": concept.name} for concept in concepts if concept.id in shown],
        "passages": [
            {
                "source": found.passage.name,
                "page": found.passage.page,
                "lines": [found.passage.first_line, found.passage.last_line],
                "score": round(found.score, 4),
            }
            for found in reading.passages
        ],
        "timings": {**reading.timings, **(reading.recalled.timings if reading.recalled else {})},
    }


def belief(held: Belief) -> dict[str, Any]:
    """A belief row."""
    return {
        "id": held.id,
        "concept": held.name,
        "concept_id": held.concept,
        "claim": held.claim.value,
        "confidence": round(held.confidence, 4),
        "mastery": round(held.mastery, 4),
        "since": held.valid_from.iso,
        "known_since": held.known_since,
        "because": list(held.episodes),
        "confirm": held.confirm,
        "superseded_by": held.superseded_by,
        "reason": held.reason.value,
    }


def concept(found: Concept, memory: Memory) -> dict[str, Any]:
    """A node of the map."""
    quote = found.definition
    return {
        "id": found.id,
        "name": found.name,
        "aliases": list(found.aliases),
        "summary": found.summary,
        "definition": quote.text if quote else None,
        "place": {"page": quote.page, "lines": [quote.first_line, quote.last_line]} if quote else None,
        "maturity": found.maturity,
        "centrality": round(found.centrality, 6),
        "files": [{"path": place.file, "name": place.name, "pages": list(place.pages)} for place in found.places],
        "builds_on": list(found.builds_on),
        "assumed": list(found.assumed),
        "taught": [note.summary for note in memory.ledger.many(list(found.notes))],
        "origin": found.origin.value,
        "explained": found.explained,
    }


def citation(link: Citation) -> dict[str, Any]:
    """A claim and what it rests on."""
    return {
        "claim": link.claim,
        "source": link.source or None,
        "page": link.page,
        "lines": list(link.lines) if link.lines else None,
        "episode": link.episode,
        "score": link.score,
    }


def turn(result: TurnResult) -> dict[str, Any]:
    """``ask``."""
    timings = {"understand_ms": 0.0, "brief_ms": 0.0, "first_token_ms": 0.0, "total_ms": 0.0, **result.timings}
    return {
        "kind": result.kind,
        "sub": result.sub,
        "plan": result.plan.value,
        "answer": result.text,
        "language": result.language,
        "memories": [memory_ref(ref) for ref in result.memories],
        "citations": [citation(link) for link in result.citations],
        "status": result.status,
        "brief_tokens": result.brief_tokens,
        "timings": timings,
        "question_id": result.question,
        "answer_id": result.answer,
        "taught": result.taught,
        "wish": result.wish,
        "check": {"question": result.check.question, "choices": list(result.check.choices)} if result.check else None,
        "verdict": result.verdict.value if result.verdict else None,
        "reminder": {"episode": result.reminder.episode, "text": result.reminder.text} if result.reminder else None,
    }
