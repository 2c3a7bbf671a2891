"""Solutions of linear equations of several and distributed orders, for hpfracc-pde.

    python3 fields.py OUTPUT_FOLDER

several_orders.csv: solutions at t of P(D) u + lambda u = s for the data (u(0), u'(0), s) = (1, 0, 0), (0, 1, 0) and
(0, 0, 1), columns start, velocity and source. P(s) is

- two: s^0.4 + 2 s^0.9;
- three: 0.5 s^0.3 + s^0.75 + 0.2 s^1.4;
- uniform: the integral of s^a over (0, 1);
- rising: that of a s^a over (0, 1);
- wave: that of s^a over (1.2, 1.8);
- across: that of s^a over (0.5, 1.5);
- commensurate: 0.7 s^0.8 + 1.3 s^1.6.

The inverse Laplace transform is the sum by Talbot's contour, with two numbers of nodes that agree to 25 digits.
"""

import sys
from pathlib import Path

from mpmath import cot, exp, log, mp, mpc, mpf, nstr, pi

mp.dps = 60


def power(a, b, s):
    """The integral of s^x over (a, b)."""
    return (s ** mpf(b) - s ** mpf(a)) / log(s)


def terms(*pairs):
    def symbol(s):
        return sum(mpf(w) * s ** mpf(a) for w, a in pairs)

    def velocity(s):
        return sum(mpf(w) * s ** (mpf(a) - 2) for w, a in pairs if mpf(a) > 1)

    return symbol, velocity


CASES = {
    "two": terms(("1", "0.4"), ("2", "0.9")),
    "three": terms(("0.5", "0.3"), ("1", "0.75"), ("0.2", "1.4")),
    "uniform": (lambda s: power("0", "1", s), lambda s: mpf(0)),
    "rising": (lambda s: s / log(s) - (s - 1) / log(s) ** 2, lambda s: mpf(0)),
    "wave": (lambda s: power("1.2", "1.8", s), lambda s: power("1.2", "1.8", s) / s**2),
    "across": (lambda s: power("0.5", "1.5", s), lambda s: power("1", "1.5", s) / s**2),
    "commensurate": terms(("0.7", "0.8"), ("1.3", "1.6")),
}


def talbot(transform, t, nodes):
    """Fixed Talbot contour, r theta (cot theta + i), -pi < theta < pi, of a real function."""
    r = mpf(2) * nodes / (5 * t)
    total = exp(r * t) * transform(mpc(r)) / 2
    for k in range(1, nodes):
        theta = k * pi / nodes
        c = cot(theta)
        s = r * theta * mpc(c, 1)
        sigma = theta + (theta * c - 1) * c
        total += exp(s * t) * transform(s) * mpc(1, sigma)
    return (total * r / nodes).real


def value(transform, t):
    nodes = 100
    with mp.workdps(60):
        previous = talbot(transform, t, nodes)
    while True:
        nodes = int(nodes * 1.5)
        with mp.workdps(40 + int(0.45 * nodes)):
            found = talbot(transform, t, nodes)
        if abs(found - previous) <= mpf(10) ** -25 * max(abs(found), mpf(10) ** -10):
            return found
        previous = found


def main(folder):
    lines = ["case,lambda,t,start,velocity,source"]
    for case, (symbol, velocity) in CASES.items():
        for rate in ("0", "0.5", "40", "3000"):
            for t in ("0.01", "0.3", "2", "100"):
                of = lambda factor: value(lambda s: factor(s) / (symbol(s) + mpf(rate)), mpf(t))
                start = of(lambda s: symbol(s) / s)
                moving = of(velocity) if velocity(mpf(2)) != 0 else mpf(0)
                source = of(lambda s: 1 / s)
                numbers = ",".join(nstr(x, 20) for x in (start, moving, source))
                lines.append(f"{case},{rate},{t},{numbers}")
    (Path(folder) / "several_orders.csv").write_text("\n".join(lines) + "\n")


main(sys.argv[1])
