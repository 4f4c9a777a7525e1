"""A rebuilt record, and one that was exported, wiped and imported, gives the same briefs and the same answers."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from app import corrections
from app.clock import Clock
from app.folders import open_folders
from app.schedule import run_night
from app.turn_events import Finished
from app.wiring import House, open_house
from memory.episodes import Kind
from memory.exchange import export
from memory.rebuilding import rebuild

LATER = "2026-11-12T18:00:00+01:00"
QUESTIONS = {
    "en": [
        "What is osmosis?",
        "What did I get wrong so far?",
        "What did we do in July?",
        "What have I taught you?",
        "What should I know before osmosis?",
        "What did we do last week?",
        "How am I doing on diffusion?",
        "What is a tonoplast?",
    ],
    "fr": [
        "Qu'est-ce que l'osmose ?",
        "Qu'est-ce que j'ai raté jusqu'ici ?",
        "Qu'avons-nous vu en juin ?",
        "Que t'ai-je appris ?",
        "Que dois-je savoir avant osmosis ?",
        "Qu'avons-nous fait la semaine dernière ?",
        "Où en suis-je en diffusion ?",
    ],
    "es": [
        "¿Qué es la ósmosis?",
        "¿Qué fallé hasta ahora?",
        "¿Qué vimos en julio?",
        "¿Qué te he enseñado?",
        "¿Qué debo saber antes de osmosis?",
        "¿Qué hicimos ayer?",
        "¿Qué vimos en septiembre sobre la difusión?",
    ],
    "ar": [
        "ما هو التناضح؟",
        "ما الذي أخطأت فيه حتى الآن؟",
        "ماذا درسنا في يوليو؟",
        "ماذا علمتك؟",
        "ماذا درسنا في أغسطس؟",
        "ماذا فعلنا أمس؟",
        "هل فهمت الانتشار؟",
    ],
    "de": [
        "Was ist Osmose?",
        "Was habe ich bisher falsch gemacht?",
        "Was haben wir im Oktober gemacht?",
        "Was habe ich dir beigebracht?",
        "Was haben wir gestern gemacht?",
        "Wie stehe ich bei diffusion?",
        "Worum ging es im Mai?",
    ],
    "it": [
        "Che cos'è l'osmosi?",
        "Che cosa ho sbagliato finora?",
        "Che cosa abbiamo visto a luglio?",
        "Che cosa ti ho insegnato?",
        "Che cosa abbiamo fatto ieri?",
        "Come vado con la diffusione?",
        "Che cosa è cambiato da settembre?",
    ],
    "pt": [
        "O que é a osmose?",
        "O que errei até agora?",
        "O que vimos em julho?",
        "O que te ensinei?",
        "O que fizemos ontem?",
        "Como estou em difusão?",
        "O que vimos sobre fluid mosaic model?",
    ],
}
ASKED = [(language, text) for language, texts in QUESTIONS.items() for text in texts]
ELSEWHERE = [
    ("question", "Qu'est-ce que la diffusion ?", "fr", {}),
    ("answer", "La diffusion va du plus vers le moins concentré.", "fr", {}),
    ("check", "¿Qué mueve la ósmosis?", "es", {"reply": "el agua", "verdict": "right", "concept": "Osmosis"}),
    ("check", "ما هو التناضح؟", "ar", {"reply": "حركة الماء", "verdict": "wrong", "topic": "Osmosis"}),
    ("check", "Was ist Diffusion?", "de", {"reply": "Wärme", "verdict": "partly", "concept": "Diffusion"}),
    ("taught", "Turgor: la pressione dell'acqua sulla parete", "it", {}),
    ("check", "O que é turgor?", "pt", {"reply": "pressão", "verdict": "right", "topic": "turgor"}),
    ("check", "What is a vesicle?", "en", {"reply": "a bubble", "concept": "Vesicle"}),
    ("quiz", "Quiz", "en", {"score": 0.5}),
    ("file", "cells.pdf", "en", {"evidence": [{"file": "cells.pdf", "sha256": "ab", "page": 3}]}),
]


def live_on(student: Any, course: Path | None = None) -> None:
    """A week more, in seven languages: turns, a lesson, notes, things taken back and disputed, and every night."""
    house, subject = student.house, student.subject
    memory = house.memory
    for day in range(6, 12):
        house.clock.set(Clock(f"2026-11-{day:02d}T17:00:00+01:00").now())
        lines = [
            {"at": f"2026-11-{day - 1:02d}T1{n}:00:00+01:00", "kind": kind, "text": text, "language": language, **more}
            for n, (kind, text, language, more) in enumerate(ELSEWHERE)
        ]
        memory.importer.run([json.dumps(line) for line in lines], default=subject, now=house.clock.now())
        student.chat.will_say("Osmosis is the movement of water through a membrane. ", "We saw it before.")
        student.ask("What is osmosis?")
        student.ask(
            ["Remember that a tonoplast is the membrane of a vacuole.", "Remember that I have an exam on 2 December."][
                day % 2
            ]
        )
        student.ask("What did I get wrong in October?")
        student.ask("Quiz me on osmosis")
        student.ask("I do not know")
        student.ask("stop")
        run_night(house, subject)
    notes, checks = student.episodes(Kind.TAUGHT), student.episodes(Kind.CHECK)
    corrections.withdraw(memory, house.clock, house.ids, notes[-1].id)
    corrections.contest(memory, house.clock, house.ids, checks[-2].id, "it was right")
    corrections.redact(memory, house.clock, house.ids, student.episodes(Kind.QUESTION)[-3].id)
    house.clock.set(Clock(LATER).now())
    run_night(house, subject)


def briefs(house: House) -> dict[str, tuple[str, list[str]]]:
    """Of every question: the brief's text and the memories in it."""
    subject = house.subject("Biology")
    now = Clock(LATER).now()
    found = {}
    for language, text in ASKED:
        reading = house.reads.understand(subject.id, text, now, language=language)
        house.reads.read(subject.id, text, reading, now)
        assert "brief_left_out" not in reading.timings
        recalled = [memory.episode.id for memory in reading.recalled.memories] if reading.recalled else []
        found[text] = (reading.brief.text, recalled)
    return found


def answers(house: House) -> dict[str, tuple[str, str, list[str]]]:
    """Of every question about the record or the map: plan, answer, and the memories told. Asked in this order."""
    subject = house.subject("Biology")
    house.clock.set(Clock(LATER).now())
    told = {}
    for language, text in ASKED:
        for event in house.tutor.turn(subject.id, text, language=language):
            if isinstance(event, Finished):
                result = event.result
                told[text] = (
                    result.plan.value,
                    result.text,
                    [str(memory.external_id or memory.at) for memory in result.memories],
                )
    return told


DERIVED = {
    "episode_facts": "SELECT e.id, f.recallable, f.same FROM episode_facts f JOIN episodes e ON e.row = f.episode",
    "episode_words": "SELECT term, doc, cnt FROM episode_vocabulary",
    "episode_concepts": "SELECT e.id, c.key, t.how FROM episode_concepts t JOIN episodes e ON e.row = t.episode"
    " JOIN concepts c ON c.id = t.concept",
    "notes": "SELECT n.episode, coalesce(c.key, ''), n.live FROM notes n LEFT JOIN concepts c ON c.id = n.concept",
    "check_concepts": "SELECT e.id, c.key FROM check_concepts k JOIN episodes e ON e.row = k.episode"
    " JOIN concepts c ON c.id = k.concept",
    "concepts": "SELECT key, name, origin, created_by, centrality, maturity, hidden FROM concepts",
    "concept_names": "SELECT c.key, n.key, n.name, n.language, n.alias, n.swept FROM concept_names n"
    " JOIN concepts c ON c.id = n.concept",
    "beliefs": "SELECT id, claim, confidence, mastery, valid_from, valid_offset, reason, confirm, place, superseded_by"
    " FROM beliefs",
    "condensed_days": "SELECT day, episode, digest, seen FROM condensed_days",
    "working_sets": "SELECT body FROM working_sets",
    "self_models": "SELECT body FROM self_models",
    "passage_words": "SELECT id FROM passage_words_docsize",
}


def contents(house: House) -> set[tuple[str, str]]:
    """The logical content of every derived table, without row numbers."""
    reader = house.memory.store.reader()
    return {(table, repr(row)) for table, query in DERIVED.items() for row in reader.execute(query)}


@pytest.fixture
def opened(student: Any) -> Any:
    live_on(student)
    return student


LOST = [
    "INSERT INTO episode_words (episode_words) VALUES ('delete-all')",
    "INSERT INTO passage_words (passage_words) VALUES ('delete-all')",
    *(
        f"DELETE FROM {table}"
        for table in (
            "episode_facts",
            "episode_concepts",
            "notes",
            "check_concepts",
            "condensed_days",
            "working_sets",
            "self_models",
        )
    ),
    "UPDATE concepts SET centrality = 0, maturity = 0.35, hidden = 0",
]


def test_a_rebuild_gives_every_derived_table_and_every_answer_as_it_was(
    opened: Any, data: Path, tmp_path: Path
) -> None:
    house = opened.house
    assert len(ASKED) == 50
    tables, before = contents(house), briefs(house)
    assert len({text for text, _ in before.values()}) > 20, "or else nothing is tested"
    house.memory.store.checkpoint()
    copytree(data, tmp_path / "copy")
    rebuild(house.memory, house.ids, house.clock.now())
    assert contents(house) == tables
    assert briefs(house) == before
    for lost in LOST:
        with house.memory.store.atomic() as connection:
            connection.execute(lost)
    assert contents(house) != tables
    rebuild(house.memory, house.ids, house.clock.now())
    assert contents(house) == tables
    assert briefs(house) == before
    other = open_house(open_folders(tmp_path / "copy"), Clock(LATER))
    assert answers(house) == answers(other)
    other.close()


def test_an_export_that_was_wiped_and_imported_gives_the_same_briefs_and_answers(
    opened: Any, half_a_year: Path, tmp_path: Path
) -> None:
    house = opened.house
    before, tables = briefs(house), contents(house)
    lines = list(export(house.memory.store, [opened.subject]))
    other = open_house(open_folders(tmp_path / "other"), Clock(LATER))
    subject = other.subject("Biology", create=True)
    done = other.memory.importer.run(lines, default=subject, now=other.clock.now())
    assert (done.errors, done.imported) == ([], house.memory.ledger.count(opened.subject.id))
    subject = other.subject("Biology")
    assert list(export(other.memory.store, [subject])) == lines, "episodes, dates, chains and beliefs"
    assert other.memory.importer.run(lines, default=subject, now=other.clock.now()).imported == 0
    other.clock.set(Clock("2026-05-04T17:00:00+02:00").now())  # the files are not in the log: the course is read again
    assert other.reader.read(subject.id, half_a_year.parent / "membranes.md").fault is None
    (read,) = [e.id for e in other.memory.ledger.find(subject.id, kinds=[Kind.FILE]) if e.id not in "".join(lines)]
    kept = {
        "episode_facts",
        "beliefs",
        "check_concepts",
        "condensed_days",
        "notes",
        "episode_concepts",
    }
    theirs = {(table, row) for table, row in contents(other) if read not in row}
    for table in sorted(kept):
        assert {row for row in theirs if row[0] == table} == {row for row in tables if row[0] == table}
    told = {text: (brief, [id for id in ids if id != read]) for text, (brief, ids) in briefs(other).items()}
    assert told == before
    assert not other.memory.nights.is_due(subject.id, other.clock.now()) or not other.memory.nights.missed(
        subject.id, other.clock.now()
    ), "no day is condensed twice"
    other.close()
