"""Provoked sentences are struck, supported and innocent ones stand, in every language."""

from __future__ import annotations

import pytest

from memory.episodes import (
    Content,
    Episode,
    EpisodeId,
    Kind,
    Meta,
    Origin,
    SubjectId,
    Verdict,
)
from memory.guard import Guard, Reason, check_sentence, claims_shared_past
from memory.moments import Moment

NOW = Moment.parse("2026-10-15T18:00:00+00:00")
OSMOSIS = {
    "en": "osmosis",
    "fr": "osmose",
    "es": "ósmosis",
    "ar": "التناضح",
    "de": "Osmose",
    "it": "osmosi",
    "pt": "osmose",
}


def memory(
    day: str, text: str, kind: Kind = Kind.QUESTION, verdict: Verdict | None = None, language: str = "en"
) -> Episode:
    return Episode(
        row=1,
        id=EpisodeId(day),
        subject=SubjectId("s"),
        seq=1,
        kind=kind,
        origin=Origin.TYPED,
        moment=Moment.parse(f"{day}T16:00:00+00:00"),
        recorded_at=0,
        salience=0.5,
        meta=Meta(language=language, verdict=verdict),
        content=Content(text),
    )


def july(language: str) -> list[Episode]:
    """A question and a check got wrong on osmosis, in July."""
    name = OSMOSIS[language]
    return [
        memory("2026-07-10", f"{name}?", language=language),
        memory("2026-07-12", name, Kind.CHECK, Verdict.WRONG, language),
    ]


PROVOKED = {
    "en": [
        "In March we studied osmosis together.",
        "Last week you answered three questions about osmosis.",
        "As we discussed in our last session, cells divide.",
        "You got the question on photosynthesis right.",
        "I remember that you struggled with fractions in May.",
        "In our previous lesson, we covered mitosis.",
        "On March 3, we went over the water cycle.",
        "We have already worked on mitosis and you did very well.",
        "In March our work focused on enzymes.",
        "You were working on fractions in March.",
        "During March, the student covered enzymes.",
    ],
    "fr": [
        "En mars, nous avons étudié l'osmose ensemble.",
        "La semaine dernière, tu as répondu à trois questions sur l'osmose.",
        "Lors de notre dernière séance, nous avons parlé de la mitose.",
        "Tu as réussi le contrôle sur la photosynthèse.",
        "Je me souviens que tu t'es trompé sur les fractions en mai.",
        "Comme on l'a vu la dernière fois, les cellules se divisent.",
        "Le 3 mars, on a travaillé sur le cycle de l'eau.",
        "En mars, nous étudiions les fractions.",
        "Tes cours de mars portaient sur les enzymes.",
        "En mars, nous nous sommes concentrés sur les enzymes.",
    ],
    "es": [
        "En marzo estudiamos la ósmosis.",
        "La semana pasada respondiste tres preguntas sobre la ósmosis.",
        "En nuestra última sesión hablamos de la mitosis.",
        "Acertaste la pregunta sobre la fotosíntesis.",
        "Recuerdo que te equivocaste con las fracciones en mayo.",
        "Como vimos la última vez, las células se dividen.",
        "El 3 de marzo trabajamos el ciclo del agua.",
        "Tus clases de marzo trataron sobre las enzimas.",
    ],
    "ar": [
        "في مارس درسنا التناضح معًا.",
        "في الأسبوع الماضي أجبت عن ثلاثة أسئلة عن التناضح.",
        "في جلستنا الأخيرة تحدثنا عن الانقسام.",
        "لقد نجحت في سؤال البناء الضوئي.",
        "أتذكر أنك أخطأت في الكسور في مايو.",
        "كما رأينا في المرة الماضية، تنقسم الخلايا.",
        "في مارس، ركزنا على الإنزيمات.",
        "دروسك في مارس كانت عن الإنزيمات.",
    ],
    "de": [
        "Im März haben wir die Osmose behandelt.",
        "Letzte Woche hast du drei Fragen zur Osmose beantwortet.",
        "In unserer letzten Sitzung haben wir über die Mitose gesprochen.",
        "Du hast die Frage zur Fotosynthese richtig beantwortet.",
        "Ich erinnere mich, dass du dich im Mai bei den Brüchen geirrt hast.",
        "Wie wir letztes Mal gesehen haben, teilen sich Zellen.",
        "Deine Stunden im März handelten von Enzymen.",
    ],
    "it": [
        "A marzo abbiamo studiato l'osmosi insieme.",
        "La settimana scorsa hai risposto a tre domande sull'osmosi.",
        "Nella nostra ultima lezione abbiamo parlato della mitosi.",
        "Hai superato la verifica sulla fotosintesi.",
        "Ricordo che hai sbagliato le frazioni a maggio.",
        "Come abbiamo visto l'ultima volta, le cellule si dividono.",
        "Le tue lezioni di marzo riguardavano gli enzimi.",
    ],
    "pt": [
        "Em março estudámos a osmose.",
        "Na semana passada respondeste a três perguntas sobre a osmose.",
        "Na nossa última sessão falámos da mitose.",
        "Acertaste a pergunta sobre a fotossíntese.",
        "Lembro-me de que erraste as frações em maio.",
        "Como vimos da última vez, as células dividem-se.",
        "As tuas aulas de março foram sobre enzimas.",
    ],
}
INNOCENT = {
    "en": [
        "In 1789 the Estates General met at Versailles.",
        "Osmosis moves water through a membrane.",
        "In July 1914 the crisis began.",
        "If we heat the water, it evaporates.",
        "You can think of the membrane as a sieve.",
        "We say that the solution is hypertonic.",
        "You will need the definition of diffusion first.",
        "In March 1871 the Commune took power in Paris.",
        "As we saw above, the pressure rises.",
        "We can see that the sum equals 12.",
        "Today we will look at osmosis.",
        "You may have seen this formula in your file.",
        "You should review your last exercise.",
        "Scientists have studied osmosis since 1748.",
    ],
    "fr": [
        "En 1789, les états généraux se réunissent à Versailles.",
        "L'osmose fait passer l'eau à travers une membrane.",
        "En juillet 1914, la crise commence.",
        "Si on chauffe l'eau, elle s'évapore.",
        "Tu peux voir la membrane comme un tamis.",
        "On appelle cette solution hypertonique.",
        "On a donc x = 3.",
        "Nous avons besoin de la définition de la diffusion.",
        "Aujourd'hui, nous allons voir l'osmose.",
        "J'ai expliqué l'idée principale ci-dessus.",
    ],
    "es": [
        "En 1789 se reunieron los Estados Generales.",
        "La ósmosis hace pasar agua por una membrana.",
        "Si calentamos el agua, se evapora.",
        "Puedes ver la membrana como un filtro.",
        "Tenemos que x es igual a 3.",
        "En julio de 1914 comenzó la crisis.",
    ],
    "ar": [
        "في عام 1789 اجتمعت الطبقات في فرساي.",
        "ينقل التناضح الماء عبر غشاء.",
        "إذا سخّنا الماء فإنه يتبخر.",
        "يمكنك أن تتخيل الغشاء كمصفاة.",
    ],
    "de": [
        "1789 traten die Generalstände in Versailles zusammen.",
        "Die Osmose lässt Wasser durch eine Membran.",
        "Wenn wir das Wasser erhitzen, verdampft es.",
        "Du kannst dir die Membran als Sieb vorstellen.",
        "Wir haben also x = 3.",
    ],
    "it": [
        "Nel 1789 si riunirono gli Stati generali.",
        "L'osmosi fa passare l'acqua attraverso una membrana.",
        "Se scaldiamo l'acqua, evapora.",
        "Puoi immaginare la membrana come un setaccio.",
        "Abbiamo quindi x = 3.",
    ],
    "pt": [
        "Em 1789 reuniram-se os Estados Gerais.",
        "A osmose faz passar água por uma membrana.",
        "Se aquecermos a água, ela evapora.",
        "Podes imaginar a membrana como um filtro.",
        "Temos então x = 3.",
    ],
}
SUPPORTED = {
    "en": "In July we talked about osmosis.",
    "fr": "En juillet, nous avons parlé de l'osmose.",
    "es": "En julio hablamos de la ósmosis.",
    "ar": "في يوليو تحدثنا عن التناضح.",
    "de": "Im Juli haben wir über die Osmose gesprochen.",
    "it": "A luglio abbiamo parlato dell'osmosi.",
    "pt": "Em julho falámos da osmose.",
}
MISSED = {
    "en": "On July 12 you got osmosis wrong.",
    "fr": "Le 12 juillet, tu as eu faux sur l'osmose, tu t'es trompé.",
    "es": "El 12 de julio fallaste la pregunta de la ósmosis.",
    "ar": "في 12 يوليو أخطأت في التناضح.",
    "de": "Am 12. Juli hast du die Frage zur Osmose falsch beantwortet.",
    "it": "Il 12 luglio hai sbagliato la domanda sull'osmosi.",
    "pt": "Em 12 de julho erraste a pergunta sobre a osmose.",
}
PASSED = {
    "en": "On July 12 you got osmosis right.",
    "fr": "Le 12 juillet, tu as répondu juste sur l'osmose.",
    "es": "El 12 de julio acertaste la pregunta de la ósmosis.",
    "ar": "في 12 يوليو نجحت في سؤال التناضح.",
    "de": "Am 12. Juli hast du die Frage zur Osmose richtig beantwortet.",
    "it": "Il 12 luglio hai dato la risposta giusta: hai superato la verifica sull'osmosi.",
    "pt": "Em 12 de julho acertaste a pergunta sobre a osmose.",
}


def cases(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(language, sentence) for language, sentences in table.items() for sentence in sentences]


@pytest.mark.parametrize(("language", "sentence"), cases(PROVOKED))
def test_a_past_that_no_memory_supports_is_struck(language: str, sentence: str) -> None:
    assert check_sentence(sentence, language, july(language), NOW) is not None


@pytest.mark.parametrize(("language", "sentence"), cases(PROVOKED))
def test_with_no_memory_at_all_every_shared_past_is_struck(language: str, sentence: str) -> None:
    assert check_sentence(sentence, language, [], NOW) is not None


@pytest.mark.parametrize(("language", "sentence"), cases(INNOCENT))
def test_plain_content_is_never_struck(language: str, sentence: str) -> None:
    assert not claims_shared_past(sentence, language)
    assert check_sentence(sentence, language, [], NOW) is None


@pytest.mark.parametrize(("language", "sentence"), SUPPORTED.items())
def test_a_dated_memory_at_hand_supports_its_sentence(language: str, sentence: str) -> None:
    assert claims_shared_past(sentence, language)
    assert check_sentence(sentence, language, july(language), NOW) is None


@pytest.mark.parametrize(("language", "sentence"), MISSED.items())
def test_a_verdict_at_hand_supports_its_sentence(language: str, sentence: str) -> None:
    assert claims_shared_past(sentence, language)
    assert check_sentence(sentence, language, july(language), NOW) is None


@pytest.mark.parametrize(("language", "sentence"), PASSED.items())
def test_the_opposite_verdict_is_struck(language: str, sentence: str) -> None:
    struck = check_sentence(sentence, language, july(language), NOW)
    assert struck is not None
    assert struck.reason is Reason.VERDICT


def test_a_wrong_month_is_struck_for_its_date() -> None:
    struck = check_sentence("In March we talked about osmosis.", "en", july("en"), NOW)
    assert struck is not None
    assert struck.reason is Reason.DATE
    assert struck.note == "[I have no record of that date.]"


def test_a_wrong_day_of_the_right_month_is_struck() -> None:
    assert check_sentence("On July 13 we talked about osmosis.", "en", july("en"), NOW) is not None
    assert check_sentence("On July 12 we talked about osmosis.", "en", july("en"), NOW) is None


def test_the_right_month_with_another_subject_is_struck() -> None:
    struck = check_sentence("In July we talked about mitosis.", "en", july("en"), NOW)
    assert struck is not None


def test_what_was_asked_just_now_may_be_said_to_have_been_asked() -> None:
    assert check_sentence("You asked how osmosis works.", "en", [], NOW) is None
    guard = Guard("en", [], NOW, said=["Is mitosis hard?"])
    assert guard.check("You mentioned mitosis.") is None


def test_what_the_brief_says_without_a_date_may_be_spoken_of_without_one() -> None:
    guard = Guard("en", [], NOW, evidence="understands cytoplasm (0.72)")
    assert guard.check("You have mastered cytoplasm.") is None
    assert guard.check("In July we covered cytoplasm.") is not None


def test_a_memory_is_recognised_by_the_names_of_its_concepts() -> None:
    plain = [memory("2026-07-10", "Which way does the water move?")]
    assert Guard("en", plain, NOW).check("In July we talked about osmosis.") is not None
    assert Guard("en", plain, NOW, names=[["osmosis"]]).check("In July we talked about osmosis.") is None


def test_a_memory_in_another_language_is_recognised_by_its_concept() -> None:
    french = [memory("2026-07-10", "Peux-tu m'expliquer ça ?", language="fr")]
    assert Guard("en", french, NOW, names=[["osmosis", "osmose"]]).check("In July we covered osmosis.") is None


@pytest.mark.parametrize("language", OSMOSIS)
def test_the_note_is_in_the_language_of_the_answer(language: str) -> None:
    struck = check_sentence(PROVOKED[language][0], language, [], NOW)
    assert struck is not None
    assert struck.note.startswith("[")


def test_a_date_that_a_note_itself_speaks_of_may_be_repeated() -> None:
    note = [memory("2026-09-21", "My exam is on 3 June.", Kind.TAUGHT)]
    assert check_sentence("Your exam is on 3 June.", "en", note, NOW) is None
    assert check_sentence("Your exam is on 3 June.", "en", [], NOW) is not None


INVENTED_LIFE = [
    ("en", "Your exam is scheduled for December 1, 2026."),
    ("en", "Your final exam in biology takes place on Friday."),
    ("fr", "Ton examen est le 1er décembre 2026."),
    ("fr", "Ta moyenne est de 14."),
    ("es", "Tu profesor es el señor Ruiz."),
    ("ar", "موعد امتحانك هو 1 ديسمبر."),
    ("de", "Deine Prüfung ist am 1. Dezember."),
    ("it", "La tua professoressa è severa."),
    ("pt", "O teu exame é no dia 1 de dezembro."),
]


@pytest.mark.parametrize(("language", "sentence"), INVENTED_LIFE)
def test_a_fact_of_the_students_life_that_nobody_told_is_struck(language: str, sentence: str) -> None:
    assert Guard(language, [], NOW).check(sentence) is not None


def test_a_fact_of_the_students_life_is_theirs_to_tell() -> None:
    told = ["my exam is on Friday"]
    assert Guard("en", [], NOW, said=told).check("Your exam is on Friday.") is None
    assert Guard("en", [], NOW, said=told).check("Your exam is on 4 December.") is not None
    assert Guard("en", [], NOW, said=["when is my exam"]).check("Your exam is on Friday.") is not None


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "I do not know when your exam is."),
        ("en", "Your exam is not mentioned in the files."),
        ("en", "Check your exam schedule, and ask your teacher."),
        ("en", "Your answer is right."),
        ("fr", "Je ne sais pas quand ton examen est prévu."),
        ("fr", "Ton examen n'est pas mentionné dans les fichiers."),
        ("fr", "Demande à ton professeur."),
        ("es", "No tengo información sobre cuándo es tu examen."),
        ("ar", "لا أعرف متى امتحانك."),
        ("de", "Ich weiß nicht, wann deine Prüfung ist."),
    ],
)
def test_saying_that_it_is_not_known_is_no_invention(language: str, sentence: str) -> None:
    assert Guard(language, [], NOW).check(sentence) is None
