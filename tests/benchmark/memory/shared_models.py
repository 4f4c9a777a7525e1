"""Models that many houses share: one embedder whose vectors are kept, and a chat model that only listens.

The arms open a house a question; a process each would cost seconds and measure nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np

from app.engines import Engines, space_of
from app.folders import default_data
from app.models.catalogue import Role, load_catalogue
from app.models.chat import Cancel, ChatModel, Generated, Message, Stopped
from app.models.embed import Embedder, Vector
from app.models.shelf import Models
from app.prompt import Speed
from memory.brief_budget import CountTokens, estimate


class KeptEmbedder:
    """An `Embedder` that embeds a text once and keeps its vector in a file from run to run."""

    def __init__(self, inner: Embedder, place: Path) -> None:
        self._inner = inner
        self._place = place
        self._fresh = 0
        self._known: dict[str, Vector] = {}
        if place.exists():
            with np.load(place) as kept:
                self._known = dict(zip(kept["texts"].tolist(), kept["vectors"], strict=True))

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return self._inner.dimension

    @property
    def match_threshold(self) -> float:
        """As the model's."""
        return self._inner.match_threshold

    @property
    def merge_threshold(self) -> float:
        """As the model's."""
        return self._inner.merge_threshold

    def embed_query(self, text: str) -> Vector:
        """The vector of a question."""
        key = f"query: {text}"
        if key not in self._known:
            self._known[key] = self._inner.embed_query(text)
            self._fresh += 1
        return self._known[key]

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of passages, in the same order."""
        missing = [text for text in dict.fromkeys(texts) if f"passage: {text}" not in self._known]
        if missing:
            for text, vector in zip(missing, self._inner.embed_passages(missing), strict=True):
                self._known[f"passage: {text}"] = vector
            self._fresh += len(missing)
        return [self._known[f"passage: {text}"] for text in texts]

    def save(self) -> None:
        """Keep what is new."""
        if self._fresh:
            np.savez(self._place, texts=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))
            self._fresh = 0


@contextmanager
def one_embedder(keep: Path) -> Iterator[KeptEmbedder]:
    """Every house opened inside uses the same default embedding model of this machine."""
    process = local_models().embedder()
    assert process is not None, f"no model for {Role.EMBEDDING}"
    shared = KeptEmbedder(process, keep / "vectors.npz")

    def embedder(engines: Engines) -> Embedder:
        engines._vectors.use(space_of(shared))
        return shared

    try:
        with patch.object(Engines, "embedder", embedder):
            yield shared
    finally:
        shared.save()
        process.close()


@contextmanager
def no_embedder() -> Iterator[None]:
    """No house opened inside compares meaning."""
    with patch.object(Engines, "embedder", lambda engines: None):
        yield


class Listener:
    """A chat model that is told prompts and says nothing. Tokens are counted by ``count``."""

    path = Path("listener")

    def __init__(self, count: CountTokens) -> None:
        self.prompts: list[list[Message]] = []
        self._count = count
        self._counted: dict[str, int] = {}

    def load(self) -> None:
        """Nothing to load."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._counted]
        if fresh:
            self._counted.update(zip(fresh, self._count(fresh), strict=True))
        return [self._counted[text] for text in texts]

    def generate(self, messages: list[Message], *, max_tokens: int, cancel: Cancel | None = None) -> _Silence:
        """Keep the prompt."""
        self.prompts.append(messages)
        return _Silence()

    def close(self) -> None:
        """Nothing to close."""


class _Silence:
    """The answer of a model that says nothing."""

    result = Generated(0, 0, 0, 0.0, 0.0, Stopped.END)

    def __iter__(self) -> Iterator[str]:
        return iter(())


@contextmanager
def listening(speed: Speed, count: CountTokens = estimate) -> Iterator[Listener]:
    """Every house opened inside talks to the same listener, on a machine that reads prompts at this speed."""
    listener = Listener(count)
    with (
        patch.object(Engines, "chat", lambda engines: listener),
        patch.object(Engines, "speed", lambda engines: speed),
    ):
        yield listener


@contextmanager
def vocabulary() -> Iterator[CountTokens]:
    """Counts tokens as this machine's default chat model does (its vocabulary alone is read); else by bytes."""
    path = local_models().chat_path()
    if path is None:
        yield estimate
        return
    model = ChatModel(path)
    try:
        yield model.count_tokens
    finally:
        model.close()


def local_models() -> Models:
    """The models of this machine, none of them chosen by a student."""
    return Models(load_catalogue(), default_data() / "models", lambda role: None, lambda role, name: None)
