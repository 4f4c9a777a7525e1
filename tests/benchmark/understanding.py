"""How well messages are understood: kind, teaching and time windows, by language, on labelled messages.

``python tests/benchmark/understanding.py DATA [--half even|odd] [--show]`` where DATA holds ``utterances.jsonl``,
``questions_templates.jsonl``, ``intents/xsid.jsonl``, ``qa/xquad_shared.jsonl`` and ``time/time_windows.jsonl``. Prints
tables; ``--json FILE`` writes the figures. ``--wordings FILE`` (lines of language, kind and message, parted by tabs;
the tests' own where not given) adds a table of what was taken for what, by language.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from memory.moments import Moment, Window
from memory.routing import Names
from memory.understanding import MessageKind, Understanding, understand
from memory.windows import find_window
from memory.words import LANGUAGES

NOW = Moment.parse("2026-10-15T17:00:00+02:00")
SLOTS = {
    "en": ("photosynthesis", "July"),
    "fr": ("la photosynthèse", "juillet"),
    "es": ("la fotosíntesis", "julio"),
    "ar": ("البناء الضوئي", "يوليو"),
}
CATEGORIES = {
    "explain": "ordinary",
    "missed": "record missed",
    "active_month": "record covered",
    "empty_month": "record covered",
    "prerequisite": "prerequisite",
    "taught": "record taught",
}


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def label(kind: str, sub: str | None) -> str:
    """Kind and sub as one word pair; a wish is an ordinary message."""
    return f"{kind} {sub}" if sub and kind == "record" else kind


def messages(data: Path, half: str | None) -> Iterator[dict[str, Any]]:
    """Labelled messages: the utterances, then the question templates with their slots filled."""
    for number, row in enumerate(lines(data / "utterances.jsonl")):
        if half is None or number % 2 == (half == "odd"):
            yield row | {"set": "utterances"}
    july = {"from": "2026-07-01", "to": "2026-07-31"}
    for number, row in enumerate(lines(data / "questions_templates.jsonl")):
        if half is None or number % 2 == (half == "odd"):
            concept, month = SLOTS[row["lang"]]
            kind, _, sub = CATEGORIES[row["category"]].partition(" ")
            yield {
                "set": "templates",
                "id": f"t-{row['lang']}-{number}",
                "lang": row["lang"],
                "text": row["template"].replace("{concept}", concept).replace("{month}", month),
                "kind": kind,
                "sub": sub or None,
                "window": july if "{month}" in row["template"] else None,
                "taught": None,
                "concept": concept if "{concept}" in row["template"] else None,
            }


def overlap(one: str | None, other: str | None) -> float:
    """F1 of two texts' words."""
    if not one or not other:
        return float(one == other)
    first, second = Counter(one.lower().split()), Counter(other.lower().split())
    return 2 * sum((first & second).values()) / (sum(first.values()) + sum(second.values()))


def score_messages(data: Path, half: str | None, show: bool) -> dict[str, Any]:
    """Kinds, teaching, windows, concepts and languages over all messages."""
    right: dict[str, list[bool]] = defaultdict(list)
    confusion: Counter[tuple[str, str]] = Counter()
    teach: Counter[str] = Counter()
    windows: dict[str, Counter[str]] = defaultdict(Counter)
    taught, concepts, languages, cost = [], [], [], []
    for row in messages(data, half):
        begun = time.perf_counter()
        got = understand(row["text"], NOW, Names(), row["kind"] == "check_answer", row["lang"])
        cost.append((time.perf_counter() - begun) * 1000)
        wanted, said = label(row["kind"], row["sub"]), label(got.kind, got.sub)
        good = got.kind == row["kind"]
        right[row["set"]].append(good)
        right[f"{row['set']} with sub"].append(wanted == said)
        right[f"{row['set']} {row['lang']}"].append(good)
        alone = understand(row["text"], NOW, Names(), row["kind"] == "check_answer")
        languages.append(alone.language == row["lang"] or row["kind"] == "check_answer")
        confusion[wanted, said] += wanted != said
        teach["hit"] += row["kind"] == "teach" == got.kind
        teach["false"] += got.kind == "teach" != row["kind"]
        teach["missed"] += row["kind"] == "teach" != got.kind
        if row["kind"] == "teach" == got.kind:
            taught.append(overlap(got.taught, row["taught"]))
        if row["kind"] not in ("check_answer", "smalltalk"):
            concepts.append(overlap(got.concept_text, row["concept"]))
        outcome = window_outcome(got, row["window"])
        windows[row["lang"]][outcome] += 1
        windows["all"][outcome] += 1
        if show and (
            wanted != said or outcome in ("wrong", "silent", "invented") or (got.taught or "") != (row["taught"] or "")
        ):
            span = f"{got.window.first}..{got.window.last}" if got.window else "-"
            print(f"{row['id']} [{wanted} → {said}] {got.language} {outcome} {span} | {row['text']} | {got.taught}")
    return {
        "accuracy": {name: round(statistics.mean(values), 4) for name, values in sorted(right.items())},
        "confusion": {f"{a} → {b}": n for (a, b), n in confusion.most_common() if n},
        "teach": teach
        | {
            "precision": round(teach["hit"] / max(1, teach["hit"] + teach["false"]), 4),
            "recall": round(teach["hit"] / max(1, teach["hit"] + teach["missed"]), 4),
            "note overlap": round(statistics.mean(taught or [0]), 4),
        },
        "windows": {name: dict(found) for name, found in windows.items()},
        "concept overlap": round(statistics.mean(concepts), 4),
        "language without a hint": round(statistics.mean(languages), 4),
        "ms": {"median": round(statistics.median(cost), 3), "p95": round(sorted(cost)[int(len(cost) * 0.95)], 3)},
    }


def window_outcome(got: Understanding, wanted: dict[str, str] | None) -> str:
    """exact, wrong, silent (missed), invented or none."""
    if wanted is None:
        return "invented" if got.window else "none"
    if got.window is None:
        return "silent"
    exact = Window(date.fromisoformat(wanted["from"]), date.fromisoformat(wanted["to"]))
    return "exact" if got.window == exact else "wrong"


def score_wordings(path: Path) -> dict[str, Any]:
    """Kinds of further messages: accuracy and what was taken for what, by language."""
    right: dict[str, list[bool]] = defaultdict(list)
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        language, wanted, text = line.split("\t")
        got = understand(text, NOW, Names(), wanted == "check_answer", language)
        said = label(got.kind, got.sub).replace(" ", ".")
        for name in (language, "all"):
            right[name].append(said == wanted)
        if said != wanted:
            confusion[language][f"{wanted} → {said}"] += 1
    return {
        "accuracy": {name: round(statistics.mean(values), 4) for name, values in sorted(right.items())},
        "confusion": {name: dict(counts.most_common()) for name, counts in sorted(confusion.items())},
    }


def score_near_misses(data: Path, show: bool) -> dict[str, Any]:
    """Commands to other assistants: none may teach, none may open the record."""
    found: Counter[str] = Counter()
    for row in lines(data / "intents" / "xsid.jsonl"):
        got = understand(row["text"], NOW, Names(), False, row["lang"] if row["lang"] != "nl" else None)
        found[label(got.kind, got.sub)] += 1
        if show and got.kind not in (MessageKind.ORDINARY, MessageKind.SMALLTALK):
            print(f"{row['id']} {row['lang']} {label(got.kind, got.sub)} | {row['text']} | {got.taught}")
    return dict(found)


def shape(first: date, last: date, reference: date) -> str:
    """What a wanted window is: ahead (what is still to come), day, week, month, quarter, year, or another span."""
    if first == last:
        return "day"
    if first.weekday() == 0 and (last - first).days == 6:
        return "week"
    following = last + timedelta(days=1)
    if first.day == 1 and following.day == 1:
        months = (following.year - first.year) * 12 + following.month - first.month
        return {1: "month", 3: "quarter", 12: "year"}.get(months, "span")
    return "ahead" if first == reference and last > reference else "span"


def score_content(data: Path, show: bool) -> dict[str, Any]:
    """Questions about an encyclopedia's pages: all are ordinary. Languages without a lexicon are left out."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in lines(data / "qa" / "xquad_shared.jsonl"):
        if row["lang"] in LANGUAGES:
            got = understand(row["question"], NOW, Names(), False, row["lang"])
            found[row["lang"]][label(got.kind, got.sub)] += 1
            if show and got.kind is not MessageKind.ORDINARY:
                print(f"{row['lang']} {label(got.kind, got.sub)} | {row['question']}")
    return {name: dict(counts) for name, counts in sorted(found.items())}


def score_expressions(data: Path, show: bool) -> dict[str, Any]:
    """Core time expressions of public corpora, by language and by shape of the wanted window.

    exact; near (overlapping by half); wider (all the wanted days and more: "three weeks ago" is a day for one source
    and a week for us); wrong; silent.
    """
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in lines(data / "time" / "time_windows.jsonl"):
        if not row["core"]:
            continue
        reference = Moment.parse(row["reference"], "UTC")
        first = date.fromisoformat(row["tutor_start"][:10])
        last = date.fromisoformat(row["tutor_end_exclusive"][:10]) - timedelta(days=1)
        kind = shape(first, last, reference.day)
        wanted = Window(first, max(first, min(last, reference.day)))
        got = find_window(row["expression"], row["lang"], reference)
        outcome = "silent"
        if got:
            common = (min(got.window.last, wanted.last) - max(got.window.first, wanted.first)).days + 1
            union = (max(got.window.last, wanted.last) - min(got.window.first, wanted.first)).days + 1
            exact = got.window == wanted
            wider = common == (wanted.last - wanted.first).days + 1
            outcome = "exact" if exact else "near" if common / union >= 0.5 else "wider" if wider else "wrong"
        for name in ("all", f"language {row['lang']}", f"shape {kind}"):
            found[name][outcome] += 1
        if kind in ("day", "week", "month", "quarter", "year"):
            found["day, week, month, quarter"][outcome] += 1
        if show and outcome != "exact":
            span = f"{got.window.first}..{got.window.last}" if got else "-"
            print(f"{row['id']} {row['lang']} {outcome} | {row['expression']} | {wanted.first}..{wanted.last} | {span}")
    return {name: dict(counts) for name, counts in sorted(found.items())}


def main() -> None:
    """Score everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", choices=("even", "odd"))
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", choices=("messages", "wordings", "near", "content", "time"))
    parser.add_argument("--wordings", type=Path, default=Path(__file__).parents[1] / "memory" / "wordings.tsv")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    figures: dict[str, Any] = {}
    if given.only in (None, "messages"):
        figures["messages"] = score_messages(given.data, given.half, given.show)
    if given.only in (None, "wordings"):
        figures["wordings"] = score_wordings(given.wordings)
    if given.only in (None, "near"):
        figures["near misses"] = score_near_misses(given.data, given.show)
    if given.only in (None, "content"):
        figures["questions about content"] = score_content(given.data, given.show)
    if given.only in (None, "time"):
        figures["time expressions"] = score_expressions(given.data, given.show)
    text = json.dumps(figures, ensure_ascii=False, indent=1)
    print(text)
    if given.json:
        given.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
