"""Fractional derivatives and integrals of arrays: a function for each definition.

Written by `tools/operators.py` from the catalogue of the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._hpfracc import Operator, Stream, definitions
from ._hpfracc import apply as _apply

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from .backends import Machine

__all__ = [
    "Operator",
    "Stream",
    "definitions",
    "caputo",
    "riemann_liouville",
    "grunwald_letnikov",
    "rl_integral",
    "tempered_riemann_liouville",
    "tempered_caputo",
    "tempered_normalised",
    "tempered_integral",
    "caputo_fabrizio",
    "caputo_fabrizio_integral",
    "atangana_baleanu_caputo",
    "atangana_baleanu_riemann",
    "atangana_baleanu_integral",
    "prabhakar_integral",
    "prabhakar_caputo",
    "prabhakar_riemann_liouville",
    "marchaud",
    "miller_ross",
    "hadamard_integral",
    "hadamard",
    "hadamard_caputo",
    "katugampola_integral",
    "katugampola",
    "katugampola_caputo",
    "erdelyi_kober",
    "weyl",
    "riesz",
    "riesz_feller",
    "fractional_laplacian",
    "dirichlet_laplacian",
    "neumann_laplacian",
    "variable_order_time",
    "variable_order_sample",
    "variable_order_lag",
    "distributed_order",
]


def caputo(
    x: ArrayLike,
    alpha: float,
    *,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Caputo derivative of order alpha.

    ``1/Gamma(m-alpha) int_0^t (t-s)^(m-alpha-1) f^(m)(s) ds, m = ceil(alpha)``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1; 1 < alpha < 2; 0 <= alpha <= 20, depending on the scheme.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ===========  ================  ===========================  ======================
    scheme       orders            order of accuracy            cost
    ===========  ================  ===========================  ======================
    l1           0 < alpha < 1     2 - alpha                    one causal convolution
    l1-2         0 < alpha < 1     3 - alpha                    one causal convolution
    l2-1sigma    0 < alpha < 1     3 - alpha, at t - alpha h/2  one causal convolution
    l2-midpoint  1 < alpha < 2     3 - alpha                    one causal convolution
    bdf2         0 <= alpha <= 20  2                            one causal convolution
    bdf3         0 <= alpha <= 20  3                            one causal convolution
    bdf4         0 <= alpha <= 20  4                            one causal convolution
    bdf5         0 <= alpha <= 20  4; 5 if f'' = f''' = 0 at 0  one causal convolution
    bdf6         0 <= alpha <= 20  4; 6 if f'' = f''' = 0 at 0  one causal convolution
    bdf1         0 <= alpha <= 20  1                            one causal convolution
    ===========  ================  ===========================  ======================

    Of constants: 0.

    Of powers: t^q -> Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha); 0 for q = 0, .., m-1.

    Relation: Riemann-Liouville of f without its Taylor polynomial of degree m-1 at the start.

    Source: Caputo, Geophys. J. Int. 13 (1967) 529, DOI 10.1111/j.1365-246X.1967.tb02303.x.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.caputo(np.sin(t), 0.2, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.679979
    """
    arguments = ("caputo", alpha, dt, t, scheme, tolerance, None, machine)
    return _apply(x, arguments, axis, out)


def riemann_liouville(
    x: ArrayLike,
    alpha: float,
    *,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Riemann-Liouville derivative of order alpha.

    ``d^m/dt^m 1/Gamma(m-alpha) int_0^t (t-s)^(m-alpha-1) f(s) ds, m = ceil(alpha)``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1; 0 <= alpha <= 20, depending on the scheme.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  ================  ===========================  ======================
    scheme  orders            order of accuracy            cost
    ======  ================  ===========================  ======================
    l1      0 < alpha < 1     2 - alpha                    one causal convolution
    bdf2    0 <= alpha <= 20  2                            one causal convolution
    bdf3    0 <= alpha <= 20  3                            one causal convolution
    bdf4    0 <= alpha <= 20  4                            one causal convolution
    bdf5    0 <= alpha <= 20  4; 5 if f'' = f''' = 0 at 0  one causal convolution
    bdf6    0 <= alpha <= 20  4; 6 if f'' = f''' = 0 at 0  one causal convolution
    bdf1    0 <= alpha <= 20  1                            one causal convolution
    ======  ================  ===========================  ======================

    Of constants: c -> c t^-alpha/Gamma(1-alpha).

    Of powers: t^q -> Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha), q > -1.

    Relation: left inverse of the Riemann-Liouville integral; Caputo plus f^(k)(0) t^(k-alpha)/Gamma(k+1-alpha), k <
    m.

    Source: Samko, Kilbas and Marichev, Fractional Integrals and Derivatives (1993), section 2.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.riemann_liouville(np.sin(t), 0.2, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.679979
    """
    arguments = ("riemann-liouville", alpha, dt, t, scheme, tolerance, None, machine)
    return _apply(x, arguments, axis, out)


def grunwald_letnikov(
    x: ArrayLike,
    alpha: float,
    *,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Grünwald-Letnikov derivative of order alpha.

    ``lim h^-alpha sum_k (-1)^k C(alpha, k) f(t - k h), h -> 0``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: alpha >= 0, depending on the scheme.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ========  ==========  =================  ======================
    scheme    orders      order of accuracy  cost
    ========  ==========  =================  ======================
    standard  alpha >= 0  1                  one causal convolution
    shifted   alpha >= 0  1                  one causal convolution
    bdf1      alpha >= 0  1                  one causal convolution
    bdf2      alpha >= 0  2 if f flat at 0   one causal convolution
    bdf3      alpha >= 0  3 if f flat at 0   one causal convolution
    bdf4      alpha >= 0  4 if f flat at 0   one causal convolution
    bdf5      alpha >= 0  5 if f flat at 0   one causal convolution
    bdf6      alpha >= 0  6 if f flat at 0   one causal convolution
    ========  ==========  =================  ======================

    Of constants: c -> c t^-alpha/Gamma(1-alpha).

    Of powers: t^q -> Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha).

    Relation: equals Riemann-Liouville started at the first sample.

    Source: Podlubny, Fractional Differential Equations (1999), section 2.2.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.grunwald_letnikov(np.sin(t), 0.4, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.420772
    """
    arguments = ("grunwald-letnikov", alpha, dt, t, scheme, tolerance, None, machine)
    return _apply(x, arguments, axis, out)


def rl_integral(
    x: ArrayLike,
    alpha: float,
    *,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Riemann-Liouville integral of order alpha.

    ``1/Gamma(alpha) int_0^t (t-s)^(alpha-1) f(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha <= 20, depending on the scheme.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =========  ===============  =================  ======================
    scheme     orders           order of accuracy  cost
    =========  ===============  =================  ======================
    trapezoid  0 < alpha <= 20  2                  one causal convolution
    simpson    0 < alpha <= 20  min(4, 3 + alpha)  one causal convolution
    rectangle  0 < alpha <= 20  1                  one causal convolution
    =========  ===============  =================  ======================

    Of constants: c -> c t^alpha/Gamma(1+alpha).

    Of powers: t^q -> Gamma(q+1)/Gamma(q+1+alpha) t^(q+alpha).

    Relation: integrals compose: I^a I^b = I^(a+b); the Riemann-Liouville derivative undoes it.

    Source: Samko, Kilbas and Marichev, Fractional Integrals and Derivatives (1993), section 2.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.rl_integral(np.sin(t), 0.4, dt=0.01)
    >>> round(float(y[-1]), 6)
    1.244322
    """
    arguments = ("rl-integral", alpha, dt, t, scheme, tolerance, None, machine)
    return _apply(x, arguments, axis, out)


def tempered_riemann_liouville(
    x: ArrayLike,
    alpha: float,
    *,
    lambda_: float,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """tempered Riemann-Liouville derivative of order alpha.

    ``exp(-lambda t) D^alpha (exp(lambda t) f), D^alpha of Riemann and Liouville``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1; 0 < alpha < 2, depending on the scheme.
    lambda_ : float
        Decay of the memory, in 1/time; 0 is the plain operator: lambda >= 0.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =================  =============  =================  ======================
    scheme             orders         order of accuracy  cost
    =================  =============  =================  ======================
    l1                 0 < alpha < 1  2 - alpha          one causal convolution
    grunwald-letnikov  0 < alpha < 2  1                  one causal convolution
    =================  =============  =================  ======================

    Of constants: c -> c lambda^alpha, once they have been there for long.

    Of powers: exp(-lambda t) t^q -> exp(-lambda t) Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha), q > -1.

    Relation: lambda = 0: Riemann-Liouville; left inverse of the tempered integral.

    Source: Meerschaert, Zhang and Baeumer, Geophys. Res. Lett. 35 (2008) L17403, DOI 10.1029/2008GL034899.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.tempered_riemann_liouville(np.sin(t), 0.2, lambda_=0.5, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.799739
    """
    arguments = ("tempered-riemann-liouville", alpha, dt, t, scheme, tolerance, {"lambda": lambda_}, machine)
    return _apply(x, arguments, axis, out)


def tempered_caputo(
    x: ArrayLike,
    alpha: float,
    *,
    lambda_: float,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """tempered Caputo derivative of order alpha.

    ``exp(-lambda t) D^alpha (exp(lambda t) f), D^alpha of Caputo``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    lambda_ : float
        Decay of the memory, in 1/time; 0 is the plain operator: lambda >= 0.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =================  =============  =================  ======================
    scheme             orders         order of accuracy  cost
    =================  =============  =================  ======================
    l1                 0 < alpha < 1  2 - alpha          one causal convolution
    grunwald-letnikov  0 < alpha < 1  1                  one causal convolution
    =================  =============  =================  ======================

    Of constants: c -> c lambda^alpha P(1-alpha, lambda t).

    Of powers: exp(-lambda t) t^q -> exp(-lambda t) Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha); 0 for q = 0.

    Relation: lambda = 0: Caputo; the tempered Riemann-Liouville derivative of f - f(0) exp(-lambda t).

    Source: Sabzikar, Meerschaert and Chen, J. Comput. Phys. 293 (2015) 14, DOI 10.1016/j.jcp.2014.04.024.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.tempered_caputo(np.sin(t), 0.2, lambda_=0.5, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.799739
    """
    arguments = ("tempered-caputo", alpha, dt, t, scheme, tolerance, {"lambda": lambda_}, machine)
    return _apply(x, arguments, axis, out)


def tempered_normalised(
    x: ArrayLike,
    alpha: float,
    *,
    lambda_: float,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """normalised tempered derivative of order alpha.

    ``exp(-lambda t) D^alpha (exp(lambda t) f) - lambda^alpha f, less alpha lambda^(alpha-1) f' for alpha > 1``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1; 0 < alpha < 2, depending on the scheme.
    lambda_ : float
        Decay of the memory, in 1/time; 0 is the plain operator: lambda >= 0.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =================  =============  =================  ======================
    scheme             orders         order of accuracy  cost
    =================  =============  =================  ======================
    l1                 0 < alpha < 1  2 - alpha          one causal convolution
    grunwald-letnikov  0 < alpha < 2  1                  one causal convolution
    =================  =============  =================  ======================

    Of constants: 0, once they have been there for long.

    Of powers: as the tempered Riemann-Liouville derivative, less the terms of the formula.

    Relation: generator of tempered stable random walks.

    Source: Baeumer and Meerschaert, J. Comput. Appl. Math. 233 (2010) 2438, DOI 10.1016/j.cam.2009.10.027.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.tempered_normalised(np.sin(t), 0.2, lambda_=0.5, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.00815
    """
    arguments = ("tempered-normalised", alpha, dt, t, scheme, tolerance, {"lambda": lambda_}, machine)
    return _apply(x, arguments, axis, out)


def tempered_integral(
    x: ArrayLike,
    alpha: float,
    *,
    lambda_: float,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """tempered Riemann-Liouville integral of order alpha.

    ``1/Gamma(alpha) int_0^t exp(-lambda (t-s)) (t-s)^(alpha-1) f(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha <= 20, depending on the scheme.
    lambda_ : float
        Decay of the memory, in 1/time; 0 is the plain operator: lambda >= 0.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =========  ===============  =================  ======================
    scheme     orders           order of accuracy  cost
    =========  ===============  =================  ======================
    trapezoid  0 < alpha <= 20  2                  one causal convolution
    =========  ===============  =================  ======================

    Of constants: c -> c lambda^-alpha P(alpha, lambda t).

    Of powers: exp(-lambda t) t^q -> exp(-lambda t) Gamma(q+1)/Gamma(q+1+alpha) t^(q+alpha).

    Relation: lambda = 0: Riemann-Liouville; integrals of one lambda compose.

    Source: Meerschaert, Zhang and Baeumer, Geophys. Res. Lett. 35 (2008) L17403, DOI 10.1029/2008GL034899.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.tempered_integral(np.sin(t), 0.4, lambda_=0.5, dt=0.01)
    >>> round(float(y[-1]), 6)
    1.02611
    """
    arguments = ("tempered-integral", alpha, dt, t, scheme, tolerance, {"lambda": lambda_}, machine)
    return _apply(x, arguments, axis, out)


def caputo_fabrizio(
    x: ArrayLike,
    alpha: float,
    *,
    normalisation: float = 0.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Caputo-Fabrizio derivative of order alpha.

    ``M/(1-alpha) int_0^t exp(-l (t-s)) f'(s) ds, l = alpha/(1-alpha)``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 <= alpha <= 1, depending on the scheme.
    normalisation : float
        0: 1, 1: 1 - alpha + alpha/Gamma(alpha), 2: 2/(2-alpha): 0, 1 or 2, 0 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ==========  ===============  =================  ========
    scheme      orders           order of accuracy  cost
    ==========  ===============  =================  ========
    recurrence  0 <= alpha <= 1  2; 1 at alpha = 1  one pass
    ==========  ===============  =================  ========

    Of constants: 0.

    Of powers: t -> M/alpha (1 - exp(-l t)); t^q -> M/(1-alpha) Gamma(q+1) t^q E_{1,q+1}(-l t), q > 0.

    Relation: 0 at the start, whatever f' is there; Caputo's with another kernel.

    Source: Caputo and Fabrizio, Progr. Fract. Differ. Appl. 1 (2015) 73, DOI 10.12785/pfda/010201.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.caputo_fabrizio(np.sin(t), 0.2, normalisation=1, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.648682
    """
    arguments = ("caputo-fabrizio", alpha, dt, t, scheme, tolerance, {"normalisation": normalisation}, machine)
    return _apply(x, arguments, axis, out)


def caputo_fabrizio_integral(
    x: ArrayLike,
    alpha: float,
    *,
    normalisation: float = 0.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Caputo-Fabrizio integral of order alpha.

    ``(1-alpha)/M f + alpha/M int_0^t f(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 <= alpha <= 1, depending on the scheme.
    normalisation : float
        0: 1, 1: 1 - alpha + alpha/Gamma(alpha), 2: 2/(2-alpha): 0, 1 or 2, 0 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ==========  ===============  =================  ========
    scheme      orders           order of accuracy  cost
    ==========  ===============  =================  ========
    recurrence  0 <= alpha <= 1  2                  one pass
    ==========  ===============  =================  ========

    Of constants: c -> c (1-alpha)/M + c alpha/M t.

    Of powers: t^q -> (1-alpha)/M t^q + alpha/M t^(q+1)/(q+1).

    Relation: gives f - f(0) from the Caputo-Fabrizio derivative of f.

    Source: Losada and Nieto, Progr. Fract. Differ. Appl. 1 (2015) 87, DOI 10.12785/pfda/010202.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.caputo_fabrizio_integral(np.sin(t), 0.2, normalisation=1, dt=0.01)
    >>> round(float(y[-1]), 6)
    1.198088
    """
    arguments = ("caputo-fabrizio-integral", alpha, dt, t, scheme, tolerance, {"normalisation": normalisation}, machine)
    return _apply(x, arguments, axis, out)


def atangana_baleanu_caputo(
    x: ArrayLike,
    alpha: float,
    *,
    normalisation: float = 0.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Atangana-Baleanu derivative in the sense of Caputo of order alpha.

    ``B/(1-alpha) int_0^t E_alpha(-l (t-s)^alpha) f'(s) ds, l = alpha/(1-alpha)``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    normalisation : float
        0: 1, 1: 1 - alpha + alpha/Gamma(alpha), 2: 2/(2-alpha): 0, 1 or 2, 0 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  =============  =================  ======================
    scheme  orders         order of accuracy  cost
    ======  =============  =================  ======================
    l1      0 < alpha < 1  2                  one causal convolution
    ======  =============  =================  ======================

    Of constants: 0.

    Of powers: t^q -> B/(1-alpha) Gamma(q+1) t^q E_{alpha,q+1}(-l t^alpha), q > 0.

    Relation: 0 at the start, whatever f' is there; Caputo's with another kernel.

    Source: Atangana and Baleanu, Thermal Science 20 (2016) 763, DOI 10.2298/TSCI160111018A.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.atangana_baleanu_caputo(np.sin(t), 0.2, normalisation=1, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.733579
    """
    arguments = ("atangana-baleanu-caputo", alpha, dt, t, scheme, tolerance, {"normalisation": normalisation}, machine)
    return _apply(x, arguments, axis, out)


def atangana_baleanu_riemann(
    x: ArrayLike,
    alpha: float,
    *,
    normalisation: float = 0.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Atangana-Baleanu derivative in the sense of Riemann of order alpha.

    ``d/dt B/(1-alpha) int_0^t E_alpha(-l (t-s)^alpha) f(s) ds, l = alpha/(1-alpha)``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    normalisation : float
        0: 1, 1: 1 - alpha + alpha/Gamma(alpha), 2: 2/(2-alpha): 0, 1 or 2, 0 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  =============  =================  ======================
    scheme  orders         order of accuracy  cost
    ======  =============  =================  ======================
    l1      0 < alpha < 1  2                  one causal convolution
    ======  =============  =================  ======================

    Of constants: c -> c B/(1-alpha) E_alpha(-l t^alpha).

    Of powers: t^q -> B/(1-alpha) Gamma(q+1) t^q E_{alpha,q+1}(-l t^alpha), q > -1.

    Relation: that in the sense of Caputo plus f(0) B/(1-alpha) E_alpha(-l t^alpha).

    Source: Atangana and Baleanu, Thermal Science 20 (2016) 763, DOI 10.2298/TSCI160111018A.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.atangana_baleanu_riemann(np.sin(t), 0.2, normalisation=1, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.733579
    """
    arguments = ("atangana-baleanu-riemann", alpha, dt, t, scheme, tolerance, {"normalisation": normalisation}, machine)
    return _apply(x, arguments, axis, out)


def atangana_baleanu_integral(
    x: ArrayLike,
    alpha: float,
    *,
    normalisation: float = 0.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Atangana-Baleanu integral of order alpha.

    ``(1-alpha)/B f + alpha/B I^alpha f``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    normalisation : float
        0: 1, 1: 1 - alpha + alpha/Gamma(alpha), 2: 2/(2-alpha): 0, 1 or 2, 0 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =========  =============  =================  ======================
    scheme     orders         order of accuracy  cost
    =========  =============  =================  ======================
    trapezoid  0 < alpha < 1  2                  one causal convolution
    =========  =============  =================  ======================

    Of constants: c -> c (1-alpha)/B + c alpha/B t^alpha/Gamma(1+alpha).

    Of powers: t^q -> (1-alpha)/B t^q + alpha/B Gamma(q+1)/Gamma(q+1+alpha) t^(q+alpha).

    Relation: undoes the derivative in the sense of Riemann.

    Source: Atangana and Baleanu, Thermal Science 20 (2016) 763, DOI 10.2298/TSCI160111018A.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.atangana_baleanu_integral(np.sin(t), 0.2, normalisation=1, dt=0.01)
    >>> round(float(y[-1]), 6)
    1.122881
    """
    arguments = ("atangana-baleanu-integral", alpha, dt, t, scheme, tolerance, {"normalisation": normalisation}, machine)
    return _apply(x, arguments, axis, out)


def prabhakar_integral(
    x: ArrayLike,
    alpha: float,
    *,
    rho: float,
    gamma: float,
    omega: float = -1.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Prabhakar integral of order alpha.

    ``int_0^t (t-s)^(alpha-1) E^gamma_{rho,alpha}(omega (t-s)^rho) f(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha <= 2, depending on the scheme.
    rho : float
        Power of t in the argument of the kernel: 0 < rho <= 2.
    gamma : float
        Third parameter of the Mittag-Leffler function; 0 is the plain operator: -2 <= gamma <= 2.
    omega : float
        Factor in the argument of the kernel, in time^-rho: a finite number, -1 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =========  ==============  =================  ======================
    scheme     orders          order of accuracy  cost
    =========  ==============  =================  ======================
    trapezoid  0 < alpha <= 2  2                  one causal convolution
    =========  ==============  =================  ======================

    Of constants: c -> c t^alpha E^gamma_{rho,alpha+1}(omega t^rho).

    Of powers: t^q -> Gamma(q+1) t^(q+alpha) E^gamma_{rho,q+1+alpha}(omega t^rho).

    Relation: gamma = 0: Riemann-Liouville integral; orders and gammas add.

    Source: Prabhakar, Yokohama Math. J. 19 (1971) 7; Giusti et al., Fract. Calc. Appl. Anal. 23 (2020) 9, DOI
    10.1515/fca-2020-0002.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.prabhakar_integral(np.sin(t), 0.5, rho=0.6, gamma=1.5, omega=-0.8, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.450824
    """
    arguments = ("prabhakar-integral", alpha, dt, t, scheme, tolerance, {"rho": rho, "gamma": gamma, "omega": omega}, machine)
    return _apply(x, arguments, axis, out)


def prabhakar_caputo(
    x: ArrayLike,
    alpha: float,
    *,
    rho: float,
    gamma: float,
    omega: float = -1.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """regularised Prabhakar derivative of order alpha.

    ``int_0^t (t-s)^-alpha E^{-gamma}_{rho,1-alpha}(omega (t-s)^rho) f'(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    rho : float
        Power of t in the argument of the kernel: 0 < rho <= 2.
    gamma : float
        Third parameter of the Mittag-Leffler function; 0 is the plain operator: -2 <= gamma <= 2.
    omega : float
        Factor in the argument of the kernel, in time^-rho: a finite number, -1 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  =============  =================  ======================
    scheme  orders         order of accuracy  cost
    ======  =============  =================  ======================
    l1      0 < alpha < 1  2 - alpha          one causal convolution
    ======  =============  =================  ======================

    Of constants: 0.

    Of powers: t^q -> Gamma(q+1) t^(q-alpha) E^{-gamma}_{rho,q+1-alpha}(omega t^rho), q > 0.

    Relation: gamma = 0: Caputo; the Prabhakar derivative of f - f(0).

    Source: Garra, Gorenflo, Polito and Tomovski, Appl. Math. Comput. 242 (2014) 576, DOI 10.1016/j.amc.2014.05.129.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.prabhakar_caputo(np.sin(t), 0.2, rho=0.6, gamma=1.5, omega=-0.8, dt=0.01)
    >>> round(float(y[-1]), 6)
    2.479619
    """
    arguments = ("prabhakar-caputo", alpha, dt, t, scheme, tolerance, {"rho": rho, "gamma": gamma, "omega": omega}, machine)
    return _apply(x, arguments, axis, out)


def prabhakar_riemann_liouville(
    x: ArrayLike,
    alpha: float,
    *,
    rho: float,
    gamma: float,
    omega: float = -1.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Prabhakar derivative of order alpha.

    ``d/dt int_0^t (t-s)^-alpha E^{-gamma}_{rho,1-alpha}(omega (t-s)^rho) f(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    rho : float
        Power of t in the argument of the kernel: 0 < rho <= 2.
    gamma : float
        Third parameter of the Mittag-Leffler function; 0 is the plain operator: -2 <= gamma <= 2.
    omega : float
        Factor in the argument of the kernel, in time^-rho: a finite number, -1 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  =============  =================  ======================
    scheme  orders         order of accuracy  cost
    ======  =============  =================  ======================
    l1      0 < alpha < 1  2 - alpha          one causal convolution
    ======  =============  =================  ======================

    Of constants: c -> c t^-alpha E^{-gamma}_{rho,1-alpha}(omega t^rho).

    Of powers: t^q -> Gamma(q+1) t^(q-alpha) E^{-gamma}_{rho,q+1-alpha}(omega t^rho), q > -1.

    Relation: gamma = 0: Riemann-Liouville; left inverse of the Prabhakar integral.

    Source: Garra, Gorenflo, Polito and Tomovski, Appl. Math. Comput. 242 (2014) 576, DOI 10.1016/j.amc.2014.05.129.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.prabhakar_riemann_liouville(np.sin(t), 0.2, rho=0.6, gamma=1.5, omega=-0.8, dt=0.01)
    >>> round(float(y[-1]), 6)
    2.479619
    """
    arguments = ("prabhakar-riemann-liouville", alpha, dt, t, scheme, tolerance, {"rho": rho, "gamma": gamma, "omega": omega}, machine)
    return _apply(x, arguments, axis, out)


def marchaud(
    x: ArrayLike,
    alpha: float,
    *,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Marchaud derivative of order alpha.

    ``alpha/Gamma(1-alpha) int_0^inf (f(t) - f(t-s)) s^(-1-alpha) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ==============  =============  =================  ======================
    scheme          orders         order of accuracy  cost
    ==============  =============  =================  ======================
    quadratic-zero  0 < alpha < 1  3 - alpha          one causal convolution
    quadratic-held  0 < alpha < 1  3 - alpha          one causal convolution
    linear-zero     0 < alpha < 1  2 - alpha          one causal convolution
    linear-held     0 < alpha < 1  2 - alpha          one causal convolution
    ==============  =============  =================  ======================

    Of constants: 0 if held before the first sample; c t^-alpha/Gamma(1-alpha) if zero before it.

    Of powers: t^q -> Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha), q > 0; exp(l t) -> l^alpha exp(l t) on the line.

    Relation: Riemann-Liouville with zero before the samples, Caputo with f(0) held, Weyl if periodic.

    Source: Marchaud, J. Math. Pures Appl. 6 (1927) 337.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.marchaud(np.sin(t), 0.2, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.679954
    """
    arguments = ("marchaud", alpha, dt, t, scheme, tolerance, None, machine)
    return _apply(x, arguments, axis, out)


def miller_ross(
    x: ArrayLike,
    alpha: float,
    *,
    times: float = 2.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Miller-Ross sequential derivative of order alpha.

    ``D^alpha D^alpha .. D^alpha f, times factors``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    times : float
        How many derivatives of order alpha follow each other: 1 or 2 with Caputo, a whole number from 1 to 8 with
        Riemann-Liouville factors, 2 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =================  =============  ==============================================  =========================
    scheme             orders         order of accuracy                               cost
    =================  =============  ==============================================  =========================
    caputo             0 < alpha < 1  2 - alpha; 3 - alpha if flat at 0 or times = 1  times causal convolutions
    riemann-liouville  0 < alpha < 1  2; 1 if f(0) is not 0                           times causal convolutions
    =================  =============  ==============================================  =========================

    Of constants: Caputo factors: 0; Riemann-Liouville factors: c -> c t^-(m alpha)/Gamma(1-m alpha).

    Of powers: t^q -> Gamma(q+1)/Gamma(q+1-m alpha) t^(q-m alpha), or 0 once a factor makes it 0.

    Relation: with Caputo factors not the Caputo derivative of order m alpha unless the record starts flat; with
    Riemann-Liouville factors that of order m alpha for bounded records.

    Source: Miller and Ross, An Introduction to the Fractional Calculus (1993), chapter VI.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.miller_ross(np.sin(t), 0.2, times=2, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.419051
    """
    arguments = ("miller-ross", alpha, dt, t, scheme, tolerance, {"times": times}, machine)
    return _apply(x, arguments, axis, out)


def hadamard_integral(
    x: ArrayLike,
    alpha: float,
    *,
    start: float,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Hadamard integral of order alpha.

    ``1/Gamma(alpha) int_t0^t (ln(t/s))^(alpha-1) f(s) ds/s``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha <= 2, depending on the scheme.
    start : float
        The time of the first sample, t0: start > 0.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =========  ==============  =================  ==========================================
    scheme     orders          order of accuracy  cost
    =========  ==============  =================  ==========================================
    trapezoid  0 < alpha <= 2  2                  a sum of exponentials, O(n K), K about 100
    =========  ==============  =================  ==========================================

    Of constants: c -> c ln(t/t0)^alpha/Gamma(1+alpha).

    Of powers: ln(t/t0)^q -> Gamma(q+1)/Gamma(q+1+alpha) ln(t/t0)^(q+alpha).

    Relation: Riemann-Liouville integral in ln t; Katugampola's as rho falls to 0.

    Source: Kilbas, Srivastava and Trujillo, Theory and Applications of Fractional Differential Equations (2006),
    section 2.7.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.hadamard_integral(np.sin(t), 0.5, start=1, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.890258
    """
    arguments = ("hadamard-integral", alpha, dt, t, scheme, tolerance, {"start": start}, machine)
    return _apply(x, arguments, axis, out)


def hadamard(
    x: ArrayLike,
    alpha: float,
    *,
    start: float,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Hadamard derivative of order alpha.

    ``t d/dt 1/Gamma(1-alpha) int_t0^t (ln(t/s))^-alpha f(s) ds/s``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    start : float
        The time of the first sample, t0: start > 0.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  =============  =================  ==========================================
    scheme  orders         order of accuracy  cost
    ======  =============  =================  ==========================================
    l1      0 < alpha < 1  2 - alpha          a sum of exponentials, O(n K), K about 100
    ======  =============  =================  ==========================================

    Of constants: c -> c ln(t/t0)^-alpha/Gamma(1-alpha).

    Of powers: ln(t/t0)^q -> Gamma(q+1)/Gamma(q+1-alpha) ln(t/t0)^(q-alpha), q > -1.

    Relation: Riemann-Liouville derivative in ln t; left inverse of the Hadamard integral.

    Source: Kilbas, Srivastava and Trujillo, Theory and Applications of Fractional Differential Equations (2006),
    section 2.7.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.hadamard(np.sin(t), 0.2, start=1, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.787435
    """
    arguments = ("hadamard", alpha, dt, t, scheme, tolerance, {"start": start}, machine)
    return _apply(x, arguments, axis, out)


def hadamard_caputo(
    x: ArrayLike,
    alpha: float,
    *,
    start: float,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Caputo-Hadamard derivative of order alpha.

    ``1/Gamma(1-alpha) int_t0^t (ln(t/s))^-alpha f'(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    start : float
        The time of the first sample, t0: start > 0.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  =============  =================  ==========================================
    scheme  orders         order of accuracy  cost
    ======  =============  =================  ==========================================
    l1      0 < alpha < 1  2 - alpha          a sum of exponentials, O(n K), K about 100
    ======  =============  =================  ==========================================

    Of constants: 0.

    Of powers: ln(t/t0)^q -> Gamma(q+1)/Gamma(q+1-alpha) ln(t/t0)^(q-alpha); 0 for q = 0.

    Relation: Caputo derivative in ln t; Hadamard derivative of f - f(t0).

    Source: Jarad, Abdeljawad and Baleanu, Adv. Differ. Equ. 2012:142, DOI 10.1186/1687-1847-2012-142.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.hadamard_caputo(np.sin(t), 0.2, start=1, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.787435
    """
    arguments = ("hadamard-caputo", alpha, dt, t, scheme, tolerance, {"start": start}, machine)
    return _apply(x, arguments, axis, out)


def katugampola_integral(
    x: ArrayLike,
    alpha: float,
    *,
    rho: float,
    start: float = 0.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Katugampola integral of order alpha.

    ``rho^(1-alpha)/Gamma(alpha) int_t0^t s^(rho-1) (t^rho-s^rho)^(alpha-1) f(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha <= 2, depending on the scheme.
    rho : float
        The power of t in which the operator is one of Riemann-Liouville: rho > 0.
    start : float
        The time of the first sample, t0: start >= 0, 0 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =========  ==============  ================================  ==========================================
    scheme     orders          order of accuracy                 cost
    =========  ==============  ================================  ==========================================
    trapezoid  0 < alpha <= 2  2 in t^rho; min(2, 1 + rho) in t  a sum of exponentials, O(n K), K about 100
    =========  ==============  ================================  ==========================================

    Of constants: c -> c x^alpha/Gamma(1+alpha), x = (t^rho-t0^rho)/rho.

    Of powers: t^q -> rho^-alpha Gamma(q/rho+1)/Gamma(q/rho+1+alpha) t^(q+alpha rho), t0 = 0.

    Relation: Riemann-Liouville integral in t^rho/rho; Hadamard's as rho falls to 0.

    Source: Katugampola, Appl. Math. Comput. 218 (2011) 860, DOI 10.1016/j.amc.2011.03.062.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.katugampola_integral(np.sin(t), 0.5, rho=1.5, start=0, dt=0.01)
    >>> round(float(y[-1]), 6)
    1.355583
    """
    arguments = ("katugampola-integral", alpha, dt, t, scheme, tolerance, {"rho": rho, "start": start}, machine)
    return _apply(x, arguments, axis, out)


def katugampola(
    x: ArrayLike,
    alpha: float,
    *,
    rho: float,
    start: float = 0.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Katugampola derivative of order alpha.

    ``t^(1-rho) d/dt rho^alpha/Gamma(1-alpha) int_t0^t s^(rho-1) (t^rho-s^rho)^-alpha f(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    rho : float
        The power of t in which the operator is one of Riemann-Liouville: rho > 0.
    start : float
        The time of the first sample, t0: start >= 0, 0 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  =============  ================================================  ==========================================
    scheme  orders         order of accuracy                                 cost
    ======  =============  ================================================  ==========================================
    l1      0 < alpha < 1  2 - alpha in t^rho; min(2 - alpha, 1 + rho) in t  a sum of exponentials, O(n K), K about 100
    ======  =============  ================================================  ==========================================

    Of constants: c -> c x^-alpha/Gamma(1-alpha), x = (t^rho-t0^rho)/rho.

    Of powers: t^q -> rho^alpha Gamma(q/rho+1)/Gamma(q/rho+1-alpha) t^(q-alpha rho), t0 = 0.

    Relation: Riemann-Liouville derivative in t^rho/rho; left inverse of the Katugampola integral.

    Source: Katugampola, Bull. Math. Anal. Appl. 6 (2014) 1.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.katugampola(np.sin(t), 0.2, rho=1.5, start=0, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.671357
    """
    arguments = ("katugampola", alpha, dt, t, scheme, tolerance, {"rho": rho, "start": start}, machine)
    return _apply(x, arguments, axis, out)


def katugampola_caputo(
    x: ArrayLike,
    alpha: float,
    *,
    rho: float,
    start: float = 0.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Caputo-Katugampola derivative of order alpha.

    ``rho^alpha/Gamma(1-alpha) int_t0^t (t^rho-s^rho)^-alpha f'(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha < 1, depending on the scheme.
    rho : float
        The power of t in which the operator is one of Riemann-Liouville: rho > 0.
    start : float
        The time of the first sample, t0: start >= 0, 0 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  =============  ================================================  ==========================================
    scheme  orders         order of accuracy                                 cost
    ======  =============  ================================================  ==========================================
    l1      0 < alpha < 1  2 - alpha in t^rho; min(2 - alpha, 1 + rho) in t  a sum of exponentials, O(n K), K about 100
    ======  =============  ================================================  ==========================================

    Of constants: 0.

    Of powers: t^q -> rho^alpha Gamma(q/rho+1)/Gamma(q/rho+1-alpha) t^(q-alpha rho), t0 = 0; 0 for q = 0.

    Relation: Caputo derivative in t^rho/rho; Katugampola derivative of f - f(t0).

    Source: Jarad, Abdeljawad and Baleanu, J. Nonlinear Sci. Appl. 10 (2017) 2607, DOI 10.22436/jnsa.010.05.27.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.katugampola_caputo(np.sin(t), 0.2, rho=1.5, start=0, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.671357
    """
    arguments = ("katugampola-caputo", alpha, dt, t, scheme, tolerance, {"rho": rho, "start": start}, machine)
    return _apply(x, arguments, axis, out)


def erdelyi_kober(
    x: ArrayLike,
    alpha: float,
    *,
    gamma: float = 0.0,
    beta: float = 1.0,
    start: float = 0.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Erdelyi-Kober integral of order alpha.

    ``beta t^(-beta (gamma+alpha))/Gamma(alpha) int_t0^t s^(beta (gamma+1)-1) (t^beta-s^beta)^(alpha-1) f(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha <= 2, depending on the scheme.
    gamma : float
        The power of t^beta that weighs the samples: -1 < gamma <= 100, 0 by default.
    beta : float
        The power of t in which distances are taken: beta > 0, 1 by default.
    start : float
        The time of the first sample, t0: start >= 0, 0 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =========  ==============  =================  ==========================================
    scheme     orders          order of accuracy  cost
    =========  ==============  =================  ==========================================
    trapezoid  0 < alpha <= 2  2                  a sum of exponentials, O(n K), K about 100
    =========  ==============  =================  ==========================================

    Of constants: c -> c Gamma(gamma+1)/Gamma(gamma+alpha+1), t0 = 0.

    Of powers: t^q -> Gamma(gamma+1+q/beta)/Gamma(gamma+alpha+1+q/beta) t^q, t0 = 0.

    Relation: t^-alpha times the Riemann-Liouville integral for gamma = 0, beta = 1; (t^beta/beta)^-alpha times
    Katugampola's integral for gamma = 0, rho = beta.

    Source: Kilbas, Srivastava and Trujillo, Theory and Applications of Fractional Differential Equations (2006),
    section 2.6.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.erdelyi_kober(np.sin(t), 0.5, gamma=0.5, beta=2, start=0, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.828575
    """
    arguments = ("erdelyi-kober", alpha, dt, t, scheme, tolerance, {"gamma": gamma, "beta": beta, "start": start}, machine)
    return _apply(x, arguments, axis, out)


def weyl(
    x: ArrayLike,
    alpha: float,
    *,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Weyl derivative of order alpha.

    ``multiplier (i xi)^alpha of a periodic record``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: alpha >= 0, depending on the scheme.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ========  ==========  =================  ==================
    scheme    orders      order of accuracy  cost
    ========  ==========  =================  ==================
    spectral  alpha >= 0  spectral           one transform pair
    ========  ==========  =================  ==================

    Of constants: 0 for alpha > 0.

    Of powers: none is periodic; sin(w t) -> w^alpha sin(w t + pi alpha/2).

    Relation: Riemann-Liouville from minus infinity; equals Marchaud there.

    Source: Samko, Kilbas and Marichev, Fractional Integrals and Derivatives (1993), section 19.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.weyl(np.sin(t), 0.4, dt=0.01)
    >>> round(float(y[-1]), 6)
    -0.932719
    """
    arguments = ("weyl", alpha, dt, t, scheme, tolerance, None, machine)
    return _apply(x, arguments, axis, out)


def riesz(
    x: ArrayLike,
    alpha: float,
    *,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Riesz derivative of order alpha.

    ``multiplier -|xi|^alpha``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: alpha >= 0; 0 < alpha <= 2, depending on the scheme.
    dt : float, optional
        Step between samples, in units of time; 1 by default. One for each of the last axes, for the scheme spectral on a box.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ==========  ==============  =================  ======================
    scheme      orders          order of accuracy  cost
    ==========  ==============  =================  ======================
    spectral    alpha >= 0      spectral           one transform pair
    ortigueira  0 < alpha <= 2  2                  one causal convolution
    ==========  ==============  =================  ======================

    Of constants: 0 if periodic and alpha > 0.

    Of powers: sin(w x) -> -w^alpha sin(w x).

    Relation: minus the fractional Laplacian; -(left + right Riemann-Liouville)/(2 cos(pi alpha/2)) on the line, alpha
    != 1.

    Source: Samko, Kilbas and Marichev, Fractional Integrals and Derivatives (1993), section 12.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.riesz(np.sin(t), 0.4, dt=0.01)
    >>> round(float(y[-1]), 6)
    -2.737314
    """
    arguments = ("riesz", alpha, dt, t, scheme, tolerance, None, machine)
    return _apply(x, arguments, axis, out)


def riesz_feller(
    x: ArrayLike,
    alpha: float,
    *,
    theta: float = 0.0,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Riesz-Feller derivative of order alpha.

    ``multiplier -|kappa|^alpha exp(i sgn(kappa) theta pi/2), transform with e^(+i kappa x)``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha <= 2, depending on the scheme.
    theta : float
        Skewness; -alpha is minus the derivative of the past: |theta| <= min(alpha, 2 - alpha), 0 by default.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ========  ==============  =================  =======================
    scheme    orders          order of accuracy  cost
    ========  ==============  =================  =======================
    spectral  0 < alpha <= 2  spectral           one transform pair
    centred   0 < alpha <= 2  2                  two causal convolutions
    ========  ==============  =================  =======================

    Of constants: 0 if periodic.

    Of powers: sin(w x) -> -w^alpha sin(w x - theta pi/2).

    Relation: -(c+ left + c- right Riemann-Liouville) on the line, c+- = sin((alpha -+ theta) pi/2)/sin(alpha pi),
    alpha != 1; Riesz for theta = 0.

    Source: Mainardi, Luchko and Pagnini, Fract. Calc. Appl. Anal. 4 (2001) 153, arXiv:cond-mat/0702419.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.riesz_feller(np.sin(t), 0.5, theta=0.2, dt=0.01)
    >>> round(float(y[-1]), 6)
    -6.941782
    """
    arguments = ("riesz-feller", alpha, dt, t, scheme, tolerance, {"theta": theta}, machine)
    return _apply(x, arguments, axis, out)


def fractional_laplacian(
    x: ArrayLike,
    alpha: float,
    *,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """fractional Laplacian (-Lap)^(alpha/2) of order alpha.

    ``multiplier |xi|^alpha``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: alpha >= 0; 0 < alpha <= 2, depending on the scheme.
    dt : float, optional
        Step between samples, in units of time; 1 by default. One for each of the last axes, for the scheme spectral on a box.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =============  ==============  =================  ======================
    scheme         orders          order of accuracy  cost
    =============  ==============  =================  ======================
    spectral       alpha >= 0      spectral           one transform pair
    ortigueira     0 < alpha <= 2  2                  one causal convolution
    huang-oberman  0 < alpha <= 2  4 - alpha          one causal convolution
    =============  ==============  =================  ======================

    Of constants: 0 if periodic and alpha > 0.

    Of powers: sin(w x) -> w^alpha sin(w x).

    Relation: minus the Riesz derivative; alpha = 2 is -f''.

    Source: Lischke et al., J. Comput. Phys. 404 (2020) 109009, DOI 10.1016/j.jcp.2019.109009.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.fractional_laplacian(np.sin(t), 0.4, dt=0.01)
    >>> round(float(y[-1]), 6)
    2.737314
    """
    arguments = ("fractional-laplacian", alpha, dt, t, scheme, tolerance, None, machine)
    return _apply(x, arguments, axis, out)


def dirichlet_laplacian(
    x: ArrayLike,
    alpha: float,
    *,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """spectral fractional Laplacian of an interval, zero at both ends of order alpha.

    ``sum_k (pi k/L)^alpha f_k sin(pi k x/L); samples at x_j = (j+1) h, L = (n+1) h``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: alpha >= 0, depending on the scheme.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  ==========  =================  ======================================
    scheme  orders      order of accuracy  cost
    ======  ==========  =================  ======================================
    sines   alpha >= 0  spectral           one transform pair of twice the length
    ======  ==========  =================  ======================================

    Of constants: no constant vanishes at the ends.

    Of powers: sin(pi k x/L) -> (pi k/L)^alpha sin(pi k x/L).

    Relation: power of -d2/dx2; not the integral fractional Laplacian of a function that is zero outside.

    Source: Lischke et al., J. Comput. Phys. 404 (2020) 109009, DOI 10.1016/j.jcp.2019.109009.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.dirichlet_laplacian(np.sin(t), 0.4, dt=0.01)
    >>> round(float(y[-1]), 6)
    5.166887
    """
    arguments = ("dirichlet-laplacian", alpha, dt, t, scheme, tolerance, None, machine)
    return _apply(x, arguments, axis, out)


def neumann_laplacian(
    x: ArrayLike,
    alpha: float,
    *,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """spectral fractional Laplacian of an interval, no slope at both ends of order alpha.

    ``sum_k (pi k/L)^alpha f_k cos(pi k x/L); samples at x_j = (j+1/2) h, L = n h``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: alpha >= 0, depending on the scheme.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    =======  ==========  =================  ======================================
    scheme   orders      order of accuracy  cost
    =======  ==========  =================  ======================================
    cosines  alpha >= 0  spectral           one transform pair of twice the length
    =======  ==========  =================  ======================================

    Of constants: 0 for alpha > 0.

    Of powers: cos(pi k x/L) -> (pi k/L)^alpha cos(pi k x/L).

    Relation: power of -d2/dx2; not the integral fractional Laplacian.

    Source: Lischke et al., J. Comput. Phys. 404 (2020) 109009, DOI 10.1016/j.jcp.2019.109009.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.neumann_laplacian(np.sin(t), 0.4, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.10286
    """
    arguments = ("neumann-laplacian", alpha, dt, t, scheme, tolerance, None, machine)
    return _apply(x, arguments, axis, out)


def variable_order_time(
    x: ArrayLike,
    alpha: float,
    *,
    rise: float,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Caputo derivative of variable order alpha(t), type 1 of order alpha.

    ``int_0^t (t-s)^-alpha(t)/Gamma(1-alpha(t)) f'(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 1e-300 <= alpha < 1, depending on the scheme.
    rise : float
        Order at the last sample less alpha, the order at the first; in a straight line: 0 < alpha + rise < 1.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  ===================  =================  ==========================================
    scheme  orders               order of accuracy  cost
    ======  ===================  =================  ==========================================
    l1      1e-300 <= alpha < 1  2 - alpha(t)       a sum of exponentials, O(n K), K about 100
    cubic   1e-300 <= alpha < 1  4 - alpha(t)       a sum of exponentials, O(n K), K about 100
    ======  ===================  =================  ==========================================

    Of constants: 0.

    Of powers: t^q -> Gamma(q+1)/Gamma(q+1-alpha(t)) t^(q-alpha(t)).

    Relation: Caputo at each t with the order of that t.

    Source: Lorenzo and Hartley, Nonlinear Dyn. 29 (2002) 57, DOI 10.1023/A:1016586905654.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.variable_order_time(np.sin(t), 0.2, rise=0.2, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.419211
    """
    arguments = ("variable-order-time", alpha, dt, t, scheme, tolerance, {"rise": rise}, machine)
    return _apply(x, arguments, axis, out)


def variable_order_sample(
    x: ArrayLike,
    alpha: float,
    *,
    rise: float,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Caputo derivative of variable order alpha(s), type 2 of order alpha.

    ``int_0^t (t-s)^-alpha(s)/Gamma(1-alpha(s)) f'(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 1e-300 <= alpha < 1, depending on the scheme.
    rise : float
        Order at the last sample less alpha, the order at the first; in a straight line: 0 < alpha + rise < 1.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  ===================  ===========================  ==========================================
    scheme  orders               order of accuracy            cost
    ======  ===================  ===========================  ==========================================
    l1      1e-300 <= alpha < 1  2 - alpha(t), times ln(1/h)  a sum of exponentials, O(n K), K about 100
    cubic   1e-300 <= alpha < 1  3                            14 to 36 causal convolutions
    ======  ===================  ===========================  ==========================================

    Of constants: 0.

    Of powers: t^q -> q int_0^t (t-s)^-alpha(s)/Gamma(1-alpha(s)) s^(q-1) ds.

    Relation: Caputo if alpha is constant; each change of f keeps the order it came with.

    Source: Lorenzo and Hartley, Nonlinear Dyn. 29 (2002) 57, DOI 10.1023/A:1016586905654.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.variable_order_sample(np.sin(t), 0.2, rise=0.2, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.577696
    """
    arguments = ("variable-order-sample", alpha, dt, t, scheme, tolerance, {"rise": rise}, machine)
    return _apply(x, arguments, axis, out)


def variable_order_lag(
    x: ArrayLike,
    alpha: float,
    *,
    rise: float,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Caputo derivative of variable order alpha(t-s), type 3 of order alpha.

    ``int_0^t (t-s)^-alpha(t-s)/Gamma(1-alpha(t-s)) f'(s) ds``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 1e-300 <= alpha < 1, depending on the scheme.
    rise : float
        Order at the last sample less alpha, the order at the first; in a straight line: 0 < alpha + rise < 1.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ======  ===================  ===========================  =======================
    scheme  orders               order of accuracy            cost
    ======  ===================  ===========================  =======================
    l1      1e-300 <= alpha < 1  2 - alpha(0), times ln(1/h)  one causal convolution
    cubic   1e-300 <= alpha < 1  3                            two causal convolutions
    ======  ===================  ===========================  =======================

    Of constants: 0.

    Of powers: t -> int_0^t s^-alpha(s)/Gamma(1-alpha(s)) ds.

    Relation: Caputo if alpha is constant; a convolution.

    Source: Lorenzo and Hartley, Nonlinear Dyn. 29 (2002) 57, DOI 10.1023/A:1016586905654.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.variable_order_lag(np.sin(t), 0.2, rise=0.2, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.52467
    """
    arguments = ("variable-order-lag", alpha, dt, t, scheme, tolerance, {"rise": rise}, machine)
    return _apply(x, arguments, axis, out)


def distributed_order(
    x: ArrayLike,
    alpha: float,
    *,
    width: float,
    dt: float | Sequence[float] | None = None,
    t: ArrayLike | None = None,
    axis: int = -1,
    scheme: str | None = None,
    tolerance: float | None = None,
    out: NDArray[Any] | None = None,
    machine: Machine | None = None,
) -> NDArray[Any]:
    """Caputo derivative of distributed order, all orders alike of order alpha.

    ``1/width int_(alpha-width)^alpha D^a f da``

    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: 0 < alpha <= 1, depending on the scheme.
    width : float
        Alpha, the highest order, less the lowest: 0 < width <= alpha.
    dt : float, optional
        Step between samples, in units of time; 1 by default.
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----

    ==========  ==============  =================  ======================
    scheme      orders          order of accuracy  cost
    ==========  ==============  =================  ======================
    l1-gauss    0 < alpha <= 1  2 - alpha          one causal convolution
    bdf2-gauss  0 < alpha <= 1  2                  one causal convolution
    bdf4-gauss  0 < alpha <= 1  4                  one causal convolution
    ==========  ==============  =================  ======================

    Of constants: 0.

    Of powers: t^q -> 1/width int Gamma(q+1)/Gamma(q+1-a) t^(q-a) da.

    Relation: mean of Caputo derivatives; Caputo as width falls to 0.

    Source: Caputo, Fract. Calc. Appl. Anal. 4 (2001) 421.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = 0.01 * np.arange(201)
    >>> y = hpfracc.distributed_order(np.sin(t), 0.3, width=0.25, dt=0.01)
    >>> round(float(y[-1]), 6)
    0.708425
    """
    arguments = ("distributed-order", alpha, dt, t, scheme, tolerance, {"width": width}, machine)
    return _apply(x, arguments, axis, out)
