"""Fractional differential equations in PyTorch with the exact discrete adjoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from ._torch_memory import (
    Evaluations,
    Gradients,
    History,
    Orders,
    Rule,
    check_finite,
    check_state,
    first_order,
    parameters_of,
    uniform_grid,
)
from .errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from torch import Tensor

__all__ = ["fdeint"]

METHODS = ("pece", "rectangle")


def fdeint(
    func: Callable[[Tensor, Tensor], Tensor],
    y0: Tensor | Sequence[Tensor],
    t: Tensor | Sequence[float],
    alpha: float | Tensor,
    *,
    method: str = "pece",
    passes: int = 1,
    recompute: bool = True,
    params: Iterable[Tensor] | None = None,
) -> Tensor:
    """Solve the fractional differential equation ``D^alpha y = f(t, y)`` (Caputo) on a uniform grid.

    ``y(t) = sum_k y_k (t-t_0)^k / k! + 1/Gamma(alpha) int_(t_0)^t (t-s)^(alpha-1) f(s, y(s)) ds``

    Parameters
    ----------
    func : callable
        The right-hand side ``func(t, y)``: t is a tensor without dimensions, y and the result have the shape of y0.
        With ``recompute`` it is called again in the backward pass and has to return the same values then.
    y0 : Tensor or sequence of Tensor
        Initial values, of any shape; float32 or float64. For alpha > 1 the derivatives of whole orders, too:
        ``(y, y', ...)``, ``ceil(alpha)`` tensors.
    t : Tensor, shape (n + 1,)
        Times with equal steps; the first is that of y0.
    alpha : float or Tensor
        Order, 0 < alpha <= 20: one for all, or a tensor that broadcasts to the shape of y0.
    method : {"pece", "rectangle"}
        Predictor-corrector method of Adams-Bashforth-Moulton type, or explicit product rectangles (fractional Euler).
    passes : int
        Corrector passes of "pece".
    recompute : bool
        Whether the backward pass calls func again. Otherwise the graph of each call is stored: faster by about a
        quarter, for the memory of all intermediate values of func at all nodes; func may be random then (dropout).
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
        If a state is not finite.

    Notes
    -----
    Gradients with respect to y0, alpha and the parameters of func are those of the numerical solution, to rounding: the
    discrete adjoint. No graph of the solve is stored: the forward pass stores the states (with "pece" the predicted
    ones, too), the backward pass calls func again at each node, or uses the graphs of single calls. Differentiating a
    gradient again raises NotImplementedError.

    Cost: n calls of func for "rectangle" and ``(passes + 1) n`` for "pece", in the backward pass as many with their
    derivatives; sums over the past take ``O(n log(n)^2)`` for each number of y0 on the CPU and ``O(n^2)`` on other
    devices. Order of accuracy for smooth ``D^alpha y``: 1 for "rectangle", ``min(2, 1 + passes alpha)`` for "pece".

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
    parameters = parameters_of([func], on_device[0], state, params)
    passes = 0 if method == "rectangle" else passes
    recompute = recompute or not torch.is_grad_enabled()
    problem = _Problem(func, on_device, times, dt, orders, passes, recompute)
    order = alpha if isinstance(alpha, torch.Tensor) else None
    return _Solve.apply(problem, order, len(initial), *initial, *parameters)


@dataclass(frozen=True)
class _Problem:
    func: Callable[[Tensor, Tensor], Tensor]
    times: Tensor
    exact_times: np.ndarray
    dt: float
    orders: Orders
    #: Corrector passes; 0 for explicit rectangles.
    passes: int
    recompute: bool

    @property
    def steps(self) -> int:
        return len(self.times) - 1

    def taylor(self, k: int, like: Tensor) -> list[float] | Tensor:
        """Factors of the initial value of order k by node, 0 for components of lower order."""
        factors = (self.exact_times - self.exact_times[0]) ** k / float(np.prod(np.arange(1, k + 1)))
        if self.orders.group is None:
            return factors.tolist()
        takes = np.array([alpha > k for alpha in self.orders.distinct], dtype=np.float64)
        return torch.from_numpy(factors).to(like)[:, None] * self.orders.spread(takes, like)

    def history(self, lags: np.ndarray, like: Tensor) -> History:
        return History(lags, self.orders, like)


class _Solve(torch.autograd.Function):
    """The solution as a function of order, initial values and parameters."""

    @staticmethod
    def forward(ctx: Any, problem: _Problem, alpha: Tensor | None, rows: int, *tensors: Tensor) -> Tensor:
        initial = [value.detach().reshape(-1) for value in tensors[:rows]]
        shape, steps, like = tensors[0].shape, problem.steps, initial[0]
        f = Evaluations("func", problem.func, problem.times, (shape, shape), problem.recompute)
        states = torch.empty((steps + 1, like.numel()), dtype=like.dtype, device=like.device)
        iterates = torch.empty((problem.passes, *states.shape), dtype=like.dtype, device=like.device)
        states[0] = like
        if problem.passes == 0:
            _rectangle(problem, f, initial, states.unbind())
        else:
            _pece(problem, f, initial, states.unbind(), [of_pass.unbind() for of_pass in iterates])
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
        adjoint = _Adjoint(ctx, states, iterates, rest, alpha is not None and ctx.needs_input_grad[1])
        return adjoint.run(cotangent.reshape(states.shape).unbind(), alpha)


def _free(problem: _Problem, initial: list[Tensor]) -> Callable[[int], Tensor]:
    """The Taylor polynomial of the initial values by node."""
    factors = [problem.taylor(k, initial[0]) for k in range(1, len(initial))]

    def at(node: int) -> Tensor:
        value = initial[0]
        for factor, y in zip(factors, initial[1:]):
            value = value + factor[node] * y
        return value

    return at


def _rectangle(problem: _Problem, f: Evaluations, initial: list[Tensor], states: Sequence[Tensor]) -> None:
    rule = Rule.of("rectangle", problem.orders, problem.dt, problem.steps)
    past, free = problem.history(rule.lags, initial[0]), _free(problem, initial)
    for node in range(problem.steps):
        torch.add(free(node + 1), past.push(f(node, states[node])), out=states[node + 1])


def _pece(
    problem: _Problem,
    f: Evaluations,
    initial: list[Tensor],
    states: Sequence[Tensor],
    iterates: Sequence[Sequence[Tensor]],
) -> None:
    like, orders, steps = initial[0], problem.orders, problem.steps
    rectangle = Rule.of("rectangle", orders, problem.dt, steps)
    trapezoid = Rule.of("trapezoid", orders, problem.dt, steps)
    predictor, corrector = (problem.history(rule.lags, like) for rule in (rectangle, trapezoid))
    free, newest = _free(problem, initial), orders.spread(trapezoid.newest, like)
    start = [orders.spread(trapezoid.start[:, node], like) for node in range(steps + 1)]
    slope = f(0, states[0]).reshape(-1)
    first = slope.clone()
    for node in range(1, steps + 1):
        known = free(node)
        torch.add(known, predictor.push(slope), out=iterates[0][node])
        known = (known + corrector.push(slope)).add_(start[node] * first)
        for k in range(problem.passes):
            result = iterates[k + 1][node] if k + 1 < problem.passes else states[node]
            torch.add(known, newest * f(node, iterates[k][node]).reshape(-1), out=result)
        if node < steps:
            slope = f(node, states[node]).reshape(-1)


class _Adjoint:
    """The backward pass: cotangents of the nodes from the last to the first."""

    def __init__(
        self, ctx: Any, states: Tensor, iterates: Tensor, parameters: list[Tensor], by_order: bool
    ) -> None:
        problem = ctx.problem
        self.problem, self.rows, self.shape = problem, ctx.rows, ctx.shape
        self.states, self.iterates = states.unbind(), [of_pass.unbind() for of_pass in iterates]
        self.f, self.gradients = ctx.f.rewind(), Gradients(parameters)
        orders, dt, steps, like = problem.orders, problem.dt, problem.steps, states[0]
        names = ("rectangle",) if problem.passes == 0 else ("rectangle", "trapezoid")
        rules = [Rule.of(name, orders, dt, steps) for name in names]
        self.later = [problem.history(rule.lags, like) for rule in rules]
        self.by_order = by_order
        self.order_gradient = torch.zeros(like.shape, dtype=torch.float64, device=like.device)
        if by_order:
            changes = [Rule.of(name, orders, dt, steps, True) for name in names]
            self.later_changes = [problem.history(rule.lags, like) for rule in changes]
        if problem.passes > 0:
            self.newest = orders.spread(rules[1].newest, like)
            self.start = [orders.spread(rules[1].start[:, node], like) for node in range(steps + 1)]
            self.first = torch.zeros_like(like)
            if by_order:
                self.newest_change = orders.spread(changes[1].newest, like)
                self.start_change = [orders.spread(changes[1].start[:, node], like) for node in range(steps + 1)]
                self.first_change = torch.zeros_like(like)

    def run(self, cotangents: Sequence[Tensor], alpha: Tensor | None) -> tuple[Tensor | None, ...]:
        like, steps = self.states[0], self.problem.steps
        initial = [torch.zeros_like(like) for _ in range(self.rows)]
        factors = [self.problem.taylor(k, like) for k in range(1, self.rows)]
        # Cotangents of the value of func at the next earlier node, and what they become with the changes of weights.
        slope: Tensor | None = None
        change: Tensor | None = None
        for node in range(steps, 0, -1):
            total = self._node(node, cotangents[node], slope, change)
            initial[0] += total
            for k, factor in enumerate(factors, 1):
                initial[k] += factor[node] * total
            slope, change = self._sums(self.later), self._sums(self.later_changes) if self.by_order else None
        if self.problem.passes > 0:
            slope = self._sums(self.later) + self.first
            if self.by_order:
                change = self._sums(self.later_changes) + self.first_change
        initial[0] += self._through(0, cotangents[0], slope, change)
        gradient = None
        if self.by_order:
            gradient = self.problem.orders.gradient(self.order_gradient, alpha, self.shape)
        by_initial = (value.view(self.shape) for value in initial)
        return None, gradient, None, *by_initial, *self.gradients.totals

    def _sums(self, histories: list[History]) -> Tensor:
        total = histories[0].out
        for history in histories[1:]:
            total = total + history.out
        return total

    def _through(self, node: int, cotangent: Tensor, slope: Tensor | None, change: Tensor | None) -> Tensor:
        """The cotangent of the state at a node, from that given and that of the value of func there."""
        if slope is None:
            return cotangent
        value, by_state = self.f.vjp(node, self.states[node], slope, self.gradients)
        if change is not None:
            self.order_gradient.addcmul_(value.reshape(-1).double(), change.double())
        return cotangent if by_state is None else cotangent + by_state

    def _node(self, node: int, cotangent: Tensor, slope: Tensor | None, change: Tensor | None) -> Tensor:
        """Adds the sources of a node to the sums and returns the cotangent of its free term."""
        bar = self._through(node, cotangent, slope, change)
        if self.problem.passes == 0:
            self._push(0, bar)
            return bar
        corrected = torch.zeros_like(bar)
        for k in range(self.problem.passes - 1, -1, -1):
            corrected += bar
            value, by_state = self.f.vjp(
                node, self.iterates[k][node], self.newest * bar, self.gradients
            )
            if self.by_order:
                self.order_gradient.addcmul_(value.reshape(-1).double(), (self.newest_change * bar).double())
            bar = torch.zeros_like(bar) if by_state is None else by_state
        self._push(0, bar)
        self._push(1, corrected)
        self.first += self.start[node] * corrected
        if self.by_order:
            self.first_change += self.start_change[node] * corrected
        return bar + corrected

    def _push(self, rule: int, source: Tensor) -> None:
        self.later[rule].push(source)
        if self.by_order:
            self.later_changes[rule].push(source)
