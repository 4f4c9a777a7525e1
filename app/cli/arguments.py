"""The command line's grammar. It is a contract: scripts and checks depend on names, options and exit codes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from app.arms import Arm
from memory.words import LANGUAGES

Parser = argparse.ArgumentParser

PROGRAM = "retiens"


def build_parser() -> Parser:
    """The whole grammar."""
    parser = Parser(prog=PROGRAM, description="A tutor on this computer that remembers one student.")
    _global_options(parser, top=True)
    parser.add_argument("--self-test", action="store_true", help="try a model, a file, a formula and the window")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, help: str, *arguments: Callable[[Parser], Any]) -> Parser:
        made = commands.add_parser(name, help=help, description=help)
        _global_options(made, top=False)
        for add in arguments:
            add(made)
        return made

    opened = _option("files", nargs="*", metavar="FILE", help="files to read; an open window takes them over")
    command("window", "open the window (also without any command)", opened)
    command("run", "open the window; without a screen, play the demo in the terminal", opened)
    command("chat", "chat in the terminal")
    command(
        "ask",
        "one full turn",
        _text_or_batch,
        _option("--explain", nargs="?", const="", metavar="ANSWER", help="the brief, passages and scores of an answer"),
        _option(
            "--arm",
            choices=[arm.value for arm in Arm],
            help="answer with less of the memory, in a copy; nothing is kept",
        ),
    )
    command("brief", "what one turn reads, without any chat model", _text_or_batch)
    command("recall", "ranked episodes, before the budget cuts them", _text_or_batch, _limit)
    command("understand", "how a message is understood", _text_or_batch)
    command("read", "read files into the subject map", _option("paths", nargs="+", metavar="FILE"))
    command("map", "the subject map")
    command(
        "beliefs",
        "what is held about the student",
        _option("--as-of", metavar="DATE", help="as it was true of the student on a day"),
        _option("--known-as-of", metavar="DATE", help="as the tutor held it on a day"),
        _option("--history", action="store_true", help="whole chains"),
        _option("--rederive", action="store_true", help="replay the recorded checks under today's rules"),
    )
    command("history", "what changed, newest first")
    command("report", "the report about the student and the tutor itself")
    command("nightly", "run the nightly cycle", _option("--force", action="store_true", help="even if it ran tonight"))
    command(
        "verify",
        "recompute every chain, look at checkpoints, files and the database",
        _option("--checkpoint", metavar="LINE", help="check against a head kept elsewhere"),
    )
    command("checkpoint", "print the head as one line to keep elsewhere")
    command(
        "import",
        "read an event log",
        _option("path", metavar="FILE"),
        _option("--format", choices=("events", "chatgpt"), default="events"),
    )
    command("export", "write every episode to an event log", _option("path", metavar="FILE"))
    models = command("models", "chat and embedding models")
    actions = models.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, help, argument in (
        ("list", "the catalogue and what is installed", None),
        ("fetch", "fetch and verify a model (or: default, tests)", "name"),
        ("use", "use a model of the catalogue, or a GGUF file", "name"),
        ("check", "load each installed model and measure it", None),
    ):
        made = actions.add_parser(name, help=help, description=help)
        _global_options(made, top=False)
        if argument:
            made.add_argument(argument, metavar="NAME" if name == "fetch" else "NAME-or-FILE")
    command("review", "concepts due for review")
    for name, help in (
        ("redact", "remove the words of one episode, visibly"),
        ("withdraw", "withdraw a taught note"),
        ("contest", "dispute a verdict"),
    ):
        command(name, help, _option("episode", metavar="EPISODE"))
    command(
        "subjects",
        "list, add or rename subjects",
        _option("action", nargs="?", choices=("list", "add", "rename"), default="list"),
        _option("names", nargs="*", metavar="NAME"),
    )
    command(
        "files",
        "list, remove or read again the files of a subject",
        _option("action", nargs="?", choices=("list", "remove", "reread"), default="list"),
        _option("names", nargs="*", metavar="FILE"),
    )
    command("rebuild", "make every derived table anew from the record")
    command("backup", "copy the whole database", _option("path", metavar="FILE"))
    command("restore", "look into a backup, add what it holds, or put it in place", _backup_and_what_to_do)
    command(
        "replay",
        "rebuild the brain from the record in a copy, and question it",
        _option("--questions", metavar="FILE", help="one question a line (or JSON objects with text)"),
    )
    command(
        "demo", "the shipped sample course, end to end", _option("--shots", metavar="DIR", help="where pictures go")
    )
    return parser


def _option(*names: str, **settings: Any) -> Callable[[Parser], Any]:
    return lambda parser: parser.add_argument(*names, **settings)


def _text_or_batch(parser: Parser) -> None:
    parser.add_argument("text", nargs="?", metavar="TEXT")
    parser.add_argument("--batch", metavar="FILE.jsonl", help="many texts: objects with text, and id, now, subject")


def _backup_and_what_to_do(parser: Parser) -> None:
    parser.add_argument("path", nargs="?", metavar="FILE")
    what = parser.add_mutually_exclusive_group()
    for name, help in (
        ("preview", "what is in it and what differs (this is what happens without an option)"),
        ("merge", "add its episodes that are not here"),
        ("replace", "put it in the place of today's record, which is kept"),
        ("undo", "bring back what the last --replace put aside"),
    ):
        what.add_argument(f"--{name}", dest="what", action="store_const", const=name, help=help)


def _limit(parser: Parser) -> None:
    parser.add_argument("--limit", type=_count, default=20, metavar="N")


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1")
    return int(text)


def _global_options(parser: Parser, *, top: bool) -> None:
    """Options that may stand before or after the command."""
    unset = None if top else argparse.SUPPRESS
    parser.add_argument("--data", metavar="DIR", default=unset, help="the student's data folder")
    parser.add_argument("--subject", metavar="NAME", default=unset, help="the course")
    parser.add_argument("--lang", choices=LANGUAGES, metavar="xx", default=unset, help=f"one of {', '.join(LANGUAGES)}")
    parser.add_argument("--now", metavar="ISO", default=unset, help="set the clock")
    parser.add_argument(
        "--json", action="store_true", default=False if top else argparse.SUPPRESS, help="one JSON document on stdout"
    )
