"""The report: walked to the episodes, honest about what is missing."""

from __future__ import annotations

from datetime import date

import pytest

from memory.cited_files import CitedFiles
from memory.episodes import Kind, Meta, Verdict
from memory.mastery import Claim
from memory.report import Report, Reports
from memory.review import Review


def report(classroom, day: float = 30) -> Report:
    files = CitedFiles(classroom.store, {"a.pdf": "11"}.get)
    files.verify(classroom.subject, 0)
    return Reports(classroom.store, classroom.beliefs, Review(classroom.store), files).report(
        classroom.subject, classroom.moment(day)
    )


def status(classroom, answer, found: str) -> None:
    with classroom.store.atomic() as connection:
        connection.execute("INSERT INTO answer_status VALUES (?, ?, '{}', '{}')", (answer.id, found))


def test_an_empty_subject_has_a_report_without_a_figure(classroom) -> None:
    found = report(classroom)
    assert (found.concepts, found.taught, found.unanswered, found.coverage) == ((), (), (), ())
    assert (found.calibration.count, found.calibration.ece, found.calibration.calibrated) == (0, None, False)
    assert (found.unlinked.count, found.unlinked.checks) == (0, 0)


def test_the_articles_case_thirty_two_checks_and_no_belief(classroom) -> None:
    classroom.concept("Equations")
    for day in range(32):
        classroom.check(day / 2, [Verdict.RIGHT, Verdict.WRONG][day % 2])
    found = report(classroom)
    assert (found.unlinked.count, found.unlinked.checks) == (32, 32)
    assert found.concepts == ()


def test_each_belief_says_since_when_why_and_what_comes_next(classroom) -> None:
    osmosis = classroom.concept("Osmosis")
    classroom.concept("Mitosis")
    first = classroom.live(0, Verdict.WRONG, "Osmosis")
    second = classroom.live(2, Verdict.WRONG, "Osmosis")
    classroom.live(1, Verdict.RIGHT, "Mitosis")
    weak, fine = report(classroom).concepts
    assert (weak.concept, weak.claim, fine.claim) == (osmosis, Claim.WEAK, Claim.UNDERSTANDS)
    assert (weak.since.day, weak.last_check.day) == (date(2026, 3, 2), date(2026, 3, 4))
    assert weak.because == (first.id, second.id)
    assert [turn.because for turn in weak.turns] == [(first.id,), (first.id, second.id)]
    assert weak.due.at > weak.last_check.at
    assert weak.checks == 2


def test_withdrawn_beliefs_are_not_held(classroom) -> None:
    classroom.concept("Osmosis")
    only = classroom.live(0, Verdict.RIGHT, "Osmosis")
    classroom.append(Kind.CONTEST, 1, meta=Meta(about=only.id))
    classroom.beliefs.replay(classroom.subject, None, classroom.ids, 0)
    assert report(classroom).concepts == ()


def test_questions_the_files_could_not_answer_are_listed_by_the_answer_that_stands(classroom) -> None:
    question = classroom.append(Kind.QUESTION, 0, "Why?")
    answer = classroom.append(Kind.ANSWER, 0.1, "?", meta=Meta(about=question.id))
    status(classroom, answer, "not_possible")
    fine = classroom.append(Kind.ANSWER, 0.2, "!", meta=Meta(about=question.id))
    status(classroom, fine, "answered")
    (found,) = report(classroom).unanswered
    assert (found.question, found.answer, found.status) == (question.id, answer.id, "not_possible")
    replaced = classroom.append(Kind.ANSWER, 0.3, "again", meta=Meta(about=question.id, replaces=answer.id))
    status(classroom, replaced, "partly")
    assert [each.status for each in report(classroom).unanswered] == ["partly"]


def test_a_note_that_names_two_concepts_is_one_note(classroom) -> None:
    osmosis, mitosis = classroom.concept("Osmosis"), classroom.concept("Mitosis")
    both = classroom.append(Kind.TAUGHT, 0, "osmosis comes before mitosis")
    mine = classroom.append(Kind.TAUGHT, 1, "my exam is in June")
    with classroom.store.atomic() as connection:
        for episode, concept in [(both, osmosis), (both, mitosis), (mine, "")]:
            connection.execute("INSERT INTO notes VALUES (?, ?, ?, 1)", (episode.id, classroom.subject, concept))
    about_me, note = report(classroom).taught
    assert (note.episode, note.concepts) == (both.id, ("Osmosis", "Mitosis"))
    assert (about_me.episode, about_me.concepts) == (mine.id, ())


def test_citations_that_no_longer_hold_are_named(classroom) -> None:
    classroom.answer(0, "a.pdf", "11")
    gone = classroom.answer(1, "b.pdf", "22")
    found = report(classroom)
    assert (found.citations.holds, found.citations.changed) == (1, 1)
    assert [each.episode for each in found.changed_files] == [gone.id]


def test_coverage_is_a_share_of_the_map(classroom) -> None:
    osmosis = classroom.concept("Osmosis")
    classroom.concept("Mitosis")
    with classroom.store.atomic() as connection:
        connection.execute(
            "INSERT INTO files VALUES ('f', ?, '/a.pdf', 'a.pdf', 'done', NULL, 0)", (classroom.subject,)
        )
        connection.execute(
            "INSERT INTO versions (id, file, sha256, bytes, format, pages, pages_read, read_at)"
            " VALUES (1, 'f', '11', 1, 'pdf', 1, 1, 0)"
        )
        connection.execute("INSERT INTO concept_places (concept, version, pages) VALUES (?, 1, '[1]')", (osmosis,))
    (found,) = report(classroom).coverage
    assert (found.file, found.concepts, found.of, found.share) == ("a.pdf", 1, 2, pytest.approx(0.5))
