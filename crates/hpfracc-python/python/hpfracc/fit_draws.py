"""Refits to resampled data and draws from posterior distributions."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

from ._display import axes, table
from ._hpfracc import FitBootstrap as _Bootstrap
from .errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Bootstrap", "Posterior"]


class Bootstrap:
    """Refits to resampled data, with their statistics. Can be pickled."""

    def __init__(self, core: Any, names: Sequence[str], level: float):
        self._core, self._names, self._level = core, list(names), level

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored_bootstrap, (self._core.state(), self._names, self._level)

    @property
    def replicates(self) -> int:
        """Number of refits, with those that failed."""
        return self._core.counts()[0]

    @property
    def failures(self) -> dict[str, int]:
        """Refits without a result, by reason."""
        return dict(zip(("not_converged", "not_finite", "undetermined"), self._core.counts()[1:], strict=True))

    @property
    def errors(self) -> dict[str, float]:
        """Standard errors: standard deviations of the refits, by parameter."""
        return {name: nan(self._core.standard_error(name)) for name in self._names}

    @property
    def bias(self) -> dict[str, float]:
        """Means of the refits less the estimates, by parameter."""
        return {name: nan(self._core.bias(name)) for name in self._names}

    def values(self, name: str) -> NDArray[np.float64]:
        """Values of a parameter in the refits with a result."""
        return self._core.values(name)

    def covariance(self, a: str, b: str) -> float:
        """Covariance of two parameters in the refits."""
        return nan(self._core.covariance(a, b))

    def interval(self, name: str, level: float | None = None, *, method: str = "studentised") -> tuple[float, float] | None:
        """Interval of a parameter, or None where there are too few refits or a bound holds the parameter.

        Parameters
        ----------
        name : str
            Parameter.
        level : float, optional
            Level, 0.95 by default.
        method : {"studentised", "percentile"}
            Quantiles of the distances of the refits in units of their standard errors (bootstrap-t), which have the right
            level also with few data, or quantiles of the refits.
        """
        if method not in ("studentised", "percentile"):
            raise InputError(f"method is {method!r}, expected 'studentised' or 'percentile'")
        return self._core.interval(name, self._level if level is None else level, method == "studentised")

    def __repr__(self) -> str:
        errors = ", ".join(f"{name}: {error:.2g}" for name, error in self.errors.items())
        return f"Bootstrap({self.replicates} replicates, errors {{{errors}}})"


def _restored_bootstrap(state: str, names: list[str], level: float) -> Bootstrap:
    return Bootstrap(_Bootstrap.of_state(state, names), names, level)


class Posterior:
    """Draws from the posterior distribution of the free parameters, with their diagnostics. Can be pickled."""

    def __init__(self, core: Any, owner: Any):
        self._core, self._owner = core, owner
        #: Names of the free parameters.
        self.names: list[str] = core.names
        #: Draws by parameter: arrays with a row for each chain.
        self.draws: dict[str, NDArray[np.float64]] = {name: core.draws(k) for k, name in enumerate(self.names)}
        #: Mean, standard deviation, their Monte Carlo errors, R-hat and effective sizes, by parameter.
        self.summary: dict[str, dict[str, float]] = {name: core.summary(k) for k, name in enumerate(self.names)}
        facts = core.facts()
        #: Divergent draws: (chain, draw, position).
        self.divergences: list[tuple[int, int, list[float]]] = facts["divergences"]
        #: Fraction of missing information of each chain.
        self.bfmi: list[float] = facts["bfmi"]
        #: Mean acceptance probability of each chain.
        self.acceptance: list[float] = facts["acceptance"]
        #: Number of trajectories of each depth.
        self.depths: list[int] = facts["depths"]
        #: Gradients after the warm-up and in it.
        self.gradients: tuple[int, int] = (facts["gradients"], facts["warm_up_gradients"])
        #: Reasons not to believe the draws; empty if there are none.
        self.reasons: list[str] = facts["reasons"]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_core": None, "_owner": None}

    @property
    def converged(self) -> bool:
        """Whether the statistics can be believed: R-hat, effective sizes, divergences and energies."""
        return not self.reasons

    @property
    def mean(self) -> dict[str, float]:
        """Means by parameter."""
        return {name: of["mean"] for name, of in self.summary.items()}

    @property
    def standard_deviation(self) -> dict[str, float]:
        """Standard deviations by parameter."""
        return {name: of["standard_deviation"] for name, of in self.summary.items()}

    @property
    def r_hat(self) -> dict[str, float]:
        """R-hat by parameter: 1 for chains that agree."""
        return {name: of["r_hat"] for name, of in self.summary.items()}

    @property
    def effective_size(self) -> dict[str, float]:
        """Smaller one of the effective sizes of bulk and tails, by parameter."""
        return {name: min(of["bulk_ess"], of["tail_ess"]) for name, of in self.summary.items()}

    def _of(self, name: str) -> NDArray[np.float64]:
        if name not in self.draws:
            raise InputError(f"no parameter is called {name!r}; the parameters are {', '.join(self.names)}")
        return self.draws[name]

    def quantile(self, name: str, p: ArrayLike) -> Any:
        """Quantile of a parameter, linear between order statistics."""
        return np.quantile(self._of(name), np.asarray(p, dtype=float))

    def interval(self, name: str, level: float = 0.95) -> tuple[float, float]:
        """Interval of a parameter between quantiles."""
        if not 0 < level < 1:
            raise InputError(f"the level of an interval is {level}, expected a number between 0 and 1")
        low, high = np.quantile(self._of(name), [0.5 - 0.5 * level, 0.5 + 0.5 * level])
        return float(low), float(high)

    def derived(self, expression: str) -> NDArray[np.float64]:
        """Draws of an expression of the parameters, a row for each chain."""
        if self._core is None:
            raise InputError("the draws were unpickled without their fit, which derived draws need")
        return self._owner.derived_draws(self._core, expression)

    def __repr__(self) -> str:
        chains, draws = next(iter(self.draws.values())).shape
        verdict = "converged" if self.converged else "not converged: " + "; ".join(self.reasons)
        return f"Posterior({chains} chains of {draws} draws, {verdict})"

    def _repr_html_(self) -> str:
        head = ("parameter", "mean", "standard deviation", "R-hat", "effective size")
        rows = [
            (name, f"{of['mean']:.6g}", f"{of['standard_deviation']:.3g}", f"{of['r_hat']:.3f}", f"{self.effective_size[name]:.0f}")
            for name, of in self.summary.items()
        ]
        return table(head, rows) + f"<p>{html.escape(repr(self))}</p>"

    def plot(self, name: str | None = None, ax: Axes | None = None) -> Axes:
        """Plots histograms of the draws of a parameter, or of the first one. Returns the axes."""
        ax = axes(ax)
        name = self.names[0] if name is None else name
        ax.hist(self._of(name).T, bins=40, histtype="step", density=True)
        ax.set_xlabel(name)
        ax.set_ylabel("density")
        return ax


def nan(value: float | None) -> float:
    """The value, or NaN without one."""
    return float("nan") if value is None else value
