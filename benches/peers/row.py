"""One line of JSON for each size: the least time of several calls, that of the first, the error.

Every program of this folder is called with PROBLEM METHOD SECONDS SIZE...; SECONDS is how long to repeat.
"""

import json
import sys
from importlib.metadata import version
from time import perf_counter

# More repeats than this tell nothing new.
MOST_REPEATS = 1000


def timed(call):
    start = perf_counter()
    result = call()
    return perf_counter() - start, result


def measure(problem, peer, size, seconds, call, error):
    """Calls once (compilation, plans, pages), then for so many seconds, at least once more."""
    first, result = timed(call)
    least, start = float("inf"), perf_counter()
    for repeat in range(MOST_REPEATS):
        if repeat > 0 and perf_counter() - start > seconds:
            break
        time, result = timed(call)
        least = min(least, time)
    error = None if error is None else float(error(result))
    row = {
        "problem": problem,
        "peer": peer,
        "version": version(peer),
        "size": size,
        "seconds": least,
        "first": first,
        # There is no NaN in JSON.
        "error": error if error is not None and abs(error) < float("inf") else None,
    }
    print(json.dumps(row), flush=True)


def rows(problems):
    """`problems` has the methods by name, and these the peer and what makes a call and its error (or None)
    from a size."""
    problem, method, seconds, *sizes = sys.argv[1:]
    peer, prepare = problems[problem][method]
    for size in map(int, sizes):
        call, error = prepare(size)
        measure(problem, peer, size, float(seconds), call, error)
