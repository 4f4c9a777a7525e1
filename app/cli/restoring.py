"""The restore command: look into a backup, add what it holds, put it in place, or take that back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.cli.call import Call
from app.cli.speech import USAGE, Refusal, line_errors, shown_errors
from app.keeping import look_into, merge, swap_of
from memory.comparing import SubjectDifference
from memory.swapping import Swap, Swapped


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
    looked = look_into(call.house, path)
    document = _document(path, looked.episodes, looked.fault is None)
    lines = [_line(call, each) for each in looked.subjects]
    call.print({**document, "subjects": [_shown(each) for each in looked.subjects]}, *lines)
    return 0


def _merge(call: Call, path: Path) -> int:
    looked, joined = merge(call.house, path)
    document = {
        **_document(path, looked.episodes, verified=True),
        "imported": joined.added,
        "skipped": joined.known,
        "errors": shown_errors(joined.errors),
        "subjects": [_shown(each) for each in looked.subjects],
    }
    summary = call.say("say.restore_merged", merged=joined.added, skipped=joined.known)
    call.print(document, *line_errors(call.say, joined.errors), summary)
    return 0


def _swapped(call: Call, done: Swapped, key: str) -> int:
    document = {**_document(done.path, done.episodes, verified=True), "aside": str(done.aside)}
    call.print(document, call.say(key, episodes=done.episodes, aside=done.aside))
    return 0


def _swap(call: Call) -> Swap:
    """The house is closed before its record is exchanged."""
    call.close()
    return swap_of(call.folders)


def _backup(call: Call) -> Path:
    if call.arguments.path is None:
        raise Refusal(USAGE, "fault.no_backup_named")
    path = Path(call.arguments.path).expanduser().absolute()
    if path.resolve() == call.folders.database.resolve():
        raise Refusal(USAGE, "fault.same_file", path=path)
    if path.is_dir():
        raise Refusal(USAGE, "fault.is_a_folder", path=path)
    return path


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
