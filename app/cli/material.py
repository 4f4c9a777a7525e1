"""Commands about the material: read, map, files, subjects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.cli import shapes
from app.cli.call import Call
from app.cli.speech import DATA, MISSING, USAGE, Refusal
from app.cli.telling import Telling
from app.reading.reader import FileRead
from memory.episodes import ConceptId, SubjectId
from memory.files import FileState
from memory.subjects import NameTaken

_MISSING_FILE = "missing"


def read(call: Call) -> int:
    """Read files into the map; the exit code says whether one was missing (3) or could not be read (4)."""
    subject = call.subject()
    done = [_read(call, subject.id, path) for path in call.arguments.paths]
    if call.house.engines.embedder() is not None:
        call.house.engines.catch_up(on_progress=lambda part, total: _vectors_note(call, part, total))
    document = {
        "subject": subject.name,
        "files": [
            {
                "path": str(each.path),
                "sha256": each.sha256,
                "pages": each.pages,
                "concepts": each.concepts,
                "seconds": round(each.seconds, 3),
                "tokens": each.tokens,
                "fault": each.fault,
            }
            for each in done
        ],
    }
    call.print(document, *[_read_line(call, each) for each in done])
    faults = {each.fault for each in done if each.fault}
    if _MISSING_FILE in faults:
        return MISSING
    return DATA if faults else 0


def _read(call: Call, subject: SubjectId, path: str) -> FileRead:
    return call.house.reader.read(
        subject,
        Path(path).expanduser().absolute(),
        language=call.language,
        on_progress=lambda page, pages: call.note(f"{path}: {page}/{pages}"),
    )


def map(call: Call) -> int:
    """The subject map in teaching order."""
    subject, memory = call.subject(), call.house.memory
    concepts = {concept.id: concept for concept in memory.map.concepts(subject.id)}
    order = memory.map.order(subject.id)
    document = {
        "concepts": [shapes.concept(concept, memory) for concept in concepts.values()],
        "order": list(order.sequence),
        "broken": [[link.concept, link.needs] for link in order.broken],
        "maturity": round(memory.map.maturity(subject.id), 4),
    }
    telling = Telling(call, subject.id)
    lines = [telling.concept(concept) for id in order.sequence if (concept := concepts.get(ConceptId(id))) is not None]
    call.print(document, *(lines or [call.say("say.no_concepts")]))
    return 0


def files(call: Call) -> int:
    """The files of a subject; remove or read again those named."""
    subject, memory, arguments = call.subject(), call.house.memory, call.arguments
    if arguments.action == "list" and arguments.names:
        raise Refusal(USAGE, "fault.too_many", text=" ".join(arguments.names))
    for name in arguments.names:
        found = _find(call, subject.id, name)
        if arguments.action == "remove":
            memory.files.remove(found.id)
            memory.map.refresh(subject.id)
        else:
            call.house.reader.read(subject.id, Path(found.path), language=call.language, again=True)
    states, telling = memory.files.all(subject.id), Telling(call, subject.id)
    lines = [telling.file(state) for state in states] or [call.say("say.no_files")]
    call.print({"files": [_file(state) for state in states]}, *lines)
    return 0


def subjects(call: Call) -> int:
    """List, add or rename subjects."""
    arguments, house = call.arguments, call.house
    names = arguments.names
    if arguments.action == "add":
        if len(names) != 1:
            raise NameTaken("")
        house.memory.subjects.add(SubjectId(house.ids()), names[0], house.clock.recorded())
    elif arguments.action == "rename":
        if len(names) != 2:
            raise NameTaken("")
        house.memory.subjects.rename(house.memory.subjects.find(names[0]).id, names[1])
    elif names:
        raise Refusal(USAGE, "fault.too_many", text=" ".join(names))
    shown: list[dict[str, Any]] = [
        {
            "id": subject.id,
            "name": subject.name,
            "episodes": house.memory.ledger.count(subject.id),
            "due": len(house.memory.review.due(subject.id, house.clock.now())),
        }
        for subject in house.memory.subjects.all()
    ]
    lines = [Telling(call, each["id"]).subject(each["name"], each["episodes"], each["due"]) for each in shown]
    call.print({"subjects": shown}, *(lines or [call.say("say.no_subjects")]))
    return 0


def _find(call: Call, subject: SubjectId, name: str) -> FileState:
    for state in call.house.memory.files.all(subject):
        if name in (state.id, state.name, state.path) or str(Path(name).absolute()) == state.path:
            return state
    raise Refusal(MISSING, "fault.missing_file", path=name)


def _file(state: FileState) -> dict[str, Any]:
    version = state.version
    return {
        "id": state.id,
        "path": state.path,
        "name": state.name,
        "state": state.stage.value,
        "fault": state.fault,
        "pages": version.pages if version else 0,
        "pages_read": version.pages_read if version else 0,
        "sha256": version.sha256 if version else None,
    }


def _read_line(call: Call, each: FileRead) -> str:
    if each.fault is not None:
        return call.say(f"read.{each.fault}", path=each.path)
    return call.say(
        "read.done",
        path=each.path.name,
        pages=call.say("read.pages", n=each.pages),
        concepts=call.say("read.concepts", n=each.concepts),
        seconds=round(each.seconds, 1),
    )


def _vectors_note(call: Call, done: int, total: int) -> None:
    call.note(call.say("read.vectors", done=done, total=total))
