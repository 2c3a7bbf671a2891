"""Time series with long memory: fractional differences, and estimates of the Hurst exponent with standard errors."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _hpfracc
from ._hpfracc import DifferenceStream
from .errors import InputError
from .fit_data import optional, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "DifferenceStream",
    "MemoryEstimate",
    "MemoryFit",
    "ScalingDescription",
    "arfima",
    "arfima_autocovariance",
    "detrended_fluctuations",
    "difference",
    "fgn_autocovariance",
    "fgn_density",
    "hurst",
    "integrate",
    "rescaled_range",
    "track_diffusion",
]

Kind = Literal["noise", "path"]


def difference(x: ArrayLike, d: float, axis: int = -1, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Fractional difference ``(1-B)^d`` of time series: removes or adds long memory.

    ``y[n] = sum(pi[k] x[n-k], k = 0..n), pi[0] = 1, pi[k] = pi[k-1] (k - 1 - d)/k``

    Parameters
    ----------
    x : array_like
        Series along `axis`, float32 or float64; integers become float64. They are zero before their start.
    d : float
        Order, any finite number: 1 gives the steps of the series, -1 its sums.
    axis : int
        Axis of time.
    out : ndarray, optional
        Array of the shape and type of `x` for the result; it may be `x`.

    Returns
    -------
    ndarray
        Differences, of the shape and type of `x`.

    Raises
    ------
    InputError
        For values that are not finite, and sums that overflow.

    Notes
    -----
    Cost: O(n log n) a series, on all threads. Error: rounding. float32 is computed in float64 and rounded once. Source:
    Hosking, Biometrika 68 (1981) 165.

    Examples
    --------
    >>> import hpfracc
    >>> hpfracc.difference([3.0, 1.0, 4.0, 1.0, 5.0], 1.0)
    array([ 3., -2.,  3., -3.,  4.])
    """
    return _hpfracc.series_difference(x, d, axis, out)


def integrate(x: ArrayLike, d: float, axis: int = -1, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Fractional sum ``(1-B)^(-d)`` of time series, the inverse of :func:`difference` but for rounding.

    Parameters
    ----------
    x, d, axis, out
        As in :func:`difference`.

    Returns
    -------
    ndarray
        Sums, of the shape and type of `x`.

    Examples
    --------
    >>> import hpfracc, numpy as np
    >>> x = np.array([3.0, 1.0, 4.0, 1.0, 5.0])
    >>> bool(np.allclose(hpfracc.integrate(hpfracc.difference(x, 0.4), 0.4), x, rtol=1e-14))
    True
    """
    return _hpfracc.series_difference(x, -d, axis, out)


@dataclass(frozen=True)
class MemoryEstimate:
    """Estimated number."""

    #: Name.
    name: str
    #: Value.
    value: float
    #: Standard error; None at a bound and where the data do not determine the parameter.
    error: float | None
    #: Interval that contains the parameter with probability 0.95, or None.
    interval: tuple[float, float] | None

    def __str__(self) -> str:
        error = "" if self.error is None else f" +- {self.error:.2g}"
        return f"{self.name} = {self.value:.6g}{error}"


class MemoryFit(Mapping[str, MemoryEstimate]):
    """Result of an estimator: a mapping of the parameters to their estimates. Can be pickled."""

    def __init__(self, of: dict[str, Any]):
        self._of = of
        every = [MemoryEstimate(*values) for values in (*of["estimates"], *of["derived"])]
        self._estimates = {estimate.name: estimate for estimate in every}
        self._fitted = [estimate.name for estimate in every[: len(of["estimates"])]]

    def __reduce__(self) -> tuple[Any, ...]:
        return MemoryFit, (self._of,)

    def __getitem__(self, name: str) -> MemoryEstimate:
        if name not in self._estimates:
            raise KeyError(f"no parameter is called {name!r}; the parameters are {', '.join(self._estimates)}")
        return self._estimates[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._estimates)

    def __len__(self) -> int:
        return len(self._estimates)

    @property
    def hurst(self) -> float:
        """Hurst exponent H."""
        return self["hurst"].value

    @property
    def d(self) -> float:
        """Memory parameter d = H - 1/2."""
        return self["d"].value if "d" in self._estimates else self.hurst - 0.5

    @property
    def names(self) -> list[str]:
        """Names of the fitted parameters, the order of :attr:`covariance`."""
        return list(self._fitted)

    @property
    def parameters(self) -> dict[str, float]:
        """Values by name, of fitted and derived parameters."""
        return {name: of.value for name, of in self._estimates.items()}

    @property
    def errors(self) -> dict[str, float]:
        """Standard errors by name; NaN where there is none."""
        return {name: np.nan if of.error is None else of.error for name, of in self._estimates.items()}

    @property
    def covariance(self) -> NDArray[np.float64]:
        """Covariance of the fitted parameters; NaN where there is none."""
        return self._of["covariance"]

    @property
    def method(self) -> str:
        """Method in words."""
        return self._of["method"]

    @property
    def observations(self) -> int:
        """Number of values, or of increments of tracks."""
        return self._of["observations"]

    @property
    def outcome(self) -> str:
        """How the estimation ended, in words."""
        return self._of["outcome"]

    @property
    def success(self) -> bool:
        """Whether the estimation ended at a maximum, away from bounds."""
        return self._of["success"]

    @property
    def log_likelihood(self) -> float | None:
        """Logarithm of the maximal likelihood; None for methods without one."""
        return self._of["log_likelihood"]

    def report(self) -> str:
        """Table of the estimates."""
        return self._of["report"]

    def __repr__(self) -> str:
        lines = "".join(f"\n  {of}" for of in self._estimates.values())
        return f"MemoryFit({self.method}: {self.outcome}){lines}"

    def _repr_html_(self) -> str:
        def cell(number: float | None) -> str:
            return "" if number is None else f"{number:.6g}"

        rows = "".join(
            f"<tr><td>{html.escape(of.name)}</td><td>{cell(of.value)}</td><td>{cell(of.error)}</td>"
            f"<td>{'' if of.interval is None else f'[{of.interval[0]:.5g}, {of.interval[1]:.5g}]'}</td></tr>"
            for of in self._estimates.values()
        )
        head = "<tr><th>parameter</th><th>value</th><th>error</th><th>95 % interval</th></tr>"
        return f"<p>{html.escape(self.method)}: {html.escape(self.outcome)}</p><table>{head}{rows}</table>"


@dataclass(frozen=True)
class ScalingDescription:
    """Scaling exponent of a series, which is no estimate, with those of simulated noises of the same length."""

    #: Method.
    method: str
    #: Exponent of the series.
    exponent: float
    #: For simulated noises: Hurst exponent, and mean and standard deviation of the estimates for 100 noises.
    expected: list[tuple[float, float, float]]
    #: Table in words.
    report: str

    def __repr__(self) -> str:
        return f"ScalingDescription({self.method}: exponent {self.exponent:.4f})"


def _kind(kind: str | None) -> str:
    if kind is None:
        raise InputError(
            'say what x is: kind="noise" for stationary fluctuations (returns, residuals), kind="path" for a wandering level '
            "(positions, logarithms of prices), whose steps are the noise: no estimator can tell"
        )
    return kind


def hurst(
    x: ArrayLike,
    kind: Kind | None = None,
    *,
    method: Literal["auto", "exact", "whittle", "local-whittle", "gph", "wavelet"] = "auto",
    mean: float | None = None,
    bandwidth: int | None = None,
    moments: int = 2,
    first_octave: int = 4,
) -> MemoryFit:
    """Hurst exponent H of a time series, with its standard error.

    Parameters
    ----------
    x : array_like
        Values on equal steps, shape (n,).
    kind : {"noise", "path"}
        Whether the values are stationary fluctuations, or a wandering level whose steps are the noise. It has to be given:
        noise of H = 0.9 and a path of H = 0.1 look alike.
    method : {"auto", "exact", "whittle", "local-whittle", "gph", "wavelet"}
        Fractional Gaussian noise by exact or Whittle's likelihood ("auto": exact up to 4096 values); or one that assumes a power
        law at low frequencies alone: local Whittle, Geweke-Porter-Hudak, wavelets.
    mean : float, optional
        Known mean of the noise; estimated by default. For the likelihoods.
    bandwidth : int, optional
        Number of lowest frequencies of local Whittle and Geweke-Porter-Hudak; ``n**0.65`` by default.
    moments, first_octave : int
        Vanishing moments (1 to 4) and first octave of wavelets.

    Returns
    -------
    MemoryFit
        Estimates: ``hurst``, ``d``, and of likelihoods ``sigma`` and ``mean``.

    Raises
    ------
    InputError
        For values that are not finite or all equal, a series that is too short, and unknown methods.

    Notes
    -----
    Cost: O(n^2) a trial of the exact likelihood (2000 values take milliseconds), O(n log n) for the others. Sources: Robinson,
    Ann. Stat. 23 (1995) 1630; Geweke and Porter-Hudak, J. Time Ser. Anal. 4 (1983) 221; Abry and Veitch, IEEE Trans. Inf. Theory
    44 (1998) 2; Fox and Taqqu, Ann. Stat. 14 (1986) 517.

    Examples
    --------
    >>> import numpy as np, hpfracc
    >>> white = np.random.default_rng(1).normal(size=2000)
    >>> found = hpfracc.hurst(white, "noise")
    >>> bool(abs(found.hurst - 0.5) < 3 * found.errors["hurst"])
    True
    """
    band = None if bandwidth is None else whole("bandwidth", bandwidth)
    octave, count = whole("first_octave", first_octave), whole("moments", moments)
    known = optional("mean", mean)
    return MemoryFit(_hpfracc.series_estimate(x, _kind(kind), str(method), known, band, count, octave, None, None))


def arfima(
    x: ArrayLike,
    kind: Kind | None = None,
    *,
    ar: int = 0,
    ma: int = 0,
    method: Literal["auto", "exact", "whittle"] = "auto",
    mean: float | None = None,
) -> MemoryFit:
    """ARFIMA(p, d, q) model of a time series: long memory d, with short memory besides.

    ``(1 - sum(phi[j] B^j)) (1-B)^d (x - mean) = (1 + sum(theta[j] B^j)) epsilon``

    Parameters
    ----------
    x, kind, mean
        As in :func:`hurst`.
    ar, ma : int
        Numbers of autoregressive and moving-average coefficients, at most 10 each.
    method : {"auto", "exact", "whittle"}
        Likelihood.

    Returns
    -------
    MemoryFit
        Estimates: ``d``, ``ar1``, ..., ``ma1``, ..., ``sigma``, ``mean``, and ``hurst`` = d + 1/2.

    Notes
    -----
    Cost: O(n^2) a trial of the exact likelihood. Sources: Granger and Joyeux, J. Time Ser. Anal. 1 (1980) 15; Hosking, Biometrika
    68 (1981) 165.

    Examples
    --------
    >>> import numpy as np, hpfracc
    >>> noise = hpfracc.integrate(np.random.default_rng(1).normal(size=1000), 0.3)
    >>> found = hpfracc.arfima(noise, "noise")
    >>> bool(abs(found.d - 0.3) < 3 * found.errors["d"])
    True
    """
    if method not in ("auto", "exact", "whittle"):
        raise InputError(f"method is {method!r}, expected one of auto, exact, whittle")
    counts = whole("ar", ar), whole("ma", ma)
    known = optional("mean", mean)
    return MemoryFit(_hpfracc.series_estimate(x, _kind(kind), method, known, None, 2, 4, *counts))


def track_diffusion(tracks: Sequence[ArrayLike], dt: float) -> MemoryFit:
    """Anomalous diffusion of particles: fractional Brownian motion with localisation noise, by exact likelihood.

    ``MSD(t) = 2 n D t^alpha + 2 n sigma^2`` in n dimensions

    Parameters
    ----------
    tracks : sequence of array_like
        Positions of each track, shape (steps,) or (steps, dimensions), with 1 to 3 dimensions; lengths may differ.
    dt : float
        Time step.

    Returns
    -------
    MemoryFit
        Estimates: ``D``, ``alpha``, ``sigma2``, and ``sigma`` and ``hurst`` = alpha/2.

    Raises
    ------
    InputError
        For gaps (split the track there), other shapes, and fewer than 12 increments.

    Notes
    -----
    Cost: O(n^2) a trial for the longest track, some hundred trials. Source: Sikora et al., Phys. Rev. E 96 (2017) 022132.

    Examples
    --------
    >>> import numpy as np, hpfracc
    >>> steps = np.random.default_rng(1).normal(size=(200, 2))
    >>> found = hpfracc.track_diffusion([np.cumsum(steps, axis=0)], dt=1.0)
    >>> bool(abs(found["alpha"].value - 1) < 3 * found.errors["alpha"])
    True
    """
    columns = []
    for k, track in enumerate(tracks):
        try:
            array = np.asarray(track)
        except ValueError as error:
            raise InputError(f"track {k} is no array of numbers: {error}") from None
        if array.ndim not in (1, 2):
            raise InputError(f"track {k} has the shape {array.shape}, expected (steps,) or (steps, dimensions)")
        columns.append([array] if array.ndim == 1 else list(array.T))
    step = optional("dt", dt)
    return MemoryFit(_hpfracc.series_tracks(columns, float("nan") if step is None else step))


def rescaled_range(x: ArrayLike, kind: Kind | None = None) -> ScalingDescription:
    """Rescaled range (R/S): slope of log(R/S) against the logarithm of the length of windows.

    A description and no estimate: 500 values of white noise have an exponent of 0.6. :attr:`ScalingDescription.expected` says
    what known noises give.

    Parameters
    ----------
    x, kind
        As in :func:`hurst`; at least 32 values.

    Notes
    -----
    Cost: O(n log n) for the series and for each of 500 simulated ones. Source: Hurst, Trans. ASCE 116 (1951) 770.

    Examples
    --------
    >>> import numpy as np, hpfracc
    >>> of = hpfracc.rescaled_range(np.random.default_rng(1).normal(size=500), "noise")
    >>> bool(0.4 < of.exponent < 0.7)
    True
    """
    return ScalingDescription(*_hpfracc.series_describe(x, _kind(kind), False))


def detrended_fluctuations(x: ArrayLike, kind: Kind | None = None) -> ScalingDescription:
    """Detrended fluctuation analysis (DFA): slope of log(F) against the logarithm of the length of windows.

    A description and no estimate, as :func:`rescaled_range`.

    Parameters
    ----------
    x, kind
        As in :func:`hurst`; at least 64 values.

    Notes
    -----
    Cost: O(n log n) for the series and for each of 500 simulated ones. Source: Peng et al., Phys. Rev. E 49 (1994) 1685.

    Examples
    --------
    >>> import numpy as np, hpfracc
    >>> of = hpfracc.detrended_fluctuations(np.random.default_rng(1).normal(size=500), "noise")
    >>> len(of.expected)
    5
    """
    return ScalingDescription(*_hpfracc.series_describe(x, _kind(kind), True))


def fgn_autocovariance(hurst: float, n: int) -> NDArray[np.float64]:
    """Autocovariances of fractional Gaussian noise of variance 1 at the lags 0 to n - 1.

    Examples
    --------
    >>> import hpfracc
    >>> hpfracc.fgn_autocovariance(0.5, 3)
    array([1., 0., 0.])
    """
    return _hpfracc.series_fgn_autocovariance(hurst, whole("n", n))


def fgn_density(hurst: float, frequency: ArrayLike) -> Any:
    """Spectral density of fractional Gaussian noise of variance 1 at angular frequencies in (0, pi].

    Examples
    --------
    >>> import hpfracc, math
    >>> math.isclose(hpfracc.fgn_density(0.5, 1.0), 1 / (2 * math.pi))
    True
    """
    shape = np.shape(frequency)
    values = _hpfracc.series_fgn_density(hurst, frequency)
    return values.reshape(shape) if shape else float(values[0])


def arfima_autocovariance(d: float, n: int, *, ar: Sequence[float] = (), ma: Sequence[float] = ()) -> NDArray[np.float64]:
    """Autocovariances of an ARFIMA model with innovations of variance 1 at the lags 0 to n - 1.

    Examples
    --------
    >>> import hpfracc
    >>> float(hpfracc.arfima_autocovariance(0.0, 2, ma=[0.5])[1])
    0.5
    """
    return _hpfracc.series_arfima_autocovariance(d, list(ar), list(ma), whole("n", n))
