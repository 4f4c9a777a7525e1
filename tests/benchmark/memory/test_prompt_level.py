"""A small run of the memory benchmark: six histories, no model of any kind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from building import Builder
from courses import SHARED
from histories import histories
from prompt_level import run
from shared_models import no_embedder

from app.arms import Arm
from app.prompt import Speed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SHARED.exists(), reason="the course files and logs are not here"),
]


def test_the_record_answers_what_a_window_of_turns_and_ranked_episodes_cannot(tmp_path: Path) -> None:
    arms = [Arm.PLAIN, Arm.WINDOW, Arm.EPISODES, Arm.SHIPPED]
    with no_embedder():
        rows = run(histories(6), Builder(tmp_path), arms, Speed())
    share = {arm: _share([row for row in rows if row["arm"] == arm.value]) for arm in arms}
    assert share[Arm.PLAIN] < share[Arm.WINDOW] < share[Arm.EPISODES] < share[Arm.SHIPPED] - 0.08
    shipped = [row for row in rows if row["arm"] == "shipped"]
    failed = [(row["text"], row["why"]) for row in shipped if not row["right"]]
    assert _share(shipped) >= 0.9, failed
    assert _share([row for row in shipped if row["variant"] in ("plain", "only a file")]) == 1.0, failed
    assert _share([row for row in shipped if row["category"] in ("missed", "taught")]) == 1.0, failed
    assert not [row for row in shipped if row["outcome"] == "stale"]


def _share(rows: list[dict[str, object]]) -> float:
    return sum(bool(row["right"]) for row in rows) / len(rows)
