"""Reads LIBSVM text and searches grid.py's default grid by 5 folds with scikit-learn's GridSearchCV.

sklearn-grid.py DATA JOBS

The last line printed is JSON with the best score, its parameters, and the seconds of `fit` alone.
"""

import json
import sys
import time

from sklearn.datasets import load_svmlight_file
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

data, jobs = sys.argv[1:]
samples, labels = load_svmlight_file(data)
grid = {
    "C": [2.0**k for k in range(-5, 16, 2)],
    "gamma": [2.0**k for k in range(3, -16, -2)],
}
search = GridSearchCV(SVC(cache_size=200), grid, cv=5, n_jobs=int(jobs))
started = time.perf_counter()
search.fit(samples.toarray(), labels)
seconds = time.perf_counter() - started
print(json.dumps({"bestScore": search.best_score_, "bestParams": search.best_params_, "fitSeconds": seconds}))
