"""`D^1/2 t^2` at N nodes of [0, 1], with the weights computed in the call; exactly `2/G(5/2) t^(3/2)`.

The error is the largest after the first node, which pycaputo does not compute, relative to the largest
value. The Caputo and Riemann-Liouville derivatives agree, because the function is 0 at t = 0.
"""

from math import gamma

import numpy as np

from row import rows

ALPHA = 0.5


def error(size):
    exact = 2 / gamma(2.5) * np.linspace(0, 1, size) ** 1.5
    return lambda values: np.max(np.abs(values[1:] - exact[1:])) / exact[-1]


def samples(size):
    return np.linspace(0, 1, size) ** 2


def scipy_l1(size):
    """L1 as a convolution of differences, by transforms of the padded length."""
    from scipy import fft

    f, h = samples(size), 1 / (size - 1)

    def call():
        k = np.arange(size, dtype=float) ** (1 - ALPHA)
        w = np.diff(k) * (h**-ALPHA / gamma(2 - ALPHA))
        m = fft.next_fast_len(2 * size - 3, real=True)
        y = fft.irfft(fft.rfft(w, m) * fft.rfft(np.diff(f), m), m)[: size - 1]
        return np.concatenate(([0.0], y))

    return call, error(size)


def pycaputo_l1(size):
    from pycaputo.differentiation import caputo, diff
    from pycaputo.grid import make_uniform_points

    f, points, l1 = samples(size), make_uniform_points(size), caputo.L1(ALPHA)
    return lambda: diff(l1, f, points), error(size)


def differint(name):
    def prepare(size):
        from differint import differint

        f, method = samples(size), getattr(differint, name)
        return lambda: np.asarray(method(ALPHA, f, 0.0, 1.0, size)), error(size)

    return prepare


def package(size):
    import hpfracc

    f = samples(size)
    return lambda: hpfracc.Operator("caputo", ALPHA, size, dt=1 / (size - 1))(f), error(size)


METHODS = {
    "l1": ("scipy", scipy_l1),
    "package": ("hpfracc-python", package),
    "pycaputo-l1": ("pycaputo", pycaputo_l1),
    "differint-gl": ("differint", differint("GL")),
    "differint-rl": ("differint", differint("RL")),
}

if __name__ == "__main__":
    rows({"derivative": METHODS})
