"""Fit the weights of the concept scorer: python tests/benchmark/fit_reading.py > resources/reading/weights.toml

Logistic regression with a small ridge (scipy), one set for files whose bold is trusted, one for the others; labels by
the scorer's own matching against each file's glossary. The development half of the sets only.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

sys.path[:0] = [str(Path(__file__).parents[3] / "shared" / "tools"), str(Path(__file__).parents[2])]

from score_concepts import HEAD_FIRST, forms, head_match, words

from app.reading.propose import features, propose
from app.reading.sentences import sentences_of
from tests.benchmark.reading_sets import cases

RIDGE = 0.02


def main() -> None:
    for name, marked in (("marked", True), ("plain", False)):
        rows, labels, weights = [], [], []
        names: list[str] = []
        for case in cases():
            if case.marked is not marked:
                continue
            sentences = sentences_of(case.pages, case.language)
            gold = [forms(item["term"], case.language) for item in case.gold]
            head = 0 if case.language in HEAD_FIRST else -1
            heads = [words(item["term"], case.language)[head] for item in case.gold]
            candidates = propose(case.pages, sentences, case.language)
            for one in candidates:
                own = words(one.name, case.language)
                hit = any(own in each for each in gold)
                near = any(head_match(own, other, case.language, heads) for each in gold for other in each)
                values = features(one, len(sentences), case.language)
                names = list(values)
                rows.append(list(values.values()))
                labels.append(1.0 if hit else 0.0)
                weights.append(0.2 if near and not hit else 1.0)
        data, truth, importance = np.array(rows), np.array(labels), np.array(weights)

        def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
            score = theta[0] + data @ theta[1:]
            share = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
            value = -(importance * (truth * np.log(share + 1e-12) + (1 - truth) * np.log(1 - share + 1e-12))).sum()
            slope = importance * (share - truth)
            gradient = np.concatenate([[slope.sum()], data.T @ slope])
            penalty = RIDGE * len(truth) ** 0.5
            return value + penalty * (theta[1:] @ theta[1:]), gradient + 2 * penalty * np.concatenate([[0], theta[1:]])

        fitted = minimize(loss, np.zeros(data.shape[1] + 1), jac=True, method="L-BFGS-B").x
        print(f"[{name}]\nbias = {fitted[0]:.3f}")
        for label, value in zip(names, fitted[1:], strict=True):
            print(f"{label} = {value:.3f}")
        print()
        print(f"{name}: {len(truth)} candidates, {int(truth.sum())} in a glossary", file=sys.stderr)


if __name__ == "__main__":
    main()
