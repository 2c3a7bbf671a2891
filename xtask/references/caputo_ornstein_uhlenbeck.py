"""Variance of the Caputo Ornstein-Uhlenbeck process with sigma = 1, printed for the table in
crates/hpfracc-sde/tests/models/exact.rs: int_0^t (s^(a-1) E_{a,a}(-theta s^a))^2 ds."""

from mpmath import mp, mpf, nstr, quad, rgamma

mp.dps = 40


def mittag_leffler(a, z):
    """E_{a,a}(-z) by its series, with digits for what cancels."""
    digits = mp.dps
    mp.dps = int(60 + 0.9 * float(z) ** (1 / float(a)))
    total, k = mpf(0), 0
    while True:
        term = (-z) ** k * rgamma(a * k + a)
        total += term
        k += 1
        if k > 10 and abs(term) < mpf(10) ** (-45):
            break
    mp.dps = digits
    return +total


def variance(a, theta, t):
    """With s = v^q, whose integrand has no singularity."""
    q = 1 / (2 * a - 1)
    end = t ** (2 * a - 1)
    points = [0] + [end * mpf(2) ** (-k) for k in range(6, -1, -1)]
    mp.dps = 25
    found = quad(lambda v: q * mittag_leffler(a, theta * v ** (q * a)) ** 2, points)
    mp.dps = 40
    return found


for a, theta, t in [("0.55", "1", "0.7"), ("0.6", "2", "5"), ("0.8", "1", "5"), ("0.95", "0.3", "12")]:
    print(a, theta, t, nstr(variance(mpf(a), mpf(theta), mpf(t)), 18))
