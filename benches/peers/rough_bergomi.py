"""Rough Bergomi prices, 500 steps to t = 1; the error of the mean price, which is exactly 1.

`V = xi exp(eta Y - eta^2/2 t^(2H))` and `dS = S sqrt(V) dZ`, with Y by the hybrid scheme of Bennedsen,
Lunde and Pakkanen (one near cell), its far part by fast Fourier transforms. The parameters are the default
values of hpfracc's model.
"""

from math import sqrt

import numpy as np

from row import rows

STEPS = 500
H = 1 / STEPS
XI, ETA, HURST, RHO = 0.055225, 1.9, 0.07, -0.9


def with_numpy(real, tile=None):
    """Prices of all paths at once, or of tiles of paths whose arrays stay in the cache."""

    def prepare(paths):
        from scipy import fft

        generator = np.random.default_rng(1)
        a = HURST - 0.5
        # Covariance of the integral of (t - s)^a dW over the near cell with the increment of W, and its variance.
        covariance, variance_near = H**a / (a + 1), H ** (2 * a + 1) / (2 * a + 1)
        rest = sqrt(variance_near - covariance**2 * H)
        k = np.arange(1, STEPS + 1, dtype=float)
        far = np.zeros(STEPS)
        far[1:] = H**a * (k[1:] ** (a + 1) - k[:-1] ** (a + 1)) / (a + 1)
        length = fft.next_fast_len(2 * STEPS, real=True)
        spectrum = fft.rfft(far, length).astype(np.complex64 if real == np.float32 else complex)
        mean = (np.log(XI) - ETA**2 / 2 * np.arange(STEPS) ** (2 * HURST) * H ** (2 * HURST)).astype(real)
        root = real(ETA * sqrt(2 * HURST))

        def prices(paths):
            w, u, v = generator.standard_normal((3, paths, STEPS), dtype=real)
            w *= real(sqrt(H))
            y = fft.irfft(fft.rfft(w, length, axis=1) * spectrum, length, axis=1)[:, : STEPS - 1]
            y += real(covariance) * w[:, :-1] + real(rest) * u[:, :-1]
            variance = np.empty((paths, STEPS), real)
            variance[:, 0] = XI
            np.exp(root * y + mean[1:], out=variance[:, 1:])
            z = real(RHO) * w + real(sqrt((1 - RHO**2) * H)) * v
            logarithm = np.sum(np.sqrt(variance) * z - real(H / 2) * variance, axis=1)
            return np.exp(logarithm)

        def call():
            each = tile or paths
            tiles = [prices(min(each, paths - first)) for first in range(0, paths, each)]
            return np.concatenate(tiles).mean(dtype=np.float64)

        return call, lambda mean: abs(mean - 1)

    return prepare


if __name__ == "__main__":
    precisions = {"rough-bergomi-f32": np.float32, "rough-bergomi-f64": np.float64}
    methods = lambda real: {
        "numpy": ("numpy", with_numpy(real)),
        "numpy-tiles": ("numpy", with_numpy(real, tile=50)),
    }
    rows({name: methods(real) for name, real in precisions.items()})
