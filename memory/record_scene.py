"""A record question, laid out: whose record, which days, which concepts, which language; and how nothing is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from memory.composing import AnswerLine, ComposedAnswer, Composer
from memory.episodes import ConceptId, Episode, EpisodeId, Kind, SubjectId, Verdict
from memory.ledger import Ledger
from memory.moments import Moment, Window
from memory.phrases import Phrases
from memory.record_rows import About, RecordRows

NEGATIVE = (Verdict.WRONG, Verdict.PARTLY)
_TALLIED = (Verdict.RIGHT, Verdict.PARTLY, Verdict.WRONG)
QUOTE_LENGTH = 120
TOPICS_NAMED = 3
"""How many topics are named where the one asked about is not recorded."""
DAYS_LISTED = 3
"""More days than these are said as a span."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything one record answer needs. ``about_label`` is how the concepts (or words) asked about are said."""

    rows: RecordRows
    ledger: Ledger
    phrases: Phrases
    names: dict[ConceptId, str]
    subject: SubjectId
    window: Window | None
    about: About
    about_label: str
    now: Moment
    exclude: EpisodeId | None

    @property
    def today(self) -> date:
        """The student's local day."""
        return self.now.day

    @property
    def scope(self) -> str:
        """ " on osmosis in July 2026", each part with its own space before it; empty for the whole record."""
        parts: list[str] = []
        if self.about_label:
            parts.append(self.phrases.say("scope.about", concepts=self.about_label))
        if self.window is not None:
            parts.append(self.phrases.window(self.window, self.today))
        return "".join(f" {part}" for part in parts)

    def composer(self) -> Composer:
        """A fresh answer."""
        return Composer(self.phrases, self.today)

    def name(self, concept: ConceptId | None) -> str:
        """The concept's name in the language of the answer; empty for none."""
        return self.names.get(concept, "") if concept else ""

    def days(self, moments: Sequence[Moment]) -> str:
        """ "on July 12", "on July 12, July 14 and August 2", "from July 12 to August 30", as an adverb."""
        found = sorted({moment.day for moment in moments})
        if len(found) == 1 or len(found) > DAYS_LISTED:
            return self.phrases.span(found[0], found[-1], self.today)
        return self.phrases.on_days(found, self.today)

    def tally(self, verdicts: Sequence[Verdict | None]) -> str:
        """ "2 right and 1 wrong"; of a single check, its verdict."""
        if len(verdicts) == 1:
            return self.phrases.say(f"verdict.{verdicts[0].value if verdicts[0] else 'none'}")
        said = [
            self.phrases.say(f"tally.{verdict.value}", n=verdicts.count(verdict))
            for verdict in _TALLIED
            if verdict in verdicts
        ]
        unjudged = sum(verdict is None for verdict in verdicts)
        if unjudged:
            said.append(self.phrases.say("tally.none", n=unjudged))
        return self.phrases.list(said)

    def quoted(self, episode: Episode | None, length: int = 120) -> str:
        """An episode's own words in quotation marks; empty once redacted."""
        if episode is None or episode.content is None or not episode.content.text.strip():
            return ""
        return self.phrases.quote(episode.content.text, length)


def nothing(
    scene: Scene,
    key: str,
    kinds: Sequence[Kind] = (),
    files: Sequence[int] = (),
    beside: Sequence[AnswerLine] = (),
) -> ComposedAnswer:
    """The plain sentence that there is no record, and the nearest recorded days, named as other times.

    ``files`` are rows of files that arrived then: no work done, but worth saying. ``beside`` is said last.
    """
    composer, phrases, today = scene.composer(), scene.phrases, scene.today
    if scene.window is not None and scene.window.first > today:
        composer.say("nothing.future", scope=scene.scope)
        return composer.finished(empty=True)
    if scene.window is None and not scene.about and not scene.rows.anything(scene.subject, scene.exclude):
        composer.say("nothing.at_all")
        return composer.finished(empty=True)
    composer.say(f"nothing.{key}", scope=scene.scope)
    if files:
        arrived = scene.ledger.rows(files)
        named = phrases.list([file_name(file) for file in arrived])
        composer.line(
            phrases.say("nothing.files_only", n=len(arrived), files=named),
            also=[file.id for file in arrived],
            item=False,
        )
    nearest: list[date] = []
    if scene.window is not None:
        asked = scene.window.last  # of another year than today's, its neighbours are said with theirs
        before, after = scene.rows.neighbours(scene.subject, scene.window, scene.about, kinds, scene.exclude)
        said = [
            phrases.say(f"nothing.{side}", day=phrases.day(day, today if asked.year == today.year else asked))
            for side, day in (("before", before), ("after", after))
            if day is not None
        ]
        nearest = [day for day in (before, after) if day is not None]
        if said:
            composer.say("nothing.other_dates", n=len(said), days=phrases.list(said))
    for line in beside:
        composer.add(line)
    return composer.finished(empty=True, nearest=nearest)


_NOWHERE = {
    "missed": "checks",
    "progress": "no_level",
    "changed": "changes",
    "taught": "notes",
    "unanswered": "unanswered",
}


def nowhere(scene: Scene, sub: str | None) -> ComposedAnswer:
    """No record of what is asked about (``scene.about_label``); what was last worked on is named as something else."""
    last: dict[ConceptId, EpisodeId] = {}
    for row in scene.rows.studied(scene.subject, None, scene.about, scene.exclude):
        for concept in row.concepts:
            if concept in scene.names:
                last.pop(concept, None)
                last[concept] = row.id
    shown = list(reversed(last))[:TOPICS_NAMED]
    beside: list[AnswerLine] = []
    if shown:
        said = scene.phrases.list([scene.name(concept) for concept in shown])
        text = scene.phrases.say("nothing.other_topics", n=len(shown), concepts=said)
        beside.append(AnswerLine(text, also=tuple(last[concept] for concept in shown), concepts=tuple(shown)))
    return nothing(scene, _NOWHERE.get(sub or "", "in_scope"), beside=beside)


def somebody_elses(scene: Scene) -> ComposedAnswer:
    """Somebody else's record is asked for: there is none."""
    composer = scene.composer()
    composer.say("nothing.others")
    return composer.finished(empty=True)


def file_name(episode: Episode) -> str:
    """The name of the file an arrival speaks of."""
    if episode.meta.evidence:
        return episode.meta.evidence[0].file.replace("\\", "/").rsplit("/", 1)[-1]
    return episode.summary
