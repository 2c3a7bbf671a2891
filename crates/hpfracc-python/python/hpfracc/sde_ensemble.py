"""Statistics of ensembles of paths."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._display import axes
from .errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = ["Ensemble"]


@dataclass(frozen=True, repr=False)
class Ensemble:
    """Statistics of an ensemble of paths, from :func:`simulate`.

    Attributes
    ----------
    model : str
        Name of the model, or the text of the equation.
    observables : tuple of str
        Names of the observables.
    t : ndarray
        Saved times, of shape (times,).
    n_paths, steps, seed, dtype, scheme
        Number of paths and of steps, seed, precision and scheme of the solve.
    parameters : dict
        Values of all parameters.
    mean, covariance : ndarray or None
        Mean of shape (times, observables) and unbiased covariance of shape (times, observables, observables).
    pair_covariance : ndarray or None
        Covariance of the means of two mirrored paths, of an antithetic ensemble; the standard error is from it.
    accepted, rejected : int or None
        Adaptive steps of all paths: accepted ones, each of them taken as two halves, and those that were halved.
    levels : tuple of float
        Probabilities of the quantiles.
    quantiles : ndarray or None
        Quantiles of shape (times, observables, levels).
    least, greatest : ndarray or None
        Least and greatest value of shape (times, observables), with quantiles.
    paths : ndarray or None
        Stored paths of shape (stored paths, times, observables), in the precision of the solve.
    stop_time : ndarray or None
        Time at which an event of the equation stopped each path, of shape (n_paths,); NaN of other paths. None without events.
    stop_event : ndarray or None
        Index of that event; -1 of other paths.
    exact_mean, exact_variance : ndarray or None
        Exact moments of shape (times, observables) of a model that knows them; NaN where there is no formula.
    """

    model: str
    observables: tuple[str, ...]
    t: NDArray[np.float64]
    n_paths: int
    steps: int
    seed: int
    dtype: str
    scheme: str
    parameters: dict[str, float]
    mean: NDArray[np.float64] | None = None
    covariance: NDArray[np.float64] | None = None
    pair_covariance: NDArray[np.float64] | None = None
    accepted: int | None = None
    rejected: int | None = None
    levels: tuple[float, ...] = ()
    quantiles: NDArray[np.float64] | None = None
    least: NDArray[np.float64] | None = None
    greatest: NDArray[np.float64] | None = None
    paths: NDArray[Any] | None = None
    stop_time: NDArray[np.float64] | None = None
    stop_event: NDArray[np.int64] | None = None
    exact_mean: NDArray[np.float64] | None = None
    exact_variance: NDArray[np.float64] | None = None

    @property
    def variance(self) -> NDArray[np.float64] | None:
        """Variance of shape (times, observables)."""
        return None if self.covariance is None else np.diagonal(self.covariance, axis1=1, axis2=2).copy()

    @property
    def std(self) -> NDArray[np.float64] | None:
        """Standard deviation of shape (times, observables)."""
        variance = self.variance
        return None if variance is None else np.sqrt(variance)

    @property
    def standard_error(self) -> NDArray[np.float64] | None:
        """Standard error of the mean, of shape (times, observables)."""
        if self.pair_covariance is not None:
            pairs = np.diagonal(self.pair_covariance, axis1=1, axis2=2)
            return np.sqrt(pairs / (self.n_paths // 2))
        std = self.std
        return None if std is None else std / math.sqrt(self.n_paths)

    def __repr__(self) -> str:
        parts = [name for name in ("mean", "quantiles", "paths") if getattr(self, name) is not None]
        return (
            f"Ensemble({_shortened(self.model)}: {self.n_paths} paths, {len(self.t)} times to t = {self.t[-1]:g}, "
            f"observables {', '.join(self.observables)}; {', '.join(parts)})"
        )

    def _repr_html_(self) -> str:
        rows = []
        variance, error = self.variance, self.standard_error
        for k, name in enumerate(self.observables):
            cells = [html.escape(name)]
            if self.mean is not None and error is not None and variance is not None:
                cells += [f"{self.mean[-1, k]:.6g} &plusmn; {error[-1, k]:.2g}", f"{variance[-1, k]:.6g}"]
            else:
                cells += ["", ""]
            for exact in (self.exact_mean, self.exact_variance):
                cells.append("" if exact is None or math.isnan(exact[-1, k]) else f"{exact[-1, k]:.6g}")
            rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        return (
            f"<b>{html.escape(_shortened(self.model))}</b>: {self.n_paths} paths of {self.steps} steps, "
            f"seed {self.seed}<table><tr><th>at t = {self.t[-1]:g}</th><th>mean</th><th>variance</th>"
            f"<th>exact mean</th><th>exact variance</th></tr>{''.join(rows)}</table>"
        )

    def plot(self, observable: int | str = 0, *, ax: Axes | None = None, paths: int = 6) -> Axes:
        """Fan chart: quantiles as bands, the mean, the exact mean and a few paths.

        Parameters
        ----------
        observable : int or str
            Index or name of the observable.
        ax : matplotlib.axes.Axes, optional
            Axes; new ones by default.
        paths : int
            Most paths that are drawn.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.

        Raises
        ------
        ImportError
            Without matplotlib.
        InputError
            For an unknown observable.
        """
        ax = axes(ax)
        k = self._index(observable)
        levels, bands = self._bands(k)
        for low in range(len(levels) // 2):
            high = len(levels) - 1 - low
            label = f"{100 * (levels[high] - levels[low]):.0f} %"
            ax.fill_between(self.t, bands[:, low], bands[:, high], color="C0", alpha=0.18, lw=0, label=label)
        if self.paths is not None:
            ax.plot(self.t, self.paths[:paths, :, k].T, color="0.5", lw=0.6, alpha=0.8)
        if self.mean is not None:
            ax.plot(self.t, self.mean[:, k], color="C0", lw=1.6, label="mean")
        if self.exact_mean is not None and not np.isnan(self.exact_mean[:, k]).any():
            every = max(1, len(self.t) // 24)
            ax.plot(
                self.t[::every], self.exact_mean[::every, k], "o", color="C3", mfc="none", ms=4, label="exact mean"
            )
        ax.set_xlabel("t")
        ax.set_ylabel(self.observables[k])
        ax.set_title(f"{_shortened(self.model)}, {self.n_paths} paths")
        if ax.get_legend_handles_labels()[0]:
            ax.legend()
        return ax

    def _index(self, observable: int | str) -> int:
        if isinstance(observable, str):
            if observable in self.observables:
                return self.observables.index(observable)
        elif -len(self.observables) <= observable < len(self.observables):
            return int(observable) % len(self.observables)
        raise InputError(f"observable {observable!r} is unknown; known are {', '.join(self.observables)}")

    def _bands(self, k: int) -> tuple[list[float], NDArray[np.float64]]:
        """Levels in order, and the curve of each: of all paths, or of a normal distribution, without quantiles."""
        if self.quantiles is not None:
            order = np.argsort(self.levels)
            return [self.levels[i] for i in order], self.quantiles[:, k, order]
        levels = [0.05, 0.25, 0.75, 0.95]
        if self.paths is not None and len(self.paths) == self.n_paths > 1:
            return levels, np.quantile(self.paths[:, :, k].astype(float), levels, axis=0).T
        std = self.std
        if self.mean is None or std is None or self.n_paths == 1:
            return [], np.empty((len(self.t), 0))
        normal = np.array([-1.6448536269514722, -0.6744897501960817, 0.6744897501960817, 1.6448536269514722])
        return levels, self.mean[:, k, None] + normal * std[:, k, None]


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "..."
