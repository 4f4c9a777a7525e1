"""Fits the weights of the concept scorer: python tests/benchmark/fit_reading.py > resources/reading/weights.toml

Logistic regression with a ridge (scipy), one set for files whose bold is trusted, one for the others. A candidate is a
concept where the file's glossary has its name; one that only shares the head of a glossary term counts little. What is
said on standard error is the F1 of files left out of the fit, in six folds by file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.reading import choose
from app.reading.propose import Candidate, features, propose
from app.reading.sentences import sentences_of
from tests.benchmark.reading import SHARED, Study, judge, studies

RIDGE = 1.0
FOLDS = 6
NEAR = 0.2
"""What a candidate counts that shares only the head of a glossary term."""
PDF = 0.5
"""What a cheat sheet counts beside a chapter of prose: there are five translations of each."""
TYPICAL = 250
"""Candidates of a chapter; a longer file counts as the square root of what it has."""
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """One file as the scorer sees it: a row of features, a label and an importance a candidate."""

    study: Study
    sentences: int
    candidates: list[Candidate]
    rows: Numbers
    labels: Numbers
    importance: Numbers
    pages: float
    trusted: bool


def example(study: Study, score: Any) -> Example:
    """A file with its candidates labelled by its glossary."""
    sentences = sentences_of(study.pages, study.language)
    candidates = propose(study.pages, sentences, study.language)
    gold = [score.forms(term, study.language) for term in study.gold]
    head = 0 if study.language in score.HEAD_FIRST else -1
    heads = [form[head] for forms in gold for form in list(forms)[:1]]
    rows, labels, importance = [], [], []
    for one in candidates:
        own = score.words(one.name, study.language)
        hit = any(own in forms for forms in gold)
        near = any(score.head_match(own, form, study.language, heads) for forms in gold for form in forms)
        rows.append(list(features(one, len(sentences), study.language).values()))
        labels.append(float(hit))
        importance.append(NEAR if near and not hit else 1.0)
    share = (PDF if study.format == "pdf" else 1.0) * (TYPICAL / max(1, len(candidates))) ** 0.5
    pages = max(1.0, sum(len(sentence.words) for sentence in sentences) / choose.WORDS_A_PAGE)
    return Example(
        study,
        len(sentences),
        candidates,
        np.array(rows),
        np.array(labels),
        np.array(importance) * share,
        pages,
        choose.trusted(study.pages, pages, study.language),
    )


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Weights by feature, and the bias."""
    data = np.concatenate([one.rows for one in examples])
    truth = np.concatenate([one.labels for one in examples])
    importance = np.concatenate([one.importance for one in examples])

    def loss(theta: Numbers) -> tuple[float, Numbers]:
        share = 1 / (1 + np.exp(-np.clip(theta[0] + data @ theta[1:], -30, 30)))
        surprise = truth * np.log(share + 1e-12) + (1 - truth) * np.log(1 - share + 1e-12)
        slope = importance * (share - truth)
        gradient = np.concatenate([[slope.sum()], data.T @ slope + 2 * RIDGE * theta[1:]])
        return float(-(importance * surprise).sum() + RIDGE * (theta[1:] @ theta[1:])), gradient

    found = minimize(loss, np.zeros(data.shape[1] + 1), jac=True, method="L-BFGS-B").x
    names = features(examples[0].candidates[0], 1, "en")
    return dict(zip(("bias", *names), found.tolist(), strict=True))


def chosen(one: Example, weights: dict[str, float]) -> list[str]:
    """The names that these weights would choose."""
    kept = choose.weights_of
    choose.weights_of = lambda _name: weights  # type: ignore[assignment]  # the product reads them from its resources
    try:
        picked = choose.choose(
            one.candidates,
            marked=one.trusted,
            pages=one.pages,
            sentences=one.sentences,
            language=one.study.language,
        )
    finally:
        choose.weights_of = kept
    return [candidate.name for candidate, _ in picked]


def main() -> None:
    """Print the weights as TOML."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--shared", type=Path, default=SHARED)
    shared = options.parse_args().shared
    score = judge(shared)
    examples = [example(one, score) for one in studies(shared)]
    print("# Fitted by tests/benchmark/fit_reading.py: logistic weights of a candidate's features.")
    for name, trusted in (("marked", True), ("plain", False)):
        group = [one for one in examples if one.trusted is trusted]
        print(f"\n[{name}]")
        for feature, weight in fit(group).items():
            print(f"{feature} = {weight:.3f}")
        ids = sorted({one.study.id for one in group})
        total = [0, 0, 0]
        for fold in range(FOLDS):
            out = set(ids[fold::FOLDS])
            weights = fit([one for one in group if one.study.id not in out])
            for one in group:
                if one.study.id in out:
                    names = chosen(one, weights)
                    gold = [{"term": term} for term in one.study.gold]
                    hits = len(score.pairs(gold, names, one.study.language, True))
                    total = [total[0] + hits, total[1] + len(names), total[2] + len(gold)]
        print(f"{name}: {len(group)} files, P R F1 left out:", *score.prf(*total), file=sys.stderr)


if __name__ == "__main__":
    main()
