"""Conversations held elsewhere: ChatGPT's ``conversations.json`` as lines of the event log.

A conversation is a tree of nodes, because a message can be edited and an answer made again; the branch that was last
shown is the conversation. The student's messages become questions and the assistant's become answers, with their own
dates and under their own ids. Nothing of it is ever a taught note or a check, so nothing of it becomes a belief.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memory.exchange import LineError

_KINDS = {"user": "question", "assistant": "answer"}
_SHOWN = frozenset({"text", "multimodal_text"})
"""Content types that a person typed or read; the others are the assistant's tools at work."""


class NotAChatExport(ValueError):
    """The text is not the JSON list of conversations that ChatGPT exports."""


class _Unread(ValueError):
    """A conversation or a message that makes no sense; its words are the code of the reason."""


@dataclass(frozen=True, slots=True)
class ChatExport:
    """An export, read: event lines in order of time, and the conversations (numbered from 1) that made no sense."""

    lines: tuple[str, ...]
    errors: tuple[LineError, ...]


def read_chat_export(text: str) -> ChatExport:
    """Read ``conversations.json``. Raises NotAChatExport; one bad conversation or message stops no other."""
    try:
        raw = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise NotAChatExport(str(error)) from error
    if isinstance(raw, dict):
        raw = raw.get("conversations", [raw] if "mapping" in raw else None)
    if not isinstance(raw, list):
        raise NotAChatExport("not a list of conversations")
    dated: list[tuple[float, int, str]] = []
    errors: list[LineError] = []
    for number, conversation in enumerate(raw, 1):
        try:
            branch = _branch(conversation)
        except (ValueError, TypeError) as error:
            errors.append(LineError(number, _code(error, "chat_no_messages")))
            continue
        start = _time(conversation.get("create_time"))
        for place, message in enumerate(branch):
            try:
                event = _event(message, conversation, start)
            except (ValueError, TypeError, OverflowError, OSError) as error:
                errors.append(LineError(number, _code(error, "chat_unreadable"), {"message": place + 1}))
                continue
            if event is not None:
                start = event[0]
                dated.append((event[0], len(dated), json.dumps(event[1], ensure_ascii=False)))
    dated.sort(key=lambda each: each[:2])
    return ChatExport(tuple(line for _, _, line in dated), tuple(errors))


def _branch(conversation: Any) -> list[Mapping[str, Any]]:
    """The messages of the branch last shown, oldest first. Raises _Unread."""
    if not isinstance(conversation, dict) or not isinstance(conversation.get("mapping"), dict):
        raise _Unread("chat_no_messages")
    nodes = {str(id): node for id, node in conversation["mapping"].items() if isinstance(node, dict)}
    here = conversation.get("current_node")
    if not isinstance(here, str) or here not in nodes:
        here = _newest_leaf(nodes)
    branch: list[Mapping[str, Any]] = []
    passed: set[str] = set()
    while isinstance(here, str) and here in nodes:
        if here in passed:
            raise _Unread("chat_circle")
        passed.add(here)
        message = nodes[here].get("message")
        if isinstance(message, dict):
            branch.append({"id": here, **message})
        here = nodes[here].get("parent")
    return branch[::-1]


def _newest_leaf(nodes: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Where the newest branch ends, for an export that does not say which one was shown."""
    parents = {node.get("parent") for node in nodes.values() if isinstance(node.get("parent"), str)}
    leaves = [id for id in nodes if id not in parents]

    def age(id: str) -> float:
        message = nodes[id].get("message")
        return (_time(message.get("create_time")) if isinstance(message, dict) else None) or 0.0

    return max(leaves, key=age, default=None)


def _event(
    message: Mapping[str, Any], conversation: Mapping[str, Any], before: float | None
) -> tuple[float, dict[str, Any]] | None:
    """(Unix time, event) of one message; None when it is nobody's words. A message without a date takes the last one.

    Raises _Unread.
    """
    author, content, metadata = message.get("author"), message.get("content"), message.get("metadata")
    kind = _KINDS.get(str(author.get("role"))) if isinstance(author, dict) else None
    if kind is None or not isinstance(content, dict) or content.get("content_type", "text") not in _SHOWN:
        return None
    if isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation"):
        return None
    if message.get("recipient", "all") != "all":
        return None
    parts = content.get("parts")
    if not isinstance(parts, list):
        raise _Unread("chat_no_parts")
    text = "\n".join(part for part in parts if isinstance(part, str)).strip()
    if not text:
        return None
    at = _time(message.get("create_time")) or before
    if at is None:
        raise _Unread("chat_no_date")
    event = {
        "at": datetime.fromtimestamp(at, UTC).isoformat(),
        "kind": kind,
        "text": text,
        "external_id": f"chatgpt:{message['id']}",
        "extra": {"conversation": str(conversation.get("title") or "")[:200]},
    }
    return at, event


def _code(error: Exception, otherwise: str) -> str:
    return str(error) if isinstance(error, _Unread) else otherwise


def _time(value: Any) -> float | None:
    """Seconds since 1970; None where there are none."""
    usable = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e11
    return float(value) if usable else None
