"""Checks made from the files' own sentences, in forms that a machine judges beyond doubt.

A sentence that defines a concept is asked about with the concept taken out, among its siblings or freely; a concept
is asked for its definition among those of its siblings, or whether a definition is its own; a number with its unit
is asked for as it stands in the file. The sentence just shown, and the question just asked, come last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from memory.checks import Check, CheckKind
from memory.claims import SentenceKind, split_sentences
from memory.concept_rows import Concept
from memory.episodes import ConceptId, Evidence, SubjectId
from memory.gaps import GAP, determines, measure, mentions, overlapping, says_as_much, spells_out, tells, without_name
from memory.memory import Memory
from memory.passages import Passage
from memory.phrases import Phrases, phrases_for, shortened
from memory.words import fold, stem, tokens

CHOICES = 4
FEWEST_CHOICES = 3
SHOWN_LENGTH = 320
"""Characters of a sentence in a question …"""
CHOICE_LENGTH = 200
"""… and in a choice."""
SEARCHED = 8
"""Passages in which other sentences about a concept are looked for."""
FEWEST_LETTERS_OF_SENTENCE = 30


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of a file about a concept, whole and with the concept taken out (None: it gives only a number)."""

    sentence: str
    gapped: str | None
    source: Evidence


@dataclass(frozen=True, slots=True)
class Form:
    """A possible check: ``repeats`` the sentence just shown."""

    check: Check
    form: str
    repeats: bool


_FORMS = ("name", "definition", "gap", "truth", "number")


class CheckMaker:
    """Makes checks on the concepts of one subject, as its map and files stand."""

    def __init__(self, memory: Memory, subject: SubjectId) -> None:
        self._memory = memory
        self._subject = subject
        sequence = [ConceptId(id) for id in memory.map.order(subject).sequence]
        self._order = [concept for concept in memory.map.many(sequence) if concept.explained]
        counted = Counter(
            word
            for concept in self._order
            for word in {stem(word, concept.language or "en") for word in tokens(concept.name, concept.language)}
        )
        self._common = frozenset(word for word, times in counted.items() if times > 1)
        self._defined: dict[ConceptId, tuple[Told, ...]] = {}

    @property
    def order(self) -> list[Concept]:
        """Explained concepts in teaching order."""
        return self._order

    def fair(self, concept: Concept) -> bool:
        """Whether a definition of the file determines the concept, so that it can be asked about fairly."""
        return bool(self.definitions(concept))

    def definitions(self, concept: Concept) -> tuple[Told, ...]:
        """The definitions on the map that determine their concept."""
        if concept.id not in self._defined:
            told = []
            for place in concept.places:
                if place.quote is not None:
                    lines = (place.quote.first_line, place.quote.last_line)
                    source = Evidence(place.name, place.sha256, place.quote.page, lines)
                    told += self._determined(concept, place.quote.text, source)
            self._defined[concept.id] = tuple(told)
        return self._defined[concept.id]

    def told(self, concept: Concept) -> list[Told]:
        """Every sentence of the files that can be asked about: definitions on the map first, then others."""
        defined = self.definitions(concept)
        return [*defined, *self._elsewhere(concept, {each.sentence for each in defined})]

    def make(
        self,
        concept: Concept,
        language: str,
        *,
        shown: str | None = None,
        asked: Sequence[str] = (),
        but: Collection[CheckKind] = (),
    ) -> Check:
        """A check on a concept; its prediction is made before any reply.

        ``shown`` is the sentence just read, ``asked`` the questions asked before (oldest first), ``but`` the kinds
        that are not to be used now.
        """
        forms = [form for form in self.forms(concept, language, shown) if form.check.kind not in but]
        turn = len(asked)
        forms.sort(
            key=lambda each: (
                asked.index(each.check.question) + 1 if each.check.question in asked else 0,
                each.repeats,
                (_FORMS.index(each.form) - turn) % len(_FORMS),
            )
        )
        if forms and forms[0].check.question not in asked[-1:]:
            return forms[0].check
        others = [form for form in forms if form.check.question not in asked[-1:]]
        return others[0].check if others else self._in_own_words(concept, language)

    def forms(self, concept: Concept, language: str, shown: str | None = None) -> Iterator[Form]:
        """Every check that can be made on a concept; ``shown`` is the sentence just read."""
        phrases = phrases_for(language)
        defined = self.definitions(concept)
        for each in self.told(concept):
            repeats = shown is not None and _same(each.sentence, shown)
            if each.gapped is None:
                yield from self._number(concept, each, language, phrases, repeats)
                continue
            yield from self._by_name(concept, each, language, phrases, repeats)
            yield self._gap(concept, each, language, phrases, repeats)
        if defined:
            yield from self._by_definition(concept, defined[0], language, phrases)
            yield from self._by_truth(concept, defined[0], language, phrases, shown)

    def _by_name(self, concept: Concept, told: Told, language: str, phrases: Phrases, repeats: bool) -> Iterator[Form]:
        name = concept.name_in(language)
        named = [other.name_in(language) for other in self._siblings(concept, told.sentence)]
        if len(named) < FEWEST_CHOICES - 1:
            return
        assert told.gapped is not None
        choices = _shuffled([name, *named[: CHOICES - 1]], f"{concept.id}{told.sentence}")
        question = phrases.say("check.ask_means", definition=phrases.quote(told.gapped, SHOWN_LENGTH))
        yield Form(
            self._check(CheckKind.MULTIPLE_CHOICE, question, name, concept, language, told.source, choices),
            "name",
            repeats,
        )

    def _gap(self, concept: Concept, told: Told, language: str, phrases: Phrases, repeats: bool) -> Form:
        assert told.gapped is not None
        question = phrases.say("check.ask_cloze", sentence=phrases.quote(told.gapped, SHOWN_LENGTH))
        check = self._check(CheckKind.CLOZE, question, concept.name, concept, language, told.source)
        return Form(check, "gap", repeats)

    def _by_definition(self, concept: Concept, told: Told, language: str, phrases: Phrases) -> Iterator[Form]:
        others = [self.definitions(other)[0].gapped for other in self._siblings(concept, told.sentence)]
        choices = [shortened(each, CHOICE_LENGTH) for each in [told.gapped, *others[: CHOICES - 1]] if each]
        if len(choices) < FEWEST_CHOICES or len({fold(each) for each in choices}) < len(choices):
            return
        question = phrases.say("check.ask_choice", concept=phrases.quote(concept.name_in(language)))
        shuffled = _shuffled(choices, f"{concept.id}definition")
        kind = CheckKind.MULTIPLE_CHOICE
        check = self._check(kind, question, choices[0], concept, language, told.source, shuffled)
        yield Form(check, "definition", repeats=False)

    def _by_truth(
        self, concept: Concept, told: Told, language: str, phrases: Phrases, shown: str | None
    ) -> Iterator[Form]:
        siblings = self._siblings(concept, told.sentence)
        true, false = phrases.say("check.true"), phrases.say("check.false")
        files = {place.file for place in concept.places}
        near = [each for each in siblings if not files.isdisjoint(place.file for place in each.places)]
        swapped = self.definitions(near[0])[0] if near else None
        first = sha256(concept.id.encode()).digest()[0] % 2  # half of them are asked with a false one first
        for each in (told, swapped) if first else (swapped, told):
            if each is None or each.gapped is None:
                continue
            question = phrases.say(
                "check.ask_truth",
                concept=phrases.quote(concept.name_in(language)),
                sentence=phrases.quote(each.gapped, SHOWN_LENGTH),
            )
            expected = true if each is told else false
            kind = CheckKind.MULTIPLE_CHOICE
            check = self._check(kind, question, expected, concept, language, told.source, (true, false))
            yield Form(check, "truth", repeats=shown is not None and each is told)

    def _number(self, concept: Concept, told: Told, language: str, phrases: Phrases, repeats: bool) -> Iterator[Form]:
        found = measure(told.sentence, concept.language)
        if found is None:
            return
        gapped = told.sentence[: found.first] + GAP + told.sentence[found.last :]
        question = phrases.say("check.ask_measure", sentence=phrases.quote(gapped, SHOWN_LENGTH))
        check = self._check(CheckKind.NUMERIC, question, found.text, concept, language, told.source)
        yield Form(check, "number", repeats)

    def _in_own_words(self, concept: Concept, language: str) -> Check:
        quote = concept.definition
        return self._check(
            CheckKind.SHORT_ANSWER,
            phrases_for(language).say(
                "check.ask_short", concept=phrases_for(language).quote(concept.name_in(language))
            ),
            quote.text if quote else concept.summary or concept.name,
            concept,
            language,
            _source(concept),
        )

    def _check(
        self,
        kind: CheckKind,
        question: str,
        expected: str,
        concept: Concept,
        language: str,
        source: Evidence | None,
        choices: Sequence[str] = (),
    ) -> Check:
        return Check(
            kind,
            question,
            expected,
            language,
            concept.id,
            concept.key,
            choices=tuple(choices),
            accepted=names_of(concept) if kind is CheckKind.CLOZE else (),
            predicted=round(self._memory.beliefs.prediction(self._subject, concept.id), 4),
            source=source,
        )

    def _siblings(self, concept: Concept, sentence: str) -> list[Concept]:
        """Concepts that may stand beside one as wrong choices, the likeliest first.

        They are defined in the same language by a sentence that says something else; none holds the name, names it
        in its definition, or is named by the sentence (it might be right as well, or is out of the question at once).
        """
        here = next((at for at, each in enumerate(self._order) if each.id == concept.id), 0)
        files = {place.file for place in concept.places}
        taken = [*names_of(concept)]
        found: list[tuple[tuple[bool, bool, bool, bool, int], Concept]] = []
        said = fold(sentence)
        asked = without_name(sentence, names_of(concept), concept.language, self._common) or sentence
        for at, other in enumerate(self._order):
            if other.id == concept.id or other.language != concept.language or not self.fair(other):
                continue
            names = names_of(other)
            if any(overlapping(one, name, concept.language) for one in taken for name in names):
                continue
            if any(fold(name) in said for name in names) or mentions(sentence, names, other.language, self._common):
                continue
            defined = self.definitions(other)[0]
            if mentions(defined.sentence, names_of(concept), concept.language, self._common):
                continue
            if says_as_much(defined.gapped or "", asked, concept.language):
                continue
            apart = (
                files.isdisjoint(place.file for place in other.places),
                asked.startswith(GAP) != (defined.gapped or "").startswith(GAP),
                _proper(other.name) != _proper(concept.name),
                _related(concept, other),
                abs(at - here),
            )
            found.append((apart, other))
        chosen: list[Concept] = []
        for _, other in sorted(found, key=lambda pair: pair[0]):
            if not any(
                overlapping(one, name, concept.language)
                for each in chosen
                for one in names_of(each)
                for name in names_of(other)
            ):
                chosen.append(other)
            if len(chosen) == CHOICES - 1:
                break
        return chosen

    def _elsewhere(self, concept: Concept, known: Collection[str]) -> list[Told]:
        """Other sentences of the files that define the concept, or give a number about it."""
        found: list[Told] = []
        seen = {fold(sentence) for sentence in known}
        passages = self._memory.passages.search(self._subject, concept.name, concept.language or "en", limit=SEARCHED)
        for each in passages:
            if each.passage.language != concept.language:
                continue
            for sentence, source in _sentences(each.passage):
                if fold(sentence) in seen:
                    continue
                seen.add(fold(sentence))
                determined = self._determined(concept, sentence, source)
                if determined:
                    found += [each for each in determined if self._adds(each, concept, found)]
                elif measure(sentence, concept.language):
                    gapped = without_name(sentence, names_of(concept), concept.language, self._common, fewest=1)
                    if gapped is not None and tells(gapped, concept.language):
                        found.append(Told(sentence, None, source))
        return found

    def _adds(self, told: Told, concept: Concept, found: Sequence[Told]) -> bool:
        """Whether a sentence says something else than those known, and not under a heading that was glued to it."""
        gapped = told.gapped or ""
        opened = gapped.startswith(GAP) or (gapped.count(GAP) == 1 and gapped.find(GAP) > len(gapped) // 3)
        known = [each.gapped for each in (*self.definitions(concept), *found) if each.gapped]
        return opened and not any(says_as_much(gapped, each, concept.language) for each in known)

    def _determined(self, concept: Concept, sentence: str, source: Evidence) -> list[Told]:
        gapped = without_name(sentence, names_of(concept), concept.language, self._common)
        if gapped is None or not determines(gapped, concept.language):
            return []
        if any(spells_out(name, gapped) for name in names_of(concept)):
            return []
        return [Told(sentence, gapped, source)]


def names_of(concept: Concept) -> tuple[str, ...]:
    """Every name of a concept, in all languages."""
    return tuple(dict.fromkeys((concept.name, *(each.name for each in concept.names))))


def _sentences(passage: Passage) -> Iterator[tuple[str, Evidence]]:
    """The sentences of a passage with their lines; blank lines and headings part them."""
    first, start = passage.first_line, 0
    for block in passage.text.split("\n\n"):
        joined = block.replace("\n", " ")
        for each in split_sentences(joined, passage.language):
            if each.kind is not SentenceKind.CLAIM or each.last - each.first < FEWEST_LETTERS_OF_SENTENCE:
                continue
            before = passage.text[: start + each.first].count("\n")
            within = block[each.first : each.last].count("\n")
            lines = (first + before, first + before + within)
            yield each.text, Evidence(passage.name, passage.sha256, passage.page, lines)
        start += len(block) + 2


def _proper(name: str) -> bool:
    return name[:1].isupper()


def _related(concept: Concept, other: Concept) -> bool:
    return other.id in concept.builds_on or concept.id in other.builds_on


def _same(one: str, other: str) -> bool:
    first, second = " ".join(tokens(one)), " ".join(tokens(other))
    return first in second or second in first


def _shuffled(names: Sequence[str], seed: str) -> list[str]:
    """The same order on every run, and another for another check."""
    return sorted(names, key=lambda name: sha256(f"{seed}{name}".encode()).digest())


def _source(concept: Concept) -> Evidence | None:
    for place in concept.places:
        if place.quote is not None:
            lines = (place.quote.first_line, place.quote.last_line)
            return Evidence(place.name, place.sha256, place.quote.page, lines)
    return None
