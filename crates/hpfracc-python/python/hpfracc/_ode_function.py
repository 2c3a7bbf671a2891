"""Requests of equations whose right-hand sides are functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._ode_method import count_of
from .equation import _floats, _number
from .errors import InputError

DEFINITIONS = ("caputo", "riemann-liouville", "caputo-fabrizio", "atangana-baleanu")


def orders_of(given: Mapping[str, Any], request: dict[str, Any]) -> tuple[npt.NDArray[np.float64], float]:
    """Orders of the components and the largest one; writes the kind of the equation."""
    definition, terms, lower = given["definition"], given["terms"], given["lower_orders"]
    if definition not in DEFINITIONS:
        raise InputError(f"definition is {definition!r}, expected one of {', '.join(DEFINITIONS)}")
    kinds = [name for name in ("terms", "lower_orders", "delays") if given[name] is not None]
    if len(kinds) > 1 or kinds and definition != "caputo":
        second = kinds[1] if len(kinds) > 1 else f"definition {definition!r}"
        raise InputError(f"{kinds[0]} and {second} in one equation are not known")
    request["kind"] = definition
    if terms is not None:
        if given["alpha"] is not None:
            raise InputError("alpha and terms: the terms have the orders")
        request["kind"] = "linear"
        return _terms(terms, request)
    if given["alpha"] is None:
        raise InputError("alpha is missing: the order of the derivative, such as 0.5; 1 is an ordinary equation")
    orders = _floats("alpha", given["alpha"])
    if orders.size == 0:
        raise InputError("alpha has no numbers")
    wrong = ~((orders > 0) & np.isfinite(orders))
    if wrong.any():
        raise InputError(f"alpha is {float(orders[wrong].ravel()[0])!r}, expected a positive finite number")
    if orders.ndim and (lower is not None or definition != "caputo"):
        name = "lower_orders" if lower is not None else definition
        raise InputError(f"alpha has the shape {orders.shape}, expected one order, which {name} has for all components")
    if lower is not None:
        request["kind"] = "lower"
        request["orders"] = [*_floats("lower_orders", lower).ravel().tolist(), float(orders)]
    elif given["delays"] is not None:
        request["kind"] = "lagged"
    return orders, float(orders.max())


def _terms(terms: Any, request: dict[str, Any]) -> tuple[npt.NDArray[np.float64], float]:
    coefficients: dict[float, Any] = {}
    for term in terms:
        try:
            coefficient, order = term
        except (TypeError, ValueError):
            raise InputError(f"terms has {term!r}, expected pairs of a coefficient and an order") from None
        order = _number("the order of a term", order)
        if not (order >= 0 and np.isfinite(order)):
            raise InputError(f"the order of a term is {order!r}, expected a finite number that is not negative")
        if order in coefficients:
            raise InputError(f"two terms have the order {order:g}")
        if not callable(coefficient):
            coefficient = _number(f"the coefficient of the order {order:g}", coefficient)
        coefficients[order] = coefficient
    orders = sorted(order for order in coefficients if order > 0)
    if not orders:
        raise InputError("terms has no derivative: give pairs of a coefficient and an order, one order above 0")
    request["orders"] = orders
    request["coefficients"] = [coefficients.get(0.0, 0.0), *(coefficients[order] for order in orders)]
    return np.array(orders[-1]), orders[-1]


def extend_by_delays(
    request: dict[str, Any], given: Mapping[str, Any], first: npt.NDArray[np.float64], shape: tuple[int, ...]
) -> None:
    delays, history = given["delays"], given["history"]
    if delays is None:
        if history is not None:
            raise InputError("history belongs to delays: give them, too")
        return
    if callable(delays):
        t0 = request["interval"][0]
        request["delay_function"] = delays
        request["delay_count"] = _floats(f"the value of delays at t = {t0:g}", delays(t0, first.reshape(shape))).size
        if request["delay_count"] == 0:
            raise InputError("delays returned no number")
    else:
        request["delays"] = _floats("delays", delays).ravel().tolist()
        if not request["delays"]:
            raise InputError("delays has no number")
    if callable(history):
        request["past_function"] = history
        return
    past = first if history is None else _floats("history", history)
    try:
        request["past"] = np.broadcast_to(past.reshape(shape) if history is None else past, shape).ravel().tolist()
    except ValueError:
        raise InputError(f"history has the shape {past.shape}, expected that of y, {shape}") from None


def check_combination(request: dict[str, Any], given: Mapping[str, Any], shape: tuple[int, ...]) -> None:
    kind, dim = request["kind"], int(np.prod(shape))
    if request["jac"] is not None and kind in ("lagged", *DEFINITIONS[2:]):
        raise InputError(f"jac of an equation with {'delays' if kind == 'lagged' else kind} is not used: leave it out")
    if request["vjp"] is not None and (kind != "caputo" or request["jac_args"] is not None):
        raise InputError("vjp is known for equations of the form f(t, y), without jac_args: give jac and jac_args")
    if request["jac_args"] is not None and request["jac"] is None:
        raise InputError("jac_args has derivatives with respect to parameters: give jac(t, y, *args), too")
    if request["vectorized"] and (kind != "caputo" or len(shape) != 1):
        raise InputError("vectorized is known for equations of the form f(t, y) with y of one axis")
    if given["slope"] is not None and kind != "riemann-liouville":
        raise InputError('slope belongs to definition="riemann-liouville"')
    if kind == "riemann-liouville":
        slope = _floats("slope", 0.0 if given["slope"] is None else given["slope"])
        slope = slope * np.eye(dim) if slope.ndim == 0 else slope
        if slope.size != dim * dim:
            raise InputError(f"slope has the shape {slope.shape}, expected ({dim}, {dim})")
        request["slope"] = slope.ravel().tolist()


def function_of(name: str, value: Any) -> Any:
    if value is not None and not callable(value):
        raise InputError(f"{name} is {type(value).__name__}, expected a function")
    return value


def events_of(events: Any) -> list[dict[str, Any]]:
    if events is None:
        return []
    requests = []
    for event in [events] if callable(events) else events:
        if not callable(event):
            raise InputError(f"an event is {type(event).__name__}, expected a function")
        terminal = getattr(event, "terminal", False)
        if isinstance(terminal, (bool, np.bool_)) or terminal is None:
            count = 1 if terminal else None
        else:
            count = count_of("terminal", terminal, 0) or None
        direction = _number("the direction of an event", getattr(event, "direction", 0.0))
        jump = function_of("the jump of an event", getattr(event, "jump", None))
        requests.append({"function": event, "direction": direction, "terminal": count, "jump": jump})
    return requests
