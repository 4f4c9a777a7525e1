"""Which concept each recorded check is about by today's rules and today's map: what re-deriving beliefs starts from.

A check that was asked about a concept, or that an import named a concept for, keeps it (a lesson's checks have the plan
*grade*; ``extra.named`` marks an import's). Any other is routed anew from its topic and evaluation, so that a rule
that changed, or a concept that the map has learned since, counts for the past too. Redacted words route nothing: such
a check keeps what it was routed to when written.
"""

from __future__ import annotations

from memory.beliefs import Beliefs
from memory.check_topics import topic_concept
from memory.episodes import ConceptId, Kind, SubjectId
from memory.ledger import Ledger
from memory.routing import Names


def todays_routes(
    ledger: Ledger, beliefs: Beliefs, subject: SubjectId, names: Names, language: str
) -> dict[int, ConceptId]:
    """Episode row → concept, for :meth:`memory.beliefs.Beliefs.rederive`; ``language`` where a check has none."""
    written = beliefs.routed_when_written(subject)
    routes: dict[int, ConceptId] = {}
    for check in ledger.find(subject, kinds=[Kind.CHECK]):
        content, meta = check.content, check.meta
        if content is None or meta.plan == "grade" or meta.extra.get("named"):
            found = written.get(check.row)
        else:
            found = topic_concept(content.topic, content.evaluation, names, meta.language or language)
        if found is not None:
            routes[check.row] = found
    return routes
