"""Candidates: what on the pages could be a concept, with what speaks for it. Deterministic, no model.

Words set in bold, terms that a sentence defines, and noun-like runs of words that the text uses more than the
language does. Every candidate is made of words as they stand in the file.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from wordfreq import zipf_frequency

from app.reading.parsed import ParsedPage
from app.reading.sentences import Cues, Sentence, Word, cues_of, words_of
from memory.naming import canonical_key, fault_of_name
from memory.words import stop_words

LONGEST = 4
"""Content words in a candidate."""
_FEWEST = 2
"""Times that a candidate without bold or cue must occur."""
_WORDS_A_PAGE, _LISTED_A_PAGE = 350, 4
"""So many terms of the form "term: …" on so many words make a list of them."""
_ADJECTIVES = {
    "en": ("al", "ive", "ic", "ous", "able", "ible", "ful", "less", "ary", "ly", "er", "est"),
    "fr": ("el", "elle", "if", "ive", "ique", "eux", "euse", "able", "ible", "aire", "ment"),
    "es": ("ivo", "iva", "ico", "ica", "oso", "osa", "able", "ible", "al", "ales", "ario", "aria", "mente"),
    "de": ("lich", "isch", "ig", "bar", "sam", "liche", "ische", "ige"),
    "it": ("ivo", "iva", "ico", "ica", "oso", "osa", "abile", "ibile", "ale", "mente"),
    "pt": ("ivo", "iva", "ico", "ica", "oso", "osa", "ável", "ível", "al", "mente"),
}
_VERBS = {
    "en": ("ed", "ing", "ize", "ify"),
    "fr": ("er", "ir", "ent", "ez", "ant", "é", "ée", "és"),
    "es": ("ar", "er", "ir", "ando", "iendo", "ado", "ada", "ido", "ida", "aron"),
    "de": ("en", "iert", "te"),
    "it": ("are", "ere", "ire", "ando", "endo", "ato", "ata"),
    "pt": ("ar", "er", "ir", "ando", "endo", "ado", "ada"),
}
_NOUNS = {
    "en": ("tion", "sion", "ment", "ity", "ism", "osis", "ness", "ure", "ance", "ence", "ase", "gen", "cy", "y"),
    "fr": ("tion", "sion", "ité", "isme", "ose", "ure", "ance", "ence", "age", "eur", "ie"),
    "es": ("ción", "sión", "dad", "ismo", "osis", "ura", "ancia", "encia", "aje", "dor", "ía"),
    "de": ("ung", "heit", "keit", "ismus", "schaft", "tion", "tät", "nis"),
    "it": ("zione", "sione", "ità", "ismo", "osi", "ura", "anza", "enza", "aggio"),
    "pt": ("ção", "são", "dade", "ismo", "ose", "ura", "ância", "ência", "agem"),
}
"""Endings that often make an adjective, a verb form or a noun of a word; weighed, never decisive."""
_EDGES = " \t.,;:!?()[]{}\"'“”«»‘’`*•–—-…/\\"


@dataclass(slots=True)
class Candidate:
    """One possible concept. ``cue`` is the best score of a sentence that defines it, ``defined_by`` that sentence."""

    key: str
    name: str
    words: int
    spellings: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    sentences: list[int] = field(default_factory=list)
    pages: set[int] = field(default_factory=set)
    paragraphs: set[int] = field(default_factory=set)
    count: int = 0
    bold: int = 0
    in_heading: bool = False
    cue: float = 0.0
    cue_kind: str = ""
    defined_by: int | None = None
    aliases: set[str] = field(default_factory=set)
    rarest: float = 0.0
    commonest: float = 0.0
    mean: float = 0.0
    nested: float = 0.0
    capital: float = 0.0
    alone: float = 0.0
    cued: int = 0
    objective: bool = False
    late: float = 0.0
    habit: float = 0.0


def propose(pages: Sequence[ParsedPage], sentences: Sequence[Sentence], language: str) -> list[Candidate]:
    """All candidates of a file."""
    found: dict[str, Candidate] = {}
    cues, stops = cues_of(language), stop_words(language)
    bold = _bold_keys(pages, language)
    headings = {canonical_key(heading.text, language) for page in pages for heading in page.page.headings}
    defined, cued = _terms_with_cues(sentences, cues, stops, language)
    counts: dict[str, int] = defaultdict(int)
    runs: list[list[tuple[str, str, int, int, bool]]] = []
    for sentence in sentences:
        here = list(_runs(sentence, cues, stops, language))
        runs.append(here)
        if not sentence.objective:
            for key in {key for key, *_ in here}:
                counts[key] += 1
    for index, (sentence, here) in enumerate(zip(sentences, runs, strict=True)):
        for key, spelling, words, first, alone in here:
            if counts[key] < _FEWEST and key not in bold and key not in defined and key not in headings:
                continue
            one = found.get(key)
            if one is None:
                one = found[key] = Candidate(key, spelling, words)
            _note(one, index, sentence, spelling, first)
            one.alone += alone
    for key, name in bold.items():
        one = found.get(key)
        if one is None:
            at = _sentence_with(name[0], sentences)
            if at is None:
                continue
            one = found[key] = Candidate(key, name[0], len(name[0].split()))
            _note(one, at, sentences[at], name[0], 1)
        one.bold = name[1]
    for key, one in found.items():
        one.in_heading = key in headings
        one.late = one.sentences[0] / max(1, len(sentences))
        one.objective = any(sentences[at].objective for at in one.sentences)
        if key in defined:
            one.cue, one.cue_kind, one.defined_by = defined[key]
            one.cued = cued[key]
        one.name = _best_spelling(one)
        _rarity(one, language)
    kept = [one for one in found.values() if fault_of_name(one.name, language) is None]
    _nesting(kept)
    _habit(kept, sum(len(sentence.words) for sentence in sentences))
    return kept


def _note(one: Candidate, index: int, sentence: Sentence, spelling: str, first: int) -> None:
    one.count += 1
    one.spellings[spelling] += 1
    if not one.sentences or one.sentences[-1] != index:
        one.sentences.append(index)
    one.pages.add(sentence.page)
    one.paragraphs.add(sentence.paragraph)
    if first > 0 and spelling[:1].isupper():
        one.capital += 1


def _bold_keys(pages: Sequence[ParsedPage], language: str) -> dict[str, tuple[str, int]]:
    """Names set in bold, by key, and how often."""
    found: dict[str, tuple[str, int]] = {}
    for page in pages:
        for emphasis in page.emphasis:
            name = emphasis.text.strip(_EDGES)
            name = re.sub(r"\s*\([^)]*\)?$", "", name).strip(_EDGES)
            if not 0 < len(name.split()) <= 6 or not any(letter.isalpha() for letter in name):
                continue
            key = canonical_key(name, language)
            if key:
                known = found.get(key)
                found[key] = (known[0] if known else name, (known[1] if known else 0) + 1)
    return found


def _runs(
    sentence: Sentence, cues: Cues, stops: frozenset[str], language: str
) -> list[tuple[str, str, int, int, bool]]:
    """Runs of one to four content words: (key, spelling, words, place in the sentence, no other word beside it)."""
    words, text = sentence.words, sentence.text
    found = []
    for start in range(len(words)):
        if not _content(words[start], stops):
            continue
        content = 0
        for end in range(start, min(start + LONGEST + 3, len(words))):
            if end > start and not _close(text, words[end - 1], words[end]):
                break
            if _content(words[end], stops):
                content += 1
                if content > LONGEST:
                    break
                spelling = text[words[start].first : words[end].last]
                key = canonical_key(spelling, language)
                if key:
                    before = (
                        start and _content(words[start - 1], stops) and _close(text, words[start - 1], words[start])
                    )
                    beside = end + 1 < len(words) and _content(words[end + 1], stops)
                    after = beside and _close(text, words[end], words[end + 1])
                    found.append((key, spelling, content, start, not before and not after))
            elif words[end].folded not in cues.link:
                break
    return found


def _content(word: Word, stops: frozenset[str]) -> bool:
    return len(word.folded) > 1 and word.folded not in stops and not word.folded.isdigit()


def _close(text: str, one: Word, other: Word) -> bool:
    between = text[one.last : other.first]
    return between in (" ", "-", "’", "'", " d’", " d'", " l’", " l'") or between.strip() in ("'", "’")


def _terms_with_cues(
    sentences: Sequence[Sentence], cues: Cues, stops: frozenset[str], language: str
) -> tuple[dict[str, tuple[float, str, int]], dict[str, int]]:
    """The best defining sentence of each run of words (score, kind, sentence), and how many sentences define it."""
    best: dict[str, tuple[float, str, int]] = {}
    times: dict[str, int] = defaultdict(int)
    for index, sentence in enumerate(sentences):
        if sentence.objective or "?" in sentence.text[-3:]:
            continue
        low = sentence.text.lower()
        factor = _factor(sentence)
        for start in range(len(sentence.words)):
            if not _content(sentence.words[start], stops):
                continue
            for end in range(start, min(start + LONGEST + 2, len(sentence.words))):
                last = sentence.words[end]
                if end > start and not _close(sentence.text, sentence.words[end - 1], last):
                    break
                if not _content(last, stops):
                    if last.folded not in cues.link:
                        break
                    continue
                score, kind = _cue(low, sentence, start, end, cues, stops)
                if score:
                    key = canonical_key(sentence.text[sentence.words[start].first : last.last], language)
                    score *= factor
                    times[key] += bool(key)
                    if key and score > best.get(key, (0.0, "", 0))[0]:
                        best[key] = (score, kind, index)
    return best, times


def _cue(low: str, sentence: Sentence, start: int, end: int, cues: Cues, stops: frozenset[str]) -> tuple[float, str]:
    """How strongly a sentence defines the words from ``start`` to ``end``; 0 for not at all."""
    words = sentence.words
    before, after = low[: words[start].first], low[words[end].last :]
    closed = end + 1 == len(words) or not _content(words[end + 1], stops) or not after.startswith(" ")
    opens = all(word.folded in cues.opening or word.folded in cues.article for word in words[:start]) and start <= 2
    if closed and cues.called.search(before):
        return 5.0, "called"
    if opens and cues.copula.match(after):
        return 5.0, "copula"
    if opens and cues.verb.match(after):
        return 4.5, "verb"
    if opens and re.match(r'^["”»]?(?: ?\([^)]{1,40}\))?\s*(?::|[–—]|-\s)\s*\S', after):
        return 4.0, "colon"
    if opens and cues.weak.match(after):
        return 3.0, "weak"
    if closed and cues.before_or.search(before):
        return 2.5, "or"
    if closed and cues.copula.match(after):
        return 3.0, "inner"
    if cues.other_name.match(after):
        return 2.0, "apposition"
    return 0.0, ""


def _factor(sentence: Sentence) -> float:
    count = len(sentence.words)
    factor = 0.4 if count < 6 else 0.7 if count > 60 else 1.0
    return factor * (0.8 if sentence.caption else 1.0)


def _sentence_with(name: str, sentences: Sequence[Sentence]) -> int | None:
    wanted = " ".join(name.lower().split())
    for index, sentence in enumerate(sentences):
        if wanted in sentence.text.lower():
            return index
    return None


def _best_spelling(one: Candidate) -> str:
    """The spelling used most, lower case preferred over a capital that only opens a sentence."""
    spelling = max(one.spellings, key=lambda each: (one.spellings[each], not each[:1].isupper(), each))
    lower = spelling[:1].lower() + spelling[1:]
    return lower if lower in one.spellings else spelling


def _rarity(one: Candidate, language: str) -> None:
    values = [zipf_frequency(word.folded, language) for word in words_of(one.name)] or [0.0]
    one.rarest, one.commonest, one.mean = min(values), max(values), sum(values) / len(values)


def _nesting(candidates: list[Candidate]) -> None:
    """How much of each candidate's use is inside a longer one."""
    by_word: dict[str, list[Candidate]] = defaultdict(list)
    for one in candidates:
        for word in set(one.key.split()):
            by_word[word].append(one)
    for one in candidates:
        parts = one.key.split()
        longer = [
            other
            for other in by_word.get(parts[0], ())
            if other.words > one.words and f" {one.key} " in f" {other.key} "
        ]
        one.nested = min(1.0, max((other.count for other in longer), default=0) / max(1, one.count))


def _habit(candidates: list[Candidate], words: int) -> None:
    """Whether the file explains term after term in the form "term: …", as a cheat sheet or a glossary does."""
    listed = [one for one in candidates if one.cue_kind == "colon"]
    often = min(1.0, len(listed) / max(1.0, words / _WORDS_A_PAGE) / _LISTED_A_PAGE)
    for one in listed:
        one.habit = often


def features(one: Candidate, sentences: int, language: str) -> dict[str, float]:
    """What the scorer weighs, each around [-1, 5]."""
    return {
        "bold": float(one.bold > 0),
        "cue": one.cue / 5,
        "called": float(one.cue_kind == "called" and one.cue >= 3),
        "copula": float(one.cue_kind in ("copula", "verb") and one.cue >= 3),
        "colon": float(one.cue_kind == "colon"),
        "listed": one.habit,
        "weak": float(one.cue_kind in ("weak", "inner", "apposition")),
        "frequency": math.log1p(one.count),
        "spread": math.log1p(len(one.paragraphs)),
        "dense": one.count / max(1, sentences),
        "rarest": one.rarest / 4,
        "commonest": one.commonest / 4,
        "mean": one.mean / 4,
        "unknown": float(one.rarest == 0),
        "one_word": float(one.words == 1),
        "two_words": float(one.words == 2),
        "long": float(one.words >= 4),
        "heading": float(one.in_heading),
        "nested": one.nested,
        "capital": one.capital / max(1, one.count),
        "letters": min(len(one.name), 30) / 15,
        "linked": float(len(one.name.split()) > one.words),
        "alone": one.alone / max(1, one.count),
        "cued": math.log1p(one.cued),
        "objective": float(one.objective),
        "late": one.late,
        "once": float(one.count == 1),
        "adjective": float(one.words == 1 and one.name.lower().endswith(_ADJECTIVES.get(language, ()))),
        "verb": float(one.words == 1 and one.name.lower().endswith(_VERBS.get(language, ()))),
        "noun": float(one.name.lower().endswith(_NOUNS.get(language, ()))),
    }
