"""The models command: list, fetch, use, check."""

from __future__ import annotations

from typing import Any

from app.cli.call import Call
from app.cli.speech import DATA, MISSING, Refusal
from app.engines import open_models
from app.models.catalogue import Role
from app.models.fetch import Progress
from app.models.fetch_faults import FetchFault, NoSpace
from app.models.shelf import Models, NotAModel, NotInstalled, UnknownModel
from app.settings import Settings

_MB = 1_000_000
_TESTS = ("qwen2.5-coder-0.5b-instruct-q4_k_m", "smollm2-135m-instruct-q4_1", "all-minilm-l6-v2")


def models(call: Call) -> int:
    """Dispatch to the action."""
    shelf = open_models(call.folders, Settings(call.folders.settings))
    match call.arguments.action:
        case "fetch":
            return _fetch(call, shelf, call.arguments.name)
        case "use":
            return _use(call, shelf, call.arguments.name)
        case "check":
            return _check(call, shelf)
        case _:
            return _list(call, shelf)


def _list(call: Call, shelf: Models) -> int:
    shown = [_shown(state) for state in shelf.all()]
    found = [{"path": str(each.path), "program": each.program, "size": each.size} for each in shelf.found()]
    lines = [
        f"{'*' if each['in_use'] else ' '} {each['name']}  {each['role']}  {each['size'] // _MB} MB"
        f"  {'installed' if each['installed'] else '-'}"
        for each in shown
    ]
    call.print({"models": shown, "found": found}, *lines)
    return 0


def _fetch(call: Call, shelf: Models, name: str) -> int:
    names = _names(shelf, name)
    for each in names:
        known = shelf.catalogue.get(each)
        if known is None:
            raise Refusal(MISSING, "fault.unknown_model", name=each)
        if known.bundled or shelf.installed(known):
            call.note(call.say("say.fetched", name=each))
            continue
        try:
            shelf.fetch(each, _Meter(call, each))
        except FetchFault as error:
            raise _refused(call, each, error) from error
        except OSError as error:
            raise Refusal(MISSING, "fault.fetch_failed", name=each, detail=str(error)) from error
        call.note(call.say("say.fetched", name=each))
    call.print({"models": [_shown(state) for state in shelf.all() if state.name in names]})
    return 0


def _refused(call: Call, name: str, fault: FetchFault) -> Refusal:
    """Why a model could not be fetched, in words."""
    facts = fault.facts
    if isinstance(fault, NoSpace):
        facts = {"needs": fault.needs // _MB, "free": fault.free // _MB}
    detail = call.say(f"fetch.{fault.code}", **facts)
    return Refusal(MISSING, "fault.fetch_failed", name=name, detail=detail)


def _names(shelf: Models, name: str) -> list[str]:
    """A model's name, or a set of them: the defaults of this machine, or what the tests need."""
    if name == "tests":
        return list(_TESTS)
    if name == "default":
        defaults = [shelf.default(role) for role in (Role.CHAT, Role.EMBEDDING)]
        return [model.name for model in defaults if model is not None]
    return [name]


def _use(call: Call, shelf: Models, name: str) -> int:
    try:
        state = shelf.use(name)
    except UnknownModel as error:
        raise Refusal(MISSING, "fault.unknown_model", name=error.name) from error
    except NotInstalled as error:
        raise Refusal(MISSING, "fault.no_chat_model") from error
    except NotAModel as error:
        raise Refusal(DATA, "fault.model_missing", path=error.path, detail="GGUF") from error
    call.print({"models": [_shown(state)]}, call.say("say.in_use", name=state.name))
    return 0


def _check(call: Call, shelf: Models) -> int:
    measured = []
    for check in shelf.check():
        fault = check.fault
        measured.append(
            {
                "name": check.name,
                "role": check.role.value,
                "load_ms": check.load_ms,
                "prompt_tokens_per_second": check.prompt_per_second,
                "generation_tokens_per_second": check.written_per_second,
                "query_ms": check.query_ms,
                "fault": str(fault) if fault else None,
            }
        )
    lines = [", ".join(f"{key}: {value}" for key, value in each.items() if value is not None) for each in measured]
    call.print({"models": measured}, *lines)
    if not measured:
        return MISSING
    return DATA if any(each["fault"] for each in measured) else 0


def _shown(state: Any) -> dict[str, Any]:
    return {
        "name": state.name,
        "role": state.role.value,
        "installed": state.installed,
        "in_use": state.in_use,
        "default": state.default,
        "size": state.size,
        "sha256": state.sha256,
        "licence": state.licence,
        "languages": list(state.languages),
        "needs": state.needs,
    }


class _Meter:
    """Says how far a download has come, every ten percent."""

    def __init__(self, call: Call, name: str) -> None:
        self._call = call
        self._name = name
        self._said = -1

    def __call__(self, progress: Progress) -> None:
        tenth = int(10 * progress.done / progress.total) if progress.total else 0
        if tenth > self._said:
            self._said = tenth
            self._call.note(
                self._call.say(
                    "say.fetching",
                    name=self._name,
                    done=progress.done // _MB,
                    total=progress.total // _MB,
                    rate=round(progress.rate / _MB, 1),
                    left=round(progress.seconds_left or 0),
                )
            )
