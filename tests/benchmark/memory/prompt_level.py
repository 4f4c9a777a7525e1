"""The memory benchmark without a chat model: did what a question needs reach the prompt, or the record's own answer?

    python tests/benchmark/memory/prompt_level.py [--keep FOLDER] [--histories N] [--arms ARM …] [--words-only]
        [--estimate] [--tokens-per-second 89] [--json FILE] [--baseline FILE] [--compare FILE] [--show ARM]

The five arms answer the same questions through the program itself; the chat model is one that listens and says nothing,
so that every prompt is seen whole. ``--tokens-per-second`` is the reading speed that sets the budget of the brief (89:
249 tokens; 10000: 700). ``--show`` lists the failures of an arm.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from building import KEEP, SUBJECT, Builder
from figures import baseline, compare, failures, report
from graders import Grade, Shown, Told, grade_prompt, grade_told
from histories import History, Lived, histories
from matching import normal
from questions import Question, questions
from shared_models import Listener, listening, no_embedder, one_embedder, vocabulary

from app.arms import Arm, Arms
from app.models.chat import Message
from app.prompt import Speed
from app.turn_events import Plan, TurnResult
from app.wiring import House
from memory.brief_budget import CountTokens, estimate
from memory.episodes import EpisodeId, SubjectId

COSTS = ("prompt_tokens", "read_ms")
_LAST = 80
"""Events that twenty turns may be made of."""


class Asking:
    """Asks the questions of one history, and grades what was read for each."""

    def __init__(self, history: History, house: House, listener: Listener, speed: Speed) -> None:
        self._history = history
        self._listener = listener
        self._budget = speed.brief
        self._arms = Arms(house)
        self._subject: SubjectId = house.subject(SUBJECT).id
        self.questions = questions(history, house, self._subject)
        self._external = {episode.id: episode.meta.external_id for episode in house.memory.ledger.find(self._subject)}

    def ask(self, question: Question, arm: Arm) -> dict[str, Any]:
        """One row: the question, what an arm read or said for it, and the grade."""
        self._listener.prompts.clear()
        began = time.perf_counter()
        result = self._arms.ask(self._subject, question.text, arm, question.language)
        took = round(1000 * (time.perf_counter() - began), 1)
        prompt = self._listener.prompts[-1] if self._listener.prompts else []
        grade = self._grade(question, arm, result, prompt)
        parts = ("embed_ms", "understand_ms", "brief_ms")
        asked = {key: value for key, value in asdict(question).items() if key != "gold"}
        return {
            **asked,
            "arm": arm.value,
            "plan": result.plan.value,
            "kind": " ".join(filter(None, (result.kind, result.sub))),
            "right": grade.right,
            "outcome": grade.outcome.value,
            "why": grade.why,
            "prompt_tokens": sum(self._listener.count_tokens([message.content for message in prompt]))
            if prompt
            else None,
            "read_ms": round(sum(result.timings.get(part, 0.0) for part in parts), 1),
            "turn_ms": took,
        }

    def _grade(self, question: Question, arm: Arm, result: TurnResult, prompt: Sequence[Message]) -> Grade:
        if result.plan is not Plan.ANSWER:
            stated = self._known([link.episode for link in result.citations if link.episode is not None])
            return grade_told(question, Told(result.text, frozenset(stated)))
        text = "\n".join(message.content for message in prompt if message.role != "system")
        text = text.replace(question.text, " ")
        told = self._known([memory.id for memory in result.memories])
        reached = self._in_window(text) if arm is Arm.WINDOW else told
        same = {_sameness(event) for event in self._history.events if event.id in reached}
        folded = {event.id for event in self._history.events if _sameness(event) in same}
        shown = reached | (folded & set(question.gold.needed))
        return grade_prompt(question, Shown(text, frozenset(shown), result.brief_tokens, self._budget))

    def _known(self, ids: Sequence[EpisodeId]) -> set[str]:
        return {external for id in ids if (external := self._external.get(id))}

    def _in_window(self, text: str) -> set[str]:
        """The events whose turns stand in a prompt with their day; an answer, with its question."""
        ordered = sorted(self._history.events, key=lambda event: str(event.line["at"]))[-_LAST:]
        reached: set[str] = set()
        before: Lived | None = None
        for event in ordered:
            words = f"[{event.line['text']}]" if event.kind == "check" else event.line["text"]
            if event.kind == "answer":
                there = before is not None and before.id in reached and event.line["text"] in text
            else:
                there = f"({event.day.isoformat()}) {words}" in text
            if there:
                reached.add(event.id)
            before = event
        return reached


def _sameness(event: Lived) -> tuple[str, str, str | None]:
    """What two events share when the brief folds them into one line."""
    return event.kind, normal(str(event.line["text"])), event.verdict


def run(
    wanted: Sequence[History], builder: Builder, arms: Sequence[Arm], speed: Speed, count: CountTokens = estimate
) -> list[dict[str, Any]]:
    """Every question of every history, by every arm."""
    rows: list[dict[str, Any]] = []
    with listening(speed, count) as listener:
        for history in wanted:
            with builder.opened(history) as house:
                asking = Asking(history, house, listener, speed)
                rows += [asking.ask(question, arm) for question in asking.questions for arm in arms]
    return rows


def main() -> None:
    """Ask, print the tables, keep the rows."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--keep", type=Path, default=KEEP)
    options.add_argument("--histories", type=int)
    options.add_argument("--arms", nargs="+", type=Arm, default=list(Arm))
    options.add_argument("--words-only", action="store_true", help="no embedding model")
    options.add_argument("--estimate", action="store_true", help="count tokens by bytes, not by a model's vocabulary")
    options.add_argument("--tokens-per-second", type=float, default=Speed().tokens)
    options.add_argument("--json", type=Path)
    options.add_argument("--baseline", type=Path, help="write what --compare reads")
    options.add_argument("--compare", type=Path)
    options.add_argument("--show", type=Arm)
    chosen = options.parse_args()
    began, wanted, builder = time.perf_counter(), histories(chosen.histories), Builder(chosen.keep)
    with ExitStack() as stack:
        if chosen.words_only:
            stack.enter_context(no_embedder())
            builder.build(wanted)
        else:
            embedder = stack.enter_context(one_embedder(chosen.keep))
            builder.build(wanted)
            builder.embed(wanted, embedder)
        count = estimate if chosen.estimate else stack.enter_context(vocabulary())
        rows = run(wanted, builder, chosen.arms, Speed(chosen.tokens_per_second), count)
    arms = [arm.value for arm in chosen.arms]
    if chosen.show:
        print("\n".join(failures(rows, chosen.show.value)), end="\n\n")
    print(report(rows, arms, COSTS))
    print(f"\n{len(rows)} answers of {len(wanted)} histories in {time.perf_counter() - began:.0f} s")
    if chosen.compare:
        print(compare(rows, chosen.compare, arms))
    if chosen.baseline:
        chosen.baseline.write_text(json.dumps(baseline(rows), indent=1) + "\n", "utf-8")
    if chosen.json:
        chosen.json.write_text(
            json.dumps({"command": sys.argv[1:], "rows": rows}, ensure_ascii=False, indent=1), "utf-8"
        )


if __name__ == "__main__":
    main()
