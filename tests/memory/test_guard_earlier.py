"""What the model says was asked or said before is a claim of a shared past, in seven languages."""

from __future__ import annotations

import pytest

from memory.guard import check_sentence, claims_shared_past
from memory.moments import Moment

NOW = Moment.parse("2026-10-15T18:00:00+00:00")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Previously, you asked how photosynthesis works."),
        ("en", "Earlier you struggled with fractions."),
        ("en", "Last time, you told me that integrals were hard."),
        ("en", "You asked about osmosis before."),
        ("en", "In a previous chat you said you hated vectors."),
        ("fr", "Précédemment, tu as demandé comment marche l'osmose."),
        ("fr", "Auparavant, tu avais du mal avec les fractions."),
        ("fr", "La dernière fois, tu m'as dit que les intégrales étaient dures."),
        ("fr", "Tu m'as demandé ce qu'est l'ADN précédemment."),
        ("fr", "Plus tôt, nous avons parlé de la mitose."),
        ("es", "Anteriormente, preguntaste cómo funciona la ósmosis."),
        ("es", "Antes me dijiste que las fracciones te costaban."),
        ("es", "La última vez tuviste problemas con las integrales."),
        ("es", "Ya has preguntado esto anteriormente."),
        ("it", "In precedenza hai chiesto come funziona l'osmosi."),
        ("it", "L'ultima volta mi hai detto che le frazioni erano difficili."),
        ("it", "Prima avevi difficoltà con gli integrali."),
        ("pt", "Anteriormente, perguntaste como funciona a osmose."),
        ("pt", "Antes você me perguntou sobre frações."),
        ("pt", "Da última vez, disseste que as integrais eram difíceis."),
        ("de", "Zuvor hast du gefragt, wie Osmose funktioniert."),
        ("de", "Letztes Mal hattest du Probleme mit Brüchen."),
        ("de", "Du hast mich schon einmal nach der Mitose gefragt."),
        ("de", "Früher hast du gesagt, dass Integrale schwer sind."),
        ("ar", "سابقًا، سألت كيف تعمل الأسموزية."),
        ("ar", "في المرة السابقة قلت لي إن الكسور صعبة."),
        ("ar", "سبق أن سألتني عن التكاملات."),
    ],
)
def test_what_is_said_to_have_been_asked_or_said_earlier_needs_a_memory(language: str, sentence: str) -> None:
    assert claims_shared_past(sentence, language)
    assert check_sentence(sentence, language, [], NOW) is not None


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Before you start, you need to know fractions."),
        ("en", "Cells were studied earlier by Hooke."),
        ("en", "As we saw above, energy is conserved."),
        ("en", "Once you have found x, you can compute y."),
        ("en", "Before the war, people thought differently."),
        ("fr", "Avant de commencer, tu dois savoir factoriser."),
        ("fr", "Comme on l'a vu plus haut, l'énergie se conserve."),
        ("fr", "Une fois que tu as trouvé x, calcule y."),
        ("fr", "Auparavant, les gens pensaient que la Terre était plate."),
        ("es", "Antes de empezar, tienes que saber fracciones."),
        ("es", "Anteriormente se creía que la Tierra era plana."),
        ("it", "Prima di iniziare devi sapere le frazioni."),
        ("it", "Una volta trovato x, calcola y."),
        ("it", "Una volta che hai trovato x, calcola y."),
        ("pt", "Antes de começar, deves saber frações."),
        ("pt", "Uma vez que tens x, calcula y."),
        ("de", "Früher dachte man, die Erde sei flach."),
        ("de", "Bevor du anfängst, musst du Brüche können."),
        ("ar", "قبل أن تبدأ، عليك أن تعرف الكسور."),
        ("ar", "سابقًا كان الناس يظنون أن الأرض مسطحة."),
    ],
)
def test_an_earlier_time_of_the_world_or_of_this_answer_is_no_shared_past(language: str, sentence: str) -> None:
    assert not claims_shared_past(sentence, language)
