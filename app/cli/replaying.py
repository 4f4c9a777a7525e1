"""The replay command: would the tutor still know? A copy is rebuilt from the record and questioned."""

from __future__ import annotations

import json

from app.cli import shapes
from app.cli.call import Call, lines_of
from app.cli.speech import DATA, Refusal
from app.explaining import explain
from app.replay import isolated
from app.replay import replay as replay_in


def replay(call: Call) -> int:
    """Rebuild a copy, ask, report; nothing of the original is touched."""
    arguments = call.arguments
    questions = _questions(arguments.questions) if arguments.questions else None
    with isolated(call.house, arguments.now, call.clock.zone) as copy:
        subject = copy.subject(arguments.subject)
        done = replay_in(copy, subject.id, questions, call.language)
        asked = [
            {
                "text": text,
                **shapes.turn(result),
                "reached": explain(copy.memory, subject.id, result.answer),
            }
            for text, result in done.turns
        ]
    document = {
        "subject": subject.name,
        "questions": asked,
        "beliefs": [shapes.belief(held) for held in done.beliefs],
        "dropped": [shapes.belief(held) for held in done.dropped],
    }
    lines = [line for text, result in done.turns for line in (f"> {text}", result.text, "")]
    call.print(document, *lines, call.say("say.replay_done", questions=len(asked)))
    return 0


def _questions(path: str) -> list[str]:
    """One question a line: plain text, or JSON objects with ``text``. Raises Refusal."""
    found = [_text(line.strip(), path) for line in lines_of(path) if line.strip()]
    if not found:
        raise Refusal(DATA, "fault.no_questions", path=path)
    return found


def _text(line: str, path: str) -> str:
    if not line.startswith("{"):
        return line
    try:
        text = json.loads(line).get("text")
    except (ValueError, RecursionError) as error:
        raise Refusal(DATA, "fault.no_questions", path=path) from error
    if not isinstance(text, str) or not text.strip():
        raise Refusal(DATA, "fault.no_text")
    return text
