"""Recursions of fractional solves in PyTorch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from ._torch_linear import Linearisation
from ._torch_memory import Evaluations, History, Orders, Rule
from .errors import SolverError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

#: Methods whose steps are solved by Newton's method.
IMPLICIT = ("trapezoid", "rectangle-implicit")
#: Largest number of iterations of a step.
NEWTON = 50


@dataclass(frozen=True)
class Problem:
    """Equation, grid and method of a solve."""

    func: Callable[[Tensor, Tensor], Tensor]
    times: Tensor
    exact_times: np.ndarray
    dt: float
    orders: Orders
    method: str
    #: Corrector passes of "pece", 0 for other methods.
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

    @property
    def is_implicit(self) -> bool:
        return self.method in IMPLICIT

    def rules(self, by_order: bool = False) -> list[Rule]:
        """Weights of the method, or their derivatives with respect to the order."""
        names = {"pece": ("rectangle", "trapezoid"), "trapezoid": ("trapezoid",)}.get(self.method, ("rectangle",))
        rules = [Rule.of(name, self.orders, self.dt, self.steps, by_order) for name in names]
        if self.method != "rectangle-implicit":
            return rules
        # The value at the end of each step in place of that at its start.
        lags = rules[0].lags
        later = np.concatenate([lags[:, 1:], np.zeros_like(lags[:, :1])], axis=1)
        return [Rule(later, np.zeros_like(rules[0].start), lags[:, 0])]

    def history(self, lags: np.ndarray, like: Tensor) -> History:
        return History(lags, self.orders, like)


def free_term(problem: Problem, initial: list[Tensor]) -> Callable[[int], Tensor]:
    """The Taylor polynomial of the initial values by node."""
    factors = [problem.taylor(k, initial[0]) for k in range(1, len(initial))]

    def at(node: int) -> Tensor:
        value = initial[0]
        for factor, y in zip(factors, initial[1:]):
            value = value + factor[node] * y
        return value

    return at


def rectangle(problem: Problem, f: Evaluations, initial: list[Tensor], states: Sequence[Tensor]) -> None:
    """Explicit product rectangles."""
    (rule,) = problem.rules()
    past, free = problem.history(rule.lags, initial[0]), free_term(problem, initial)
    for node in range(problem.steps):
        torch.add(free(node + 1), past.push(f(node, states[node])), out=states[node + 1])


def pece(
    problem: Problem,
    f: Evaluations,
    initial: list[Tensor],
    states: Sequence[Tensor],
    iterates: Sequence[Sequence[Tensor]],
) -> None:
    """Predictor-corrector method."""
    like, orders, steps = initial[0], problem.orders, problem.steps
    rules = problem.rules()
    predictor, corrector = (problem.history(rule.lags, like) for rule in rules)
    trapezoid = rules[1]
    free, newest = free_term(problem, initial), orders.spread(trapezoid.newest, like)
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


def implicit(problem: Problem, f: Evaluations, initial: list[Tensor], states: Sequence[Tensor]) -> None:
    """Implicit product trapezoids or rectangles, solved by Newton's method."""
    like, orders, steps = initial[0], problem.orders, problem.steps
    (rule,) = problem.rules()
    past, free, newest = problem.history(rule.lags, like), free_term(problem, initial), orders.spread(rule.newest, like)
    start = [orders.spread(rule.start[:, node], like) for node in range(steps + 1)]
    uses_first = problem.method == "trapezoid"
    slope = f(0, states[0]).reshape(-1) if uses_first else torch.zeros_like(like)
    first = slope.clone()
    for node in range(1, steps + 1):
        known = free(node)
        if node > 1 or uses_first:
            known = known + past.push(slope) + start[node] * first
        states[node].copy_(_newton(f, node, states[node - 1], known, newest, problem))
        slope = f(node, states[node]).reshape(-1)


def _newton(
    f: Evaluations, node: int, guess: Tensor, known: Tensor, newest: float | Tensor, problem: Problem
) -> Tensor:
    """The solution of ``y = known + newest f(t, y)``."""
    y, eps, before = guess.clone(), torch.finfo(guess.dtype).eps, math.inf
    for _ in range(NEWTON):
        point = Linearisation(*f.graph_at(node, y))
        change = point.solve(newest, known + newest * point.value.detach().reshape(-1) - y)
        y = y + change
        size, moved = 1.0 + float(y.norm()), float(change.norm())
        # Each iteration doubles the digits: a step this small is the last one, and so is one that rounding makes.
        if moved <= eps**0.75 * size or (moved <= eps**0.5 * size and moved >= before):
            return y
        if not math.isfinite(moved):
            break
        before = moved
    t = problem.exact_times[node]
    raise SolverError(f"Newton's method found no solution of the step to t = {t:g}: take shorter steps")
