#!/usr/bin/env python3
"""Writes test/golden/parity.json: what scikit-learn's SVC, NuSVC, OneClassSVM, SVR and NuSVR find on the data of
scripts/parity-data.js, every type with every kernel, with and without weights, at a tight tolerance. Objectives are
computed here in f64 from the solution. Needs scikit-learn (Debian: python3-sklearn) and a build (npm run build).
Run: python3 scripts/golden-parity.py
"""

import json
import pathlib
import subprocess

import numpy
import sklearn
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOLERANCE = 1e-7


def kernel_values(spec, x, y):
    products = x @ y.T
    if spec["kind"] == "linear":
        return products
    if spec["kind"] == "polynomial":
        return (spec["gamma"] * products + spec["coef0"]) ** spec["degree"]
    if spec["kind"] == "sigmoid":
        return numpy.tanh(spec["gamma"] * products + spec["coef0"])
    distances = numpy.zeros_like(products)
    for a, b in zip(x.T, y.T):
        distances += numpy.subtract.outer(a, b) ** 2
    return numpy.exp(-spec["gamma"] * distances)


def machine(task, settings):
    common = {"kernel": "precomputed", "tol": TOLERANCE, "cache_size": 200, "max_iter": 2_000_000}
    if task == "svc":
        return SVC(C=settings["C"], decision_function_shape="ovo", **common)
    if task == "nu-svc":
        return NuSVC(nu=settings["nuSvc"], decision_function_shape="ovo", **common)
    if task == "one-class":
        return OneClassSVM(nu=settings["nuOneClass"], **common)
    if task == "svr":
        return SVR(C=settings["C"], epsilon=settings["epsilon"], **common)
    return NuSVR(C=settings["C"], nu=settings["nuSvr"], **common)


def pair_coefficients(model, count):
    """The coefficients of every pair over all samples, in the order of the pairs."""
    k = len(model.classes_)
    starts = numpy.concatenate([[0], numpy.cumsum(model.n_support_)])
    found = []
    for i in range(k):
        for j in range(i + 1, k):
            beta = numpy.zeros(count)
            for c, row in ((i, j - 1), (j, i)):
                own = slice(starts[c], starts[c + 1])
                beta[model.support_[own]] = model.dual_coef_[row, own]
            found.append(beta)
    return found


def objective(task, settings, beta, matrix, target):
    value = 0.5 * beta @ matrix @ beta
    if task == "svc":
        return value - numpy.abs(beta).sum()
    if task == "svr":
        return value - target @ beta + settings["epsilon"] * numpy.abs(beta).sum()
    if task == "nu-svr":
        return value - target @ beta
    return value


def solve(task, settings, matrix, test_matrix, data, weighted):
    target = numpy.array(data["targets"] if task.endswith("svr") else data["labels"], dtype=float)
    weights = numpy.array(data["weights"]) if weighted else None
    model = machine(task, settings)
    if task == "one-class":
        model.fit(matrix, sample_weight=weights)
    else:
        model.fit(matrix, target, sample_weight=weights)
    if task in ("svc", "nu-svc"):
        betas = pair_coefficients(model, len(target))
    else:
        beta = numpy.zeros(len(target))
        beta[model.support_] = model.dual_coef_[0]
        betas = [beta]
    values = model.predict(test_matrix) if task.endswith("svr") else model.decision_function(test_matrix)
    return {
        "objectives": [objective(task, settings, beta, matrix, target) for beta in betas],
        "biases": [float(b) for b in model.intercept_],
        "supportVectors": int(len(model.support_)),
        "absoluteSums": [float(numpy.abs(beta).sum()) for beta in betas],
        "decision": [float(f"{v:.12g}") for v in numpy.asarray(values).ravel()],
        "predicted": [float(v) for v in model.predict(test_matrix)] if not task.endswith("svr") else None,
    }


def main():
    out = subprocess.run(["node", str(ROOT / "scripts" / "golden-parity-data.js")], capture_output=True, check=True)
    described = json.loads(out.stdout)
    cases = []
    for name, data in described["data"].items():
        x = numpy.array(data["rows"])
        test = numpy.array(data["test"])
        for kernel, spec in described["kernels"].items():
            actual = described["precomputedOf"] if kernel == "precomputed" else spec
            matrix = kernel_values(actual, x, x)
            test_matrix = kernel_values(actual, test, x)
            for task in ("svc", "nu-svc", "one-class", "svr", "nu-svr"):
                for weighted in (False, True):
                    found = solve(task, described["settings"], matrix, test_matrix, data, weighted)
                    cases.append({"data": name, "kernel": kernel, "task": task, "weighted": weighted, **found})
    path = ROOT / "test" / "golden" / "parity.json"
    head = {"what": f"scikit-learn {sklearn.__version__} at tolerance {TOLERANCE}; made by scripts/golden-parity.py"}
    lines = ",\n".join(json.dumps(case) for case in cases)
    path.write_text(f'{{"what": {json.dumps(head["what"])}, "cases": [\n{lines}\n]}}\n')
    print(f"{len(cases)} cases")


main()
