"""A training step of a decoder with 19 million parameters: gradient of the cross-entropy, and Adam.

Normalisation (root mean square) before each part, attention with rotary positions, SwiGLU, residuals.
"""

import numpy as np

from row import rows

import networks

FEATURES, HEADS, BLOCKS, HIDDEN, LENGTH, CLASSES = 512, 8, 6, 1376, 64, 13


def texts(size):
    i, j = np.mgrid[:size, : LENGTH + 1]
    classes = (i * i + 3 * i * j + 5 * j * j) % CLASSES
    return classes[:, :-1].copy(), classes[:, 1:].copy()


def decoder():
    import torch
    from torch import nn
    from torch.nn import functional

    rate = 1e4 ** (-2.0 * np.arange(FEATURES // HEADS // 2) / (FEATURES // HEADS))
    angles = torch.from_numpy(np.arange(LENGTH)[:, None] * rate)
    cosine, sine = angles.cos().float(), angles.sin().float()

    def turned(x):
        even, odd = x[..., ::2], x[..., 1::2]
        return torch.stack([even * cosine - odd * sine, odd * cosine + even * sine], -1).flatten(-2)

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.output = (nn.Linear(FEATURES, FEATURES) for _ in range(4))

        def forward(self, x):
            heads = lambda y: y.unflatten(-1, (HEADS, -1)).transpose(1, 2)
            q, k, v = turned(heads(self.query(x))), turned(heads(self.key(x))), heads(self.value(x))
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.output(y.transpose(1, 2).flatten(-2))

    class SwiGlu(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight, self.gate = nn.Linear(FEATURES, HIDDEN), nn.Linear(FEATURES, HIDDEN)
            self.output = nn.Linear(HIDDEN, FEATURES)

        def forward(self, x):
            return self.output(self.weight(x) * functional.silu(self.gate(x)))

    class Residual(nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.norm, self.inner = nn.RMSNorm(FEATURES, eps=1e-5), inner

        def forward(self, x):
            return x + self.inner(self.norm(x))

    parts = [part for _ in range(BLOCKS) for part in (Residual(Attention()), Residual(SwiGlu()))]
    return nn.Sequential(
        nn.Embedding(CLASSES, FEATURES), *parts, nn.RMSNorm(FEATURES, eps=1e-5), nn.Linear(FEATURES, CLASSES)
    )


def in_order(module):
    """Parameters in the order of hpfracc, where both matrices of SwiGLU come before its biases."""
    named = dict(module.named_parameters())
    names = list(named)
    for at, name in enumerate(names):
        if name.endswith("gate.weight"):
            names[at - 1], names[at] = names[at], names[at - 1]
    return [named[name] for name in names]


def in_torch(compiled):
    def prepare(size):
        import torch

        module, first = decoder(), 1
        with torch.no_grad():
            for parameter in in_order(module):
                values = 0.1 * np.sin(np.arange(first, first + parameter.numel()))
                parameter.copy_(torch.from_numpy(values).reshape(parameter.shape))
                first += parameter.numel()
        inputs, targets = map(torch.from_numpy, texts(size))
        run = torch.compile(module) if compiled else module
        loss = lambda: torch.nn.functional.cross_entropy(run(inputs).flatten(0, 1), targets.flatten())
        return networks.training_in_torch(module, loss), None

    return prepare


if __name__ == "__main__":
    rows(
        {
            "transformer": {
                "torch": ("torch", in_torch(compiled=False)),
                "torch-compiled": ("torch", in_torch(compiled=True)),
            }
        },
        training=True,
    )
