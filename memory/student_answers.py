"""The ledger answers what is held about the student, and what changed in it. No model is asked.

A claim is said with its confidence in words, since when it holds, and the checks behind it. Checks that are evidence
about no concept are counted and said, never guessed about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from memory.belief_rules import Belief, Reason, standing
from memory.beliefs import Beliefs
from memory.composing import ComposedAnswer, Composer
from memory.episodes import ConceptId, EpisodeId, Kind
from memory.mastery import Claim
from memory.moments import Moment
from memory.phrases import Phrases
from memory.record_rows import CheckRow
from memory.record_scene import Scene, nothing

BELIEFS_SHOWN = 30
CHANGES_SHOWN = 30
REASONS_SHOWN = 3
SURE, FAIRLY_SURE = 0.85, 0.7
"""Confidence from which the words are "quite sure" and "fairly sure"."""
_CLAIMS = (Claim.WEAK, Claim.UNSURE, Claim.UNDERSTANDS)


def confidence_words(phrases: Phrases, belief: Belief) -> str:
    """ "fairly sure, 72%"; where the claim is to be unsure, only that it could go either way."""
    if belief.claim is Claim.UNSURE:
        return phrases.say("confidence.unsure")
    confidence = belief.confidence
    key = "high" if confidence >= SURE else "middle" if confidence >= FAIRLY_SURE else "low"
    return phrases.say(f"confidence.{key}", percent=phrases.percent(confidence))


def progress(scene: Scene, beliefs: Beliefs) -> ComposedAnswer:
    """Where the student stands: by what is held today; in a window, by its checks."""
    checks = scene.rows.checks(scene.subject, scene.window, scene.about, scene.exclude)
    held = [
        belief for belief in beliefs.current(scene.subject) if not scene.about or belief.concept in scene.about.concepts
    ]
    if scene.window is not None:
        return _progress_then(scene, checks, held)
    untied = [check for check in checks if not check.tied]
    composer = scene.composer()
    if not held:
        return _nothing_held(scene, composer, checks, untied)
    if not scene.about:
        said = [
            scene.phrases.say(f"progress.{claim.value}", n=sum(belief.claim is claim for belief in held))
            for claim in reversed(_CLAIMS)
            if any(belief.claim is claim for belief in held)
        ]
        composer.say("progress.head", n=len(held), scope=scene.scope, tally=scene.phrases.list(said))
    ordered = sorted(held, key=lambda belief: (_CLAIMS.index(belief.claim), -belief.confidence, belief.name))
    _say_held(scene, composer, beliefs, ordered[:BELIEFS_SHOWN], checks)
    rest = ordered[BELIEFS_SHOWN:]
    if rest:
        named = scene.phrases.list([_name(scene, belief) for belief in rest])
        composer.say("progress.more", n=len(rest), concepts=named)
    if untied and not scene.about:
        text = scene.phrases.say("progress.untied", n=len(untied))
        composer.line(text, also=[check.id for check in untied], item=False)
    return composer.finished()


def changed(scene: Scene, beliefs: Beliefs) -> ComposedAnswer:
    """What changed in what is held, and why: a concept's whole chain, else the changes of claim."""
    concepts: Sequence[ConceptId | None] = scene.about.concepts or ([] if scene.about else [None])
    history = [row for concept in concepts for row in beliefs.history(scene.subject, concept)]
    steps: list[_Step] = []
    quiet = 0
    for _, chain in groupby(history, key=lambda row: row.concept):
        before: Belief | None = None
        for row in standing(chain):
            step = _Step(before, row)
            if scene.window is None or scene.window.holds(row.valid_from.day):
                loud = before is None or before.claim is not row.claim
                if loud or scene.about:
                    steps.append(step)
                else:
                    quiet += 1
            before = row
    if not steps:
        return nothing(scene, "changes")
    steps.sort(key=lambda step: (step.after.valid_from.at, step.after.row))
    composer = scene.composer()
    composer.say("changed.head", n=len(steps), scope=scene.scope)
    shown = steps[-CHANGES_SHOWN:]
    verdicts = _verdicts(scene, shown)
    for step in shown:
        _say_step(scene, composer, step, verdicts)
    quiet += len(steps) - len(shown)
    if quiet:
        composer.say("changed.quiet", n=quiet)
    if scene.about:
        for concept in scene.about.concepts:
            _say_now(scene, composer, beliefs, concept)
    return composer.finished()


def _progress_then(scene: Scene, checks: Sequence[CheckRow], held: Sequence[Belief]) -> ComposedAnswer:
    """Progress in a window: its checks by concept, and what is held today beside them."""
    if not checks:
        return nothing(scene, "checks", (Kind.CHECK,))
    composer, phrases = scene.composer(), scene.phrases
    composer.say("progress.head_window", scope=scene.scope)
    today = {belief.concept: belief for belief in held}
    groups: dict[ConceptId | None, list[CheckRow]] = defaultdict(list)
    for check in checks:
        groups[check.concept if check.concept in scene.names else None].append(check)
    for concept, some in sorted(groups.items(), key=lambda each: (each[0] is None, each[1][0].moment.at)):
        tally = scene.tally([check.verdict for check in some])
        days = scene.days([check.moment for check in some])
        ids = [check.id for check in some]
        if concept is None:
            composer.line(phrases.say("missed.group_untied", tally=tally, days=days), ids)
            continue
        text = phrases.say("progress.window_line", concept=scene.name(concept), tally=tally, days=days)
        belief = today.get(concept)
        if belief is not None:
            claim = phrases.say(f"claim.{belief.claim.value}")
            confidence = confidence_words(phrases, belief)
            text += " " + phrases.say("progress.today", claim=claim, confidence=confidence)
        composer.line(text, ids, concepts=[concept])
    return composer.finished()


def _nothing_held(
    scene: Scene, composer: Composer, checks: Sequence[CheckRow], untied: Sequence[CheckRow]
) -> ComposedAnswer:
    """No belief: the checks that are recorded are counted all the same, never denied."""
    phrases = scene.phrases
    if not checks:
        return nothing(scene, "beliefs" if not scene.about else "no_level")
    key = "only_untied" if len(untied) == len(checks) else "no_belief"
    text = phrases.say(f"progress.{key}", n=len(checks), scope=scene.scope)
    composer.line(text, [check.id for check in checks], item=False)
    if key == "no_belief" and untied:
        composer.line(phrases.say("progress.untied", n=len(untied)), item=False)
    return composer.finished()


def _say_held(
    scene: Scene, composer: Composer, beliefs: Beliefs, held: Sequence[Belief], checks: Sequence[CheckRow]
) -> None:
    phrases, today = scene.phrases, scene.today
    recorded: dict[ConceptId, list[CheckRow]] = defaultdict(list)
    for check in checks:
        if check.tied and check.concept and check.verdict is not None:
            recorded[check.concept].append(check)
    for belief in held:
        some = recorded.get(belief.concept, [])
        values = {
            "concept": _name(scene, belief),
            "claim": phrases.say(f"claim.{belief.claim.value}"),
            "confidence": confidence_words(phrases, belief),
            "since": phrases.since(beliefs.since(belief).day, today),
        }
        if some and some[-1].verdict is not None:
            text = phrases.say(
                "progress.line_checks",
                n=len(some),
                on=phrases.on(some[-1].moment.day, today),
                last=phrases.say(f"verdict.{some[-1].verdict.value}"),
                **values,
            )
        else:
            text = phrases.say("progress.line", **values)
        if belief.confirm:
            text += " " + phrases.say("progress.confirm")
        ids = [check.id for check in some] or belief.episodes
        composer.line(text, ids, concepts=[belief.concept], item=True)


@dataclass(frozen=True, slots=True)
class _Step:
    """One row of a concept's chain and the standing row before it."""

    before: Belief | None
    after: Belief

    @property
    def fresh(self) -> tuple[EpisodeId, ...]:
        """The checks that this row rests on and the one before did not."""
        known = frozenset(self.before.episodes) if self.before else frozenset()
        return tuple(id for id in self.after.episodes if id not in known)


def _verdicts(scene: Scene, steps: Sequence[_Step]) -> dict[EpisodeId, tuple[Moment, str]]:
    """Day and verdict of the checks behind some steps."""
    wanted = list(dict.fromkeys(id for step in steps for id in step.fresh))
    concepts = {step.after.concept for step in steps}
    standing_now = {
        check.id: check.verdict
        for check in scene.rows.checks(scene.subject, exclude=scene.exclude)
        if check.concept in concepts
    }
    found = {}
    for episode in scene.ledger.many(wanted):
        verdict = standing_now.get(episode.id) or episode.meta.verdict
        if verdict is not None:
            found[episode.id] = (episode.moment, verdict.value)
    return found


def _say_step(scene: Scene, composer: Composer, step: _Step, verdicts: dict[EpisodeId, tuple[Moment, str]]) -> None:
    phrases, row, before = scene.phrases, step.after, step.before
    values = {
        "day": phrases.on(row.valid_from.day, scene.today),
        "concept": _name(scene, row),
        "why": _why(scene, step, verdicts),
    }
    after = phrases.say(f"claim.{row.claim.value}")
    if before is None:
        text = phrases.say("changed.first", after=after, **values)
    elif before.claim is row.claim:
        text = phrases.say(
            "changed.confidence",
            claim=after,
            before=phrases.percent(before.confidence),
            after=phrases.percent(row.confidence),
            **values,
        )
    else:
        text = phrases.say("changed.line", before=phrases.say(f"claim.{before.claim.value}"), after=after, **values)
    composer.line(text, step.fresh, concepts=[row.concept])


def _why(scene: Scene, step: _Step, verdicts: dict[EpisodeId, tuple[Moment, str]]) -> str:
    phrases, reason = scene.phrases, step.after.reason
    if reason not in (Reason.CHECK, Reason.IMPORT):
        return phrases.say(f"why.{reason.value}")
    told = [verdicts[id] for id in step.fresh if id in verdicts][-REASONS_SHOWN:]
    if not told:
        return phrases.say(f"why.{reason.value}_unnamed")
    items = [
        phrases.say(
            "why.check_item",
            verdict=phrases.say(f"verdict.{verdict}"),
            on=phrases.on(moment.day, scene.today),
        )
        for moment, verdict in told
    ]
    return phrases.say(f"why.{reason.value}", n=len(told), checks=phrases.list(items))


def _say_now(scene: Scene, composer: Composer, beliefs: Beliefs, concept: ConceptId) -> None:
    held = beliefs.current_of(concept)
    if held is None:
        return
    phrases = scene.phrases
    text = phrases.say(
        "changed.now",
        concept=_name(scene, held),
        claim=phrases.say(f"claim.{held.claim.value}"),
        confidence=confidence_words(phrases, held),
        since=phrases.since(beliefs.since(held).day, scene.today),
    )
    composer.line(text, concepts=[concept], item=False)


def _name(scene: Scene, belief: Belief) -> str:
    return scene.names.get(belief.concept, belief.name)
