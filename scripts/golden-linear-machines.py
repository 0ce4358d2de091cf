#!/usr/bin/env python3
"""Writes test/golden/linear-machines.json: Crammer–Singer machines and linear regressions by LIBLINEAR and scikit-learn.

Needs liblinear-train (Debian: liblinear-tools) and scikit-learn (Debian: python3-sklearn), which also takes sample weights.
The primal value is computed here from the weights, in double precision; runs in which LIBLINEAR did not reach its tolerance
are left out. Run: python3 scripts/golden-linear-machines.py
"""

import json
import pathlib
import subprocess
import tempfile
import warnings

import numpy
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC, LinearSVR

SEED = 31
TOLERANCE = 1e-11
# LIBLINEAR's Crammer–Singer leaves violations below 1e-12 and does not come to an end much below this.
CLASS_TOLERANCE = 1e-9
LOSSES = {"epsilon-insensitive": (13,), "squared-epsilon-insensitive": (11, 12)}


def classifications(random):
    labels = numpy.arange(60) % 3
    rows = random.normal(size=(60, 4)) + 1.2 * random.normal(size=(3, 4))[labels]
    yield "three classes", rows.round(5), labels
    labels = numpy.arange(40) % 4
    rows = random.uniform(-1, 1, size=(40, 4))
    rows[numpy.arange(40), labels] += 4
    yield "four classes apart", rows.round(5), labels
    labels = random.randint(0, 6, size=60)
    rows = numpy.abs(random.normal(size=(60, 20))) + (numpy.arange(20) % 6 == labels[:, None])
    rows[random.uniform(size=rows.shape) < 0.7] = 0
    yield "six classes, sparse", rows.round(5), labels


def regressions(random):
    rows = random.normal(size=(50, 3)).round(5)
    noise = random.normal(size=50)
    yield "noise", rows, (rows @ [1, -2, 0.5] + 3 + 0.3 * noise).round(5)
    targets = rows @ [1, -2, 0.5]
    targets[:4] += 50
    yield "outliers", rows, targets.round(5)
    sparse = random.normal(size=(60, 25))
    sparse[random.uniform(size=sparse.shape) < 0.8] = 0
    yield "sparse", sparse.round(5), (sparse.sum(axis=1) + 0.5 * random.normal(size=60)).round(5)


def augmented(rows, bias):
    return numpy.hstack([rows, numpy.full((len(rows), 1), bias)]) if bias > 0 else rows


def liblinear(rows, targets, solver, bias, tolerance, *options):
    """One weight vector a class (or one), the weight of the constant feature last; None when it did not converge."""
    with tempfile.TemporaryDirectory() as folder:
        data, model = f"{folder}/data", f"{folder}/model"
        lines = []
        for row, target in zip(rows.tolist(), targets.tolist()):
            entries = " ".join(f"{j + 1}:{value!r}" for j, value in enumerate(row) if value != 0)
            lines.append(f"{target!r} {entries}\n")
        pathlib.Path(data).write_text("".join(lines))
        command = ["liblinear-train", "-s", str(solver), "-e", repr(tolerance), "-B", repr(bias or -1), *options]
        run = subprocess.run([*command, data, model], capture_output=True, text=True, check=True)
        lines = pathlib.Path(model).read_text().splitlines()
    if "reaching max number of iterations" in run.stdout:
        return None
    header = dict(line.split(" ", 1) for line in lines[: lines.index("w")])
    weights = numpy.array([[float(word) for word in line.split()] for line in lines[lines.index("w") + 1 :]]).T
    if "label" in header:
        weights = weights[numpy.argsort([int(label) for label in header["label"].split()])]
    return weights


def converged(machine, rows, targets, weights):
    """Fitted, or None when scikit-learn warns that it is not."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        machine.fit(rows, targets, sample_weight=weights)
    return None if caught else machine


def sklearn_weights(machine, bias):
    coef = numpy.atleast_2d(machine.coef_)
    return numpy.hstack([coef, numpy.reshape(machine.intercept_ / bias, (-1, 1))]) if bias > 0 else coef


def class_primal(rows, labels, costs, weights):
    values = rows @ weights.T
    own = values[numpy.arange(len(rows)), labels]
    margins = values + 1 - own[:, None]
    margins[numpy.arange(len(rows)), labels] = 0
    return float(0.5 * (weights**2).sum() + costs @ margins.max(axis=1))


def tube_primal(rows, targets, costs, loss, epsilon, weights):
    outside = numpy.maximum(0, numpy.abs(rows @ weights[0] - targets) - epsilon)
    return float(0.5 * (weights**2).sum() + costs @ (outside if loss == "epsilon-insensitive" else outside**2))


def class_results(rows, labels, sample_weights):
    for bias in (0, 1, 2.5):
        for C, heavy in ((0.05, 1.0), (1.0, 1.0), (1.0, 3.0), (10.0, 1.0)):
            weights = liblinear(rows, labels, 4, bias, CLASS_TOLERANCE, "-c", repr(C), "-w1", repr(heavy))
            costs = numpy.where(labels == 1, C * heavy, C)
            if weights is not None:
                primal = class_primal(augmented(rows, bias), labels, costs, weights)
                yield {"by": "LIBLINEAR", "bias": bias, "costs": costs.tolist(), "primal": primal, "weights": weights.tolist()}
        machine = LinearSVC(
            multi_class="crammer_singer",
            tol=CLASS_TOLERANCE,
            max_iter=1_000_000,
            fit_intercept=bias > 0,
            intercept_scaling=bias or 1,
            random_state=0,
        )
        # Whether it converged cannot be told: scikit-learn 1.2.1 reads the count of iterations from memory never set.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            machine.fit(rows, labels, sample_weight=sample_weights)
        weights = sklearn_weights(machine, bias)
        primal = class_primal(augmented(rows, bias), labels, sample_weights, weights)
        yield {
            "by": "scikit-learn",
            "bias": bias,
            "costs": sample_weights.tolist(),
            "primal": primal,
            "weights": weights.tolist(),
        }


def rest_results(rows, labels, sample_weights):
    """One class against the rest, class 1 three times as heavy."""
    for loss in ("hinge", "squared-hinge"):
        for bias in (0, 2.5):
            machine = LinearSVC(
                loss=loss.replace("-", "_"),
                class_weight={1: 3.0},
                C=0.5,
                tol=CLASS_TOLERANCE,
                max_iter=1_000_000,
                fit_intercept=bias > 0,
                intercept_scaling=bias or 1,
                random_state=0,
            )
            machine = converged(machine, rows, labels, sample_weights)
            if machine is not None:
                weights = sample_weights.tolist()
                intercept = numpy.broadcast_to(machine.intercept_, (len(machine.coef_),)).tolist()
                yield {"loss": loss, "bias": bias, "weights": weights, "coef": machine.coef_.tolist(), "intercept": intercept}


def tube_results(rows, targets, sample_weights):
    for loss, solvers in LOSSES.items():
        for bias in (0, 1, 2.5):
            for C, epsilon in ((0.05, 0.1), (1.0, 0.0), (1.0, 0.5), (10.0, 0.1)):
                options = ("-c", repr(C), "-p", repr(epsilon))
                runs = [liblinear(rows, targets, solver, bias, TOLERANCE, *options) for solver in solvers]
                results = [("LIBLINEAR", numpy.full(len(rows), C), weights) for weights in runs]
                machine = LinearSVR(
                    epsilon=epsilon,
                    C=C,
                    loss=loss.replace("-", "_"),
                    tol=TOLERANCE,
                    max_iter=1_000_000,
                    fit_intercept=bias > 0,
                    intercept_scaling=bias or 1,
                    random_state=0,
                )
                machine = converged(machine, rows, targets, sample_weights)
                results.append(("scikit-learn", C * sample_weights, machine and sklearn_weights(machine, bias)))
                for by, costs, weights in results:
                    if weights is None:
                        continue
                    yield {
                        "by": by,
                        "loss": loss,
                        "bias": bias,
                        "epsilon": epsilon,
                        "costs": costs.tolist(),
                        "primal": tube_primal(augmented(rows, bias), targets, costs, loss, epsilon, weights),
                        "weights": weights[0].tolist(),
                    }


def main():
    random = numpy.random.RandomState(SEED)
    package = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "liblinear-tools"], capture_output=True, text=True)
    golden = {
        "generator": "scripts/golden-linear-machines.py",
        "versions": {
            "liblinear-tools": package.stdout,
            "scikit-learn": sklearn.__version__,
            "numpy": numpy.__version__,
        },
        "seed": SEED,
        "tolerance": TOLERANCE,
        "classTolerance": CLASS_TOLERANCE,
        "classifications": [],
        "regressions": [],
    }
    for name, rows, labels in classifications(random):
        weights = random.choice([0.0, 0.5, 1.0, 2.0], size=len(rows))
        results = list(class_results(rows, labels, weights))
        golden["classifications"].append(
            {
                "name": name,
                "rows": rows.tolist(),
                "labels": labels.tolist(),
                "results": results,
                "rest": list(rest_results(rows, labels, weights)),
            }
        )
    for name, rows, targets in regressions(random):
        weights = random.choice([0.0, 0.5, 1.0, 2.0], size=len(rows))
        results = list(tube_results(rows, targets, weights))
        golden["regressions"].append(
            {"name": name, "rows": rows.tolist(), "targets": targets.tolist(), "results": results}
        )
    path = pathlib.Path(__file__).parent.parent / "test" / "golden" / "linear-machines.json"
    path.write_text(json.dumps(golden, separators=(",", ":")).replace('{"by"', '\n{"by"') + "\n")


main()
