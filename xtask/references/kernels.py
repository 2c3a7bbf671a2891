"""Reference values for operators of hpfracc-operators with other kernels than powers, with mpmath.

    python3 kernels.py OUTPUT_FOLDER

kernels.csv: weights by lag and their derivatives in alpha, on a grid of step 1/4: tempered operators,
Atangana-Baleanu derivatives, Prabhakar's integral and derivatives.
"""

import sys
from functools import lru_cache
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 50

STEP = mpf(1) / 4
LAGS = [0, 1, 2, 3, 4, 7, 8, 15, 31, 32, 100, 1000, 1023, 1024, 4000]
EPSILON = mpf(10) ** -12  # of the central differences in alpha


def derivative(function, alpha):
    return (function(alpha + EPSILON) - function(alpha - EPSILON)) / (2 * EPSILON)


def tail(alpha, x, t):
    """q(t) = alpha/Gamma(1-alpha) int_t^inf exp(-x s) s^(-1-alpha) ds."""
    return alpha * mp.rgamma(1 - alpha) * x**alpha * mp.gammainc(-alpha, x * t)


def tempered_l1(lam, k):
    x = lam * STEP

    def weight(a):
        far = a * mp.rgamma(1 - a) * x ** (a - 1) * mp.gammainc(1 - a, x * k, x * (k + 1))
        near = 0 if k == 0 else k * tail(a, x, k)
        return STEP**-a * ((k + 1) * tail(a, x, k + 1) - near + far)

    return weight


def tempered_l1_start(lam, k):
    if k == 0:
        return tempered_l1(lam, 0)
    return lambda a: STEP**-a * tail(a, lam * STEP, k)


def tempered_caputo_start(lam, k):
    x = lam * STEP
    return lambda a: -(lam**a) * mp.gammainc(1 - a, x * k, regularized=True)


def tempered_grunwald(lam, k):
    """V of phi(z) = phi(1) - (1-z) phi'(1) + (1-z)^2 V(z), by sums from the near end."""
    x = lam * STEP

    def weight(a):
        rest = 1 - mp.exp(-x)
        single = double = mpf(0)
        w = mpf(1)
        for j in range(k + 1):
            single += w * mp.exp(-x * j) - (rest**a if j == 0 else 0)
            double += single - (a * mp.exp(-x) * rest ** (a - 1) if j == 0 else 0)
            w *= (j - a) / (j + 1)
        return STEP**-a * (single if a < 1 else double)

    return weight


def tempered_moments(a, x, k):
    whole = x**-a * mp.gammainc(a, x * k, x * (k + 1))
    by_time = x ** (-a - 1) * mp.gammainc(a + 1, x * k, x * (k + 1))
    rising = by_time - k * whole
    return whole - rising, rising


def tempered_trapezoid(lam, k):
    def weight(a):
        before = tempered_moments(a, lam * STEP, k - 1)[1] if k > 0 else 0
        return STEP**a * mp.rgamma(a) * (tempered_moments(a, lam * STEP, k)[0] + before)

    return weight


def tempered_trapezoid_start(lam, k):
    return lambda a: -(STEP**a) * mp.rgamma(a) * tempered_moments(a, lam * STEP, k)[0]


def mittag_leffler_integral(a, rate, of):
    """int of(r) K(r) dr with the spectral density of E_a(-rate t^a), by the trapezoidal rule in ln r."""
    with mp.workdps(32):
        step = mpf(1) / 24
        cosine, sine = mp.cos(mp.pi * a), mp.sin(mp.pi * a) / mp.pi
        last, first = 7, -int(75 / a)
        total = mpf(0)
        for i in range(first * 24, last * 24):
            x = i * step
            v = mp.exp(a * x)
            total += of(mp.exp(x)) * sine * rate * v / (v * v + 2 * rate * v * cosine + rate * rate)
        return total * step


def gamma_normalisation(a):
    return 1 - a + a * mp.rgamma(a)


def atangana_baleanu(_, k):
    def weight(a):
        rate = a / (1 - a) * STEP**a
        cell = lambda r: mp.exp(-r * k) * -mp.expm1(-r) / r
        if k == 0:
            value = mittag_leffler(a, 2, -rate)
        else:
            value = mittag_leffler_integral(a, rate, cell)
        return gamma_normalisation(a) / (1 - a) * value

    return weight


def atangana_baleanu_start(_, k):
    def weight(a):
        rate = a / (1 - a) * STEP**a
        if k == 0:
            value = mpf(1)
        else:
            value = mittag_leffler_integral(a, rate, lambda r: mp.exp(-r * k))
        return gamma_normalisation(a) / (1 - a) * value

    return weight


def mittag_leffler(a, b, z):
    return three_parameters(a, b, 1, z)


@lru_cache(maxsize=None)
def three_parameters(rho, beta, gamma, z):
    """The defining series, with extra digits for the cancellation."""
    size = abs(z) ** (1 / mpf(rho))
    with mp.workdps(60 + int(size)):
        total, factor, k = mpf(0), mpf(1), 0
        while True:
            term = factor * mp.rgamma(rho * k + beta)
            total += term
            factor *= z * (gamma + k) / (k + 1)
            k += 1
            if rho * k > size + 5 and abs(term) < mpf(10) ** -55 * max(abs(total), mpf(10) ** -40):
                return total


RHO, GAMMA, OMEGA = mpf(0.6), mpf(1.5), mpf(-0.8)


def antiderivative(b, gamma, order, t):
    """The order-fold integral of t^(b-1) E^gamma_{rho,b}(y t^rho)."""
    if t == 0:
        return mpf(0)
    y = OMEGA * STEP**RHO
    return mpf(t) ** (b - 1 + order) * three_parameters(RHO, b + order, gamma, y * mpf(t) ** RHO)


def prabhakar_cell(_, k):
    def weight(a):
        difference = antiderivative(1 - a, -GAMMA, 1, k + 1) - antiderivative(1 - a, -GAMMA, 1, k)
        return STEP**-a * difference

    return weight


def prabhakar_start(_, k):
    if k == 0:
        return prabhakar_cell(None, 0)
    return lambda a: STEP**-a * antiderivative(1 - a, -GAMMA, 0, k)


def prabhakar_trapezoid(_, k):
    def weight(a):
        second = lambda t: antiderivative(a, GAMMA, 2, t)
        if k == 0:
            return STEP**a * second(1)
        return STEP**a * (second(k + 1) - 2 * second(k) + second(k - 1))

    return weight


def prabhakar_trapezoid_start(_, k):
    def weight(a):
        rise = antiderivative(a, GAMMA, 2, k + 1) - antiderivative(a, GAMMA, 2, k)
        return -(STEP**a) * (rise - antiderivative(a, GAMMA, 1, k))

    return weight


# Scheme, family, parameters of the operator, lambda, orders.
SLOW, QUICK = "lambda=0.00390625", "lambda=2"
SCHEMES = [
    ("tempered-riemann-liouville/l1/causal", tempered_l1, SLOW, [0.05, 0.5, 0.95]),
    ("tempered-riemann-liouville/l1/start0", tempered_l1_start, SLOW, [0.05, 0.5, 0.95]),
    ("tempered-riemann-liouville/l1/causal", tempered_l1, QUICK, [0.05, 0.5, 0.95]),
    ("tempered-riemann-liouville/l1/start0", tempered_l1_start, QUICK, [0.05, 0.5, 0.95]),
    ("tempered-caputo/l1/start0", tempered_caputo_start, SLOW, [0.05, 0.5, 0.95]),
    ("tempered-caputo/l1/start0", tempered_caputo_start, QUICK, [0.05, 0.5, 0.95]),
    ("tempered-normalised/grunwald-letnikov/causal", tempered_grunwald, SLOW, [0.3, 0.9, 1.2, 1.8]),
    ("tempered-integral/trapezoid/causal", tempered_trapezoid, SLOW, [0.1, 0.5, 1.6]),
    ("tempered-integral/trapezoid/start0", tempered_trapezoid_start, SLOW, [0.1, 0.5, 1.6]),
    ("tempered-integral/trapezoid/causal", tempered_trapezoid, QUICK, [0.1, 0.5, 1.6]),
    ("atangana-baleanu-caputo/l1/causal", atangana_baleanu, "normalisation=1", [0.3, 0.6, 0.9]),
    ("atangana-baleanu-riemann/l1/start0", atangana_baleanu_start, "normalisation=1", [0.3, 0.6, 0.9]),
]
PRABHAKAR = [
    ("prabhakar-caputo/l1/causal", prabhakar_cell, [0.2, 0.7]),
    ("prabhakar-riemann-liouville/l1/start0", prabhakar_start, [0.2, 0.7]),
    ("prabhakar-integral/trapezoid/causal", prabhakar_trapezoid, [0.5, 1.6]),
    ("prabhakar-integral/trapezoid/start0", prabhakar_trapezoid_start, [0.5, 1.6]),
]


def write(path):
    rows = [(n, f, p, mpf(p.split("=")[1]), a) for n, f, p, alphas in SCHEMES for a in alphas]
    given = "rho=0.6 gamma=1.5 omega=-0.8"
    rows += [(n, f, given, None, a) for n, f, alphas in PRABHAKAR for a in alphas]
    with open(path, "w") as out:
        out.write("# Weights at step 1/4; made by xtask/references/kernels.py\n")
        out.write("scheme,parameters,alpha,k,weight,derivative\n")
        for name, family, parameters, parameter, alpha in rows:
            for k in LAGS:
                f = family(mpf(parameter) if parameter is not None else None, k)
                a = mpf(alpha)
                row = (mp.nstr(f(a), 20), mp.nstr(derivative(f, a), 20))
                out.write(f"{name},{parameters},{alpha},{k},{row[0]},{row[1]}\n")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "kernels.csv")
