"""Commands about the student: beliefs, history, report, review, nightly."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, time, timedelta
from typing import Any

from app.cli import shapes
from app.cli.call import Call, day_of
from app.cli.telling import Telling
from app.schedule import run_night
from memory.phrases import phrases_for
from memory.report import Report
from memory.rerouting import todays_routes
from memory.routing import Names


def beliefs(call: Call) -> int:
    """What is held: now, as of a day, as it was known on a day, or as whole chains."""
    subject, held = call.subject().id, call.house.memory.beliefs
    arguments = call.arguments
    if arguments.rederive:
        _rederive(call)
    as_of, known = day_of(arguments.as_of), day_of(arguments.known_as_of)
    if arguments.history:
        rows = held.history(subject)
    elif as_of is not None:
        rows = held.as_of(subject, as_of)
    elif known is not None:
        end = call.clock.now().at_local(datetime.combine(known, time()) + timedelta(days=1))
        rows = held.known_as_of(subject, end.at - 1)
    else:
        rows = held.current(subject)
    telling = Telling(call, subject)
    lines = telling.chains(rows) if arguments.history else telling.beliefs(rows)
    call.print({"beliefs": [shapes.belief(row) for row in rows]}, *(lines or [telling.nothing_held()]))
    return 0


def _rederive(call: Call) -> None:
    """Route every recorded check by today's rules and settle the beliefs anew; no episode is touched."""
    memory, subject = call.house.memory, call.subject().id
    names = Names(memory.map.name_rows(subject))
    routes = todays_routes(memory.ledger, memory.beliefs, subject, names, call.language)
    memory.beliefs.rederive(subject, routes, call.house.ids, call.clock.recorded())


def history(call: Call) -> int:
    """What changed, newest first."""
    subject = call.subject().id
    changes = call.house.memory.changes.history(subject)
    document = {
        "changes": [
            {
                "at": change.at.iso,
                "what": change.what.value,
                "name": change.name,
                "before": change.before,
                "after": change.after,
                "because": list(change.because),
                "reason": change.reason,
            }
            for change in changes
        ]
    }
    telling = Telling(call, subject)
    call.print(document, *([telling.change(change) for change in changes] or [call.say("say.no_changes")]))
    return 0


def report(call: Call) -> int:
    """The report about the student and the tutor itself."""
    found = call.house.memory.reports.report(call.subject().id, call.clock.now())
    call.print(report_document(call, found), *_report_lines(call, found))
    return 0


def report_document(call: Call, found: Report) -> dict[str, Any]:
    """The report's JSON."""
    calibration, unlinked = found.calibration, found.unlinked
    phrases = phrases_for(call.language)
    sentence = phrases.say(
        "progress.only_untied" if unlinked.count == unlinked.checks else "progress.untied", n=unlinked.count
    )
    return {
        "concepts": [
            {
                "name": held.name,
                "claim": held.claim.value,
                "confidence": round(held.confidence, 4),
                "since": held.since.iso,
                "last_check": held.last_check.iso if held.last_check else None,
                "due": held.due.iso if held.due else None,
                "confirm": held.confirm,
                "because": list(held.because),
                "checks": held.checks,
            }
            for held in found.concepts
        ],
        "taught": [
            {"episode": note.episode, "at": note.at.iso, "concepts": list(note.concepts), "live": note.live}
            for note in found.taught
        ],
        "unanswered": [
            {"question": item.question, "answer": item.answer, "at": item.at.iso, "status": item.status}
            for item in found.unanswered
        ],
        "unlinked_checks": {"count": unlinked.count, "sentence": sentence if unlinked.count else None},
        "calibration": {
            "n": calibration.count,
            "ece": calibration.ece,
            "brier": calibration.brier,
            "calibrated": calibration.calibrated,
            "limits": list(calibration.limits),
        },
        "citations": asdict(found.citations),
        "coverage": [asdict(part) for part in found.coverage],
        "self_model": asdict(found.self_model),
    }


def review(call: Call) -> int:
    """Concepts due for review today."""
    subject = call.subject().id
    due = call.house.memory.review.due(subject, call.clock.now())
    document = {"due": [{"concept": item.name, "at": item.at.iso} for item in due]}
    telling = Telling(call, subject)
    call.print(document, *([telling.due(item) for item in due] or [call.say("say.nothing_due")]))
    return 0


def nightly(call: Call) -> int:
    """The nightly cycle of the named subject, or of all."""
    nights = [(subject, run_night(call.house, subject, force=call.arguments.force)) for subject in call.subjects()]
    document = {
        "subjects": [
            {
                "name": subject.name,
                "ran": night.ran,
                "consolidated": night.consolidated,
                "waiting": night.waiting,
                "decayed": night.decayed,
                "verified": night.verified,
                "calibration": night.calibration,
            }
            for subject, night in nights
        ]
    }
    lines = [
        call.say(
            "say.night",
            subject=subject.name,
            consolidated=night.consolidated,
            decayed=night.decayed,
            holds=night.verified.get("holds", 0),
            changed=night.verified.get("changed", 0),
        )
        if night.ran
        else call.say("say.night_done", subject=subject.name)
        for subject, night in nights
    ]
    call.print(document, *lines)
    return 0


def _report_lines(call: Call, found: Report) -> list[str]:
    phrases, today = phrases_for(call.language), call.clock.now().day
    lines = [
        phrases.say(
            "progress.line",
            concept=held.name,
            claim=phrases.say(f"claim.{held.claim.value}"),
            confidence=phrases.percent(held.confidence),
            since=phrases.since(held.since.day, today),
        )
        for held in found.concepts
    ]
    if found.unlinked.count:
        key = "progress.only_untied" if found.unlinked.count == found.unlinked.checks else "progress.untied"
        lines.append(phrases.say(key, n=found.unlinked.count))
    return lines or [call.say("say.no_beliefs")]
