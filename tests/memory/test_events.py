from __future__ import annotations

import json
from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.episodes import Evidence, Kind, Verdict
from memory.events import AlreadyOurs, BadEvent, parse_line

CHECK = {
    "at": "2026-03-14T16:05:00+01:00",
    "kind": "check",
    "text": "What moves in osmosis?",
    "reply": "water",
    "expected": "Water",
    "topic": "osmosis",
    "verdict": "right",
    "predicted": 0.62,
    "evaluation": "Yes.",
    "evidence": [{"file": "cells.pdf", "sha256": "ab", "page": 3}],
    "language": "en",
    "mood": "cheerful",
}


def test_a_whole_line_is_understood() -> None:
    event = parse_line(json.dumps(CHECK))
    assert (event.kind, event.verdict, event.predicted) == (Kind.CHECK, Verdict.RIGHT, 0.62)
    assert event.moment.day == date(2026, 3, 14)
    assert event.content.extra == {"mood": "cheerful"}
    assert event.evidence == (Evidence("cells.pdf", "ab", 3),)
    assert event.external_id.startswith("sha256:")


def test_the_same_line_has_the_same_id_and_another_line_another() -> None:
    line = json.dumps(CHECK)
    assert parse_line(line).external_id == parse_line(line + "\n").external_id
    assert parse_line(line).external_id != parse_line(json.dumps({**CHECK, "reply": "salt"})).external_id
    assert parse_line(json.dumps({**CHECK, "external_id": 7})).external_id == "7"


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "dream"},
        {"kind": "consolidation"},
        {"kind": "question"},
        {"at": None},
        {"at": "soon"},
        {"verdict": "perfect"},
        {"predicted": 3},
        {"predicted": True},
        {"score": "high"},
        {"evidence": {"file": "x"}},
        {"evidence": [{"page": 3}]},
        {"evidence": [{"file": "x", "page": "three"}]},
        {"text": 5},
        {"text": "", "topic": None, "reply": None},
        {"external_id": [1]},
    ],
)
def test_a_bad_line_says_why(change: dict[str, object]) -> None:
    with pytest.raises(BadEvent) as caught:
        parse_line(json.dumps({**CHECK, **change}))
    assert caught.value.code


@pytest.mark.parametrize("line", ["", "nothing", "[1]", "{", '{"at": NaN}', "[" * 100_000])
def test_what_is_no_json_object_is_a_bad_line(line: str) -> None:
    with pytest.raises(BadEvent):
        parse_line(line)


def test_the_bookkeeping_of_an_export_is_told_apart_from_nonsense() -> None:
    with pytest.raises(AlreadyOurs):
        parse_line(json.dumps({**CHECK, "kind": "redaction", "chain": {}}))


VALUES = st.none() | st.integers() | st.text(max_size=20) | st.floats()


@given(st.dictionaries(st.text(max_size=12), VALUES, max_size=6))
def test_no_line_whatsoever_breaks_the_reader(raw: dict[str, object]) -> None:
    for line in (json.dumps(raw), json.dumps({**CHECK, **raw})):
        with suppress(BadEvent):
            parse_line(line)
