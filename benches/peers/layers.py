"""Forward passes of layers in f32; the error is the rounding error, against the same layer in f64."""

import numpy as np

from row import rows

NAMES = ("linear-gelu", "gelu", "layer-norm", "softmax", "attention")


def numbers(shape, step):
    return np.sin(np.arange(np.prod(shape)) * step).reshape(shape).astype(np.float32)


def inputs(problem, size):
    """Inputs of a layer: samples first, then matrices and vectors."""
    if problem == "linear-gelu":
        matrix = np.random.default_rng(1).uniform(-1, 1, (2048, 1024)) / 32
        return [numbers((size, 1024), 0.37), matrix.astype(np.float32), numbers(2048, 0.11) / 32]
    if problem == "layer-norm":
        return [numbers((size, 1024), 0.37), np.ones(1024, np.float32), np.zeros(1024, np.float32)]
    if problem == "attention":
        return [numbers((8, size, 64), step) for step in (0.37, 0.53, 0.71)]
    return [numbers((size, 1024), 0.37)]


def in_torch(problem, compiled):
    def prepare(size):
        import torch
        from torch.nn import functional as F

        layer = {
            "linear-gelu": lambda x, w, b: F.gelu(F.linear(x, w, b)),
            "gelu": F.gelu,
            "layer-norm": lambda x, w, b: F.layer_norm(x, (1024,), w, b),
            "softmax": lambda x: torch.softmax(x, -1),
            "attention": lambda q, k, v: F.scaled_dot_product_attention(q[None], k[None], v[None]),
        }[problem]
        run = torch.compile(layer) if compiled else layer
        x = [torch.from_numpy(x) for x in inputs(problem, size)]

        @torch.inference_mode()
        def call():
            return run(*x)

        @torch.inference_mode()
        def error(values):
            exact = layer(*[x.double() for x in x])
            return (values - exact).abs().max() / exact.abs().max()

        return call, error

    return prepare


def in_jax(problem):
    def prepare(size):
        import jax

        # For the error in f64; the layer itself computes in f32, which is asserted.
        jax.config.update("jax_enable_x64", True)
        import jax.numpy as jnp

        def norm(x, w, b):
            mean = x.mean(-1, keepdims=True)
            centred = x - mean
            variance = (centred * centred).mean(-1, keepdims=True)
            return centred * jax.lax.rsqrt(variance + 1e-5) * w + b

        def attention(q, k, v):
            # jax expects length, heads, features.
            q, k, v = (x.swapaxes(0, 1) for x in (q, k, v))
            return jax.nn.dot_product_attention(q, k, v).swapaxes(0, 1)

        layer = {
            "linear-gelu": lambda x, w, b: jax.nn.gelu(x @ w.T + b, approximate=False),
            "gelu": lambda x: jax.nn.gelu(x, approximate=False),
            "layer-norm": norm,
            "softmax": lambda x: jax.nn.softmax(x, -1),
            "attention": attention,
        }[problem]
        compiled = jax.jit(layer)
        x = [jnp.asarray(x) for x in inputs(problem, size)]

        def call():
            return compiled(*x).block_until_ready()

        def error(values):
            assert values.dtype == jnp.float32
            exact = layer(*[x.astype(jnp.float64) for x in x])
            return jnp.abs(values - exact).max() / jnp.abs(exact).max()

        return call, error

    return prepare


if __name__ == "__main__":
    methods = lambda name: {
        "torch": ("torch", in_torch(name, compiled=False)),
        "torch-compiled": ("torch", in_torch(name, compiled=True)),
        "jax": ("jax", in_jax(name)),
    }
    rows({name: methods(name) for name in NAMES})
