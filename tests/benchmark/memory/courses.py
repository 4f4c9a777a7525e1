"""The courses of the histories: real study files of the shared folder, their key terms and their exercises.

A course is one file with its gold terms (glossary or list of definitions). Terms that no student would type (numbers,
sentences, labels) are left out. Exercises are the textbook's own, tied to the first term they name.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from matching import named_in

SHARED = Path(os.environ.get("RETIENS_SHARED") or Path(__file__).parents[4] / "shared") / "data"
"""Where the real material lies; ``RETIENS_SHARED=none`` says that there is none."""
FEWEST = 5
_LONGEST_DEFINITION = 220
_FORMULA = re.compile(r"\$[^$]*\$")
_NAME = re.compile(r"^[^\d()=<>:;,.«»\"]{4,40}$")


@dataclass(frozen=True, slots=True)
class Term:
    """One key term and what the material says it is."""

    name: str
    definition: str


@dataclass(frozen=True, slots=True)
class Exercise:
    """A textbook exercise whose answer is known, and the other choices where it has some."""

    term: str
    question: str
    answer: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """One study file. ``pages`` hold its text where the shared folder has it as text only."""

    id: str
    language: str
    file: Path | None
    pages: tuple[str, ...]
    terms: tuple[Term, ...]
    exercises: tuple[Exercise, ...]

    def written(self, folder: Path) -> Path:
        """The file to read; a text is written into ``folder`` first."""
        if self.file is not None:
            return self.file
        path = folder / f"{self.id}.md"
        path.write_text("\f".join(self.pages), "utf-8")
        return path


@cache
def courses(shared: Path = SHARED) -> tuple[Course, ...]:
    """Every course that has enough terms, in a fixed order."""
    found = [*_documents(shared), *_chapters(shared)]
    return tuple(course for course in found if len(course.terms) >= FEWEST)


def _documents(shared: Path) -> Iterator[Course]:
    terms: dict[str, list[Term]] = {}
    for row in lines(shared / "docs" / "gold_concepts.jsonl"):
        if not row.get("generic") and not row.get("weak"):
            _add(terms.setdefault(row["doc_id"], []), row["concept"], row.get("definition") or "")
    exercises: dict[str, list[dict[str, Any]]] = {}
    for row in lines(shared / "qa" / "textbook_exercises.jsonl"):
        exercises.setdefault(row["doc_id"], []).append(row)
    for row in lines(shared / "docs" / "docs.jsonl"):
        own = terms.get(row["doc_id"])
        if own:
            tied = tuple(_tied(exercises.get(row["doc_id"], []), own, row["lang"]))
            yield Course(row["doc_id"], row["lang"], shared / "docs" / row["file"], (), tuple(own), tied)


def _chapters(shared: Path) -> Iterator[Course]:
    for row in lines(shared / "concepts" / "concepts.jsonl"):
        own: list[Term] = []
        for each in row["gold"]:
            _add(own, each["term"], each.get("definition") or "")
        yield Course(row["id"], row["language"], None, tuple(row["pages_marked"]), tuple(own), ())


def _add(terms: list[Term], name: str, definition: str) -> None:
    """A term with a name one can type and a definition; none of two that differ by their letters' case alone."""
    known = {term.name.casefold() for term in terms}
    said = " ".join(_FORMULA.sub(" ", definition).split())
    if _NAME.match(name) and len(name.split()) <= 4 and len(said) >= 12 and name.casefold() not in known:
        terms.append(Term(name, said[:_LONGEST_DEFINITION]))


def _tied(rows: list[dict[str, Any]], terms: list[Term], language: str) -> Iterator[Exercise]:
    names = [term.name for term in terms]
    for row in rows:
        if row["has_math"] or not row["answer"] or len(row["question"]) > 300:
            continue
        options = row["options"] or []
        if options:
            place = "ABCDEFGH".index(row["answer"][0])
            answer, others = options[place], tuple(options[:place] + options[place + 1 :])
        else:
            answer, others = row["answer"][:200], ()
        named = named_in(f"{row['question']} {answer}", names, language)
        if named:
            yield Exercise(named[0], " ".join(row["question"].split()), " ".join(answer.split()), others)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
