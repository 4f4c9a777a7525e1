"""Teaching: what the student asked the tutor to keep (article, "Enseigner au sujet").

A note hangs on every concept it names, by exact name only. One that names none and defines a term makes a node with a
short name, never the sentence; any other is kept without a concept, under *About you*. A note that takes another's
place supersedes it: both stay in the ledger, the newer alone is recalled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from memory.concept_rows import ConceptOrigin
from memory.concepts import SubjectMap
from memory.episodes import ConceptId, Content, Draft, Episode, EpisodeId, Kind, Meta, Origin, SubjectId
from memory.faults import UnknownEpisode
from memory.forgetting import out_of_recall
from memory.ledger import Ledger, Touch
from memory.moments import Moment
from memory.note_words import is_about_student, opens_alike, says_it_replaces, shared_words, term_of
from memory.routing import Names
from memory.store import Store

Ids = Callable[[], str]
_EXACT = frozenset({"name", "alias"})


@dataclass(frozen=True, slots=True)
class TaughtReceipt:
    """What became of a note: its episode, the concepts it hangs on, and the node it made.

    A note on no concept is kept under *About you*; ``about_student`` says that its words are about the student.
    ``replaced`` is the note it took the place of.
    """

    episode: Episode
    concepts: tuple[ConceptId, ...]
    made: ConceptId | None
    replaced: EpisodeId | None
    about_student: bool


@dataclass(frozen=True, slots=True)
class _Aim:
    concepts: tuple[ConceptId, ...]
    made: ConceptId | None
    replaced: EpisodeId | None


class Teaching:
    """Writes taught notes, and takes them back."""

    def __init__(self, store: Store, ledger: Ledger, map: SubjectMap) -> None:
        self._store = store
        self._ledger = ledger
        self._map = map

    def teach(
        self,
        subject: SubjectId,
        text: str,
        *,
        language: str,
        names: Names,
        id: EpisodeId,
        ids: Ids,
        moment: Moment,
        recorded_at: int,
        origin: Origin = Origin.TYPED,
        said: str | None = None,
    ) -> TaughtReceipt:
        """Append a ``taught`` episode and hang the note where it belongs, in one transaction.

        ``text`` is what to keep, ``said`` the whole message around it (its wording may say that it replaces another
        note). ``names`` are today's names of the subject, ``ids`` gives the id of a new node.
        """
        with self._store.atomic():
            named = _named(names, text, language)
            aim = self._aim(subject, text, said or text, language, named, id, ids, recorded_at)
            keys = tuple(key for concept in aim.concepts if (key := self._map.key_of(concept)))
            touches: list[Touch] = [(concept, "name") for concept in aim.concepts]
            draft = Draft(
                id=id,
                subject=subject,
                kind=Kind.TAUGHT,
                origin=origin,
                moment=moment,
                recorded_at=recorded_at,
                content=Content(text=text),
                meta=Meta(language=language, concepts=keys, replaces=aim.replaced),
            )
            episode = self._ledger.append(draft, touches)
            self._hang(subject, episode, aim)
            return _receipt(episode, aim, text, language)

    def attach(self, episode: Episode, names: Names, ids: Ids) -> TaughtReceipt:
        """Hang a ``taught`` episode that is already in the ledger (imported, restored) by the same rules.

        The concepts it chains come first; a note whose words were redacted hangs on those alone, and one that chains
        what the map does not know (its file is not read again yet) waits under *About you* until it does.
        """
        subject, language = episode.subject, episode.meta.language or "en"
        with self._store.atomic() as connection:
            chained = [found for key in episode.meta.concepts if (found := self._map.with_key(subject, key))]
            text = episode.content.text if episode.content else ""
            elsewhere = [key for key in episode.meta.concepts if key != f"note {episode.id}"]
            named = chained or ([] if episode.meta.concepts else _named(names, text, language))
            if text and (chained or not elsewhere):
                aim = self._aim(subject, text, text, language, named, episode.id, ids, episode.recorded_at)
            else:
                aim = _Aim(tuple(named), None, None)
            if episode.meta.replaces is not None:
                aim = replace(aim, replaced=episode.meta.replaces)
            connection.executemany(
                "INSERT OR IGNORE INTO episode_concepts VALUES (?, ?, 'name')",
                [(episode.row, concept) for concept in aim.concepts],
            )
            if aim.replaced is not None:
                out_of_recall(connection, aim.replaced)
            self._hang(subject, episode, aim)
            return _receipt(episode, aim, text, language)

    def withdraw(self, note: EpisodeId, *, id: EpisodeId, moment: Moment, recorded_at: int) -> Episode:
        """Take a note back: it counts no longer, and an episode says so. Raises UnknownEpisode for what is no note."""
        taught = self._ledger.get(note)
        if taught is None or taught.kind is not Kind.TAUGHT:
            raise UnknownEpisode(note)
        draft = Draft(
            id=id,
            subject=taught.subject,
            kind=Kind.WITHDRAWAL,
            origin=Origin.TYPED,
            moment=moment,
            recorded_at=recorded_at,
            content=Content(text=""),
            meta=Meta(about=note),
        )
        with self._store.atomic():
            written = self._ledger.append(draft)
            self._map.withdraw_note(note)
            return written

    def rebuild(self, subject: SubjectId, ids: Ids) -> int:
        """Hang every note of the ledger anew, oldest first, and take back what was withdrawn; how many notes live."""
        with self._store.atomic() as connection:
            connection.execute("DELETE FROM notes WHERE subject = ?", (subject,))
            names = Names(self._map.name_rows(subject))
            episodes = self._ledger.find(subject, kinds=(Kind.TAUGHT, Kind.WITHDRAWAL, Kind.REDACTION))
            for episode in sorted(episodes, key=lambda each: each.seq):
                if episode.kind is Kind.TAUGHT:
                    if self.attach(episode, names, ids).made is not None:
                        names = Names(self._map.name_rows(subject))
                elif episode.meta.about is not None:
                    self._map.withdraw_note(episode.meta.about)
            return len({note.episode for note in self._map.notes(subject)})

    def _aim(
        self,
        subject: SubjectId,
        text: str,
        said: str,
        language: str,
        named: Sequence[ConceptId],
        episode: EpisodeId,
        ids: Ids,
        now: int,
    ) -> _Aim:
        """Where a note belongs; makes the node when it needs a new one."""
        concepts = tuple(dict.fromkeys(named))
        made: ConceptId | None = None
        if not concepts and (term := term_of(text, language)):
            id = ids()
            concept = self._map.ensure(subject, term, language, ConceptOrigin.TAUGHT, id, now, episode)
            concepts = (concept.id,)
            made = concept.id if concept.id == id else None
        return _Aim(concepts, made, self._replaced(subject, text, said, language, concepts, episode))

    def _replaced(
        self,
        subject: SubjectId,
        text: str,
        said: str,
        language: str,
        concepts: tuple[ConceptId, ...],
        episode: EpisodeId,
    ) -> EpisodeId | None:
        """The live note that this one takes the place of: by its wording, or because both open alike.

        Only notes of the same concept compete (or, about the student, those under *About you*).
        """
        wanted: set[ConceptId | None] = {*concepts} or {None}
        live = [note.episode for note in self._map.notes(subject) if note.concept in wanted and note.episode != episode]
        others = [(one.id, one.content.text) for one in self._ledger.many(live) if one.content]
        names = tuple(name.name for concept in self._map.many(concepts) for name in concept.names)
        alike = [id for id, other in others if opens_alike(text, other, names, language)]
        if alike:
            return alike[-1]
        if not says_it_replaces(said, language):
            return None
        if concepts and len(others) == 1:
            return others[0][0]
        own = sum(len(name.split()) for name in names[:1])
        scored = [(shared_words(text, other, language), place, id) for place, (id, other) in enumerate(others)]
        best = max(scored, default=(0, 0, None))
        return best[2] if best[0] > own else None

    def _hang(self, subject: SubjectId, episode: Episode, aim: _Aim) -> None:
        if aim.replaced is not None:
            self._map.withdraw_note(aim.replaced)
        self._map.add_note(subject, episode.id, aim.concepts)


def _receipt(episode: Episode, aim: _Aim, text: str, language: str) -> TaughtReceipt:
    about = not aim.concepts and is_about_student(text, language)
    return TaughtReceipt(episode, aim.concepts, aim.made, aim.replaced, about)


def _named(names: Names, text: str, language: str) -> list[ConceptId]:
    return [ConceptId(route.id) for route in names.route(text, language) if route.how in _EXACT]
