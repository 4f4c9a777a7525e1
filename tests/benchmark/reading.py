"""Measures reading: concept F1 by language, format and emphasis, pages a second, pages of concepts, cycles.

    python tests/benchmark/reading.py [--shared FOLDER] [--each]

The gold is the glossaries of ``data/concepts`` and ``data/docs`` in the shared folder; the judge is its
``tools/score_concepts.py``. Files are read through the same parsers as a student's.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import networkx

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.reading.formats import parser_of
from app.reading.parsed import ParsedPage
from app.reading.understand import language_of, understand_pages
from memory.readings import Reading

SHARED = Path(__file__).parents[3] / "shared"
PLAIN, MARKED = "plain", "marked"


@dataclass(frozen=True, slots=True)
class Study:
    """One file with its gold terms: ``variant`` says whether its bold is there."""

    id: str
    language: str
    format: str
    variant: str
    pages: tuple[ParsedPage, ...]
    gold: tuple[str, ...]
    where: dict[str, tuple[int, ...]]
    seconds: float


def judge(shared: Path) -> Any:
    """The shared scorer as a module."""
    spec = importlib.util.spec_from_file_location("score_concepts", shared / "tools" / "score_concepts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def studies(shared: Path) -> Iterator[Study]:
    """Every file of the shared folder that has gold terms."""
    with tempfile.TemporaryDirectory() as folder:
        for line in (shared / "data/concepts/concepts.jsonl").read_text("utf-8").splitlines():
            raw = json.loads(line)
            gold = tuple(each["term"] for each in raw["gold"])
            for variant, key, end in ((PLAIN, "pages", "txt"), (MARKED, "pages_marked", "md")):
                path = Path(folder) / f"{raw['id']}.{end}"
                path.write_text("\f".join(raw[key]), "utf-8")
                yield study(raw["id"], raw["language"], variant, path, gold, {})
    docs = shared / "data/docs"
    gold_of: dict[str, list[str]] = defaultdict(list)
    where: dict[str, dict[str, tuple[int, ...]]] = defaultdict(dict)
    for line in (docs / "gold_concepts.jsonl").read_text("utf-8").splitlines():
        raw = json.loads(line)
        if not raw.get("generic") and not raw.get("weak"):
            gold_of[raw["doc_id"]].append(raw["concept"])
            where[raw["doc_id"]][raw["concept"]] = tuple(raw.get("pages") or ())
    for line in (docs / "gold_terms_in_text.jsonl").read_text("utf-8").splitlines():
        raw = json.loads(line)
        if raw["term"] not in gold_of[raw["doc_id"]]:
            gold_of[raw["doc_id"]].append(raw["term"])
    for line in (docs / "docs.jsonl").read_text("utf-8").splitlines():
        raw = json.loads(line)
        if raw["doc_id"] not in gold_of:
            continue
        path = docs / raw["file"]
        names = tuple(gold_of[raw["doc_id"]])
        yield study(raw["doc_id"], raw["lang"], MARKED, path, names, where[raw["doc_id"]])
        bare = docs / "files" / "plain" / path.name
        if bare.exists():
            yield study(raw["doc_id"], raw["lang"], PLAIN, bare, names, where[raw["doc_id"]])
        else:
            one = study(raw["doc_id"], raw["lang"], PLAIN, path, names, where[raw["doc_id"]])
            yield replace(one, pages=tuple(replace(page, emphasis=()) for page in one.pages))


def study(
    id: str, language: str, variant: str, path: Path, gold: tuple[str, ...], where: dict[str, tuple[int, ...]]
) -> Study:
    """One file, parsed."""
    began = time.perf_counter()
    format, parse = parser_of(path)
    pages = tuple(page for _, page in parse(path))
    return Study(id, language, format, variant, pages, gold, where, time.perf_counter() - began)


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--shared", type=Path, default=SHARED)
    options.add_argument("--each", action="store_true")
    chosen = options.parse_args()
    score = judge(chosen.shared)
    tables: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    seconds = words = 0.0
    for one in studies(chosen.shared):
        began = time.perf_counter()
        language = language_of(one.pages, "en")
        reading = understand_pages(one.pages, language)
        seconds += time.perf_counter() - began
        words += sum(len(line.split()) for page in one.pages for line in page.page.lines)
        names = [concept.name for concept in reading.concepts]
        gold = [{"term": term} for term in one.gold]
        matched = score.pairs(gold, names, one.language, True)
        row = (len(matched), len(names), len(gold))
        kind = one.format if one.format == "pdf" else "text"
        for key in (f"{kind} {one.variant}", f"{kind} {one.variant} {one.language}"):
            tables[key].append(row)
        check(one, reading, matched, counts)
        if chosen.each:
            p, r, f = score.prf(*row)
            print(f"{one.id:34} {one.variant:6} {language} P {p:.2f} R {r:.2f} F1 {f:.2f} ({len(names)} names)")
    for key in sorted(tables):
        tp, found, wanted = (sum(column) for column in zip(*tables[key], strict=True))
        p, r, f = score.prf(tp, found, wanted)
        print(f"{key:20} P {p:.3f} R {r:.3f} F1 {f:.3f} ({len(tables[key])} files)")
    print(f"{words / 350 / seconds:.0f} pages of 350 words a second once parsed;", dict(counts))


def check(one: Study, reading: Reading, matched: dict[int, int], counts: dict[str, int]) -> None:
    """Count what must hold whatever the score: names and quotes stand in the file, pages are right, no cycles."""
    texts = {page.page.page: squeezed(" ".join(page.page.lines)) for page in one.pages}
    whole = " ".join(texts.values())
    titles = {heading.text.casefold() for page in one.pages for heading in page.page.headings}
    gold = {term.casefold() for term in one.gold}
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    for concept in reading.concepts:
        counts["names"] += 1
        counts["names absent"] += squeezed(concept.name) not in whole
        counts["titles"] += concept.name.casefold() in titles - gold and concept.definition is None
        counts["edges"] += len(concept.builds_on)
        graph.add_edges_from((concept.name, edge.name) for edge in concept.builds_on)
        if concept.definition is not None:
            counts["quotes"] += 1
            counts["quotes misplaced"] += squeezed(concept.definition.text) not in texts[concept.definition.page]
    counts["cyclic"] += not networkx.is_directed_acyclic_graph(graph)
    for gold_at, name_at in matched.items():
        pages = one.where.get(one.gold[gold_at])
        if pages and one.format == "pdf":
            counts["pages judged"] += 1
            counts["pages right"] += bool(set(pages) & set(reading.concepts[name_at].pages))


def squeezed(text: str) -> str:
    """Letters and digits alone, so that line breaks and hyphens do not matter."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


if __name__ == "__main__":
    main()
