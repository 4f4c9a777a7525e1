"""How well claims are told apart that a file supports, and near misses that it does not.

Built from study files with known definitions and questions with known answers. A claim is put beside the six passages
that a turn would have read (BM25), from the same file. Supported: sentences of the file, shortened ones, the book's
own glossary definitions, and answers put into their questions. Not supported: the same with another number, a
negation, an opposite, another concept, another answer of the same paragraph, another month; and claims of other files.

    python tests/benchmark/grounding.py DATA [--per 60] [--seed 7] [--json OUT] [--show N]
"""

from __future__ import annotations

import argparse
import html
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

import pymupdf

from memory.claims import Claim, spans
from memory.grounding import Source, ground
from memory.words import stems, stop_words, tokens

WORDS_A_PASSAGE = 180
PASSAGES = 6
HARDEST = "another answer"
"""Another true phrase of the same paragraph in the place of the answer: figures are given with and without it."""
_TAG = re.compile(r"<[^>]+>")
_NUMBER = re.compile(r"(?<![\w.,])\d{1,4}(?![\w.,]*\d)")
_NEGATED = {
    "en": (r"\b(is|are|was|were|can|has|have|will|does|do)\b(?! not)", r"\1 not"),
    "fr": (r"\b(est|sont|était|peut|sera)\b(?! pas)", r"n'\1 pas"),
    "es": (r"\b(es|son|fue|fueron|era|está|están|puede|tiene|tienen|ha)\b", r"no \1"),
    "de": (r"\b(ist|sind|war|waren|wurde|wurden|kann|hat|haben)\b(?! nicht)", r"\1 nicht"),
    "pt": (r"\b(é|são|foi|era|está|pode|tem|ser)\b", r"não \1"),
    "ar": (r"(?<!\S)(كان|كانت|يكون|تكون|يمكن|هو|هي)(?!\S)", r"ليس \1"),
}
_OPPOSITES = {
    "en": (
        ("higher", "lower"),
        ("more", "less"),
        ("large", "small"),
        ("increase", "decrease"),
        ("first", "last"),
        ("positive", "negative"),
        ("always", "never"),
        ("inside", "outside"),
        ("before", "after"),
    ),
    "es": (
        ("mayor", "menor"),
        ("más", "menos"),
        ("aumenta", "disminuye"),
        ("positivo", "negativo"),
        ("máximo", "mínimo"),
        ("antes", "después"),
        ("primera", "última"),
    ),
    "fr": (("plus", "moins"), ("grand", "petit"), ("positive", "négative"), ("toujours", "jamais")),
    "de": (("mehr", "weniger"), ("größer", "kleiner"), ("erste", "letzte"), ("hoch", "niedrig"), ("nach", "vor")),
    "pt": (("maior", "menor"), ("mais", "menos"), ("positiva", "negativa")),
    "ar": (("أكثر", "أقل"), ("أكبر", "أصغر"), ("قبل", "بعد")),
}
_MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "es": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    "ar": [
        "يناير",
        "فبراير",
        "مارس",
        "أبريل",
        "مايو",
        "يونيو",
        "يوليو",
        "أغسطس",
        "سبتمبر",
        "أكتوبر",
        "نوفمبر",
        "ديسمبر",
    ],
}
_ASKED = {
    "en": r"^(?:How many|How much|Which|What|Who|Whom|Whose|When|Where|How|In what|In which|At what|On what)\b",
    "es": r"^¿?(?:Cuántos|Cuántas|Cuánto|Qué|Cuál|Cuáles|Quién|Quiénes|Cuándo|Dónde|Cómo|En qué|A qué|De qué)\b",
    "de": r"^(?:Wie viele|Wie viel|Welche[rsnm]?|Was|Wer|Wen|Wem|Wessen|Wann|Wo|Wie|In welche[rmn]|An welche[rm])\b",
    "ar": r"^(?:كم عدد|كم|ما هو|ما هي|ما|من هو|من|متى|أين|كيف|أي|ماذا|في أي|بأي)(?!\S)\s*",
}
_IS = {"en": "is", "fr": "est", "es": "es", "de": "ist", "pt": "é", "ar": "هو"}


@dataclass(frozen=True, slots=True)
class Case:
    """A claim, what it was made from, and whether its file supports it."""

    kind: str
    language: str
    text: str
    doc: str
    supported: bool
    near: str = ""


class Library:
    """The files as passages, found by words."""

    def __init__(self, folder: Path) -> None:
        self.documents = [json.loads(line) for line in (folder / "docs.jsonl").open(encoding="utf-8")]
        self.language = {each["doc_id"]: each["lang"] for each in self.documents}
        self.passages: dict[str, list[str]] = {}
        self._stems: dict[str, list[Counter[str]]] = {}
        for each in self.documents:
            path = folder / each["file"]
            arabic_pdf = each["lang"] == "ar" and path.suffix == ".pdf"  # glyph order: measured with the reading
            if (
                path.exists()
                and path.suffix in {".md", ".html", ".pdf"}
                and not arabic_pdf
                and each["lang"] in _NEGATED
            ):
                kept = list(_passages(_text(path)))
                if kept:
                    self.passages[each["doc_id"]] = kept
                    self._stems[each["doc_id"]] = [Counter(stems(text, each["lang"])) for text in kept]

    def found(self, doc: str, query: str) -> list[int]:
        """The best passages of a file for some words (BM25)."""
        bags, language = self._stems[doc], self.language[doc]
        size = sum(bag.total() for bag in bags) / len(bags)
        wanted = [word for word in set(stems(query, language)) if word not in stop_words(language)]
        counts = {word: sum(word in bag for bag in bags) for word in wanted}
        scores = []
        for index, bag in enumerate(bags):
            score = 0.0
            for word in wanted:
                if bag[word]:
                    rare = log(1 + (len(bags) - counts[word] + 0.5) / (counts[word] + 0.5))
                    score += rare * bag[word] * 2.2 / (bag[word] + 1.2 * (0.25 + 0.75 * bag.total() / size))
            scores.append((score, -index))
        return [-index for score, index in sorted(scores, reverse=True)[:PASSAGES] if score > 0]

    def sources(self, case: Case) -> list[Source]:
        """What a turn would have read for the claim; a near miss reads what its true claim would have."""
        found = self.found(case.doc, case.near or case.text)
        language = self.language[case.doc]
        return [Source("passage", str(index), self.passages[case.doc][index], language, case.doc) for index in found]


def _text(path: Path) -> str:
    if path.suffix == ".pdf":
        with pymupdf.open(path) as file:
            return "\n\n".join(
                " ".join(str(block[4]).split()) for page in file for block in page.get_text("blocks", sort=False)
            )
    text = path.read_text("utf-8")
    if path.suffix == ".html":
        text = re.sub(r"(?s)<(script|style|math)\b.*?</\1>", " ", text)
        text = re.sub(r"(?i)</(p|h\d|li|div|tr)>", "\n\n", text)
        text = html.unescape(_TAG.sub(" ", text))
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", _TAG.sub(" ", text))
    return re.sub(r"[*_`]+", "", text)


def _passages(text: str) -> Iterator[str]:
    held: list[str] = []
    for part in re.split(r"\n\s*\n", text):
        part = " ".join(part.split())
        if not part or part.startswith("#"):
            continue
        held.append(part)
        if sum(len(each.split()) for each in held) >= WORDS_A_PASSAGE:
            yield " ".join(held)
            held = []
    if held:
        yield " ".join(held)


def cases(library: Library, data: Path, per: int, seed: int) -> list[Case]:
    """All cases, ``per`` a kind and language where there are as many."""
    random_ = random.Random(seed)
    made: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for each in [
        *_from_sentences(library, random_),
        *_from_glossary(library, data, random_),
        *_from_questions(library, data, random_),
    ]:
        made[each.kind, each.language].append(each)
    chosen: list[Case] = []
    for some in made.values():
        random_.shuffle(some)
        chosen += some[:per]
    return chosen


def _from_sentences(library: Library, random_: random.Random) -> Iterator[Case]:
    everything: list[tuple[str, str]] = []
    for doc, passages in library.passages.items():
        for passage in passages:
            for first, last in spans(passage):
                sentence = passage[first:last]
                if 8 <= len(sentence.split()) <= 40 and sentence[-1:] in ".۔" and not sentence.endswith("?"):
                    everything.append((doc, sentence))
    random_.shuffle(everything)
    for doc, sentence in everything[:6000]:
        language = library.language[doc]
        yield Case("sentence", language, sentence, doc, True)
        if "," in sentence and len(sentence.split(",")[0].split()) >= 7:
            yield Case("shortened", language, sentence.split(",")[0] + ".", doc, True, sentence)
        number = _NUMBER.search(sentence)
        if number:
            other = str(int(number[0]) + random_.choice([1, 2, 3, 7, 10, 100]))
            swapped = sentence[: number.start()] + other + sentence[number.end() :]
            if not any(other in tokens(passage) for passage in library.passages[doc]):
                yield Case("number swapped", language, swapped, doc, False, sentence)
        pattern, replacement = _NEGATED[language]
        if re.search(pattern, sentence) and not re.search(
            r"\b(not|no|nicht|kein\w*|pas|não|nunca|never|لا|لم|ليس)\b", sentence
        ):
            yield Case("negated", language, re.sub(pattern, replacement, sentence, count=1), doc, False, sentence)
        for one, two in _OPPOSITES.get(language, ()):
            for there, instead in ((one, two), (two, one)):
                if re.search(rf"\b{there}\b", sentence) and not re.search(rf"\b{instead}\b", sentence):
                    yield Case(
                        "opposite", language, re.sub(rf"\b{there}\b", instead, sentence, count=1), doc, False, sentence
                    )
        months = [
            month for month in _MONTHS.get(language, ()) if re.search(rf"\b{month}\b", sentence) and month != "May"
        ]
        if months:
            instead = random_.choice([month for month in _MONTHS[language] if month not in sentence and month != "May"])
            yield Case(
                "month swapped", language, re.sub(rf"\b{months[0]}\b", instead, sentence, count=1), doc, False, sentence
            )
        elsewhere = random_.choice(everything)
        if library.language[elsewhere[0]] == language and elsewhere[0] != doc:
            head, tail = sentence.split()[:6], elsewhere[1].split()[-8:]
            yield Case("invented end", language, " ".join([*head, *tail]), doc, False, sentence)
        if library.language[elsewhere[0]] == language and not any(
            elsewhere[1] in each for each in library.passages[doc]
        ):
            yield Case("another file", language, elsewhere[1], doc, False)


def _from_glossary(library: Library, data: Path, random_: random.Random) -> Iterator[Case]:
    rows = [json.loads(line) for line in (data / "docs" / "gold_concepts.jsonl").open(encoding="utf-8")]
    by_doc = defaultdict(list)
    for row in rows:
        if row.get("definition") and row["doc_id"] in library.passages and len(row["definition"].split()) >= 5:
            by_doc[row["doc_id"]].append(row)
    for doc, some in by_doc.items():
        for row in some:
            language = row["lang"]
            text = f"{row['concept']} {_IS[language]} {row['definition'].rstrip('.:')}."
            yield Case("definition", language, text, doc, True)
            other = random_.choice([each for each in some if each["concept"] not in row["definition"]])
            if other["concept"] != row["concept"] and row["concept"].casefold() not in other["definition"].casefold():
                wrong = f"{row['concept']} {_IS[language]} {other['definition'].rstrip('.:')}."
                if other["concept"].casefold() not in wrong.casefold():
                    yield Case(
                        "another concept",
                        language,
                        wrong,
                        doc,
                        False,
                        f"{other['concept']} {other['definition']} {row['concept']}",
                    )


def _from_questions(library: Library, data: Path, random_: random.Random) -> Iterator[Case]:
    rows = [json.loads(line) for line in (data / "qa" / "xquad_shared.jsonl").open(encoding="utf-8")]
    beside = defaultdict(list)
    for row in rows:
        beside[row["doc_id"], row["paragraph"]].append(row)
    for (doc, _), some in beside.items():
        if doc not in library.passages:
            continue
        for row in some:
            asked = _ASKED[row["lang"]]
            if not re.search(asked, row["question"]):
                continue
            claim = _answered(row, row["answers"][0])
            yield Case("answer", row["lang"], claim, doc, True)
            others = [
                each["answers"][0]
                for each in some
                if each is not row
                and _shape(each["answers"][0]) == _shape(row["answers"][0])
                and not set(tokens(each["answers"][0])) & set(tokens(row["answers"][0] + " " + row["question"]))
            ]
            if others:
                yield Case("another answer", row["lang"], _answered(row, random_.choice(others)), doc, False, claim)


def _answered(row: dict[str, Any], answer: str) -> str:
    body = re.sub(_ASKED[row["lang"]], "", row["question"]).strip(" ?¿؟")
    return f"{answer} {body}."


def _shape(answer: str) -> str:
    return "number" if re.fullmatch(r"[\d.,%½ ]+", answer) else "name" if answer[:1].isupper() else "words"


def measure(chosen: list[Case], library: Library, data: Path) -> dict[str, Any]:
    """Precision and recall of "supported", over all and by kind and language, with milliseconds a claim."""
    names = defaultdict(dict)
    for line in (data / "docs" / "gold_concepts.jsonl").open(encoding="utf-8"):
        row = json.loads(line)
        names[row["doc_id"]][row["concept"]] = [row["concept"], *(row.get("aliases") or [])]
    linked: dict[tuple[str, str], list[tuple[Case, bool, float, str]]] = defaultdict(list)
    spent = 0.0
    for case in chosen:
        sources = library.sources(case)
        began = time.perf_counter()
        found = ground(
            [Claim(0, len(case.text), case.text)],
            sources,
            language=case.language,
            names=names.get(case.doc),
        ).citations[0]
        spent += time.perf_counter() - began
        linked[case.kind, case.language].append((case, found.kind != "none", found.score, found.quote))
    return {"cases": linked, "milliseconds": 1000 * spent / max(1, len(chosen))}


def figures(rows: list[tuple[Case, bool, float, str]]) -> tuple[float, float]:
    """Precision and recall of "supported"."""
    true = sum(case.supported and linked for case, linked, _, _ in rows)
    said = sum(linked for _, linked, _, _ in rows)
    there = sum(case.supported for case, _, _, _ in rows)
    return true / said if said else 1.0, true / there if there else 1.0


def main() -> None:
    """Print the figures; write them where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--per", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    library = Library(options.data / "docs")
    chosen = cases(library, options.data, options.per, options.seed)
    result = measure(chosen, library, options.data)
    everything = [row for rows in result["cases"].values() for row in rows]
    report: dict[str, Any] = {"claims": len(everything), "ms_a_claim": round(result["milliseconds"], 2)}
    report["precision"], report["recall"] = (round(value, 4) for value in figures(everything))
    plain = [row for row in everything if row[0].kind != HARDEST]
    report["without_hardest"] = [round(value, 4) for value in figures(plain)]
    report["kinds"] = {}
    kinds = sorted(
        {kind for kind, _ in result["cases"]},
        key=lambda kind: next(
            row[0].supported for (k, _), rows in result["cases"].items() if k == kind for row in rows
        ),
        reverse=True,
    )
    for kind in kinds:
        line = {}
        for (some, language), rows in sorted(result["cases"].items()):
            if some == kind:
                line[language] = [len(rows), round(sum(linked for _, linked, _, _ in rows) / len(rows), 3)]
        report["kinds"][kind] = line
    by_language = defaultdict(list)
    for (_, language), rows in result["cases"].items():
        by_language[language] += rows
    report["languages"] = {
        language: [len(rows), *(round(value, 3) for value in figures(rows))]
        for language, rows in sorted(by_language.items())
    }
    print(json.dumps({key: value for key, value in report.items() if key != "kinds"}, ensure_ascii=False))
    for kind, line in report["kinds"].items():
        print(f"{kind:16}", "  ".join(f"{language} {share:.2f} ({n})" for language, (n, share) in line.items()))
    if options.show:
        random_ = random.Random(1)
        wrong = [row for row in everything if row[0].supported != row[1]]
        for case, linked, score, quote in random_.sample(wrong, min(options.show, len(wrong))):
            print(f"\n{'LINKED' if linked else 'MISSED'} {case.kind} {case.language} {score:.2f}")
            print(f"  claim: {case.text}\n  quote: {quote}")
    if options.json:
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=1), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
