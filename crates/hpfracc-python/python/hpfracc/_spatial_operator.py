"""Base of operators on fields, and functions of operators."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from ._box import Box
from .equation import _number
from .errors import InputError

__all__ = ["OperatorFunction", "PlusConstant", "Power", "SpatialOperator", "Way", "operator_of"]

Way = Literal["auto", "modes", "dense", "chebyshev", "lanczos", "rational", "sinc", "contour"]

#: Tolerance of functions of operators, by default.
_TOLERANCE = 1e-12


class SpatialOperator:
    r"""Linear operator A on fields with a spectrum in :math:`\mathrm{Re}\,\lambda \ge 0`, such as minus a Laplacian.

    Fields are arrays whose last axes have the :attr:`shape` of the operator; leading axes are a batch of fields. The
    classes of :mod:`hpfracc.spatial` are operators; ``A @ u`` is ``A.apply(u)`` and
    ``A + c`` the operator with a positive constant added.

    Attributes
    ----------
    shape : tuple of int
        Shape of a field.
    box : Box or None
        The box, if the points are those of one.
    """

    def __init__(self, core: _hpfracc.OperatorCore, box: Box | None = None) -> None:
        self._core = core
        self.box = box
        self.shape: tuple[int, ...] = tuple(core.shape())

    @property
    def size(self) -> int:
        """Number of values of a field."""
        return int(np.prod(self.shape))

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the eigenvalues that are not 0: the lower one is 0 where it is unknown."""
        lowest, highest, _ = self._core.spectrum()
        return lowest, highest

    @property
    def nullity(self) -> int:
        """Dimension of the null space."""
        return self._core.spectrum()[2]

    @property
    def is_self_adjoint(self) -> bool:
        """Whether A is self-adjoint in its :attr:`weights`; functions of an operator need it."""
        return self._core.is_self_adjoint()

    @property
    def weights(self) -> npt.NDArray[np.float64] | None:
        """Weights w of the inner product ``sum(w * u * v)`` in which A is self-adjoint; None for equal ones."""
        return self._core.weights()

    def eigenvalues(self) -> npt.NDArray[np.float64]:
        """Eigenvalues of an operator with a fast transform, an array of the shape of a field.

        Raises
        ------
        InputError
            For an operator without a fast transform: take ``numpy.linalg.eigvals(A.matrix())``.
        """
        values = self._core.eigenvalues()
        if values is None:
            raise InputError("the operator has no fast transform: take numpy.linalg.eigvals of its matrix()")
        return values

    def matrix(self) -> npt.NDArray[np.float64]:
        """The matrix, shape (size, size), by products with all unit vectors; for small fields."""
        columns = self.apply(np.eye(self.size).reshape(-1, *self.shape))
        return np.ascontiguousarray(columns.reshape(self.size, self.size).T)

    # Products and solves.

    def apply(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Product A u.

        Parameters
        ----------
        u : array_like, shape (..., *shape)
            Fields.

        Returns
        -------
        ndarray
            An array of the shape of u.

        Raises
        ------
        InputError
            For another shape.
        """
        return self._core.apply(u)

    def __matmul__(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        return self.apply(u)

    def apply_transpose(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Product of the transposed matrix with fields; arguments as :meth:`apply`."""
        return self._core.apply_transpose(u)

    def solve(self, b: npt.ArrayLike, shift: complex = 0.0) -> npt.NDArray[Any]:
        """Solution x of ``(shift + A) x = b``.

        Parameters
        ----------
        b : array_like, shape (..., *shape)
            Right-hand sides, real or complex; they share the preparation.
        shift : complex
            Number z; a singular operator needs one other than 0.

        Returns
        -------
        ndarray
            Real for real b and shift, else complex.

        Raises
        ------
        InputError
            For minus an eigenvalue as shift.
        SolverError
            For an iteration that does not converge.

        Examples
        --------
        >>> import numpy as np
        >>> from hpfracc import spatial
        >>> laplacian = spatial.Laplacian(spatial.Box([(0, 1, 200)], "dirichlet"))
        >>> u = laplacian.solve(np.ones(200))  # -u'' = 1
        >>> abs(float(u[100]) - 0.125) < 1e-5
        True
        """
        try:
            if isinstance(shift, (str, bytes)):
                raise TypeError
            z = complex(shift)
        except (TypeError, ValueError):
            raise InputError(f"shift is {shift!r}, expected a number") from None
        if not np.isfinite(z):
            raise InputError(f"shift is {shift!r}, expected a finite number")
        pair = (z.real, z.imag)
        if np.iscomplexobj(b):
            array = np.asarray(b)
            return np.asarray(self._core.solve(array.real, pair) + 1j * self._core.solve(array.imag, pair))
        return self._core.solve(b, pair)

    def remove_null_space(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Fields without their part in the null space: minus the mean, for a Laplacian with Neumann conditions."""
        return self._core.remove_null_space(u)

    # Functions.

    def _function(self, name: str, parameters: list[float], way: str, tolerance: float) -> OperatorFunction:
        core = self._core.function(name, parameters, str(way), _number("tolerance", tolerance))
        return OperatorFunction(core, self, (name, parameters))

    def power(self, s: float, *, way: Way = "auto", tolerance: float = _TOLERANCE) -> OperatorFunction:
        r"""Power :math:`A^s` for any real s, as a function; :class:`Power` is it as an operator.

        Negative powers of a singular operator need fields that are orthogonal to the null space, see
        :meth:`remove_null_space`.

        Parameters
        ----------
        s : float
            Exponent.
        way : str
            Method: ``"auto"``; ``"modes"``, a fast transform; ``"dense"``, eigenvectors of the matrix; ``"chebyshev"``
            and ``"lanczos"``, polynomials; ``"rational"`` and ``"sinc"``, real shifted solves, for powers;
            ``"contour"``, complex shifted solves, for the other functions.
        tolerance : float
            Error relative to the norm of the field and the largest value of the function on the spectrum.

        Returns
        -------
        OperatorFunction

        Raises
        ------
        InputError
            For an operator that is not self-adjoint, and a method that has no such function.
        SolverError
            For a method that does not reach the tolerance.

        Examples
        --------
        >>> import numpy as np
        >>> from hpfracc import spatial
        >>> box = spatial.Box([(0, 1, 400)], "dirichlet")
        >>> root = spatial.Laplacian(box).power(0.5)
        >>> bool(np.allclose(root(np.sin(np.pi * box.axes[0])), np.pi * np.sin(np.pi * box.axes[0]), atol=1e-4))
        True
        >>> root.explain()
        'A^0.5 of 400 values: ...'
        """
        return self._function("power", [_number("s", s)], way, tolerance)

    def exponential(self, t: float, *, way: Way = "auto", tolerance: float = _TOLERANCE) -> OperatorFunction:
        """Exponential exp(-t A), t at least 0; other arguments as :meth:`power`."""
        return self._function("exponential", [_number("t", t)], way, tolerance)

    def mittag_leffler(
        self, alpha: float, t: float, *, way: Way = "auto", tolerance: float = _TOLERANCE
    ) -> OperatorFunction:
        r"""Mittag-Leffler function :math:`E_\alpha(-t^\alpha A)`, the solution of :math:`D^\alpha u = -A u`.

        Parameters
        ----------
        alpha : float
            Order, above 0 and below 2.
        t : float
            Time, at least 0.
        way, tolerance
            As :meth:`power`.

        Returns
        -------
        OperatorFunction

        Examples
        --------
        >>> import numpy as np
        >>> from hpfracc import mittag_leffler, spatial
        >>> laplacian = spatial.Laplacian(spatial.Box([(0, 1, 30)], "neumann"))
        >>> u = laplacian.mittag_leffler(0.7, 0.1)(np.ones(30))  # constants stay
        >>> bool(np.allclose(u, 1))
        True
        """
        return self._function("mittag-leffler", [_number("alpha", alpha), _number("t", t)], way, tolerance)

    def relaxation(
        self, u: npt.ArrayLike, alpha: float, times: npt.ArrayLike, *, tolerance: float = 1e-10
    ) -> npt.NDArray[np.float64]:
        r"""Solution :math:`E_\alpha(-t^\alpha A) u` of :math:`D^\alpha u = -A u` at many times, which share work.

        Parameters
        ----------
        u : array_like
            Start, one field; the velocity of orders above 1 is 0.
        alpha : float
            Order, above 0 and below 2.
        times : array_like
            Times, at least 0.
        tolerance : float
            Error relative to the norm of u.

        Returns
        -------
        ndarray, shape (times, *shape)
        """
        return self._core.relaxation(u, _number("alpha", alpha), times, _number("tolerance", tolerance))

    def matern(self, nu: float, kappa: float, *, way: Way = "auto", tolerance: float = 1e-10) -> OperatorFunction:
        r"""Function :math:`(\kappa^2 + A)^{-\nu/2}`, which makes Matern fields of white noise.

        See :func:`hpfracc.spatial.matern_field` for nu and kappa; other arguments as :meth:`power`.
        """
        exponent, number = _number("nu", nu), _number("kappa", kappa)
        if not exponent > 0.0:
            raise InputError(f"nu is {exponent!r}, expected a positive number")
        return PlusConstant(self, number * number).power(-exponent / 2.0, way=way, tolerance=tolerance)

    def __add__(self, constant: float) -> PlusConstant:
        return PlusConstant(self, constant)

    def __repr__(self) -> str:
        where = f"{self.box!r}" if self.box is not None else f"shape={self.shape}"
        return f"{type(self).__name__}({where})"


class OperatorFunction:
    """Function f(A) of a self-adjoint operator: a power, an exponential or a Mittag-Leffler function.

    Made by the methods of :class:`SpatialOperator`. A call prepares the function for all fields of its batch.

    Attributes
    ----------
    operator : SpatialOperator
        The operator A.
    """

    def __init__(
        self, core: _hpfracc.OperatorFunctionCore, operator: SpatialOperator, recipe: tuple[str, list[float]]
    ) -> None:
        self._core = core
        self._recipe = recipe
        self.operator = operator

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of a field."""
        return self.operator.shape

    @property
    def way(self) -> str:
        """Method, for ``"auto"`` the one chosen."""
        return self._core.way()

    @property
    def error_bound(self) -> float:
        """Bound or estimate of the error, relative to the norm of the field and the largest value on the spectrum."""
        return self._core.error_bound()

    def apply(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Product f(A) u.

        Parameters
        ----------
        u : array_like, shape (..., *shape)
            Fields.

        Returns
        -------
        ndarray

        Raises
        ------
        InputError
            For a field that is not finite, and for a negative power of a field with a part in the null space.
        SolverError
            For an iteration that does not converge.
        """
        return self._core.apply(u)

    def __call__(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        return self.apply(u)

    def __matmul__(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        return self.apply(u)

    def apply_transpose(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Product of the transposed matrix with fields: the gradient of ``<ubar, f(A) u>`` with respect to u."""
        return self._core.apply_transpose(u)

    def exponent_derivative(self, u: npt.ArrayLike) -> npt.NDArray[np.float64]:
        r"""Derivative :math:`A^s \ln(A) u` of a power with respect to its exponent s."""
        return self._core.exponent_derivative(u)

    def explain(self) -> str:
        """Method, its parameters and the error bound, as text."""
        return self._core.explain()

    def __repr__(self) -> str:
        return f"OperatorFunction({self.explain()})"


class Power(SpatialOperator):
    r"""Power :math:`A^s`, s > 0, as an operator: it has products, shifted solves and functions of its own.

    Parameters
    ----------
    operator : SpatialOperator
        Self-adjoint operator A.
    s : float
        Exponent.
    way, tolerance
        As :meth:`SpatialOperator.power`.

    Examples
    --------
    >>> import numpy as np
    >>> from hpfracc import spatial
    >>> laplacian = spatial.Laplacian(spatial.Box([(0, 1, 100)], "periodic"))
    >>> biharmonic = spatial.Power(laplacian, 2)
    >>> u = np.cos(2 * np.pi * laplacian.box.axes[0])
    >>> bool(np.allclose(biharmonic @ u, laplacian @ (laplacian @ u)))
    True
    """

    def __init__(
        self, operator: SpatialOperator, s: float, *, way: Way = "auto", tolerance: float = _TOLERANCE
    ) -> None:
        core = operator_of(operator)._core
        super().__init__(core.power(_number("s", s), str(way), _number("tolerance", tolerance)), operator.box)
        self.of, self.exponent = operator, float(s)

    def __repr__(self) -> str:
        return f"Power({self.of!r}, {self.exponent:g})"


class PlusConstant(SpatialOperator):
    """Operator A + c with a constant c > 0, which ``A + c`` makes, too.

    Parameters
    ----------
    operator : SpatialOperator
        A.
    constant : float
        c.
    """

    def __init__(self, operator: SpatialOperator, constant: float) -> None:
        number = _number("constant", constant)
        super().__init__(operator_of(operator)._core.plus_constant(number), operator.box)
        self.of, self.constant = operator, number

    def __repr__(self) -> str:
        return f"{self.of!r} + {self.constant:g}"


def operator_of(value: Any) -> SpatialOperator:
    """The value as an operator."""
    if not isinstance(value, SpatialOperator):
        raise InputError(f"operator is {type(value).__name__}, expected an operator of hpfracc.spatial")
    return value
