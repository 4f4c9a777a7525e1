"""Episodes as rows: the one place where values become stored bytes and stored bytes become values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from memory.episodes import (
    Content,
    Draft,
    Episode,
    EpisodeId,
    Evidence,
    Kind,
    Meta,
    Origin,
    State,
    SubjectId,
    Verdict,
)
from memory.moments import Moment

EPISODE_COLUMNS = (
    "e.row, e.id, e.subject, e.seq, e.kind, e.origin, e.at, e.offset, e.zone, e.recorded_at, e.salience, e.meta, c.body"
)
EPISODE_TABLES = "episodes e JOIN contents c ON c.episode = e.row"
SUMMARY_LENGTH = 120
_CONTENT_KEYS = ("topic", "reply", "expected", "evaluation")
_SENTENCE_ENDS = ".!?؟…。\n"


def valid_text(text: str) -> str:
    """Valid Unicode, before anything is hashed: a lone surrogate becomes U+FFFD, NUL goes."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "replace").decode("utf-8", "replace").replace("\0", "")


def summary_of(text: str) -> str:
    """The first sentence, cut at 120 characters on a word."""
    text = " ".join(text.split())
    for position, letter in enumerate(text[:SUMMARY_LENGTH]):
        ends = position + 1 >= len(text) or text[position + 1] == " "
        if letter in _SENTENCE_ENDS and ends and position > 2:
            return text[: position + 1]
    if len(text) <= SUMMARY_LENGTH:
        return text
    return text[: SUMMARY_LENGTH - 1].rsplit(" ", 1)[0] + "…"


def content_body(content: Content) -> str:
    """The JSON text of an episode's words, as stored and hashed."""
    words: dict[str, Any] = {"text": content.text}
    words["summary"] = content.summary or summary_of(content.text)
    for key in _CONTENT_KEYS:
        value = getattr(content, key)
        if value is not None:
            words[key] = value
    if content.extra:
        words["extra"] = dict(content.extra)
    return dump(valid(words))


def meta_text(draft: Draft) -> str:
    """The JSON text of an episode's meta, as stored and hashed."""
    meta = draft.meta
    kept: dict[str, Any] = {}
    for key in ("language", "predicted", "score", "external_id", "plan", "about", "replaces"):
        value = getattr(meta, key)
        if value is not None:
            kept[key] = value
    if meta.verdict is not None:
        kept["verdict"] = meta.verdict.value
    if meta.state is not None:
        kept["state"] = meta.state.value
    if meta.narration:
        kept["narration"] = True
    if meta.concepts:
        kept["concepts"] = list(meta.concepts)
    if meta.evidence:
        kept["evidence"] = [evidence_json(item) for item in meta.evidence]
    if meta.extra:
        kept["extra"] = dict(meta.extra)
    return dump(valid(kept))


def evidence_json(item: Evidence) -> dict[str, Any]:
    """A piece of evidence as the event log writes it."""
    kept: dict[str, Any] = {"file": item.file}
    if fingerprint := valid_text(item.sha256):
        kept["sha256"] = fingerprint
    if item.page is not None:
        kept["page"] = item.page
    if item.lines is not None:
        kept["lines"] = list(item.lines)
    return kept


def evidence_from(raw: Mapping[str, Any]) -> Evidence:
    """The inverse of :func:`evidence_json`. Raises ValueError or KeyError for what is not one."""
    page, lines = raw.get("page"), raw.get("lines")
    if page is not None and not isinstance(page, int):
        raise ValueError(f"page {page!r} is no number")
    if lines is not None:
        first, last = lines
        lines = (int(first), int(last))
    return Evidence(str(raw["file"]), str(raw.get("sha256") or ""), page, lines)


def dump(value: Any) -> str:
    """Compact JSON, keys sorted, NaN refused."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def valid(value: Any) -> Any:
    """A JSON value with every text in it made valid Unicode."""
    if isinstance(value, str):
        return valid_text(value)
    if isinstance(value, Mapping):
        return {valid_text(str(key)): valid(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [valid(item) for item in value]
    return value


def content_from(body: str) -> Content | None:
    """The words of an episode; None once they were redacted."""
    if not body:
        return None
    words = json.loads(body)
    return Content(
        text=words["text"],
        summary=words.get("summary", ""),
        topic=words.get("topic"),
        reply=words.get("reply"),
        expected=words.get("expected"),
        evaluation=words.get("evaluation"),
        extra=words.get("extra", {}),
    )


def meta_from(text: str) -> Meta:
    """The meta of an episode from its stored JSON."""
    kept = json.loads(text)
    return Meta(
        language=kept.get("language"),
        verdict=Verdict(kept["verdict"]) if "verdict" in kept else None,
        predicted=kept.get("predicted"),
        score=kept.get("score"),
        concepts=tuple(kept.get("concepts", ())),
        evidence=tuple(evidence_from(item) for item in kept.get("evidence", ())),
        external_id=kept.get("external_id"),
        plan=kept.get("plan"),
        narration=kept.get("narration", False),
        state=State(kept["state"]) if "state" in kept else None,
        about=kept.get("about"),
        replaces=kept.get("replaces"),
        extra=kept.get("extra", {}),
    )


def episode_from(row: tuple[Any, ...]) -> Episode:
    """An episode from a row of ``EPISODE_COLUMNS``."""
    number, id, subject, seq, kind, origin, at, offset, zone, recorded_at, salience, meta, body = row
    return Episode(
        row=number,
        id=EpisodeId(id),
        subject=SubjectId(subject),
        seq=seq,
        kind=Kind(kind),
        origin=Origin(origin),
        moment=Moment(at, offset, zone),
        recorded_at=recorded_at,
        salience=salience,
        meta=meta_from(meta),
        content=content_from(body),
    )


def searchable(content: Content) -> str:
    """All the words of an episode that a search should find."""
    parts = [content.text, content.reply, content.expected, content.evaluation, content.topic]
    return "\n".join(part for part in parts if part)


def placeholders(values: Iterable[object]) -> str:
    """``?, ?, ?`` for as many values."""
    return ", ".join("?" for _ in values)
