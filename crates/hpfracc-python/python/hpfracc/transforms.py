r"""Fractional Fourier transforms and the fractional DFT (chirp-z transform), with adjoints and order gradients.

=====================================================  ==========================================  =================
purpose                                                transform                                   cost, N samples
=====================================================  ==========================================  =================
fractional Fourier integral of a function that is      :func:`frft`, :class:`FractionalFourier`    O(N log N)
small outside the samples and the band
power of the DFT matrix, unitary and additive for      :func:`dfrft`,                              O(N^2) after
any data                                               :class:`DiscreteFractionalFourier`          O(N^3) once
DFT with frequencies any distance apart: zoom,         :func:`fractional_dft`,                     O(N log N)
off-grid tones                                         :class:`FractionalDft`
=====================================================  ==========================================  =================

Signals are complex or real, along any axis of an array; all other axes are a batch. ``complex64`` and ``float32`` give
``complex64``, everything else ``complex128``. Gradients of real losses are ``dL/d re + i dL/d im``.
"""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from .errors import InputError

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "DiscreteFractionalFourier",
    "FractionalDft",
    "FractionalFourier",
    "dfrft",
    "fractional_dft",
    "frft",
]

Array = npt.NDArray[Any]


def _whole(name: str, value: Any) -> int:
    """A whole number that the extension takes."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}, expected a whole number") from None
    if not -(2**63) <= number < 2**63:
        raise InputError(f"{name} is {number}, expected a whole number of at most 63 bits")
    return number


def _count(name: str, value: Any) -> int:
    """A number of samples or frequencies."""
    count = _whole(name, value)
    if count < 0:
        raise InputError(f"{name} is {count}, expected a positive whole number")
    return count


def _length(x: npt.ArrayLike, axis: int) -> int:
    """Length of an axis."""
    shape = np.shape(x)
    if not -len(shape) <= axis < len(shape):
        raise InputError(f"axis {axis} of an array with {len(shape)} dimensions")
    return int(shape[axis])


class _Transform:
    """Planned linear transform of the signals of an array."""

    __slots__ = ("_axis", "_plan")

    _plan: _hpfracc.TransformPlan
    _axis: int

    def __call__(self, x: npt.ArrayLike, *, out: Array | None = None) -> Array:
        """The transform of all signals of an array: :meth:`apply`."""
        return self._plan.apply(x, self._axis, False, out)

    def apply(self, x: npt.ArrayLike, *, out: Array | None = None) -> Array:
        """The transform of all signals of an array.

        Parameters
        ----------
        x : array_like
            Signals along the axis of the transform.
        out : ndarray, optional
            Array for the result, ``complex64`` or ``complex128`` as the result; it may be ``x``.

        Returns
        -------
        ndarray
            Transformed signals.

        Raises
        ------
        InputError
            If the axis has another length than the transform, and for an unsuitable ``out``.
        """
        return self._plan.apply(x, self._axis, False, out)

    def adjoint(self, y: npt.ArrayLike, *, out: Array | None = None) -> Array:
        """The adjoint transform (conjugate transpose) of all signals of an array.

        Parameters
        ----------
        y : array_like
            Signals in the shape of the results of :meth:`apply`.
        out : ndarray, optional
            Array for the result.

        Returns
        -------
        ndarray
            Signals in the shape of the arguments of :meth:`apply`.

        Raises
        ------
        InputError
            As :meth:`apply`.
        """
        return self._plan.apply(y, self._axis, True, out)

    def vjp(self, gradient: npt.ArrayLike, *, out: Array | None = None) -> Array:
        """Gradient of a real loss with respect to the input: the adjoint of the gradient of the result.

        Parameters
        ----------
        gradient : array_like
            Gradient with respect to the result, ``dL/d re + i dL/d im``.
        out : ndarray, optional
            Array for the result.

        Returns
        -------
        ndarray
            Gradient with respect to the input. For a real input it is the real part.
        """
        return self._plan.apply(gradient, self._axis, True, out)

    @property
    def axis(self) -> int:
        """Axis of the signals."""
        return self._axis


class _OfOrder(_Transform):
    """Planned transform of a fractional order."""

    __slots__ = ("_n", "_order")

    _n: int
    _order: float

    @property
    def n(self) -> int:
        """Number of samples of a signal."""
        return self._n

    @property
    def order(self) -> float:
        """Order a, as given."""
        return self._order

    @property
    def coordinates(self) -> Array:
        """Points ``(j - n // 2) / sqrt(n)`` of samples and results."""
        return self._plan.coordinates()

    def vjp_order(self, x: npt.ArrayLike, gradient: npt.ArrayLike) -> float:
        """Gradient of a real loss with respect to the order.

        Parameters
        ----------
        x : array_like
            Signals that were transformed.
        gradient : array_like
            Gradient with respect to their transforms, ``dL/d re + i dL/d im``, in the same shape.

        Returns
        -------
        float
            Derivative with respect to the order, exact and summed over all signals in double precision.

        Raises
        ------
        InputError
            If the shapes differ or do not fit the transform.
        """
        return self._plan.vjp_order(x, gradient, self._axis)

    def at(self, order: float) -> Self:
        """The transform of another order, which shares what does not depend on the order.

        Parameters
        ----------
        order : float
            Order a, any finite number.

        Returns
        -------
        FractionalFourier or DiscreteFractionalFourier
            Transform of the same length along the same axis.
        """
        other = object.__new__(type(self))
        other._plan = self._plan.at(order)
        other._n, other._order, other._axis = self._n, float(order), self._axis
        return other

    def __repr__(self) -> str:
        axis = "" if self._axis == -1 else f", axis={self._axis}"
        return f"{type(self).__name__}({self._n}, {self._order!r}{axis})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), (self._n, self._order), self._axis)


def _again(cls: type, arguments: tuple[Any, ...], axis: int) -> Any:
    """A transform from its parameters."""
    return cls(*arguments, axis=axis)


class FractionalFourier(_OfOrder):
    r"""Fractional Fourier transform of sampled data, planned for a length and an order.

    .. math:: F^a f(u) = \sqrt{1 - i \cot \phi} \int f(x)\,
        e^{i \pi (\cot \phi\, u^2 - 2 \csc \phi\, u x + \cot \phi\, x^2)}\, dx, \quad \phi = a \pi / 2

    Order 1 is the unitary Fourier transform with the kernel ``exp(-2 pi i u x)``, 2 the reversal, -1 the inverse
    transform, 4 the identity.

    Parameters
    ----------
    n : int
        Number of samples, 2 to 2**25. Sample j is at ``(j - n // 2) / sqrt(n)``, before and after.
    order : float
        Order a, any finite number.
    axis : int, default -1
        Axis of the signals.

    Raises
    ------
    InputError
        For a length or an order outside its range.

    Notes
    -----
    Two FFTs of length n and three of about 2 n for a signal. For signals inside the circle of radius ``sqrt(n) / 2`` in
    time and frequency the error is 3e-15 of the largest value at n = 256; what is outside is aliased, and the
    transform is not unitary there: :class:`DiscreteFractionalFourier` is, for any data. Ozaktas, Arikan, Kutay
    and Bozdagi, IEEE Trans. Signal Process. 44 (1996) 2141.

    Examples
    --------
    >>> import hpfracc
    >>> import numpy as np
    >>> transform = hpfracc.FractionalFourier(128, 0.25)
    >>> gaussian = np.exp(-np.pi * transform.coordinates**2)
    >>> y = transform(gaussian)  # its own transform
    >>> bool(abs(y - gaussian).max() < 1e-14)
    True
    >>> back = transform.at(-0.25)(y)
    >>> bool(abs(back - gaussian).max() < 1e-14)
    True
    """

    __slots__ = ()

    def __init__(self, n: int, order: float, *, axis: int = -1) -> None:
        self._n = _count("n", n)
        self._order = float(order)
        self._axis = _whole("axis", axis)
        self._plan = _hpfracc.TransformPlan.sampled(self._n, self._order)


class DiscreteFractionalFourier(_OfOrder):
    r"""Discrete fractional Fourier transform, a power of the unitary DFT matrix, planned for a length and an order.

    .. math:: y = V \operatorname{diag}(e^{-i \pi a k / 2}) V^T x

    The columns of V are discrete Hermite-Gauss functions, common eigenvectors of the DFT and a tridiagonal matrix.

    Parameters
    ----------
    n : int
        Number of samples, 2 to 2048. Sample j is at ``(j - n // 2) / sqrt(n)``.
    order : float
        Order a, any finite number: 1 is the centred unitary DFT, 2 the reversal, 4 the identity.
    axis : int, default -1
        Axis of the signals.

    Raises
    ------
    InputError
        For a length or an order outside its range.

    Notes
    -----
    Unitary and additive in the order for any data, to rounding; it approaches the integral with an error of O(1 / n).
    The eigenvectors take O(n**3) operations once, seconds for n = 2048; transforms made by :meth:`at`
    share them. A signal takes ``n**2`` products. Candan, Kutay and Ozaktas, IEEE Trans. Signal Process. 48 (2000) 1329.

    Examples
    --------
    >>> import hpfracc
    >>> import numpy as np
    >>> third = hpfracc.DiscreteFractionalFourier(65, 1 / 3)
    >>> x = np.random.default_rng(1).normal(size=65)
    >>> y = third.at(2 / 3)(third(x))  # the DFT
    >>> bool(abs(y[32] - x.sum() / np.sqrt(65)) < 1e-12)
    True
    """

    __slots__ = ()

    def __init__(self, n: int, order: float, *, axis: int = -1) -> None:
        self._n = _count("n", n)
        self._order = float(order)
        self._axis = _whole("axis", axis)
        self._plan = _hpfracc.TransformPlan.discrete(self._n, self._order)


class FractionalDft(_Transform):
    r"""DFT with frequencies any distance apart, the chirp-z transform on the unit circle, planned for its sizes.

    .. math:: G_k = \sum_{j=0}^{n-1} x_j e^{-2 \pi i j (f + k c)}, \quad k = 0, \ldots, m - 1

    Parameters
    ----------
    n : int
        Number of samples, 1 to 2**25.
    step : float
        Distance c of the frequencies, in cycles per sample; ``1 / n`` is that of the DFT.
    m : int, optional
        Number of frequencies, by default n.
    first : float, default 0
        First frequency f, in cycles per sample.
    axis : int, default -1
        Axis of the signals.

    Raises
    ------
    InputError
        For sizes and frequencies outside their range.

    Notes
    -----
    Two FFTs of a length of at least n + m - 1 for a signal. Errors below 1e-15 of the Euclidean norm of the
    signal up to n = 1e6. Bailey and Swarztrauber, SIAM Rev. 33 (1991) 389.

    Examples
    --------
    >>> import hpfracc
    >>> import numpy as np
    >>> x = np.exp(2j * np.pi * 0.123 * np.arange(1000))
    >>> zoom = hpfracc.FractionalDft(1000, 0.0005, 13, first=0.12)
    >>> int(abs(zoom(x)).argmax()), float(zoom.frequencies[6].round(6))
    (6, 0.123)
    """

    __slots__ = ("_first", "_m", "_n", "_step")

    def __init__(self, n: int, step: float, m: int | None = None, *, first: float = 0.0, axis: int = -1) -> None:
        self._n = _count("n", n)
        self._m = self._n if m is None else _count("m", m)
        self._first = float(first)
        self._step = float(step)
        self._axis = _whole("axis", axis)
        self._plan = _hpfracc.TransformPlan.dft(self._n, self._m, self._first, self._step)

    @property
    def n(self) -> int:
        """Number of samples of a signal."""
        return self._n

    @property
    def m(self) -> int:
        """Number of frequencies."""
        return self._m

    @property
    def step(self) -> float:
        """Distance of the frequencies, in cycles per sample."""
        return self._step

    @property
    def first(self) -> float:
        """First frequency, in cycles per sample."""
        return self._first

    @property
    def frequencies(self) -> Array:
        """Frequencies, in cycles per sample."""
        return self._plan.coordinates()

    def __repr__(self) -> str:
        axis = "" if self._axis == -1 else f", axis={self._axis}"
        return f"FractionalDft({self._n}, {self._step!r}, {self._m}, first={self._first!r}{axis})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _dft_again, (self._n, self._step, self._m, self._first, self._axis)


def _dft_again(n: int, step: float, m: int, first: float, axis: int) -> FractionalDft:
    """A fractional DFT from its parameters."""
    return FractionalDft(n, step, m, first=first, axis=axis)


@functools.lru_cache(maxsize=8)
def _sampled(n: int, order: float) -> _hpfracc.TransformPlan:
    return _hpfracc.TransformPlan.sampled(n, order)


@functools.lru_cache(maxsize=4)
def _eigenvectors(n: int) -> _hpfracc.TransformPlan:
    return _hpfracc.TransformPlan.discrete(n, 0.0)


@functools.lru_cache(maxsize=8)
def _discrete(n: int, order: float) -> _hpfracc.TransformPlan:
    return _eigenvectors(n).at(order)


@functools.lru_cache(maxsize=8)
def _dft(n: int, m: int, first: float, step: float) -> _hpfracc.TransformPlan:
    return _hpfracc.TransformPlan.dft(n, m, first, step)


def frft(x: npt.ArrayLike, order: float, *, axis: int = -1, out: Array | None = None) -> Array:
    r"""Fractional Fourier transform of sampled data; :class:`FractionalFourier` has formula, grid and accuracy.

    Parameters
    ----------
    x : array_like
        Signals, real or complex, of 2 to 2**25 samples.
    order : float
        Order a: 1 is the Fourier transform, 2 the reversal, -1 the inverse Fourier transform.
    axis : int, default -1
        Axis of the signals.
    out : ndarray, optional
        Array for the result.

    Returns
    -------
    ndarray
        Transformed signals, complex, in the shape of ``x``.

    Raises
    ------
    InputError
        For lengths, orders and axes outside their range.

    Notes
    -----
    The plans of the last eight pairs of length and order are kept.

    Examples
    --------
    >>> import hpfracc
    >>> import numpy as np
    >>> u = (np.arange(256) - 128) / 16
    >>> y = hpfracc.frft(np.exp(-np.pi * (u - 1) ** 2), 1.0)  # exp(-pi u^2 - 2 pi i u)
    >>> bool(abs(y - np.exp(-np.pi * u**2 - 2j * np.pi * u)).max() < 1e-14)
    True
    """
    return _sampled(_length(x, axis), float(order)).apply(x, axis, False, out)


def dfrft(x: npt.ArrayLike, order: float, *, axis: int = -1, out: Array | None = None) -> Array:
    r"""Discrete fractional Fourier transform; :class:`DiscreteFractionalFourier` has formula, cost and source.

    Parameters
    ----------
    x : array_like
        Signals, real or complex, of 2 to 2048 samples.
    order : float
        Order a: 1 is the centred unitary DFT, 2 the reversal.
    axis : int, default -1
        Axis of the signals.
    out : ndarray, optional
        Array for the result.

    Returns
    -------
    ndarray
        Transformed signals, complex, in the shape of ``x``.

    Raises
    ------
    InputError
        For lengths, orders and axes outside their range.

    Notes
    -----
    The eigenvectors of the last four lengths are kept.

    Examples
    --------
    >>> import hpfracc
    >>> import numpy as np
    >>> x = np.random.default_rng(1).normal(size=(3, 32))
    >>> y = hpfracc.dfrft(hpfracc.dfrft(x, 0.3), -0.3)
    >>> bool(abs(y - x).max() < 1e-13)
    True
    """
    return _discrete(_length(x, axis), float(order)).apply(x, axis, False, out)


def fractional_dft(
    x: npt.ArrayLike,
    step: float,
    m: int | None = None,
    *,
    first: float = 0.0,
    axis: int = -1,
    out: Array | None = None,
) -> Array:
    r"""DFT with frequencies any distance apart (chirp-z transform); :class:`FractionalDft` has the formula.

    Parameters
    ----------
    x : array_like
        Signals, real or complex, of n samples.
    step : float
        Distance of the frequencies, in cycles per sample; ``1 / n`` is that of the DFT.
    m : int, optional
        Number of frequencies, by default n.
    first : float, default 0
        First frequency, in cycles per sample.
    axis : int, default -1
        Axis of the signals.
    out : ndarray, optional
        Array for the result.

    Returns
    -------
    ndarray
        Values at the frequencies ``first + k * step``; the axis has length m.

    Raises
    ------
    InputError
        For sizes, frequencies and axes outside their range.

    Examples
    --------
    >>> import hpfracc
    >>> import numpy as np
    >>> x = np.random.default_rng(1).normal(size=100)
    >>> bool(np.allclose(hpfracc.fractional_dft(x, 1 / 100), np.fft.fft(x)))
    True
    """
    n = _length(x, axis)
    m = n if m is None else _count("m", m)
    return _dft(n, m, float(first), float(step)).apply(x, axis, False, out)
