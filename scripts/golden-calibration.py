#!/usr/bin/env python3
"""Writes test/golden/calibration.json: probabilities as scikit-learn and LIBSVM make them of decision values.

Needs scikit-learn (Debian: python3-sklearn) and svm-train (Debian: libsvm-tools). svm-train -b 1 does not say what its
sigmoids were fitted to; the folds it makes come from the C library's rand() in its initial state, so they are made again
here, trained with svm-train, and their decision values computed from the model files.
Run: python3 scripts/golden-calibration.py
"""

import ctypes
import json
import pathlib
import subprocess
import tempfile

import numpy
import sklearn
from sklearn.calibration import CalibratedClassifierCV, _sigmoid_calibration
from sklearn.isotonic import IsotonicRegression
from sklearn.svm import SVC, LinearSVC

SEED = 23
FOLDS = 5
GAMMA = 0.5


def blobs(random, count, classes, features, spread):
    labels = numpy.arange(count) % classes
    centres = random.normal(size=(classes, features))
    return (centres[labels] + spread * random.normal(size=(count, features))).round(4), labels


def binary_cases(random):
    """Decision values of a linear machine on samples it has not seen, as they are, coarse, weighted, scaled."""
    rows, labels = blobs(random, 240, 2, 3, 1.2)
    machine = LinearSVC(dual=True, random_state=0).fit(rows[:80], labels[:80])
    values, hits = machine.decision_function(rows[80:]), labels[80:]
    weights = random.choice([0.0, 0.5, 1.0, 3.0], size=len(values))
    yield "plain", machine, rows[80:], hits, None
    yield "weighted", machine, rows[80:], hits, weights
    coarse = LinearSVC(dual=True, random_state=0).fit(rows[:80], labels[:80])
    coarse.coef_ = coarse.coef_.round(0)
    coarse.intercept_ = coarse.intercept_.round(0)
    yield "ties", coarse, rows[80:].round(0), hits, None
    yield "ties, weighted", coarse, rows[80:].round(0), hits, weights
    yield "upside down", machine, rows[80:], 1 - hits, None
    rare = numpy.flatnonzero((hits == 0) | (numpy.cumsum(hits) < 4))
    yield "rare positives", machine, rows[80:][rare], hits[rare], None


def calibrations(random):
    for name, machine, rows, hits, weights in binary_cases(random):
        values = machine.decision_function(rows)
        a, b = _sigmoid_calibration(values, hits, weights)
        isotonic = IsotonicRegression(out_of_bounds="clip").fit(values, hits, sample_weight=weights)
        queries = numpy.linspace(values.min() - 1, values.max() + 1, 41)
        case = {
            "name": name,
            "values": values.tolist(),
            "positives": hits.tolist(),
            "weights": None if weights is None else weights.tolist(),
            "sigmoid": {"a": a, "b": b},
            "isotonic": {"x": isotonic.X_thresholds_.tolist(), "y": isotonic.y_thresholds_.tolist()},
            "queries": queries.tolist(),
            "isotonicAtQueries": isotonic.predict(queries).tolist(),
            "calibrated": {},
        }
        for method in ("sigmoid", "isotonic"):
            calibrated = CalibratedClassifierCV(machine, method=method, cv="prefit").fit(rows, hits, weights)
            case["calibrated"][method] = calibrated.predict_proba(rows)[:, 1].tolist()
        yield case


def couplings(random):
    """Pairs and what LIBSVM (inside scikit-learn) makes of them."""
    for classes in (3, 5, 10):
        rows, labels = blobs(random, 30 * classes, classes, 4, 0.8)
        machine = SVC(gamma=GAMMA, probability=True, random_state=0, decision_function_shape="ovo").fit(rows, labels)
        yield {
            "classes": classes,
            "probA": machine.probA_.tolist(),
            "probB": machine.probB_.tolist(),
            "decisions": machine.decision_function(rows[:25]).tolist(),
            "probabilities": machine.predict_proba(rows[:25]).tolist(),
        }


def libsvm_text(rows, targets):
    lines = []
    for row, target in zip(rows.tolist(), targets.tolist()):
        entries = " ".join(f"{j + 1}:{value!r}" for j, value in enumerate(row) if value != 0)
        lines.append(f"{target!r} {entries}\n")
    return "".join(lines)


def svm_train(rows, targets, *options):
    """The header of the model as lists of words, and its decision function (of the first pair)."""
    with tempfile.TemporaryDirectory() as folder:
        data, model = f"{folder}/data", f"{folder}/model"
        pathlib.Path(data).write_text(libsvm_text(rows, targets))
        command = ["svm-train", "-q", "-g", repr(GAMMA), "-e", "1e-6", *options, data, model]
        subprocess.run(command, check=True, capture_output=True)
        lines = pathlib.Path(model).read_text().splitlines()
    split = lines.index("SV")
    header = {line.split()[0]: line.split()[1:] for line in lines[:split]}
    coefficients, vectors = [], numpy.zeros((len(lines) - split - 1, rows.shape[1]))
    for i, line in enumerate(lines[split + 1 :]):
        coefficient, *entries = line.split()
        coefficients.append(float(coefficient))
        for entry in entries:
            index, value = entry.split(":")
            vectors[i, int(index) - 1] = float(value)

    def decide(queries):
        distances = ((queries[:, None, :] - vectors[None, :, :]) ** 2).sum(axis=2)
        return numpy.exp(-GAMMA * distances) @ numpy.array(coefficients) - float(header["rho"][0])

    return header, decide


def folds(count):
    """LIBSVM's permutation in a fresh process: rand() seeded with 1."""
    libc = ctypes.CDLL("libc.so.6")
    libc.srand(1)
    order = list(range(count))
    for i in range(count):
        j = i + libc.rand() % (count - i)
        order[i], order[j] = order[j], order[i]
    for fold in range(FOLDS):
        held = order[fold * count // FOLDS : (fold + 1) * count // FOLDS]
        yield held, order[: fold * count // FOLDS] + order[(fold + 1) * count // FOLDS :]


def platt(random):
    """svm-train -b 1 on two classes, grouped as LIBSVM groups them; C and the weight of the positive class."""
    for C, weight in ((1.0, 1.0), (10.0, 3.0)):
        rows, labels = blobs(random, 90, 2, 2, 1.0)
        targets = numpy.where(numpy.arange(90) < 40, 1, -1)
        rows = numpy.vstack([rows[labels == 1], rows[labels == 0]])
        options = ("-c", repr(C), "-w1", repr(weight))
        header, _ = svm_train(rows, targets, "-b", "1", *options)
        values = numpy.zeros(len(rows))
        for held, kept in folds(len(rows)):
            fold, decide = svm_train(rows[kept], targets[kept], *options)
            values[held] = decide(rows[held]) * int(fold["label"][0])
        yield {
            "values": values.tolist(),
            "positives": (targets > 0).astype(int).tolist(),
            "a": float(header["probA"][0]),
            "b": float(header["probB"][0]),
        }


def laplace(random):
    """svm-train -s 3 -b 1, once with outliers."""
    for outliers in (0, 3):
        rows = random.uniform(-2, 2, size=(80, 2)).round(4)
        targets = (numpy.sin(2 * rows[:, 0]) + rows[:, 1] + 0.2 * random.normal(size=80)).round(4)
        targets[:outliers] += 40
        options = ("-s", "3", "-c", "2.0", "-p", "0.05")
        header, _ = svm_train(rows, targets, "-b", "1", *options)
        residuals = numpy.zeros(len(rows))
        for held, kept in folds(len(rows)):
            _, decide = svm_train(rows[kept], targets[kept], *options)
            residuals[held] = targets[held] - decide(rows[held])
        yield {"residuals": residuals.tolist(), "sigma": float(header["probA"][0])}


def main():
    random = numpy.random.RandomState(SEED)
    package = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libsvm-tools"], capture_output=True, text=True)
    golden = {
        "generator": "scripts/golden-calibration.py",
        "versions": {
            "scikit-learn": sklearn.__version__,
            "numpy": numpy.__version__,
            "libsvm-tools": package.stdout,
        },
        "seed": SEED,
        "calibrations": list(calibrations(random)),
        "couplings": list(couplings(random)),
        "platt": list(platt(random)),
        "laplace": list(laplace(random)),
    }
    path = pathlib.Path(__file__).parent.parent / "test" / "golden" / "calibration.json"
    path.write_text(json.dumps(golden, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n")


main()
