"""The event log: one JSON object a line, read and written. Pure: no database, no rules.

The format is a contract (README, "Event log"): unknown keys are kept under ``extra``, missing ones are fine, a bad
line is an error with its reason and stops nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import isinf
from typing import Any

from memory.episodes import Content, Episode, Evidence, Kind, State, Verdict
from memory.moments import Moment
from memory.rows import evidence_from, evidence_json, valid
from memory.subjects import fitting_name
from memory.words import LANGUAGES

_KINDS = frozenset({Kind.QUESTION, Kind.ANSWER, Kind.CHECK, Kind.QUIZ, Kind.TAUGHT, Kind.FILE})
_KNOWN = frozenset(
    {"at", "kind", "text", "summary", "external_id", "subject", "reply", "expected", "score", "concept", "topic"}
    | {"verdict", "predicted", "evaluation", "evidence", "language", "extra", "zone", "state"}
)
_EXPORTED = frozenset(
    {"id", "seq", "recorded_at", "origin", "salience", "offset", "plan", "concepts", "chain", "about"}
)
LONGEST_TEXT = 1_000_000


class BadEvent(ValueError):
    """A line that is no event: ``code`` says why, with the ``values`` its sentence names."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


class AlreadyOurs(BadEvent):
    """A line of an export that only means something in its own chain (a consolidation, a redaction …)."""


@dataclass(frozen=True, slots=True)
class Event:
    """One line of an event log, understood but not yet routed. ``exported`` is the id it had where it came from."""

    kind: Kind
    moment: Moment
    content: Content
    external_id: str
    subject: str | None = None
    concept: str | None = None
    verdict: Verdict | None = None
    predicted: float | None = None
    score: float | None = None
    evidence: tuple[Evidence, ...] = ()
    language: str | None = None
    state: State | None = None
    exported: str | None = None


def parse_line(line: str, zone: str = "") -> Event:
    """Read one line. Times without an offset are read in ``zone`` (default UTC). Raises BadEvent."""
    raw = _object(line)
    try:
        kind = Kind(str(raw.get("kind")))
    except ValueError as error:
        raise BadEvent("kind_unknown", value=raw.get("kind"), known=", ".join(sorted(_KINDS))) from error
    if kind not in _KINDS:
        raise (AlreadyOurs if "chain" in raw else BadEvent)("kind_ours", value=kind.value)
    verdict = _verdict(raw.get("verdict"), kind)
    extra = {key: value for key, value in raw.items() if key not in _KNOWN | _EXPORTED}
    kept = raw.get("extra")
    if isinstance(kept, dict):
        extra = {**kept, **extra}
    text = _text(raw, "text") or ""
    if not text.strip() and not any(_text(raw, key) for key in ("summary", "topic", "reply", "concept")):
        raise BadEvent("no_text")
    content = Content(
        text=text,
        summary=_text(raw, "summary") or "",
        topic=_text(raw, "topic"),
        reply=_text(raw, "reply"),
        expected=_text(raw, "expected"),
        evaluation=_text(raw, "evaluation"),
        extra=extra,
    )
    language = raw.get("language")
    return Event(
        kind=kind,
        moment=_moment(raw, zone),
        content=content,
        external_id=_external_id(raw, line),
        subject=fitting_name(_text(raw, "subject") or "") or None,
        concept=_text(raw, "concept") or None,
        verdict=verdict,
        predicted=_share(raw, "predicted"),
        score=_number(raw, "score"),
        evidence=_evidence(raw.get("evidence")),
        language=language if language in LANGUAGES else None,
        state=State(raw["state"]) if raw.get("state") in tuple(State) else None,
        exported=str(raw["id"]) if "chain" in raw and "id" in raw else None,
    )


def event_line(episode: Episode, subject: str, chain: Mapping[str, Any]) -> str:
    """One episode as a line of the event log, with its place in the chain."""
    content, meta = episode.content, episode.meta
    line: dict[str, Any] = {
        "at": episode.moment.iso,
        "kind": episode.kind.value,
        "text": content.text if content else None,
        "summary": content.summary if content else None,
        "external_id": meta.external_id,
        "subject": subject,
        "id": episode.id,
        "seq": episode.seq,
        "recorded_at": Moment(episode.recorded_at).iso,
        "origin": episode.origin.value,
        "salience": episode.salience,
        "offset": episode.moment.offset,
        "zone": episode.moment.zone,
        "plan": meta.plan,
        "concepts": list(meta.concepts),
        "language": meta.language,
        "chain": dict(chain),
    }
    if content is not None:
        for key in ("topic", "reply", "expected", "evaluation"):
            if getattr(content, key) is not None:
                line[key] = getattr(content, key)
        if content.extra:
            line["extra"] = dict(content.extra)
    if meta.verdict is not None:
        line["verdict"] = meta.verdict.value
    for key in ("predicted", "score", "state", "about", "replaces"):
        if getattr(meta, key) is not None:
            line[key] = getattr(meta, key)
    if isinstance(meta.extra.get("named"), str):
        line["concept"] = meta.extra["named"]
    if meta.evidence:
        line["evidence"] = [evidence_json(item) for item in meta.evidence]
    return json.dumps(line, ensure_ascii=False, allow_nan=False)


def _object(line: str) -> dict[str, Any]:
    try:
        raw = valid(json.loads(line, parse_constant=_no_constant, parse_float=_finite))
    except (ValueError, RecursionError) as error:
        raise BadEvent("not_json") from error
    if not isinstance(raw, dict):
        raise BadEvent("not_an_object")
    return raw


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    if isinf(number):
        raise ValueError(digits)
    return number


def _text(raw: Mapping[str, Any], key: str) -> str | None:
    value = raw.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise BadEvent("not_text", key=key)
    if len(value) > LONGEST_TEXT:
        raise BadEvent("too_long", key=key, most=LONGEST_TEXT)
    return value


def _number(raw: Mapping[str, Any], key: str) -> float | None:
    value = raw.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e12:
        raise BadEvent("not_a_number", key=key)
    return float(value)


def _share(raw: Mapping[str, Any], key: str) -> float | None:
    value = _number(raw, key)
    if value is not None and not 0 <= value <= 1:
        raise BadEvent("not_a_share", key=key)
    return value


def _verdict(value: Any, kind: Kind) -> Verdict | None:
    if value is None:
        return None
    if kind is not Kind.CHECK:
        raise BadEvent(f"verdict_of_{kind.value}")
    try:
        return Verdict(value)
    except ValueError as error:
        raise BadEvent("verdict_unknown", value=value) from error


def _moment(raw: Mapping[str, Any], zone: str) -> Moment:
    at = raw.get("at")
    if not isinstance(at, str):
        raise BadEvent("no_time")
    named = raw.get("zone")
    try:
        moment = Moment.parse(at, named if isinstance(named, str) and named else zone)
        year = moment.local.year
    except (ValueError, OverflowError) as error:
        raise BadEvent("bad_time", value=at) from error
    if not 1900 <= year <= 9000:
        raise BadEvent("time_out_of_range", value=at)
    return moment


def _external_id(raw: Mapping[str, Any], line: str) -> str:
    given = raw.get("external_id")
    if given is None and "chain" in raw and "id" in raw:
        return f"retiens:{raw['id']}"
    if given is None:
        return "sha256:" + sha256(line.strip().encode("utf-8", "replace")).hexdigest()
    if not isinstance(given, str | int) or isinstance(given, bool):
        raise BadEvent("not_text", key="external_id")
    return str(given)


def _evidence(value: Any) -> tuple[Evidence, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise BadEvent("evidence_no_list")
    try:
        return tuple(evidence_from(item) for item in value)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadEvent("bad_evidence") from error
