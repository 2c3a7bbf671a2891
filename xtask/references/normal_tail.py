"""The polynomial of the normal distribution's tail in double precision, computed with mpmath.

Usage: python3 normal_tail.py FOLDER

Writes FOLDER/normal_tail.wgsl (the sources of hpfracc-wgpu): erfcx(z) = exp(z^2) erfc(z) for z >= 0
is t P(u) with t = 1 / (1 + z/2) and u = 2 t - 1; P interpolates at 28 Chebyshev points. Its
coefficients fall from 0.51, so that nothing cancels in Horner's rule. The run is deterministic.
"""

import sys

from mpmath import cos, erfc, exp, lu_solve, matrix, mp, mpf, nstr, pi, sqrt

POINTS = 28


def scaled_erfc(z):
    """erfcx(z): by Laplace's continued fraction where erfc would underflow."""
    if z < 40:
        return exp(z * z) * erfc(z)
    f = mpf(0)
    for k in range(200, 0, -1):
        f = mpf(k) / 2 / (z + f)
    return 1 / (sqrt(pi) * (z + f))


def quotient(u):
    t = (u + 1) / 2
    return scaled_erfc(2 * (1 / t - 1)) / t


def main(folder):
    mp.dps = 60
    nodes = [cos(pi * (2 * k + 1) / (2 * POINTS)) for k in range(POINTS)]
    vandermonde = matrix(POINTS, POINTS)
    for i, u in enumerate(nodes):
        for j in range(POINTS):
            vandermonde[i, j] = u**j
    coefficients = lu_solve(vandermonde, matrix([quotient(u) for u in nodes]))

    def value(u):
        p = mpf(0)
        for a in reversed(list(coefficients)):
            p = p * u + a
        return p

    error = max(abs(value(u) / quotient(u) - 1) for u in (mpf(i) / 500 - 1 for i in range(1, 1001)))
    lines = [
        "// Made by xtask/references/normal_tail.py; do not edit.",
        "//",
        "// exp(z^2) erfc(z) / t, z >= 0, for u = 2 t - 1, t = 1 / (1 + z/2), relative error within "
        + nstr(error, 2) + ".",
        "fn tail_polynomial(u: value) -> value {",
    ]
    *rest, last = (float(a) for a in coefficients)
    lines.append(f"    var p = value({last!r}lf);")
    lines += [f"    p = fma(p, u, value({a!r}lf));" for a in reversed(rest)]
    lines += ["    return p;", "}", ""]
    with open(f"{folder}/normal_tail.wgsl", "w") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1])
