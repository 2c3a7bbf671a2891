"""Stochastic models by name, and schemes of stochastic equations."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from . import _hpfracc
from . import _sde_arguments as _arguments
from ._sde_subject import name_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Model", "ModelParameter", "exact_moments", "models", "sde_schemes"]


class ModelParameter(NamedTuple):
    """Parameter of a model: name, meaning with unit, range in words, and default."""

    name: str
    meaning: str
    range: str
    default: float


@dataclass(frozen=True, repr=False)
class Model:
    """Stochastic model that can be simulated by its name.

    Attributes
    ----------
    name, title : str
        Name for :func:`simulate`, and name in a sentence.
    equation : tuple of str
        Equation, a line each.
    scheme : str
        Scheme, and how the state stays in its range.
    observables : tuple of str
        Names of the values that an ensemble has.
    parameters : tuple of ModelParameter
        Parameters, initial values among them.
    t_end : float
        Default end of the interval, which starts at 0.
    steps : int
        Default number of steps.
    """

    name: str
    title: str
    equation: tuple[str, ...]
    scheme: str
    observables: tuple[str, ...]
    parameters: tuple[ModelParameter, ...]
    t_end: float
    steps: int

    def __repr__(self) -> str:
        parameters = ", ".join(f"{p.name}={p.default:g}" for p in self.parameters)
        return f"Model({self.name!r}, {parameters})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(p.name)}</td><td style='text-align:left'>{html.escape(p.meaning)}</td>"
            f"<td>{html.escape(p.range)}</td><td>{p.default:g}</td></tr>"
            for p in self.parameters
        )
        equation = "<br>".join(html.escape(line) for line in self.equation)
        return (
            f"<b>{html.escape(self.title)}</b> (<code>{html.escape(self.name)}</code>)<p><code>{equation}</code></p>"
            f"<table><tr><th>parameter</th><th>meaning</th><th>range</th><th>default</th></tr>{rows}</table>"
            f"<p>{html.escape(self.scheme)}</p>"
        )


def models() -> dict[str, Model]:
    """Stochastic models by name, with their equations and parameters.

    Returns
    -------
    dict of str to Model
        All models.

    Examples
    --------
    >>> import hpfracc
    >>> hpfracc.models()["ornstein-uhlenbeck"]
    Model('ornstein-uhlenbeck', theta=1, mu=0, sigma=0.5, x0=1)
    """
    listed = {}
    for entry in _hpfracc.sde_models():
        listed[entry["name"]] = Model(
            name=entry["name"],
            title=entry["title"],
            equation=tuple(entry["equation"]),
            scheme=entry["scheme"],
            observables=tuple(entry["observables"]),
            parameters=tuple(ModelParameter(*parameter) for parameter in entry["parameters"]),
            t_end=entry["t_end"],
            steps=entry["steps"],
        )
    return listed


def sde_schemes() -> dict[str, str]:
    """Schemes of stochastic equations by name, with calculus, noise and strong order.

    Examples
    --------
    >>> import hpfracc
    >>> hpfracc.sde_schemes()["sra1"]
    'additive Brownian motion: strong order 3/2'
    """
    return dict(_hpfracc.sde_schemes())


def exact_moments(
    model: str, t: ArrayLike, parameters: Mapping[str, float] | None = None, **keywords: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Exact mean and variance of the observables of a model.

    Parameters
    ----------
    model : str
        Name of a model.
    t : array_like
        Times after the start, from 0 on.
    parameters, **keywords
        Values of parameters.

    Returns
    -------
    mean, variance : ndarray
        Arrays of shape (times, observables); NaN where there is no formula.

    Raises
    ------
    InputError
        For an unknown model or parameter, and values out of range.

    Examples
    --------
    >>> import hpfracc
    >>> mean, variance = hpfracc.exact_moments("brownian-motion", [0.0, 2.0], sigma=3.0)
    >>> variance.ravel()
    array([ 0., 18.])
    """
    return _hpfracc.sde_exact(name_of(model), _arguments.values(parameters, keywords), _arguments.reals("t", t))
