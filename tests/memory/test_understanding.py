"""What messages mean, in seven languages: our own sentences, on Thursday 15 October 2026 in Paris."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memory.moments import Moment, Window
from memory.routing import Names
from memory.understanding import MessageKind, understand

NOW = Moment.parse("2026-10-15T17:00:00+02:00")
SENTENCES = {
    "en": """
teach | please remember that our exam is about chapters 2 and 3
teach | keep in mind that I am colour blind
teach | Don't forget that in my class sqrt means square root only.
teach | my lab partner is called Noor, remember that please
teach | from now on, call the x axis the time axis
teach | add a note: I need bigger examples
teach | remember we write dates the american way, got it?
record taught | do you remember what I told you about the lab report?
record missed | which questions did I get wrong about volcanoes?
record missed | show me my mistakes from last week
record missed | where did I go wrong yesterday
record covered | what did we do on Monday?
record covered | when did we last talk about enzymes
record covered | have we already covered the french revolution
record progress | am I getting better at algebra?
record progress | what are my weak points
record progress | how am I doing in chemistry
record changed | why do you think I am bad at spelling?
record changed | have you changed your mind about my level in maths
record taught | what have I asked you to remember?
record unanswered | which of my questions could you not answer from my files?
prerequisite | what do I need to know before integrals
prerequisite | what should I learn after derivatives?
prerequisite | which topics does thermodynamics build on
lesson | can you quiz me on the water cycle
lesson | let's do some exercises on fractions
lesson | teach me about plate tectonics please
smalltalk | thanks a lot!
smalltalk | good morning
smalltalk | haha nice
ordinary | what is a derivative
ordinary | why do leaves change colour in autumn
ordinary | remind me how photosynthesis works
ordinary | I remember that lesson, it was fun
ordinary | what mistakes did Napoleon make in Russia
ordinary | the book says remember that energy is conserved, what does it mean?
ordinary | set an alarm for 7 am tomorrow
ordinary | remind me to call mom
""",
    "fr": """
teach | souviens-toi que mon contrôle porte sur les chapitres 2 et 3
teach | n'oublie pas que je suis daltonien
teach | Retiens que chez nous on note les vecteurs en gras.
teach | ma prof d'anglais s'appelle Mme Lopez, retiens-le stp
teach | désormais appelle l'axe des x l'axe du temps
teach | rappelle-toi qu'on écrit les dates à l'anglaise, ok ?
record taught | tu te souviens de ce que je t'ai dit sur le compte rendu ?
record missed | quelles questions j'ai ratées sur les volcans ?
record missed | montre-moi mes erreurs de la semaine dernière
record missed | où est-ce que je me suis trompé hier
record covered | qu'est-ce qu'on a fait lundi ?
record covered | quand est-ce qu'on a parlé des enzymes la dernière fois
record covered | on a déjà vu la révolution française ?
record progress | est-ce que je progresse en algèbre ?
record progress | quels sont mes points faibles
record changed | pourquoi tu penses que je suis nul en orthographe ?
record changed | tu as changé d'avis sur mon niveau en maths ?
record taught | qu'est-ce que je t'ai demandé de retenir ?
record unanswered | à quelles questions tu n'as pas pu répondre avec mes fichiers ?
prerequisite | qu'est-ce qu'il faut savoir avant les intégrales
prerequisite | j'apprends quoi après les dérivées ?
prerequisite | sur quoi repose la thermodynamique
lesson | interroge-moi sur le cycle de l'eau
lesson | on fait quelques exercices sur les fractions ?
lesson | tu peux m'apprendre la tectonique des plaques
smalltalk | merci beaucoup !
smalltalk | bonjour
smalltalk | mdr ok
ordinary | c'est quoi une dérivée
ordinary | pourquoi les feuilles changent de couleur en automne
ordinary | rappelle-moi comment marche la photosynthèse
ordinary | je me souviens de cette leçon, c'était bien
ordinary | quelles erreurs Napoléon a faites en Russie
""",
    "es": """
teach | recuerda que mi examen es de los capítulos 2 y 3
teach | no olvides que soy daltónico
teach | Ten en cuenta que en mi clase usamos la coma decimal.
teach | mi profe se llama Lucía, apúntalo porfa
teach | a partir de ahora llama al eje x el eje del tiempo
record taught | ¿recuerdas lo que te dije sobre el informe?
record missed | ¿qué preguntas fallé sobre los volcanes?
record missed | muéstrame mis errores de la semana pasada
record missed | ¿en qué me equivoqué ayer?
record covered | ¿qué hicimos el lunes?
record covered | ¿cuándo hablamos de las enzimas por última vez?
record covered | ¿ya vimos la revolución francesa?
record progress | ¿estoy mejorando en álgebra?
record progress | cuáles son mis puntos débiles
record changed | ¿por qué piensas que soy malo en ortografía?
record taught | ¿qué te pedí que recordaras?
record unanswered | ¿qué preguntas mías no pudiste responder con mis archivos?
prerequisite | ¿qué tengo que saber antes de las integrales?
prerequisite | ¿qué estudio después de las derivadas?
lesson | hazme preguntas sobre el ciclo del agua
lesson | ¿podemos hacer unos ejercicios de fracciones?
smalltalk | muchas gracias
smalltalk | buenos días
ordinary | qué es una derivada
ordinary | por qué las hojas cambian de color en otoño
ordinary | recuérdame cómo funciona la fotosíntesis
ordinary | me acuerdo de esa lección, estuvo bien
""",
    "ar": """
teach | تذكر أن امتحاني عن الفصلين الثاني والثالث
teach | لا تنس أنني أعاني من عمى الألوان
teach | معلمي اسمه سامي، احفظها من فضلك
teach | من الآن فصاعدا سمّ المحور السيني محور الزمن
teach | خلي بالك إني بفهم بالأمثلة أكتر
record taught | هل تتذكر ما قلته لك عن التقرير؟
record missed | ما الأسئلة التي أخطأت فيها عن البراكين؟
record missed | أرني أخطائي في الأسبوع الماضي
record missed | فين غلطت امبارح
record covered | ماذا درسنا يوم الاثنين؟
record covered | متى تكلمنا عن الإنزيمات آخر مرة
record covered | هل درسنا الثورة الفرنسية من قبل؟
record progress | هل تحسنت في الجبر؟
record progress | ما هي نقاط ضعفي
record changed | لماذا تعتقد أنني ضعيف في الإملاء؟
record taught | ماذا طلبت منك أن تتذكر؟
prerequisite | ماذا يجب أن أعرف قبل التكامل؟
prerequisite | ماذا أدرس بعد الاشتقاق؟
lesson | اسألني عن دورة الماء
lesson | علمني الصفائح التكتونية
smalltalk | شكرا جزيلا
smalltalk | صباح الخير
ordinary | ما هو الاشتقاق
ordinary | لماذا يتغير لون الأوراق في الخريف
ordinary | أتذكر ذلك الدرس، كان ممتعا
""",
    "de": """
teach | merk dir bitte, dass meine Klausur über Kapitel 2 und 3 geht
teach | vergiss nicht, dass ich farbenblind bin
teach | meine Lehrerin heißt Frau Adam, merk dir das
teach | ab jetzt nenn die x-Achse Zeitachse
record taught | weißt du noch, was ich dir über den Bericht gesagt habe?
record missed | welche Fragen zu Vulkanen hatte ich falsch?
record missed | zeig mir meine Fehler von letzter Woche
record missed | wo lag ich gestern falsch
record covered | was haben wir am Montag gemacht?
record covered | wann haben wir zuletzt über Enzyme gesprochen
record progress | werde ich besser in Algebra?
record progress | was sind meine Schwächen
record changed | warum denkst du, dass ich schlecht in Rechtschreibung bin?
prerequisite | was muss ich vor den Integralen wissen?
prerequisite | was kommt nach den Ableitungen?
lesson | frag mich zum Wasserkreislauf ab
lesson | lass uns ein paar Aufgaben zu Brüchen machen
smalltalk | vielen Dank
smalltalk | guten Morgen
ordinary | was ist eine Ableitung
ordinary | ich erinnere mich an die Stunde, das war lustig
""",
    "it": """
teach | ricordati che la mia verifica è sui capitoli 2 e 3
teach | non dimenticare che sono daltonico
teach | la mia prof si chiama Rossi, segnatelo
teach | d'ora in poi chiama l'asse x asse del tempo
record taught | ti ricordi cosa ti ho detto sulla relazione?
record missed | quali domande ho sbagliato sui vulcani?
record missed | mostrami i miei errori della settimana scorsa
record covered | cosa abbiamo fatto lunedì?
record covered | quando abbiamo parlato degli enzimi l'ultima volta
record progress | sto migliorando in algebra?
record progress | quali sono i miei punti deboli
record changed | perché pensi che io sia scarso in ortografia?
prerequisite | cosa devo sapere prima degli integrali?
prerequisite | cosa studio dopo le derivate?
lesson | interrogami sul ciclo dell'acqua
lesson | facciamo qualche esercizio sulle frazioni
smalltalk | grazie mille
smalltalk | buongiorno
ordinary | cos'è una derivata
ordinary | mi ricordo quella lezione, era bella
""",
    "pt": """
teach | lembra-te que o meu teste é sobre os capítulos 2 e 3
teach | não te esqueças que sou daltónico
teach | a minha professora chama-se Rita, anota isso
teach | a partir de agora chama ao eixo x eixo do tempo
record taught | lembras-te do que te disse sobre o relatório?
record missed | que perguntas errei sobre os vulcões?
record missed | mostra-me os meus erros da semana passada
record covered | o que fizemos na segunda?
record covered | quando falámos de enzimas pela última vez
record progress | estou a melhorar em álgebra?
record progress | quais são os meus pontos fracos
record changed | porque é que pensas que sou fraco em ortografia?
prerequisite | o que preciso de saber antes das integrais?
prerequisite | o que estudo depois das derivadas?
lesson | faz-me perguntas sobre o ciclo da água
lesson | vamos fazer uns exercícios de frações
smalltalk | muito obrigado
smalltalk | bom dia
ordinary | o que é uma derivada
ordinary | lembro-me dessa aula, foi divertida
""",
}
ROWS = [
    (language, *(part.strip() for part in line.split(" | ", 1)))
    for language, block in SENTENCES.items()
    for line in block.strip().splitlines()
]


@pytest.mark.parametrize(("language", "label", "text"), ROWS)
def test_a_message_is_of_its_kind(language: str, label: str, text: str) -> None:
    found = understand(text, NOW, Names(), conversation_language=language)
    assert f"{found.kind} {found.sub or ''}".strip() == label
    assert (found.taught is not None) == (label == "teach")


FURTHER = [
    line.split("|", 2)
    for line in (Path(__file__).parents[1] / "data" / "messages.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("language", "label", "text"), FURTHER)
def test_a_message_in_loose_words_is_of_its_kind(language: str, label: str, text: str) -> None:
    found = understand(text, NOW, Names(), conversation_language=language)
    assert f"{found.kind} {found.sub or ''}".strip() == label


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Remind me what you told me in August about osmosis", "en"),
        ("rappelle-moi ce que tu m'as dit en août sur l'osmose", "fr"),
        ("recuérdame lo que me dijiste en agosto sobre la ósmosis", "es"),
        ("ذكرني بما قلته لي في أغسطس عن التناضح", "ar"),
        ("Erinnere mich, was du mir im August über Osmose gesagt hast", "de"),
        ("ricordami cosa mi hai detto ad agosto sull'osmosi", "it"),
        ("lembra-me o que me disseste em agosto sobre a osmose", "pt"),
    ],
)
def test_a_past_that_is_presupposed_is_looked_up_in_the_record(text: str, language: str) -> None:
    meaning = understand(text, Moment.parse("2026-11-05T18:00:00+01:00"), Names())
    assert (meaning.kind, meaning.sub, meaning.language) == (MessageKind.RECORD, "covered", language)
    assert meaning.window == Window(date(2026, 8, 1), date(2026, 8, 31))
