"""The command line's contract: every command, its keys under --json, and one document on stdout."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.__main__ import _COMMANDS
from app.cli.arguments import build_parser

COMMANDS = {
    "window",
    "run",
    "chat",
    "ask",
    "brief",
    "recall",
    "understand",
    "read",
    "map",
    "beliefs",
    "history",
    "report",
    "nightly",
    "verify",
    "import",
    "export",
    "models",
    "review",
    "redact",
    "withdraw",
    "contest",
    "checkpoint",
    "subjects",
    "files",
    "rebuild",
    "backup",
    "restore",
    "replay",
    "demo",
}
MEMORY = {"id", "external_id", "kind", "at", "label"}
SCORED = {"id", "external_id", "score", "why", "folded"}
ASK = {"kind", "plan", "answer", "language", "memories", "citations", "status", "brief_tokens", "timings"}
TIMES = {"understand_ms", "brief_ms", "first_token_ms", "total_ms"}
BRIEF = {"kind", "window", "concepts", "text", "tokens", "memories", "beliefs", "map", "timings"}
UNDERSTAND = {"kind", "sub", "window", "concepts", "concept_text", "taught", "language"}
CONCEPT = {"id", "name", "summary", "definition", "maturity", "centrality", "files", "builds_on", "assumed", "taught"}
BELIEF = {"id", "concept", "claim", "confidence", "since", "because", "superseded_by", "reason"}
REPORT = {"concepts", "taught", "unanswered", "unlinked_checks", "calibration", "citations", "coverage"}
NIGHT = {"name", "consolidated", "decayed", "verified", "calibration"}

Run = Callable[..., Any]


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (action,) = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    return dict(action.choices)


def test_the_grammar_and_the_contract_name_the_same_commands() -> None:
    named = set(commands_of(build_parser()))
    assert named == COMMANDS
    assert set(_COMMANDS) == named - {"window", "run", "demo"}, "each is carried out by a function of its own"


def test_every_command_takes_the_global_options_after_its_name_too() -> None:
    for name, parser in commands_of(build_parser()).items():
        known = {option for action in parser._actions for option in action.option_strings}
        assert {"--data", "--subject", "--lang", "--now", "--json"} <= known, name


def test_ask_understand_recall_and_brief_print_one_document_with_their_keys(lived: Run) -> None:
    asked = lived("ask", "What did I get wrong in September?").document
    assert asked.keys() >= ASK
    assert asked["timings"].keys() >= TIMES
    assert asked["memories"], "September has checks that were not right"
    assert all(memory.keys() >= MEMORY for memory in asked["memories"])
    assert all(link.keys() >= {"claim", "source", "page", "lines", "episode", "score"} for link in asked["citations"])
    assert lived("understand", "What is osmosis?").document.keys() >= UNDERSTAND
    recalled = lived("recall", "osmosis", "--limit", "3").document
    assert recalled.keys() >= {"memories", "window", "timings"}
    assert 0 < len(recalled["memories"]) <= 3
    assert all(memory.keys() >= SCORED for memory in recalled["memories"])
    assert recalled["memories"][0]["why"].keys() >= {"lexical", "concept", "semantic", "salience", "recency"}
    brief = lived("brief", "What is osmosis?").document
    assert brief.keys() >= BRIEF
    assert all(memory.keys() >= MEMORY | SCORED for memory in brief["memories"])


def test_map_beliefs_history_report_review_and_nightly_print_their_keys(lived: Run) -> None:
    found = lived("map").document
    assert found.keys() >= {"concepts", "order", "maturity"}
    assert found["concepts"]
    assert all(concept.keys() >= CONCEPT for concept in found["concepts"])
    held = lived("beliefs").document["beliefs"]
    assert held
    assert all(belief.keys() >= BELIEF and belief["because"] for belief in held)
    chains = lived("beliefs", "--history").document["beliefs"]
    assert len(chains) >= len(held)
    changes = lived("history").document["changes"]
    assert changes
    assert all(change.keys() >= {"at", "what", "before", "after", "because"} for change in changes)
    report = lived("report").document
    assert report.keys() >= REPORT
    assert report["unlinked_checks"].keys() >= {"count", "sentence"}
    assert report["calibration"].keys() >= {"n", "ece", "calibrated", "limits"}
    assert all(due.keys() >= {"concept", "at"} for due in lived("review").document["due"])
    (night,) = lived("nightly").document["subjects"]
    assert night.keys() >= NIGHT


def test_verify_checkpoint_export_backup_rebuild_subjects_files_and_models_print_their_keys(
    lived: Run, tmp_path: Path
) -> None:
    verified = lived("verify").document
    assert verified.keys() >= {"chains", "checkpoints", "database", "files"}
    assert verified["chains"][0].keys() >= {"subject", "episodes", "ok", "first_break"}
    assert lived("checkpoint").document.keys() >= {"subject", "seq", "head", "at"}
    assert lived("export", tmp_path / "out.jsonl").document["episodes"] == verified["chains"][0]["episodes"]
    backup = lived("backup", tmp_path / "copy.db").document
    assert backup == {
        "path": str(tmp_path / "copy.db"),
        "episodes": verified["chains"][0]["episodes"],
        "verified": True,
    }
    assert lived("rebuild").document["rebuilt"]["episodes"] == backup["episodes"]
    assert [each["name"] for each in lived("subjects").document["subjects"]] == ["Biology"]
    (file,) = lived("files").document["files"]
    assert file["name"] == "membranes.md"
    listed = lived("models", "list").document["models"]
    assert all(each.keys() >= {"name", "role", "installed", "size", "sha256", "in_use"} for each in listed)


def test_read_says_what_it_read(cli: Run, course: Path) -> None:
    (read,) = cli("read", course, "--subject", "Biology").document["files"]
    assert read.keys() >= {"path", "sha256", "pages", "concepts", "seconds", "tokens"}
    assert read["path"] == str(course)
    assert read["pages"] == 1
    assert read["concepts"] > 0


def test_redact_withdraw_and_contest_say_which_episode_and_by_which(lived: Run) -> None:
    for command, target in (("redact", "demo-001"), ("withdraw", None), ("contest", "demo-005")):
        if target is None:
            target = lived("ask", "Remember that osmosis needs a membrane").document["taught"]
        done = lived(command, target)
        assert done.code == 0, done.err
        assert done.document.keys() >= {"episode", "by", "also"}
    assert lived("verify").document["chains"][0]["ok"]


def test_a_batch_answers_in_the_same_order_with_ids_echoed(lived: Run, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    texts = ["What is osmosis?", "Qu'est-ce qu'on a vu en juillet ?", "Remember that water is wet", "thanks"]
    lines = [json.dumps({"id": f"m{n}", "text": text}, ensure_ascii=False) for n, text in enumerate(texts)]
    lines.append(json.dumps({"text": "what did we see last month?", "now": "2026-08-02T10:00:00+02:00"}))
    batch.write_text("\n".join([*lines, "", ""]), "utf-8")
    for command, keys in (("understand", UNDERSTAND), ("recall", {"memories"}), ("brief", BRIEF), ("ask", ASK)):
        shown = lived(command, "--batch", batch)
        assert shown.code == 0, shown.err
        assert [each.get("id") for each in shown.documents] == ["m0", "m1", "m2", "m3", None]
        assert all(each.keys() >= keys for each in shown.documents)
    meant = lived("understand", "--batch", batch).documents
    assert [each["kind"] for each in meant] == ["ordinary", "record", "teach", "smalltalk", "record"]
    assert meant[1]["window"] == {"from": "2026-07-01", "to": "2026-07-31"}
    assert meant[4]["window"] == {"from": "2026-07-01", "to": "2026-07-31"}, "each line has a clock of its own"


def test_a_batch_line_with_its_own_clock_does_not_change_the_next_lines(lived: Run, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text(
        json.dumps({"text": "what did we see yesterday?", "now": "2026-08-02T10:00:00+02:00"})
        + "\n"
        + json.dumps({"text": "what did we see yesterday?"}),
        "utf-8",
    )
    first, second = lived("understand", "--batch", batch).documents
    assert first["window"]["from"] == "2026-08-01"
    assert second["window"]["from"] == "2026-11-04"


def test_options_may_stand_before_or_after_the_command(lived: Run, data: Path) -> None:
    before = lived("--lang", "fr", "understand", "ok").document
    after = lived("understand", "ok", "--lang", "fr").document
    assert before["language"] == after["language"] == "fr"
    moved = lived("understand", "what did we see yesterday?", "--now", "2026-07-13T09:00:00+02:00").document
    assert moved["window"] == {"from": "2026-07-12", "to": "2026-07-12"}, "the one after the command wins"


def test_without_json_a_command_speaks_the_language_asked_for(lived: Run) -> None:
    assert "chaîne" in lived("verify", "--lang", "fr", plain=True).out
    assert lived("ask", "¿Qué vimos en julio?", plain=True).out.strip()


def test_restore_shows_joins_replaces_and_takes_back(lived: Run, tmp_path: Path) -> None:
    backup = tmp_path / "copy.db"
    before = lived("backup", backup).document["episodes"]
    head = lived("checkpoint").document["head"]
    lived("ask", "Remember that water is wet")
    later = lived("checkpoint").document["head"]
    shown = lived("restore", backup, "--preview").document
    assert shown.keys() >= {"path", "episodes", "verified"}
    assert lived("checkpoint").document["head"] == later, "a preview changes nothing"
    replaced = lived("restore", backup, "--replace").document
    assert (replaced["episodes"], replaced["verified"]) == (before, True)
    assert lived("checkpoint").document["head"] == head
    assert lived("restore", "--undo").code == 0
    assert lived("checkpoint").document["head"] == later
    assert lived("restore", tmp_path / "nothing.db", "--replace").code == 3
    assert lived("verify").document["chains"][0]["ok"]


def test_replay_touches_nothing_of_the_original(lived: Run, data: Path) -> None:
    before = lived("export", data.parent / "before.jsonl").document["episodes"]
    replayed = lived("replay")
    assert replayed.code == 0, replayed.err
    assert replayed.document.keys() >= {"questions", "beliefs", "dropped"}
    keys = {"text", "kind", "plan", "memories", "status", "answer"}
    assert all(question.keys() >= keys for question in replayed.document["questions"])
    assert lived("export", data.parent / "after.jsonl").document["episodes"] == before
    assert (data.parent / "after.jsonl").read_bytes() == (data.parent / "before.jsonl").read_bytes()
