"""The ledger answers what was missed, what was taught, and what the files left unanswered. No model is asked.

*Missed* is wrong and partly right, with later successes noted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from memory.checks import letters
from memory.composing import AnswerLine, ComposedAnswer, Composer
from memory.episodes import ConceptId, Episode, Kind, Verdict
from memory.phrases import ended, shortened
from memory.record_rows import About, CheckRow, OpenQuestion
from memory.record_scene import NEGATIVE, QUOTE_LENGTH, Scene, nothing
from memory.words import fold

CHECKS_SHOWN = 20
"""More missed checks than these are told concept by concept."""
NOTE_LENGTH = 400
ANSWERED = "answered"


def missed(scene: Scene) -> ComposedAnswer:
    """What the student did not get right, oldest first."""
    checks = scene.rows.checks(scene.subject, scene.window, scene.about, scene.exclude)
    wrong = [check for check in checks if check.verdict in NEGATIVE]
    beside = _untied_beside(scene)
    if not checks:
        return nothing(scene, "checks", (Kind.CHECK,), beside=beside)
    composer, phrases = scene.composer(), scene.phrases
    if not wrong:
        key = "none" if all(check.verdict is Verdict.RIGHT for check in checks) else "none_graded"
        text = phrases.say(f"missed.{key}", n=len(checks), scope=scene.scope)
        composer.line(text, [check.id for check in checks], item=False)
    else:
        tally = scene.tally([check.verdict for check in wrong])
        composer.say("missed.head", n=len(wrong), scope=scene.scope, tally=tally)
        succeeded = _successes(scene, wrong)
        if len(wrong) <= CHECKS_SHOWN:
            _each_missed(scene, composer, wrong, succeeded)
        else:
            _missed_by_concept(scene, composer, wrong, succeeded)
        untied = sum(check.concept is None for check in wrong)
        if untied:
            composer.say("missed.untied", n=untied)
    for line in beside:
        composer.add(line)
    return composer.finished()


def taught(scene: Scene) -> ComposedAnswer:
    """The notes the student taught, oldest first, in their own words."""
    notes = scene.rows.notes(scene.subject, scene.window, scene.about, scene.exclude)
    if not notes:
        return nothing(scene, "notes", (Kind.TAUGHT,))
    composer, phrases = scene.composer(), scene.phrases
    composer.say("taught.head", n=len(notes), scope=scene.scope)
    episodes = scene.ledger.rows([note.row for note in notes])
    earlier = {
        episode.id: episode for episode in scene.ledger.many([e.meta.replaces for e in episodes if e.meta.replaces])
    }
    for note, episode in zip(notes, episodes, strict=True):
        day, words = phrases.on(episode.moment.day, scene.today), scene.quoted(episode, NOTE_LENGTH)
        named = [scene.name(concept) for concept in note.concepts if concept in scene.names]
        if not words:
            text = phrases.say("taught.line_redacted", day=day)
        elif named:
            text = phrases.say("taught.line", day=day, concept=phrases.list(named), note=words)
        else:
            text = phrases.say(f"taught.line_{'about_you' if note.about_student else 'free'}", day=day, note=words)
        before = earlier.get(episode.meta.replaces) if episode.meta.replaces else None
        if before is not None:
            text = f"{ended(text)} {phrases.say('taught.replaces', day=phrases.day(before.moment.day, scene.today))}"
        composer.line(text, [episode.id], also=[before.id] if before else (), concepts=note.concepts)
    return composer.finished()


def unanswered(scene: Scene) -> ComposedAnswer:
    """The questions the files could not fully answer; asked twice, told once; answered since, said so."""
    left = _left_open(scene)
    if not left:
        return nothing(scene, "unanswered")
    composer, phrases = scene.composer(), scene.phrases
    composer.say("unanswered.head", n=len(left), scope=scene.scope)
    for group in left:
        last = group.asked[-1]
        text = phrases.say(
            f"unanswered.{group.status}",
            day=phrases.on(last.moment.day, scene.today),
            question=ended(scene.quoted(last)),
        )
        if len(group.asked) > 1:
            text += " " + phrases.say("unanswered.times", n=len(group.asked))
        if group.since is not None:
            text += " " + phrases.say("unanswered.since", on=phrases.on(group.since.moment.day, scene.today))
        composer.line(text, [each.id for each in group.asked], also=[group.since.id] if group.since else ())
    return composer.finished()


def _successes(scene: Scene, wrong: Sequence[CheckRow]) -> dict[ConceptId, list[CheckRow]]:
    """The right checks of the concepts missed, whenever they happened."""
    concepts = tuple(dict.fromkeys(check.concept for check in wrong if check.concept))
    found: dict[ConceptId, list[CheckRow]] = defaultdict(list)
    if concepts:
        for check in scene.rows.checks(scene.subject, None, About(concepts), scene.exclude):
            if check.verdict is Verdict.RIGHT and check.concept:
                found[check.concept].append(check)
    return found


def _later(check: CheckRow, succeeded: dict[ConceptId, list[CheckRow]]) -> CheckRow | None:
    """The first right check of the concept after a missed one."""
    following = succeeded.get(check.concept, ()) if check.concept else ()
    return next((each for each in following if each.moment.at > check.moment.at), None)


def _each_missed(
    scene: Scene, composer: Composer, wrong: Sequence[CheckRow], succeeded: dict[ConceptId, list[CheckRow]]
) -> None:
    phrases = scene.phrases
    for check, episode in zip(wrong, scene.ledger.rows([check.row for check in wrong]), strict=True):
        assert check.verdict is not None
        day = phrases.on(check.moment.day, scene.today)
        verdict = phrases.say(f"verdict.{check.verdict.value}")
        name = scene.name(check.concept)
        said = [
            phrases.say("missed.line", day=day, concept=name, verdict=verdict)
            if name
            else phrases.say("missed.line_untied", day=day, verdict=verdict)
        ]
        content = episode.content
        if content is not None:
            lettered = zip(letters(episode.meta.language or ""), content.extra.get("choices", ()), strict=False)
            choices = phrases.say("marks.also").join(
                phrases.say("check.option", letter=letter, text=shortened(str(each), QUOTE_LENGTH).rstrip("."))
                for letter, each in lettered
            )
            for key, slot, words in (
                ("asked", "question", content.text),
                ("choices", "choices", choices),
                ("replied", "reply", content.reply),
                ("expected", "expected", content.expected),
            ):
                if words and words.strip():
                    quoted = words if key == "choices" else phrases.quote(words, QUOTE_LENGTH)
                    said.append(ended(phrases.say(f"missed.{key}", **{slot: quoted})))
        if check.contested is not None:
            said.append(phrases.say("missed.contested", on=phrases.on(check.contested.day, scene.today)))
        later = _later(check, succeeded)
        if later is not None:
            said.append(phrases.say("missed.later", on=phrases.on(later.moment.day, scene.today)))
        composer.line(
            " ".join(said),
            [check.id],
            also=[later.id] if later else (),
            concepts=[check.concept] if check.concept else (),
        )


def _missed_by_concept(
    scene: Scene, composer: Composer, wrong: Sequence[CheckRow], succeeded: dict[ConceptId, list[CheckRow]]
) -> None:
    phrases = scene.phrases
    groups: dict[ConceptId | None, list[CheckRow]] = defaultdict(list)
    for check in wrong:
        groups[check.concept].append(check)
    for concept, checks in sorted(groups.items(), key=lambda each: (each[0] is None, -len(each[1]))):
        tally = scene.tally([check.verdict for check in checks])
        days = scene.days([check.moment for check in checks])
        later = _later(checks[-1], succeeded)
        if concept is None:
            text = phrases.say("missed.group_untied", tally=tally, days=days)
        elif later is None:
            text = phrases.say("missed.group", concept=scene.name(concept), tally=tally, days=days)
        else:
            on = phrases.on(later.moment.day, scene.today)
            text = phrases.say("missed.group_later", concept=scene.name(concept), tally=tally, days=days, on=on)
        composer.line(
            text,
            [check.id for check in checks],
            also=[later.id] if later else (),
            concepts=[concept] if concept else (),
        )


def _untied_beside(scene: Scene) -> list[AnswerLine]:
    """Asked about one concept: the missed checks tied to none are counted and said, never guessed about."""
    if not scene.about:
        return []
    untied = [
        check
        for check in scene.rows.checks(scene.subject, scene.window, exclude=scene.exclude)
        if check.concept is None and check.verdict in NEGATIVE
    ]
    asked = {check.id for check in scene.rows.checks(scene.subject, scene.window, scene.about, scene.exclude)}
    untied = [check for check in untied if check.id not in asked]
    if not untied:
        return []
    text = scene.phrases.say("missed.untied_beside", n=len(untied))
    return [AnswerLine(text, also=tuple(check.id for check in untied))]


@dataclass(frozen=True, slots=True)
class _Open:
    """One question that stayed open: every time it was asked, its last status, and when it was answered since."""

    asked: tuple[Episode, ...]
    status: str
    since: Episode | None


def _left_open(scene: Scene) -> list[_Open]:
    """Open questions, repetitions folded, by the day they were last asked."""
    found = scene.rows.open_questions(scene.subject, scene.window, scene.about)
    wanted = [each for each in found if each.status != ANSWERED]
    if not wanted:
        return []
    answered = [each for each in scene.rows.open_questions(scene.subject) if each.status == ANSWERED]
    episodes = {each.row: each for each in scene.ledger.rows([item.question for item in [*wanted, *answered]])}
    groups: dict[str, list[OpenQuestion]] = defaultdict(list)
    for item in wanted:
        if item.question in episodes:
            groups[_same(episodes[item.question])].append(item)
    later: dict[str, list[Episode]] = defaultdict(list)
    for item in answered:
        if item.question in episodes:
            later[_same(episodes[item.question])].append(episodes[item.question])
    left = []
    for key, items in groups.items():
        asked = tuple(episodes[item.question] for item in items)
        since = next((each for each in later[key] if each.moment.at > asked[-1].moment.at), None)
        left.append(_Open(asked, items[-1].status, since))
    return sorted(left, key=lambda each: each.asked[-1].moment.at)


def _same(question: Episode) -> str:
    return fold(question.content.text).strip(" ?!.؟") if question.content else question.id
