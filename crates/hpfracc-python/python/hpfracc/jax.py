"""Differentiable fractional calculus for JAX.

A function for each definition of the catalogue (``caputo``, ``riemann_liouville``, ``rl_integral``, ...), the
Mittag-Leffler function and noise, under ``jit``, ``vmap``, ``grad``, ``jvp`` and ``vjp``. Values are computed on the
CPU by the library, through callbacks; batches of ``vmap`` are one call.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import _hpfracc
from ._definition import Definition, identifier
from .errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jax import Array
    from jax.typing import ArrayLike

    def __getattr__(name: str) -> Callable[..., Array]: ...


class _Call(NamedTuple):
    """An operator with its arguments other than samples and order."""

    name: str
    dt: float
    t: tuple[float, ...] | None
    scheme: str | None
    tolerance: float | None
    parameters: tuple[tuple[str, float], ...]
    axis: int
    transposed: bool
    #: Derivatives with respect to the order: 0 or 1.
    changes: int

    def __call__(self, x: Any, alpha: Any) -> np.ndarray:
        x, alpha = np.asarray(x), float(alpha)
        t = None if self.t is None else list(self.t)
        if self.changes:
            return _hpfracc.order_tangent(
                x, self.name, alpha, dt=self.dt, t=t, scheme=self.scheme, parameters=dict(self.parameters),
                axis=self.axis, transposed=self.transposed,
            )  # fmt: skip
        dt = None if t is not None else self.dt
        arguments = (self.name, alpha, dt, t, self.scheme, self.tolerance, dict(self.parameters) or None, None)
        function = _hpfracc.vjp if self.transposed else _hpfracc.apply
        return function(x, arguments, self.axis, None)


_operator = Primitive("hpfracc_operator")


def _bind(x: Any, alpha: Any, call: _Call) -> Any:
    return _operator.bind(x, alpha, call=call)


@_operator.def_impl
def _evaluate(x: Any, alpha: Any, *, call: _Call) -> Array:
    return jnp.asarray(call(x, alpha))


@_operator.def_abstract_eval
def _shape(x: Any, alpha: Any, *, call: _Call) -> Any:
    return x.update(shape=x.shape, dtype=x.dtype, weak_type=False)


def _lowered(x: Any, alpha: Any, *, call: _Call) -> Any:
    # Batches have been resolved before: only the transformation of the compiled function itself remains.
    shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(call.__call__, shape, x, alpha, vmap_method="sequential")


def _jvp(primals: tuple[Any, Any], tangents: tuple[Any, Any], *, call: _Call) -> tuple[Any, Any]:
    (x, alpha), (dx, dalpha) = primals, tangents
    terms = []
    if type(dx) is not ad.Zero:
        terms.append(_bind(dx, alpha, call))
    if type(dalpha) is not ad.Zero:
        if call.changes:
            raise NotImplementedError(f"{call.name} has no second derivative with respect to its order")
        terms.append(dalpha.astype(x.dtype) * _bind(x, alpha, call._replace(changes=1)))
    value = _bind(x, alpha, call)
    return value, sum(terms[1:], terms[0])


def _transpose(cotangent: Any, x: Any, alpha: Any, *, call: _Call) -> tuple[Any, None]:
    if type(cotangent) is ad.Zero:
        return ad.Zero(x.aval), None
    return _bind(cotangent, alpha, call._replace(transposed=not call.transposed)), None


def _batch(arguments: tuple[Any, Any], dims: tuple[Any, Any], *, call: _Call) -> tuple[Any, int]:
    (x, alpha), (of_x, of_alpha) = arguments, dims
    if of_alpha is None:
        return _bind(jnp.moveaxis(x, of_x, 0), alpha, call), 0
    alpha = jnp.moveaxis(alpha, of_alpha, 0)
    if of_x is None:
        return jax.lax.map(lambda order: _bind(x, order, call), alpha), 0
    return jax.lax.map(lambda both: _bind(both[0], both[1], call), (jnp.moveaxis(x, of_x, 0), alpha)), 0


ad.primitive_jvps[_operator] = _jvp
ad.primitive_transposes[_operator] = _transpose
batching.primitive_batchers[_operator] = _batch
mlir.register_lowering(_operator, mlir.lower_fun(_lowered, multiple_results=False))


def _floats(name: str, x: ArrayLike) -> Array:
    """A float32 or float64 array; whole numbers become the default type."""
    x = jnp.asarray(x)
    if jnp.issubdtype(x.dtype, jnp.integer) or x.dtype == jnp.bool_:
        x = x.astype(jnp.result_type(float))
    if x.dtype not in (jnp.float32, jnp.float64):
        raise InputError(f"{name} has the dtype {x.dtype}, expected float32 or float64")
    return x


def _order(alpha: ArrayLike) -> Array:
    alpha = jnp.asarray(alpha, dtype=None if hasattr(alpha, "dtype") else jnp.result_type(float))
    if alpha.shape != ():
        raise InputError(f"alpha has the shape {alpha.shape}, expected one number: use jax.vmap for several")
    return _floats("alpha", alpha)


def _function(definition: Definition) -> Callable[..., Array]:
    """The function of a definition of the catalogue."""
    def operator(
        x: ArrayLike,
        alpha: ArrayLike,
        *,
        dt: float = 1.0,
        t: Sequence[float] | None = None,
        axis: int = -1,
        scheme: str | None = None,
        tolerance: float | None = None,
        **parameters: float,
    ) -> Array:
        x, alpha = _floats("x", x), _order(alpha)
        if x.ndim == 0:
            raise InputError("x is a single number, expected an array of samples")
        if not -x.ndim <= axis < x.ndim:
            raise InputError(f"axis {axis} of an array with {x.ndim} dimensions")
        values = tuple(sorted(definition.values(parameters).items()))
        times = None if t is None else tuple(float(time) for time in t)
        # From the end, so that batches in front do not change it.
        own_axis = axis if axis < 0 else axis - x.ndim
        return _bind(x, alpha, _Call(definition.name, float(dt), times, scheme, tolerance, values, own_axis, False, 0))

    return definition.named(operator, __name__, _documentation(definition))


def _documentation(definition: Definition) -> str:
    return f"""{definition.title}, differentiable with respect to x and alpha.

``{definition.formula}``

Parameters
----------
x : array_like
    Samples, float32 or float64. All axes but one are a batch.
alpha : array_like
    Order, one number.
dt : float
    Step between samples, a static number.
t : sequence of float, optional
    Increasing times of the samples, in place of equal steps; static.
axis : int
    Axis of the samples.
scheme : str, optional
    Discretisation: {definition.schemes}.
    By default the first that is defined for the order.
tolerance : float, optional
    The memory is a sum of exponentials within this relative tolerance; the derivative with respect to alpha is that of
    exact weights.
{definition.parameter_lines}
Returns
-------
Array
    The result for each sample, of the type and shape of x.

Notes
-----
Forward and reverse mode, and any order of differentiation with respect to x; with respect to alpha the first.
``vmap`` over x is one call of the library, over alpha one for each order. Errors in arguments that only the library
finds are raised when a compiled function runs, as ``jax.errors.JaxRuntimeError`` with the message in it.
``hpfracc.{identifier(definition.name)}`` documents the schemes.
"""


_functions = [_function(Definition(entry)) for entry in _hpfracc.definitions()]
globals().update({function.__name__: function for function in _functions})


def _elementwise(function: Callable[..., np.ndarray], z: Array, *rest: Array) -> Array:
    """A callback for each element; batches are one call."""
    shape = jax.ShapeDtypeStruct(z.shape, z.dtype)
    return jax.pure_callback(function, shape, z, *rest, vmap_method="expand_dims")


def _numbers(arguments: Sequence[Any]) -> list[np.ndarray]:
    return list(np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in arguments)))


def _derivative(k: int, z: Any, alpha: Any, beta: Any) -> np.ndarray:
    dtype = np.asarray(z).dtype
    z, alpha, beta = _numbers((z, alpha, beta))
    if k == 0:
        return np.asarray(_hpfracc.mittag_leffler(z, alpha, beta, 1.0), dtype=dtype)
    return np.asarray(_hpfracc.mittag_leffler_derivative(z, alpha, beta, k), dtype=dtype)


def _parameter_derivative(which: int, z: Any, alpha: Any, beta: Any) -> np.ndarray:
    dtype = np.asarray(z).dtype
    requested = (False, False, which == 0, which == 1)
    z, alpha, beta = _numbers((z, alpha, beta))
    found = _hpfracc.mittag_leffler_gradient(z, alpha, beta, requested)
    return np.asarray(found[2 + which], dtype=dtype)


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def _mittag_leffler(k: int, z: Array, alpha: Array, beta: Array) -> Array:
    return _elementwise(functools.partial(_derivative, k), z, alpha, beta)


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def _by_parameter(which: int, z: Array, alpha: Array, beta: Array) -> Array:
    return _elementwise(functools.partial(_parameter_derivative, which), z, alpha, beta)


_SECOND = "mittag_leffler has derivatives of second and higher order with respect to z only"


def _mittag_leffler_jvp(k: int, primals: tuple[Array, ...], tangents: tuple[Any, ...]) -> tuple[Array, Array]:
    value = _mittag_leffler(k, *primals)
    total = jnp.zeros_like(value)
    if not isinstance(tangents[0], SymbolicZero):
        total = total + _mittag_leffler(k + 1, *primals) * tangents[0]
    for which, tangent in enumerate(tangents[1:]):
        if isinstance(tangent, SymbolicZero):
            continue
        if k:
            raise NotImplementedError(_SECOND)
        total = total + _by_parameter(which, *primals) * tangent
    return value, total


def _by_parameter_jvp(which: int, primals: tuple[Array, ...], tangents: tuple[Any, ...]) -> tuple[Array, Array]:
    if not all(isinstance(tangent, SymbolicZero) for tangent in tangents):
        raise NotImplementedError(_SECOND)
    value = _by_parameter(which, *primals)
    return value, jnp.zeros_like(value)


_mittag_leffler.defjvp(_mittag_leffler_jvp, symbolic_zeros=True)
_by_parameter.defjvp(_by_parameter_jvp, symbolic_zeros=True)


def mittag_leffler(z: ArrayLike, alpha: ArrayLike, beta: ArrayLike = 1.0) -> Array:
    """The Mittag-Leffler function, differentiable with respect to z, alpha and beta.

    ``E_(alpha,beta)(z) = sum_k z^k / Gamma(alpha k + beta)``

    Parameters
    ----------
    z : array_like
        Real arguments, float32 or float64; computed in double precision.
    alpha : array_like
        Order, alpha > 0; where it is differentiated 0 < alpha < 2.
    beta : array_like
        Second parameter; where alpha or beta is differentiated from -1 to 100. All three broadcast.

    Returns
    -------
    Array
        Values of the dtype of z.

    Notes
    -----
    Derivatives with respect to z exist to any order, those with respect to alpha and beta to the first.

    Examples
    --------
    >>> import jax
    >>> from hpfracc.jax import mittag_leffler
    >>> round(float(jax.grad(mittag_leffler)(-1.0, 1.0)), 5)  # exp(-1)
    0.36788
    """
    z = _floats("z", z)
    alpha, beta = (jnp.asarray(p).astype(z.dtype) for p in (alpha, beta))
    return _mittag_leffler(0, *jnp.broadcast_arrays(z, alpha, beta))


def fgn(
    seed: ArrayLike,
    n: int,
    hurst: float | Sequence[float] = 0.5,
    *,
    paths: int = 1,
    dt: ArrayLike = 1.0,
    dtype: Any = None,
) -> Array:
    """Fractional Gaussian noise: increments of fractional Brownian motion, differentiable with respect to dt.

    Parameters
    ----------
    seed : array_like
        Seed, a whole number; may be traced.
    n : int
        Number of steps.
    hurst : float or sequence of float
        Hurst exponents in (0, 1), one for each component; 0.5 is Brownian motion. Static numbers.
    paths : int
        Number of paths.
    dt : array_like
        Length of a step.
    dtype : dtype, optional
        float32 or float64; the default type of floats.

    Returns
    -------
    Array
        Shape (paths, n); with a sequence of Hurst exponents (paths, components, n).

    Notes
    -----
    A number depends on seed, path, component and step only; increments for other dt are ``dt^hurst`` times those for
    dt = 1. ``vmap`` over seeds is a call for each.

    Examples
    --------
    >>> import jax
    >>> from hpfracc.jax import fgn
    >>> jax.jit(lambda seed: fgn(seed, 100, 0.7, paths=3))(7).shape
    (3, 100)
    """
    exponents = tuple(float(h) for h in np.atleast_1d(hurst))
    for h in exponents:
        if not 0.0 < h < 1.0:
            raise InputError(f"hurst is {h}, expected 0 < hurst < 1")
    dtype = jnp.result_type(float) if dtype is None else jnp.dtype(dtype)
    if dtype not in (jnp.float32, jnp.float64):
        raise InputError(f"dtype is {dtype}, expected float32 or float64")
    seed = jnp.asarray(seed)
    if seed.shape != () or not jnp.issubdtype(seed.dtype, jnp.integer):
        raise InputError(f"seed has the dtype {seed.dtype} and the shape {seed.shape}, expected one whole number")

    def draw(seed: Any) -> np.ndarray:
        values = _hpfracc.noise_increments(int(seed), list(exponents), n, 1.0, paths, dtype=str(dtype))
        return np.ascontiguousarray(values.transpose(1, 2, 0))

    shape = jax.ShapeDtypeStruct((paths, len(exponents), n), dtype)
    unit = jax.pure_callback(draw, shape, seed, vmap_method="sequential")
    scale = jnp.asarray(dt, dtype) ** jnp.asarray(exponents, dtype)
    noise = unit * scale[:, None]
    return noise if np.ndim(hurst) else noise[:, 0]


def fbm(
    seed: ArrayLike,
    n: int,
    hurst: float | Sequence[float] = 0.5,
    *,
    paths: int = 1,
    dt: ArrayLike = 1.0,
    dtype: Any = None,
) -> Array:
    """Fractional Brownian motion at the times 0, dt, ..., n dt; arguments as for :func:`fgn`.

    Examples
    --------
    >>> from hpfracc.jax import fbm
    >>> path = fbm(7, 100, 0.7, dt=0.01)
    >>> path.shape, float(path[0, 0])
    ((1, 101), 0.0)
    """
    steps = fgn(seed, n, hurst, paths=paths, dt=dt, dtype=dtype)
    padding = [(0, 0)] * (steps.ndim - 1) + [(1, 0)]
    return jnp.pad(jnp.cumsum(steps, axis=-1), padding)


__all__ = ["fbm", "fgn", "mittag_leffler", *(function.__name__ for function in _functions)]
