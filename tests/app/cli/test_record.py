"""The record goes in and comes out of the command line without loss, twice over, and stays the student's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Line = Callable[..., str]


def test_an_import_is_idempotent(lived: Run, six_months: Path) -> None:
    again = lived("import", six_months).document
    assert (again["imported"], again["skipped"], again["errors"]) == (0, len(six_months.read_text().splitlines()), [])


def test_lines_without_an_external_id_are_known_by_their_words(cli: Run, tmp_path: Path, event: Line) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(event("question", "What is osmosis?") + "\n" + event("question", "What is diffusion?"), "utf-8")
    assert cli("import", log).document["imported"] == 2
    assert cli("import", log).document["skipped"] == 2


def test_bad_lines_are_reported_with_their_numbers_and_stop_nothing(cli: Run, tmp_path: Path, event: Line) -> None:
    log = tmp_path / "log.jsonl"
    lines = [
        event("question", "What is osmosis?", external_id="one"),
        "{not json",
        json.dumps({"kind": "question", "text": "without a date"}),
        event("poem", "Roses are red"),
        event("check", "What is osmosis?", verdict="brilliant"),
        "[1, 2]",
        "",
        event("question", "¿Qué es la difusión?", external_id="two", mood="curious"),
        "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"),
        event("question", "far away", at="not a date"),
    ]
    log.write_text("\n".join(lines), "utf-8")
    said = cli("import", log)
    assert said.code == 0
    document = said.document
    assert document["imported"] == 2
    assert [error["line"] for error in document["errors"]] == [2, 3, 4, 5, 6, 9, 10]
    assert all(error["why"] for error in document["errors"])


def test_an_export_wiped_and_imported_is_the_same_record(lived: Run, tmp_path: Path) -> None:
    questions = ("What did I get wrong so far?", "¿Qué vimos en julio?", "What have I taught you?")
    before = {
        "checkpoint": lived("checkpoint").document,
        "beliefs": lived("beliefs").document,
        "chains": lived("beliefs", "--history").document,
        "recalled": [lived("recall", text).document["memories"] for text in questions],
    }
    log = tmp_path / "log.jsonl"
    assert lived("export", log).code == 0
    away = ("--data", tmp_path / "other")
    done = lived("import", log, "--subject", "Biology", *away).document
    assert done["errors"] == []
    assert done["imported"] == before["checkpoint"]["seq"]
    after = {
        "checkpoint": lived("checkpoint", *away).document,
        "beliefs": lived("beliefs", *away).document,
        "chains": lived("beliefs", "--history", *away).document,
        "recalled": [lived("recall", text, *away).document["memories"] for text in questions],
    }
    assert after["checkpoint"]["head"] == before["checkpoint"]["head"]

    def shown(beliefs: dict[str, Any]) -> list[Any]:
        return sorted(
            (each["id"], each["concept"], each["claim"], each["confidence"], each["since"], tuple(each["because"]))
            for each in beliefs["beliefs"]
        )

    assert shown(after["beliefs"]) == shown(before["beliefs"])
    assert shown(after["chains"]) == shown(before["chains"])
    for mine, theirs in zip(before["recalled"], after["recalled"], strict=True):
        assert {each["id"] for each in mine} == {each["id"] for each in theirs}
    assert lived("verify", *away).document["chains"][0]["ok"]
    out = tmp_path / "again.jsonl"
    lived("export", out, *away)
    assert out.read_text("utf-8") == log.read_text("utf-8"), "and exports the very same lines"


def test_what_is_edited_beside_the_chain_of_an_export_changes_nothing(lived: Run, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    lived("export", log)
    log.write_text(log.read_text("utf-8").replace('"verdict": "wrong"', '"verdict": "right"'), "utf-8")
    away = ("--data", tmp_path / "other")
    lived("import", log, "--subject", "Biology", *away)
    assert lived("checkpoint", *away).document["head"] == lived("checkpoint").document["head"]
    missed = [lived("ask", "What did I get wrong so far?", *where).document["memories"] for where in ((), away)]
    assert [each["id"] for each in missed[0]] == [each["id"] for each in missed[1]]


def test_an_export_whose_chain_was_edited_is_imported_as_events_not_restored(lived: Run, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    lived("export", log)
    forged = log.read_text("utf-8").replace('\\"verdict\\":\\"wrong\\"', '\\"verdict\\":\\"right\\"')
    assert forged != log.read_text("utf-8")
    log.write_text(forged, "utf-8")
    away = ("--data", tmp_path / "other")
    done = lived("import", log, "--subject", "Biology", *away).document
    assert done["imported"] > 0
    assert lived("checkpoint", *away).document["head"] != lived("checkpoint").document["head"]
    out = tmp_path / "out.jsonl"
    lived("export", out, *away)
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert {line["origin"] for line in lines if "belief" not in line} == {"imported"}
    assert lived("verify", *away).document["chains"][0]["ok"]


def test_a_redacted_episode_is_exported_empty_and_comes_back_empty(lived: Run, tmp_path: Path, data: Path) -> None:
    secret = lived("ask", "My secret word is xylophonist, what is osmosis?").document
    assert lived("redact", secret["question_id"]).code == 0
    log = tmp_path / "log.jsonl"
    lived("export", log)
    assert "xylophonist" not in log.read_text("utf-8")
    away = ("--data", tmp_path / "other")
    assert lived("import", log, "--subject", "Biology", *away).document["errors"] == []
    assert lived("checkpoint", *away).document["head"] == lived("checkpoint").document["head"]
    assert all(chain["ok"] for where in ((), away) for chain in lived("verify", *where).document["chains"])


def test_redacted_words_are_in_no_file_of_the_folder(lived: Run, data: Path) -> None:
    secret = lived("ask", "My secret word is xylophonist, what is osmosis?").document
    assert b"xylophonist" in b"".join(path.read_bytes() for path in data.rglob("*") if path.is_file())
    redacted = lived("redact", secret["question_id"]).document
    assert redacted["by"]
    recalled = lived("recall", "xylophonist").document
    assert recalled["basis"] == "merely_recent", "no memory holds the word"
    assert secret["question_id"] not in [memory["id"] for memory in recalled["memories"]]
    left = [path.name for path in data.rglob("*") if path.is_file() and b"xylophonist" in path.read_bytes()]
    assert left == []


def test_redacting_twice_changes_nothing_more(lived: Run) -> None:
    lived("redact", "demo-001")
    before = lived("checkpoint").document["seq"]
    again = lived("redact", "demo-001")
    assert again.code in (0, 2)
    assert lived("checkpoint").document["seq"] == before
    assert lived("verify").code == 0


def test_a_withdrawn_note_is_told_no_more(lived: Run) -> None:
    taught = lived("ask", "Remember that the tonoplast is the membrane of the vacuole").document
    assert taught["plan"] == "teach"
    told = lived("ask", "What have I taught you?").document
    assert taught["taught"] in [memory["id"] for memory in told["memories"]]
    assert lived("withdraw", taught["taught"]).code == 0
    told = lived("ask", "What have I taught you?").document
    assert taught["taught"] not in [memory["id"] for memory in told["memories"]]
    assert any(taught["taught"] in change["because"] for change in lived("history").document["changes"])


def test_a_contested_check_no_longer_counts_against_the_student(cli: Run, tmp_path: Path, event: Line) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(
        event("check", "What is osmosis?", concept="osmosis", verdict="wrong", reply="water", external_id="c1"), "utf-8"
    )
    cli("import", log)
    (before,) = cli("beliefs").document["beliefs"]
    assert cli("contest", "c1").code == 0
    after = cli("beliefs").document["beliefs"]
    assert all(belief["id"] != before["id"] for belief in after)
    chains = cli("beliefs", "--history").document["beliefs"]
    assert before["id"] in [belief["id"] for belief in chains], "the earlier belief stays readable"


def test_a_right_answer_after_a_wrong_one_supersedes_the_belief(cli: Run, tmp_path: Path, event: Line) -> None:
    log = tmp_path / "log.jsonl"
    checks = [("wrong", "2026-07-01"), ("right", "2026-07-08"), ("right", "2026-07-20"), ("right", "2026-08-03")]
    log.write_text(
        "\n".join(
            event("check", "What is osmosis?", at=at, concept="osmosis", verdict=verdict, external_id=at)
            for verdict, at in checks
        ),
        "utf-8",
    )
    cli("import", log)
    (held,) = cli("beliefs").document["beliefs"]
    chain = cli("beliefs", "--history").document["beliefs"]
    assert len(chain) > 1
    assert held["superseded_by"] is None
    assert {belief["superseded_by"] for belief in chain if belief["id"] != held["id"]} <= {each["id"] for each in chain}
    then = cli("beliefs", "--as-of", "2026-07-02").document["beliefs"]
    assert [belief["claim"] for belief in then] != [held["claim"]]
    assert cli("beliefs", "--as-of", "2026-06-30").document["beliefs"] == []


def test_what_was_known_on_a_day_is_not_what_was_true_on_it(cli: Run, tmp_path: Path, event: Line) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(event("check", "?", at="2026-07-01", concept="osmosis", verdict="wrong", external_id="c"), "utf-8")
    cli("import", log, now="2026-11-05T18:00:00+01:00")
    assert cli("beliefs", "--as-of", "2026-07-02").document["beliefs"]
    assert cli("beliefs", "--known-as-of", "2026-07-02").document["beliefs"] == [], "the tutor had not heard of it yet"
    assert cli("beliefs", "--known-as-of", "2026-11-05").document["beliefs"]


def test_rebuilding_changes_no_answer(lived: Run) -> None:
    asked = ("What is osmosis?", "diffusion", "¿Qué vimos en julio?")
    before = [lived("recall", text).document["memories"] for text in asked]
    beliefs, order = lived("beliefs").document, lived("map").document["order"]
    head = lived("checkpoint").document["head"]
    assert lived("rebuild").code == 0
    assert [lived("recall", text).document["memories"] for text in asked] == before
    assert lived("beliefs").document == beliefs
    assert lived("map").document["order"] == order
    assert lived("checkpoint").document["head"] == head


def test_rederiving_under_the_same_rules_changes_no_belief(lived: Run) -> None:
    def held() -> list[Any]:
        rows = lived("beliefs").document["beliefs"]
        return sorted((each["concept"], each["claim"], each["confidence"]) for each in rows)

    lived("nightly")  # what has faded since the last check is decayed before it is compared
    before = held()
    assert lived("beliefs", "--rederive").code == 0
    assert held() == before


def test_subjects_are_added_renamed_and_kept_apart(cli: Run) -> None:
    assert cli("subjects", "add", "Biology").code == 0
    assert cli("subjects", "add", "Géométrie").code == 0
    cli("ask", "Remember that a square has four sides", "--subject", "géométrie")
    names = {each["name"]: each["episodes"] for each in cli("subjects").document["subjects"]}
    assert names["Biology"] == 0
    assert names["Géométrie"] > 0
    assert cli("recall", "square", "--subject", "Biology").document["memories"] == []
    head = cli("checkpoint", "--subject", "Géométrie").document["head"]
    assert cli("subjects", "rename", "Géométrie", "Geometry").code == 0
    assert cli("checkpoint", "--subject", "Geometry").document["head"] == head
    assert cli("verify").code == 0


def test_without_a_name_the_last_subject_used_is_meant(cli: Run) -> None:
    cli("subjects", "add", "Biology", now="2026-11-01T10:00:00+01:00")
    cli("subjects", "add", "Physics", now="2026-11-02T10:00:00+01:00")
    cli("map", "--subject", "Biology", now="2026-11-03T10:00:00+01:00")
    assert cli("checkpoint").document == cli("checkpoint", "--subject", "Biology").document


def test_removing_a_file_leaves_the_record_and_reading_again_brings_it_back(lived: Run) -> None:
    concepts = {each["name"] for each in lived("map").document["concepts"] if each["files"]}
    assert concepts
    assert lived("files", "remove", "membranes.md").document["files"] == []
    assert not [each for each in lived("map").document["concepts"] if each["files"]]
    assert lived("verify").document["chains"][0]["ok"]
    assert lived("beliefs").document["beliefs"], "what was learnt stays"


@pytest.mark.slow
def test_a_file_read_again_keeps_its_concepts_once(lived: Run) -> None:
    before = lived("map").document["concepts"]
    assert lived("files", "reread", "membranes.md").code == 0
    assert [each["name"] for each in lived("map").document["concepts"]] == [each["name"] for each in before]


def test_a_night_runs_once_unless_forced(lived: Run) -> None:
    (first,) = lived("nightly").document["subjects"]
    assert first["ran"]
    (second,) = lived("nightly").document["subjects"]
    assert not second["ran"]
    head = lived("checkpoint").document["head"]
    (forced,) = lived("nightly", "--force").document["subjects"]
    assert forced["ran"]
    assert forced["consolidated"] == 0
    assert lived("checkpoint").document["head"] == head, "nothing is condensed twice"


def test_a_backup_is_a_folder_of_its_own_that_answers_the_same(lived: Run, tmp_path: Path) -> None:
    away = tmp_path / "other"
    away.mkdir()
    assert lived("backup", away / "memory.db").code == 0
    assert lived("checkpoint", "--data", away).document["head"] == lived("checkpoint").document["head"]
    assert lived("verify", "--data", away).code == 0


def test_one_shot_commands_run_no_missed_night(lived: Run) -> None:
    before = lived("checkpoint").document["seq"]
    for command in ("map", "beliefs", "history", "report", "review"):
        lived(command, now="2027-03-01T10:00:00+01:00")
    lived("recall", "osmosis", now="2027-03-01T10:00:00+01:00")
    assert lived("checkpoint").document["seq"] == before


def test_a_missed_night_is_made_up_for_when_a_chat_begins(
    lived: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("thanks\n\n"))
    said = lived("chat", plain=True)
    assert said.code == 0
    assert said.out.count("> ") == 2
    (night,) = lived("nightly").document["subjects"]
    assert not night["ran"], "the chat ran it"


@pytest.mark.parametrize("language", ["en", "fr", "es", "ar"])
def test_a_checkpoint_line_is_checked_and_each_fault_has_its_own_sentence(
    lived: Run, data: Path, language: str
) -> None:
    line = lived("checkpoint").document["line"]
    mark, subject, seq, head, at = line.split()
    lines = {
        "holds": line,
        "different": " ".join([mark, subject, seq, head[:-2] + ("00" if head[-2:] != "00" else "11"), at]),
        "shorter": " ".join([mark, subject, str(int(seq) + 1), head, at]),
        "unknown": " ".join([mark, "another-subject", seq, head, at]),
    }
    said = set()
    for result, given in lines.items():
        checked = lived("verify", "--checkpoint", given)
        assert [each["result"] for each in checked.document["checkpoints"]] == [result]
        assert checked.code == (0 if result == "holds" else 1)
        spoken = lived("--lang", language, "verify", "--checkpoint", given, plain=True).out
        (sentence,) = [each for each in spoken.splitlines() if at in each]
        said.add(sentence)
    for nonsense in ("", "nonsense", line[:-12] + "x", line.replace(mark, "retiens9"), line + " more"):
        refused = lived("--lang", language, "verify", "--checkpoint", nonsense, plain=True)
        assert (refused.code, refused.out) == (2, "")
        said.add(refused.err)
    assert len(said) == 5
