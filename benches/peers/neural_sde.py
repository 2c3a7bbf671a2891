"""A training step of a neural stochastic equation: gradient of the mean square at t = 1, and Adam.

State 4, batch 256, drift 4-64-64-4 and diagonal diffusion 4-64-4 with tanh, f32, N Euler-Maruyama steps,
new noise in each call.
"""

from row import rows

import networks
from networks import BATCH, STATE, in_jax, in_torch


def keys():
    """A new key for each call, of the default generator of jax, which is the fastest one on a CPU."""
    import jax

    key = [jax.random.key(1)]

    def rest():
        key[0], used = jax.random.split(key[0])
        return (used,)

    return rest


def jax_scan(recompute):
    """A scan over the steps; with `recompute`, only the states are stored for the backward pass."""

    def prepare(steps):
        import jax
        import jax.numpy as jnp

        starts, ends = networks.starts_and_ends()
        h = 1 / steps

        def loss(parameters, key):
            def step(x, z):
                drift, diffusion = parameters
                return x + h * in_jax(drift, x) + in_jax(diffusion, x) * z, None

            noise = h**0.5 * jax.random.normal(key, (steps, BATCH, STATE), jnp.float32)
            x, _ = jax.lax.scan(jax.checkpoint(step) if recompute else step, starts, noise)
            return jnp.mean((x - ends) ** 2)

        parameters = networks.drift_and_diffusion()
        return networks.training_in_jax(loss, parameters, keys()), None

    return prepare


def modules():
    import torch

    return [in_torch(layers, torch.nn.Tanh) for layers in networks.drift_and_diffusion()]


def torch_loop(compiled):
    """A loop over the steps, with `compiled` each step in compiled code: the whole loop compiles for minutes."""

    def prepare(steps):
        import torch

        drift, diffusion = modules()
        starts, ends = map(torch.from_numpy, networks.starts_and_ends())
        h = 1 / steps

        def step(x, z):
            return x + h * drift(x) + diffusion(x) * z

        run = torch.compile(step) if compiled else step

        def loss():
            noise = h**0.5 * torch.randn(steps, BATCH, STATE)
            x = starts
            for z in noise:
                x = run(x, z)
            return torch.mean((x - ends) ** 2)

        return networks.training_in_torch(torch.nn.ModuleList((drift, diffusion)), loss), None

    return prepare


def diffrax_euler(brownian):
    """Noise of the tree, or of a path that interpolates sums of precomputed increments linearly:
    `UnsafeBrownianPath` has no gradients."""

    def prepare(steps):
        import diffrax
        import jax
        import jax.numpy as jnp
        import lineax

        starts, ends = networks.starts_and_ends()
        shape = jax.ShapeDtypeStruct((BATCH, STATE), jnp.float32)
        h = 1 / steps

        def loss(parameters, key):
            drift, diffusion = parameters
            if brownian == "path":
                noise = h**0.5 * jax.random.normal(key, (steps, BATCH, STATE), jnp.float32)
                start = jnp.zeros((1, BATCH, STATE), jnp.float32)
                sums = jnp.concatenate((start, jnp.cumsum(noise, 0)))
                path = diffrax.LinearInterpolation(jnp.linspace(0, 1, steps + 1), sums)
            else:
                path = diffrax.VirtualBrownianTree(0.0, 1.0, h / 2, shape, key=key)
            noise = diffrax.ControlTerm(
                lambda t, x, _: lineax.DiagonalLinearOperator(in_jax(diffusion, x)), path
            )
            solution = diffrax.diffeqsolve(
                diffrax.MultiTerm(diffrax.ODETerm(lambda t, x, _: in_jax(drift, x)), noise),
                diffrax.Euler(),
                0.0,
                1.0,
                h,
                jnp.asarray(starts),
                max_steps=steps + 1,
            )
            return jnp.mean((solution.ys[-1] - ends) ** 2)

        parameters = networks.drift_and_diffusion()
        return networks.training_in_jax(loss, parameters, keys()), None

    return prepare


def torchsde_euler(steps):
    """Backpropagation through the steps of the solver, which is faster here than its adjoint."""
    import torch
    import torchsde

    class Neural(torch.nn.Module):
        noise_type, sde_type = "diagonal", "ito"

        def __init__(self):
            super().__init__()
            self.drift, self.diffusion = modules()

        def f(self, t, x):
            return self.drift(x)

        def g(self, t, x):
            return self.diffusion(x)

    system = Neural()
    starts, ends = map(torch.from_numpy, networks.starts_and_ends())
    times = torch.tensor([0.0, 1.0])

    def loss():
        x = torchsde.sdeint(system, starts, times, dt=1 / steps, method="euler")
        return torch.mean((x[-1] - ends) ** 2)

    return networks.training_in_torch(system, loss), None


METHODS = {
    "jax-recomputed": ("jax", jax_scan(recompute=True)),
    "jax": ("jax", jax_scan(recompute=False)),
    "torch": ("torch", torch_loop(compiled=False)),
    "torch-compiled": ("torch", torch_loop(compiled=True)),
    "diffrax-path": ("diffrax", diffrax_euler("path")),
    "diffrax-tree": ("diffrax", diffrax_euler("tree")),
    "torchsde": ("torchsde", torchsde_euler),
}

if __name__ == "__main__":
    rows({"neural-sde": METHODS}, training=True)
