"""Shared by the programs with networks: weights, initial values, and Adam for jax, which has none."""

import numpy as np

BATCH, STATE = 256, 4
DRIFT, DIFFUSION = (STATE, 64, 64, STATE), (STATE, 64, STATE)


def weights(rows, real=np.float32, first=1):
    """Matrices (inputs by outputs) and biases of a network with these layer sizes: the same in all programs,
    so that equal first losses show that they solve the same problem. Weight i is `0.1 sin(i)`, counted
    output by output from `first`."""
    layers = []
    for inputs, outputs in zip(rows, rows[1:]):
        values = 0.1 * np.sin(np.arange(first, first + (inputs + 1) * outputs))
        first += values.size
        matrix, bias = np.split(values.astype(real), [inputs * outputs])
        layers.append((matrix.reshape(outputs, inputs).T.copy(), bias))
    return layers


def drift_and_diffusion():
    drift = weights(DRIFT)
    return drift, weights(DIFFUSION, first=1 + sum(m.size + b.size for m, b in drift))


def starts_and_ends():
    i, j = np.mgrid[:BATCH, :STATE]
    return ((i + 7 * j) % 13 / 13).astype(np.float32), ((i + 3 * j) % 11 / 11).astype(np.float32)


def in_torch(layers, activation):
    """Network with these weights as a torch module."""
    import torch

    modules = []
    for matrix, bias in layers:
        linear = torch.nn.Linear(*matrix.shape, dtype=torch.from_numpy(bias).dtype)
        with torch.no_grad():
            linear.weight.copy_(torch.from_numpy(matrix.T))
            linear.bias.copy_(torch.from_numpy(bias))
        modules += [linear, activation()]
    return torch.nn.Sequential(*modules[:-1])


def in_jax(layers, x):
    """Network with tanh applied to the rows of x."""
    import jax.numpy as jnp

    for matrix, bias in layers[:-1]:
        x = jnp.tanh(x @ matrix + bias)
    matrix, bias = layers[-1]
    return x @ matrix + bias


def adam_in_jax(loss):
    """A compiled training step `state, *rest -> state, loss`; the state has the parameters and the moments."""
    import jax
    import jax.numpy as jnp

    def step(state, *rest):
        parameters, mean, square, count = state
        value, gradient = jax.value_and_grad(loss)(parameters, *rest)
        count = count + 1
        each = jax.tree.map
        mean = each(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
        square = each(lambda s, g: 0.999 * s + 0.001 * g * g, square, gradient)
        rate = 1e-4 / (1 - 0.9**count)
        root = 1 / (1 - 0.999**count)
        move = lambda p, m, s: p - (rate * m / (jnp.sqrt(root * s) + 1e-8)).astype(p.dtype)
        return (each(move, parameters, mean, square), mean, square, count), value

    return jax.jit(step)


def training_in_jax(loss, parameters, rest):
    """A function that makes one step; `rest()` returns the other arguments of the loss."""
    import jax
    import jax.numpy as jnp

    parameters = jax.tree.map(jnp.asarray, parameters)
    zeros = lambda: jax.tree.map(jnp.zeros_like, parameters)
    state = [(parameters, zeros(), zeros(), jnp.float32(0))]
    step = adam_in_jax(loss)

    def call():
        state[0], value = step(state[0], *rest())
        jax.block_until_ready(state[0])
        return value

    return call


def training_in_torch(module, loss):
    """A function that makes one step."""
    import torch

    adam = torch.optim.Adam(module.parameters(), lr=1e-4, fused=True)

    def call():
        adam.zero_grad()
        value = loss()
        value.backward()
        adam.step()
        return value.detach()

    return call
