"""From pages to concepts: names that stand in the file, quoted definitions, edges without cycles, in every language."""

from __future__ import annotations

from dataclasses import replace

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.reading.aliases import abbreviates
from app.reading.choose import trusted
from app.reading.parsed import Emphasis, ParsedPage
from app.reading.understand import language_of, understand_pages
from memory.readings import FoundConcept, Heading, PageText


def page(
    *lines: str, bold: tuple[tuple[int, str], ...] = (), headings: tuple[int, ...] = (), **more: object
) -> ParsedPage:
    marks = tuple(Heading(line, lines[line - 1], 2) for line in headings)
    emphasis = tuple(Emphasis(line, words) for line, words in bold)
    return ParsedPage(PageText(1, lines, headings=marks, **more), emphasis)  # type: ignore[arg-type]


def concepts(found: ParsedPage, language: str = "en") -> dict[str, FoundConcept]:
    return {each.name.lower(): each for each in understand_pages([found], language).concepts}


OSMOSIS = (
    "Membranes",
    "Diffusion is the movement of particles from a high concentration to a low one. Diffusion needs no energy.",
    "",
    "The diffusion of water through a membrane is called osmosis. Osmosis stops when both sides are equal.",
)


class TestConcepts:
    def test_a_common_bold_word_that_nothing_defines_is_stress_and_a_callout_is_a_label(self) -> None:
        lines = (*OSMOSIS, "", "Read this exactly once. Caution: the membrane is thin.")
        found = concepts(page(*lines, bold=((2, "Diffusion"), (4, "osmosis"), (6, "exactly"), (6, "Caution"))))
        assert set(found) == {"diffusion", "osmosis"}

    def test_a_program_names_no_concept(self) -> None:
        parsed = page(*OSMOSIS, "", "A townlist is a table of the towns that a program reads from its file.")
        assert "townlist" in concepts(parsed)
        assert "townlist" not in concepts(replace(parsed, code=(6,)))

    @pytest.mark.parametrize(
        ("language", "text"),
        [
            ("en", "Osmosis builds on diffusion."),
            ("fr", "L'osmose s'appuie sur la notion de diffusion."),
            ("es", "La osmosis se basa en la difusión."),
            ("ar", "يعتمد التناضح كما رأينا على الغشاء. التناضح يعتمد على الانتشار."),
            ("de", "Die Osmose beruht auf der Diffusion."),
            ("it", "L'osmosi si basa sulla diffusione."),
            ("pt", "A osmose assenta na difusão."),
        ],
    )
    def test_what_a_sentence_says_builds_on_another_does(self, language: str, text: str) -> None:
        pairs = {"fr": ("osmose", "diffusion"), "es": ("osmosis", "difusión"), "ar": ("التناضح", "الانتشار")}
        pairs |= {"de": ("Osmose", "Diffusion"), "it": ("osmosi", "diffusione"), "pt": ("osmose", "difusão")}
        one, other = pairs.get(language, ("Osmosis", "diffusion"))
        found = concepts(page("", text, bold=((2, one), (2, other))), language)
        (first,) = [each for name, each in found.items() if name in one.lower() or one.lower() in name]
        assert [edge.name.lower() for edge in first.builds_on] == [
            name for name in found if name in other.lower() or other.lower() in name
        ]

    def test_each_row_of_a_table_stands_alone(self) -> None:
        found = concepts(
            page(
                "| Field | Example |",
                "|---|---|",
                "| Business | An accountant reckons the taxes of a firm with a program. |",
                "| Fine arts | An artist draws a moving picture with another program. |",
                bold=((3, "Business"), (4, "Fine arts")),
            )
        )
        assert found["fine arts"].definition is not None
        assert found["fine arts"].definition.text.startswith("Fine arts | An artist")
        assert "accountant" not in found["fine arts"].definition.text

    def test_bold_terms_are_concepts(self) -> None:
        found = concepts(page(*OSMOSIS, bold=((2, "Diffusion"), (4, "osmosis")), headings=(1,)))
        assert set(found) == {"diffusion", "osmosis"}

    def test_definitions_are_quoted_with_their_lines(self) -> None:
        quote = concepts(page(*OSMOSIS, headings=(1,)))["osmosis"].definition
        assert quote is not None
        assert quote.text == "The diffusion of water through a membrane is called osmosis."
        assert (quote.page, quote.first_line, quote.last_line) == (1, 4, 4)

    def test_a_concept_builds_on_what_its_definition_names(self) -> None:
        found = concepts(page(*OSMOSIS, bold=((2, "Diffusion"), (4, "osmosis")), headings=(1,)))
        assert [edge.name.lower() for edge in found["osmosis"].builds_on] == ["diffusion"]
        assert found["diffusion"].builds_on == ()

    def test_a_hyphen_at_the_end_of_a_line_is_healed_and_the_lines_are_kept(self) -> None:
        found = concepts(page("The diffusion of water through a membrane is called osmo-", "sis. Osmosis is slow."))
        quote = found["osmosis"].definition
        assert quote is not None
        assert (quote.first_line, quote.last_line) == (1, 2)

    def test_hidden_lines_say_nothing(self) -> None:
        lines = (*OSMOSIS, "", "A rubber duck is a kind of toy that floats. A rubber duck is yellow.")
        assert "rubber duck" not in concepts(page(*lines, hidden=(6,)))

    @pytest.mark.parametrize("title", ["Introduction", "Common mistakes", "Chapter 3", "Exercises", "What is a cell?"])
    def test_section_titles_are_no_concepts(self, title: str) -> None:
        found = concepts(
            page(title, *OSMOSIS, f"The {title.lower()} of the book. The {title.lower()} again.", headings=(1,))
        )
        assert title.lower() not in found

    def test_a_heading_counts_only_where_the_text_defines_it(self) -> None:
        text = "The living wall helps the plant to stand. Nobody saw the living wall before the lens was made."
        assert "living wall" not in concepts(page("Living wall", text, *OSMOSIS, headings=(1,)))

    @pytest.mark.parametrize(
        ("language", "text", "name"),
        [
            ("fr", "L'osmose est un passage de l'eau à travers une membrane. L'osmose est lente.", "osmose"),
            ("es", "La ósmosis es el paso del agua a través de una membrana. La ósmosis es lenta.", "ósmosis"),
            ("de", "Die Osmose ist die Bewegung von Wasser durch eine Membran. Die Osmose ist langsam.", "osmose"),
            ("it", "L'osmosi è il passaggio dell'acqua attraverso una membrana. L'osmosi è lenta.", "osmosi"),
            ("pt", "A osmose é a passagem da água por uma membrana. A osmose é lenta.", "osmose"),
            (
                "ar",
                "الانتشار هو حركة الجزيئات من التركيز الأعلى إلى التركيز الأدنى. الانتشار لا يحتاج إلى طاقة.",
                "الانتشار",
            ),
        ],
    )
    def test_a_defined_word_is_found_in_every_language(self, language: str, text: str, name: str) -> None:
        found = concepts(page(text), language)
        assert name in found
        assert found[name].definition is not None

    def test_an_abbreviation_is_an_alias(self) -> None:
        text = (
            "Deoxyribonucleic acid (DNA) is a molecule that carries genes. DNA is long. Deoxyribonucleic acid is old."
        )
        found = concepts(page(text, bold=((1, "Deoxyribonucleic acid"),)))
        assert found["deoxyribonucleic acid"].aliases == ("DNA",)


class TestLanguage:
    def test_most_of_the_text_decides(self) -> None:
        assert language_of([page("La cellule est l'unité de base de tous les êtres vivants.")], "en") == "fr"

    def test_without_text_the_fallback_stands(self) -> None:
        assert language_of([page()], "es") == "es"


class TestTrust:
    def test_bold_on_a_term_here_and_there_is_trusted(self) -> None:
        assert trusted([page(*OSMOSIS, bold=((2, "Diffusion"), (4, "osmosis")))], 1.0, "en")

    def test_bold_everywhere_or_on_whole_sentences_is_not(self) -> None:
        assert not trusted([page(*OSMOSIS, bold=tuple((2, f"word{n}") for n in range(40)))], 1.0, "en")
        assert not trusted([page(*OSMOSIS, bold=((2, "Diffusion needs no energy at all, ever"),))], 1.0, "en")
        assert not trusted([page(*OSMOSIS)], 1.0, "en")


@pytest.mark.parametrize(
    ("short", "name", "fits"),
    [
        ("DNA", "deoxyribonucleic acid", True),
        ("CDF", "cumulative distribution function", True),
        ("USA", "osmosis", False),
        ("he", "helium", False),
    ],
)
def test_an_abbreviation_takes_its_letters_from_the_name(short: str, name: str, fits: bool) -> None:
    assert abbreviates(short, name) is fits


WORDS = st.sampled_from(
    [
        *("osmosis", "diffusion", "water", "membrane", "cell", "is", "a", "the", "called", "of", "and", "energy"),
        *(",", ".", ":", "(", ")", "هي", "خلية"),
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(WORDS, max_size=25).map(" ".join), max_size=12), st.sampled_from(["en", "fr", "ar"]))
def test_whatever_the_pages_say_the_laws_hold(lines: list[str], language: str) -> None:
    reading = understand_pages([page(*lines)], language)
    text = " ".join(" ".join(lines).split()).lower()
    names = {concept.name for concept in reading.concepts}
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    for concept in reading.concepts:
        assert concept.name.lower() in text
        assert all(edge.name in names - {concept.name} for edge in concept.builds_on)
        graph.add_edges_from((concept.name, edge.name) for edge in concept.builds_on)
        if concept.definition is not None:
            quoted = " ".join(lines[concept.definition.first_line - 1 : concept.definition.last_line])
            assert concept.definition.text in " ".join(quoted.split())
    assert networkx.is_directed_acyclic_graph(graph)
