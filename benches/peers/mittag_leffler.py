"""`E_{0.7, 1}` of many arguments; the error over the whole committed table of high-precision values.

The error is the largest one relative to |E| + |z E'|: what a rounding of z may do.
"""

import csv
from pathlib import Path

import numpy as np

from row import rows

TABLE = Path(__file__).parents[2] / "crates/hpfracc-special/tests/data/mittag_leffler.csv"


def negative(size):
    """Spread evenly in log |z| from 1e-3 to 1e4."""
    return -(10.0 ** (-3 + 7 * np.arange(size) / size))


def complex_plane(size):
    """|z| up to 50, in every direction."""
    i = np.arange(size)
    return 50 * (i + 1) / size * np.exp(2.399963j * i)


def worst(value, wanted):
    with TABLE.open() as file:
        table = [tuple(map(float, row.values())) for row in csv.DictReader(file)]
    errors = []
    for alpha, beta, x, y, re, im, slope in table:
        if wanted(x, y):
            exact = complex(re, im)
            z = complex(x, y) if y else x
            errors.append(abs(value(z, alpha, beta) - exact) / (abs(exact) + slope))
    # Keeps a NaN, where `max` may lose it.
    return np.max(errors)


def pymittagleffler(arguments, wanted):
    def prepare(size):
        from pymittagleffler import mittag_leffler

        z = arguments(size)
        error = lambda _: worst(mittag_leffler, wanted)
        return lambda: mittag_leffler(z, 0.7, 1.0), error

    return prepare


WHERE = {
    "mittag-leffler-negative": (negative, lambda x, y: y == 0 and x < 0),
    "mittag-leffler-complex": (complex_plane, lambda x, y: y != 0),
}

if __name__ == "__main__":
    rows({name: {"default": ("pymittagleffler", pymittagleffler(*at))} for name, at in WHERE.items()})
