"""What the student can do, each a small named function: it runs on a lane, changes the memory, and says so."""

from __future__ import annotations

from collections.abc import Callable

from app import corrections
from app.schedule import run_missed_nights
from memory.episodes import Episode, EpisodeId, SubjectId
from memory.files import FileId
from memory.subjects import Subject
from ui.desk import Desk


def add_subject(desk: Desk, name: str, done: Callable[[Subject], None] | None = None) -> None:
    """Make a subject and take it in hand. A name that is taken or empty is said by the desk's ``faulted``."""

    def take(subject: Subject) -> None:
        desk.take(subject)
        if done is not None:
            done(subject)

    house = desk.house
    desk.write(lambda: house.memory.subjects.add(SubjectId(house.ids()), name, house.clock.recorded()), take)


def rename_subject(desk: Desk, subject: Subject, name: str) -> None:
    """Give a subject another name."""
    desk.write(lambda: desk.house.memory.subjects.rename(subject.id, name))


def use_subject(desk: Desk, subject: Subject) -> None:
    """Take a subject in hand and remember it as the one last used."""
    desk.take(subject)
    desk.lanes.writes.run(lambda: desk.house.memory.subjects.use(subject.id, desk.house.clock.recorded()))


def withdraw_note(desk: Desk, note: EpisodeId, done: Callable[[Episode], None] | None = None) -> None:
    """Take a taught note back: it counts no longer; the ledger keeps that it was taught and withdrawn."""
    house = desk.house
    desk.write(lambda: corrections.withdraw(house.memory, house.clock, house.ids, note), done)


def contest(desk: Desk, check: EpisodeId, words: str, done: Callable[[Episode], None] | None = None) -> None:
    """Dispute the verdict of a check: the objection is recorded, the belief behind it is settled again."""
    house, subject = desk.house, desk.subject_id
    if subject is None:
        return
    desk.write(lambda: corrections.contest(house.memory, house.clock, house.ids, check, words), done)


def redact(desk: Desk, episode: EpisodeId, done: Callable[[Episode], None] | None = None) -> None:
    """Empty the words of an episode for good; the ledger says that it was done."""
    house = desk.house
    desk.write(lambda: corrections.redact(house.memory, house.clock, house.ids, episode), done)


def not_useful(desk: Desk, episode: EpisodeId) -> None:
    """The student has no use for a reminder: that episode is not brought up by itself again."""
    reminding = desk.house.tutor.reminding
    desk.lanes.writes.run(lambda: reminding.not_useful(episode), lambda _none: None, desk.faulted.emit)


def remove_file(desk: Desk, file: FileId) -> None:
    """Withdraw a file: it is no longer searched and its provenance no longer counts."""
    memory, subject = desk.house.memory, desk.subject_id

    def work() -> None:
        memory.files.remove(file)
        if subject is not None:
            memory.map.refresh(subject)

    desk.write(work)


def make_ready(desk: Desk, done: Callable[[bool], None], failed: Callable[[Exception], None]) -> None:
    """Load the models behind the open window and record what a crash cut short; whether there is a chat model."""
    house = desk.house

    def work() -> bool:
        if house.tutor.recover():
            desk.lanes.chat.say(None, lambda: desk.changed.emit(None))
        model = house.engines.chat()
        if model is not None:
            model.load()
        return model is not None

    desk.lanes.chat.run(work, done, failed)


def run_night(desk: Desk) -> None:
    """Run the cycle of every subject whose night was missed."""

    def work() -> bool:
        return any(night.ran for night in run_missed_nights(desk.house))

    def told(ran: bool) -> None:
        if ran:
            desk.changed.emit(None)

    desk.lanes.writes.run(work, told, desk.faulted.emit)
