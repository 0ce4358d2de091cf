"""Golden values of liblinear-train's lines: objectives at a tight tolerance, cross validation and -C.

Needs liblinear-train (Debian: liblinear-tools). The data are seeded and kept in the file as LIBSVM text. Solvers of the primal
problem print no objective: theirs is that of the solver of the dual, which differs in sign.
Writes test/golden/liblinear-commands.json.
"""

import json
import math
import pathlib
import random
import re
import subprocess
import tempfile

SEED = 16
COLS = 5
CASES = {"two": ["-B", "1"], "four": ["-w3", "2"], "curve": ["-B", "0.5", "-p", "0.05"]}
# LIBLINEAR's coordinate descent ends at 1,000 epochs, wherever it is then: losses with a kink need small prices.
PRICES = {"3": "0.01", "13": "0.01"}
PRICE = "0.25"
CLASSIFIERS = ["0", "1", "2", "3", "4", "5", "6", "7"]
REGRESSIONS = ["11", "12", "13"]
DUAL_OF = {"0": "7", "2": "1", "11": "12"}
SEARCHES = {"two": "0", "four": "2"}
TOLERANCE = "1e-7"
SEARCH_TOLERANCE = "1e-6"


def clouds(source, rows, labels):
    """Overlapping clouds, a third of the values zero, samples of the classes in turn."""
    middle = [[1.5 * source.gauss(0, 1) for _ in range(COLS)] for _ in labels]
    lines = []
    for i in range(rows):
        k = i % len(labels)
        values = [0 if source.random() < 0.33 else round(at + source.gauss(0, 1), 6) for at in middle[k]]
        lines.append((labels[k], values))
    return lines


def curve(source, rows):
    """A smooth function and noise."""
    return [
        (round(math.sin(values[0]) + values[1] / 2 + 0.1 * source.gauss(0, 1), 6), values)
        for _, values in clouds(source, rows, [0])
    ]


def text(lines):
    """LIBSVM text, zeros left out."""
    return "".join(
        f"{label}" + "".join(f" {j + 1}:{value}" for j, value in enumerate(values) if value != 0) + "\n"
        for label, values in lines
    )


def run(folder, *words):
    """What liblinear-train says."""
    done = subprocess.run(["liblinear-train", *words], cwd=folder, capture_output=True, text=True, check=True)
    assert "max number of iterations" not in done.stdout, words
    return done.stdout


def objective(folder, solver, options, name):
    """The objectives of all functions, added up."""
    said = run(folder, "-s", DUAL_OF.get(solver, solver), "-e", TOLERANCE, *options, name, "model")
    return abs(sum(float(value) for value in re.findall(r"Objective value = (.*)", said)))


def main():
    source = random.Random(SEED)
    data = {
        "two": text(clouds(source, 120, [1, -1])),
        "four": text(clouds(source, 160, [4, 0, 3, 8])),
        "curve": text(curve(source, 120)),
    }
    values = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in data.items():
            pathlib.Path(folder, name).write_text(lines)
        for name, options in CASES.items():
            for solver in REGRESSIONS if name == "curve" else CLASSIFIERS:
                words = [*options, "-c", PRICES.get(solver, PRICE)]
                values[f"{solver} {name}"] = {
                    "options": words,
                    "objective": objective(folder, solver, words, name),
                    "cv": run(folder, "-q", "-s", solver, "-e", TOLERANCE, "-v", "4", *words, name),
                }
        for name, solver in SEARCHES.items():
            said = run(folder, "-q", "-C", "-s", solver, "-e", SEARCH_TOLERANCE, "-v", "4", name)
            values[f"{solver} {name}"]["search"] = said.splitlines()[-1]
    package = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "liblinear-tools"], capture_output=True, text=True)
    golden = {
        "generator": "scripts/golden-liblinear-commands.py",
        "seed": SEED,
        "versions": {"liblinear-tools": package.stdout},
        "data": data,
        "values": values,
    }
    target = pathlib.Path(__file__).parent.parent / "test/golden/liblinear-commands.json"
    target.write_text(json.dumps(golden, indent=1) + "\n")


main()
