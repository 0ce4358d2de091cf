#!/usr/bin/env python3
"""Writes test/golden/scalers.json: what scikit-learn's StandardScaler and LIBSVM's svm-scale make of one matrix.

Needs scikit-learn (Debian: python3-sklearn) and svm-scale (Debian: libsvm-tools).
Run: python3 scripts/golden-scalers.py
"""

import json
import pathlib
import subprocess
import tempfile

import numpy
import scipy.sparse
import sklearn
from sklearn.preprocessing import StandardScaler

SEED = 7
ROWS, COLUMNS = 12, 6


def libsvm_text(matrix):
    lines = []
    for i, row in enumerate(matrix):
        entries = " ".join(f"{j + 1}:{value!r}" for j, value in enumerate(row.tolist()) if value != 0)
        lines.append(f"{i % 3} {entries}\n")
    return "".join(lines)


def svm_scale(matrix, *options):
    with tempfile.TemporaryDirectory() as folder:
        data, ranges = f"{folder}/data", f"{folder}/ranges"
        pathlib.Path(data).write_text(libsvm_text(matrix))
        run = subprocess.run(["svm-scale", *options, "-s", ranges, data], capture_output=True, text=True, check=True)
        return {"options": options, "output": run.stdout, "ranges": pathlib.Path(ranges).read_text()}


def standard(matrix, with_mean):
    scaler = StandardScaler(with_mean=with_mean).fit(matrix)
    scaled = scaler.transform(matrix)
    return {
        "mean": scaler.mean_.tolist() if with_mean else None,
        "scale": scaler.scale_.tolist(),
        "scaled": (scaled.toarray() if scipy.sparse.issparse(scaled) else scaled).tolist(),
    }


def main():
    random = numpy.random.RandomState(SEED)
    matrix = random.normal(size=(ROWS, COLUMNS)) * [1, 1e6, 1e-6, 3, 1, 5] + [0, 1e6, 0, -2, 0, 0]
    matrix[random.uniform(size=matrix.shape) < 0.4] = 0
    matrix[:, 3] = 0.1  # constant
    matrix[:, 4] = numpy.abs(matrix[:, 4])
    package = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libsvm-tools"], capture_output=True, text=True)
    golden = {
        "generator": "scripts/golden-scalers.py",
        "versions": {"scikit-learn": sklearn.__version__, "numpy": numpy.__version__, "libsvm-tools": package.stdout},
        "seed": SEED,
        "matrix": matrix.tolist(),
        "standard": standard(matrix, True),
        "standardWithoutMean": standard(scipy.sparse.csr_matrix(matrix), False),
        "svmScale": [
            svm_scale(matrix),
            svm_scale(matrix, "-l", "0", "-u", "1"),
            svm_scale(matrix, "-l", "0.5", "-u", "3", "-y", "-1", "2"),
        ],
    }
    path = pathlib.Path(__file__).parent.parent / "test" / "golden" / "scalers.json"
    path.write_text(json.dumps(golden, separators=(",", ":")).replace("[[", "\n[[").replace("],[", "],\n[") + "\n")


main()
