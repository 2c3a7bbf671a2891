"""Stochastic and fractional stochastic differential equations in PyTorch with the exact discrete adjoint."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from . import _hpfracc
from ._torch_memory import (
    DTYPES,
    Evaluations,
    Gradients,
    History,
    Orders,
    Rule,
    check_finite,
    check_state,
    first_order,
    keeps_graphs,
    parameters_of,
    uniform_grid,
)
from .errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from torch import Tensor

__all__ = ["fsdeint"]

METHODS = ("euler", "milstein")
NOISES = ("diagonal", "scalar", "general")


def fsdeint(
    drift: Callable[[Tensor, Tensor], Tensor],
    diffusion: Callable[[Tensor, Tensor], Tensor],
    y0: Tensor,
    t: Tensor | Sequence[float],
    *,
    seed: int = 0,
    hurst: float = 0.5,
    alpha: float | Tensor = 1.0,
    method: str = "euler",
    noise: str = "diagonal",
    increments: Tensor | None = None,
    recompute: bool | None = None,
    params: Iterable[Tensor] | None = None,
) -> Tensor:
    """Solve a stochastic differential equation with memory by the schemes of Euler and Maruyama or of Milstein.

    ``y(t) = y_0 + 1/Gamma(alpha) int_(t_0)^t (t-s)^(alpha-1) (f(s, y) ds + g(s, y) dB^H)``

    Parameters
    ----------
    drift, diffusion : callable
        ``drift(t, y)`` with the shape of y0 and ``diffusion(t, y)``: of the shape of y0 for "diagonal" and "scalar"
        noise, with the number of noises as a further last dimension for "general" noise. With ``recompute`` both are
        called again in the backward pass and have to return the same values then.
    y0 : Tensor, shape (batch, ..., dim)
        Initial values, float32 or float64; all dimensions but the last one count paths.
    t : Tensor, shape (n + 1,)
        Times with equal steps.
    seed : int
        Seed of the noise: the numbers of a path depend on the seed, the path, the component and the step only.
    hurst : float
        Hurst exponent of the fractional Brownian motion B^H, 0 < hurst < 1; 0.5 is Brownian motion.
    alpha : float or Tensor
        Order of the equation, at most 1: one for all, or a tensor that broadcasts to the shape of y0. The integral
        exists for alpha > 1/2 (Brownian motion) or alpha > 1 - hurst.
    method : {"euler", "milstein"}
        The scheme. "milstein" has strong order 1 for diagonal Brownian noise of an equation without memory, where each
        component of the diffusion depends on the same component of the state only; it differentiates the diffusion.
    noise : {"diagonal", "scalar", "general"}
        A noise for each component, one for all, or a matrix of coefficients.
    increments : Tensor, optional
        Increments of the noise in place of those of the seed: shape ``(n, *paths, noises)``.
    recompute : bool, optional
        Whether the backward pass calls drift and diffusion again, or the graphs of single calls are stored: by default,
        if they have at most 256 MB.
    params : iterable of Tensor, optional
        Tensors that only later calls of drift and diffusion use; others are found by the first call.

    Returns
    -------
    Tensor, shape (n + 1, *y0.shape)
        The paths at all times. The stochastic integral is that of Ito for hurst = 0.5.

    Raises
    ------
    InputError
        For arguments that are refused.
    SolverError
        If a state is not finite.

    Notes
    -----
    Gradients with respect to y0, alpha and the parameters of drift and diffusion are those of the numerical solution at
    the given noise. The forward pass stores the states and the increments; the backward pass uses the graphs of single
    calls, or calls drift and diffusion again at each node. Cost: n calls of both, and for alpha < 1 sums over the past in ``O(n log(n)^2)``.

    For alpha < 1 the noise of each cell of Brownian motion has exactly the variance of the integral over the cell;
    other noise has the mean of the kernel. Strong order of "euler" for additive Brownian noise: 1 for alpha = 1,
    alpha - 1/2 else; for multiplicative Brownian noise and alpha = 1: 1/2. "milstein" adds ``g g' (dB^2 - h)/2``.

    Sources: Kloeden and Platen, Numerical Solution of Stochastic Differential Equations, Springer 1992, section 10.3;
    Doan, Huong, Kloeden and Vu, J. Comput. Appl. Math. 380 (2020) 112989, DOI 10.1016/j.cam.2020.112989.

    Examples
    --------
    >>> import torch
    >>> from hpfracc.torch import fsdeint
    >>> t = torch.linspace(0, 1, 101, dtype=torch.float64)
    >>> y0 = torch.ones(1000, 1, dtype=torch.float64)
    >>> rate = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    >>> y = fsdeint(lambda t, y: -rate * y, lambda t, y: 0.1 * torch.ones_like(y), y0, t, seed=7)
    >>> abs(y[-1].mean().item() - 0.368) < 0.02  # exp(-1)
    True
    >>> y[-1].mean().backward()
    >>> abs(rate.grad.item() + 0.368) < 0.02
    True
    """
    check_state("y0", y0)
    if y0.dim() == 0:
        raise InputError("y0 has no dimensions, expected at least one, of components")
    if method not in METHODS:
        raise InputError(f"method is {method!r}, expected one of {', '.join(METHODS)}")
    if noise not in NOISES:
        raise InputError(f"noise is {noise!r}, expected one of {', '.join(NOISES)}")
    hurst = float(hurst)
    if not 0.0 < hurst < 1.0:
        raise InputError(f"hurst is {hurst}, expected 0 < hurst < 1")
    times, dt = uniform_grid(t)
    orders = Orders.of(alpha, y0.shape, 1.0)
    least = 0.5 if hurst == 0.5 else 1.0 - hurst
    if min(orders.distinct) <= least and min(orders.distinct) < 1.0:
        raise InputError(f"alpha is {min(orders.distinct)}, expected alpha > {least:g} for noise with hurst = {hurst:g}")
    if method == "milstein" and (noise != "diagonal" or hurst != 0.5 or isinstance(alpha, torch.Tensor) or alpha != 1.0):
        raise InputError("method is 'milstein', which needs noise='diagonal', hurst=0.5 and alpha=1.0")
    on_device = torch.from_numpy(times).to(y0.dtype).to(y0.device)
    with torch.no_grad():
        found = diffusion(on_device[0], y0.detach())
    if not isinstance(found, torch.Tensor):
        raise InputError(f"diffusion returned {type(found).__name__}, expected a tensor")
    coefficients = found.shape
    if noise == "general":
        if found.dim() != y0.dim() + 1 or found.shape[:-1] != y0.shape:
            raise InputError(
                f"diffusion returned a tensor of the shape {tuple(found.shape)}, expected {tuple(y0.shape)} with the "
                "number of noises after it"
            )
        noises = found.shape[-1]
    else:
        coefficients = y0.shape
        noises = y0.shape[-1] if noise == "diagonal" else 1
    paths = y0.shape[:-1]
    shape = (len(times) - 1, *paths, noises)
    if increments is None:
        increments = _increments(seed, hurst, shape, dt, y0)
    else:
        check_state("increments", increments)
        if tuple(increments.shape) != shape or increments.dtype != y0.dtype:
            raise InputError(
                f"increments have the shape {tuple(increments.shape)} and the dtype {increments.dtype}, expected {shape} "
                f"and {y0.dtype}"
            )
        increments = increments.detach().to(y0.device)
    parameters, size = parameters_of([drift, diffusion], on_device[0], y0, params)
    shapes = (y0.shape, coefficients)
    # The graph of the derivative in Milstein's scheme is about as large as that of the diffusion.
    recompute = not keeps_graphs(recompute, size * len(times) * (2 if method == "milstein" else 1))
    problem = _Problem(drift, diffusion, on_device, times, dt, orders, method, noise, hurst, shapes, increments, recompute)
    order = alpha if isinstance(alpha, torch.Tensor) else None
    return _Solve.apply(problem, order, y0, *parameters)


def _increments(seed: int, hurst: float, shape: tuple[int, ...], dt: float, like: Tensor) -> Tensor:
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise InputError(f"seed is {seed!r}, expected a whole number from 0 to 2^64 - 1")
    steps, *paths, noises = shape
    array = _hpfracc.noise_increments(seed, [hurst] * noises, steps, dt, math.prod(paths), dtype=DTYPES[like.dtype])
    return torch.from_numpy(array).view(shape).to(like.device)


@dataclass(frozen=True)
class _Problem:
    drift: Callable[[Tensor, Tensor], Tensor]
    diffusion: Callable[[Tensor, Tensor], Tensor]
    times: Tensor
    exact_times: np.ndarray
    dt: float
    orders: Orders
    method: str
    noise: str
    hurst: float
    #: Of states and of coefficients of the noise.
    shapes: tuple[torch.Size, torch.Size]
    increments: Tensor
    recompute: bool

    @property
    def steps(self) -> int:
        return len(self.times) - 1

    @property
    def has_memory(self) -> bool:
        return self.orders.distinct != (1.0,)

    def functions(self) -> tuple[Evaluations, Evaluations]:
        state, coefficients = self.shapes
        drift = Evaluations("drift", self.drift, self.times, (state, state), self.recompute)
        arguments = ("diffusion", self.diffusion, self.times, (state, coefficients), self.recompute)
        diffusion = _Milstein(self, *arguments) if self.method == "milstein" else Evaluations(*arguments)
        return drift, diffusion

    def forcing(self, node: int, coefficients: Tensor) -> Tensor:
        """The coefficients times the increments after a node."""
        if self.method == "milstein":
            return coefficients.reshape(-1)
        increments = self.increments[node]
        if self.noise == "general":
            return torch.einsum("...ij,...j->...i", coefficients, increments).reshape(-1)
        return (coefficients * increments).reshape(-1)

    def to_coefficients(self, node: int, cotangent: Tensor) -> Tensor:
        """The transpose of :meth:`forcing`."""
        if self.method == "milstein":
            return cotangent
        increments, cotangent = self.increments[node], cotangent.view(self.shapes[0])
        if self.noise == "general":
            return cotangent.unsqueeze(-1) * increments.unsqueeze(-2)
        return cotangent * increments

    def kernels(self, by_order: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Weights of drift and noise by lag, or their derivatives with respect to the order."""
        drift = Rule.of("rectangle", self.orders, self.dt, self.steps, by_order).lags
        rows = [self._noise_weights(alpha, row, by_order) for alpha, row in zip(self.orders.distinct, drift)]
        return drift, np.stack(rows)

    def _noise_weights(self, alpha: float, drift: np.ndarray, by_order: bool) -> np.ndarray:
        if self.hurst != 0.5:
            return drift / self.dt
        # The root of the mean of the squared kernel over each cell, h^(alpha-1)/Gamma(alpha) (D/q)^(1/2) with
        # q = 2 alpha - 1 and D = (m+1)^q - m^q.
        q, m = 2.0 * alpha - 1.0, np.arange(1.0, self.steps)
        ratio = np.log1p(1.0 / m)
        difference = np.concatenate([[1.0], m**q * np.expm1(q * ratio)])
        weights = self.dt ** (alpha - 1.0) / math.gamma(alpha) * np.sqrt(difference / q)
        if not by_order:
            return weights
        change = m**q * (np.log(m) * np.expm1(q * ratio) + ratio * np.exp(q * ratio))
        relative = np.concatenate([[0.0], change / difference[1:]]) - 1.0 / q
        psi = float(torch.digamma(torch.tensor(alpha, dtype=torch.float64)))
        return weights * (math.log(self.dt) - psi + relative)


class _Milstein(Evaluations):
    """The noise of a step of Milstein's scheme, ``g dB + g g' (dB^2 - h)/2``, in place of the value of g."""

    def __init__(self, problem: _Problem, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.problem = problem

    def value(self, n: int, y: Tensor) -> Tensor:
        increments = self.problem.increments[n]
        with torch.enable_grad():
            y = y if y.requires_grad else y.detach().requires_grad_()
            g = super().value(n, y)
            noise = g * increments
            if not g.requires_grad:
                return noise
            correction = 0.5 * g * (increments.square() - self.problem.dt)
            (product,) = torch.autograd.grad(g, y, correction, create_graph=True, allow_unused=True)
            return noise if product is None else noise + product.view_as(noise)


class _Solve(torch.autograd.Function):
    """The paths as a function of order, initial values and parameters."""

    @staticmethod
    def forward(ctx: Any, problem: _Problem, alpha: Tensor | None, y0: Tensor, *parameters: Tensor) -> Tensor:
        drift, diffusion = problem.functions()
        start = y0.detach().reshape(-1)
        states = torch.empty((problem.steps + 1, start.numel()), dtype=y0.dtype, device=y0.device)
        states[0] = start
        if problem.has_memory:
            of_drift, of_noise = (History(lags, problem.orders, start) for lags in problem.kernels())
            for node in range(problem.steps):
                y = states[node]
                total = of_drift.push(drift(node, y))
                total = total + of_noise.push(problem.forcing(node, diffusion(node, y)))
                torch.add(start, total, out=states[node + 1])
        else:
            for node in range(problem.steps):
                y = states[node]
                moved = torch.add(y, drift(node, y).reshape(-1), alpha=problem.dt)
                torch.add(moved, problem.forcing(node, diffusion(node, y)), out=states[node + 1])
        check_finite(states, problem.exact_times)
        ctx.problem, ctx.functions, ctx.with_alpha = problem, (drift, diffusion), alpha is not None
        ctx.save_for_backward(states, *([] if alpha is None else [alpha]), *parameters)
        return states.view(problem.steps + 1, *y0.shape)

    @staticmethod
    @first_order("fsdeint")
    def backward(ctx: Any, cotangents: Tensor) -> tuple[Tensor | None, ...]:
        states, *parameters = ctx.saved_tensors
        alpha = parameters.pop(0) if ctx.with_alpha else None
        problem = ctx.problem
        drift, diffusion = (function.rewind() for function in ctx.functions)
        gradients = Gradients(parameters)
        cotangents = cotangents.reshape(states.shape)
        by_order = alpha is not None and ctx.needs_input_grad[1]
        like = states[0]
        order_gradient = torch.zeros(like.shape, dtype=torch.float64, device=like.device)
        changes: list[History] = []
        if by_order:
            changes = [History(lags, problem.orders, like) for lags in problem.kernels(by_order=True)]
        if problem.has_memory:
            later = [History(lags, problem.orders, like) for lags in problem.kernels()]
        bar, initial = cotangents[-1], torch.zeros_like(like)
        for node in range(problem.steps - 1, -1, -1):
            y = states[node]
            if problem.has_memory:
                initial = initial + bar
                of_drift, of_noise = (history.push(bar) for history in later)
                own = cotangents[node]
            else:
                of_drift, of_noise = problem.dt * bar, bar
                own = cotangents[node] + bar
            value, by_drift = drift.vjp(node, y, of_drift, gradients)
            coefficients, by_diffusion = diffusion.vjp(
                node, y, problem.to_coefficients(node, of_noise), gradients
            )
            if by_order:
                parts = (value.reshape(-1), problem.forcing(node, coefficients))
                for part, change in zip(parts, changes):
                    order_gradient.addcmul_(part.double(), change.push(bar).double())
            bar = own
            for by_state in (by_drift, by_diffusion):
                if by_state is not None:
                    bar = bar + by_state
        total = (bar + initial).view(problem.shapes[0])
        gradient = problem.orders.gradient(order_gradient, alpha, problem.shapes[0]) if by_order else None
        return None, gradient, total, *gradients.totals
