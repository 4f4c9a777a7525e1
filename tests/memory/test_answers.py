"""What the ledger and the map answer by themselves, read as a student reads it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from textwrap import dedent

import pytest

from memory.answers import Answers, ComposedAnswer, MapQuestion, map_question
from memory.episodes import ConceptId, Content, Episode, Evidence, Kind, Meta, Origin, Verdict
from memory.moments import Moment, Window
from memory.routing import Route
from memory.understanding import MessageKind, Understanding

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
        return self.room.append(
            Kind.ANSWER, day, text, meta=made, touches=self._ids(concepts), origin=Origin.TUTOR
        )

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

    def map(self, question: MapQuestion, language: str = "en", *concepts: str, text: str | None = None) -> ComposedAnswer:
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
