"""The self-model: counts and limits, nothing invented."""

from __future__ import annotations

from memory.calibration import calibrate
from memory.cited_files import CitedFiles
from memory.episodes import Verdict
from memory.self_model import SelfModel, SelfModels


def compose(classroom, pairs=()) -> SelfModel:
    files = CitedFiles(classroom.store, {}.get)
    files.verify(classroom.subject, 0)
    return SelfModels(classroom.store).compose(
        classroom.subject, calibrate(list(pairs)), files.totals(classroom.subject), 5
    )


def test_of_an_empty_subject_it_says_that_it_knows_nothing(classroom) -> None:
    model = compose(classroom)
    assert (model.episodes, model.checks, model.ece, model.calibrated) == (0, 0, None, False)
    assert model.limits == ("too_few", "no_checks")


def test_thirty_two_checks_tied_to_nothing_are_counted(classroom) -> None:
    for day in range(32):
        classroom.check(day, Verdict.WRONG)
    model = compose(classroom)
    assert (model.checks, model.unlinked_checks, model.beliefs) == (32, 32, {})
    assert {"unlinked_checks", "no_belief"} <= set(model.limits)


def test_it_counts_beliefs_files_and_gaps_of_the_map(classroom) -> None:
    classroom.concept("Osmosis")
    classroom.concept("Mitosis")
    classroom.live(0, Verdict.RIGHT, "Osmosis")
    classroom.live(0, Verdict.WRONG, "Mitosis")
    classroom.answer(1, "gone.pdf", "11")
    model = compose(classroom, [(0.6, 1.0)] * 60)
    assert model.beliefs == {"understands": 1, "weak": 1}
    assert (model.citations_hold, model.citations_changed) == (0, 1)
    assert model.calibrated
    assert model.limits == ("underconfident", "changed_files", "unexplained_concepts")


def test_it_is_found_again_as_it_was_kept(classroom) -> None:
    models = SelfModels(classroom.store)
    assert models.get(classroom.subject) is None
    model = compose(classroom)
    models.keep(classroom.subject, model)
    assert models.get(classroom.subject) == model
