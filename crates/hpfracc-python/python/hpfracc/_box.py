"""Boxes: axes with points, and boundary conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from ._ode_method import count_of
from .equation import _floats, _number
from .errors import InputError

#: Names of the coordinates.
NAMES = ("x", "y", "z")

Points = Literal["cells", "fourth", "legendre"]


@dataclass(frozen=True, slots=True)
class Boundary:
    """Boundary condition on a face of a box, with n the outward normal.

    Made by :func:`dirichlet`, :func:`neumann` and :func:`robin`; the names ``"dirichlet"``, ``"neumann"`` and
    ``"periodic"`` stand for conditions with the value 0.

    Attributes
    ----------
    kind : str
        ``"dirichlet"``, u = g; ``"neumann"``, du/dn = g; ``"robin"``, du/dn + beta u = g; ``"periodic"``.
    value : float, str or mapping
        g: a number, an expression of t and the coordinates, or one of them for each field by name.
    beta : float
        Coefficient of a Robin condition, at least 0.
    """

    kind: str
    value: float | str | Mapping[str, float | str] = 0.0
    beta: float = 0.0


def dirichlet(value: float | str | Mapping[str, float | str] = 0.0) -> Boundary:
    """Boundary condition u = value.

    Parameters
    ----------
    value : float, str or mapping
        A number; for :func:`hpfracc.pde.solve` also an expression of t, the coordinates and the parameters, or one of
        them for each field by name.

    Returns
    -------
    Boundary

    Examples
    --------
    >>> from hpfracc import pde
    >>> pde.dirichlet("sin(t)")
    Boundary(kind='dirichlet', value='sin(t)', beta=0.0)
    """
    return Boundary("dirichlet", value)


def neumann(value: float | str | Mapping[str, float | str] = 0.0) -> Boundary:
    """Boundary condition du/dn = value, with the outward normal n; arguments as :func:`dirichlet`."""
    return Boundary("neumann", value)


def robin(beta: float, value: float | str | Mapping[str, float | str] = 0.0) -> Boundary:
    """Boundary condition du/dn + beta u = value, with beta at least 0; other arguments as :func:`dirichlet`."""
    return Boundary("robin", value, _number("beta", beta))


Condition = str | Boundary
Conditions = Condition | Sequence[Condition | Sequence[Condition]] | Mapping[str, Condition | Sequence[Condition]]


class Box:
    """Points of a box of one to three axes, x, y and z, with a boundary condition on each face.

    The points of an axis are the centres of n equal cells, ``low + (j + 1/2) h`` with ``h = (high - low)/n``; those of
    ``points="legendre"`` are Gauss-Lobatto-Legendre points. A field is an array of the shape of the box.

    Parameters
    ----------
    axes : sequence of (low, high, n)
        Ends and number of points of each axis; one tuple for a single axis.
    boundary : str, Boundary, sequence or mapping
        Condition on all faces: ``"periodic"``, ``"dirichlet"``, ``"neumann"``, :func:`dirichlet`, :func:`neumann` or
        :func:`robin`. Or a sequence with an entry for each axis, or a mapping by the names of the axes: a condition, or
        a pair for the lower and the upper end. On one axis the pair alone will do.
    points : str
        ``"cells"``, accuracy of order 2; ``"fourth"``, order 4 inside and at periodic ends; ``"legendre"``, exact for
        polynomials, for smooth fields on few points.

    Attributes
    ----------
    shape : tuple of int
        Number of points along each axis.
    axes : tuple of ndarray
        Coordinates of the points along each axis.
    conditions : tuple of (Boundary, Boundary)
        Conditions on the lower and the upper end of each axis.
    points : str
        Kind of the points.

    Raises
    ------
    InputError
        For bad ends, numbers or conditions.

    Examples
    --------
    >>> from hpfracc import spatial
    >>> box = spatial.Box([(0, 1, 4), (0, 2, 8)], ["periodic", ("dirichlet", spatial.robin(0.5))])
    >>> box
    Box([(0, 1, 4), (0, 2, 8)], boundary=['periodic', ('dirichlet', robin(0.5))])
    >>> box.axes[0]
    array([0.125, 0.375, 0.625, 0.875])
    >>> x, y = box.mesh()
    >>> float(box.integral(x * y))
    1.0
    """

    def __init__(
        self,
        axes: Sequence[Sequence[float]] | Sequence[float],
        boundary: Conditions = "dirichlet",
        points: Points = "cells",
    ) -> None:
        self._intervals = intervals_of(axes)
        self.conditions = _conditions(boundary, len(self._intervals))
        self.points = str(points)
        ends = [tuple((end.kind, end.beta) for end in pair) for pair in self.conditions]
        self._core = _hpfracc.BoxCore(self._intervals, ends, self.points)
        self.shape: tuple[int, ...] = tuple(self._core.shape())
        self.axes: tuple[npt.NDArray[np.float64], ...] = tuple(self._core.points())

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the axes."""
        return NAMES[: self.ndim]

    @cached_property
    def weights(self) -> npt.NDArray[np.float64]:
        """Weight of each point in integrals: the volume of its cell, an array of the shape of the box."""
        product = np.ones(())
        for weights in self._core.weights():
            product = np.multiply.outer(product, weights)
        return product

    def mesh(self) -> tuple[npt.NDArray[np.float64], ...]:
        """Coordinates of all points: an array of the shape of the box for each axis."""
        return tuple(np.meshgrid(*self.axes, indexing="ij"))

    def integral(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Integral of fields over the box.

        Parameters
        ----------
        u : array_like, shape (..., *shape)
            Fields; leading axes are a batch.

        Returns
        -------
        ndarray
            An integral for each field.
        """
        return self._core.integral(u)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Box):
            return NotImplemented
        mine = (self._intervals, self.conditions, self.points)
        return mine == (other._intervals, other.conditions, other.points)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        intervals = [f"({low:g}, {high:g}, {n})" for low, high, n in self._intervals]
        ends = [_shown(pair) for pair in self.conditions]
        boundary = ends[0] if len(set(ends)) == 1 else f"[{', '.join(ends)}]"
        points = "" if self.points == "cells" else f", points={self.points!r}"
        return f"Box([{', '.join(intervals)}], boundary={boundary}{points})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Box, (self._intervals, self.conditions, self.points)


def _shown(pair: tuple[Boundary, Boundary]) -> str:
    def one(end: Boundary) -> str:
        value = "" if end.value == 0.0 else repr(end.value)
        if end.kind == "robin":
            return f"robin({', '.join(filter(None, [f'{end.beta:g}', value]))})"
        return f"{end.kind}({value})" if value else repr(end.kind)

    lower, upper = map(one, pair)
    return lower if lower == upper else f"({lower}, {upper})"


def intervals_of(axes: Any, least: int = 1) -> list[tuple[float, float, int]]:
    """The axes as tuples (low, high, n)."""
    try:
        rows = list(axes)
        if len(rows) == 3 and not any(np.ndim(row) for row in rows):
            rows = [rows]
        rows = [tuple(row) for row in rows]
    except TypeError:
        raise InputError(f"box is {axes!r}, expected a list of (low, high, n)") from None
    if not 1 <= len(rows) <= len(NAMES):
        raise InputError(f"box has {len(rows)} axes, expected 1 to {len(NAMES)}")
    intervals = []
    for k, row in enumerate(rows):
        if len(row) != 3:
            raise InputError(f"axis {k} of box is {row!r}, expected (low, high, n)")
        low, high = _number(f"low of axis {k}", row[0]), _number(f"high of axis {k}", row[1])
        intervals.append((low, high, count_of(f"n of axis {k}", row[2], least)))
    return intervals


def _conditions(given: Any, ndim: int) -> tuple[tuple[Boundary, Boundary], ...]:
    if isinstance(given, (str, Boundary)):
        return (_ends(given, "boundary"),) * ndim
    if isinstance(given, Mapping):
        names = NAMES[:ndim]
        unknown = [str(name) for name in given if name not in names]
        missing = [name for name in names if name not in given]
        if unknown or missing:
            found = f"the axis {unknown[0]!r}" if unknown else f"no axis {missing[0]!r}"
            raise InputError(f"boundary has {found}, expected {', '.join(names)}")
        return tuple(_ends(given[name], f"boundary of {name}") for name in names)
    try:
        entries = list(given)
    except TypeError:
        raise InputError(f"boundary is {given!r}, expected conditions") from None
    if ndim == 1 and len(entries) == 2:
        entries = [entries]
    if len(entries) != ndim:
        raise InputError(f"boundary has {len(entries)} entries, expected one for each axis, {ndim}")
    return tuple(_ends(entry, f"boundary of {NAMES[k]}") for k, entry in enumerate(entries))


def _ends(given: Any, place: str) -> tuple[Boundary, Boundary]:
    if isinstance(given, (str, Boundary)):
        end = _condition(given, place)
        return end, end
    try:
        lower, upper = given
    except (TypeError, ValueError):
        raise InputError(f"{place} is {given!r}, expected a condition or a pair of them") from None
    return _condition(lower, place), _condition(upper, place)


def _condition(given: Any, place: str) -> Boundary:
    if isinstance(given, Boundary):
        if given.kind == "periodic" and given.value != 0.0:
            raise InputError(f"{place} is periodic, which has no value")
        return given
    if not isinstance(given, str):
        raise InputError(f"{place} has {given!r}, expected a name such as \"dirichlet\", or robin(beta)")
    if given == "robin":
        raise InputError(f"{place} is \"robin\", which needs its coefficient: robin(beta)")
    return Boundary(given)


def box_of(box: Any, boundary: Any, points: Any) -> Box:
    """The box of the arguments `box`, `boundary` and `points`."""
    if isinstance(box, Box):
        for name, value in (("boundary", boundary), ("points", points)):
            if value is not None:
                raise InputError(f"{name} and a Box, which has its {name}")
        return box
    if boundary is None:
        raise InputError("boundary is missing: \"periodic\", \"dirichlet\", \"neumann\" or one for each axis")
    return Box(box, boundary, "cells" if points is None else points)


FieldLike = str | float | npt.ArrayLike | Callable[..., npt.ArrayLike]


def field_values(
    place: str,
    given: Any,
    axes: Sequence[npt.NDArray[np.float64]],
    parameters: Mapping[str, float] | None = None,
) -> npt.NDArray[np.float64]:
    """Values on points of an expression of the coordinates, a function of them, an array or a number."""
    shape = tuple(len(axis) for axis in axes)
    if isinstance(given, str):
        names = list(NAMES[: len(axes)])
        rows = np.stack([coordinate.ravel() for coordinate in np.meshgrid(*axes, indexing="ij")])
        values = _hpfracc.field_expression(place, given, names, rows, list((parameters or {}).items()))
        return values.reshape(shape)
    if callable(given):
        given = given(*np.meshgrid(*axes, indexing="ij"))
        place = f"the value of {place}"
    array = _floats(place, given)
    if array.ndim == 0:
        return np.full(shape, float(array))
    if array.shape != shape:
        raise InputError(f"{place} has the shape {array.shape}, expected {shape}")
    return array


def exponent_of(place: str, given: Any) -> float:
    """Exponent of the integral fractional Laplacian, whose order alpha is twice that."""
    s = _number(place, given)
    if not 0.0 < s < 1.0:
        raise InputError(f"{place} is {s!r}, expected above 0 and below 1 for definition=\"integral\"")
    return s


def named(given: Mapping[str, Any], known: Sequence[str], place: str) -> Iterator[tuple[int, Any]]:
    """Positions and values of a mapping by name."""
    for name, value in given.items():
        if name not in known:
            raise InputError(f"{place} has the field {name!r}; the fields are {', '.join(known)}")
        yield list(known).index(name), value
