#!/usr/bin/env python3
"""Writes test/golden/solvers.json: the optima of the problems in test/golden/solver-problems.json.

LIBSVM's svm-train says what it prints; scikit-learn's SVC (and LinearSVC, for linear problems with a regularised bias)
is run to a tight tolerance, and its solution is then measured here in f64 from its definition.
Needs scikit-learn (Debian: python3-sklearn), svm-train (Debian: libsvm-tools) and a build (npm run build).
Run: python3 scripts/golden-solvers.py
"""

import json
import pathlib
import re
import subprocess
import tempfile

import numpy
import sklearn
from sklearn.datasets import load_svmlight_file
from sklearn.svm import SVC, LinearSVC

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "test" / "golden"
LIBSVM_TOLERANCE = "1e-7"
SVC_TOLERANCE = 1e-9
SEED = 0
LIBSVM_KERNELS = {"linear": 0, "polynomial": 1, "rbf": 2}


def kernel_matrix(spec, x):
    products = x @ x.T
    if spec["kind"] == "linear":
        return products
    if spec["kind"] == "polynomial":
        return (spec["gamma"] * products + spec["coef0"]) ** spec["degree"]
    # Straight differences: nothing cancels.
    distances = numpy.zeros_like(products)
    for column in x.T:
        distances += numpy.subtract.outer(column, column) ** 2
    return numpy.exp(-spec["gamma"] * distances)


def svm_train(problem, path):
    spec = problem["kernel"]
    options = ["-s", 0, "-t", LIBSVM_KERNELS[spec["kind"]], "-c", problem["C"], "-e", LIBSVM_TOLERANCE]
    for letter, name in (("-g", "gamma"), ("-r", "coef0"), ("-d", "degree")):
        if name in spec:
            options += [letter, spec[name]]
    for label, weight in problem.get("classWeights", {}).items():
        options += [f"-w{label}", weight]
    command = ["svm-train", *map(str, options)]
    output = subprocess.run([*command, path, f"{path}.model"], capture_output=True, text=True, check=True).stdout
    model = pathlib.Path(f"{path}.model").read_text()
    positive_first = re.search(r"^label (\S+)", model, re.MULTILINE).group(1) == "1"
    rho = float(re.search(r"^rho (\S+)", model, re.MULTILINE).group(1))
    printed = re.search(r"obj = (\S+), rho = \S+\nnSV = (\d+), nBSV = (\d+)", output)
    return {
        "command": " ".join(command),
        "obj": float(printed.group(1)),
        "rho": rho if positive_first else -rho,
        "nSV": int(printed.group(2)),
        "nBSV": int(printed.group(3)),
    }


def svc(problem, x, y, upper):
    spec = problem["kernel"]
    options = {"gamma": spec.get("gamma", "scale"), "coef0": spec.get("coef0", 0), "degree": spec.get("degree", 3)}
    weights = {int(label): weight for label, weight in problem.get("classWeights", {}).items()} or None
    kernel = {"polynomial": "poly"}.get(spec["kind"], spec["kind"])
    model = SVC(C=problem["C"], kernel=kernel, tol=SVC_TOLERANCE, class_weight=weights, **options).fit(x, y)
    signed = numpy.zeros(len(y))
    signed[model.support_] = model.dual_coef_[0]
    matrix = kernel_matrix(spec, x)
    values = matrix @ signed
    dual = 0.5 * signed @ values - signed @ y
    primal = 0.5 * signed @ values + upper @ numpy.maximum(0, 1 - y * (values + model.intercept_[0]))
    return {
        "dual": dual,
        "primal": primal,
        "bias": model.intercept_[0],
        "supportVectors": len(model.support_),
        "iterations": int(numpy.sum(model.n_iter_)),
    }


def linear_svc(problem, x, y, upper):
    weights = {int(label): weight for label, weight in problem.get("classWeights", {}).items()} or None
    model = LinearSVC(
        loss="hinge", C=problem["C"], tol=1e-11, max_iter=10_000_000, class_weight=weights, random_state=SEED
    ).fit(x, y)
    w, bias = model.coef_[0], model.intercept_[0]
    return {"primal": 0.5 * (w @ w + bias * bias) + upper @ numpy.maximum(0, 1 - y * (x @ w + bias)), "bias": bias}


def main():
    problems = json.loads((GOLDEN / "solver-problems.json").read_text())["problems"]
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["node", ROOT / "scripts" / "golden-solver-data.js", folder], check=True)
        for problem in problems:
            path = f"{folder}/{problem['name']}.libsvm"
            sparse, y = load_svmlight_file(path)
            x = sparse.toarray()
            upper = problem["C"] * numpy.array([problem.get("classWeights", {}).get(f"{label:g}", 1) for label in y])
            results[problem["name"]] = {
                "samples": len(y),
                "libsvm": svm_train(problem, path),
                "svc": svc(problem, x, y, upper),
            }
            if problem["kernel"]["kind"] == "linear":
                results[problem["name"]]["linearSvc"] = linear_svc(problem, x, y, upper)
    version = subprocess.run(["dpkg-query", "-W", "-f=${Version}", "libsvm-tools"], capture_output=True, text=True)
    golden = {
        "generator": "scripts/golden-solvers.py",
        "versions": {"scikit-learn": sklearn.__version__, "libsvm-tools": version.stdout or "unknown"},
        "settings": {"svmTrainTolerance": LIBSVM_TOLERANCE, "svcTolerance": SVC_TOLERANCE, "linearSvcSeed": SEED},
        "seeds": "those of the generators, in solver-problems.json",
        "optima": results,
    }
    (GOLDEN / "solvers.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
