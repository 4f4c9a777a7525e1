"""Compares concepts chosen with a chat model's vote and without it, from the answers that reading_vote.py keeps.

    python tests/benchmark/reading_vote_score.py [--cache FOLDER] [--each]

Both choices see the same pages with the same features. The weights of the miner are fitted without the file they are
used on; the bonus of a vote and the threshold are those of the design, fitted without the file, or picked without it.
Intervals (95 %) are of a bootstrap over files of the mean difference of F1.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.reading import choose
from app.reading.propose import Candidate, features, propose
from app.reading.sentences import Sentence, sentences_of
from tests.benchmark.fit_reading import example, fit
from tests.benchmark.reading import SHARED, judge, studies
from tests.benchmark.reading_vote import Sample, answers, group_of, key_of, prompt, samples, voted

BONUSES = (0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
RESAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Case:
    """A sample ready to be chosen from: its candidates with the logit of weights fitted without its group."""

    sample: Sample
    candidates: list[Candidate]
    sentences: list[Sentence]
    pages: float
    logits: dict[str, float]
    votes: frozenset[str]


def cases(shared: Path, score: Any, cache: Path, model: str) -> Iterator[Case]:
    """Every sample all of whose windows the model has answered."""
    done = answers(cache)
    ready: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples(shared, score):
        if all(key_of(prompt(window, sample.study.language), model) in done for window in sample.windows):
            ready[sample.group].append(sample)
    examples = [example(one, score) for one in studies(shared)]
    plain = [one for one in examples if not one.trusted]
    for group, members in sorted(ready.items()):
        weights = fit([one for one in plain if group_of(one.study) != group])
        for sample in members:
            language = sample.study.language
            sentences = sentences_of(sample.study.pages, language)
            candidates = propose(sample.study.pages, sentences, language)
            votes: set[str] = set()
            for window in sample.windows:
                votes |= voted(done[key_of(prompt(window, language), model)]["answer"], window, language)
            logits = {one.key: logit(one, weights, len(sentences), language) for one in candidates}
            pages = max(1.0, sum(len(sentence.words) for sentence in sentences) / choose.WORDS_A_PAGE)
            yield Case(sample, candidates, sentences, pages, logits, frozenset(votes))


def logit(one: Candidate, weights: dict[str, float], sentences: int, language: str) -> float:
    """The scorer's logit of a candidate."""
    known = features(one, sentences, language)
    return weights["bias"] + sum(weights.get(name, 0.0) * value for name, value in known.items())


Row = tuple[int, int, int]
"""Names that match, names chosen, gold terms."""


def chosen_names(case: Case, bonus: float, threshold: float) -> list[str]:
    """What the product's own choice gives with a bonus for a voted name, and a threshold."""
    kept = choose.probability, choose.THRESHOLD_PLAIN

    def share(one: Candidate, _marked: bool, _sentences: int, _language: str) -> float:
        return 1 / (1 + math.exp(-case.logits[one.key] - bonus * (one.key in case.votes)))

    choose.probability, choose.THRESHOLD_PLAIN = share, threshold  # type: ignore[assignment]
    try:
        picked = choose.choose(
            case.candidates,
            marked=False,
            pages=case.pages,
            sentences=len(case.sentences),
            language=case.sample.study.language,
        )
    finally:
        choose.probability, choose.THRESHOLD_PLAIN = kept  # type: ignore[assignment]
    return [candidate.name for candidate, _ in picked]


def row_of(case: Case, names: Sequence[str], score: Any) -> Row:
    """How the judge counts these names."""
    gold = [{"term": term} for term in case.sample.study.gold]
    return len(score.pairs(gold, names, case.sample.study.language, True)), len(names), len(gold)


def left_out(table: dict[tuple[float, float], list[float]], groups: Sequence[str], without_vote: bool) -> list[int]:
    """For each sample, the place in the table's keys that is best on the samples of the other groups."""
    keys = list(table)
    values = np.array([table[key] if not without_vote or key[0] == 0 else [-1.0] * len(groups) for key in keys])
    return [int(values[:, [other != group for other in groups]].mean(axis=1).argmax()) for group in groups]


def fitted_bonus(others: Sequence[Case], score: Any) -> float:
    """The bonus that explains best which candidates of other files are in their glossaries."""
    logits, votes, truth = [], [], []
    for case in others:
        language = case.sample.study.language
        gold = {form for term in case.sample.study.gold for form in score.forms(term, language)}
        for one in case.candidates:
            logits.append(case.logits[one.key])
            votes.append(float(one.key in case.votes))
            truth.append(float(score.words(one.name, language) in gold))
    x, vote, y = np.array(logits), np.array(votes), np.array(truth)

    def surprise(theta: Any) -> float:
        z = theta[0] + theta[1] * x + theta[2] * vote
        return float((np.logaddexp(0, z) - y * z).sum())

    return float(minimize(surprise, np.array([0.0, 1.0, 0.0])).x[2])


def compare(name: str, groups: Sequence[str], without: Sequence[Row], voted: Sequence[Row], score: Any) -> None:
    """Print one comparison: mean F1 of the samples, pooled F1, and what lies between, resampled by file."""
    f_without = np.array([score.prf(*row)[2] for row in without])
    f_voted = np.array([score.prf(*row)[2] for row in voted])
    places = [[at for at, each in enumerate(groups) if each == group] for group in dict.fromkeys(groups)]
    random = np.random.default_rng(20261201)
    means, pooled = [], []
    for _ in range(RESAMPLES):
        drawn = [at for one in random.integers(0, len(places), len(places)) for at in places[one]]
        means.append(float((f_voted[drawn] - f_without[drawn]).mean()))
        pooled.append(
            score.prf(*np.array(voted)[drawn].sum(axis=0))[2] - score.prf(*np.array(without)[drawn].sum(axis=0))[2]
        )
    p0, r0, f0 = score.prf(*np.array(without).sum(axis=0))
    p1, r1, f1 = score.prf(*np.array(voted).sum(axis=0))
    better = sum(f_voted[own].mean() > f_without[own].mean() + 1e-9 for own in places)
    worse = sum(f_voted[own].mean() < f_without[own].mean() - 1e-9 for own in places)
    low, high = np.percentile(means, [2.5, 97.5])
    below, above = np.percentile(pooled, [2.5, 97.5])
    print(
        f"{name:34} {len(places):2} files {len(groups):2} samples: mean F1 "
        f"{f_without.mean():.3f} -> {f_voted.mean():.3f}"
        f" ({f_voted.mean() - f_without.mean():+.3f} [{low:+.3f}, {high:+.3f}]); {better} better, {worse} worse;"
        f" pooled P {p0:.2f} R {r0:.2f} F1 {f0:.3f} -> P {p1:.2f} R {r1:.2f} F1 {f1:.3f}"
        f" ({f1 - f0:+.3f} [{below:+.3f}, {above:+.3f}])"
    )


def report(chosen: argparse.Namespace) -> None:
    """Print the comparisons, all samples first, then by language and kind."""
    score = judge(chosen.shared)
    cache: Path = chosen.cache / "answers.jsonl"
    every = list(cases(chosen.shared, score, cache, chosen.model))
    groups = [case.sample.group for case in every]

    def rows_of(bonus: float, threshold: float) -> list[Row]:
        return [row_of(case, chosen_names(case, bonus, threshold), score) for case in every]

    grid = [(bonus, threshold) for bonus in BONUSES for threshold in THRESHOLDS]
    rows = {key: rows_of(*key) for key in grid}
    table = {key: [score.prf(*row)[2] for row in found] for key, found in rows.items()}
    best, best_without = left_out(table, groups, False), left_out(table, groups, True)
    without = [rows[grid[place]][at] for at, place in enumerate(best_without)]
    fixed, designed = rows[0.0, 0.3], rows[2.5, 0.4]
    compare(".3 against +2.5 and .4", groups, fixed, designed, score)
    compare(".3 against +2.5 and .3", groups, fixed, rows[2.5, 0.3], score)
    bonuses = {
        group: fitted_bonus([case for case in every if case.sample.group != group], score)
        for group in dict.fromkeys(groups)
    }
    for threshold in (0.4, 0.3):
        fitted = [row_of(case, chosen_names(case, bonuses[case.sample.group], threshold), score) for case in every]
        compare(f".3 against a fitted bonus and {threshold}", groups, fixed, fitted, score)
    print(f"fitted bonuses: {min(bonuses.values()):.2f} to {max(bonuses.values()):.2f}")
    picked = [rows[grid[place]][at] for at, place in enumerate(best)]
    compare("picked on the other files", groups, without, picked, score)
    print("picked:", sorted({grid[at] for at in best}), "without:", sorted({grid[at][1] for at in best_without}))
    for label in ("en", "es", "fr", "pt", "ar", "prose", "sheets"):
        own = [n for n, case in enumerate(every) if label in kinds(case)]
        if own:
            mine = [groups[n] for n in own]
            compare(
                f"{label}: .3 against +2.5 and .4", mine, [fixed[n] for n in own], [designed[n] for n in own], score
            )
            compare(f"{label}: picked", mine, [without[n] for n in own], [picked[n] for n in own], score)
    if chosen.each:
        for n, case in enumerate(every):
            old, new = score.prf(*fixed[n])[2], score.prf(*designed[n])[2]
            heard = sum(one.key in case.votes for one in case.candidates)
            print(f"  {case.sample.study.id:32} {old:.2f} -> {new:.2f}, {len(case.votes)} votes, {heard} heard")
    kept_answers = list(answers(cache).values())
    seconds, pages = (sum(row[name] for row in kept_answers) for name in ("seconds", "pages"))
    print(f"{len(kept_answers)} windows, {pages:.0f} pages of 350 words, {seconds / pages:.1f} s a page")


def kinds(case: Case) -> tuple[str, str]:
    """The language of a case, and whether it is prose or a cheat sheet."""
    return case.sample.study.language, "sheets" if case.sample.study.format == "pdf" else "prose"


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--shared", type=Path, default=SHARED)
    options.add_argument("--model", default="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf")
    options.add_argument("--cache", type=Path, default=Path("/tmp/vote"))
    options.add_argument("--each", action="store_true")
    report(options.parse_args())


if __name__ == "__main__":
    main()
