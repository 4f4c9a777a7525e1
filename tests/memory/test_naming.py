"""Names: which spellings are one concept, and what no concept is called."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.naming import NameFault, canonical_key, fault_of_name, naming, singular_key
from memory.words import LANGUAGES

SAME = [
    ("en", "The cells", "cell"),
    ("en", "mitochondria", "Mitochondrion"),
    ("en", "hypotheses", "hypothesis"),
    ("en", "boxes", "box"),
    ("fr", "l’osmose", "Osmose"),
    ("fr", "Vecteurs propres", "vecteur propre"),
    ("fr", "canaux ioniques", "canal ionique"),
    ("fr", "les réseaux", "reseau"),
    ("fr", "la loi d'Ohm", "Loi d’Ohm"),
    ("es", "Los vectores", "vector"),
    ("es", "raíces", "raíz"),
    ("es", "bases", "la base"),
    ("pt", "frações", "fração"),
    ("pt", "vetores", "vetor"),
    ("de", "die Zellen", "Zelle"),
    ("de", "Vektoren", "Vektor"),
    ("de", "des Atoms", "Atom"),
    ("de", "Magnetfelder", "Magnetfeld"),
    ("de", "des Gesetzes", "Gesetz"),
    ("de", "Muskeln", "Muskel"),
    ("it", "le cellule", "cellula"),
    ("it", "grandezze fisiche", "grandezza fisica"),
    ("it", "atomi", "atomo"),
    ("ar", "الخلية", "خلية"),
    ("ar", "المعادلات", "معادلة"),
    ("ar", "الإلكترون", "إلكترون"),
    ("ar", "الخلايا", "خلية"),
    ("ar", "الإلكترونات", "إلكترون"),
    ("ar", "النقل النشط", "نقل نشط"),
]
DISTINCT = [
    ("en", "C++", "C"),
    ("en", "C#", "C"),
    ("en", "Na+", "Na"),
    ("en", "organ", "organization"),
    ("en", "mitosis", "meiosis"),
    ("fr", "cellule", "celluloïd"),
    ("it", "punto", "punta"),
    ("ar", "كتاب", "كاتب"),
]
REFUSED = {
    NameFault.TITLE: [
        ("en", "Introduction"),
        ("en", "Common mistakes"),
        ("en", "Chapter Summary"),
        ("en", "Worked examples and common mistakes"),
        ("en", "3.2 Osmosis"),
        ("en", "1. Cells"),
        ("en", "Types of cells"),
        ("en", "Introduction to Biology"),
        ("fr", "Exercices"),
        ("fr", "I. Monnaie et prix"),
        ("fr", "Erreurs fréquentes"),
        ("fr", "L’essentiel à retenir"),
        ("fr", "Pour aller plus loin"),
        ("fr", "Exercices d’application"),
        ("es", "Objetivos de aprendizaje"),
        ("es", "Preguntas de repaso"),
        ("ar", "أخطاء شائعة"),
        ("ar", "الأخطاء الشائعة"),
        ("ar", "مقدمة"),
        ("ar", "أسئلة المراجعة"),
        ("de", "Übungen"),
        ("de", "Häufige Fehler"),
        ("de", "Einführung in die Zellbiologie"),
        ("it", "Esercizi svolti"),
        ("it", "Per saperne di più"),
        ("pt", "Exercícios resolvidos"),
        ("pt", "Introdução"),
        ("en", "Zusammenfassung"),
    ],
    NameFault.LABEL: [
        ("en", "Figure 3"),
        ("en", "Table 2a"),
        ("en", "Chapter IV"),
        ("fr", "Fig. 12"),
        ("fr", "Exercice 3"),
        ("es", "Figura 1"),
        ("de", "Abb. 4"),
        ("ar", "الشكل 3"),
        ("it", "Tabella 2"),
        ("pt", "Capítulo 7"),
        ("en", "A"),
    ],
    NameFault.QUESTION: [
        ("en", "What is a cell?"),
        ("en", "How plants grow"),
        ("fr", "Comment mesurer une force"),
        ("fr", "Qu’est-ce que l’énergie"),
        ("es", "¿Qué es la célula?"),
        ("ar", "ما هي الخلية"),
        ("ar", "لماذا السماء زرقاء؟"),
        ("de", "Warum ist der Himmel blau"),
        ("it", "Che cos’è un atomo"),
        ("pt", "O que é osmose"),
    ],
    NameFault.SENTENCE: [
        ("en", "The cell is small"),
        ("en", "Calculate the area"),
        ("en", "osmosis, diffusion"),
        ("fr", "La cellule est vivante"),
        ("fr", "Calculer une vitesse"),
        ("es", "Las células son pequeñas"),
        ("de", "Die Zelle ist klein"),
        ("pt", "As células são pequenas"),
    ],
    NameFault.NUMBER: [("en", "2010, 2011, 2012"), ("en", "1789"), ("en", "19th century"), ("fr", "19e siècle")],
    NameFault.LONG: [("en", "a" * 61)],
    NameFault.WORDY: [("en", "one two three four five six seven")],
    NameFault.EMPTY: [("en", ""), ("en", "—")],
}
FAIR = [
    ("en", "mitochondria"),
    ("en", "E. coli"),
    ("en", "p53"),
    ("en", "C. elegans"),
    ("en", "solution"),
    ("en", "unit of account"),
    ("en", "type 2 diabetes"),
    ("en", "WHO"),
    ("en", "US dollar"),
    ("en", "scientific method"),
    ("en", "3D printing"),
    ("en", "2,4-D"),
    ("fr", "Europe de l’Est"),
    ("fr", "méthode des moindres carrés"),
    ("fr", "plan"),
    ("fr", "loi d’Ohm"),
    ("es", "la ley de la gravitación de Newton"),
    ("es", "demanda y oferta"),
    ("ar", "التناضح"),
    ("ar", "ما بعد الحداثة"),
    ("de", "Satz des Pythagoras"),
    ("it", "domanda e offerta"),
    ("pt", "oferta e demanda"),
]


@pytest.mark.parametrize(("language", "one", "two"), SAME)
def test_spellings_of_one_name_share_a_key(language: str, one: str, two: str) -> None:
    assert canonical_key(one, language) == canonical_key(two, language) != ""


@pytest.mark.parametrize(("language", "one", "two"), DISTINCT)
def test_different_names_keep_different_keys(language: str, one: str, two: str) -> None:
    assert canonical_key(one, language) != canonical_key(two, language)


def test_scripts_do_not_collide() -> None:
    assert canonical_key("cellule", "fr") != canonical_key("خلية", "ar")


@settings(deadline=None)
@given(st.text(max_size=40), st.sampled_from([*LANGUAGES, None, "ja"]))
def test_a_key_is_its_own_key(name: str, language: str | None) -> None:
    key = canonical_key(name, language)
    assert canonical_key(key, language) == key


@settings(deadline=None)
@given(st.sampled_from(LANGUAGES), st.data())
def test_the_key_of_listed_words_is_stable(language: str, data: st.DataObject) -> None:
    table = naming(language)
    words = sorted({*table.irregular, *table.irregular.values(), *table.furniture, *table.articles})
    name = " ".join(data.draw(st.lists(st.sampled_from(words), min_size=1, max_size=4)))
    key = canonical_key(name, language)
    assert key
    assert canonical_key(key, language) == key
    assert all(singular_key(word, language) == word for word in key.split())


@pytest.mark.parametrize(
    ("fault", "language", "name"), [(fault, *case) for fault, cases in REFUSED.items() for case in cases]
)
def test_what_is_no_name_is_refused(fault: NameFault, language: str, name: str) -> None:
    assert fault_of_name(name, language) == fault


@pytest.mark.parametrize(("language", "name"), FAIR)
def test_what_looks_like_furniture_but_is_a_concept_passes(language: str, name: str) -> None:
    assert fault_of_name(name, language) is None


def test_titles_are_refused_in_every_language_whatever_the_file_is_in() -> None:
    for language in LANGUAGES:
        for title in ("Introduction", "Einleitung", "Riepilogo", "Résumé", "الخلاصة", "Sumário", "Resumen"):
            assert fault_of_name(title, language) is NameFault.TITLE


@settings(deadline=None)
@given(st.text(max_size=80), st.sampled_from([*LANGUAGES, None]))
def test_any_text_is_judged_without_an_error(name: str, language: str | None) -> None:
    fault_of_name(name, language)
