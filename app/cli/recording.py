"""Commands about the record itself: verify, checkpoint, import, export, redact, withdraw, contest, rebuild, backup."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from app import corrections, keeping
from app.cli.call import Call, lines_of, text_of
from app.cli.speech import CHECK_FOUND, DATA, USAGE, Refusal, line_errors, shown_errors
from memory.backup import back_up
from memory.chat_exports import ChatExport, NotAChatExport, read_chat_export
from memory.checkpoints import Checkpoint, parse_checkpoint
from memory.episodes import EpisodeId, Kind
from memory.phrases import phrases_for
from memory.rebuilding import rebuild as rebuild_all


def verify(call: Call) -> int:
    """Recompute every chain; look at checkpoints, cited files and the database. 1 when something does not hold."""
    memory, arguments = call.house.memory, call.arguments
    given = arguments.checkpoint
    noted = [parse_checkpoint(given)] if given is not None else memory.checkpoints.all()
    chains = memory.verification.chains()
    states = memory.verification.checkpoints(noted)
    faults = memory.verification.database()
    now = call.clock.recorded()
    looked = [cited for subject in memory.subjects.all() for cited in memory.citations.verify(subject.id, now, None)]
    changed = {cited.file: cited.standing.value for cited in looked if cited.standing.value in ("replaced", "missing")}
    document = {
        "chains": [
            {
                "subject": state.name,
                "episodes": state.episodes,
                "ok": state.ok,
                "head": state.head,
                "first_break": asdict(state.first_break) if state.first_break else None,
            }
            for state in chains
        ],
        "checkpoints": [
            {
                "subject": state.checkpoint.subject,
                "seq": state.checkpoint.seq,
                "at": state.checkpoint.at,
                "result": state.result,
            }
            for state in states
        ],
        "database": {"ok": not faults, "faults": faults},
        "files": [{"path": path, "result": result} for path, result in sorted(changed.items())],
    }
    lines = []
    for state in chains:
        broken = state.first_break
        if broken is None:
            lines.append(call.say("say.chain_ok", subject=state.name, episodes=state.episodes))
        else:
            lines.append(
                call.say(
                    "say.chain_broken", subject=state.name, episodes=state.episodes, seq=broken.seq, what=broken.what
                )
            )
    lines += [
        call.say(f"say.checkpoint_{seen.result}", at=seen.checkpoint.at, seq=seen.checkpoint.seq) for seen in states
    ]
    lines += [call.say("say.database_fault", fault=fault) for fault in faults] or [call.say("say.database_ok")]
    lines += [call.say("say.file_changed", file=path, result=result) for path, result in sorted(changed.items())]
    call.print(document, *lines)
    held = all(state.ok for state in chains) and all(state.result == "holds" for state in states)
    return 0 if held and not faults and not changed else CHECK_FOUND


def checkpoint(call: Call) -> int:
    """Print the head as one line to keep elsewhere."""
    subject = call.subject()
    head = call.house.memory.ledger.head(subject.id)
    noted = Checkpoint(subject.id, head.seq, head.hash.hex(), call.clock.now().iso)
    call.print({**asdict(noted), "line": noted.line}, noted.line)
    return 0


def import_(call: Call) -> int:
    """Read an event log. Bad lines are reported with their number and stop nothing."""
    path: str = call.arguments.path
    chats = _chats(path) if call.arguments.format == "chatgpt" else None
    lines = chats.lines if chats is not None else lines_of(path)
    subject = call.subject()
    done = call.house.memory.importer.run(lines, default=subject, now=call.clock.now(), language=call.language)
    done.errors += chats.errors if chats is not None else ()
    document = {
        "imported": done.imported,
        "skipped": done.skipped,
        "errors": shown_errors(done.errors),
        "subjects": sorted(done.subjects),
    }
    summary = call.say("say.imported", imported=done.imported, skipped=done.skipped, errors=len(done.errors))
    call.print(document, *line_errors(call.say, done.errors), summary)
    return 0


def _chats(path: str) -> ChatExport:
    try:
        return read_chat_export(text_of(path))
    except NotAChatExport as error:
        raise Refusal(DATA, "fault.not_a_chat_export", path=path) from error


def export(call: Call) -> int:
    """Write every episode of the named subject, or of all, to an event log."""
    path = keeping.elsewhere(call.house, Path(call.arguments.path).absolute())
    episodes = keeping.export_to(call.house, path, call.subjects())
    call.print({"path": str(path), "episodes": episodes}, call.say("say.exported", episodes=episodes, path=path))
    return 0


def redact(call: Call) -> int:
    """Empty the words of one episode, visibly; its answer, copies of its text and old backups are listed."""
    house, target = call.house, _episode(call)
    ledger = house.memory.ledger
    if _already(call, target, Kind.REDACTION, "redacted"):
        return 0
    also = list(dict.fromkeys([*ledger.paired(target), *ledger.copies(target)]))
    written = corrections.redact(house.memory, house.clock, house.ids, target)
    backups = [str(path) for path in house.memory.backups.copies()]
    lines = [call.say("say.redacted", episode=target)]
    lines += [call.say("say.redact_also", episode=id) for id in also]
    lines += [call.say("say.redact_backup", path=path) for path in backups]
    call.print({"episode": target, "by": written.id, "also": also, "backups": backups}, *lines)
    return 0


def withdraw(call: Call) -> int:
    """Withdraw a taught note."""
    house, target = call.house, _episode(call, Kind.TAUGHT, "fault.not_taught")
    if _already(call, target, Kind.WITHDRAWAL, "withdrawn"):
        return 0
    written = corrections.withdraw(house.memory, house.clock, house.ids, target)
    call.print({"episode": target, "by": written.id, "also": []}, call.say("say.withdrawn"))
    return 0


def contest(call: Call) -> int:
    """Dispute a verdict: the check is set aside until it is judged again."""
    house, target = call.house, _episode(call, Kind.CHECK, "fault.not_a_check")
    if _already(call, target, Kind.CONTEST, "contested"):
        return 0
    written = corrections.contest(house.memory, house.clock, house.ids, target)
    call.print({"episode": target, "by": written.id, "also": []}, call.say("say.contested"))
    return 0


def rebuild(call: Call) -> int:
    """Make every derived table anew from the record."""
    rebuilt = rebuild_all(call.house.memory, call.house.ids, call.clock.now())
    if call.house.engines.embedder() is not None:
        call.house.engines.catch_up()
    call.print({"rebuilt": rebuilt}, call.say("say.rebuilt"))
    return 0


def backup(call: Call) -> int:
    """Copy the whole database, verified."""
    made = back_up(call.house.memory.store, keeping.elsewhere(call.house, Path(call.arguments.path).absolute()))
    document = {"path": str(made.path), "episodes": made.episodes, "verified": True}
    call.print(document, call.say("say.backup", path=made.path, episodes=made.episodes))
    return 0


def _already(call: Call, target: EpisodeId, kind: Kind, key: str) -> bool:
    """Say on which day it was done before, if it was; nothing is changed then."""
    earlier = call.house.memory.ledger.done_to(target, kind)
    if earlier is None:
        return False
    on = phrases_for(call.say.spoken).on(earlier.moment.day, call.clock.now().day)
    document = {"episode": target, "by": earlier.id, "already": earlier.moment.iso, "also": []}
    call.print(document, call.say(f"say.{key}_already", episode=target, on=on))
    return True


def _episode(call: Call, kind: Kind | None = None, otherwise: str = "") -> EpisodeId:
    """The episode named by its id, or by the external id it was imported under; of that kind, if one is asked for."""
    named: str = call.arguments.episode
    ledger = call.house.memory.ledger
    found = ledger.get(named)
    for subject in call.house.memory.subjects.all():
        known = ledger.by_external_id(subject.id, named)
        if found is None and known is not None:
            found = ledger.get(known)
    if found is None:
        raise Refusal(USAGE, "fault.unknown_episode", episode=named)
    if kind is not None and found.kind is not kind:
        raise Refusal(USAGE, otherwise, episode=named)
    return found.id
