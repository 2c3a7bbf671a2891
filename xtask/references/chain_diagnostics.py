"""Reference values for the diagnostics of chains in hpfracc-fit, from their definitions.

    python3 chain_diagnostics.py OUTPUT_FOLDER

chain_diagnostics.csv: R-hat, effective sample sizes, means, standard deviations and quantiles with
their Monte Carlo errors of chains that the test makes again, number by number. The formulas are those
of Vehtari, Gelman, Simpson, Carpenter and Buerkner, Bayesian Analysis 16 (2021) 667, written with all
autocorrelations and ranks by counting; normal quantiles are those of mpmath. ArviZ 0.23 has the same
numbers to 9 digits, but for the errors of quantiles, which it takes from a beta distribution instead
of a normal one, and for chains of 8 draws.
"""

import sys
from functools import lru_cache
from math import floor, fsum, log10, sqrt
from pathlib import Path

from mpmath import erfinv, mp, mpf

mp.dps = 30

# Name, chains, draws, coefficient of the autoregression, shift and scale of the last chain, form.
CASES = [
    ("independent", 4, 100, 0.0, 0.0, 1.0, "plain"),
    ("correlated", 4, 250, 0.9, 0.0, 1.0, "plain"),
    ("alternating", 4, 100, -0.6, 0.0, 1.0, "plain"),
    ("shifted", 3, 120, 0.3, 0.75, 1.0, "plain"),
    ("scaled", 4, 100, 0.2, 0.0, 4.0, "plain"),
    ("heavy", 4, 100, 0.0, 0.0, 1.0, "heavy"),
    ("ties", 4, 100, 0.5, 0.0, 1.0, "ties"),
    ("odd", 2, 101, 0.4, 0.0, 1.0, "plain"),
    ("single", 1, 300, 0.7, 0.0, 1.0, "plain"),
    ("slow", 2, 60, 0.99, 0.0, 1.0, "plain"),
    ("short", 2, 8, 0.0, 0.0, 1.0, "plain"),
]


def chains_of(count, draws, coefficient, shift, scale, form):
    """Chains from a linear congruential generator modulo 2^31, in double precision."""
    state, chains = 12345, []
    for number in range(count):
        x, chain = 0.0, []
        for _ in range(draws):
            total = 0.0
            for _ in range(4):
                state = (1103515245 * state + 12345) % 2**31
                total += state / 2**31
            x = coefficient * x + (total - 2.0)
            if form == "heavy":
                y = x / (0.01 + (state % 1000) / 1000)
            elif form == "ties":
                y = float(floor(2.0 * x))
            else:
                y = x
            chain.append(scale * y + shift if number == count - 1 else y)
        chains.append(chain)
    return chains


def mean(values):
    return fsum(values) / len(values)


def variance(values):
    centre = mean(values)
    return fsum((x - centre) ** 2 for x in values) / (len(values) - 1)


def halves(chains):
    return [part for c in chains for part in (c[: len(c) // 2], c[len(c) - len(c) // 2 :])]


@lru_cache(maxsize=None)
def normal_quantile(rank, count):
    p = (mpf(rank) - mpf(3) / 8) / (count + mpf(1) / 4)
    return float(mp.sqrt(2) * erfinv(2 * p - 1))


def scores(chains):
    everything = [x for c in chains for x in c]
    ranks = {
        x: sum(y < x for y in everything) + (sum(y == x for y in everything) + 1) / 2
        for x in set(everything)
    }
    return [[normal_quantile(ranks[x], len(everything)) for x in c] for c in chains]


def plain_r_hat(chains):
    n = len(chains[0])
    within = mean([variance(c) for c in chains])
    between = variance([mean(c) for c in chains])
    return sqrt(((n - 1) / n * within + between) / within)


def r_hat(chains):
    split = halves(chains)
    centre = quantile(split, 0.5)
    folded = [[abs(x - centre) for x in c] for c in split]
    return max(plain_r_hat(scores(split)), plain_r_hat(scores(folded)))


def ess(chains):
    """All autocorrelations first, then the positive pairs, then the monotone sequence."""
    m, n = len(chains), len(chains[0])
    if len({x for c in chains for x in c}) == 1:
        return float(m * n)
    centred = [[x - mean(c) for x in c] for c in chains]
    covariance = [
        mean([fsum(a * b for a, b in zip(c, c[t:])) / n for c in centred]) for t in range(n)
    ]
    within = mean([variance(c) for c in chains])
    total = within * (n - 1) / n + (variance([mean(c) for c in chains]) if m > 1 else 0.0)
    rho = [1.0] + [1 - (within - covariance[t]) / total for t in range(1, n)]
    pairs = []
    k = 0
    # Lags to n - 3, as in the implementations of the authors.
    while (2 * k < n - 4 or k == 0) and rho[2 * k] + rho[2 * k + 1] >= 0:
        pairs.append(rho[2 * k] + rho[2 * k + 1])
        k += 1
    monotone = [min(pairs[: i + 1]) for i in range(len(pairs))]
    tau = -1 + 2 * fsum(monotone) + max(rho[2 * k], 0.0)
    return m * n / max(tau, 1 / log10(m * n))


def quantile(chains, p):
    values = sorted(x for c in chains for x in c)
    at = min(max(p, 0.0), 1.0) * (len(values) - 1)
    below = floor(at)
    above = min(below + 1, len(values) - 1)
    return values[below] + (at - below) * (values[above] - values[below])


def quantile_ess(chains, p):
    at = quantile(chains, p)
    return ess([[1.0 if x <= at else 0.0 for x in c] for c in halves(chains)])


def row(chains):
    everything = [x for c in chains for x in c]
    centre, deviation = mean(everything), sqrt(variance(everything))
    squares = [[(x - centre) ** 2 for x in c] for c in chains]
    square_error = sqrt(variance([x for c in squares for x in c]) / ess(halves(squares)))
    p = 0.1
    p_error = sqrt(p * (1 - p) / quantile_ess(chains, p))
    return [
        r_hat(chains),
        ess(scores(halves(chains))),
        min(quantile_ess(chains, 0.05), quantile_ess(chains, 0.95)),
        centre,
        deviation / sqrt(ess(halves(chains))),
        deviation,
        square_error / (2 * deviation),
        quantile(chains, p),
        (quantile(chains, p + p_error) - quantile(chains, p - p_error)) / 2,
    ]


def main(folder):
    header = "case,chains,draws,coefficient,shift,scale,form,r_hat,bulk_ess,tail_ess,mean,mean_error"
    header += ",deviation,deviation_error,quantile,quantile_error"
    lines = ["# Made by xtask/references/chain_diagnostics.py; do not edit.", header]
    for name, *case in CASES:
        values = row(chains_of(*case))
        lines.append(",".join([name, *map(str, case), *map(repr, values)]))
    Path(folder, "chain_diagnostics.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
