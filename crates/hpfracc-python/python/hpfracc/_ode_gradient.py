"""Derivatives of solutions of functions: with respect to initial values, parameters of the function and orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from .equation import _floats
from .errors import InputError


@dataclass(frozen=True)
class FunctionProblem:
    """Problem of a function, from which its derivatives are computed."""

    request: dict[str, Any]
    method: dict[str, Any]
    #: Whether y0 has rows y, y', ...
    rows: bool
    #: Shape of alpha.
    orders: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.request["shape"])

    def parameter_count(self) -> int:
        """Number of parameters that ``jac_args`` or ``vjp`` has derivatives for, by a call at the start."""
        request, shape = self.request, self.shape
        if request["jac_args"] is None and request["vjp"] is None:
            return 0
        t0 = request["interval"][0]
        y, args = np.array(request["initial"][0]).reshape(shape), request["args"]
        if request["vjp"] is not None:
            value = request["vjp"](t0, y, np.zeros(shape), *args)
            if isinstance(value, tuple):
                if len(value) != 2:
                    raise InputError(
                        f"the value of vjp is a tuple of {len(value)}, expected the products by y and by args"
                    )
                return _floats("the product of vjp by args", value[1]).size
            return 0
        lower = [np.zeros((len(request["orders"]) - 1, *shape))] if request["kind"] == "lower" else []
        found = _floats("the value of jac_args", request["jac_args"](t0, y, *lower, *args))
        if found.ndim != len(shape) + 1 or found.shape[:-1] != shape:
            raise InputError(
                f"the value of jac_args has the shape {found.shape}, expected {shape} and the number of parameters"
            )
        return found.shape[-1]

    def names(self, count: int) -> list[str]:
        """Names of what the solution depends on."""
        orders = {"caputo": ["alpha"], "lower": ["alpha", "lower_orders"], "linear": ["terms"]}
        return ["y0", *orders.get(self.request["kind"], []), *(["args"] if count else [])]

    def gradient(self, core: _hpfracc.SolutionCore, cotangents: npt.NDArray[np.float64]) -> dict[str, Any]:
        """Gradient of a loss by name: arrays of the shapes of the arguments."""
        count = self.parameter_count()
        initial, args, orders = _hpfracc.function_gradient(
            {**self.request, "parameters": count}, self.method, core, cotangents
        )
        by_name: dict[str, Any] = {"y0": initial.reshape(-1, *self.shape)}
        if not self.rows:
            by_name["y0"] = by_name["y0"][0]
        kind = self.request["kind"]
        if kind == "caputo":
            by_name["alpha"] = orders.reshape(self.orders) if self.orders else float(orders[0])
        elif kind == "lower":
            by_name["alpha"], by_name["lower_orders"] = float(orders[-1]), orders[:-1]
        else:
            by_name["terms"] = orders
        if count:
            by_name["args"] = args
        return by_name

    def sensitivities(self, core: _hpfracc.SolutionCore, names: Sequence[str]) -> dict[str, npt.NDArray[np.float64]]:
        """Derivatives of the states at the nodes by name: the shape of the argument, of y, and the nodes."""
        count = self.parameter_count()
        known = self.names(count)
        for name in names:
            if name not in known:
                hint = ": give solve jac_args or vjp for it" if name == "args" else ""
                raise InputError(
                    f"the solution has no derivative with respect to {name!r}{hint}; it has {', '.join(known)}"
                )
        directions: list[tuple[list[float], list[float], list[float]]] = []
        places: dict[str, tuple[tuple[int, ...], int, int]] = {}
        for name in names:
            shape, own = self._directions(name, count)
            places[name] = (shape, len(directions), len(own))
            directions.extend(own)
        request = {**self.request, "parameters": count}
        arrays = _hpfracc.function_sensitivities(request, self.method, core, directions)
        found = {}
        for name, (shape, start, length) in places.items():
            stacked = np.stack(arrays[start : start + length])
            found[name] = stacked.reshape(*shape, *self.shape, stacked.shape[-1])
        return found

    def _directions(
        self, name: str, count: int
    ) -> tuple[tuple[int, ...], list[tuple[list[float], list[float], list[float]]]]:
        """Shape of an argument, and the directions of its numbers."""
        dim, rows, orders = int(np.prod(self.shape)), len(self.request["initial"]), len(self.request["orders"])
        zeros: tuple[list[float], list[float], list[float]] = ([0.0] * (rows * dim), [0.0] * count, [0.0] * orders)
        place = {"y0": 0, "args": 1}.get(name, 2)
        indices = range(len(zeros[place]))
        shape: tuple[int, ...] = (len(indices),)
        if name == "y0":
            shape = (rows, *self.shape) if self.rows else self.shape
        elif name == "alpha":
            shape = self.orders
            indices = range(orders - 1, orders) if self.request["kind"] == "lower" else indices
        elif name == "lower_orders":
            indices = range(orders - 1)
            shape = (len(indices),)
        own = []
        for index in indices:
            one = tuple(list(part) for part in zeros)
            one[place][index] = 1.0
            own.append((one[0], one[1], one[2]))
        return shape, own
