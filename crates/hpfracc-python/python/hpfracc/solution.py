"""Solutions of fractional differential equations: nodes, dense output, events, exact derivatives."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from ._ode_gradient import FunctionProblem
from .equation import Equation, _floats
from .errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Solution", "Statistics"]

#: Smallest number of points of a curve in a plot.
_POINTS = 600


@dataclass(frozen=True, slots=True)
class Statistics:
    """Work of a solve.

    Attributes
    ----------
    steps, rejections : int
        Accepted and rejected steps.
    evaluations : int
        Evaluations of the right-hand side, without those for Jacobians.
    newton_iterations, jacobians : int
        Newton iterations and Jacobians.
    unknowns : int
        Unknowns of the accepted steps of collocation: points times components.
    jumps : int
        Jumps of the state at events.
    stability : tuple of float or None
        Time from which on an explicit scheme exceeded its limit of stability by its own estimate, and the largest
        ratio of ``|lambda| h^alpha`` to the limit.
    """

    steps: int
    evaluations: int
    rejections: int
    newton_iterations: int
    jacobians: int
    unknowns: int
    jumps: int
    stability: tuple[float, float] | None


class Solution:
    """Solution of :func:`hpfracc.solve`.

    It can be called for dense output: ``solution(t)`` has the shape of y for a number t, and that shape followed by
    the shape of t for an array. Between the nodes it is the solution of the scheme's own equation, not an
    interpolation of y, so that it is as accurate as at the nodes.

    Attributes
    ----------
    t : ndarray, shape (n,)
        Times: ``t_eval``, or the nodes of the scheme. The time of a jump is a node twice, before and after it.
    y : ndarray, shape (components, n)
        States at these times, as in ``scipy.integrate.solve_ivp``: a row for each component. For a function of states
        of any other shape, that shape followed by n. NaN at the start of a Riemann-Liouville equation, where the
        solution is infinite.
    nodes : ndarray
        Times of the nodes of the scheme.
    components : tuple of str
        Names of the components.
    shown : dict
        Quantities that a text shows, at the times ``t``, by name.
    t_events, y_events : list of ndarray
        Times of each event, shape (hits,), and the states there, shape (hits, components).
    statistics : Statistics
        Work of the solve.
    status : str
        ``"complete"``; ``"stopped"`` by an event; ``"failed"`` for the part before a failure
        (``SolverError.solution``).
    scheme : str
        Name of the scheme.
    equation : Equation or None
        The equation with its values; None for a function.

    Notes
    -----
    A solution can be pickled. One of a text has dense output and derivatives afterwards, for which the equation is
    solved again, to the same bits, when they are needed first; that of a function has its numbers only.

    Examples
    --------
    >>> import hpfracc
    >>> sol = hpfracc.solve("D^0.5 y = -k y; k = 1; y(0) = 1; t in [0, 1]")
    >>> float(sol.y[0, -1])  # exp(1) erfc(1)
    0.42758357615...
    >>> sol([0.25, 0.5]).shape
    (1, 2)
    >>> sol["y"] is not None, sol.components
    (True, ('y',))
    """

    t: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    nodes: npt.NDArray[np.float64]
    shown: dict[str, npt.NDArray[np.float64]]
    t_events: list[npt.NDArray[np.float64]]
    y_events: list[npt.NDArray[np.float64]]
    statistics: Statistics
    status: str
    scheme: str
    equation: Equation | None

    def __init__(
        self,
        core: _hpfracc.SolutionCore,
        *,
        scheme: str,
        shape: tuple[int, ...],
        t_eval: npt.NDArray[np.float64] | None,
        equation: Equation | None,
        recipe: tuple[dict[str, Any], npt.NDArray[np.float64] | None] | None,
        save_last: bool,
        problem: FunctionProblem | None = None,
    ) -> None:
        self._core: _hpfracc.SolutionCore | None = core
        self._recipe = recipe
        self._problem = problem
        self._shape = shape
        self._save_last = save_last
        self.scheme, self.equation = scheme, equation
        self.status = core.status()
        self.statistics = Statistics(**core.statistics())
        self.nodes = core.times()
        at_nodes = True
        saved = core.saved()
        if saved is not None:
            self.t, y = saved
            at_nodes = False
        elif t_eval is not None and not save_last:
            self.t = t_eval[t_eval <= self.nodes[-1]]
            y = core.at(self.t)
            at_nodes = False
        else:
            self.t, y = self.nodes, core.states()
        self.y = y.reshape(*shape, len(self.t))
        self.t_events, events = core.hits()
        self.y_events = [states.reshape(len(states), *shape) for states in events]
        names = list(equation.shown) if equation is not None else []
        self.shown = {}
        if names and not save_last:
            rows = core.shown() if at_nodes else core.shown_at(self.t)
            self.shown = dict(zip(names, rows))

    # Access.

    @property
    def components(self) -> tuple[str, ...]:
        """Names of the components: the states of a text, or ``y[0]``, ``y[1]``, ... of a function."""
        if self.equation is not None:
            return self.equation.states
        return tuple(f"y[{', '.join(map(str, index))}]" for index in np.ndindex(*self._shape))

    def __getitem__(self, name: str) -> npt.NDArray[np.float64]:
        """Component or shown quantity of this name, at the times ``t``."""
        if name in self.shown:
            return self.shown[name]
        names = self.components
        if name not in names:
            known = ", ".join([*names[:20], *self.shown])
            raise InputError(f"the solution has no component {name!r}; it has {known}")
        row: npt.NDArray[np.float64] = self.y.reshape(len(names), -1)[names.index(name)]
        return row

    def __iter__(self) -> Iterator[npt.NDArray[np.float64]]:
        """``t, y = solution``."""
        return iter((self.t, self.y))

    def __len__(self) -> int:
        return len(self.t)

    def _solved(self, what: str) -> _hpfracc.SolutionCore:
        """The solution of the extension; solved again after a pickle."""
        if self._core is None:
            if self._recipe is None or self.equation is None or self.status == "failed":
                raise InputError(f"{what}: a solution of a function that was pickled has its numbers only")
            method, times = self._recipe
            core, error = _hpfracc.solve_equation(self.equation._core, method, times, None)
            if error is not None or core is None:
                raise error if error is not None else InputError(f"{what}: there is no solution")
            self._core = core
        return self._core

    def __call__(self, t: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Dense output.

        Parameters
        ----------
        t : array_like
            Times between the start and the last node, in any order.

        Returns
        -------
        ndarray
            The shape of y followed by that of t.

        Raises
        ------
        InputError
            For a time outside of the solution.
        """
        times = _floats("t", t)
        y = self._solved("dense output").at(times.ravel())
        return y.reshape(*self._shape, *times.shape)

    def shown_at(self, t: npt.ArrayLike) -> dict[str, npt.NDArray[np.float64]]:
        """Shown quantities at other times, by name.

        Parameters
        ----------
        t : array_like
            Times between the start and the last node.

        Returns
        -------
        dict
            Arrays of the shape of t.
        """
        times = _floats("t", t)
        names = list(self.equation.shown) if self.equation is not None else []
        if not names:
            return {}
        rows = self._solved("shown quantities").shown_at(times.ravel())
        return {name: row.reshape(times.shape) for name, row in zip(names, rows)}

    # Derivatives.

    def _node_indices(self) -> npt.NDArray[np.intp]:
        """Indices of the times ``t`` among the nodes."""
        if self._save_last:
            raise InputError('a solution with save="last" has no derivatives: they need all nodes')
        if self.status != "complete":
            ended = "was stopped by an event" if self.status == "stopped" else self.status
            raise InputError(f"a solution that {ended} has no derivatives: they need the whole interval")
        if self.statistics.jumps:
            raise InputError("a solution with jumps of the state has no derivatives")
        indices = np.minimum(np.searchsorted(self.nodes, self.t), len(self.nodes) - 1)
        other = self.nodes[indices] != self.t
        if other.any():
            t = float(self.t[other][0])
            raise InputError(
                f"t_eval has the time {t!r}, which is no node of the scheme: derivatives are those at nodes; leave out "
                f"t_eval, or give steps whose nodes have these times"
            )
        return indices if self.t is not self.nodes else np.arange(len(self.nodes))

    def _of_function(self, what: str) -> FunctionProblem:
        self._solved(what)
        if self._problem is None:
            raise InputError(f"{what} of a solution without its problem")
        return self._problem

    def gradient(
        self,
        cotangents: npt.ArrayLike,
        *,
        progress: Callable[[float, int], object] | None = None,
    ) -> dict[str, Any]:
        r"""Gradient of a loss with respect to all parameters, by the exact discrete adjoint.

        Parameters
        ----------
        cotangents : array_like, shape (components, n)
            Derivatives of the loss with respect to ``y``, whose shape they have. All times ``t`` have to be nodes.

        Returns
        -------
        dict
            :math:`\mathrm{d}L/\mathrm{d}p` by the name of the parameter: wherever it occurs, in the right-hand side,
            orders, initial values, constant delays, histories and the ends of the interval. For a function: by
            ``"y0"``, ``"alpha"`` (with ``lower_orders`` by this name, too; with ``terms`` by ``"terms"``, of all orders
            above 0 in increasing order) and ``"args"``, the parameters of ``jac_args`` or ``vjp``.

        Raises
        ------
        InputError
            For a function whose derivatives were not given as ``jac`` or ``vjp``, for derivatives other than Caputo's,
            for solutions with jumps, and for cotangents of another shape.
        SolverError
            If a derivative is not finite.

        Notes
        -----
        It is the derivative of the numerical solution on its nodes, to rounding. Cost: one to three solves.

        Examples
        --------
        >>> import numpy as np
        >>> import hpfracc
        >>> sol = hpfracc.solve("D^0.5 y = -k y; k = 1; y(0) = 1; t in [0, 1]", scheme="pece", steps=2000)
        >>> loss = np.zeros_like(sol.y)
        >>> loss[0, -1] = 1  # L = y(1) = E_1/2(-k)
        >>> round(sol.gradient(loss)["k"], 3)  # -2/sqrt(pi) + 2 y(1)
        -0.273

        A function with its derivatives:

        >>> sol = hpfracc.solve(
        ...     lambda t, y, k: -k * y, (0, 1), [1.0], alpha=0.5, args=(1.0,), scheme="pece", steps=2000,
        ...     jac=lambda t, y, k: [[-k]], jac_args=lambda t, y, k: -y[:, None],
        ... )
        >>> sol.gradient(loss)["args"].round(3)
        array([-0.273])
        """
        bars = _floats("cotangents", cotangents)
        if bars.shape != self.y.shape:
            raise InputError(f"cotangents have the shape {bars.shape}, expected that of y, {self.y.shape}")
        indices = self._node_indices()
        bars = bars.reshape(-1, bars.shape[-1])
        whole = np.zeros((len(bars), len(self.nodes)))
        np.add.at(whole.T, indices, bars.T)
        core = self._solved("the gradient")
        if self.equation is None:
            return self._of_function("the gradient").gradient(core, whole)
        values = core.gradient(whole, progress)
        return dict(zip(self.equation.parameters, values.tolist()))

    @overload
    def sensitivity(self, parameter: str) -> npt.NDArray[np.float64]: ...

    @overload
    def sensitivity(self, parameter: list[str] | tuple[str, ...]) -> dict[str, npt.NDArray[np.float64]]: ...

    def sensitivity(self, parameter: Any) -> Any:
        r"""Derivative of the solution with respect to a parameter, by the exact discrete tangent.

        Parameters
        ----------
        parameter : str or sequence of str
            Name of a parameter, or several, which share work. For a function ``"y0"``, ``"alpha"``, ``"lower_orders"``,
            ``"terms"`` or ``"args"``, as in :meth:`gradient`.

        Returns
        -------
        ndarray, shape (components, n), or dict of them
            :math:`\mathrm{d}y/\mathrm{d}p` at the times ``t``, which have to be nodes; for a function the shape of the
            argument comes first.

        Raises
        ------
        InputError
            As :meth:`gradient`, and for an unknown name.

        Examples
        --------
        >>> import hpfracc
        >>> sol = hpfracc.solve("y' = -k y; k = 2; y(0) = 1; t in [0, 1]")
        >>> abs(float(sol.sensitivity("k")[0, -1]) + 0.1353352832366127) < 1e-9  # -exp(-2)
        True
        """
        names = [parameter] if isinstance(parameter, str) else [str(name) for name in parameter]
        if self.equation is None:
            indices, core = self._node_indices(), self._solved("the sensitivity")
            found = self._of_function("the sensitivity").sensitivities(core, names)
            found = {name: array[..., indices] for name, array in found.items()}
            return found[names[0]] if isinstance(parameter, str) else found
        equation = self.equation
        for name in names:
            if name not in equation.parameters:
                known = ", ".join(equation.parameters) or "none"
                raise InputError(f"the equation has no parameter {name!r}; its parameters are {known}")
        indices = self._node_indices()
        arrays = self._solved("the sensitivity").sensitivities(names, None) if names else []
        if not np.array_equal(indices, np.arange(len(self.nodes))):
            arrays = [array[:, indices] for array in arrays]
        return arrays[0] if isinstance(parameter, str) else dict(zip(names, arrays))

    # Output.

    def plot(self, ax: Axes | None = None, *, components: Sequence[str] | None = None, **kwargs: Any) -> Axes:
        """Draws components against time.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes; those of a new figure by default.
        components : sequence of str, optional
            Names of components and shown quantities; all components by default.
        **kwargs
            Further arguments of ``Axes.plot``.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ImportError
            Without matplotlib.
        """
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise ImportError("plot needs the package matplotlib: pip install matplotlib") from None
        if ax is None:
            _, ax = plt.subplots()
        names = list(self.components if components is None else components)
        times, rows = self.t, {name: self[name] for name in names}
        if len(times) < _POINTS and self.t is self.nodes and len(times) > 1 and self._core is not None:
            # The nodes of spectral elements are few; curves come from the dense output.
            times = np.union1d(self.nodes, np.linspace(self.nodes[0], self.nodes[-1], _POINTS))
            y = self(times).reshape(-1, len(times))
            shown = self.shown_at(times)
            order = self.components
            rows = {name: shown[name] if name in shown else y[order.index(name)] for name in names}
        for name, row in rows.items():
            ax.plot(times, row, **{"label": name, **kwargs})
        ax.set_xlabel("t")
        if len(names) > 1:
            ax.legend()
        else:
            ax.set_ylabel(names[0] if names else "y")
        return ax

    def to_dict(self) -> dict[str, Any]:
        """The numbers of the solution by name: times, states, shown quantities, events, statistics.

        Returns
        -------
        dict
        """
        return {
            "t": self.t,
            "y": self.y,
            "nodes": self.nodes,
            "components": list(self.components),
            "shown": dict(self.shown),
            "t_events": list(self.t_events),
            "y_events": list(self.y_events),
            "statistics": asdict(self.statistics),
            "status": self.status,
            "scheme": self.scheme,
            "equation": None if self.equation is None else self.equation.text,
        }

    def _facts(self) -> Mapping[str, str]:
        statistics = self.statistics
        shape = " x ".join(map(str, self._shape))
        facts = {
            "scheme": self.scheme,
            "status": self.status,
            "components": ", ".join(self.components) if np.prod(self._shape) <= 8 else shape,
            "times": f"{len(self.t)}, from {self.t[0]:g} to {self.t[-1]:g}" if len(self.t) else "0",
            "steps": str(statistics.steps),
            "evaluations": str(statistics.evaluations),
        }
        if statistics.newton_iterations:
            facts["Newton iterations"] = str(statistics.newton_iterations)
        if statistics.rejections:
            facts["rejected steps"] = str(statistics.rejections)
        if self.t_events:
            facts["events"] = ", ".join(str(len(times)) for times in self.t_events)
        if statistics.stability is not None:
            t, excess = statistics.stability
            facts["stability"] = f"limit exceeded from t = {t:g} on, up to {excess:.3g} times"
        return facts

    def __repr__(self) -> str:
        width = max(map(len, self._facts()))
        lines = [f"  {name:<{width}}  {value}" for name, value in self._facts().items()]
        return "\n".join(["Solution", *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in self._facts().items()
        )
        return f"<table>{rows}</table>"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_core": None, "_problem": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if len(self.t) == len(self.nodes) and np.array_equal(self.t, self.nodes):
            self.t = self.nodes
