"""Words: one way of folding, splitting and stemming text, shared by the index, the questions and the names.

``Plain`` is the form every rule of the lexicons is written for: folded, apostrophes and hyphens opened up, marks
glued to the word before them, single spaces; it can point back to the student's own letters.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import py3langid.langid
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
_SINGLE = dict(zip("ٱىةؤئ’‘`´ʼ‛′،؛؟٫«»“”„", "ايهوي" + "'''''''" + ",;?." + '"""""', strict=True)) | {
    "œ": "oe",
    "æ": "ae",
    "ـ": "",
    "\u200e": "",
    "¿": "",
    "¡": "",
    "\u200f": "",
}
_ELISION = re.compile(r"\b(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|dell|nell|all|sull|dall|un|gl)'(?=\w)")
_WORD = re.compile(r"\w+", re.UNICODE)
_ARABIC = re.compile(r"[\u0600-\u06ff]")
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")
_ROMAN = re.compile(r"[ivxlcdm]+(?:e|eme|er|o|a|th)?", re.IGNORECASE)
_OPENED = frozenset("'-‐‑_")
_MARKS = frozenset(",;:.!?…")
_READ = 800  # letters looked at to tell a language
_ROOT = 5  # letters that two forms of one word share at least
_LONG = 8  # letters from which a word may hold two typing errors
_LANGID_WEIGHT = 1.5  # votes that the statistical identifier is worth beside one vote a function word
_LANGID_SURE = 25  # letters from which its opinion counts in full


def _fold_letter(letter: str) -> str:
    if letter in _SINGLE:
        return _SINGLE[letter]
    return str(unicodedata.digit(letter)) if letter.isdigit() else letter


class _Folding(dict[int, str]):
    """Code point to folded text, filled as letters are met (for ``str.translate``)."""

    def __missing__(self, code: int) -> str:
        letters = unicodedata.normalize("NFKD", chr(code).casefold()).casefold()
        bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
        folded = "".join(_fold_letter(letter) for letter in unicodedata.normalize("NFKC", bare))
        self[code] = folded
        return folded


_FOLDING = _Folding()


def fold(text: str) -> str:
    """Case, accents, digits, Arabic letter variants and apostrophes folded: two spellings become one."""
    return text.translate(_FOLDING)


_QUOTES = ("'", "‘", "’", "‚", "‛", "`")
_QUOTE_OPENS = re.compile(r"(?<![^\s(:=])['‘’‚‛`](?=\w)")
_QUOTE_CLOSES = re.compile(r"(?<=\w)['‘’‚‛`](?!\w)")


@dataclass(frozen=True, slots=True)
class Plain:
    """A message in rule form. ``origins[i]`` is the index in ``raw`` of the letter that gave ``text[i]``."""

    raw: str
    text: str
    origins: tuple[int, ...]

    @classmethod
    def of(cls, raw: str) -> Plain:
        """Fold a message once for all rules."""
        letters: list[str] = []
        origins: list[int] = []
        drawn_out = _drawn_out(raw)
        for index, character in enumerate(raw):
            if index in drawn_out:
                continue
            if character in "\r\n":
                folded = "" if letters and letters[-1] in _MARKS else "."
                if not letters:
                    continue
            elif character in _OPENED or character.isspace():
                folded = " "
            else:
                folded = _FOLDING[ord(character)].replace("'", " ")
            for letter in folded:
                if letter == " " and (not letters or letters[-1] == " "):
                    continue
                if letter in _MARKS and letters and letters[-1] == " " and not _opens_number(raw, index):
                    letters.pop()
                    origins.pop()
                if letter in _MARKS and letters and letters[-1] == letter:
                    continue
                letters.append(letter)
                origins.append(index)
        if letters and letters[-1] == " ":
            letters.pop()
            origins.pop()
        return cls(raw, "".join(letters), tuple(origins))

    def spelled_out(self, language: str) -> Plain:
        """The same message with the language's chat spellings written out ("q" → "que"); origins still point back."""
        pattern, full = _spellings(language)
        letters: list[str] = []
        origins: list[int] = []
        last = 0
        for found in pattern.finditer(self.text):
            letters += [self.text[last : found.start()], full[found[0]]]
            origins += self.origins[last : found.start()]
            first, end = self.origins[found.start()], self.origins[found.end() - 1]
            size = len(full[found[0]])
            origins += [first] * (size - 1) + [end]
            last = found.end()
        if not last:
            return self
        return Plain(self.raw, "".join(letters) + self.text[last:], (*origins, *self.origins[last:]))

    def original(self, first: int, last: int) -> str:
        """The student's own letters behind ``text[first:last]``, verbatim."""
        if first >= last:
            return ""
        end = self.origins[last - 1] + 1
        while end < len(self.raw) and unicodedata.combining(self.raw[end]):
            end += 1
        return self.raw[self.origins[first] : end]

    def quoted(self, first: int, last: int) -> str:
        """The same, with a single quotation mark beside it whose other half stands in it (folding opens them)."""
        words = self.original(first, last)
        if not words:
            return words
        start = self.origins[first]
        end = start + len(words)
        opened, closed = len(_QUOTE_OPENS.findall(words)), len(_QUOTE_CLOSES.findall(words))
        if opened > closed and self.raw[end : end + 1] in _QUOTES:
            return self.raw[start : end + 1]
        if closed > opened and start and self.raw[start - 1] in _QUOTES:
            return self.raw[start - 1 : end]
        return words

    def between(self, first: int, last: int) -> str:
        """What was typed between the letters of ``text[:first]`` and ``text[last:]``, its apostrophes too."""
        return self.raw[self.origins[first - 1] + 1 : self.origins[last]]


def _drawn_out(raw: str) -> frozenset[int]:
    """Where a letter is drawn out ("thaaanks"): all but one of three or more; not in "www", nor in "XVIIIe"."""
    if not _DRAWN_OUT.search(raw):
        return frozenset()
    return frozenset(
        word.start() + index
        for word in _WORD.finditer(raw)
        if not _ROMAN.fullmatch(word[0]) and len(set(word[0])) > 1
        for found in _DRAWN_OUT.finditer(word[0])
        for index in range(found.start() + 1, found.end())
    )


def _opens_number(raw: str, index: int) -> bool:
    """Whether a mark starts a number (" .5"), and so belongs to what follows."""
    return raw[index] in ".," and index + 1 < len(raw) and raw[index + 1].isdigit()


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


def nearly_same(one: str, other: str) -> bool:
    """Whether two folded words may be one: a letter or two mistyped, or one root in two forms or languages."""
    shortest, longest = sorted((len(one), len(other)))
    common = next((index for index in range(shortest) if one[index] != other[index]), shortest)
    if common >= _ROOT and common >= 0.6 * longest:
        return True
    allowed = 0 if shortest < _ROOT else 1 if shortest < _LONG else 2
    return longest - shortest <= allowed and _edits(one, other) <= allowed


def _edits(one: str, other: str) -> int:
    """Letters to insert, delete, replace or swap with the next to make one word the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for index, letter in enumerate(one):
        earlier, before, row = before, row, [index + 1]
        for at, wanted in enumerate(other):
            cost = min(before[at] + (letter != wanted), before[at + 1] + 1, row[at] + 1)
            if index and at and letter == other[at - 1] and one[index - 1] == wanted:
                cost = min(cost, earlier[at - 1] + 1)
            row.append(cost)
    return row[-1]


@cache
def lexicon_table(language: str) -> dict[str, Any]:
    """The raw ``resources/lexicon/<language>.toml``. Raises KeyError for a language without a lexicon."""
    if language not in LANGUAGES:
        raise KeyError(language)
    source = resources.files("resources").joinpath("lexicon", f"{language}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


@cache
def _spellings(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds the chat spellings of a language in plain text, and what each stands for."""
    table = lexicon_table(language).get("spellings", {})
    full = {_opened(short): _opened(word) for word, block in table.items() for short in block.split("|")}
    found = "|".join(sorted(map(re.escape, full), key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{found})(?!\w)" if found else r"(?!)"), full


def _opened(word: str) -> str:
    return fold(word).replace("'", " ")


@cache
def stop_words(language: str) -> frozenset[str]:
    """Folded function words of a language: articles, pronouns, prepositions, auxiliaries, question words."""
    return frozenset(fold(word) for word in str(lexicon_table(language)["stop_words"]).split())


@cache
def _telling_words() -> dict[str, dict[str, float]]:
    """Function word → votes by language: a word of one language weighs more than one shared by several."""
    owners: dict[str, set[str]] = {}
    for language in LANGUAGES:
        extra = str(lexicon_table(language).get("telling_words", "")).split()
        for word in stop_words(language) | {fold(word) for word in extra}:
            owners.setdefault(word, set()).add(language)
    return {word: dict.fromkeys(held, 1 / len(held)) for word, held in owners.items()}


@cache
def _identifier() -> Any:
    model = py3langid.langid.MODEL_FILE
    identifier = py3langid.langid.LanguageIdentifier.from_model_file(model, norm_probs=True)
    identifier.set_languages(list(LANGUAGES))
    return identifier


def identify(text: str, fallback: str) -> str:
    """The language of a text among :data:`LANGUAGES`; ``fallback`` when nothing in it tells."""
    return ranked_languages(text, fallback)[0]


def ranked_languages(text: str, fallback: str) -> tuple[str, ...]:
    """Languages that a text may be in, likeliest first; the others are left out.

    Function words vote (they decide short messages), py3langid votes on longer ones, the fallback breaks ties.
    """
    sample = text[:_READ]
    letters = sum(character.isalpha() for character in sample)
    if not letters:
        return (fallback,)
    if len(_ARABIC.findall(sample)) * 2 > letters:
        return ("ar",)
    votes = dict.fromkeys(LANGUAGES, 0.0)
    telling = _telling_words()
    words = _WORD.findall(fold(sample))
    for word in words:
        for language, vote in telling.get(word, {}).items():
            votes[language] += vote
    with suppress(OSError):  # its model is unpacked into a temporary file: where there is no room, words alone vote
        language, probability = _identifier().classify(sample)
        votes[str(language)] += _LANGID_WEIGHT * float(probability) * min(1.0, letters / _LANGID_SURE)
    votes[fallback] = votes.get(fallback, 0.0) + 0.3
    votes["ar"] = 0.0 if not _ARABIC.search(sample) else votes["ar"]
    best = max(votes.values())
    order = sorted(votes, key=lambda name: (-votes[name], name != fallback))
    likely = tuple(name for name in order if votes[name] > 0 and votes[name] >= 0.5 * best - 0.5)
    return likely or (fallback,)
