"""Gaps: a file's sentence with its concept taken out, and whether what is left still says which concept it was.

A sentence makes a fair question only where it defines: "____ is a …", "… : …", "… is called ____", "… is ____ if …".
One that points elsewhere ("this", "the figure above"), or that is mostly formula, does not determine its concept.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from memory.naming import canonical_key, naming
from memory.quantities import quantities, unit_of
from memory.routing import NameRow, Names
from memory.words import LANGUAGES, fold, stem, stop_words, tokens

GAP = "____"
MOST_GAPS = 3
FEWEST_WORDS = 3
"""Telling words that must be left around a gap …"""
FEWEST_OF_MANY = 4
"""… where it is one of many that the sentence speaks of ("____ is a …") …"""
FEWEST_BEFORE_NAME = 5
"""… and before a name that comes last ("a force that … is called ____")."""
LONGEST = 320
"""Characters of a sentence that is asked about."""
_ENDS = '.!»”"'
_LETTERED_SHARE = 0.7
_HEAD = 12  # words between a gap that opens a sentence and the word that defines it
_KIND = 3  # words that may stand before it, to say what kind of thing it is ("a ____ satellite is one that …")
_ROOT = 5  # letters that two forms of one word share at least
_MARKED_WORD = re.compile(rf"{GAP}|[^\W_]+|[:–—,]|(?<=\s)-(?=\s)")
_WORD_BEFORE = re.compile(r"(?<!\w)([^\W\d_]+)\s+$")
_ELIDED = re.compile(r"(?<!\w)l['’]\s*$", re.IGNORECASE)
_ASIDE = re.compile(rf"({GAP}(?:\s+\w{{1,2}})?)\s*\(([^()]{{1,60}})\)")
_REPEATED = re.compile(rf"{GAP}(?:\s+{GAP})+")
_TITLE = re.compile(rf"^{GAP}\s*(?:[–—-]\s*(?=.*{GAP})|:\s*(?={GAP}))")
_FORMULA = re.compile(r"[=∈∉∀∃∑∏∫⇔⇒→≤≥⩽⩾⪰<>{}|\\\[\]^∂∇]|[^\s\d]\d{2,}[^\s\d]")
_CODE = re.compile(r"https?:|•|____-\w|;|>>>|\.\.\.|\(\)|[│┌├└█]|\s[.,](?:\s|$)|\(\s*\)|·")
_MEMBER = re.compile(r"\s\w{1,2}\s?∈\s?\S+")
"""A symbol with the set it belongs to ("A ∈ Rn×n"), which tells nothing of a definition in words."""
_NOTATION = re.compile(r"(?<!\w)([^\W\d_]{2,6})(?=\()")
_SYMBOLS_LAST = re.compile(r"\s?:\s(?:(?![^\W\d_]{3,}).)*$")
_BROKEN = re.compile(r"(?<!\w)(?:la|el|the|le|les|in|en|de|of|como|as)\s+[.,)]", re.IGNORECASE)
_LEADING = re.compile(r"^[^\w«“\"'(]+")
_ENUMERATED = re.compile(r"(?<!\w)\([a-h]\)|^\d")
_NUMBER_WITH_UNIT = re.compile(
    r"(?<![\w.,])[-+−]?\d[\d\s.,\u00a0\u202f٫٬]*\s?(?P<unit>%|°C|[A-Za-zμΩ°]{1,4}(?:[/·][A-Za-z]{1,3}[²³\d]?)?)(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with its unit in a sentence: ``sentence[first:last]``."""

    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one language that tell a definition; verbs as they are spelled ("représente", "représenté")."""

    defining: frozenset[str]
    copulas: frozenset[str]
    determiners: frozenset[str]
    naming: frozenset[str]
    conditions: frozenset[str]
    anaphora: frozenset[str]
    pointing: frozenset[str]
    indefinite: frozenset[str]
    supposing: frozenset[str]


@cache
def _words(language: str) -> _Words:
    known = language if language in LANGUAGES else "en"
    table = tomllib.loads(resources.files("resources").joinpath("checks", f"{known}.toml").read_text("utf-8"))

    def folded(key: str) -> frozenset[str]:
        return frozenset(fold(word) for word in str(table[key]).split())

    def spelled(key: str) -> frozenset[str]:
        return frozenset(word.casefold() for word in str(table[key]).split())

    return _Words(
        defining=spelled("defining"),
        copulas=spelled("copulas"),
        determiners=folded("determiners"),
        naming=folded("naming"),
        conditions=folded("conditions"),
        anaphora=folded("anaphora"),
        pointing=folded("pointing"),
        indefinite=folded("indefinite"),
        supposing=folded("supposing"),
    )


def without_name(
    sentence: str,
    names: Sequence[str],
    language: str | None = None,
    common: Collection[str] = (),
    fewest: int = FEWEST_WORDS,
) -> str | None:
    """The sentence with every mention of the concept taken out, its article, its aliases and its other forms too.

    ``common``: stems of words that name several concepts ("traversal"); they give nothing away. None when the
    sentence does not hold the name, or fewer telling words than ``fewest`` are left.
    """
    spoken = language or "en"
    text = _without_formula(_LEADING.sub("", " ".join(sentence.split())))
    rows = Names([NameRow("it", name) for name in names])
    own = {word for name in names for word in tokens(name, language) if word not in stop_words_of(spoken)}
    whole = {words[0] for name in names if len(words := tokens(name, language)) == 1}
    telling = {word for word in own if len(word) > 2 and (word in whole or stem(word, spoken) not in common)}
    found = False
    for _ in range(12):
        routes = rows.route(text, spoken)
        if not routes:
            break
        text, found = _cut(text, routes[0].first, routes[0].last, spoken), True
    if not found:
        return None
    for match in reversed(list(re.finditer(r"[^\W\d_]{3,}", text))):
        if _form_of(fold(match[0]), telling, spoken):
            text = _cut(text, match.start(), match.end(), spoken)
    for match in reversed(list(_NOTATION.finditer(text))):
        if any(word.startswith(fold(match[1])) for word in telling):
            text = f"{text[: match.start()]}{GAP}{text[match.end() :]}"
    asides = [found[2] for found in _ASIDE.finditer(text) if GAP not in found[2]]
    for other in {word for said in asides for word in re.findall(r"[^\W\d_]{3,}", said)}:
        text = re.sub(rf"(?<!\w){re.escape(other)}(?!\w)", GAP, text, flags=re.IGNORECASE)  # another name of it
    text = _MEMBER.sub(" …", _ASIDE.sub(r"\1", text))
    text = _REPEATED.sub(GAP, text)
    text = _TITLE.sub("", text)
    return text if len(_telling(text, spoken)) >= fewest else None


def determines(gapped: str, language: str | None = None) -> bool:
    """Whether a gapped sentence defines what is missing, by itself."""
    spoken = language if language in LANGUAGES else "en"
    words = _words(spoken)
    if not 1 <= gapped.count(GAP) <= MOST_GAPS or _lettered(gapped) < _LETTERED_SHARE:
        return False
    parts, folded = _parts(gapped)
    unfinished = folded[-1] in stop_words_of(spoken) and gapped.rstrip()[-1] not in _ENDS
    if unfinished or gapped.count("(") != gapped.count(")"):
        return False
    return _stands_alone(gapped, folded, words) and (
        _opens_with_it(parts, folded, words, spoken)
        or _names_it_last(gapped, folded, words, spoken)
        or _says_when(folded, words, spoken)
    )


def tells(gapped: str, language: str | None = None) -> bool:
    """Whether a gapped sentence says something of what is missing, by itself ("____ is …"), defining or not."""
    spoken = language if language in LANGUAGES else "en"
    words = _words(spoken)
    parts, folded = _parts(gapped)
    if not _stands_alone(gapped, folded, words) or GAP not in folded[:2] or folded[0] in words.anaphora:
        return False
    after = parts[folded.index(GAP) + 1 :][:_HEAD]
    return any(part.casefold() in words.copulas | words.defining for part in after)


def measure(sentence: str, language: str | None) -> Measure | None:
    """The one number with a known unit that a sentence gives, or None where it holds none or several."""
    if len(quantities(sentence, language)) != 1:
        return None
    found = [each for each in _NUMBER_WITH_UNIT.finditer(sentence) if unit_of(each["unit"]) is not None]
    if len(found) != 1 or _CODE.search(sentence) or _FORMULA.search(sentence) or len(sentence) > LONGEST:
        return None
    only = found[0]
    return Measure(only[0].strip(), only.start(), only.start() + len(only[0].rstrip()))


def stop_words_of(language: str | None) -> frozenset[str]:
    """Function words of a language; of English for one without a lexicon."""
    return stop_words(language if language in LANGUAGES else "en")


def overlapping(one: str, other: str, language: str | None) -> bool:
    """Whether one name says the same as the other, or holds it ("tree", "binary tree"; "lipid", "phospholipid")."""
    first, second = (canonical_key(name, language) for name in (one, other))
    words, others = set(first.split()), set(second.split())
    shortest, longest = sorted((first, second), key=len)
    return words <= others or others <= words or (len(shortest) >= _ROOT and shortest in longest)


def says_as_much(one: str, other: str, language: str | None) -> bool:
    """Whether every telling word of one gapped sentence stands in the other: what is missing may be the same."""
    spoken = language or "en"
    first, second = (
        {stem(word, spoken) for word in _telling(text, spoken) if word.isalpha() and len(word) > 2}
        for text in (one, other)
    )
    return first <= second or second <= first


def spells_out(name: str, sentence: str) -> bool:
    """Whether a sentence holds the words whose initials are the name ("REPL", "read-eval-print loop")."""
    if not (name.isupper() and 2 <= len(name) <= 6):
        return False
    initials = "".join(word[0] for word in re.findall(r"[^\W\d_]+", fold(sentence)))
    return fold(name) in initials


def mentions(sentence: str, names: Sequence[str], language: str | None, common: Collection[str] = ()) -> bool:
    """Whether a sentence holds a word that tells of one of the names (one that several concepts share does not)."""
    spoken = language or "en"
    said = {stem(word, spoken) for word in tokens(sentence, language)}
    stopped = stop_words_of(spoken)
    own = {stem(word, spoken) for name in names for word in tokens(name, language) if word not in stopped}
    return not said.isdisjoint(own - set(common))


def _parts(gapped: str) -> tuple[list[str], list[str]]:
    """The words, gaps and dividing marks of a sentence; as they are spelled, and folded."""
    parts = [found[0] for found in _MARKED_WORD.finditer(gapped)]
    return parts, [part if part == GAP else fold(part) for part in parts]


def _stands_alone(gapped: str, folded: Sequence[str], words: _Words) -> bool:
    """No question, code, formula, lost reference or pointing elsewhere."""
    if len(gapped) > LONGEST or "?" in gapped or "؟" in gapped or not words.pointing.isdisjoint(folded):
        return False
    return not any(pattern.search(gapped) for pattern in (_CODE, _FORMULA, _BROKEN, _ENUMERATED))


def _lettered(gapped: str) -> float:
    """The share of words among all that a sentence is written with."""
    units = gapped.replace(GAP, " ").split()
    words = sum(any(letter.isalpha() for letter in unit) and len(unit.strip(".,;:")) > 1 for unit in units)
    return words / max(1, len(units))


def _cut(text: str, first: int, last: int, language: str) -> str:
    before = _ELIDED.sub("", text[:first])
    word = _WORD_BEFORE.search(before)
    if word and language in LANGUAGES and fold(word[1]) in naming(language).articles:
        before = before[: word.start()]
    return f"{before}{GAP}{text[last:]}"


def _form_of(word: str, telling: Collection[str], language: str) -> bool:
    """Whether a word is another form of a word of the name, which would give it away."""
    for own in telling:
        if word == own or stem(word, language) == stem(own, language):
            return True
        shared = next((at for at, pair in enumerate(zip(word, own, strict=False)) if pair[0] != pair[1]), None)
        common = min(len(word), len(own)) if shared is None else shared
        if common >= _ROOT and common >= 0.75 * max(len(word), len(own)):
            return True
    return False


def _without_formula(text: str) -> str:
    """The words before a formula that a colon announces, and no dangling colon."""
    text = _SYMBOLS_LAST.sub("", text)
    formula = _FORMULA.search(_MEMBER.sub(lambda found: " " * len(found[0]), text))
    if formula:
        head = text[: formula.start()]
        at = max(head.rfind(": "), head.rfind(":\u00a0"))
        text = text[:at] if at > 0 else text
    return text.rstrip().rstrip(":").rstrip()


def _telling(text: str, language: str) -> list[str]:
    stopped = stop_words_of(language)
    return [
        word
        for word in tokens(text.replace(GAP, " "), language)
        if word not in stopped and len(word) > 1 and any(letter.isalpha() for letter in word)
    ]


def _opens_with_it(parts: list[str], folded: list[str], words: _Words, language: str) -> bool:
    """ "____ is a …", "____ of a node: …", "____ states that …"."""
    if not parts or GAP not in folded[: _KIND + 1]:
        return False
    start = folded.index(GAP) + 1
    kind = [word for word in folded[: start - 1] if word not in naming(language).articles]
    if any(not word.isalpha() for word in kind) or _runs_on(
        parts[start] if start < len(parts) else "", words, language
    ):
        return False
    if kind and (folded[0] in words.anaphora or folded.count(GAP) > 1 or not stop_words_of(language).isdisjoint(kind)):
        return False
    for at in range(start, min(start + _HEAD, len(parts))):
        after = folded[at + 1] if at + 1 < len(folded) else ""
        if parts[at] in (":", "–", "—", "-"):
            pointing = after in words.supposing or (parts[at] != ":" and after in words.anaphora)
            told = _telling(" ".join(parts[at + 1 :]), language)
            same_kind = not kind or not {stem(word, language) for word in kind}.isdisjoint(
                stem(word, language) for word in told
            )  # "node ____: a node …", not "compute ____: a horse …"
            return not pointing and same_kind and len(told) >= FEWEST_WORDS - 1
        if parts[at].casefold() in words.copulas:
            needed = FEWEST_OF_MANY if after in words.indefinite else FEWEST_WORDS
            enough = len(_telling(" ".join(parts[at + 1 :]), language)) >= needed
            return enough and (not words.determiners or after in words.determiners)
        if parts[at].casefold() in words.defining:
            return True
    return False


def _runs_on(following: str, words: _Words, language: str) -> bool:
    """Whether the name only begins a longer one ("____ bilayer is …"), or is a heading that a sentence follows."""
    if following.casefold() in words.copulas | words.defining:
        return False
    if following.isdigit() or fold(following) in words.anaphora:
        return True
    if len(following) < 2 or not following.isalpha():
        return False
    return following[0].isupper() or (len(following) > 2 and fold(following) not in stop_words_of(language))


def _names_it_last(gapped: str, folded: list[str], words: _Words, language: str) -> bool:
    """ "… is called ____", after enough to tell what."""
    if folded.count(GAP) != 1 or folded[0] in words.anaphora:
        return False
    at = folded.index(GAP)
    named = any(word in words.naming for word in folded[max(0, at - 3) : at])
    return named and len(_telling(gapped.partition(GAP)[0], language)) >= FEWEST_BEFORE_NAME


def _says_when(folded: list[str], words: _Words, language: str) -> bool:
    """ "a binary tree is ____ if every node has one child"."""
    if folded.count(GAP) != 1 or folded[0] in words.anaphora:
        return False
    at = folded.index(GAP)
    if at == 0 or folded[at - 1] not in words.copulas:
        return False
    condition = folded[at + 1] if at + 1 < len(folded) else ""
    rest = _telling(" ".join(folded[at + 2 :]), language)
    return condition in words.conditions and len(rest) >= FEWEST_WORDS - 1
