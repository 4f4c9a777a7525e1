"""Recall over a real store: pools, gate, windows, folding, and what must never come back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.centring import Space
from memory.episodes import ConceptId, Content, Draft, Episode, EpisodeId, Kind, Meta, Origin, State, SubjectId, Verdict
from memory.ledger import Ledger
from memory.moments import Moment, Window
from memory.pools import question_terms
from memory.ranking import Basis
from memory.recall import Recall, Recalled
from memory.routing import Route
from memory.store import Store
from memory.subjects import Subjects
from memory.understanding import MessageKind, Understanding
from memory.vectors import Vector, Vectors

NOW = Moment.parse("2026-12-01T18:00:00+01:00")
JULY = Window(date(2026, 7, 1), date(2026, 7, 31))
MARCH = Window(date(2026, 3, 1), date(2026, 3, 31))
OSMOSIS = ConceptId("osmosis")
Write = Callable[..., Episode]
Ask = Callable[..., Recalled]


def understood(
    kind: MessageKind = MessageKind.ORDINARY,
    window: Window | None = None,
    concept_text: str | None = None,
    routes: Sequence[str] = (),
    language: str = "en",
) -> Understanding:
    found = tuple(Route(id, id, "name", 0, 1) for id in routes)
    return Understanding(kind, None, window, found, concept_text, None, language)


def noise(seed: int) -> Vector:
    raw = np.random.default_rng(seed).normal(size=32).astype(np.float32)
    unit: Vector = raw / np.linalg.norm(raw)
    return unit


def texts(recalled: Recalled) -> list[str]:
    return [memory.episode.content.text for memory in recalled.memories if memory.episode.content]


@pytest.fixture
def vectors(store: Store) -> Vectors:
    return Vectors(store)


@pytest.fixture
def recall(store: Store, ledger: Ledger, vectors: Vectors) -> Recall:
    ticks: Iterator[int] = iter(range(10**9))
    return Recall(store, ledger, vectors, lambda: next(ticks) / 1000)


@pytest.fixture
def write(ledger: Ledger, subject: SubjectId, draft: Callable[..., Draft]) -> Write:
    def append(
        text: str, at: str = "2026-07-12T17:00:00+02:00", *, touches: Sequence[str] = (), **named: object
    ) -> Episode:
        return ledger.append(draft(text, at, **named), [(ConceptId(id), "exact") for id in touches])

    return append


@pytest.fixture
def ask(recall: Recall, subject: SubjectId) -> Ask:
    def asked(
        text: str, understanding: Understanding | None = None, vector: Vector | None = None, **named: object
    ) -> Recalled:
        return recall.for_message(subject, text, understanding or understood(), vector, NOW, **named)  # type: ignore[arg-type]  # keyword values differ by test

    return asked


class TestPools:
    def test_a_word_finds_its_episode_however_old_and_however_inflected(self, write: Write, ask: Ask) -> None:
        write("Membranes let water through.", at="2024-01-05T10:00:00+01:00", kind=Kind.ANSWER)
        for day in range(1, 29):
            write(f"Something else number {day}", at=f"2026-11-{day:02d}T10:00:00+01:00")
        found = ask("tell me about the membrane")
        assert texts(found) == ["Membranes let water through."]
        assert found.matched
        assert found.memories[0].why.lexical > 0

    def test_a_word_of_every_page_is_not_distinctive(self, write: Write, ask: Ask) -> None:
        for place in range(60):
            write(f"cell number{place}", at=f"2026-10-{1 + place % 28:02d}T10:00:00+02:00")
        write("cell mitochondria", at="2026-05-01T10:00:00+02:00")
        assert texts(ask("the cell and its mitochondria")) == ["cell mitochondria"]
        assert ask("cell").basis is Basis.MERELY_RECENT

    def test_a_common_word_is_the_topic_where_it_is_all_there_is(self, write: Write, ask: Ask) -> None:
        for place in range(150):
            write(f"{'cell' if place % 6 == 0 else 'stone'} number{place}", at="2026-10-01T10:00:00+02:00")
        found = ask("what is a cell?")
        assert found.matched
        assert all("cell" in text for text in texts(found))
        assert len(found.memories) == 20

    def test_a_record_question_finds_its_topic_however_common(self, write: Write, ask: Ask) -> None:
        for place in range(60):
            write(f"cell membrane number{place}", at="2026-07-01T10:00:00+02:00")
        write("cell wall", at="2026-07-02T10:00:00+02:00")
        write("volcano", at="2026-07-03T10:00:00+02:00")
        found = ask(
            "what did we see in July about the cell membrane", understood(MessageKind.RECORD, JULY, "cell membrane")
        )
        assert found.matched
        assert all(text.startswith("cell membrane") for text in texts(found))

    def test_an_old_missed_check_is_not_lost_behind_five_hundred_questions(
        self, ledger: Ledger, draft: Callable[..., Draft], write: Write, ask: Ask
    ) -> None:
        missed = write("Which way?", at="2026-10-10T10:00:00+02:00", kind=Kind.CHECK, meta=Meta(verdict=Verdict.WRONG))
        ledger.append_many([(draft(f"question {n}", "2026-11-10T10:00:00+01:00"), ()) for n in range(600)])
        found = ask("what did I get wrong so far", understood(MessageKind.RECORD))
        assert found.memories[0].episode.id == missed.id

    def test_asked_what_was_missed_it_brings_the_checks_that_were_not_right(self, write: Write, ask: Ask) -> None:
        write("Explain osmosis", touches=["c1"])
        write("Osmosis is water moving.", kind=Kind.ANSWER, touches=["c1"])
        for verdict in Verdict:
            write(
                f"Osmosis, {verdict.value}?", kind=Kind.CHECK, meta=Meta(language="en", verdict=verdict), touches=["c1"]
            )
        missed = replace(understood(MessageKind.RECORD, routes=["c1"]), sub="missed")
        assert set(texts(ask("what did I get wrong on osmosis", missed))) == {"Osmosis, wrong?", "Osmosis, partly?"}
        assert len(texts(ask("what did I study", replace(missed, sub="covered")))) == 5

    def test_what_was_missed_on_a_concept_is_no_check_on_another_that_names_it(
        self, write: Write, ask: Ask, store: Store
    ) -> None:
        meta = Meta(language="en", verdict=Verdict.WRONG)
        own = write("Osmosis?", kind=Kind.CHECK, meta=meta, touches=["c1"])
        other = write("Diffusion? Osmosis, they said.", kind=Kind.CHECK, meta=meta, touches=["c2", "c1"])
        with store.atomic() as connection:
            for episode, concept in ((own, "c1"), (other, "c2")):
                connection.execute(
                    "INSERT INTO concepts (id, subject, key, name, language, origin, created_at, maturity)"
                    " VALUES (?, ?, ?, ?, 'en', 'check', 1, 0.35)",
                    (concept, episode.subject, concept, concept),
                )
                connection.execute("INSERT INTO check_concepts VALUES (?, ?)", (episode.row, concept))
        missed = replace(understood(MessageKind.RECORD, routes=["c1"]), sub="missed")
        assert texts(ask("what did I get wrong on osmosis", missed)) == ["Osmosis?"]

    def test_asked_what_was_missed_where_nothing_was_it_brings_the_rest(self, write: Write, ask: Ask) -> None:
        right, wrong = (Meta(language="en", verdict=verdict) for verdict in (Verdict.RIGHT, Verdict.WRONG))
        write("Osmosis?", kind=Kind.CHECK, meta=right, touches=["c1"])
        write("Diffusion?", kind=Kind.CHECK, meta=wrong, touches=["c2"])
        missed = replace(understood(MessageKind.RECORD, routes=["c1"]), sub="missed")
        assert texts(ask("what did I get wrong on osmosis", missed)) == ["Osmosis?"]

    def test_an_accent_or_an_elision_hides_nothing(self, write: Write, ask: Ask) -> None:
        write("L’énergie vient de la photosynthèse.", meta=Meta(language="fr"))
        for question in ("explique l'energie", "PHOTOSYNTHESE ?"):
            assert len(ask(question, understood(language="fr")).memories) == 1

    def test_a_routed_concept_finds_episodes_without_its_name(self, write: Write, ask: Ask) -> None:
        write("Which way does the water go?", touches=[OSMOSIS], kind=Kind.CHECK, meta=Meta(verdict=Verdict.WRONG))
        write("Which way does the wind go?")
        found = ask("osmosis?", understood(routes=[OSMOSIS]))
        assert texts(found) == ["Which way does the water go?"]
        assert found.memories[0].why.concept == 1

    def test_meaning_finds_what_no_word_does(self, write: Write, ask: Ask, vectors: Vectors) -> None:
        vectors.use(Space("e5", 32, 0.4))
        episodes = [write(f"text {place}") for place in range(200)]
        vectors.put_many("episode", [e.row for e in episodes], "e5", np.stack([noise(e.row) for e in episodes]))
        found = ask("something entirely different", vector=noise(episodes[31].row))
        assert texts(found)[0] == "text 31"
        assert found.memories[0].why.semantic > 0.9
        assert all(memory.why.semantic >= 0.4 for memory in found.memories)
        assert found.semantic

    def test_a_meaning_just_too_far_is_counted_and_not_shown(self, write: Write, ask: Ask, vectors: Vectors) -> None:
        vectors.use(Space("e5", 32, 1.0))
        episodes = [write(f"text {place}") for place in range(100)]
        vectors.put_many("episode", [e.row for e in episodes], "e5", np.stack([noise(e.row) for e in episodes]))
        vector = (noise(episodes[3].row) + 0.1 * noise(7777)).astype(np.float32)
        found = ask("something entirely different", vector=vector)
        assert found.basis is Basis.MERELY_RECENT
        assert found.weaker == 1

    def test_without_vectors_it_says_so_and_words_still_work(self, write: Write, ask: Ask) -> None:
        write("What is osmosis?")
        found = ask("osmosis", vector=noise(1))
        assert texts(found) == ["What is osmosis?"]
        assert not found.semantic
        assert "semantic_ms" not in found.timings
        assert found.timings["total_ms"] > 0

    def test_an_answer_is_about_what_its_question_asked(self, write: Write, ask: Ask) -> None:
        write("What is osmosis?")
        write("Water crossing a membrane.", at="2026-07-12T17:01:00+02:00", kind=Kind.ANSWER)
        write("What is a volcano?")
        write("A mountain that burns.", at="2026-07-12T17:03:00+02:00", kind=Kind.ANSWER)
        assert texts(ask("osmosis")) == ["What is osmosis?", "Water crossing a membrane."]

    def test_another_subject_is_never_looked_into(
        self, write: Write, ask: Ask, store: Store, draft: Callable[..., Draft], ledger: Ledger
    ) -> None:
        other = SubjectId("01890000-0000-7000-8000-000000000002")
        Subjects(store).add(other, "Algebra", 1)
        for _ in range(30):
            ledger.append(draft("osmosis in algebra", subject=other))
        write("What is osmosis?")
        assert texts(ask("osmosis")) == ["What is osmosis?"]


class TestGate:
    def test_a_recent_stranger_never_comes_along(self, write: Write, ask: Ask) -> None:
        write("What is osmosis?", at="2025-01-01T10:00:00+01:00")
        write("I love football", at="2026-12-01T17:00:00+01:00", kind=Kind.TAUGHT)
        assert texts(ask("osmosis")) == ["What is osmosis?"]

    def test_when_nothing_matches_three_recent_ones_are_merely_recent(self, write: Write, ask: Ask) -> None:
        for day in range(1, 6):
            write(f"about day{day}", at=f"2026-11-{day:02d}T10:00:00+01:00")
        found = ask("quantum chaos")
        assert found.basis is Basis.MERELY_RECENT
        assert not found.matched
        assert texts(found) == ["about day5", "about day4", "about day3"]

    def test_without_a_query_recency_is_all_there_is(self, write: Write, ask: Ask) -> None:
        for month in (3, 7, 11):
            write(f"month{month}", at=f"2026-{month:02d}-02T10:00:00+01:00")
        found = ask("why is that so?")
        assert found.basis is Basis.NO_QUERY
        assert texts(found) == ["month11", "month7", "month3"]

    def test_a_question_about_the_record_looks_for_its_concept_and_not_for_its_own_words(self) -> None:
        assert question_terms("what did I get wrong in July", understood(MessageKind.RECORD, JULY)) == []
        terms = question_terms("wrong answers on osmosis", understood(MessageKind.RECORD, JULY, "osmosis"))
        assert [surface for surface, _ in terms] == ["osmosis"]

    def test_a_word_that_only_asks_matches_nothing(self, write: Write, ask: Ask) -> None:
        write("Please explain the volcano", at="2026-11-01T10:00:00+01:00")
        write("What is osmosis?", at="2026-05-01T10:00:00+02:00")
        assert texts(ask("please explain osmosis")) == ["What is osmosis?"]
        terms = question_terms(
            "what comes before osmosis, ready to learn", understood(MessageKind.PREREQUISITE, None, "osmosis")
        )
        assert terms == [("osmosis", "osmosi")]

    def test_the_question_itself_is_left_out(self, write: Write, ask: Ask) -> None:
        asked = write("What is osmosis?", at="2026-12-01T17:59:59+01:00")
        found = ask("What is osmosis?", exclude=[asked.id])
        assert found.memories == ()


class TestWindow:
    def test_july_is_july_and_nothing_else(self, write: Write, ask: Ask) -> None:
        write("osmosis in july", at="2026-07-31T23:59:00-06:00")
        write("osmosis in august", at="2026-08-01T00:10:00+02:00")
        write("osmosis last july", at="2025-07-10T10:00:00+02:00")
        found = ask("what did we see in July about osmosis", understood(MessageKind.RECORD, JULY, "osmosis"))
        assert texts(found) == ["osmosis in july"]

    def test_a_thousand_recent_strangers_do_not_empty_march(
        self, ledger: Ledger, subject: SubjectId, draft: Callable[..., Draft], write: Write, ask: Ask
    ) -> None:
        write("cells in march", at="2026-03-10T10:00:00+01:00")
        ledger.append_many([(draft("cells again", "2026-11-10T10:00:00+01:00"), ()) for _ in range(1000)])
        assert texts(ask("what did we do", understood(MessageKind.RECORD, MARCH))) == ["cells in march"]

    def test_an_empty_month_is_a_result_with_its_neighbours(self, write: Write, ask: Ask) -> None:
        before = write("february", at="2026-02-27T10:00:00+01:00")
        write("january", at="2026-01-05T10:00:00+01:00")
        after = write("april", at="2026-04-02T10:00:00+02:00")
        write("may", at="2026-05-02T10:00:00+02:00")
        found = ask("what did we do in march", understood(MessageKind.RECORD, MARCH))
        assert found.empty_window
        assert found.memories == ()
        assert [episode.id for episode in found.beside] == [before.id, after.id]

    def test_a_month_with_only_files_summaries_and_narrations_is_empty(self, write: Write, ask: Ask) -> None:
        at = "2026-03-10T10:00:00+01:00"
        write("cells.pdf", at=at, kind=Kind.FILE)
        write("a day", at=at, kind=Kind.CONSOLIDATION)
        write("In March we saw …", at=at, kind=Kind.ANSWER, meta=Meta(narration=True))
        asked = write("what did we do", at=at)
        assert ask("march", understood(MessageKind.RECORD, MARCH), exclude=[asked.id]).empty_window
        assert not ask("march", understood(MessageKind.RECORD, MARCH)).empty_window

    def test_nothing_dated_after_tomorrow_is_remembered(self, write: Write, ask: Ask) -> None:
        write("osmosis to come", at="2027-02-01T10:00:00+01:00")
        write("osmosis gone by", at="2026-02-01T10:00:00+01:00")
        assert texts(ask("osmosis")) == ["osmosis gone by"]


class TestWhatNeverComesBack:
    @pytest.mark.parametrize(
        "named",
        [
            {"kind": Kind.ANSWER, "meta": Meta(language="en", narration=True)},
            {"kind": Kind.ANSWER, "meta": Meta(language="en", state=State.STOPPED)},
            {"kind": Kind.ANSWER, "meta": Meta(language="en", state=State.INTERRUPTED)},
            {"kind": Kind.WITHDRAWAL},
            {"kind": Kind.CONTEST},
        ],
    )
    def test_narrations_unfinished_answers_and_bookkeeping(
        self, write: Write, ask: Ask, named: dict[str, object]
    ) -> None:
        kept = write("Is it osmosis?", at="2026-07-01T10:00:00+02:00")
        write("In July we saw osmosis.", touches=[OSMOSIS], **named)
        for found in (
            ask("osmosis", understood(routes=[OSMOSIS])),
            ask("what did we see", understood(MessageKind.RECORD, JULY)),
            ask("and why?"),
        ):
            assert [memory.episode.id for memory in found.memories] == [kept.id]

    def test_replaced_answers_withdrawn_notes_and_redacted_words(
        self, write: Write, ask: Ask, ledger: Ledger, ids: Callable[[], str]
    ) -> None:
        first = write("Osmosis, first try.", kind=Kind.ANSWER)
        write("Osmosis, second try.", kind=Kind.ANSWER, meta=Meta(language="en", replaces=first.id))
        note = write("Osmosis is the great passage.", kind=Kind.TAUGHT)
        write("", kind=Kind.WITHDRAWAL, meta=Meta(about=note.id))
        secret = write("Osmosis is my secret.")
        ledger.redact(secret.id, EpisodeId(ids()), NOW, NOW.at)
        assert texts(ask("osmosis")) == ["Osmosis, second try."]

    def test_ten_tellings_of_july_leave_july_as_it_was(self, write: Write, ask: Ask) -> None:
        write("What is osmosis?", at="2026-07-12T10:00:00+02:00")
        for hour in range(10):
            write(
                "In July we saw osmosis.",
                at=f"2026-07-20T{hour:02d}:00:00+02:00",
                kind=Kind.ANSWER,
                meta=Meta(language="en", narration=True),
            )
        assert texts(ask("osmosis", understood(MessageKind.RECORD, JULY, "osmosis"))) == ["What is osmosis?"]

    def test_of_a_day_only_the_newest_summary(self, write: Write, ask: Ask) -> None:
        for text in ("osmosis: one question", "osmosis: two questions"):
            write(text, at="2026-07-12T23:59:59+02:00", kind=Kind.CONSOLIDATION)
        assert texts(ask("osmosis")) == ["osmosis: two questions"]


class TestFolding:
    def test_nine_copies_in_three_months_are_one_memory_with_its_count_and_span(self, write: Write, ask: Ask) -> None:
        copies = [
            write(
                "What is a cell?" if day % 2 else "what is a  CELL?",
                at=f"2026-0{5 + day // 3}-{1 + day:02d}T10:00:00+02:00",
            )
            for day in range(9)
        ]
        (memory,) = ask("cell").memories
        assert memory.count == 9
        assert set(memory.folded) == {copy.id for copy in copies}
        assert memory.folded[0] == memory.episode.id == copies[-1].id
        assert (memory.first.day, memory.last.day) == (date(2026, 5, 1), date(2026, 7, 9))

    def test_a_different_verdict_is_a_different_memory(self, write: Write, ask: Ask) -> None:
        for verdict in (Verdict.WRONG, Verdict.RIGHT, Verdict.WRONG):
            write("What is osmosis?", kind=Kind.CHECK, meta=Meta(language="en", verdict=verdict))
        found = ask("osmosis").memories
        assert [(memory.episode.meta.verdict, memory.count) for memory in found] == [
            (Verdict.WRONG, 2),
            (Verdict.RIGHT, 1),
        ]

    def test_the_limit_counts_memories_and_not_copies(self, write: Write, ask: Ask) -> None:
        for place in range(12):
            write(f"osmosis {'left' if place % 2 else 'right'}")
        assert [memory.count for memory in ask("osmosis", limit=2).memories] == [6, 6]


class TestReminding:
    def test_a_missed_check_of_the_concept_is_worth_a_reminder_and_a_question_is_not(
        self, write: Write, recall: Recall, subject: SubjectId
    ) -> None:
        write("What is osmosis?", touches=[OSMOSIS])
        missed = write("Which way?", touches=[OSMOSIS], kind=Kind.CHECK, meta=Meta(verdict=Verdict.WRONG))
        write("Which way now?", touches=[OSMOSIS], kind=Kind.CHECK, meta=Meta(verdict=Verdict.RIGHT))
        reminder = recall.reminding(subject, [OSMOSIS], None, NOW)
        assert reminder is not None
        assert reminder.episode.id == missed.id
        assert recall.reminding(subject, [ConceptId("other")], None, NOW) is None

    def test_nothing_of_the_last_day_and_nothing_twice_in_two_weeks(
        self, write: Write, recall: Recall, subject: SubjectId
    ) -> None:
        note = write("Great passage", touches=[OSMOSIS], kind=Kind.TAUGHT, at="2026-11-30T19:00:00+01:00")
        assert recall.reminding(subject, [OSMOSIS], None, NOW) is None
        later = Moment.parse("2026-12-02T18:00:00+01:00")
        reminder = recall.reminding(subject, [OSMOSIS], None, later)
        assert reminder is not None
        assert reminder.episode.id == note.id
        recall.reminded(note.id, later)
        assert recall.reminding(subject, [OSMOSIS], None, later) is None
        assert recall.reminding(subject, [OSMOSIS], None, Moment.parse("2026-12-20T18:00:00+01:00")) is not None


word = st.sampled_from(["osmosis", "cell", "membrane", "water", "volcano", "lava", "river", "stone", "light", "leaf"])
event = st.tuples(
    st.lists(word, min_size=1, max_size=4),
    st.integers(0, 700),
    st.sampled_from([Kind.QUESTION, Kind.ANSWER, Kind.CHECK, Kind.TAUGHT, Kind.CONSOLIDATION, Kind.FILE]),
    st.booleans(),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(event, min_size=1, max_size=30),
    st.lists(word, min_size=1, max_size=3),
    st.integers(0, 600),
    st.integers(0, 90),
)
def test_whatever_the_history_windows_narrations_folding_and_the_gate_hold(
    tmp_path_factory: pytest.TempPathFactory,
    events: list[tuple[list[str], int, Kind, bool]],
    asked: list[str],
    first: int,
    length: int,
) -> None:
    store = Store(tmp_path_factory.mktemp("law") / "memory.db", room=0)
    try:
        subject = SubjectId("s")
        Subjects(store).add(subject, "s", 1)
        ledger = Ledger(store, lambda: bytes(16))
        start = date(2025, 1, 1).toordinal()
        for place, (words, day, kind, narration) in enumerate(events):
            when = Moment.parse(f"{date.fromordinal(start + day)}T12:00:00+03:00")
            draft = _draft(place, " ".join(words), when, kind, narration and kind is Kind.ANSWER)
            ledger.append(draft)
        recall = Recall(store, ledger, Vectors(store), lambda: 0.0)
        window = Window(date.fromordinal(start + first), date.fromordinal(start + first + length))
        question = " ".join(asked)
        for where in (None, window):
            kind = MessageKind.RECORD if where else MessageKind.ORDINARY
            found = recall.for_message(subject, question, understood(kind, where, question), None, NOW, limit=100)
            ids = [id for memory in found.memories for id in memory.folded]
            assert len(ids) == len(set(ids))
            for memory in found.memories:
                assert where is None or where.holds(memory.episode.moment.day)
                assert where is None or (where.holds(memory.first.day) and where.holds(memory.last.day))
                assert not memory.episode.meta.narration
            if found.matched:
                assert all(memory.why.lexical > 0 for memory in found.memories)
    finally:
        store.close()


def _draft(place: int, text: str, when: Moment, kind: Kind, narration: bool) -> Draft:
    meta = Meta(language="en", narration=narration)
    return Draft(EpisodeId(f"e{place}"), SubjectId("s"), kind, Origin.TYPED, when, when.at, Content(text), meta)


def test_no_statement_of_recall_reads_the_whole_log(
    store: Store, write: Write, ask: Ask, vectors: Vectors, recall: Recall, subject: SubjectId
) -> None:
    """Every statement is explained as it runs: none scans episodes, contents, facts, concepts or vectors."""
    vectors.use(Space("e5", 32, 0.4))
    row = write("What is osmosis?", touches=[OSMOSIS]).row
    vectors.put("episode", row, "e5", noise(1))
    seen: set[str] = set()
    reader = store.reader()
    reader.exec_trace = lambda _, sql, __: bool(seen.add(sql)) or True
    for question in (
        understood(routes=[OSMOSIS]),
        understood(MessageKind.RECORD, JULY, "osmosis"),
        understood(MessageKind.RECORD, MARCH),
        understood(MessageKind.RECORD, JULY),
    ):
        ask("what is osmosis", question, noise(1))
    recall.reminding(subject, [OSMOSIS], noise(1), NOW)
    reader.exec_trace = None
    assert len(seen) >= 10
    for sql in seen:
        plan = [str(step[3]) for step in reader.execute("EXPLAIN QUERY PLAN " + sql, [None] * sql.count("?"))]
        scans = [
            step for step in plan if step.startswith("SCAN") and "VIRTUAL TABLE" not in step and "CONSTANT" not in step
        ]
        assert scans in ([], ["SCAN vector_models"], ["SCAN reminders"]), (sql, plan)
        assert not any(
            "TEMP B-TREE FOR ORDER BY" in step for step in plan if "episodes" in sql and "json_each" not in sql
        ), sql
