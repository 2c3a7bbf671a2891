"""Estimates of fits and figures of their uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ._display import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = [
    "Band",
    "Criteria",
    "CrossValidation",
    "Discretisation",
    "Estimate",
    "FitPlan",
    "Profile",
    "ResidualTests",
    "WeakDirection",
]


@dataclass(frozen=True)
class Estimate:
    """Estimate of a parameter."""

    #: Name.
    name: str
    #: Value.
    value: float
    #: Standard error; NaN for a fixed parameter, for one that a bound holds, and where the data do not determine it.
    error: float
    #: ``"free"``, ``"fixed"`` or ``"tied"``.
    role: str
    #: Bound that holds the parameter (``"lower"`` or ``"upper"``) with its multiplier, or None.
    held: tuple[str, float] | None = None
    #: Unit, where the model has one.
    unit: str | None = None

    def __str__(self) -> str:
        error = f" +- {self.error:.1e}" if np.isfinite(self.error) else ""
        unit = f" {self.unit}" if self.unit else ""
        held = f" (at its {self.held[0]} bound)" if self.held else ""
        role = "" if self.role == "free" else f" ({self.role})"
        return f"{self.name} = {self.value:.7g}{error}{unit}{held}{role}"


@dataclass(frozen=True)
class Criteria:
    """Information criteria of normal errors: smaller is better, for models of the same data."""

    #: Logarithm of the largest likelihood.
    log_likelihood: float
    #: Akaike.
    aic: float
    #: Akaike, corrected for few data; infinite where these are too few.
    aicc: float
    #: Schwarz (Bayes).
    bic: float


@dataclass(frozen=True)
class WeakDirection:
    """Combination of parameters that the data do not determine."""

    #: The combination in words.
    text: str
    #: Shares of the parameters.
    shares: dict[str, float]
    #: Singular value over the largest one.
    ratio: float

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class FitPlan:
    """Memory that a fit takes beyond its data, in bytes, with the threads of the pool."""

    #: Threads that share the rows.
    threads: int
    #: Of a thread: blocks of 512 rows.
    bytes_per_thread: int
    #: Of the factors of all pieces of 131072 rows.
    factor_bytes: int
    #: Of a thread, for the covariance by a loss other than the squares.
    sandwich_bytes: int
    #: For residuals, where the scale of the loss is their median.
    residual_bytes: int
    #: All together.
    bytes: int


@dataclass(frozen=True)
class Profile:
    """Profile likelihood of a parameter: the cost minimised over all others."""

    #: Name of the parameter.
    name: str
    #: Estimate.
    estimate: float
    #: Level of the interval.
    level: float
    #: Ends of the interval; None where the cost does not grow enough within the bounds.
    interval: tuple[float | None, float | None]
    #: Values of the parameter, ascending, and ``t = +-sqrt((cost - least cost)/unit)``: an array of two columns.
    points: NDArray[np.float64] = field(repr=False)
    #: Cost below that of the fit, which has found another minimum then, or None.
    lower_cost: float | None

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plots t against the parameter: a straight line where the linear theory holds. Returns the axes."""
        ax = axes(ax)
        ax.plot(self.points[:, 0], self.points[:, 1], marker="o")
        for end in self.interval:
            if end is not None:
                ax.axvline(end, linestyle=":", color="grey")
        ax.set_xlabel(self.name)
        ax.set_ylabel("t")
        return ax


@dataclass(frozen=True)
class Band:
    """Model at inputs, with its confidence band and the interval of new observations."""

    #: Values of the model; a row for each response.
    value: NDArray[np.float64]
    #: Standard errors.
    error: NDArray[np.float64]
    #: Lower and upper ends of the confidence interval of the value.
    confidence: tuple[NDArray[np.float64], NDArray[np.float64]]
    #: Lower and upper ends of the interval of a new observation of weight 1.
    prediction: tuple[NDArray[np.float64], NDArray[np.float64]]
    #: Level of the intervals.
    level: float


@dataclass(frozen=True)
class CrossValidation:
    """Errors of predictions of blocks of rows that were left out."""

    #: Root of the mean cost of a row.
    error: float
    #: The same for each block.
    blocks: list[float]


@dataclass(frozen=True)
class Discretisation:
    """Error of an estimate from the steps of an equation, beside its statistical error."""

    #: Name of the parameter.
    name: str
    #: Estimate.
    value: float
    #: Estimate with half of the steps.
    refined: float
    #: Standard error of the estimate, or None.
    error: float | None
    #: Whether the change is below a tenth of the standard error.
    is_small: bool


@dataclass(frozen=True)
class ResidualTests:
    """Tests of the residuals for correlation between consecutive rows."""

    #: Number of residuals.
    count: int
    #: Runs of residuals of the same sign, and their expected number if residuals are independent.
    runs: int
    expected_runs: float
    #: Probability of so few runs.
    probability: float
    #: Correlation of a residual with the next one.
    autocorrelation: float
    #: Whether residuals are correlated, by either test.
    are_correlated: bool
    #: Factor by which standard errors are too small, roughly.
    inflation: float
