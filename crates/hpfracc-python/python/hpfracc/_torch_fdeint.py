"""Fractional differential equations in PyTorch with the exact discrete adjoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from ._torch_adjoint import Adjoint, ImplicitAdjoint
from ._torch_memory import (
    Evaluations,
    Orders,
    check_finite,
    check_state,
    first_order,
    keeps_graphs,
    parameters_of,
    uniform_grid,
)
from ._torch_steps import IMPLICIT, Problem, implicit, pece, rectangle
from .errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from torch import Tensor

__all__ = ["fdeint"]

METHODS = ("pece", "rectangle", *IMPLICIT)


def fdeint(
    func: Callable[[Tensor, Tensor], Tensor],
    y0: Tensor | Sequence[Tensor],
    t: Tensor | Sequence[float],
    alpha: float | Tensor,
    *,
    method: str = "pece",
    passes: int = 1,
    recompute: bool | None = None,
    params: Iterable[Tensor] | None = None,
) -> Tensor:
    """Solve the fractional differential equation ``D^alpha y = f(t, y)`` (Caputo) on a uniform grid.

    ``y(t) = sum_k y_k (t-t_0)^k / k! + 1/Gamma(alpha) int_(t_0)^t (t-s)^(alpha-1) f(s, y(s)) ds``

    Parameters
    ----------
    func : callable
        The right-hand side ``func(t, y)``: t is a tensor without dimensions, y and the result have the shape of y0.
        With ``recompute`` it is called again in the backward pass and has to return the same values then. Implicit
        methods differentiate it twice if the state has more than 32 numbers.
    y0 : Tensor or sequence of Tensor
        Initial values, of any shape; float32 or float64. For alpha > 1 the derivatives of whole orders, too:
        ``(y, y', ...)``, ``ceil(alpha)`` tensors.
    t : Tensor, shape (n + 1,)
        Times with equal steps; the first is that of y0.
    alpha : float or Tensor
        Order, 0 < alpha <= 20: one for all, or a tensor that broadcasts to the shape of y0.
    method : {"pece", "rectangle", "trapezoid", "rectangle-implicit"}
        Predictor-corrector method of Adams-Bashforth-Moulton type, explicit product rectangles (fractional Euler), or for
        stiff equations implicit product trapezoids or rectangles (backward Euler), solved by Newton's method.
    passes : int
        Corrector passes of "pece".
    recompute : bool, optional
        Whether the backward pass calls func again. Otherwise the graph of each call is stored: faster, for the memory of
        all intermediate values of func at all nodes; func may be random then (dropout). Default: graphs are stored if
        they have at most 256 MB, by the size of that of a first call.
    params : iterable of Tensor, optional
        Tensors that func depends on. Parameters of modules and all tensors that the first call uses are found without
        it; name here what only later calls use.

    Returns
    -------
    Tensor, shape (n + 1, *y0.shape)
        The states at all times.

    Raises
    ------
    InputError
        For arguments that are refused, and for results of func of another shape or type.
    SolverError
        If a state is not finite, or Newton's method finds no solution.

    Notes
    -----
    Gradients with respect to y0, alpha and the parameters of func are those of the numerical solution, to rounding: the
    discrete adjoint. The forward pass stores the states (with "pece" the predicted ones, too); the backward pass uses the
    graphs of single calls, or calls func again at each node. Differentiating a
    gradient again raises NotImplementedError.

    Cost: n calls of func for "rectangle" and ``(passes + 1) n`` for "pece", in the backward pass as many with their
    derivatives; sums over the past take ``O(n log(n)^2)`` for each number of y0 on the CPU and ``O(n^2)`` on other
    devices. Order of accuracy for smooth ``D^alpha y``: 1 for rectangles, 2 for "trapezoid", ``min(2, 1 + passes alpha)``
    for "pece".

    An implicit step takes some Newton iterations, to rounding. Each is a linear system: with the Jacobian as a matrix for
    states of up to 32 numbers, else by GMRES with products. The backward pass solves one transposed system a node, by the
    implicit function theorem.

    Source: Diethelm, Ford and Freed, Nonlinear Dyn. 29 (2002) 3, DOI 10.1023/A:1016592219341.

    Examples
    --------
    >>> import torch
    >>> from hpfracc.torch import fdeint
    >>> rate = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    >>> t = torch.linspace(0, 1, 501, dtype=torch.float64)
    >>> y = fdeint(lambda t, y: -rate * y, torch.ones(1, dtype=torch.float64), t, 0.5)
    >>> round(y[-1].item(), 4)  # exp(1) erfc(1) = 0.42758...
    0.4276
    >>> y[-1].sum().backward()
    >>> round(rate.grad.item(), 3)  # 2 y(1) - 2/sqrt(pi) = -0.2732...
    -0.273
    """
    initial = (y0,) if isinstance(y0, torch.Tensor) else tuple(y0)
    if not initial:
        raise InputError("y0 is empty")
    for k, value in enumerate(initial):
        check_state("y0" if k == 0 else f"y0[{k}]", value)
        if (value.shape, value.dtype, value.device) != (initial[0].shape, initial[0].dtype, initial[0].device):
            raise InputError(f"y0[{k}] differs from y0[0] in its shape, dtype or device")
    if method not in METHODS:
        raise InputError(f"method is {method!r}, expected one of {', '.join(METHODS)}")
    if isinstance(passes, bool) or not isinstance(passes, int) or not 1 <= passes <= 100:
        raise InputError(f"passes is {passes!r}, expected 1 to 100")
    state = initial[0]
    times, dt = uniform_grid(t)
    orders = Orders.of(alpha, state.shape, 20.0)
    needed = int(np.ceil(max(orders.distinct)))
    if len(initial) != needed:
        raise InputError(f"{len(initial)} initial values for orders up to {max(orders.distinct)}, expected {needed}")
    on_device = torch.from_numpy(times).to(state.dtype).to(state.device)
    passes = passes if method == "pece" else 0
    parameters, size = parameters_of([func], on_device[0], state, params)
    recompute = not keeps_graphs(recompute, size * (passes + 1) * len(times))
    problem = Problem(func, on_device, times, dt, orders, method, passes, recompute)
    order = alpha if isinstance(alpha, torch.Tensor) else None
    return _Solve.apply(problem, order, len(initial), *initial, *parameters)


class _Solve(torch.autograd.Function):
    """The solution as a function of order, initial values and parameters."""

    @staticmethod
    def forward(ctx: Any, problem: Problem, alpha: Tensor | None, rows: int, *tensors: Tensor) -> Tensor:
        initial = [value.detach().reshape(-1) for value in tensors[:rows]]
        shape, steps, like = tensors[0].shape, problem.steps, initial[0]
        f = Evaluations("func", problem.func, problem.times, (shape, shape), problem.recompute)
        states = torch.empty((steps + 1, like.numel()), dtype=like.dtype, device=like.device)
        iterates = torch.empty((problem.passes, *states.shape), dtype=like.dtype, device=like.device)
        states[0] = like
        if problem.is_implicit:
            implicit(problem, f, initial, states.unbind())
        elif problem.method == "rectangle":
            rectangle(problem, f, initial, states.unbind())
        else:
            pece(problem, f, initial, states.unbind(), [of_pass.unbind() for of_pass in iterates])
        check_finite(states, problem.exact_times)
        ctx.problem, ctx.f, ctx.rows, ctx.with_alpha = problem, f, rows, alpha is not None
        ctx.save_for_backward(states, iterates, *([] if alpha is None else [alpha]), *tensors[rows:])
        ctx.shape = shape
        return states.view(steps + 1, *shape)

    @staticmethod
    @first_order("fdeint")
    def backward(ctx: Any, cotangent: Tensor) -> tuple[Tensor | None, ...]:
        states, iterates, *rest = ctx.saved_tensors
        alpha = rest.pop(0) if ctx.with_alpha else None
        kind = ImplicitAdjoint if ctx.problem.is_implicit else Adjoint
        adjoint = kind(ctx, states, iterates, rest, alpha is not None and ctx.needs_input_grad[1])
        return adjoint.run(cotangent.reshape(states.shape).unbind(), alpha)
