"""Words: one way of folding, splitting and stemming text, shared by the index, the questions and the names."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import snowballstemmer

LANGUAGES = ("fr", "en", "es", "ar", "de", "it", "pt")
_SNOWBALL = {
    "fr": "french",
    "en": "english",
    "es": "spanish",
    "ar": "arabic",
    "de": "german",
    "it": "italian",
    "pt": "portuguese",
}
_LETTERS = str.maketrans("أإآٱىةؤئ’‘`´ʼـ", "ااااي" + "هوي" + "'''''" + "\u0640")
_TATWEEL = "\u0640"
_ELISION = re.compile(r"\b(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|dell|nell|all|sull|dall|un|gl)'(?=\w)")
_WORD = re.compile(r"\w+", re.UNICODE)


def fold(text: str) -> str:
    """Case, accents, Arabic letter variants and apostrophes folded away: two spellings of a word become one."""
    text = unicodedata.normalize("NFKD", text.casefold())
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    return unicodedata.normalize("NFKC", text).translate(_LETTERS).replace(_TATWEEL, "")


def tokens(text: str, language: str | None = None) -> list[str]:
    """Folded words in order, elided articles split off (l'osmose → osmose)."""
    folded = fold(text)
    if language in (None, "fr", "it"):
        folded = _ELISION.sub(" ", folded)
    return _WORD.findall(folded)


@cache
def _stemmer(language: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(_SNOWBALL[language])


@cache
def stem(word: str, language: str) -> str:
    """The stem of one folded word (Snowball); languages without a stemmer keep the word."""
    if language not in _SNOWBALL:
        return word
    if language == "ar" and len(word) > 4:
        word = re.sub("^(?:وال|بال|كال|فال|لل|ال)(?=..)", "", word)
    return str(_stemmer(language).stemWord(word))


def stems(text: str, language: str) -> list[str]:
    """Stems of all words in order."""
    return [stem(word, language) for word in tokens(text, language)]
