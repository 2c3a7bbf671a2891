"""Time- and space-fractional partial differential equations on boxes and graphs, from texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from ._box import (
    NAMES,
    Boundary,
    Box,
    Conditions,
    FieldLike,
    Points,
    box_of,
    dirichlet,
    exponent_of,
    field_values,
    intervals_of,
    named,
    neumann,
    robin,
)
from ._ode_method import count_of
from .equation import _floats, _number
from .errors import InputError
from .field_solution import FieldGradient, FieldRecipe, FieldSolution
from .ode import _reports
from .spatial import SpatialOperator

__all__ = [
    "Boundary",
    "Box",
    "FieldEntry",
    "FieldGradient",
    "FieldSolution",
    "PoissonSolution",
    "dirichlet",
    "equations",
    "neumann",
    "poisson",
    "robin",
    "solve",
]

Method = Literal["without-steps", "product-trapezoid", "l1", "implicit-explicit"]
Memory = Literal["exponentials", "single-exponentials", "exact"]

#: Relative tolerance of adaptive steps, by default.
_RTOL = 1e-6


@dataclass(frozen=True, slots=True)
class FieldEntry:
    """Ready equation of fields.

    Attributes
    ----------
    name, title : str
        Name, and what the equation describes.
    text : str
        Equations and parameters, without a start.
    starts : (str, str)
        Starts in one dimension, and in more.
    dimensions : int
        Largest number of dimensions.
    """

    name: str
    title: str
    text: str
    starts: tuple[str, str]
    dimensions: int


def equations() -> dict[str, FieldEntry]:
    """Ready equations of fields by name, which :func:`solve` takes.

    Returns
    -------
    dict

    Examples
    --------
    >>> from hpfracc import pde
    >>> entry = pde.equations()["fisher-kpp"]
    >>> print(entry.title)
    Front of a growing population with memory
    """
    entries = {}
    for name, title, text, line, plane, dimensions in _hpfracc.field_catalogue():
        entries[name] = FieldEntry(name, title, text, (line, plane), dimensions)
    return entries


def solve(
    equation: str,
    *,
    box: Box | Sequence[Sequence[float]] | Sequence[float] | None = None,
    boundary: Conditions | None = None,
    points: Points | None = None,
    operator: SpatialOperator | None = None,
    start: FieldLike | Mapping[str, FieldLike] | None = None,
    velocity: FieldLike | Mapping[str, FieldLike] | None = None,
    alpha: float | Sequence[float] | None = None,
    parameters: Mapping[str, float] | None = None,
    until: float | None = None,
    save: int | npt.ArrayLike | None = None,
    method: Method | None = None,
    steps: int | npt.ArrayLike | None = None,
    grading: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    min_step: float | None = None,
    max_step: float | None = None,
    tolerance: float | None = None,
    memory: Memory = "exponentials",
    memory_tolerance: float = 1e-10,
    folder: str | os.PathLike[str] = "",
    progress: bool | Callable[[float, int], object] = False,
) -> FieldSolution:
    r"""Solves a partial differential equation of one or several fields, with Caputo derivatives in time.

    .. math:: D^{\alpha_k} u_k = f_k(t, x, u, \Delta u, (-\Delta)^s u, \nabla u, \ldots), \qquad 0 < \alpha_k < 2

    Parameters
    ----------
    equation : str
        A text, or the name of one of the :func:`equations`. Operators of any expression: ``lap(u)``, ``(-lap)^s(u)``,
        ``lap^s(u)`` (which is ``-(-lap)^s(u)``), ``div(k grad(u))``, ``div([f, g])``, ``grad(u)`` in one dimension,
        ``grad_x(u)``, ``grad_y(u)``, ``grad_z(u)``. Powers are those of the spectral definition. Coordinates are ``x``,
        ``y`` and ``z``. Several orders in time: ``D u + 2 D^0.4 u = ...``, variable ones: ``D^(0.6 + 0.2 t) u = ...``,
        distributed ones: ``int(2 a D^a u, a in [0.2, 1]) = ...``. Events end the solution:
        ``when max(u) = 2 rising: stop``. Further quantities: ``show mass = integral(u)``.
    box : Box or sequence of (low, high, n)
        Axes with their numbers of points, or a :class:`Box`, which has its conditions.
    boundary : str, Boundary, sequence or mapping
        Condition on all faces, or of each axis: ``"periodic"``, ``"dirichlet"``, ``"neumann"``, :func:`dirichlet`,
        :func:`neumann`, :func:`robin`, or pairs of them, see :class:`Box`. Values may be expressions of t, the
        coordinates and the parameters.
    points : {"cells", "fourth", "legendre"}
        Points of the axes, which say the order of accuracy in space: 2, 4 inside, or spectral.
    operator : SpatialOperator
        In place of a box: an operator A that stands for -lap, such as the Laplacian of a graph; the text has no
        coordinates.
    start, velocity : str, array_like, callable or mapping, optional
        u(0), and du/dt(0) of orders above 1: an expression of the coordinates, an array of the shape of the box, a
        number, or a function that gets an array of each coordinate. Several fields: a mapping by name, or an array with
        the fields first. By default those of the text or the ready equation.
    alpha : float or sequence, optional
        Orders in time, one for all fields or one for each; sets the parameter ``alpha`` if there is one.
    parameters : mapping, optional
        Values of parameters by name.
    until : float, optional
        End of the time; by default that of the text.
    save : int or array_like, optional
        Times of the result, increasing from 0 to `until`, or the number of equally spaced ones. Default: 101 in one
        dimension, else 6.
    method : str, optional
        ``"without-steps"``: values at the times of the result by Mittag-Leffler functions of the modes, or by a contour
        integral with some 12 to 24 linear solves; for linear equations with constant coefficients, sources that do not
        depend on time and boundary values 0. ``"product-trapezoid"``: order 2 on graded steps, with Newton's iteration.
        ``"l1"``: order 2 - alpha, for orders up to 1. ``"implicit-explicit"``: order 2, one linear equation a step; with
        several or variable orders 2 - alpha. Default: without steps where it can be and no steps are set, else the
        product trapezoidal rule, and ``"l1"`` for several, distributed and variable orders.
    steps : int or array_like, optional
        Number of graded steps, 200 by default, or their nodes from 0 to `until`.
    grading : float, optional
        Exponent r of the nodes ``until (j/n)**r``; by default one that suits the smallest order.
    rtol, atol, min_step, max_step : float, optional
        Adaptive steps of the product trapezoidal rule: relative tolerance (1e-6 by default), absolute tolerance (`rtol`
        by default), shortest and longest step.
    tolerance : float, optional
        Error of a solution without steps relative to the norms of the data; by default 1e-12 on boxes with one order
        for each field, else 1e-10.
    memory : {"exponentials", "single-exponentials", "exact"}
        Sum over the past: sums of exponentials of constant cost a step, the same in single precision with half the
        memory, or exact.
    memory_tolerance : float
        Relative error of the sums of exponentials.
    folder : path, optional
        Folder of the files that the text names.
    progress : bool or callable
        True for a bar (package ``tqdm``), or a function of time and number of steps.

    Returns
    -------
    FieldSolution

    Raises
    ------
    EquationError
        For a text that is no equation.
    InputError
        For arguments that do not fit, with name and value.
    SolverError
        For an iteration that does not converge, and values that are not finite, with time and point.
    MemoryLimitError
        If the fields do not fit into memory.

    Notes
    -----
    The linear diffusion of each field is the implicit side; all else is a term of the implicit steps with its exact
    Jacobian. Fluxes between cells conserve the integral.

    Examples
    --------
    A sine decays like a Mittag-Leffler function, without steps:

    >>> import numpy as np
    >>> from hpfracc import mittag_leffler, pde
    >>> sol = pde.solve(
    ...     "D^0.6 u = 0.1 lap(u)", box=[(0, 1, 400)], boundary="dirichlet", start="sin(pi x)", until=2, save=[1, 2]
    ... )
    >>> sol.u.shape, sol.method
    ((2, 400), 'without-steps')
    >>> exact = mittag_leffler(-0.1 * np.pi**2 * 2**0.6, 0.6) * np.sin(np.pi * sol.x)
    >>> bool(np.abs(sol.u[-1] - exact).max() < 1e-5)
    True

    Phases that separate, in steps:

    >>> sol = pde.solve(
    ...     "D^0.6 u = 0.001 lap(u) + u - u^3", box=[(0, 1, 64), (0, 1, 64)], boundary="neumann",
    ...     start=lambda x, y: 0.1 * np.cos(9 * x) * np.cos(7 * y), until=5, steps=100, save=3,
    ... )
    >>> sol.u.shape, sol.names, sol.statistics.steps
    ((3, 64, 64), ('u',), 100)
    """
    grid, ndim = _place(box, boundary, points, operator)
    core = _equation(equation, ndim, start, os.fspath(folder))
    core = _with_parameters(core, parameters)
    core = _with_orders(core, alpha)
    fields, values = core.fields(), dict(core.parameters())
    shape = grid.shape if grid is not None else operator.shape if operator is not None else ()
    axes = grid.axes if grid is not None else tuple(np.arange(float(n)) for n in shape)
    interval = core.interval()
    if until is None and interval is None:
        raise InputError("until is missing: give until, or `t in [0, ...]` in the text")
    end = _number("until", until) if until is not None else interval[1] if interval is not None else 0.0
    if not 0.0 < end < float("inf"):
        raise InputError(f"until is {end!r}, expected a positive number")
    if until is None and interval is not None and interval[0] != 0.0:
        raise InputError(f"the interval of the text starts at {interval[0]:g}, expected 0")
    settings = {
        "method": None if method is None else str(method),
        "until": end,
        "save": _times(save, end, ndim),
        **_steps(steps, grading, {"rtol": rtol, "atol": atol, "min_step": min_step, "max_step": max_step}),
        "tolerance": None if tolerance is None else _number("tolerance", tolerance),
        "memory": str(memory),
        "memory_tolerance": _number("memory_tolerance", memory_tolerance),
    }
    initial = _initial("start", start, fields, axes, values, grid is not None)
    slope = _initial("velocity", velocity, fields, axes, values, grid is not None)
    faces = list(_face_values(grid, fields))
    place = (None if grid is None else grid._core, None if operator is None else operator._core)
    with _reports(progress, (0.0, end)) as report:
        t, u, shown, statistics, used = _hpfracc.solve_fields(core, *place, faces, initial, slope, settings, report)
    held = _names_in([*_texts(start), *_texts(velocity), *(value for *_, value in faces)], ndim)
    return FieldSolution(
        t, u.reshape(len(t), *((len(fields),) if len(fields) > 1 else ()), *shape), names=tuple(fields), box=grid,
        method=used, statistics=statistics, equation=equation, parameters=values, orders=np.array(core.orders()),
        shown={name: rows.reshape(len(t), *shape) for name, rows in shown},
        recipe=FieldRecipe((core, place[0], place[1], faces, initial, slope), settings, held),
    )


def _texts(given: Any) -> list[Any]:
    """The value, or those of a mapping."""
    return list(given.values()) if isinstance(given, Mapping) else [given]


def _names_in(values: Sequence[Any], ndim: int) -> list[str]:
    """Names of the parameters in expressions of arguments."""
    columns = ["t", *NAMES[:ndim]]
    texts = [value for value in values if isinstance(value, str)]
    return sorted({name for text in texts for name in _hpfracc.expression_parameters("expression", text, columns)})


def _place(box: Any, boundary: Any, points: Any, operator: Any) -> tuple[Box | None, int]:
    """The box, or None for an operator, and the number of coordinates."""
    if operator is None:
        if box is None:
            raise InputError("box is missing: a list of (low, high, n), or give operator")
        grid = box_of(box, boundary, points)
        return grid, grid.ndim
    if not isinstance(operator, SpatialOperator):
        raise InputError(f"operator is {type(operator).__name__}, expected an operator of hpfracc.spatial")
    for name, value in (("box", box), ("boundary", boundary), ("points", points)):
        if value is not None:
            raise InputError(f"{name} and operator: give one of them")
    return None, 0


def _equation(equation: Any, ndim: int, start: Any, folder: str) -> _hpfracc.FieldEquationCore:
    if not isinstance(equation, str):
        raise InputError(f"equation is {type(equation).__name__}, expected str")
    if "=" in equation:
        return _hpfracc.FieldEquationCore.parse(equation, ndim, folder)
    entry = equations().get(equation)
    if entry is None:
        near = _hpfracc.nearest_field_equation(equation)
        hint = f"did you mean {near!r}?" if near else "hpfracc.pde.equations() has all names"
        raise InputError(f"there is no ready equation {equation!r}; {hint}")
    if not 1 <= ndim <= entry.dimensions:
        raise InputError(f"{equation} has no form in {ndim} dimensions, expected 1 to {entry.dimensions}")
    text = entry.text if start is not None else f"{entry.text}; {entry.starts[ndim > 1]}"
    return _hpfracc.FieldEquationCore.parse(text, ndim, folder)


def _with_parameters(core: _hpfracc.FieldEquationCore, given: Mapping[str, float] | None) -> _hpfracc.FieldEquationCore:
    known = [name for name, _ in core.parameters()]
    for name, value in (given or {}).items():
        if name not in known:
            raise InputError(f"the equation has no parameter {name!r}; its parameters are {', '.join(known) or 'none'}")
        core = core.with_value(name, _number(f"the parameter {name}", value))
    return core


def _with_orders(core: _hpfracc.FieldEquationCore, alpha: Any) -> _hpfracc.FieldEquationCore:
    if alpha is None:
        return core
    orders = _floats("alpha", alpha)
    if orders.ndim == 0 and any(name == "alpha" for name, _ in core.parameters()):
        return core.with_value("alpha", float(orders))
    if orders.size not in (1, len(core.fields())) or orders.ndim > 1:
        count = len(core.fields())
        raise InputError(f"alpha has the shape {orders.shape}, expected a number for each of {count} fields")
    return core.with_orders(orders.ravel().tolist())


def _times(save: Any, until: float, ndim: int) -> list[float]:
    if save is None:
        save = 101 if ndim <= 1 else 6
    if np.ndim(save) == 0:
        return np.linspace(0.0, until, count_of("save", save, 2)).tolist()
    times = _floats("save", save)
    if times.ndim != 1 or len(times) == 0:
        raise InputError(f"save has the shape {times.shape}, expected a number or a list of times")
    wrong = ~((times >= 0.0) & (times <= until))
    if wrong.any():
        raise InputError(f"save has the time {float(times[wrong][0])!r}, outside of [0, {until:g}]")
    (falling,) = np.nonzero(np.diff(times) <= 0.0)
    if len(falling):
        first, second = times[falling[0]], times[falling[0] + 1]
        raise InputError(f"save has the times {first:g}, {second:g}, expected increasing ones")
    return times.tolist()


def _steps(steps: Any, grading: Any, limits: Mapping[str, Any]) -> dict[str, Any]:
    limited = [name for name, value in limits.items() if value is not None]
    for name, value in (("steps", steps), ("grading", grading)):
        if value is not None and limited:
            raise InputError(f"{name} and {limited[0]}: fixed steps have no {limited[0]}")
    count, nodes, adaptive = None, None, None
    if limited:
        rtol = _RTOL if limits["rtol"] is None else _number("rtol", limits["rtol"])
        defaults = {"rtol": rtol, "atol": rtol, "min_step": 0.0, "max_step": float("inf")}
        numbers = {n: defaults[n] if v is None else _number(n, v) for n, v in limits.items()}
        adaptive = (rtol, numbers["atol"], numbers["min_step"], numbers["max_step"])
    elif steps is not None and np.ndim(steps) == 0:
        count = count_of("steps", steps)
    elif steps is not None:
        array = _floats("steps", steps)
        if array.ndim != 1:
            raise InputError(f"steps has the shape {array.shape}, expected a number or a list of nodes")
        if grading is not None:
            raise InputError("grading and nodes: the nodes are given")
        nodes = array.tolist()
    return {
        "steps": count,
        "nodes": nodes,
        "grading": None if grading is None else _number("grading", grading),
        "adaptive": adaptive,
    }


def _initial(
    place: str,
    given: Any,
    fields: Sequence[str],
    axes: Sequence[npt.NDArray[np.float64]],
    parameters: Mapping[str, float],
    has_coordinates: bool,
) -> list[npt.NDArray[np.float64] | None]:
    """Values of each field, or None for those of the text."""
    shape = tuple(len(axis) for axis in axes)
    rows: list[npt.NDArray[np.float64] | None] = [None] * len(fields)
    if given is None:
        return rows
    if isinstance(given, Mapping):
        each = {fields[k]: value for k, value in named(given, fields, place)}
    elif len(fields) == 1:
        each = {fields[0]: given}
    else:
        array = None if isinstance(given, str) or callable(given) else _floats(place, given)
        if array is None or array.shape != (len(fields), *shape):
            found = "a text or a function" if array is None else f"an array of the shape {array.shape}"
            raise InputError(
                f"{place} is {found}, expected a mapping of the fields {', '.join(fields)}, or an array of the shape "
                f"{(len(fields), *shape)}"
            )
        each = dict(zip(fields, array))
    for name, value in each.items():
        if not has_coordinates and (isinstance(value, str) or callable(value)):
            raise InputError(f"{place} of {name} is a text or a function, and an operator has no coordinates")
        rows[list(fields).index(name)] = field_values(f"{place} of {name}", value, axes, parameters).ravel()
    return rows


def _face_values(grid: Box | None, fields: Sequence[str]) -> Iterator[tuple[int, int, bool, float | str]]:
    """Field, axis, whether it is the upper end, and value, of boundary values other than 0."""
    for axis, pair in enumerate(grid.conditions if grid is not None else ()):
        for upper, end in enumerate(pair):
            place = f"boundary value at the {('lower', 'upper')[upper]} end of {NAMES[axis]}"
            each = named(end.value, fields, place) if isinstance(end.value, Mapping) else (
                (k, end.value) for k in range(len(fields))
            )
            for field, value in each:
                number = value if isinstance(value, str) else _number(place, value)
                if isinstance(number, float) and not np.isfinite(number):
                    raise InputError(f"{place} is {number!r}, expected a finite number")
                if number != 0.0:
                    yield field, axis, bool(upper), number


@dataclass(frozen=True, slots=True)
class PoissonSolution:
    """Solution of :func:`poisson`.

    Attributes
    ----------
    u : ndarray
        Values on the box; NaN outside of the domain.
    axes : tuple of ndarray
        Coordinates along each axis.
    definition : str
        ``"spectral"`` or ``"integral"``.
    power : float
        Exponent s.
    iterations : int
        Iterations of the linear solver; 0 without one.
    residual : float
        Its residual relative to f.
    """

    u: npt.NDArray[np.float64]
    axes: tuple[npt.NDArray[np.float64], ...]
    definition: str
    power: float
    iterations: int = 0
    residual: float = 0.0

    @property
    def x(self) -> npt.NDArray[np.float64]:
        """Coordinates along the first axis."""
        return self.axes[0]

    def __repr__(self) -> str:
        points = " x ".join(str(len(axis)) for axis in self.axes)
        solver = f", {self.iterations} iterations" if self.iterations else ""
        return f"PoissonSolution((-lap)^{self.power:g} u = f, {self.definition}, {points} points{solver})"


def poisson(
    f: FieldLike,
    *,
    power: float,
    definition: Literal["spectral", "integral"],
    box: Box | Sequence[Sequence[float]] | Sequence[float],
    boundary: Conditions | None = None,
    points: Points | None = None,
    domain: str | npt.ArrayLike | Callable[..., npt.ArrayLike] | None = None,
) -> PoissonSolution:
    r"""Solves the fractional Poisson equation :math:`(-\Delta)^s u = f`.

    The definitions differ by O(1): on (-1, 1), for s = 1/2 and f = 1, u(0) is 0.742 with the spectral one and 1 with
    the integral one.

    Parameters
    ----------
    f : str, array_like or callable
        Right-hand side: an expression of the coordinates, a number, an array of the shape of the box, or a function
        that gets an array of each coordinate.
    power : float
        Exponent s: positive, and below 1 with the integral definition.
    definition : {"spectral", "integral"}
        Power of the Laplacian of the box with its boundary conditions; or the operator of stable processes, with u = 0
        outside of the box or the domain.
    box : Box or sequence of (low, high, n)
        Axes. The points of the spectral definition are those of :class:`Box`; those of the integral one are the nodes
        ``low + (j + 1)(high - low)/(n + 1)``.
    boundary, points
        Of the spectral definition, as for :func:`solve`.
    domain : str, array_like of bool or callable, optional
        Of the integral definition: nodes that belong to the domain, by a comparison such as ``"x^2 + y^2 < 1"``; by
        default the whole box.

    Returns
    -------
    PoissonSolution

    Raises
    ------
    InputError
        For arguments that do not fit; for Neumann or periodic boundaries on all faces and an f whose mean is not 0.
    SolverError
        If the linear solver does not converge.

    Notes
    -----
    Orders of accuracy of the integral definition for smooth f: 1 + s on intervals; s in the maximum norm and 1 inside
    on other domains, whose boundary is a staircase.

    Examples
    --------
    >>> from hpfracc import pde
    >>> disk = pde.poisson(
    ...     1, power=0.5, definition="integral", box=[(-1, 1, 63), (-1, 1, 63)], domain="x^2 + y^2 < 1"
    ... )
    >>> abs(float(disk.u[31, 31]) - 0.6366) < 0.02  # 2/pi
    True
    """
    s = _number("power", power)
    if definition == "spectral":
        if domain is not None:
            raise InputError("domain and definition=\"spectral\", which is that of the whole box: take \"integral\"")
        grid = box_of(box, boundary, points)
        if any(end.value != 0.0 for pair in grid.conditions for end in pair):
            raise InputError("boundary has a value other than 0, which a power of the Laplacian does not take")
        values = field_values("f", f, grid.axes)
        return PoissonSolution(_hpfracc.poisson_spectral(grid._core, s, values.ravel()), grid.axes, definition, s)
    if definition != "integral":
        raise InputError(f"definition is {definition!r}, expected \"spectral\" or \"integral\"")
    for name, value in (("boundary", boundary), ("points", points)):
        if value is not None:
            raise InputError(f"{name} and definition=\"integral\", which has u = 0 outside and no boundary condition")
    if isinstance(box, Box):
        raise InputError("box is a Box, which has boundary conditions; expected a list of (low, high, n)")
    intervals, s = intervals_of(box), exponent_of("power", power)
    axes = tuple(low + (high - low) * (np.arange(1, n + 1) / (n + 1)) for low, high, n in intervals)
    values = field_values("f", f, axes)
    inside = None
    if domain is not None:
        inside = field_values("domain", f"({domain})" if isinstance(domain, str) else domain, axes) != 0.0
        # Values outside of the domain are not used.
        values = np.where(inside, values, 0.0)
    u, iterations, residual = _hpfracc.poisson_integral(
        intervals, s, values.ravel(), None if inside is None else inside.ravel()
    )
    return PoissonSolution(u, axes, definition, s, iterations, residual)
