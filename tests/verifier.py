"""Checks an export of Retiens without Retiens: python verifier.py EXPORT [CHECKPOINT LINE]"""

import json
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
SHOWN = ("text", "summary", "topic", "reply", "expected", "evaluation", "extra", "language", "verdict", "predicted")
SHOWN += ("score", "external_id", "plan", "state", "about", "replaces", "evidence", "concepts")
WEIGHTS = {"taught": 0.85, "quiz": 0.6, "file": 0.5, "answer": 0.4, "question": 0.35, "consolidation": 0.5}


def sha(tag, *parts):
    prefixed = [len(part).to_bytes(8, "big") + part for part in parts]
    return sha256(b"retiens.%s.v1\0" % tag + b"".join(prefixed)).digest()


def holds(line, seq, prev, redacted):
    """Whether one exported episode is the one that follows ``prev``, and shows what was chained and nothing else."""
    chain, kind = line["chain"], line["kind"]
    known = {"concepts": [], **json.loads(chain["meta"]), "extra": None, **json.loads(chain["body"] or "{}")}
    body, salt, digest = chain["body"].encode(), bytes.fromhex(chain["salt"]), bytes.fromhex(chain["digest"])
    times = [b"%d" % ((datetime.fromisoformat(line[key]) - EPOCH) // MICROSECOND) for key in ("at", "recorded_at")]
    names = [line[key].encode() for key in ("id", "kind", "origin")]
    place = [b"%d" % line["offset"], line["zone"].encode(), chain["meta"].encode(), digest]
    found = sha(b"episode", b"%d" % seq, prev, *names, *times, *place).hex()
    linked = (line["seq"], chain["prev"], chain["hash"]) == (seq, prev.hex(), found)
    words = sha(b"content", salt, body) == digest if body else not salt and line["id"] in redacted
    verdict = {"wrong": 0.7, "partly": 0.65}.get(known.get("verdict"), 0.6)
    salient = line["salience"] == (verdict if kind == "check" else WEIGHTS.get(kind, 0.0))
    return linked and words and salient and all(line.get(key) == known.get(key) for key in SHOWN)


def verify(lines):
    """Of each subject: the hash after every episode (genesis first), and the id of the first bad episode or None."""
    episodes = [line for line in map(json.loads, lines) if "belief" not in line]
    redacted = {line.get("about") for line in episodes if line["kind"] == "redaction"}
    hashes, broken = {}, {}
    for line in episodes:
        subject = line["chain"]["subject"]
        passed = hashes.setdefault(subject, [sha(b"genesis", subject.encode())])
        if broken.setdefault(subject) is None:
            broken[subject] = line["id"]
            with suppress(AttributeError, KeyError, TypeError, ValueError):
                broken[subject] = None if holds(line, len(passed), passed[-1], redacted) else line["id"]
                passed += [bytes.fromhex(line["chain"]["hash"])]
    return hashes, broken


if __name__ == "__main__":
    hashes, broken = verify(Path(sys.argv[1]).read_text("utf-8").rstrip("\n").split("\n"))
    for _, subject, seq, head, _ in [line.split() for line in sys.argv[2:]]:
        kept = hashes.get(subject, [])[int(seq) :][:1] == [bytes.fromhex(head)]
        broken[f"checkpoint of {subject}"] = None if kept else f"episode {seq}"
    print(*(f"{what}: {f'breaks at {bad}' if bad else 'holds'}" for what, bad in broken.items()), sep="\n")
    sys.exit(any(broken.values()))
