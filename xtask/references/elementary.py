"""Polynomials of hpfracc-lanes's elementary functions: Chebyshev fits, lowest power first.

Prints them with the largest error of each fit. Run by hand when a fit is changed:
python3 elementary.py
"""

import struct

from mpmath import atanh, chebyfit, erfc, exp, expm1, log, mp, mpf, nstr, pi, sqrt

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


def mills(u):
    """(1 - Phi(z)) / phi(z) / t with t = u + 1/2 = 1/(1 + z/4)"""
    t = u + mpf(1) / 2
    z = 4 * (1 / t - 1)
    return sqrt(pi / 2) * erfc(z / sqrt(2)) * exp(z * z / 2) / t


half_ln2 = log(2) / 2 * mpf("1.0001")
for bits, farthest, counts in ((32, mpf("14.5"), (5, 6, 10)), (64, mpf("38.7"), (11, 12, 22))):
    cases = (
        ("EXP", exponential, -half_ln2, half_ln2),
        ("LN_1P", logarithm, mpf(0), mpf(1) / 9),
        ("MILLS", mills, 1 / (1 + farthest / 4) - mpf(1) / 2, mpf(1) / 2),
    )
    for (name, f, a, b), count in zip(cases, counts):
        coefficients, error = chebyfit(f, [a, b], count, error=True)
        print(f"{name}_{bits}: error {nstr(error, 2)}")
        for c in reversed(coefficients):
            print(f"    {single(c)!r}," if bits == 32 else f"    {float(c)!r},")
