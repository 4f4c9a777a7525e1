"""Redacted words are in no byte of any file of the folder, whatever had held them, and the chain still verifies."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app import corrections
from app.clock import Clock
from app.folders import open_folders
from app.schedule import run_night
from app.wiring import House, open_house
from memory.episodes import EpisodeId, Kind
from memory.exchange import export
from memory.rebuilding import rebuild
from memory.scratch import Unfinished
from memory.subjects import Subject
from memory.vectors import Space

Run = Callable[..., Any]
CANARIES = ["xylophonist", "zœilthéâtrée", "قنديلبحري", "purplix elephantor"]
NIGHT = "2026-11-06T09:00:00+01:00"


def spellings(canary: str) -> list[bytes]:
    """Every way the words could stand in a file: whole or word by word, in several encodings and forms."""
    forms = {form for word in (canary, *canary.split()) for form in (word, word.title(), word.upper())}
    forms |= {unicodedata.normalize(form, word) for word in set(forms) for form in ("NFC", "NFD", "NFKC")}
    found = {word.encode(coding) for word in forms for coding in ("utf-8", "utf-16-le", "utf-16-be")}
    found |= {json.dumps(word)[1:-1].encode() for word in forms}
    found |= {json.dumps(word)[1:-1].upper().replace("\\U", "\\u").encode() for word in forms}
    return sorted(found)


def holding(folder: Path, canary: str) -> list[str]:
    """The files that hold the words in any spelling."""
    wanted = spellings(canary)
    return [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(w in path.read_bytes() for w in wanted)
    ]


def embed(house: House) -> None:
    """Vectors for everything that waits, without a model."""
    vectors = house.memory.vectors
    vectors.use(Space("made-up", 16, 0.9))
    while waiting := vectors.pending():
        for one in waiting:
            seed = np.random.default_rng(len(one.text))
            vectors.put(one.kind, one.owner, "made-up", seed.normal(size=16).astype(np.float32))


def live_through(student: Any, canary: str) -> None:
    """The words get into everything that keeps words."""
    house, subject = student.house, student.subject
    memory = house.memory
    student.ask(f"Remember that a {canary} is a membrane with holes.")
    student.chat.will_say(f"A {canary} is a membrane. ", f"You taught me what {canary} means.")
    student.ask(f"What is a {canary}, and is it in my file?")
    check = {"kind": "check", "at": "2026-11-04T10:00:00+01:00", "verdict": "wrong", "predicted": 0.4}
    lines = [
        {
            **check,
            "text": f"What is {canary}?",
            "reply": f"{canary} moves",
            "expected": f"no {canary}",
            "topic": canary,
        },
        {
            **check,
            "text": "?",
            "topic": "osmosis",
            "evaluation": f"The {canary} is not it",
            "extra": {canary: [canary]},
        },
        {"kind": "question", "at": "2026-11-04T11:00:00+01:00", "text": "?", "summary": f"about {canary}"},
        {"kind": "quiz", "at": "2026-11-04T12:00:00+01:00", "text": f"Quiz on {canary}", "score": 0.5},
        {"kind": "taught", "at": "2026-11-04T13:00:00+01:00", "text": f"{canary} is my nickname for osmosis"},
    ]
    memory.importer.run([json.dumps(line) for line in lines], default=subject, now=house.clock.now())
    student.ask(f"Quiz me on {canary}")
    student.ask(f"it is the {canary}")
    student.ask(f"Quiz me on {canary}")
    embed(house)
    checks = student.episodes(Kind.CHECK)
    corrections.contest(memory, house.clock, house.ids, checks[-1].id, f"no, {canary} was right")
    question = student.episodes(Kind.QUESTION)[-1]
    memory.scratch.put(Unfinished(question.id, subject.id, f"the {canary} is", "en"), 5)
    house.clock.set(Clock(NIGHT).now())
    run_night(house, subject)
    memory.store.checkpoint()


def worded(house: House, subject: Subject, canary: str) -> list[EpisodeId]:
    """The episodes whose words hold the canary."""
    rows = house.memory.store.reader().execute(
        "SELECT e.id, c.body FROM episodes e JOIN contents c ON c.episode = e.row WHERE e.subject = ? ORDER BY e.seq",
        (subject.id,),
    )
    return [EpisodeId(id) for id, body in rows if any(word in body for word in canary.split())]


def redact_all(house: House, subject: Subject, canary: str, order: random.Random) -> None:
    wanted = worded(house, subject, canary)
    order.shuffle(wanted)
    for id in wanted:
        corrections.redact(house.memory, house.clock, house.ids, id)


def where(house: House, canary: str) -> list[str]:
    """Table and column of every stored value that holds the words."""
    reader = house.memory.store.reader()
    found = []
    for (table,) in reader.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    ).fetchall():
        cursor = reader.execute(f"SELECT * FROM {table}")
        for row in cursor:
            for name, value in zip([column[0] for column in cursor.get_description()], row, strict=True):
                raw = value if isinstance(value, bytes) else str(value).encode()
                if any(spelling in raw for spelling in spellings(canary)):
                    found.append(f"{table}.{name}: {value!r}"[:200])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("canary", CANARIES)
@pytest.mark.parametrize("seed", [1, 2])
def test_redacted_words_are_in_no_byte_of_any_file(student: Any, data: Path, canary: str, seed: int) -> None:
    live_through(student, canary)
    house, subject = student.house, student.subject
    assert "memory.db" in holding(data, canary), "or else nothing is tested"
    assert len(worded(house, subject, canary)) >= 10
    redact_all(house, subject, canary, random.Random(seed))
    copies = house.memory.backups.copies()
    assert set(holding(data, canary)) <= {path.name for path in copies}, where(house, canary)
    for copy in copies:
        copy.unlink()
    house.memory.backups.make(house.clock.now())
    run_night(house, subject, force=True)
    assert not any(
        form.decode("utf-8", "ignore") in line
        for line in export(house.memory.store, [subject])
        for form in (word.encode() for word in canary.split())
    )
    assert holding(data, canary) == [], "new backups and a night later"
    assert all(state.ok for state in house.memory.verification.chains())
    assert house.memory.verification.database() == []
    rebuild(house.memory, house.ids, house.clock.now())
    embed(house)
    student.reopen(NIGHT)
    assert holding(data, canary) == [], "rebuilt and opened again"
    told = student.house.memory.reports.report(subject.id, student.house.clock.now())
    assert all(canary not in json.dumps(str(part), ensure_ascii=False) for part in (told,))


def test_a_node_that_only_a_note_named_keeps_its_name_while_other_words_say_it(student: Any) -> None:
    student.ask("Remember that a tonoplast is a membrane.")
    asked = student.ask("What is a tonoplast?")
    memory, subject = student.memory, student.subject.id
    concept = memory.map.find(subject, "tonoplast", "en").id
    wanted = worded(student.house, student.subject, "tonoplast")
    wanted.sort(key=lambda id: (id == asked.question, id))
    for id in wanted:
        assert memory.map.get(concept).name == "tonoplast", id
        corrections.redact(memory, student.house.clock, student.house.ids, id)
    assert memory.map.get(concept).name == "", "the question was the last to say it"


def test_what_goes_with_redacted_words_is_listed(lived: Run, data: Path, tmp_path: Path) -> None:
    asked = lived("ask", "My xylophonist asks what osmosis is").document
    again = lived("ask", "Once more: my xylophonist asks what osmosis is!").document
    lived("nightly")
    lived("backup", tmp_path / "kept.db")
    lived("restore", tmp_path / "kept.db", "--replace")
    (data / "looked-into.db").write_bytes(b"left by a killed preview: xylophonist")
    (data / "backups" / "memory-20260101-000000.db.part").write_bytes(b"left by a killed backup: xylophonist")
    said = lived("redact", asked["question_id"])
    assert set(said.document["also"]) >= {asked["answer_id"], again["question_id"]}
    assert asked["question_id"] not in said.document["also"]
    lived("redact", again["question_id"])
    for id in said.document["also"]:
        if "xylophonist" in str(lived("recall", "xylophonist").document):
            lived("redact", id)
    left = {path for path in data.rglob("*") if path.is_file() and b"xylophonist" in path.read_bytes()}
    assert left
    assert left <= {Path(path) for path in said.document["backups"]}
    spoken = lived("redact", "demo-001", plain=True).out
    assert all(path in spoken for path in said.document["backups"])


def test_a_withdrawn_note_reaches_no_brief_and_stays_in_the_record_as_withdrawn(student: Any, tmp_path: Path) -> None:
    student.ask("Remember that a tonoplast is the membrane of the xylophonist.")
    note = student.episodes(Kind.TAUGHT)[-1]
    house, questions = student.house, ("What is a tonoplast?", "What have I taught you?", "xylophonist", "osmosis")

    def briefs() -> str:
        texts = []
        for text in questions:
            reading = house.reads.understand(student.subject.id, text, house.clock.now())
            house.reads.read(student.subject.id, text, reading, house.clock.now())
            texts.append(reading.brief.text)
        return "\n".join(texts)

    assert "xylophonist" in briefs()
    corrections.withdraw(student.memory, house.clock, house.ids, note.id)
    for again in (False, True):
        assert "xylophonist" not in briefs()
        assert student.words(note.id) == note.content.text
        lines = [json.loads(line) for line in export(student.memory.store, [student.subject])]
        assert [line["about"] for line in lines if line.get("kind") == "withdrawal"] == [note.id]
        told = student.memory.reports.report(student.subject.id, house.clock.now()).taught
        assert [each.live for each in told if each.episode == note.id] == [False]
        if not again:
            rebuild(student.memory, house.ids, house.clock.now())


def redact_until_killed(data: Path, canary: str, moment: str | None) -> None:
    """Redact everything that holds the words, and be killed at that moment or from outside."""
    house = open_house(open_folders(data), Clock(NIGHT))

    def die(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    if moment == "inside":
        house.memory.map.forget_names = die  # type: ignore[method-assign]
    elif moment == "committed":
        house.memory.store.checkpoint = die  # type: ignore[method-assign]
    elif moment == "log":
        house.memory.scratch.clear = die  # type: ignore[method-assign]
    redact_all(house, house.subject("Biology"), canary, random.Random(1))
    time.sleep(60)


@pytest.mark.parametrize("moment", ["inside", "committed", "log"])
def test_a_redaction_that_was_killed_is_whole_or_not_at_all_and_the_next_one_leaves_nothing(
    student: Any, data: Path, moment: str
) -> None:
    killed_and_finished(student, data, moment, 60.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_redaction_killed_by_chance_leaves_nothing_once_it_is_finished(student: Any, data: Path, seed: int) -> None:
    killed_and_finished(student, data, None, random.Random(seed).uniform(0.05, 1.2))


def killed_and_finished(student: Any, data: Path, moment: str | None, wait: float) -> None:
    canary = CANARIES[0]
    live_through(student, canary)
    for copy in student.house.memory.backups.copies():
        copy.unlink()
    student.house.close()
    child = multiprocessing.get_context("fork").Process(target=redact_until_killed, args=(data, canary, moment))
    child.start()
    child.join(wait)
    child.kill()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    house = student.house = open_house(open_folders(data), Clock(NIGHT))
    assert all(state.ok for state in house.memory.verification.chains())
    redact_all(house, student.subject, canary, random.Random(2))
    assert holding(data, canary) == [], where(house, canary)
    assert all(state.ok for state in house.memory.verification.chains())
    assert house.memory.verification.database() == []
