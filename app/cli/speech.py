"""What the command line says: results and expected faults, as one clear sentence in the student's language."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from babel import Locale

from app.clock import EARLIEST, LATEST, BadTime, TimeOutOfRange
from app.explaining import NoAnswerYet
from app.folders import SyncedFolder
from app.keeping import NoFolder, NotAFile, OwnFile
from app.models.chat import ChatModelDied, ModelDoesNotFit, ModelUnloadable
from memory.checkpoints import NoCheckpoint
from memory.exchange import LineError
from memory.faults import StoreFault, UnknownEpisode, UnknownSubject
from memory.subjects import LONGEST_NAME, NameTaken, NameTooLong, NameUnseen
from memory.swapping import NothingToUndo

CHECK_FOUND, USAGE, MISSING, DATA = 1, 2, 3, 4
"""Exit codes of the contract: a check found something, wrong call, missing model or file, data error."""
LINES_NAMED = 10


class Refusal(Exception):
    """A command cannot go on: an exit code, the key of a sentence, and its values."""

    def __init__(self, code: int, key: str, **values: Any) -> None:
        super().__init__(key)
        self.code = code
        self.key = key
        self.values = values


@dataclass(frozen=True, slots=True)
class Speech:
    """Sentences of one language, English where that language has none."""

    language: str

    @property
    def spoken(self) -> str:
        """The language whose sentences are said: English where that language has none of its own."""
        return self.language if _sentences(self.language) else "en"

    def __call__(self, key: str, **values: Any) -> str:
        """The sentence ``group.name`` with its values filled in; ``n`` chooses its plural form."""
        group, name = key.split(".")
        sentence = _sentences(self.language).get(group, {}).get(name) or _sentences("en")[group][name]
        if isinstance(sentence, dict):
            form = Locale.parse(self.spoken).plural_form(int(values["n"]))
            sentence = sentence.get(form) or sentence["other"]
        return str(sentence).format(**values)


@cache
def _sentences(language: str) -> dict[str, dict[str, Any]]:
    file = resources.files("resources").joinpath("cli", f"{language}.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def line_errors(say: Speech, errors: Iterable[LineError]) -> list[str]:
    """Lines of a log that were skipped, one sentence a reason: how many, why, and which the first ones are."""
    groups: dict[str, list[int]] = {}
    for error in errors:
        groups.setdefault(say(f"event.{error.code}", **error.values), []).append(error.line)
    told = []
    for why, lines in groups.items():
        shown = ", ".join(map(str, lines[:LINES_NAMED])) + (" …" if len(lines) > LINES_NAMED else "")
        told.append(say("say.line_errors", n=len(lines), why=why, lines=shown))
    return told


def shown_errors(errors: Iterable[LineError]) -> list[dict[str, Any]]:
    """The same as JSON, a line each, its reason in English."""
    english = Speech("en")
    return [{"line": error.line, "why": english(f"event.{error.code}", **error.values)} for error in errors]


def refusal_of(error: Exception) -> Refusal | None:
    """The refusal an expected fault amounts to; None for a bug."""
    match error:
        case Refusal():
            return error
        case StoreFault():
            return Refusal(DATA, f"fault.{error.code}", path=error.path, detail=error.detail)
        case SyncedFolder():
            return Refusal(DATA, "fault.synced_folder", path=error.path)
        case UnknownSubject():
            return Refusal(USAGE, "fault.unknown_subject", name=error.name)
        case OwnFile():
            return Refusal(USAGE, "fault.own_file", path=error.path)
        case NoFolder():
            return Refusal(DATA, "fault.no_folder", path=error.path)
        case NotAFile():
            return Refusal(USAGE, "fault.not_a_file", path=error.path)
        case NameTaken():
            return Refusal(USAGE, "fault.name_taken", name=error.args[0])
        case NoAnswerYet():
            return Refusal(USAGE, "fault.no_answer_yet")
        case UnknownEpisode():
            return Refusal(USAGE, "fault.unknown_episode", episode=error.episode)
        case NameTooLong():
            return Refusal(USAGE, "fault.name_too_long", n=error.length, most=LONGEST_NAME)
        case NameUnseen():
            return Refusal(USAGE, "fault.name_unseen")
        case TimeOutOfRange():
            return Refusal(USAGE, "fault.time_out_of_range", text=error.args[0], first=EARLIEST, last=LATEST)
        case BadTime():
            return Refusal(USAGE, "fault.bad_time", text=error.args[0])
        case NothingToUndo():
            return Refusal(USAGE, "fault.nothing_to_undo")
        case NoCheckpoint():
            return Refusal(USAGE, "fault.bad_checkpoint")
        case ModelDoesNotFit():
            megabyte = 1_000_000
            return Refusal(
                MISSING,
                "fault.model_too_big",
                path=error.path,
                needs=error.needs // megabyte,
                free=error.free // megabyte,
            )
        case ModelUnloadable():
            return Refusal(MISSING, "fault.model_missing", path=error.path, detail=error.reason)
        case ChatModelDied():
            return Refusal(DATA, "fault.model_died")
        case FileNotFoundError():
            return Refusal(MISSING, "fault.missing_file", path=error.filename)
        case _:
            return None
