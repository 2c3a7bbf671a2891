"""Fractional differential equations: texts, solved by compiled code, and functions of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from ._ode_function import (
    DEFINITIONS,
    check_combination,
    events_of,
    extend_by_delays,
    function_of,
    orders_of,
)
from ._ode_gradient import FunctionProblem
from ._ode_method import interval_of, method_of, times_of
from .equation import Equation, _entries, _floats
from .errors import Error, InputError
from .solution import Solution, Statistics

__all__ = ["Equation", "Solution", "Statistics", "ode_schemes", "solve"]

#: Number of fixed steps by default.
_STEPS = 1000
#: Largest number of components of a function for which collocation is the default.
_FEW = 16

Definition = Literal["caputo", "riemann-liouville", "caputo-fabrizio", "atangana-baleanu"]
Memory = Literal["exact", "direct", "blocked", "exponentials", "within"]


def ode_schemes() -> dict[str, str]:
    """Names of the schemes of :func:`solve`, with a description each.

    Returns
    -------
    dict

    Examples
    --------
    >>> import hpfracc
    >>> hpfracc.ode_schemes()["l1"]
    'implicit L1: order 2 - alpha, stiff, graded steps'
    """
    return dict(_hpfracc.ode_scheme_names())


def solve(
    equation: str | Equation | Callable[..., npt.ArrayLike],
    t_span: Sequence[float] | float | None = None,
    y0: npt.ArrayLike | Mapping[str, float | Sequence[float]] | None = None,
    *,
    alpha: npt.ArrayLike | None = None,
    parameters: Mapping[str, float] | None = None,
    scheme: str | None = None,
    steps: int | npt.ArrayLike | None = None,
    grading: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    min_step: float | None = None,
    max_step: float | None = None,
    max_steps: int | None = None,
    t_eval: npt.ArrayLike | None = None,
    events: Callable[..., float] | Iterable[Callable[..., float]] | None = None,
    args: Sequence[Any] = (),
    jac: Callable[..., npt.ArrayLike] | None = None,
    jac_args: Callable[..., npt.ArrayLike] | None = None,
    vjp: Callable[..., Any] | None = None,
    vectorized: bool = False,
    terms: Sequence[tuple[float | Callable[[float], float], float]] | None = None,
    lower_orders: Sequence[float] | None = None,
    delays: float | Sequence[float] | Callable[..., npt.ArrayLike] | None = None,
    history: npt.ArrayLike | Callable[[float], npt.ArrayLike] | None = None,
    definition: Definition = "caputo",
    slope: npt.ArrayLike | None = None,
    passes: int | None = None,
    points: int | None = None,
    breaks: Sequence[float] = (),
    exponents: Sequence[float] = (),
    linear: npt.ArrayLike | None = None,
    save: Literal["all", "last"] = "all",
    memory: Memory = "exact",
    memory_tolerance: float = 1e-10,
    progress: bool | Callable[[float, int], object] = False,
) -> Solution:
    r"""Solves a fractional differential equation.

    .. math:: D^{\alpha_i} y_i = f_i(t, y), \qquad y_i^{(j)}(t_0) \text{ given for } j < \lceil \alpha_i \rceil

    Parameters
    ----------
    equation : str, Equation or callable
        A text (see :class:`Equation`), an equation, or the name of one in the :func:`hpfracc.catalogue`: they are
        compiled, with exact Jacobians, and solved without Python in the loop and without the interpreter's lock. Or a
        function ``f(t, y, *args)`` that returns an array or sequence of the shape of y; y may have any shape, so that
        one call computes many initial values.
    t_span : (float, float) or float, optional
        Interval; a number is its end. Texts have their own.
    y0 : array_like or mapping, optional
        Initial values, whose shape is that of y; texts have their own, of which a mapping replaces some by name. With
        an order above 1 the first axis has the rows y, y', ..., as many as the largest order rounded up: ``[1, 0]`` is
        y = 1, y' = 0. The rows that a component of smaller order has no use for are 0.
    alpha : array_like, optional
        Orders, above 0: one, or one for each component. Needed for functions. In a text, one order sets its parameter
        ``alpha``, if it has one.
    parameters : mapping, optional
        Values of parameters of a text by name.
    scheme : str, optional
        Name of a scheme: see :func:`ode_schemes`. Default: that of the catalogue for its equations, and
        ``"collocation"``; for functions with more than 16 components ``"pece"``.
    steps : int or array_like, optional
        Number of steps, or nodes from t0 to t1. Default of schemes other than collocation: that of the catalogue, or
        1000; with a tolerance, adaptive steps, which ``pece`` and ``trapezoid`` have, too.
    grading : float, optional
        Exponent r of graded steps ``t0 + (t1 - t0) (j/n)^r``, at least 1: short steps at the start, where solutions
        behave as ``t^alpha``.
    rtol, atol : float, optional
        Relative and absolute tolerance of adaptive steps. Default: 1e-10 for collocation, 1e-6 for other schemes;
        ``atol`` is ``rtol`` by default.
    min_step, max_step : float, optional
        Shortest and longest step of adaptive steps.
    max_steps : int, optional
        Largest number of attempts of adaptive steps. Default: a million, or 50 000 where a step costs more the later it
        comes.
    t_eval : array_like, optional
        Times of the result. Default: the nodes.
    events : callable or iterable of callables, optional
        Functions ``event(t, y, *args)`` that change their sign, as in SciPy, with the attributes ``terminal`` (bool or
        number of hits), ``direction`` (above 0: rising), and ``jump``, a function ``jump(t, y, *args)`` of the state
        from which the solve continues. A zero at the start is a hit. Events of a text are written in it.
    args : sequence, optional
        Further arguments of the function, of ``jac`` and of ``events``.
    jac : callable, optional
        ``jac(t, y, *args)``: derivatives of f, shape (components, components). Default: finite differences.
    jac_args : callable, optional
        ``jac_args(t, y, *args)``: derivatives of f with respect to its n parameters, shape (components, n), for
        :meth:`Solution.gradient` and :meth:`Solution.sensitivity`, which need ``jac``, too.
    vjp : callable, optional
        ``vjp(t, y, v, *args)``, in place of the matrices: ``v^T df/dy``, or a pair of it and ``v^T df/dargs``, for an
        equation ``f(t, y)`` with many components.
    vectorized : bool, optional
        Whether f takes states as columns, shape (components, k): differences then need one call.
    terms : sequence of (coefficient, order), optional
        Multi-term equation ``c_M D^a_M y + ... + c_0 y = f(t, y)``, in place of ``alpha``. Coefficients are numbers or
        functions of t; the order 0 is y itself.
    lower_orders : sequence of float, optional
        Lower derivatives in the function: ``f(t, y, lower, *args)``, with ``lower[m]`` the derivative of order
        ``lower_orders[m]``; increasing, below ``alpha``.
    delays : float, sequence of float, or callable, optional
        Delays tau_k: ``f(t, y, lagged, *args)``, with ``lagged[k]`` = y(t - tau_k); or a function ``delays(t, y)``.
    history : array_like or callable, optional
        y before the start: constant, or a function of t. Default: y0.
    definition : str, optional
        Derivative of a function's equation: ``"caputo"``, ``"riemann-liouville"``, ``"caputo-fabrizio"`` or
        ``"atangana-baleanu"``. With ``"riemann-liouville"``, ``y0`` has the values of the integral of order
        ``1 - alpha``. Texts write it.
    slope : array_like, optional
        Matrix J of a Riemann-Liouville equation ``D^alpha y = J y + f(t, y)``, where f has a limit at the start; 0 by
        default.
    passes : int, optional
        Corrector passes of ``pece``; 1 by default.
    points, breaks, exponents : optional
        Of collocation: largest number of points of an element (28); times after which the solution is less smooth;
        powers, above -1 and at most 0, by which the components of f start.
    linear : array_like, optional
        Linear part of exponential integrators, near the stiff part of the Jacobian: a number for all components, one for
        each, or a matrix, shape (components, components), for equations whose components have one order. Solutions with
        a matrix have no derivatives.
    save : {"all", "last"}, optional
        Nodes that are stored. With ``"last"`` and ``t_eval``, which then increases, states at these times are stored
        during the solve.
    memory : str, optional
        Algorithm for the sums over the past: ``"exact"`` chooses between ``"direct"`` and ``"blocked"`` (fast
        convolution); ``"exponentials"`` needs constant memory and is accurate to ``memory_tolerance``; ``"within"``
        chooses the fastest one within it.
    memory_tolerance : float, optional
        See ``memory``.
    progress : bool or callable, optional
        Shows a bar, if tqdm is installed; or calls ``progress(t, steps)`` some times a second.

    Returns
    -------
    Solution
        Times ``t``, states ``y``, dense output, events, statistics, gradients.

    Raises
    ------
    EquationError
        For a text that is no equation.
    InputError
        For an argument that is refused, and for values of functions that are no real numbers of the shape of y: the
        message names the time.
    SolverError
        For a solve that fails; its attribute ``solution`` has the part before.
    MemoryLimitError
        For more steps than memory has room for.

    Notes
    -----
    Exceptions of functions come through unchanged. Ctrl-C ends a solve at once.

    ======================  =======================================  ==========================================
    scheme                  order                                    steps
    ======================  =======================================  ==========================================
    collocation             spectral, 20 to 100 elements             adaptive
    pece                    min(2, 1 + passes alpha)                 equal, graded, nodes, adaptive
    trapezoid               2                                        equal, graded, nodes, adaptive
    rectangle(-explicit)    1                                        equal
    l1                      2 - alpha                                equal, graded, nodes
    bdf2 and relatives      2                                        equal
    exponential-...         1, 2                                     equal
    ======================  =======================================  ==========================================

    Sources: Diethelm, Ford and Freed, Nonlinear Dyn. 29 (2002) 3; Lubich, SIAM J. Math. Anal. 17 (1986) 704; Garrappa
    and Popolizio, Comput. Math. Appl. 62 (2011) 876; Brunner, Collocation Methods for Volterra Integral and Related
    Functional Differential Equations, Cambridge University Press 2004.

    Examples
    --------
    A text, and an equation of the catalogue:

    >>> import numpy as np
    >>> import hpfracc
    >>> sol = hpfracc.solve("D^0.5 y = -y; y(0) = 1; t in [0, 1]")
    >>> abs(float(sol.y[0, -1]) - 0.427583576155807) < 1e-10  # exp(1) erfc(1)
    True
    >>> lorenz = hpfracc.solve("lorenz", 1.0, parameters={"rho": 20}, steps=500)
    >>> lorenz.y.shape
    (3, 501)

    A function, with two initial values at once:

    >>> sol = hpfracc.solve(lambda t, y: -y, (0, 1), [1.0, 2.0], alpha=0.5)
    >>> sol(0.25).shape, bool(np.allclose(sol.y[1], 2 * sol.y[0]))
    ((2,), True)

    An order above 1, a multi-term equation, and a delay:

    >>> sol = hpfracc.solve(lambda t, y: -y, (0, 1), [1.0, 0.0], alpha=1.5)
    >>> torvik = hpfracc.solve(lambda t, y: [1 + t], (0, 1), [1, 1], terms=[(1, 2), (1, 1.5), (1, 0)])
    >>> abs(float(torvik.y[0, -1]) - 2) < 1e-9
    True
    >>> logistic = hpfracc.solve(
    ...     lambda t, y, lagged: y * (1 - lagged[0]), (0, 10), [0.5], alpha=0.9, delays=1.0, scheme="pece"
    ... )
    """
    given = dict(locals())
    if callable(equation):
        if parameters is not None:
            raise InputError("parameters belong to texts; give the arguments of a function as args")
        return _solve_function(**given)
    for name in ("events", "jac", "jac_args", "vjp", "terms", "lower_orders", "delays", "history", "slope"):
        if given[name] is not None:
            raise InputError(f"{name} belongs to functions; a text has it in the equation")
    if len(args) or vectorized or definition != "caputo":
        raise InputError("args, vectorized and definition belong to functions; set parameters of a text")
    return _solve_equation(_chosen(equation, t_span, y0, alpha, parameters), given)


def _chosen(
    equation: Any, t_span: Any, y0: Any, alpha: Any, parameters: Mapping[str, float] | None
) -> Equation:
    """The equation with the values of the arguments."""
    if isinstance(equation, str):
        # A name has no equals sign.
        name = "=" not in equation and "\n" not in equation
        chosen = Equation.named(equation.strip()) if name else Equation(equation)
    elif isinstance(equation, Equation):
        chosen = equation
    else:
        raise InputError(f"equation is {type(equation).__name__}, expected a text, an Equation or a function")
    if parameters:
        chosen = chosen.with_values(parameters)
    if alpha is not None:
        chosen = chosen.with_orders(alpha)
    if t_span is not None:
        own = chosen.interval or (0.0, 0.0)
        chosen = chosen.with_interval(*interval_of(t_span, own[0]))
    return chosen if y0 is None else chosen.with_initial(y0)


def _solve_equation(equation: Equation, given: Mapping[str, Any]) -> Solution:
    if equation.is_stochastic:
        raise InputError("the equation is stochastic: hpfracc.simulate computes its paths")
    entry = _entries().get(equation._entry or "")
    default = (entry.scheme, entry.steps, entry.grading) if entry else ("collocation", _STEPS, 1.0)
    method = method_of(given, default, (len(equation.states),))
    t_eval = times_of(given["t_eval"], equation.interval, method)
    times = t_eval if method["save_last"] else None
    with _reports(given["progress"], equation.interval) as report:
        outcome = _hpfracc.solve_equation(equation._core, method, times, report)
    return _finished(
        outcome, scheme=method["scheme"], shape=(len(equation.states),), t_eval=t_eval, equation=equation,
        recipe=(method, times), save_last=method["save_last"],
    )


def _solve_function(equation: Callable[..., Any], t_span: Any, y0: Any, **given: Any) -> Solution:
    if t_span is None or y0 is None:
        raise InputError(f"{'t_span' if t_span is None else 'y0'} is missing, which a function needs")
    interval = interval_of(t_span, 0.0)
    request: dict[str, Any] = {
        "function": equation, **{name: function_of(name, given[name]) for name in ("jac", "jac_args", "vjp")},
        "parameters": 0, "vectorized": bool(given["vectorized"]),
        "args": tuple(given["args"]), "interval": interval, "coefficients": [], "delays": [],
        "delay_function": None, "delay_count": 0, "past": [], "past_function": None, "slope": [],
    }
    if isinstance(y0, Mapping):
        raise InputError("y0 is a mapping, expected an array: a function has no names")
    orders, highest = orders_of(given, request)
    rows = max(1, int(np.ceil(highest)))
    values = _floats("y0", y0)
    if rows > 1:
        if values.ndim == 0 or values.shape[0] != rows:
            raise InputError(
                f"y0 has the shape {values.shape}, expected {rows} rows y, y', ... along its first axis, for the order "
                f"{highest:g}"
            )
        shape = values.shape[1:] or (1,)
    else:
        shape = values.shape or (1,)
    dim = int(np.prod(shape))
    if dim == 0:
        raise InputError(f"y0 has the shape {values.shape}, without a component")
    values = values.reshape(rows, dim)
    if orders.ndim:
        try:
            orders = np.broadcast_to(orders, shape)
        except ValueError:
            raise InputError(f"alpha has the shape {orders.shape}, expected that of y, {shape}") from None
    if request.get("orders") is None:
        request["orders"] = orders.ravel().tolist()
    request.update(shape=list(shape), initial=values.tolist())
    extend_by_delays(request, given, values[0], shape)
    check_combination(request, given, shape)
    scheme = "collocation" if dim <= _FEW else "pece"
    method = method_of(given, (scheme, _STEPS, 1.0), shape)
    t_eval = times_of(given["t_eval"], interval, method)
    times = t_eval.tolist() if t_eval is not None and method["save_last"] else None
    observed = events_of(given["events"])
    if observed and request["kind"] in DEFINITIONS[1:]:
        raise InputError(f"events of an equation with a {request['kind']} derivative are not known")
    if method["save_last"] and request["kind"] in DEFINITIONS[1:]:
        raise InputError('save is "last", which stores states of equations with Caputo derivatives only; leave it out')
    if any(event["jump"] for event in observed) and request["kind"] in ("lower", "linear"):
        raise InputError("a jump of a multi-term equation, whose lower derivatives would jump, too")
    with _reports(given["progress"], interval) as report:
        outcome = _hpfracc.solve_function(request, method, observed, times, report)
    return _finished(
        outcome, scheme=method["scheme"], shape=shape, t_eval=t_eval, equation=None, recipe=None,
        save_last=method["save_last"], problem=FunctionProblem(request, method, rows > 1, np.shape(given["alpha"])),
    )


@contextmanager
def _reports(progress: Any, interval: tuple[float, float] | None) -> Any:
    """A function that is called with time and number of steps, or None."""
    if progress is False or progress is None:
        yield None
        return
    if progress is not True:
        yield function_of("progress", progress)
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True needs the package tqdm: pip install tqdm") from None
    t0, t1 = interval or (0.0, 1.0)
    form = "{l_bar}{bar}| t = {n:.4g}/{total:.4g} [{elapsed}<{remaining}{postfix}]"
    with tqdm(total=t1 - t0, bar_format=form) as bar:

        def report(t: float, steps: int) -> None:
            bar.set_postfix_str(f"{steps} steps", refresh=False)
            bar.update(max(0.0, t - t0 - bar.n))

        yield report
        bar.update(t1 - t0 - bar.n)


def _finished(outcome: tuple[Any, BaseException | None], **parts: Any) -> Solution:
    """The solution; raises the exception of a failure, which has the part before."""
    core, error = outcome
    if error is None:
        return Solution(core, **parts)
    if core is not None and isinstance(error, Error):
        # The part before the failure may itself have no values at t_eval.
        with suppress(Error):
            error.solution = Solution(core, **parts)
    raise error
