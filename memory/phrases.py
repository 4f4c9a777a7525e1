"""Phrases: every sentence that the memory itself says, per language, with its plurals, dates and lists.

The sentences are data (``resources/phrases/<language>.toml``). A key holds either one sentence or a table of plural
forms named by CLDR category ("one", "few", "other" …), chosen by the value of ``n``. Placeholders are ``{names}``.
Month names, plural rules and list patterns come from CLDR through Babel.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

from babel import Locale
from babel.dates import format_skeleton
from babel.lists import format_list

from memory.moments import Window

LANGUAGES = ("fr", "en", "es", "ar", "de", "it", "pt")
FALLBACK = "en"
QUOTED_LENGTH = 160
Sentence = str | dict[str, str]
_FIRST_OF_MONTH = {"fr": "1er", "it": "1º"}
_ARTICLE_EACH = frozenset({"fr", "es", "it"})
_ITALIAN_VOWEL_DAYS = (8, 11)
_SENTENCE_ENDS = (".", "!", "?", "…", "؟", ":")


class MissingPhrase(KeyError):
    """No sentence of that key (and plural form) in that language: ``language``, ``key``."""

    def __init__(self, language: str, key: str) -> None:
        super().__init__(f"{language}: {key}")
        self.language = language
        self.key = key


class Phrases:
    """The sentences of one language."""

    def __init__(self, language: str, sentences: Mapping[str, Sentence]) -> None:
        """``sentences`` by dotted key. An unknown language speaks English."""
        self.language = language
        self._sentences = sentences
        self._locale = Locale.parse(language)

    def say(self, key: str, **values: object) -> str:
        """The sentence of that key; ``n`` also chooses its plural form.

        Raises MissingPhrase, and KeyError for a placeholder left without a value.
        """
        sentence = self._sentences.get(key)
        if isinstance(sentence, dict):
            form = self._locale.plural_form(_whole(values.get("n", 0)))
            sentence = sentence.get(form) or sentence.get("other")
        if sentence is None:
            raise MissingPhrase(self.language, key)
        return sentence.format_map(values)

    @property
    def keys(self) -> frozenset[str]:
        """All keys of the language."""
        return frozenset(self._sentences)

    def sentence(self, key: str) -> Sentence:
        """The raw sentence or plural table of a key, placeholders unfilled. Raises MissingPhrase."""
        if key not in self._sentences:
            raise MissingPhrase(self.language, key)
        return self._sentences[key]

    def quote(self, text: str, length: int = QUOTED_LENGTH) -> str:
        """Words in the quotation marks of the language, on one line, cut on a word."""
        return self.say("marks.quote", text=shortened(text, length))

    def list(self, items: Sequence[str]) -> str:
        """ "a, b and c"."""
        if not items:
            return ""
        joined: str = format_list(list(items), locale=self._locale)
        if self.language == "es" and len(items) > 1 and _sounds_like_i(items[-1]):
            head, last = joined[: -len(items[-1])], items[-1]
            joined = head.removesuffix("y ") + "e " + last
        return joined

    def day(self, day: date, today: date) -> str:
        """ "12 July"; with its year when that is not today's."""
        return self._day(day, with_year=day.year != today.year)

    def on(self, day: date, today: date) -> str:
        """ "on 12 July", as an adverb."""
        return self._placed("on", day, today)

    def on_days(self, days: Sequence[date], today: date) -> str:
        """ "on 12 July, 14 July and 2 August", as an adverb."""
        if self.language in _ARTICLE_EACH or len(days) == 1:
            return self.list([self.on(day, today) for day in days])
        return self.say("date.on", day=self.list([self.day(day, today) for day in days]))

    def since(self, day: date, today: date) -> str:
        """ "since 12 July"."""
        return self._placed("since", day, today)

    def span(self, first: date, last: date, today: date) -> str:
        """ "on 12 July" or "from 12 July to 3 August", as an adverb."""
        if first == last:
            return self.on(first, today)
        return self.say("date.from_to", first=self.day(first, today), last=self.day(last, today))

    def month(self, day: date) -> str:
        """ "July 2026"."""
        return str(format_skeleton("yMMMM", day, locale=self._locale))

    def window(self, window: Window, today: date | None = None) -> str:
        """ "in July 2026", "on 12 July 2026", "in 2026", "from March 2026 to May 2026" …: always with its year.

        A month that still runs (its window ends ``today``) is named as a month.
        """
        first, last = window.first, window.last
        if first.day == 1 and last == today and first != last and (first.year, first.month) == (last.year, last.month):
            return self.say("date.in_month", month=self.month(first))
        if first == last:
            return self.say(self._key("on", first), day=self._day(first, with_year=True))
        if first.day == 1 and (last + timedelta(days=1)).day == 1:
            if (first.year, first.month) == (last.year, last.month):
                return self.say("date.in_month", month=self.month(first))
            if first.month == 1 and last.month == 12:
                if first.year == last.year:
                    return self.say("date.in_year", year=first.year)
                return self.say("date.from_to", first=first.year, last=last.year)
            return self.say("date.from_to_month", first=self.month(first), last=self.month(last))
        start = self._day(first, with_year=first.year != last.year)
        return self.say("date.from_to", first=start, last=self._day(last, with_year=True))

    def percent(self, share: float) -> str:
        """ "72 %" in the way of the language."""
        return self.say("marks.percent", n=round(share * 100))

    def _placed(self, word: str, day: date, today: date) -> str:
        return self.say(self._key(word, day), day=self.day(day, today))

    def _key(self, word: str, day: date) -> str:
        elided = self.language == "it" and day.day in _ITALIAN_VOWEL_DAYS
        return f"date.{word}_vowel" if elided else f"date.{word}"

    def _day(self, day: date, *, with_year: bool) -> str:
        shown = str(format_skeleton("yMMMMd" if with_year else "MMMMd", day, locale=self._locale))
        first = _FIRST_OF_MONTH.get(self.language)
        return first + shown[1:] if first and day.day == 1 else shown


@cache
def phrases_for(language: str | None) -> Phrases:
    """The sentences of a language; English for one that Retiens does not speak."""
    known = language if language in LANGUAGES else FALLBACK
    assert known is not None
    text = resources.files("resources").joinpath("phrases", f"{known}.toml").read_text("utf-8")
    return Phrases(known, flattened(tomllib.loads(text)))


def flattened(table: Mapping[str, Any]) -> dict[str, Sentence]:
    """Dotted keys of a TOML document; a table whose every key is a plural category is one sentence."""
    found: dict[str, Sentence] = {}
    for key, value in table.items():
        if isinstance(value, str):
            found[key] = value
        elif value.keys() <= PLURAL_FORMS:
            found[key] = dict(value)
        else:
            found.update({f"{key}.{inner}": sentence for inner, sentence in flattened(value).items()})
    return found


PLURAL_FORMS = frozenset({"zero", "one", "two", "few", "many", "other"})


def placeholders_of(sentence: str) -> frozenset[str]:
    """The names in braces."""
    return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name)


def shortened(text: str, length: int) -> str:
    """The text on one line, cut on a word where it is longer than that many characters."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    return text[: length - 1].rsplit(" ", 1)[0].rstrip(" ,;:،؛") + "…"


def capitalised(text: str) -> str:
    """The first letter raised, the rest untouched."""
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """The text with a full stop, unless it ends as a sentence already (inside its quotation marks too)."""
    bare = text.rstrip().rstrip("”“»›\u202f\u00a0 ")
    return text if bare.endswith(_SENTENCE_ENDS) else f"{text}."


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _sounds_like_i(word: str) -> bool:
    start = word.lower()
    return start.startswith(("i", "í", "hi", "hí")) and not start.startswith(("hie", "hia", "ie"))
