"""Models of other programs are found where they keep them, and odd files are passed over."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import pytest

from app.models.found_on_disk import find_models
from app.models.gguf import NotGguf, read_head

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="folders of Linux")


def gguf(architecture: str = "qwen2", extra: int = 1000) -> bytes:
    """A GGUF head with a few entries, and some bytes after it."""

    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value.encode())) + value.encode()

    def number(key: str, value: int) -> bytes:
        return text(key) + struct.pack("<II", 4, value)

    entries = [
        text("general.architecture") + struct.pack("<I", 8) + text(architecture),
        text("general.name") + struct.pack("<I", 8) + text("Tiny"),
        number(f"{architecture}.block_count", 28),
        number(f"{architecture}.context_length", 32768),
        number(f"{architecture}.embedding_length", 1536),
        number(f"{architecture}.attention.head_count", 12),
        number(f"{architecture}.attention.head_count_kv", 2),
        text("general.tags") + struct.pack("<IIQ", 9, 8, 2) + text("chat") + text("code"),
        text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 10**9),
    ]
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(entries)) + b"".join(entries) + bytes(extra)


def put(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_each_program_is_looked_at(tmp_path: Path) -> None:
    put(tmp_path / ".lmstudio/models/pub/Repo/studio-Q4.gguf", gguf())
    put(tmp_path / ".config/Jan/data/llamacpp/models/jan-nano/model.gguf", gguf())
    put(tmp_path / ".local/share/nomic.ai/GPT4All/four.gguf", gguf())
    put(tmp_path / ".cache/huggingface/hub/models--a--b/snapshots/0/hub.gguf", gguf())
    layers = [
        {"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:" + "1" * 64},
        {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:" + "a" * 64},
    ]
    manifest = tmp_path / ".ollama/models/manifests/registry/library/qwen/0.5b"
    put(manifest, json.dumps({"layers": layers}).encode())
    put(tmp_path / f".ollama/models/blobs/sha256-{'a' * 64}", gguf())
    found = [(model.program, model.name) for model in find_models(tmp_path, {})]
    assert found == [
        ("GPT4All", "four"),
        ("Hugging Face", "hub"),
        ("Jan", "jan-nano"),
        ("LM Studio", "studio-Q4"),
        ("Ollama", "qwen:0.5b"),
    ]


def test_nothing_is_copied_or_changed(tmp_path: Path) -> None:
    file = put(tmp_path / ".lmstudio/models/a.gguf", gguf())
    before = (file.stat().st_mtime_ns, sorted(path.name for path in tmp_path.rglob("*")))
    find_models(tmp_path, {})
    assert before == (file.stat().st_mtime_ns, sorted(path.name for path in tmp_path.rglob("*")))


def test_a_manifest_cannot_name_a_file_elsewhere(tmp_path: Path) -> None:
    put(tmp_path / "secret.gguf", gguf())
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:../../../secret.gguf"}
    put(tmp_path / ".ollama/models/manifests/r/l/m/t", json.dumps({"layers": [layer]}).encode())
    put(tmp_path / ".ollama/models/manifests/r/l/m/broken", b"{")
    assert find_models(tmp_path, {}) == []


def test_projectors_encoders_and_later_splits_are_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / ".lmstudio/models"
    put(folder / "mmproj-f16.gguf", gguf("clip"))
    put(folder / "embed.gguf", gguf("bert"))
    put(folder / "big-00002-of-00003.gguf", gguf())
    put(folder / "text.gguf", b"not a model")
    put(folder / "big-00001-of-00003.gguf", gguf())
    assert [model.name for model in find_models(tmp_path, {})] == ["big-00001-of-00003"]


def test_the_environment_may_name_other_folders(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere/hub/x.gguf", gguf())
    assert [m.name for m in find_models(tmp_path, {"HF_HOME": str(tmp_path / "elsewhere")})] == ["x"]


def test_a_head_tells_what_the_model_needs(tmp_path: Path) -> None:
    head = read_head(put(tmp_path / "m.gguf", gguf()))
    assert (head.architecture, head.name, head.context) == ("qwen2", "Tiny", 32768)
    # keys and values of 28 layers, 2 heads of 128, two bytes each
    assert head.cache_per_token == 2 * 28 * 2 * 128 * 2
    assert head.memory_needed(8192) > head.memory_needed(4096) > head.size


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GGUF",
        b"GGML" + bytes(40),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 40),
        b"GGUF" + struct.pack("<IQQ", 99, 0, 1),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1 << 60),
        gguf()[:60],
    ],
)
def test_a_broken_head_is_refused_at_once(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(NotGguf):
        read_head(put(tmp_path / "m.gguf", content))
