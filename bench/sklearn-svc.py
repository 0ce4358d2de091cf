"""Reads LIBSVM text, fits scikit-learn's SVC and saves it.

sklearn-svc.py DATA MODEL dense|sparse KERNEL C GAMMA TOL CACHE_MB

The last line printed is JSON with the seconds of `fit` alone; libsvm, inside, prints the objective before that.
"""

import json
import pickle
import sys
import time

from sklearn.datasets import load_svmlight_file
from sklearn.svm import SVC

data, model, form, kernel, C, gamma, tol, cache = sys.argv[1:]
samples, labels = load_svmlight_file(data)
if form == "dense":
    samples = samples.toarray()
estimator = SVC(
    kernel=kernel, C=float(C), gamma=float(gamma), tol=float(tol), cache_size=float(cache), verbose=True
)
started = time.perf_counter()
estimator.fit(samples, labels)
seconds = time.perf_counter() - started
with open(model, "wb") as file:
    pickle.dump(estimator, file)
print("\n" + json.dumps({"fitSeconds": seconds, "supportVectors": int(estimator.n_support_.sum())}))
