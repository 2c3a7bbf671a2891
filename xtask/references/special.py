"""Reference values for the tests of hpfracc-special, computed with mpmath.

Usage: python3 special.py FOLDER

Writes into FOLDER (the crate's tests/data), each with a header line:

  gamma_family.csv   function,x,y,value    two arguments; y is empty where there is one
  powers.csv         function,b,k,value,scale   entry k for the exponent b; scale is the size
                                           against which an error is judged
  binomials.csv      function,alpha,k,value,scale
  mittag_leffler.csv alpha,beta,re_z,im_z,re,im,slope   slope = |z E'(z)|, to tell zeros
  derivatives.csv    alpha,beta,k,re_z,im_z,re,im   the k-th derivative of E in z
  prabhakar.csv      alpha,beta,gamma,re_z,im_z,re,im
  hurwitz_zeta.csv   s,q,value
  wright.csv         lambda,mu,z,value,size  size = largest of 1 and |value|, or of |value| alone
                                           where relative accuracy is expected

Every argument is a double, printed so that it reads back exactly; every value is correct to the
19 significant digits printed. The run is deterministic.
"""

import random
import sys

from mpmath import (mp, mpf, mpc, beta, binomial, erf, erfc, exp, fabs, gamma, gammainc, hyp1f1, inf, isinf, log,
                    loggamma, nstr, pi, psi, rgamma, zeta)


def digits(x):
    return nstr(x, 19, min_fixed=0, max_fixed=0) if x else "0"


def write(folder, name, header, rows):
    with open(f"{folder}/{name}", "w", encoding="ascii", newline="\n") as f:
        f.write(header + "\n")
        for row in rows:
            f.write(",".join(v if isinstance(v, str) else repr(v) for v in row) + "\n")


def is_pole(x):
    return x <= 0 and x == int(x)


def anywhere(rng):
    """A number of any sign, of a size from 1e-12 to 1e12, or next to an integer."""
    sign = rng.choice([-1, 1])
    if rng.random() < 0.4:
        return sign * int(10 ** rng.uniform(0, rng.choice([1, 2.5, 6]))) + rng.choice([-1, 1]) * 10 ** rng.uniform(-12, -1)
    return sign * 10 ** rng.uniform(*rng.choice([(-12, 0), (0, 2.5), (0, 12)]))


def quotients(rng, count):
    """`count` rows for each quotient of gamma functions, wherever its value is a normal number."""
    functions = {
        # Both anywhere, or a distance that leaves the value in range.
        "gamma_ratio": lambda a, d: (a, a + d, lambda a, b: gamma(a) * rgamma(b)),
        "pochhammer": lambda x, d: (x, d, lambda x, d: gamma(x + d) * rgamma(x)),
        "beta": lambda a, b: (a, b, lambda a, b: gamma(a) * gamma(b) * rgamma(a + b)),
    }
    rows = []
    with mp.workdps(100):
        for name, arguments in functions.items():
            found = 0
            while found < count:
                x, y, function = arguments(anywhere(rng), anywhere(rng))
                # What is gained or lost by a step of one, to the power of the steps.
                if abs(y if name != "gamma_ratio" else y - x) > 1e4 and min(abs(x), abs(y)) > 1e4:
                    continue
                if any(is_pole(z) for z in (mpf(x), mpf(y), mpf(x) + mpf(y))):
                    continue
                value = function(mpf(x), mpf(y))
                if mpf("1e-300") < abs(value) < mpf("1.7e308"):
                    rows.append((name, repr(x), repr(y), digits(value)))
                    found += 1
    return rows


def gamma_family(rng):
    mp.dps = 60
    rows = []

    def row(name, value, x, y=None):
        if isinf(value) or abs(value) > mpf("1.7e308") or 0 < abs(value) < mpf("1e-300"):
            return
        rows.append((name, repr(x), "" if y is None else repr(y), digits(value)))

    xs = [0.5, 1.0, 1.5, 2.0, 3.0, 1e-10, 0.1, 0.9, 1.4616321449683622, 7.3, 14.9, 25.5, 99.25, 150.1, 170.5,
          -0.5, -1e-8, -0.999999, -1.0000001, -2.457, -7.3, -20.5, -99.9, -150.25]
    xs += [rng.uniform(-12, 20) for _ in range(25)]
    for x in xs:
        row("gamma", gamma(mpf(x)), x)
        row("recip_gamma", rgamma(mpf(x)), x)
        row("ln_gamma", log(abs(gamma(mpf(x)))), x)
        row("digamma", psi(0, mpf(x)), x)
        row("trigamma", psi(1, mpf(x)), x)
    for x in [-165.25, -170.25, -170.5, 0.0, -1.0, -4.0]:
        row("recip_gamma", rgamma(mpf(x)), x)
    for x in [1e3, 12345.678, 1e6, 1e8]:
        row("ln_gamma", loggamma(mpf(x)), x)
        row("digamma", psi(0, mpf(x)), x)
        row("trigamma", psi(1, mpf(x)), x)
    for x in [0.3, 2.7, 15.2, 17.9, 40.25, 100.5, 163.7, 180.5, 1000.0, 12345.5, 1e6, 1e8, -3.3, -170.7, -300.3]:
        for d in [0.5, -0.5, 1.7, -1.7, 3.25, 0.01, -4.9]:
            with mp.workdps(60):
                row("pochhammer", gamma(mpf(x) + mpf(d)) / gamma(mpf(x)), x, d)
    for a, b in [(171.5, 2.5), (200.25, 40.5), (300.5, 250.25), (1e6 + 0.5, 1e6), (5.25, -3.5), (0.1, 180.0), (160.0, 3.0),
                 (-20.5, -30.25), (250.0, 245.5), (33.3, 16.1), (-0.5, 3.0), (20.0, 150.0)]:
        row("gamma_ratio", gamma(mpf(a)) * rgamma(mpf(b)), a, b)
    for a, b in [(0.5, 0.5), (1e-3, 20.5), (3.3, 7.7), (0.25, 1e6), (40.5, 60.25), (140.0, 2.5), (-0.5, 2.25), (200.0, 300.5)]:
        row("beta", beta(mpf(a), mpf(b)), a, b)
    # Quotients on both sides of every switch between formulas, and anywhere else.
    sizes = [1e-310, 1e-30, 0.7, 14.9, 15.1, 19.0, 40.1, 99.5, 149.0, 151.3, 160.3, 169.9, 170.3, 230.5, 1e3 + 0.25, 1e6 + 0.5, 1e12 + 0.5]
    signed = sizes + [-x for x in sizes[2:]]
    pairs = [(a, b) for a in signed for b in signed]
    pairs += [(rng.uniform(-300, 300), rng.uniform(-300, 300)) for _ in range(150)]
    pairs += [(x, x + rng.choice([-1, 1]) * abs(x) ** rng.uniform(0, 0.9)) for x in (10 ** rng.uniform(0, 9) for _ in range(60))]
    pairs += [(150.0, 250.0), (40.0, 260.0), (100.0, 1e3), (150.0, 150.0), (-1.0 + 1e-9, 180.5), (179.5, -20.0 + 1e-12)]
    with mp.workdps(80):
        for a, b in pairs:
            exact, d = mpf(a) + mpf(b), b - a
            if not is_pole(a):
                row("gamma_ratio", gamma(mpf(a)) * rgamma(mpf(b)), a, b)
                if not is_pole(b):
                    row("beta", gamma(mpf(a)) * gamma(mpf(b)) * rgamma(exact), a, b)
            if not is_pole(mpf(a) + mpf(d)):
                row("pochhammer", gamma(mpf(a) + mpf(d)) * rgamma(mpf(a)), a, d)
    # Shifts of which x + d has a remainder.
    steps = [(-31432.041191922635, 59.5067709861483), (-1247.110129287852, -28.122851701873408)]
    steps += [(rng.choice([-1, 1]) * 10 ** rng.uniform(1, 9), rng.uniform(-30, 30)) for _ in range(100)]
    for x, d in steps:
        with mp.workdps(80):
            row("pochhammer", gamma(mpf(x) + mpf(d)) * rgamma(mpf(x)), x, d)
    # Where both are poles: the product of d factors, or the reciprocal of the one back.
    for x, d in [(-5.0, 2.0), (-200.0, 40.0), (-40.0, 40.0)]:
        product = mp.fprod(mpf(x) + j for j in range(int(d)))
        row("pochhammer", product, x, d)
        row("pochhammer", 1 / product, x + d, -d)
        row("gamma_ratio", product, x + d, x)
    for x in [1e-300, 1e-8, 0.1, 0.5, 0.8, 1.0, 1.7, 2.5, 3.3, 5.0, 9.9, 20.0, 26.0]:
        for s in (x, -x):
            row("erf", erf(mpf(s)), s)
            row("erfc", erfc(mpf(s)), s)
    for x in [0.0, 1e-5, 0.3, 1.0, 2.2, 3.75, 6.1, 11.0, 40.0, 300.0, 1e4, 1e7, 1e9, 1e200,
              -1e-5, -0.3, -1.1, -2.7, -5.5, -12.3, -20.1, -26.5]:
        with mp.workdps(60):
            v = exp(mpf(x) ** 2) * erfc(mpf(x)) if x < 1e3 else \
                sum((-1) ** k * mpf(mp.fac2(2 * k - 1) if k else 1) / (2 * mpf(x) ** 2) ** k for k in range(12)) / (mpf(x) * mp.sqrt(pi))
        row("erfcx", v, x)
    for a in [1e-6, 0.01, 0.3, 0.5, 1.0, 2.5, 10.0, 14.9, 15.1, 80.0, 900.0]:
        for t in [1e-6, 0.05, 0.4, 0.9, 1.0, 1.3, 2.5, 8.0]:
            x = float(a * t if a >= 1 else t)
            with mp.workdps(80):
                q = gammainc(mpf(a), mpf(x), inf, regularized=True)
                p = gammainc(mpf(a), 0, mpf(x), regularized=True)
                row("gamma_p", p, a, x)
                row("gamma_q", q, a, x)
    # Both sides of the switch to the uniform expansion, and large a, by quadrature of t^a e^-t / Γ(a+1)
    # in t = a + √a u.
    for a in [99999.0, 100001.0, 3e6, 1e9, 1e13]:
        for s in [-37.0, -20.0, -3.0, -0.5, 0.0, 0.7, 4.0, 15.0, 36.0]:
            x = float(a + s * mp.sqrt(a))
            with mp.workdps(50):
                big, root = mpf(a), mp.sqrt(mpf(a))
                lo = (mpf(x) - big) / root
                density = lambda u: exp((big - 1) * mp.log1p(u / root) - u * root - scale)
                scale = loggamma(big) - (big - 1) * log(big) + big - log(root)
                # The density decays like exp(-|s| w) at first, and at 1e-35 of it the rest is left out.
                width = mpf(1) / (1 + abs(mpf(s)))
                steps = [k * width for k in range(82)] if s else [k * width / 4 for k in range(80)]
                if s >= 0:
                    row("gamma_q", mp.quad(density, [lo + w for w in steps], method="gauss-legendre"), a, x)
                if s <= 0:
                    row("gamma_p", mp.quad(density, [lo - w for w in reversed(steps)], method="gauss-legendre"), a, x)
    rows += quotients(random.Random(5), 150)
    return rows


def power(k, b):
    return mpf(0) if k == 0 else mpf(k) ** b


def powers():
    mp.dps = 60
    rows = []
    stencils = {
        "powers": [(0, 1)],
        "forward_differences_of_powers": [(1, 1), (0, -1)],
        "second_differences_of_powers": [(1, 1), (0, -2), (-1, 1)],
    }
    for name, stencil in stencils.items():
        # From -2 to 6, blocks of indices share a power.
        for b in [0.05, 0.5, 0.999, 1.0001, 1.3, 1.7, 2.95, -0.5, -1.99, -2.01, 5.99, 6.01, -5.99, 12.25, -12.25, 40.5, -40.5]:
            for k in [1, 2, 3, 17, 30, 31, 32, 33, 34, 35, 40, 63, 64, 65, 100, 127, 128, 136, 137, 1001, 31623, 1000000]:
                if b < 0 and k == 1:
                    continue
                c = mpf(b)
                value = sum(w * power(k + o, c) for o, w in stencil)
                rows.append((name, b, k, digits(value), digits(abs(value))))
                # The derivative is ln k (value) + k^b d/db(value / k^b).
                logs = [(w, k + o) for o, w in stencil if k + o > 0]
                change = sum(w * power(n, c) * log(n) for w, n in logs)
                first = log(mpf(k)) * value
                rows.append((name + "_derivative", b, k, digits(change), digits(max(abs(first), abs(change - first)))))
    return rows


def binomials():
    mp.dps = 60
    rows = []
    for alpha in [0.1, 0.5, 0.9, 0.999999, 1.0, 1.3, 1.9, 2.0, 2.5, 4.7, -0.4, 7.0, 2.49, 2.51, 4.01, -3.99, -4.01, 12.25, -12.25]:
        for k in [1, 2, 3, 5, 8, 40, 62, 63, 64, 65, 66, 67, 80, 100, 127, 128, 140, 200, 255, 256, 1000, 31623, 1000000]:
            a = mpf(alpha)
            w = binomial(a, k)
            rows.append(("binomial", alpha, k, digits(w), digits(abs(w))))
            w *= (-1) ** k
            rows.append(("binomial_weights", alpha, k, digits(w), digits(abs(w))))
            # w = rgamma(-a) gamma(k-a)/k!; at natural a the limit is taken by a difference.
            with mp.workdps(300):
                h = mpf(10) ** -100
                d = (-1) ** k * (binomial(a + h, k) - binomial(a - h, k)) / (2 * h)
            rows.append(("binomial_weights_derivative", alpha, k, digits(d if abs(d) > mpf(10) ** -90 else mpf(0)), digits(max(abs(d), abs(w)))))
    rng, found = random.Random(6), 0
    while found < 150:
        alpha, k = anywhere(rng), int(10 ** rng.uniform(0, rng.choice([2, 6])))
        w = binomial(mpf(alpha), k)
        if mpf("1e-300") < abs(w) < mpf("1e308"):
            rows.append(("binomial", alpha, k, digits(w), digits(abs(w))))
            found += 1
    # Quotients of gamma functions that overflow by themselves.
    for alpha in [-1e6 - 0.5, -300.5, -150.25, -100.0, -99.5, 99.5, 100.5, 160.5, 249.0, 300.25, 1e6 + 0.5, 1e12 + 0.5]:
        for k in [33, 40, 100, 101, 150, 301, 400, 1000, 1000000]:
            w = binomial(mpf(alpha), k)
            if mpf("1e-300") < abs(w) < mpf("1e308"):
                rows.append(("binomial", alpha, k, digits(w), digits(abs(w))))
    return rows


def mittag_leffler_taylor(a, b, z, gam=1):
    """Sum of (gam)_k z^k / (k! Gamma(a k + b)), with extra digits for the cancellation."""
    size = fabs(z) ** (1 / a) if z else mpf(0)
    with mp.workdps(int(40 + 1.1 * size / log(10) + 2 * fabs(b))):
        total, term_scale, k = mpf(0), mpf(1), 0
        while True:
            total += term_scale * rgamma(a * k + b)
            k += 1
            term_scale *= z * (gam + k - 1) / k
            # Past a k > size the terms fall faster than geometrically.
            if a * k > 1.5 * size + fabs(b) + 2 and (not term_scale or
                    mp.mag(term_scale) - mp.mag(gamma(a * k + b + mpf("1e-9"))) < -mp.prec - 20):
                break
        return +total


def mittag_leffler_asymptotic(a, b, z):
    """Exponentials of the poles and the algebraic series, cut before its envelope grows."""
    with mp.workdps(60):
        total = mpf(0)
        size, angle = fabs(z) ** (1 / a), mp.arg(z)
        j_max = int(a) + 2
        for j in range(-j_max, j_max + 1):
            theta = (angle + 2 * pi * j) / a
            # z < 0 has angle +pi only; its mirror image is counted by j. At a = 1 the pole lies on
            # the cut and counts once.
            if fabs(theta) < pi or (a == 1 and j == 0):
                s = size * mp.expj(theta)
                total += exp(s + (1 - b) * mpc(log(size), theta)) / a
        smallest, k = inf, 1
        while k < 4000:
            envelope = gamma(1 + max(a * k - b, mpf(0))) / fabs(z) ** k
            if envelope > smallest or envelope < mpf(10) ** -80:
                break
            smallest = envelope
            total -= z ** -k * rgamma(b - a * k)
            k += 1
        return +total


def mittag_leffler(a, b, z):
    a, b = mpf(a), mpf(b)
    z = mpc(z) if isinstance(z, complex) else mpf(z)
    if not z:
        return rgamma(b)
    if a == 1 and b == 1:
        with mp.workdps(60):
            return exp(z)
    if fabs(z) ** (1 / a) < 70:
        return mittag_leffler_taylor(a, b, z)
    return mittag_leffler_asymptotic(a, b, z)


def mittag_leffler_table(rng):
    """Every regime, switch and special case; a deterministic selection from the full grid."""
    mp.dps = 30
    alphas = [0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 0.95, 0.99, 0.999, 0.999999, 1.0, 1.000001, 1.001, 1.05,
              1.25, 1.5, 1.75, 1.9, 1.99, 1.999, 2.0, 2.001, 2.1, 2.25, 2.5]
    points = []
    for a in alphas:
        for b in (0.0, 0.5, 1.0, a, 2.0):
            # Taylor's circle and its rim, the contour, the algebraic expansion.
            reals = [-x for x in (1e-6, 0.01, 0.3, 0.499, 0.501, 0.699, 0.701, 0.8999, 0.9001, 1.0, 1.1, 1.7, 2.5, 4.0, 6.3, 10.0,
                                  15.5, 20.0, 24.0, 30.0, 37.0, 46.0, 60.0, 100.0, 333.0, 1000.0, 3162.0, 1e4)]
            reals += [0.01, 0.499, 0.8, 0.95, 1.05, 1.5]
            reals += [float(mpf(x) ** mpf(a)) for x in (2, 8, 25, 44.9, 45.1, 100, 300, 550, 690)]
            complexes = []
            for r in (0.05, 0.49, 0.89, 0.95, 1.2, 3.0, 8.0, 40.0, 400.0, 5000.0):
                for t in (0.3, 0.5 * a * 3.14159, 0.97 * a * 3.14159, 0.999 * a * 3.14159, 1.02 * a * 3.14159, 2.0, 3.0, 3.14, 3.1415926):
                    if t <= 3.1415927:
                        t = t * rng.choice((-1, 1))
                        complexes.append(complex(r * float(mp.cos(t)), r * float(mp.sin(t))))
            points += [(a, b, x) for x in rng.sample(reals, 5)]
            points += [(a, b, z) for z in rng.sample(complexes, 3)]
    for b in (0.0, 0.5, 1.0, 2.0):
        points += [(a, b, -x) for a in (0.95, 0.99, 0.999) for x in (20.0, 28.0, 35.0, 50.0, 1e4)]
    rows = []
    for a, b, z in points:
        # A result with an exponent beyond 1e6 is not a double.
        if isinstance(z, complex) and abs(z) ** (1 / a) > 1e6:
            continue
        value = mpc(mittag_leffler(a, b, z))
        if abs(value) > mpf(10) ** 300 or (value and abs(value) < mpf(10) ** -250):
            continue
        below = mittag_leffler(a, mpf(b) - 1, z)
        slope = abs((below - (mpf(b) - 1) * value) / mpf(a))
        z = complex(z)
        rows.append((a, b, z.real, z.imag, digits(value.real), digits(value.imag), nstr(slope, 6)))
    return rows


def on_a_ray(rng, a, largest):
    """A real or complex z with |z|^(1/a) up to about the given size."""
    r = rng.choice((rng.uniform(0.05, 2), rng.uniform(0.5, 20), rng.uniform(2, largest))) ** a
    angle = rng.choice((0.0, None, None, rng.uniform(-3.14, 3.14), a * 3.1 if a < 1 else 3.1))
    if angle is None:
        return -r
    return complex(r * float(mp.cos(angle)), r * float(mp.sin(angle))) if angle else r


def derivatives(rng):
    mp.dps = 40
    rows = []
    for _ in range(160):
        a = rng.choice((0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0, 1.2, 1.5, 1.9, 2.0, 2.5))
        b, k = rng.choice((0.0, 0.5, 1.0, a, 2.0)), rng.choice((1, 1, 2, 3))
        z = complex(on_a_ray(rng, a, 50))
        # d^k E_{a,b} = k! E^{k+1}_{a,b+ak}
        v = mpc(mp.factorial(k) * mittag_leffler_taylor(mpf(a), mpf(b) + mpf(a) * k, mpc(z), k + 1))
        rows.append((a, b, k, z.real, z.imag, digits(v.real), digits(v.imag)))
    # A pole that is close to two of the contours, where high derivatives are hardest.
    for x in (1.2, 1.33, 1.45):
        z, a, k = complex(x), 0.9, 6
        v = mp.factorial(k) * mittag_leffler_taylor(mpf(a), 1 + mpf(a) * k, mpc(z), k + 1)
        rows.append((a, 1.0, k, z.real, z.imag, digits(v.real), "0"))
    return rows


def prabhakar(rng):
    mp.dps = 40
    rows = []
    for _ in range(240):
        a = rng.choice((0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0, 1.2, 1.5, 1.9, 2.0))
        b = rng.choice((0.0, 0.5, 1.0, a, 2.0))
        g = rng.choice((-3.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.5, round(rng.uniform(-2, 3), 3)))
        z = complex(on_a_ray(rng, a, 50))
        v = mpc(mittag_leffler_taylor(mpf(a), mpf(b), mpc(z), mpf(g)))
        rows.append((a, b, g, z.real, z.imag, digits(v.real), digits(v.imag)))
    # a = 1 is Kummer's function, also where the branch point z is far from the origin.
    for z in (complex(0, 1e3), complex(3, -2e4), complex(-20, 300), -500.0):
        for b, g in ((0.7, 0.4), (1.3, 1.6), (2.0, -0.5)):
            with mp.workdps(60):
                v = mpc(hyp1f1(mpf(g), mpf(b), mpc(z)) * rgamma(mpf(b)))
            z = complex(z)
            rows.append((1.0, b, g, z.real, z.imag, digits(v.real), digits(v.imag)))
    return rows


def wright_series(lam, mu, z):
    lam, mu, z = mpf(lam), mpf(mu), mpf(z)
    size = fabs(z) ** (1 / (1 + lam)) * 4
    with mp.workdps(int(60 + size)):
        total, power, k = mpf(0), mpf(1), 0
        while True:
            total += power * rgamma(lam * k + mu)
            k += 1
            power *= z / k
            # |1/Gamma(x)| <= Gamma(1-x) for x < 0 and <= 1.2 for x > 0.
            bound = gamma(1 - lam * k + fabs(mu)) if lam < 0 else mpf(2)
            if k > 3 * fabs(z) and fabs(power) * bound < mpf(10) ** (20 - mp.dps):
                return +total


def wright_table():
    mp.dps = 30
    rows = []
    for lam in (-0.9, -0.75, -0.5, -1 / 3, -0.1, 0.3, 1.0, 2.0):
        for mu in (0.0, 0.5, 1.0, 1 + lam):
            for z in (-25.0, -8.0, -3.0, -1.0, -0.3, 0.4, 1.5, 6.0):
                if fabs(z) ** (1 / (1 + lam)) > 60:
                    continue
                v = wright_series(lam, mu, z)
                if not v:
                    continue
                # Decaying values for lambda < 0 < -z, away from the zeros that mu = 0 gives none.
                relative = lam < 0 and z < 0 and mu > 0
                rows.append((lam, mu, z, digits(v), nstr(fabs(v) if relative else max(1, fabs(v)), 6)))
    return rows


def hurwitz_zeta(rng):
    mp.dps = 40
    exponents = [1 + 2.0 ** -30, 1.001, 1.1, 1.5, 2.0, 2.5, 3.0, 5.5, 10.0, 30.25, 100.0, 300.0]
    points = [(s, q) for s in exponents for q in
              (1e-8, 0.01, 0.3, 0.5, 0.9, 1.0, 1.7, 5.0, 9.0, 20.3, 33.25, 100.1, 1e4 + 1 / 3, 1e8)]
    points += [(1 + 10 ** rng.uniform(-8, 2.4), 10 ** rng.uniform(-8, 8)) for _ in range(100)]
    rows = []
    for s, q in points:
        # The logarithm of the first term decides whether the value is a normal number.
        if abs(s * log(mpf(q))) < 690:
            # Terms up to 60 + s by themselves, then the formula of Euler and Maclaurin with 60 digits.
            with mp.workdps(60):
                n = max(0, int(60 + s - q))
                a = mpf(q) + n
                value = mp.fsum((mpf(q) + k) ** -mpf(s) for k in range(n)) + a ** (1 - mpf(s)) / (mpf(s) - 1) + a ** -mpf(s) / 2
                value += mp.fsum(mp.bernoulli(2 * j) / mp.factorial(2 * j) * mp.rf(mpf(s), 2 * j - 1)
                                 * a ** (1 - mpf(s) - 2 * j) for j in range(1, 40))
            # The function of mpmath loses digits for larger s.
            assert s > 4 or abs(zeta(mpf(s), mpf(q)) / value - 1) < mpf(10) ** -25
            rows.append((s, q, digits(value)))
    return rows


def main(folder):
    write(folder, "hurwitz_zeta.csv", "s,q,value", hurwitz_zeta(random.Random(7)))
    write(folder, "gamma_family.csv", "function,x,y,value", gamma_family(random.Random(1)))
    write(folder, "powers.csv", "function,b,k,value,scale", powers())
    write(folder, "binomials.csv", "function,alpha,k,value,scale", binomials())
    write(folder, "derivatives.csv", "alpha,beta,k,re_z,im_z,re,im", derivatives(random.Random(3)))
    write(folder, "prabhakar.csv", "alpha,beta,gamma,re_z,im_z,re,im", prabhakar(random.Random(4)))
    write(folder, "wright.csv", "lambda,mu,z,value,size", wright_table())
    write(folder, "mittag_leffler.csv", "alpha,beta,re_z,im_z,re,im,slope", mittag_leffler_table(random.Random(2)))


if __name__ == "__main__":
    main(sys.argv[1])
