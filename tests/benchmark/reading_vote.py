"""Has a chat model write a short glossary of each window of the files whose bold cannot be trusted, and keeps it.

    python tests/benchmark/reading_vote.py --model FILE.gguf [--cache FOLDER] [--minutes 8]

A window is two pages or about 700 words. One line of the cache is one window: run it again until it says that nothing
is left, then run reading_vote_score.py, which compares the concepts chosen with these votes and without.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.models.chat import ChatModel, Message
from app.reading import choose
from app.reading.parsed import ParsedPage
from memory.naming import canonical_key, fault_of_name
from memory.words import fold
from tests.benchmark.reading import MARKED, SHARED, Study, judge, studies

WORDS = 700
PAGES = 2
LONGEST = 120
"""Tokens that the model may write about one window."""
SLICE = 6 * choose.WORDS_A_PAGE
"""Words that are used of a file; of a long one as many again from its middle."""
LONG = 3 * SLICE
PROMPTS = {
    "en": "Text of a course:\n\n{text}\n\nWrite a short glossary of this text: {count} technical terms that it "
    "defines or explains, spelled as in the text. No titles, no people, no examples. One term a line, with a "
    "definition of at most ten words:\n- term: definition",
    "fr": "Texte d'un cours :\n\n{text}\n\nÉcris un court glossaire de ce texte : {count} termes techniques qu'il "
    "définit ou explique, écrits comme dans le texte. Pas de titres, pas de personnes, pas d'exemples. Un "
    "terme par ligne, avec une définition de dix mots au plus :\n- terme : définition",
    "es": "Texto de un curso:\n\n{text}\n\nEscribe un breve glosario de este texto: {count} términos técnicos que "
    "define o explica, escritos como en el texto. Sin títulos, sin personas, sin ejemplos. Un término por "
    "línea, con una definición de diez palabras como máximo:\n- término: definición",
    "pt": "Texto de um curso:\n\n{text}\n\nEscreve um pequeno glossário deste texto: {count} termos técnicos que ele "
    "define ou explica, escritos como no texto. Sem títulos, sem pessoas, sem exemplos. Um termo por linha, "
    "com uma definição de dez palavras no máximo:\n- termo: definição",
    "ar": "نص من درس:\n\n{text}\n\nاكتب مسردا قصيرا لهذا النص: {count} مصطلحات علمية يعرّفها النص أو يشرحها، مكتوبة "
    "كما في النص. بلا عناوين ولا أشخاص ولا أمثلة. مصطلح واحد في كل سطر مع تعريف من عشر كلمات على الأكثر:\n- "
    "المصطلح: التعريف",
}


@dataclass(frozen=True, slots=True)
class Window:
    """Some lines of a file in a row, as one text; ``pages`` is how many pages of 350 words it makes."""

    text: str
    pages: float


@dataclass(frozen=True, slots=True)
class Sample:
    """A part of a file with the gold terms that stand in it. Samples of one ``group`` are one file in other forms."""

    study: Study
    group: str
    windows: tuple[Window, ...]


def samples(shared: Path, score: Any) -> Iterator[Sample]:
    """Every file whose bold is not there or not trusted, once, cut to what a model can read in minutes."""
    seen: set[str] = set()
    found: list[Sample] = []
    every = sorted(studies(shared), key=lambda one: one.variant != MARKED)  # a file as it is before the one stripped
    for one in every:
        words = sum(len(line.split()) for page in one.pages for line in page.page.lines)
        if one.id in seen or choose.trusted(one.pages, max(1.0, words / choose.WORDS_A_PAGE), one.language):
            continue
        seen.add(one.id)
        for start in (0, words // 2) if words > LONG else (0,):
            pages = part(one.pages, start, SLICE)
            text = " ".join(line for page in pages for line in page.page.lines)
            gold = tuple(term for term in one.gold if stands(term, text, one.language, score))
            if gold:
                cut = replace(one, id=f"{one.id}@{start}", pages=pages, gold=gold)
                found.append(Sample(cut, group_of(one), tuple(windows(pages))))
    yield from sorted(found, key=lambda sample: (sample.study.format == "pdf", not sample.study.id.endswith("@0")))


def group_of(study: Study) -> str:
    """The name that a file shares with its translations."""
    return re.sub("-(?:ar|en|es|fr|pt)$", "", study.id)


def part(pages: Sequence[ParsedPage], start: int, words: int) -> tuple[ParsedPage, ...]:
    """``words`` words of a file from word ``start`` on, in whole lines."""
    found, at = [], 0
    for parsed in pages:
        page = parsed.page
        first = last = None
        for number, line in enumerate(page.lines, 1):
            if start <= at < start + words:
                first, last = first or number, number
            at += len(line.split())
        if first is not None and last is not None:
            found.append(
                replace(
                    parsed,
                    code=tuple(each - first + 1 for each in parsed.code if first <= each <= last),
                    page=replace(
                        page,
                        lines=page.lines[first - 1 : last],
                        headings=tuple(
                            replace(each, line=each.line - first + 1)
                            for each in page.headings
                            if first <= each.line <= last
                        ),
                        hidden=tuple(each - first + 1 for each in page.hidden if first <= each <= last),
                    ),
                )
            )
    return tuple(found)


def stands(term: str, text: str, language: str, score: Any) -> bool:
    """Whether a gold term, or what it has in brackets, occurs in a text by the judge's own folding."""
    whole = f" {' '.join(score.words(text, language))} "
    return any(f" {' '.join(form)} " in whole for form in score.forms(term, language))


def windows(pages: Sequence[ParsedPage]) -> Iterator[Window]:
    """The visible lines of two pages, or about 700 words of longer ones."""
    lines: list[str] = []
    words = opened = 0
    for parsed in pages:
        page = parsed.page
        if lines and opened >= PAGES:
            yield Window("\n".join(lines), words / choose.WORDS_A_PAGE)
            lines, words, opened = [], 0, 0
        opened += 1
        for number, line in enumerate(page.lines, 1):
            if number in page.hidden or not line.strip():
                continue
            count = len(line.split())
            if lines and words + count > WORDS + WORDS // 7:
                yield Window("\n".join(lines), words / choose.WORDS_A_PAGE)
                lines, words, opened = [], 0, 1
            lines.append(line.strip())
            words += count
    if words > WORDS // 14:
        yield Window("\n".join(lines), words / choose.WORDS_A_PAGE)


def prompt(window: Window, language: str) -> str:
    """What the model is asked about a window."""
    count = max(4, math.ceil(2.2 * window.pages))
    return PROMPTS[language].replace("{count}", str(count)).replace("{text}", window.text)


def key_of(text: str, model: str) -> str:
    """The name of an answer in the cache."""
    return hashlib.sha256(f"{model}\n{LONGEST}\n{text}".encode()).hexdigest()


def ask(chosen: argparse.Namespace) -> None:
    """Ask the model about the windows that are not in the cache, for so many minutes."""
    until = time.monotonic() + 60 * chosen.minutes
    cache: Path = chosen.cache / "answers.jsonl"
    cache.parent.mkdir(parents=True, exist_ok=True)
    done = answers(cache)
    wanted = [
        (sample.study, window)
        for sample in samples(chosen.shared, judge(chosen.shared))
        for window in sample.windows
        if key_of(prompt(window, sample.study.language), chosen.model.name) not in done
    ]
    print(len(wanted), "windows to ask,", len(done), "kept", flush=True)
    if not wanted:
        return
    model = ChatModel.start(chosen.model, threads=chosen.threads)
    try:
        for study, window in wanted:
            if time.monotonic() > until:
                return
            text = prompt(window, study.language)
            began = time.perf_counter()
            answer = written(model, text)
            row = {
                "key": key_of(text, chosen.model.name),
                "id": study.id,
                "pages": window.pages,
                "seconds": round(time.perf_counter() - began, 2),
                "answer": answer,
            }
            with cache.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        print("nothing left", flush=True)
    finally:
        model.close()


def written(model: ChatModel, text: str) -> str:
    """The model's glossary, stopped at a term that it has written before."""
    answer = ""
    generation = model.generate([Message("user", text)], max_tokens=LONGEST, conversation="reading", repeat_penalty=1.0)
    for piece in generation:
        answer += piece
        terms = [fold(line.split(":")[0]).strip(" -*") for line in answer.split("\n")[:-1] if ":" in line]
        if len(set(terms)) < len(terms):
            generation.close()
    return answer


def answers(cache: Path) -> dict[str, dict[str, Any]]:
    """What the cache holds, by key."""
    if not cache.exists():
        return {}
    rows = [json.loads(line) for line in cache.read_text("utf-8").splitlines()]
    return {row["key"]: row for row in rows}


_LINE = re.compile(r"^\W*(?:\d+[.)]\s*)?\W*([^:\n]{2,80}?)\W*(?::|\s[–—-]\s)", re.UNICODE)


def voted(answer: str, window: Window, language: str) -> set[str]:
    """The keys of the names that an answer lists, that can be names, and that stand in the window."""
    found: set[str] = set()
    inside = fold(window.text)
    for line in answer.split("\n"):
        term = _LINE.match(line)
        if term is None:
            continue
        for name in (re.sub(r"\s*\([^)]*\)?", "", term[1]), *re.findall(r"\(([^)]+)\)", term[1])):
            name = name.strip(" \t*_`\"'«»“”")
            if name and fold(name) in inside and fault_of_name(name, language) is None:
                found.add(canonical_key(name, language))
    return found - {""}


def main() -> None:
    """Ask for so many minutes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--shared", type=Path, default=SHARED)
    options.add_argument("--model", type=Path, required=True)
    options.add_argument("--cache", type=Path, default=Path("/tmp/vote"))
    options.add_argument("--minutes", type=float, default=8.0)
    options.add_argument("--threads", type=int)
    ask(options.parse_args())


if __name__ == "__main__":
    main()
