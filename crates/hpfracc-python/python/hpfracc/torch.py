"""Differentiable fractional calculus for PyTorch.

A function for each definition of the catalogue (``caputo``, ``riemann_liouville``, ``rl_integral``, ...), with
gradients with respect to the samples and the order; modules that learn the order; the Mittag-Leffler function with
gradients with respect to argument and parameters; solvers of fractional and stochastic differential equations with
exact adjoints.

Tensors on the CPU are used without copies. Those on other devices are computed on the CPU, with a warning.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from . import _hpfracc
from ._definition import Definition, identifier
from ._torch_fdeint import fdeint
from ._torch_fsdeint import fsdeint
from .errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    def __getattr__(name: str) -> Callable[..., Tensor]: ...


class _Call(NamedTuple):
    """Arguments of an operator other than samples and order."""

    name: str
    dt: float | None
    t: tuple[float, ...] | None
    scheme: str | None
    tolerance: float | None
    parameters: dict[str, float] | None

    def run(self, x: Tensor, alpha: float, dim: int, transposed: bool, changes: int) -> Tensor:
        """The operator or its derivative with respect to the order, or the transpose."""
        array, device = to_numpy("x", x)
        if changes:
            result = _hpfracc.order_tangent(
                array, self.name, alpha, dt=1.0 if self.dt is None else self.dt, t=self.t, scheme=self.scheme,
                parameters=self.parameters, axis=dim, transposed=transposed,
            )  # fmt: skip
        else:
            t = None if self.t is None else list(self.t)
            arguments = (self.name, alpha, self.dt, t, self.scheme, self.tolerance, self.parameters, None)
            result = (_hpfracc.vjp if transposed else _hpfracc.apply)(array, arguments, dim, None)
        return from_numpy(result, device)


_warned = False


def to_numpy(name: str, x: Tensor) -> tuple[NDArray[Any], torch.device | None]:
    """The array of a tensor, and its device unless that is the CPU."""
    if not isinstance(x, torch.Tensor):
        raise InputError(f"{name} is {type(x).__name__}, expected a tensor")
    if x.dtype not in (torch.float32, torch.float64):
        raise InputError(f"{name} has the dtype {x.dtype}, expected torch.float32 or torch.float64")
    x = x.detach()
    if x.device.type == "cpu":
        return x.resolve_neg().numpy(), None
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            f"{name} is on {x.device}: it is copied to the CPU, and the result back", RuntimeWarning, stacklevel=2
        )
    return x.cpu().resolve_neg().numpy(), x.device


def from_numpy(array: NDArray[Any], device: torch.device | None) -> Tensor:
    result = torch.from_numpy(array)
    return result if device is None else result.to(device)


class _Linear(torch.autograd.Function):
    """An operator, its derivative with respect to the order, or the transpose of either, as a map of signals."""

    @staticmethod
    def forward(x: Tensor, alpha: float | Tensor, call: _Call, dim: int, transposed: bool, changes: int) -> Tensor:
        return call.run(x, float(alpha), dim, transposed, changes)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        x, alpha, ctx.call, ctx.dim, ctx.transposed, ctx.changes = inputs
        ctx.alpha = None
        if isinstance(alpha, torch.Tensor):
            # The samples are needed for the gradient with respect to the order alone.
            tensors = (x if ctx.needs_input_grad[1] else None, alpha)
            ctx.save_for_backward(*tensors)
            ctx.save_for_forward(x, alpha)
        else:
            ctx.alpha = alpha

    @staticmethod
    def _order_change(x: Any, alpha: float | Tensor, ctx: Any) -> Tensor:
        if ctx.changes:
            raise NotImplementedError(
                f"{ctx.call.name} has no second derivative with respect to its order: detach alpha before it is used in a "
                "gradient that is differentiated again"
            )
        return _Linear.apply(x, alpha, ctx.call, ctx.dim, ctx.transposed, 1)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, ...]:
        x, alpha = (None, ctx.alpha) if ctx.alpha is not None else ctx.saved_tensors
        by_samples = by_order = None
        if ctx.needs_input_grad[0]:
            by_samples = _Linear.apply(g, alpha, ctx.call, ctx.dim, not ctx.transposed, ctx.changes)
        if ctx.needs_input_grad[1]:
            change = _Linear._order_change(x, alpha, ctx)
            by_order = (g.double() * change.double()).sum().reshape(alpha.shape).to(alpha)
        return by_samples, by_order, None, None, None, None

    @staticmethod
    def jvp(ctx: Any, dx: Tensor | None, dalpha: Tensor | None, *_: None) -> Tensor | None:
        x, alpha = (None, ctx.alpha) if ctx.alpha is not None else ctx.saved_tensors
        result = None
        if dx is not None:
            result = _Linear.apply(dx, alpha, ctx.call, ctx.dim, ctx.transposed, ctx.changes)
        if dalpha is not None:
            change = _Linear._order_change(x, alpha, ctx) * dalpha.to(x)
            result = change if result is None else result + change
        return result

    @staticmethod
    def vmap(
        info: Any, in_dims: tuple[Any, ...], x: Tensor, alpha: Any, call: _Call, dim: int, *rest: Any
    ) -> tuple[Tensor, int]:
        batch = in_dims[0]
        if batch is not None:
            x = x.movedim(batch, 0)
        own = dim if dim < 0 else dim + 1
        if in_dims[1] is None:
            return _Linear.apply(x, alpha, call, own, *rest), 0
        orders = alpha.movedim(in_dims[1], 0)
        each = (x[k] if batch is not None else x for k in range(info.batch_size))
        results = [_Linear.apply(one, order, call, dim, *rest) for one, order in zip(each, orders)]
        return torch.stack(results), 0


def _numbers(t: Tensor | Sequence[float] | None) -> tuple[float, ...] | None:
    if t is None:
        return None
    if isinstance(t, torch.Tensor):
        if t.requires_grad:
            raise InputError("t requires a gradient: operators have none with respect to their points")
        t = t.detach().cpu().double().tolist()
    return tuple(float(x) for x in t)


def _order(alpha: float | Tensor) -> float | Tensor:
    if not isinstance(alpha, torch.Tensor):
        return float(alpha)
    if alpha.numel() != 1:
        raise InputError(f"alpha has the shape {tuple(alpha.shape)}, expected one number")
    return alpha if _is_differentiated(alpha) else float(alpha)


def _is_differentiated(x: Tensor) -> bool:
    """Whether a gradient, a tangent or a batch of ``torch.func`` may belong to a tensor."""
    return (
        x.requires_grad
        or torch.autograd.forward_ad._current_level >= 0
        or torch._C._functorch.is_functorch_wrapped_tensor(x)
    )


def _apply(
    name: str,
    x: Tensor,
    alpha: float | Tensor,
    dt: float | None,
    t: Tensor | Sequence[float] | None,
    dim: int,
    scheme: str | None,
    tolerance: float | None,
    parameters: dict[str, float],
) -> Tensor:
    dt = None if dt is None else float(dt)
    call = _Call(name, dt, _numbers(t), scheme, tolerance, parameters or None)
    order = _order(alpha)
    if isinstance(order, float) and isinstance(x, torch.Tensor) and not _is_differentiated(x):
        return call.run(x, order, dim, False, 0)
    return _Linear.apply(x, order, call, dim, False, 0)


def _function(definition: Definition) -> Callable[..., Tensor]:
    """The function of a definition of the catalogue."""
    def operator(
        x: Tensor,
        alpha: float | Tensor,
        *,
        dt: float | None = None,
        t: Tensor | Sequence[float] | None = None,
        dim: int = -1,
        scheme: str | None = None,
        tolerance: float | None = None,
        **parameters: float,
    ) -> Tensor:
        values = definition.values(parameters)
        return _apply(definition.name, x, alpha, dt, t, dim, scheme, tolerance, values)

    return definition.named(operator, __name__, _documentation(definition))


def _documentation(definition: Definition) -> str:
    return f"""{definition.title}, differentiable with respect to x and alpha.

``{definition.formula}``

Parameters
----------
x : Tensor
    Samples, float32 or float64. All dimensions but one are a batch.
alpha : float or Tensor
    Order; a tensor with one number may require a gradient.
dt : float, optional
    Step between samples; 1 by default.
t : Tensor or sequence of float, optional
    Increasing times of the samples, in place of equal steps.
dim : int
    Dimension of the samples.
scheme : str, optional
    Discretisation: {definition.schemes}.
    By default the first that is defined for the order.
tolerance : float, optional
    The memory is a sum of exponentials within this relative tolerance; the gradient with respect to alpha is that of
    exact weights.
{definition.parameter_lines}
Returns
-------
Tensor
    The result for each sample, of the type and shape of x.

Notes
-----
The backward pass is the transposed operator, to any order of differentiation with respect to x; there is no second
derivative with respect to alpha. ``hpfracc.{identifier(definition.name)}`` documents the schemes.
"""


_functions = [_function(Definition(entry)) for entry in _hpfracc.definitions()]
globals().update({function.__name__: function for function in _functions})


class FractionalDerivative(torch.nn.Module):
    """A fractional derivative or integral whose order can be learned.

    The order is ``lowest + (highest - lowest) sigmoid(raw)`` of an unconstrained parameter, so that no step of an
    optimiser leaves the range of the definition.

    Parameters
    ----------
    name : str
        Definition, as in ``hpfracc.definitions()``: "caputo", "riemann_liouville", "rl_integral", ...
    alpha : float
        Order at the start.
    dt : float
        Step between samples.
    dim : int
        Dimension of the samples.
    scheme : str, optional
        Discretisation; by default the first that is defined for the order.
    learn_order : bool
        Whether the order is a parameter; otherwise it is constant.
    bounds : (float, float), optional
        Range of a learned order; by default the whole numbers next to alpha.
    **parameters : float
        Further parameters of the definition.

    Examples
    --------
    >>> import torch
    >>> from hpfracc.torch import FractionalDerivative
    >>> layer = FractionalDerivative("caputo", 0.5, dt=0.1)
    >>> t = 0.1 * torch.arange(11.0)
    >>> y = layer(t)
    >>> round(y[-1].item(), 4)  # t^0.5 / Gamma(1.5)
    1.1284
    >>> y.sum().backward()
    >>> layer.raw.grad is not None
    True
    """

    #: The order, if it is constant.
    order: Tensor

    def __init__(
        self,
        name: str = "caputo",
        alpha: float = 0.5,
        *,
        dt: float = 1.0,
        dim: int = -1,
        scheme: str | None = None,
        learn_order: bool = True,
        bounds: tuple[float, float] | None = None,
        **parameters: float,
    ) -> None:
        super().__init__()
        known = {function.__name__: function for function in _functions}
        self.name = name.replace("-", "_")
        if self.name not in known:
            raise InputError(f"there is no operator {name!r}; operators: {', '.join(known)}")
        self._function = known[self.name]
        self.dt, self.dim, self.scheme, self.parameters_of_definition = float(dt), dim, scheme, parameters
        self.learn_order = learn_order
        alpha = float(alpha)
        self.bounds: tuple[float, float] | None = None
        if not learn_order:
            self.register_buffer("order", torch.tensor(alpha, dtype=torch.float64))
            return
        lowest, highest = bounds if bounds is not None else (math.floor(alpha), math.floor(alpha) + 1)
        if not lowest < alpha < highest:
            raise InputError(
                f"alpha is {alpha}, expected a number inside its bounds {lowest} and {highest}: pass bounds=(lowest, highest)"
            )
        self.bounds = (float(lowest), float(highest))
        share = (alpha - lowest) / (highest - lowest)
        self.raw = torch.nn.Parameter(torch.tensor(math.log(share / (1.0 - share)), dtype=torch.float64))

    @property
    def alpha(self) -> Tensor:
        """The order, a tensor without dimensions."""
        if self.bounds is None:
            return self.order
        lowest, highest = self.bounds
        # A sigmoid that rounds to 0 or 1 would be the order at a bound, which definitions may not have.
        share = torch.sigmoid(self.raw).clamp(1e-6, 1.0 - 1e-6)
        return lowest + (highest - lowest) * share

    def forward(self, x: Tensor) -> Tensor:
        return self._function(
            x, self.alpha, dt=self.dt, dim=self.dim, scheme=self.scheme, **self.parameters_of_definition
        )

    def extra_repr(self) -> str:
        learned = ", learned" if self.learn_order else ""
        return f"{self.name!r}, alpha={self.alpha.item():.6g}{learned}, dt={self.dt:g}, dim={self.dim}"


class FractionalIntegral(FractionalDerivative):
    """The Riemann-Liouville integral whose order can be learned; see :class:`FractionalDerivative`.

    Examples
    --------
    >>> import torch
    >>> from hpfracc.torch import FractionalIntegral
    >>> round(FractionalIntegral(0.5, dt=0.1)(torch.ones(11))[-1].item(), 4)  # t^0.5 / Gamma(1.5)
    1.1284
    """

    def __init__(self, alpha: float = 0.5, *, scheme: str | None = "trapezoid", **settings: Any) -> None:
        super().__init__("rl_integral", alpha, scheme=scheme, **settings)


class _MittagLeffler(torch.autograd.Function):
    """The derivative of order k of the Mittag-Leffler function with respect to its argument."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, alpha: float | Tensor, beta: float | Tensor, k: int) -> Tensor:
        ctx.k = k
        ctx.numbers = [None if isinstance(p, torch.Tensor) else p for p in (alpha, beta)]
        ctx.save_for_backward(z, *(p for p in (alpha, beta) if isinstance(p, torch.Tensor)))
        array, device = to_numpy("z", z)
        a, b = _parameter(alpha), _parameter(beta)
        if k == 0:
            result = _hpfracc.mittag_leffler(array, a, b, 1.0)
        else:
            result = _hpfracc.mittag_leffler_derivative(array, a, b, k)
        result = torch.as_tensor(result, dtype=torch.float64)
        return (result if device is None else result.to(device)).to(z.dtype)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, ...]:
        z, *tensors = ctx.saved_tensors
        alpha, beta = (tensors.pop(0) if p is None else p for p in ctx.numbers)
        found: list[Tensor | None] = [None, None, None]
        if ctx.needs_input_grad[0]:
            found[0] = (g * _MittagLeffler.apply(z, alpha, beta, ctx.k + 1)).sum_to_size(z.shape)
        if ctx.needs_input_grad[1] or ctx.needs_input_grad[2]:
            if ctx.k:
                raise NotImplementedError("derivatives of mittag_leffler of second order are those with respect to z")
            partials = _Partials.apply(z, *(p.detach() if isinstance(p, torch.Tensor) else p for p in (alpha, beta)))
            for k, parameter in ((1, alpha), (2, beta)):
                if ctx.needs_input_grad[k]:
                    product = g.double() * partials[k - 1]
                    found[k] = product.sum_to_size(parameter.shape).to(parameter)
        return *found, None


class _Partials(torch.autograd.Function):
    """Derivatives of the Mittag-Leffler function with respect to its parameters, which are not differentiated again."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, alpha: float | Tensor, beta: float | Tensor) -> tuple[Tensor, Tensor]:
        array, device = to_numpy("z", z)
        requested = (False, False, True, True)
        found = _hpfracc.mittag_leffler_gradient(array, _parameter(alpha), _parameter(beta), requested)
        _, _, by_alpha, by_beta = found
        both = (torch.as_tensor(by, dtype=torch.float64) for by in (by_alpha, by_beta))
        first, second = (by if device is None else by.to(device) for by in both)
        return first, second

    @staticmethod
    def backward(ctx: Any, *_: Tensor) -> tuple[None, ...]:
        raise NotImplementedError("derivatives of mittag_leffler of second order are those with respect to z")


def _parameter(value: float | Tensor) -> Any:
    return value.detach().cpu().double().numpy() if isinstance(value, torch.Tensor) else value


def mittag_leffler(z: Tensor, alpha: float | Tensor, beta: float | Tensor = 1.0) -> Tensor:
    """The Mittag-Leffler function, differentiable with respect to z, alpha and beta.

    ``E_(alpha,beta)(z) = sum_k z^k / Gamma(alpha k + beta)``

    Parameters
    ----------
    z : Tensor
        Real arguments, float32 or float64; computed in double precision.
    alpha : float or Tensor
        Order, alpha > 0; with a gradient 0 < alpha < 2. Tensors broadcast with z.
    beta : float or Tensor
        Second parameter; with a gradient of alpha or beta from -1 to 100.

    Returns
    -------
    Tensor
        Values of the dtype of z.

    Notes
    -----
    Derivatives with respect to z exist to any order, those with respect to alpha and beta to the first.

    Examples
    --------
    >>> import torch
    >>> from hpfracc.torch import mittag_leffler
    >>> alpha = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    >>> z = torch.tensor([-1.0], dtype=torch.float64, requires_grad=True)
    >>> e = mittag_leffler(z, alpha)
    >>> round(e.item(), 6)  # exp(-1)
    0.367879
    >>> e.sum().backward()
    >>> round(z.grad.item(), 6)
    0.367879
    """
    shape = z.shape if isinstance(z, torch.Tensor) else ()
    tensors = [p for p in (alpha, beta) if isinstance(p, torch.Tensor)]
    try:
        shape = torch.broadcast_shapes(shape, *(p.shape for p in tensors))
    except RuntimeError:
        shapes = ", ".join(str(tuple(p.shape)) for p in (z, *tensors))
        raise InputError(f"z, alpha and beta have shapes that do not broadcast: {shapes}") from None
    return _MittagLeffler.apply(z, alpha, beta, 0).reshape(shape)


__all__ = [
    "FractionalDerivative",
    "FractionalIntegral",
    "fdeint",
    "fsdeint",
    "mittag_leffler",
    *(function.__name__ for function in _functions),
]
