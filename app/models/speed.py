"""What a model does on this machine: loading time and speed, measured by using it once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.models.catalogue import Role
from app.models.chat import ChatModel, Message
from app.models.embed import EmbeddingProcess

CHECK_TOKENS = 48
"""Tokens written by a check."""

CHECK_PROMPT = "Osmosis is the movement of water through a membrane, towards the side with more dissolved matter. " * 8


@dataclass(frozen=True, slots=True)
class Check:
    """Milliseconds to load and a question, tokens a second read and written; None where a figure has no meaning.

    With a `fault`, the model did not work and there are no figures.
    """

    name: str
    role: Role
    load_ms: float | None = None
    prompt_per_second: float | None = None
    written_per_second: float | None = None
    query_ms: float | None = None
    fault: Exception | None = None


def check_chat(name: str, path: Path, context: int) -> Check:
    """Loads a chat model, lets it read a paragraph and write a little, ends it."""
    try:
        model = ChatModel.start(path, context=context)
    except Exception as fault:
        return Check(name, Role.CHAT, fault=fault)
    try:
        loaded = model.load()
        generation = model.generate([Message("user", CHECK_PROMPT)], max_tokens=CHECK_TOKENS)
        for _ in generation:
            pass
        figures = generation.result
        assert figures is not None
        writing = (figures.total_ms - figures.first_token_ms) / 1000
        written = (figures.tokens_out - 1) / writing if figures.tokens_out > 1 and writing > 0 else None
        reading = figures.tokens_evaluated / (figures.first_token_ms / 1000)
        return Check(name, Role.CHAT, loaded.load_ms, reading, written)
    except Exception as fault:
        return Check(name, Role.CHAT, fault=fault)
    finally:
        model.close()


def check_embedder(embedder: EmbeddingProcess) -> Check:
    """Loads an embedding model, asks it questions, ends it."""
    try:
        load_ms, query_ms = embedder.measure()
    except Exception as fault:
        return Check(embedder.name, Role.EMBEDDING, fault=fault)
    finally:
        embedder.close()
    return Check(embedder.name, Role.EMBEDDING, load_ms, query_ms=query_ms)
