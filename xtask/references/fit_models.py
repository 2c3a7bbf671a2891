"""Reference values of the models that `hpfracc-fit` has in its catalogue.

Usage: python3 fit_models.py FOLDER

Writes values.csv into FOLDER (tests/catalogue/data of hpfracc-fit), with the columns

  model,parameters,inputs,values

Parameters are `name=value`, constants of the experiment included, all of them doubles that read back exactly; values are
correct to the 19 digits printed. Complex numbers, Mittag-Leffler functions by their series and by quadrature of the inverse
Laplace transform, and the integrals of transport coefficients and shear rates by quadrature: no formula is
that of the catalogue. The run is deterministic.
"""

import random
import sys

from mpmath import mp, mpf, mpc, exp, gamma, nstr, quad, sin, cos, pi, sqrt, rgamma, linspace


def ml(a, b, z):
    """Mittag-Leffler function of a negative argument, by its series with digits for the cancellation."""
    size = abs(z) ** (1 / a)
    if size < 200:
        with mp.workdps(int(40 + size)):
            total, power, k = mpf(0), mpf(1), 0
            while True:
                term = power * rgamma(a * k + b)
                total += term
                power, k = power * z, k + 1
                if a * k > 2 * size + 3 and abs(power * rgamma(a * k + b)) < mpf(10) ** -mp.dps:
                    return total
    total, k = mpf(0), 1
    while k < 400:
        term = -(z**-k) * rgamma(b - a * k)
        if abs(z) ** -k * gamma(1 + max(a * k - b, 0)) < mpf(10) ** -30:
            return total
        total, k = total + term, k + 1
    raise ValueError("no convergence")


def zener(e0, e1, tau, alpha, x):
    s = (x * tau) ** alpha
    return e0 + e1 * s / (1 + s)


def poynting(e0, e1, tau, alpha, x):
    return 1 / (1 / e0 + 1 / (e1 + e1 * (x * tau) ** alpha))


def time_domain(modulus, creep):
    """Relaxation modulus or creep compliance from the modulus G(s), by Talbot's method for G(s)/s or 1/(s G(s))."""

    def function(t, p):
        with mp.workdps(60):
            def image(s):
                value = modulus(s, p)
                return (1 / value if creep else value) / s
            return mp.invertlaplace(image, t, method="talbot", degree=40)

    return function


def integral(t1, t2, order, amplitude, offset):
    return quad(lambda t: amplitude * t**order + offset, linspace(min(t1, t2), max(t1, t2), 9))


def spread(t1, t2, p):
    return integral(t1, t2, p["alpha"], p["D0"], p["D_off"])


def drift(t1, t2, p):
    strain = integral(t1, t2, p["beta"], p["gamma0"], p["gamma_off"])
    x = p["q"] * p["h"] * cos(pi / 180 * (p["phi0"] - p["phi"])) * strain / 2
    return (sin(x) / x if x else mpf(1)) ** 2


def two_time(p, field):
    return p["offset"] + p["contrast"] * field


MODULI = {
    "springpot": lambda s, p: p["c"] * s ** p["alpha"],
    "fractional-maxwell": lambda s, p: zener(0, p["E"], p["tau"], p["alpha"], s),
    "fractional-kelvin-voigt": lambda s, p: p["E"] + p["c"] * s ** p["alpha"],
    "fractional-zener": lambda s, p: zener(p["E0"], p["E1"], p["tau"], p["alpha"], s),
    "fractional-poynting-thomson": lambda s, p: poynting(p["E0"], p["E1"], p["tau"], p["alpha"], s),
    "series-springpots": lambda s, p: 1 / (1 / (p["c_a"] * s ** p["alpha"]) + 1 / (p["c_b"] * s ** p["beta"])),
    "parallel-springpots": lambda s, p: p["c_a"] * s ** p["alpha"] + p["c_b"] * s ** p["beta"],
}


def complex_parts(function, sign=1):
    def both(omega, p):
        value = function(mpc(0, omega), p)
        return [value.real, sign * value.imag]

    return both


def permittivity(alpha, shape):
    def value(s, p):
        return p["eps_inf"] + p["delta"] / (1 + (s * p["tau"]) ** alpha(p)) ** shape(p)

    return complex_parts(value, -1)


MODELS = {
    "mittag-leffler-relaxation": lambda t, p: p["c"] + p["a"] * ml(p["s"], mpf(1), -((t / p["tau"]) ** p["s"])),
    "stretched-exponential": lambda t, p: p["c"] + p["a"] * exp(-((t / p["tau"]) ** p["s"])),
    "power-law-relaxation": lambda t, p: p["c"] + p["a"] * (1 + t / p["tau"]) ** -p["s"],
    "debye": permittivity(lambda p: 1, lambda p: 1),
    "cole-cole": permittivity(lambda p: p["alpha"], lambda p: 1),
    "cole-davidson": permittivity(lambda p: 1, lambda p: p["gamma"]),
    "havriliak-negami": permittivity(lambda p: p["alpha"], lambda p: p["gamma"]),
    "ohmic-conductivity": complex_parts(lambda s, p: p["eps_inf"] + p["sigma"] / (s * p["eps_0"]), -1),
    "mean-squared-displacement": lambda t, p: 2 * p["n"] * (p["D_alpha"] * t ** p["alpha"] + p["variance"]),
    "xpcs-g1": lambda t, p: p["a"] * ml(p["s"], mpf(1), -((p["rate"] * t) ** p["s"])),
    "xpcs-g2": lambda t, p: two_time(p, exp(-((p["rate"] * t) ** p["s"])) ** 2),
    "xpcs-g2-mittag-leffler": lambda t, p: two_time(p, ml(p["s"], mpf(1), -((p["rate"] * t) ** p["s"])) ** 2),
    "xpcs-two-time": lambda t1, t2, p: two_time(p, exp(-p["q"] ** 2 * spread(t1, t2, p))),
    "xpcs-two-time-mittag-leffler": lambda t1, t2, p: two_time(
        p, ml(p["s"], mpf(1), -((p["q"] ** 2 * spread(t1, t2, p) / 2) ** p["s"])) ** 2
    ),
    "xpcs-two-time-laminar-flow": lambda t1, t2, p: two_time(
        p, exp(-p["q"] ** 2 * spread(t1, t2, p)) * drift(t1, t2, p)
    ),
    "fractional-transfer-function": complex_parts(
        lambda s, p: p["b0"] / (1 + p["a1"] * s ** p["alpha1"] + p["a2"] * s ** p["alpha2"])
    ),
    "R0-p(R1,CPE1)-p(R2-W1,CPE2)": complex_parts(
        lambda s, p: p["R0"]
        + 1 / (1 / p["R1"] + p["CPE1_Q"] * s ** p["CPE1_n"])
        + 1 / (1 / (p["R2"] + p["W1_A"] * sqrt(2 / s)) + p["CPE2_Q"] * s ** p["CPE2_n"])
    ),
    "L1-Wo1-Ws1-G1-ZARC1-C1": complex_parts(
        lambda s, p: s * p["L1"]
        + p["Wo1_R"] * mp.coth(sqrt(s * p["Wo1_tau"])) / sqrt(s * p["Wo1_tau"])
        + p["Ws1_R"] * mp.tanh(sqrt(s * p["Ws1_tau"])) / sqrt(s * p["Ws1_tau"])
        + p["G1_R"] / sqrt(1 + s * p["G1_tau"])
        + p["ZARC1_R"] / (1 + (s * p["ZARC1_tau"]) ** p["ZARC1_n"])
        + 1 / (s * p["C1"])
    ),
    "p(L1,Wo1,Ws1,G1,ZARC1,W1)": complex_parts(
        lambda s, p: 1
        / (
            1 / (s * p["L1"])
            + sqrt(s * p["Wo1_tau"]) * mp.tanh(sqrt(s * p["Wo1_tau"])) / p["Wo1_R"]
            + sqrt(s * p["Ws1_tau"]) * mp.coth(sqrt(s * p["Ws1_tau"])) / p["Ws1_R"]
            + sqrt(1 + s * p["G1_tau"]) / p["G1_R"]
            + (1 + (s * p["ZARC1_tau"]) ** p["ZARC1_n"]) / p["ZARC1_R"]
            + sqrt(s / 2) / p["W1_A"]
        )
    ),
}
for name, modulus in MODULI.items():
    MODELS[f"{name}-modulus"] = complex_parts(modulus)
    MODELS[f"{name}-relaxation"] = time_domain(modulus, False)
    MODELS[f"{name}-creep"] = time_domain(modulus, True)

ORDERS = {"alpha": (0.15, 0.97), "gamma": (0.2, 0.98), "n": (0.5, 0.98), "s": (0.3, 1.6)}
SCALES = {"L1": 1e-3, "C1": 1e-4, "D0": 100, "D_off": 10, "h": 1e5, "gamma0": 1e-3, "gamma_off": 2e-4, "sigma": 1e-12}
NAMES = {
    "mittag-leffler-relaxation": "a tau s c",
    "stretched-exponential": "a tau s c",
    "power-law-relaxation": "a tau s c",
    "debye": "eps_inf delta tau",
    "cole-cole": "eps_inf delta tau alpha",
    "cole-davidson": "eps_inf delta tau gamma",
    "havriliak-negami": "eps_inf delta tau alpha gamma",
    "ohmic-conductivity": "eps_inf sigma eps_0",
    "mean-squared-displacement": "D_alpha alpha variance n",
    "xpcs-g1": "a rate s",
    "xpcs-g2": "offset contrast rate s",
    "xpcs-g2-mittag-leffler": "offset contrast rate s",
    "xpcs-two-time": "offset contrast D0 alpha D_off q",
    "xpcs-two-time-mittag-leffler": "offset contrast D0 alpha D_off s q",
    "xpcs-two-time-laminar-flow": "offset contrast D0 alpha D_off gamma0 beta gamma_off phi0 q h phi",
    "fractional-transfer-function": "b0 a1 a2 alpha1 alpha2",
    "R0-p(R1,CPE1)-p(R2-W1,CPE2)": "R0 R1 CPE1_Q CPE1_n R2 W1_A CPE2_Q CPE2_n",
    "L1-Wo1-Ws1-G1-ZARC1-C1": "L1 Wo1_R Wo1_tau Ws1_R Ws1_tau G1_R G1_tau ZARC1_R ZARC1_tau ZARC1_n C1",
    "p(L1,Wo1,Ws1,G1,ZARC1,W1)": "L1 Wo1_R Wo1_tau Ws1_R Ws1_tau G1_R G1_tau ZARC1_R ZARC1_tau ZARC1_n W1_A",
    "springpot": "c alpha",
    "fractional-maxwell": "E tau alpha",
    "fractional-kelvin-voigt": "E c alpha",
    "fractional-zener": "E0 E1 tau alpha",
    "fractional-poynting-thomson": "E0 E1 tau alpha",
    "series-springpots": "c_a c_b alpha beta",
    "parallel-springpots": "c_a c_b alpha beta",
}
FIXED = {"eps_0": 8.8541878188e-12, "n": 3.0, "q": 0.03, "phi": 35.0}
WIDE = {"alpha": (-1.4, 1.4), "beta": (-0.9, 1.2)}


def parameters(model, rng):
    base = model.rsplit("-", 1)[0]
    names = (NAMES.get(model) or NAMES[base]).split()
    found = {}
    for name in names:
        symbol = name.rsplit("_", 1)[-1]
        if model.startswith("xpcs-two") and name in WIDE:
            value = rng.uniform(*WIDE[name])
        elif name in FIXED and model != "R0":
            value = FIXED[name]
        elif name in ("alpha1", "alpha2"):
            value = rng.uniform(0.4, 1.2) + (1.1 if name == "alpha2" else 0)
        elif name == "beta":
            value = found["alpha"] * rng.uniform(0.05, 0.8)
        elif name == "phi0":
            value = rng.uniform(-90, 90)
        elif symbol in ORDERS and name not in ("n",):
            value = rng.uniform(*ORDERS[symbol])
        else:
            value = SCALES.get(name, 1e-3 if symbol == "Q" else 2) * 10 ** rng.uniform(-0.5, 0.5)
        found[name] = float(f"{value:.12g}")
    return found


def inputs(model, rng, k):
    if model.startswith("xpcs-two"):
        t1, t2 = float(f"{rng.uniform(0.1, 10):.12g}"), float(f"{rng.uniform(0.1, 10):.12g}")
        # Close times, equal ones, and either order.
        return [(t1, t2), (t1, t1), (t1, t1 * 1.0000001), (t2, t1)][k % 4]
    return (float(f"{10 ** rng.uniform(-2, 2):.12g}"),)


def main(folder):
    mp.dps = 40
    rng = random.Random(19)
    with open(f"{folder}/values.csv", "w", encoding="ascii", newline="\n") as f:
        f.write("model;parameters;inputs;values\n")
        for model, function in MODELS.items():
            for k in range(8):
                p, x = parameters(model, rng), inputs(model, rng, k)
                value = function(*map(mpf, x), {name: mpf(value) for name, value in p.items()})
                values = value if isinstance(value, list) else [value]
                fields = [
                    model,
                    " ".join(f"{name}={value!r}" for name, value in p.items()),
                    " ".join(map(repr, x)),
                    " ".join(nstr(value, 19, min_fixed=0, max_fixed=0) if value else "0" for value in values),
                ]
                f.write(";".join(fields) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
