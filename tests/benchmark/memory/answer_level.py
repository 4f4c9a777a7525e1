"""The memory benchmark with a real chat model: the same questions to every arm, the answers graded by their words.

    python tests/benchmark/memory/answer_level.py --out FILE.jsonl [--minutes 8] [--questions 60] [--arms ARM …]
        [--only CATEGORY …] [--again] [--words-only] [--noise SEED] [--keep FOLDER] [--show ARM] [--report]

Runs in slices: it stops after ``--minutes`` and goes on where it stopped. One line an answer, by arm, question and
prompt (a digest of what the model was given). What was answered before is not asked again; with ``--again`` every
prompt is made anew, and answered anew where it has changed. ``--noise`` samples at temperature 0.7 with a seed, where
the tutor itself takes the likeliest word. ``--report`` only prints; answers are graded anew each time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any
from unittest.mock import patch

from building import KEEP, SUBJECT, Builder
from figures import failures, report
from graders import grade_answer
from histories import History, histories
from questions import CATEGORIES, Question, questions
from shared_models import local_models, no_embedder, one_embedder

from app.arms import CONTEXT, Arm, Arms
from app.engines import Engines
from app.models.chat import Cancel, ChatModel, Generation, Message
from app.prompt import Speed

COSTS = ("prompt_tokens", "read_ms", "first_token_ms", "total_ms")
WARM = 0.7
"""Temperature of the noise run."""
_NONCE = re.compile(r"(?<=file )[0-9a-f]{6}\b")


class Answered(Exception):
    """A prompt that was answered before."""


def digest(said: str) -> str:
    """What a prompt or an answer is known by; the fences' marks, new on every turn, do not count."""
    return hashlib.sha256(_NONCE.sub("", said).encode()).hexdigest()[:16]


class Speaker:
    """The chat model that every house shares: it notes each prompt, and may be made to sample.

    ``stop`` are digests of prompts that were answered before: they are not answered again (Answered is raised).
    """

    def __init__(self, model: ChatModel, noise: int | None) -> None:
        self._model = model
        self._sampling: dict[str, Any] = {} if noise is None else {"temperature": WARM, "seed": noise}
        self.path = model.path
        self.prompt = ""
        self.stop: set[str] = set()

    def load(self) -> None:
        """Load the model."""
        self._model.load()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text."""
        return self._model.count_tokens(texts)

    def generate(self, messages: Sequence[Message], *, max_tokens: int, cancel: Cancel | None = None) -> Generation:
        """An answer, from a conversation that no earlier question has warmed."""
        self.prompt = digest("\n".join(f"{message.role}: {message.content}" for message in messages))
        if self.prompt in self.stop:
            raise Answered(self.prompt)
        return self._model.generate(messages, max_tokens=max_tokens, cancel=cancel, **self._sampling)

    def close(self) -> None:
        """It is closed once, at the end of the run."""


@contextmanager
def speaking(noise: int | None) -> Iterator[Speaker]:
    """Every house opened inside talks to this machine's default chat model."""
    path = local_models().chat_path()
    assert path is not None, "no chat model: retiens models fetch"
    model = ChatModel(path, context=CONTEXT)
    speaker = Speaker(model, noise)
    try:
        with (
            patch.object(Engines, "chat", lambda engines: speaker),
            patch.object(Engines, "speed", lambda engines: Speed()),
        ):
            yield speaker
    finally:
        model.close()


class Answers:
    """The answers given so far, one line each in a file that only grows."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self.rows: list[dict[str, Any]] = []
        if place.exists():
            self.rows = [json.loads(line) for line in place.read_text("utf-8").splitlines()]

    def known(self, arm: Arm, question: Question) -> set[str]:
        """The prompts of a question in these very words that an arm has answered."""
        return {
            row["prompt"]
            for row in self.rows
            if row["arm"] == arm.value and row["id"] == question.id and row["text"] == question.text
        }

    def add(self, row: dict[str, Any]) -> None:
        """One more line, on disk at once."""
        self.rows.append(row)
        with self._place.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def paired(builder: Builder, wanted: Sequence[History]) -> list[Question]:
    """Every question, in an order in which any beginning is balanced over categories and mixed over histories."""
    every: dict[str, list[Question]] = {category: [] for category in CATEGORIES}
    for history in wanted:
        with builder.opened(history) as house:
            for question in questions(history, house, house.subject(SUBJECT).id):
                every[question.category].append(question)
    for category, own in every.items():
        random.Random(category).shuffle(own)
    longest = max(map(len, every.values()))
    return [own[place] for place in range(longest) for own in every.values() if place < len(own)]


def ask(builder: Builder, history: History, question: Question, arm: Arm, speaker: Speaker) -> dict[str, Any] | None:
    """One answer with its figures; None where the prompt was answered before."""
    speaker.prompt = ""
    with builder.opened(history) as house:
        try:
            result = Arms(house).ask(house.subject(SUBJECT).id, question.text, arm, question.language)
        except Answered:
            return None
    figures = dict(result.timings)
    return {
        **{key: value for key, value in asdict(question).items() if key != "gold"},
        "arm": arm.value,
        "plan": result.plan.value,
        "prompt": speaker.prompt or digest(result.text),
        "answer": result.text,
        "prompt_tokens": figures.get("prompt_tokens", 0.0),
        "answer_tokens": figures.get("answer_tokens", 0.0),
        "read_ms": round(sum(figures.get(part, 0.0) for part in ("embed_ms", "understand_ms", "brief_ms")), 1),
        "first_token_ms": figures.get("first_token_ms", figures.get("total_ms", 0.0)),
        "total_ms": figures.get("total_ms", 0.0),
    }


def graded(rows: Sequence[dict[str, Any]], asked: Sequence[Question]) -> list[dict[str, Any]]:
    """The rows of questions that are still asked, each with today's grade; the latest answer counts."""
    by_id = {question.id: question for question in asked}
    latest = {(row["arm"], row["id"]): row for row in rows}
    found = []
    for row in latest.values():
        question = by_id.get(row["id"])
        if question is not None and question.text == row["text"]:
            grade = grade_answer(question, row["answer"])
            found.append({**row, "right": grade.right, "outcome": grade.outcome.value, "why": grade.why})
    return found


def main() -> None:
    """Ask for as long as the slice lasts, then print what there is."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--minutes", type=float, default=8.0)
    options.add_argument("--questions", type=int, default=60)
    options.add_argument("--arms", nargs="+", type=Arm, default=list(Arm))
    options.add_argument("--only", nargs="+", choices=CATEGORIES, default=CATEGORIES, metavar="CATEGORY")
    options.add_argument("--again", action="store_true")
    options.add_argument("--words-only", action="store_true", help="no embedding model")
    options.add_argument("--noise", type=int)
    options.add_argument("--keep", type=Path, default=KEEP)
    options.add_argument("--show", type=Arm)
    options.add_argument("--report", action="store_true")
    chosen = options.parse_args()
    until, builder, wanted = time.monotonic() + 60 * chosen.minutes, Builder(chosen.keep), histories()
    answers = Answers(chosen.out)
    with ExitStack() as stack:
        if chosen.words_only or chosen.report:
            stack.enter_context(no_embedder())
            builder.build(wanted)
        else:
            embedder = stack.enter_context(one_embedder(chosen.keep))
            builder.build(wanted)
            builder.embed(wanted, embedder)
        asked = [question for question in paired(builder, wanted) if question.category in chosen.only]
        if not chosen.report:
            speaker = stack.enter_context(speaking(chosen.noise))
            of = {history.id: history for history in wanted}
            for question in asked[: chosen.questions]:
                for arm in chosen.arms:
                    speaker.stop = answers.known(arm, question)
                    if time.monotonic() < until and (chosen.again or not speaker.stop):
                        row = ask(builder, of[question.history], question, arm, speaker)
                        if row is not None and row["prompt"] not in speaker.stop:
                            answers.add(row)
    rows = graded(answers.rows, asked)
    arms = [arm.value for arm in chosen.arms]
    whole = [row for row in rows if {(arm, row["id"]) for arm in arms} <= {(each["arm"], each["id"]) for each in rows}]
    if chosen.show:
        for line, row in zip(failures(whole, chosen.show.value), _failed(whole, chosen.show.value), strict=True):
            print(f"{line}\n    → {row['answer'][:400]}\n")
    print(report(whole, arms, COSTS))
    print(f"\n{len(whole) // len(arms)} questions answered by every arm; {len(rows)} answers in all")


def _failed(rows: Sequence[dict[str, Any]], arm: str) -> list[dict[str, Any]]:
    return [row for row in rows if row["arm"] == arm and not row["right"]]


if __name__ == "__main__":
    main()
