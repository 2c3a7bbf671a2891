"""Reference values for the tests of hpfracc-series, computed with mpmath.

Usage: python3 series.py FOLDER

Writes into FOLDER (the crate's tests/data), each with a header line:

  fractional_gaussian_noise.csv  quantity,hurst,x,value    autocovariance at the lag x, density at the frequency x
  arfima.csv                     d,ar,ma,lag,value         autocovariances with innovations of variance 1;
                                                           coefficients separated by blanks

Every argument is a double, printed so that it reads back exactly; every value is correct to the
19 significant digits printed. The run is deterministic.
"""

import sys

from mpmath import hyp2f1, mp, mpf, nstr, polyroots, rf, sin, pi, gamma, zeta


def digits(x):
    return nstr(x, 19, min_fixed=0, max_fixed=0) if x else "0"


def write(folder, name, header, rows):
    with open(f"{folder}/{name}", "w", encoding="ascii", newline="\n") as f:
        f.write(header + "\n")
        for row in rows:
            f.write(",".join(v if isinstance(v, str) else repr(v) for v in row) + "\n")


def fractional_gaussian_noise():
    mp.dps = 50
    rows = []
    for hurst in (0.01, 0.1, 0.3, 0.45, 0.55, 0.7, 0.9, 0.99):
        b = 2 * mpf(hurst)
        for lag in (0, 1, 2, 3, 10, 33, 64, 100, 1000, 100000):
            value = (mpf(lag + 1) ** b - 2 * mpf(lag) ** b + mpf(abs(lag - 1)) ** b) / 2
            rows.append(("autocovariance", hurst, lag, digits(value)))
        for frequency in (1e-6, 1e-3, 0.1, 0.5, 1.0, 2.0, 3.0, 3.141592653589793):
            x = mpf(frequency) / (2 * pi)
            total = zeta(b + 1, x) + zeta(b + 1, 1 - x)
            front = sin(pi * hurst) * gamma(b + 1) / (2 * pi) * (2 * sin(mpf(frequency) / 2)) ** 2
            rows.append(("density", hurst, frequency, digits(front * total * (2 * pi) ** (-1 - b))))
    return rows


def arfima_autocovariance(d, ar, ma, lag):
    """Sowell's formula (J. Econometrics 53 (1992) 165), for distinct roots of the AR polynomial."""
    d, theta = mpf(d), [mpf(1)] + [mpf(c) for c in ma]
    q, p = len(theta) - 1, len(ar)
    psi = {i: mp.fsum(theta[j] * theta[j + abs(i)] for j in range(q + 1 - abs(i))) for i in range(-q, q + 1)}

    def fractional(h):
        h = abs(h)
        return gamma(1 - 2 * d) / gamma(1 - d) ** 2 * rf(d, h) / rf(1 - d, h)

    if p == 0:
        return mp.fsum(psi[i] * fractional(lag - i) for i in psi)
    roots = polyroots([mpf(1)] + [-mpf(c) for c in ar], maxsteps=500, extraprec=400)

    def c(h, root):
        # The recursion of the function at -h from that at h is avoided: both are summed.
        first = hyp2f1(d + h, 1, 1 - d + h, root)
        second = hyp2f1(d - h, 1, 1 - d - h, root)
        return fractional(h) * (root ** (2 * p) * first + second - 1)

    total = mpf(0)
    for j, root in enumerate(roots):
        weight = root * mp.fprod(1 - other * root for other in roots)
        weight *= mp.fprod(root - other for m, other in enumerate(roots) if m != j)
        total += mp.fsum(psi[i] * c(p + i - lag, root) for i in psi) / weight
    return mp.re(total)


def arfima():
    mp.dps = 40
    rows = []
    models = [((), ()), ((0.6,), ()), ((-0.9,), ()), ((), (0.5,)), ((0.7,), (-0.3,)), ((0.5, 0.3), ()), ((1.2, -0.7), (0.4, 0.2)),
              ((0.97,), ()), ((0.2, 0.1, 0.3), (0.5,))]
    for d in (-0.4, -0.1, 0.2, 0.45):
        for ar, ma in models:
            for lag in (0, 1, 2, 5, 20, 100, 1000):
                value = arfima_autocovariance(d, ar, ma, lag)
                texts = [" ".join(repr(c) for c in side) for side in (ar, ma)]
                rows.append((d, *texts, lag, digits(value)))
    return rows


def main(folder):
    write(folder, "fractional_gaussian_noise.csv", "quantity,hurst,x,value", fractional_gaussian_noise())
    write(folder, "arfima.csv", "d,ar,ma,lag,value", arfima())


if __name__ == "__main__":
    main(sys.argv[1])
