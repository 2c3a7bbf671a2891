"""Reference values for operators in space and of variable order, with mpmath.

    python3 space.py OUTPUT_FOLDER

space_weights.csv: weights of two-sided schemes and their derivatives in alpha (and theta), on a grid of step
1/4.
variable_order.csv: derivatives of t^2 on (0, 1) of linearly increasing order.
variable_order_powers.csv: derivatives of t^q at 1 of linearly increasing order, types 2 and 3.
integral_laplacian.csv: the fractional Laplacian of (1-x^2)^2 on (-1, 1), zero outside.
"""

import sys
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 50

STEP = mpf(1) / 4
LAGS = [0, 1, 2, 3, 4, 7, 16, 31, 100, 1001, 65_536, 999_999]
EPSILON = mpf(10) ** -18  # of the central differences, at 50 digits


def derivative(function, x):
    return (function(x + EPSILON) - function(x - EPSILON)) / (2 * EPSILON)


def huang_oberman(k):
    """-w_k, and half of the diagonal for k = 0, by integrals of the Lagrange parabolas in closed form."""

    def moments(a, m):
        # int_-1^1 s^p (m+s)^(-1-a) ds for p = 0, 1, 2, from int y^(q-1-a) dy.
        y = lambda q: (lambda e: (mpf(m + 1) ** e - mpf(m - 1) ** e) / e)(q - a)
        i0, i1, i2 = y(0), y(1), y(2)
        return i0, i1 - m * i0, i2 - 2 * m * i1 + m * m * i0

    def weight(a):
        factor = 2 ** (a - 2) * mp.gamma((1 + a) / 2) / (mp.sqrt(mp.pi) * mp.gamma(2 - a / 2))
        c = a * (2 - a) * factor
        if k == 0:
            return STEP**-a * 2 * factor
        if k % 2 == 0:
            j0, _, j2 = moments(a, k)
            return -(STEP**-a) * c * (j0 - j2)
        _, j1, j2 = moments(a, k + 1)
        w = c * (j2 - j1) / 2
        if k == 1:
            w += a * factor
        else:
            _, j1, j2 = moments(a, k - 1)
            w += c * (j2 + j1) / 2
        return -(STEP**-a) * w

    return weight


def riesz_feller(k):
    """Weight of the lag k, of either sign, of alpha and theta."""

    def coefficient(j, a, b):
        return (-1) ** j * mp.gamma(a + b + 1) * mp.rgamma(a - j + 1) * mp.rgamma(b + j + 1)

    def weight(alpha, theta):
        a, b, s = (alpha - theta) / 2, (alpha + theta) / 2, -theta / 2
        c = lambda j: coefficient(j, a, b)
        blend = s * (s + 1) / 2 * c(k + 1) + (1 - s * s) * c(k) + s * (s - 1) / 2 * c(k - 1)
        return -(STEP**-alpha) * blend

    return weight


def write_weights(path):
    with open(path, "w") as out:
        out.write("# Weights at step 1/4; made by xtask/references/space.py\n")
        out.write("scheme,alpha,theta,k,weight,derivative,theta_derivative\n")
        show = lambda x: mp.nstr(x, 20)
        for alpha in [0.3, 1.25, 1.9]:  # an integral of y^-1 at whole numbers
            for k in LAGS:
                with mp.workdps(90):  # the moments cancel
                    f = huang_oberman(k)
                    w, dw = f(mpf(alpha)), derivative(f, mpf(alpha))
                out.write(f"huang-oberman,{alpha},0.0,{k},{show(w)},{show(dw)},0\n")
        for alpha, theta in [(0.5, 0.5), (0.5, -0.25), (1.0, 0.75), (1.5, -0.375), (1.75, 0.25)]:
            for k in LAGS + [-k for k in LAGS[1:]]:
                f = riesz_feller(k)
                a, t = mpf(alpha), mpf(theta)
                da = derivative(lambda x: f(x, t), a)
                dt = derivative(lambda x: f(a, x), t)
                out.write(f"riesz-feller,{alpha},{theta},{k},{show(f(a, t))},{show(da)},{show(dt)}\n")


def write_variable_order(path):
    """int_0^t k(t-s) 2 s ds with the order first + rise * (t, s or t-s), on the interval [0, 1]."""
    mp.dps = 25
    with open(path, "w") as out:
        out.write("# Variable-order derivatives of t^2; made by xtask/references/space.py\n")
        out.write("definition,first,rise,t,value\n")
        for first, rise in [(0.25, 0.5), (0.6, -0.4)]:
            order = lambda x: mpf(first) + mpf(rise) * x
            for t in [0.25, 0.5, 0.75, 1.0]:
                t = mpf(t)
                kernel = lambda lag, a: lag**-a * mp.rgamma(1 - a)
                exact = {
                    "time": lambda lag: kernel(lag, order(t)) * 2 * (t - lag),
                    "sample": lambda lag: kernel(lag, order(t - lag)) * 2 * (t - lag),
                    "lag": lambda lag: kernel(lag, order(lag)) * 2 * (t - lag),
                }
                for name, integrand in exact.items():
                    # lag = u^8: no singularity is left at 0.
                    smooth = lambda u: integrand(u**8) * 8 * u**7 if u > 0 else mpf(0)
                    value = mp.quad(smooth, mp.linspace(0, t ** (mpf(1) / 8), 9))
                    out.write(f"variable-order-{name},{first},{rise},{t},{mp.nstr(value, 18)}\n")
    mp.dps = 50


def write_variable_order_powers(path):
    """int_0^1 k(1-s) q s^(q-1) ds with the order first + rise * (s or 1-s)."""
    mp.dps = 25
    with open(path, "w") as out:
        out.write("# Variable-order derivatives of t^q at 1; made by xtask/references/space.py\n")
        out.write("definition,first,rise,q,value\n")
        for first, rise in [(0.2, 0.6), (0.7, -0.5), (0.05, 0.9)]:
            order = lambda x: mpf(first) + mpf(rise) * x
            kernel = lambda lag, a: lag**-a * mp.rgamma(1 - a)
            for q in [0.6, 3.5, 5.0]:
                power = lambda s: mpf(q) * s ** (mpf(q) - 1)
                exact = {
                    "sample": lambda lag, s: kernel(lag, order(s)) * power(s),
                    "lag": lambda lag, s: kernel(lag, order(lag)) * power(s),
                }
                for name, integrand in exact.items():
                    # lag = u^8 up to 1/2, s = u^8 from there on: no singularity is left.
                    near = lambda u: integrand(u**8, 1 - u**8) * 8 * u**7 if u > 0 else mpf(0)
                    far = lambda u: integrand(1 - u**8, u**8) * 8 * u**7 if u > 0 else mpf(0)
                    ends = mp.linspace(0, mpf(0.5) ** (mpf(1) / 8), 9)
                    value = mp.quad(near, ends) + mp.quad(far, ends)
                    out.write(f"variable-order-{name},{first},{rise},{q},{mp.nstr(value, 18)}\n")
    mp.dps = 50


def write_integral_laplacian(path):
    """Of (1-x^2)^2, zero outside: C int_0^inf (2 f(x) - f(x-y) - f(x+y)) y^(-1-alpha) dy, piece by piece."""
    mp.dps = 30
    f = lambda x: (1 - x * x) ** 2 if abs(x) < 1 else mpf(0)
    with open(path, "w") as out:
        out.write("# (-Lap)^(alpha/2) (1-x^2)^2_+; made by xtask/references/space.py\n")
        out.write("alpha,x,value\n")
        for alpha in [0.5, 1.0, 1.2, 1.6]:
            a = mpf(alpha)
            c = a * 2 ** (a - 1) * mp.gamma((a + 1) / 2) / (mp.sqrt(mp.pi) * mp.gamma(1 - a / 2))
            for x in [0.0, 0.25, 0.5, 0.75]:
                x = mpf(x)
                near, far = 1 - x, 1 + x
                # On (0, near) a polynomial: 2f(x) - f(x-y) - f(x+y) = (4 - 12 x^2) y^2 - 2 y^4.
                value = (4 - 12 * x * x) * near ** (2 - a) / (2 - a) - 2 * near ** (4 - a) / (4 - a)
                middle = lambda y: (2 * f(x) - f(x - y)) * y ** (-1 - a)
                value += mp.quad(middle, [near, far]) if far > near else 0
                value += 2 * f(x) * far**-a / a
                out.write(f"{alpha},{x},{mp.nstr(c * value, 20)}\n")
    mp.dps = 50


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_weights(folder / "space_weights.csv")
    write_variable_order(folder / "variable_order.csv")
    write_variable_order_powers(folder / "variable_order_powers.csv")
    write_integral_laplacian(folder / "integral_laplacian.csv")
