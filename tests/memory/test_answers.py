"""What the ledger and the map answer by themselves, read as a student reads it."""

from __future__ import annotations

from datetime import date
from textwrap import dedent

import pytest

from memory.answers import Answers, ComposedAnswer, MapQuestion
from memory.episodes import ConceptId, Content, Episode, Evidence, Kind, Meta, Origin, State, Verdict
from memory.map_questions import map_question
from memory.moments import Moment, Window
from memory.routing import Names, Route
from memory.understanding import MessageKind, Understanding, understand

JULY = Window(date(2026, 7, 1), date(2026, 7, 31))
AUGUST = Window(date(2026, 8, 1), date(2026, 8, 31))
MARCH = Window(date(2026, 3, 1), date(2026, 3, 31))
NOW = Moment.parse("2026-10-15T18:00:00+00:00")
NAMES = {
    "osmosis": {"fr": "osmose", "en": "osmosis", "es": "ósmosis", "ar": "التناضح", "de": "Osmose"},
    "diffusion": {"fr": "diffusion", "en": "diffusion", "es": "difusión", "ar": "الانتشار", "de": "Diffusion"},
    "membrane": {"fr": "membrane", "en": "membrane", "es": "membrana", "ar": "الغشاء", "de": "Membran"},
}


class School:
    """A classroom with three concepts named in five languages, and answers over it."""

    def __init__(self, room) -> None:
        self.room = room
        self.answers = Answers(room.store, room.ledger, room.beliefs)
        self.ids = {}
        for key, names in NAMES.items():
            self.ids[key] = room.concept(key)
            with room.store.atomic() as connection:
                for language, name in names.items():
                    connection.execute(
                        "INSERT INTO concept_names (concept, subject, key, name, language, alias)"
                        " VALUES (?, ?, ?, ?, ?, 0)",
                        (self.ids[key], room.subject, f"{language}:{name}", name, language),
                    )

    @staticmethod
    def day(text: str) -> float:
        return (date.fromisoformat(text) - date(2026, 3, 2)).days

    def check(self, day: str, verdict: Verdict | None, concept: str | None, text: str = "", reply: str | None = None):
        """A check, and the belief it changes when it has a concept and a verdict."""
        content = Content(text=text or "What is it?", reply=reply)
        touches = (self.ids[concept],) if concept else ()
        meta = Meta(verdict=verdict)
        episode = self.room.append(Kind.CHECK, self.day(day), content=content, meta=meta, touches=touches)
        if concept and verdict:
            self.room.beliefs.record_check(episode, self.ids[concept], self.room.ids, episode.moment.at)
        return episode

    def question(self, day: str, text: str, *concepts: str) -> Episode:
        return self.room.append(Kind.QUESTION, self.day(day), text, touches=self._ids(concepts))

    def answer(self, question: Episode, text: str, *concepts: str, **meta) -> Episode:
        day = (question.moment.day - date(2026, 3, 2)).days
        made = Meta(about=question.id, **meta)
        return self.room.append(Kind.ANSWER, day, text, meta=made, touches=self._ids(concepts), origin=Origin.TUTOR)

    def status(self, answer: Episode, status: str) -> None:
        with self.room.store.atomic() as connection:
            connection.execute("INSERT INTO answer_status VALUES (?, ?, '{}', '{}')", (answer.id, status))

    def note(self, day: str, text: str, concept: str | None = None, **meta) -> Episode:
        touches = self._ids([concept] if concept else [])
        episode = self.room.append(Kind.TAUGHT, self.day(day), text, meta=Meta(**meta), touches=touches)
        with self.room.store.atomic() as connection:
            kept = self.ids[concept] if concept else ""
            connection.execute("INSERT INTO notes VALUES (?, ?, ?, 1)", (episode.id, self.room.subject, kept))
        return episode

    def file(self, day: str, name: str) -> Episode:
        meta = Meta(evidence=(Evidence(name, "abc"),))
        return self.room.append(Kind.FILE, self.day(day), name, meta=meta)

    def ask(
        self, sub: str, language: str = "en", window: Window | None = None, *concepts: str, text: str | None = None, **k
    ) -> ComposedAnswer:
        routes = tuple(Route(self.ids[key], key, "name", 0, 1) for key in concepts)
        said = Understanding(MessageKind.RECORD, sub, window, routes, text, None, language)
        return self.answers.ledger_answer(self.room.subject, said, NOW, **k)

    def map(
        self, question: MapQuestion, language: str = "en", *concepts: str, text: str | None = None
    ) -> ComposedAnswer:
        routes = tuple(Route(self.ids[key], key, "name", 0, 1) for key in concepts)
        said = Understanding(MessageKind.PREREQUISITE, None, None, routes, text, None, language)
        return self.answers.map_answer(self.room.subject, said, NOW, question)

    def read(self, name: str, places: dict[str, tuple[int, ...]], needs: dict[str, str]) -> None:
        """A file that explains concepts on pages, and says what builds on what."""
        with self.room.store.atomic() as connection:
            connection.execute("INSERT INTO files VALUES (?, ?, ?, ?, 'done', NULL, 0)", (name, "biology", name, name))
            connection.execute(
                "INSERT INTO versions (file, sha256, bytes, format, pages, pages_read, read_at)"
                " VALUES (?, 'abc', 1, 'pdf', 9, 9, 0)",
                (name,),
            )
            version = connection.last_insert_rowid()
            for key, pages in places.items():
                connection.execute(
                    "INSERT INTO concept_places (concept, version, pages) VALUES (?, ?, ?)",
                    (self.ids[key], version, str(list(pages))),
                )
            for concept, needed in needs.items():
                connection.execute(
                    "INSERT INTO edges VALUES (?, ?, ?, 1.0, 'definition')",
                    (self.ids[concept], self.ids[needed], version),
                )

    def _ids(self, concepts) -> tuple[ConceptId, ...]:
        return tuple(self.ids[concept] for concept in concepts)


@pytest.fixture
def school(classroom) -> School:
    return School(classroom)


@pytest.fixture
def july(school: School) -> School:
    """July: two concepts, one check missed and one partly right; September: osmosis got right; October: a file."""
    school.question("2026-07-10", "Can we go over osmosis? I keep mixing it up.", "osmosis")
    school.check("2026-07-12", Verdict.WRONG, "osmosis", "Which way does the water move?", "out of the cell")
    school.check("2026-07-14", Verdict.PARTLY, "diffusion", "What is diffusion?", "it spreads")
    school.check("2026-09-18", Verdict.RIGHT, "osmosis", "What is osmosis?")
    school.file("2026-08-02", "cells.pdf")
    return school


def show(answer: ComposedAnswer) -> str:
    return "\n" + answer.text + "\n"


class TestMissed:
    def test_in_french_the_missed_checks_of_a_month_are_dated_quoted_and_followed_up(self, july: School) -> None:
        assert show(july.ask("missed", "fr", JULY)) == dedent("""
            Tu as eu 2 contrôles qui n'étaient pas justes en juillet 2026 (1 en partie juste et 1 faux) :

            - Le 12 juillet : osmose, faux. La question était « Which way does the water move? » Tu as répondu « out of the cell ». Réussi depuis, le 18 septembre.
            - Le 14 juillet : diffusion, en partie juste. La question était « What is diffusion? » Tu as répondu « it spreads ».
        """)  # noqa: E501

    def test_in_english_one_concept_is_told_alone(self, july: School) -> None:
        assert show(july.ask("missed", "en", None, "osmosis")) == dedent("""
            You had 1 check that was not right on osmosis (wrong):

            - On July 12: osmosis, wrong. The question was “Which way does the water move?” You answered “out of the cell”. Right since then, on September 18.
        """)  # noqa: E501

    def test_in_spanish(self, july: School) -> None:
        assert show(july.ask("missed", "es", JULY)) == dedent("""
            Tuviste 2 controles que no fueron correctos en julio de 2026 (1 correcto en parte y 1 incorrecto):

            - El 12 de julio: ósmosis, incorrecto. La pregunta era «Which way does the water move?» Respondiste «out of the cell». Correcto desde entonces, el 18 de septiembre.
            - El 14 de julio: difusión, correcto en parte. La pregunta era «What is diffusion?» Respondiste «it spreads».
        """)  # noqa: E501

    def test_in_arabic(self, july: School) -> None:
        assert show(july.ask("missed", "ar", JULY)) == dedent("""
            لديك اختباران قصيران لم يكونا صحيحين في يوليو 2026 (1 صحيح جزئيًا و1 خطأ):

            - يوم 12 يوليو: التناضح، خطأ. كان السؤال «Which way does the water move?» أجبتَ «out of the cell». أصبح صحيحًا بعد ذلك، يوم 18 سبتمبر.
            - يوم 14 يوليو: الانتشار، صحيح جزئيًا. كان السؤال «What is diffusion?» أجبتَ «it spreads».
        """)  # noqa: E501

    @pytest.mark.parametrize(
        ("language", "line"),
        [
            ("de", "- Am 14. Juli: Diffusion, teilweise richtig. Die Frage war „What is diffusion?“"),
            ("it", "- Il 14 luglio: diffusion, giusta in parte. La domanda era «What is diffusion?»"),
            ("pt", "- Em 14 de julho: diffusion, certa em parte. A pergunta era “What is diffusion?”"),
        ],
    )
    def test_in_german_italian_and_portuguese(self, july: School, language: str, line: str) -> None:
        assert line in july.ask("missed", language, JULY).text

    def test_only_what_was_asked_about_counts_as_memories(self, july: School) -> None:
        answer = july.ask("missed", "en", JULY)
        checks = july.room.ledger.find(july.room.subject, kinds=[Kind.CHECK], window=JULY)
        assert answer.memories == tuple(check.id for check in checks)
        later = {id for line in answer.lines for id in line.also}
        assert later
        assert not later & set(answer.memories)

    def test_every_item_stands_for_its_episode(self, july: School) -> None:
        items = [line for line in july.ask("missed", "en", JULY).lines if line.item]
        assert [len(line.episodes) for line in items] == [1, 1]
        assert items[0].concepts == (july.ids["osmosis"],)

    def test_nothing_wrong_is_said_with_the_checks_that_were_right(self, school: School) -> None:
        school.check("2026-07-12", Verdict.RIGHT, "osmosis")
        answer = school.ask("missed", "en", JULY)
        assert answer.text == "Nothing wrong is recorded in July 2026: 1 check, right."
        assert not answer.empty

    def test_no_check_in_a_month_is_no_record_and_names_other_dates_as_other(self, july: School) -> None:
        answer = july.ask("missed", "en", MARCH)
        assert show(answer) == dedent("""
            I have no check on record in March 2026.

            The nearest recorded date is another time: July 12 (after).
        """)
        assert answer.empty
        assert answer.memories == ()
        assert answer.nearest == (date(2026, 7, 12),)

    def test_checks_tied_to_no_concept_are_listed_and_counted(self, school: School) -> None:
        school.check("2026-07-12", Verdict.WRONG, None, "3 + 4?", "8")
        assert show(school.ask("missed", "en")) == dedent("""
            You had 1 check that was not right (wrong):

            - On July 12: a check tied to no concept, wrong. The question was “3 + 4?” You answered “8”.

            1 of them could not be tied to a concept yet.
        """)

    def test_asked_about_a_concept_untied_checks_are_said_beside_and_never_guessed_about(self, july: School) -> None:
        july.check("2026-07-20", Verdict.WRONG, None, "3 + 4?", "8")
        answer = july.ask("missed", "en", JULY, "osmosis")
        assert answer.text.endswith(
            "1 more check that was not right is tied to no concept yet: I cannot say what it was about."
        )
        assert len(answer.memories) == 1

    def test_a_long_record_is_told_concept_by_concept(self, school: School) -> None:
        for day in range(1, 25):
            school.check(f"2026-07-{day:02}", Verdict.WRONG, "osmosis")
        school.check("2026-07-25", Verdict.PARTLY, "diffusion")
        answer = school.ask("missed", "en", JULY)
        assert show(answer) == dedent("""
            You had 25 checks that were not right in July 2026 (1 partly right and 24 wrong):

            - Osmosis: 24 wrong, from July 1 to July 24.
            - Diffusion: partly right, on July 25.
        """)
        assert len(answer.memories) == 25

    def test_a_contest_that_won_is_no_longer_missed_and_one_that_lost_is_said(self, school: School) -> None:
        won = school.check("2026-07-12", Verdict.WRONG, "osmosis")
        lost = school.check("2026-07-13", Verdict.WRONG, "diffusion")
        for check, verdict in ((won, Verdict.RIGHT), (lost, Verdict.WRONG)):
            school.room.append(Kind.CONTEST, school.day("2026-07-14"), "", meta=Meta(about=check.id, verdict=verdict))
        answer = school.ask("missed", "en", JULY)
        assert answer.memories == (lost.id,)
        assert "You contested this verdict on July 14; it stands." in answer.text

    def test_redacted_words_are_gone_and_the_verdict_stays(self, school: School) -> None:
        check = school.check("2026-07-12", Verdict.WRONG, "osmosis", "secret question", "secret reply")
        room = school.room
        room.ledger.redact(check.id, room.ids(), room.moment(school.day("2026-07-20")), 0)
        answer = school.ask("missed", "en", JULY)
        assert "On July 12: osmosis, wrong." in answer.text
        assert "secret" not in answer.text

    def test_a_topic_the_map_does_not_know_is_looked_for_by_its_words(self, school: School) -> None:
        content = Content(text="What do they attract?", topic="Magnets")
        meta = Meta(verdict=Verdict.WRONG)
        magnets = school.room.append(Kind.CHECK, school.day("2026-07-12"), content=content, meta=meta)
        school.check("2026-07-13", Verdict.WRONG, None, "3 + 4?")
        answer = school.ask("missed", "en", None, text="magnets")
        assert answer.memories == (magnets.id,)
        assert answer.text.startswith("You had 1 check that was not right on “magnets”")

    def test_words_that_are_no_topic_hide_nothing(self, july: School) -> None:
        assert july.ask("missed", "en", JULY, text="go wrong") == july.ask("missed", "en", JULY)


class TestCovered:
    def test_in_french_a_month_is_told_concept_by_concept(self, july: School) -> None:
        assert show(july.ask("covered", "fr", JULY)) == dedent("""
            Voici ce qui est enregistré en juillet 2026, 2 concepts :

            - Osmose : 1 question et 1 contrôle (faux), le 10 juillet et le 12 juillet. Tu as demandé « Can we go over osmosis? I keep mixing it up. »
            - Diffusion : 1 contrôle (en partie juste), le 14 juillet.

            En tout : 1 question et 2 contrôles (1 en partie juste et 1 faux).
        """)  # noqa: E501

    def test_a_check_counts_for_its_own_concept_alone_whatever_the_reply_names(self, school: School) -> None:
        check = school.check("2026-07-12", Verdict.WRONG, "osmosis", "What moves water?", "diffusion")
        with school.room.store.atomic() as connection:
            connection.execute(
                "INSERT INTO episode_concepts VALUES (?, ?, 'name')", (check.row, school.ids["diffusion"])
            )
        answer = school.ask("covered", "en", JULY)
        assert "Osmosis: 1 check (wrong)" in answer.text
        assert "Diffusion" not in answer.text
        assert school.ask("covered", "en", JULY, "diffusion").empty

    def test_in_english_a_concept_is_told_day_by_day(self, july: School) -> None:
        assert show(july.ask("covered", "en", None, "osmosis")) == dedent("""
            Yes, here is what is recorded on osmosis:

            - On July 10: 1 question. You asked “Can we go over osmosis? I keep mixing it up.”
            - On July 12: 1 check (wrong).
            - On September 18: 1 check (right).
        """)

    def test_in_spanish(self, july: School) -> None:
        assert july.ask("covered", "es", JULY).text.splitlines()[2:] == [
            "- Ósmosis: 1 pregunta y 1 control (incorrecto), el 10 de julio y el 12 de julio. "
            "Preguntaste «Can we go over osmosis? I keep mixing it up.»",
            "- Difusión: 1 control (correcto en parte), el 14 de julio.",
            "",
            "En total: 1 pregunta y 2 controles (1 correcto en parte y 1 incorrecto).",
        ]

    def test_in_arabic(self, july: School) -> None:
        assert july.ask("covered", "ar", JULY).text.splitlines()[2:] == [
            "- التناضح: سؤال واحد واختبار قصير واحد (خطأ)، يوم 10 يوليو و12 يوليو. "
            "سألتَ «Can we go over osmosis? I keep mixing it up.»",
            "- الانتشار: اختبار قصير واحد (صحيح جزئيًا)، يوم 14 يوليو.",
            "",
            "المجموع: سؤال واحد واختباران قصيران (1 صحيح جزئيًا و1 خطأ).",
        ]

    def test_a_month_with_only_a_file_is_empty(self, july: School) -> None:
        answer = july.ask("covered", "en", AUGUST)
        assert show(answer) == dedent("""
            I have no record of any work in August 2026.

            Only 1 file was added then (cells.pdf); adding a file is not work done on it.

            The nearest recorded dates are other times: July 14 (before) and September 18 (after).
        """)
        assert answer.empty
        assert answer.memories == ()

    def test_a_month_with_only_a_consolidation_is_empty(self, july: School) -> None:
        july.room.append(Kind.CONSOLIDATION, july.day("2026-08-20"), "osmosis", touches=(july.ids["osmosis"],))
        assert july.ask("covered", "en", AUGUST).empty

    @pytest.mark.parametrize(
        ("language", "said"),
        [
            ("fr", "Je n'ai aucune trace de travail en mars 2026."),
            ("en", "I have no record of any work in March 2026."),
            ("es", "No tengo constancia de ningún trabajo en marzo de 2026."),
            ("ar", "ليس لديّ أي سجل لعمل في مارس 2026."),
            ("de", "Ich habe im März 2026 keine Arbeit verzeichnet."),
            ("it", "Non ho traccia di alcun lavoro a marzo 2026."),
            ("pt", "Não tenho registo de nenhum trabalho em março de 2026."),
        ],
    )
    def test_an_empty_month_is_said_plainly_in_every_language(self, july: School, language: str, said: str) -> None:
        answer = july.ask("covered", language, MARCH)
        assert answer.text.startswith(said)
        assert "osmo" not in answer.text.casefold()
        assert answer.empty

    def test_a_time_to_come_has_no_record_and_no_neighbours(self, july: School) -> None:
        answer = july.ask("covered", "en", Window(date(2027, 3, 1), date(2027, 3, 31)))
        assert answer.text == "I have no record in March 2027: that time is still to come."

    def test_a_course_without_any_work_says_so(self, school: School) -> None:
        answer = school.ask("covered", "en")
        assert answer.text == "Nothing is recorded in this course yet: no question, no check, no note."

    def test_a_file_in_an_active_month_is_said_apart(self, july: School) -> None:
        july.question("2026-08-05", "What is a membrane?", "membrane")
        answer = july.ask("covered", "en", AUGUST)
        assert answer.text.endswith("1 file was added: cells.pdf, on August 2.")
        assert len(answer.memories) == 1

    def test_ten_answers_about_july_leave_july_and_today_as_they_were(self, july: School) -> None:
        before = july.ask("covered", "en", JULY)
        for _ in range(10):
            question = july.question("2026-09-01", "What did we see in July on osmosis?", "osmosis")
            july.answer(question, "In July we saw osmosis.", "osmosis", narration=True, plan="ledger")
        assert july.ask("covered", "en", JULY) == before
        answer = july.ask("covered", "en", Window(date(2026, 9, 1), date(2026, 9, 1)))
        assert answer.empty

    def test_a_courtesy_is_no_work(self, school: School) -> None:
        hello = school.question("2026-07-10", "hello")
        school.answer(hello, "Hello!", plan="smalltalk")
        assert school.ask("covered", "en", JULY).empty

    def test_a_stopped_answer_touches_nothing(self, school: School) -> None:
        question = school.question("2026-07-10", "What is it?", "osmosis")
        school.answer(question, "Diffusion is", "diffusion", state=State.STOPPED)
        answer = school.ask("covered", "en", JULY)
        assert "Diffusion" not in answer.text
        assert "Osmosis: 1 question" in answer.text

    def test_the_question_itself_is_left_out(self, school: School) -> None:
        asked = school.question("2026-07-10", "What did we see in July?")
        assert school.ask("covered", "en", JULY, exclude=asked.id).empty

    def test_questions_without_a_concept_are_quoted(self, school: School) -> None:
        school.question("2026-07-10", "Why is the sky blue?")
        assert show(school.ask("covered", "en", JULY)) == dedent("""
            Here is what is recorded in July 2026:

            - Tied to no concept: 1 question, on July 10. You asked “Why is the sky blue?”
        """)

    def test_many_concepts_are_all_named(self, school: School) -> None:
        for number in range(30):
            key = f"concept{number}"
            school.ids[key] = school.room.concept(key)
            school.question("2026-07-10", key, key)
        answer = school.ask("covered", "en", JULY)
        assert "30 concepts" in answer.text
        assert all(f"oncept{number}" in answer.text for number in range(30))
        assert "And 5 more concepts" in answer.text
        assert len(answer.memories) == 30


class TestProgress:
    def test_in_french_claims_are_said_with_their_confidence_and_checks(self, july: School) -> None:
        for day in ("2026-10-01", "2026-10-02"):
            july.check(day, Verdict.RIGHT, "osmosis")
        july.check("2026-10-03", Verdict.WRONG, "membrane")
        assert show(july.ask("progress", "fr")) == dedent("""
            J'ai un avis sur 3 concepts : 1 compris, 1 incertain et 1 fragile.

            - Membrane : fragile (je suis plutôt sûr, 74 %), depuis le 3 octobre. 1 contrôle, le 3 octobre : faux.
            - Diffusion : incertain (cela peut pencher d'un côté ou de l'autre), depuis le 14 juillet. 1 contrôle, le 14 juillet : en partie juste.
            - Osmose : compris (je suis assez sûr, 99 %), depuis le 1er octobre. 4 contrôles, le dernier le 2 octobre : juste.
        """)  # noqa: E501

    def test_thirty_two_checks_tied_to_no_concept_are_counted_never_denied(self, school: School) -> None:
        for number in range(32):
            school.check("2026-07-12", Verdict.RIGHT, None, f"{number} + 1?")
        assert school.ask("progress", "fr").text == (
            "32 contrôles sont enregistrés, mais aucun n'a encore pu être relié à un concept : "
            "je ne peux en juger aucun."
        )
        assert len(school.ask("progress", "en").memories) == 32

    def test_a_month_is_told_by_its_checks_with_what_is_held_today(self, july: School) -> None:
        assert show(july.ask("progress", "en", JULY)) == dedent("""
            Your checks in July 2026:

            - Osmosis: wrong, on July 12. Today I hold it unsure (could go either way).
            - Diffusion: partly right, on July 14. Today I hold it unsure (could go either way).
        """)

    def test_no_check_on_a_concept_means_nothing_held(self, july: School) -> None:
        answer = july.ask("progress", "en", None, "membrane")
        assert answer.text == "No check is recorded on membrane yet, so I hold nothing about your level there."
        assert answer.empty


class TestChanged:
    def test_in_english_changes_of_claim_are_told_with_their_reason(self, july: School) -> None:
        assert show(july.ask("changed", "en")) == dedent("""
            3 things changed in what I think of your level:

            - On July 12: osmosis, first view: weak, because of 1 check: wrong on July 12.
            - On July 14: diffusion, first view: unsure, because of 1 check: partly right on July 14.
            - On September 18: osmosis, weak → unsure, because of 1 check: right on September 18.

            1 further change touched only my confidence.
        """)

    def test_in_french_one_concept_is_told_with_its_whole_chain(self, july: School) -> None:
        assert show(july.ask("changed", "fr", None, "osmosis")) == dedent("""
            3 changements sur osmose dans ce que je pense de ton niveau :

            - Le 12 juillet : osmose, premier avis : fragile, à cause de 1 contrôle : faux le 12 juillet.
            - Le 26 août : osmose, fragile, ma confiance est passée de 74 % à 63 %, parce qu'aucun contrôle ne l'a confirmé depuis longtemps.
            - Le 18 septembre : osmose, fragile → incertain, à cause de 1 contrôle : juste le 18 septembre.

            Aujourd'hui, osmose : incertain (cela peut pencher d'un côté ou de l'autre), depuis le 18 septembre.
        """)  # noqa: E501

    def test_a_month_without_a_change_says_so(self, july: School) -> None:
        answer = july.ask("changed", "en", MARCH)
        assert answer.text.startswith("Nothing has changed on record in March 2026 in what I think of your level.")
        assert answer.empty


class TestTaught:
    def test_notes_are_told_with_their_dates_and_what_they_hang_on(self, school: School) -> None:
        school.note("2026-09-20", "In class we call osmosis the water walk.", "osmosis")
        school.note("2026-09-21", "My exam is on 3 June.")
        assert show(school.ask("taught", "en")) == dedent("""
            You taught me 2 things:

            - On September 20, on osmosis: “In class we call osmosis the water walk.”
            - On September 21, about you: “My exam is on 3 June.”
        """)
        assert show(school.ask("taught", "es", None, "osmosis")) == dedent("""
            Me enseñaste 1 cosa sobre ósmosis:

            - El 20 de septiembre, sobre ósmosis: «In class we call osmosis the water walk.»
        """)

    def test_a_note_that_replaces_another_is_told_alone_and_says_so(self, school: School) -> None:
        old = school.note("2026-09-20", "The exam is on 3 June.")
        new = school.note("2026-09-25", "The exam is on 5 June.", replaces=old.id)
        answer = school.ask("taught", "en")
        assert answer.memories == (new.id,)
        assert "It replaces your note of September 20." in answer.text

    def test_an_imported_note_that_another_replaced_is_not_told(self, school: School) -> None:
        old = school.note("2026-09-20", "The exam is on 3 June.")
        new = school.note("2026-09-25", "The exam is on 5 June.")
        with school.room.store.atomic() as connection:
            connection.execute("UPDATE notes SET live = 0 WHERE episode = ?", (old.id,))
        assert school.ask("taught", "en").memories == (new.id,)

    def test_a_withdrawn_note_is_not_told(self, school: School) -> None:
        note = school.note("2026-09-20", "The exam is on 3 June.")
        school.room.append(Kind.WITHDRAWAL, school.day("2026-09-21"), "", meta=Meta(about=note.id))
        assert (
            school.ask("taught", "en").text == "Nothing is recorded in this course yet: no question, no check, no note."
        )

    def test_a_redacted_note_is_told_without_words(self, school: School) -> None:
        note = school.note("2026-09-20", "My secret.")
        room = school.room
        room.ledger.redact(note.id, room.ids(), room.moment(school.day("2026-09-21")), 0)
        answer = school.ask("taught", "en")
        assert "a note whose words were removed at your request" in answer.text
        assert "secret" not in answer.text


class TestUnanswered:
    def test_open_questions_are_told_once_with_how_often_and_what_came_of_them(self, school: School) -> None:
        for day, status in (("2026-09-01", "not_possible"), ("2026-09-10", "partly"), ("2026-09-20", "answered")):
            question = school.question(day, "Who discovered osmosis?", "osmosis")
            school.status(school.answer(question, "…"), status)
        other = school.question("2026-09-22", "And who discovered cells?")
        school.status(school.answer(other, "…"), "not_possible")
        assert show(school.ask("unanswered", "en")) == dedent("""
            2 questions of yours your files could not fully answer:

            - On September 10: “Who discovered osmosis?” Your files answer it only in part. Asked 2 times. Found since then, on September 20.
            - On September 22: “And who discovered cells?” Your files say nothing about it.
        """)  # noqa: E501

    def test_nothing_open_is_said_plainly(self, july: School) -> None:
        answer = july.ask("unanswered", "fr", JULY)
        assert answer.text.startswith(
            "Je n'ai aucune question de ta part en juillet 2026 à laquelle tes fichiers n'aient pas pu répondre."
        )


class TestMap:
    @pytest.fixture
    def mapped(self, july: School) -> School:
        july.read(
            "cells.pdf",
            {"diffusion": (3, 4), "membrane": (2,), "osmosis": (5,)},
            {"osmosis": "diffusion", "diffusion": "membrane"},
        )
        return july

    def test_in_french_prerequisites_come_in_teaching_order_with_pages_and_standing(self, mapped: School) -> None:
        answer = mapped.map(MapQuestion.PREREQUISITES, "fr", "osmosis")
        assert show(answer) == dedent("""
            Avant osmose, 2 concepts, dans l'ordre d'enseignement :

            - Membrane, cells.pdf (p. 2) : rien d'enregistré pour l'instant.
            - Diffusion, cells.pdf (p. 3–4) : incertain (cela peut pencher d'un côté ou de l'autre), depuis le 14 juillet.
        """)  # noqa: E501
        assert [line.concepts for line in answer.lines if line.item] == [
            (mapped.ids["membrane"],),
            (mapped.ids["diffusion"],),
        ]
        assert not answer.narration

    def test_in_arabic(self, mapped: School) -> None:
        assert mapped.map(MapQuestion.PREREQUISITES, "ar", "osmosis").text.splitlines() == [
            "قبل التناضح، مفهومان، حسب ترتيب التدريس:",
            "",
            "- الغشاء، cells.pdf (ص 2): لا شيء مسجَّل بعد.",
            "- الانتشار، cells.pdf (ص 3–4): غير مؤكد (قد يميل إلى هذا الجانب أو ذاك)، منذ 14 يوليو.",
        ]

    def test_a_concept_that_builds_on_nothing_can_be_begun_with(self, mapped: School) -> None:
        assert mapped.map(MapQuestion.PREREQUISITES, "en", "membrane").text == (
            "In your files, membrane builds on nothing else: you can start with it."
        )

    def test_a_concept_that_no_file_explains_has_no_known_place_in_the_order(self, school: School) -> None:
        for asked in (MapQuestion.PREREQUISITES, MapQuestion.DEPENDANTS):
            assert school.map(asked, "en", "osmosis").text == (
                "No file explains osmosis yet, so I cannot say what comes before or after it."
            )

    def test_dependants_are_the_other_way_round(self, mapped: School) -> None:
        answer = mapped.map(MapQuestion.DEPENDANTS, "en", "membrane")
        assert [line.concepts[0] for line in answer.lines if line.item] == [
            mapped.ids["diffusion"],
            mapped.ids["osmosis"],
        ]

    def test_what_comes_next_is_the_first_concept_not_yet_understood(self, mapped: School) -> None:
        assert show(mapped.map(MapQuestion.NEXT, "en")) == dedent("""
            Start with membrane: it comes first in teaching order.

            2 concepts build on it.

            - Membrane, cells.pdf (p. 2): nothing recorded yet.

            After it: diffusion and osmosis.
        """)

    def test_a_weak_concept_that_others_need_comes_first(self, mapped: School) -> None:
        mapped.check("2026-10-01", Verdict.WRONG, "diffusion")
        assert mapped.map(MapQuestion.NEXT, "en").text.startswith(
            "Next comes diffusion: it is held as still weak, and others build on it."
        )

    def test_the_course_is_told_by_its_concepts_and_files(self, mapped: School) -> None:
        answer = mapped.map(MapQuestion.COURSE, "en")
        assert answer.text.startswith("This course is about 3 concepts, from cells.pdf:")
        assert len([line for line in answer.lines if line.item]) == 3

    def test_a_concept_that_is_not_on_the_map_is_not_guessed(self, mapped: School) -> None:
        answer = mapped.map(MapQuestion.PREREQUISITES, "en", text="magnetism")
        assert answer.text == (
            "“magnetism” is not on the map of this course: your files do not explain it as a concept."
        )

    def test_a_cycle_between_concepts_still_has_an_order(self, mapped: School) -> None:
        mapped.read("loop.pdf", {}, {"membrane": "osmosis"})
        answer = mapped.map(MapQuestion.PREREQUISITES, "en", "osmosis")
        assert len([line for line in answer.lines if line.item]) == 2


@pytest.mark.parametrize(
    ("text", "language", "kind", "asked"),
    [
        ("what is this course about?", "en", MessageKind.ORDINARY, MapQuestion.COURSE),
        ("de quoi parle ce cours ?", "fr", MessageKind.ORDINARY, MapQuestion.COURSE),
        ("¿de qué trata este curso?", "es", MessageKind.ORDINARY, MapQuestion.COURSE),
        ("عن ماذا يتحدث هذا المقرر؟", "ar", MessageKind.ORDINARY, MapQuestion.COURSE),
        ("Worum geht es in diesem Kurs?", "de", MessageKind.ORDINARY, MapQuestion.COURSE),
        ("di cosa parla questo corso?", "it", MessageKind.ORDINARY, MapQuestion.COURSE),
        ("de que trata este curso?", "pt", MessageKind.ORDINARY, MapQuestion.COURSE),
        ("what should I learn next?", "en", MessageKind.PREREQUISITE, MapQuestion.NEXT),
        ("par où commencer ?", "fr", MessageKind.ORDINARY, MapQuestion.NEXT),
        ("¿qué sigue?", "es", MessageKind.ORDINARY, MapQuestion.NEXT),
        ("من أين أبدأ؟", "ar", MessageKind.ORDINARY, MapQuestion.NEXT),
        ("womit fange ich an?", "de", MessageKind.ORDINARY, MapQuestion.NEXT),
        ("da dove comincio?", "it", MessageKind.ORDINARY, MapQuestion.NEXT),
        ("por onde começo?", "pt", MessageKind.ORDINARY, MapQuestion.NEXT),
        ("what do I need before osmosis?", "en", MessageKind.PREREQUISITE, MapQuestion.PREREQUISITES),
        ("what is osmosis about?", "en", MessageKind.ORDINARY, None),
        ("what is this course about?", "en", MessageKind.RECORD, None),
    ],
)
def test_what_is_asked_of_the_map_is_told_by_its_words(
    text: str, language: str, kind: MessageKind, asked: MapQuestion | None
) -> None:
    assert map_question(text, Understanding(kind, None, None, (), None, None, language)) is asked


def test_a_concept_named_with_what_builds_on_it_asks_for_dependants() -> None:
    route = (Route("osmosis", "osmosis", "name", 0, 1),)
    meaning = Understanding(MessageKind.PREREQUISITE, None, None, route, None, None, "en")
    assert map_question("what depends on osmosis?", meaning) is MapQuestion.DEPENDANTS


def test_a_line_that_stands_for_very_many_episodes_counts_them_all_and_links_the_latest(school: School) -> None:
    for number in range(70):
        school.question("2026-07-10", f"question {number}", "osmosis")
    answer = school.ask("covered", "en", JULY)
    assert "70 questions" in answer.text
    assert len(answer.memories) == 60


@pytest.mark.parametrize(
    ("sub", "language", "text", "denied"),
    [
        ("covered", "en", "Have we ever talked about quaternions?", "I have no record of any work on “quaternions”."),
        ("covered", "fr", "On a déjà parlé des quaternions ?", "Je n'ai aucune trace de travail sur « quaternions »."),
        ("covered", "es", "¿Alguna vez hablamos sobre cuaterniones?", "cuaterniones"),
        ("covered", "ar", "هل تحدثنا عن الرباعيات؟", "الرباعيات"),
        ("covered", "de", "Haben wir schon mal über Quaternionen gesprochen?", "Quaternionen"),
        ("covered", "it", "Abbiamo mai parlato di quaternioni?", "quaternioni"),
        ("covered", "pt", "Alguma vez falámos de quaterniões?", "quaterniões"),
        ("missed", "en", "What did I get wrong about quaternions?", "I have no check on record on “quaternions”."),
    ],
)
def test_a_topic_that_stands_nowhere_in_the_record_is_denied_and_others_are_named_as_such(
    july: School, sub: str, language: str, text: str, denied: str
) -> None:
    said = understand(text, NOW, Names(), False, language)
    assert (said.kind, said.sub) == (MessageKind.RECORD, sub)
    answer = july.answers.ledger_answer(july.room.subject, said, NOW)
    assert answer.empty
    assert answer.memories == ()
    assert denied in answer.text
    assert NAMES["osmosis"].get(language, "osmosis") in answer.text


@pytest.mark.parametrize(
    "text",
    [
        "Have we ever talked about osmosys?",  # a typing error
        "Have we ever talked about the water?",  # a word of a question, no concept
        "What did we do on my last quiz?",  # incidental words
        "What have we worked on together?",
    ],
)
def test_a_topic_that_comes_near_a_recorded_word_or_is_none_hides_nothing(july: School, text: str) -> None:
    said = understand(text, NOW, Names(), False, "en")
    assert said.kind is MessageKind.RECORD
    assert july.answers.ledger_answer(july.room.subject, said, NOW).memories


def test_asking_twice_about_what_was_never_done_does_not_make_it_recorded(july: School) -> None:
    text = "Have we ever talked about quaternions?"
    asked = july.question("2026-10-14", text)
    july.answer(asked, "I have no record of any work on “quaternions”.", narration=True, plan="ledger")
    said = understand(text, NOW, Names(), False, "en")
    assert july.answers.ledger_answer(july.room.subject, said, NOW).empty


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "What did my sister get wrong?", "your own work only"),
        ("fr", "Qu'est-ce que ma soeur a raté ?", "ton propre travail"),
        ("es", "¿En qué se equivocó mi hermana?", "tu propio trabajo"),
    ],
)
def test_somebody_elses_record_is_never_told_from_the_students(
    july: School, language: str, text: str, said: str
) -> None:
    meaning = understand(text, NOW, Names(), False, language)
    answer = july.answers.ledger_answer(july.room.subject, meaning, NOW)
    assert (answer.empty, answer.memories) == (True, ())
    assert said in answer.text


def test_a_topic_with_a_typing_error_is_answered_with_its_concept(july: School) -> None:
    meaning = understand("Have we ever talked about osmosys?", NOW, Names(), False, "en")
    answer = july.answers.ledger_answer(july.room.subject, meaning, NOW)
    assert answer.memories
    assert "Diffusion" not in answer.text
