"""Noise: paths and increments of stochastic processes.

Every random number is a function of its address: seed, component, number of the path, and step. The same seed
therefore gives the same bits on any number of threads and in any partition into batches: ``fbm(n, hurst, paths=100)``
has the rows of ``fbm(n, hurst, paths=50)`` and ``fbm(n, hurst, paths=50, first=50)``. Increments have the bits of the
Rust library; paths are their sums, taken in double precision.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _sde_arguments as _arguments
from ._hpfracc import fbm_covariance as _fbm_covariance
from ._hpfracc import fgn_covariance as _fgn_covariance
from ._hpfracc import noise_paths as _noise_paths
from .errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, DTypeLike, NDArray

__all__ = [
    "NoiseProcess",
    "brownian",
    "coloured_noise",
    "compound_poisson",
    "correlated_brownian",
    "fbm",
    "fbm_covariance",
    "fgn",
    "fgn_covariance",
    "riemann_liouville_fbm",
    "stable_levy",
]

_KINDS = ("brownian", "correlated", "fbm", "riemann-liouville", "coloured", "stable", "poisson")


@dataclass(frozen=True, repr=False)
class NoiseProcess:
    """Noise of one or more components, for :func:`hpfracc.simulate` or by itself.

    Parameters
    ----------
    kind : str
        ``"brownian"``, ``"correlated"``, ``"fbm"``, ``"riemann-liouville"``, ``"coloured"``, ``"stable"`` or
        ``"poisson"``.
    components : int
        Number of components of Brownian motion.
    hurst : float or sequence of float, optional
        Hurst exponents in (0, 1) of ``fbm`` and ``riemann-liouville``, one for each component.
    tau : float or sequence of float, optional
        Correlation times of ``coloured`` components, positive.
    correlation, covariance : array_like, optional
        Matrix of ``correlated`` components: correlations, or covariances over a unit of time.
    index, skewness, scale : float or sequence of float
        Index in (0, 2], skewness in [-1, 1] and scale of ``stable`` components.
    rate : float or sequence of float, optional
        Jumps a unit of time of ``poisson`` components.
    jump : float or tuple
        Distribution of the jumps of all components: a size, ``("normal", mean, sd)`` or
        ``("double-exponential", probability_up, mean_up, mean_down)``.
    compensated : bool
        Jumps less their mean: a martingale.
    near_cells : int
        Cells of ``riemann-liouville`` that are drawn exactly: 1, 2 or 3.
    normalisation : str
        Factor of ``riemann-liouville``: ``"variance"`` (variance ``t^2H``) or ``"fractional-integral"``.
    driver : bool
        Appends the Brownian motions that drive the ``riemann-liouville`` components.
    rho : float, optional
        Appends Brownian motions with this correlation with the drivers.
    antithetic : bool
        Paths ``2k`` and ``2k + 1`` mirror each other.
    substeps : int
        Number of shorter steps that each step is the sum of: the same path on a coarser grid.

    Examples
    --------
    >>> from hpfracc import NoiseProcess
    >>> noise = NoiseProcess("fbm", hurst=[0.3, 0.8])
    >>> noise
    NoiseProcess('fbm', hurst=[0.3, 0.8])
    >>> noise.sample(8, paths=5, seed=1).shape
    (5, 2, 9)
    """

    kind: str
    components: int = 1
    hurst: float | Sequence[float] | None = None
    tau: float | Sequence[float] | None = None
    correlation: ArrayLike | None = None
    covariance: ArrayLike | None = None
    index: float | Sequence[float] = 1.5
    skewness: float | Sequence[float] = 0.0
    scale: float | Sequence[float] = 1.0
    rate: float | Sequence[float] | None = None
    jump: float | tuple[Any, ...] = 1.0
    compensated: bool = False
    near_cells: int = 2
    normalisation: str = "variance"
    driver: bool = False
    rho: float | None = None
    antithetic: bool = False
    substeps: int = 1

    def __post_init__(self) -> None:
        self._spec()

    def __repr__(self) -> str:
        shown = [repr(self.kind)]
        for name, field in self.__dataclass_fields__.items():
            value = getattr(self, name)
            if name != "kind" and value is not field.default:
                shown.append(f"{name}={value!r}")
        return f"NoiseProcess({', '.join(shown)})"

    def sample(
        self,
        n: int,
        *,
        paths: int = 1,
        t_end: float | None = None,
        dt: float | None = None,
        seed: int = 0,
        first: int = 0,
        increments: bool = False,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
    ) -> NDArray[Any]:
        """Paths from 0, or increments.

        Parameters
        ----------
        n : int
            Number of steps.
        paths : int
            Number of paths.
        t_end, dt : float, optional
            End of the interval that starts at 0, or length of a step; ``t_end=1`` by default.
        seed : int
            Seed, 0 to 2^64 - 1.
        first : int
            Number of the first path.
        increments : bool
            Increments in place of their sums.
        dtype : dtype
            float32 or float64.
        threads : int, optional
            Number of threads, which does not change the result; by default that of ``HPFRACC_THREADS``, or of the
            processors.

        Returns
        -------
        ndarray
            Array of shape (paths, components, n + 1), whose first values are 0; of increments, (paths, components, n).

        Raises
        ------
        InputError
            For a number out of range.
        MemoryLimitError
            For an array that exceeds the available memory.
        """
        request = {
            "steps": _arguments.count("n", n),
            "dt": _step(n, t_end, dt),
            "paths": _arguments.count("paths", paths),
            "first": _arguments.seed("first", first),
            "seed": _arguments.seed("seed", seed),
            "single": _arguments.single(dtype),
            "increments": bool(increments),
            "threads": _arguments.threads(threads),
        }
        return _noise_paths(self._spec(), request)

    def _spec(self) -> dict[str, Any]:
        """What the extension takes."""
        kind = _arguments.one_of("kind", self.kind, _KINDS)
        lists: dict[str, list[Any]] = {"hurst": [], "tau": [], "stable": [], "jumps": [], "matrix": []}
        if kind in ("fbm", "riemann-liouville"):
            lists["hurst"] = _arguments.reals("hurst", self._needed("hurst"))
        elif kind == "coloured":
            lists["tau"] = _arguments.reals("tau", self._needed("tau"))
        elif kind == "stable":
            numbers = [_arguments.reals(name, getattr(self, name)) for name in ("index", "skewness", "scale")]
            lists["stable"] = list(zip(*_equally_long("index, skewness and scale", numbers)))
        elif kind == "poisson":
            name, parameters = _jump(self.jump)
            lists["jumps"] = [(rate, name, parameters) for rate in _arguments.reals("rate", self._needed("rate"))]
        elif kind == "correlated":
            lists["matrix"] = self._matrix()
        return {
            "kind": kind,
            "components": _arguments.count("components", self.components),
            "near_cells": _arguments.count("near_cells", self.near_cells),
            "fractional_integral": _arguments.one_of(
                "normalisation", self.normalisation, ("variance", "fractional-integral")
            )
            == "fractional-integral",
            "driver": bool(self.driver),
            "rho": None if self.rho is None else _arguments.real("rho", self.rho),
            "covariance": self.covariance is not None,
            "compensated": bool(self.compensated),
            "antithetic": bool(self.antithetic),
            "substeps": _arguments.count("substeps", self.substeps),
            **lists,
        }

    def _needed(self, name: str) -> Any:
        value = getattr(self, name)
        if value is None:
            raise InputError(f"noise '{self.kind}' needs {name}")
        return value

    def _matrix(self) -> list[float]:
        if (self.correlation is None) == (self.covariance is None):
            raise InputError("noise 'correlated' needs either correlation or covariance")
        name = "correlation" if self.covariance is None else "covariance"
        matrix = np.asarray(getattr(self, name))
        if matrix.dtype.kind not in "biuf" or matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InputError(f"{name} has shape {matrix.shape}, expected a square matrix of numbers")
        return [float(number) for number in matrix.ravel()]


def _step(n: int, t_end: float | None, dt: float | None) -> float:
    if t_end is not None and dt is not None:
        raise InputError("t_end and dt are both given, expected one of them")
    if dt is not None:
        return _arguments.real("dt", dt)
    end = 1.0 if t_end is None else _arguments.real("t_end", t_end)
    if not (0.0 < end < math.inf):
        raise InputError(f"t_end is {end}, expected a positive finite number")
    return end / n


def _equally_long(what: str, lists: list[list[float]]) -> list[list[float]]:
    longest = max(len(numbers) for numbers in lists)
    if any(len(numbers) not in (1, longest) for numbers in lists):
        raise InputError(f"{what} have {[len(numbers) for numbers in lists]} numbers, expected 1 or equally many")
    return [numbers * longest if len(numbers) == 1 else numbers for numbers in lists]


def _jump(jump: Any) -> tuple[str, list[float]]:
    if isinstance(jump, (tuple, list)):
        if not jump or not isinstance(jump[0], str):
            raise InputError(f"jump is {jump!r}, expected a size or a name followed by numbers")
        return jump[0], [_arguments.real("jump", number) for number in jump[1:]]
    return "constant", [_arguments.real("jump", jump)]


def _sampled(noise: NoiseProcess, squeeze: bool, n: int, **options: Any) -> NDArray[Any]:
    """Samples without the axis of a single component."""
    values = noise.sample(n, **options)
    return values[:, 0, :] if squeeze else values


def brownian(
    n: int,
    *,
    components: int | None = None,
    paths: int = 1,
    t_end: float | None = None,
    dt: float | None = None,
    seed: int = 0,
    first: int = 0,
    increments: bool = False,
    antithetic: bool = False,
    substeps: int = 1,
    dtype: DTypeLike = "float64",
    threads: int | None = None,
) -> NDArray[Any]:
    """Paths of Brownian motion, ``E W(t)^2 = t``.

    Parameters
    ----------
    n : int
        Number of steps.
    components : int, optional
        Number of independent components, on an axis of their own; without it there is no such axis.
    paths, t_end, dt, seed, first, increments, dtype, threads
        As in :meth:`NoiseProcess.sample`.
    antithetic, substeps
        As in :class:`NoiseProcess`.

    Returns
    -------
    ndarray
        Array of shape (paths, n + 1), or (paths, components, n + 1); n in place of n + 1 for increments.

    Raises
    ------
    InputError
        For a number out of range.

    Examples
    --------
    >>> import hpfracc
    >>> w = hpfracc.brownian(100, paths=2000, t_end=4.0, seed=7)
    >>> w.shape
    (2000, 101)
    >>> bool(abs(w[:, -1].var() - 4.0) < 0.5)
    True
    """
    noise = NoiseProcess("brownian", 1 if components is None else components, antithetic=antithetic, substeps=substeps)
    return _sampled(
        noise,
        components is None,
        n,
        paths=paths,
        t_end=t_end,
        dt=dt,
        seed=seed,
        first=first,
        increments=increments,
        dtype=dtype,
        threads=threads,
    )


def correlated_brownian(
    n: int,
    correlation: ArrayLike | None = None,
    *,
    covariance: ArrayLike | None = None,
    paths: int = 1,
    t_end: float | None = None,
    dt: float | None = None,
    seed: int = 0,
    first: int = 0,
    increments: bool = False,
    antithetic: bool = False,
    substeps: int = 1,
    dtype: DTypeLike = "float64",
    threads: int | None = None,
) -> NDArray[Any]:
    """Paths of correlated Brownian motions, ``E Z_i(t) Z_j(t) = C_ij t``.

    Parameters
    ----------
    n : int
        Number of steps.
    correlation, covariance : array_like
        Matrix C, positive semidefinite: with ones on the diagonal, or any covariance over a unit of time.
    paths, t_end, dt, seed, first, increments, dtype, threads
        As in :meth:`NoiseProcess.sample`.
    antithetic, substeps
        As in :class:`NoiseProcess`.

    Returns
    -------
    ndarray
        Array of shape (paths, components, n + 1), or (paths, components, n) of increments.

    Raises
    ------
    InputError
        For a matrix that is not symmetric or not positive semidefinite.

    Examples
    --------
    >>> import hpfracc
    >>> z = hpfracc.correlated_brownian(50, [[1.0, 0.6], [0.6, 1.0]], paths=4000, seed=3)
    >>> bool(abs((z[:, 0, -1] * z[:, 1, -1]).mean() - 0.6) < 0.1)
    True
    """
    noise = NoiseProcess(
        "correlated", correlation=correlation, covariance=covariance, antithetic=antithetic, substeps=substeps
    )
    return noise.sample(
        n,
        paths=paths,
        t_end=t_end,
        dt=dt,
        seed=seed,
        first=first,
        increments=increments,
        dtype=dtype,
        threads=threads,
    )


def fbm(
    n: int,
    hurst: float | Sequence[float],
    *,
    paths: int = 1,
    t_end: float | None = None,
    dt: float | None = None,
    seed: int = 0,
    first: int = 0,
    method: str = "davies-harte",
    antithetic: bool = False,
    substeps: int = 1,
    dtype: DTypeLike = "float64",
    threads: int | None = None,
) -> NDArray[Any]:
    """Paths of fractional Brownian motion (fBm).

    ``E B(s) B(t) = (s^2H + t^2H - |t - s|^2H) / 2``

    Parameters
    ----------
    n : int
        Number of steps.
    hurst : float or sequence of float
        Hurst exponent H in (0, 1); a sequence makes independent components on an axis of their own.
    paths : int
        Number of paths.
    t_end, dt : float, optional
        End of the interval that starts at 0, or length of a step; ``t_end=1`` by default.
    seed : int
        Seed, 0 to 2^64 - 1: the same seed gives the same bits, on any number of threads.
    first : int
        Number of the first path: batches of paths are parts of one ensemble.
    method : str
        ``"davies-harte"``: circulant embedding, exact in distribution. ``"hybrid"`` is another process, that of
        :func:`riemann_liouville_fbm`, and is refused here.
    antithetic, substeps
        As in :class:`NoiseProcess`.
    dtype : dtype
        float32 or float64.
    threads : int, optional
        Number of threads, which does not change the result.

    Returns
    -------
    ndarray
        Array of shape (paths, n + 1), or (paths, components, n + 1); the first values are 0.

    Raises
    ------
    InputError
        For a number out of range.
    MemoryLimitError
        For an array that exceeds the available memory.

    Notes
    -----
    Cost: 2n normals and a real transform of 2n values a path. Source: Davies and Harte, Biometrika 74 (1987) 95.

    Examples
    --------
    >>> import hpfracc
    >>> b = hpfracc.fbm(256, 0.8, paths=2000, seed=1)
    >>> b.shape
    (2000, 257)
    >>> bool(abs(b[:, 128].var() - 0.5**1.6) < 0.05)
    True
    """
    _arguments.one_of("method", method, ("davies-harte",))
    noise = NoiseProcess("fbm", hurst=hurst, antithetic=antithetic, substeps=substeps)
    return _sampled(
        noise,
        np.ndim(hurst) == 0,
        n,
        paths=paths,
        t_end=t_end,
        dt=dt,
        seed=seed,
        first=first,
        dtype=dtype,
        threads=threads,
    )


def fgn(
    n: int,
    hurst: float | Sequence[float],
    *,
    paths: int = 1,
    dt: float = 1.0,
    seed: int = 0,
    first: int = 0,
    antithetic: bool = False,
    substeps: int = 1,
    dtype: DTypeLike = "float64",
    threads: int | None = None,
) -> NDArray[Any]:
    """Fractional Gaussian noise (fGn): increments of fractional Brownian motion.

    ``E x_i x_j = dt^2H (|k+1|^2H - 2 |k|^2H + |k-1|^2H) / 2, k = i - j``

    Parameters
    ----------
    n : int
        Number of increments.
    hurst : float or sequence of float
        Hurst exponent H in (0, 1); a sequence makes independent components on an axis of their own.
    dt : float
        Length of a step; 1 by default, where increments have the variance 1.
    paths, seed, first, dtype, threads
        As in :meth:`NoiseProcess.sample`.
    antithetic, substeps
        As in :class:`NoiseProcess`.

    Returns
    -------
    ndarray
        Array of shape (paths, n), or (paths, components, n).

    Raises
    ------
    InputError
        For a number out of range.

    Examples
    --------
    >>> import hpfracc
    >>> x = hpfracc.fgn(4096, 0.75, seed=2)[0]
    >>> bool(abs(x.var() - 1.0) < 0.3)
    True
    """
    noise = NoiseProcess("fbm", hurst=hurst, antithetic=antithetic, substeps=substeps)
    return _sampled(
        noise,
        np.ndim(hurst) == 0,
        n,
        paths=paths,
        dt=dt,
        seed=seed,
        first=first,
        increments=True,
        dtype=dtype,
        threads=threads,
    )


def riemann_liouville_fbm(
    n: int,
    hurst: float | Sequence[float],
    *,
    driver: bool = False,
    rho: float | None = None,
    near_cells: int = 2,
    normalisation: str = "variance",
    paths: int = 1,
    t_end: float | None = None,
    dt: float | None = None,
    seed: int = 0,
    first: int = 0,
    increments: bool = False,
    antithetic: bool = False,
    substeps: int = 1,
    dtype: DTypeLike = "float64",
    threads: int | None = None,
) -> NDArray[Any] | tuple[NDArray[Any], NDArray[Any]]:
    """Paths of fractional Brownian motion of Riemann and Liouville (type II), the Volterra process of rough volatility.

    ``Y(t) = sqrt(2H) int_0^t (t - s)^(H - 1/2) dW(s), E Y(t)^2 = t^2H``

    Parameters
    ----------
    n : int
        Number of steps.
    hurst : float or sequence of float
        Hurst exponent H in (0, 1); a sequence makes independent components on an axis of their own.
    driver : bool
        Returns the Brownian motion W, too.
    rho : float, optional
        Returns a Brownian motion, too, whose correlation with W is rho: the price of the rough Bergomi model.
    near_cells : int
        Cells next to t whose integrals are drawn exactly: 1, 2 or 3.
    normalisation : str
        ``"variance"``, or ``"fractional-integral"``: 1/Gamma(H + 1/2) in place of sqrt(2H).
    paths, t_end, dt, seed, first, increments, dtype, threads
        As in :meth:`NoiseProcess.sample`.
    antithetic, substeps
        As in :class:`NoiseProcess`.

    Returns
    -------
    ndarray, or tuple of two
        Y of shape (paths, n + 1), or (paths, components, n + 1); with ``driver`` or ``rho`` also the Brownian motion.

    Raises
    ------
    InputError
        For a number out of range.

    Notes
    -----
    Hybrid scheme of Bennedsen, Lunde and Pakkanen, Finance Stoch. 21 (2017) 931, with an error of standard deviation
    ``c dt^H``, c = 0.025 at H = 0.2 with two near cells.

    Examples
    --------
    >>> import hpfracc
    >>> y, w = hpfracc.riemann_liouville_fbm(128, 0.1, driver=True, paths=2000, seed=5)
    >>> y.shape, w.shape
    ((2000, 129), (2000, 129))
    >>> bool(abs(y[:, -1].var() - 1.0) < 0.15)
    True
    """
    if driver and rho is not None:
        raise InputError("driver and rho are both given, expected one of them")
    noise = NoiseProcess(
        "riemann-liouville",
        hurst=hurst,
        driver=driver,
        rho=rho,
        near_cells=near_cells,
        normalisation=normalisation,
        antithetic=antithetic,
        substeps=substeps,
    )
    values = noise.sample(
        n,
        paths=paths,
        t_end=t_end,
        dt=dt,
        seed=seed,
        first=first,
        increments=increments,
        dtype=dtype,
        threads=threads,
    )
    scalar = np.ndim(hurst) == 0
    if not driver and rho is None:
        return values[:, 0, :] if scalar else values
    half = values.shape[1] // 2
    y, z = values[:, :half, :], values[:, half:, :]
    return (y[:, 0, :], z[:, 0, :]) if scalar else (y, z)


def coloured_noise(
    n: int,
    tau: float | Sequence[float],
    *,
    paths: int = 1,
    t_end: float | None = None,
    dt: float | None = None,
    seed: int = 0,
    first: int = 0,
    increments: bool = False,
    antithetic: bool = False,
    substeps: int = 1,
    dtype: DTypeLike = "float64",
    threads: int | None = None,
) -> NDArray[Any]:
    """Paths of the integral of a stationary Ornstein-Uhlenbeck process: coloured noise.

    ``dZ = xi dt, E xi(s) xi(t) = exp(-|t - s| / tau) / (2 tau)``, ``E Z(t)^2 = t - tau (1 - exp(-t / tau))``

    Parameters
    ----------
    n : int
        Number of steps.
    tau : float or sequence of float
        Correlation time; a sequence makes independent components on an axis of their own.
    paths, t_end, dt, seed, first, increments, dtype, threads
        As in :meth:`NoiseProcess.sample`.
    antithetic, substeps
        As in :class:`NoiseProcess`.

    Returns
    -------
    ndarray
        Array of shape (paths, n + 1), or (paths, components, n + 1).

    Raises
    ------
    InputError
        For a number out of range.

    Notes
    -----
    Exact in distribution on any steps. Source: Gillespie, Phys. Rev. E 54 (1996) 2084.

    Examples
    --------
    >>> import hpfracc
    >>> z = hpfracc.coloured_noise(64, 0.5, paths=4000, seed=1)
    >>> bool(abs(z[:, -1].var() - 0.567668) < 0.06)
    True
    """
    noise = NoiseProcess("coloured", tau=tau, antithetic=antithetic, substeps=substeps)
    return _sampled(
        noise,
        np.ndim(tau) == 0,
        n,
        paths=paths,
        t_end=t_end,
        dt=dt,
        seed=seed,
        first=first,
        increments=increments,
        dtype=dtype,
        threads=threads,
    )


def stable_levy(
    n: int,
    index: float | Sequence[float],
    *,
    skewness: float | Sequence[float] = 0.0,
    scale: float | Sequence[float] = 1.0,
    paths: int = 1,
    t_end: float | None = None,
    dt: float | None = None,
    seed: int = 0,
    first: int = 0,
    increments: bool = False,
    antithetic: bool = False,
    substeps: int = 1,
    dtype: DTypeLike = "float64",
    threads: int | None = None,
) -> NDArray[Any]:
    """Paths of stable Levy motion.

    ``E exp(i u Z(t)) = exp(-t scale^p |u|^p)`` for index p and skewness 0

    Parameters
    ----------
    n : int
        Number of steps.
    index : float or sequence of float
        Index p in (0, 2]; a sequence makes independent components on an axis of their own.
    skewness, scale : float or sequence of float
        Skewness in [-1, 1] and scale over a unit of time.
    paths, t_end, dt, seed, first, increments, dtype, threads
        As in :meth:`NoiseProcess.sample`.
    antithetic, substeps
        As in :class:`NoiseProcess`; only symmetric noise has antithetic paths.

    Returns
    -------
    ndarray
        Array of shape (paths, n + 1), or (paths, components, n + 1).

    Raises
    ------
    InputError
        For a number out of range.

    Examples
    --------
    >>> import hpfracc
    >>> import numpy as np
    >>> z = hpfracc.stable_levy(16, 1.5, paths=20_000, seed=4)[:, -1]
    >>> bool(abs(np.cos(z).mean() - np.exp(-1.0)) < 0.02)
    True
    """
    noise = NoiseProcess(
        "stable", index=index, skewness=skewness, scale=scale, antithetic=antithetic, substeps=substeps
    )
    squeeze = all(np.ndim(value) == 0 for value in (index, skewness, scale))
    return _sampled(
        noise,
        squeeze,
        n,
        paths=paths,
        t_end=t_end,
        dt=dt,
        seed=seed,
        first=first,
        increments=increments,
        dtype=dtype,
        threads=threads,
    )


def compound_poisson(
    n: int,
    rate: float | Sequence[float],
    jump: float | tuple[Any, ...] = 1.0,
    *,
    compensated: bool = False,
    paths: int = 1,
    t_end: float | None = None,
    dt: float | None = None,
    seed: int = 0,
    first: int = 0,
    increments: bool = False,
    antithetic: bool = False,
    substeps: int = 1,
    dtype: DTypeLike = "float64",
    threads: int | None = None,
) -> NDArray[Any]:
    """Paths of compound Poisson processes: jumps of a rate and a distribution.

    Parameters
    ----------
    n : int
        Number of steps.
    rate : float or sequence of float
        Mean number of jumps a unit of time; a sequence makes independent components on an axis of their own.
    jump : float or tuple
        Size of all jumps, ``("normal", mean, sd)`` or ``("double-exponential", probability_up, mean_up, mean_down)``.
    compensated : bool
        Jumps less their mean: a martingale.
    paths, t_end, dt, seed, first, increments, dtype, threads
        As in :meth:`NoiseProcess.sample`.
    antithetic, substeps
        As in :class:`NoiseProcess`; only symmetric noise has antithetic paths.

    Returns
    -------
    ndarray
        Array of shape (paths, n + 1), or (paths, components, n + 1).

    Raises
    ------
    InputError
        For a number out of range.

    Examples
    --------
    >>> import hpfracc
    >>> n = hpfracc.compound_poisson(32, 3.0, paths=4000, seed=6)
    >>> bool(abs(n[:, -1].mean() - 3.0) < 0.15)
    True
    """
    noise = NoiseProcess(
        "poisson", rate=rate, jump=jump, compensated=compensated, antithetic=antithetic, substeps=substeps
    )
    return _sampled(
        noise,
        np.ndim(rate) == 0,
        n,
        paths=paths,
        t_end=t_end,
        dt=dt,
        seed=seed,
        first=first,
        increments=increments,
        dtype=dtype,
        threads=threads,
    )


def fbm_covariance(hurst: float, s: float, t: float) -> float:
    """Covariance of fractional Brownian motion at the times s and t.

    ``(|s|^2H + |t|^2H - |t - s|^2H) / 2``

    Examples
    --------
    >>> import hpfracc
    >>> hpfracc.fbm_covariance(0.5, 2.0, 3.0)
    2.0
    """
    return _fbm_covariance(
        _arguments.real("hurst", hurst), _arguments.real("s", s), _arguments.real("t", t)
    )


def fgn_covariance(hurst: float, n: int) -> NDArray[np.float64]:
    """Covariances of fractional Gaussian noise over steps of length 1 at the lags 0 to n - 1, without cancellation.

    Examples
    --------
    >>> import hpfracc
    >>> hpfracc.fgn_covariance(0.75, 2).round(6)
    array([1.      , 0.414214])
    """
    return _fgn_covariance(_arguments.real("hurst", hurst), _arguments.count("n", n))
