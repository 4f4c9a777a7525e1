"""Other names that a file gives a concept: an abbreviation in brackets, and "also called …"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.reading.propose import Candidate
from app.reading.sentences import Sentence, cues_of
from memory.naming import canonical_key, fault_of_name

_BRACKETED = re.compile(r"\s*\(([^\W\d_][\w./-]{1,11})\)")
_END = re.compile(r"[,.;:()]|\s[–—-]\s|$")
_MOST_WORDS = 4


def with_aliases(
    chosen: Sequence[tuple[Candidate, float]], sentences: Sequence[Sentence], language: str
) -> list[tuple[Candidate, float]]:
    """The chosen candidates with their other names; a mere abbreviation of another is no concept of its own."""
    taken: set[str] = set()
    for one, _ in chosen:
        for at in one.sentences:
            one.aliases |= _names_after(one, sentences[at].text, language)
        taken |= {canonical_key(alias, language) for alias in one.aliases if alias.isupper()} - {one.key}
    return [(one, share) for one, share in chosen if one.key not in taken or one.aliases]


def _names_after(one: Candidate, text: str, language: str) -> set[str]:
    found: set[str] = set()
    for name in re.finditer(rf"(?<!\w){re.escape(one.name)}(?!\w)", text, re.IGNORECASE):
        rest = text[name.end() :]
        short = _BRACKETED.match(rest)
        if short and abbreviates(short[1], one.name):
            found.add(short[1])
        called = cues_of(language).also.match(rest.lower())
        if called:
            other = rest[called.end() :]
            end = _END.search(other)
            alias = other[: end.start()].strip(" \"'“”«»") if end else ""
            if 0 < len(alias.split()) <= _MOST_WORDS and fault_of_name(alias, language) is None:
                found.add(alias)
    return {alias for alias in found if canonical_key(alias, language) != one.key}


def abbreviates(short: str, name: str) -> bool:
    """Whether a short form could stand for a name: mostly capitals, opening like it, its letters in its order."""
    letters = [letter for letter in short if letter.isalpha()]
    if sum(letter.isupper() for letter in letters) < 2 or len(short) >= len(name):
        return False
    rest = iter(name.casefold())
    return letters[0].casefold() == name[:1].casefold() and all(letter.casefold() in rest for letter in letters[:-1])
