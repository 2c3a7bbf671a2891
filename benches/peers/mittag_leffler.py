"""`E_{0.7, 1}` at many arguments.

The error is the largest over the committed table of high-precision values, relative to |E| + |z E'|, the
effect of rounding z.
"""

import csv
from pathlib import Path

import numpy as np

from row import rows

TABLE = Path(__file__).parents[2] / "crates/hpfracc-special/tests/data/mittag_leffler.csv"


def negative(size):
    """Negative arguments, equidistant in log |z| from 1e-3 to 1e4."""
    return -(10.0 ** (-3 + 7 * np.arange(size) / size))


def positive(size):
    """Equidistant arguments up to 10."""
    return 10 * (np.arange(size) + 1) / size


def complex_plane(size):
    """Complex arguments in all directions, |z| up to 50."""
    i = np.arange(size)
    return 50 * (i + 1) / size * np.exp(2.399963j * i)


def worst(value, selected):
    with TABLE.open() as file:
        table = [tuple(map(float, row.values())) for row in csv.DictReader(file)]
    errors = []
    for alpha, beta, x, y, re, im, slope in table:
        if selected(x, y):
            exact = complex(re, im)
            z = complex(x, y) if y else x
            errors.append(abs(value(z, alpha, beta) - exact) / (abs(exact) + slope))
    # Propagates NaN, unlike `max`.
    return np.max(errors)


def pymittagleffler(arguments, selected):
    def prepare(size):
        from pymittagleffler import mittag_leffler

        z = arguments(size)
        error = lambda _: worst(mittag_leffler, selected)
        return lambda: mittag_leffler(z, 0.7, 1.0), error

    return prepare


def package(arguments, selected):
    def prepare(size):
        import hpfracc

        z = arguments(size)
        return lambda: hpfracc.mittag_leffler(z, 0.7), lambda _: worst(hpfracc.mittag_leffler, selected)

    return prepare


DOMAINS = {
    "mittag-leffler-negative": (negative, lambda x, y: y == 0 and x < 0),
    "mittag-leffler-positive": (positive, lambda x, y: y == 0 and x > 0),
    "mittag-leffler-complex": (complex_plane, lambda x, y: y != 0),
}

if __name__ == "__main__":
    rows({
        name: {
            "default": ("pymittagleffler", pymittagleffler(*domain)),
            "package": ("hpfracc-python", package(*domain)),
        }
        for name, domain in DOMAINS.items()
    })
