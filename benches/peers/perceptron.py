"""A training step of a plain network with tanh: gradient of the cross-entropy, and Adam.

784-128-10 in f32, and 24-8-2 in f64, whose step is almost only overhead.
"""

import numpy as np

from row import rows

import networks

CASES = {
    "perceptron-784-128-10": ((784, 128, 10), np.float32),
    "perceptron-24-8-2": ((24, 8, 2), np.float64),
}


def samples(rows, real, size):
    i, j = np.mgrid[:size, : rows[0]]
    return ((i * 7 + j * 13) % 17 / 17).astype(real), np.arange(size) % rows[-1]


def in_torch(problem, compiled):
    def prepare(size):
        import torch

        rows, real = CASES[problem]
        x, classes = map(torch.from_numpy, samples(rows, real, size))
        network = networks.in_torch(networks.weights(rows, real), torch.nn.Tanh)
        run = torch.compile(network) if compiled else network
        loss = lambda: torch.nn.functional.cross_entropy(run(x), classes)
        return networks.training_in_torch(network, loss), None

    return prepare


def in_jax(problem):
    def prepare(size):
        import jax

        rows, real = CASES[problem]
        if real == np.float64:
            jax.config.update("jax_enable_x64", True)
        import jax.numpy as jnp

        x, classes = map(jnp.asarray, samples(rows, real, size))

        def loss(layers, x, classes):
            y = jax.nn.log_softmax(networks.in_jax(layers, x))
            return -jnp.take_along_axis(y, classes[:, None], 1).mean()

        layers = networks.weights(rows, real)
        return networks.training_in_jax(loss, layers, lambda: (x, classes)), None

    return prepare


if __name__ == "__main__":
    methods = lambda name: {
        "torch": ("torch", in_torch(name, compiled=False)),
        "torch-compiled": ("torch", in_torch(name, compiled=True)),
        "jax": ("jax", in_jax(name)),
    }
    rows({name: methods(name) for name in CASES}, training=True)
