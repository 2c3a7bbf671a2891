"""Memory of fractional solves in PyTorch: weights, sums over the past, and evaluations of functions with gradients."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from . import _hpfracc
from .errors import InputError, SolverError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from torch import Tensor

#: Names of NumPy for the types of numbers that are computed.
DTYPES = {torch.float32: "float32", torch.float64: "float64"}


def check_state(name: str, value: Tensor) -> None:
    """Refuses everything but nonempty tensors of ``float32`` or ``float64``."""
    if not isinstance(value, torch.Tensor):
        raise InputError(f"{name} is {type(value).__name__}, expected a tensor")
    if value.dtype not in DTYPES:
        raise InputError(f"{name} has the dtype {value.dtype}, expected torch.float32 or torch.float64")
    if value.numel() == 0:
        raise InputError(f"{name} is empty: its shape is {tuple(value.shape)}")


def uniform_grid(t: Tensor | Sequence[float]) -> tuple[np.ndarray, float]:
    """Times and step of a uniform grid."""
    if isinstance(t, torch.Tensor):
        if t.requires_grad:
            raise InputError("t requires a gradient: solves have none with respect to their times")
        single = t.dtype == torch.float32
        times = t.detach().cpu().to(torch.float64).numpy()
    else:
        single = isinstance(t, np.ndarray) and t.dtype == np.float32
        times = np.asarray(t, dtype=np.float64)
    if times.ndim != 1 or times.size < 2:
        raise InputError(f"t has the shape {times.shape}, expected at least two times in one dimension")
    if not np.isfinite(times).all():
        raise InputError(f"t[{int(np.argmin(np.isfinite(times)))}] is not finite")
    steps = times.size - 1
    dt = float(times[-1] - times[0]) / steps
    if dt <= 0.0:
        raise InputError(f"t goes from {times[0]} to {times[-1]}, expected increasing times")
    uniform = times[0] + dt * np.arange(steps + 1)
    error = np.abs(times - uniform)
    rounding = (4e-7 if single else 1e-12) * float(np.abs(times).max())
    worst = int(error.argmax())
    if error[worst] > rounding + 1e-9 * dt:
        raise InputError(
            f"t[{worst}] = {times[worst]}, but equal steps of {dt} have {uniform[worst]}: expected a uniform grid"
        )
    return uniform, dt


@dataclass(frozen=True)
class Orders:
    """Orders of the components of a state: the distinct ones, and which of them each number of the state has."""

    #: Shape of the order, which broadcasts to that of the state.
    shape: torch.Size
    distinct: tuple[float, ...]
    #: Index of the order by number of the state; ``None`` if there is one.
    group: Tensor | None

    @staticmethod
    def of(alpha: float | Tensor, shape: torch.Size, largest: float) -> Orders:
        """Checks ``alpha`` for a state of a shape."""
        if isinstance(alpha, torch.Tensor):
            values = alpha.detach().cpu().to(torch.float64)
        else:
            values = torch.tensor(float(alpha), dtype=torch.float64)
        for value in values.reshape(-1).tolist():
            if not 0.0 < value <= largest:
                raise InputError(f"alpha is {value}, expected 0 < alpha <= {largest:g}")
        if values.numel() == 0:
            raise InputError("alpha is empty")
        if values.numel() == 1:
            return Orders(values.shape, (float(values.reshape(-1)[0]),), None)
        try:
            of_each = values.broadcast_to(shape).reshape(-1)
        except RuntimeError:
            raise InputError(
                f"alpha has the shape {tuple(values.shape)}, which does not broadcast to that of y0, {tuple(shape)}"
            ) from None
        distinct, group = torch.unique(of_each, return_inverse=True)
        if len(distinct) == 1:
            return Orders(values.shape, (float(distinct[0]),), None)
        return Orders(values.shape, tuple(distinct.tolist()), group)

    def spread(self, values: np.ndarray, like: Tensor) -> float | Tensor:
        """A number for each order as a number for each one of the state, or one number for all."""
        if self.group is None:
            return float(values[0])
        by_order = torch.from_numpy(np.ascontiguousarray(values)).to(like.dtype)
        return by_order[self.group].to(like.device)

    def gradient(self, by_number: Tensor, alpha: Tensor, state: torch.Size) -> Tensor:
        """The gradient with respect to ``alpha`` from that with respect to the order of each number of the state."""
        total = by_number.reshape(state)
        if alpha.numel() == 1:
            return total.sum().reshape(alpha.shape).to(alpha.dtype).to(alpha.device)
        return total.sum_to_size(alpha.shape).to(alpha.dtype).to(alpha.device)


class History:
    """Sums ``s[n] = sum_{m >= 1} w[m] u[n-m]`` over the rows so far, a number of each row for each one of the state."""

    def __init__(self, weights: np.ndarray, orders: Orders, like: Tensor) -> None:
        self.lanes = like.numel()
        if like.device.type == "cpu":
            groups = None if orders.group is None else orders.group.tolist()
            self.sums = _hpfracc.History(weights, self.lanes, groups=groups, dtype=DTYPES[like.dtype])
            self.out = torch.empty(self.lanes, dtype=like.dtype)
            self.view = self.out.numpy()
            self.push = self._push_here
        else:
            self._start_on(like, weights, orders)
            self.push = self._push_there

    def _push_here(self, row: Tensor) -> Tensor:
        self.sums.push(row.detach().reshape(-1).numpy(), self.view)
        return self.out

    def _start_on(self, like: Tensor, weights: np.ndarray, orders: Orders) -> None:
        """Direct sums on the device of the state."""
        steps = weights.shape[1]
        reversed_weights = torch.from_numpy(np.ascontiguousarray(weights[:, ::-1])).to(like.dtype).to(like.device)
        self.rows = torch.empty(steps, self.lanes, dtype=like.dtype, device=like.device)
        self.pushed = 0
        if orders.group is None:
            self.parts: list[tuple[Tensor, Tensor | None]] = [(reversed_weights[0], None)]
        else:
            lanes = [torch.nonzero(orders.group == g).reshape(-1).to(like.device) for g in range(weights.shape[0])]
            self.parts = [(reversed_weights[g], of_group) for g, of_group in enumerate(lanes)]
        self.out = torch.empty(self.lanes, dtype=like.dtype, device=like.device)

    def _push_there(self, row: Tensor) -> Tensor:
        self.rows[self.pushed] = row.detach().reshape(-1)
        self.pushed += 1
        rows = self.rows[: self.pushed]
        for weights, lanes in self.parts:
            latest = weights[len(weights) - self.pushed :]
            if lanes is None:
                torch.mv(rows.T, latest, out=self.out)
            else:
                self.out[lanes] = rows[:, lanes].T @ latest
        return self.out


@dataclass(frozen=True)
class Rule:
    """Weights of product integration for each distinct order: by lag from 1, of f_0 by node, and of the new node."""

    lags: np.ndarray
    start: np.ndarray
    newest: np.ndarray

    @staticmethod
    def of(name: str, orders: Orders, dt: float, steps: int, by_order: bool = False) -> Rule:
        tables = [_hpfracc.product_weights(name, alpha, dt, steps, by_order) for alpha in orders.distinct]
        lags = np.stack([causal[1:] for causal, _ in tables])
        start = np.stack([start for _, start in tables])
        return Rule(lags, start, np.array([causal[0] for causal, _ in tables]))


def leaves(output: Tensor) -> list[Tensor]:
    """The tensors that an output depends on and whose gradients accumulate."""
    found, seen = [], set()
    stack = [output.grad_fn] if output.grad_fn is not None else []
    if output.grad_fn is None and output.requires_grad:
        found.append(output)
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        variable = getattr(node, "variable", None)
        if variable is not None and not node.next_functions:
            found.append(variable)
        stack.extend(function for function, _ in node.next_functions if function is not None)
    return found


#: Most bytes of graphs that solves store by default, and those of a call besides its tensors.
_STORED, _CALL = 256_000_000, 4096


def parameters_of(
    functions: Iterable[Callable[..., Tensor]], t: Tensor, y0: Tensor, params: Iterable[Tensor] | None
) -> tuple[list[Tensor], int]:
    """Tensors that functions ``f(t, y)`` depend on, and the bytes of the graphs of one call of each.

    The tensors are the parameters of modules, those given, and those of a first call.
    """
    if not torch.is_grad_enabled():
        return [], 0
    all_of_them: list[Tensor] = [p for p in (params or ()) if p.requires_grad]
    stored: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        stored[storage.data_ptr()] = storage.nbytes()
        return tensor

    size = 0
    for function in functions:
        if isinstance(function, torch.nn.Module):
            all_of_them.extend(p for p in function.parameters() if p.requires_grad)
        y = y0.detach().requires_grad_()
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            output = function(t, y)
        if isinstance(output, torch.Tensor):
            all_of_them.extend(leaf for leaf in leaves(output) if leaf is not y)
        size += _CALL
    parameters = list({id(p): p for p in all_of_them}.values())
    for parameter in parameters:
        stored.pop(parameter.untyped_storage().data_ptr(), None)
    return parameters, size + sum(stored.values())


def keeps_graphs(recompute: bool | None, size: int) -> bool:
    """Whether graphs of this size are stored for a backward pass."""
    if not torch.is_grad_enabled():
        return False
    return size <= _STORED if recompute is None else not recompute


class Evaluations:
    """Calls of a function ``f(t, y)`` in a forward pass, and their vector-Jacobian products in reverse order.

    Without ``recompute`` the graph of each call is stored; with it the function is called again in the backward pass.
    """

    def __init__(
        self,
        name: str,
        function: Callable[[Tensor, Tensor], Tensor],
        times: Tensor,
        shapes: tuple[torch.Size, torch.Size],
        recompute: bool = True,
    ) -> None:
        self.name, self.function, self.times = name, function, times.unbind()
        self.state, self.result = shapes
        self.recompute = recompute
        self.graphs: list[tuple[Tensor, Tensor]] = []
        self.left = 0

    def value(self, n: int, y: Tensor) -> Tensor:
        """The checked value at node n."""
        value = self.function(self.times[n], y.view(self.state))
        if not isinstance(value, torch.Tensor):
            raise InputError(f"{self.name} returned {type(value).__name__}, expected a tensor")
        if value.shape != self.result:
            raise InputError(
                f"{self.name} returned a tensor of the shape {tuple(value.shape)}, expected {tuple(self.result)}"
            )
        if value.dtype != y.dtype or value.device != y.device:
            raise InputError(
                f"{self.name} returned {value.dtype} on {value.device}, expected {y.dtype} on {y.device} like y0"
            )
        return value

    def __call__(self, n: int, y: Tensor) -> Tensor:
        """The value at node n in the forward pass."""
        if self.recompute:
            return self.value(n, y).detach()
        with torch.enable_grad():
            # A copy: later states are written to the same memory.
            y = y.clone().requires_grad_()
            value = self.value(n, y)
        self.graphs.append((y, value))
        return value.detach()

    def rewind(self) -> Evaluations:
        """Before each backward pass."""
        self.left = len(self.graphs)
        return self

    def graph_at(self, n: int, y: Tensor) -> tuple[Tensor, Tensor]:
        """The state as a leaf, and the value at node n with its graph."""
        with torch.enable_grad():
            y = y.detach().requires_grad_()
            return y, self.value(n, y)

    def graph(self, n: int, y: Tensor) -> tuple[Tensor, Tensor]:
        """The same of the next call in reverse order: the stored graph, or a new one."""
        if self.recompute:
            return self.graph_at(n, y)
        self.left -= 1
        return self.graphs[self.left]

    def vjp(self, n: int, y: Tensor, cotangent: Tensor, gradients: Gradients) -> tuple[Tensor, Tensor | None]:
        """The value at node n and the product of a cotangent with its derivative with respect to y."""
        y, value = self.graph(n, y)
        return value.detach(), self.pull_back(y, value, cotangent, gradients)

    def pull_back(self, y: Tensor, value: Tensor, cotangent: Tensor, gradients: Gradients) -> Tensor | None:
        """The product of a cotangent with the derivative of a value with respect to y; adds those of the parameters."""
        if not value.requires_grad:
            return None
        # The graph of what was computed before the call, if there is one, is used again.
        by_state, *found = torch.autograd.grad(
            value, [y, *gradients.parameters], cotangent.view(self.result), allow_unused=True, retain_graph=True
        )
        gradients.add(found)
        return None if by_state is None else by_state.reshape(-1)


class Gradients:
    """Gradients of parameters, which grow during a backward pass."""

    def __init__(self, parameters: Sequence[Tensor]) -> None:
        self.parameters = list(parameters)
        self.totals: list[Tensor | None] = [None] * len(self.parameters)

    def add(self, found: Sequence[Tensor | None]) -> None:
        totals, terms = [], []
        for k, term in enumerate(found):
            if term is None:
                continue
            total = self.totals[k]
            if total is None:
                self.totals[k] = term.detach().clone()
            else:
                totals.append(total)
                terms.append(term)
        if totals:
            torch._foreach_add_(totals, terms)


class _FirstOrder(torch.autograd.Function):
    """Gradients that cannot be differentiated again: an error in place of a missing term."""

    @staticmethod
    def forward(ctx: Any, name: str, token: Tensor, *gradients: Tensor) -> tuple[Tensor, ...]:
        ctx.name = name
        return tuple(gradient.view_as(gradient) for gradient in gradients)

    @staticmethod
    def backward(ctx: Any, *_: Tensor) -> tuple[None, ...]:
        raise NotImplementedError(f"{ctx.name} has no second derivatives: its gradient cannot be differentiated")


def first_order(name: str) -> Callable[[Callable[..., tuple[Any, ...]]], Callable[..., tuple[Any, ...]]]:
    """Decorator of a backward pass whose gradients raise an error when they are differentiated."""

    def decorate(backward: Callable[..., tuple[Any, ...]]) -> Callable[..., tuple[Any, ...]]:
        @functools.wraps(backward)
        def run(ctx: Any, *cotangents: Tensor) -> tuple[Any, ...]:
            with torch.no_grad():
                gradients = backward(ctx, *cotangents)
            if not torch.is_grad_enabled():
                return gradients
            token = torch.empty(0, requires_grad=True)
            found = iter(_FirstOrder.apply(name, token, *(g for g in gradients if g is not None)))
            return tuple(None if g is None else next(found) for g in gradients)

        return run

    return decorate


def check_finite(states: Tensor, times: np.ndarray) -> None:
    """Raises ``SolverError`` at the first state that is not finite."""
    # A sum is not finite if a number is not; the search is for the message.
    if math.isfinite(float(states.sum())):
        return
    finite = torch.isfinite(states).reshape(states.shape[0], -1).all(dim=1)
    if not bool(finite.all()):
        node = int(torch.nonzero(~finite)[0])
        raise SolverError(f"the solution is not finite at t = {times[node]:g}, node {node}")
