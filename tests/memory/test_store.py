from __future__ import annotations

import os
import threading
from pathlib import Path

import apsw
import pytest

from memory import migrating
from memory import store as store_module
from memory.faults import DiskFull, NewerDatabase, NotOurDatabase, OldLibrary, Unwritable
from memory.migrating import migrate, scripts
from memory.store import Store, check_library


def test_a_new_file_is_readable_by_its_owner_only(store: Store) -> None:
    for name in ("memory.db", "memory.db-wal", "memory.db-shm"):
        assert (store.path.with_name(name).stat().st_mode & 0o777) == 0o600


def test_the_settings_that_durability_rests_on_are_in_force(store: Store) -> None:
    with store.atomic() as connection:
        assert connection.pragma("journal_mode") == "wal"
        assert connection.pragma("synchronous") == 2
        assert connection.pragma("recursive_triggers") == 1
        assert connection.pragma("secure_delete") == 1


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE episodes",
        "DROP TRIGGER episodes_are_never_deleted",
        "ALTER TABLE episodes ADD COLUMN x TEXT",
        "ATTACH ':memory:' AS other",
        "DELETE FROM episodes",
        "UPDATE episodes SET kind = 'answer'",
        "DELETE FROM contents",
        "PRAGMA recursive_triggers = 0",
        "PRAGMA user_version = 0",
    ],
)
def test_a_running_connection_refuses_what_would_rewrite_the_record(store: Store, sql: str) -> None:
    with pytest.raises(apsw.AuthError), store.atomic() as connection:
        connection.execute(sql)


def test_a_failed_block_leaves_nothing_behind(store: Store) -> None:
    with pytest.raises(apsw.ConstraintError), store.atomic() as connection:
        connection.execute("INSERT INTO subjects VALUES ('a', 'A', 1, 1), ('b', 'A', 1, 1)")
    assert store.reader().execute("SELECT count(*) FROM subjects").fetchall() == [(0,)]


def test_an_inner_block_can_fail_alone(store: Store) -> None:
    with store.atomic() as connection:
        connection.execute("INSERT INTO subjects VALUES ('a', 'A', 1, 1)")
        with pytest.raises(apsw.ConstraintError), store.atomic():
            connection.execute("INSERT INTO subjects VALUES ('b', 'B', 1, 1), ('c', 'B', 1, 1)")
    assert store.reader().execute("SELECT id FROM subjects").fetchall() == [("a",)]


def test_threads_write_one_after_the_other_and_read_their_own_snapshot(store: Store) -> None:
    def write(number: int) -> None:
        with store.atomic() as connection:
            connection.execute("INSERT INTO subjects VALUES (?, ?, 1, 1)", (str(number), str(number)))
        store.reader().execute("SELECT count(*) FROM subjects").fetchall()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.reader().execute("SELECT count(*) FROM subjects").fetchall() == [(8,)]


def test_a_second_process_sees_what_was_written_and_may_write_too(store: Store) -> None:
    other = Store(store.path, room=0)
    with other.atomic() as connection:
        connection.execute("INSERT INTO subjects VALUES ('a', 'A', 1, 1)")
    assert store.reader().execute("SELECT id FROM subjects").fetchall() == [("a",)]
    other.close()


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    Store(path, room=0).close()
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", scripts()[-1][0] + 1)
    connection.close()
    with pytest.raises(NewerDatabase):
        Store(path, room=0)


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(NotOurDatabase):
        Store(path, room=0)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(b"not a database, but long enough to be read as a header" * 40)
    with pytest.raises(NotOurDatabase):
        Store(path, room=0)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unwritable):
        Store(tmp_path / "file" / "memory.db", room=0)


def test_an_old_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "OLDEST_SQLITE", (99, 0, 0))
    with pytest.raises(OldLibrary):
        check_library(tmp_path / "memory.db")


def test_a_migration_killed_half_way_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.db"
    good = scripts()
    monkeypatch.setattr(migrating, "scripts", lambda: good[:2])
    migrate(path)
    monkeypatch.setattr(migrating, "scripts", lambda: [*good[:3], (4, "CREATE TABLE half (x); SELECT no_such();")])
    with pytest.raises(apsw.SQLError):
        migrate(path)
    connection = apsw.Connection(str(path))
    assert connection.pragma("user_version") == 2
    assert connection.execute("SELECT count(*) FROM sqlite_schema WHERE name IN ('half', 'concepts')").fetchall() == [
        (0,)
    ]
    connection.close()


def test_a_file_with_something_in_it_is_copied_before_it_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, backups = tmp_path / "memory.db", tmp_path / "backups"
    good = scripts()
    monkeypatch.setattr(migrating, "scripts", lambda: good[:2])
    migrate(path, backups)
    assert not backups.exists()
    monkeypatch.setattr(migrating, "scripts", lambda: good)
    migrate(path, backups)
    (copy,) = backups.iterdir()
    connection = apsw.Connection(str(copy))
    assert connection.pragma("user_version") == 2
    connection.close()
    migrate(path, backups)


def test_the_reserve_is_kept_once_and_given_back_once(tmp_path: Path) -> None:
    opened = Store(tmp_path / "memory.db", room=4096)
    assert os.path.getsize(tmp_path / "memory.db.reserve") == 4096
    assert opened.release_reserve()
    assert not opened.release_reserve()
    opened.close()


def test_closing_on_a_full_disk_keeps_what_was_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Store(tmp_path / "memory.db", room=0)
    with opened.atomic() as connection:
        connection.execute("INSERT INTO subjects VALUES ('a', 'A', 1, 1)")
    pages = opened.reader().pragma("page_count")
    with opened.atomic() as connection:
        connection.pragma("max_page_count", pages)
    with pytest.raises(DiskFull), opened.atomic() as connection:
        connection.executemany(
            "INSERT INTO subjects VALUES (?, ?, 1, 1)", [(f"s{n}", f"name {n} " * 40) for n in range(5000)]
        )
    opened.close()
    again = Store(tmp_path / "memory.db", room=0)
    assert again.reader().execute("SELECT id FROM subjects").fetchall() == [("a",)]
    again.close()
