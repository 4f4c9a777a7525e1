"""A claim is tied to the sentence that says it, and never to one that only uses its words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import apsw
import pytest

from memory.claims import split_claims
from memory.episodes import Kind
from memory.grounding import AnswerRecords, Grounding, Source, Status, ground

CELLS = Source(
    "passage",
    "7",
    "Osmosis is the movement of water through a semipermeable membrane. It needs no energy from the cell.\n"
    "The pressure rises by 24 percent in 3 hours. Diffusion moves solutes from a high to a low concentration. "
    "The first cells were described by Robert Hooke in September 1665.",
    "en",
    "cells.pdf",
)
NAMES = {"osmosis": ["osmosis", "osmose"], "diffusion": ["diffusion"], "membrane": ["membrane"]}


def link(answer: str, sources: Sequence[Source] = (CELLS,), language: str = "en") -> Grounding:
    return ground(split_claims(answer, language), sources, language=language, names=NAMES)


def supported(answer: str, sources: Sequence[Source] = (CELLS,), language: str = "en") -> bool:
    (citation,) = link(answer, sources, language).citations
    return citation.kind != "none"


@pytest.mark.parametrize(
    "claim",
    [
        "Osmosis is the movement of water through a semipermeable membrane.",
        "Osmosis moves water through a membrane that is semipermeable.",
        "The pressure rises by 24% in three hours.",
        "Diffusion moves solutes from high to low concentration.",
        "Robert Hooke described the first cells in 1665.",
    ],
)
def test_what_the_passage_says_is_supported(claim: str) -> None:
    assert supported(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "The pressure rises by 42 percent in 3 hours.",
        "The pressure rises by 24 percent in 5 hours.",
        "Osmosis is not the movement of water through a semipermeable membrane.",
        "The pressure falls by 24 percent in 3 hours.",
        "Diffusion moves solutes from a low to a high level of energy.",
        "Diffusion is the movement of water through a semipermeable membrane.",
        "The first cells were described by Robert Hooke in March 1665.",
        "The first cells were described by Isaac Newton in September 1665.",
        "Osmosis cures illnesses and improves eyesight.",
        "Photosynthesis turns light into sugar.",
    ],
)
def test_a_near_miss_is_not_supported(claim: str) -> None:
    assert not supported(claim)


def test_a_citation_points_to_its_claim_and_its_sentence() -> None:
    answer = "Sure! Osmosis moves water through a semipermeable membrane. Does that help?"
    (citation,) = link(answer).citations
    assert answer[citation.first : citation.last] == "Osmosis moves water through a semipermeable membrane."
    assert (citation.claim, citation.kind, citation.source, citation.label) == (0, "passage", "7", "cells.pdf")
    assert citation.quote.startswith("Osmosis is the movement")


def test_the_best_of_several_sources_is_cited() -> None:
    vague = Source("passage", "1", "Water moves through a membrane in many ways.", "en", "other.pdf")
    (citation,) = link("Osmosis is the movement of water through a semipermeable membrane.", [vague, CELLS]).citations
    assert citation.source == "7"


@pytest.mark.parametrize(
    ("language", "said", "claim"),
    [
        (
            "en",
            "The trace of a matrix is the sum of its diagonal elements.",
            "A matrix is the sum of its diagonal elements.",
        ),
        ("fr", "La racine d'un arbre est le nœud de départ.", "L'arbre est le nœud de départ."),
        ("ar", "أثر المصفوفة هو مجموع العناصر التي في القطر.", "المصفوفة هي مجموع العناصر التي في القطر."),
    ],
)
def test_what_is_said_of_a_part_is_not_said_of_the_whole(language: str, said: str, claim: str) -> None:
    source = Source("passage", "1", said, language, "file")
    assert supported(said, [source], language)
    assert not supported(claim, [source], language)


def test_an_aside_or_an_opening_changes_no_subject() -> None:
    source = Source("passage", "1", "In simple terms, a binary tree (BT) is a tree of arity two.", "en", "file")
    assert supported("A binary tree is a tree of arity two.", [source])


def test_what_was_only_said_supports_what_was_said_and_no_fact() -> None:
    answer = Source(
        "episode", "a1", "The world cup of 2018 was won by Portugal.", "en", "", date(2026, 7, 10), said=True
    )
    assert not supported("The world cup of 2018 was won by Portugal.", [answer])
    assert supported("In July we talked about the world cup of 2018, won by Portugal.", [answer])


def test_an_episode_supports_a_claim_of_its_own_month_only() -> None:
    july = Source("episode", "e1", "Can we go over osmosis and its membrane?", "en", "", date(2026, 7, 10))
    assert supported("In July you asked about osmosis and its membrane.", [july])
    assert not supported("In March you asked about osmosis and its membrane.", [july])


@pytest.mark.parametrize(
    ("language", "text", "claim", "miss"),
    [
        (
            "fr",
            "L'osmose est le passage de l'eau à travers une membrane. Elle ne consomme pas d'énergie.",
            "L'osmose fait passer l'eau à travers une membrane : c'est le passage de l'eau.",
            "L'osmose n'est pas le passage de l'eau à travers une membrane.",
        ),
        (
            "es",
            "La velocidad máxima del tren es de 80 km por hora.",
            "La velocidad máxima del tren es 80 km por hora.",
            "La velocidad mínima del tren es 80 km por hora.",
        ),
        (
            "ar",
            "التناضح هو انتقال الماء عبر غشاء شبه نافذ في 3 ساعات.",
            "التناضح انتقال الماء عبر غشاء شبه نافذ.",
            "التناضح انتقال الماء عبر غشاء شبه نافذ في 5 ساعات.",
        ),
        (
            "de",
            "Die Osmose ist der Durchgang von Wasser durch eine Membran und braucht keine Energie.",
            "Osmose ist der Durchgang von Wasser durch eine Membran.",
            "Osmose ist nicht der Durchgang von Wasser durch eine Membran.",
        ),
        (
            "it",
            "L'osmosi è il passaggio dell'acqua attraverso una membrana semipermeabile.",
            "L'osmosi è il passaggio di acqua attraverso una membrana.",
            "L'osmosi non è il passaggio di acqua attraverso una membrana.",
        ),
        (
            "pt",
            "A osmose é a passagem de água através de uma membrana semipermeável.",
            "A osmose é a passagem da água através de uma membrana.",
            "A osmose não é a passagem da água através de uma membrana.",
        ),
    ],
)
def test_support_and_near_misses_in_every_language(language: str, text: str, claim: str, miss: str) -> None:
    source = Source("passage", "1", text, language, "f.pdf")
    assert supported(claim, [source], language)
    assert not supported(miss, [source], language)


class TestMeaning:
    """With an embedder: likeness of meaning helps, and what must agree must agree all the same."""

    FRENCH = Source("passage", "9", "La pression augmente de 24 pour cent en 3 heures.", "fr", "cellules.pdf")

    @staticmethod
    def alike(pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [0.95 for _ in pairs]

    def test_a_source_in_another_language_supports_what_means_the_same(self) -> None:
        claims = split_claims("The pressure goes up by 24 percent within 3 hours.", "en")
        assert ground(claims, [self.FRENCH], language="en").citations[0].kind == "none"
        found = ground(claims, [self.FRENCH], language="en", similarity=self.alike).citations[0]
        assert (found.kind, found.source) == ("passage", "9")

    def test_another_number_is_refused_however_alike(self) -> None:
        claims = split_claims("The pressure goes up by 42 percent within 3 hours.", "en")
        assert ground(claims, [self.FRENCH], language="en", similarity=self.alike).citations[0].kind == "none"

    def test_a_negation_is_refused_however_alike(self) -> None:
        claims = split_claims("The pressure does not go up by 24 percent within 3 hours.", "en")
        assert ground(claims, [self.FRENCH], language="en", similarity=self.alike).citations[0].kind == "none"


class TestStatus:
    GOOD = "Osmosis moves water through a semipermeable membrane."
    BAD = "Photosynthesis turns sunlight into sugar and oxygen."

    def test_mostly_linked_is_answered(self) -> None:
        assert link(self.GOOD).status == Status.ANSWERED
        assert link(self.GOOD).share == 1.0

    def test_half_linked_is_partly(self) -> None:
        assert link(f"{self.GOOD} {self.BAD}").status == Status.PARTLY

    def test_nothing_linked_is_not_possible(self) -> None:
        assert link(self.BAD).status == Status.NOT_POSSIBLE

    def test_an_answer_that_only_admits_not_knowing_is_not_possible(self) -> None:
        claims = split_claims("Your files do not mention this.", "en")
        assert ground(claims, [CELLS], disclaimed=True).status == Status.NOT_POSSIBLE

    def test_an_answer_that_admits_not_knowing_and_links_something_is_partly(self) -> None:
        claims = split_claims(f"I do not know who found it. {self.GOOD}", "en")
        assert ground(claims, [CELLS], names=NAMES, disclaimed=True).status == Status.PARTLY

    def test_an_answer_without_claims_has_nothing_to_be_tied(self) -> None:
        assert ground([], [CELLS]).status == Status.ANSWERED

    def test_without_sources_nothing_is_linked(self) -> None:
        assert link(self.GOOD, []).status == Status.NOT_POSSIBLE


class TestRecords:
    def test_what_an_answer_read_and_rests_on_is_kept_with_it(self, classroom) -> None:
        records = AnswerRecords(classroom.store)
        answer = classroom.append(Kind.ANSWER, 1, TestStatus.GOOD)
        grounding = link(f"{TestStatus.GOOD} {TestStatus.BAD}")
        reads = [("episode", "e1", 0, 0.9), ("passage", "7", 0, 0.5)]
        records.write(
            answer.id, status="partly", reads=reads, brief={"ids": ["e1"]}, timings={"ms": 3.0}, grounding=grounding
        )
        assert records.reads(answer.id) == reads
        assert [(each.kind, each.source) for each in records.citations(answer.id)] == [("passage", "7"), ("none", None)]
        assert records.status(answer.id) == ("partly", {"ids": ["e1"]}, {"ms": 3.0})

    def test_it_is_written_once_and_never_again(self, classroom) -> None:
        records = AnswerRecords(classroom.store)
        answer = classroom.append(Kind.ANSWER, 1, TestStatus.GOOD)
        records.write(answer.id, status="answered")
        with pytest.raises(apsw.ConstraintError):
            records.write(answer.id, status="partly")
        assert records.status(answer.id) == ("answered", None, {})

    def test_an_answer_without_a_record_has_none(self, classroom) -> None:
        records = AnswerRecords(classroom.store)
        assert records.status("no-such-answer") is None
        assert records.citations("no-such-answer") == []
