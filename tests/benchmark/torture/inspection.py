"""What must hold in a folder after a kill, and what its content means without ids, salts and times of recording."""

from __future__ import annotations

import json
import re
from pathlib import Path

from operations import NOW, house

from app.models.catalogue import load_catalogue
from memory.checkpoints import CheckpointLog
from memory.moments import Moment
from memory.routing import Names
from memory.store import Store
from memory.understanding import understand
from memory.verification import Verification
from memory.words import identify

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_NAMES = {
    "subject": "SELECT id, name FROM subjects",
    "episode": "SELECT id, seq FROM episodes",
    "belief": "SELECT b.id, c.key || ' ' || (SELECT count(*) FROM beliefs d WHERE d.concept = b.concept"
    " AND d.row <= b.row) FROM beliefs b JOIN concepts c ON c.id = b.concept",
    "concept": "SELECT id, key FROM concepts",
    "file": "SELECT id, name FROM files",
}
_CONTENT = (
    "SELECT seq, kind, origin, at, offset, zone, salience, meta, body FROM episodes JOIN contents ON episode = row"
    " ORDER BY subject, seq",
    "SELECT episode, recallable, hex(same) FROM episode_facts ORDER BY episode",
    "SELECT term, doc, cnt FROM episode_vocabulary ORDER BY term",
    "SELECT episode, concept, how FROM episode_concepts t JOIN concepts c ON c.id = t.concept ORDER BY episode, c.key",
    "SELECT key, name, language, summary, origin, round(centrality, 9), maturity, hidden FROM concepts ORDER BY key",
    "SELECT concept, n.key, n.name, n.language, alias FROM concept_names n JOIN concepts c ON c.id = concept"
    " ORDER BY c.key, n.key, n.language",
    "SELECT concept, pages, definition, page, first_line, last_line FROM concept_places"
    " JOIN concepts c ON c.id = concept ORDER BY c.key, version",
    "SELECT concept, needs, weight, reason FROM edges JOIN concepts c ON c.id = concept JOIN concepts d ON d.id = needs"
    " ORDER BY c.key, d.key, version",
    "SELECT concept, a.key, a.name FROM assumed a JOIN concepts c ON c.id = concept ORDER BY c.key, a.key",
    "SELECT episode, n.concept, live FROM notes n JOIN episodes e ON e.id = n.episode"
    " LEFT JOIN concepts c ON c.id = n.concept ORDER BY e.seq, c.key",
    "SELECT b.id, claim, round(confidence, 9), round(mastery, 9), valid_from, reason, confirm, place, superseded_by"
    " FROM beliefs b JOIN concepts c ON c.id = b.concept ORDER BY c.key, b.row",
    "SELECT belief, x.episode FROM belief_episodes x JOIN beliefs b ON b.id = belief"
    " JOIN concepts c ON c.id = b.concept JOIN episodes e ON e.id = x.episode ORDER BY c.key, b.row, e.seq",
    "SELECT episode, concept FROM check_concepts ORDER BY episode",
    "SELECT name, state, fault FROM files ORDER BY name",
    "SELECT sha256, pages, pages_read, finished, current, language FROM versions ORDER BY id",
    "SELECT id, version, page, first_line, last_line, heading, text, language, current FROM passages ORDER BY id",
    "SELECT kind, owner, hex(vector) FROM vectors WHERE kind <> 'concept' ORDER BY kind, owner",
    "SELECT key, hex(vector) FROM vectors JOIN concepts c ON c.row = owner AND kind = 'concept' ORDER BY key",
    "SELECT kind, owner FROM vector_queue ORDER BY kind, owner",
    "SELECT night, step, result, finished_at IS NOT NULL FROM nights ORDER BY subject, night",
    "SELECT day, episode, seen FROM condensed_days ORDER BY subject, day",
    "SELECT v.file, result, e.seq FROM verified_files v JOIN episodes e ON e.id = v.episode ORDER BY e.seq, v.file",
    "SELECT body FROM working_sets ORDER BY subject",
    "SELECT body FROM self_models ORDER BY subject",
)


def faults_of(data: Path) -> list[str]:
    """What does not hold; empty when all does."""
    store = Store(data / "memory.db", room=0, backups=data / "backups")
    try:
        verification = Verification(store)
        found = [f"chain of {state.name}: {state.first_break}" for state in verification.chains() if not state.ok]
        found += verification.database()
        noted = verification.checkpoints(CheckpointLog(data / "checkpoints.log").all())
        found += [f"checkpoint {state.result}" for state in noted if state.result != "holds"]
        return found
    finally:
        store.close()


def works_again(data: Path) -> list[str]:
    """Append a question, recall it, and leave nothing beside the record; what of that fails."""
    found = []
    with house(data) as (opened, subject):
        before = opened.memory.ledger.count(subject.id)
        names = opened.reads.names(subject.id)
        asked = opened.record.question(subject.id, "Does the zebra cross the membrane?", "en", names)
        text, now = "What did I say about the zebra?", opened.clock.now()
        reading = opened.reads.understand(subject.id, text, now)
        reading = opened.reads.read(subject.id, text, reading, now)
        if opened.memory.ledger.count(subject.id) != before + 1:
            found.append("an append after the kill is not counted")
        memories = reading.recalled.memories if reading.recalled else ()
        if asked.id not in [memory.episode.id for memory in memories] or not reading.brief.text:
            found.append("an append after the kill is not recalled")
    left = [path.name for path in data.rglob("*") if ".part" in path.name or path.name.startswith("looked-into")]
    return found + [f"left behind: {name}" for name in left]


def warm() -> None:
    """Read what the program reads once from its resources, so that it need not do so in every forked process."""
    load_catalogue()
    for text in ("What did I say about the zebra?", "What is osmosis?", "Osmosis is a process.", "Say what it does."):
        understand(text, Moment.parse(NOW), Names([]))
        identify(text, "en")


def logical(data: Path) -> str:
    """One line a table: everything but ids, salts, hashes and times of recording."""
    store = Store(data / "memory.db", room=0)
    try:
        reader = store.reader()
        names = {id: f"{kind} {name}" for kind, sql in _NAMES.items() for id, name in reader.execute(sql)}
        lines = [json.dumps(reader.execute(sql).fetchall(), ensure_ascii=False) for sql in _CONTENT]
    finally:
        store.close()
    text = "\n".join(lines).replace(str(data), "DATA")
    for _ in range(2):  # a name may hold another id
        text = _UUID.sub(lambda found: names.get(found[0], "?"), text)
    return text
