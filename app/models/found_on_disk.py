"""Models other programs left on this machine: looked at, never copied or changed.

LM Studio, Jan, GPT4All and the Hugging Face cache keep GGUF files under their own names; Ollama keeps blobs named by
their hash, with a manifest for each model.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.models.gguf import NotGguf, read_head

MOST_FILES = 20_000
"""Directory entries looked at under one folder, so that an odd link does not keep us for ever."""

LARGEST_MANIFEST = 1 << 20
"""Bytes."""

_BLOB = re.compile(r"sha256:([0-9a-f]{64})\Z")
_LATER_SPLIT = re.compile(r"-(?!00001)\d{5}-of-\d{5}\.gguf\Z")


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A GGUF chat model on this machine; `program` is who keeps it, `needs` bytes of memory at 4,096 tokens."""

    name: str
    program: str
    path: Path
    size: int
    needs: int


def find_models(home: Path | None = None, environment: dict[str, str] | None = None) -> list[FoundModel]:
    """Every chat model found, by program then name; the same file is listed once."""
    home = home or Path.home()
    environment = dict(os.environ) if environment is None else environment
    found: dict[Path, FoundModel] = {}
    for program, folder in _folders(home, environment):
        candidates = _ollama(folder) if program == "Ollama" else _gguf_files(folder)
        for name, path in candidates:
            model = _look(name, program, path)
            if model is not None:
                found.setdefault(model.path, model)
    return sorted(found.values(), key=lambda model: (model.program, model.name))


def _folders(home: Path, environment: dict[str, str]) -> Iterator[tuple[str, Path]]:
    data = _application_data(home, environment)
    yield "LM Studio", home / ".lmstudio" / "models"
    yield "LM Studio", home / ".cache" / "lm-studio" / "models"
    yield "Jan", data / "Jan" / "data" / "models"
    yield "Jan", data / "Jan" / "data" / "llamacpp" / "models"
    yield "Jan", home / "jan" / "models"
    yield "GPT4All", data / "nomic.ai" / "GPT4All"
    if sys.platform == "win32" and "LOCALAPPDATA" in environment:
        yield "GPT4All", Path(environment["LOCALAPPDATA"]) / "nomic.ai" / "GPT4All"
    if sys.platform.startswith("linux"):
        yield "GPT4All", home / ".local" / "share" / "nomic.ai" / "GPT4All"
        yield "Ollama", Path("/usr/share/ollama/.ollama/models")
    yield "Ollama", Path(environment.get("OLLAMA_MODELS") or home / ".ollama" / "models")
    hub = environment.get("HF_HUB_CACHE")
    yield "Hugging Face", Path(hub or Path(environment.get("HF_HOME") or home / ".cache" / "huggingface") / "hub")


def _application_data(home: Path, environment: dict[str, str]) -> Path:
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config")


def _gguf_files(folder: Path) -> Iterator[tuple[str, Path]]:
    seen = 0
    for root, folders, names in os.walk(folder):
        folders.sort()
        seen += len(names) + len(folders)
        if seen > MOST_FILES:
            return
        for name in sorted(names):
            lower = name.lower()
            if lower.endswith(".gguf") and not lower.startswith("mmproj") and not _LATER_SPLIT.search(lower):
                # Jan calls every file model.gguf: its folder has the name.
                shown = Path(root).name if lower == "model.gguf" else name.removesuffix(".gguf")
                yield shown, Path(root) / name


def _ollama(folder: Path) -> Iterator[tuple[str, Path]]:
    manifests = folder / "manifests"
    for root, folders, names in os.walk(manifests):
        folders.sort()
        for tag in sorted(names):
            blob = _model_blob(Path(root) / tag)
            if blob is not None:
                yield f"{Path(root).name}:{tag}", folder / "blobs" / f"sha256-{blob}"


def _model_blob(manifest: Path) -> str | None:
    """The hash of the model's layer, when the manifest names one and it is a hash and nothing else."""
    try:
        if manifest.stat().st_size > LARGEST_MANIFEST:
            return None
        layers = json.loads(manifest.read_text("utf-8"))["layers"]
        for layer in layers:
            match = _BLOB.match(layer["digest"])
            if layer["mediaType"] == "application/vnd.ollama.image.model" and match:
                return match.group(1)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return None


def _look(name: str, program: str, path: Path) -> FoundModel | None:
    try:
        real = path.resolve()
        if not real.is_file():
            return None
        head = read_head(real)
    except (OSError, NotGguf):
        return None
    if not head.is_chat:
        return None
    return FoundModel(name, program, real, head.size, head.memory_needed(4096))
