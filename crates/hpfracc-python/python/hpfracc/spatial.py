"""Linear operators on fields over boxes and graphs, and functions of them: powers, exponentials, Mittag-Leffler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from ._box import (
    Boundary,
    Box,
    Conditions,
    Points,
    box_of,
    dirichlet,
    exponent_of,
    field_values,
    intervals_of,
    neumann,
    robin,
)
from ._graph import Graph, GraphLaplacian
from ._spatial_operator import OperatorFunction, PlusConstant, Power, SpatialOperator, Way, operator_of
from .equation import _floats, _number
from .errors import InputError

__all__ = [
    "AdvectionDiffusion",
    "Boundary",
    "Box",
    "Diffusion",
    "Graph",
    "GraphLaplacian",
    "IntegralLaplacian",
    "Laplacian",
    "OperatorFunction",
    "PlusConstant",
    "Power",
    "SkewedLaplacian",
    "SpatialOperator",
    "Way",
    "dirichlet",
    "fractional_laplacian",
    "matern_field",
    "neumann",
    "robin",
]

class _OnBox(SpatialOperator):
    """Operator on a box that takes boundary values."""

    box: Box

    def boundary_part(self, axis: str | int, end: Literal["lower", "upper"], values: npt.ArrayLike) -> npt.NDArray[Any]:
        """Contribution of boundary values g to the right-hand side: solve ``(z + A) u = f + boundary_part(...)``.

        Parameters
        ----------
        axis : str or int
            Axis, ``"x"``, ``"y"``, ``"z"`` or its number.
        end : {"lower", "upper"}
            End of the axis.
        values : array_like
            Value in the condition of the face: a number, or an array of the shape of the box without the axis.

        Returns
        -------
        ndarray
            An array of the shape of the box.

        Examples
        --------
        >>> import numpy as np
        >>> from hpfracc import spatial
        >>> laplacian = spatial.Laplacian(spatial.Box([(0, 1, 50)], "dirichlet"))
        >>> u = laplacian.solve(laplacian.boundary_part("x", "upper", 3.0))  # u'' = 0, u(0) = 0, u(1) = 3
        >>> bool(np.allclose(u, 3 * laplacian.box.axes[0]))
        True
        """
        names = self.box.names
        index = names.index(axis) if axis in names else axis
        if not isinstance(index, int) or not 0 <= index < len(names):
            raise InputError(f"axis is {axis!r}, expected one of {', '.join(names)}")
        if end not in ("lower", "upper"):
            raise InputError(f"end is {end!r}, expected \"lower\" or \"upper\"")
        array = _floats("values", values)
        shape = (*self.shape[:index], *self.shape[index + 1 :])
        if array.ndim and array.shape != shape:
            raise InputError(f"values has the shape {array.shape}, expected a number or the shape {shape}")
        return self._core.boundary_part(index, end == "upper", array)


class Laplacian(_OnBox):
    r"""Minus the Laplacian of a box, :math:`A u = -\sum_d \kappa_d\, \partial^2 u/\partial x_d^2`.

    Accuracy: order 2 on cells; see :class:`Box`. Products are O(N), solves and functions fast transforms. The boundary
    values are 0; others go to the right-hand side, see :meth:`boundary_part`.

    Parameters
    ----------
    box : Box or sequence of (low, high, n)
        Points, with their boundary conditions.
    kappa : float or sequence
        Coefficient of all axes, or of each.
    boundary, points
        Of a box that is given by its axes, see :class:`Box`.

    Raises
    ------
    InputError
        For a coefficient that is not positive.

    Examples
    --------
    >>> from hpfracc import spatial
    >>> laplacian = spatial.Laplacian([(0, 1, 200), (0, 1, 200)], boundary="dirichlet")
    >>> round(float(laplacian.eigenvalues()[0, 0]), 2)  # 2 pi^2
    19.74
    """

    def __init__(
        self,
        box: Box | Sequence[Sequence[float]] | Sequence[float],
        kappa: npt.ArrayLike = 1.0,
        *,
        boundary: Conditions | None = None,
        points: Points | None = None,
    ) -> None:
        grid = _zero_box(box, boundary, points)
        each = _floats("kappa", kappa)
        if each.shape not in ((), (grid.ndim,)):
            raise InputError(f"kappa has the shape {each.shape}, expected a number or one for each of {grid.ndim} axes")
        kappas = np.broadcast_to(each, (grid.ndim,)).tolist()
        super().__init__(_hpfracc.laplacian_operator(grid._core, kappas), grid)


def _zero_box(box: Any, boundary: Any, points: Any) -> Box:
    """A box whose boundary values are 0, as operators have them."""
    grid = box_of(box, boundary, points)
    for axis, pair in zip(grid.names, grid.conditions):
        for end in pair:
            if end.value != 0.0:
                raise InputError(
                    f"boundary of {axis} has the value {end.value!r}: an operator is linear, and has values other than "
                    f"0 in boundary_part"
                )
    return grid


class Diffusion(_OnBox):
    r"""Diffusion in a medium, :math:`A u = -\nabla \cdot (\kappa \nabla u) + c u`, on cells.

    Accuracy of order 2. Shifted solves are direct on one axis, else conjugate gradients.

    Parameters
    ----------
    box : Box or sequence of (low, high, n)
        Points, with their boundary conditions.
    kappa : array_like or list of array_like
        Values in the cells, an array of the shape of the box, whose harmonic means are those on the faces: exact for
        layers. Or a list with an array for each axis, of the shape of the box with n + 1 faces along the axis.
    reaction : array_like, optional
        c, at least 0: a number, or one for each cell.
    boundary
        Of a box that is given by its axes, see :class:`Box`.

    Examples
    --------
    >>> import numpy as np
    >>> from hpfracc import spatial
    >>> box = spatial.Box([(0, 1, 100)], ("dirichlet", "neumann"))
    >>> layers = spatial.Diffusion(box, np.where(box.axes[0] < 0.5, 1.0, 10.0))
    >>> u = layers.solve(np.ones(100))
    >>> abs(float(u[-1]) - 0.3875) < 1e-3
    True
    """

    def __init__(
        self,
        box: Box | Sequence[Sequence[float]] | Sequence[float],
        kappa: npt.ArrayLike | list[npt.NDArray[np.float64]],
        *,
        reaction: npt.ArrayLike | None = None,
        boundary: Conditions | None = None,
    ) -> None:
        grid = _zero_box(box, boundary, None)
        cells, faces = _coefficient(kappa, grid)
        super().__init__(_hpfracc.diffusion_operator(grid._core, cells, faces, _reaction(reaction, grid)), grid)


def _coefficient(kappa: Any, grid: Box) -> tuple[npt.NDArray[np.float64] | None, list[npt.NDArray[np.float64]]]:
    """Values in the cells, or on the faces across each axis."""
    if not isinstance(kappa, list):
        return field_values("kappa", kappa, grid.axes), []
    if len(kappa) == len(grid.axes[0]) and all(np.ndim(row) == grid.ndim - 1 for row in kappa):
        return field_values("kappa", kappa, grid.axes), []
    if len(kappa) != grid.ndim:
        raise InputError(f"kappa has {len(kappa)} arrays, expected one for each of {grid.ndim} axes")
    faces = []
    for axis, values in enumerate(kappa):
        shape = tuple(n + (k == axis) for k, n in enumerate(grid.shape))
        place = f"kappa on the faces across {grid.names[axis]}"
        array = _floats(place, values)
        if array.shape != shape:
            raise InputError(f"{place} has the shape {array.shape}, expected {shape}")
        faces.append(array)
    return None, faces


def _reaction(reaction: Any, grid: Box) -> npt.NDArray[np.float64] | None:
    return None if reaction is None else field_values("reaction", reaction, grid.axes)


class AdvectionDiffusion(_OnBox):
    r"""Diffusion with advection on one axis, :math:`A u = -(\kappa u')' + (v u)' + c u`, on cells.

    Not self-adjoint: it has products and shifted solves, direct ones, but no functions.

    Parameters
    ----------
    box : Box or (low, high, n)
        Points of one axis, with their boundary conditions.
    kappa, reaction, boundary
        As :class:`Diffusion`.
    velocity : array_like
        v: a number, or one on each of the n + 1 faces.
    scheme : {"central", "upwind"}
        Order 2, for ``|v| h <= 2 kappa``; or order 1.
    """

    def __init__(
        self,
        box: Box | Sequence[Sequence[float]] | Sequence[float],
        kappa: npt.ArrayLike | list[npt.NDArray[np.float64]],
        velocity: npt.ArrayLike,
        *,
        scheme: Literal["central", "upwind"] = "central",
        reaction: npt.ArrayLike | None = None,
        boundary: Conditions | None = None,
    ) -> None:
        grid = _zero_box(box, boundary, None)
        cells, faces = _coefficient(kappa, grid)
        v = _floats("velocity", velocity)
        v = np.full(grid.shape[0] + 1, float(v)) if v.ndim == 0 else v
        core = _hpfracc.advection_operator(grid._core, cells, faces, _reaction(reaction, grid), v, str(scheme))
        super().__init__(core, grid)


class IntegralLaplacian(SpatialOperator):
    r"""Integral fractional Laplacian :math:`(-\Delta)^{\alpha/2}` with u = 0 outside, 0 < alpha < 2.

    .. math:: C\, \mathrm{p.v.} \int \frac{u(x) - u(y)}{|x - y|^{d + \alpha}}\, \mathrm{d}y

    On an interval, or on a domain in a box of up to three axes. The nodes of an axis are
    ``low + (j + 1)(high - low)/(n + 1)``. A field on a part of a box holds the nodes of the domain alone, see
    :attr:`nodes` and :meth:`on_box`.

    Parameters
    ----------
    axes : sequence of (low, high, n)
        Axes with their numbers of nodes.
    alpha : float
        Order.
    domain : str, array_like of bool or callable, optional
        Nodes of the domain, by a comparison such as ``"x^2 + y^2 < 1"``; the whole box by default.
    boundary_correction : bool
        Of an interval: makes the matrix exact for ``((x - low)(high - x))**(alpha/2)``, which solutions resemble.
    ball : (centre, radius), optional
        The same for a domain that is the nodes inside a ball.

    Examples
    --------
    >>> import numpy as np
    >>> from hpfracc import spatial
    >>> laplacian = spatial.IntegralLaplacian((-1, 1, 255), 1.0, boundary_correction=True)
    >>> u = laplacian.solve(np.ones(255))  # sqrt(1 - x^2)
    >>> bool(np.allclose(u, np.sqrt(1 - laplacian.nodes[:, 0] ** 2)))
    True
    """

    def __init__(
        self,
        axes: Sequence[Sequence[float]] | Sequence[float],
        alpha: float,
        *,
        domain: str | npt.ArrayLike | Callable[..., npt.ArrayLike] | None = None,
        boundary_correction: bool = False,
        ball: tuple[Sequence[float], float] | None = None,
    ) -> None:
        intervals = intervals_of(axes)
        inside = None
        if domain is not None:
            lines = [low + (high - low) * (np.arange(1, n + 1) / (n + 1)) for low, high, n in intervals]
            inside = field_values("domain", f"({domain})" if isinstance(domain, str) else domain, lines) != 0.0
        correction = None if ball is None else (_floats("centre", ball[0]).ravel().tolist(), _number("radius", ball[1]))
        core = _hpfracc.integral_operator(
            _number("alpha", alpha), intervals, None if inside is None else inside.ravel(), bool(boundary_correction),
            correction,
        )
        super().__init__(core)
        self.alpha = float(alpha)
        self._box_shape = tuple(n for _, _, n in intervals)
        self._domain = inside

    @property
    def nodes(self) -> npt.NDArray[np.float64]:
        """Coordinates of the nodes, shape (size, axes)."""
        return self._core.nodes()

    def on_box(self, u: npt.ArrayLike, outside: float = float("nan")) -> npt.NDArray[np.float64]:
        """Values of one field on all nodes of the box, for a picture.

        Parameters
        ----------
        u : array_like
            Field.
        outside : float
            Value outside of the domain.

        Returns
        -------
        ndarray
            An array of the shape of the box.
        """
        if self._domain is None:
            return _floats("u", u)
        return self._core.on_box(u, _number("outside", outside), list(self._box_shape))

    def order_derivative(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Derivative of the product A u with respect to the order alpha."""
        return self._core.order_derivative(u)

    def __repr__(self) -> str:
        return f"IntegralLaplacian(alpha={self.alpha:g}, shape={self.shape})"


class SkewedLaplacian(SpatialOperator):
    r"""Skewed fractional diffusion on an interval with u = 0 outside.

    Minus the Riesz-Feller derivative of skewness theta, with the symbol
    :math:`|k|^\alpha e^{i\,\mathrm{sgn}(k)\,\theta\pi/2}`; or one- and two-sided Riemann-Liouville derivatives
    :math:`-(l\, D_\mathrm{left}^\alpha + r\, D_\mathrm{right}^\alpha)` (with + for alpha < 1). Self-adjoint only for
    theta = 0 and equal weights.

    Parameters
    ----------
    axis : (low, high, n)
        Interval with n nodes ``low + (j + 1)(high - low)/(n + 1)``.
    alpha : float
        Order, above 0 and at most 2.
    theta : float, optional
        Skewness, ``|theta| <= min(alpha, 2 - alpha)``: centred differences of order 2.
    weights : (float, float), optional
        Weights l and r of the two sides: Grunwald-Letnikov sums of order 1. Give theta or weights.

    Examples
    --------
    >>> import numpy as np
    >>> from hpfracc import spatial
    >>> left = spatial.SkewedLaplacian((0, 1, 99), 1.5, weights=(1, 0))
    >>> x = left.nodes[:, 0]
    >>> u = left.solve(x * (1 - x) / 0.01, shift=1 / 0.01)  # an implicit Euler step
    >>> bool((u >= 0).all())
    True
    """

    def __init__(
        self,
        axis: Sequence[float],
        alpha: float,
        *,
        theta: float | None = None,
        weights: Sequence[float] | None = None,
    ) -> None:
        (interval, *others) = intervals_of(axis)
        if others:
            raise InputError(f"axis has {1 + len(others)} axes, expected one")
        if (theta is None) == (weights is None):
            raise InputError("give theta, the skewness, or weights of the two sides")
        pair = None
        if weights is not None:
            array = _floats("weights", weights)
            if array.shape != (2,):
                raise InputError(f"weights has the shape {array.shape}, expected (2,)")
            pair = array.tolist()
        skewness = 0.0 if theta is None else _number("theta", theta)
        super().__init__(_hpfracc.skewed_operator(_number("alpha", alpha), pair, skewness, interval))
        self.alpha = float(alpha)

    @property
    def nodes(self) -> npt.NDArray[np.float64]:
        """Coordinates of the nodes, shape (n, 1)."""
        return self._core.nodes()

    def order_derivative(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Derivative of the product A u with respect to the order alpha, with the skewness or the weights held."""
        return self._core.order_derivative(u)

    def __repr__(self) -> str:
        return f"SkewedLaplacian(alpha={self.alpha:g}, shape={self.shape})"


def fractional_laplacian(
    box: Box | Sequence[Sequence[float]] | Sequence[float],
    s: float,
    definition: Literal["periodic", "spectral", "integral"],
    *,
    boundary: Conditions | None = None,
    points: Points | None = None,
) -> SpatialOperator:
    r"""Fractional Laplacian :math:`(-\Delta)^s` in one of its definitions, which differ by O(1) on bounded domains.

    Parameters
    ----------
    box : Box or sequence of (low, high, n)
        Axes.
    s : float
        Exponent: positive, and below 1 with the integral definition.
    definition : {"periodic", "spectral", "integral"}
        ``"periodic"``: on a torus. ``"spectral"``: power of the Laplacian with the boundary conditions of the box.
        ``"integral"``: zero outside of the box, on the nodes of :class:`IntegralLaplacian`.
    boundary, points
        Of the spectral definition, see :class:`Box`.

    Returns
    -------
    SpatialOperator

    Examples
    --------
    >>> import numpy as np
    >>> from hpfracc import spatial
    >>> for definition, boundary in ("spectral", "dirichlet"), ("integral", None):
    ...     operator = spatial.fractional_laplacian([(-1, 1, 401)], 0.5, definition, boundary=boundary)
    ...     print(definition, round(float(operator.solve(np.ones(401))[200]), 3))
    spectral 0.742
    integral 0.999
    """
    exponent = _number("s", s)
    if definition == "spectral":
        return Power(Laplacian(box, boundary=boundary, points=points), exponent)
    for name, value in (("boundary", boundary), ("points", points)):
        if value is not None and definition in ("periodic", "integral"):
            raise InputError(f"{name} and definition={definition!r}, which has its own")
    if definition == "periodic":
        if isinstance(box, Box):
            if any(end.kind != "periodic" for pair in box.conditions for end in pair):
                raise InputError(f"box is {box!r}, expected periodic boundaries for definition='periodic'")
            return Power(Laplacian(box), exponent)
        return Power(Laplacian(box, boundary="periodic"), exponent)
    if definition == "integral":
        if isinstance(box, Box):
            raise InputError("box is a Box, which has boundary conditions; expected a list of (low, high, n)")
        return IntegralLaplacian(box, 2.0 * exponent_of("s", s))
    raise InputError(f"definition is {definition!r}, expected \"periodic\", \"spectral\" or \"integral\"")


def matern_field(
    operator: SpatialOperator,
    nu: float,
    kappa: float,
    noise: npt.ArrayLike,
    *,
    tolerance: float = 1e-10,
) -> npt.NDArray[np.float64]:
    r"""Matern fields :math:`(\kappa^2 + A)^{-\nu/2} w` of white noise w, with the correlation length 1/kappa.

    Parameters
    ----------
    operator : SpatialOperator
        A, the Laplacian of a box or of a graph.
    nu : float
        Exponent of the covariance; in d dimensions a field of smoothness m has ``nu = m + d/2``.
    kappa : float
        Inverse of the correlation length.
    noise : array_like, shape (..., *shape)
        Independent standard normal numbers, which are divided by the root of the volumes of the cells of a box.
    tolerance : float
        Relative error.

    Returns
    -------
    ndarray
        A field for each of the noises.

    Notes
    -----
    Sources: Lindgren, Rue and Lindstrom, J. R. Stat. Soc. B 73 (2011) 423, doi:10.1111/j.1467-9868.2011.00777.x;
    for graphs Borovitskiy et al., AISTATS 2021, arXiv:2010.15538.

    Examples
    --------
    >>> import numpy as np
    >>> from hpfracc import spatial
    >>> laplacian = spatial.Laplacian([(0, 1, 64), (0, 1, 64)], boundary="periodic")
    >>> noise = np.random.default_rng(1).normal(size=(10, 64, 64))
    >>> spatial.matern_field(laplacian, 2.0, 10.0, noise).shape
    (10, 64, 64)
    """
    white = _floats("noise", noise)
    operator = operator_of(operator)
    if operator.box is not None:
        white = white / np.sqrt(operator.box.weights)
    return operator.matern(nu, kappa, tolerance=tolerance).apply(white)
