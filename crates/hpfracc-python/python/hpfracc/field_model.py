"""Models of partial differential equations for fits."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from ._box import Box, Conditions, Points, box_of
from .errors import InputError
from .pde import _equation, _face_values

__all__ = ["FieldModel"]


class FieldModel:
    """Model of a fractional partial differential equation on a box, which :func:`hpfracc.fit` fits to values of its fields.

    Its inputs are times and coordinates, ``x = (t, x)`` or ``x = (t, x, y)`` with an entry for each value; :meth:`inputs` makes
    those of whole fields. Its parameters are the parameters of the text: orders, coefficients, exponents of Laplacians, and what
    reactions, sources and starts depend on.

    Linear equations with constant coefficients are solved without time steps, to some 1e-13. Others take the product
    trapezoidal rule on graded steps, of which every time of the data is one. Between the points of the box fields are
    interpolated by cubics. Derivatives are exact tangents of the numerical solution, or differences with errors of some 1e-8 (without
    steps) and 1e-6 (exponents, and coefficients inside of ``div(k grad(u))``).

    Parameters
    ----------
    equation : str
        Text with its start, or the name of one of the :func:`hpfracc.pde.equations`, see :func:`hpfracc.pde.solve`.
    box : Box or sequence of (low, high, n)
        Axes with their numbers of points, or a :class:`hpfracc.pde.Box`.
    boundary : str, Boundary, sequence or mapping
        Conditions on the faces, see :func:`hpfracc.pde.solve`. Values may depend on `constants`, not on parameters that are
        fitted.
    points : {"cells", "fourth", "legendre"}
        Points of the axes.
    observed : str or sequence of str, optional
        Fields that are the responses; by default all.
    constants : sequence of str, optional
        Parameters of the text that are numbers, and not fitted.
    search : sequence of str, optional
        Orders, exponents and factors of a Laplacian whose starts a fit searches.
    steps : int, optional
        Least number of time steps, 200 by default.
    folder : path, optional
        Folder of the files that the text names.

    Raises
    ------
    EquationError
        For a text that is no equation.
    InputError
        For arguments that do not fit, with name and value.

    Examples
    --------
    Two sensors of a rod; the truth is alpha = 0.7, kappa = 0.1.

    >>> import hpfracc
    >>> rod = hpfracc.FieldModel(
    ...     "D^alpha u = kappa lap(u); alpha = 0.9; kappa = 0.2; u(0) = sin(pi x)", box=[(0, 1, 50)], boundary="dirichlet"
    ... )
    >>> t = [0.1, 0.3, 0.6, 1.0, 0.1, 0.3, 0.6, 1.0]
    >>> x = [0.5, 0.5, 0.5, 0.5, 0.2, 0.2, 0.2, 0.2]
    >>> u = [0.811, 0.649, 0.512, 0.404, 0.477, 0.381, 0.301, 0.237]
    >>> found = hpfracc.fit(rod, (t, x), u)
    >>> print(f"{found['alpha'].value:.2f}, {found['kappa'].value:.2f}")
    0.70, 0.10
    """

    def __init__(
        self,
        equation: str,
        *,
        box: Box | Sequence[Sequence[float]] | Sequence[float],
        boundary: Conditions | None = None,
        points: Points | None = None,
        observed: str | Sequence[str] | None = None,
        constants: str | Sequence[str] = (),
        search: str | Sequence[str] = (),
        steps: int | None = None,
        folder: str | os.PathLike[str] = "",
    ) -> None:
        self.box = box_of(box, boundary, points)
        self.equation = equation
        self._options: dict[str, Any] = {
            "observed": None if observed is None else _names("observed", observed),
            "constants": _names("constants", constants),
            "search": _names("search", search),
            "steps": steps,
            "folder": os.fspath(folder),
        }
        if steps is not None and (isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or steps < 1):
            raise InputError(f"steps is {steps!r}, expected a whole number of at least 1")
        core = _equation(equation, self.box.ndim, None, self._options["folder"])
        self._model = _hpfracc.FitModel.of_fields(
            equation,
            core,
            self.box._core,
            list(_face_values(self.box, core.fields())),
            self._options["observed"],
            self._options["constants"],
            self._options["search"],
            None if steps is None else int(steps),
        )

    @property
    def parameters(self) -> dict[str, tuple[float | None, float, float]]:
        """Start, lower and upper bound of each parameter; a start is None where a fit searches for it."""
        return {name: (start, low, high) for name, start, low, high in self._model.parameters}

    def inputs(self, times: npt.ArrayLike) -> tuple[npt.NDArray[np.float64], ...]:
        """Times and coordinates of whole fields.

        Parameters
        ----------
        times : array_like, shape (n,)
            Times of the fields.

        Returns
        -------
        tuple of ndarray
            A column of times and one for each axis, in the order of an array of the shape ``(n, *box.shape)``, whose values
            ``fields.ravel()`` are the response.
        """
        at = np.asarray(times, dtype=float)
        if at.ndim != 1:
            raise InputError(f"times has the shape {at.shape}, expected one axis")
        mesh = [np.tile(axis.ravel(), len(at)) for axis in self.box.mesh()]
        return (np.repeat(at, int(np.prod(self.box.shape))), *mesh)

    def __repr__(self) -> str:
        return f"FieldModel({self.equation!r}, box={self.box!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.equation, {"box": self.box, **self._options})


def _again(equation: str, options: Mapping[str, Any]) -> FieldModel:
    return FieldModel(equation, **options)


def _names(argument: str, given: Any) -> list[str]:
    names = [given] if isinstance(given, str) else list(given)
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"{argument} is {given!r}, expected names")
    return names
