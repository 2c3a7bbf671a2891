"""Expectations by multilevel Monte Carlo."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from . import _hpfracc
from . import _sde_arguments as _arguments
from ._display import axes
from ._sde_subject import name_of, subject
from .errors import InputError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from .equation import Equation

__all__ = ["Expectation", "Level", "multilevel"]


class Level(NamedTuple):
    """Level of an expectation.

    Number of steps and of paths, mean and variance of the difference of the payoffs of this level and the one before,
    mean and variance of the payoff, and number of increments that a path draws.
    """

    steps: int
    paths: int
    mean: float
    variance: float
    payoff_mean: float
    payoff_variance: float
    cost: float


@dataclass(frozen=True, repr=False)
class Expectation:
    """Expectation from :func:`multilevel`.

    Attributes
    ----------
    value : float
        Estimate.
    standard_error : float
        Standard error, without the bias.
    bias : float
        Contribution of finer levels, extrapolated.
    target : float
        Requested root-mean-square error.
    weak_order, variance_order : float
        Powers of the step with which means and variances of the differences fall.
    levels : tuple of Level
        From the coarsest to the finest.
    """

    value: float
    standard_error: float
    bias: float
    target: float
    weak_order: float
    variance_order: float
    levels: tuple[Level, ...] = field(default=())

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return (
            f"Expectation({self.value:.8g}, standard_error={self.standard_error:.2g}, bias={self.bias:.2g}, "
            f"{len(self.levels)} levels)"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{level.steps}</td><td>{level.paths}</td><td>{level.mean:.4g}</td>"
            f"<td>{level.variance:.4g}</td></tr>"
            for level in self.levels
        )
        return (
            f"<b>{self.value:.8g}</b> &plusmn; {self.standard_error:.2g}, bias {self.bias:.2g}"
            f"<table><tr><th>steps</th><th>paths</th><th>mean</th><th>variance</th></tr>{rows}</table>"
        )

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Means and variances of the differences by number of steps, on logarithmic axes.

        Raises
        ------
        ImportError
            Without matplotlib.
        """
        ax = axes(ax)
        steps = [level.steps for level in self.levels[1:]]
        ax.loglog(steps, [abs(level.mean) for level in self.levels[1:]], "o-", label="mean")
        ax.loglog(steps, [level.variance for level in self.levels[1:]], "s-", label="variance")
        ax.set_xlabel("steps")
        ax.set_ylabel("difference of two levels")
        ax.legend()
        return ax


def multilevel(
    model: str | os.PathLike[str] | Equation,
    payoff: str | Callable[[NDArray[np.float64]], float],
    *,
    target: float,
    t_span: float | tuple[float, float] | None = None,
    refinement: int = 4,
    coarsest: int = 1,
    finest: int = 8,
    pilot: int = 2000,
    seed: int = 0,
    scheme: str | None = None,
    threads: int | None = None,
    parameters: Mapping[str, float] | None = None,
    **keywords: float,
) -> Expectation:
    r"""Expectation of a payoff by multilevel Monte Carlo.

    ``E P_L = E P_0 + sum_l E (P_l - P_{l-1})``, with both payoffs of a difference from the same noise.

    Parameters
    ----------
    model : str, path or Equation
        Model or equation, as in :func:`simulate`.
    payoff : str or callable
        Formula of the observables at the end, such as ``"max(S - K, 0); K = 1.1"``; or a function of the values of a
        path, an array of shape (coarsest + 1, observables) at the ends of the steps of the first level. A function
        holds the interpreter's lock and is called for each path: formulas are hundreds of times as fast.
    target : float
        Root-mean-square error, positive.
    t_span : float or tuple of float, optional
        Start and end of the interval, or its end.
    refinement : int
        Steps of a level for each step of the one before, at least 2.
    coarsest : int
        Steps of the first level.
    finest : int
        Last level that may be added, counted from 0, at least 2.
    pilot : int
        Paths of the first estimate of a variance, at least 100.
    seed, scheme, threads, parameters, **keywords
        As in :func:`simulate`.

    Returns
    -------
    Expectation
        Estimate with its error, and the levels. The same seed gives the same bits on any number of threads.

    Raises
    ------
    InputError
        For unknown names and values out of range.
    EquationError
        For a formula that cannot be read.
    SolverError
        If the last level that is allowed leaves too large a bias.

    Notes
    -----
    Work ``O(target^-2)`` for schemes of strong order above 1/2. Source: Giles, Oper. Res. 56 (2008) 607.

    Examples
    --------
    >>> import hpfracc
    >>> text = "dS = 0.05 S dt + 0.2 S dW; S(0) = 1; t in [0, 1]"
    >>> found = hpfracc.multilevel(text, "max(S - 1, 0) exp(-0.05)", target=2e-3, scheme="milstein", seed=1)
    >>> bool(abs(found.value - 0.104506) < 8e-3)
    True
    """
    if not isinstance(payoff, str) and not callable(payoff):
        raise InputError(f"payoff is {payoff!r}, expected a formula or a function")
    settings = {
        "target": _arguments.real("target", target),
        "refinement": _arguments.count("refinement", refinement, 2),
        "coarsest": _arguments.count("coarsest", coarsest),
        "finest": _arguments.count("finest", finest, 2),
        "pilot": _arguments.count("pilot", pilot, 100),
        "seed": _arguments.seed("seed", seed),
        "t_span": _arguments.interval(t_span),
        "scheme": None if scheme is None else name_of(scheme, "scheme"),
        "threads": _arguments.threads(threads),
        "payoff": payoff,
    }
    values = _arguments.values(parameters, keywords)
    name, text = subject(model)
    if name is not None:
        found = _hpfracc.multilevel_model(name, values, settings)
    else:
        found = _hpfracc.multilevel_equation(text, values, settings)
    levels = tuple(Level._make((steps, paths, *moments, cost)) for steps, paths, moments, cost in found.pop("levels"))
    return Expectation(levels=levels, **found)
