"""Reference values for hpfracc-transforms, with mpmath.

    python3 transforms.py OUTPUT_FOLDER

fractional_dft.csv: sum_j x_j exp(-2 pi i j (f + k c)) for x_j = ((j^2 mod 17) - 8)/8, as 17
geometric series.
shifted_gaussian.csv: the fractional Fourier transform of exp(-pi (x - x0)^2) at u = j/sqrt(n) for
n a power of four, where samples are exact and phases take thousands of turns.
"""

import sys
from pathlib import Path

from mpmath import mp, mpc, mpf

mp.dps = 40

PERIOD = 17
FREQUENCIES = [  # n, f, c
    (1000, 0.0, 0.0123),
    (1000, 0.37, -0.4999),
    (100_000, 0.0, 0.0123),
    (100_000, 0.12345, 1e-7),
    (1_000_000, -0.2, 0.3141592653589793),
]
GAUSSIANS = [  # n, x0, orders
    (65_536, 76.75, [-1.2, -0.3, 0.3, 0.7, 1.0, 1.4, 1.8]),
    (1_048_576, -300.5, [0.3]),
]


def transformed(n, frequency):
    z = mp.expjpi(-2 * frequency)
    w = z**PERIOD
    total = mpc(0)
    for r in range(min(PERIOD, n)):
        terms = (n - r + PERIOD - 1) // PERIOD
        series = mpf(terms) if w == 1 else (1 - w**terms) / (1 - w)
        total += mpf((r * r) % PERIOD - 8) / 8 * z**r * series
    return total


def write_fractional_dft(path):
    with open(path, "w") as out:
        out.write("# Fractional DFT; made by xtask/references/transforms.py\n")
        out.write("n,first,step,k,re,im\n")
        for n, first, step in FREQUENCIES:
            for k in sorted({0, 1, 2, 17, n // 3, n // 2, n - 2, n - 1}):
                g = transformed(n, mpf(first) + k * mpf(step))
                out.write(f"{n},{first},{step},{k},{mp.nstr(g.real, 20)},{mp.nstr(g.imag, 20)}\n")


def write_shifted_gaussian(path):
    with open(path, "w") as out:
        out.write("# Fractional Fourier transform of exp(-pi (x - x0)^2); made by ")
        out.write("xtask/references/transforms.py\n")
        out.write("n,x0,order,j,re,im\n")
        for n, x0, orders in GAUSSIANS:
            root = mp.sqrt(n)
            for order in orders:
                sin, cos = mp.sinpi(mpf(order) / 2), mp.cospi(mpf(order) / 2)
                peak = int(mp.nint(x0 * cos * root))
                for j in [peak + d for d in (-300, -77, -1, 0, 5, 128, 400)]:
                    u = j / root
                    size = mp.exp(-mp.pi * (u - x0 * cos) ** 2)
                    y = size * mp.expjpi(-(2 * u * x0 * sin - x0**2 * sin * cos))
                    row = (mp.nstr(y.real, 20), mp.nstr(y.imag, 20))
                    out.write(f"{n},{x0},{order},{j},{row[0]},{row[1]}\n")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_fractional_dft(folder / "fractional_dft.csv")
    write_shifted_gaussian(folder / "shifted_gaussian.csv")
