"""Embedding models: text to unit vectors, in a child process.

An `Embedder` turns texts into numpy float32 vectors of length one, so that a dot product is the cosine. Questions and
passages are embedded differently by some models (E5 wants "query: " and "passage: " before the text); callers say which
they have and the engine does the rest. The engines live in a child process because they are native code reading
document text; a question overtakes the passages that wait.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.models.catalogue import CatalogueModel
from app.models.child import CRASHES_BEFORE_GIVING_UP, Child, ChildDied

Vector = NDArray[np.float32]

LONGEST_PASSAGE, LONGEST_QUESTION = 4_000, 1_600
"""Characters that are read of one text. An engine needs about 0.4 s for 1,600 on one core, and a turn waits for its
question; of a longer question the beginning and the end count, where a pasted text has its question."""

SLOWEST_REPLY = 120.0
"""Seconds after which an engine that does not answer is ended."""


class EmbedderDied(ChildDied):
    """The embedding process ended; the next call starts it again."""


class Embedder(Protocol):
    """What the rest of Retiens knows of an embedding model."""

    @property
    def name(self) -> str:
        """The catalogue's name, stored beside every vector."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    @property
    def match_threshold(self) -> float:
        """Centred cosine (both vectors less the mean of the collection) from which two texts are about the same."""

    @property
    def merge_threshold(self) -> float:
        """Plain cosine of two concept texts from which they may be one concept in two languages."""

    def embed_query(self, text: str) -> Vector:
        """The vector of a question, shape (dimension,)."""

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of passages, in the same order."""


class EmbeddingProcess:
    """An `Embedder` whose engine runs in a child process, with its files in `folder`. Safe to use from several threads.

    Starts at the first call (or `start`); restarts after a death at the next call. Raises EmbedderDied when the process
    died during a call twice in a row, ChildRefused when the engine cannot be loaded.
    """

    def __init__(self, model: CatalogueModel, folder: Path, cache: Path) -> None:
        assert model.embedding is not None, model.name
        self._name = model.name
        self._facts = model.embedding
        self._child = Child("app.models.embed_process", (str(model.engine), str(folder), str(cache)), EmbedderDied)
        self._turn = threading.Condition()
        self._busy = False
        self._questions = 0

    @property
    def name(self) -> str:
        """The catalogue's name, stored beside every vector."""
        return self._name

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return self._facts.dimension

    @property
    def match_threshold(self) -> float:
        """Centred cosine from which two texts are about the same (see the catalogue for its measurement)."""
        return self._facts.match_threshold

    @property
    def merge_threshold(self) -> float:
        """Plain cosine from which two concept texts may be one concept."""
        return self._facts.merge_threshold

    @property
    def pid(self) -> int | None:
        """Process id of the engine, None before the first call and after a death."""
        return self._child.pid

    @property
    def crashed_often(self) -> bool:
        """Three deaths or more."""
        return self._child.crashes >= CRASHES_BEFORE_GIVING_UP

    def start(self) -> None:
        """Begins loading without waiting for it."""
        self._child.start()

    def embed_query(self, text: str) -> Vector:
        """The vector of a question, shape (dimension,). It overtakes waiting passages."""
        half = LONGEST_QUESTION // 2
        short = text if len(text) <= LONGEST_QUESTION else f"{text[:half]} {text[-half:]}"
        return self._embed(short, is_query=True)

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of passages, in the same order."""
        # One a request, so that a question waits for no more than one of them; the engines gain nothing from company.
        return [self._embed(text[:LONGEST_PASSAGE], is_query=False) for text in texts]

    def measure(self, questions: int = 20) -> tuple[float, float]:
        """Milliseconds to load, and of the median question."""
        began = time.perf_counter()
        self.embed_query("?")
        loaded = time.perf_counter()
        times = []
        for number in range(questions):
            start = time.perf_counter()
            self.embed_query(f"What did we see about photosynthesis in lesson {number}?")
            times.append(time.perf_counter() - start)
        return 1000 * (loaded - began), 1000 * sorted(times)[len(times) // 2]

    def close(self) -> None:
        """Ends the process."""
        self._child.close()

    def _embed(self, text: str, is_query: bool) -> Vector:
        clean = readable(text)
        self._enter(is_query)
        try:
            try:
                return self._ask(clean, is_query)
            except EmbedderDied:
                return self._ask(clean, is_query)
        finally:
            self._leave()

    def _ask(self, text: str, is_query: bool) -> Vector:
        self._child.ready(SLOWEST_REPLY)
        answer = self._child.ask("embed", texts=[text], query=is_query)
        frame = self._child.wait(answer, SLOWEST_REPLY)
        return np.frombuffer(frame.body, dtype="<f4").reshape(self._facts.dimension).astype(np.float32)

    def _enter(self, is_query: bool) -> None:
        with self._turn:
            self._questions += is_query
            self._turn.wait_for(lambda: not self._busy and (is_query or self._questions == 0))
            self._questions -= is_query
            self._busy = True

    def _leave(self) -> None:
        with self._turn:
            self._busy = False
            self._turn.notify_all()


def readable(text: str) -> str:
    """`text` as the engines can take it: valid Unicode, no NUL."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
