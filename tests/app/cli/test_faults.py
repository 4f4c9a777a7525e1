"""What cannot be done is said in one clear sentence, with the exit code of the contract."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

Run = Callable[..., Any]


def refused(said: Any, code: int) -> str:
    """One sentence on stderr, the same in one JSON document on stdout, and the code; the sentence."""
    assert said.code == code, (said.code, said.err)
    lines = said.err.strip().splitlines()
    assert len(lines) == 1, said.err
    assert "Traceback" not in said.err
    assert said.document["sentence"] == lines[0]
    assert said.document["fault"]
    return str(lines[0])


def test_an_unknown_subject_is_a_wrong_call_and_is_named(cli: Run) -> None:
    assert "Astrology" in refused(cli("ask", "hello", "--subject", "Astrology"), 2)
    for command in ("map", "beliefs", "history", "report", "review", "nightly", "files", "checkpoint"):
        refused(cli(command, "--subject", "Astrology"), 2)


def test_a_wrong_call_of_the_grammar_ends_with_two(cli: Run) -> None:
    assert cli("frobnicate").code == 2
    assert cli("recall", "x", "--limit", "many").code == 2
    assert cli("recall", "x", "--limit", "-3").code == 2
    assert cli("recall", "x", "--limit", "0").code == 2
    assert cli("ask", "x", "--lang", "tlh").code == 2
    assert cli("models").code == 2


def test_a_bad_time_or_date_is_a_wrong_call_and_is_shown(cli: Run) -> None:
    assert "yesterdayish" in refused(cli("ask", "hello", now="yesterdayish"), 2)
    assert "2026-02-31" in refused(cli("beliefs", "--as-of", "2026-02-31"), 2)
    assert "soon" in refused(cli("beliefs", "--known-as-of", "soon"), 2)


def test_the_record_is_never_written_over(lived: Run, data: Path, tmp_path: Path) -> None:
    head = lived("checkpoint").document["head"]
    link = tmp_path / "innocent.jsonl"
    link.symlink_to(data / "memory.db")
    for command in ("export", "backup"):
        for target in (data / "memory.db", data / "memory.db-wal", data / "checkpoints.log", link):
            assert target.name in refused(lived(command, target), 2)
    assert lived("checkpoint").document["head"] == head
    assert lived("verify").document["database"]["ok"]


def test_a_clock_at_the_ends_of_time_is_refused_before_it_writes_anything(cli: Run) -> None:
    for moment in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "1492-10-12"):
        refused(cli("ask", "what did we see last month?", now=moment), 2)


def test_no_text_is_a_wrong_call(cli: Run) -> None:
    for command in ("ask", "brief", "recall", "understand"):
        refused(cli(command), 2)
        refused(cli(command, "   "), 2)


def test_a_missing_file_ends_with_three(cli: Run, tmp_path: Path) -> None:
    assert "nowhere.jsonl" in refused(cli("import", tmp_path / "nowhere.jsonl"), 3)
    refused(cli("ask", "--batch", tmp_path / "nowhere.jsonl"), 3)
    refused(cli("import", tmp_path), 3)
    refused(cli("files", "remove", "nothing.pdf"), 3)
    read = cli("read", tmp_path / "nowhere.pdf")
    assert read.code == 3
    assert read.document["files"][0]["fault"] == "missing"


def test_a_missing_model_ends_with_three(cli: Run, tmp_path: Path) -> None:
    assert "no-such-model" in refused(cli("models", "use", "no-such-model"), 3)
    assert "no-such-model" in refused(cli("models", "fetch", "no-such-model"), 3)
    junk = tmp_path / "junk.gguf"
    junk.write_bytes(b"GGUF" + bytes(64))
    assert "junk.gguf" in refused(cli("models", "use", junk), 4), "the file is there: its content is wrong"


def test_without_a_chat_model_a_question_is_still_answered(cli: Run) -> None:
    asked = cli("ask", "What is osmosis?")
    assert asked.code == 0
    assert "No chat model is installed" in asked.document["answer"]


def test_files_that_cannot_be_read_end_with_four_and_a_reason_each(cli: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\n" + os.urandom(2000))
    empty = tmp_path / "empty.pdf"
    empty.write_bytes(b"")
    said = cli("read", broken, empty)
    assert said.code == 4
    assert [each["fault"] for each in said.document["files"]] == ["corrupt", "empty"]
    assert cli("verify").code == 0, "nothing half read is left behind"


@pytest.mark.slow
def test_a_locked_file_says_so(cli: Run, tmp_path: Path) -> None:
    pymupdf = pytest.importorskip("pymupdf")
    locked = tmp_path / "locked.pdf"
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "Secret cells")
    document.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="o", user_pw="u")
    document.close()
    said = cli("read", locked)
    assert said.code == 4
    assert said.document["files"][0]["fault"] == "locked"


def test_a_database_of_a_newer_program_is_left_as_it_is(cli: Run, data: Path) -> None:
    assert cli("subjects", "add", "Biology").code == 0
    connection = apsw.Connection(str(data / "memory.db"))
    connection.execute("PRAGMA user_version = 9999")
    connection.close()
    before = (data / "memory.db").read_bytes()
    assert "newer" in refused(cli("ask", "hello"), 4)
    assert (data / "memory.db").read_bytes() == before


def test_a_file_that_is_no_database_is_left_as_it_is(cli: Run, data: Path) -> None:
    data.mkdir()
    (data / "memory.db").write_bytes(b"a shopping list, not a database\n" * 400)
    before = (data / "memory.db").read_bytes()
    refused(cli("ask", "hello"), 4)
    assert (data / "memory.db").read_bytes() == before


def test_an_unwritable_place_is_refused_with_four(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    refused(cli("map", "--data", tmp_path / "file" / "student"), 4)
    refused(cli("export", tmp_path / "no" / "such" / "folder" / "log.jsonl"), 4)
    refused(cli("backup", tmp_path / "file" / "copy.db"), 4)


def test_a_folder_under_a_sync_client_is_refused(cli: Run, tmp_path: Path) -> None:
    refused(cli("map", "--data", tmp_path / "Dropbox" / "retiens"), 4)
    assert not (tmp_path / "Dropbox").exists()


def test_unknown_episodes_and_episodes_of_another_kind_are_wrong_calls(lived: Run) -> None:
    refused(lived("redact", "demo-999"), 2)
    refused(lived("withdraw", "demo-001"), 2)
    refused(lived("contest", "demo-001"), 2)
    refused(lived("verify", "--checkpoint", "not a checkpoint"), 2)


def test_a_name_that_is_taken_or_empty_is_a_wrong_call(cli: Run) -> None:
    assert cli("subjects", "add", "Biology").code == 0
    refused(cli("subjects", "add", "biology"), 2)
    refused(cli("subjects", "add", "  "), 2)
    refused(cli("subjects", "add"), 2)
    refused(cli("subjects", "rename", "Biology"), 2)
    refused(cli("subjects", "rename", "Chemistry", "Physics"), 2)


def test_words_that_nothing_asked_for_are_a_wrong_call(cli: Run) -> None:
    assert cli("subjects", "add", "Biology").code == 0
    assert "extra" in refused(cli("subjects", "list", "extra"), 2)
    assert "extra" in refused(cli("files", "list", "extra"), 2)


def test_a_call_that_cannot_be_parsed_prints_a_document_too(cli: Run) -> None:
    for call in (("bogus",), ("ask", "hello", "--arm", "bogus"), ("recall", "x", "--limit", "none")):
        said = cli(*call)
        assert said.code == 2
        assert said.document["fault"] == "usage"
        assert "usage:" in said.err


def test_devices_and_folders_are_no_place_for_a_copy(cli: Run, tmp_path: Path) -> None:
    assert cli("subjects", "add", "Biology").code == 0
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path, Path("/dev/null")):
        for command in ("export", "backup"):
            refused(cli(command, place), 2)
    assert (tmp_path / "pipe").is_fifo()
    kept = tmp_path / "kept.jsonl"
    kept.write_text("old", "utf-8")
    (tmp_path / "link.jsonl").symlink_to(kept)
    assert cli("export", tmp_path / "link.jsonl").code == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert kept.read_text("utf-8") != "old"


def test_bytes_that_are_not_text_are_refused_and_touch_nothing(cli: Run, tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"caf\xe9.txt")
    odd.write_text("A cell is the basic unit of life.", "utf-8")
    for call in (("read", odd), ("import", odd), ("export", odd)):
        assert "UTF-8" in refused(cli(*call), 2)
    assert odd.read_text("utf-8").startswith("A cell")


def test_a_broken_batch_line_is_a_data_error(cli: Run, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    for line in ("{", "[]", '{"id": 1}', '{"text": 3}'):
        batch.write_text(line, "utf-8")
        assert cli("understand", "--batch", batch).code == 4, line
    batch.write_bytes(b"\xff\xfe\x00")
    refused(cli("understand", "--batch", batch), 4)


def test_a_checkpoint_of_a_longer_log_is_found_missing(lived: Run) -> None:
    line = lived("checkpoint").document["line"]
    held = lived("verify", "--checkpoint", line)
    assert held.code == 0
    assert [each["result"] for each in held.document["checkpoints"]] == ["holds"]
    noted = lived("checkpoint").document
    longer = line.replace(f"{noted['seq']}", f"{noted['seq'] + 3}", 1)
    failed = lived("verify", "--checkpoint", longer)
    assert failed.code == 1
    assert failed.document["checkpoints"][0]["result"] != "holds"


def test_a_chain_that_was_tampered_with_ends_with_one_and_names_the_episode(lived: Run, data: Path) -> None:
    connection = apsw.Connection(str(data / "memory.db"))
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f'DROP TRIGGER "{name}"')
    connection.execute("UPDATE contents SET body = replace(body, 'osmosis', 'magic') WHERE body LIKE '%osmosis%'")
    connection.close()
    said = lived("verify")
    assert said.code == 1
    (chain,) = said.document["chains"]
    assert not chain["ok"]
    assert chain["first_break"]["seq"] > 0


def test_what_was_done_already_is_said_with_its_day_and_changes_nothing(lived: Run) -> None:
    note = lived("ask", "Remember that osmosis needs a membrane").document["taught"]
    for command, target in (("withdraw", note), ("contest", "demo-005"), ("redact", "demo-001")):
        first = lived(command, target, now="2026-11-05T18:00:00+01:00").document
        seq = lived("checkpoint").document["seq"]
        again = lived(command, target, now="2026-11-07T18:00:00+01:00")
        assert again.code == 0
        assert again.document["by"] == first["by"]
        assert again.document["already"].startswith("2026-11-05")
        assert lived("checkpoint").document["seq"] == seq
        for language, day in (("fr", "le 5 novembre"), ("en", "on November 5"), ("es", "el 5 de noviembre")):
            assert day in lived(command, target, "--lang", language, plain=True).out
        assert "نوفمبر" in lived(command, target, "--lang", "ar", plain=True).out


def test_a_copy_into_a_folder_that_is_not_there_is_refused_and_makes_none(cli: Run, tmp_path: Path) -> None:
    for command in ("export", "backup"):
        assert "nowhere" in refused(cli(command, tmp_path / "nowhere" / "copy.db"), 4)
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_is_no_backup(cli: Run, tmp_path: Path) -> None:
    assert tmp_path.name in refused(cli("restore", tmp_path, "--preview"), 2)


def test_a_time_outside_the_years_is_said_to_be_so(cli: Run) -> None:
    for moment in ("9999-12-31T23:59:59", "0001-01-01T00:00:00+00:00"):
        assert "1900" in refused(cli("ask", "hello", now=moment), 2)


def test_a_name_too_long_or_unseen_is_refused_with_its_reason(cli: Run) -> None:
    assert "80" in refused(cli("subjects", "add", "x" * 81), 2)
    assert "direction" in refused(cli("subjects", "add", "Biology\u202e"), 2)
    assert "control" in refused(cli("subjects", "add", "Bio\x07logy"), 2)
    assert cli("subjects", "add", " " + "x" * 80 + " ").code == 0


def test_a_number_that_is_none_is_called_so_without_a_name_of_the_program(cli: Run) -> None:
    said = cli("recall", "x", "--limit", "abc")
    assert said.code == 2
    assert "abc is not a whole number from 1" in said.err
    assert "_count" not in said.err


def test_lines_that_are_skipped_are_told_a_reason_at_a_time(
    cli: Run, tmp_path: Path, event: Callable[..., str]
) -> None:
    log = tmp_path / "log.jsonl"
    lines = [event("answer", f"Because {n}", verdict="right", external_id=f"a{n}") for n in range(30)]
    log.write_text("\n".join([*lines, "{not json"]), "utf-8")
    for language, words in (
        ("en", "30 lines: an answer cannot have a verdict (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …)"),
        ("fr", "30 lignes : une réponse ne peut pas avoir de verdict (lignes 1,"),
        ("es", "30 líneas: una respuesta no puede tener veredicto (líneas 1,"),
        ("ar", "لا يكون للإجابة حكم"),
    ):
        said = cli("import", log, "--lang", language, plain=True)
        assert words in said.out
        assert len(said.out.splitlines()) == 3
    assert cli("import", log).document["errors"][0] == {"line": 1, "why": "an answer cannot have a verdict"}
