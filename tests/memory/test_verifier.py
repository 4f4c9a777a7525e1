"""A verifier written apart from the writing code agrees with ours: on random logs, and on every way to tamper."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory import chain
from memory.checkpoints import Checkpoint
from memory.episodes import Content, Draft, EpisodeId, Evidence, Kind, Meta, Origin, State, SubjectId, Verdict
from memory.exchange import export
from memory.faults import Damaged
from memory.ledger import Ledger
from memory.moments import Moment
from memory.store import Store
from memory.subjects import Subject, Subjects
from memory.verification import Verification

SCRIPT = Path(__file__).parents[1] / "verifier.py"
LOGS = 10_000 if os.environ.get("RETIENS_LONG") else 200
_COLUMNS = {
    "id": ["id || 'x'"],
    "subject": ["subject || 'x'"],
    "seq": ["seq + 1", "seq - 1", "-seq", "seq + 1000000"],
    "kind": ["CASE kind WHEN 'answer' THEN 'question' ELSE 'answer' END"],
    "origin": ["CASE origin WHEN 'tutor' THEN 'typed' ELSE 'tutor' END"],
    "at": ["at + 1", "at - 1", "0"],
    "offset": ["offset + 1", "-offset - 1"],
    "zone": ["zone || ' '", "'UTC' || zone"],
    "recorded_at": ["recorded_at + 1", "recorded_at - 1000000"],
    "salience": ["salience + 0.05", "0.99"],
    "meta": [
        "json_set(meta, '$.verdict', CASE meta ->> '$.verdict' WHEN 'right' THEN 'wrong' ELSE 'right' END)",
        "json_set(meta, '$.narration', json('true'))",
        "json_set(meta, '$.about', 'nothing')",
        "meta || ' '",
    ],
    "digest": ["zeroblob(32)"],
    "prev": ["zeroblob(32)"],
    "hash": ["zeroblob(32)"],
}
_WORDS = {
    "body": ["coalesce(json_set(nullif(body, ''), '$.text', 'x'), 'x')", '\'{"text":""}\'', "body || ' '"],
    "salt": ["randomblob(16)", "x''"],
    "episode": ["-episode"],
}
_STRUCTURE = {
    "deleted": "DELETE FROM episodes WHERE seq = :n",
    "deleted words": "DELETE FROM contents WHERE episode = :row",
    "emptied": "UPDATE contents SET body = '', salt = x'' WHERE episode = :row",
    "swapped": "UPDATE episodes SET seq = CASE seq WHEN :n THEN seq + 1 ELSE seq - 1 END WHERE seq IN (:n, :n + 1)",
    "doubled": "INSERT INTO episodes SELECT * FROM episodes WHERE seq = :n",
    "inserted": "UPDATE episodes SET seq = seq + 1 WHERE seq > :n;"
    " INSERT INTO episodes SELECT row + 900000, id || '-forged', subject, seq + 1, kind, origin, at, offset, zone,"
    " recorded_at, salience, meta, digest, hash, prev, about FROM episodes WHERE seq = :n;"
    " INSERT INTO contents SELECT episode + 900000, salt, body FROM contents WHERE episode = :row",
}
TAMPERINGS = [
    *(
        (f"{name} = {value}", f"UPDATE episodes SET {name} = {value} WHERE seq = :n")
        for name in _COLUMNS
        for value in _COLUMNS[name]
    ),
    *(
        (f"{name} = {value}", f"UPDATE contents SET {name} = {value} WHERE episode = :row")
        for name in _WORDS
        for value in _WORDS[name]
    ),
    *_STRUCTURE.items(),
]


def _verifier() -> ModuleType:
    spec = spec_from_file_location("verifier", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


VERIFIER = _verifier()


class Shelf:
    """A store that takes one log after another, each in a subject of its own; a fresh file every hundred logs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)
        self._logs = 0
        self.store = self._open()

    def _open(self) -> Store:
        self.store = Store(self._folder / f"{next(self._numbers)}.db", room=0)
        self.ledger = Ledger(self.store, lambda: next(self._numbers).to_bytes(16, "big"))
        return self.store

    def id(self) -> EpisodeId:
        return EpisodeId(f"e{next(self._numbers)}")

    def write(self, entries: list[Any]) -> Subject:
        """One log: drafts without id and subject, each with what becomes of it (redacted, withdrawn or neither)."""
        self._logs += 1
        if self._logs % 100 == 0:
            self.store.close()
            self._open()
        subject = Subjects(self.store).add(SubjectId(f"s{next(self._numbers)}"), f"subject {self._logs}", 1)
        gone: list[Any] = []
        with self.store.atomic():
            for kind, origin, moment, recorded, content, meta, after in entries:
                draft = Draft(self.id(), subject.id, kind, origin, moment, recorded, content, meta)
                written = self.ledger.append(draft)
                if after == "withdrawn":
                    back = Draft(
                        self.id(),
                        subject.id,
                        Kind.WITHDRAWAL,
                        Origin.TYPED,
                        moment,
                        recorded,
                        Content(""),
                        Meta(about=written.id),
                    )
                    self.ledger.append(back)
                elif after == "redacted":
                    gone.append((written.id, self.id(), moment, recorded))
        for redaction in gone:
            self.ledger.redact(*redaction)
        return subject


class Tampered:
    """The record as somebody with a SQLite shell could leave it: temporary tables stand before the real ones."""

    def __init__(self, store: Store, subject: Subject) -> None:
        self.path = store.path
        self._connection = apsw.Connection(str(store.path))
        self._subject = subject.id

    def reader(self) -> apsw.Connection:
        return self._connection

    def run(self, *statements: str, n: int = 0) -> None:
        self._connection.execute("DROP TABLE IF EXISTS temp.contents; DROP TABLE IF EXISTS temp.episodes")
        self._connection.execute(
            "CREATE TEMP TABLE episodes AS SELECT row, id, subject, seq, kind, origin, at, offset, zone, recorded_at,"
            " salience, meta, digest, prev, hash, about FROM main.episodes WHERE subject = ?",
            (self._subject,),
        )
        self._connection.execute(
            "UPDATE temp.episodes SET about = NULL WHERE about IS NOT NULL AND kind <> 'redaction'"
        )
        self._connection.execute(
            "CREATE TEMP TABLE contents AS SELECT c.* FROM main.contents c JOIN main.episodes e ON e.row = c.episode"
            " WHERE e.subject = ?",
            (self._subject,),
        )
        row = self._connection.execute("SELECT row FROM temp.episodes WHERE seq = ?", (n,)).get
        for statement in statements:
            for part in statement.split(";"):
                self._connection.execute(part, {"n": n, "row": row})
        self._connection.execute("UPDATE temp.episodes SET about = meta ->> '$.about' WHERE json_valid(meta)")

    def rows(self) -> list[Any]:
        """All that is in the tables now."""
        return [
            self._connection.execute(f"SELECT * FROM temp.{table} ORDER BY rowid").fetchall()
            for table in ("episodes", "contents")
        ]

    def close(self) -> None:
        self._connection.close()


def both(store: Any, subject: Subject) -> tuple[str | None, str | None]:
    """The first bad episode of a subject by our verification, and by the verifier reading the export."""
    (state,) = [state for state in Verification(store).chains() if state.subject == subject.id]
    ours = state.first_break.id if state.first_break else None
    try:
        lines = list(export(store, [subject]))
    except Damaged as fault:  # words that are no longer words: the export stops at them, and names the episode
        return ours, fault.detail.removeprefix("episode ")
    return ours, VERIFIER.verify(lines)[1].get(subject.id)


SENTENCES = [
    "Qu’est-ce que l’osmose ?",
    "ما هو الانتشار عبر الغشاء؟",
    "¿Qué vimos en julio?",
    "细胞膜是什么？",
    "Что такое осмос?",
    "ऑस्मोसिस क्या है?",
    "👩‍🔬🧫 é e\u0301 \u202eabc",
    "\x00\x01\x1f\x7f\u2028\u2029\r\n\t\ufeff",
    "\ud800 \udfff \udc00\ud800",
    '{"chain": "\\u0000"}',
    "",
]
texts = st.sampled_from(SENTENCES) | st.text(st.characters(exclude_categories=()), max_size=40)
numbers = st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
extras = st.dictionaries(texts, values, max_size=3)
maybe = st.none() | texts
moments = st.builds(
    Moment,
    st.integers(-2_000_000_000_000_000, 200_000_000_000_000_000),
    st.integers(-1439, 1439),
    st.sampled_from(["", "Europe/Paris", "Asia/Kathmandu"]),
)
contents = st.builds(Content, texts, texts, maybe, maybe, maybe, maybe, extras)
evidence = st.builds(
    Evidence, texts, texts, st.none() | st.integers(), st.none() | st.tuples(st.integers(0), st.integers(0))
)
metas = st.builds(
    Meta,
    language=st.sampled_from([None, "fr", "ar"]),
    predicted=st.none() | st.floats(0, 1),
    score=st.none() | numbers,
    concepts=st.lists(texts, max_size=2).map(tuple),
    evidence=st.lists(evidence, max_size=2).map(tuple),
    external_id=maybe,
    plan=maybe,
    narration=st.booleans(),
    state=st.none() | st.sampled_from(State),
    extra=extras,
)
kinds = st.sampled_from([kind for kind in Kind if kind not in (Kind.REDACTION, Kind.WITHDRAWAL)])


@st.composite
def entries(draw: st.DrawFn) -> Any:
    kind, meta = draw(kinds), draw(metas)
    if kind is Kind.CHECK or (kind is Kind.CONTEST and draw(st.booleans())):
        verdict = draw(st.none() | st.sampled_from(Verdict))
        meta = Meta(**{name: getattr(meta, name) for name in Meta.__slots__} | {"verdict": verdict})
    after = draw(st.sampled_from(["", "", "", "redacted", "withdrawn"]))
    return kind, draw(st.sampled_from(Origin)), draw(moments), draw(st.integers(0, 10**17)), draw(contents), meta, after


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    opened = Shelf(tmp_path_factory.mktemp("shelf"))
    yield opened
    opened.store.close()


@settings(max_examples=LOGS, suppress_health_check=list(HealthCheck))
@given(st.lists(entries(), min_size=1, max_size=6), st.sampled_from(TAMPERINGS), st.integers(0, 11))
def test_both_hold_a_random_log_and_name_the_same_first_bad_episode_of_a_tampered_one(
    shelf: Shelf, log: list[Any], tampering: tuple[str, str], place: int
) -> None:
    subject = shelf.write(log)
    assert both(shelf.store, subject) == (None, None)
    tampered = Tampered(shelf.store, subject)
    try:
        tampered.run(tampering[1], n=1 + place % shelf.ledger.count(subject.id))
        ours, theirs = both(tampered, subject)
        assert ours == theirs
    finally:
        tampered.close()


def one_of_each() -> list[Any]:
    """One episode of every kind and verdict, in several scripts."""
    log: list[Any] = []
    for number, kind in enumerate(kind for kind in Kind if kind not in (Kind.REDACTION, Kind.WITHDRAWAL)):
        for verdict in (*Verdict, None) if kind in (Kind.CHECK, Kind.CONTEST) else (None,):
            content = Content(SENTENCES[number], "", "osmose", "ماء", "eau", "juste", {"mood": 0.1})
            place = (Evidence("a.pdf", "ab", 3, (1, 2)),)
            meta = Meta("fr", verdict, 0.1, 2.5, ("osmose",), place, f"x{len(log)}", "answer")
            moment = Moment(10**15 + number, 60, "Europe/Paris")
            log.append((kind, Origin.TYPED, moment, 10**15, content, meta, ""))
    return log


@pytest.fixture(scope="module")
def life(shelf: Shelf) -> Subject:
    """One of each, one of them redacted and one withdrawn."""
    log = one_of_each()
    log[2] = (*log[2][:-1], "redacted")
    log[-1] = (*log[-1][:-1], "withdrawn")
    return shelf.write(log)


@pytest.mark.parametrize(("name", "statement"), TAMPERINGS, ids=[name for name, _ in TAMPERINGS])
def test_every_way_to_tamper_with_every_episode_is_seen_and_named_alike(
    shelf: Shelf, life: Subject, name: str, statement: str
) -> None:
    assert both(shelf.store, life) == (None, None)
    gone = [n for n, line in enumerate(export(shelf.store, [life]), 1) if json.loads(line)["text"] is None]
    assert gone
    size = shelf.ledger.count(life.id)
    tampered = Tampered(shelf.store, life)
    tampered.run()
    untouched = tampered.rows()
    for n in range(1, size + 1):
        tampered.run(statement, n=n)
        ours, theirs = both(tampered, life)
        assert ours == theirs, (name, n)
        cut_tail = n == size and name in ("deleted", "subject = subject || 'x'")
        no_words = n in gone and name in ("deleted words", "episode = -episode")  # there were none
        assert ours or cut_tail or no_words or tampered.rows() == untouched, (name, n)
    tampered.close()


def test_every_field_of_every_exported_line_is_checked(shelf: Shelf, life: Subject) -> None:
    lines = [json.loads(line) for line in export(shelf.store, [life])]
    for n, line in enumerate(lines):
        keys = {*VERIFIER.SHOWN, *line} - {"chain", "subject"}
        edits = [(key, {**line, key: _other(line.get(key))}) for key in sorted(keys)]
        edits += [
            (f"chain.{key}", {**line, "chain": {**line["chain"], key: _other(value)}})
            for key, value in line["chain"].items()
            if key != "subject"
        ]
        for name, edited in edits:
            told = [json.dumps(each) for each in (*lines[:n], edited, *lines[n + 1 :])]
            _, broken = VERIFIER.verify(told)
            expected = [edited["id"]] if line["kind"] != "redaction" else [each["id"] for each in (*lines[:n], edited)]
            assert broken[life.id] in expected, (n, name)


def _other(value: Any) -> Any:
    match value:
        case None:
            return "x"
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return "00" + value[2:] if len(value) in (32, 64) and value[:2] != "00" else value + "00"
        case list():
            return [*value, "x"]
        case _:
            return {**value, "x": 1}


def rewritten(store: Store, subject: Subject) -> list[str]:
    """The whole chain made anew with one word changed: every hash fits."""
    lines = [json.loads(line) for line in export(store, [subject])]
    prev = chain.genesis(subject.id)
    for line in lines:
        place = line["chain"]
        if place["body"]:
            place["body"] = place["body"].replace("osmose", "osmosis")
            line |= json.loads(place["body"])
            place["digest"] = chain.content_digest(bytes.fromhex(place["salt"]), place["body"].encode()).hex()
        place["prev"] = prev.hex()
        moment, recorded = Moment.parse(line["at"]), Moment.parse(line["recorded_at"])
        entry = chain.Entry(
            line["seq"],
            prev,
            line["id"],
            line["kind"],
            line["origin"],
            moment.at,
            recorded.at,
            line["offset"],
            line["zone"],
            place["meta"].encode(),
            bytes.fromhex(place["digest"]),
        )
        prev = chain.entry_hash(entry)
        place["hash"] = prev.hex()
    return [json.dumps(line) for line in lines]


def test_a_rewritten_chain_and_a_cut_tail_are_told_by_a_checkpoint_alone(shelf: Shelf, tmp_path: Path) -> None:
    life = shelf.write(one_of_each())
    lines = list(export(shelf.store, [life]))
    head = shelf.ledger.head(life.id)
    noted = Checkpoint(life.id, head.seq, head.hash.hex(), "2026-07-12T23:00:00+02:00")
    file = tmp_path / "export.jsonl"

    def verdict(told: list[str], *checkpoints: str) -> tuple[int, str]:
        file.write_text("\n".join(told) + "\n", "utf-8")
        done = subprocess.run([sys.executable, SCRIPT, file, *checkpoints], capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.returncode, done.stdout

    assert verdict(lines, noted.line) == (0, f"{life.id}: holds\ncheckpoint of {life.id}: holds\n")
    anew, cut = rewritten(shelf.store, life), lines[:-1]
    assert anew != lines
    for forged in (anew, cut):
        assert verdict(forged)[1] == f"{life.id}: holds\n", "the chain alone cannot tell"
        assert verdict(forged, noted.line) == (
            1,
            f"{life.id}: holds\ncheckpoint of {life.id}: breaks at episode {head.seq}\n",
        )
    assert verdict(lines, noted.line.replace(life.id, "stranger"))[0] == 1
    states = [state.result for state in Verification(shelf.store).checkpoints([noted])]
    assert states == ["holds"]
