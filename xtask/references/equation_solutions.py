"""Solutions of fractional differential equations for the fits of hpfracc-fit.

    python3 equation_solutions.py OUTPUT_FOLDER

equation_solutions.csv: y(t) of

- relaxation: D^0.7 y = 1.2 - 0.9 y, y(0) = 0.4, by y = 0.4 E_a(-0.9 t^a) + 1.2 t^a E_{a,a+1}(-0.9 t^a), at equal
  times and at powers of 10;
- oscillation: D^1.65 y = -2 y, y(0) = 1, y'(0) = 0.3, by y = E_a(-2 t^a) + 0.3 t E_{a,2}(-2 t^a);
- logistic: D^0.72 y = 1.3 y (1 - y), y(0) = 0.1, by the power series in t^a, whose coefficients follow from
  D^a t^{ka} = Gamma(ka + 1)/Gamma(ka - a + 1) t^{ka - a}, summed by Pade approximants of two orders that agree.
"""

import sys
from pathlib import Path

from mpmath import gamma, mp, mpf, nstr, pade, polyval

mp.dps = 60


def mittag_leffler(alpha, beta, z):
    """The power series, with as many digits as its largest term cancels."""
    with mp.workdps(60 + int(abs(z) ** (1 / alpha))):
        total, k, power = mpf(0), 0, mpf(1)
        while True:
            term = power / gamma(alpha * k + beta)
            total += term
            k, power = k + 1, power * z
            if k > 10 and abs(term) < mpf(10) ** -55 * abs(total):
                return total


def relaxation(t):
    alpha, f, rate, start = mpf("0.7"), mpf("1.2"), mpf("0.9"), mpf("0.4")
    z = -rate * t**alpha
    forced = f * t**alpha * mittag_leffler(alpha, alpha + 1, z)
    return start * mittag_leffler(alpha, 1, z) + forced


def oscillation(t):
    alpha, rate, start, slope = mpf("1.65"), mpf(2), mpf(1), mpf("0.3")
    z = -rate * t**alpha
    return start * mittag_leffler(alpha, 1, z) + slope * t * mittag_leffler(alpha, 2, z)


def logistic_approximants():
    with mp.workdps(400):
        alpha, rate = mpf("0.72"), mpf("1.3")
        c = [mpf("0.1")]
        for k in range(200):
            square = sum(c[i] * c[k - i] for i in range(k + 1))
            factor = gamma(k * alpha + 1) / gamma((k + 1) * alpha + 1)
            c.append(rate * (c[k] - square) * factor)
        return alpha, [pade(c[: 2 * n + 1], n, n) for n in (80, 98)]


def main(folder):
    rows = ["case,t,y"]

    def add(case, t, y):
        rows.append(f"{case},{float(t)!r},{nstr(y, 20)}")

    for k in range(41):
        t = mpf(float(k) / 5.0)
        add("relaxation", t, relaxation(t))
        add("oscillation", t, oscillation(t))
    for k in range(-30, 9):
        t = mpf(float(f"{10.0 ** (k / 10.0):.6g}"))
        add("relaxation at powers", t, relaxation(t))
    alpha, approximants = logistic_approximants()
    for k in range(41):
        t = mpf(float(k) / 10.0)
        with mp.workdps(400):
            values = [polyval(p[::-1], t**alpha) / polyval(q[::-1], t**alpha) for p, q in approximants]
        assert abs(values[0] - values[1]) < mpf(10) ** -15, (t, values)
        add("logistic", t, values[1])
    text = "# Made by xtask/references/equation_solutions.py; do not edit.\n" + "\n".join(rows) + "\n"
    Path(folder, "equation_solutions.csv").write_text(text)


if __name__ == "__main__":
    main(sys.argv[1])
