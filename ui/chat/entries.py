"""What the chat shows of the ledger: episodes turned into entries, oldest first. No Qt here."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum, auto

from memory.episodes import Episode, EpisodeId, Kind, SubjectId, Verdict
from memory.ledger import Ledger
from memory.moments import Moment, Window, day_from_number

SHOWN = (Kind.QUESTION, Kind.ANSWER, Kind.CHECK, Kind.QUIZ, Kind.TAUGHT, Kind.FILE)
_FIRST_DAY = day_from_number(-200_000)


class Look(Enum):
    """How an entry looks."""

    STUDENT = auto()
    TUTOR = auto()
    RECEIPT = auto()
    VERDICT = auto()
    NOTICE = auto()


@dataclass(frozen=True, slots=True)
class Entry:
    """One card of the chat.

    ``episode`` is what it shows; ``note`` the taught episode that a receipt can undo; ``check`` the check behind a
    verdict; ``caption`` the question of a check whose asking is not in the ledger.
    """

    look: Look
    episode: EpisodeId
    moment: Moment
    text: str
    plan: str = ""
    language: str | None = None
    state: str = ""
    redacted: bool = False
    note: EpisodeId | None = None
    check: EpisodeId | None = None
    verdict: Verdict | None = None
    caption: str = ""
    kind: Kind = Kind.QUESTION


@dataclass(frozen=True, slots=True)
class PageOfChat:
    """Some entries, oldest first; where the episodes before them begin, and whether there are any."""

    entries: tuple[Entry, ...]
    oldest: tuple[Moment, int] | None
    more: bool


def latest(ledger: Ledger, subject: SubjectId, count: int) -> PageOfChat:
    """The newest entries of a subject."""
    found = ledger.find(subject, kinds=SHOWN, newest_first=True, limit=count + 1)
    return _page(found, count)


def before(ledger: Ledger, subject: SubjectId, moment: Moment, seq: int, count: int) -> PageOfChat:
    """The entries just before an episode at ``moment`` with chain number ``seq``."""
    window = Window(_FIRST_DAY, moment.day)
    asked = count + 1
    while True:
        found = ledger.find(subject, kinds=SHOWN, window=window, newest_first=True, limit=asked)
        older = [episode for episode in found if (episode.moment.at, episode.seq) < (moment.at, seq)]
        if len(older) > count or len(found) < asked:
            return _page(older, count)
        asked *= 2


def _page(found: Sequence[Episode], count: int) -> PageOfChat:
    kept = list(found[:count])[::-1]
    oldest = (kept[0].moment, kept[0].seq) if kept else None
    return PageOfChat(tuple(entries(kept)), oldest, len(found) > count)


def entries(episodes: Sequence[Episode]) -> list[Entry]:
    """The entries of episodes given oldest first; what was said twice (a check and its verdict) is shown once."""
    replaced = {episode.meta.replaces for episode in episodes if episode.kind is Kind.ANSWER}
    notes: dict[EpisodeId, EpisodeId] = {}
    checks = {episode.id: episode for episode in episodes if episode.kind is Kind.CHECK}
    graded = {episode.meta.about for episode in episodes if episode.kind is Kind.ANSWER} & {*checks}
    made: list[Entry] = []
    for position, episode in enumerate(episodes):
        after = episodes[position + 1] if position + 1 < len(episodes) else None
        if episode.id in replaced:
            continue
        if episode.kind is Kind.TAUGHT and after is not None and after.meta.plan == "teach":
            notes[after.id] = episode.id
            continue
        made += _shown(episode, notes.get(episode.id), checks, graded)
    return made


def _shown(
    episode: Episode, note: EpisodeId | None, checks: dict[EpisodeId, Episode], graded: Set[EpisodeId | None]
) -> list[Entry]:
    content, meta = episode.content, episode.meta
    plain = Entry(
        Look.STUDENT,
        episode.id,
        episode.moment,
        content.text if content else "",
        plan=meta.plan or "",
        language=meta.language,
        state=meta.state.value if meta.state else "",
        redacted=content is None,
        kind=episode.kind,
    )
    if content is None:
        return [replace(plain, look=Look.TUTOR if episode.kind is Kind.ANSWER else Look.STUDENT)]
    if episode.kind is Kind.CHECK:
        verdict = replace(
            plain,
            look=Look.VERDICT,
            text=content.evaluation or "",
            check=episode.id,
            verdict=meta.verdict,
            caption="" if episode.id in graded else content.text,
        )
        reply = [replace(plain, text=content.reply)] if content.reply else []
        return reply if episode.id in graded else [*reply, verdict]
    if episode.kind is Kind.ANSWER:
        if note is not None:
            return [replace(plain, look=Look.RECEIPT, note=note)]
        check = checks.get(meta.about) if meta.about else None
        if check is not None:
            return [replace(plain, look=Look.VERDICT, check=check.id, verdict=check.meta.verdict)]
        return [replace(plain, look=Look.TUTOR)]
    if episode.kind is Kind.TAUGHT:
        return [replace(plain, look=Look.RECEIPT, note=episode.id)]
    return [plain if episode.kind is Kind.QUESTION else replace(plain, look=Look.NOTICE)]
