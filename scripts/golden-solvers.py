#!/usr/bin/env python3
"""Writes test/golden/solvers.json: the optima of the problems in test/golden/solver-problems.json.

LIBSVM's svm-train says what it prints; scikit-learn's SVC, and LinearSVC for the form with a regularised bias, are run
to a tight tolerance, and their solutions are then measured here in f64 from the definition. LinearSVC gets a factor L
of the kernel matrix, K + 1 = L L', as its features.
Needs scikit-learn (Debian: python3-sklearn), svm-train (Debian: libsvm-tools) and a build (npm run build).
Run: python3 scripts/golden-solvers.py
"""

import json
import pathlib
import re
import subprocess
import tempfile
import warnings

import numpy
import sklearn
from sklearn.datasets import load_svmlight_file
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, LinearSVC

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "test" / "golden"
LIBSVM_TOLERANCE = "1e-7"
SVC_TOLERANCE = 1e-9
LINEAR_SVC_TOLERANCE = 1e-10
LINEAR_SVC_EPOCHS = 1_000_000
SEED = 0
# Whether LinearSVC converged is recorded beside its result.
warnings.simplefilter("ignore", ConvergenceWarning)
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


def class_weights(problem):
    return {int(label): weight for label, weight in problem.get("classWeights", {}).items()} or None


def svc(problem, matrix, x, y, upper):
    spec = problem["kernel"]
    options = {"gamma": spec.get("gamma", "scale"), "coef0": spec.get("coef0", 0), "degree": spec.get("degree", 3)}
    kernel = {"polynomial": "poly"}.get(spec["kind"], spec["kind"])
    weights = class_weights(problem)
    model = SVC(C=problem["C"], kernel=kernel, tol=SVC_TOLERANCE, class_weight=weights, **options).fit(x, y)
    signed = numpy.zeros(len(y))
    signed[model.support_] = model.dual_coef_[0]
    values = matrix @ signed
    bias = model.intercept_[0]
    return {
        "dual": 0.5 * signed @ values - signed @ y,
        "primal": 0.5 * signed @ values + upper @ numpy.maximum(0, 1 - y * (values + bias)),
        "bias": bias,
        "supportVectors": len(model.support_),
    }


def linear_svc(problem, matrix, y, upper):
    eigenvalues, vectors = numpy.linalg.eigh(matrix + 1)
    kept = eigenvalues > 1e-15 * eigenvalues[-1]
    features = vectors[:, kept] * numpy.sqrt(eigenvalues[kept])
    model = LinearSVC(
        loss="hinge",
        C=problem["C"],
        tol=LINEAR_SVC_TOLERANCE,
        max_iter=LINEAR_SVC_EPOCHS,
        fit_intercept=False,
        class_weight=class_weights(problem),
        random_state=SEED,
    ).fit(features, y)
    w = model.coef_[0]
    return {
        "primal": 0.5 * w @ w + upper @ numpy.maximum(0, 1 - y * (features @ w)),
        "converged": bool(model.n_iter_ < LINEAR_SVC_EPOCHS),
    }


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
            matrix = kernel_matrix(problem["kernel"], x)
            results[problem["name"]] = {
                "samples": len(y),
                "libsvm": svm_train(problem, path),
                "svc": svc(problem, matrix, x, y, upper),
                "linearSvc": linear_svc(problem, matrix, y, upper),
            }
    version = subprocess.run(["dpkg-query", "-W", "-f=${Version}", "libsvm-tools"], capture_output=True, text=True)
    golden = {
        "generator": "scripts/golden-solvers.py",
        "versions": {"scikit-learn": sklearn.__version__, "libsvm-tools": version.stdout or "unknown"},
        "settings": {"svmTrainTolerance": LIBSVM_TOLERANCE, "svcTolerance": SVC_TOLERANCE,
                     "linearSvcTolerance": LINEAR_SVC_TOLERANCE, "linearSvcSeed": SEED},
        "seeds": "those of the generators, in solver-problems.json",
        "optima": results,
    }
    (GOLDEN / "solvers.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
