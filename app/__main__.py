"""The entry of the ``retiens`` command: reads the call, runs one command, turns faults into a sentence and a code."""

from __future__ import annotations

import faulthandler
import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path

from app.cli import demonstrating, material, models, recording, replaying, restoring, self_testing, student, talking
from app.cli.arguments import build_parser
from app.cli.call import Call
from app.cli.speech import DATA, USAGE, Refusal, Speech, refusal_of
from app.folders import SyncedFolder
from app.wiring import House

Command = Callable[[Call], int]

_COMMANDS: dict[str, Command] = {
    "chat": talking.chat,
    "ask": talking.ask,
    "brief": talking.brief,
    "recall": talking.recall,
    "understand": talking.understand,
    "read": material.read,
    "map": material.map,
    "files": material.files,
    "subjects": material.subjects,
    "beliefs": student.beliefs,
    "history": student.history,
    "report": student.report,
    "review": student.review,
    "nightly": student.nightly,
    "verify": recording.verify,
    "checkpoint": recording.checkpoint,
    "import": recording.import_,
    "export": recording.export,
    "redact": recording.redact,
    "withdraw": recording.withdraw,
    "contest": recording.contest,
    "rebuild": recording.rebuild,
    "backup": recording.backup,
    "restore": restoring.restore,
    "replay": replaying.replay,
    "models": models.models,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code of the contract."""
    if not faulthandler.is_enabled():
        faulthandler.enable()
    _speak_utf8()
    words = sys.argv[1:] if arguments is None else arguments
    try:
        parsed = build_parser().parse_args(words)
    except SystemExit as ended:
        if ended.code and "--json" in words:
            _print_fault("usage", "")
        raise
    name = parsed.command or "window"
    call: Call | None = None
    try:
        _refuse_bytes([word for word in words if word != getattr(parsed, "text", None)])
        call = _call(parsed, in_window=name in ("window", "run") and has_screen())
        if parsed.self_test:
            return self_testing.self_test(call, _shoot)
        if name == "run":
            name = "window" if has_screen() else "demo"
            if name == "demo":
                call.note(call.say("say.no_screen"))
        if name == "window":
            return _window(call)
        return demonstrating.demo(call, _shoot) if name == "demo" else _COMMANDS[name](call)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        refusal = refusal_of(error)
        speech = call.say if call is not None else Speech(parsed.lang or "en")
        if refusal is None:
            if os.environ.get("RETIENS_TRACE"):
                raise
            refusal = Refusal(DATA, "fault.bug", detail=f"{type(error).__name__}: {error}")
        sentence = speech(refusal.key, **refusal.values)
        sys.stderr.write(sentence + "\n")
        if name in ("window", "run") and has_screen() and not isinstance(error, SyncedFolder):
            _refuse_in_window(sentence, parsed.lang)
        if parsed.json:
            _print_fault(refusal.key.removeprefix("fault."), sentence)
        return refusal.code
    finally:
        if call is not None:
            call.close()


def _speak_utf8() -> None:
    """Seven languages come out whole, whatever the terminal's code page; what no encoding holds becomes a mark."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _print_fault(fault: str, sentence: str) -> None:
    """With ``--json`` a refused call prints one document too."""
    sys.stdout.write(json.dumps({"fault": fault, "sentence": sentence}, ensure_ascii=False) + "\n")


def _refuse_bytes(words: Sequence[str]) -> None:
    """Neither the record nor JSON can hold a name that is not text, such as a file's in an old code page.

    A message may hold such bytes: what they were is lost, the rest of it is kept.
    """
    for word in words:
        if any("\ud800" <= letter <= "\udfff" for letter in word):
            raise Refusal(USAGE, "fault.not_text", text=word.encode("utf-8", "replace").decode("utf-8"))


def has_screen() -> bool:
    """Whether a window could be shown here."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _window(call: Call) -> int:
    from ui.window import run  # noqa: PLC0415 (the one place where app knows ui; Qt is loaded only here)

    return run(call, [Path(name) for name in getattr(call.arguments, "files", ())])


def _refuse_in_window(sentence: str, language: str | None) -> None:
    from ui.starting import refuse  # noqa: PLC0415

    refuse(sentence, language)


def _call(parsed: Namespace, *, in_window: bool) -> Call:
    """The call. In a window the student is asked where the data should lie rather than in a synchronised folder."""
    try:
        return Call(parsed)
    except SyncedFolder as error:
        if not in_window:
            raise
        from ui.starting import where_instead  # noqa: PLC0415

        chosen = where_instead(error.path, parsed.lang)
        if chosen is None:
            raise
        parsed.data, parsed.allow_synced = str(chosen), chosen == error.path
        return _call(parsed, in_window=True)


def _shoot(house: House, folder: Path) -> list[Path]:
    """Pictures of every panel, made offscreen."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")  # offscreen windows have no size hints
    from ui.window import shoot  # noqa: PLC0415

    return [picture for theme in ("light", "dark") for picture in shoot(house, folder, "fr", theme)]


if __name__ == "__main__":
    sys.exit(main())
