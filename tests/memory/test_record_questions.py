"""Questions about quizzes, counts, first and last times, what was said and what is kept: told in seven languages."""

from __future__ import annotations

from datetime import date

import pytest

from memory.moments import Moment
from memory.record_questions import RecordQuestion
from memory.routing import NameRow, Names
from memory.understanding import MessageKind, understand

NOW = Moment.parse("2026-12-01T10:00:00+01:00")
NAMES = Names([NameRow("tree", "arbre binaire", False), NameRow("osmosis", "osmosis", False)])
ASKED = {
    "quiz": {
        "fr": "j'ai eu quoi au dernier quiz",
        "en": "what did I get on the last quiz?",
        "es": "¿qué saqué en el último quiz?",
        "ar": "كم حصلت في آخر اختبار؟",
        "de": "was hatte ich im letzten Quiz?",
        "it": "quanto ho preso nell'ultimo quiz?",
        "pt": "quanto tirei no último quiz?",
    },
    "checks": {
        "fr": "combien de controles j'ai fait en tout",
        "en": "how many checks did I do last month",
        "es": "¿cuántos controles he hecho en total?",
        "ar": "كم اختبارا أجريت الشهر الماضي؟",
        "de": "wie viele Kontrollen habe ich insgesamt gemacht?",
        "it": "quante verifiche ho fatto in tutto?",
        "pt": "quantos controlos fiz no mês passado?",
    },
    "first": {
        "fr": "quand est-ce que j'ai vu les arbres pour la première fois",
        "en": "when did I first study osmosis?",
        "es": "¿cuándo vi la ósmosis por primera vez?",
        "ar": "متى درست التناضح لأول مرة؟",
        "de": "wann habe ich Osmose zum ersten Mal gelernt?",
        "it": "quando ho studiato l'osmosi per la prima volta?",
        "pt": "quando é que estudei a osmose pela primeira vez?",
    },
    "last": {
        "fr": "quand est-ce qu'on a parlé des arbres pour la dernière fois ?",
        "en": "when was the last time we worked on osmosis?",
        "es": "¿cuándo fue la última vez que vimos la ósmosis?",
        "ar": "متى درسنا التناضح آخر مرة؟",
        "de": "wann haben wir Osmose zum letzten Mal besprochen?",
        "it": "quando abbiamo studiato l'osmosi l'ultima volta?",
        "pt": "quando foi a última vez que estudei a osmose?",
    },
    "said": {
        "fr": "tu te souviens de ce que tu m'as dit sur les arbres rouge-noir en septembre ?",
        "en": "what did you tell me about osmosis in September?",
        "es": "¿qué me dijiste sobre la ósmosis en septiembre?",
        "ar": "ماذا قلت لي عن التناضح في سبتمبر؟",
        "de": "was hast du mir im September über Osmose gesagt?",
        "it": "cosa mi hai detto sull'osmosi a settembre?",
        "pt": "o que me disseste sobre a osmose em setembro?",
    },
    "me": {
        "fr": "que sais tu de moi ?",
        "en": "what do you know about me?",
        "es": "¿qué sabes de mí?",
        "ar": "ماذا تعرف عني؟",
        "de": "was weißt du über mich?",
        "it": "cosa sai di me?",
        "pt": "o que sabes de mim?",
    },
}
OTHERS = [
    "quand est-ce que l'homme a marché sur la lune pour la première fois ?",
    "when did we first discover DNA?",
    "combien de contrôles de vitesse y a-t-il en France ?",
    "what do you know about mechanics?",
    "¿qué sabes de mi profesor favorito?",
    "qu'est-ce que j'ai raté en octobre",
    "qu'est-ce que je t'ai appris ?",
    "how many questions are on the exam?",
    "how many checks did my sister do?",
    "what did we do on my last quiz?",
    "retiens que tu m'as dit de revoir les arbres",
    "que sais-tu de Moïse ?",
    "what did you get on the last test?",
    "wann hat Newton zum ersten Mal die Schwerkraft beschrieben?",
]


@pytest.mark.parametrize(
    ("asked", "language", "text"), [(asked, *each) for asked, texts in ASKED.items() for each in texts.items()]
)
def test_what_is_asked_of_the_record_is_told_by_its_words(asked: str, language: str, text: str) -> None:
    meaning = understand(text, NOW, NAMES, conversation_language="fr")
    assert (meaning.kind, meaning.asked, meaning.language) == (MessageKind.RECORD, RecordQuestion(asked), language)
    if asked == "said":
        assert meaning.window is not None
        assert (meaning.window.first, meaning.window.last) == (date(2026, 9, 1), date(2026, 9, 30))
    if asked in ("first", "last", "said"):
        topic = (meaning.topic or meaning.concept_text or "").casefold()
        assert topic.startswith(("arbres", "osmos", "ósmosis", "التناضح")), topic


@pytest.mark.parametrize("text", OTHERS)
def test_what_asks_something_else_is_none_of_them(text: str) -> None:
    assert understand(text, NOW, NAMES, conversation_language="en").asked is None


def test_a_question_that_waits_for_no_reply_is_asked_beside_a_check() -> None:
    meaning = understand("combien de contrôles j'ai fait en tout ?", NOW, NAMES, pending_check=True)
    assert meaning.kind is MessageKind.RECORD
