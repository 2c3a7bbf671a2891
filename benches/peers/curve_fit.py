"""Fits of `a exp(-(t/tau)^s) + c`, 4 parameters, from starts 30 % off: one long curve, or many of 64 points.

The error is the relative offset: the length of the part of the residuals that the parameters can still change over that of
the other part, each by its degrees of freedom (Bates and Watts 1981).
"""

import numpy as np

from row import rows

START = (1.3, 1.4, 0.8, 0.13)
POINTS = 64


def function(t, a, tau, s, c):
    return a * np.exp(-((t / tau) ** s)) + c


def jacobian(t, a, tau, s, c):
    z = (t / tau) ** s
    e = np.exp(-z)
    return np.stack([e, a * e * z * s / tau, -a * e * z * np.log(t / tau), np.ones_like(t)], axis=1)


def data(n, curve=0):
    k = np.arange(n, dtype=float)
    t = 8.0 * (k + 0.5) / n
    noise = np.modf(np.sin((k + curve * n) * 12.9898) * 43758.5453)[0]
    return t, function(t, 2.0, 2.0, 0.6, 0.1) + 0.02 * noise


def offset(t, y, found):
    j, r = jacobian(t, *found), function(t, *found) - y
    tangential = np.linalg.qr(j)[0].T @ r
    (n, p), along = j.shape, float(tangential @ tangential)
    return float(np.sqrt((along / p) / ((r @ r - along) / (n - p))))


def scipy_fit(n, **options):
    from scipy.optimize import curve_fit

    t, y = data(n)
    return lambda: curve_fit(function, t, y, p0=START, method="lm", **options)[0], lambda found: offset(t, y, found)


def scipy_loop(count, **options):
    from scipy.optimize import curve_fit

    curves = [data(POINTS, curve) for curve in range(count)]

    def call():
        return [curve_fit(function, t, y, p0=START, method="lm", **options)[0] for t, y in curves]

    return call, lambda found: max(offset(t, y, fitted) for (t, y), fitted in zip(curves, found))


#: With the same starts, as texts of the package.
MODEL = "y = a exp(-(t/tau)^s) + c; a = 1.3; tau = 1.4 in (0, inf); s = 0.8; c = 0.13"
NAMES = ("a", "tau", "s", "c")


def package_fit(n):
    import hpfracc

    t, y = data(n)

    def call():
        found = hpfracc.fit(MODEL, t, y)
        return [found[name].value for name in NAMES]

    return call, lambda found: offset(t, y, found)


def package_batch(count):
    import hpfracc

    curves = [data(POINTS, curve) for curve in range(count)]
    t, all_y = curves[0][0], np.stack([y for _, y in curves])

    def call():
        found = hpfracc.fit_batch(MODEL, t, all_y)
        return np.stack([found[name] for name in NAMES], axis=1)

    return call, lambda found: max(offset(t, y, fitted) for y, fitted in zip(all_y, found))


if __name__ == "__main__":
    rows({
        "curve-fit": {
            "lm": ("scipy", scipy_fit),
            "package": ("hpfracc-python", package_fit),
            "lm-jacobian": ("scipy", lambda n: scipy_fit(n, jac=jacobian)),
        },
        "curve-fit-batch": {
            "lm": ("scipy", scipy_loop),
            "package": ("hpfracc-python", package_batch),
            "lm-jacobian": ("scipy", lambda n: scipy_loop(n, jac=jacobian)),
        },
    })
