"""Equations of fields on N cells of [0, 1], up to t = 1.

Subdiffusion: `D^0.6 u = 0.1 u_xx`, u = 0 at the ends, u(0) = sin(pi x); the largest error at the end.
Reaction and diffusion: `u' = 4e-4 u_xx + u - u^3`, insulated ends, u(0) = cos(7 x + 0.3).
"""

from math import gamma, pi

import numpy as np

from row import rows

ALPHA, KAPPA, STEPS = 0.6, 0.1, 500
# E_0.6(-0.1 pi^2), by its series in 40 digits.
DECAY = 0.41707370128211575


def cells(n):
    return (np.arange(n) + 0.5) / n


def l1(n):
    """L1 on equal steps: direct sums over the past, a banded solve a step."""
    from scipy.linalg import solve_banded

    x = cells(n)
    h = 1.0 / STEPS
    scale = h**-ALPHA / gamma(2 - ALPHA)
    k = np.arange(STEPS + 1, dtype=float)
    b = k[1:] ** (1 - ALPHA) - k[:-1] ** (1 - ALPHA)

    def call():
        diffusion = KAPPA * n * n
        bands = np.empty((3, n))
        bands[0], bands[2] = -diffusion, -diffusion
        bands[1] = scale + 2 * diffusion
        bands[1, [0, -1]] += diffusion
        u = np.empty((STEPS + 1, n))
        u[0] = np.sin(pi * x)
        changes = np.empty((STEPS, n))
        for j in range(1, STEPS + 1):
            past = b[j - 1 : 0 : -1] @ changes[: j - 1]
            u[j] = solve_banded((1, 1), bands, scale * (u[j - 1] - past))
            changes[j - 1] = u[j] - u[j - 1]
        return u[-1]

    return call, lambda u: np.abs(u - DECAY * np.sin(pi * x)).max()


def package(n):
    import hpfracc

    text = f"D^{ALPHA} u = {KAPPA} lap(u); u(0) = sin(pi x)"

    def call():
        solution = hpfracc.pde.solve(
            text, box=(0, 1, n), boundary="dirichlet", until=1, method="product-trapezoid", steps=STEPS, save=[1.0]
        )
        return solution.u[-1]

    return call, lambda u: np.abs(u - DECAY * np.sin(pi * cells(n))).max()


def py_pde(n):
    """Explicit Runge-Kutta steps of adaptive length."""
    from pde import PDE, CartesianGrid, ScalarField

    grid = CartesianGrid([[0, 1]], n)
    start = ScalarField(grid, np.cos(7 * cells(n) + 0.3))
    equation = PDE({"u": "0.0004 * laplace(u) + u - u**3"}, bc={"derivative": 0})
    return lambda: equation.solve(start, t_range=1, dt=1e-4, adaptive=True, solver="runge-kutta", tracker=None), None


PROBLEMS = {
    "subdiffusion": {"scipy": ("scipy", l1), "package": ("hpfracc-python", package)},
    "allen-cahn": {"py-pde": ("py-pde", py_pde)},
}

if __name__ == "__main__":
    rows(PROBLEMS)
