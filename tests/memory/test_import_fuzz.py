"""Any bytes may come as a log: what is no event is reported, nothing ever ends in a traceback, nothing is doubled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memory.chat_exports import NotAChatExport, read_chat_export

KEYS = ["at", "kind", "text", "summary", "external_id", "subject", "reply", "expected", "score", "concept", "topic"]
KEYS += [
    "verdict",
    "predicted",
    "evaluation",
    "evidence",
    "language",
    "extra",
    "zone",
    "state",
    "id",
    "chain",
    "belief",
]
texts = st.text(st.characters(exclude_categories=()), max_size=12) | st.sampled_from(
    ["question", "check", "taught", "right", "2026-03-14", "2026-03-14T16:05:00+01:00", "\ud800", "\x00", "", "default"]
)
atoms = st.none() | st.booleans() | st.integers() | st.floats() | texts | st.just(10**400) | st.just(1e999)
values = st.recursive(
    atoms, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | texts, inner, max_size=3)
)
events = st.dictionaries(st.sampled_from(KEYS), values, max_size=8).map(
    lambda event: {"at": "2026-03-14T16:05:00+01:00", "kind": "question", "text": "?", **event}
)
lines = (
    (events | values).map(json.dumps)
    | st.text(max_size=30)
    | st.binary(max_size=30).map(lambda raw: raw.decode("utf-8", "replace"))
)
settled = settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)


ODD = [
    '{"at": "2026-03-14", "kind": "question", "text": "?", "extra": {"x": 1e999}}',
    '{"at": "2026-03-14", "kind": "question", "text": "?", "external_id": "\\ud800"}',
    '{"at": "2026-03-14", "kind": "question", "text": "?", "external_id": "a\\u0000b"}',
    '{"at": "2026-03-14", "kind": "question", "text": "\\ud800 one"}',
    '{"at": "2026-03-14", "kind": "question", "text": "?", "subject": "\\u0000"}',
    '{"at": "2026-03-14", "kind": "question", "text": "?", "subject": " "}',
    '{"at": "2026-03-14", "kind": "check", "text": "?", "verdict": "right", "concept": "\\ud800"}',
    '{"at": "2026-03-14", "kind": "check", "text": "?", "verdict": "right", "concept": "?!"}',
    '{"at": "2026-03-14", "kind": "check", "text": "?", "evidence": [{"file": null, "lines": [1]}]}',
    '{"at": "2026-03-14", "kind": "check", "text": "?", "evidence": [{"file": "a", "lines": ["x", "y"]}]}',
    '{"at": "2026-03-14", "kind": "question", "text": "?", "zone": "../../etc/passwd"}',
    '{"at": "2026-03-14", "kind": "question", "text": "?", "zone": "\\u0000"}',
    '{"at": "2026-03-14", "kind": "question", "text": "?", "state": [], "language": {}}',
    '{"at": "2026-03-14", "kind": "question", "text": "?", "score": 1' + "0" * 400 + "}",
    '{"at": "2026-03-14", "kind": "question", "text": "?", "extra": ' + "[" * 900 + "]" * 900 + "}",
    '{"at": "2026-03-14", "kind": "question", "text": "?", "extra": {"a": ' + "[" * 300 + "]" * 300 + "}}",
    '{"chain": {"subject": "bio"}, "id": "x", "kind": "question", "at": "2026-03-14", "text": "?"}',
    '{"chain": {}, "id": "x", "seq": 1}',
    '{"belief": {"id": "x"}, "subject_id": "bio"}',
    '{"belief": [], "subject_id": []}',
]


@settled
@example(ODD)
@given(st.lists(lines, max_size=6))
def test_any_lines_are_imported_or_reported_and_again_change_nothing(brain: Any, log: list[str]) -> None:
    done = brain.take(*log)
    assert done.imported + done.skipped + len(done.errors) <= len(log)
    again = brain.take(*log)
    assert again.imported == 0, "what was taken once is known"
    assert all(state.ok for state in brain.memory.verification.chains())


node = st.fixed_dictionaries(
    {},
    optional={
        "id": texts,
        "parent": st.sampled_from(["a", "b", "c", None]) | values,
        "message": values
        | st.fixed_dictionaries(
            {},
            optional={
                "id": values,
                "author": st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "system", "tool"])})
                | values,
                "content": st.fixed_dictionaries({"parts": st.lists(values, max_size=3) | values}) | values,
                "create_time": values | st.floats(0, 2e9),
                "recipient": values,
                "metadata": values,
            },
        ),
    },
)
conversations = st.fixed_dictionaries(
    {},
    optional={
        "title": values,
        "mapping": st.dictionaries(st.sampled_from("abc"), node | values, max_size=3) | values,
        "current_node": st.sampled_from(["a", "b", "c"]) | values,
        "create_time": values,
    },
)


@settled
@given(st.lists(conversations | values, max_size=4).map(json.dumps) | st.text(max_size=40))
def test_any_conversations_are_read_or_reported_and_never_teach(brain: Any, text: str) -> None:
    try:
        read = read_chat_export(text)
    except NotAChatExport:
        return
    done = brain.take(*read.lines)
    assert done.errors == []
    assert {json.loads(line)["kind"] for line in read.lines} <= {"question", "answer"}
    assert brain.take(*read.lines).imported == 0
    assert brain.beliefs() == []
    assert brain.memory.map.notes(brain.subject.id) == []


@settings(max_examples=25, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["events", "chatgpt"]))
def test_any_bytes_as_a_file_end_in_a_code_of_the_contract(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes, format: str
) -> None:
    from app.__main__ import main

    folder: Path = tmp_path_factory.getbasetemp() / "any-bytes"
    folder.mkdir(exist_ok=True)
    (folder / "file").write_bytes(raw)
    words = ["--data", str(folder / "data"), "--json", "import", str(folder / "file"), "--format", format]
    assert main(words) in (0, 4)
