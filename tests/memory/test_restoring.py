"""Restoring: an exported chain comes back verbatim into an empty subject, and only when it verifies."""

from __future__ import annotations

from typing import Any

import pytest

from memory.episodes import Kind, Origin


def test_a_record_comes_back_verbatim(brain: Any, other: Any, past: list[dict[str, Any]]) -> None:
    brain.take(*past)
    lines = brain.give()
    done = other.take(*lines)
    assert done.errors == []
    assert other.give() == lines
    assert other.beliefs() == brain.beliefs()
    subject = other.memory.subjects.all()[0].id
    assert other.memory.ledger.head(subject) == brain.memory.ledger.head(brain.subject.id)


@pytest.mark.parametrize("change", ["dropped", "swapped", "edited", "doubled", "cut"])
def test_a_chain_that_does_not_verify_is_never_restored(
    brain: Any, other: Any, change: str, past: list[dict[str, Any]]
) -> None:
    brain.take(*past)
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
    assert done.imported >= len(past) - 1
    assert all(chain.ok for chain in other.memory.verification.chains())


def test_an_export_into_a_subject_that_is_not_empty_is_imported(
    brain: Any, other: Any, past: list[dict[str, Any]]
) -> None:
    other.take({**past[0], "external_id": "mine", "text": "my own"})
    brain.take(*past)
    other.take(*brain.give())
    assert other.memory.ledger.count(other.subject.id) == len(past) + 1
    assert other.take(*brain.give()).imported == 0, "and again changes nothing"


def test_a_belief_without_its_chain_is_never_believed(brain: Any, other: Any, past: list[dict[str, Any]]) -> None:
    brain.take(*past)
    other.take(*[line for line in brain.give() if line.startswith('{"belief"')])
    assert other.beliefs() == []


def test_redacted_words_are_neither_exported_nor_restored(brain: Any, other: Any, past: list[dict[str, Any]]) -> None:
    brain.take(*past)
    target = brain.memory.ledger.by_external_id(brain.subject.id, "q1")
    assert target is not None
    brain.memory.ledger.redact(target, brain.ids(), brain.now, brain.now.at)
    lines = brain.give()
    assert not any("What is osmosis?" in line for line in lines)
    assert other.take(*lines).errors == []
    assert other.give() == lines
    (redaction,) = other.memory.ledger.find(other.memory.subjects.all()[0].id, kinds=[Kind.REDACTION])
    assert redaction.meta.about == target


def test_nodes_that_lost_their_names_come_back_nameless_each_its_own(brain: Any, other: Any) -> None:
    for number, term in enumerate(("Turgor", "Tonoplast")):
        note = {
            "at": f"2026-03-0{number + 1}T10:00:00+01:00",
            "kind": "taught",
            "text": f"A {term} is the skin of a vacuole.",
        }
        check = {"kind": "check", "text": f"What is a {term}?", "topic": term, "verdict": "right"}
        brain.take(note)
        brain.take({**check, "at": f"2026-03-1{number}T10:00:00+01:00"})
    assert [name.casefold() for name, _, _ in brain.beliefs()] == ["tonoplast", "turgor"]
    for episode in brain.memory.ledger.find(brain.subject.id):
        with brain.memory.store.atomic():
            brain.memory.ledger.redact(episode.id, brain.ids(), brain.now, brain.now.at)
            brain.memory.map.forget_names(episode.id)
    assert [name for name, _, _ in brain.beliefs()] == ["", ""]
    lines = brain.give()
    assert other.take(*lines).errors == []
    assert other.give() == lines
    assert other.memory.map.concepts(other.memory.subjects.all()[0].id) == []
