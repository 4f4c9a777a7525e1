from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from memory.backup import Backups, back_up, superfluous
from memory.checkpoints import Checkpoint, CheckpointLog, NoCheckpoint, parse_checkpoint
from memory.episodes import Content, Draft, EpisodeId, Kind, Meta, SubjectId, Verdict
from memory.faults import Damaged
from memory.ledger import Ledger
from memory.moments import Moment
from memory.store import Store
from memory.verification import Verification

Drafts = Callable[..., Draft]


@pytest.fixture
def five(ledger: Ledger, subject: SubjectId, draft: Drafts) -> SubjectId:
    for number in range(4):
        ledger.append(draft(f"question {number}"))
    ledger.append(
        draft(kind=Kind.CHECK, meta=Meta(verdict=Verdict.WRONG), content=Content("What is osmosis?", reply="salt"))
    )
    return subject


def tamper(path: Path, *statements: str) -> None:
    """What somebody with a SQLite shell could do to the file."""
    connection = apsw.Connection(str(path))
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_an_untouched_chain_holds(five: SubjectId, store: Store, ledger: Ledger) -> None:
    (state,) = Verification(store).chains()
    assert (state.ok, state.episodes, state.head) == (True, 5, ledger.head(five).hash.hex())
    assert Verification(store).database() == []


@pytest.mark.parametrize(
    ("statement", "what", "seq"),
    [
        ("UPDATE contents SET body = replace(body, 'question 1', 'question 9')", "words", 2),
        ("UPDATE contents SET body = '', salt = x'' WHERE episode = 3", "words", 3),
        ("UPDATE contents SET salt = randomblob(16) WHERE episode = 3", "words", 3),
        ("UPDATE episodes SET meta = '{}' WHERE seq = 5", "hash", 5),
        ("UPDATE episodes SET meta = replace(meta, 'wrong', 'right') WHERE seq = 5", "hash", 5),
        ("UPDATE episodes SET kind = 'answer' WHERE seq = 2", "hash", 2),
        ("UPDATE episodes SET origin = 'tutor' WHERE seq = 2", "hash", 2),
        ("UPDATE episodes SET at = at + 1 WHERE seq = 4", "hash", 4),
        ("UPDATE episodes SET offset = 0 WHERE seq = 4", "hash", 4),
        ("UPDATE episodes SET zone = 'UTC' WHERE seq = 4", "hash", 4),
        ("UPDATE episodes SET recorded_at = 0 WHERE seq = 4", "hash", 4),
        ("UPDATE episodes SET id = 'other' WHERE seq = 4", "hash", 4),
        ("UPDATE episodes SET salience = 0.9 WHERE seq = 5", "salience", 5),
        ("UPDATE episodes SET digest = randomblob(32) WHERE seq = 3", "hash", 3),
        ("UPDATE episodes SET prev = randomblob(32) WHERE seq = 3", "link", 3),
        ("UPDATE episodes SET hash = randomblob(32) WHERE seq = 3", "hash", 3),
        ("DELETE FROM episodes WHERE seq = 2", "order", 3),
        ("UPDATE episodes SET seq = CASE seq WHEN 2 THEN 30 WHEN 3 THEN 2 END WHERE seq IN (2, 3)", "link", 2),
    ],
)
def test_each_way_of_tampering_names_the_first_bad_episode(
    five: SubjectId, store: Store, statement: str, what: str, seq: int
) -> None:
    tamper(store.path, statement)
    (state,) = Verification(store).chains()
    assert state.first_break is not None
    assert (state.first_break.what, state.first_break.seq) == (what, seq)


def test_a_cut_tail_is_seen_by_a_checkpoint_only(five: SubjectId, store: Store, ledger: Ledger, tmp_path: Path) -> None:
    head = ledger.head(five)
    log = CheckpointLog(tmp_path / "checkpoints.log")
    log.write(Checkpoint(five, head.seq, head.hash.hex(), "2026-07-12T23:00:00+02:00"))
    verification = Verification(store)
    assert [state.result for state in verification.checkpoints(log.all())] == ["holds"]
    tamper(store.path, "DELETE FROM episodes WHERE seq = 5")
    assert verification.chains()[0].ok
    assert [state.result for state in verification.checkpoints(log.all())] == ["shorter"]


def test_a_rewritten_chain_is_seen_by_a_checkpoint(five: SubjectId, store: Store) -> None:
    noted = Checkpoint(five, 3, "00" * 32, "2026-07-12T23:00:00+02:00")
    assert Verification(store).checkpoints([noted])[0].result == "different"
    stranger = Checkpoint(SubjectId("stranger"), 3, "00" * 32, "2026-07-12T23:00:00+02:00")
    assert Verification(store).checkpoints([stranger])[0].result == "unknown"


def test_a_checkpoint_is_one_line_that_reads_back() -> None:
    noted = Checkpoint(SubjectId("s"), 3, "ab" * 32, "2026-07-12T23:00:00+02:00")
    assert parse_checkpoint(noted.line) == noted
    for bad in ("", "retiens1 s 3 zz 2026-07-12", noted.line[:-30], noted.line.replace("retiens1", "x")):
        with pytest.raises(NoCheckpoint):
            parse_checkpoint(bad)


def test_a_torn_checkpoint_line_loses_only_itself(tmp_path: Path) -> None:
    log = CheckpointLog(tmp_path / "checkpoints.log")
    log.write(Checkpoint(SubjectId("s"), 1, "ab" * 32, "2026-07-12T23:00:00+02:00"))
    log.write(Checkpoint(SubjectId("s"), 1, "ab" * 32, "2026-07-13T23:00:00+02:00"))
    with log.path.open("a") as file:
        file.write("retiens1 s 2 cd")
    assert [checkpoint.seq for checkpoint in log.all()] == [1]
    assert (log.path.stat().st_mode & 0o777) == 0o600


def test_only_the_newest_part_can_be_checked_at_start(five: SubjectId, store: Store) -> None:
    tamper(store.path, "UPDATE episodes SET zone = 'UTC' WHERE seq = 1")
    assert Verification(store).chains(newest=2)[0].ok
    assert not Verification(store).chains()[0].ok


def test_an_index_out_of_step_is_a_fault(five: SubjectId, store: Store) -> None:
    with store.atomic() as connection:
        connection.execute("DELETE FROM episode_words WHERE rowid = 2")
        connection.execute("DELETE FROM episode_facts WHERE episode = 3")
    assert len(Verification(store).database()) == 2


def test_a_redacted_episode_still_verifies(five: SubjectId, store: Store, ledger: Ledger) -> None:
    target = ledger.find(five)[1]
    ledger.redact(target.id, EpisodeId("r"), Moment(5), 5)
    assert Verification(store).chains()[0].ok
    assert Verification(store).database() == []


def test_a_backup_is_private_verified_and_complete(five: SubjectId, store: Store, tmp_path: Path) -> None:
    made = back_up(store, tmp_path / "copy.db")
    assert made.episodes == 5
    assert (made.path.stat().st_mode & 0o777) == 0o600
    copy = Store(made.path, room=0)
    assert Verification(copy).chains() == Verification(store).chains()
    copy.close()


def test_a_backup_of_a_broken_chain_is_refused(five: SubjectId, store: Store, tmp_path: Path) -> None:
    tamper(store.path, "UPDATE episodes SET zone = 'UTC' WHERE seq = 2")
    with pytest.raises(Damaged):
        back_up(store, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


def test_rotation_keeps_hours_days_and_weeks(store: Store, subject: SubjectId, tmp_path: Path) -> None:
    backups = Backups(store, tmp_path / "backups")
    for hour in range(3):
        backups.make(Moment.parse(f"2026-10-01T{10 + hour}:05:00+02:00"))
    assert len(backups.all()) == 3
    many = [
        tmp_path / f"memory-2026{month:02d}{day:02d}-{hour:02d}0000.db"
        for month in (8, 9)
        for day in range(1, 29)
        for hour in (8, 9, 20)
    ]
    kept = set(many) - set(superfluous(many))
    assert 12 <= len(kept) <= 23
    assert max(many) in kept
