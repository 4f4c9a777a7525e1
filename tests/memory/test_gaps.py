"""Gaps: what is left of a sentence without its concept, and whether it still says which one it was."""

from __future__ import annotations

import pytest

from memory.gaps import determines, measure, mentions, overlapping, says_as_much, spells_out, tells, without_name


def test_every_mention_goes_with_its_article() -> None:
    assert without_name("Osmosis is the movement of water. In osmosis, water moves.", ["osmosis"], "en") == (
        "____ is the movement of water. In ____, water moves."
    )
    assert without_name("L'arité d'un nœud : nombre de fils.", ["arité"], "fr") == "____ d'un nœud : nombre de fils."
    assert without_name("La cinemática es la descripción del movimiento sin sus causas.", ["cinemática"], "es") == (
        "____ es la descripción del movimiento sin sus causas."
    )


def test_a_sentence_that_does_not_hold_the_name_or_holds_little_else_gives_nothing() -> None:
    assert without_name("Water moves through a membrane.", ["osmosis"], "en") is None
    assert without_name("Osmosis moves water.", ["osmosis"], "en") is None


@pytest.mark.parametrize(
    ("language", "name", "sentence", "left"),
    [
        ("fr", "arbre binaire", "Un arbre binaire (AB) est un graphe dont les sommets ont deux fils.", "AB"),
        ("ar", "أثر المصفوفة", "أثر المصفوفة (Trace) – مجموع العناصر التي في القطر لكل Trace مربع.", "Trace"),
        ("en", "trace", "The trace of a square matrix A, noted tr(A), is the sum of its diagonal entries.", "tr("),
        (
            "es",
            "geometría euclidiana",
            "La geometría euclidiana estudia el espacio euclidiano y sus figuras.",
            "euclid",
        ),
        (
            "en",
            "concentration gradients",
            "A concentration gradient is a form of potential energy of solutes.",
            "gradient",
        ),
    ],
)
def test_no_alias_notation_or_other_form_gives_the_name_away(
    language: str, name: str, sentence: str, left: str
) -> None:
    gapped = without_name(sentence, [name], language)
    assert gapped is not None
    assert left.casefold() not in gapped.casefold()


def test_a_word_that_names_several_concepts_gives_nothing_away() -> None:
    sentence = "parcours préfixe : on prend en compte un nœud la première fois dans le parcours."
    gapped = without_name(sentence, ["parcours préfixe"], "fr", common={"parcour"})
    assert gapped == "____ : on prend en compte un nœud la première fois dans le parcours."


@pytest.mark.parametrize(
    ("language", "gapped"),
    [
        ("fr", "____ d'un nœud : nombre de fils."),
        ("fr", "Un arbre binaire est ____ si tous les niveaux sont remplis."),
        ("en", "____ is the movement of water through a membrane."),
        ("en", "DNA and RNA are made up of small monomers known as ____."),
        ("fr", "Nœud ____ : nœud ni feuille ni racine."),
        ("es", "____ es la pendiente de una línea que une los puntos."),
        ("es", "Un satélite terrestre ____ es aquel que tiene un periodo orbital de exactamente un día."),
        ("ar", "____ يعتبر مجموع العناصر التي في القطر"),
        ("de", "____ ist die Bewegung von Wasser durch eine Membran."),
        ("it", "____ è il movimento dell'acqua attraverso una membrana."),
        ("pt", "____ é a soma dos elementos de sua diagonal"),
    ],
)
def test_a_definition_determines_its_concept(language: str, gapped: str) -> None:
    assert determines(gapped, language)


@pytest.mark.parametrize(
    ("language", "gapped"),
    [
        ("fr", "Racine (ou ____ racine) : c'est ____ de départ de l'arbre."),  # it defines another one
        ("fr", "On parle alors de ____."),
        ("fr", "h + 1 ≤ n ≤ 2h+1 − 1 si ____ est la profondeur."),
        ("fr", "____ – Soit X, Y des variables liées par une certaine fonction."),
        ("fr", "____ de l'unique table peut être représenté comme ceci."),
        ("en", "____ is a concern for all living things."),
        ("en", "____ – Let the variables X and Y be linked by some function."),
        ("en", "This change of place is called ____."),
        ("en", "____ is the part shown in the figure above on the left."),
        ("es", "La ilustra las posiciones del Sol que crean en la , las mareas llamadas ____."),
        ("es", "Calcular ____: un caballo de carreras sale de la compuerta hacia el oeste."),
        ("es", "____ ¿A qué velocidad tendría que girar la Tierra?"),
        ("es", "____ – Estas son las propiedades mas importantes para conocer."),
        ("ar", "رتبة ____ – رتبة ____ وهو يصف حجم الفضاء المتجهي من أعمدة ____."),
    ],
)
def test_a_formula_a_pointer_or_another_ones_definition_does_not(language: str, gapped: str) -> None:
    assert not determines(gapped, language)


def test_one_number_with_its_unit_is_a_measure() -> None:
    found = measure("La vitesse du son dans l'air est de 340 m/s environ.", "fr")
    assert found is not None
    assert found.text == "340 m/s"
    assert measure("Le son va à 340 m/s et la lumière à 300 000 km/s.", "fr") is None
    assert measure("Il y a 12 nœuds.", "fr") is None
    assert tells("____ est de 340 m/s environ dans l'air.", "fr")
    assert not tells("Calculez ____ à 340 m/s.", "fr")


def test_names_that_hold_one_another_overlap() -> None:
    assert overlapping("tree", "binary trees", "en")
    assert overlapping("lipids", "phospholipids", "en")
    assert not overlapping("osmosis", "diffusion", "en")


def test_initials_spelled_out_and_words_of_a_name_are_clues() -> None:
    assert spells_out("REPL", 'It stands for "read-eval-print loop".')
    assert not spells_out("SQL", "A language to ask tables.")
    assert mentions("La distancia total recorrida entre el tiempo", ["distancia recorrida"], "es")
    assert not mentions("La pendiente de una línea", ["distancia recorrida"], "es")


def test_a_sentence_whose_words_all_stand_in_another_may_speak_of_the_same() -> None:
    variance = "____ of a random variable is a measure of the spread of its distribution."
    deviation = "____ of a random variable is a measure of the spread of its distribution in the units of the variable."
    assert says_as_much(variance, deviation, "en")
    order = "____ is an arrangement of r objects, in a given order."
    assert not says_as_much(order, "____ is an arrangement of r objects, where the order does not matter.", "en")
