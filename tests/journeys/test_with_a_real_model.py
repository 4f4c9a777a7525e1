"""What a student goes through with a real chat model, real vectors and a real course."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.prompt import rules
from app.turn_events import Finished, Piece, Plan, Saved
from memory.episodes import Kind, State, Verdict
from memory.mastery import Claim

pytestmark = pytest.mark.model


def test_notes_are_taught_in_four_languages_and_told_again(student: Any) -> None:
    notes = {
        "fr": ("Retiens que mon contrôle est lundi", "mon contrôle est lundi"),
        "en": ("Remember that I learn best with drawings", "I learn best with drawings"),
        "es": ("Recuerda que la bomba de sodio mueve tres iones", "la bomba de sodio mueve tres iones"),
        "ar": ("تذكّر أن الغشاء رقيق جدا", "الغشاء رقيق جدا"),
    }
    for language, (message, note) in notes.items():
        said = student.ask(message)
        assert (said.plan, said.language) == (Plan.TEACH, language)
        assert note in said.text
    told = student.ask("Qu'est-ce que je t'ai appris ?")
    assert told.plan is Plan.LEDGER
    assert all(note in told.text for _, note in notes.values())


def test_a_question_in_french_over_an_english_course_streams_and_is_recorded_with_evidence(student: Any) -> None:
    began = time.monotonic()
    first = None
    said = ""
    for event in student.house.tutor.turn(student.subject.id, "Qu'est-ce que l'osmose ?"):
        if isinstance(event, Piece):
            first = first if first is not None else time.monotonic() - began
            said += event.text
        if isinstance(event, Finished):
            result = event.result
    assert first is not None
    assert result.plan is Plan.ANSWER
    assert result.language == "fr"
    assert len(result.text) > 20
    assert result.text.strip() == student.words(result.answer).strip()
    assert result.timings["first_token_ms"] > 0
    assert first < result.timings["total_ms"] / 1000, "the first words come before the whole"
    reads = student.house.memory.records.reads(result.answer)
    assert [source for kind, source, *_ in reads if kind == "passage"], "the course reached the prompt"
    told = student.ask("What is osmosis?")
    answer = student.house.memory.ledger.get(told.answer)
    assert answer.meta.evidence, "what the answer says is tied to the course"
    assert answer.meta.evidence[0].file == "plasma_membranes.pdf"
    assert told.status in ("answered", "partly")


def test_a_stopped_answer_stops_at_once_and_keeps_its_beginning(student: Any) -> None:
    cancel = threading.Event()
    pieces, stopped_at = 0, 0.0
    for event in student.house.tutor.turn(student.subject.id, "Explain active transport in detail", cancel=cancel):
        if isinstance(event, Piece):
            pieces += 1
            if pieces == 8:
                stopped_at = time.monotonic()
                cancel.set()
        if isinstance(event, Finished):
            result = event.result
            took = time.monotonic() - stopped_at
    assert result.stopped
    assert result.text
    assert student.house.memory.ledger.get(result.answer).meta.state is State.STOPPED
    assert pieces < 20, "it did not go on"
    assert took < 5, "grounding of what was said included"
    assert student.house.memory.scratch.left() == []


def test_a_model_killed_in_the_middle_of_an_answer_loses_no_message_and_comes_back(student: Any) -> None:
    pieces = 0
    for event in student.house.tutor.turn(student.subject.id, "Explain osmosis in detail"):
        if isinstance(event, Piece):
            pieces += 1
            if pieces == 5:
                pid = student.model().pid
                assert pid is not None
                os.kill(pid, signal.SIGKILL)
        if isinstance(event, Finished):
            result = event.result
    assert student.words(result.question) == "Explain osmosis in detail"
    assert student.house.memory.ledger.get(result.answer).meta.state is State.INTERRUPTED
    again = student.ask("What is diffusion?")
    assert student.house.memory.ledger.get(again.answer).meta.state is None
    assert len(again.text) > 20
    assert all(chain.ok for chain in student.house.memory.verification.chains())


def test_a_lesson_a_wrong_reply_and_a_belief_that_gives_way(student: Any) -> None:
    asked = student.ask("Teach me osmosis")
    assert asked.plan is Plan.LESSON
    assert asked.check is not None
    graded = student.ask(next((each for each in asked.check.choices if each != asked.check.expected), "a potato"))
    assert graded.verdict is Verdict.WRONG
    assert "plasma_membranes.pdf" in graded.text
    (weak,) = student.house.memory.beliefs.current(student.subject.id)
    assert weak.claim is Claim.WEAK
    for day in (12, 19, 26):
        student.reopen(f"2026-10-{day}T17:00:00+02:00")
        asked = student.ask("Teach me osmosis")
        assert student.ask(asked.check.expected).verdict is Verdict.RIGHT
    (held,) = student.house.memory.beliefs.current(student.subject.id)
    assert held.claim is not Claim.WEAK
    history = student.house.memory.beliefs.history(student.subject.id)
    assert next(row for row in history if row.id == weak.id).superseded_by is not None


def test_a_quiz_ends_in_an_episode_and_the_next_day_it_is_told(student: Any) -> None:
    result = student.ask("Interroge-moi")
    while result.check is not None:
        result = student.ask(result.check.expected)
    (quiz,) = student.house.memory.ledger.find(student.subject.id, kinds=[Kind.QUIZ])
    assert quiz.meta.score == 1.0
    student.reopen("2026-10-06T17:00:00+02:00")
    told = student.ask("Qu'est-ce qu'on a fait hier ?")
    assert told.plan is Plan.LEDGER
    assert quiz.id in [memory.id for memory in told.memories]


def test_a_crash_of_the_whole_program_in_the_middle_of_an_answer_leaves_what_was_said(student: Any) -> None:
    student.close()
    script = (
        "import sys; from pathlib import Path; from app.clock import Clock; from app.folders import open_folders;"
        "from app.wiring import open_house; from app.turn_events import Piece;"
        f"house = open_house(open_folders(Path({str(student.folders.data)!r})), Clock('2026-10-05T18:00:00+02:00'));"
        "subject = house.subject('Biology');\n"
        "for event in house.tutor.turn(subject.id, 'Explain in detail how the sodium-potassium pump works'):\n"
        "    print(type(event).__name__, flush=True)\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )
    assert running.stdout is not None
    with running, running.stdout:
        children: list[psutil.Process] = []
        since = None
        for line in running.stdout:
            assert line.strip() != Finished.__name__, "it should have been killed before"
            if line.strip() == Piece.__name__ and since is None:
                since = time.monotonic()
                children = psutil.Process(running.pid).children(recursive=True)
            if since is not None and time.monotonic() - since > 1.6:
                running.kill()
                break
    _, alive = psutil.wait_procs(children, timeout=5)
    assert alive == [], "no process outlives the program"
    student.reopen("2026-10-05T18:10:00+02:00")
    (recovered,) = student.house.tutor.recover()
    answer = student.house.memory.ledger.get(recovered)
    assert answer.meta.state is State.INTERRUPTED
    assert answer.content.text
    assert student.words(answer.meta.about) == "Explain in detail how the sodium-potassium pump works"
    assert all(chain.ok for chain in student.house.memory.verification.chains())


def test_the_message_is_on_disk_before_the_model_is_even_loaded(student: Any) -> None:
    turn = student.house.tutor.turn(student.subject.id, "What is a membrane?")
    saved = next(turn)
    assert isinstance(saved, Saved)
    assert student.model().pid is None
    assert student.words(saved.question) == "What is a membrane?"
    turn.close()


def test_a_conversation_reads_only_what_is_new(student: Any) -> None:
    first = student.ask("What is diffusion?")
    student.house.tutor.prefill(student.subject.id)
    second = student.ask("Does it need energy?")
    reused = second.timings["prompt_tokens"] - second.timings["evaluated_tokens"]
    (rules_tokens,) = student.model().count_tokens([rules()])
    assert reused >= rules_tokens + first.timings["answer_tokens"], "rules and first exchange stay in the model's cache"
