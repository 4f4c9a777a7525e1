"""Kills a program that is writing, again and again, and looks at what it left.

    .venv/bin/python tests/benchmark/torture [OPERATION …] [--kills 200] [--seed 1] [--seconds 500] [--out FILE]

Each round starts a real process that appends, imports, reads a PDF, runs a night or migrates an old database; it is
ended with ``kill -9`` at a moment drawn from the seed, the operation and the number of the round. Then another process
looks: nothing acknowledged may be missing, every chain and checkpoint must hold, no orphan may be left, the same
operation done again must end as if it had never been killed, and the program must append and read once more.

``--seconds`` ends a slice; the same command goes on where ``--out`` says it stopped. Exit code 1: something was found.
``--broken`` runs a program that is wrong on purpose (``no-transactions``, ``early``): the script must find that out.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

OPERATIONS = ("append", "import", "read", "nightly", "migration")


def main() -> int:
    """Run the rounds that are still to be run; print the table of all."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process is forked for each round
    from rounds import Tally, Torture

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("operations", nargs="*", metavar="OPERATION", type=_operation, help=", ".join(OPERATIONS))
    parser.add_argument("--kills", type=int, default=200, help="kills of each operation (200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=500.0, help="end the slice after so many seconds (500)")
    parser.add_argument("--out", type=Path, help="a JSON file that the figures are kept in from slice to slice")
    parser.add_argument("--broken", choices=["no-transactions", "early"], help="a program that is wrong on purpose")
    asked = parser.parse_args()
    kept: dict[str, Any] = json.loads(asked.out.read_text("utf-8")) if asked.out and asked.out.exists() else {}
    until = time.monotonic() + asked.seconds
    tallies: dict[str, Tally] = {name: Tally(**kept.get(name, {})) for name in asked.operations or OPERATIONS}
    for name, tally in tallies.items():
        with tempfile.TemporaryDirectory(prefix="torture-") as folder:
            torture = Torture(name, Path(folder), asked.seed, asked.broken)
            while tally.kills < asked.kills and time.monotonic() < until:
                torture.round(tally)
                kept[name] = tally.as_json()
                if asked.out is not None:
                    asked.out.parent.mkdir(parents=True, exist_ok=True)
                    asked.out.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    print(f"{'operation':<10} {'kills':>6} {'ended':>6} {'acknowledged':>13} {'lost':>5} {'faults':>7}")
    for name, tally in tallies.items():
        print(f"{name:<10} {tally.kills:>6} {tally.ended:>6} {tally.acknowledged:>13} {tally.lost:>5}", end="")
        print(f" {len(tally.faults):>7}", *[f"\n   {fault}" for fault in tally.faults[:5]])
    return 1 if any(tally.faults or tally.lost for tally in tallies.values()) else 0


def _operation(name: str) -> str:
    """One of the operations. Raises ValueError."""
    return OPERATIONS[OPERATIONS.index(name)]


if __name__ == "__main__":
    sys.exit(main())
