"""Arguments of a solve: scheme, steps, options, times."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from .equation import _floats, _number
from .errors import InputError

#: Relative tolerance of collocation, and of step size control of other schemes.
_RTOL, _RTOL_OF_STEPS = 1e-10, 1e-6


def method_of(given: Mapping[str, Any], default: tuple[str, int, float], shape: tuple[int, ...]) -> dict[str, Any]:
    """Arguments of the extension for a scheme, its steps and the options."""
    own_scheme, own_steps, own_grading = default
    scheme = own_scheme if given["scheme"] is None else given["scheme"]
    if not isinstance(scheme, str):
        known = ", ".join(name for name, _ in _hpfracc.ode_scheme_names())
        raise InputError(f"scheme is {type(scheme).__name__}, expected a name: {known}")
    scheme = scheme.lower().replace("_", "-")
    steps, grading = given["steps"], given["grading"]
    limits = {name: given[name] for name in ("rtol", "atol", "min_step", "max_step", "max_steps")}
    limited = [name for name, value in limits.items() if value is not None]
    if scheme == "collocation":
        for name, value in (("steps", steps), ("grading", grading)):
            if value is not None:
                raise InputError(
                    f"{name} is given, but the scheme collocation has adaptive steps: set rtol, atol, max_step, or "
                    f"t_eval for the times of the result"
                )
        adaptive = True
    else:
        if steps is not None and limited:
            raise InputError(f"steps and {limited[0]}: fixed steps have no {limited[0]}")
        adaptive = steps is None and bool(limited)
        if adaptive and grading is not None:
            raise InputError(f"grading and {limited[0]}: graded steps are fixed ones")
    nodes, count = None, None
    if not adaptive:
        if steps is None:
            count = own_steps
        elif np.ndim(steps) == 0:
            count = count_of("steps", steps)
        else:
            nodes = _floats("steps", steps)
            if nodes.ndim != 1:
                raise InputError(f"steps has the shape {nodes.shape}, expected a number or a list of nodes")
            if grading is not None:
                raise InputError("grading and nodes: the nodes are given")
            nodes = nodes.tolist()
    if grading is None:
        grading = own_grading if scheme == own_scheme and nodes is None else 1.0
    rtol = _RTOL if scheme == "collocation" else _RTOL_OF_STEPS
    rtol = rtol if limits["rtol"] is None else _number("rtol", limits["rtol"])
    used = {
        "passes": ("pece",), "points": ("collocation",), "breaks": ("collocation",), "exponents": ("collocation",),
        "linear": ("exponential-rectangle", "exponential-trapezoid"),
    }
    for name, schemes in used.items():
        value = given[name]
        if value is not None and np.size(value) and scheme not in schemes:
            raise InputError(f"{name} belongs to the scheme {' or '.join(schemes)}, not to {scheme}")
    linear = given["linear"]
    if scheme in used["linear"]:
        if linear is None:
            raise InputError(f"linear is missing: the linear part of {scheme}, a number for each component")
        linear = _linear_part(linear, shape)
    if given["save"] not in ("all", "last"):
        raise InputError(f"save is {given['save']!r}, expected \"all\" or \"last\"")
    return {
        "scheme": scheme,
        "passes": None if given["passes"] is None else count_of("passes", given["passes"], 0),
        "points": None if given["points"] is None else count_of("points", given["points"]),
        "breaks": _floats("breaks", given["breaks"]).ravel().tolist(),
        "exponents": _floats("exponents", given["exponents"]).ravel().tolist(),
        "linear": [] if linear is None else linear.ravel().tolist(),
        "linear_is_matrix": linear is not None and linear.ndim == 2,
        "steps": count,
        "nodes": nodes,
        "grading": _number("grading", grading),
        "rtol": rtol,
        "atol": rtol if limits["atol"] is None else _number("atol", limits["atol"]),
        "min_step": 0.0 if limits["min_step"] is None else _number("min_step", limits["min_step"]),
        "max_step": float("inf") if limits["max_step"] is None else _number("max_step", limits["max_step"]),
        "max_steps": None if limits["max_steps"] is None else count_of("max_steps", limits["max_steps"]),
        "memory": str(given["memory"]),
        "memory_tolerance": _number("memory_tolerance", given["memory_tolerance"]),
        "save_last": given["save"] == "last",
    }


def _linear_part(given: Any, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """The linear part of a y of a shape: a number for each component, or a matrix."""
    linear, dim = _floats("linear", given), int(np.prod(shape))
    if linear.size == 1:
        return np.full(dim, float(linear.reshape(())))
    if linear.shape in (shape, (dim,)):
        return linear.ravel()
    if linear.shape != (dim, dim):
        raise InputError(
            f"linear has the shape {linear.shape}, expected a number, the shape of y, {shape}, or that of a matrix, "
            f"({dim}, {dim})"
        )
    return linear


def count_of(name: str, value: Any, least: int = 1) -> int:
    """The value as a whole number."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}, expected a whole number") from None
    if not least <= number < 2**63:
        raise InputError(f"{name} is {number}, expected at least {least}")
    return number


def interval_of(t_span: Any, start: float) -> tuple[float, float]:
    ends = _floats("t_span", t_span)
    if ends.ndim == 0:
        return start, float(ends)
    if ends.shape != (2,):
        raise InputError(f"t_span has the shape {ends.shape}, expected (t0, t1)")
    return float(ends[0]), float(ends[1])


def times_of(
    t_eval: Any, interval: tuple[float, float] | None, method: Mapping[str, Any]
) -> npt.NDArray[np.float64] | None:
    if t_eval is None:
        return None
    times = _floats("t_eval", t_eval)
    if times.ndim != 1:
        raise InputError(f"t_eval has the shape {times.shape}, expected one axis")
    if interval is not None:
        wrong = ~((times >= interval[0]) & (times <= interval[1]))
        if wrong.any():
            t = float(times[wrong][0])
            raise InputError(f"t_eval has the time {t!r}, outside of [{interval[0]:g}, {interval[1]:g}]")
    return times
