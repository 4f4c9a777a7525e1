"""From parsed pages to a reading: the whole deterministic half, in one call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from app.reading.aliases import with_aliases
from app.reading.choose import WORDS_A_PAGE, choose, trusted
from app.reading.parsed import ParsedPage
from app.reading.propose import propose
from app.reading.relate import relate
from app.reading.sentences import sentences_of
from memory.readings import Reading
from memory.words import identify

_SAMPLE = 4000
"""Characters of a page from which its language is told."""


def language_of(pages: Sequence[ParsedPage], fallback: str) -> str:
    """The language that most of the text is written in."""
    votes: Counter[str] = Counter()
    for page in pages:
        text = " ".join(line for line in page.page.lines if len(line) > 20)[:_SAMPLE]
        if text:
            votes[identify(text, fallback)] += len(text)
    return votes.most_common(1)[0][0] if votes else fallback


def with_language(parsed: ParsedPage, fallback: str) -> ParsedPage:
    """The page with its own language."""
    text = " ".join(parsed.page.lines)[:_SAMPLE]
    return replace(parsed, page=replace(parsed.page, language=identify(text, fallback) if text.strip() else fallback))


def understand_pages(pages: Sequence[ParsedPage], language: str) -> Reading:
    """The concepts of a file, best first, with definitions, pages and prerequisites."""
    sentences = sentences_of(pages, language)
    words = sum(len(sentence.words) for sentence in sentences)
    page_count = max(1.0, words / WORDS_A_PAGE)
    marked = trusted(pages, page_count, language)
    candidates = propose(pages, sentences, language)
    chosen = choose(candidates, marked=marked, pages=page_count, sentences=len(sentences), language=language)
    return Reading(language, tuple(relate(with_aliases(chosen, sentences, language), sentences, language)))
