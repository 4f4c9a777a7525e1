"""Pages as sentences with their places: what the miner of concepts works on."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from app.reading.parsed import ParsedPage
from memory.words import fold

_WORD = re.compile(r"[^\W_]+(?:[-‐][^\W_]+)*")
_ENDS = re.compile(r"(?<=[.!?؟…])[\"”»)]*\s+(?=[\"“«(]?[A-ZÀ-ÞÄÖÜ0-9\u0600-\u06ff¿¡])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|Fig|fig|Dr|Mr|Mrs|Ms|St|No|approx|p|pp|ex|env|Abb|z\.B|bzw|Sr|Sra|Prof)|\b[A-Z])\.$"
)


@dataclass(frozen=True, slots=True)
class Cues:
    """The patterns of one language."""

    called: re.Pattern[str]
    copula: re.Pattern[str]
    weak: re.Pattern[str]
    verb: re.Pattern[str]
    other_name: re.Pattern[str]
    needs: re.Pattern[str]
    also: re.Pattern[str]
    before_or: re.Pattern[str]
    objective: re.Pattern[str]
    caption: re.Pattern[str]
    opening: frozenset[str]
    article: frozenset[str]
    link: frozenset[str]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence: folded, and its place in the text."""

    folded: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the lines it stands on. ``paragraph`` numbers the paragraphs of the file."""

    text: str
    page: int
    first_line: int
    last_line: int
    paragraph: int
    words: tuple[Word, ...]
    objective: bool
    caption: bool


@cache
def cues_of(language: str) -> Cues:
    """The patterns of a language; English for one without any."""
    table = tomllib.loads(resources.files("resources").joinpath("reading", "cues.toml").read_text("utf-8"))
    raw = table.get(language) or table["en"]

    def pattern(name: str) -> re.Pattern[str]:
        return re.compile(raw[name])

    return Cues(
        called=pattern("called"),
        copula=pattern("copula"),
        weak=pattern("weak"),
        verb=pattern("verb"),
        other_name=pattern("or"),
        needs=re.compile(rf"^\W{{0,3}}(?:\w+\W+){{0,3}}?{raw['needs']}\W+(?:[\w’'-]+\W+){{0,4}}$"),
        also=pattern("also"),
        before_or=pattern("before_or"),
        objective=pattern("objective"),
        caption=pattern("caption"),
        opening=frozenset(fold(word) for word in raw["opening"]),
        article=frozenset(fold(word) for word in raw["article"]),
        link=frozenset(fold(word) for word in raw["link"]),
    )


def sentences_of(pages: Sequence[ParsedPage], language: str) -> list[Sentence]:
    """Every sentence of running text, in order; headings, hidden lines and programs are left out."""
    cues = cues_of(language)
    found: list[Sentence] = []
    for paragraph, (page, lines) in enumerate(_paragraphs(pages)):
        text, starts = _joined(lines)
        for first, last in _spans(text):
            part = text[first:last]
            if not any(letter.isalpha() for letter in part):
                continue
            low = part.lower().lstrip("•-–*▪◦ ")
            found.append(
                Sentence(
                    text=part,
                    page=page,
                    first_line=_line_at(starts, first),
                    last_line=_line_at(starts, last - 1),
                    paragraph=paragraph,
                    words=tuple(words_of(part)),
                    objective=bool(cues.objective.match(low)) and len(part.split()) < 22,
                    caption=bool(cues.caption.match(low)),
                )
            )
    return found


def words_of(text: str) -> Iterator[Word]:
    """The words of a text, elided articles apart."""
    for found in _WORD.finditer(text):
        yield Word(fold(found[0]), found.start(), found.end())


def _paragraphs(pages: Sequence[ParsedPage]) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Runs of lines that belong together: (page, [(line number, text)])."""
    for parsed in pages:
        page = parsed.page
        titles = {heading.line for heading in page.headings}
        hidden = {*page.hidden, *parsed.code}
        run: list[tuple[int, str]] = []
        for number, line in enumerate(page.lines, 1):
            bullet = line.lstrip()[:1] in ("•", "Ì", "–", "—", "▪", "◦", "*", "|")
            breaks = not line.strip() or number in titles or number in hidden
            if (breaks or bullet or _new_paragraph(run, line)) and run:
                yield page.page, run
                run = []
            if not breaks:
                run.append((number, line.strip()))
        if run:
            yield page.page, run


def _new_paragraph(run: list[tuple[int, str]], line: str) -> bool:
    """Lines of one file paragraph are long; after a short one that ends a sentence, another begins."""
    return bool(run) and (
        len(run[-1][1]) > 300 or (run[-1][1][-1:] in ".:!?" and len(run[-1][1]) < 0.7 * len(line) + 20)
    )


def _joined(lines: list[tuple[int, str]]) -> tuple[str, list[tuple[int, int]]]:
    """One text of several lines, hyphens at line ends healed; where each line starts in it."""
    text = ""
    starts: list[tuple[int, int]] = []
    for number, line in lines:
        if text.endswith("-") and len(text) > 1 and text[-2].isalpha() and line[:1].islower():
            text = text[:-1]
        elif text:
            text += " "
        starts.append((len(text), number))
        text += line
    return text, starts


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _ENDS.finditer(text):
        if _ABBREVIATED.search(text[start : found.start()]):
            continue
        yield start, found.start()
        start = found.end()
    if start < len(text):
        yield start, len(text)


def _line_at(starts: list[tuple[int, int]], at: int) -> int:
    line = starts[0][1]
    for first, number in starts:
        if first > at:
            break
        line = number
    return line
