"""The catalogue that ships makes sense, and chooses by memory."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from app.models.catalogue import (
    AddressSource,
    BundledSource,
    PackageSource,
    Role,
    load_catalogue,
    parse_catalogue,
)
from app.models.download import is_allowed

CATALOGUE = load_catalogue()


def test_every_file_has_a_hash_a_size_and_a_source() -> None:
    for model in CATALOGUE.models:
        for file in model.files:
            assert re.fullmatch("[0-9a-f]{64}", file.sha256), file.name
            assert file.size > 0
            assert file.sources


def test_names_are_unique_and_safe_as_file_names() -> None:
    names = [model.name for model in CATALOGUE.models]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9._-]+", name) for name in names)


def test_every_address_is_https_on_a_listed_host() -> None:
    addresses = [s for m in CATALOGUE.models for f in m.files for s in f.sources if isinstance(s, AddressSource)]
    assert addresses
    for source in addresses:
        assert urlsplit(source.url).scheme == "https"
        assert is_allowed(source.url, CATALOGUE.hosts)


def test_packages_are_pinned_and_numbered_from_one() -> None:
    sources = [s for m in CATALOGUE.models for f in m.files for s in f.sources if isinstance(s, PackageSource)]
    for source in sources:
        packages = source.packages()
        assert len(packages) == len(set(packages)) == source.parts
        assert all(package.endswith(f"=={source.version}") for package in packages)
    split = next(source for source in sources if source.parts > 1)
    assert split.packages()[0].split("==")[0].endswith("part1")


def test_the_default_chat_model_follows_the_memory() -> None:
    small, large = CATALOGUE.default(Role.CHAT, 3 * 10**9), CATALOGUE.default(Role.CHAT, 16 * 10**9)
    assert small is not None
    assert large is not None
    assert "0.5b" in small.name
    assert "1.5b" in large.name


def test_the_model_for_smoke_tests_is_never_a_default() -> None:
    for memory in (0, 10**9, 10**10, 10**12):
        default = CATALOGUE.default(Role.CHAT, memory)
        assert default is not None
        assert "smollm" not in default.name


def test_embedding_models_carry_their_thresholds() -> None:
    for model in CATALOGUE.models:
        assert (model.embedding is not None) == (model.role is Role.EMBEDDING)
        if model.embedding is not None:
            assert model.embedding.dimension > 0
            assert 0 < model.embedding.match_threshold < model.embedding.merge_threshold < 1


def test_the_default_embedder_speaks_every_language_and_comes_bundled() -> None:
    default = CATALOGUE.default(Role.EMBEDDING, 0)
    assert default is not None
    assert set(default.languages) >= {"fr", "en", "es", "ar", "de", "it", "pt"}
    assert isinstance(default.files[0].sources[0], BundledSource)


def test_a_file_name_that_leads_elsewhere_is_refused() -> None:
    entry = """
hosts = []
[[model]]
name = "x"
role = "chat"
languages = []
licence = ""
needs = 1
context = 1
[[model.file]]
name = "../x.gguf"
size = 1
sha256 = "{}"
source = []
""".format("0" * 64)
    with pytest.raises(ValueError, match=r"x\.gguf"):
        parse_catalogue(entry)
