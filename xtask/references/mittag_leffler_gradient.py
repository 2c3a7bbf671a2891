"""Reference values of the Mittag-Leffler function and its derivatives with respect to z, alpha and beta.

Usage: python3 mittag_leffler_gradient.py FOLDER

Writes mittag_leffler_gradient.csv into FOLDER (tests/data of hpfracc-special), with the columns

  alpha,beta,z,value,by_z,by_alpha,by_beta

Every argument is a double, printed so that it reads back exactly; every value is correct to the 19
significant digits printed. The series, differentiated term by term, with digits for its cancellation; for
large |z| the algebraic expansion and the exponentials of the poles, differentiated in the same way. The run
is deterministic.
"""

import random
import sys
from multiprocessing import Pool

from mpmath import mp, mpf, mpc, cos, exp, fabs, gamma, log, nstr, pi, psi, rgamma, sqrt, tan


def recip_gamma(x):
    """1/Gamma(x) and its derivative, also at the poles of Gamma."""
    if x > 0.5:
        value = rgamma(x)
        return value, -psi(0, x) * value
    reflected, sine, cosine = gamma(1 - x), mp.sinpi(x), mp.cospi(x)
    return reflected * sine / pi, reflected * (cosine - psi(0, 1 - x) * sine / pi)


def series(a, b, z, size):
    extra = -mp.log10(fabs(z)) if z and fabs(z) < 1 else 0
    with mp.workdps(int(55 + 1.1 * size / log(10) + 2 * fabs(b) + extra)):
        sums, power, largest, k = [mpf(0)] * 4, mpf(1), mpf(0), 0
        while True:
            value, slope = recip_gamma(a * k + b)
            # The term of the derivative in z has one power of z less.
            lower = k * power / z if k else mpf(0)
            terms = [power * value, lower * value, k * power * slope, power * slope]
            sums = [s + t for s, t in zip(sums, terms)]
            term = max(map(fabs, terms))
            largest = max(largest, term)
            k, power = k + 1, power * z
            if a * k > 1.5 * size + fabs(b) + 2 and term < largest * mpf(10) ** -mp.dps:
                return sums


def expansion(a, b, z):
    """The algebraic series, cut before its envelope grows, and the poles."""
    with mp.workdps(60):
        sums, smallest = [mpf(0)] * 4, mp.inf
        for k in range(1, 4000):
            envelope = gamma(1 + max(a * k - b, mpf(0))) / fabs(z) ** k
            if envelope > smallest or envelope < mpf(10) ** -90:
                break
            smallest = envelope
            value, slope = recip_gamma(b - a * k)
            power = z ** -k
            terms = [-power * value, k * power * value / z, k * power * slope, -power * slope]
            sums = [s + t for s, t in zip(sums, terms)]
        if z > 0 or a >= 1:
            # At a = 1, z < 0 the pair of poles meets on the cut and counts once.
            images = 2 if z < 0 and a != 1 else 1
            ln = log(fabs(z)) + (mpc(0, pi) if z < 0 else 0)
            q = exp(ln / a)
            r = exp(q + (1 - b) * ln / a) / a
            slope = r * (1 + (1 - b) / q)
            terms = [r, slope * q / (a * z), -slope * q * ln / a**2 - r / a, -ln / a * r]
            sums = [s + images * mp.re(t) for s, t in zip(sums, terms)]
        return sums


def gradient(point):
    mp.dps = 40
    a, b, z = map(mpf, point)
    if not z:
        value, slope = recip_gamma(b)
        return [value, recip_gamma(a + b)[0], mpf(0), slope]
    size = fabs(z) ** (1 / a)
    return series(a, b, z, size) if size < 80 else expansion(a, b, z)


def rules(a, b):
    """Vertex, step and nearest pole of the parabola in gradient/nodes.rs, to place points beside its limits."""
    vertex = 4 * pi / 3
    wanted = min(mpf(33.5) + 4 * max(b, 0) + a, 75)
    reach = sqrt(9 + mpf(0.65) * max(a - b, 0))
    step = reach / (mp.ceil(reach * wanted / (2 * pi) - 0.5) + mpf(0.5))
    return vertex, step, vertex / 2 * (2 * max(a + b - 1, mpf(0)) * step / (2 * pi)) ** 2


def points():
    rng = random.Random(19)
    found = []
    alphas = [0.05, 0.1, 0.3, 0.5, 0.75, 0.9, 0.99, 1 - 1e-9, 1.0, 1 + 1e-9, 1.01, 1.2, 1.5, 1.8, 1.95, 1.99]
    for a in alphas:
        for b in (-0.5, 0.0, 0.5, 1.0, a, 1 + a, 2.0, 3.0, 9.0):
            sizes = [rng.uniform(*r) for r in ((-4, -2), (-2, 0), (-2, 0), (0, 1), (0, 1), (1, 2))]
            found += [(a, b, sign * (10**size) ** a) for size in sizes for sign in (-1, 1) if rng.random() < 0.75]
            found += [(a, b, 0.0), (a, b, rng.choice((-1, 1)) * 10 ** rng.uniform(-12, -3))]
            # The decay, and the largest values.
            found += [(a, b, -(10 ** rng.uniform(1, 4))), (a, b, -(10 ** rng.uniform(4, 6)))]
            found += [(a, b, float(mpf(rng.choice((300, 500, 680))) ** a))]
            # Both sides of the pole that is left out, and of the vertex.
            vertex, _, nearest = rules(mpf(a), mpf(b))
            for limit in (nearest, vertex):
                for factor in (0.999, 1.001):
                    if limit and rng.random() < 0.6:
                        found.append((a, b, float(rng.choice((-1, 1)) * (limit * factor) ** mpf(a))))
    # The poles of z < 0 cross the parabola at u = tan(pi/(2 a)): on a node, between two, and where the
    # offset of the nodes changes.
    for b in (1.0, 1.7):
        for place in (6.5, 6.7499, 6.7501, 7.0, 7.2499, 7.2501, 9.5, 14.0):
            a = mpf(1.7)
            for _ in range(40):
                a = pi / (2 * mp.atan(place * rules(a, mpf(b))[1]))
            if a > 1.995:
                continue
            vertex = rules(a, mpf(b))[0]
            crossing = (vertex / cos(pi / (2 * a)) ** 2) ** a
            found += [(float(a), b, float(-crossing * (1 + d))) for d in (0, 1e-9, -1e-4, 1e-2)]
    return found


def main(folder):
    found = points()
    with Pool() as pool:
        values = pool.map(gradient, found, chunksize=8)
    with open(f"{folder}/mittag_leffler_gradient.csv", "w", encoding="ascii", newline="\n") as f:
        f.write("alpha,beta,z,value,by_z,by_alpha,by_beta\n")
        for point, row in zip(found, values):
            digits = [nstr(x, 19, min_fixed=0, max_fixed=0) if x else "0" for x in row]
            if abs(row[0]) < mpf(10) ** 300:
                f.write(",".join([repr(x) for x in point] + digits) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
