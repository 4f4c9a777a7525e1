"""A conversation as Markdown: day by day, each answer with what it rests on; LaTeX stays LaTeX. No Qt here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from memory.episodes import SubjectId
from memory.memory import Memory
from memory.passages import PassageId
from memory.subjects import Subject
from ui.chat.entries import SHOWN, Entry, Look, entries
from ui.messages import Messages
from ui.source.answer_sources import Place, read_sources
from ui.text import as_markdown, bare


def conversation_markdown(memory: Memory, subject: Subject, t: Messages) -> str:
    """The whole conversation of a subject."""
    return bare("\n\n".join(_parts(memory, subject, t))) + "\n"


def _parts(memory: Memory, subject: Subject, t: Messages) -> Iterator[str]:
    yield f"# {as_markdown(subject.name)}"
    day: date | None = None
    for entry in entries(memory.ledger.find(subject.id, kinds=SHOWN)):
        if entry.moment.day != day:
            day = entry.moment.day
            yield f"## {t.day(day)}"
        yield f"**{_who(entry, t)}**, {t.time(entry.moment.local)}"
        if entry.caption:
            yield as_markdown(entry.caption)
        yield as_markdown(entry.text) if entry.look is Look.STUDENT else entry.text or t("chat.redacted")
        if entry.look is Look.TUTOR:
            yield from _sources(memory, subject.id, entry, t)


def _who(entry: Entry, t: Messages) -> str:
    match entry.look:
        case Look.STUDENT:
            return t("saved.you")
        case Look.RECEIPT:
            return t("receipt.title")
        case Look.VERDICT:
            return t(f"verdict.{entry.verdict.value if entry.verdict else 'none'}")
        case Look.NOTICE:
            return t(f"kind.{entry.kind.value}")
        case Look.TUTOR:
            return "Retiens"


def _sources(memory: Memory, subject: SubjectId, entry: Entry, t: Messages) -> Iterator[str]:
    """The places that the claims of an answer rest on, in their order."""
    sources = read_sources(memory, entry.episode)
    if sources is None:
        return
    lines = [
        f"- [{number}] {'; '.join(said for place in claim.places if (said := _place(memory, place, t)))}"
        for number, claim in enumerate(sources.claims, 1)
        if claim.places
    ]
    if lines:
        yield "\n".join(lines)


def _place(memory: Memory, place: Place, t: Messages) -> str:
    if place.passage is not None:
        passage = memory.passages.get(PassageId(place.passage))
        if passage is None:
            return ""
        lines = t("source.lines", first=passage.first_line, last=passage.last_line)
        return as_markdown(f"{passage.name}, {t('source.page', page=passage.label or passage.page)}, {lines}")
    if place.episode is not None:
        episode = memory.ledger.get(place.episode)
        return as_markdown(f"{t.short_day(episode.moment.day)}, {t(f'kind.{episode.kind.value}')}") if episode else ""
    return as_markdown(f"{place.file}, {t('source.page', page=place.page or 1)}")
