"""What changed: everything, newest first, without a word of what was redacted."""

from __future__ import annotations

from memory.belief_rules import Reason
from memory.changes import Change, Changes, What
from memory.episodes import Evidence, Kind, Meta, Origin, Verdict


def history(classroom) -> list[Change]:
    return Changes(classroom.store, classroom.beliefs).history(classroom.subject)


def test_a_belief_shows_what_was_held_before_and_why(classroom) -> None:
    osmosis = classroom.concept("Osmosis")
    first = classroom.live(0, Verdict.WRONG, "Osmosis")
    second = classroom.live(1, Verdict.RIGHT, "Osmosis")
    newest, oldest = [change for change in history(classroom) if change.what is What.BELIEF]
    assert (oldest.before, oldest.after["claim"], oldest.because) == (None, "weak", (first.id,))
    assert (newest.before["claim"], newest.after["claim"]) == ("weak", "unsure")
    assert (newest.because, newest.reason) == ((first.id, second.id), "check")
    assert (newest.concept, newest.name, newest.at.day) == (osmosis, "Osmosis", second.moment.day)


def test_decay_stands_at_the_date_it_was_due(classroom) -> None:
    classroom.concept("Osmosis")
    classroom.live(0, Verdict.RIGHT, "Osmosis")
    late = classroom.moment(80).at
    classroom.beliefs.decay(classroom.subject, late, classroom.ids, late)
    newest = history(classroom)[0]
    assert (newest.reason, newest.at.at) == ("decay", classroom.moment(45).at)
    assert newest.after["confidence"] < newest.before["confidence"]


def test_a_contest_stands_when_the_mind_was_changed(classroom) -> None:
    classroom.concept("Osmosis")
    check = classroom.live(0, Verdict.WRONG, "Osmosis")
    contest = classroom.append(Kind.CONTEST, 3, meta=Meta(about=check.id, verdict=Verdict.RIGHT))
    classroom.beliefs.replay(classroom.subject, None, classroom.ids, contest.moment.at, Reason.CONTEST)
    found = {change.what: change for change in history(classroom)[:2]}
    assert found[What.CONTEST].before == {"verdict": "wrong"}
    assert found[What.CONTEST].after["verdict"] == "right"
    assert found[What.CONTEST].because == (contest.id, check.id)
    assert found[What.BELIEF].at.day == contest.moment.day


def test_a_reading_lists_the_concepts_it_brought_and_those_it_explained_again(classroom) -> None:
    osmosis, mitosis = classroom.concept("Osmosis"), classroom.concept("Mitosis")
    with classroom.store.atomic() as connection:
        for number, day in [(1, 0), (2, 1)]:
            connection.execute(
                "INSERT INTO files VALUES (?, ?, ?, ?, 'done', NULL, 0)",
                (f"f{number}", classroom.subject, f"/{number}.pdf", f"{number}.pdf"),
            )
            connection.execute(
                "INSERT INTO versions (id, file, sha256, bytes, format, pages, pages_read, read_at)"
                " VALUES (?, ?, ?, 1, 'pdf', 1, 1, ?)",
                (number, f"f{number}", f"{number}" * 8, classroom.moment(day).at),
            )
        for concept, version in [(osmosis, 1), (osmosis, 2), (mitosis, 2)]:
            connection.execute(
                "INSERT INTO concept_places (concept, version, pages) VALUES (?, ?, '[1]')", (concept, version)
            )
    arrival = classroom.append(
        Kind.FILE, 1, "2.pdf", meta=Meta(evidence=(Evidence("2.pdf", "2" * 8),)), origin=Origin.TUTOR
    )
    second, first = [change for change in history(classroom) if change.what is What.FILE]
    assert (first.after["added"], first.after["merged"], first.because) == (["Osmosis"], [], ())
    assert (second.after["added"], second.after["merged"]) == (["Mitosis"], ["Osmosis"])
    assert second.because == (arrival.id,)


def test_what_was_taught_withdrawn_and_redacted_is_shown_without_its_words(classroom) -> None:
    note = classroom.append(Kind.TAUGHT, 0, "my secret word")
    withdrawal = classroom.append(Kind.WITHDRAWAL, 1, "", meta=Meta(about=note.id))
    classroom.ledger.redact(note.id, "r", classroom.moment(2), 0)
    changes = history(classroom)
    assert [change.what for change in changes] == [What.REDACTION, What.WITHDRAWAL, What.TAUGHT]
    assert changes[1].because == (withdrawal.id, note.id)
    assert "secret" not in repr(changes)


def test_newest_first_and_no_more_than_asked(classroom) -> None:
    classroom.concept("Osmosis")
    for day in range(6):
        classroom.live(day, Verdict.RIGHT, "Osmosis")
    everything = history(classroom)
    assert [change.at.at for change in everything] == sorted((change.at.at for change in everything), reverse=True)
    assert Changes(classroom.store, classroom.beliefs).history(classroom.subject, limit=2) == everything[:2]
