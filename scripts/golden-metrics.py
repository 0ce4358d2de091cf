#!/usr/bin/env python3
"""Writes test/golden/metrics.json: what scikit-learn says about seeded labels, scores and targets.

Needs scikit-learn (Debian: python3-sklearn). Run: python3 scripts/golden-metrics.py
"""

import json
import pathlib
import warnings

import numpy
import sklearn
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning

SEED = 11
warnings.simplefilter("ignore", UndefinedMetricWarning)
warnings.filterwarnings("ignore", "y_pred contains classes not in y_true")


def plain(value):
    return value.tolist() if isinstance(value, (numpy.ndarray, numpy.generic)) else value


def scores(truth, predicted, average, weights=None, **options):
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        truth, predicted, average=average, sample_weight=weights, zero_division=0, **options
    )
    return {"precision": plain(precision), "recall": plain(recall), "f1": plain(f1)}


def classification(name, truth, predicted, weights=None, positive=None):
    return {
        "name": name,
        "truth": plain(truth),
        "predicted": plain(predicted),
        "weights": plain(weights),
        "positive": plain(positive),
        "confusion": plain(metrics.confusion_matrix(truth, predicted, sample_weight=weights)),
        "accuracy": metrics.accuracy_score(truth, predicted, sample_weight=weights),
        "balancedAccuracy": metrics.balanced_accuracy_score(truth, predicted, sample_weight=weights),
        "classes": scores(truth, predicted, None, weights),
        "macro": scores(truth, predicted, "macro", weights),
        "micro": scores(truth, predicted, "micro", weights),
        "weighted": scores(truth, predicted, "weighted", weights),
        "binary": None if positive is None else scores(truth, predicted, "binary", weights, pos_label=positive),
    }


def ranking(name, truth, score, positive, weights=None):
    hit = truth == positive
    fpr, tpr, roc_thresholds = metrics.roc_curve(hit, score, sample_weight=weights, drop_intermediate=False)
    precision, recall, thresholds = metrics.precision_recall_curve(hit, score, sample_weight=weights)
    return {
        "name": name,
        "truth": plain(truth),
        "scores": plain(score),
        "positive": plain(positive),
        "weights": plain(weights),
        # The first threshold is a placeholder that differs between versions.
        "roc": {"fpr": plain(fpr), "tpr": plain(tpr), "thresholds": plain(roc_thresholds[1:])},
        "rocAuc": metrics.roc_auc_score(hit, score, sample_weight=weights),
        "precisionRecall": {"precision": plain(precision), "recall": plain(recall), "thresholds": plain(thresholds)},
        "averagePrecision": metrics.average_precision_score(hit, score, sample_weight=weights),
        "precisionRecallAuc": metrics.auc(recall, precision),
    }


def log_loss(name, truth, probabilities, weights=None, labels=None):
    return {
        "name": name,
        "truth": plain(truth),
        "probabilities": plain(probabilities),
        "weights": plain(weights),
        "labels": plain(labels),
        "logLoss": metrics.log_loss(truth, probabilities, sample_weight=weights, labels=labels),
    }


def regression(name, truth, predicted, weights=None):
    return {
        "name": name,
        "truth": plain(truth),
        "predicted": plain(predicted),
        "weights": plain(weights),
        "meanSquaredError": metrics.mean_squared_error(truth, predicted, sample_weight=weights),
        "meanAbsoluteError": metrics.mean_absolute_error(truth, predicted, sample_weight=weights),
        "r2": metrics.r2_score(truth, predicted, sample_weight=weights),
        "squaredCorrelation": None if weights is not None else numpy.corrcoef(truth, predicted)[0, 1] ** 2,
    }


def main():
    random = numpy.random.RandomState(SEED)
    n = 40
    binary = random.choice([-1, 1], n)
    noisy = numpy.where(random.uniform(size=n) < 0.25, -binary, binary)
    three = random.choice([1, 2, 5], n, p=[0.5, 0.3, 0.2])
    three_predicted = numpy.where(random.uniform(size=n) < 0.4, random.choice([1, 2, 5], n), three)
    words = numpy.array(["ham", "spam"])[(binary > 0).astype(int)]
    words_predicted = numpy.array(["ham", "spam"])[(noisy > 0).astype(int)]
    weights = random.uniform(0.1, 3, n)
    some_weights = numpy.where(random.uniform(size=n) < 0.3, 0.0, weights)
    score = binary * 0.7 + random.normal(size=n)
    probability = 1 / (1 + numpy.exp(-score))
    rows = random.dirichlet([1, 1, 1], n)
    target = random.normal(size=n) * 3 + 100
    estimate = target + random.normal(size=n)

    golden = {
        "generator": "scripts/golden-metrics.py",
        "versions": {"scikit-learn": sklearn.__version__, "numpy": numpy.__version__},
        "seed": SEED,
        "classification": [
            classification("two classes", binary, noisy, positive=1),
            classification("two classes, weighted", binary, noisy, weights, positive=1),
            classification("two classes, the negative one as positive", binary, noisy, positive=-1),
            classification("strings", words, words_predicted, positive="spam"),
            classification("three classes", three, three_predicted),
            classification("three classes, weighted", three, three_predicted, weights),
            classification("a class never predicted", three, numpy.where(three_predicted == 5, 1, three_predicted)),
            classification("a class only predicted", numpy.where(three == 5, 1, three), three_predicted),
            classification("all predicted negative", binary, numpy.full(n, -1), positive=1),
        ],
        "ranking": [
            ranking("distinct scores", binary, score, 1),
            ranking("ties", binary, numpy.round(score * 2) / 2, 1),
            ranking("ties, weighted", binary, numpy.round(score * 2) / 2, 1, weights),
            ranking("some weights zero", binary, numpy.round(score * 2) / 2, 1, some_weights),
            ranking("constant score", binary, numpy.zeros(n), 1),
            ranking("perfect", binary, binary.astype(float), 1),
            ranking("reversed", binary, -binary.astype(float), 1),
            ranking("strings", words, score, "spam"),
            ranking("one class against the rest", three, score, 2),
        ],
        "logLoss": [
            log_loss("two classes", binary, probability),
            log_loss("two classes, weighted", binary, probability, weights),
            log_loss("sure of it", numpy.array([0, 1, 1, 0]), numpy.array([0.0, 1.0, 0.0, 0.25])),
            log_loss("three classes", three, rows),
            log_loss("three classes, weighted", three, rows, weights),
            log_loss("a class that does not occur", binary, rows, labels=[-1, 0, 1]),
        ],
        "regression": [
            regression("noise", target, estimate),
            regression("noise, weighted", target, estimate, weights),
            regression("worse than the mean", target, -estimate),
            regression("perfect", target, target),
        ],
    }
    path = pathlib.Path(__file__).parent.parent / "test" / "golden" / "metrics.json"
    path.write_text(json.dumps(golden, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n")


main()
