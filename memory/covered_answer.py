"""The ledger answers what was worked on: concept by concept, or day by day when one concept is asked about.

*Covered* is the concepts of questions, answers, checks, quizzes and notes. Files are said apart; consolidations never
count: a month with only those is empty.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from memory.composing import ComposedAnswer, Composer
from memory.episodes import ConceptId, Episode, Kind
from memory.phrases import ended
from memory.record_rows import StudiedRow
from memory.record_scene import QUOTE_LENGTH, Scene, file_name, nothing

CONCEPTS_SHOWN = 25
DAYS_SHOWN = 31
LINES_QUOTED = 8
UNTIED_QUOTED = 3
_COUNTED = (
    (Kind.QUESTION, "questions"),
    (Kind.CHECK, "checks"),
    (Kind.QUIZ, "quizzes"),
    (Kind.TAUGHT, "notes"),
)


def covered(scene: Scene) -> ComposedAnswer:
    """What was worked on: concept by concept, or day by day when one concept is asked about."""
    studied = scene.rows.studied(scene.subject, scene.window, scene.about, scene.exclude)
    files = scene.rows.files(scene.subject, scene.window) if scene.window and not scene.about else []
    if not studied:
        return nothing(scene, "in_scope", files=files)
    composer, phrases = scene.composer(), scene.phrases
    groups: list[tuple[ConceptId | None, list[StudiedRow]]]
    rest: list[tuple[ConceptId | None, list[StudiedRow]]] = []
    untied: list[StudiedRow] = []
    if scene.about:
        composer.say("covered.head_concept", scope=scene.scope)
        groups = [(None, rows) for rows in _by_day(studied)]
    else:
        ordered, untied = _by_concept(scene, studied)
        groups, rest = ordered[:CONCEPTS_SHOWN], ordered[CONCEPTS_SHOWN:]
        key = "covered.head" if ordered else "covered.head_untied"
        composer.say(key, n=len(ordered), scope=scene.scope)
    quoted = _quoted_questions(scene, [rows for _, rows in groups], untied)
    for concept, rows in groups:
        if concept is None:
            text = phrases.say("covered.day", day=_days(scene, rows), what=what_was_done(scene, rows))
        else:
            text = phrases.say(
                "covered.line", concept=scene.name(concept), what=what_was_done(scene, rows), days=_days(scene, rows)
            )
        touched = [concept] if concept else scene.about.concepts
        composer.line(_with_questions(scene, text, rows, quoted), [row.id for row in rows], concepts=touched)
    if rest:
        said = phrases.list([scene.name(concept) for concept, _ in rest])
        composer.line(
            phrases.say("covered.more", n=len(rest), concepts=said),
            [row.id for _, rows in rest for row in rows],
            concepts=[concept for concept, _ in rest if concept],
        )
    if untied:
        text = phrases.say("covered.untied", what=what_was_done(scene, untied), days=_days(scene, untied))
        composer.line(_with_questions(scene, text, untied, quoted), [row.id for row in untied])
    if not scene.about and len(groups) + len(rest) + bool(untied) > 1:
        composer.say("covered.total", what=what_was_done(scene, studied))
    _say_files(scene, composer, files)
    return composer.finished()


def _by_day(studied: Sequence[StudiedRow]) -> list[list[StudiedRow]]:
    """Day by day; beyond ``DAYS_SHOWN`` days, month by month."""
    for key in (lambda row: row.moment.day, lambda row: (row.moment.day.year, row.moment.day.month)):
        groups: dict[object, list[StudiedRow]] = defaultdict(list)
        for row in studied:
            groups[key(row)].append(row)
        if len(groups) <= DAYS_SHOWN:
            break
    return list(groups.values())


def _by_concept(
    scene: Scene, studied: Sequence[StudiedRow]
) -> tuple[list[tuple[ConceptId | None, list[StudiedRow]]], list[StudiedRow]]:
    """Concepts with their episodes, the most worked on first; and the episodes that touch none."""
    groups: dict[ConceptId | None, list[StudiedRow]] = defaultdict(list)
    untied: list[StudiedRow] = []
    for row in studied:
        named = [concept for concept in row.concepts if concept in scene.names]
        for concept in named:
            groups[concept].append(row)
        if not named:
            untied.append(row)
    return sorted(groups.items(), key=lambda each: (-len(each[1]), each[1][0].moment.at)), untied


def what_was_done(scene: Scene, rows: Sequence[StudiedRow]) -> str:
    """ "3 questions and 2 checks (1 right and 1 wrong)"; explanations are counted where no question is."""
    phrases, said = scene.phrases, []
    for kind, key in _COUNTED:
        some = [row for row in rows if row.kind is kind]
        if some:
            counted = phrases.say(f"count.{key}", n=len(some))
            if kind is Kind.CHECK:
                counted += phrases.say("marks.aside", text=scene.tally([row.verdict for row in some]))
            said.append(counted)
    answers = sum(row.kind is Kind.ANSWER for row in rows)
    if answers and not any(row.kind is Kind.QUESTION for row in rows):
        said.append(phrases.say("count.answers", n=answers))
    return phrases.list(said)


def _days(scene: Scene, rows: Sequence[StudiedRow]) -> str:
    return scene.days([row.moment for row in rows])


def _quoted_questions(
    scene: Scene, groups: Sequence[Sequence[StudiedRow]], untied: Sequence[StudiedRow]
) -> dict[int, Episode]:
    """The questions worth quoting, by row: one a line where the lines are few, and some of those without a concept."""
    wanted = [row.row for row in untied if row.kind is Kind.QUESTION][:UNTIED_QUOTED]
    if len(groups) <= LINES_QUOTED:
        for rows in groups:
            wanted += [row.row for row in rows if row.kind is Kind.QUESTION][:1]
    return {episode.row: episode for episode in scene.ledger.rows(list(dict.fromkeys(wanted)))}


def _with_questions(scene: Scene, text: str, rows: Sequence[StudiedRow], quoted: dict[int, Episode]) -> str:
    said = [scene.quoted(quoted[row.row], QUOTE_LENGTH) for row in rows if row.row in quoted]
    said = list(dict.fromkeys(words for words in said if words))
    if not said:
        return text
    return f"{text} {ended(scene.phrases.say('covered.for_example', question=scene.phrases.list(said)))}"


def _say_files(scene: Scene, composer: Composer, files: Sequence[int]) -> None:
    if not files:
        return
    phrases, arrived = scene.phrases, scene.ledger.rows(files)
    said = [
        phrases.say("covered.file", name=file_name(file), day=phrases.on(file.moment.day, scene.today))
        for file in arrived
    ]
    text = phrases.say("covered.files", n=len(arrived), files=phrases.list(said))
    composer.line(text, also=[file.id for file in arrived], item=False)
