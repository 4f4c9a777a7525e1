"""Around a check: not knowing, hints, why, doubt, contest, leaving; a topic asked for; what the record keeps."""

from __future__ import annotations

from typing import Any

import pytest

from app.turn_events import Plan
from memory.checks import Check, CheckKind
from memory.episodes import Kind, Verdict
from memory.phrases import phrases_for
from tests.app.check_courses import COURSES, put


@pytest.fixture
def course_in(student: Any) -> Any:
    """Moves the student to a course of one language."""

    def move(language: str) -> Any:
        student.subject = student.house.subject(f"Course {language}", create=True)
        put(student.memory, student.subject.id, language)
        return student

    return move


def waiting(student: Any) -> Any:
    """The check that waits."""
    pending = student.memory.checks.get(student.subject.id)
    return pending.check if pending else None


def wrong(check: Check) -> str:
    """A choice that is not right."""
    return next(choice for choice in check.choices if choice != check.expected)


def until_choices(student: Any, at_least: int = 3) -> Check:
    """Answer rightly until a check with that many choices waits."""
    for _ in range(12):
        check = waiting(student)
        if len(check.choices) >= at_least:
            return check
        student.ask(check.expected)
        if waiting(student) is None:
            student.ask("quiz me")
    raise AssertionError("no choices")


ASKED = {"fr": "interroge-moi", "en": "quiz me", "es": "pregúntame", "ar": "اختبرني"}
UNKNOWN = {"fr": "chai pas", "en": "idk", "es": "no sé", "ar": "لا أعرف"}
LEFT = {"fr": "c'est bon on arrete", "en": "ok lets stop", "es": "basta", "ar": "يكفي"}
WHY = {"fr": "pourquoi c'est faux ?", "en": "why is that wrong?", "es": "¿por qué está mal?", "ar": "لماذا هذا خطأ؟"}
RIGHT = {"fr": "j'avais raison", "en": "that was right", "es": "tenía razón", "ar": "كنت على حق"}


@pytest.mark.parametrize("language", tuple(COURSES))
def test_not_knowing_climbs_three_rungs_and_is_recorded_as_wrong_at_the_last(course_in: Any, language: str) -> None:
    student = course_in(language)
    student.ask(ASKED[language])
    check = waiting(student)
    first = student.ask(UNKNOWN[language])
    assert f"course_{language}.md" in first.text, "the first hint names the place"
    assert waiting(student).hints == 1
    assert student.episodes(Kind.CHECK) == []
    replies = 1
    while waiting(student).question == check.question:
        said = student.ask(UNKNOWN[language])
        replies += 1
        assert replies <= 3
    (recorded,) = student.episodes(Kind.CHECK)
    assert recorded.meta.verdict is Verdict.WRONG
    assert recorded.meta.extra["shown"] is True
    assert check.expected in said.text


def test_the_second_hint_takes_a_wrong_choice_away_and_a_right_reply_is_then_partly_right(course_in: Any) -> None:
    student = course_in("en")
    student.ask("quiz me")
    check = until_choices(student)
    student.ask("a hint")
    student.ask("idk")
    left = waiting(student)
    assert len(left.choices) == len(check.choices) - 1
    assert check.expected in left.choices
    assert student.ask(check.expected).verdict is Verdict.PARTLY
    assert student.episodes(Kind.CHECK)[-1].meta.extra["hints"] == 2


def test_show_me_is_always_there_and_recorded(course_in: Any) -> None:
    student = course_in("fr")
    student.ask("interroge-moi")
    check = waiting(student)
    said = student.ask("montre-moi")
    assert said.verdict is Verdict.WRONG
    assert check.expected in said.text
    (recorded,) = student.episodes(Kind.CHECK)
    assert (recorded.content.reply, recorded.meta.extra["shown"]) == ("montre-moi", True)


@pytest.mark.parametrize("language", tuple(COURSES))
def test_a_quiz_is_left_in_the_students_words_and_stopping_again_is_answered_without_a_model(
    course_in: Any, language: str
) -> None:
    student = course_in(language)
    student.ask(ASKED[language])
    concept = waiting(student).concept
    left = student.ask(LEFT[language])
    assert left.text == phrases_for(language).say("lesson.left")
    assert waiting(student) is None
    assert student.ask(LEFT[language]).text == phrases_for(language).say("lesson.already_left")
    assert student.chat.shown == []
    assert student.ask(ASKED[language]).check.concept == concept, "taken up where it was"


def test_stopping_where_nothing_runs_is_answered_without_a_model(course_in: Any) -> None:
    student = course_in("fr")
    student.ask("interroge moi sur les volcans")
    assert student.ask("arrete").text == phrases_for("fr").say("lesson.nothing_runs")
    assert student.chat.shown == []


@pytest.mark.parametrize("language", tuple(COURSES))
def test_why_right_after_a_verdict_quotes_the_file_for_both(course_in: Any, language: str) -> None:
    student = course_in(language)
    student.ask(ASKED[language])
    check = until_choices(student)
    concept = student.memory.map.get(check.concept)
    given = wrong(check)
    assert student.ask(given).verdict is Verdict.WRONG
    why = student.ask(WHY[language])
    assert concept.definition.text in why.text
    assert given in why.text
    other = next((o for o in student.memory.map.concepts(student.subject.id) if o.name == given), None)
    if other is not None:
        assert other.definition.text in why.text
    assert {citation.source for citation in why.citations} == {f"course_{language}.md"}
    assert student.chat.shown == []
    for citation in why.citations:
        assert why.text[citation.first : citation.last] == citation.claim


@pytest.mark.parametrize("message", ["et pourquoi ?", "t'es sur ??", "et en novembre ?", "c'est quoi un graphe ?"])
def test_a_question_before_any_reply_is_no_reply(course_in: Any, message: str) -> None:
    student = course_in("fr")
    student.ask("interroge-moi")
    check = waiting(student)
    student.ask(message)
    assert waiting(student) == check
    assert student.episodes(Kind.CHECK) == []


@pytest.mark.parametrize("language", tuple(COURSES))
def test_a_contest_in_the_conversation_is_one_episode_and_the_check_counts_no_more(
    course_in: Any, language: str
) -> None:
    student = course_in(language)
    student.ask(ASKED[language])
    check = until_choices(student)
    graded = student.ask(wrong(check))
    assert any(held.concept == check.concept for held in student.memory.beliefs.current(student.subject.id))
    said = student.ask(RIGHT[language])
    (contest,) = student.episodes(Kind.CONTEST)
    assert contest.meta.about == graded.checked
    assert phrases_for(language).say("check.contested") in said.text
    counted = student.memory.beliefs.checks_of(check.concept)
    assert graded.checked not in [each.episode for each in counted]


def test_a_right_reply_needs_no_contest(course_in: Any) -> None:
    student = course_in("en")
    student.ask("quiz me")
    student.ask(waiting(student).expected)
    student.ask("I was right")
    assert student.episodes(Kind.CONTEST) == []


def test_the_record_keeps_what_the_letter_meant_and_the_ledger_says_it(course_in: Any) -> None:
    student = course_in("fr")
    student.ask("interroge-moi")
    check = until_choices(student, 3)
    place = next(at for at, choice in enumerate(check.choices) if choice != check.expected)
    student.ask("ABCD"[place])
    recorded = student.episodes(Kind.CHECK)[-1]
    assert recorded.content.reply == f"{'ABCD'[place]}. {check.choices[place]}"
    assert recorded.content.extra["choices"] == list(check.choices)
    assert recorded.content.extra["said"] == "ABCD"[place]
    student.ask("stop")
    told = student.ask("j'ai raté quoi aujourd'hui ?")
    assert told.plan is Plan.LEDGER
    assert check.choices[place][:60] in told.text
    assert f"Les choix étaient A. {check.choices[0][:40]}" in told.text


def test_an_ordinary_question_passes_a_waiting_check_which_is_offered_again(course_in: Any) -> None:
    student = course_in("en")
    student.ask("quiz me")
    check = waiting(student)
    result = student.ask("what is a graph?")
    assert result.plan is Plan.ANSWER
    assert result.check == check
    told = student.ask("what did I get wrong in October?")
    assert told.plan is Plan.LEDGER
    assert told.check == check


TOPICS = [
    ("fr", "interroge moi sur les arbres", {"arbre binaire"}),
    ("fr", "interroge moi sur la page 2", {"arité", "profondeur", "vitesse du son"}),
    ("fr", "interroge-moi sur le chapitre 2", {"arité", "profondeur", "vitesse du son"}),
    ("en", "quiz me on trees", {"binary tree"}),
    ("en", "quiz me on chapter two", {"arity", "depth", "speed of sound"}),
    ("en", "test me on page 1", {"binary tree", "root", "leaf"}),
    ("es", "pregúntame sobre los árboles", {"árbol binario"}),
    ("es", "examíname del capítulo 2", {"aridad", "profundidad", "velocidad del sonido"}),
    ("ar", "اختبرني في الفصل الثاني", {"التبخر", "الانصهار"}),
    ("ar", "اختبرني في الصفحة 2", {"التبخر", "الانصهار"}),
]


@pytest.mark.parametrize(("language", "message", "first"), TOPICS)
def test_a_quiz_on_a_topic_begins_with_that_topic(course_in: Any, language: str, message: str, first: set[str]) -> None:
    student = course_in(language)
    result = student.ask(message)
    assert result.check is not None
    assert student.memory.map.get(result.check.concept).name in first


def test_a_quiz_on_a_file_asks_about_that_file_only(course_in: Any) -> None:
    student = course_in("fr")
    put(student.memory, student.subject.id, "en", "other_notes.md")
    result = student.ask("interroge moi sur le fichier other_notes")
    lesson = student.memory.lessons.get(student.subject.id)
    assert lesson is not None
    assert result.check.source.file == "other_notes.md"


@pytest.mark.parametrize(
    ("language", "message", "topic"),
    [
        ("fr", "interroge moi sur les volcans", "volcans"),
        ("en", "quiz me on volcanoes", "volcanoes"),
        ("es", "pregúntame sobre los volcanes", "volcanes"),
        ("en", "quiz me on chapter 9", "chapter 9"),
    ],
)
def test_a_topic_that_matches_nothing_is_said_and_nothing_else_is_asked(
    course_in: Any, language: str, message: str, topic: str
) -> None:
    student = course_in(language)
    result = student.ask(message)
    assert result.check is None
    assert result.text == phrases_for(language).say("lesson.unknown_topic", name=phrases_for(language).quote(topic))


def test_the_check_just_before_does_not_open_the_next_quiz(course_in: Any) -> None:
    student = course_in("fr")
    asked = student.ask("apprends-moi l'arité")
    student.ask(asked.check.expected)
    result = student.ask("interroge-moi")
    assert result.check.concept != asked.check.concept


def test_what_cannot_be_judged_is_said_and_asked_in_another_form(course_in: Any) -> None:
    student = course_in("en")
    concept = student.memory.map.find(student.subject.id, "root", "en")
    check = Check(CheckKind.CLOZE, "____ is drawn at the top.", "root", "en", concept.id, concept.key)
    student.memory.checks.put(student.subject.id, check, 1)
    said = student.ask("something at the very top of the drawing from which all of it hangs")
    assert said.verdict is None
    assert phrases_for("en").say("check.another_form") in said.text
    again = waiting(student)
    assert again.kind is not CheckKind.CLOZE
    assert again.concept == concept.id
    assert student.ask(again.expected).verdict is Verdict.RIGHT


def test_a_slip_of_the_pen_is_right_unless_the_word_is_one_of_the_course(course_in: Any) -> None:
    student = course_in("fr")
    concept = student.memory.map.find(student.subject.id, "profondeur", "fr")
    check = Check(CheckKind.CLOZE, "____ d'un nœud : …", "profondeur", "fr", concept.id, concept.key)
    student.memory.checks.put(student.subject.id, check, 1)
    said = student.ask("la profondeurr")
    assert said.verdict is Verdict.RIGHT
    assert phrases_for("fr").say("check.spelled", expected=phrases_for("fr").quote("profondeur")) in said.text


def test_a_reply_said_in_doubt_is_a_reply(course_in: Any) -> None:
    student = course_in("en")
    concept = student.memory.map.find(student.subject.id, "depth", "en")
    check = Check(CheckKind.CLOZE, "____ of a node: …", "depth", "en", concept.id, concept.key)
    for reply, verdict in (("depth?", Verdict.RIGHT), ("arity ?", Verdict.WRONG)):
        student.memory.checks.put(student.subject.id, check, 1)
        assert student.ask(reply).verdict is verdict
