"""The brief: what one turn reads of the memory, in the student's language, inside a hard token budget.

For an ordinary question the map comes first, then beliefs, earlier work and taught notes. For a question about the
student's own record the first line says so, beliefs and earlier work follow (oldest first), and the map comes last:
a model reads the first authoritative statement about a record and stops there (article, "Un tour dans un budget").
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from memory.brief_budget import CountTokens, Entry, Filling, Section, costs_of, estimate, fill
from memory.brief_lines import BeliefLine, FileState, Lines, MapLine, MapShare
from memory.episodes import Episode, Evidence, Kind, SubjectId
from memory.moments import Moment
from memory.ranking import Basis
from memory.recall import Recalled, Remembered
from memory.store import Store

__all__ = ["BeliefLine", "Brief", "BriefLine", "Briefs", "FileState", "MapLine", "MapShare", "Read"]

_RECORD = "record"
_SHARE_SHOWN_FROM = 400  # tokens of budget from which the map's heading also says how much the files explain
_ORDINARY = (("map", 0.25), ("beliefs", 0.25), ("earlier", 0.35), ("notes", 0.15))
_ABOUT_RECORD = (("beliefs", 0.30), ("earlier", 0.45), ("notes", 0.15), ("map", 0.10))

_URGENT = ("notes", "earlier", "beliefs", "map")  # where the room is short: what was taught, what happened, its sum

StateOf = Callable[[Evidence], FileState]


@dataclass(frozen=True, slots=True)
class BriefLine:
    """One line of the brief: the section it stands in (frame for the brief's own words) and what it is made from."""

    section: str
    text: str
    sources: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """Something that reached the prompt: ``kind`` is episode, belief or concept; ``rank`` from 0 within its kind."""

    kind: str
    source: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Brief:
    """The finished text and its cost; ``left_out`` entries found no room. An empty text says nothing at all."""

    text: str
    tokens: int
    lines: tuple[BriefLine, ...]
    left_out: int
    reads: tuple[Read, ...]
    memories: tuple[Remembered, ...]


class Briefs:
    """Writes briefs. What it shows is passed in; from the store it reads only what became of cited files."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def build(
        self,
        subject: SubjectId,
        *,
        kind: str,
        language: str,
        now: Moment,
        recalled: Recalled,
        budget: int,
        beliefs: Sequence[BeliefLine] = (),
        concepts: Sequence[MapLine] = (),
        share: MapShare | None = None,
        notes: Sequence[Episode] = (),
        count_tokens: CountTokens | None = None,
        state_of: StateOf | None = None,
    ) -> Brief:
        """The brief for one message, never above ``budget`` tokens.

        ``kind`` is the message's; ``beliefs`` are current ones and ``concepts`` a slice of the map, most wanted
        first; ``notes`` are live taught notes of the routed concepts. Without ``count_tokens``: bytes / 2.5.
        ``state_of`` replaces what the store knows of cited files.
        """
        record = kind == _RECORD
        lines = Lines(language, now.day, self._names(recalled), self._states(subject, recalled, state_of))
        sections = _sections(
            lines, record, recalled, beliefs, concepts, share if budget >= _SHARE_SHOWN_FROM else None, notes
        )
        opening = _opening(lines, record, recalled, sections)
        if not opening and not any(section.entries for section in sections):
            return Brief("", 0, (), 0, (), ())
        return _Writer(lines, sections, opening, count_tokens or estimate, budget).write(recalled)

    def _names(self, recalled: Recalled) -> dict[int, str]:
        """The concept that each recalled check is about, by row; one found exactly wins."""
        rows = [memory.episode.row for memory in recalled.memories if memory.episode.kind is Kind.CHECK]
        found = self._all(
            "SELECT t.episode, c.name FROM json_each(?) o CROSS JOIN episode_concepts t ON t.episode = o.value"
            " CROSS JOIN concepts c ON c.id = t.concept ORDER BY t.how = 'similar' DESC, c.row DESC",
            json.dumps(rows),
        )
        return {int(str(row)): str(name) for row, name in found}

    def _states(self, subject: SubjectId, recalled: Recalled, state_of: StateOf | None) -> dict[str, FileState]:
        """The state of the cited files by episode id; episodes whose files all hold are left out."""
        cited = {memory.episode.id: memory.episode.meta.evidence for memory in recalled.memories}
        judged: dict[str, FileState] = {}
        if state_of is None:
            items = [item for evidence in cited.values() for item in evidence]
            known = self._fingerprints(subject, {item.sha256 for item in items})
            judged = self._verified(list(cited))
            state_of = _by_fingerprint(known, self._there(subject, {_name(item) for item in items}))
        for id, evidence in cited.items():
            states = [state_of(item) for item in evidence]
            worst = next((state for state in states if state is not FileState.HOLDS), None)
            if worst is not None:
                judged[id] = worst
        return judged

    def _fingerprints(self, subject: SubjectId, wanted: set[str]) -> dict[str, FileState]:
        found = self._all(
            "SELECT v.sha256, max(v.current AND f.state <> 'removed'), max(f.state <> 'removed')"
            " FROM json_each(?) o CROSS JOIN versions v ON v.sha256 = o.value JOIN files f ON f.id = v.file"
            " WHERE f.subject = ? GROUP BY v.sha256",
            json.dumps(sorted(wanted - {""})),
            subject,
        )
        return {
            str(sha): FileState.HOLDS if holds else FileState.REPLACED if there else FileState.MISSING
            for sha, holds, there in found
        }

    def _there(self, subject: SubjectId, names: set[str]) -> frozenset[str]:
        """Which of these names a file of the subject bears now."""
        found = self._all(
            "SELECT f.name FROM json_each(?) o CROSS JOIN files f ON f.name = o.value"
            " WHERE f.subject = ? AND f.state = 'done'",
            json.dumps(sorted(names)),
            subject,
        )
        return frozenset(str(name) for (name,) in found)

    def _verified(self, ids: Sequence[str]) -> dict[str, FileState]:
        found = self._all(
            "SELECT v.episode, max(v.result) FROM json_each(?) o CROSS JOIN verified_files v ON v.episode = o.value"
            " WHERE v.result IN ('replaced', 'missing') GROUP BY v.episode",
            json.dumps(list(ids)),
        )
        return {str(id): FileState(str(result)) for id, result in found}

    def _all(self, sql: str, *bound: str) -> list[tuple[object, ...]]:
        return [tuple(row) for row in self._store.reader().execute(sql, bound)]


class _Writer:
    """Puts one brief together: counts everything once, fills the room, and makes sure of the whole at the end."""

    def __init__(
        self, lines: Lines, sections: Sequence[Section], opening: Sequence[str], count: CountTokens, budget: int
    ) -> None:
        say = lines.phrases.say
        self._lines = lines
        self._sections = sections
        self._count = count
        self._budget = budget
        self._titles = [say("title")]
        self._opening = list(opening)
        self._closing = [say("rules"), say("end")]

    def write(self, recalled: Recalled) -> Brief:
        """The finished brief."""
        every = sum(len(section.entries) for section in self._sections)
        left_out = self._left_out(every)
        texts = [*self._titles, *self._opening, *self._closing, left_out]
        for section in self._sections:
            texts.append(section.head)
            texts += [text for entry in section.entries for text in (entry.text, entry.shorter)]
        costs = costs_of(texts, self._count)
        frame = self._frame(costs, left_out)
        while frame > self._budget / 2 and self._titles and self._drop_frame():
            frame = self._frame(costs, left_out)
        fillings = fill(self._sections, self._budget - frame, costs)
        while True:
            brief = self._laid_out(fillings, recalled)
            if brief.tokens <= self._budget:
                return brief
            if not _drop_last(fillings) and not self._drop_frame():
                return Brief("", 0, (), every, (), ())

    def _laid_out(self, fillings: Sequence[Filling], recalled: Recalled) -> Brief:
        laid = [BriefLine("frame", text) for text in (*self._titles, *self._opening)]
        reads: dict[tuple[str, str], Read] = {}
        for filling in fillings:
            if not filling.taken:
                continue
            taken = sorted(filling.taken, key=lambda pair: pair[0].at) if filling.section.dated else filling.taken
            laid.append(BriefLine("frame", filling.section.head))
            for entry, text in taken:
                laid.append(BriefLine(filling.section.name, text, entry.sources))
                for kind, source in entry.sources:
                    reads.setdefault((kind, source), Read(kind, source, entry.rank, entry.score))
        left_out = sum(filling.left_out for filling in fillings)
        if left_out:
            laid.append(BriefLine("frame", self._left_out(left_out)))
        laid += [BriefLine("frame", text) for text in self._closing]
        text = "\n".join(line.text for line in laid)
        tokens = self._count([text + "\n"])[0] if text else 0
        memories = tuple(memory for memory in recalled.memories if ("episode", memory.episode.id) in reads)
        return Brief(text, tokens, tuple(laid), left_out, tuple(reads.values()), memories)

    def _frame(self, costs: Mapping[str, int], left_out: str) -> int:
        return sum(costs[text] for text in (*self._titles, *self._opening, *self._closing, left_out) if text)

    def _left_out(self, n: int) -> str:
        return self._lines.phrases.say("left_out", n=n)

    def _drop_frame(self) -> bool:
        """Give up, in this order, the end mark, the title and the rules, then the rest: what is said first, last."""
        for part in (self._closing, self._titles, self._closing, self._opening):
            if part:
                part.pop()
                return True
        return False


def _opening(lines: Lines, record: bool, recalled: Recalled, sections: Sequence[Section]) -> list[str]:
    """What must be read first: that the student asks about their record, and that a period is empty."""
    said = [lines.phrases.say("record")] if record else []
    if recalled.empty_window and recalled.window is not None:
        said.append(lines.empty_window(recalled.window))
        said += [text for text in (lines.beside(recalled.beside),) if text]
    elif record and not any(section.entries for section in sections if section.name != "map"):
        said.append(lines.phrases.say("nothing_recorded"))
    return said


def _sections(
    lines: Lines,
    record: bool,
    recalled: Recalled,
    beliefs: Sequence[BeliefLine],
    concepts: Sequence[MapLine],
    share: MapShare | None,
    notes: Sequence[Episode],
) -> list[Section]:
    """The sections in their order. A brief about an empty period holds nothing that could be told as its story."""
    if recalled.empty_window:
        return []
    merely = recalled.basis is Basis.MERELY_RECENT
    taught, earlier = _parted(recalled.memories, apart=not record and not merely)
    known = {id for memory in recalled.memories for id in memory.folded}
    extra = [note for note in notes if note.id not in known and note.content is not None]
    rank = {memory.episode.id: place for place, memory in enumerate(recalled.memories)}
    recalled_lines: dict[str, list[Entry | None]] = {
        name: [lines.memory(memory, rank[memory.episode.id]) for memory in memories]
        for name, memories in (("notes", taught), ("earlier", earlier))
    }
    after = len(recalled.memories)
    entries: Mapping[str, Sequence[Entry | None]] = {
        "map": [lines.concept(line, place) for place, line in enumerate(concepts)],
        "beliefs": [lines.belief(belief, place) for place, belief in enumerate(beliefs)],
        "earlier": recalled_lines["earlier"],
        "notes": recalled_lines["notes"] + [lines.note(note, after + place) for place, note in enumerate(extra)],
    }
    say = lines.phrases.say
    heads = {
        "map": lines.map_head(share),
        "beliefs": say("heads.beliefs"),
        "earlier": say("heads.merely_recent" if merely else f"heads.earlier{'_oldest_first' if record else ''}"),
        "notes": say("heads.notes"),
    }
    return [
        Section(
            name=name,
            head=heads[name],
            share=part,
            entries=tuple(entry for entry in entries[name] if entry),
            dated=record and name == "earlier",
            urgency=_URGENT.index(name),
        )
        for name, part in (_ABOUT_RECORD if record else _ORDINARY)
    ]


def _parted(memories: Sequence[Remembered], *, apart: bool) -> tuple[list[Remembered], list[Remembered]]:
    """Taught notes and earlier work; not ``apart``, all of it is one list (a dated record, or the merely recent)."""
    taught = [memory for memory in memories if apart and memory.episode.kind is Kind.TAUGHT]
    earlier = [memory for memory in memories if not apart or memory.episode.kind is not Kind.TAUGHT]
    return taught, earlier


def _by_fingerprint(known: Mapping[str, FileState], there: frozenset[str]) -> StateOf:
    """By the fingerprint where it was ever read here; else a file of that name with another one took its place."""

    def state_of(evidence: Evidence) -> FileState:
        if not evidence.sha256:
            return FileState.HOLDS
        return known.get(evidence.sha256, FileState.REPLACED if _name(evidence) in there else FileState.HOLDS)

    return state_of


def _name(evidence: Evidence) -> str:
    return PurePath(evidence.file).name


def _drop_last(fillings: Sequence[Filling]) -> bool:
    """Take back the last entry of the last section that has one."""
    for filling in reversed(fillings):
        if filling.taken:
            filling.taken.pop()
            return True
    return False
