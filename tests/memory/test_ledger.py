from __future__ import annotations

from collections.abc import Callable
from datetime import date

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.episodes import (
    ConceptId,
    Content,
    Draft,
    EpisodeId,
    Evidence,
    Kind,
    Meta,
    Origin,
    State,
    SubjectId,
    Verdict,
)
from memory.faults import UnknownEpisode, UnknownSubject
from memory.ledger import Ledger
from memory.moments import Moment, Window
from memory.rows import content_body, content_from, meta_from, meta_text, summary_of
from memory.store import Store

Drafts = Callable[..., Draft]


def test_an_episode_reads_back_as_it_was_written(ledger: Ledger, subject: SubjectId, draft: Drafts) -> None:
    meta = Meta(
        language="fr",
        verdict=Verdict.PARTLY,
        predicted=0.25,
        score=0.5,
        concepts=("osmose",),
        evidence=(Evidence("cells.pdf", "ab" * 32, 3, (4, 9)), Evidence("notes.md")),
        external_id="x-1",
        about=EpisodeId("q"),
        extra={"routed": True},
    )
    content = Content("Qu'est-ce que l'osmose ?", topic="osmose", reply="de l'eau", evaluation="presque")
    written = ledger.append(draft(kind=Kind.CHECK, meta=meta, content=content))
    read = ledger.get(written.id)
    assert read == written
    assert read is not None
    assert read.meta == meta
    assert read.content is not None
    assert (read.content.reply, read.content.summary) == ("de l'eau", "Qu'est-ce que l'osmose ?")
    assert read.salience == 0.65


def test_each_subject_has_its_own_chain(ledger: Ledger, subject: SubjectId, store: Store, draft: Drafts) -> None:
    other = SubjectId("other")
    with store.atomic() as connection:
        connection.execute("INSERT INTO subjects VALUES ('other', 'Algebra', 1, 1)")
    assert [ledger.append(draft()).seq for _ in range(2)] == [1, 2]
    assert ledger.append(draft(subject=other)).seq == 1
    assert ledger.count(subject) == 2


def test_an_unknown_subject_gets_no_episode(ledger: Ledger, draft: Drafts) -> None:
    with pytest.raises(UnknownSubject):
        ledger.append(draft(subject=SubjectId("nobody")))


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT OR REPLACE INTO episodes SELECT * FROM episodes",
        "REPLACE INTO episodes (id, subject, seq, kind, origin, at, offset, zone, recorded_at, salience, meta, digest,"
        " prev, hash) SELECT id, subject, seq, kind, origin, at, offset, zone, recorded_at, salience, '{}', digest,"
        " prev, hash FROM episodes",
        "INSERT INTO episodes (id, subject, seq, kind, origin, at, offset, zone, recorded_at, salience, meta, digest,"
        " prev, hash) SELECT 'new', subject, 9, kind, origin, at, offset, zone, recorded_at, salience, '{}', digest,"
        " prev, x'00' FROM episodes LIMIT 1",
        "UPDATE contents SET body = 'other'",
    ],
)
def test_nothing_but_an_append_gets_in(
    ledger: Ledger, subject: SubjectId, store: Store, draft: Drafts, sql: str
) -> None:
    ledger.append(draft())
    before = ledger.head(subject)
    with pytest.raises(apsw.Error), store.atomic() as connection:
        connection.execute(sql)
    assert ledger.head(subject) == before


def test_a_batch_is_written_whole_or_not_at_all(ledger: Ledger, subject: SubjectId, draft: Drafts) -> None:
    good = draft()
    with pytest.raises(apsw.ConstraintError):
        ledger.append_many([(good, ()), (good, ())])
    assert ledger.count(subject) == 0


def test_find_narrows_by_kind_local_day_and_concept(ledger: Ledger, subject: SubjectId, draft: Drafts) -> None:
    concept = ConceptId("c1")
    ledger.append(draft("late in July", at="2026-07-31T23:30:00+02:00"), [(concept, "exact")])
    ledger.append(draft("already August here", at="2026-08-01T00:30:00+02:00"))
    ledger.append(draft("a check", at="2026-07-02T10:00:00+02:00", kind=Kind.CHECK))
    july = Window(date(2026, 7, 1), date(2026, 7, 31))
    texts = [episode.summary for episode in ledger.find(subject, window=july)]
    assert texts == ["a check", "late in July"]
    assert [e.summary for e in ledger.find(subject, window=july, kinds=[Kind.QUESTION])] == ["late in July"]
    assert [e.summary for e in ledger.find(subject, concept=concept)] == ["late in July"]
    assert [e.summary for e in ledger.find(subject, newest_first=True, limit=1)] == ["already August here"]


def test_the_local_day_is_fixed_at_write(ledger: Ledger, subject: SubjectId, draft: Drafts) -> None:
    written = ledger.append(draft(at="2026-10-25T02:30:00+02:00"))
    assert written.moment.day == date(2026, 10, 25)
    day = Window(date(2026, 10, 25), date(2026, 10, 25))
    assert ledger.find(subject, window=day) == [written]


def test_the_students_own_search_finds_inflections_and_accents(
    ledger: Ledger, subject: SubjectId, draft: Drafts
) -> None:
    ledger.append(draft("Les cellules végétales ont une paroi", meta=Meta(language="fr")))
    assert len(ledger.search(subject, "cellule vegetale", "fr")) == 1
    assert ledger.search(subject, "cellule animale", "fr") == []
    assert ledger.search(subject, '"; DROP', "fr") == []


def test_redaction_empties_the_words_everywhere_and_keeps_the_chain(
    ledger: Ledger, subject: SubjectId, store: Store, draft: Drafts
) -> None:
    canary = "zyxcanaryword"
    secret = ledger.append(draft(f"my {canary} is here", meta=Meta(language="en", verdict=None)))
    kept = ledger.append(draft("something else"))
    gone = ledger.redact(secret.id, EpisodeId("r1"), Moment(1), 1)
    read = ledger.get(secret.id)
    assert read is not None
    assert read.content is None
    assert gone.meta.about == secret.id
    assert ledger.search(subject, canary, "en") == []
    assert ledger.get(kept.id) == kept
    for file in store.path.parent.iterdir():
        assert canary.encode() not in file.read_bytes(), file
    with pytest.raises(UnknownEpisode):
        ledger.redact(secret.id, EpisodeId("r2"), Moment(1), 1)


def test_what_recall_must_not_bring_up_is_marked(
    ledger: Ledger, subject: SubjectId, store: Store, draft: Drafts
) -> None:
    plain = ledger.append(draft())
    answer = ledger.append(draft("Because…", kind=Kind.ANSWER))
    ledger.append(draft("In July we saw…", kind=Kind.ANSWER, meta=Meta(narration=True)))
    ledger.append(draft("Because", kind=Kind.ANSWER, meta=Meta(state=State.STOPPED)))
    again = ledger.append(draft("Since…", kind=Kind.ANSWER, meta=Meta(replaces=answer.id)))
    rows = store.reader().execute("SELECT episode FROM episode_facts WHERE recallable ORDER BY episode").fetchall()
    assert [row[0] for row in rows] == [plain.row, again.row]


def test_a_lone_surrogate_is_made_valid_before_it_is_hashed(ledger: Ledger, subject: SubjectId, draft: Drafts) -> None:
    written = ledger.append(draft("broken \ud83d letter"))
    assert written.content is not None
    assert written.content.text == "broken ? letter"
    assert ledger.get(written.id) == written


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("First one. Second one.", "First one."),
        ("It is 3.14 and no more than that", "It is 3.14 and no more than that"),
        ("ما هي الخلية؟ ثم ماذا", "ما هي الخلية؟"),
        ("word " * 40, ("word " * 40)[:119].rsplit(" ", 1)[0] + "…"),
    ],
)
def test_the_summary_is_the_first_sentence_on_one_line(text: str, summary: str) -> None:
    assert summary_of(text) == summary
    assert len(summary_of(text)) <= 120


@given(st.text(), st.text(), st.dictionaries(st.text(), st.text()))
def test_words_survive_storing(text: str, reply: str, extra: dict[str, str]) -> None:
    read = content_from(content_body(Content(text, reply=reply, extra=extra)))
    assert read is not None
    again = content_from(content_body(read))
    assert read == again


@given(st.floats(0, 1), st.lists(st.text(max_size=9), max_size=3), st.booleans())
def test_meta_survives_storing(predicted: float, concepts: list[str], narration: bool) -> None:
    meta = Meta(predicted=predicted, concepts=tuple(c.replace("\0", "") for c in concepts), narration=narration)
    draft = Draft(EpisodeId("e"), SubjectId("s"), Kind.ANSWER, Origin.TUTOR, Moment(0), 0, Content(""), meta)
    read = meta_from(meta_text(draft))
    assert read.predicted == predicted
    assert len(read.concepts) == len(concepts)
