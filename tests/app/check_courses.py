"""Small courses in seven languages for the tests of lessons and checks: one heading and one definition a concept."""

from __future__ import annotations

from dataclasses import replace

from memory.episodes import SubjectId
from memory.files import FileId
from memory.memory import Memory
from memory.readings import FoundConcept, FoundEdge, Heading, PageText, Quote, Reading

COURSES: dict[str, dict[str, str]] = {
    "fr": {
        "arbre binaire": "Un arbre binaire est un graphe sans cycle dont chaque nœud possède deux fils au maximum.",
        "racine": "La racine est le nœud de départ, celui que l'on dessine tout en haut.",
        "feuille": "Une feuille est un nœud tout en bas, sans aucun successeur dans le dessin.",
        "arité": "L'arité d'un nœud est le nombre de fils que ce nœud possède.",
        "profondeur": "La profondeur d'un nœud est le nombre de branches qui le séparent du départ.",
        "vitesse du son": "La vitesse du son est la distance que le son parcourt en une seconde.\n\n"
        "La vitesse du son est de 340 m/s environ dans l'air calme.",
    },
    "en": {
        "binary tree": "A binary tree is a graph without a cycle in which every node has two children at most.",
        "root": "The root is the starting node, the one that is drawn at the very top.",
        "leaf": "A leaf is a node drawn at the bottom, without any successor.",
        "arity": "The arity of a node is the number of children that hang from it.",
        "depth": "The depth of a node is the number of branches that part it from the start.",
        "speed of sound": "The speed of sound is the distance that sound travels in one second.\n\n"
        "The speed of sound is 340 m/s or so in calm air.",
    },
    "es": {
        "árbol binario": "Un árbol binario es un grafo sin ciclos en el que cada nodo posee dos hijos como máximo.",
        "raíz": "La raíz es el nodo de partida, el que se dibuja en lo más alto.",
        "hoja": "Una hoja es un nodo dibujado al final, sin ningún sucesor propio.",
        "aridad": "La aridad de un nodo es el número de hijos que posee ese nodo.",
        "profundidad": "La profundidad de un nodo es el número de ramas que lo separan del comienzo.",
        "velocidad del sonido": "La velocidad del sonido es la distancia que el sonido recorre en un segundo.\n\n"
        "La velocidad del sonido es de 340 m/s más o menos en el aire tranquilo.",
    },
    "ar": {
        "الخلية": "الخلية هي أصغر وحدة حية تقوم بجميع الوظائف الأساسية للكائن الحي.",
        "النواة": "النواة هي الجزء الذي يحفظ المادة الوراثية ويوجه نشاط الكائن المجهري.",
        "البلاستيدات": "البلاستيدات هي عضيات خضراء تصنع الغذاء من ضوء الشمس والماء.",
        "التبخر": "التبخر هو تحول السائل إلى غاز عند ارتفاع درجة الحرارة.",
        "الانصهار": "الانصهار هو تحول المادة الصلبة إلى سائل بسبب التسخين المستمر.",
    },
}


def put(memory: Memory, subject: SubjectId, language: str, name: str = "") -> None:
    """Put the course of a language on a subject's map, as reading it would: three concepts a page."""
    file = name or f"course_{language}.md"
    added = memory.files.add(subject, f"/{file}", file, id=FileId(file), now=1).file
    version = memory.files.begin_version(added.id, sha256=file, bytes=9, format="md", pages=2, now=2).id
    found: list[FoundConcept] = []
    names = list(COURSES[language].items())
    for page, part in enumerate((names[:3], names[3:]), 1):
        lines: list[str] = []
        headings: list[Heading] = []
        for concept, text in part:
            headings.append(Heading(len(lines) + 1, concept, 2))
            lines += [concept, "", *text.split("\n"), ""]
            at = lines.index(text.split("\n")[0]) + 1
            quote = Quote(text.split("\n")[0], page, at, at)
            needs = (FoundEdge(names[0][0], 0.9, "definition"),) if concept != names[0][0] else ()
            found.append(FoundConcept(concept, language, quote, pages=(page,), builds_on=needs if page == 1 else ()))
        chapter = Heading(1, f"{page}. {'Début' if page == 1 else 'Suite'}", 1)
        text_page = PageText(page, (chapter.text, *lines), headings=(chapter, *_moved(headings)), language=language)
        memory.passages.add_page(subject, version, text_page)
        found = [_moved_quote(each, page) for each in found]
    ids = (f"{file}{number}" for number in range(99))
    memory.map.merge(subject, version, Reading(language, tuple(found)), ids=lambda: next(ids), now=3)
    memory.files.finish(version, seconds=1.0, language=language)


def _moved(headings: list[Heading]) -> list[Heading]:
    return [Heading(each.line + 1, each.text, each.level) for each in headings]


def _moved_quote(concept: FoundConcept, page: int) -> FoundConcept:
    """Lines are one further down under the chapter's heading."""
    quote = concept.definition
    if quote is None or quote.page != page:
        return concept
    return replace(concept, definition=Quote(quote.text, page, quote.first_line + 1, quote.last_line + 1))
