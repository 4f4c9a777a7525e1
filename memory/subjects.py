"""Subjects: one course each, with one chain and one map."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.episodes import SubjectId
from memory.faults import UnknownSubject
from memory.rows import valid_text
from memory.store import Store

LONGEST_NAME = 80  # letters
_UNSEEN = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")


class NameTaken(ValueError):
    """Another subject has that name already, or the name is empty."""


class NameTooLong(ValueError):
    """The name of a subject has more than ``LONGEST_NAME`` letters: ``length``."""

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self.length = length


class NameUnseen(ValueError):
    """The name of a subject holds signs that are not seen: control characters, or a turn of the writing direction."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One course. Times are UTC microseconds."""

    id: SubjectId
    name: str
    created_at: int
    used_at: int


class Subjects:
    """The student's courses."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> list[Subject]:
        """Every subject, the last used first."""
        found = self._store.reader().execute(
            "SELECT id, name, created_at, used_at FROM subjects ORDER BY used_at DESC, created_at DESC, name"
        )
        return [Subject(SubjectId(id), name, made, used) for id, name, made, used in found]

    def find(self, name: str) -> Subject:
        """The subject of that name. Raises UnknownSubject."""
        name = clean_name(name)
        for subject in self.all():
            if subject.name.casefold() == name.casefold():
                return subject
        raise UnknownSubject(name)

    def add(self, id: SubjectId, name: str, now: int) -> Subject:
        """A new subject. Raises NameTaken, NameTooLong and NameUnseen."""
        name = sound_name(name)
        with self._store.atomic() as connection:
            if not name or any(subject.name.casefold() == name.casefold() for subject in self.all()):
                raise NameTaken(name)
            connection.execute("INSERT INTO subjects VALUES (?, ?, ?, ?)", (id, name, now, now))
        return Subject(id, name, now, now)

    def find_or_add(self, id: SubjectId, name: str, now: int) -> Subject:
        """The subject of that name, made under ``id`` when there is none, also while another process makes it.

        Raises NameTaken for a name that is none, NameTooLong and NameUnseen.
        """
        with self._store.atomic():
            try:
                return self.find(name)
            except UnknownSubject:
                return self.add(id, name, now)

    def rename(self, subject: SubjectId, name: str) -> None:
        """Give a subject another name; its chain starts from its id and does not notice.

        Raises NameTaken, NameTooLong and NameUnseen.
        """
        name = sound_name(name)
        if not name or any(other.name.casefold() == name.casefold() and other.id != subject for other in self.all()):
            raise NameTaken(name)
        with self._store.atomic() as connection:
            connection.execute("UPDATE subjects SET name = ? WHERE id = ?", (name, subject))

    def use(self, subject: SubjectId, now: int) -> None:
        """Remember that this subject is the current one."""
        with self._store.atomic() as connection:
            connection.execute("UPDATE subjects SET used_at = max(used_at + 1, ?) WHERE id = ?", (now, subject))


def clean_name(name: str) -> str:
    """A name on one line, without what cannot be stored."""
    return " ".join(valid_text(name).split())


def sound_name(name: str) -> str:
    """A clean name that a subject may be given. Raises NameTooLong and NameUnseen."""
    name = clean_name(name)
    if len(name) > LONGEST_NAME:
        raise NameTooLong(len(name))
    if _UNSEEN.search(name):
        raise NameUnseen(name)
    return name


def fitting_name(name: str) -> str:
    """The nearest name that a subject may be given: of a record that came with a longer or a stranger one."""
    return clean_name(_UNSEEN.sub("", name))[:LONGEST_NAME]
