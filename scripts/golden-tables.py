#!/usr/bin/env python3
"""Writes test/golden/tables.json: a table of mixed columns, and what scikit-learn's ColumnTransformer, SVC and SVR make of it.

Needs scikit-learn (Debian: python3-sklearn).
Run: python3 scripts/golden-tables.py
"""

import json
import pathlib

import numpy
import sklearn
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC, SVR

SEED = 11
TRAIN, TEST = 80, 40
NAMES = ["age", "income", "city", "size", "body", "left"]
WORDS = "good great bad awful service refund late fast staff price Größe naïve x9 the_end 東京 a".split()


def rows(random, count, cities):
    table = []
    for _ in range(count):
        age = None if random.uniform() < 0.1 else int(random.randint(18, 80))
        income = None if random.uniform() < 0.1 else round(float(random.lognormal(3, 1)), 2)
        city = None if random.uniform() < 0.1 else cities[random.randint(len(cities))]
        size = ["S", "M", "L"][random.randint(3)]
        body = " ".join(WORDS[random.randint(len(WORDS))] for _ in range(random.randint(3, 9)))
        noisy = random.uniform() < 0.1
        left = "yes" if ("bad" in body or city == "Rome") != noisy else "no"
        table.append([age, income, city, size, body, left])
    return table


def column(table, name, missing=numpy.nan):
    k = NAMES.index(name)
    cells = [missing if row[k] is None else row[k] for row in table]
    return numpy.array(cells, dtype=object if isinstance(missing, str) else float).reshape(-1, 1)


def frame(table):
    numbers = numpy.hstack([column(table, name) for name in ["age", "income"]]).astype(object)
    texts = [column(table, name, "") for name in ["city", "size", "body"]]
    return numpy.hstack([numbers, *texts])


def transformer(text):
    return ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(strategy="median", add_indicator=False), StandardScaler()), [0, 1]),
            ("city", make_pipeline(SimpleImputer(missing_values="", strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")), [2]),
            ("size", make_pipeline(OrdinalEncoder(categories=[["S", "M", "L"]]), StandardScaler()), [3]),
            ("body", text, 4),
        ]
    )


def dense(matrix):
    return (matrix.toarray() if hasattr(matrix, "toarray") else matrix).astype(float).tolist()


def main():
    random = numpy.random.RandomState(SEED)
    train = rows(random, TRAIN, ["Paris", "Rome", "Oslo"])
    test = rows(random, TEST, ["Paris", "Rome", "Oslo", "Bern"])
    labels = [row[5] for row in train]
    targets = numpy.array([1000 + 50 * row[0] if row[0] is not None else 2000.0 for row in train], dtype=float)
    golden = {
        "generator": "scripts/golden-tables.py",
        "versions": {"scikit-learn": sklearn.__version__, "numpy": numpy.__version__},
        "seed": SEED,
        "names": NAMES,
        "train": train,
        "test": test,
        "targets": targets.tolist(),
    }
    texts = {
        "tf-idf": TfidfVectorizer(ngram_range=(1, 2)),
        "tf-idf, 20 terms": TfidfVectorizer(max_features=20),
        "hashing": HashingVectorizer(n_features=64),
        "char": TfidfVectorizer(analyzer="char", ngram_range=(2, 3)),
    }
    golden["vectorizers"] = {}
    for name, text in texts.items():
        made = transformer(text)
        features = made.fit_transform(frame(train))
        machine = SVC(C=2, gamma=0.2, tol=1e-12).fit(features, labels)
        unseen = made.transform(frame(test))
        golden["vectorizers"][name] = {
            "features": dense(unseen)[:5],
            "decisions": machine.decision_function(unseen).tolist(),
        }
    pipeline = make_pipeline(transformer(TfidfVectorizer()), SVR(C=1, gamma=0.1, epsilon=0.05, tol=1e-12))
    regression = TransformedTargetRegressor(pipeline, transformer=StandardScaler())
    golden["scaledTargets"] = regression.fit(frame(train), targets).predict(frame(test)).tolist()
    path = pathlib.Path(__file__).parent.parent / "test" / "golden" / "tables.json"
    path.write_text(json.dumps(golden, ensure_ascii=False, separators=(",", ":")).replace("],[", "],\n[") + "\n")


main()
