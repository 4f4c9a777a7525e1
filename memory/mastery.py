"""How well the student knows a concept: Bayesian Knowledge Tracing, one small number a concept.

The model is Corbett and Anderson's (1995, "Knowledge tracing: Modeling the acquisition of procedural knowledge",
User Modeling and User-Adapted Interaction 4): a concept is known or not; a check is evidence through the chance of
guessing and of slipping; each check is also an occasion to learn. Guess and slip stay within the bounds that keep the
model meaning what it says, 0.30 and 0.10 (Baker, Corbett and Aleven 2008, "More accurate student modeling through
contextual estimation of slip and guess probabilities"). Before a concept's first check, what is predicted is the
student's own record on first checks elsewhere: an individual prior, as in Pardos and Heffernan (2010, "Modeling
individualization in a Bayesian networks implementation of knowledge tracing"). The start and the learning rate are
round numbers; ``tests/benchmark/mastery.py`` measures all of it on real answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from memory.episodes import Verdict

KNOWN_AT_FIRST = 0.4
LEARNS = 0.2
GUESSES = 0.2
SLIPS = 0.1
UNDERSTANDS_FROM = 0.70
WEAK_UP_TO = 0.35
FIRST_CHECKS_WEIGHT = 5.0  # the start above counts for as much as five first checks of this student


class Claim(StrEnum):
    """What is held about the student on a concept. ``withdrawn`` says that nothing is held any more."""

    UNDERSTANDS = "understands"
    UNSURE = "unsure"
    WEAK = "weak"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class FirstChecks:
    """The student's first checks of each concept in a subject: how many, and their summed outcome."""

    count: int
    score: float


def outcome(verdict: Verdict) -> float:
    """The verdict as a number: right 1, partly 0.5, wrong 0."""
    match verdict:
        case Verdict.RIGHT:
            return 1.0
        case Verdict.PARTLY:
            return 0.5
        case Verdict.WRONG:
            return 0.0
        case _:
            assert_never(verdict)


def chance_of_right(mastery: float) -> float:
    """The probability in (0, 1) that the next check is answered right."""
    return mastery * (1.0 - SLIPS) + (1.0 - mastery) * GUESSES


def first_chance(firsts: FirstChecks) -> float:
    """The same probability for a concept never checked, from this student's first checks on other concepts."""
    start = chance_of_right(KNOWN_AT_FIRST)
    return (firsts.score + FIRST_CHECKS_WEIGHT * start) / (firsts.count + FIRST_CHECKS_WEIGHT)


def learn_from(mastery: float, verdict: Verdict) -> float:
    """The mastery after a check: what the verdict says, then the learning step.

    *Partly* is the mean of what right and wrong would each have said.
    """
    chance = chance_of_right(mastery)
    if_right = mastery * (1.0 - SLIPS) / chance
    if_wrong = mastery * SLIPS / (1.0 - chance)
    share = outcome(verdict)
    posterior = share * if_right + (1.0 - share) * if_wrong
    return min(1.0, posterior + (1.0 - posterior) * LEARNS)  # rounding may step over it


def claim_of(mastery: float) -> Claim:
    """The words for a mastery: 0.70 and more understands, 0.35 and less is weak, between is unsure."""
    if mastery >= UNDERSTANDS_FROM:
        return Claim.UNDERSTANDS
    return Claim.WEAK if mastery <= WEAK_UP_TO else Claim.UNSURE


def confidence_of(mastery: float) -> float:
    """How sure the claim is: the mastery for *understands*, its complement for *weak*, one half for *unsure*."""
    match claim_of(mastery):
        case Claim.UNDERSTANDS:
            return mastery
        case Claim.WEAK:
            return 1.0 - mastery
        case _:
            return 0.5
