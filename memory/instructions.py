"""Instructions to remember something: "remember that …", "…, keep that in mind", "from now on call X Y".

Whether a message teaches decides what is stored with the highest salience, so precision comes first: an instruction
opens a clause (or closes the message), is not a question, not reported speech, not between quotation marks.
A tag behind it ("…, ok?") does not make it a question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from memory.lexicon import Lexicon, lexicon
from memory.words import Plain

DOCUMENT_LETTERS = 1500
"""A message longer than this is a pasted text."""
DOCUMENT_LINES = 14
_SOURCE_MARK = re.compile(
    r"^\s*>|^\s*```|\[[^\]\n]{1,60}\.(?:pdf|docx?|pptx?|epub|md|txt|html?)\b[^\]\n]*\]|https?://\S+\s*$"
    r"|^\s*(?:[^\s:]{1,40}\.(?:pdf|docx?|pptx?|epub|md|txt|html?))\s*(?:,[^:\n]{0,30})?:|©|\bdoi:|\bISBN\b",
    re.IGNORECASE | re.MULTILINE,
)
_CLAUSE = re.compile(r"[.!?;:,…\n](?: |$)|[–—]| - |^")
_CLAUSE_MARK = re.compile(r"[.!?;:,…]")
_CLAUSE_END = re.compile(r"[.!?;]")
_EDGES = " ,;:.!-–—…\"'"
_SHORTEST_NOTE = 2  # words
_SHORTEST_BEFORE = 4  # letters before an instruction that stands last


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction found in plain text: ``text[first:last]`` is what to remember.

    ``besides``: the message asks something too, and keeping the note alone would leave that unheard.
    """

    first: int
    last: int
    besides: bool = False


def is_document(raw: str) -> bool:
    """Whether a message is a pasted text or bears the mark of a source: such a text never teaches."""
    return len(raw) > DOCUMENT_LETTERS or raw.count("\n") >= DOCUMENT_LINES or bool(_SOURCE_MARK.search(raw))


@cache
def _opening(language: str) -> re.Pattern[str]:
    found = lexicon(language)
    words = f"{found.cue('opening').pattern}|{found.cue('address').pattern}"
    link = found.cue("connector").pattern
    return re.compile(rf"(?:(?:.* )?(?:{link}) ?)?(?:(?:{words})[ ,!]*)*")


@cache
def _tail_pattern(language: str) -> re.Pattern[str]:
    """An instruction that stands last, with what may still follow it ("…, note that down for later")."""
    found = lexicon(language)
    return re.compile(rf"{found.cue('tail').pattern}(?:,? {found.cue('aside').pattern})*")


@cache
def _tags(language: str) -> re.Pattern[str]:
    """A tag at the end: whole clauses of tag words, or tag words before a question mark."""
    tag = lexicon(language).cue("tag").pattern
    return re.compile(rf"(?:[,.;!?:… ]+(?:{tag}))+[ .!?…]*$")


def _starts_clause(text: str, at: int, language: str) -> bool:
    """Whether nothing but politeness and links stands between the last clause border and this place."""
    before = text[:at]
    borders = [border.end() for border in _CLAUSE.finditer(before)]
    clause = before[borders[-1] :] if borders else before
    return bool(_opening(language).fullmatch(clause.strip(" ") + (" " if clause.strip() else "")) or not clause.strip())


def _quoted(text: str, at: int) -> bool:
    return text.count('"', 0, at) % 2 == 1


def without_tag(text: str, language: str) -> tuple[int, bool]:
    """Where the message ends once a tag is cut off, and whether there was one. "Was that right?" is no tag."""
    found = _tags(language).search(text)
    if found and found.start() > 0 and not lexicon(language).cue("confirm").search(text, _last_clause(text)):
        return found.start(), True
    return len(text), False


def _last_clause(text: str) -> int:
    borders = [border.end() for border in _CLAUSE_MARK.finditer(text.rstrip(" .?!"))]
    return borders[-1] if borders else 0


def find_instruction(plain: Plain, language: str) -> Instruction | None:
    """The note a message asks to keep, or None when it does not teach."""
    if is_document(plain.raw):
        return None
    text = plain.text
    words = lexicon(language)
    end, tagged = without_tag(text, language)
    body = text[:end].rstrip(_EDGES if tagged else " ")
    found = _tail(body, words)
    between = body[: found.last] if found else body  # "be aware that …, remember that"
    found = _lead(between, words) or found or _convention(body, words)
    if found is None:
        return None
    first, last = _trimmed(text, found.first, found.last, words)
    note = text[first:last]
    if len(note.split()) < _SHORTEST_NOTE or not any(letter.isalpha() for letter in note):
        return None
    return Instruction(first, last, "?" in body[:first] or _asks(body[last:], words))


def _asks(rest: str, words: Lexicon) -> bool:
    """Whether what stands after a note asks something."""
    return "?" in rest or bool(words.cue("confirm").search(rest))


def find_wish(plain: Plain, language: str) -> Instruction | None:
    """What "can you remember that …?" wishes to have kept, or None."""
    if is_document(plain.raw):
        return None
    text = plain.text
    words = lexicon(language)
    for found in words.cue("wish").finditer(text):
        rest = text[found.end() :].lstrip(" ,:")
        if _starts_clause(text, found.start(), language) and not _asks_first(rest, words):
            first, last = _trimmed(text, found.end(), without_tag(text, language)[0], words)
            while last > first and text[last - 1] in " ?":
                last -= 1
            if len(text[first:last].split()) >= _SHORTEST_NOTE:
                return Instruction(first, last)
    return None


def _asks_first(text: str, words: Lexicon) -> bool:
    return bool(words.cue("interrogative").match(text))


def _reported(text: str, at: int, words: Lexicon) -> bool:
    return _quoted(text, at) or bool(words.cue("reported").search(text, 0, at))


def _sentence_end(text: str, at: int, words: Lexicon) -> int:
    """The end of the sentence that begins at a place: a note ends where the next question begins."""
    for mark in re.finditer(r"[.!…;,:](?= )|\?", text[at:]):
        rest = text[at + mark.end() :].lstrip()
        if mark[0] == "?":
            return at + mark.end()
        asks = words.cue("confirm").match(rest) or ("?" in rest and _asks_first(rest, words))
        if asks or (mark[0] in ".!…" and "?" in rest):
            return at + mark.start()
    return len(text)


def _lead(body: str, words: Lexicon) -> Instruction | None:
    """The instruction stands first: what follows it is the note."""
    for found in words.cue("lead").finditer(body):
        if not _starts_clause(body, found.start(), words.language) or _reported(body, found.start(), words):
            continue
        before = body[: found.start()].rstrip(' "')
        if before.endswith(":") and words.cue("content").search(before):  # "translate: remember that …"
            continue
        if words.cue("weak").match(body, found.start()):
            continue
        last = _sentence_end(body, found.end(), words)
        note = body[found.end() : last].lstrip(_EDGES)
        if note.endswith("?") or _asks_first(note, words):
            continue
        return Instruction(found.end(), last)
    return None


def _tail(body: str, words: Lexicon) -> Instruction | None:
    """The instruction stands last: what precedes it is the note."""
    bare = body.rstrip(_EDGES)
    pattern = _tail_pattern(words.language)
    for found in pattern.finditer(bare):
        if found.start() < _SHORTEST_BEFORE or not pattern.fullmatch(bare, found.start()):
            continue
        note = bare[: found.start()].rstrip(" ")
        if (
            not _starts_clause(bare, found.start(), words.language)
            or note.rstrip(_EDGES).endswith("?")
            or _reported(bare, len(note), words)
            or _is_question(note, words)
        ):
            continue
        return Instruction(0, found.start())
    return None


def _is_question(text: str, words: Lexicon) -> bool:
    """Whether a clause of the text opens like a question, or ends like one."""
    for clause in re.split(r"[.!?;:,…] ?", text):
        opened = _opening(words.language).match(clause)
        start = opened.end() if opened else 0
        if words.cue("conditional").match(clause, start) or words.cue("conditional").match(clause):
            continue
        if words.cue("ask_first").match(clause, start) or words.cue("ask_first").match(clause):
            return True
    return text.rstrip().endswith("?")


def _convention(body: str, words: Lexicon) -> Instruction | None:
    """ "From now on treat X as Y": the verb carries the convention, and the note starts at it."""
    if body.rstrip().endswith("?"):
        return None
    for found in words.cue("from_now").finditer(body):
        before = body[: found.start()]
        if _reported(body, found.start(), words) or words.cue("interrogative").match(before):
            continue
        after = body[found.end() :]
        lead = len(after) - len(after.lstrip(_EDGES))
        start = found.end() + lead
        opened = _opening(words.language).match(body, start)
        starts = {start, opened.end() if opened else start}
        for place in sorted(starts):
            assumed = words.cue("assume").match(body, place)
            if assumed:
                return Instruction(assumed.end(), _sentence_end(body, place, words))
            if words.cue("convention").match(body, place):
                return Instruction(place, _sentence_end(body, place, words))
        opened = _opening(words.language).match(body)
        verb = words.cue("convention").match(body, opened.end() if opened else 0)
        if verb and verb.end() <= found.start() and not _CLAUSE_END.search(body, verb.end(), found.start()):
            return Instruction(verb.start(), _sentence_end(body, verb.start(), words))
    for found in words.cue("assume").finditer(body):
        last = _sentence_end(body, found.end(), words)
        note = body[found.end() : last]
        if (
            _starts_clause(body, found.start(), words.language)
            and not _reported(body, found.start(), words)
            and words.cue("mine").search(note)
            and not words.cue("asks").search(note)
            and not words.cue("content").search(note)
        ):
            return Instruction(found.end(), last)
    return None


def _trimmed(text: str, first: int, last: int, words: Lexicon) -> tuple[int, int]:
    """Edges, labels ("update:") and a tag cut off a note."""
    while first < last and text[first] in _EDGES.replace('"', ""):
        first += 1
    label = words.cue("label").match(text, first, last)
    if label and text[label.end() : label.end() + 1] in (":", ",") and label.end() + 1 < last:
        first = label.end() + 1
        while first < last and text[first] in " ,:":
            first += 1
    while last > first and text[last - 1] in _EDGES.replace('"', ""):
        last -= 1
    return first, last
