#!/usr/bin/env python3
"""Writes test/golden/sklearn-svm.json: what scikit-learn's SVC says with its own settings, on iris and on four classes of
unequal size: decision functions of both shapes, ties, balanced classes, names for labels. The data are kept beside it.
Needs scikit-learn (Debian: python3-sklearn). Run: python3 scripts/golden-sklearn-svm.py
"""

import json
import pathlib

import numpy
import sklearn
from sklearn.datasets import load_iris, make_blobs
from sklearn.svm import SVC

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEED = 7
TOLERANCE = 1e-7


def machine(**settings):
    return SVC(tol=TOLERANCE, **settings)


def described(x, y, test, **settings):
    """A fitted machine: its parts, its values of both shapes on `test`, and what it predicts."""
    ovo = machine(decision_function_shape="ovo", **settings).fit(x, y)
    ovr = machine(decision_function_shape="ovr", **settings).fit(x, y)
    ties = machine(decision_function_shape="ovr", break_ties=True, **settings).fit(x, y)
    return {
        "gamma": float(ovr._gamma),
        "classes": ovr.classes_.tolist(),
        "support": ovr.support_.tolist(),
        "supportCounts": ovr.n_support_.tolist(),
        "dualCoef": ovr.dual_coef_.tolist(),
        "biases": ovr.intercept_.tolist(),
        "ovo": ovo.decision_function(test).tolist(),
        "ovr": ovr.decision_function(test).tolist(),
        "predicted": ovr.predict(test).tolist(),
        "byScores": ties.predict(test).tolist(),
    }


def four_classes(random):
    sizes = {"north": 40, "east": 12, "south": 25, "west": 7}
    centres = {"north": (0, 1.2), "east": (1.2, 0), "south": (0, -1.2), "west": (-1.2, 0)}
    rows, labels = [], []
    for label, size in sizes.items():
        rows += (random.normal(size=(size, 2)) * 0.8 + centres[label]).round(3).tolist()
        labels += [label] * size
    return rows, labels


def tied():
    """Three clouds and a sigmoid kernel, on a mesh where many points get one vote for each class."""
    x, y = make_blobs(n_samples=20, n_features=2, random_state=42)
    x = x.round(3)
    machine_of_pairs = machine(kernel="sigmoid", decision_function_shape="ovo").fit(x, y)
    low, high = x.min(axis=0), x.max(axis=0)
    across, up = (numpy.linspace(low[j], high[j], 300).round(3) for j in range(2))
    mesh = numpy.array([[a, b] for a in across for b in up])
    signs = machine_of_pairs.decision_function(mesh) > 0
    is_tied = (signs[:, 0] != signs[:, 1]) & (signs[:, 0] == signs[:, 2])
    sure = numpy.abs(machine_of_pairs.decision_function(mesh)).min(axis=1) > 1e-3
    chosen = [mesh[is_tied & sure], mesh[~is_tied & sure]]
    mesh = numpy.concatenate([part[:: max(1, len(part) // 40)] for part in chosen]).tolist()
    found = described(x, y, mesh, kernel="sigmoid")
    return {"rows": x.tolist(), "labels": y.tolist(), "test": mesh, "sigmoid": found}


def main():
    random = numpy.random.default_rng(SEED)
    iris = load_iris()
    rows, labels = four_classes(random)
    test = random.uniform(-1, 1, size=(120, 2)).round(3).tolist()
    golden = {
        "generator": "scripts/golden-sklearn-svm.py",
        "sklearn": sklearn.__version__,
        "seed": SEED,
        "iris": {
            "rows": iris.data.tolist(),
            "labels": iris.target.tolist(),
            "linear": described(iris.data, iris.target, iris.data[::5], kernel="linear"),
            "rbf": described(iris.data, iris.target, iris.data[::5]),
        },
        "tied": tied(),
        "unequal": {
            "rows": rows,
            "labels": labels,
            "test": test,
            "plain": described(numpy.array(rows), labels, test, C=2),
            "balanced": described(numpy.array(rows), labels, test, C=2, class_weight="balanced"),
        },
    }
    text = json.dumps(golden, separators=(",", ":"))
    (ROOT / "test/golden/sklearn-svm.json").write_text(text + "\n")


main()
