"""Reference values for the collocation scheme of hpfracc-ode, with mpmath.

    python3 collocation.py OUTPUT_FOLDER

moments.csv: integrals of (x - u)^(alpha-1) P_j(u) over [-1, min(x, 1)], P_j the Legendre polynomials.
kilbas_saigo.csv: y of D^alpha y = -t^b y, y(0) = 1.
matrix.csv: E_alpha(A t^alpha) (1, 1, 1) for A = [[-1, 10, 0], [0, -1, 10], [0, 0, -2]], which is
defective and far from normal.
"""

import sys
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 60

ALPHAS = ["0.1", "0.5", "1", "1.5", "2.7"]
DEGREES = [0, 1, 2, 3, 7, 15, 27]
INSIDE = ["1e-6", "0.01", "0.3", "1", "1.7", "2"]  # x + 1
OUTSIDE = ["0", "1e-30", "1e-6", "1e-3", "0.01", "0.1", "1", "7", "1e4", "1e12"]  # x - 1


def legendre(degree):
    """Coefficients of P_degree, ascending."""
    before, now = [mpf(1)], [mpf(0), mpf(1)]
    if degree == 0:
        return before
    for k in range(1, degree):
        shifted = [mpf(0)] + [c * (2 * k + 1) / (k + 1) for c in now]
        older = [c * k / (k + 1) for c in before] + [mpf(0), mpf(0)]
        before, now = now, [a - b for a, b in zip(shifted, older)]
    return now


def moment(alpha, x, degree):
    """Term by term in s = x - u, with extra digits for the cancellation."""
    with mp.workdps(900):
        low, high = max(x - 1, mpf(0)), x + 1
        total = mpf(0)
        for n, c in enumerate(legendre(degree)):
            for k in range(n + 1):
                part = mp.binomial(n, k) * x ** (n - k) * (-1) ** k
                total += c * part * (high ** (alpha + k) - low ** (alpha + k)) / (alpha + k)
        return +total


def series(term):
    """Sum of term(0), term(1), ... with extra digits."""
    with mp.workdps(200):
        total, k = mpf(0), 0
        while True:
            now = term(k)
            total += now
            if k > 20 and abs(now) < mpf(10) ** -60:
                return +total
            k += 1


def kilbas_saigo(alpha, b, t):
    with mp.workdps(200):
        z = -(t ** (alpha + b))
        factors = [mpf(1)]

        def term(k):
            if k > 0:
                q = (k - 1) * (alpha + b) + b + 1
                factors.append(factors[-1] * mp.gamma(q) / mp.gamma(q + alpha))
            return factors[k] * z**k

        return series(term)


def matrix(alpha, t):
    with mp.workdps(200):
        a = mp.matrix([[-1, 10, 0], [0, -1, 10], [0, 0, -2]])
        power = mp.matrix([1, 1, 1])
        total, k = mp.matrix([0, 0, 0]), 0
        while True:
            now = power * (t ** (alpha * k) / mp.gamma(alpha * k + 1))
            total += now
            if k > 20 and mp.norm(now) < mpf(10) ** -60:
                return total
            power = a * power
            k += 1


def write(path, header, rows):
    lines = [header] + [",".join(row) for row in rows]
    path.write_text("# xtask/references/collocation.py\n" + "\n".join(lines) + "\n")


def text(value):
    return mp.nstr(value, 20)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for place, offsets in [("inside", INSIDE), ("outside", OUTSIDE)]:
        for alpha in ALPHAS:
            for offset in offsets:
                # Offsets rounded to doubles, as the program reads them.
                shift = mpf(float(offset))
                x = shift - 1 if place == "inside" else shift + 1
                for degree in DEGREES:
                    value = moment(mpf(float(alpha)), x, degree)
                    rows.append([place, alpha, offset, str(degree), text(value)])
    write(folder / "moments.csv", "place,alpha,offset,degree,value", rows)

    times = ["1e-9", "1e-4", "0.03", "0.25", "1", "1.75", "2"]
    rows = [
        [alpha, b, t, text(kilbas_saigo(mpf(float(alpha)), mpf(float(b)), mpf(float(t))))]
        for alpha, b in [("0.6", "1"), ("0.5", "-0.25"), ("0.7", "0.3")]
        for t in times
    ]
    write(folder / "kilbas_saigo.csv", "alpha,b,t,y", rows)

    rows = []
    for alpha in ["0.4", "0.8"]:
        for t in ["1e-9", "1e-4", "0.03", "0.25", "1", "2.5", "4"]:
            y = matrix(mpf(float(alpha)), mpf(float(t)))
            rows.append([alpha, t] + [text(value) for value in y])
    write(folder / "matrix.csv", "alpha,t,y1,y2,y3", rows)


if __name__ == "__main__":
    main()
