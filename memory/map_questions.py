"""Map questions: what a message asks of the subject map, told by its words.

Understanding says that a message is about prerequisites; which way round, or whether it asks for the next step or for
the whole course, is told here from patterns in ``resources/map_questions.toml``.
"""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib import resources

from memory.understanding import MessageKind, Understanding
from memory.words import Plain


class MapQuestion(StrEnum):
    """What can be asked of the map."""

    PREREQUISITES = "prerequisites"
    DEPENDANTS = "dependants"
    NEXT = "next"
    COURSE = "course"
    REVIEW = "review"


_KINDS = frozenset({MessageKind.PREREQUISITE, MessageKind.ORDINARY})
_WHOLE = frozenset({MapQuestion.COURSE, MapQuestion.NEXT, MapQuestion.REVIEW})
_GROUPS = (
    ("review", MapQuestion.REVIEW),
    ("course", MapQuestion.COURSE),
    ("after", MapQuestion.DEPENDANTS),
    ("next", MapQuestion.NEXT),
)


def map_question(text: str, meaning: Understanding) -> MapQuestion | None:
    """What a message asks of the map, or None where it asks nothing of it.

    A prerequisite question is always one. An ordinary message is one only when it asks about the whole course, for
    the next step or for what to review, and names no concept: "what is this course about", never "what is osmosis
    about".
    """
    if meaning.kind not in _KINDS:
        return None
    plain = Plain.of(text).text
    found = next((question for question, pattern in _patterns(meaning.language) if pattern.search(plain)), None)
    if meaning.kind is MessageKind.PREREQUISITE:
        if found is MapQuestion.DEPENDANTS and not meaning.routes:
            return MapQuestion.PREREQUISITES
        if found in (MapQuestion.NEXT, MapQuestion.REVIEW) and (meaning.routes or meaning.concept_text):
            return MapQuestion.PREREQUISITES
        return found or MapQuestion.PREREQUISITES
    return found if found in _WHOLE and not meaning.routes else None


@cache
def _patterns(language: str) -> tuple[tuple[MapQuestion, re.Pattern[str]], ...]:
    text = resources.files("resources").joinpath("map_questions.toml").read_text("utf-8")
    table = tomllib.loads(text).get(language, {})
    return tuple(
        (question, re.compile("|".join(rf"\b(?:{pattern})" for pattern in table.get(key, [])) or r"(?!)"))
        for key, question in _GROUPS
    )
