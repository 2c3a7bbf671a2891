"""Discrete adjoints of fractional solves in PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from ._torch_linear import Linearisation
from ._torch_memory import Gradients, History

if TYPE_CHECKING:
    from torch import Tensor


class Adjoint:
    """The backward pass: cotangents of the nodes from the last to the first."""

    def __init__(
        self, ctx: Any, states: Tensor, iterates: Tensor, parameters: list[Tensor], by_order: bool
    ) -> None:
        problem = ctx.problem
        self.problem, self.rows, self.shape = problem, ctx.rows, ctx.shape
        self.states, self.iterates = states.unbind(), [of_pass.unbind() for of_pass in iterates]
        self.f, self.gradients = ctx.f.rewind(), Gradients(parameters)
        orders, steps, like = problem.orders, problem.steps, states[0]
        rules = problem.rules()
        self.later = [problem.history(rule.lags, like) for rule in rules]
        self.by_order = by_order
        self.order_gradient = torch.zeros(like.shape, dtype=torch.float64, device=like.device)
        if by_order:
            changes = problem.rules(by_order=True)
            self.later_changes = [problem.history(rule.lags, like) for rule in changes]
        #: Whether the value at the start has weights of its own.
        self.has_start = problem.method in ("pece", "trapezoid")
        if problem.method != "rectangle":
            self.newest = orders.spread(rules[-1].newest, like)
            self.start = [orders.spread(rules[-1].start[:, node], like) for node in range(steps + 1)]
            self.first = torch.zeros_like(like)
            if by_order:
                self.newest_change = orders.spread(changes[-1].newest, like)
                self.start_change = [orders.spread(changes[-1].start[:, node], like) for node in range(steps + 1)]
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
        if self.has_start:
            slope = self._sums(self.later) + self.first
            if self.by_order:
                change = self._sums(self.later_changes) + self.first_change
        elif self.problem.is_implicit:
            slope = change = None
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


class ImplicitAdjoint(Adjoint):
    """The same for implicit steps ``y = known + c f(t, y)``, by the implicit function theorem.

    With the cotangents l of the state and s of the value of func, from later nodes, ``u = l + f_y^T (s + c u)`` is the
    cotangent of the known part, and ``s + c u`` that of the value.
    """

    def _node(self, node: int, cotangent: Tensor, slope: Tensor | None, change: Tensor | None) -> Tensor:
        y, value = self.f.graph(node, self.states[node])
        point = Linearisation(y, value)
        slope = torch.zeros_like(cotangent) if slope is None else slope
        bar = point.solve(self.newest, cotangent + point.vjp(slope), transposed=True)
        self.f.pull_back(y, value, slope + self.newest * bar, self.gradients)
        if self.by_order:
            own = self.newest_change * bar
            total = own if change is None else own + change
            self.order_gradient.addcmul_(value.detach().reshape(-1).double(), total.double())
        self._push(0, bar)
        self.first += self.start[node] * bar
        if self.by_order:
            self.first_change += self.start_change[node] * bar
        return bar
