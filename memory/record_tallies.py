"""The ledger answers how a quiz went, how many there are, when a topic was first or last seen, what the tutor said of
it, and what is known of the student. No model is asked; every number is counted from the rows."""

from __future__ import annotations

from collections.abc import Sequence

from memory.beliefs import Beliefs
from memory.composing import ComposedAnswer, Composer
from memory.covered_answer import what_was_done
from memory.episodes import Episode, EpisodeId, Kind
from memory.mastery import Claim
from memory.phrases import ended
from memory.record_questions import RecordQuestion
from memory.record_rows import StudiedRow
from memory.record_scene import QUOTE_LENGTH, Scene, nothing

SHOWN = 20
NAMED = 8
NOTES_SHOWN = 5
_EXPLAINING = (None, "answer")
"""Plans of answers that tell something; the others ask, grade or count. An imported answer has none."""
_KINDS = {
    RecordQuestion.QUIZZES: (Kind.QUIZ, "quizzes"),
    RecordQuestion.QUESTIONS: (Kind.QUESTION, "questions"),
    RecordQuestion.NOTES: (Kind.TAUGHT, "notes"),
}


def tallied(scene: Scene, asked: RecordQuestion, beliefs: Beliefs) -> ComposedAnswer:
    """The answer to a record question that has one of its own."""
    match asked:
        case RecordQuestion.QUIZ:
            return _quiz(scene)
        case RecordQuestion.CHECKS:
            return _checks(scene)
        case RecordQuestion.QUIZZES | RecordQuestion.QUESTIONS | RecordQuestion.NOTES:
            return _counted(scene, *_KINDS[asked])
        case RecordQuestion.FIRST | RecordQuestion.LAST:
            return _seen(scene, asked)
        case RecordQuestion.SAID:
            return _said(scene)
        case RecordQuestion.ME:
            return _known(scene, beliefs)


def _quiz(scene: Scene) -> ComposedAnswer:
    """The last quiz (of the window, of the topic): its day, its score, its checks one by one."""
    quizzes = _of_kind(scene, Kind.QUIZ)
    if not quizzes:
        return nothing(scene, "quizzes", (Kind.QUIZ,))
    composer, phrases = scene.composer(), scene.phrases
    (quiz,) = scene.ledger.rows([quizzes[-1].row])
    day, words = phrases.on(quiz.moment.day, scene.today), scene.quoted(quiz, QUOTE_LENGTH)
    said = phrases.say("quiz.last", day=day)
    if words:
        said += phrases.say("marks.colon") + words
    composer.line(ended(said), [quiz.id], item=False)
    if quiz.meta.score is not None:
        composer.say("quiz.score", score=phrases.percent(quiz.meta.score))
    own = [EpisodeId(str(id)) for id in quiz.meta.extra.get("checks", ())]
    checks = [check for check in scene.rows.checks(scene.subject) if check.id in own]
    if own and checks:
        composer.say("quiz.checks", n=len(checks), tally=scene.tally([check.verdict for check in checks]))
        for check in checks:
            verdict = phrases.say(f"verdict.{check.verdict.value if check.verdict else 'none'}")
            name = scene.name(check.concept)
            text = phrases.say("quiz.line" if name else "quiz.line_untied", concept=name, verdict=verdict)
            composer.line(text, [check.id], concepts=[check.concept] if check.concept else ())
    else:
        composer.say("quiz.no_checks")
    return composer.finished()


def _checks(scene: Scene) -> ComposedAnswer:
    """How many checks were answered, and how."""
    checks = scene.rows.checks(scene.subject, scene.window, scene.about, scene.exclude)
    if not checks:
        return nothing(scene, "checks", (Kind.CHECK,))
    composer = scene.composer()
    tally = scene.tally([check.verdict for check in checks])
    text = scene.phrases.say("counted.checks", n=len(checks), scope=scene.scope, tally=tally)
    composer.line(text, [check.id for check in checks], item=False)
    untied = sum(not check.tied for check in checks)
    if untied:
        composer.say("missed.untied", n=untied)
    return composer.finished()


def _counted(scene: Scene, kind: Kind, key: str) -> ComposedAnswer:
    """How many quizzes, questions or notes there are."""
    rows = _of_kind(scene, kind)
    if not rows:
        return nothing(scene, "notes" if kind is Kind.TAUGHT else "in_scope", (kind,))
    composer = scene.composer()
    counted = scene.phrases.say(f"count.{key}", n=len(rows))
    text = scene.phrases.say("counted.others", scope=scene.scope, counted=counted)
    composer.line(text, [row.id for row in rows], item=False)
    return composer.finished()


def _seen(scene: Scene, asked: RecordQuestion) -> ComposedAnswer:
    """The day on which a topic was first, or last, worked on, and with what."""
    rows = scene.rows.studied(scene.subject, scene.window, scene.about, scene.exclude)
    if not rows:
        return nothing(scene, "in_scope")
    edge = rows[0 if asked is RecordQuestion.FIRST else -1].moment.day
    there = [row for row in rows if row.moment.day == edge]
    composer, phrases = scene.composer(), scene.phrases
    text = phrases.say(
        f"seen.{asked.value}", scope=scene.scope, on=phrases.on(edge, scene.today), what=what_was_done(scene, there)
    )
    composer.line(text, [row.id for row in there], concepts=scene.about.concepts, item=False)
    return composer.finished()


def _said(scene: Scene) -> ComposedAnswer:
    """What the tutor answered and explained, each with its day and the question it answered."""
    studied = scene.rows.studied(scene.subject, scene.window, scene.about, scene.exclude)
    answers = scene.ledger.rows([row.row for row in studied if row.kind is Kind.ANSWER])
    told = [each for each in answers if each.meta.plan in _EXPLAINING]
    if not told:
        return nothing(scene, "said", (Kind.ANSWER,)) if studied else nothing(scene, "in_scope")
    composer, phrases = scene.composer(), scene.phrases
    composer.say("said.head", n=len(told), scope=scene.scope)
    shown = told[-SHOWN:]
    asked = {each.id: each for each in scene.ledger.many([each.meta.about for each in shown if each.meta.about])}
    for answer in shown:
        day, words = phrases.on(answer.moment.day, scene.today), scene.quoted(answer, QUOTE_LENGTH)
        question = scene.quoted(_question(asked, answer), QUOTE_LENGTH)
        if not words:
            text = phrases.say("said.line_redacted", day=day)
        elif question:
            text = phrases.say("said.line_asked", day=day, question=question, words=words)
        else:
            text = phrases.say("said.line", day=day, words=words)
        composer.line(ended(text), [answer.id])
    return composer.finished()


def _known(scene: Scene, beliefs: Beliefs) -> ComposedAnswer:
    """What is kept on the student: what they said of themselves, what is held of their level, their last work."""
    composer, phrases = scene.composer(), scene.phrases
    notes = [note for note in scene.rows.notes(scene.subject, exclude=scene.exclude) if note.about_student]
    held = beliefs.current(scene.subject)
    work = scene.rows.studied(scene.subject, exclude=scene.exclude)
    if not notes and not held and not work:
        return nothing(scene, "at_all")
    composer.say("known.head")
    for note in scene.ledger.rows([note.row for note in notes[-NOTES_SHOWN:]]):
        words = scene.quoted(note, QUOTE_LENGTH)
        if words:
            day = phrases.on(note.moment.day, scene.today)
            composer.line(phrases.say("taught.line_about_you", day=day, note=words), [note.id])
    for claim in (Claim.UNDERSTANDS, Claim.UNSURE, Claim.WEAK):
        some = [belief for belief in held if belief.claim is claim]
        if some:
            named = [scene.names.get(belief.concept, belief.name) for belief in some]
            listed = phrases.list([*named[:NAMED], *(["…"] if len(named) > NAMED else [])])
            key = f"progress.{claim.value}"
            composer.line(
                phrases.say("known.line", counted=phrases.say(key, n=len(some)), concepts=listed),
                [id for belief in some for id in belief.episodes[-1:]],
                concepts=[belief.concept for belief in some],
            )
    if not held:
        composer.say("known.no_beliefs")
    if work:
        last = [row for row in work if row.moment.day == work[-1].moment.day]
        _last_work(scene, composer, last)
    return composer.finished()


def _last_work(scene: Scene, composer: Composer, last: Sequence[StudiedRow]) -> None:
    on = scene.phrases.on(last[0].moment.day, scene.today)
    text = scene.phrases.say("known.work", on=on, what=what_was_done(scene, last))
    composer.line(text, [row.id for row in last])


def _of_kind(scene: Scene, kind: Kind) -> list[StudiedRow]:
    rows = scene.rows.studied(scene.subject, scene.window, scene.about, scene.exclude)
    return [row for row in rows if row.kind is kind]


def _question(asked: dict[EpisodeId, Episode], answer: Episode) -> Episode | None:
    return asked.get(answer.meta.about) if answer.meta.about else None
