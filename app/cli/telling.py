"""What the commands show without --json: beliefs, changes, reviews, files and recall as sentences a student reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any

from babel import Locale
from babel.numbers import format_decimal

from app.cli.call import Call
from app.read_path import Reading
from memory.belief_rules import Belief, Reason, unbroken_since
from memory.changes import Change, What
from memory.concept_rows import Concept
from memory.episodes import ConceptId, EpisodeId, Kind, SubjectId, Verdict
from memory.files import FileStage, FileState
from memory.moments import Moment
from memory.phrases import phrases_for, shortened
from memory.ranking import Basis
from memory.recall import Recalled
from memory.review import Due
from memory.student_answers import confidence_words
from memory.understanding import MessageKind, Understanding

_NAMED = 4
_WORDS = 160
_STEPS = ("understand", "brief", "first_token", "total")
_BY_CHECKS = (Reason.CHECK.value, Reason.IMPORT.value)


class Telling:
    """Says rows of the memory in the language of the call."""

    def __init__(self, call: Call, subject: SubjectId) -> None:
        self._say = call.say
        self._memory = call.house.memory
        self._subject = subject
        self._phrases = phrases_for(call.say.spoken)
        self._today = call.clock.now().day
        self._verdicts: dict[ConceptId, Mapping[EpisodeId, Verdict]] = {}

    def beliefs(self, rows: Sequence[Belief]) -> list[str]:
        """What is held, concept by concept: the claim, how sure, since when, why."""
        return [self._held(row) for row in rows]

    def chains(self, rows: Sequence[Belief]) -> list[str]:
        """Every row ever written, each beside the one before it."""
        said, before = [], None
        for row in rows:
            if before is not None and before.concept != row.concept:
                before = None
            said.append(self._step(row.name, _held(before), _held(row), self._why(row.reason.value, row)))
            before = row
        return [f"{self._on(row.valid_from.day)}{each}" for row, each in zip(rows, said, strict=True)]

    def nothing_held(self) -> str:
        """That nothing is held, and how many checks were answered all the same."""
        found = self._memory.reports.unlinked(self._subject)
        if not found.checks:
            return self._say("say.no_beliefs")
        key = "only_untied" if found.count == found.checks else "no_belief"
        return self._phrases.say(f"progress.{key}", n=found.checks, scope="")

    def change(self, change: Change) -> str:
        """One change: its day, what changed, why."""
        return self._on(change.at.day) + self._changed(change)

    def due(self, item: Due) -> str:
        """A concept to review: today, or since when."""
        if item.at.day >= self._today:
            return self._say("say.due_today", concept=item.name)
        return self._say("say.due", concept=item.name, since=self._phrases.since(item.at.day, self._today))

    def file(self, state: FileState) -> str:
        """A file: its pages, how far it was read, what went wrong."""
        pages = state.version.pages if state.version else 0
        if state.fault is not None:
            return self._say(f"read.{state.fault}", path=state.name)
        if state.stage is FileStage.DONE:
            return self._say("files.done", file=state.name, pages=self._say("read.pages", n=pages))
        return self._say(f"files.{state.stage.value}", file=state.name)

    def concept(self, concept: Concept) -> str:
        """A concept of the map: how far the files explain it, and what it is."""
        said = self._say("say.concept", concept=concept.name, share=self._phrases.percent(concept.maturity))
        return f"{said} {concept.summary}".rstrip()

    def subject(self, name: str, episodes: int, due: int) -> str:
        """A subject: how much is recorded, how much is to review."""
        counted = self._say("say.episodes", n=episodes)
        if due:
            counted += self._phrases.say("marks.also") + self._say("say.to_review", n=due)
        return f"{name}{self._colon}{counted}"

    def meaning(self, meaning: Understanding) -> list[str]:
        """How a message is understood: what it asks, of which time, about which concepts, in which language."""
        if meaning.sub == "wish":
            key = "wish"
        elif meaning.kind is MessageKind.RECORD and meaning.sub:
            key = f"record_{meaning.sub}"
        else:
            key = meaning.kind.value
        lines = [self._say(f"understood.{key}")]
        if meaning.taught:
            lines.append(self._phrases.quote(meaning.taught))
        if meaning.window is not None:
            when = self._phrases.window(meaning.window, self._today)
            lines.append(self._say("understood.time", when=when))
        if meaning.routes:
            named = self._phrases.list([route.name for route in meaning.routes])
            lines.append(self._say("understood.concepts", concepts=named))
        elif meaning.concept_text:
            lines.append(self._say("understood.words", words=self._phrases.quote(meaning.concept_text)))
        language = Locale.parse(meaning.language).get_display_name(self._say.spoken) or meaning.language
        lines.append(self._say("understood.language", language=language))
        return lines

    def recalled(self, recalled: Recalled) -> list[str]:
        """Ranked episodes, the best first: day, kind, words, score; and that a period is empty."""
        lines = []
        if recalled.empty_window and recalled.window is not None:
            when = self._phrases.window(recalled.window, self._today)
            lines.append(self._phrases.say("nothing.in_scope", scope=f" {when}"))
        elif recalled.basis is Basis.MERELY_RECENT and recalled.memories:
            lines.append(self._say("recalled.merely_recent"))
        for place, memory in enumerate(recalled.memories, 1):
            episode = memory.episode
            day = episode.kind is Kind.CONSOLIDATION  # its only words are its date
            told = self._say(
                "recalled.day" if day else "recalled.line",
                place=place,
                day=self._day(episode.moment.day),
                kind=self._say(f"kind.{episode.kind.value}"),
                words=self._phrases.quote(episode.summary, _WORDS),
                share=self._phrases.percent(memory.score),
            )
            times = memory.count - 1
            lines.append(told + (self._phrases.say("marks.aside", text=f"+{times}") if times else ""))
        return lines or [self._say("recalled.nothing")]

    def brief(self, reading: Reading) -> list[str]:
        """The brief as the model reads it, and the passages beside it."""
        lines = [reading.brief.text] if reading.brief.text else [self._say("recalled.no_brief")]
        for found in reading.passages:
            passage = found.passage
            lines.append(
                self._say("recalled.passage", file=passage.name, page=passage.page, share=self._score(found.score))
            )
        return lines

    def explained(self, document: Mapping[str, Any]) -> list[str]:
        """What an answer read and what it rests on: question, brief, passages, claims, timings."""
        lines = [
            self._say("explained.question", words=document["question"] or self._say("explained.removed")),
            self._say("explained.answer", words=document["text"] or self._say("explained.removed")),
        ]
        if document["plan"] != "answer" and document["plan"]:
            lines.append(self._say("explained.composed", who=self._say(f"explained.who_{document['plan']}")))
        elif document["status"]:
            status = self._say(f"explained.status_{document['status']}")
            lines.append(self._say("explained.status", status=status))
        read = {each["source"]: self._source(each) for each in document["reads"]}
        if document["plan"] == "answer":
            brief = [self._brief_line(line, read) for line in document["brief"]]
            lines += [self._say("explained.brief"), *brief] if brief else [self._say("explained.no_brief")]
        passages = [each for each in document["reads"] if each["kind"] == "passage"]
        episodes = [each for each in document["reads"] if each["kind"] == "episode" and document["plan"] != "answer"]
        for key, some in (("passages", passages), ("episodes", episodes)):
            if some:
                lines.append(self._say(f"explained.{key}"))
                lines += [self._read(read[each["source"]], each["score"]) for each in some]
        if document["citations"]:
            lines.append(self._say("explained.claims"))
            lines += [self._claim(each, read) for each in document["citations"]]
        timings = [
            self._say(f"explained.{step}_time", seconds=format_decimal(round(taken / 1000, 2), locale=self._say.spoken))
            for step in _STEPS
            if (taken := document["timings"].get(f"{step}_ms")) is not None
        ]
        return [*lines, self._say("explained.timings", timings=self._phrases.list(timings))] if timings else lines

    def _brief_line(self, line: Mapping[str, Any], read: Mapping[str, str]) -> str:
        if line["text"] is not None:
            return str(line["text"])
        return "; ".join(shortened(read.get(source, ""), _WORDS) for _, source in line["sources"])

    def _read(self, words: str, score: float) -> str:
        words = shortened(words, _WORDS) or self._say("explained.removed")
        return self._say("explained.passage", words=words, share=self._score(score))

    def _source(self, read: Mapping[str, Any]) -> str:
        """What was read, in words: an episode by its day and kind, anything else as it was found."""
        episode = self._memory.ledger.get(EpisodeId(read["source"])) if read["kind"] == "episode" else None
        if episode is None:
            return str(read["words"])
        words = self._phrases.quote(episode.summary, _WORDS) if episode.summary else self._say("explained.removed")
        return f"{self._day(episode.moment.day)}, {self._say(f'kind.{episode.kind.value}')}{self._colon}{words}"

    def _score(self, score: float) -> str:
        """A score of the ranking: a number without a unit, for comparing only."""
        return str(format_decimal(round(score, 3), locale=self._say.spoken))

    def _claim(self, claim: Mapping[str, Any], read: Mapping[str, str]) -> str:
        said = {
            "claim": claim["claim"] or self._say("explained.removed"),
            "share": self._phrases.percent(claim["score"]),
        }
        if claim["source"] is None:
            return self._say("explained.claim_alone", **said)
        source = shortened(read.get(claim["source"], ""), _WORDS) or self._say(f"kind.{self._kind_of(claim)}")
        return self._say("explained.claim", source=source, **said)

    def _kind_of(self, claim: Mapping[str, Any]) -> str:
        episode = self._memory.ledger.get(EpisodeId(claim["source"])) if claim["kind"] == "episode" else None
        return episode.kind.value if episode is not None else "file"

    @cached_property
    def _colon(self) -> str:
        return self._phrases.say("marks.colon")

    def _on(self, day: date) -> str:
        return self._day(day) + self._colon

    def _day(self, day: date) -> str:
        return self._phrases.day(day, self._today)

    def _held(self, row: Belief) -> str:
        said = self._phrases.say(
            "progress.line",
            concept=row.name,
            claim=self._phrases.say(f"claim.{row.claim.value}"),
            confidence=confidence_words(self._phrases, row),
            since=self._phrases.since(self._since(row).day, self._today),
        )
        why = self._why(row.reason.value, row)
        said = f"{said.rstrip('.')}, {why}."
        return f"{said} {self._phrases.say('progress.confirm')}" if row.confirm else said

    def _since(self, row: Belief) -> Moment:
        earlier = [each for each in self._memory.beliefs.history(row.subject, row.concept) if each.row <= row.row]
        return unbroken_since(earlier)

    def _step(self, name: str, before: Mapping[str, Any] | None, after: Mapping[str, Any], why: str) -> str:
        """One step of a chain, without its day."""
        claim = self._phrases.say(f"claim.{after['claim']}")
        share = self._phrases.percent(after["confidence"])
        if before is None:
            return self._say("changed.first", concept=name, after=claim, share=share, why=why)
        if before["claim"] == after["claim"]:
            earlier = self._phrases.percent(before["confidence"])
            return self._say("changed.confidence", concept=name, claim=claim, before=earlier, after=share, why=why)
        earlier = self._phrases.say(f"claim.{before['claim']}")
        return self._say("changed.claim", concept=name, before=earlier, after=claim, share=share, why=why)

    def _changed(self, change: Change) -> str:
        before, after = change.before, dict(change.after or {})
        match change.what:
            case What.BELIEF:
                held = self._memory.beliefs.get(after["id"])
                return self._step(change.name, before, after, self._why(change.reason or "", held))
            case What.FILE:
                added, merged = after["added"], after["merged"]
                said = self._say("changed.file", file=after["file"], n=len(added))
                said += self._phrases.say("marks.aside", text=self._some(added)) if added else ""
                return f"{said}. {self._say('changed.merged', n=len(merged))}" if merged else f"{said}."
            case What.CONCEPT:
                return self._say(
                    f"changed.concept_{after['origin']}", concept=change.name or self._say("changed.removed_words")
                )
            case What.CONSOLIDATION:
                return self._say("changed.consolidation", n=sum(after.get("counts", {}).values()))
            case What.TAUGHT:
                return self._say("changed.taught", words=self._words(after["episode"]))
            case What.WITHDRAWAL:
                return self._say("changed.withdrawal", words=self._words((before or {}).get("episode")))
            case What.CONTEST:
                verdict = (before or {}).get("verdict")
                return self._say("changed.contest", verdict=self._phrases.say(f"verdict.{verdict or 'none'}"))
            case What.REDACTION:
                about = self._memory.ledger.get(EpisodeId((before or {}).get("episode", "")))
                if about is None:
                    return self._say("changed.redaction_gone")
                kind, day = self._say(f"kind.{about.kind.value}"), self._phrases.on(about.moment.day, self._today)
                return self._say("changed.redaction", kind=kind, on=day)

    def _words(self, episode: str | None) -> str:
        """The words of an episode in quotation marks, or that they were removed."""
        found = self._memory.ledger.get(EpisodeId(episode)) if episode else None
        if found is None or found.content is None or not found.content.text.strip():
            return self._say("changed.removed_words")
        return self._phrases.quote(found.content.text)

    def _some(self, names: Sequence[str]) -> str:
        shown = ", ".join(shortened(name, 60) for name in names[:_NAMED])
        return f"{shown} …" if len(names) > _NAMED else shown

    def _why(self, reason: str, row: Belief | None) -> str:
        """Why a belief was written; of checks, the last one that it rests on."""
        if reason not in _BY_CHECKS:
            return self._phrases.say(f"why.{reason}")
        last = self._memory.ledger.get(row.episodes[-1]) if row is not None and row.episodes else None
        if row is None or last is None or last.kind is not Kind.CHECK:
            return self._phrases.say(f"why.{reason}_unnamed")
        verdict = self._judged(row.concept).get(last.id) or last.meta.verdict
        item = self._phrases.say(
            "why.check_item",
            verdict=self._phrases.say(f"verdict.{verdict.value if verdict else 'none'}"),
            on=self._phrases.on(last.moment.day, self._today),
        )
        return self._phrases.say(f"why.{reason}", n=1, checks=item)

    def _judged(self, concept: ConceptId) -> Mapping[EpisodeId, Verdict]:
        """The verdicts that stand today on a concept's checks."""
        if concept not in self._verdicts:
            self._verdicts[concept] = {
                check.episode: check.verdict for check in self._memory.beliefs.checks_of(concept)
            }
        return self._verdicts[concept]


def _held(row: Belief | None) -> Any:
    return {"claim": row.claim.value, "confidence": row.confidence} if row is not None else None
