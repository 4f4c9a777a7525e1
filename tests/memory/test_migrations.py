"""Every database that a released program left opens in today's program, with everything in it, or stays as it was."""

from __future__ import annotations

import gzip
import hashlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.clock import Clock
from app.folders import Folders
from app.ids import Ids
from app.read_path import ReadPath
from app.wiring import open_memory
from memory import migrating
from memory.faults import Damaged, NewerDatabase
from memory.memory import Memory
from memory.migrating import migrate, scripts
from memory.moments import Moment
from memory.orphans import orphans
from memory.rebuilding import rebuild
from memory.store import Store
from memory.verification import Verification

FROZEN = {int(path.name[7:11]): path for path in sorted((Path(__file__).parents[1] / "data/schemas").glob("*.db.gz"))}
NEWEST = scripts()[-1][0]
WITH_BELIEFS = [number for number in FROZEN if number >= 4]
NOW = "2026-02-02T17:00:00+01:00"
EPISODES = "SELECT e.*, c.* FROM episodes e JOIN contents c ON c.episode = e.row ORDER BY e.row"
BELIEFS = "SELECT * FROM beliefs ORDER BY row"


def thawed(number: int, folder: Path) -> Path:
    """A frozen database in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "memory.db"
    path.write_bytes(gzip.decompress(FROZEN[number].read_bytes()))
    return path


def rows(path: Path, sql: str) -> list[Any]:
    connection = apsw.Connection(f"file:{path}?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


@contextmanager
def opened(path: Path) -> Iterator[Memory]:
    memory = open_memory(Folders(path.parent, path.parent / "models"), Clock(NOW), Ids())
    try:
        yield memory
    finally:
        memory.store.close()


def brief(memory: Memory, text: str) -> tuple[str, list[str]]:
    """The brief of a question and the episodes recalled for it."""
    reads, (subject,) = ReadPath(memory, lambda: None), memory.subjects.all()
    try:
        reading = reads.understand(subject.id, text, Moment.parse(NOW))
        reads.read(subject.id, text, reading, Moment.parse(NOW))
        recalled = reading.recalled.memories if reading.recalled else ()
        return reading.brief.text, [memory.episode.id for memory in recalled]
    finally:
        reads.close()


def schema(path: Path) -> list[Any]:
    return rows(path, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")


def fingerprint(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_database_of_every_schema_is_kept() -> None:
    assert sorted(FROZEN) == [number for number, _ in scripts()], "run tests/data/schemas/build.py"


@pytest.mark.parametrize("number", FROZEN)
def test_an_old_database_keeps_every_episode_and_every_belief(number: int, tmp_path: Path) -> None:
    path = thawed(number, tmp_path)
    episodes = rows(path, EPISODES)
    beliefs = rows(path, BELIEFS) if number in WITH_BELIEFS else []
    with opened(path) as memory:
        (state,) = Verification(memory.store).chains()
        assert state.ok
        assert state.episodes == len(episodes) > 20
        assert rows(path, EPISODES) == episodes
        assert rows(path, BELIEFS) == beliefs
        assert memory.store.reader().pragma("user_version") == NEWEST


@pytest.mark.parametrize("number", FROZEN)
def test_a_migrated_database_has_the_schema_of_a_new_one(number: int, tmp_path: Path) -> None:
    path, fresh = thawed(number, tmp_path / "old"), tmp_path / "new.db"
    migrate(path)
    migrate(fresh)
    assert schema(path) == schema(fresh), "a released script was changed: write a new one instead"


@pytest.mark.parametrize("number", WITH_BELIEFS)
def test_an_old_database_gives_the_same_brief(number: int, tmp_path: Path) -> None:
    questions = ("What did I get wrong in October?", "What is osmosis?", "Where are raisins from?")
    with opened(thawed(number, tmp_path / "old")) as old, opened(thawed(NEWEST, tmp_path / "new")) as new:
        assert orphans(old.store) == {}
        for question in questions:
            assert brief(old, question) == brief(new, question)
            assert brief(new, question)[1]


@pytest.mark.parametrize("number", [number for number in FROZEN if number not in WITH_BELIEFS])
def test_what_an_old_schema_could_not_hold_is_made_from_the_record(number: int, tmp_path: Path) -> None:
    with opened(thawed(number, tmp_path / "old")) as old, opened(thawed(NEWEST, tmp_path / "new")) as new:
        assert "raisins" in brief(old, "Where are raisins from?")[0]
        rebuild(old, Ids(), Moment.parse(NOW))
        assert orphans(old.store) == {}
        (subject,) = old.subjects.all()
        expected = {(row.name, row.claim) for row in new.beliefs.current(subject.id)}
        held = {(row.name, row.claim) for row in old.beliefs.current(subject.id)}
        assert held == expected if number == 3 else held <= expected


@pytest.mark.parametrize("number", [number for number in FROZEN if number < NEWEST])
def test_the_old_file_is_kept_whole_before_anything_is_changed(number: int, tmp_path: Path) -> None:
    path, backups = thawed(number, tmp_path), tmp_path / "backups"
    everything = {
        name: rows(path, f'SELECT * FROM "{name}"')
        for (name,) in rows(path, "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
    }
    Store(path, room=0, backups=backups).close()
    (copy,) = backups.iterdir()
    assert copy.name == f"before-schema-{NEWEST}-from-{number}.db"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert rows(copy, "PRAGMA user_version") == [(number,)]
    assert {name: rows(copy, f'SELECT * FROM "{name}"') for name in everything} == everything


def test_a_second_old_file_is_kept_beside_the_first_and_the_same_one_once(tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    first, other = thawed(5, tmp_path / "one"), thawed(5, tmp_path / "two")
    again = thawed(5, tmp_path / "three")
    connection = apsw.Connection(str(other))
    connection.execute("UPDATE subjects SET name = 'Chemistry'")
    connection.close()
    for path in (first, other, again):
        migrate(path, backups)
    assert sorted(copy.name for copy in backups.iterdir()) == [
        f"before-schema-{NEWEST}-from-5-2.db",
        f"before-schema-{NEWEST}-from-5.db",
    ]


def test_a_copy_that_does_not_hold_the_same_episodes_stops_the_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, backups = thawed(5, tmp_path), tmp_path / "backups"
    before = fingerprint(path)
    digests = iter((b"of the copy", b"of the original"))
    monkeypatch.setattr(migrating, "_ledger_digest", lambda connection: next(digests))
    with pytest.raises(Damaged):
        Store(path, room=0, backups=backups)
    assert list(backups.iterdir()) == []
    assert fingerprint(path) == before


@pytest.mark.parametrize("log", [False, True], ids=["closed", "with a log"])
def test_a_newer_database_is_refused_and_not_one_byte_is_written(tmp_path: Path, log: bool) -> None:
    path = thawed(NEWEST, tmp_path / "there")
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("user_version", NEWEST + 1)
    folder = tmp_path / "here"
    if log:
        folder.mkdir()
        for ending in ("", "-wal"):
            (folder / f"memory.db{ending}").write_bytes(path.with_name(f"memory.db{ending}").read_bytes())
        assert (folder / "memory.db-wal").stat().st_size > 0
        connection.close()
    else:
        connection.close()
        folder = path.parent
    before = {each.name: fingerprint(each) for each in folder.iterdir()}
    with pytest.raises(NewerDatabase):
        Store(folder / "memory.db", room=0, backups=tmp_path / "backups")
    after = {each.name: fingerprint(each) for each in folder.iterdir() if not each.name.endswith("-shm")}
    assert after == before
    assert not (tmp_path / "backups").exists()


def _statements(act: Callable[[], None], stop: Callable[[int], None]) -> int:
    """Run ``act`` and call ``stop`` before each of its statements; how many there were."""
    seen = 0

    def trace(cursor: Any, sql: str, bound: Any) -> bool:
        nonlocal seen
        seen += 1
        stop(seen)
        return True

    def hook(connection: apsw.Connection) -> None:
        connection.exec_trace = trace

    apsw.connection_hooks.append(hook)
    try:
        act()
    finally:
        apsw.connection_hooks.remove(hook)
    return seen


class Stopped(Exception):
    """The program ended here."""


@pytest.mark.parametrize("number", [3])
def test_a_fault_at_any_statement_of_a_migration_leaves_the_old_or_the_new(number: int, tmp_path: Path) -> None:
    steps = _statements(lambda: migrate(thawed(number, tmp_path / "whole"), tmp_path / "whole"), lambda step: None)
    assert steps > 30
    episodes = rows(thawed(number, tmp_path / "old"), EPISODES)
    kept = 0
    for last in range(1, steps + 1):
        path = thawed(number, tmp_path / str(last))

        def stop(step: int, last: int = last) -> None:
            if step == last:
                raise Stopped

        with pytest.raises(Stopped):
            _statements(lambda path=path: migrate(path, path.parent / "backups"), stop)
        kept += _is_old_or_new(path, number, episodes)
    assert kept == steps, "an exception is always undone"


@pytest.mark.slow
@pytest.mark.parametrize("number", [number for number in FROZEN if number < NEWEST])
def test_a_kill_at_any_statement_of_a_migration_leaves_the_old_or_the_new(number: int, tmp_path: Path) -> None:
    steps = _statements(lambda: migrate(thawed(number, tmp_path / "whole"), tmp_path / "whole"), lambda step: None)
    episodes = rows(thawed(number, tmp_path / "old"), EPISODES)
    fork = multiprocessing.get_context("fork")
    for last in range(1, steps + 1):
        path = thawed(number, tmp_path / str(last))

        def stop(step: int, last: int = last) -> None:
            if step == last:
                os.kill(os.getpid(), signal.SIGKILL)

        child = fork.Process(target=_statements, args=(lambda path=path: migrate(path, path.parent / "backups"), stop))
        child.start()
        child.join()
        assert child.exitcode == -signal.SIGKILL
        _is_old_or_new(path, number, episodes)


def _is_old_or_new(path: Path, number: int, episodes: list[Any]) -> bool:
    """The file has the schema that its number says and all its episodes, and opens; whether it was the old one."""
    connection = apsw.Connection(str(path))
    version, tables = (
        connection.pragma("user_version"),
        connection.execute(
            "SELECT count(*) FROM sqlite_schema WHERE name IN"
            " ('subjects', 'files', 'concepts', 'beliefs', 'answer_reads', 'nights', 'unsettled')"
        ).get,
    )
    connection.close()
    assert version in (number, NEWEST)
    assert tables == min(version, 7)
    assert rows(path, EPISODES) == episodes
    store = Store(path, room=0, backups=path.parent / "backups")
    try:
        assert [state.ok for state in Verification(store).chains()] == [True]
        assert store.reader().execute(EPISODES).fetchall() == episodes
    finally:
        store.close()
    assert not list((path.parent / "backups").glob("*.part*"))
    return bool(version == number)
