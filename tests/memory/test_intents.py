"""What teaches and what must not, what is taught, what a pending check changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.instructions import is_document
from memory.intents import WISH, MessageKind
from memory.moments import Moment
from memory.routing import NameRow, Names
from memory.understanding import Understanding, understand
from memory.words import LANGUAGES

NOW = Moment.parse("2026-10-15T17:00:00+02:00")


def read(text: str, language: str = "en", pending: bool = False) -> Understanding:
    return understand(text, NOW, Names(), pending, language)


@pytest.mark.parametrize(
    ("text", "taught"),
    [
        ("remember that we call it rho, ok?", "we call it rho"),
        ("Update: it's Mr Pham now, remember that instead of the old one", "it's Mr Pham now"),
        ("from now on treat pi as 3.14", "treat pi as 3.14"),
        ("note: my exam is on 9 February", "my exam is on 9 February"),
        ("retiens que l'été je suis à Lyon", "l'été je suis à Lyon"),
        ("ma prof c'est Mme Ba. Retiens-le.", "ma prof c'est Mme Ba"),
        ("merk dir dass wir Vektoren fett drucken", "wir Vektoren fett drucken"),
        ("تذكّر أنّ معلمنا يسمي الخلية بيتا", "معلمنا يسمي الخلية بيتا"),
    ],
)
def test_what_is_taught_is_a_verbatim_part_of_the_message(text: str, taught: str) -> None:
    found = understand(text, NOW, Names())
    assert found.kind is MessageKind.TEACH
    assert found.taught == taught
    assert taught in text


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("do you remember that thing I said?", "en"),
        ("remember when we did osmosis?", "en"),
        ("I remember that chapter", "en"),
        ("how am I supposed to remember that formula", "en"),
        ('our teacher says "remember that energy is conserved", why?', "en"),
        ("why do we treat air resistance as zero", "en"),
        ("remember that energy is conserved?", "en"),
        ("remember", "en"),
        ("remind me to buy milk", "en"),
        ("on doit retenir quoi sur l'ADN", "fr"),
        ("je retiens que c'est dur", "fr"),
        ("recuerdas lo que te dije?", "es"),
        ("هل تذكر متى درسنا الخلية؟", "ar"),
        ("ich merke mir das", "de"),
        ("mi ricordo che era facile", "it"),
        ("lembro-me que era fácil", "pt"),
    ],
)
def test_questions_narratives_and_reports_never_teach(text: str, language: str) -> None:
    found = read(text, language)
    assert found.kind is not MessageKind.TEACH
    assert found.taught is None


@pytest.mark.parametrize(
    ("text", "taught"),
    [
        ("can you remember that I hate abbreviations?", "I hate abbreviations"),
        ("tu peux retenir que je suis en 4e ?", "je suis en 4e"),
        ("¿puedes recordar que voy en segundo?", "voy en segundo"),
        ("kannst du dir merken, dass ich in der 8b bin?", "ich in der 8b bin"),
        ("puoi ricordare che sono in terza?", "sono in terza"),
        ("podes lembrar que estou no 9º ano?", "estou no 9º ano"),
        ("هل يمكنك أن تتذكر أن امتحاني غدا؟", "امتحاني غدا"),
    ],
)
def test_a_wish_is_a_question_that_is_asked_back(text: str, taught: str) -> None:
    found = understand(text, NOW, Names())
    assert (found.kind, found.sub, found.taught) == (MessageKind.ORDINARY, "wish", taught)


@pytest.mark.parametrize(
    "text",
    [
        "> remember that the king lived in 1789",
        "bio.pdf, page 3: remember that cells divide",
        "Remember that cells divide. " * 80,
        "remember that a\n" * 20,
    ],
)
def test_a_pasted_document_never_teaches(text: str) -> None:
    assert is_document(text)
    assert read(text).kind is MessageKind.ORDINARY


@pytest.mark.parametrize("text", ["7/12", "b", "i don't know", "photosynthesis?", "because water moves"])
def test_an_answer_is_one_only_while_a_check_is_pending(text: str) -> None:
    assert read(text, pending=True).kind is MessageKind.CHECK_ANSWER
    assert read(text).kind is MessageKind.ORDINARY


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("what did I get wrong yesterday", MessageKind.RECORD),
        ("quiz me on something else", MessageKind.LESSON),
        ("what is osmosis?", MessageKind.ORDINARY),
        ("remember that I am in year 9", MessageKind.TEACH),
    ],
)
def test_a_pending_check_does_not_swallow_other_messages(text: str, kind: MessageKind) -> None:
    assert read(text, pending=True).kind is kind


def test_only_records_and_lessons_have_a_window() -> None:
    assert read("what did we study last week").window is not None
    assert read("remember that my exam is on monday").window is None
    assert read("what happened in July").window is None or read("what happened in July").kind == "record"


def test_signs_alone_are_small_talk() -> None:
    assert read("👍").kind is MessageKind.SMALLTALK


def test_the_concept_routed_is_the_concept_said() -> None:
    names = Names([NameRow("1", "Acid"), NameRow("2", "Sound wave")])
    found = understand("what did I get wrong about Sound Waves", NOW, names)
    assert [route.id for route in found.routes] == ["2"]
    assert found.concept_text == "Sound Waves"


def test_a_concept_without_a_node_is_still_named() -> None:
    assert read("what did I get wrong on the water cycle").concept_text == "water cycle"


@given(st.text(max_size=120), st.sampled_from(LANGUAGES), st.booleans())
def test_any_text_is_understood_and_what_it_teaches_is_part_of_it(text: str, language: str, pending: bool) -> None:
    found = read(text, language, pending)
    assert found.taught is None or found.taught in text
    assert found.concept_text is None or found.concept_text in text
    assert pending or found.kind is not MessageKind.CHECK_ANSWER


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("translate: remember that I love you", "en"),
        ("write that again in simpler words", "en"),
        ("remember that one time we did osmosis", "en"),
        ("assume that n is even. Prove that n squared is even", "en"),
        ("considère que x = 3, que vaut y", "fr"),
        ("écris : une lettre à ma grand-mère", "fr"),
        ("pon música", "es"),
        ("اكتب: قصيدة عن الربيع", "ar"),
        ("nimm an, dass x gleich 3 ist, was ist y", "de"),
        ("ricordami di comprare il latte", "it"),
        ("grava esta música", "pt"),
    ],
)
def test_tasks_that_sound_like_teaching_are_not(text: str, language: str) -> None:
    assert read(text, language).taught is None


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Remember that A is B. What is C?", "A is B"),
        ("Remember that water boils at 100 degrees; was that right?", "water boils at 100 degrees"),
        ("Remember that we use g = 10, is that correct?", "we use g = 10"),
        ("what is osmosis? and remember that my exam is on friday", "my exam is on friday"),
        ("Retiens que mon contrôle est vendredi, c'était juste ?", "mon contrôle est vendredi"),
        ("Recuerda que el agua hierve a 100; ¿era correcto?", "el agua hierve a 100"),
        ("Merk dir, dass Wasser bei 100 Grad kocht. Stimmt das?", "Wasser bei 100 Grad kocht"),
        ("Ricordati che l'acqua bolle a 100; era giusto?", "l'acqua bolle a 100"),
        ("Lembra que a água ferve a 100; estava certo?", "a água ferve a 100"),
        ("تذكر أن الماء يغلي عند 100، هل كان ذلك صحيحا؟", "الماء يغلي عند 100"),
    ],
)
def test_a_note_beside_a_question_is_asked_back(text: str, note: str) -> None:
    found = understand(text, NOW, Names())
    assert (found.kind, found.sub, found.taught, found.besides) == (MessageKind.ORDINARY, WISH, note, True)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("what did my sister get wrong?", "en"),
        ("which topics does my brother struggle with?", "en"),
        ("qu'est-ce que ma soeur a raté ?", "fr"),
        ("¿en qué se equivocó mi hermana?", "es"),
        ("was hat meine schwester falsch gemacht?", "de"),
        ("cosa ha sbagliato mia sorella?", "it"),
        ("o que a minha irmã errou?", "pt"),
        ("شو غلطت اختي؟", "ar"),
        ("que erros napoleão cometeu na rússia", "pt"),
        ("welche fehler hat napoleon in russland gemacht", "de"),
        ("ما الاخطاء التي ارتكبها نابليون في روسيا", "ar"),
    ],
)
def test_somebody_elses_record_is_not_the_students(text: str, language: str) -> None:
    found = understand(text, NOW, Names(), False, language)
    assert found.kind is MessageKind.ORDINARY
    assert found.others or "napol" in text or "نابليون" in text  # a person of history is the files' matter


@pytest.mark.parametrize("text", ["explain osmosis to my sister", "what does my brother need to know before fractions"])
def test_not_every_message_about_somebody_asks_for_a_record(text: str) -> None:
    assert not understand(text, NOW, Names(), False, "en").others


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("what did my sister and I get wrong?", "en"),
        ("what did I get wrong with my friend yesterday", "en"),
        ("qu'est-ce que j'ai raté avec ma soeur hier ?", "fr"),
        ("was hab ich mit meiner schwester falsch gemacht gestern?", "de"),
        ("¿en qué me equivoqué con mi hermana?", "es"),
    ],
)
def test_the_students_own_record_beside_somebody_is_theirs(text: str, language: str) -> None:
    assert understand(text, NOW, Names(), False, language).kind is MessageKind.RECORD
