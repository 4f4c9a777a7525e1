"""Conversations held elsewhere come in as questions and answers, and as nothing more."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory.chat_exports import NotAChatExport, read_chat_export


def node(id: str, parent: str | None, role: str, text: Any, at: float | None = 1_750_000_000.0, **more: Any) -> Any:
    content = {"content_type": "text", "parts": text if isinstance(text, list) else [text]}
    message = {"id": f"m-{id}", "author": {"role": role}, "content": content, "create_time": at, **more}
    return {"id": id, "parent": parent, "children": [], "message": message}


def conversation(*nodes: Any, current: str | None = None, **more: Any) -> Any:
    root: dict[str, Any] = {"id": "root", "parent": None, "children": [], "message": None}
    return {"title": "Cells", "mapping": {each["id"]: each for each in (root, *nodes)}, "current_node": current, **more}


def events(*conversations: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in read_chat_export(json.dumps(conversations)).lines]


def test_messages_become_questions_and_answers_with_their_dates_and_ids() -> None:
    asked, told = (
        node("a", "root", "user", "What is osmosis?"),
        node("b", "a", "assistant", "Water moving.", 1.75e9 + 9),
    )
    first, second = events(conversation(asked, told, current="b"))
    assert (first["kind"], first["text"], first["external_id"]) == ("question", "What is osmosis?", "chatgpt:m-a")
    assert (second["kind"], second["at"]) == ("answer", "2025-06-15T15:06:49+00:00")


def test_only_the_branch_that_was_shown_is_told() -> None:
    nodes = [
        node("a", "root", "user", "What is osmosis?"),
        node("b", "a", "assistant", "A first try."),
        node("c", "a", "assistant", "A better try.", 1.75e9 + 60),
    ]
    assert [event["text"] for event in events(conversation(*nodes, current="c"))][1:] == ["A better try."]
    assert [event["text"] for event in events(conversation(*nodes))][1:] == ["A better try."]


def test_tools_system_messages_pictures_and_hidden_words_are_nobodys() -> None:
    nodes = [
        node("a", "root", "system", "Be kind."),
        node("b", "a", "user", [{"asset_pointer": "file://picture"}]),
        node("c", "b", "tool", "search results"),
        node("d", "c", "assistant", "search('osmosis')", recipient="browser"),
        node("e", "d", "user", "secret", metadata={"is_visually_hidden_from_conversation": True}),
        node("f", "e", "user", "Remember that osmosis needs no energy"),
    ]
    (only,) = events(conversation(*nodes, current="f"))
    assert only["kind"] == "question", "even words that would teach are only a question here"


def test_what_makes_no_sense_is_reported_and_stops_nothing() -> None:
    circle = conversation(node("a", "b", "user", "round"), node("b", "a", "assistant", "and round"), current="a")
    undated = conversation(node("a", "root", "user", "When?", None), current="a")
    good = conversation(node("a", "root", "user", "What is osmosis?"), current="a")
    odd = conversation(
        node("a", "root", "user", "x", content={"content_type": "text", "parts": "no list"}), current="a"
    )
    read = read_chat_export(json.dumps([None, {"mapping": []}, circle, undated, odd, good]))
    assert [error.line for error in read.errors] == [1, 2, 3, 4, 5]
    assert len(read.lines) == 1


def test_a_message_without_a_date_takes_the_one_before() -> None:
    nodes = [node("a", "root", "user", "What is osmosis?"), node("b", "a", "assistant", "Water moving.", None)]
    first, second = events(conversation(*nodes, current="b"))
    assert first["at"] == second["at"]


@pytest.mark.parametrize("text", ["", "not json", "42", '{"a": 1}', "[" * 100_000])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(NotAChatExport):
        read_chat_export(text)
