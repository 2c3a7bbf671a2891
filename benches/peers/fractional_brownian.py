"""16 paths of fractional Brownian motion, H = 0.3, over [0, 1] in N steps, by circulant embedding (Davies-Harte).

The eigenvalues are computed before the calls. The error is the larger one of two moments of the increments
over unit steps: the mean square, exactly 1, and the mean product of neighbours, exactly `(2^(2H) - 2)/2`.
"""

import numpy as np

from row import rows

HURST, PATHS = 0.3, 16


def error(paths):
    x = np.asarray(paths, np.float64) * paths.shape[1] ** HURST
    neighbours = (2 ** (2 * HURST) - 2) / 2
    products = np.mean(x[:, 1:] * x[:, :-1])
    return np.max(np.abs((np.mean(x * x) - 1, products - neighbours)))


def spectral_factors(n):
    """Square roots of the eigenvalues of the circulant of 2n covariances: paths are `fft(factors * z)`."""
    k = np.arange(n + 1, dtype=float)
    g = (np.abs(k + 1) ** (2 * HURST) - 2 * k ** (2 * HURST) + np.abs(k - 1) ** (2 * HURST)) / 2
    eigenvalues = np.fft.fft(np.concatenate((g, g[-2:0:-1]))).real
    return np.sqrt(np.maximum(eigenvalues, 0) / (2 * n)) * n**-HURST


def with_numpy(real):
    def prepare(n):
        from scipy import fft

        scale, generator = spectral_factors(n).astype(real), np.random.default_rng(1)

        def call():
            # The real and the imaginary part of a transform are two independent paths.
            z = generator.standard_normal((PATHS // 2, 4 * n), dtype=real)
            z = z.view(np.complex64 if real == np.float32 else np.complex128)
            x = fft.fft(z * scale, axis=1)[:, :n]
            return np.concatenate((x.real, x.imag))

        return call, error

    return prepare


def with_torch(real, compiled):
    def prepare(n):
        import torch

        kind = getattr(torch, real)
        scale = torch.from_numpy(spectral_factors(n)).to(kind)

        def draw():
            z = torch.view_as_complex(torch.randn(PATHS // 2, 2 * n, 2, dtype=kind))
            x = torch.fft.fft(z.mul_(scale))[:, :n]
            return torch.cat((x.real, x.imag))

        run = torch.compile(draw) if compiled else draw

        @torch.inference_mode()
        def call():
            return run()

        return call, lambda x: error(x.numpy())

    return prepare


def fbm(n):
    from fbm import FBM

    process = FBM(n, HURST)
    return lambda: np.stack([process.fgn() for _ in range(PATHS)]), error


def stochastic(n):
    from stochastic.noise import FractionalGaussianNoise

    process = FractionalGaussianNoise(HURST, 1)
    return lambda: np.stack([process.sample(n) for _ in range(PATHS)]), error


def package(real):
    def prepare(n):
        import hpfracc

        return lambda: hpfracc.fgn(n, HURST, paths=PATHS, dt=1 / n, seed=1, dtype=real), error

    return prepare


METHODS = {
    "fractional-brownian-f32": {
        "numpy": ("numpy", with_numpy(np.float32)),
        "torch": ("torch", with_torch("float32", compiled=False)),
        "torch-compiled": ("torch", with_torch("float32", compiled=True)),
        "package": ("hpfracc-python", package("float32")),
    },
    "fractional-brownian-f64": {
        "numpy": ("numpy", with_numpy(np.float64)),
        "torch": ("torch", with_torch("float64", compiled=False)),
        "torch-compiled": ("torch", with_torch("float64", compiled=True)),
        "fbm": ("fbm", fbm),
        "package": ("hpfracc-python", package("float64")),
        "stochastic": ("stochastic", stochastic),
    },
}

if __name__ == "__main__":
    rows(METHODS)
