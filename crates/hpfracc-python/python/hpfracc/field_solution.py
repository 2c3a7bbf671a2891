"""Solutions of partial differential equations: fields at times, integrals, energies, pictures."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from ._box import Box
from ._display import axes as axes_of
from .equation import _floats
from .errors import InputError
from .solution import Statistics

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FieldGradient", "FieldSolution"]

#: Ready equations whose energy decays.
_PHASE_FIELDS = ("allen-cahn", "cahn-hilliard")


@dataclass(frozen=True, slots=True)
class FieldGradient:
    """Gradient of a loss, by :meth:`FieldSolution.gradient`.

    Attributes
    ----------
    parameters : dict
        Derivatives with respect to the parameters of the text by name, wherever they occur in it: coefficients, terms,
        orders and starts. Left out are parameters of exponents of the Laplacian and of media ``div(k grad(u))``, and
        those in expressions of the arguments `start`, `velocity` and `boundary`.
    start : ndarray
        Derivatives with respect to the values of u(0), an array of the shape of a field, or (fields, *box).
    orders : ndarray
        Derivatives with respect to the order in time of each field; one number if all orders are equal.
    """

    parameters: dict[str, float]
    start: npt.NDArray[np.float64]
    orders: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FieldRecipe:
    """How a solution was made, from which gradients are computed."""

    #: Equation, box, operator, boundary values, start and velocity.
    problem: tuple[
        _hpfracc.FieldEquationCore,
        _hpfracc.BoxCore | None,
        _hpfracc.OperatorCore | None,
        list[tuple[int, int, bool, float | str]],
        list[npt.NDArray[np.float64] | None],
        list[npt.NDArray[np.float64] | None],
    ]
    settings: dict[str, Any]
    held: list[str]


class FieldSolution:
    """Solution of :func:`hpfracc.pde.solve`.

    Attributes
    ----------
    t : ndarray, shape (times,)
        Times.
    u : ndarray, shape (times, *box), or (times, fields, *box) for several fields
        Values of the fields at these times.
    names : tuple of str
        Names of the fields.
    box : Box or None
        The box; None for an equation with an operator.
    method : str
        ``"without-steps"``, ``"product-trapezoid"``, ``"l1"`` or ``"implicit-explicit"``.
    statistics : Statistics or None
        Work of the steps; None without steps.
    equation : str
        Text, or name of the ready equation.
    parameters : dict
        Values of the parameters by name.
    orders : ndarray
        Order in time of each field: the highest of several, a variable order at t = 0.
    shown : dict of ndarray, each of shape (times, *box)
        Quantities that the text shows, by name; one of a whole field, such as ``integral(u)``, is the same at all points.

    Notes
    -----
    A solution can be pickled; it has no gradient afterwards.

    Examples
    --------
    >>> import hpfracc
    >>> sol = hpfracc.pde.solve("gray-scott", box=[(0, 1, 40)], boundary="periodic", until=10, steps=50, save=[5, 10])
    >>> sol.u.shape, sol.names
    ((2, 2, 40), ('u', 'v'))
    >>> sol["v"].shape, sol.x.shape, sol.integral["v"].shape
    ((2, 40), (40,), (2,))
    """

    t: npt.NDArray[np.float64]
    u: npt.NDArray[np.float64]
    names: tuple[str, ...]
    box: Box | None
    method: str
    statistics: Statistics | None
    equation: str
    parameters: dict[str, float]
    orders: npt.NDArray[np.float64]
    shown: dict[str, npt.NDArray[np.float64]]

    def __init__(
        self,
        t: npt.NDArray[np.float64],
        u: npt.NDArray[np.float64],
        *,
        names: tuple[str, ...],
        box: Box | None,
        method: str,
        statistics: Mapping[str, Any] | None,
        equation: str,
        parameters: dict[str, float],
        orders: npt.NDArray[np.float64],
        shown: dict[str, npt.NDArray[np.float64]],
        recipe: FieldRecipe | None = None,
    ) -> None:
        self._recipe = recipe
        self.t, self.u, self.names, self.box, self.method = t, u, names, box, method
        self.statistics = None if statistics is None else Statistics(**statistics)
        self.equation, self.parameters, self.orders, self.shown = equation, parameters, orders, shown

    # Access.

    def _box(self, what: str) -> Box:
        if self.box is None:
            raise InputError(f"{what} of a solution with an operator, which has no coordinates")
        return self.box

    @property
    def axes(self) -> tuple[npt.NDArray[np.float64], ...]:
        """Coordinates of the points along each axis."""
        return self._box("axes").axes

    def _axis(self, index: int) -> npt.NDArray[np.float64]:
        box = self._box("xyz"[index])
        if index >= box.ndim:
            raise InputError(f"the box has the axes {', '.join(box.names)}, and not {'xyz'[index]}")
        return box.axes[index]

    @property
    def x(self) -> npt.NDArray[np.float64]:
        """Coordinates along the first axis."""
        return self._axis(0)

    @property
    def y(self) -> npt.NDArray[np.float64]:
        """Coordinates along the second axis."""
        return self._axis(1)

    @property
    def z(self) -> npt.NDArray[np.float64]:
        """Coordinates along the third axis."""
        return self._axis(2)

    def __getitem__(self, name: str) -> npt.NDArray[np.float64]:
        """Field of this name, shape (times, *box)."""
        if name not in self.names:
            raise InputError(f"the solution has no field {name!r}; it has {', '.join(self.names)}")
        if len(self.names) == 1:
            return self.u
        field: npt.NDArray[np.float64] = self.u[:, self.names.index(name)]
        return field

    def __len__(self) -> int:
        return len(self.t)

    # Quantities.

    @property
    def integral(self) -> dict[str, npt.NDArray[np.float64]]:
        """Integral of each field over the box at the times ``t``, by name."""
        box = self._box("integral")
        return {name: box.integral(self[name]) for name in self.names}

    @property
    def energy(self) -> npt.NDArray[np.float64]:
        r"""Energy :math:`\int \varepsilon^2 |\nabla u|^2/2 + (1 - u^2)^2/4` at the times ``t``.

        Of the ready equations ``"allen-cahn"`` and ``"cahn-hilliard"``; at any time it is at most that of the start.
        """
        if self.equation not in _PHASE_FIELDS:
            known = " and ".join(f'"{name}"' for name in _PHASE_FIELDS)
            raise InputError(f"energy is that of the ready equations {known}, and this is {self.equation!r}")
        return _hpfracc.field_energy(self._box("energy")._core, self.parameters["epsilon"], self.u)

    def gradient(
        self, cotangents: npt.ArrayLike, *, progress: Callable[[float, int], object] | None = None
    ) -> FieldGradient:
        """Gradient of a loss of the fields at the times ``t``, by the exact discrete adjoint.

        Parameters
        ----------
        cotangents : array_like
            Derivatives of the loss with respect to ``u``, whose shape they have. All times have to be nodes of the
            steps: give `steps` as nodes, or save the end alone.
        progress : callable, optional
            Called now and then with time and number of steps.

        Returns
        -------
        FieldGradient

        Raises
        ------
        InputError
            For solutions without steps, by ``"implicit-explicit"`` or with adaptive steps, for times that are no nodes,
            and after a pickle.

        Notes
        -----
        The derivatives are those of the numerical solution on its nodes, with the exact sum over the past. Those of coefficients,
        orders and starts with respect to the parameters of the text are differences, with relative errors of some 1e-9.
        Cost: two to four solves; memory for the fields at all nodes.

        Examples
        --------
        >>> import numpy as np
        >>> from hpfracc import pde
        >>> sol = pde.solve(
        ...     "D^alpha u = k lap(u); alpha = 0.6; k = 0.1", box=[(0, 1, 50)], boundary="dirichlet", start="sin(pi x)",
        ...     until=1, save=[1], steps=100,
        ... )
        >>> bars = np.full_like(sol.u, 1 / 50)  # the mean at t = 1
        >>> gradient = sol.gradient(bars)
        >>> round(gradient.parameters["k"], 3), gradient.start.shape
        (-1.819, (50,))
        """
        if self._recipe is None:
            raise InputError("the gradient of a solution that was pickled, which has its numbers only")
        bars = _floats("cotangents", cotangents)
        if bars.shape != self.u.shape:
            raise InputError(f"cotangents have the shape {bars.shape}, expected that of u, {self.u.shape}")
        recipe = self._recipe
        if recipe.settings["adaptive"] is not None:
            raise InputError("the gradient of a solution with adaptive steps: give a number of steps or nodes")
        rows = bars.reshape(len(self.t), -1)
        settings = {**recipe.settings, "method": self.method}
        parameters, start, orders = _hpfracc.field_gradient(*recipe.problem, settings, recipe.held, rows, progress)
        return FieldGradient(dict(parameters), start.reshape(self.u.shape[1:]), np.array(orders))

    # Output.

    def plot(
        self, ax: Axes | None = None, *, field: str | None = None, time: float | None = None, **kwargs: Any
    ) -> Axes:
        """Draws a field: in one dimension profiles, or time over space if there are many times; in two a map.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes; those of a new figure by default.
        field : str, optional
            Name of the field; the first by default.
        time : float, optional
            Time of a map or a profile, the nearest of ``t``; by default the last, or all in one dimension.
        **kwargs
            Further arguments of ``Axes.plot`` or ``Axes.pcolormesh``.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ImportError
            Without matplotlib.
        InputError
            For three dimensions, and for a solution with an operator.
        """
        box, u = self._box("plot"), self[self.names[0] if field is None else field]
        if box.ndim > 2:
            raise InputError("plot draws fields in one or two dimensions; draw a slice: ax.pcolormesh(sol.u[-1, :, :, k])")
        ax = axes_of(ax)
        nearest = len(self.t) - 1 if time is None else int(np.argmin(np.abs(self.t - time)))
        if box.ndim == 2:
            ax.pcolormesh(box.axes[0], box.axes[1], u[nearest].T, **{"shading": "nearest", **kwargs})
            ax.set_ylabel("y")
            ax.set_title(f"t = {self.t[nearest]:.4g}")
        elif time is None and len(self.t) > 12:
            ax.pcolormesh(box.axes[0], self.t, u, **{"shading": "nearest", **kwargs})
            ax.set_ylabel("t")
        else:
            for k in range(len(self.t)) if time is None else [nearest]:
                ax.plot(box.axes[0], u[k], **{"label": f"t = {self.t[k]:.4g}", **kwargs})
            ax.set_ylabel(self.names[0] if field is None else field)
            ax.legend()
        ax.set_xlabel("x")
        return ax

    def _facts(self) -> dict[str, str]:
        text = " ".join(self.equation.split())
        facts = {
            "equation": text if len(text) <= 80 else f"{text[:77]}...",
            "fields": ", ".join(self.names),
            "points": " x ".join(map(str, self.u.shape[1 + (len(self.names) > 1) :])),
            "times": f"{len(self.t)}, from {self.t[0]:g} to {self.t[-1]:g}" if len(self.t) else "0",
            "method": self.method,
        }
        if self.statistics is not None:
            facts["steps"] = str(self.statistics.steps)
        return facts

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_recipe": None}

    def __repr__(self) -> str:
        lines = [f"  {name:<8}  {value}" for name, value in self._facts().items()]
        return "\n".join(["FieldSolution", *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in self._facts().items()
        )
        return f"<table>{rows}</table>"
