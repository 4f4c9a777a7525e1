"""Which models are here, which is used, and whether they are what they should be."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from app.models.catalogue import Catalogue, CatalogueModel, EngineKind, ModelFile, ModelName, Role
from app.models.shelf import Models, NotAModel, NotInstalled, UnknownModel, WrongFile

CONTENT = {"large": b"large model", "small": b"small model", "smoke": b"smoke"}


def model_of(name: str, default_from: int | None) -> CatalogueModel:
    content = CONTENT[name]
    file = ModelFile(f"{name}.gguf", len(content), hashlib.sha256(content).hexdigest(), ())
    return CatalogueModel(ModelName(name), Role.CHAT, EngineKind.LLAMA, (), "", 1, 1, default_from, None, (file,))


CATALOGUE = Catalogue((), (model_of("large", 8), model_of("small", 0), model_of("smoke", None)))


def shelf(folder: Path, *installed: str, memory: int = 16, chosen: dict[Role, str] | None = None) -> Models:
    for name in installed:
        (folder / f"{name}.gguf").write_bytes(CONTENT[name])
    choices = {} if chosen is None else chosen
    return Models(CATALOGUE, folder, choices.get, choices.__setitem__, memory)


def used(models: Models) -> str | None:
    model = models.in_use(Role.CHAT)
    return model.name if model is not None else None


def test_nothing_installed_means_no_model(tmp_path: Path) -> None:
    models = shelf(tmp_path)
    assert models.chat_path() is None
    assert models.chat() is None
    assert models.embedder() is None
    assert [state.installed for state in models.all()] == [False] * 3


@pytest.mark.parametrize(
    ("installed", "memory", "expected"),
    [
        (("large", "small", "smoke"), 16, "large"),
        (("large", "small", "smoke"), 4, "small"),
        (("small", "smoke"), 16, "small"),
        (("smoke",), 16, "smoke"),
    ],
)
def test_the_best_installed_model_for_the_memory_is_used(
    tmp_path: Path, installed: tuple[str, ...], memory: int, expected: str
) -> None:
    assert used(shelf(tmp_path, *installed, memory=memory)) == expected


def test_a_choice_wins_while_its_file_is_there(tmp_path: Path) -> None:
    models = shelf(tmp_path, "large", "small")
    models.use("small")
    assert used(models) == "small"
    assert [state.name for state in models.all() if state.in_use] == ["small"]
    (tmp_path / "small.gguf").unlink()
    assert used(models) == "large"


def test_a_choice_must_exist(tmp_path: Path) -> None:
    models = shelf(tmp_path)
    with pytest.raises(NotInstalled):
        models.use("large")
    with pytest.raises(UnknownModel):
        models.use("nothing of that name")


def test_a_file_of_the_student_must_be_a_model(tmp_path: Path) -> None:
    (tmp_path / "notes.gguf").write_text("not a model")
    with pytest.raises(NotAModel):
        shelf(tmp_path).use(str(tmp_path / "notes.gguf"))


def test_a_file_with_other_bytes_is_never_used(tmp_path: Path) -> None:
    models = shelf(tmp_path, "large")
    (tmp_path / "large.gguf").write_bytes(CONTENT["large"][::-1])
    with pytest.raises(WrongFile) as caught:
        models.chat_path()
    assert caught.value.expected == hashlib.sha256(CONTENT["large"]).hexdigest()


def test_a_file_is_hashed_once_and_again_when_it_changed(tmp_path: Path) -> None:
    models = shelf(tmp_path, "large")
    path = models.chat_path()
    assert path is not None
    assert (tmp_path / "verified.json").stat().st_mode & 0o777 == 0o600
    before = path.stat()
    path.write_bytes(CONTENT["large"][::-1])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    with pytest.raises(WrongFile):
        models.chat_path()


def test_a_broken_note_of_checked_files_only_means_checking_again(tmp_path: Path) -> None:
    models = shelf(tmp_path, "large")
    (tmp_path / "verified.json").write_text("[")
    assert models.chat_path() == tmp_path / "large.gguf"


@pytest.mark.model
def test_any_gguf_file_can_be_used_and_measured(tmp_path: Path, smollm: Path) -> None:
    models = shelf(tmp_path)
    own = tmp_path / "mine.gguf"
    own.symlink_to(smollm)
    assert models.use(str(own)).in_use
    assert models.chat_path() == own
    assert models.all()[-1].name == str(own)
    check = list(models.check())[-1]
    assert check.fault is None
    assert check.load_ms is not None
    assert check.prompt_per_second is not None
