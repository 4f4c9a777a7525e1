"""Concept F1 by file, format and language: python tests/benchmark/reading.py [--write FOLDER]

Lenient and strict F1 by the shared scorer; also seconds a page, section titles among the names, names not in the file.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[3] / "shared" / "tools"), str(Path(__file__).parents[2])]

from score_concepts import HEAD_FIRST, forms, head_match, words

from app.reading.understand import understand_pages
from tests.benchmark.reading_sets import Case, cases


def lenient(case: Case, names: list[str]) -> tuple[int, int, int]:
    """(names matched, names, gold): one to one, strict pairs first."""
    gold = [forms(item["term"], case.language) for item in case.gold]
    free, hits = set(range(len(gold))), 0
    rest = []
    for name in names:
        own = words(name, case.language)
        found = next((at for at in sorted(free) if own in gold[at]), None)
        if found is None:
            rest.append(own)
        else:
            free.discard(found)
            hits += 1
    head = 0 if case.language in HEAD_FIRST else -1
    heads = [words(item["term"], case.language)[head] for item in case.gold]
    for own in rest:
        near = (at for at in sorted(free) if any(head_match(own, each, case.language, heads) for each in gold[at]))
        found = next(near, None)
        if found is not None:
            free.discard(found)
            hits += 1
    return hits, len(names), len(gold)


def main() -> None:
    totals: dict[tuple[str, bool], list[float]] = defaultdict(lambda: [0, 0, 0])
    seconds, pages = 0.0, 0.0
    for case in cases():
        began = time.perf_counter()
        reading = understand_pages(case.pages, case.language)
        seconds += time.perf_counter() - began
        text = "\n".join(line for page in case.pages for line in page.page.lines).lower()
        pages += max(1, len(text.split()) / 350)
        names = [concept.name for concept in reading.concepts]
        hits, given, gold = lenient(case, names)
        for key in ((case.language, case.marked), ("all", case.marked)):
            for place, value in enumerate((hits, given, gold)):
                totals[key][place] += value
        f1 = 2 * hits / max(1, given + gold)
        flat = " ".join(text.split())
        strange = [name for name in names if " ".join(name.lower().split()) not in flat]
        edges = sum(len(concept.builds_on) for concept in reading.concepts)
        print(f"{case.id:38} {'bold ' if case.marked else 'plain'} F1 {f1:.2f}  {hits}/{given}/{gold}  edges {edges}", strange[:3] or "")
    for (language, marked), (hits, given, gold) in sorted(totals.items()):
        print(f"{language:4} {'bold ' if marked else 'plain'} P {hits / given:.3f} R {hits / gold:.3f} F1 {2 * hits / (given + gold):.3f}")
    print(f"{pages / seconds:.0f} pages a second")


if __name__ == "__main__":
    main()
