#!/usr/bin/env python3
"""Writes test/golden/linear.json: what LIBLINEAR's dual coordinate descent makes of three small problems.

Needs liblinear-train (Debian: liblinear-tools) and numpy. The primal value is computed here from the weights in
LIBLINEAR's model file, in double precision; runs in which LIBLINEAR did not reach its tolerance are left out.
Run: python3 scripts/golden-linear.py
"""

import json
import pathlib
import subprocess
import tempfile

import numpy

SEED = 11
SOLVERS = {"hinge": 3, "squared-hinge": 1}
TOLERANCE = 1e-10


def problems():
    random = numpy.random.RandomState(SEED)
    labels = numpy.where(random.uniform(size=60) < 0.4, 1, -1)
    overlapping = random.normal(size=(60, 4)) + 0.7 * labels[:, None]
    yield "overlapping", overlapping.round(6), labels

    labels = numpy.where(numpy.arange(30) % 3 == 0, 1, -1)
    separable = random.uniform(-1, 1, size=(30, 3))
    separable[:, 1] += 2 * labels
    yield "separable", separable.round(6), labels

    labels = numpy.where(numpy.arange(50) % 2 == 0, 1, -1)
    sparse = numpy.abs(random.normal(size=(50, 30))) + 0.3 * labels[:, None] * (numpy.arange(30) % 2)
    sparse[random.uniform(size=sparse.shape) < 0.8] = 0
    yield "sparse", sparse.round(6), labels


def libsvm_text(rows, labels):
    lines = []
    for row, label in zip(rows.tolist(), labels.tolist()):
        entries = " ".join(f"{j + 1}:{value!r}" for j, value in enumerate(row) if value != 0)
        lines.append(f"{label:+d} {entries}\n")
    return "".join(lines)


def train(rows, labels, loss, C, bias, positive_weight):
    with tempfile.TemporaryDirectory() as folder:
        data, model = f"{folder}/data", f"{folder}/model"
        pathlib.Path(data).write_text(libsvm_text(rows, labels))
        command = ["liblinear-train", "-s", str(SOLVERS[loss]), "-c", repr(C), "-e", repr(TOLERANCE)]
        command += ["-B", "1" if bias == "regularised" else "-1", "-w1", repr(positive_weight), data, model]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        lines = pathlib.Path(model).read_text().splitlines()
    converged = "reaching max number of iterations" not in run.stdout
    header = dict(line.split(" ", 1) for line in lines[: lines.index("w")])
    weights = numpy.array([float(line) for line in lines[lines.index("w") + 1 :]])
    # The model votes for the first label it names.
    return weights * (1 if header["label"].split()[0] in ("1", "+1") else -1), converged


def primal(rows, labels, loss, C, weights):
    augmented = numpy.hstack([rows, numpy.ones((len(rows), len(weights) - rows.shape[1]))])
    slack = numpy.maximum(0, 1 - labels * (augmented @ weights))
    return float(0.5 * weights @ weights + C @ (slack if loss == "hinge" else slack**2))


def main():
    package = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "liblinear-tools"], capture_output=True, text=True)
    golden = {
        "generator": "scripts/golden-linear.py",
        "versions": {"liblinear-tools": package.stdout, "numpy": numpy.__version__},
        "seed": SEED,
        "tolerance": TOLERANCE,
        "problems": [],
    }
    for name, rows, labels in problems():
        results = []
        for loss in SOLVERS:
            for bias in ("regularised", "none"):
                for C, weight in ((0.01, 1.0), (1.0, 1.0), (10.0, 1.0), (0.5, 3.0)):
                    weights, converged = train(rows, labels, loss, C, bias, weight)
                    if not converged:
                        continue
                    costs = numpy.where(labels > 0, C * weight, C)
                    results.append(
                        {
                            "loss": loss,
                            "bias": bias,
                            "C": C,
                            "positiveWeight": weight,
                            "primal": primal(rows, labels, loss, costs, weights),
                            "w": weights[: rows.shape[1]].tolist(),
                            "intercept": float(weights[-1]) if bias == "regularised" else 0,
                        }
                    )
        golden["problems"].append({"name": name, "rows": rows.tolist(), "labels": labels.tolist(), "results": results})
    path = pathlib.Path(__file__).parent.parent / "test" / "golden" / "linear.json"
    path.write_text(json.dumps(golden) + "\n")


main()
