"""Choosing concepts among the candidates: a logistic scorer with weights fitted outside the product.

Two sets of weights: where the file's bold is a term convention, and where there is none to trust.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

from app.reading.parsed import ParsedPage
from app.reading.propose import Candidate, features
from app.reading.right_to_left import ARABIC

THRESHOLD_MARKED, THRESHOLD_PLAIN = 0.4, 0.3
MOST_A_PAGE_MARKED, MOST_A_PAGE = 8, 6
MOST_A_FILE = 60
FEWEST, FEWEST_POWER = 2.0, 0.6
"""Names a file has at least, by its pages: a short one is denser."""
FLOOR = 0.03
"""Under this no page is so poor that a candidate is taken for want of a better one."""
CUE_FOR_HEADING = 2.0
USES_FOR_HEADING = 6
"""A section title names a concept only where the text defines it, or speaks of it again and again."""
COMMON = 4.6
"""Zipf frequency (occurrences a thousand million words, log 10) from which a bold word that nothing defines is stress:
"exactly", "careful". Chosen on the development files: F1 .885 without it, .886, .889 and .884 at 4.2, 4.6 and 5.0."""
WORDS_A_PAGE = 350
"""A page of text; a file without pages of its own has as many as its words make."""
_SHARED = 2 / 3


def trusted(pages: Sequence[ParsedPage], page_count: float, language: str) -> bool:
    """Whether bold marks terms: 0.3 to 12 different ones a page, in the file's script, most of them short and wordy."""
    names = {
        emphasis.text.lower()
        for page in pages
        for emphasis in page.emphasis
        if language != "ar" or ARABIC.search(emphasis.text)
    }
    if not names or not 0.3 <= len(names) / max(1.0, page_count) <= 12:
        return False
    wordy = [name for name in names if 1 <= len(name.split()) <= 4 and name[0].isalpha() and name[-1].isalpha()]
    return len(wordy) >= 0.6 * len(names)


def choose(
    candidates: Sequence[Candidate], *, marked: bool, pages: float, sentences: int, language: str
) -> list[tuple[Candidate, float]]:
    """The chosen candidates with their probability, best first."""
    scored = sorted(
        ((one, probability(one, marked, sentences, language)) for one in candidates),
        key=lambda pair: (-pair[1], pair[0].sentences[0] if pair[0].sentences else 0, pair[0].key),
    )
    threshold = THRESHOLD_MARKED if marked else THRESHOLD_PLAIN
    a_page = MOST_A_PAGE_MARKED if marked else MOST_A_PAGE
    most = math.ceil(min(MOST_A_FILE * max(1.0, pages / 20), a_page * pages))
    fewest = math.ceil(FEWEST * pages**FEWEST_POWER) if not marked else 0
    chosen: list[tuple[Candidate, float]] = []
    for one, share in scored:
        if len(chosen) >= most or (share < threshold and len(chosen) >= fewest) or share < FLOOR:
            break
        if marked and one.words == 1 and one.cue == 0 and one.commonest >= COMMON:
            continue
        if one.in_heading and not one.bold and one.cue < CUE_FOR_HEADING and one.count < USES_FOR_HEADING:
            continue
        if not any(_same_use(one, other) for other, _ in chosen):
            chosen.append((one, share))
    return chosen


def probability(one: Candidate, marked: bool, sentences: int, language: str) -> float:
    """The logistic score, in (0, 1)."""
    weights = weights_of("marked" if marked else "plain")
    total = weights["bias"] + sum(
        weights.get(name, 0.0) * value for name, value in features(one, sentences, language).items()
    )
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def weights_of(name: str) -> dict[str, float]:
    """A set of fitted weights (tests/benchmark/fit_reading.py)."""
    table = tomllib.loads(resources.files("resources").joinpath("reading", "weights.toml").read_text("utf-8"))
    return dict(table[name])


def _same_use(one: Candidate, other: Candidate) -> bool:
    """Whether one name lies inside the other and the shorter one is mostly used as a part of the longer."""
    if one.bold:
        return False
    shorter, longer = sorted((one, other), key=lambda each: len(each.key))
    if f" {shorter.key} " not in f" {longer.key} ":
        return False
    return len(set(shorter.sentences) & set(longer.sentences)) >= _SHARED * len(shorter.sentences)
