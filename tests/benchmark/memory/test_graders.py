"""The judges judged: right, wrong, stale, invented and honestly missing answers; the direction of an edge by hand."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from courses import SHARED
from figures import baseline, compare
from graders import Outcome, Shown, Told, days_in, grade_answer, grade_prompt, grade_told, wilson
from histories import TODAY, age_of, histories
from matching import holds, holds_words, named_in
from questions import Gold, Question, above

MISSED = Question(
    "q",
    "h",
    "missed",
    "month",
    "en",
    "what did I get wrong in July?",
    "quarter",
    Gold(
        needed=("july-1", "july-2"),
        least=2,
        complete=True,
        apart=("june-1",),
        untold=("july-right",),
        names=("osmosis",),
        quotes=("What moves in osmosis?", "the salt"),
        days=(date(2026, 7, 6), date(2026, 7, 22)),
    ),
)
TAUGHT = replace(
    MISSED,
    category="taught",
    variant="replaced",
    gold=Gold(needed=("new",), least=1, complete=True, apart=("old",), words="the red lantern", wrong_words="the box"),
)
EMPTY = replace(
    MISSED,
    category="empty_month",
    variant="plain",
    gold=Gold(apart=("july-1", "june-1"), wrong_names=("osmosis", "Trace"), known=("osmosis", "Trace"), empty=True),
)
ACTIVE = replace(
    MISSED,
    category="active_month",
    gold=Gold(
        needed=("july-1", "july-2"),
        least=1,
        apart=("june-1",),
        names=("osmosis", "membrane"),
        every=True,
        wrong_names=("diffusion",),
        known=("osmosis", "membrane", "diffusion", "facilitated diffusion"),
        days=(date(2026, 7, 6),),
    ),
)
EXPLAIN = replace(
    MISSED,
    category="explain",
    gold=Gold(names=("osmosis",), definition="movement of water through a semipermeable membrane"),
)
# Osmosis builds on diffusion: diffusion comes before it. What builds on osmosis (turgor) does not.
LINKS = {"osmosis": ("diffusion",), "turgor": ("osmosis",), "diffusion": ()}
BEFORE = replace(
    MISSED,
    category="prerequisite",
    gold=Gold(names=("diffusion",), wrong_names=("turgor",), known=tuple(LINKS)),
)


def told(question: Question, text: str, *ids: str) -> Outcome:
    return grade_told(question, Told(text, frozenset(ids))).outcome


def shown(question: Question, text: str, *ids: str, tokens: int = 0, budget: int = 0) -> Outcome:
    return grade_prompt(question, Shown(text, frozenset(ids), tokens, budget)).outcome


def said(question: Question, text: str) -> Outcome:
    return grade_answer(question, text).outcome


class TestWhatTheRecordTells:
    def test_every_needed_id_and_no_other(self) -> None:
        assert told(MISSED, "On July 6: osmosis, wrong.", "july-1", "july-2") is Outcome.RIGHT
        assert told(MISSED, "On July 6: osmosis, wrong.", "july-1") is Outcome.MISSING
        assert told(MISSED, "osmosis", "july-1", "july-2", "july-right") is Outcome.FORBIDDEN
        assert told(MISSED, "osmosis", "july-1", "july-2", "june-1") is Outcome.FORBIDDEN
        assert told(MISSED, "I have no check on record in July.") is Outcome.HONEST

    def test_a_replaced_note_is_stale(self) -> None:
        assert told(TAUGHT, "On May 2: “the red lantern”", "new") is Outcome.RIGHT
        assert told(TAUGHT, "“the box” and “the red lantern”", "new") is Outcome.STALE
        assert told(TAUGHT, "“the red lantern”", "new", "old") is Outcome.FORBIDDEN

    def test_an_empty_month_is_said_to_be_empty_and_nothing_is_told(self) -> None:
        assert told(EMPTY, "I have no record of any work in March 2026.") is Outcome.RIGHT
        assert told(EMPTY, "I have no record of any work in March 2026. We saw osmosis.") is Outcome.INVENTED
        assert told(EMPTY, "Here is what is recorded: osmosis.") is Outcome.MISSING
        assert told(EMPTY, "I have no record of any work in March.", "july-1") is Outcome.FORBIDDEN
        files = "I have no record of any work in March. 1 file was added then (osmosis-2.md)."
        assert told(EMPTY, files) is Outcome.RIGHT
        french = replace(EMPTY, language="fr")
        assert told(french, "Je n'ai aucune trace d'un travail en mars 2026.") is Outcome.RIGHT

    def test_an_active_month_names_all_of_it_and_none_of_another(self) -> None:
        both = "- Osmosis: 2 checks. - Membranes: 1 question."
        assert told(ACTIVE, both, "july-1") is Outcome.RIGHT
        assert told(ACTIVE, "- Osmosis: 2 checks.", "july-1") is Outcome.MISSING
        assert told(ACTIVE, both + " - Diffusion: 1 check.", "july-1") is Outcome.INVENTED
        assert told(ACTIVE, both + " - Facilitated diffusion: 1 check.", "july-1") is Outcome.RIGHT

    def test_the_direction_of_an_edge_checked_by_hand(self) -> None:
        assert above("diffusion", LINKS) == {"osmosis", "turgor"}
        assert above("turgor", LINKS) == set()
        assert told(BEFORE, "Before osmosis comes diffusion.") is Outcome.RIGHT
        assert told(BEFORE, "Before osmosis comes turgor.") is Outcome.INVENTED
        assert told(BEFORE, "Osmosis needs nothing first.") is Outcome.MISSING


class TestWhatReachedThePrompt:
    def test_ids_within_the_budget(self) -> None:
        assert shown(MISSED, "", "july-1", "july-2", tokens=240, budget=249) is Outcome.RIGHT
        assert shown(MISSED, "", "july-1", "july-2", tokens=250, budget=249) is Outcome.FORBIDDEN
        assert shown(MISSED, "", "july-1") is Outcome.MISSING
        assert shown(MISSED, "", "july-1", "july-2", "june-1") is Outcome.FORBIDDEN

    def test_an_empty_month_must_be_said_in_the_prompt(self) -> None:
        assert shown(EMPTY, "NOTHING IS RECORDED in March 2026: say so") is Outcome.RIGHT
        assert shown(EMPTY, "Osmosis is the movement of water.") is Outcome.MISSING
        assert shown(EMPTY, "NOTHING IS RECORDED in March 2026", "july-1") is Outcome.FORBIDDEN

    def test_the_definition_and_the_prerequisite(self) -> None:
        assert shown(EXPLAIN, "Osmosis is a movement of water through semipermeable membranes.") is Outcome.RIGHT
        assert shown(EXPLAIN, "Osmosis is in chapter 3.") is Outcome.MISSING
        assert shown(BEFORE, "- osmosis (builds on: diffusion)") is Outcome.RIGHT
        assert shown(BEFORE, "- osmosis") is Outcome.MISSING


class TestWhatWasSaid:
    def test_mistakes_by_their_words_or_their_day(self) -> None:
        assert said(MISSED, "On July 6 you missed osmosis.") is Outcome.RIGHT
        assert said(MISSED, "You answered “the salt”.") is Outcome.RIGHT
        assert said(MISSED, "On July 9 you missed osmosis.") is Outcome.INVENTED
        assert said(MISSED, "You had a hard time.") is Outcome.MISSING
        assert said(MISSED, "There is no record of mistakes.") is Outcome.HONEST

    def test_the_note_and_the_stale_note(self) -> None:
        assert said(TAUGHT, "You call it The Red Lantern.") is Outcome.RIGHT
        assert said(TAUGHT, "You call it the box.") is Outcome.STALE
        assert said(TAUGHT, "I have no note of yours on record.") is Outcome.HONEST

    def test_an_invented_month(self) -> None:
        assert said(EMPTY, "In March we worked on osmosis.") is Outcome.INVENTED
        assert said(EMPTY, "I have no record of March.") is Outcome.RIGHT
        assert said(EMPTY, "I have no record of March, but we studied osmosis then.") is Outcome.INVENTED

    def test_a_month_with_work(self) -> None:
        assert said(ACTIVE, "In July we worked on osmosis.") is Outcome.RIGHT
        assert said(ACTIVE, "In July we worked on diffusion.") is Outcome.INVENTED
        assert said(ACTIVE, "On 7 July we worked on osmosis.") is Outcome.INVENTED
        assert said(ACTIVE, "Nothing is recorded.") is Outcome.HONEST

    def test_an_explanation_and_a_prerequisite(self) -> None:
        assert said(EXPLAIN, "Osmosis: water moves through a membrane.") is Outcome.RIGHT
        assert said(EXPLAIN, "Osmosis is a Greek word.") is Outcome.MISSING
        assert said(BEFORE, "Look at diffusion first.") is Outcome.RIGHT
        assert said(BEFORE, "Look at turgor first.") is Outcome.INVENTED


@pytest.mark.parametrize(
    ("text", "language", "days"),
    [
        ("On July 6 and on 22 July 2026", "en", {(6, 7), (22, 7)}),
        ("le 6 juillet et le 1er août", "fr", {(6, 7), (1, 8)}),
        ("el 6 de julio", "es", {(6, 7)}),
        ("يوم 6 يوليو و7 تموز", "ar", {(6, 7), (7, 7)}),
        ("July 2026 was empty", "en", set()),
        ("le 23 février. 6 autres contrôles", "fr", {(23, 2)}),
    ],
)
def test_days_of_a_text(text: str, language: str, days: set[tuple[int, int]]) -> None:
    assert set(days_in(text, language)) == days


def test_names_are_whole_words_the_longest_first_in_any_spelling() -> None:
    names = ["diffusion", "facilitated diffusion", "Osmosis"]
    assert named_in("Facilitated diffusion", names, "en") == ["facilitated diffusion"]
    assert named_in("diffusions and osmosis", names, "en") == ["diffusion", "Osmosis"]
    assert named_in("diffusionist", names, "en") == []
    assert named_in("انحياز المقدر وتباين", ["الانحياز", "التباين"], "ar") == ["الانحياز", "التباين"]
    assert holds("“The Red  Lantern”.", "the red lantern")
    assert not holds("the redder lantern", "the red lantern")
    assert holds_words("two membranes", "the membrane", 1.0)
    assert not holds_words("two membranes", "a membrane moves", 1.0)


def test_wilson_intervals() -> None:
    low, high = wilson(383, 420)
    assert (round(low, 3), round(high, 3)) == (0.881, 0.935)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10)[0] == 0.0


def test_a_baseline_tells_win_tie_and_lose_on_the_same_words_alone(tmp_path: Path) -> None:
    def rows(*right: bool, text: str = "what?") -> list[dict[str, object]]:
        return [
            {"arm": "shipped", "id": f"q{place}", "text": text, "right": each, "why": ""}
            for place, each in enumerate(right)
        ]

    place = tmp_path / "baseline.json"
    place.write_text(json.dumps(baseline(rows(True, True, False))), "utf-8")
    assert compare(rows(True, False, True), place, ["shipped"]).splitlines() == [
        "shipped: 1 win, 1 tie, 1 lose",
        "lost: shipped q1  | what?",
    ]
    assert compare(rows(False, text="another?"), place, ["shipped"]) == "shipped: 0 win, 0 tie, 0 lose"


@pytest.mark.skipif(not SHARED.exists(), reason="the course files and logs are not here")
def test_histories_are_the_same_every_time_have_every_age_and_months_without_work() -> None:
    first, again = histories(8), histories(8)
    assert [list(one.log()) for one in first] == [list(other.log()) for other in again]
    for history in first:
        assert {age_of(event.day) for event in history.events} == {"day", "week", "month", "quarter", "older"}
        assert len(history.empty_months) >= 3
        assert all(not [e for e in history.in_month(month) if not e.narration] for month in history.empty_months)
        assert max(event.day for event in history.events) == TODAY
