"""Fits scikit-learn's machines for ../torture/peers.ts: one JSON problem a line in, one JSON answer a line out."""

import json
import resource
import sys
import time
import warnings

import numpy
import sklearn
from sklearn import svm

warnings.simplefilter("ignore")
print(json.dumps({"version": sklearn.__version__}), flush=True)
for line in sys.stdin:
    problem = json.loads(line)
    # Seconds of the processor, after which the process ends: a busy machine gives up nothing sooner.
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + 1 + problem["patience"], resource.RLIM_INFINITY))
    rows = numpy.array(problem["rows"], dtype=float).reshape(problem["shape"])
    estimator = getattr(svm, problem["estimator"])(**problem["parameters"])
    started = time.perf_counter()
    try:
        if problem["estimator"] == "OneClassSVM":
            estimator.fit(rows)
        else:
            estimator.fit(rows, numpy.array(problem["labels"]), sample_weight=problem.get("weights"))
    except ValueError as error:
        print(json.dumps({"error": str(error)}), flush=True)
        continue
    answer = {"seconds": time.perf_counter() - started}
    if hasattr(estimator, "dual_coef_"):
        answer["support"] = estimator.support_.tolist()
        answer["coefficients"] = numpy.asarray(estimator.dual_coef_).ravel().tolist()
    else:
        answer["epochs"] = int(numpy.max(estimator.n_iter_))
        answer["weights"] = numpy.asarray(estimator.coef_).ravel().tolist()
        answer["biases"] = numpy.asarray(estimator.intercept_).ravel().tolist()
    print(json.dumps(answer), flush=True)
