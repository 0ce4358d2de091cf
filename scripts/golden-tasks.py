#!/usr/bin/env python3
"""Writes test/golden/tasks.json: what scikit-learn gets on the tasks of test/tasks/, on the same data and splits.

The data are made of numbers that Python and JavaScript compute alike (test/tasks/task-data.ts): no file holds them.
Needs scikit-learn (Debian: python3-sklearn).
Run: python3 scripts/golden-tasks.py
"""

import json
import pathlib

import numpy
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.inspection import permutation_importance
from sklearn.metrics import accuracy_score, f1_score, log_loss, make_scorer, precision_recall_curve, roc_auc_score
from sklearn.metrics.pairwise import chi2_kernel
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, OneClassSVM

TIGHT = {"tol": 1e-12}


class Numbers:
    """Lehmer's generator: products below 2^53, so that doubles hold them."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = self.state * 48271 % 2147483647
        return self.state / 2147483647

    def below(self, count):
        return int(self.uniform() * count)

    def normal(self):
        total = 0.0
        for _ in range(12):
            total += self.uniform()
        return total - 6


def clouds(seed, rows, width, classes, spread):
    """Sample i is near the centre of class i mod classes."""
    numbers = Numbers(seed)
    centres = [[10 * numbers.uniform() - 5 for _ in range(width)] for _ in range(classes)]
    x = [[centres[i % classes][j] + spread * numbers.normal() for j in range(width)] for i in range(rows)]
    return numpy.array(x), numpy.arange(rows) % classes


def rare(seed, rows):
    """One sample of 20 is of class 1, and not far from the others."""
    numbers = Numbers(seed)
    y = (numpy.arange(rows) % 20 == 0).astype(int)
    x = [[1.5 * y[i] + numbers.normal(), 1.5 * y[i] + numbers.normal()] for i in range(rows)]
    return numpy.array(x), y


def documents(seed, rows):
    numbers = Numbers(seed)
    common = "the a of and to in is it for on with as this that we".split()
    topics = ["goal match team player league score win coach".split(), "market stock price trade bank profit share fund".split()]
    texts = []
    for i in range(rows):
        words = []
        for _ in range(6 + numbers.below(10)):
            own = topics[i % 2] if numbers.uniform() < 0.8 else topics[1 - i % 2]
            source = own if numbers.uniform() < 0.35 else common
            words.append(source[numbers.below(len(source))])
        texts.append(" ".join(words))
    return texts, numpy.arange(rows) % 2


def embeddings(seed, rows, width):
    numbers = Numbers(seed)
    direction = [numbers.normal() for _ in range(width)]
    x = [[numbers.normal() + 0.1 * (i % 2) * direction[j] for j in range(width)] for i in range(rows)]
    return numpy.array(x, dtype=numpy.float32).astype(float), numpy.arange(rows) % 2


def grouped(seed, groups, size, width):
    """Samples of a group share an offset: a model that has seen the group does too well."""
    numbers = Numbers(seed)
    x, y, owner = [], [], []
    for g in range(groups):
        offset = [2 * numbers.normal() for _ in range(width)]
        for k in range(size):
            row = [offset[j] + numbers.normal() for j in range(width)]
            y.append(int(row[0] + row[1] + 1.5 * numbers.normal() > 0))
            x.append(row)
            owner.append(g)
    return numpy.array(x), numpy.array(y), numpy.array(owner)


def curve(seed, rows, width):
    numbers = Numbers(seed)
    x = numpy.array([[4 * numbers.uniform() - 2 for _ in range(width)] for _ in range(rows)])
    y = [row[0] * row[1] + row[2] * row[2] + 0.2 * numbers.normal() for row in x]
    return x, numpy.array(y)


def series(seed, rows, lags):
    """A wave without sines: the values before are the features of the next one."""
    numbers = Numbers(seed)
    values = [1.0, 0.8]
    while len(values) < rows + lags:
        values.append(1.8 * values[-1] - 0.95 * values[-2] + 0.2 * numbers.normal())
    x = [[values[i + k] for k in range(lags)] for i in range(rows)]
    return numpy.array(x), numpy.array([values[i + lags] for i in range(rows)])


def strings(seed, rows, length):
    numbers = Numbers(seed)
    texts = []
    for i in range(rows):
        letters = ["ACGT"[numbers.below(4)] for _ in range(length)]
        at = numbers.below(length - 4)
        letters[at : at + 4] = list("GATA" if i % 2 == 0 else "CCGG")
        texts.append("".join(letters))
    return texts, numpy.arange(rows) % 2


def spectrum(a, b, p=3):
    """Products of the counts of all runs of p letters, for every pair."""
    count = lambda text: [text[k : k + p] for k in range(len(text) - p + 1)]
    runs = sorted({run for text in [*a, *b] for run in count(text)})
    place = {run: k for k, run in enumerate(runs)}

    def table(texts):
        counts = numpy.zeros((len(texts), len(runs)))
        for i, text in enumerate(texts):
            for run in count(text):
                counts[i, place[run]] += 1
        return counts / numpy.linalg.norm(counts, axis=1, keepdims=True)

    return table(a) @ table(b).T


def histograms(seed, rows, width):
    numbers = Numbers(seed)
    x = [[numbers.uniform() + (1.0 if j % 2 == i % 2 else 0.6) * numbers.uniform() for j in range(width)] for i in range(rows)]
    return numpy.array(x), numpy.arange(rows) % 2


def large(seed, rows, width):
    """By columns of one recursion for all rows, as numpy is slow in single steps."""
    state = (numpy.arange(1, rows + 1, dtype=numpy.int64) * 7919 + seed) % 2147483647
    x = numpy.empty((rows, width))
    total = numpy.zeros(rows)
    for j in range(width):
        state = state * 48271 % 2147483647
        x[:, j] = 2 * (state / 2147483647) - 1
        total = total + (1 if j % 2 == 0 else -0.5) * x[:, j]
    state = state * 48271 % 2147483647
    return x, numpy.where(total + 2 * (state / 2147483647) - 1 > 0.25, 1, -1)


def cost(truth, predicted):
    """A missed one costs five false alarms."""
    missed = numpy.sum((truth == 1) & (predicted == 0))
    alarms = numpy.sum((truth == 0) & (predicted == 1))
    return -float(5 * missed + alarms)


def letters():
    x, y = clouds(1, 780, 6, 26, 1.4)
    predicted = SVC(C=5, gamma=0.1, **TIGHT).fit(x[:520], y[:520]).predict(x[520:])
    return {"predicted": predicted.tolist(), "accuracy": accuracy_score(y[520:], predicted)}


def imbalanced():
    x, y = rare(2, 1200)
    model = SVC(C=1, gamma=0.5, class_weight="balanced", **TIGHT).fit(x[:400], y[:400])
    values = model.decision_function(x[400:800])
    precision, recall, thresholds = precision_recall_curve(y[400:800], values)
    best = int(numpy.argmax(2 * precision * recall / numpy.maximum(precision + recall, 1e-300)))
    # Halfway to the next value below, so that rounding decides nothing.
    threshold = float(thresholds[best] + numpy.max(values[values < thresholds[best]])) / 2
    unseen = model.decision_function(x[800:])
    return {
        "decisions": unseen.tolist(),
        "threshold": threshold,
        "f1Validation": f1_score(y[400:800], values >= threshold),
        "f1Default": f1_score(y[800:], unseen > 0),
        "f1": f1_score(y[800:], unseen >= threshold),
        "rocAuc": roc_auc_score(y[800:], unseen),
    }


def probabilities():
    x, y = clouds(3, 400, 3, 2, 4)
    folds = list(StratifiedKFold(5).split(x[:250], y[:250]))
    model = CalibratedClassifierCV(SVC(C=1, gamma=0.1, **TIGHT), method="sigmoid", cv=folds, ensemble=False)
    found = model.fit(x[:250], y[:250]).predict_proba(x[250:])[:, 1]
    owner = numpy.empty(250, dtype=int)
    for f, (_, test) in enumerate(folds):
        owner[test] = f
    return {"folds": owner.tolist(), "probabilities": found.tolist(), "logLoss": log_loss(y[250:], found)}


def anomalies():
    numbers = Numbers(4)
    train = [[numbers.normal() for _ in range(3)] for _ in range(400)]
    stream = [[(3 if i % 40 >= 30 else 0) + numbers.normal() for _ in range(3)] for i in range(200)]
    model = OneClassSVM(nu=0.05, gamma=0.3, **TIGHT).fit(train)
    values = model.decision_function(stream)
    strange = numpy.arange(200) % 40 >= 30
    return {"decisions": values.tolist(), "rocAuc": roc_auc_score(strange, -values)}


def raw_text():
    texts, y = documents(5, 200)
    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LinearSVC(C=1, dual=False, tol=1e-12, max_iter=100000))
    model.fit(texts[:150], y[:150])
    return {
        "decisions": model.decision_function(texts[150:]).tolist(),
        "accuracy": model.score(texts[150:], y[150:]),
        "terms": len(model[0].vocabulary_),
    }


def head():
    x, y = embeddings(6, 260, 384)
    model = SVC(C=1, gamma="scale", **TIGHT).fit(x[:200], y[:200])
    return {"decisions": model.decision_function(x[200:]).tolist(), "accuracy": model.score(x[200:], y[200:])}


def groups():
    x, y, owner = grouped(7, 20, 12, 4)
    fold = numpy.empty(len(y), dtype=int)
    folds = list(GroupKFold(5).split(x, y, owner))
    for f, (_, test) in enumerate(folds):
        fold[test] = f
    model = make_pipeline(StandardScaler(), SVC(C=1, gamma=0.25, **TIGHT))
    return {
        "folds": fold.tolist(),
        "accuracy": cross_val_score(model, x, y, cv=folds).tolist(),
        "cost": cross_val_score(model, x, y, cv=folds, scoring=make_scorer(cost)).tolist(),
    }


def nested():
    x, y = curve(8, 150, 3)
    grid = {"C": [0.1, 1, 10, 100], "gamma": [0.05, 0.2, 1]}
    scores, chosen = [], []
    for train, test in KFold(5).split(x):
        inner = GridSearchCV(SVR(epsilon=0.05, tol=1e-9), grid, cv=KFold(4), scoring="neg_mean_squared_error")
        inner.fit(x[train], y[train])
        scores.append(float(numpy.mean((inner.predict(x[test]) - y[test]) ** 2)))
        chosen.append(inner.best_params_)
    return {"mse": scores, "chosen": chosen}


def time_series():
    x, y = series(9, 240, 6)
    model = make_pipeline(StandardScaler(), SVR(C=10, gamma=0.05, epsilon=0.01, tol=1e-10))
    found = cross_val_score(model, x, y, cv=TimeSeriesSplit(5), scoring="neg_mean_absolute_error")
    return {"mae": (-found).tolist()}


def string_kernel():
    texts, y = strings(10, 160, 24)
    train, test = texts[:120], texts[120:]
    model = SVC(C=1, kernel="precomputed", **TIGHT).fit(spectrum(train, train), y[:120])
    values = spectrum(test, train)
    return {"decisions": model.decision_function(values).tolist(), "accuracy": model.score(values, y[120:])}


def precomputed():
    x, y = histograms(11, 160, 8)
    model = SVC(C=2, kernel="precomputed", **TIGHT).fit(chi2_kernel(x[:120], gamma=0.5), y[:120])
    values = chi2_kernel(x[120:], x[:120], gamma=0.5)
    return {"decisions": model.decision_function(values).tolist(), "accuracy": model.score(values, y[120:])}


def importance():
    x, y = clouds(12, 500, 5, 2, 3)
    x[:, 3:] = [[0.001 * i % 0.7, 0.002 * i % 0.9] for i in range(500)]
    model = make_pipeline(StandardScaler(), SVC(C=1, gamma=0.2, **TIGHT)).fit(x[:300], y[:300])
    found = permutation_importance(model, x[300:], y[300:], n_repeats=100, random_state=0)
    return {"mean": found.importances_mean.tolist(), "standardDeviation": found.importances_std.tolist()}


def many_rows():
    x, y = large(13, 300000, 20)
    model = LinearSVC(C=1, dual=False, tol=1e-10, max_iter=10000).fit(x, y)
    return {"weights": model.coef_[0].tolist(), "bias": float(model.intercept_[0]), "accuracy": model.score(x, y)}


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return {key: rounded(item) for key, item in value.items()} if isinstance(value, dict) else value


def main():
    tasks = {
        "letters": letters,
        "imbalanced": imbalanced,
        "probabilities": probabilities,
        "anomalies": anomalies,
        "rawText": raw_text,
        "embeddings": head,
        "groups": groups,
        "nested": nested,
        "timeSeries": time_series,
        "stringKernel": string_kernel,
        "precomputed": precomputed,
        "importance": importance,
        "manyRows": many_rows,
    }
    golden = {
        "generator": "scripts/golden-tasks.py",
        "versions": {"scikit-learn": sklearn.__version__, "numpy": numpy.__version__},
        **{name: rounded(task()) for name, task in tasks.items()},
    }
    path = pathlib.Path(__file__).parent.parent / "test" / "golden" / "tasks.json"
    path.write_text(json.dumps(golden, separators=(",", ":")).replace("},", "},\n") + "\n")


main()
