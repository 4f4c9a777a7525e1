"""ChatGPT's conversations come into the record once, teach nothing and are held for no belief."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]

_TALK = (
    ("u1", None, "user", "What is osmosis?"),
    ("a1", "u1", "assistant", "Osmosis is the movement of water through a membrane. You got it right!"),
    ("u2", "a1", "user", "Remember that osmosis needs no energy"),
    ("a2", "u2", "assistant", "Noted."),
)


def exported(folder: Path) -> Path:
    mapping = {
        id: {
            "parent": parent,
            "message": {
                "id": id,
                "author": {"role": role},
                "create_time": 1_783_000_000.0 + place,
                "content": {"content_type": "text", "parts": [text]},
            },
        }
        for place, (id, parent, role, text) in enumerate(_TALK)
    }
    path = folder / "conversations.json"
    path.write_text(
        json.dumps([{"title": "Cells", "current_node": "a2", "mapping": mapping}, "torn"], indent=1), "utf-8"
    )
    return path


def test_conversations_are_imported_once_and_believed_never(cli: Run, tmp_path: Path) -> None:
    path = exported(tmp_path)
    done = cli("import", path, "--format", "chatgpt").document
    assert (done["imported"], done["skipped"], [error["line"] for error in done["errors"]]) == (4, 0, [2])
    again = cli("import", path, "--format", "chatgpt").document
    assert (again["imported"], again["skipped"]) == (0, 4)
    assert cli("beliefs").document["beliefs"] == []
    assert cli("report").document["taught"] == []
    found = cli("recall", "osmosis").document["memories"]
    assert {each["external_id"] for each in found} & {"chatgpt:u1", "chatgpt:u2"}
    assert all(each["at"].startswith("2026-07-02") for each in found)
    assert cli("verify").code == 0


def test_another_file_is_refused_in_words(cli: Run, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("not json", "utf-8")
    said = cli("import", path, "--format", "chatgpt")
    assert (said.code, "sentence" in said.document) == (4, True)
    assert "log.jsonl" in said.err
