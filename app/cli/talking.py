"""Commands that take a message: ask, chat, understand, recall, brief; each also over a batch."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from app.arms import Arm, Arms
from app.cli import shapes
from app.cli.call import Call, objects_of
from app.cli.speech import USAGE, Refusal
from app.cli.telling import Telling
from app.clock import Clock
from app.explaining import explain
from app.replay import isolated
from app.schedule import run_missed_nights
from app.turn_events import Finished, Piece, Plan, Struck, TurnResult
from memory.episodes import SubjectId
from memory.moments import Moment
from memory.phrases import phrases_for

Shown = tuple[dict[str, Any], list[str]]
"""One message's JSON document, and the same in lines for a reader."""
One = Callable[[Call, SubjectId, str, Moment, bool], Shown]


def understand(call: Call) -> int:
    """How a message is understood."""
    return _each(call, _understand)


def recall(call: Call) -> int:
    """Ranked episodes, before the budget."""
    return _each(call, _recall)


def brief(call: Call) -> int:
    """What one turn reads."""
    return _each(call, _brief)


def ask(call: Call) -> int:
    """One full turn; with --explain, what an earlier answer read."""
    if call.arguments.explain is not None:
        return _explain(call, call.arguments.explain)
    if call.arguments.arm is not None:
        return _armed(call, Arm(call.arguments.arm))
    if call.arguments.batch or call.json:
        return _each(call, _ask)
    subject = call.subject()
    _spoken(call, subject.id, _text(call))
    return 0


def chat(call: Call) -> int:
    """A conversation in the terminal. A missed nightly cycle is run first."""
    subject = call.subject()
    run_missed_nights(call.house)
    call.house.tutor.recover()
    call.note(call.say("say.chat_hello"))
    while True:
        sys.stdout.write("> ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line.strip():
            return 0
        _spoken(call, subject.id, line)


def _spoken(call: Call, subject: SubjectId, text: str) -> TurnResult | None:
    """A turn with its answer written as it comes."""
    result = None
    for event in call.house.tutor.turn(subject, text, language=call.language):
        match event:
            case Piece():
                sys.stdout.write(event.text)
                sys.stdout.flush()
            case Struck():
                call.note(f"\n{event.note}")
            case Finished():
                result = event.result
    sys.stdout.write("\n")
    if result is not None:
        for link in result.citations:
            if link.source and link.page is not None:
                call.note(f"  · {link.source}, p. {link.page}")
        if result.plan is Plan.ANSWER and result.status != "answered":
            key = "partly" if result.status == "partly" else "unlinked"
            call.note(f"  · {phrases_for(result.language).say(f'grounding.{key}')}")
        if result.check is not None and result.plan not in (Plan.LESSON, Plan.GRADE):
            phrases = phrases_for(result.check.language)
            call.note(f"  · {phrases.say('check.waits')} {result.check.question}")
        if result.reminder is not None:
            call.note(f"  · {result.reminder.text}")
    return result


def _armed(call: Call, arm: Arm) -> int:
    """Messages answered by an arm of the benchmark, in a copy."""
    call.subject()
    with isolated(call.house, call.arguments.now, call.clock.zone) as copy:
        arms = Arms(copy)

        def one(call: Call, subject: SubjectId, text: str, now: Moment, pending: bool) -> Shown:
            copy.clock.set(now)
            result = arms.ask(subject, text, arm, call.language)
            return {"arm": arm.value, **shapes.turn(result)}, [result.text]

        return _each(call, one)


def _each(call: Call, one: One) -> int:
    """One message, or a batch: one process, one model load, the same order, ``id`` echoed."""
    if call.arguments.batch is None:
        subject = call.subject()
        document, lines = one(call, subject.id, _text(call), call.clock.now(), False)
        call.print(document, *lines)
        return 0
    began = call.clock.fixed
    for raw in objects_of(call.arguments.batch):
        named = raw.get("subject")
        subject = call.house.subject(named) if named else call.subject()
        call.clock.set(Clock(str(raw["now"]), call.clock.zone).now() if raw.get("now") else began)
        document, _ = one(call, subject.id, raw["text"], call.clock.now(), bool(raw.get("pending_check")))
        if "id" in raw:
            document = {"id": raw["id"], **document}
        sys.stdout.write(json.dumps(document, ensure_ascii=False, default=str) + "\n")
    sys.stdout.flush()
    return 0


def _text(call: Call) -> str:
    text: str | None = call.arguments.text
    if text is None or not text.strip():
        raise Refusal(USAGE, "fault.no_text")
    return text


def _understand(call: Call, subject: SubjectId, text: str, now: Moment, pending: bool) -> Shown:
    reading = call.house.reads.understand(subject, text, now, pending=pending, language=call.language)
    document = {**shapes.understanding(reading.understanding), "timings": reading.timings}
    return document, Telling(call, subject).meaning(reading.understanding)


def _recall(call: Call, subject: SubjectId, text: str, now: Moment, pending: bool) -> Shown:
    reading = call.house.reads.understand(subject, text, now, pending=pending, language=call.language)
    limit = getattr(call.arguments, "limit", 20)
    recalled = call.house.reads.recall(subject, text, reading, now, limit=limit)
    document = shapes.recall(recalled, reading.understanding, reading.timings)
    return document, Telling(call, subject).recalled(recalled)


def _brief(call: Call, subject: SubjectId, text: str, now: Moment, pending: bool) -> Shown:
    reading = call.house.reads.understand(subject, text, now, pending=pending, language=call.language)
    call.house.reads.read(subject, text, reading, now, speed=call.house.engines.speed())
    memory = call.house.memory
    document = shapes.brief(reading, memory.beliefs.current(subject), memory.map.concepts(subject))
    return document, Telling(call, subject).brief(reading)


def _ask(call: Call, subject: SubjectId, text: str, now: Moment, pending: bool) -> Shown:
    result = None
    for event in call.house.tutor.turn(subject, text, language=call.language):
        if isinstance(event, Finished):
            result = event.result
    assert result is not None
    return shapes.turn(result), [result.text]


def _explain(call: Call, answer: str) -> int:
    """The exact brief, passages, scores and timings of an answer: the one named, or the last."""
    subject = call.subject()
    document = explain(call.house.memory, subject.id, answer or None)
    call.print(document, *Telling(call, subject.id).explained(document))
    return 0
