"""What a student says around a check that is no reply to it: leaving, not knowing, asking why, doubting, contesting.

Words only, one ``resources/checks/<language>.toml`` a language; a message is read in the language of the check, in its
own and in English, with small slips of spelling.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

from memory.check_words import check_words
from memory.words import LANGUAGES, fold, nearly_same, ranked_languages, tokens

LONGEST_LEAVING = 9
LONGEST_WHY = 10
"""Words of a message that leaves, or that asks why; more says something of its own."""
_SLIP = 5  # letters from which a word may be misspelled
_MARKS = "?؟"
_ELIDED = frozenset("cdjlmnst")


class Aside(StrEnum):
    """What a message around a check does instead of replying to it."""

    LEAVE = "leave"
    NO_IDEA = "no_idea"
    HINT = "hint"
    SHOW = "show"
    WHY = "why"
    DOUBT = "doubt"
    CONTEST = "contest"


@dataclass(frozen=True, slots=True)
class _Said:
    """The words of one language. Phrases are whole messages without fillers; a core word needs words around it only."""

    fillers: frozenset[str]
    phrases: dict[Aside, frozenset[tuple[str, ...]]]
    core: dict[Aside, frozenset[str]]
    around: dict[Aside, frozenset[str]]


def aside(text: str, language: str, own: Collection[str] = ()) -> Aside | None:
    """What a message does around a check, or None for anything else.

    ``own``: the check's choices and names, whose words a "why not …?" may hold.
    """
    spoken = dict.fromkeys((language, ranked_languages(text, language)[0], "en"))
    said = _words_of(text)
    if not said:
        return None
    known = frozenset(word for name in own for word in _words_of(name))
    for each in spoken:
        if each in LANGUAGES and (found := _in(_said(each), said, known, any(mark in text for mark in _MARKS))):
            return found
    return None


def leaves(text: str, language: str) -> bool:
    """Whether a message, all of it, says that the lesson is to be left."""
    return aside(text, language) is Aside.LEAVE


def _in(words: _Said, said: list[str], own: frozenset[str], asking: bool) -> Aside | None:
    bare = _bare(said, words.fillers)
    for kind in (Aside.NO_IDEA, Aside.SHOW, Aside.HINT, Aside.CONTEST, Aside.WHY):
        if any(_same(bare, phrase) or _same(said, phrase) for phrase in words.phrases[kind]):
            return kind
    if (asking or len(bare) > 1) and any(
        _same(each, phrase) for phrase in words.phrases[Aside.DOUBT] for each in (bare, said)
    ):
        return Aside.DOUBT
    if bare[0] in check_words().negations and any(_same(bare[1:], phrase) for phrase in words.phrases[Aside.CONTEST]):
        return Aside.CONTEST
    if len(said) <= LONGEST_LEAVING and _made_of(said, words, Aside.LEAVE, frozenset()):
        return Aside.LEAVE
    if len(said) <= LONGEST_WHY and _made_of(said, words, Aside.WHY, own):
        return Aside.WHY
    return None


def _words_of(text: str) -> list[str]:
    """Folded words without elided ones ("t'es" is "t es" is "es"), "por que" as one word."""
    joined: list[str] = []
    for word in tokens(text):
        if word == "que" and joined and joined[-1] == "por":
            joined[-1] = "porque"
        elif word not in _ELIDED:
            joined.append(word)
    return joined


def _made_of(said: list[str], words: _Said, kind: Aside, own: frozenset[str]) -> bool:
    """Whether a message is a core word or more, and nothing but words that may stand around it."""
    core, around = words.core[kind], words.around[kind] | words.fillers | own
    held = [word for word in said if _one_of(word, core)]
    return bool(held) and all(word in around or _one_of(word, core) for word in said)


def _one_of(word: str, known: Iterable[str]) -> bool:
    return any(word == each or (len(each) >= _SLIP and _slip(word, each)) for each in known)


def _slip(word: str, known: str) -> bool:
    return len(word) >= _SLIP - 1 and abs(len(word) - len(known)) <= 1 and nearly_same(word, known)


def _same(said: Iterable[str], phrase: tuple[str, ...]) -> bool:
    words = tuple(said)
    return len(words) == len(phrase) and all(_one_of(word, (known,)) for word, known in zip(words, phrase, strict=True))


def _bare(said: list[str], fillers: frozenset[str]) -> list[str]:
    return [word for word in said if word not in fillers] or said


@cache
def _said(language: str) -> _Said:
    table = tomllib.loads(resources.files("resources").joinpath("checks", f"{language}.toml").read_text("utf-8"))
    fillers = frozenset(_words_of(str(table["fillers"])))

    def phrases(key: str) -> frozenset[tuple[str, ...]]:
        return frozenset(
            form
            for said in table[key]
            for form in (tuple(_words_of(said)), tuple(_bare(_words_of(said), fillers)))
            if form
        )

    def folded(key: str) -> frozenset[str]:
        return frozenset(fold(word) for word in str(table[key]).split())

    return _Said(
        fillers,
        {
            Aside.NO_IDEA: phrases("no_idea"),
            Aside.SHOW: phrases("show"),
            Aside.HINT: phrases("hint"),
            Aside.CONTEST: phrases("contest"),
            Aside.DOUBT: phrases("doubt"),
            Aside.WHY: phrases("why"),
        },
        {Aside.LEAVE: folded("leave_core"), Aside.WHY: folded("why_core")},
        {Aside.LEAVE: folded("leave_around"), Aside.WHY: folded("why_around")},
    )
