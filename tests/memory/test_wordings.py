"""Messages as students type them, in seven languages: typing errors, no accents, dialect, chat spelling, ellipsis."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.moments import Moment
from memory.routing import Names
from memory.understanding import understand
from memory.words import LANGUAGES

NOW = Moment.parse("2026-10-15T17:00:00+02:00")
WORDINGS = [
    line.split("\t")
    for line in Path(__file__).with_name("wordings.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
NO_TOPIC = """
tell me about my progress this week
show me what i know about myself so far
what did i get wrong on the quiz yesterday
what mistakes did i make on average
what have you noted about me
what did we work on together last month
what did i get wrong on purpose
how am i doing on the whole
what have we done on this topic
what do you know about how i learn
what did we talk about last time
what did i ask you about yesterday
what did you say about that in july
what did i miss on exam questions
parle moi de mes progrès sur le dernier mois
qu'est-ce que j'ai raté sur les exercices d'hier
fais le point sur mon niveau
que sais-tu sur moi
de quoi on a parlé la dernière fois
on a parlé de quoi en juillet
qu'est-ce que tu as noté sur ma façon de travailler
háblame sobre mi progreso
qué sabes sobre mí
de qué hablamos la última vez
qué fallé en el examen de ayer
qué errores tuve sobre todo
was weißt du über mich
worüber haben wir letztes mal gesprochen
was hab ich zu hause falsch gemacht
wie steht es um mein niveau zur zeit
was hatte ich zum schluss falsch
cosa sai su di me
di cosa abbiamo parlato l'ultima volta
cosa ho sbagliato sul serio
o que sabes sobre mim
sobre o que falamos da última vez
ماذا تعرف عني
عن ماذا تحدثنا في المرة الماضية
شو غلطت على الأغلب
ماذا درسنا على مدى الشهر الماضي
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_is_told_by_its_words(language: str) -> None:
    wrong = []
    for spoken, label, text in WORDINGS:
        if spoken == language:
            kind = label.partition(".")[0]
            found = understand(text, NOW, Names(), kind == "check_answer", language)
            said = found.kind + (f".{found.sub}" if found.kind == "record" else "")
            if said != label:
                wrong.append(f"{text} [{label}]: {said}")
            if kind == "teach":
                assert found.taught
                assert found.taught in text
    assert wrong == []


@pytest.mark.parametrize("text", NO_TOPIC.strip().splitlines())
def test_words_that_only_frame_a_question_are_no_topic_of_it(text: str) -> None:
    assert understand(text, NOW, Names()).topic is None


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Have we ever talked about quaternions?", "quaternions"),
        ("what did I get wrong about the French Revolution in July?", "French Revolution"),
        ("On a déjà parlé des quaternions ?", "quaternions"),
        ("¿Alguna vez hablamos sobre cuaterniones?", "cuaterniones"),
        ("هل تحدثنا عن الرباعيات؟", "الرباعيات"),
        ("Haben wir schon mal über Quaternionen gesprochen?", "Quaternionen"),
        ("Abbiamo mai parlato di quaternioni?", "quaternioni"),
        ("Alguma vez falámos de quaterniões?", "quaterniões"),
    ],
)
def test_what_a_question_says_outright_that_it_is_about_is_its_topic(text: str, topic: str) -> None:
    assert understand(text, NOW, Names()).topic == topic


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("what did we do yesterday", "en"),
        ("qu'est-ce que j'ai raté hier", "fr"),
        ("cosa ho sbagliato ad agosto", "it"),
        ("ماذا علّمتك", "ar"),
        ("que vimos ayer", "es"),
        ("o que fizemos ontem", "pt"),
        ("was haben wir gestern gemacht", "de"),
    ],
)
def test_a_date_or_a_word_of_the_question_is_no_concept(text: str, language: str) -> None:
    assert understand(text, NOW, Names(), False, language).concept_text is None
