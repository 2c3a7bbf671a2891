"""One line of JSON for each size: the least time of several calls, that of the first, the error or loss.

Every program of this folder is called with PROBLEM METHOD SECONDS SIZE...; SECONDS is how long to repeat.
"""

import json
import sys
from importlib.metadata import version
from math import isfinite
from time import perf_counter

# More repeats than this tell nothing new.
MOST_REPEATS = 1000


def timed(call):
    start = perf_counter()
    result = call()
    return perf_counter() - start, result


def measure(problem, peer, size, seconds, call, error, training):
    """Calls once (compilation, plans, pages), then for so many seconds, at least once more. What a call
    of training returns is the loss."""
    first, result = timed(call)
    found = {"loss": float(result)} if training else {}
    least, start = float("inf"), perf_counter()
    for repeat in range(MOST_REPEATS):
        if repeat > 0 and perf_counter() - start > seconds:
            break
        time, result = timed(call)
        least = min(least, time)
    if error is not None:
        found["error"] = float(error(result))
    row = {
        "problem": problem,
        "peer": peer,
        "version": version(peer),
        "size": size,
        "seconds": least,
        "first": first,
    }
    # There is no NaN in JSON, and a result that is none is no result.
    for name, value in found.items():
        row |= {name: value} if isfinite(value) else {"failed": f"the {name} is {value}"}
    print(json.dumps(row), flush=True)


def rows(problems, training=False):
    """`problems` has the methods by name, and these the peer and what makes a call and its error (or None)
    from a size."""
    problem, method, seconds, *sizes = sys.argv[1:]
    peer, prepare = problems[problem][method]
    for size in map(int, sizes):
        call, error = prepare(size)
        measure(problem, peer, size, float(seconds), call, error, training)
