"""Polynomials of hpfracc-lanes's elementary functions: Chebyshev fits, lowest power first.

Prints each as a Rust constant with the largest error of its fit. Run by hand when a fit is changed:
python3 elementary.py
"""

import struct

from mpmath import atan, atanh, chebyfit, cosh, erf, erfc, exp, expm1, log, mp, mpf, nstr, pi, sinh, sqrt

mp.dps = 60


def single(x):
    return struct.unpack("f", struct.pack("f", float(x)))[0]


def exponential(r):
    """(exp(r) - 1 - r) / r^2"""
    return (expm1(r) - r) / r**2 if abs(r) > mpf(10) ** -15 else mpf(1) / 2 + r / 6


def logarithm(q):
    """(ln((1+s)/(1-s)) - 2s) / s^3 with q = s^2"""
    if q < mpf(10) ** -20:
        return mpf(2) / 3 + q * 2 / 5
    s = sqrt(q)
    return (2 * atanh(s) / s - 2) / q


def power(q):
    """(ln((1+s)/(1-s)) - 2s - 2/3 s^3) / s^5 with q = s^2"""
    if q < mpf(10) ** -15:
        return mpf(2) / 5 + q * 2 / 7
    return (logarithm(q) - mpf(2) / 3) / q


def hyperbolic_sine(q):
    """(sinh(r) - r) / r^3 with q = r^2"""
    return (sinh(sqrt(q)) / sqrt(q) - 1) / q if q > mpf(10) ** -20 else mpf(1) / 6


def hyperbolic_cosine(q):
    """(cosh(r) - 1 - r^2/2) / r^4 with q = r^2"""
    return (cosh(sqrt(q)) - 1 - q / 2) / q**2 if q > mpf(10) ** -15 else mpf(1) / 24


def arctangent(q):
    """(atan(t) - t) / t^3 with q = t^2"""
    return (atan(sqrt(q)) / sqrt(q) - 1) / q if q > mpf(10) ** -20 else -mpf(1) / 3


def error_function(q):
    """erf(a)/a - 1 with q = a^2"""
    return (erf(sqrt(q)) / sqrt(q) if q > mpf(10) ** -30 else 2 / sqrt(pi)) - 1


def mills(u):
    """(1 - Phi(z)) / phi(z) / t with t = u + 1/2 = 1/(1 + z/4)"""
    t = u + mpf(1) / 2
    z = 4 * (1 / t - 1)
    return sqrt(pi / 2) * erfc(z / sqrt(2)) * exp(z * z / 2) / t


half_ln2 = log(2) / 2 * mpf("1.0001")
widest_s = mpf("0.1716") ** 2
# Name, formula, function, ends of the argument, coefficients in single and in double precision.
CASES = (
    ("EXP", "exp(r) = 1 + r + r^2 p(r), |r| <= ln(2)/2", exponential, -half_ln2, half_ln2, 5, 11),
    ("SINH", "sinh(r) = r + r^3 p(r^2), |r| <= ln(2)/2", hyperbolic_sine, 0, half_ln2**2, 3, 5),
    ("COSH", "cosh(r) = 1 + r^2/2 + r^4 p(r^2), |r| <= ln(2)/2", hyperbolic_cosine, 0, half_ln2**2, 2, 5),
    ("LN_1P", "ln((1 + s)/(1 - s)) = 2 s + s^3 p(s^2), 0 <= s <= 1/3", logarithm, 0, mpf(1) / 9, 6, 12),
    ("POWER", "ln((1 + s)/(1 - s)) = 2 s + 2/3 s^3 + s^5 p(s^2), |s| <= 0.1716", power, 0, widest_s, None, 8),
    ("ATAN", "atan(t) = t + t^3 p(t^2), |t| <= 1", arctangent, 0, 1, 10, 21),
    ("ERF", "erf(a) = a + a p(a^2), |a| <= 0.85", error_function, 0, mpf("0.85") ** 2, 6, 11),
    (
        "MILLS",
        "Mills ratio (1 - Phi(z))/phi(z) = t p(t - 1/2) with t = 1/(1 + z/4), 0 <= z",
        mills,
        lambda farthest: 1 / (1 + farthest / 4) - mpf(1) / 2,
        mpf(1) / 2,
        10,
        22,
    ),
)
# Argument beyond which the density of the normal distribution is 0.
FARTHEST = {32: mpf("14.5"), 64: mpf("38.7")}
for name, formula, f, a, b, single_count, double_count in CASES:
    for bits, count in ((32, single_count), (64, double_count)):
        if count is None:
            continue
        start = a(FARTHEST[bits]) if callable(a) else mpf(a)
        coefficients, error = chebyfit(f, [start, mpf(b)], count, error=True)
        print(f"// error {nstr(error, 2)}\n/// {formula}")
        print(f"pub(super) const {name}_{bits}: [f{bits}; {count}] = [")
        for c in reversed(coefficients):
            print(f"    {single(c)!r}," if bits == 32 else f"    {float(c)!r},")
        print("];")
