"""Reference values for operators on meshes, with mpmath.

    python3 meshes.py OUTPUT_FOLDER

mesh_weights.csv: matrices of product rules on a mesh whose steps differ by twelve orders, and their
derivatives in alpha. All points and their distances are numbers in double precision.
"""

import sys
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 60

POINTS = [mpf(0), mpf(2) ** -40, mpf(2) ** -30, mpf(2) ** -10, mpf(1) / 2, mpf(1), 1 + mpf(2) ** -20, mpf(40)]
EPSILON = mpf(10) ** -20  # of the central differences in alpha


def power(base, exponent):
    return mpf(0) if base == 0 else base**exponent


def cell(mu, near, far):
    """u^(mu-1)/Gamma(mu) from near to far: its integral, and that against (far-u)/(far-near)."""
    whole = (power(far, mu) - power(near, mu)) / mp.gamma(mu + 1)
    first = mu * (power(far, mu + 1) - power(near, mu + 1)) / ((mu + 1) * mp.gamma(mu + 1))
    return whole, (far * whole - first) / (far - near)


def matrix(scheme, alpha):
    n = len(POINTS)
    entries = [[mpf(0)] * n for _ in range(n)]
    for row in range(1, n):
        for k in range(row):
            far, near = POINTS[row] - POINTS[k], POINTS[row] - POINTS[k + 1]
            if scheme == "rl-integral/trapezoid":
                whole, rising = cell(alpha, near, far)
                left, right = whole - rising, rising
            elif scheme == "rl-integral/rectangle":
                left, right = cell(alpha, near, far)[0], mpf(0)
            else:
                right = cell(1 - alpha, near, far)[0] / (far - near)
                left = -right
            entries[row][k] += left
            entries[row][k + 1] += right
    return entries


def write(path):
    with open(path, "w") as out:
        out.write("# Matrices on the points 0, 2^-40, 2^-30, 2^-10, 1/2, 1, 1 + 2^-20, 40; ")
        out.write("made by xtask/references/meshes.py\n")
        out.write("scheme,alpha,row,column,weight,derivative\n")
        for scheme, orders in [
            ("caputo/l1", [0.05, 0.4, 0.95]),
            ("rl-integral/rectangle", [0.05, 0.6, 1.0, 1.7]),
            ("rl-integral/trapezoid", [0.05, 0.6, 1.0, 1.7, 3.3]),
        ]:
            for alpha in orders:
                a = mpf(alpha)
                values, above, below = (matrix(scheme, x) for x in (a, a + EPSILON, a - EPSILON))
                for row in range(1, len(POINTS)):
                    for column in range(row + 1):
                        slope = (above[row][column] - below[row][column]) / (2 * EPSILON)
                        numbers = mp.nstr(values[row][column], 20), mp.nstr(slope, 20)
                        out.write(f"{scheme},{alpha},{row},{column},{numbers[0]},{numbers[1]}\n")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "mesh_weights.csv")
