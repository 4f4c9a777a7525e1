"""A backup is looked into, joined, put in place and taken back; at every step there is one whole record."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from memory.store import Store

Run = Callable[..., Any]
Line = Callable[..., str]


def head(cli: Run, *where: Any) -> str:
    return str(cli("checkpoint", *where).document["head"])


@pytest.fixture
def backup(lived: Run, tmp_path: Path) -> Path:
    path = tmp_path / "kept.db"
    assert lived("backup", path).code == 0
    return path


def later(cli: Run) -> None:
    """Something happens after the backup."""
    assert cli("ask", "What is osmosis?").code == 0


def test_a_preview_is_what_happens_by_itself_and_changes_nothing(lived: Run, backup: Path) -> None:
    later(lived)
    before, kept = head(lived), hashlib.sha256(backup.read_bytes()).hexdigest()
    shown = lived("restore", backup).document
    assert shown == lived("restore", backup, "--preview").document
    assert shown["verified"] is True
    (subject,) = shown["subjects"]
    assert subject["subject"] == "Biology"
    assert subject["here"] == subject["there"] + 2
    assert (subject["common"], subject["relation"]) == (subject["there"], "here_is_longer")
    assert head(lived) == before
    assert hashlib.sha256(backup.read_bytes()).hexdigest() == kept
    assert list(backup.parent.glob("kept.db-*")) == []


def test_a_replacement_is_exact_and_can_be_undone(lived: Run, backup: Path) -> None:
    earlier = head(lived)
    later(lived)
    assert lived("nightly").code == 0
    newest = head(lived)
    done = lived("restore", backup, "--replace").document
    assert done["verified"] is True
    assert Path(done["aside"]).exists()
    assert head(lived) == earlier
    assert lived("verify").code == 0, "checkpoints of the record put aside are kept with it"
    undone = lived("restore", "--undo").document
    assert head(lived) == newest
    assert lived("verify").code == 0
    assert Path(undone["aside"]).exists()
    said = lived("restore", "--undo")
    assert (said.code, "sentence" in said.document) == (2, True)


def test_two_replacements_at_one_moment_are_undone_one_by_one(lived: Run, backup: Path) -> None:
    later(lived)
    first = head(lived)
    lived("restore", backup, "--replace")
    later(lived)
    second = head(lived)
    lived("restore", backup, "--replace")
    for expected in (second, first):
        assert lived("restore", "--undo").code == 0
        assert head(lived) == expected


def test_a_damaged_backup_changes_nothing_and_is_named(lived: Run, backup: Path, data: Path) -> None:
    before = head(lived)
    raw = bytearray(backup.read_bytes())
    middle = len(raw) // 2
    raw[middle : middle + 40_000] = bytes(40_000)
    backup.write_bytes(raw)
    for what in ("--replace", "--merge"):
        said = lived("restore", backup, what)
        assert (said.code, "sentence" in said.document) == (4, True), what
        assert "kept.db" in said.err
    assert head(lived) == before
    assert not list(data.glob("*.fresh*"))
    assert not list(data.glob("looked-into*"))


def test_what_is_no_backup_is_refused_in_words(lived: Run, tmp_path: Path, data: Path) -> None:
    text, empty = tmp_path / "notes.txt", tmp_path / "empty.db"
    text.write_text("not a database " * 1000, "utf-8")
    empty.touch()
    for what in ("--preview", "--merge", "--replace"):
        for path, code in ((text, 4), (empty, 4), (tmp_path / "none.db", 3), (data / "memory.db", 2)):
            said = lived("restore", path, what)
            assert (said.code, "sentence" in said.document) == (code, True), (what, path, said.err)
            assert path.name in said.err
    assert lived("restore").code == 2
    assert lived("verify").code == 0


def test_a_damaged_record_is_put_aside_as_it_lies(lived: Run, backup: Path, data: Path) -> None:
    earlier = head(lived)
    (data / "memory.db").write_bytes(b"torn" * 10_000)
    assert lived("checkpoint").code == 4
    done = lived("restore", backup, "--replace").document
    assert Path(done["aside"]).read_bytes().startswith(b"torn")
    assert head(lived) == earlier


def test_a_record_that_is_open_elsewhere_is_not_replaced(lived: Run, backup: Path, data: Path) -> None:
    later(lived)
    before = head(lived)
    window = Store(data / "memory.db", room=0)
    try:
        window.reader().execute("SELECT count(*) FROM episodes").fetchall()
        said = lived("restore", backup, "--replace")
        assert (said.code, "sentence" in said.document) == (4, True)
        assert "memory.db" in said.err
    finally:
        window.close()
    assert head(lived) == before
    assert lived("restore", "--undo").code == 2, "nothing was put aside"


def test_a_longer_copy_of_the_same_chain_is_joined_verbatim(lived: Run, tmp_path: Path, data: Path) -> None:
    away = tmp_path / "other"
    copytree(data, away)
    lived("ask", "My secret word is xylophonist, what is diffusion?", "--data", away)
    told = lived("ask", "Remember that osmosis is passive", "--data", away).document
    lived("redact", told["question_id"], "--data", away)
    ahead = lived("checkpoint", "--data", away).document
    done = lived("restore", away / "memory.db", "--merge").document
    assert done["imported"] == ahead["seq"] - done["subjects"][0]["here"]
    assert head(lived) == ahead["head"]
    assert lived("verify").code == 0
    assert "xylophonist" in lived("recall", "xylophonist").out
    again = lived("restore", away / "memory.db", "--merge").document
    assert again["imported"] == 0
    assert head(lived) == ahead["head"]


def test_chains_that_parted_are_joined_by_imports_once(lived: Run, tmp_path: Path, data: Path, event: Line) -> None:
    away = tmp_path / "other"
    copytree(data, away)
    later(lived)
    lived("ask", "My secret word is xylophonist, what is diffusion?", "--data", away)
    first = lived("restore", away / "memory.db", "--merge").document
    assert (first["imported"], first["errors"], first["subjects"][0]["relation"]) == (2, [], "different")
    assert "xylophonist" in lived("recall", "xylophonist").out
    assert lived("verify").code == 0
    before = head(lived)
    assert lived("restore", away / "memory.db", "--merge").document["imported"] == 0
    assert head(lived) == before


def test_a_subject_that_is_not_here_comes_whole(lived: Run, backup: Path, tmp_path: Path) -> None:
    empty = ("--data", tmp_path / "new")
    earlier = head(lived)
    done = lived("restore", backup, "--merge", *empty).document
    assert done["subjects"][0]["relation"] == "there_only"
    assert head(lived, "--subject", "Biology", *empty) == earlier
    beliefs = [lived("beliefs", "--subject", "Biology", *where).document["beliefs"] for where in ((), empty)]
    assert sorted(each["id"] for each in beliefs[0]) == sorted(each["id"] for each in beliefs[1])
