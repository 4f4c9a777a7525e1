"""How well the student model predicts: AUC, Brier score and calibration error on real answers, in order, per student.

    python tests/benchmark/mastery.py [--data FILE.csv.gz] [--json]

Each trial is predicted before its outcome is seen, exactly as before a check: by the concept's mastery, or, for a
concept never seen, by the student's first checks on other concepts. Nothing is fitted on this data. Baselines: the
student's running mean, and the running mean of each concept with the student's as its prior. A concept is an item (one
word) or an expert's skill.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from memory.calibration import calibrate
from memory.episodes import Verdict
from memory.mastery import KNOWN_AT_FIRST, FirstChecks, chance_of_right, first_chance, learn_from

DATA = Path(__file__).parents[1] / "data" / "answer_logs" / "spanish_vocabulary_trials.csv.gz"
Trial = tuple[str, bool]
Predictor = Callable[[list[Trial]], list[float]]


@dataclass(frozen=True, slots=True)
class Figures:
    """``auc`` over all trials, ``auc_per_student`` the mean of the students' own; Brier score; calibration error."""

    trials: int
    auc: float
    auc_per_student: float
    brier: float
    ece: float


def read(path: Path, column: str) -> dict[str, list[Trial]]:
    """Each student's trials in order: (concept, right)."""
    students: dict[str, list[Trial]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            students[row["student"]].append((row[column], row["correct"] == "1"))
    return students


def student_model(trials: list[Trial]) -> list[float]:
    """The model as it is used: see :mod:`memory.mastery`."""
    mastery: dict[str, float] = {}
    count, score, predicted = 0, 0.0, []
    for concept, right in trials:
        before = mastery.get(concept)
        predicted.append(first_chance(FirstChecks(count, score)) if before is None else chance_of_right(before))
        if before is None:
            count, score = count + 1, score + right
        mastery[concept] = learn_from(
            KNOWN_AT_FIRST if before is None else before, Verdict.RIGHT if right else Verdict.WRONG
        )
    return predicted


def running_mean(trials: list[Trial]) -> list[float]:
    """The share of right answers of this student so far."""
    predicted, total = [], 0
    for index, (_, right) in enumerate(trials):
        predicted.append((total + 1) / (index + 2))
        total += right
    return predicted


def running_mean_per_concept(trials: list[Trial]) -> list[float]:
    """The share of right answers on this concept so far, with the student's own share worth two trials."""
    seen: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    predicted = []
    for (concept, right), overall in zip(trials, running_mean(trials), strict=True):
        total, count = seen[concept]
        predicted.append((total + 2 * overall) / (count + 2))
        seen[concept] = [total + right, count + 1]
    return predicted


PREDICTORS: dict[str, Predictor] = {
    "student model": student_model,
    "running mean per concept": running_mean_per_concept,
    "running mean": running_mean,
}


def auc(pairs: Iterable[tuple[float, bool]]) -> float:
    """The chance that a right trial was predicted higher than a wrong one, ties counting half (Mann and Whitney)."""
    ranked = sorted(pairs)
    rights = sum(right for _, right in ranked)
    wrongs = len(ranked) - rights
    if not rights or not wrongs:
        return 0.5
    total, start = 0.0, 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end][0] == ranked[start][0]:
            end += 1
        total += (start + 1 + end) / 2 * sum(right for _, right in ranked[start:end])
        start = end
    return (total - rights * (rights + 1) / 2) / (rights * wrongs)


def measure(students: dict[str, list[Trial]], predictor: Predictor) -> Figures:
    """The figures of one predictor."""
    each = [list(zip(predictor(trials), (right for _, right in trials), strict=True)) for trials in students.values()]
    pairs = [pair for student in each for pair in student]
    found = calibrate([(predicted, float(right)) for predicted, right in pairs])
    assert found.brier is not None
    assert found.ece is not None
    return Figures(
        trials=len(pairs),
        auc=auc(pairs),
        auc_per_student=sum(map(auc, each)) / len(each),
        brier=found.brier,
        ece=found.ece,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = {
        column: {name: measure(read(options.data, column), predictor) for name, predictor in PREDICTORS.items()}
        for column in ("item", "skill")
    }
    if options.json:
        plain = {
            column: {
                name: {key: round(getattr(found, key), 4) for key in Figures.__slots__} for name, found in each.items()
            }
            for column, each in results.items()
        }
        print(json.dumps(plain, indent=1))
        return
    for column, each in results.items():
        print(f"a concept is one {column}")
        for name, found in each.items():
            print(
                f"  {name:26} AUC {found.auc:.3f}  per student {found.auc_per_student:.3f}"
                f"  Brier {found.brier:.4f}  ECE {found.ece:.4f}"
            )


if __name__ == "__main__":
    main()
