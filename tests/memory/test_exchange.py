"""Import and export: dates are kept, nothing is doubled, checks become beliefs, and a record comes back verbatim."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.clock import Clock
from app.folders import Folders
from app.ids import Ids
from app.wiring import open_memory
from memory.episodes import Kind, Origin, SubjectId
from memory.exchange import Imported, export
from memory.memory import Memory
from memory.moments import Moment
from memory.rebuilding import rebuild
from memory.rerouting import todays_routes
from memory.routing import Names
from memory.subjects import Subject

NOW = "2026-11-05T18:00:00+01:00"


class Brain:
    """A memory with one subject, and short ways in and out."""

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self.ids = Ids()
        self.memory: Memory = open_memory(Folders(data, data / "models"), Clock(NOW), self.ids)
        found = self.memory.subjects.all()
        self.subject: Subject = found[0] if found else self.memory.subjects.add(SubjectId("bio"), "Biology", 1)

    def take(self, *lines: Any, now: str = NOW) -> Imported:
        """Import lines, given as text or as values."""
        texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
        return self.memory.importer.run(texts, default=self.subject, now=Moment.parse(now))

    def give(self) -> list[str]:
        """The export of everything."""
        return list(export(self.memory.store, self.memory.subjects.all()))

    def beliefs(self) -> list[tuple[str, str, float]]:
        """What is held, without ids."""
        held = self.memory.beliefs.current(self.memory.subjects.all()[0].id)
        return sorted((row.name, row.claim.value, round(row.confidence, 6)) for row in held)


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    opened = Brain(tmp_path / "one")
    yield opened
    opened.memory.store.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Brain]:
    opened = Brain(tmp_path / "two")
    yield opened
    opened.memory.store.close()


def check(verdict: str, at: str, name: str | None = None, **more: Any) -> dict[str, Any]:
    named = {"external_id": name} if name else {}
    return {"at": at, "kind": "check", "text": "What moves?", "reply": "water", "verdict": verdict, **named, **more}


PAST: list[dict[str, Any]] = [
    {"at": "2026-03-14T00:30:00+01:00", "kind": "question", "text": "What is osmosis?", "external_id": "q1"},
    {"at": "2026-03-14T00:31:00+01:00", "kind": "answer", "text": "Water moves.", "external_id": "a1"},
    check("wrong", "2026-04-02T10:00:00+02:00", "c1", concept="Osmosis"),
    check("right", "2026-04-09T10:00:00+02:00", "c2", concept="Osmosis"),
    check("right", "2026-04-20T10:00:00+02:00", "c3", topic="osmosis"),
    {"at": "2026-04-21T10:00:00+02:00", "kind": "quiz", "text": "A quiz", "score": 0.5, "external_id": "z1"},
    {"at": "2026-04-22T10:00:00+02:00", "kind": "taught", "text": "osmosis is my favourite", "external_id": "t1"},
    {"at": "2026-04-23T10:00:00+02:00", "kind": "file", "text": "cells.pdf", "external_id": "f1"},
]


def test_events_keep_their_own_day_and_say_when_they_arrived(brain: Brain) -> None:
    assert brain.take(*PAST).imported == len(PAST)
    first = brain.memory.ledger.find(brain.subject.id)[0]
    assert first.moment.day.isoformat() == "2026-03-14", "half past midnight is that day where the student was"
    assert first.moment.iso == "2026-03-14T00:30:00+01:00"
    assert first.recorded_at == Moment.parse(NOW).at
    assert first.origin is Origin.IMPORTED


def test_an_import_is_appended_at_the_end_whatever_its_dates(brain: Brain) -> None:
    brain.take(PAST[3])
    brain.take(PAST[0])
    assert [e.meta.external_id for e in brain.memory.ledger.find(brain.subject.id)] == ["q1", "c2"], "told by time"
    assert [json.loads(line)["external_id"] for line in brain.give()[:2]] == ["c2", "q1"], "kept by arrival"


def test_importing_twice_changes_nothing(brain: Brain) -> None:
    brain.take(*PAST)
    before, beliefs = brain.give(), brain.beliefs()
    again = brain.take(*PAST)
    assert (again.imported, again.skipped) == (0, len(PAST))
    assert brain.give() == before
    assert brain.beliefs() == beliefs


def test_a_line_twice_in_one_file_counts_once(brain: Brain) -> None:
    done = brain.take(PAST[0], PAST[0], {**PAST[1], "external_id": None}, {**PAST[1], "external_id": None})
    assert (done.imported, done.skipped) == (2, 2)


def test_the_order_of_arrival_does_not_change_what_is_believed_in_the_end(brain: Brain, other: Brain) -> None:
    brain.take(*PAST)
    for event in reversed(PAST):
        other.take(event)
    assert other.beliefs() != brain.beliefs(), "a topic that came before its concept was not routed yet"
    memory, subject = other.memory, other.subject.id
    routes = todays_routes(memory.ledger, memory.beliefs, subject, Names(memory.map.name_rows(subject)), "en")
    memory.beliefs.rederive(subject, routes, other.ids, Moment.parse("2026-04-23T10:00:00+02:00").at)
    assert other.beliefs() == brain.beliefs(), "under today's map it counts"


def test_a_wrong_then_right_import_leaves_a_chain_of_beliefs(brain: Brain) -> None:
    brain.take(*PAST)
    rows = brain.memory.beliefs.history(brain.subject.id)
    assert rows[0].claim.value == "weak"
    assert rows[0].superseded_by is not None
    assert [row.superseded_by for row in rows].count(None) == 1


def test_a_quiz_is_never_evidence(brain: Brain) -> None:
    brain.take(PAST[5])
    assert brain.beliefs() == []


def test_a_topic_that_names_no_concept_is_no_evidence_and_makes_no_concept(brain: Brain) -> None:
    done = brain.take(check("wrong", "2026-05-01T10:00:00+02:00", "c9", topic="ask me the questions"))
    assert done.imported == 1
    assert brain.beliefs() == []
    assert brain.memory.map.concepts(brain.subject.id) == []


def test_a_line_for_another_subject_goes_there_and_a_new_one_is_made(brain: Brain) -> None:
    brain.take(PAST[0], {**PAST[1], "subject": "Chemistry"})
    assert {subject.name for subject in brain.memory.subjects.all()} == {"Biology", "Chemistry"}
    assert brain.memory.ledger.count(brain.subject.id) == 1


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "\ufeff",
        "{",
        "null",
        "[]",
        "3",
        '"text"',
        "{}",
        '{"kind": "question"}',
        '{"at": "2026-01-01", "kind": "belief", "text": "x"}',
        '{"at": "2026-01-01", "kind": "consolidation", "text": "x"}',
        '{"at": "2026-01-01", "kind": "redaction", "text": "x", "about": "q1"}',
        '{"at": NaN, "kind": "question", "text": "x"}',
        '{"belief": {"id": "x", "claim": "understands"}, "subject": "Biology"}',
        "[" * 3000,
        '{"at": "0001-01-01T00:00:00+14:00", "kind": "question", "text": "x"}',
        '{"at": "9999-12-31T23:59:59-14:00", "kind": "question", "text": "x"}',
        '{"at": "2026-01-01T00:00:00+99:00", "kind": "question", "text": "x"}',
        '{"at": "2026-01-01", "kind": "check", "text": "x", "verdict": "right", "evidence": "../../etc/passwd"}',
    ],
    ids=lambda line: line[:30] or "empty",
)
def test_a_line_that_is_no_event_is_told_and_writes_nothing(brain: Brain, line: str) -> None:
    done = brain.take(line, PAST[0])
    assert done.imported == 1
    assert all(error.line == 1 and error.why for error in done.errors)
    assert brain.memory.ledger.count(brain.subject.id) == 1
    assert brain.beliefs() == []


def test_a_million_letters_in_one_line_are_one_error(brain: Brain) -> None:
    done = brain.take({**PAST[0], "text": "x" * 2_000_000}, PAST[1])
    assert done.imported == 1
    assert [error.line for error in done.errors] == [1]


def test_a_belief_without_its_chain_is_never_believed(brain: Brain, other: Brain) -> None:
    brain.take(*PAST)
    other.take(*[line for line in brain.give() if line.startswith('{"belief"')])
    assert other.beliefs() == []


def test_a_record_comes_back_verbatim(brain: Brain, other: Brain) -> None:
    brain.take(*PAST)
    lines = brain.give()
    done = other.take(*lines)
    assert done.errors == []
    assert other.give() == lines
    assert other.beliefs() == brain.beliefs()
    subject = other.memory.subjects.all()[0].id
    assert other.memory.ledger.head(subject) == brain.memory.ledger.head(brain.subject.id)


@pytest.mark.parametrize("change", ["dropped", "swapped", "edited", "doubled", "cut"])
def test_a_chain_that_does_not_verify_is_never_restored(brain: Brain, other: Brain, change: str) -> None:
    brain.take(*PAST)
    lines = [line for line in brain.give() if not line.startswith('{"belief"')]
    match change:
        case "dropped":
            del lines[2]
        case "swapped":
            lines[1], lines[2] = lines[2], lines[1]
        case "edited":
            lines[2] = lines[2].replace('\\"wrong\\"', '\\"right\\"')
        case "doubled":
            lines.insert(2, lines[2])
        case "cut":
            del lines[0]
    done = other.take(*lines)
    assert {e.origin for e in other.memory.ledger.find(other.memory.subjects.all()[0].id)} == {Origin.IMPORTED}
    assert done.imported >= len(PAST) - 1
    assert all(chain.ok for chain in other.memory.verification.chains())


def test_an_export_into_a_subject_that_is_not_empty_is_imported(brain: Brain, other: Brain) -> None:
    other.take({**PAST[0], "external_id": "mine", "text": "my own"})
    brain.take(*PAST)
    other.take(*brain.give())
    assert other.memory.ledger.count(other.subject.id) == len(PAST) + 1
    assert other.take(*brain.give()).imported == 0, "and again changes nothing"


def test_progress_is_told(brain: Brain) -> None:
    told: list[int] = []
    lines = [json.dumps({**PAST[0], "external_id": f"q{n}"}) for n in range(2500)]
    brain.memory.importer.run(lines, default=brain.subject, now=Moment.parse(NOW), progress=told.append)
    assert told == [1000, 2000, 2500]


def test_two_thousand_events_a_second(brain: Brain) -> None:
    lines = []
    for n in range(3000):
        event = PAST[n % 2] if n % 3 else PAST[2]
        lines.append(json.dumps({**event, "external_id": f"e{n}", "text": f"{event['text']} number {n}"}))
    began = time.perf_counter()
    done = brain.memory.importer.run(lines, default=brain.subject, now=Moment.parse(NOW))
    took = time.perf_counter() - began
    assert done.imported == 3000
    assert took < 3000 / 2000 * 4, f"{3000 / took:.0f} events a second"  # 2,000 is the goal; shared machines are slower


def test_a_rebuild_changes_neither_what_is_found_nor_what_is_believed(brain: Brain) -> None:
    brain.take(*PAST)
    before, lines = brain.beliefs(), brain.give()
    counted = rebuild(brain.memory, brain.ids, Moment.parse(NOW).at)
    assert counted["episodes"] == len(PAST)
    assert counted["notes"] == 1
    assert brain.beliefs() == before
    assert brain.give() == lines
    again = rebuild(brain.memory, brain.ids, Moment.parse(NOW).at)
    assert again == counted


def test_a_rebuild_restores_indexes_that_were_lost(brain: Brain) -> None:
    brain.take(*PAST)
    words = "SELECT count(*) FROM episode_words WHERE episode_words MATCH 'osmosis'"
    facts = "SELECT count(*) FROM episode_facts"

    def counts() -> list[int]:
        reader = brain.memory.store.reader()
        return [int(reader.execute(query).fetchall()[0][0]) for query in (words, facts)]

    before = counts()
    assert min(before) > 0
    with brain.memory.store.atomic() as connection:
        connection.execute("INSERT INTO episode_words (episode_words) VALUES ('delete-all')")
        connection.execute("DELETE FROM episode_facts")
    assert counts() == [0, 0]
    rebuild(brain.memory, brain.ids, Moment.parse(NOW).at)
    assert counts() == before


def test_redacted_words_are_neither_exported_nor_restored(brain: Brain, other: Brain) -> None:
    brain.take(*PAST)
    target = brain.memory.ledger.by_external_id(brain.subject.id, "q1")
    assert target is not None
    brain.memory.ledger.redact(target, brain.ids(), Moment.parse(NOW), Moment.parse(NOW).at)
    lines = brain.give()
    assert not any("What is osmosis?" in line for line in lines)
    assert other.take(*lines).errors == []
    assert other.give() == lines
    (redaction,) = other.memory.ledger.find(other.memory.subjects.all()[0].id, kinds=[Kind.REDACTION])
    assert redaction.meta.about == target
