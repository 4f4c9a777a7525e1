"""The restore command: look into a backup, add what it holds, put it in place, or take that back."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.cli.call import Call
from app.cli.speech import USAGE, Refusal
from memory.comparing import SubjectDifference, compare, opened_copy
from memory.faults import Damaged
from memory.joining import join
from memory.store import Store
from memory.swapping import Swap, Swapped
from memory.verification import Verification


def restore(call: Call) -> int:
    """Dispatch to what was asked; without an option, nothing is changed."""
    what: str = call.arguments.what or "preview"
    if what == "undo":
        return _swapped(call, _swap(call).undo(call.clock.now().local), "say.restore_undone")
    path = _backup(call)
    if what == "replace":
        return _swapped(call, _swap(call).replace(path, call.clock.now().local), "say.restore_replaced")
    return _merge(call, path) if what == "merge" else _preview(call, path)


def _preview(call: Call, path: Path) -> int:
    with opened_copy(path, call.folders.data) as other:
        verified = _fault(other) is None
        found = compare(call.house.memory.store, other)
    document = _document(path, sum(each.there for each in found), verified)
    call.print({**document, "subjects": [_shown(each) for each in found]}, *[_line(call, each) for each in found])
    return 0


def _merge(call: Call, path: Path) -> int:
    house = call.house
    with opened_copy(path, call.folders.data) as other:
        fault = _fault(other)
        if fault is not None:
            raise Damaged(path, fault)
        house.memory.backups.make(call.clock.now())
        found = compare(house.memory.store, other)
        joined = join(house.memory, other, house.ids, call.clock.now())
    document = {
        **_document(path, sum(each.there for each in found), verified=True),
        "imported": joined.added,
        "skipped": joined.known,
        "errors": [asdict(error) for error in joined.errors],
        "subjects": [_shown(each) for each in found],
    }
    spoken = [call.say("say.line_error", line=error.line, why=error.why) for error in joined.errors]
    call.print(document, *spoken, call.say("say.restore_merged", merged=joined.added, skipped=joined.known))
    return 0


def _swapped(call: Call, done: Swapped, key: str) -> int:
    document = {**_document(done.path, done.episodes, verified=True), "aside": str(done.aside)}
    call.print(document, call.say(key, episodes=done.episodes, aside=done.aside))
    return 0


def _swap(call: Call) -> Swap:
    """The house is closed before its record is exchanged."""
    call.close()
    return Swap(call.folders.database, call.folders.backups, call.folders.checkpoints)


def _backup(call: Call) -> Path:
    if call.arguments.path is None:
        raise Refusal(USAGE, "fault.no_backup_named")
    path = Path(call.arguments.path).expanduser().absolute()
    if path.resolve() == call.folders.database.resolve():
        raise Refusal(USAGE, "fault.same_file", path=path)
    return path


def _fault(other: Store) -> str | None:
    """The first thing that does not hold in another record."""
    verification = Verification(other)
    broken = [f"{state.name}: {state.first_break}" for state in verification.chains() if not state.ok]
    return next(iter(broken + verification.database()), None)


def _document(path: Path, episodes: int, verified: bool) -> dict[str, Any]:
    return {"path": str(path), "episodes": episodes, "verified": verified}


def _shown(each: SubjectDifference) -> dict[str, Any]:
    return {
        "id": each.subject,
        "subject": each.name,
        "here": each.here,
        "there": each.there,
        "common": each.common,
        "relation": each.relation.value,
    }


def _line(call: Call, each: SubjectDifference) -> str:
    return call.say(
        "say.restore_subject",
        subject=each.name,
        here=each.here,
        there=each.there,
        common=each.common,
        relation=each.relation.value,
    )
