"""Import and export: a student's record leaves as one JSON object a line, and comes back without loss.

Imported events keep their own dates and go to the end of the chain, with the same rules as live ones: topics are
routed, checks become beliefs. An export that verifies, read into an empty subject, is restored as it was: same ids,
same head, same origins.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from memory.beliefs import Beliefs
from memory.check_topics import topic_concept
from memory.concepts import SubjectMap
from memory.condense import Condenser
from memory.episodes import ConceptId, Draft, EpisodeId, Kind, Meta, Origin, SubjectId
from memory.events import AlreadyOurs, BadEvent, Event, event_line, parse_line
from memory.faults import Damaged
from memory.intents import MessageKind, classify
from memory.ledger import Ledger, Touch
from memory.moments import Moment
from memory.restoring import Restoring, chained_line, is_belief
from memory.routing import Names
from memory.rows import EPISODE_COLUMNS, episode_from, searchable
from memory.store import Store
from memory.subjects import Subject, Subjects
from memory.teaching import Teaching
from memory.windows import window_in
from memory.words import Plain, identify

Ids = Callable[[], str]
Progress = Callable[[int], None]
_AT_ONCE = 1000
_PAUSE_SECONDS = 0.02  # between two batches, so that another process that waits to write comes in


@dataclass(frozen=True, slots=True)
class LineError:
    """A line that was skipped: its number, from 1, and why: a code, with the values that its sentence names."""

    line: int
    code: str
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class Imported:
    """What an import did. ``imported`` counts new episodes, ``skipped`` those already there."""

    imported: int = 0
    skipped: int = 0
    errors: list[LineError] = field(default_factory=list)
    subjects: dict[str, SubjectId] = field(default_factory=dict)


class Importer:
    """Reads event logs into the ledger."""

    def __init__(
        self,
        store: Store,
        subjects: Subjects,
        ledger: Ledger,
        map: SubjectMap,
        teaching: Teaching,
        beliefs: Beliefs,
        ids: Ids,
    ) -> None:
        self._store = store
        self._subjects = subjects
        self._ledger = ledger
        self._map = map
        self._teaching = teaching
        self._beliefs = beliefs
        self._ids = ids

    def run(
        self,
        lines: Iterable[str],
        *,
        default: Subject,
        now: Moment,
        language: str | None = None,
        progress: Progress | None = None,
    ) -> Imported:
        """Import lines; those without a subject of their own go to ``default``. Bad lines stop nothing.

        ``language`` is the fallback for texts too short to tell.
        """
        done = Imported()
        numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip().strip("\ufeff")]
        restoring = Restoring(self._store, self._subjects, self._map, self._beliefs, self._ids)
        with self._store.atomic():
            restored, rest = restoring.run(numbered, now)
            for subject in restored:
                self._derive(subject.id)
        for subject, count in restored.items():
            done.imported += count
            done.subjects[subject.name] = subject.id
        batches: dict[str, list[tuple[int, Event]]] = {}
        for number, line in rest:
            if is_belief(line):
                continue
            try:
                event = parse_line(line.strip("\ufeff"), now.zone)
            except AlreadyOurs:
                done.skipped += 1
                continue
            except BadEvent as error:
                done.errors.append(LineError(number, error.code, error.values))
                continue
            batches.setdefault(event.subject or default.name, []).append((number, event))
        for name, events in batches.items():
            subject = default if name == default.name else self._subject(name, now)
            done.subjects[subject.name] = subject.id
            _Run(self, subject.id, now, language or "en", done, progress).run(events)
        return done

    def settle(self, subject: SubjectId, now: Moment) -> None:
        """Let beliefs and map follow from what was imported into a subject, all of it or none."""
        with self._store.atomic() as connection:
            self._beliefs.replay(subject, None, self._ids, now.at)
            self._map.refresh(subject)
            connection.execute("DELETE FROM unsettled WHERE subject = ?", (subject,))

    def settle_all(self, now: Moment) -> None:
        """Finish what an import left that was ended before its end."""
        for (subject,) in self._store.reader().execute("SELECT subject FROM unsettled").fetchall():
            self.settle(SubjectId(str(subject)), now)

    def _subject(self, name: str, now: Moment) -> Subject:
        return self._subjects.find_or_add(SubjectId(self._ids()), name, now.at)

    def _derive(self, subject: SubjectId) -> None:
        self._teaching.rebuild(subject, self._ids)
        self._map.rebuild(subject)
        Condenser(self._store, self._ledger).rebuild(subject)


class _Run:
    """One import into one subject."""

    def __init__(
        self,
        parts: Importer,
        subject: SubjectId,
        now: Moment,
        language: str,
        done: Imported,
        progress: Progress | None,
    ) -> None:
        self._parts = parts
        self._subject = subject
        self._now = now
        self._language = language
        self._done = done
        self._progress = progress
        self._names = Names(parts._map.name_rows(subject))
        self._concepts: dict[str, tuple[ConceptId, str]] = {}
        self._touched: set[ConceptId] = set()
        self._asked: str | None = None

    def run(self, events: list[tuple[int, Event]]) -> None:
        known = {
            str(row[0])
            for row in self._parts._store.reader().execute(
                "SELECT external_id FROM episodes WHERE subject = ? AND external_id IS NOT NULL", (self._subject,)
            )
        }
        fresh = []
        for number, event in events:
            if event.external_id in known or (event.exported and self._parts._ledger.get(event.exported)):
                self._done.skipped += 1
            else:
                known.add(event.external_id)
                fresh.append((number, event))
        for start in range(0, len(fresh), _AT_ONCE):
            with self._parts._store.atomic() as connection:
                connection.execute("INSERT OR IGNORE INTO unsettled VALUES (?)", (self._subject,))
                self._batch(self._still_fresh([event for _, event in fresh[start : start + _AT_ONCE]]))
            if self._progress is not None:
                self._progress(min(start + _AT_ONCE, len(fresh)))
            if start + _AT_ONCE < len(fresh):
                time.sleep(_PAUSE_SECONDS)
        if fresh:
            self._parts.settle(self._subject, self._now)

    def _still_fresh(self, events: list[Event]) -> list[Event]:
        """Without what another process imported meanwhile."""
        listed = json.dumps([event.external_id for event in events])
        known = {
            str(row[0])
            for row in self._parts._store.reader().execute(
                "SELECT e.external_id FROM json_each(?) o CROSS JOIN episodes e"
                " WHERE e.subject = ? AND e.external_id = o.value AND e.external_id IS NOT NULL",
                (listed, self._subject),
            )
        }
        self._done.skipped += len(known)
        return [event for event in events if event.external_id not in known]

    def _batch(self, events: list[Event]) -> None:
        drafts: list[tuple[Draft, list[Touch]]] = []
        taught: list[EpisodeId] = []
        for event in events:
            language = event.language or identify(searchable(event.content), self._language)
            touches, meta = self._route(event, language)
            id = EpisodeId(self._parts._ids())
            drafts.append(
                (
                    Draft(
                        id=id,
                        subject=self._subject,
                        kind=event.kind,
                        origin=Origin.IMPORTED,
                        moment=event.moment,
                        recorded_at=self._now.at,
                        content=event.content,
                        meta=replace(meta, narration=self._narration(event, language)),
                    ),
                    touches,
                )
            )
            if event.kind is Kind.TAUGHT:
                taught.append(id)
        written = self._parts._ledger.append_many(drafts)
        self._done.imported += len(written)
        for episode in written:
            if episode.kind is Kind.TAUGHT:
                self._parts._teaching.attach(episode, self._names, self._parts._ids)

    def _route(self, event: Event, language: str) -> tuple[list[Touch], Meta]:
        """The concepts an event touches; a check's own concept comes first and is marked as routed."""
        own: ConceptId | None = None
        if event.concept is not None:
            own = self._named(event.concept, language, event)
        elif event.kind is Kind.CHECK:
            own = topic_concept(event.content.topic, event.content.evaluation, self._names, language)
        touches: dict[ConceptId, str] = {own: "exact" if event.kind is Kind.CHECK else "name"} if own else {}
        for route in self._names.route(searchable(event.content), language):
            touches.setdefault(ConceptId(route.id), route.how)
        keys = [key for concept in touches if (key := self._key(concept))]
        routed = event.kind is Kind.CHECK and own is not None
        meta = Meta(
            language=language,
            verdict=event.verdict,
            predicted=event.predicted,
            score=event.score,
            concepts=tuple(keys),
            evidence=event.evidence,
            external_id=event.external_id,
            state=event.state,
            extra={**({"routed": True} if routed else {}), **({"named": event.concept} if event.concept else {})},
        )
        return list(touches.items()), meta

    def _named(self, name: str, language: str, event: Event) -> ConceptId:
        """The concept an event names outright; a node is made, only named, when there is none."""
        known = self._concepts.get(name)
        if known is None:
            concept = self._parts._map.ensure(
                self._subject, name, language, "check", self._parts._ids(), self._now.at, None
            )
            known = self._concepts[name] = (concept.id, concept.key)
            self._names = Names(self._parts._map.name_rows(self._subject))
        return known[0]

    def _key(self, concept: ConceptId) -> str | None:
        return self._parts._map.key_of(concept)

    def _narration(self, event: Event, language: str) -> bool:
        """Whether an answer tells the record: by the kind of the question just before it, looked at only then."""
        if event.kind is not Kind.ANSWER:
            self._asked = event.content.text if event.kind is Kind.QUESTION else None
            return False
        if self._asked is None:
            return False
        plain = Plain.of(self._asked)
        intent = classify(plain, language, lambda: window_in(plain, language, event.moment.day) is not None)
        return intent.kind is MessageKind.RECORD


def export(store: Store, subjects: Iterable[Subject]) -> Iterator[str]:
    """Every episode of the subjects as lines of the event log, then their belief rows.

    Raises Damaged, naming the episode, where what is stored cannot be read any more.
    """
    for subject in subjects:
        rows = store.reader().execute(
            f"SELECT {EPISODE_COLUMNS}, e.meta, coalesce(c.salt, x''), coalesce(c.body, ''), e.prev, e.digest, e.hash"
            " FROM episodes e LEFT JOIN contents c ON c.episode = e.row WHERE e.subject = ? ORDER BY e.seq",
            (subject.id,),
        )
        for row in rows:
            found: tuple[Any, ...] = row
            try:
                yield event_line(episode_from(found[:13]), subject.name, chained_line(subject.id, found[13:]))
            except (LookupError, TypeError, ValueError) as error:
                raise Damaged(store.path, f"episode {found[1]}") from error
        yield from _beliefs(store, subject)


def _beliefs(store: Store, subject: Subject) -> Iterator[str]:
    reader = store.reader()
    columns = ["id", "concept", "claim", "confidence", "mastery", "valid_from", "valid_offset", "known_since"]
    columns += ["reason", "confirm", "place", "superseded_by"]
    rows: list[tuple[Any, ...]] = reader.execute(
        f"SELECT {', '.join('b.' + column for column in columns)}, c.key, c.name, c.language, c.created_by"
        " FROM beliefs b JOIN concepts c ON c.id = b.concept WHERE b.subject = ? ORDER BY b.row",
        (subject.id,),
    ).fetchall()
    for row in rows:
        named = ["concept_key", "concept_name", "concept_language", "concept_named_by"]
        belief = dict(zip([*columns, *named], row, strict=True))
        belief["because"] = [
            id
            for (id,) in reader.execute(
                "SELECT episode FROM belief_episodes WHERE belief = ? ORDER BY episode", (belief["id"],)
            )
        ]
        yield json.dumps({"belief": belief, "subject": subject.name, "subject_id": subject.id}, ensure_ascii=False)
