"""Names: the key under which two spellings of a concept are one, and what may be a concept's name at all.

The lists live in ``resources/naming/<language>.toml``; they are folded exactly like the names they are held against.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from memory.words import LANGUAGES, fold, tokens

LONGEST_NAME = 60  # characters
MOST_WORDS = 6
_PASSES = 8  # of stripping, until nothing changes; three are the most any real name has needed
_WORD = re.compile(r"\w+")
_SIGNS = ((re.compile(r"(?<=\w)\+\+"), "plusplus"), (re.compile(r"(?<=\w)\+(?!\w)"), "plus"))
_SHARP = re.compile(r"(?<=\w)#(?!\w)")
_NUMERAL = re.compile(r"\d+(?:st|nd|rd|th|e|er|re|eme|o|a)?|[ivxlc]+")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|e|er|re|eme|o|a)?")
_NUMBERED_HEADING = re.compile(r"\s*(?:\d+(?:\.\d+)+\.?|\d+[.):]|[IVXLC]+[.)](?=\s+[^\W\d_a-zà-ÿ])|[A-Za-z]\))\s+\S")
_ENDS_SENTENCE = re.compile(r"[!;…؛]|[^\W\d_]{4,}[.:](?:\s|$)|[:.]\s*$|,\s")
_ASKS = re.compile("[?¿؟]")
_SPLIT = re.compile("[\\s'’]+")
_ARABIC_ARTICLE = re.compile("^(?:ال)+(?=...)")


class NameFault(StrEnum):
    """Why a text is no name for a concept."""

    EMPTY = "empty"
    LONG = "long"
    WORDY = "wordy"
    NUMBER = "number"
    LABEL = "label"
    TITLE = "title"
    QUESTION = "question"
    SENTENCE = "sentence"


@lru_cache(maxsize=20_000)
def canonical_key(name: str, language: str | None) -> str:
    """One key for all spellings of a name: folded, leading article and plurals stripped, script kept.

    Its words are separated by spaces; an elided one is a word of its own (loi d'Ohm: "loi d ohm").

    The key is for comparing, never for showing. Idempotent. An unknown language is folded only. A name of
    signs alone has an empty key.
    """
    key = _marked(name)
    for _ in range(_PASSES):
        words = [_singular(word, language) for word in _without_article(_WORD.findall(fold(key)), language)]
        stripped = " ".join(words)
        if stripped == key:
            break
        key = stripped
    return key


def singular_key(word: str, language: str | None) -> str:
    """The key of one folded word: what :func:`canonical_key` makes of it inside a name."""
    for _ in range(_PASSES):
        stripped = _singular(word, language)
        if stripped == word:
            break
        word = stripped
    return word


def fault_of_name(name: str, language: str | None) -> NameFault | None:
    """Why a text cannot name a concept, or None when it can (design: the validator).

    Section titles are refused in all seven languages whatever the language of the file; the other lists are those
    of ``language`` (of all seven where it is unknown).
    """
    words = tokens(name, language)
    if not any(letter.isalpha() for letter in name):
        return NameFault.NUMBER if any(letter.isdigit() for letter in name) else NameFault.EMPTY
    if len(name) > LONGEST_NAME:
        return NameFault.LONG
    if len(_without_article(words, language)) > MOST_WORDS:
        return NameFault.WORDY
    tables = [naming(language)] if language in LANGUAGES else [naming(each) for each in LANGUAGES]
    if _ASKS.search(name) or any(_starts(words, table.questions) for table in tables):
        return NameFault.QUESTION
    if _NUMBERED_HEADING.match(name) or any(_is_title(name, each) for each in LANGUAGES):
        return NameFault.TITLE
    if any(_is_label(words, table) for table in tables):
        return NameFault.LABEL
    if any(_is_number(words, table) for table in tables):
        return NameFault.NUMBER
    if any(_composed_title(words, table) for table in tables):
        return NameFault.TITLE
    if _ENDS_SENTENCE.search(name) or any(_is_sentence(name, words, table) for table in tables):
        return NameFault.SENTENCE
    return None


@dataclass(frozen=True, slots=True)
class Naming:
    """The word lists of one language, folded; phrases as tuples of words."""

    language: str
    articles: frozenset[str]
    titles: frozenset[tuple[str, ...]]
    furniture: frozenset[str]
    connectors: frozenset[str]
    title_starts: frozenset[tuple[str, ...]]
    numbered: frozenset[str]
    questions: frozenset[tuple[str, ...]]
    sentence_words: frozenset[str]
    sentence_starts: frozenset[tuple[str, ...]]
    number_words: frozenset[str]
    irregular: dict[str, str]


@cache
def naming(language: str) -> Naming:
    """The naming lists of one language. Raises KeyError for a language without them."""
    if language not in LANGUAGES:
        raise KeyError(language)
    source = resources.files("resources").joinpath("naming", f"{language}.toml")
    raw: dict[str, Any] = tomllib.loads(source.read_text(encoding="utf-8"))
    articles = frozenset(word for text in raw["articles"].split() for word in tokens(text, None))

    def words(name: str) -> frozenset[str]:
        return frozenset(word for word in tokens(raw[name], language))

    def phrases(name: str) -> frozenset[tuple[str, ...]]:
        return frozenset(found for part in raw[name].split("|") if (found := tuple(tokens(part, language))))

    def bare(words: Iterable[str]) -> tuple[str, ...]:
        return tuple(_bare(word, language) for word in words)

    return Naming(
        language=language,
        articles=articles,
        titles=frozenset(_strip(bare(phrase), articles) for phrase in phrases("titles")),
        furniture=frozenset(bare(words("furniture"))),
        connectors=words("connectors"),
        title_starts=phrases("title_starts"),
        numbered=words("numbered"),
        questions=phrases("questions"),
        sentence_words=words("sentence_words"),
        sentence_starts=phrases("sentence_starts"),
        number_words=words("number_words"),
        irregular={bare(pair)[0]: bare(pair)[1] for pair in phrases("irregular")},
    )


def _marked(name: str) -> str:
    """Signs that tell two names apart spelled out: C, C++ and C# are three."""
    name = unicodedata.normalize("NFKC", name)
    for sign, word in _SIGNS:
        name = sign.sub(word, name)
    return _SHARP.sub("sharp", name)


def _without_article(words: Sequence[str], language: str | None) -> Sequence[str]:
    if language not in LANGUAGES:
        return words
    return _strip(tuple(words), naming(language).articles)


def _strip(words: tuple[str, ...], articles: frozenset[str]) -> tuple[str, ...]:
    while len(words) > 1 and words[0] in articles:
        words = words[1:]
    return words


def _bare(word: str, language: str | None) -> str:
    """A word without the article that Arabic writes onto it."""
    return _ARABIC_ARTICLE.sub("", word) if language == "ar" else word


def _singular(word: str, language: str | None) -> str:
    """One pass of plural stripping. The result need not be a word: only equal for the forms of one word."""
    if language not in LANGUAGES:
        return word
    word = _bare(word, language)
    irregular = naming(language).irregular
    if word in irregular:
        return irregular[word]
    if len(word) < 4 or word in _kept(language) or not word.isalpha():
        return word
    return _ENDINGS[language](word)


@cache
def _kept(language: str) -> frozenset[str]:
    return frozenset(naming(language).irregular.values())


def _english(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "oes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _french(word: str) -> str:
    if word.endswith("aux"):
        return word[:-1]
    if word.endswith("al"):
        return word[:-1] + "u"  # canal and canaux both end as canau
    if word.endswith(("eux", "oux")):
        return word[:-1]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _spanish(word: str) -> str:
    if word.endswith("is"):
        return word
    if word.endswith("es"):
        word = word[:-2]
    elif word.endswith(("s", "e")):
        word = word[:-1]
    return word[:-1] + "c" if word.endswith("z") else word


def _portuguese(word: str) -> str:
    for plural, single in (("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ois", "ol"), ("ns", "m")):
        if word.endswith(plural):
            return word[: -len(plural)] + single
    if word.endswith(("res", "zes")):
        return word[:-2]
    if word.endswith(("re", "ze")):
        return word[:-1]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _italian(word: str) -> str:
    if (len(word) > 4 and word[-1] in "oie") or (len(word) > 5 and word.endswith("a")):
        word = word[:-1]
    return word[:-1] if word.endswith(("ch", "gh")) else word  # fisiche like fisica


def _german(word: str) -> str:
    for plural, single in naming("de").irregular.items():
        if len(plural) > 4 and word.endswith(plural):
            return word[: -len(plural)] + single  # compounds: Magnetfelder like Felder
    if word.endswith("innen") and len(word) > 7:
        return word[:-3]
    if word.endswith("es") and len(word) > 5:
        return word[:-2]  # des Gesetzes
    if word.endswith(("eln", "ern")) or (word.endswith("en") and len(word) > 4):
        word = word[:-1]
    elif word.endswith("s") and len(word) > 4 and not word.endswith(("ss", "us", "is", "as")):
        word = word[:-1]  # des Atoms
    return word[:-1] if word.endswith("e") and len(word) > 5 else word


def _arabic(word: str) -> str:
    if word.endswith("هات") and len(word) > 5:
        return word[:-2]
    return word[:-2] + "ه" if word.endswith("ات") and len(word) > 4 else word


_ENDINGS = {
    "en": _english,
    "fr": _french,
    "es": _spanish,
    "pt": _portuguese,
    "it": _italian,
    "de": _german,
    "ar": _arabic,
}


def _is_title(name: str, language: str) -> bool:
    words = tuple(_bare(word, language) for word in tokens(name, language))
    table = naming(language)
    return _strip(words, table.articles) in table.titles


def _composed_title(words: Sequence[str], table: Naming) -> bool:
    """Titles made of furniture ("Worked examples and common mistakes") or opening like one ("Types of …")."""
    if _starts(words, table.title_starts):
        return True
    bare = [_bare(word, table.language) for word in words]
    solid = [word for word in bare if word not in table.connectors and not _ORDINAL.fullmatch(word)]
    return len(words) > 1 and len(solid) > 1 and all(word in table.furniture for word in solid)


def _is_label(words: Sequence[str], table: Naming) -> bool:
    """Figure 3, Table 2a, Chapter IV, Exercise b; and single letters of a drawing."""
    if len(words) == 1:
        return len(words[0]) == 1
    if words[0] not in table.numbered:
        return len(words[0]) == 1 and len(words) == 2 and words[1].isdigit()
    second = words[1]
    return bool(_NUMERAL.fullmatch(second)) or second[0].isdigit() or (len(words) == 2 and len(second) == 1)


def _is_number(words: Sequence[str], table: Naming) -> bool:
    counted = [word for word in words if _ORDINAL.fullmatch(word)]
    return bool(counted) and all(word in table.number_words or word in counted for word in words)


def _is_sentence(name: str, words: Sequence[str], table: Naming) -> bool:
    if _starts(words, table.sentence_starts):
        return True
    small = tokens(" ".join(word for word in _SPLIT.split(name) if not word[:1].isupper()), table.language)
    return len(words) > 2 and any(word in table.sentence_words for word in small)


def _starts(words: Sequence[str], phrases: frozenset[tuple[str, ...]]) -> bool:
    """Whether the words open with one of the phrases; a single word is never an opening."""
    return len(words) > 1 and any(tuple(words[:length]) in phrases for length in range(1, 6))
