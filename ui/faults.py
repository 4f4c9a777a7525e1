"""Faults in words: what happened and what is safe, in the student's language; the details apart."""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass

from app.keeping import NotAFile, NotText, OwnFile
from app.models.chat import ChatModelDied, ModelDoesNotFit, ModelUnloadable
from app.models.fetch_faults import FetchCancelled, FetchFault, NoSpace, Offline, WrongHash
from memory.faults import StoreFault, UnknownEpisode
from memory.subjects import LONGEST_NAME, NameTaken, NameTooLong, NameUnseen
from memory.swapping import NothingToUndo
from ui.messages import Messages

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Told:
    """A fault as it is shown. ``details`` is for whoever helps, never shown unfolded."""

    words: str
    details: str = ""
    expected: bool = True


def told(error: Exception, t: Messages) -> Told:
    """The words for a fault. What nobody expected is said to be a bug, with its trace in the details."""
    match error:
        case StoreFault():
            return Told(t(f"fault.{error.code}", path=error.path.name), f"{error.path}\n{error.detail}".strip())
        case NotAFile():
            return Told(t("fault.not_a_file", path=error.path))
        case OwnFile():
            return Told(t("fault.own_file", path=error.path.name))
        case NotText():
            return Told(t("fault.not_text", path=error.path.name))
        case NothingToUndo():
            return Told(t("fault.nothing_to_undo"))
        case NameTaken():
            return Told(t("fault.name_taken"))
        case NameTooLong() | NameUnseen():
            return Told(t("fault.name_unfit", most=LONGEST_NAME))
        case UnknownEpisode():
            return Told(t("fault.unknown_episode"))
        case ModelDoesNotFit():
            return Told(t("fault.model_too_big", needs=t.size(error.needs), free=t.size(error.free)), str(error.path))
        case ModelUnloadable():
            return Told(t("fault.model_unloadable"), f"{error.path}\n{error.reason}")
        case ChatModelDied():
            return Told(t("fault.model_died"), str(error))
        case FetchCancelled():
            return Told(t("fault.fetch_cancelled"))
        case Offline():
            return Told(t("fault.fetch_offline"), str(error))
        case NoSpace():
            return Told(t("fault.fetch_space", needs=t.size(error.needs), free=t.size(error.free)))
        case WrongHash():
            return Told(t("fault.fetch_hash"), str(error))
        case FetchFault():
            return Told(t("fault.fetch_failed"), f"{type(error).__name__} {error}")
        case FileNotFoundError():
            return Told(t("fault.missing_file", path=str(error.filename)))
        case _:
            _LOG.error("a fault that nobody expected", exc_info=error)
            return Told(t("fault.bug"), "".join(traceback.format_exception(error)), expected=False)
