"""Reference values for hpfracc-operators, with mpmath.

    python3 operators.py OUTPUT_FOLDER

weights.csv: weights of every Toeplitz scheme and their derivatives in alpha, on a grid of step
1/4, at selected lags up to a million.
bdf_columns.csv: start corrections of BDF quadrature for powers of t.
gaussian.csv: the fractional Laplacian of exp(-x^2) on the line.
"""

import math
import sys
from fractions import Fraction
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 90

STEP = mpf(1) / 4
LAGS = [0, 1, 2, 3, 4, 5, 7, 15, 16, 17, 31, 100, 1000, 4096, 65537, 999_999]
BDF_BITS = 256  # fixed point; the smallest weight is about 1e-17
EPSILON = mpf(10) ** -20  # of the central differences in alpha; a million cubed takes another 18 digits


def derivative(function, alpha):
    return (function(alpha + EPSILON) - function(alpha - EPSILON)) / (2 * EPSILON)


def power(base, exponent):
    return mpf(0) if base == 0 else mpf(base) ** exponent


def differences(alpha):
    """Number of backward differences of the samples before the weights apply."""
    return min(math.ceil(float(alpha)), 2)


def grunwald(k):
    return lambda a: STEP**-a * (-1) ** k * mp.binomial(a - differences(a), k)


def l1(k):
    return lambda a: STEP**-a / mp.gamma(2 - a) * (power(k + 1, 1 - a) - power(k, 1 - a))


def jump(k):
    """Riemann-Liouville L1: the derivative of a constant."""
    if k == 0:
        return lambda a: STEP**-a / mp.gamma(2 - a)
    return lambda a: (k * STEP) ** -a / mp.gamma(1 - a)


def l2_midpoint(k):
    half = mpf(1) / 2

    def weight(a):
        b = 2 - a
        lower = mpf(0) if k == 0 else (k + half) ** b
        return STEP**-a / mp.gamma(3 - a) * ((k + 1 + half) ** b - lower)

    return weight


def l2_midpoint_start(k):
    half = mpf(1) / 2

    def weight(a):
        b = 2 - a
        unit = {0: mpf(0), 1: mpf(1)}.get(k)
        if unit is None:
            unit = mpf(k) ** b - (k - half) ** b
        return STEP**-a / mp.gamma(3 - a) * unit

    return weight


def rectangle(k):
    if k == 0:
        return lambda a: mpf(0)
    return lambda a: STEP**a / mp.gamma(a + 1) * (power(k, a) - power(k - 1, a))


def trapezoid(k):
    def weight(a):
        b = a + 1
        unit = mpf(1) if k == 0 else power(k + 1, b) - 2 * power(k, b) + power(k - 1, b)
        return STEP**a / mp.gamma(a + 2) * unit

    return weight


def trapezoid_start(k):
    def weight(a):
        b = a + 1
        unit = power(k, b) + b * power(k, a) - power(k + 1, b)
        return STEP**a / mp.gamma(a + 2) * unit

    return weight


def ortigueira(k):
    def weight(a):
        g = (-1) ** k * mp.gamma(a + 1) * mp.rgamma(a / 2 - k + 1) * mp.rgamma(a / 2 + k + 1)
        return STEP**-a * g * (mpf(1) / 2 if k == 0 else 1)  # the diagonal counts twice

    return weight


def l1_scale(a):
    return STEP**-a / mp.gamma(2 - a)


def bend(x, b):
    """Integral of u^b over (x, x+1) less the mean of the values at the ends."""
    return (power(x + 1, b + 1) - power(x, b + 1)) / (b + 1) - (power(x + 1, b) + power(x, b)) / 2


def l1_2(k):
    def weight(a):
        b = 1 - a
        before = bend(k - 1, b) if k > 0 else 0
        return l1_scale(a) * (power(k + 1, b) - power(k, b) + bend(k, b) - before)

    return weight


def l1_2_start(k):
    return lambda a: mpf(0) if k == 0 else -l1_scale(a) * bend(k - 1, 1 - a)


def l2_1_sigma(k):
    def weight(a):
        b, sigma = 1 - a, 1 - a / 2
        before, lower = (bend(k - 1 + sigma, b), power(k - 1 + sigma, b)) if k > 0 else (0, 0)
        return l1_scale(a) * (power(k + sigma, b) - lower + bend(k + sigma, b) - before)

    return weight


def l2_1_sigma_start(k):
    return lambda a: mpf(0) if k == 0 else -l1_scale(a) * bend(k - a / 2, 1 - a)


def polynomial(roots, factor):
    """Coefficients of factor (u - r_1) (u - r_2) .., the constant one first."""
    coefficients = [mpf(factor)]
    for root in roots:
        shifted = [mpf(0)] + coefficients
        coefficients = [s - root * c for s, c in zip(shifted, coefficients + [mpf(0)])]
    return coefficients


def moment(low, high, coefficients, a):
    """The integral, or its finite part, of u^(a-1) times a polynomial."""
    terms = enumerate(coefficients)
    return sum(q * (power(high, a + j) - power(low, a + j)) / (a + j) for j, q in terms)


def pair(c, sample, a):
    """Weight of the sample at lag c + sample, sample = -1, 0, 1, from the cells next to lag c."""
    roots = [c + other for other in (-1, 0, 1) if other != sample]
    return moment(c - 1, c + 1, polynomial(roots, -1 if sample == 0 else mpf(1) / 2), a)


def pairs(k, a):
    if k % 2 == 1:
        return pair(k, 0, a)
    return pair(k + 1, -1, a) + (pair(k - 1, 1, a) if k > 0 else 0)


def first_cell(n, sample, a):
    """Weights of f_0, .., f_3 from the cubic interpolant on the first cell, at the n-th sample."""
    roots = [n - other for other in range(4) if other != sample]
    scale = mpf(1)
    for root in roots:
        scale /= n - sample - root
    return moment(n - 1, n, polynomial(roots, scale), a)


def pairs_start(column, n, a):
    """Corrections of f_0, f_1 - f_0, f_2 - f_1 and f_3 - f_2 to Toeplitz weights."""
    if n % 2 == 0:
        return -pair(n + 1, -1, a) if column == 0 else mpf(0)
    by_sample = [first_cell(n, sample, a) for sample in range(4)]
    by_sample[0] -= pair(n, 0, a)
    by_sample[1] -= pair(n, -1, a)
    return sum(by_sample[column:])


def simpson(k):
    return lambda a: STEP**a / mp.gamma(a) * pairs(k, a)


def simpson_start(column):
    return lambda k: lambda a: STEP**a / mp.gamma(a) * pairs_start(column, k, a)


def marchaud(k):
    """Sums of the weights up to each lag; for whole pairs they follow from constants."""

    def weight(a):
        whole = power(k + k % 2, -a) / -a
        rest = pair(k + 1, -1, -a) if k % 2 == 0 else -pair(k, 1, -a)
        return STEP**-a / mp.gamma(-a) * (whole + rest)

    return weight


def marchaud_start(column):
    return lambda k: lambda a: STEP**-a / mp.gamma(-a) * pairs_start(column, k, -a)


SCHEMES = {
    "grunwald-letnikov/standard/causal": (grunwald, [0.3, 0.5, 0.95, 1.0, 1.7, 2.4]),
    "caputo/l1/causal": (l1, [0.05, 0.5, 0.95]),
    "riemann-liouville/l1/start0": (jump, [0.05, 0.5, 0.95]),
    "caputo/l2-midpoint/causal": (l2_midpoint, [1.05, 1.5, 1.95]),
    "caputo/l2-midpoint/start0": (l2_midpoint_start, [1.05, 1.5, 1.95]),
    "rl-integral/rectangle/causal": (rectangle, [0.1, 0.5, 1.0, 1.6, 2.5]),
    "rl-integral/trapezoid/causal": (trapezoid, [0.1, 0.5, 1.0, 1.6, 2.5]),
    "rl-integral/trapezoid/start0": (trapezoid_start, [0.1, 0.5, 1.0, 1.6, 2.5]),
    "caputo/l1-2/causal": (l1_2, [0.05, 0.5, 0.95]),
    "caputo/l1-2/start0": (l1_2_start, [0.05, 0.5, 0.95]),
    "caputo/l2-1sigma/causal": (l2_1_sigma, [0.05, 0.5, 0.95]),
    "caputo/l2-1sigma/start0": (l2_1_sigma_start, [0.05, 0.5, 0.95]),
    "rl-integral/simpson/causal": (simpson, [0.1, 0.5, 1.0, 1.6, 2.5]),
    "rl-integral/simpson/start0": (simpson_start(0), [0.1, 0.5, 1.0, 1.6, 2.5]),
    "rl-integral/simpson/start1": (simpson_start(1), [0.1, 0.5, 1.6]),
    "rl-integral/simpson/start2": (simpson_start(2), [0.1, 0.5, 1.6]),
    "rl-integral/simpson/start3": (simpson_start(3), [0.1, 0.5, 1.6]),
    "marchaud/quadratic-held/causal": (marchaud, [0.05, 0.5, 0.95]),
    "marchaud/quadratic-held/start0": (marchaud_start(1), [0.05, 0.5, 0.95]),
    "marchaud/quadratic-held/start1": (marchaud_start(2), [0.05, 0.5, 0.95]),
    "marchaud/quadratic-held/start2": (marchaud_start(3), [0.05, 0.5, 0.95]),
    "marchaud/quadratic-zero/start3": (jump, [0.05, 0.5, 0.95]),
    "fractional-laplacian/ortigueira/causal": (ortigueira, [0.4, 1.0, 1.5, 2.0]),
}


def bdf_series(p, alpha, order):
    """Coefficients of delta(x)^alpha (1-x)^-order at the lags, and their derivatives in alpha.

    By the recurrence, in wide fixed point: (1-x) q u' = (alpha delta' + order q) u.
    """
    one = 1 << BDF_BITS
    q = [Fraction(0)] * p
    delta = [Fraction(0)] * (p + 1)
    for i in range(1, p + 1):
        c = Fraction(1)
        for j in range(i + 1):
            delta[j] += c / i
            c = -c * (i - j) / (j + 1)
        c = Fraction(1)
        for j in range(i):
            q[j] += c / i
            c = -c * (i - 1 - j) / (j + 1)
    a = Fraction(alpha)
    slope = [j * delta[j] for j in range(p + 1)]
    # All coefficients over one denominator, alpha as the exact fraction of its double.
    common = 60 * a.denominator
    whole = lambda x: int(x * common)
    ai = [whole(d) for d in delta]
    bi = [0] + [whole(a * slope[j] + order * q[j - 1]) for j in range(1, p + 1)]
    di = [whole(s) for s in slope]
    with mp.workdps(90):
        first = mpf(delta[0].numerator) / delta[0].denominator
        u = [int(first ** mpf(alpha) * one)]
        du = [int(first ** mpf(alpha) * mp.log(first) * one)]
    c0 = ai[0]
    for m in range(1, max(LAGS) + 1):
        s = t = 0
        for j in range(1, min(m, p) + 1):
            f = bi[j] - ai[j] * (m - j)
            s += f * u[m - j]
            t += f * du[m - j] + di[j] * u[m - j]
        u.append(s // (c0 * m))
        du.append(t // (c0 * m))
    return u, du, one


def bdf_causal(p, alpha):
    u, du, one = bdf_series(p, alpha, differences(alpha))
    return [(k, mpf(u[k]) / one, mpf(du[k]) / one) for k in LAGS]


def formula_error(p, power, a, k):
    """sum_{p <= j <= power} D_j power! k^(power-a-j) / Gamma(power+1-a-j), D = (delta(e^-u)/u)^a."""
    if p > power:
        return mpf(0)
    delta = lambda u: sum((1 - mp.exp(-u)) ** i / i for i in range(1, p + 1))
    inner = mp.taylor(lambda u: delta(u) / u if u else mpf(1), 0, power, singular=True)
    series = [mpf(1)]
    for n in range(1, power + 1):
        terms = ((i * (a + 1) - n) * inner[i] * series[n - i] for i in range(1, n + 1))
        series.append(sum(terms) / n)
    return sum(
        series[j] * mp.factorial(power) * mpf(k) ** (power - a - j) * mp.rgamma(power + 1 - a - j)
        for j in range(p, power + 1)
    )


def bdf_start(p, alpha, power):
    """Exact derivative of t^power and the formula's own error, less its quadrature, on a unit step."""
    # k^power = sum_i surjections_i C(k, i)
    surjections = [
        sum((-1) ** (i - j) * math.comb(i, j) * j**power for j in range(i + 1))
        for i in range(power + 1)
    ]
    series = [bdf_series(p, alpha, i + 1) if s else None for i, s in enumerate(surjections)]
    rows = []
    for k in LAGS[1:]:
        exact = lambda a: (
            mp.gamma(power + 1) * mp.rgamma(power + 1 - a) * mpf(k) ** (power - a)
            + formula_error(p, power, a, k)
        )
        sums = [
            sum(
                s * mpf(known[v][k - i]) / known[2]
                for i, (s, known) in enumerate(zip(surjections, series))
                if s and k >= i
            )
            for v in (0, 1)
        ]
        a = mpf(alpha)
        rows.append((k, exact(a) - sums[0], derivative(exact, a) - sums[1]))
    return rows


def write_weights(path):
    with open(path, "w") as out:
        out.write("# Weights at step 1/4; made by xtask/references/operators.py\n")
        out.write("scheme,alpha,k,weight,derivative\n")
        for name, (family, alphas) in SCHEMES.items():
            for alpha in alphas:
                for k in LAGS:
                    f = family(k)
                    a = mpf(alpha)
                    row = (mp.nstr(f(a), 20), mp.nstr(derivative(f, a), 20))
                    out.write(f"{name},{alpha},{k},{row[0]},{row[1]}\n")
        for p in range(1, 7):
            for alpha in [0.1, 0.6, 1.25]:
                for k, u, du in bdf_causal(p, alpha):
                    weight = STEP ** -mpf(alpha) * u
                    slope = STEP ** -mpf(alpha) * (du - mp.log(STEP) * u)
                    row = (mp.nstr(weight, 20), mp.nstr(slope, 20))
                    out.write(f"grunwald-letnikov/bdf{p}/causal,{alpha},{k},{row[0]},{row[1]}\n")


def write_columns(path):
    with open(path, "w") as out:
        out.write("# BDF start corrections on a unit step; made by xtask/references/operators.py\n")
        out.write("p,alpha,power,k,weight,derivative\n")
        for p in range(1, 7):
            for alpha, powers in [(0.1, 2), (0.6, 2), (1.25, 3), (2.5, 4)]:
                for power in range(powers):
                    for k, weight, slope in bdf_start(p, alpha, power):
                        row = (mp.nstr(weight, 20), mp.nstr(slope, 20))
                        out.write(f"{p},{alpha},{power},{k},{row[0]},{row[1]}\n")


def write_gaussian(path):
    with open(path, "w") as out:
        out.write("# (-Lap)^(alpha/2) exp(-x^2); made by xtask/references/operators.py\n")
        out.write("alpha,x,value\n")
        for alpha in [0.5, 1.0, 1.2, 1.8, 2.0]:
            a = mpf(alpha)
            for x in [0.0, 0.25, 0.5, 1.0, 1.5, 2.0]:
                value = (
                    2**a
                    * mp.gamma((1 + a) / 2)
                    / mp.sqrt(mp.pi)
                    * mp.hyp1f1((1 + a) / 2, mpf(1) / 2, -mpf(x) ** 2)
                )
                out.write(f"{alpha},{x},{mp.nstr(value, 20)}\n")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_weights(folder / "weights.csv")
    write_columns(folder / "bdf_columns.csv")
    write_gaussian(folder / "gaussian.csv")
