"""Paths of `dS = 0.05 S dt + 0.2 S dW` from S(0) = 1 to t = 1 in 200 Euler-Maruyama steps, f32.

The error is that of the mean of S(1), exactly `exp(0.05)`; with 1e5 paths its standard error is 7e-4.
Only the mean is required: no program stores the paths.
"""

from math import exp, sqrt

import numpy as np

from row import rows

STEPS = 200
H = 1 / STEPS
MU, SIGMA = 0.05, 0.2


def error(mean):
    return abs(mean - exp(MU))


def numpy_in_place(paths):
    generator = np.random.default_rng(1)
    x, z = np.empty(paths, np.float32), np.empty(paths, np.float32)

    def call():
        x.fill(1)
        for _ in range(STEPS):
            generator.standard_normal(dtype=np.float32, out=z)
            np.multiply(z, np.float32(SIGMA * sqrt(H)), out=z)
            np.add(z, np.float32(1 + MU * H), out=z)
            np.multiply(x, z, out=x)
        return x.mean(dtype=np.float64)

    return call, error


def torch_in_place(paths):
    import torch

    x, z = torch.empty(paths), torch.empty(paths)

    @torch.inference_mode()
    def call():
        x.fill_(1)
        for _ in range(STEPS):
            x.mul_(z.normal_(1 + MU * H, SIGMA * sqrt(H)))
        return x.mean(dtype=torch.float64).item()

    return call, error


def torch_compiled(paths):
    """Each step in compiled code, which draws and multiplies in one loop."""
    import torch

    @torch.compile
    def step(x):
        return x * (1 + MU * H + SIGMA * sqrt(H) * torch.randn_like(x))

    @torch.inference_mode()
    def call():
        x = torch.ones(paths)
        for _ in range(STEPS):
            x = step(x)
        return x.mean(dtype=torch.float64).item()

    return call, error


def keys():
    """A new key for each call, of the default generator of jax, which is the fastest one on a CPU."""
    import jax

    key = jax.random.key(1)
    while True:
        key, used = jax.random.split(key)
        yield used


def jax_scan(paths):
    import jax
    import jax.numpy as jnp

    @jax.jit
    def solve(key):
        def step(x, key):
            z = jax.random.normal(key, (paths,), jnp.float32)
            return x * (1 + MU * H + SIGMA * sqrt(H) * z), None

        x, _ = jax.lax.scan(step, jnp.ones(paths, jnp.float32), jax.random.split(key, STEPS))
        return x.mean()

    source = keys()
    return lambda: float(solve(next(source))), error


def diffrax_euler(brownian):
    def prepare(paths):
        import diffrax
        import jax
        import jax.numpy as jnp
        import lineax

        shape = jax.ShapeDtypeStruct((paths,), jnp.float32)

        @jax.jit
        def solve(key):
            if brownian == "unsafe":
                path = diffrax.UnsafeBrownianPath(shape, key=key)
            else:
                path = diffrax.VirtualBrownianTree(0.0, 1.0, H / 2, shape, key=key)
            noise = diffrax.ControlTerm(
                lambda t, x, _: lineax.DiagonalLinearOperator(SIGMA * x), path
            )
            terms = diffrax.MultiTerm(diffrax.ODETerm(lambda t, x, _: MU * x), noise)
            solution = diffrax.diffeqsolve(
                terms,
                diffrax.Euler(),
                0.0,
                1.0,
                H,
                jnp.ones(paths, jnp.float32),
                max_steps=STEPS + 1,
                adjoint=diffrax.ForwardMode(),
            )
            return solution.ys[-1].mean()

        source = keys()
        return lambda: float(solve(next(source))), error

    return prepare


def torchsde_euler(paths):
    import torch
    import torchsde

    class Geometric(torch.nn.Module):
        noise_type, sde_type = "diagonal", "ito"

        def f(self, t, x):
            return MU * x

        def g(self, t, x):
            return SIGMA * x

    start, times, system = torch.ones(paths, 1), torch.tensor([0.0, 1.0]), Geometric()

    @torch.no_grad()
    def call():
        x = torchsde.sdeint(system, start, times, dt=H, method="euler")
        return x[-1].mean(dtype=torch.float64).item()

    return call, error


def stochastic_exact(paths):
    """The exact scheme instead of Euler-Maruyama, path by path, in f64: the only one of the package."""
    from stochastic.continuous import GeometricBrownianMotion

    process = GeometricBrownianMotion(drift=MU, volatility=SIGMA, t=1)
    return lambda: sum(process.sample(STEPS)[-1] for _ in range(paths)) / paths, error


METHODS = {
    "numpy": ("numpy", numpy_in_place),
    "torch": ("torch", torch_in_place),
    "torch-compiled": ("torch", torch_compiled),
    "jax": ("jax", jax_scan),
    "diffrax-unsafe": ("diffrax", diffrax_euler("unsafe")),
    "diffrax-tree": ("diffrax", diffrax_euler("tree")),
    "torchsde": ("torchsde", torchsde_euler),
    "stochastic": ("stochastic", stochastic_exact),
}

if __name__ == "__main__":
    rows({"geometric-brownian": METHODS})
