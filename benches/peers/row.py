"""Prints a line of JSON for each size: least time of several calls, time of the first call, error or loss.

Every program of this folder is called with PROBLEM METHOD SECONDS SIZE...; SECONDS is the time for repetitions.
"""

import json
import sys
from importlib.metadata import version
from math import isfinite
from time import perf_counter

# Maximum number of repetitions.
MAX_REPEATS = 1000


def timed(call):
    start = perf_counter()
    result = call()
    return perf_counter() - start, result


def measure(problem, peer, size, seconds, call, error, training):
    """Measures a first call (compilation, plans, pages), then repeated calls for `seconds`, at least one. A call
    of a training returns the loss."""
    first, result = timed(call)
    numbers = {"loss": float(result)} if training else {}
    least, start = float("inf"), perf_counter()
    for repeat in range(MAX_REPEATS):
        if repeat > 0 and perf_counter() - start > seconds:
            break
        time, result = timed(call)
        least = min(least, time)
    if error is not None:
        numbers["error"] = float(error(result))
    row = {
        "problem": problem,
        "peer": peer,
        "version": version(peer.removesuffix("-python")),
        "size": size,
        "seconds": least,
        "first": first,
    }
    # JSON has no NaN: such a result is a failure.
    for name, value in numbers.items():
        row |= {name: value} if isfinite(value) else {"failed": f"the {name} is {value}"}
    print(json.dumps(row), flush=True)


def rows(problems, training=False):
    """Measures the problem and method of the command line. `problems` maps a problem to its methods by name; a
    method has its package and a function from a size to a call and its error (or None)."""
    problem, method, seconds, *sizes = sys.argv[1:]
    peer, prepare = problems[problem][method]
    for size in map(int, sizes):
        call, error = prepare(size)
        measure(problem, peer, size, float(seconds), call, error, training)
