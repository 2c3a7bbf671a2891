"""Results of fits: estimates with their uncertainty, and what can be computed from them."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._display import axes, table
from ._fit_progress import Progress
from .errors import InputError
from .fit_data import whole
from .fit_draws import Bootstrap, Posterior, nan
from .fit_estimates import (
    Band,
    Criteria,
    CrossValidation,
    Discretisation,
    Estimate,
    FitPlan,
    Profile,
    ResidualTests,
    WeakDirection,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = [
    "Band",
    "BatchFit",
    "Bootstrap",
    "Criteria",
    "CrossValidation",
    "Discretisation",
    "Estimate",
    "Fit",
    "FitPlan",
    "Posterior",
    "Profile",
    "ResidualTests",
    "WeakDirection",
]


class Fit(Mapping[str, Estimate]):
    """Result of :func:`hpfracc.fit`: a mapping of parameters to their estimates.

    A fit can be pickled. Plain values are part of the pickle; methods that need data and model run the fit again when the
    first one is called, to the same bits.
    """

    def __init__(self, run: Callable[..., tuple[Any, list[Any]]], arguments: dict[str, Any], summary: dict[str, Any] | None = None):
        self._run, self._arguments = run, arguments
        self._result: tuple[Any, list[Any]] | None = None
        self._summary = self._core.summary() if summary is None else summary

    def _loaded(self) -> tuple[Any, list[Any]]:
        """Result of the extension and data sets: of the fit, which runs again after unpickling."""
        if self._result is None:
            self._result = self._run(self._arguments)
        return self._result

    @property
    def _core(self) -> Any:
        return self._loaded()[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return Fit, (self._run, self._arguments, self._summary)

    # Mapping.

    def __getitem__(self, name: str) -> Estimate:
        try:
            k = self.names.index(name)
        except ValueError:
            raise KeyError(f"no parameter is called {name!r}; the parameters are {', '.join(self.names)}") from None
        of = self._summary
        return Estimate(name, of["values"][k], of["errors"][k], of["roles"][k], of["held"][k], of["units"][k])

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    # Plain values.

    @property
    def names(self) -> list[str]:
        """Names of all parameters, free, fixed and tied."""
        return self._summary["names"]

    @property
    def parameters(self) -> dict[str, float]:
        """Values by name."""
        return dict(zip(self.names, self._summary["values"], strict=True))

    @property
    def errors(self) -> dict[str, float]:
        """Standard errors by name; NaN where there is none."""
        return dict(zip(self.names, self._summary["errors"], strict=True))

    @property
    def covariance(self) -> NDArray[np.float64]:
        """Covariance of the parameters in the order of :attr:`names`; NaN where there is none."""
        return self._summary["covariance"]

    @property
    def correlations(self) -> NDArray[np.float64]:
        """Correlations of the parameters; NaN where there is none."""
        scale = np.sqrt(np.diag(self.covariance))
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.covariance / np.outer(scale, scale)

    @property
    def outcome(self) -> str:
        """How the fit ended, in words."""
        return self._summary["outcome"]

    @property
    def success(self) -> bool:
        """Whether the fit ended at a minimum."""
        return self._summary["success"]

    @property
    def cost(self) -> float:
        """Sum of the squares of the weighted residuals, or of their losses."""
        return self._summary["cost"]

    @property
    def passes(self) -> int:
        """Passes over the data."""
        return self._summary["passes"]

    @property
    def data(self) -> int:
        """Number of residuals."""
        return self._summary["data"]

    @property
    def skipped(self) -> int:
        """Rows that were left out because a number in them is not finite."""
        return self._summary["skipped"]

    @property
    def degrees_of_freedom(self) -> int:
        """Residuals less free parameters that no bound holds."""
        return self._summary["degrees_of_freedom"]

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the residuals with weight 1; 1 where the errors are known."""
        return float(np.sqrt(self._summary["variance"]))

    @property
    def errors_are_known(self) -> bool:
        """Whether the standard deviations of the data are known."""
        return self._summary["errors_are_known"]

    @property
    def loss(self) -> tuple[str, float | None]:
        """Loss of the residuals and its scale, None for the squares."""
        return self._summary["loss"], self._summary["loss_scale"]

    @property
    def criteria(self) -> Criteria | None:
        """Information criteria; None for another loss than the squares."""
        of = self._summary["criteria"]
        return None if of is None else Criteria(*of)

    @property
    def start_search(self) -> dict[str, int] | None:
        """Search for a start: rows, points of the grid, minimisations, and those at the best minimum; None without one."""
        of = self._summary["starts"]
        return None if of is None else dict(zip(("rows", "points", "minimisations", "at_best"), of, strict=True))

    @property
    def weak_directions(self) -> list[WeakDirection]:
        """Combinations of parameters that the data do not determine."""
        return [WeakDirection(text, dict(shares), ratio) for text, shares, ratio in self._summary["weak_directions"]]

    @property
    def checkpoint_failure(self) -> str | None:
        """Why the last checkpoint could not be written, or None."""
        return self._summary["checkpoint_failure"]

    # Uncertainty.

    def interval(self, name: str, level: float = 0.95) -> tuple[float, float] | None:
        """Interval ``value +- t error`` of a parameter, by Student's t or, for known errors, the normal distribution.

        None without a standard error. :meth:`profile` follows the curvature of the model, too.
        """
        return self._core.interval(name, level)

    def derived(self, expression: str) -> tuple[float, float]:
        """Value and standard error of an expression of the parameters, such as ``"tau*2"``; NaN without an error."""
        value, error = self._core.derived(expression)
        return value, nan(error)

    def profile(self, name: str, level: float = 0.95) -> Profile:
        """Profile likelihood of a free parameter, and its interval. Cost: some ten fits of the others."""
        estimate, interval, points, lower_cost = self._core.profile(name, level)
        return Profile(name, estimate, level, interval, points, lower_cost)

    def bootstrap(
        self,
        scheme: str = "residual",
        replicates: int = 999,
        seed: int = 0,
        *,
        block_length: int | None = None,
        level: float = 0.95,
        progress: bool | Callable[..., Any] = False,
    ) -> Bootstrap:
        """Refits to resampled data.

        Parameters
        ----------
        scheme : {"residual", "wild", "pairs", "blocks"}
            Residuals drawn (independent errors that are alike), residuals of random signs (independent errors), rows drawn,
            or blocks of ``block_length`` consecutive rows drawn (correlated errors).
        replicates : int
            Some hundreds for standard errors, 999 or more for intervals.
        seed : int
            Seed. Replicates do not depend on the number of threads.
        block_length : int, optional
            Rows of a block.
        level : float
            Default level of intervals.
        progress : bool or callable
            As in :func:`hpfracc.fit`.
        """
        length = None if block_length is None else whole("block_length", block_length, 1)
        replicates = whole("replicates", replicates, 1)
        if replicates >= 2**32:
            raise InputError(f"replicates is {replicates}, expected a number below 2^32")
        with Progress(progress, "refits") as report:
            core = self._core.bootstrap((scheme, length), replicates, whole("seed", seed), report)
        return Bootstrap(core, self.names, level)

    def sample(
        self,
        draws: int = 1000,
        chains: int = 4,
        seed: int = 0,
        *,
        warm_up: int = 200,
        acceptance: float = 0.8,
        depth: int = 10,
        progress: bool | Callable[..., Any] = False,
    ) -> Posterior:
        """Draws from the posterior distribution of the free parameters, by the no-U-turn sampler.

        Parameters without a prior have a flat one between their bounds, logarithmic ones a flat one of the logarithm. Cost:
        about three passes over the data for an effective draw. :attr:`Posterior.converged` says whether to believe them.
        """
        counts = [whole("draws", draws, 1), whole("chains", chains, 1), whole("warm_up", warm_up)]
        for name, value in zip(("draws", "chains", "warm_up"), counts, strict=True):
            if value >= 2**32:
                raise InputError(f"{name} is {value}, expected a number below 2^32")
        depth = min(whole("depth", depth, 1), 2**32 - 1)
        with Progress(progress, "draws") as report:
            core = self._core.sample(*counts, whole("seed", seed), acceptance, depth, report)
        return Posterior(core, self._core)

    # Model.

    def _set(self, name: str | None) -> tuple[int, Any]:
        sets = self._loaded()[1]
        names = [of.name for of in sets]
        if name is None:
            if len(sets) > 1:
                raise InputError(f"the fit has the sets {', '.join(names)}: say which one by set=...")
            return 0, sets[0]
        if name not in names:
            raise InputError(f"there is no set {name!r}; the sets are {', '.join(names)}")
        k = names.index(name)
        return k, sets[k]

    def _in_memory(self, name: str | None) -> Any:
        _, of = self._set(name)
        if any(isinstance(column, tuple) for column in of.responses):
            raise InputError("the rows of a file are not in memory: give predict or band a part of the inputs")
        return of

    def predict(self, x: Any, set: str | None = None) -> Any:
        """The model at inputs: an array of the shape of x, complex for complex data, or a row for each response.

        Parameters
        ----------
        x : array_like
            Inputs, as in :func:`hpfracc.fit`.
        set : str, optional
            Name of the set, where there are several.
        """
        k, of = self._set(set)
        x, inputs, shape = of.new_inputs(x)
        return of.joined(self._core.evaluate(k, x, inputs), shape)

    def band(self, x: Any, level: float = 0.95, set: str | None = None) -> Band:
        """The model at inputs, with its confidence band and the intervals of new observations.

        Of complex data the band has a row for the real and one for the imaginary part.
        """
        k, of = self._set(set)
        x, inputs, shape = of.new_inputs(x)
        parts = self._core.band(k, x, inputs, level)
        if of.sign == -1.0:
            value, error, low, high, below, above = parts[1]
            parts[1] = [-value, error, -high, -low, -above, -below]

        def joined(part: int) -> NDArray[np.float64]:
            columns = [np.asarray(response[part]) for response in parts]
            columns = [of.reshape(shape) if of.size != 1 else np.full(shape, of) for of in columns]
            return columns[0] if len(columns) == 1 else np.stack(columns)

        value, error, low, high, below, above = (joined(part) for part in range(6))
        return Band(value, error, (low, high), (below, above), level)

    def residuals(self, set: str | None = None) -> Any:
        """Data less model, without weights."""
        of = self._in_memory(set)
        responses = [np.asarray(column, dtype=float) for column in of.responses]
        return of.joined(responses, responses[0].shape) - self.predict(of.x, set)

    # Comparison.

    def f_test(self, smaller: Fit) -> float:
        """p-value of the F test against a smaller model that this one contains."""
        return self._core.f_test(smaller._core)

    def log_evidence(self) -> float:
        """Logarithm of the evidence, by Laplace's approximation: every free parameter needs a prior or two finite bounds."""
        return self._core.log_evidence()

    def cross_validation(self, blocks: int = 10) -> CrossValidation:
        """Predictions of blocks of consecutive rows by fits to the others."""
        return CrossValidation(*self._core.cross_validation(whole("blocks", blocks)))

    def discretisation(self) -> list[Discretisation]:
        """Estimates of a second fit with half of the steps of the equations; empty where no model is one."""
        return [Discretisation(*of) for of in self._core.discretisation()]

    def residual_tests(self) -> ResidualTests | None:
        """Tests of the residuals for correlation; None for fewer than 10 residuals and those that are rounding."""
        of = self._core.residual_tests()
        return None if of is None else ResidualTests(*of)

    # Output.

    def report(self) -> str:
        """Table of the estimates, and what limits their meaning."""
        text = self._core.report()
        of = self.criteria
        if of is not None:
            text += f"AIC {of.aic:.4f}, AICc {of.aicc:.4f}, BIC {of.bic:.4f}\n"
        return text

    def __repr__(self) -> str:
        lines = "".join(f"\n  {estimate}" for estimate in self.values())
        return f"Fit({self.outcome}){lines}"

    def _repr_html_(self) -> str:
        head = ("parameter", "value", "error", "unit", "")
        rows = []
        for name, of in self.items():
            note = f"at its {of.held[0]} bound" if of.held else ("" if of.role == "free" else of.role)
            error = f"{of.error:.2g}" if np.isfinite(of.error) else ""
            rows.append((name, f"{of.value:.7g}", error, of.unit or "", note))
        warnings = "".join(f"<p>warning: {html.escape(str(of))}</p>" for of in self.weak_directions)
        return f"<p>{html.escape(self.outcome)}, cost {self.cost:.6g}</p>{table(head, rows)}{warnings}"

    def plot(self, ax: Axes | None = None, set: str | None = None, level: float = 0.95) -> Axes:
        """Plots the data of a set with the model and its confidence band. Returns the axes.

        The model needs one input.
        """
        of = self._in_memory(set)
        x = np.asarray(of.x[0] if isinstance(of.x, tuple) and len(of.x) == 1 else of.x)
        if x.ndim != 1 or len(of.model.given) > 1:
            raise InputError("a picture needs a model of one input")
        ax = axes(ax)
        order = np.argsort(x)
        band = self.band(x, level, set)
        several = len(of.responses) > 1
        for k, column in enumerate(of.responses):
            name = of.model.responses[k]
            sign = -1.0 if of.sign == -1.0 and k == 1 else 1.0
            value, low, high = (np.atleast_2d(array)[k][order] for array in (band.value, *band.confidence))
            # Each response has a pair of colours; the line lies over the points.
            data, line = f"C{2 * k}", f"C{2 * k + 1}"
            ax.plot(x, sign * np.asarray(column), ".", color=data, zorder=2, label=name if several else "data")
            ax.fill_between(x[order], low, high, color=line, alpha=0.25, lw=0, zorder=2.5, label=f"{100 * level:g} %")
            ax.plot(x[order], value, color=line, zorder=3, label=f"{name}, model" if several else "model")
        ax.set_xlabel(of.model.given[0])
        if not several:
            ax.set_ylabel(of.model.responses[0])
        ax.legend()
        return ax


class BatchFit:
    """Results of :func:`hpfracc.fit_batch`, by curve. Can be pickled."""

    def __init__(self, of: dict[str, Any]):
        #: Names of all parameters.
        self.names: list[str] = of["names"]
        #: Values: a row for each curve, a column for each parameter; NaN for curves that cannot be fitted.
        self.values: NDArray[np.float64] = of["values"]
        #: Standard errors, as the values; NaN where there is none.
        self.errors: NDArray[np.float64] = of["errors"]
        #: Cost of each curve.
        self.costs: NDArray[np.float64] = of["costs"]
        #: Passes over the data of each curve.
        self.passes: NDArray[np.uint64] = of["passes"]
        #: Whether the fit of each curve ended at a minimum.
        self.success: NDArray[np.bool_] = of["success"]
        #: Curves that cannot be fitted, with the reasons.
        self.failures: dict[int, str] = dict(of["failures"])

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(f"no parameter is called {name!r}; the parameters are {', '.join(self.names)}")
        return self.names.index(name)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """Values of a parameter, by curve."""
        return self.values[:, self._index(name)]

    def error(self, name: str) -> NDArray[np.float64]:
        """Standard errors of a parameter, by curve."""
        return self.errors[:, self._index(name)]

    def __len__(self) -> int:
        return len(self.costs)

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"BatchFit({len(self)} curves, parameters {', '.join(self.names)}{failed})"
