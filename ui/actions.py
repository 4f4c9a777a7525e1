"""What the student can do, each a small named function: it runs on a lane, changes the memory, and says so."""

from __future__ import annotations

from collections.abc import Callable

from memory.belief_rules import Reason
from memory.episodes import Content, Draft, Episode, EpisodeId, Kind, Meta, Origin, SubjectId
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

    def work() -> Episode:
        now = house.clock.now()
        return house.memory.teaching.withdraw(
            note, id=EpisodeId(house.ids()), moment=now, recorded_at=house.clock.recorded()
        )

    desk.write(work, done)


def contest(desk: Desk, check: EpisodeId, words: str, done: Callable[[Episode], None] | None = None) -> None:
    """Dispute the verdict of a check: the objection is recorded, the belief behind it is settled again."""
    house, subject = desk.house, desk.subject_id
    if subject is None:
        return

    def work() -> Episode:
        draft = Draft(
            id=EpisodeId(house.ids()),
            subject=subject,
            kind=Kind.CONTEST,
            origin=Origin.TYPED,
            moment=house.clock.now(),
            recorded_at=house.clock.recorded(),
            content=Content(text=words),
            meta=Meta(about=check),
        )
        written = house.memory.ledger.append(draft)
        house.memory.beliefs.reconsider(check, Reason.CONTEST, house.ids, house.clock.recorded())
        return written

    desk.write(work, done)


def redact(desk: Desk, episode: EpisodeId, done: Callable[[Episode], None] | None = None) -> None:
    """Empty the words of an episode for good; the ledger says that it was done."""
    house = desk.house

    def work() -> Episode:
        written = house.memory.ledger.redact(episode, EpisodeId(house.ids()), house.clock.now(), house.clock.recorded())
        house.memory.map.forget_names(episode)
        return written

    desk.write(work, done)


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
    """Run tonight's cycle when one was missed."""
    house, subject = desk.house, desk.subject_id
    if subject is None:
        return

    def work() -> bool:
        now = house.clock.now()
        if not house.memory.nights.is_due(subject, now):
            return False
        return house.memory.nights.run(subject, now, house.ids).ran

    def told(ran: bool) -> None:
        if ran:
            desk.changed.emit(None)

    desk.lanes.writes.run(work, told, desk.faulted.emit)
