"""The report as Markdown. Figures without enough data say so; nothing is made up. No Qt here."""

from __future__ import annotations

from datetime import date

from memory.report import HeldConcept, Report
from ui.messages import Messages
from ui.text import as_markdown


def report_markdown(report: Report, subject: str, today: date, t: Messages) -> str:
    """The whole report."""
    model = report.self_model
    lines = [
        f"## {as_markdown(t('report.title', subject=subject))}",
        t("report.on", day=t.short_day(today)),
        t("report.figures", episodes=model.episodes, days=model.active_days, checks=model.checks),
        f"### {t('report.concepts')}",
        *([_concept(held, t) for held in report.concepts] or [t("memory.no_beliefs")]),
    ]
    if report.unlinked.count:
        lines.append(t("report.unlinked", n=report.unlinked.count, of=report.unlinked.checks))
    lines += [f"### {t('report.calibration')}", *_calibration(report, t)]
    lines += [f"### {t('report.coverage')}", *(_coverage(report, t) or [t("report.no_files")])]
    lines += [f"### {t('report.citations')}", _citations(report, t)]
    lines += [
        f"- {as_markdown(cited.file)}: {t(f'cited.{cited.standing.value}')}" for cited in report.changed_files[:10]
    ]
    if report.unanswered:
        lines += [f"### {t('report.unanswered')}", t("report.unanswered_n", n=len(report.unanswered))]
    live = [note for note in report.taught if note.live]
    lines += [f"### {t('report.taught')}", t("report.taught_n", n=len(live))]
    return _joined(lines)


def _concept(held: HeldConcept, t: Messages) -> str:
    words = t(
        "report.concept",
        concept=as_markdown(held.name),
        claim=t(f"standing.{held.claim.value}"),
        share=t.percent(held.confidence),
        since=t.short_day(held.since.day),
    )
    if held.last_check is not None:
        words += " " + t("report.last_check", day=t.short_day(held.last_check.day), n=held.checks)
    if held.due is not None:
        words += " " + t("report.due", day=t.short_day(held.due.day))
    return f"- {words}"


def _calibration(report: Report, t: Messages) -> list[str]:
    found = report.calibration
    if found.ece is None:
        return [t("report.not_calibrated", n=found.count)]
    lines = [t("report.calibrated", n=found.count, error=t.percent(found.ece))]
    bands = [band for band in found.bands if band.count]
    if bands:
        lines.append(
            "\n".join(
                [
                    f"| {t('report.predicted')} | {t('report.observed')} | {t('report.checks')} |",
                    "|---|---|---|",
                    *(f"| {t.percent(band.predicted)} | {t.percent(band.observed)} | {band.count} |" for band in bands),
                ]
            )
        )
    return lines


def _coverage(report: Report, t: Messages) -> list[str]:
    return [
        "- "
        + t(
            "report.covers",
            file=as_markdown(part.file),
            n=part.concepts,
            of=part.of,
            share=t.percent(part.share) if part.share is not None else "–",
        )
        for part in report.coverage
    ]


def _citations(report: Report, t: Messages) -> str:
    found = report.citations
    return t("report.cited", holds=found.holds, changed=found.changed, unverifiable=found.unverifiable)


def _joined(lines: list[str]) -> str:
    """Paragraphs apart, list items together."""
    text = ""
    before = ""
    for line in lines:
        gap = "\n" if line.startswith("- ") and before.startswith("- ") else "\n\n"
        text += (gap if text else "") + line
        before = line
    return text
