"""Gradients of losses of ensembles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _hpfracc
from . import _sde_arguments as _arguments
from ._sde_subject import name_of, subject
from .errors import InputError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from .equation import Equation

__all__ = ["EnsembleGradient", "ensemble_gradient"]


@dataclass(frozen=True, repr=False)
class EnsembleGradient:
    """Loss of an ensemble and its gradient, from :func:`ensemble_gradient`.

    Attributes
    ----------
    value : float
        Loss.
    parameters, start, orders : dict of str to float
        Derivatives with respect to the parameters, and to the initial values and orders of the states. Orders only
        of equations with memory.
    errors : dict of str to dict
        Standard errors of these derivatives, by ``"parameters"``, ``"start"`` and ``"orders"``; NaN of a single tile
        of paths.
    """

    value: float
    parameters: dict[str, float]
    start: dict[str, float]
    orders: dict[str, float]
    errors: dict[str, dict[str, float]]

    def __repr__(self) -> str:
        parameters = ", ".join(f"{name}={value:.6g}" for name, value in self.parameters.items())
        return f"EnsembleGradient({self.value:.6g}; {parameters})"


def ensemble_gradient(
    model: str | os.PathLike[str] | Equation,
    loss: Callable[[NDArray[Any]], tuple[float, ArrayLike]],
    *,
    paths: int = 1000,
    steps: int | None = None,
    t_span: float | tuple[float, float] | None = None,
    t: ArrayLike | None = None,
    every: int | None = None,
    seed: int = 0,
    first: int = 0,
    scheme: str | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    min_step: float | None = None,
    antithetic: bool = False,
    dtype: DTypeLike = "float64",
    threads: int | None = None,
    parameters: Mapping[str, float] | None = None,
    **keywords: float,
) -> EnsembleGradient:
    """Gradient of a loss of an ensemble with respect to parameters, initial values and orders, for fixed noise.

    Parameters
    ----------
    model : str, path or Equation
        Equation as text; models by name have none.
    loss : callable
        Function of the states of all paths at the saved times, an array of shape (paths, times, states); returns the
        loss and its derivative, an array of that shape.
    paths, steps, t_span, t, seed, first, dtype, threads, parameters, **keywords
        As in :func:`simulate`.
    every : int, optional
        Saves every k-th node and the last one; by default the start and the end.
    scheme, rtol, atol, min_step, antithetic
        As in :func:`simulate`: every scheme of an equation has an adjoint. Adaptive steps are those of the parameters, and
        held fixed.

    Returns
    -------
    EnsembleGradient
        Loss and derivatives, exact for the numerical solution.

    Raises
    ------
    InputError
        For unknown names, values and shapes out of range.
    SolverError
        For paths or derivatives that are not finite.

    Notes
    -----
    Adjoint sensitivity: the paths are solved twice, with the same noise.

    Examples
    --------
    >>> import hpfracc
    >>> import numpy as np
    >>> def mean_of_end(x):
    ...     derivative = np.zeros_like(x)
    ...     derivative[:, -1, 0] = 1 / len(x)
    ...     return x[:, -1, 0].mean(), derivative
    >>> text = "dX = -theta X dt + 0.5 dW; theta = 2; X(0) = 1; t in [0, 1]"
    >>> found = hpfracc.ensemble_gradient(text, mean_of_end, paths=4000, steps=100, seed=1)
    >>> bool(abs(found.parameters["theta"] + 0.98**99) < 0.02), bool(abs(found.start["X"] - 0.98**100) < 1e-9)
    (True, True)
    """
    name, text = subject(model)
    if name is not None:
        raise InputError(f"the model {name} has no gradient; write its equation as text")
    if not callable(loss):
        raise InputError(f"loss is {loss!r}, expected a function of the states")
    if t is not None and every is not None:
        raise InputError("t and every are both given, expected one of them")
    values = _arguments.values(parameters, keywords)
    span = _arguments.interval(t_span)
    described = _hpfracc.sde_equation(text, values, span)
    tolerances = _arguments.tolerances(rtol, atol, min_step)
    usual = described["steps"] if tolerances is None else _arguments.LONGEST_STEPS
    steps = usual if steps is None else _arguments.count("steps", steps)
    count = _arguments.count("paths", paths)
    settings = {
        "paths": count,
        "first": _arguments.seed("first", first),
        "steps": steps,
        "t_span": span,
        "t": None if t is None else _arguments.reals("t", t),
        "every": steps if every is None else _arguments.count("every", every),
        "seed": _arguments.seed("seed", seed),
        "tolerances": tolerances,
        "antithetic": bool(antithetic),
        "scheme": None if scheme is None else name_of(scheme, "scheme"),
        "single": _arguments.single(dtype),
        "moments": False,
        "quantiles": [],
        "quantile_error": None,
        "store": count,
        "threads": _arguments.threads(threads),
        "tile": None,
        "checkpoint": None,
        "checkpoint_interval": 60.0,
        "progress": None,
    }
    states = _hpfracc.gradient_paths(text, values, settings)["paths"]
    result = loss(states)
    if not isinstance(result, tuple) or len(result) != 2:
        raise InputError("loss returned no pair, expected its value and its derivative")
    value, derivative = result
    derivative = np.asarray(derivative)
    if derivative.shape != states.shape or derivative.dtype.kind not in "biuf":
        raise InputError(
            f"the derivative of the loss has shape {derivative.shape} and type {derivative.dtype}, "
            f"expected numbers of shape {states.shape}"
        )
    derivative = derivative.astype(states.dtype, copy=False)
    found = _hpfracc.gradient_equation(text, values, settings, derivative)
    names = {
        "parameters": [name for name, _ in described["parameters"]],
        "start": described["states"],
        "orders": described["states"],
    }
    parts: dict[str, Any] = {"errors": {}}
    for part, of_part in names.items():
        numbers, errors = found[part]
        parts[part] = dict(zip(of_part, numbers.tolist()))
        parts["errors"][part] = dict(zip(of_part, errors.tolist()))
    return EnsembleGradient(value=float(value), **parts)
