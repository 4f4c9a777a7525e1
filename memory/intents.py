"""What kind of message this is: cues of one language, combined by rules that know no language.

Rules only. The order of the questions below is the order of precedence.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from memory.instructions import find_instruction, find_wish, is_document
from memory.lexicon import Lexicon, lexicon
from memory.words import Plain


class MessageKind(StrEnum):
    """What a message asks of the tutor."""

    TEACH = "teach"
    RECORD = "record"
    PREREQUISITE = "prerequisite"
    LESSON = "lesson"
    CHECK_ANSWER = "check_answer"
    SMALLTALK = "smalltalk"
    ORDINARY = "ordinary"


RECORD_SUBS = ("missed", "covered", "progress", "changed", "taught", "unanswered")
WISH = "wish"
_SHORT = 10  # words: "errors of the last two weeks" asks by being said
_LONGEST_COURTESY = 80  # letters
_DOUBLED_END = re.compile(r"([^\W\d_])\1\b")  # "mercii", "graciass"
_ANSWER_WORDS = 40  # a longer message is no answer to a check's question


@dataclass(frozen=True, slots=True)
class Intent:
    """Kind and sub of a message; ``note`` is the span of plain text to remember (teach and wish).

    ``besides``: the note to remember stands beside a question. ``others``: somebody else's record is asked for.
    ``settled`` says that a rule spoke; False lets
    the rules of another likely language speak.
    """

    kind: MessageKind
    sub: str | None = None
    note: tuple[int, int] | None = None
    settled: bool = True
    besides: bool = False
    others: bool = False


class Cues:
    """The cues of one message, each looked for once."""

    def __init__(self, text: str, words: Lexicon, windowed: Callable[[], bool]) -> None:
        self.text = text
        self.words = words
        self._seen: dict[str, bool] = {}
        self._windowed = windowed

    def __getitem__(self, name: str) -> bool:
        if name not in self._seen:
            self._seen[name] = self._windowed() if name == "window" else bool(self.words.cue(name).search(self.text))
        return self._seen[name]

    @property
    def asking(self) -> bool:
        """A question, or a request to be shown something."""
        return "?" in self.text or self["asks"] or self["request"]

    @property
    def bare(self) -> bool:
        """A few words without a verb's frame ("my mistakes in july"), asked by being said."""
        return len(self.text.split()) <= 6


def classify(plain: Plain, language: str, windowed: Callable[[], bool], pending_check: bool = False) -> Intent:
    """The intent of a message by the rules of one language. ``windowed`` tells whether it names a time window."""
    words = lexicon(language)
    if is_document(plain.raw):
        return Intent(MessageKind.ORDINARY)
    text = plain.text
    if not pending_check and _is_smalltalk(text, language):
        return Intent(MessageKind.SMALLTALK)
    wish = find_wish(plain, language)
    if wish:
        return Intent(MessageKind.ORDINARY, WISH, (wish.first, wish.last))
    note = find_instruction(plain, language)
    if note and note.besides:  # asked back, so that neither the note nor the question passes in silence
        return Intent(MessageKind.ORDINARY, WISH, (note.first, note.last), besides=True)
    if note:
        return Intent(MessageKind.TEACH, None, (note.first, note.last))
    cues = Cues(text, words, windowed)
    if _about_others(cues) and (cues.asking or not pending_check):
        return Intent(MessageKind.ORDINARY, others=_others_record(cues))
    if cues["ready"]:
        return Intent(MessageKind.RECORD, "progress")
    if _lesson(cues):
        return Intent(MessageKind.LESSON)
    for sub, rule in (("unanswered", _unanswered), ("taught", _taught), ("changed", _changed)):
        if rule(cues):
            return Intent(MessageKind.RECORD, sub)
    if _prerequisite(cues):
        return Intent(MessageKind.PREREQUISITE)
    for sub, rule in _AFTER.items():
        if rule(cues):
            return Intent(MessageKind.RECORD, sub)
    if pending_check and _is_answer(plain, cues):
        return Intent(MessageKind.CHECK_ANSWER)
    if pending_check and _is_smalltalk(text, language):
        return Intent(MessageKind.SMALLTALK)
    return Intent(MessageKind.ORDINARY, settled=cues["content"] or cues["narrative"])


@cache
def _smalltalk(language: str) -> re.Pattern[str]:
    words = lexicon(language)
    phrase = f"(?:{words.cue('smalltalk').pattern})"
    filler = f"(?:{words.cue('address').pattern})"
    mark = r"[\s,.!?;:…~()*\-\"^<>3]*"
    return re.compile(rf"{mark}(?:{filler}{mark})*{phrase}{mark}(?:(?:{phrase}|{filler}){mark})*")


def _is_smalltalk(text: str, language: str) -> bool:
    """Nothing but greetings, thanks, agreement, laughter (or signs without a letter or digit)."""
    if not any(letter.isalnum() for letter in text):
        return True
    bare = "".join(letter for letter in text if letter.isalnum() or ord(letter) < 128 or letter in "…").strip()
    if len(bare) > _LONGEST_COURTESY:
        return False
    return any(_smalltalk(language).fullmatch(said) for said in (bare, _DOUBLED_END.sub(r"\1", bare)))


def _about_others(cues: Cues) -> bool:
    """Whether somebody is spoken of, and nothing of the student's ("what did my sister get wrong")."""
    if not cues["other_person"] or cues["lesson"]:
        return False
    return not cues.words.cue("self").search(_without_persons(cues))


def _others_record(cues: Cues) -> bool:
    """Whether it is that person's record which is asked for."""
    if any(rule(cues) for rule in (_taught, _changed, *_AFTER.values())):
        return True
    return cues.asking and bool(cues.words.cue("third_person").search(_without_persons(cues)))


def _without_persons(cues: Cues) -> str:
    return cues.words.cue("other_person").sub(" x ", cues.text).replace("  ", " ")


def _lesson(cues: Cues) -> bool:
    return cues["lesson"] and not cues["lesson_not"]


def _unanswered(cues: Cues) -> bool:
    return cues["unanswered"] or (cues["my_questions"] and cues["files"] and cues["lacks"])


def _taught(cues: Cues) -> bool:
    return cues["taught"] and not cues["taught_not"] and (cues.asking or cues.bare)


def _changed(cues: Cues) -> bool:
    return cues["changed"] or (cues["opinion"] and cues["change"])


def _prerequisite(cues: Cues) -> bool:
    return cues["prerequisite"] and not cues["prerequisite_not"]


def _missed(cues: Cues) -> bool:
    if cues["missed_not"] or cues["narrative"]:
        return False
    if cues["third_person"] and not cues["me"]:
        return False
    if cues["missed"]:
        return cues.asking or cues.bare or not cues["content"]
    if cues["content"] or not cues["error"]:
        return False
    return (cues["me"] and cues.asking) or (cues["window"] and len(cues.text.split()) <= _SHORT)


def _progress(cues: Cues) -> bool:
    return cues["progress"] and not cues["progress_not"]


def _covered(cues: Cues) -> bool:
    if cues["narrative"] and not cues.asking:
        return False
    if cues["covered"] or (cues["window"] and (cues["told"] or cues["recap"])):
        return True
    if cues["content"] and not (cues["studied"] and cues["session"]):
        return False
    if cues["studied"] and cues.asking and cues["window"]:
        return True
    return cues["session"] and cues["window"] and (cues.asking or cues.bare)


_AFTER = {"missed": _missed, "progress": _progress, "covered": _covered}
"""What is asked of the record when nothing before it is asked."""


def _is_answer(plain: Plain, cues: Cues) -> bool:
    """With a check pending: whatever neither asks nor requests is the answer."""
    text = plain.text
    if cues["unsure"] and len(text.split()) <= 8:
        return True
    if cues.words.cue("ask_first").match(text):
        return False
    if _is_smalltalk(text, cues.words.language):
        return False
    return len(text.split()) <= _ANSWER_WORDS
