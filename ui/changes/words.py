"""A change in words. No Qt here."""

from __future__ import annotations

from typing import Any

from memory.changes import Change, What
from ui.messages import Messages

ICONS = {
    What.BELIEF: "eye",
    What.FILE: "file",
    What.CONCEPT: "map",
    What.TAUGHT: "note",
    What.CONSOLIDATION: "night",
    What.REDACTION: "remove",
    What.WITHDRAWAL: "undo",
    What.CONTEST: "flag",
}
_NAMED = 4


def words_of(change: Change, t: Messages) -> str:
    """What changed, in one sentence: before and after where there was a before."""
    before, after = change.before or {}, change.after or {}
    match change.what:
        case What.BELIEF:
            now = _held(after, t)
            if change.before and before.get("claim") == after.get("claim"):
                return t("changes.belief_same", concept=change.name, after=now, share=t.percent(before["confidence"]))
            if change.before:
                return t("changes.belief", concept=change.name, before=_held(before, t), after=now)
            return t("changes.belief_new", concept=change.name, after=now)
        case What.FILE:
            added, merged = after.get("added", []), after.get("merged", [])
            said = t("changes.file", file=after.get("file", ""), n=len(added))
            if added:
                said += " " + _some(added, t)
            return said + (" " + t("changes.merged", n=len(merged)) if merged else "")
        case What.CONCEPT:
            return t(f"changes.concept_{after.get('origin', 'taught')}", concept=change.name)
        case What.CONSOLIDATION:
            counts = after.get("counts", {})
            return t("changes.consolidation", n=sum(counts.values()), checks=counts.get("check", 0))
        case What.CONTEST:
            return t("changes.contest", verdict=t(f"verdict.{before.get('verdict') or 'none'}"))
        case _:
            return t(f"changes.{change.what.value}")


def why(change: Change, t: Messages) -> str:
    """Why it changed, where a reason is kept."""
    if change.reason is None:
        return ""
    said = t(f"reason.{change.reason}")
    return said[:1].upper() + said[1:]


def _held(value: Any, t: Messages) -> str:
    return t("changes.held", claim=t(f"standing.{value['claim']}"), share=t.percent(value["confidence"]))


def _some(names: list[str], t: Messages) -> str:
    shown = ", ".join(names[:_NAMED])
    return t("changes.names_more", names=shown) if len(names) > _NAMED else t("changes.names", names=shown)
