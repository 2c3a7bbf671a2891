"""A training step of `D^0.7 y = f(y)`, f a network 4-64-64-4 with tanh: gradient of the mean square at t = 1,
and Adam. Batch 256, f32, N explicit product rectangles,

    y_n = y_0 + sum_{j<n} b_{n-1-j} f(y_j),   b_k = h^a/G(a+1) ((k+1)^a - k^a)

The sums are direct, by blocks of steps, because no library has another algorithm. N is a multiple of 50.
"""

from math import gamma

import numpy as np

from row import rows

import networks
from networks import BATCH, DRIFT, STATE, in_jax, in_torch, weights

ALPHA = 0.7
BLOCK = 50


def matrix(steps):
    """Row n has the weights of all values of f in y_(n+1)."""
    k = np.arange(steps + 1, dtype=float) ** ALPHA
    b = np.diff(k) * (steps**-ALPHA / gamma(ALPHA + 1))
    i, j = np.mgrid[:steps, :steps]
    return np.where(i >= j, b[i - j], 0).astype(np.float32)


def jax_scan(steps):
    """A scan over blocks of 50 steps with a scan over steps inside: the contribution of earlier blocks is one
    matrix product. Activations of the network are recomputed in the backward pass."""
    import jax
    import jax.numpy as jnp

    starts, ends = networks.starts_and_ends()
    w, blocks = matrix(steps), steps // BLOCK
    within = w[:BLOCK, :BLOCK]
    past = w.reshape(blocks, BLOCK, steps).copy()
    for block in range(blocks):
        past[block, :, block * BLOCK :] = 0

    def loss(drift):
        network = jax.checkpoint(in_jax)

        def one_block(state, block):
            y, slopes = state
            first, past = block

            def step(state, step):
                y, recent = state
                n, added, row = step
                recent = jax.lax.dynamic_update_index_in_dim(recent, network(drift, y).ravel(), n, 0)
                return (starts + (added + row @ recent).reshape(BATCH, STATE), recent), None

            recent = jnp.zeros((BLOCK, BATCH * STATE), jnp.float32)
            each = (jnp.arange(BLOCK), past @ slopes, within)
            (y, recent), _ = jax.lax.scan(step, (y, recent), each)
            return (y, jax.lax.dynamic_update_slice_in_dim(slopes, recent, first, 0)), None

        slopes = jnp.zeros((steps, BATCH * STATE), jnp.float32)
        each = (jnp.arange(0, steps, BLOCK), past)
        (y, _), _ = jax.lax.scan(one_block, (starts, slopes), each)
        return jnp.mean((y - ends) ** 2)

    return networks.training_in_jax(loss, weights(DRIFT), lambda: ()), None


def torch_loop(compiled):
    """A loop in blocks of 50 steps: the contribution of earlier blocks is one matrix product. With `compiled`, the
    network in compiled code."""

    def prepare(steps):
        import torch

        drift = in_torch(weights(DRIFT), torch.nn.Tanh)
        run = torch.compile(drift) if compiled else drift
        starts, ends = map(torch.from_numpy, networks.starts_and_ends())
        w = torch.from_numpy(matrix(steps))

        def loss():
            y, done = starts, []
            for first in range(0, steps, BLOCK):
                block = range(first, min(first + BLOCK, steps))
                if done:
                    past = torch.cat(done)
                    past = w[first : block.stop, :first] @ past.view(first, -1)
                    past = past.view(len(block), BATCH, STATE) + starts
                else:
                    past = starts.expand(len(block), BATCH, STATE)
                slopes = []
                for n in block:
                    slopes.append(run(y))
                    recent = torch.stack(slopes).view(n + 1 - first, -1)
                    y = past[n - first] + (w[n, first : n + 1] @ recent).view(BATCH, STATE)
                done.append(torch.stack(slopes))
            return torch.mean((y - ends) ** 2)

        return networks.training_in_torch(drift, loss), None

    return prepare


def package(steps):
    """The network of torch with the histories and the adjoint of the package."""
    import torch
    from hpfracc.torch import fdeint

    drift = in_torch(weights(DRIFT), torch.nn.Tanh)
    starts, ends = map(torch.from_numpy, networks.starts_and_ends())
    t = torch.linspace(0, 1, steps + 1)

    def loss():
        y = fdeint(lambda t, y: drift(y), starts, t, ALPHA, method="rectangle", params=drift.parameters())
        return torch.mean((y[-1] - ends) ** 2)

    return networks.training_in_torch(drift, loss), None


def torchfde(steps):
    """The explicit product rectangle of torchfde, which is installed from its repository."""
    import torch
    from torchfde import fdeint

    drift = in_torch(weights(DRIFT), torch.nn.Tanh)
    starts, ends = map(torch.from_numpy, networks.starts_and_ends())
    order = torch.tensor(ALPHA)

    def loss():
        y = fdeint(lambda t, y: drift(y), starts, order, t=1.0, step_size=1 / steps, method="predictor")
        return torch.mean((y - ends) ** 2)

    return networks.training_in_torch(drift, loss), None


METHODS = {
    "jax": ("jax", jax_scan),
    "torch": ("torch", torch_loop(compiled=False)),
    "package": ("hpfracc-python", package),
    "torchfde": ("torchfde", torchfde),
    "torch-compiled": ("torch", torch_loop(compiled=True)),
}

if __name__ == "__main__":
    rows({"neural-fractional-ode": METHODS}, training=True)
