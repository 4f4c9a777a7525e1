"""A window that stays open, without its picture: the student writes, the tutor answers, panels read.

    python open_window.py STUDENT NOW

Says ``open``, goes on until a line comes in, then prints what it wrote: ids, and the longest that a turn took.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path

from app.clock import Clock
from app.folders import Folders
from app.wiring import open_house


def live(data: Path, now: str) -> None:
    """Write and read until told to end."""
    house = open_house(Folders(data, data / "models"), Clock(now))
    subject = house.subject("Biology", create=True)
    told = threading.Thread(target=sys.stdin.readline, daemon=True)
    slowest, asked, answered = 0.0, [], []
    print("open", flush=True)
    told.start()
    while told.is_alive():
        began = time.perf_counter()
        names = house.reads.names(subject.id)
        question = house.record.question(subject.id, f"Window question {len(asked)} on osmosis?", "en", names)
        asked.append(question.id)
        answered.append(house.record.answer(subject.id, question.id, "Water moves.", "en", "answer", ()).id)
        slowest = max(slowest, time.perf_counter() - began)
        house.memory.beliefs.current(subject.id)
        house.memory.map.concepts(subject.id)
        time.sleep(0.02)
    house.close()
    print(json.dumps({"asked": asked, "answered": answered, "slowest": slowest}), flush=True)


if __name__ == "__main__":
    live(Path(sys.argv[1]), sys.argv[2])
