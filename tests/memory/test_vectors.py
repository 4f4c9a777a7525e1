"""Vectors: what is kept, what is refused, what is found."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import numpy as np
import pytest

from memory.centring import BadVector, Space
from memory.episodes import Draft, Episode, EpisodeId, Meta, SubjectId
from memory.ledger import Ledger
from memory.moments import Window
from memory.store import Store
from memory.subjects import Subjects
from memory.vectors import Vector, Vectors

SPACE = Space("e5", 32, 0.35)
Write = Callable[..., Episode]


def noise(seed: int, dimension: int = 32) -> Vector:
    raw = np.random.default_rng(seed).normal(size=dimension).astype(np.float32)
    unit: Vector = raw / np.linalg.norm(raw)
    return unit


def mixed(one: Vector, other: Vector, share: float) -> Vector:
    raw = share * one + (1 - share) * other
    unit: Vector = (raw / np.linalg.norm(raw)).astype(np.float32)
    return unit


@pytest.fixture
def vectors(store: Store) -> Vectors:
    made = Vectors(store)
    made.use(SPACE)
    return made


@pytest.fixture
def write(ledger: Ledger, subject: SubjectId, draft: Callable[..., Draft]) -> Write:
    return lambda *given, **named: ledger.append(draft(*given, **named))


def test_the_nearest_come_first_with_the_mean_taken_away(vectors: Vectors, write: Write, subject: SubjectId) -> None:
    shared, wanted = 4 * noise(0), noise(1)
    rows = [write(f"text {place}").row for place in range(300)]
    plain = [shared + noise(100 + place) for place in range(300)]
    plain[17] = shared + wanted
    vectors.put_many("episode", rows, "e5", np.stack(plain).astype(np.float32))
    found = vectors.nearest("episode", subject, (shared + wanted).astype(np.float32), 5)
    assert found[0][0] == rows[17]
    assert found[0][1] > 0.95
    assert found[1][1] < 0.75  # the raw cosines of all of them are above 0.9
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_bits_then_exact_scores_find_what_a_full_comparison_finds(
    vectors: Vectors, write: Write, subject: SubjectId
) -> None:
    centres = [noise(seed) for seed in range(20)]
    rows, kept = [], []
    for place in range(1500):
        rows.append(write(f"text {place}").row)
        kept.append(mixed(centres[place % 20], noise(1000 + place), 0.6))
    vectors.put_many("episode", rows, "e5", np.stack(kept))
    everything = vectors.scores("episode", subject, centres[3], rows)
    best = sorted(everything, key=lambda row: -everything[row])[:64]
    found = [row for row, _ in vectors.nearest("episode", subject, centres[3], 64)]
    assert len(set(found) & set(best)) >= 60


@pytest.mark.parametrize(
    ("vector", "fault"),
    [
        (np.full(32, np.nan, dtype=np.float32), "not_finite"),
        (np.full(32, np.inf, dtype=np.float32), "not_finite"),
        (np.zeros(32, dtype=np.float32), "no_length"),
        (np.ones(31, dtype=np.float32), "wrong_dimension"),
    ],
)
def test_what_cannot_be_compared_is_refused_whole(vectors: Vectors, write: Write, vector: Vector, fault: str) -> None:
    row = write().row
    with pytest.raises(BadVector) as refused:
        vectors.put("episode", row, "e5", vector)
    assert refused.value.fault == fault
    assert vectors.get("episode", [row]) == {}


def test_another_models_vectors_are_refused_kept_apart_and_come_back(
    vectors: Vectors, write: Write, subject: SubjectId
) -> None:
    rows = [write(f"text {place}").row for place in range(5)]
    vectors.put_many("episode", rows, "e5", np.stack([noise(row) for row in rows]))
    with pytest.raises(BadVector, match="other_model"):
        vectors.put("episode", rows[0], "minilm", noise(9))
    vectors.use(Space("minilm", 32, 0.3))  # the same size, another space
    assert vectors.nearest("episode", subject, noise(rows[0]), 5) == []
    assert vectors.enqueue_missing() == 5
    vectors.use(SPACE)
    assert len(vectors.nearest("episode", subject, noise(rows[0]), 5)) == 5


def test_without_a_model_nothing_is_found_and_nothing_breaks(store: Store, subject: SubjectId) -> None:
    vectors = Vectors(store)
    assert vectors.nearest("episode", subject, noise(1), 5) == []
    assert vectors.mean("episode", subject) is None
    assert vectors.enqueue_missing() == 0


def test_only_the_subject_and_the_days_asked_for_are_looked_at(
    store: Store, vectors: Vectors, write: Write, subject: SubjectId
) -> None:
    other = SubjectId("01890000-0000-7000-8000-000000000002")
    Subjects(store).add(other, "Algebra", 1)
    march = [write("x", at=f"2026-03-{day:02d}T00:30:00+02:00").row for day in range(1, 29)]
    july = [write("x", at=f"2026-07-{day:02d}T23:30:00-05:00").row for day in range(1, 29)]
    theirs = [write("x", at="2026-03-05T12:00:00+00:00", subject=other).row]
    rows = [*march, *july, *theirs]
    vectors.put_many("episode", rows, "e5", np.stack([noise(1) + 0.1 * noise(row) for row in rows]))
    window = Window(date(2026, 3, 1), date(2026, 3, 31))
    assert {row for row, _ in vectors.nearest("episode", subject, noise(1), 64, window)} == set(march)
    assert {row for row, _ in vectors.nearest("episode", other, noise(1), 64)} == set(theirs)


def test_a_thousand_recent_strangers_do_not_empty_last_march(
    vectors: Vectors, write: Write, subject: SubjectId
) -> None:
    march = write("x", at="2026-03-10T12:00:00+00:00").row
    recent = [write("x", at="2026-07-10T12:00:00+00:00").row for _ in range(1000)]
    matrix = np.stack([mixed(noise(1), noise(2), 0.6)] + [mixed(noise(1), noise(row), 0.9) for row in recent])
    vectors.put_many("episode", [march, *recent], "e5", matrix)
    window = Window(date(2026, 3, 1), date(2026, 3, 31))
    assert [row for row, _ in vectors.nearest("episode", subject, noise(1), 3, window)] == [march]


def test_a_forgotten_vector_leaves_no_bits_and_no_trace_in_the_sum(
    store: Store, ledger: Ledger, vectors: Vectors, write: Write, subject: SubjectId
) -> None:
    secret, kept = write("a secret"), write("something else")
    vectors.put_many("episode", [secret.row, kept.row], "e5", np.stack([noise(1), noise(2)]))
    vectors.forget("episode", [secret.row])
    assert [row for row, _ in vectors.nearest("episode", subject, noise(1), 5)] == [kept.row]
    assert store.reader().execute("SELECT count(*) FROM vector_bits").fetchall() == [(0,)]
    assert store.reader().execute("SELECT count, total = zeroblob(256) FROM vector_models").fetchall() == [(0, 1)]
    third = write("a third")
    vectors.put("episode", third.row, "e5", noise(3))
    ((count, total),) = store.reader().execute("SELECT count, total FROM vector_models").fetchall()
    assert count == 2
    assert np.allclose(np.frombuffer(total), noise(2) + noise(3), atol=1e-5)


def test_a_vector_that_comes_after_its_words_were_redacted_is_not_kept(
    ledger: Ledger, vectors: Vectors, write: Write, ids: Callable[[], str]
) -> None:
    secret = write("a secret")
    assert [item.owner for item in vectors.pending()] == [secret.row]
    ledger.redact(secret.id, EpisodeId(ids()), secret.moment, secret.moment.at)
    vectors.put("episode", secret.row, "e5", noise(1))
    assert vectors.get("episode", [secret.row]) == {}


def test_dropped_bits_are_mended_without_another_vector(
    store: Store, vectors: Vectors, write: Write, subject: SubjectId
) -> None:
    rows = [write(f"text {place}").row for place in range(20)]
    vectors.put_many("episode", rows, "e5", np.stack([noise(row) for row in rows]))
    vectors.forget("episode", rows[:1])
    exact = vectors.nearest("episode", subject, noise(rows[5]), 4)
    vectors.mend()
    assert store.reader().execute("SELECT count(*), max(stale) FROM vector_bits, vector_models").fetchall() == [(1, 0)]
    assert [row for row, _ in vectors.nearest("episode", subject, noise(rows[5]), 4)] == [row for row, _ in exact]


def test_bits_are_rebuilt_from_what_is_kept(store: Store, vectors: Vectors, write: Write, subject: SubjectId) -> None:
    rows = [write(f"text {place}").row for place in range(40)]
    vectors.put_many("episode", rows, "e5", np.stack([noise(row) for row in rows]))
    before = vectors.nearest("episode", subject, noise(rows[7]), 10)
    with store.atomic() as connection:
        connection.execute("DELETE FROM vector_bits")
    assert vectors.nearest("episode", subject, noise(rows[7]), 10) == []
    vectors.rebuild()
    assert vectors.nearest("episode", subject, noise(rows[7]), 10) == before


def test_putting_again_replaces_and_counts_once(
    store: Store, vectors: Vectors, write: Write, subject: SubjectId
) -> None:
    row = write().row
    for seed in (1, 2):
        vectors.put("episode", row, "e5", noise(seed))
    assert store.reader().execute("SELECT count FROM vector_models").fetchall() == [(1,)]
    assert np.allclose(vectors.get("episode", [row])[row], noise(2))


def test_vectors_put_one_by_one_and_together_are_found_alike(
    store: Store, vectors: Vectors, write: Write, subject: SubjectId
) -> None:
    rows = [write(f"text {place}").row for place in range(60)]
    for row in rows:
        vectors.put("episode", row, "e5", noise(row))
    one_by_one = vectors.nearest("episode", subject, noise(rows[5]), 8)
    vectors.forget("episode", rows)
    vectors.put_many("episode", rows, "e5", np.stack([noise(row) for row in rows]))
    together = vectors.nearest("episode", subject, noise(rows[5]), 8)
    assert [row for row, _ in one_by_one] == [row for row, _ in together]


def test_the_queue_gives_the_newest_first_and_forgets_what_is_gone(vectors: Vectors, write: Write) -> None:
    rows = [write(f"text {place}").row for place in range(4)]
    vectors.enqueue("episode", [*rows, 999])
    waiting = vectors.pending(3)
    assert [(item.kind, item.owner) for item in waiting][:2] == [("episode", rows[3]), ("episode", rows[2])]
    assert waiting[0].text == "text 3"
    assert vectors.waiting() == 4
    vectors.put("episode", rows[3], "e5", noise(1))
    assert vectors.waiting() == 3


def test_what_may_never_be_recalled_is_not_embedded(vectors: Vectors, write: Write) -> None:
    write("In July we saw osmosis.", meta=Meta(language="en", narration=True))
    kept = write("What is osmosis?")
    vectors.enqueue_missing()
    assert [item.owner for item in vectors.pending()] == [kept.row]
