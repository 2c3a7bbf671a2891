"""Ensembles of stochastic differential equations: simulation, multilevel Monte Carlo and gradients."""

from __future__ import annotations

import html
import math
import os
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _hpfracc
from . import _sde_arguments as _arguments
from .errors import EquationError, InputError
from .noise import NoiseProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from .equation import Equation

__all__ = [
    "Ensemble",
    "EnsembleGradient",
    "Expectation",
    "Level",
    "Model",
    "ModelParameter",
    "ensemble_gradient",
    "exact_moments",
    "models",
    "multilevel",
    "sde_schemes",
    "simulate",
]


class ModelParameter(NamedTuple):
    """Parameter of a model: name, meaning with unit, range in words, and default."""

    name: str
    meaning: str
    range: str
    default: float


@dataclass(frozen=True, repr=False)
class Model:
    """Stochastic model that can be simulated by its name.

    Attributes
    ----------
    name, title : str
        Name for :func:`simulate`, and name in a sentence.
    equation : tuple of str
        Equation, a line each.
    scheme : str
        Scheme, and how the state stays in its range.
    observables : tuple of str
        Names of the values that an ensemble has.
    parameters : tuple of ModelParameter
        Parameters, initial values among them.
    t_end : float
        Default end of the interval, which starts at 0.
    steps : int
        Default number of steps.
    """

    name: str
    title: str
    equation: tuple[str, ...]
    scheme: str
    observables: tuple[str, ...]
    parameters: tuple[ModelParameter, ...]
    t_end: float
    steps: int

    def __repr__(self) -> str:
        parameters = ", ".join(f"{p.name}={p.default:g}" for p in self.parameters)
        return f"Model({self.name!r}, {parameters})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(p.name)}</td><td style='text-align:left'>{html.escape(p.meaning)}</td>"
            f"<td>{html.escape(p.range)}</td><td>{p.default:g}</td></tr>"
            for p in self.parameters
        )
        equation = "<br>".join(html.escape(line) for line in self.equation)
        return (
            f"<b>{html.escape(self.title)}</b> (<code>{html.escape(self.name)}</code>)<p><code>{equation}</code></p>"
            f"<table><tr><th>parameter</th><th>meaning</th><th>range</th><th>default</th></tr>{rows}</table>"
            f"<p>{html.escape(self.scheme)}</p>"
        )


def models() -> dict[str, Model]:
    """Stochastic models by name, with their equations and parameters.

    Returns
    -------
    dict of str to Model
        All models.

    Examples
    --------
    >>> import hpfracc
    >>> hpfracc.models()["ornstein-uhlenbeck"]
    Model('ornstein-uhlenbeck', theta=1, mu=0, sigma=0.5, x0=1)
    """
    listed = {}
    for entry in _hpfracc.sde_models():
        listed[entry["name"]] = Model(
            name=entry["name"],
            title=entry["title"],
            equation=tuple(entry["equation"]),
            scheme=entry["scheme"],
            observables=tuple(entry["observables"]),
            parameters=tuple(ModelParameter(*parameter) for parameter in entry["parameters"]),
            t_end=entry["t_end"],
            steps=entry["steps"],
        )
    return listed


def sde_schemes() -> dict[str, str]:
    """Schemes of stochastic equations by name, with calculus, noise and strong order.

    Examples
    --------
    >>> import hpfracc
    >>> hpfracc.sde_schemes()["sra1"]
    'additive Brownian motion: strong order 3/2'
    """
    return dict(_hpfracc.sde_schemes())


def exact_moments(
    model: str, t: ArrayLike, parameters: Mapping[str, float] | None = None, **keywords: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Exact mean and variance of the observables of a model.

    Parameters
    ----------
    model : str
        Name of a model.
    t : array_like
        Times after the start, from 0 on.
    parameters, **keywords
        Values of parameters.

    Returns
    -------
    mean, variance : ndarray
        Arrays of shape (times, observables); NaN where there is no formula.

    Raises
    ------
    InputError
        For an unknown model or parameter, and values out of range.

    Examples
    --------
    >>> import hpfracc
    >>> mean, variance = hpfracc.exact_moments("brownian-motion", [0.0, 2.0], sigma=3.0)
    >>> variance.ravel()
    array([ 0., 18.])
    """
    return _hpfracc.sde_exact(_name(model), _arguments.values(parameters, keywords), _arguments.reals("t", t))


@dataclass(frozen=True, repr=False)
class Ensemble:
    """Statistics of an ensemble of paths, from :func:`simulate`.

    Attributes
    ----------
    model : str
        Name of the model, or the text of the equation.
    observables : tuple of str
        Names of the observables.
    t : ndarray
        Saved times, of shape (times,).
    n_paths, steps, seed, dtype, scheme
        Number of paths and of steps, seed, precision and scheme of the solve.
    parameters : dict
        Values of all parameters.
    mean, covariance : ndarray or None
        Mean of shape (times, observables) and unbiased covariance of shape (times, observables, observables).
    levels : tuple of float
        Probabilities of the quantiles.
    quantiles : ndarray or None
        Quantiles of shape (times, observables, levels).
    least, greatest : ndarray or None
        Least and greatest value of shape (times, observables), with quantiles.
    paths : ndarray or None
        Stored paths of shape (stored paths, times, observables), in the precision of the solve.
    exact_mean, exact_variance : ndarray or None
        Exact moments of shape (times, observables) of a model that knows them; NaN where there is no formula.
    """

    model: str
    observables: tuple[str, ...]
    t: NDArray[np.float64]
    n_paths: int
    steps: int
    seed: int
    dtype: str
    scheme: str
    parameters: dict[str, float]
    mean: NDArray[np.float64] | None = None
    covariance: NDArray[np.float64] | None = None
    levels: tuple[float, ...] = ()
    quantiles: NDArray[np.float64] | None = None
    least: NDArray[np.float64] | None = None
    greatest: NDArray[np.float64] | None = None
    paths: NDArray[Any] | None = None
    exact_mean: NDArray[np.float64] | None = None
    exact_variance: NDArray[np.float64] | None = None

    @property
    def variance(self) -> NDArray[np.float64] | None:
        """Variance of shape (times, observables)."""
        return None if self.covariance is None else np.diagonal(self.covariance, axis1=1, axis2=2).copy()

    @property
    def std(self) -> NDArray[np.float64] | None:
        """Standard deviation of shape (times, observables)."""
        return None if self.covariance is None else np.sqrt(self.variance)

    @property
    def standard_error(self) -> NDArray[np.float64] | None:
        """Standard error of the mean, of shape (times, observables)."""
        return None if self.covariance is None else self.std / math.sqrt(self.n_paths)

    def __repr__(self) -> str:
        parts = [name for name in ("mean", "quantiles", "paths") if getattr(self, name) is not None]
        return (
            f"Ensemble({_shortened(self.model)}: {self.n_paths} paths, {len(self.t)} times to t = {self.t[-1]:g}, "
            f"observables {', '.join(self.observables)}; {', '.join(parts)})"
        )

    def _repr_html_(self) -> str:
        rows = []
        variance, error = self.variance, self.standard_error
        for k, name in enumerate(self.observables):
            cells = [html.escape(name)]
            if self.mean is not None:
                cells += [f"{self.mean[-1, k]:.6g} &plusmn; {error[-1, k]:.2g}", f"{variance[-1, k]:.6g}"]
            else:
                cells += ["", ""]
            for exact in (self.exact_mean, self.exact_variance):
                known = exact is not None and not math.isnan(exact[-1, k])
                cells.append(f"{exact[-1, k]:.6g}" if known else "")
            rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        return (
            f"<b>{html.escape(_shortened(self.model))}</b>: {self.n_paths} paths of {self.steps} steps, "
            f"seed {self.seed}<table><tr><th>at t = {self.t[-1]:g}</th><th>mean</th><th>variance</th>"
            f"<th>exact mean</th><th>exact variance</th></tr>{''.join(rows)}</table>"
        )

    def plot(self, observable: int | str = 0, *, ax: Any = None, paths: int = 6) -> Any:
        """Fan chart: quantiles as bands, the mean, the exact mean and a few paths.

        Parameters
        ----------
        observable : int or str
            Index or name of the observable.
        ax : matplotlib.axes.Axes, optional
            Axes; new ones by default.
        paths : int
            Most paths that are drawn.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.

        Raises
        ------
        ImportError
            Without matplotlib.
        InputError
            For an unknown observable.
        """
        plt = _pyplot()
        k = self._index(observable)
        if ax is None:
            _, ax = plt.subplots()
        levels, bands = self._bands(k)
        for low in range(len(levels) // 2):
            high = len(levels) - 1 - low
            label = f"{100 * (levels[high] - levels[low]):.0f} %"
            ax.fill_between(self.t, bands[:, low], bands[:, high], color="C0", alpha=0.18, lw=0, label=label)
        if self.paths is not None:
            ax.plot(self.t, self.paths[:paths, :, k].T, color="0.5", lw=0.6, alpha=0.8)
        if self.mean is not None:
            ax.plot(self.t, self.mean[:, k], color="C0", lw=1.6, label="mean")
        if self.exact_mean is not None and not np.isnan(self.exact_mean[:, k]).any():
            every = max(1, len(self.t) // 24)
            ax.plot(
                self.t[::every], self.exact_mean[::every, k], "o", color="C3", mfc="none", ms=4, label="exact mean"
            )
        ax.set_xlabel("t")
        ax.set_ylabel(self.observables[k])
        ax.set_title(f"{_shortened(self.model)}, {self.n_paths} paths")
        if ax.get_legend_handles_labels()[0]:
            ax.legend()
        return ax

    def _index(self, observable: int | str) -> int:
        if isinstance(observable, str):
            if observable in self.observables:
                return self.observables.index(observable)
        elif -len(self.observables) <= observable < len(self.observables):
            return int(observable) % len(self.observables)
        raise InputError(f"observable {observable!r} is unknown; known are {', '.join(self.observables)}")

    def _bands(self, k: int) -> tuple[list[float], NDArray[np.float64]]:
        """Levels in order, and the curve of each: of all paths, or of a normal distribution, without quantiles."""
        if self.quantiles is not None:
            order = np.argsort(self.levels)
            return [self.levels[i] for i in order], self.quantiles[:, k, order]
        levels = [0.05, 0.25, 0.75, 0.95]
        if self.paths is not None and len(self.paths) == self.n_paths > 1:
            return levels, np.quantile(self.paths[:, :, k].astype(float), levels, axis=0).T
        if self.mean is None or self.n_paths == 1:
            return [], np.empty((len(self.t), 0))
        normal = np.array([-1.6448536269514722, -0.6744897501960817, 0.6744897501960817, 1.6448536269514722])
        return levels, self.mean[:, k, None] + normal * self.std[:, k, None]


def simulate(
    model: str | os.PathLike[str] | Equation | Callable[..., ArrayLike],
    diffusion: Callable[..., ArrayLike] | None = None,
    *,
    paths: int = 1000,
    steps: int | None = None,
    t_span: float | tuple[float, float] | None = None,
    t: ArrayLike | None = None,
    every: int | None = None,
    seed: int = 0,
    first: int = 0,
    scheme: str | None = None,
    dtype: DTypeLike = "float64",
    moments: bool = True,
    quantiles: Sequence[float] | None = None,
    quantile_error: float | None = None,
    store: int | bool = 0,
    x0: ArrayLike | None = None,
    alpha: float | Sequence[float] | None = None,
    hurst: float | Sequence[float] | None = None,
    noise: NoiseProcess | None = None,
    noise_kind: str | None = None,
    noises: int | None = None,
    additive: bool | None = None,
    commutative: bool | None = None,
    calculus: str | None = None,
    parameters: Mapping[str, float] | None = None,
    threads: int | None = None,
    tile: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_interval: float = 60.0,
    progress: bool | Callable[[float], None] | None = None,
    **keywords: Any,
) -> Ensemble:
    r"""Simulate an ensemble of a stochastic differential equation.

    The equation is a model by its name, an equation as text, or drift and diffusion as functions:
    ``dX = drift(t, X) dt + diffusion(t, X) dZ``, with Caputo derivatives of order ``alpha`` on the left if given.

    Parameters
    ----------
    model : str, path, Equation or callable
        Name of a model (:func:`models`); text such as ``"dX = -X dt + 0.3 dW; X(0) = 1; t in [0, 5]"``; name of an
        equation of the catalogue; file with a text; or the drift. The drift takes the time and an array of shape
        (components, paths of a tile), and returns an array of that shape or one that broadcasts to it.
    diffusion : callable, optional
        Diffusion, with the same arguments; its values have the shape (components, paths), or
        (components, noises, paths) with ``noise_kind="general"``. None: an equation without noise.
    paths : int
        Number of paths.
    steps : int, optional
        Number of equal steps; by default that of the model, or 1000.
    t_span : float or tuple of float, optional
        Start and end of the interval, or its end; by default that of the model or text, or (0, 1).
    t : array_like, optional
        Saved times, which have to be nodes; no step is taken beyond the last.
    every : int, optional
        Saves every k-th node and the last one; 1 by default.
    seed : int
        Seed of the noise, 0 to 2^64 - 1. The same seed gives the same bits, on any number of threads.
    first : int
        Number of the first path, which selects its noise: an ensemble may be computed in parts.
    scheme : str, optional
        Scheme of an equation (:func:`sde_schemes`); by default Euler-Maruyama for Ito's integrals, Heun for
        Stratonovich's, and fractional Euler-Maruyama for fractional orders. Models have their own.
    dtype : dtype
        float32 or float64: precision of the paths. Statistics are computed in float64.
    moments : bool
        Computes mean and covariance, in memory that does not depend on the number of paths.
    quantiles : sequence of float, optional
        Probabilities of quantiles, such as ``(0.05, 0.5, 0.95)``, in memory that does not depend on the number of
        paths.
    quantile_error : float, optional
        Bound of the relative error of quantiles, 2^-20 to 1/2; 1/128 by default.
    store : int or bool
        Number of paths whose values are stored; True for all.
    x0 : array_like, optional
        Initial values of functions: of shape (components,), or (paths, components). Of other equations, a parameter.
    alpha : float or sequence of float, optional
        Orders of functions, 0 < alpha <= 1. Of other equations, a parameter.
    hurst : float or sequence of float, optional
        Hurst exponents of functions, whose noise then is fractional Brownian motion. Of other equations, a parameter.
    noise : NoiseProcess, optional
        Noise of functions; Brownian motion by default. Of antithetic noise, standard errors are those of independent
        paths, which are too large where mirrored paths cancel.
    noise_kind : str, optional
        How noise acts on functions: ``"diagonal"`` (the default; a noise for each component), ``"scalar"`` (one for
        all) or ``"general"`` (a matrix).
    noises : int, optional
        Number of noises of a matrix.
    additive : bool, optional
        Whether the diffusion does not depend on x; False by default.
    commutative : bool, optional
        Whether the columns of the diffusion commute; by default unless they form a matrix.
    calculus : str, optional
        ``"ito"`` (the default) or ``"stratonovich"``, of functions.
    parameters, **keywords
        Parameters of a model or text by name; functions get them as keyword arguments.
    threads : int, optional
        Number of threads, which does not change the result; by default that of ``HPFRACC_THREADS``, or of the
        processors. Functions run on one.
    tile : int, optional
        Paths that are solved together; sums over paths are rounded tile by tile.
    checkpoint : path, optional
        File to which the state of the solve is saved regularly, and when Ctrl-C ends it; if it exists, the solve goes
        on from there, with the same bits as without interruption. The file of a complete solve gives its result.
    checkpoint_interval : float
        Seconds between two checkpoints.
    progress : bool or callable, optional
        True shows a progress bar (tqdm); a function is called with the completed share, from 0 to 1.

    Returns
    -------
    Ensemble
        The statistics.

    Raises
    ------
    InputError
        For unknown names, values out of range, and schemes or noises that do not fit the equation.
    EquationError
        For a text that is no equation.
    SolverError
        For a path that is not finite, which names path, step and time.
    MemoryLimitError
        For results that exceed the available memory.
    KeyboardInterrupt
        After Ctrl-C.

    Notes
    -----
    Models, texts and their statistics are computed without the interpreter's lock, on all processors. Functions hold
    the lock and are called with a few thousand paths at a time; an exception ends the solve and comes through
    unchanged.

    Examples
    --------
    >>> import hpfracc
    >>> fit = hpfracc.simulate("ornstein-uhlenbeck", sigma=0.3, paths=4000, steps=100, t_span=1.0, seed=1)
    >>> fit
    Ensemble(ornstein-uhlenbeck: 4000 paths, 101 times to t = 1, observables x; mean)
    >>> bool(abs(fit.mean[-1, 0] - fit.exact_mean[-1, 0]) < 4 * fit.standard_error[-1, 0])
    True

    An equation as text, with a scheme of strong order 1:

    >>> text = "dS = mu S dt + 0.4 S dW; mu = 0.1; S(0) = 1; t in [0, 1]"
    >>> fit = hpfracc.simulate(text, mu=0.2, scheme="milstein", steps=50, paths=2000, quantiles=[0.5])
    >>> fit.observables, fit.quantiles.shape
    (('S',), (51, 1, 1))

    Functions of the states of many paths at a time:

    >>> fit = hpfracc.simulate(lambda t, x: -x, lambda t, x: 0.5, x0=[1.0], additive=True, steps=100, store=3)
    >>> fit.paths.shape
    (3, 101, 1)
    """
    settings = {
        "paths": _arguments.count("paths", paths),
        "first": _arguments.seed("first", first),
        "steps": None if steps is None else _arguments.count("steps", steps),
        "t_span": _arguments.interval(t_span),
        "t": None if t is None else _arguments.reals("t", t),
        "every": 1 if every is None else _arguments.count("every", every),
        "seed": _arguments.seed("seed", seed),
        "scheme": None if scheme is None else _name(scheme, "scheme"),
        "single": _arguments.single(dtype),
        "moments": bool(moments),
        "quantiles": [] if quantiles is None else _arguments.reals("quantiles", quantiles),
        "quantile_error": None if quantile_error is None else _arguments.real("quantile_error", quantile_error),
        "store": 0 if store is False else paths if store is True else _arguments.count("store", store, 0),
        "threads": _arguments.threads(threads),
        "tile": None if tile is None else _arguments.count("tile", tile),
        "checkpoint": None if checkpoint is None else os.fspath(checkpoint),
        "checkpoint_interval": _seconds(checkpoint_interval),
    }
    if t is not None and every is not None:
        raise InputError("t and every are both given, expected one of them")
    if not (settings["moments"] or settings["quantiles"] or settings["store"]):
        raise InputError("nothing to collect: expected moments=True, quantiles or store")
    settings["progress"], close = _arguments.reporter(progress, "paths")
    functions = {
        "x0": x0,
        "alpha": alpha,
        "hurst": hurst,
        "noise": noise,
        "noise_kind": noise_kind,
        "noises": noises,
        "additive": additive,
        "commutative": commutative,
        "calculus": calculus,
    }
    complete = False
    try:
        if callable(model):
            keywords = {**(parameters or {}), **keywords}
            ensemble = _of_functions(model, diffusion, functions, keywords, settings)
        else:
            ensemble = _of_text(model, diffusion, functions, parameters, keywords, settings)
        complete = True
    finally:
        close(complete)
    return ensemble


def _of_text(
    model: Any,
    diffusion: Any,
    functions: dict[str, Any],
    parameters: Mapping[str, float] | None,
    keywords: dict[str, Any],
    settings: dict[str, Any],
) -> Ensemble:
    # Models and texts have parameters of these names.
    for name in ("x0", "alpha", "hurst"):
        if functions[name] is not None:
            keywords[name] = functions[name]
    used = [name for name in ("noise", "noise_kind", "noises", "additive", "commutative", "calculus")
            if functions[name] is not None]
    if diffusion is not None or used:
        raise InputError(f"{', '.join(used) or 'diffusion'}: only for drift and diffusion as functions")
    values = _arguments.values(parameters, keywords)
    name, text = _subject(model)
    if name is not None:
        found = _hpfracc.simulate_model(name, values, settings)
        described = models()[name]
        known = {p.name: p.default for p in described.parameters} | dict(values)
        t0 = 0.0 if settings["t_span"] is None else settings["t_span"][0]
        elapsed = np.maximum(found["t"] - t0, 0.0)
        exact_mean, exact_variance = _hpfracc.sde_exact(name, values, elapsed.tolist())
        return _ensemble(
            name,
            described.observables,
            known,
            described.scheme,
            settings,
            found,
            described.steps,
            exact_mean=None if np.isnan(exact_mean).all() else exact_mean,
            exact_variance=None if np.isnan(exact_variance).all() else exact_variance,
        )
    described = _hpfracc.sde_equation(text, values, settings["t_span"])
    found = _hpfracc.simulate_equation(text, values, settings)
    return _ensemble(
        text,
        tuple(described["observables"]),
        dict(described["parameters"]),
        found["scheme"],
        settings,
        found,
        described["steps"],
    )


def _of_functions(
    drift: Callable[..., ArrayLike],
    diffusion: Callable[..., ArrayLike] | None,
    functions: dict[str, Any],
    keywords: dict[str, Any],
    settings: dict[str, Any],
) -> Ensemble:
    if functions["x0"] is None:
        raise InputError("x0 is missing: functions need initial values, of shape (components,) or (paths, components)")
    if diffusion is not None and not callable(diffusion):
        raise InputError(f"diffusion is {diffusion!r}, expected a function of t and x")
    start = np.asarray(functions["x0"])
    if start.dtype.kind not in "biuf" or start.ndim > 2 or start.size == 0:
        raise InputError(f"x0 has shape {start.shape} and type {start.dtype}, expected numbers by component")
    start = np.atleast_1d(start).astype(np.float64, copy=False)
    dim = start.shape[-1]
    kind = _arguments.one_of(
        "noise_kind", functions["noise_kind"] or "diagonal", ("diagonal", "scalar", "general")
    )
    noise, count = functions["noise"], functions["noises"]
    if noise is not None and not isinstance(noise, NoiseProcess):
        raise InputError(f"noise is {noise!r}, expected a NoiseProcess")
    if count is not None and kind != "general":
        raise InputError(f"noises={count!r}: only for noise_kind='general'")
    if kind == "general" and count is None:
        raise InputError("noises is missing: the number of noises of a matrix")
    count = {"diagonal": dim, "scalar": 1}.get(kind) or _arguments.count("noises", count)
    if functions["hurst"] is not None:
        if noise is not None:
            raise InputError("noise and hurst are both given, expected one of them")
        hurst = _arguments.reals("hurst", functions["hurst"])
        noise = NoiseProcess("fbm", hurst=hurst * count if len(hurst) == 1 else hurst)
    if noise is None:
        noise = NoiseProcess("brownian", count)
    calculus = _arguments.one_of("calculus", functions["calculus"] or "ito", ("ito", "stratonovich"))
    commutative = functions["commutative"]
    additive = bool(functions["additive"])
    orders = [1.0] if functions["alpha"] is None else _arguments.reals("alpha", functions["alpha"])
    spec = {
        "drift": partial(drift, **keywords) if keywords else drift,
        "diffusion": partial(diffusion, **keywords) if diffusion is not None and keywords else diffusion,
        "x0": start,
        "noise_kind": kind,
        "noises": count,
        "additive": additive,
        "commutative": additive or kind != "general" if commutative is None else bool(commutative),
        "stratonovich": calculus == "stratonovich",
        "orders": orders,
        "noise": None if diffusion is None else noise._spec(),
    }
    found = _hpfracc.simulate_functions(spec, settings)
    names = ("x",) if dim == 1 else tuple(f"x{k}" for k in range(dim))
    known = {name: value for name, value in keywords.items() if isinstance(value, (int, float))}
    name = getattr(drift, "__name__", type(drift).__name__)
    return _ensemble(f"functions {name}", names, known, found["scheme"], settings, found, 1000)


def _ensemble(
    name: str,
    observables: tuple[str, ...],
    parameters: dict[str, float],
    scheme: str,
    settings: dict[str, Any],
    found: dict[str, Any],
    steps: int,
    **exact: Any,
) -> Ensemble:
    return Ensemble(
        model=name,
        observables=observables,
        t=found["t"],
        n_paths=settings["paths"],
        steps=settings["steps"] or steps,
        seed=settings["seed"],
        dtype="float32" if settings["single"] else "float64",
        scheme=scheme,
        parameters=parameters,
        mean=found.get("mean"),
        covariance=found.get("covariance"),
        levels=tuple(settings["quantiles"]),
        quantiles=found.get("quantiles"),
        least=found.get("least"),
        greatest=found.get("greatest"),
        paths=found.get("paths"),
        **exact,
    )


class Level(NamedTuple):
    """Level of an expectation.

    Number of steps and of paths, mean and variance of the difference of the payoffs of this level and the one before,
    mean and variance of the payoff, and number of increments that a path draws.
    """

    steps: int
    paths: int
    mean: float
    variance: float
    payoff_mean: float
    payoff_variance: float
    cost: float


@dataclass(frozen=True, repr=False)
class Expectation:
    """Expectation from :func:`multilevel`.

    Attributes
    ----------
    value : float
        Estimate.
    standard_error : float
        Standard error, without the bias.
    bias : float
        Contribution of finer levels, extrapolated.
    target : float
        Requested root-mean-square error.
    weak_order, variance_order : float
        Powers of the step with which means and variances of the differences fall.
    levels : tuple of Level
        From the coarsest to the finest.
    """

    value: float
    standard_error: float
    bias: float
    target: float
    weak_order: float
    variance_order: float
    levels: tuple[Level, ...] = field(default=())

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return (
            f"Expectation({self.value:.8g}, standard_error={self.standard_error:.2g}, bias={self.bias:.2g}, "
            f"{len(self.levels)} levels)"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{level.steps}</td><td>{level.paths}</td><td>{level.mean:.4g}</td>"
            f"<td>{level.variance:.4g}</td></tr>"
            for level in self.levels
        )
        return (
            f"<b>{self.value:.8g}</b> &plusmn; {self.standard_error:.2g}, bias {self.bias:.2g}"
            f"<table><tr><th>steps</th><th>paths</th><th>mean</th><th>variance</th></tr>{rows}</table>"
        )

    def plot(self, *, ax: Any = None) -> Any:
        """Means and variances of the differences by number of steps, on logarithmic axes.

        Raises
        ------
        ImportError
            Without matplotlib.
        """
        plt = _pyplot()
        if ax is None:
            _, ax = plt.subplots()
        steps = [level.steps for level in self.levels[1:]]
        ax.loglog(steps, [abs(level.mean) for level in self.levels[1:]], "o-", label="mean")
        ax.loglog(steps, [level.variance for level in self.levels[1:]], "s-", label="variance")
        ax.set_xlabel("steps")
        ax.set_ylabel("difference of two levels")
        ax.legend()
        return ax


def multilevel(
    model: str | os.PathLike[str] | Equation,
    payoff: str | Callable[[NDArray[np.float64]], float],
    *,
    target: float,
    t_span: float | tuple[float, float] | None = None,
    refinement: int = 4,
    coarsest: int = 1,
    finest: int = 8,
    pilot: int = 2000,
    seed: int = 0,
    scheme: str | None = None,
    threads: int | None = None,
    parameters: Mapping[str, float] | None = None,
    **keywords: float,
) -> Expectation:
    r"""Expectation of a payoff by multilevel Monte Carlo.

    ``E P_L = E P_0 + sum_l E (P_l - P_{l-1})``, with both payoffs of a difference from the same noise.

    Parameters
    ----------
    model : str, path or Equation
        Model or equation, as in :func:`simulate`.
    payoff : str or callable
        Formula of the observables at the end, such as ``"max(S - K, 0); K = 1.1"``; or a function of the values of a
        path, an array of shape (coarsest + 1, observables) at the ends of the steps of the first level. A function
        holds the interpreter's lock and is called for each path: formulas are hundreds of times as fast.
    target : float
        Root-mean-square error, positive.
    t_span : float or tuple of float, optional
        Start and end of the interval, or its end.
    refinement : int
        Steps of a level for each step of the one before, at least 2.
    coarsest : int
        Steps of the first level.
    finest : int
        Last level that may be added, counted from 0, at least 2.
    pilot : int
        Paths of the first estimate of a variance, at least 100.
    seed, scheme, threads, parameters, **keywords
        As in :func:`simulate`.

    Returns
    -------
    Expectation
        Estimate with its error, and the levels. The same seed gives the same bits on any number of threads.

    Raises
    ------
    InputError
        For unknown names and values out of range.
    EquationError
        For a formula that cannot be read.
    SolverError
        If the last level that is allowed leaves too large a bias.

    Notes
    -----
    Work ``O(target^-2)`` for schemes of strong order above 1/2. Source: Giles, Oper. Res. 56 (2008) 607.

    Examples
    --------
    >>> import hpfracc
    >>> text = "dS = 0.05 S dt + 0.2 S dW; S(0) = 1; t in [0, 1]"
    >>> found = hpfracc.multilevel(text, "max(S - 1, 0) exp(-0.05)", target=2e-3, scheme="milstein", seed=1)
    >>> bool(abs(found.value - 0.104506) < 8e-3)
    True
    """
    if not isinstance(payoff, str) and not callable(payoff):
        raise InputError(f"payoff is {payoff!r}, expected a formula or a function")
    settings = {
        "target": _arguments.real("target", target),
        "refinement": _arguments.count("refinement", refinement, 2),
        "coarsest": _arguments.count("coarsest", coarsest),
        "finest": _arguments.count("finest", finest, 2),
        "pilot": _arguments.count("pilot", pilot, 100),
        "seed": _arguments.seed("seed", seed),
        "t_span": _arguments.interval(t_span),
        "scheme": None if scheme is None else _name(scheme, "scheme"),
        "threads": _arguments.threads(threads),
        "payoff": payoff,
    }
    values = _arguments.values(parameters, keywords)
    name, text = _subject(model)
    if name is not None:
        found = _hpfracc.multilevel_model(name, values, settings)
    else:
        found = _hpfracc.multilevel_equation(text, values, settings)
    levels = tuple(Level(steps, paths, *moments, cost) for steps, paths, moments, cost in found.pop("levels"))
    return Expectation(levels=levels, **found)


@dataclass(frozen=True, repr=False)
class EnsembleGradient:
    """Loss of an ensemble and its gradient, from :func:`ensemble_gradient`.

    Attributes
    ----------
    value : float
        Loss.
    parameters, start, orders : dict of str to float
        Derivatives with respect to the parameters, and to the initial values and orders of the states. Orders only
        of equations with memory.
    errors : dict of str to dict
        Standard errors of these derivatives, by ``"parameters"``, ``"start"`` and ``"orders"``; NaN of a single tile
        of paths.
    """

    value: float
    parameters: dict[str, float]
    start: dict[str, float]
    orders: dict[str, float]
    errors: dict[str, dict[str, float]]

    def __repr__(self) -> str:
        parameters = ", ".join(f"{name}={value:.6g}" for name, value in self.parameters.items())
        return f"EnsembleGradient({self.value:.6g}; {parameters})"


def ensemble_gradient(
    model: str | os.PathLike[str] | Equation,
    loss: Callable[[NDArray[Any]], tuple[float, ArrayLike]],
    *,
    paths: int = 1000,
    steps: int | None = None,
    t_span: float | tuple[float, float] | None = None,
    t: ArrayLike | None = None,
    every: int | None = None,
    seed: int = 0,
    first: int = 0,
    scheme: str | None = None,
    dtype: DTypeLike = "float64",
    threads: int | None = None,
    parameters: Mapping[str, float] | None = None,
    **keywords: float,
) -> EnsembleGradient:
    """Gradient of a loss of an ensemble with respect to parameters, initial values and orders, for fixed noise.

    Parameters
    ----------
    model : str, path or Equation
        Equation as text, in Ito's calculus or with additive noise; models by name have none.
    loss : callable
        Function of the states of all paths at the saved times, an array of shape (paths, times, states); returns the
        loss and its derivative, an array of that shape.
    paths, steps, t_span, t, seed, first, dtype, threads, parameters, **keywords
        As in :func:`simulate`.
    every : int, optional
        Saves every k-th node and the last one; by default the start and the end.
    scheme : str, optional
        ``"euler-maruyama"``, or ``"fractional-euler-maruyama"`` for orders below 1, which is its default.

    Returns
    -------
    EnsembleGradient
        Loss and derivatives, exact for the numerical solution.

    Raises
    ------
    InputError
        For unknown names, values and shapes out of range.
    SolverError
        For paths or derivatives that are not finite.

    Notes
    -----
    Adjoint sensitivity: the paths are solved twice, with the same noise.

    Examples
    --------
    >>> import hpfracc
    >>> import numpy as np
    >>> def mean_of_end(x):
    ...     derivative = np.zeros_like(x)
    ...     derivative[:, -1, 0] = 1 / len(x)
    ...     return x[:, -1, 0].mean(), derivative
    >>> text = "dX = -theta X dt + 0.5 dW; theta = 2; X(0) = 1; t in [0, 1]"
    >>> found = hpfracc.ensemble_gradient(text, mean_of_end, paths=4000, steps=100, seed=1)
    >>> bool(abs(found.parameters["theta"] + 0.98**99) < 0.02), bool(abs(found.start["X"] - 0.98**100) < 1e-9)
    (True, True)
    """
    name, text = _subject(model)
    if name is not None:
        raise InputError(f"the model {name} has no gradient; write its equation as text")
    if not callable(loss):
        raise InputError(f"loss is {loss!r}, expected a function of the states")
    if t is not None and every is not None:
        raise InputError("t and every are both given, expected one of them")
    values = _arguments.values(parameters, keywords)
    span = _arguments.interval(t_span)
    described = _hpfracc.sde_equation(text, values, span)
    steps = described["steps"] if steps is None else _arguments.count("steps", steps)
    settings = {
        "paths": _arguments.count("paths", paths),
        "first": _arguments.seed("first", first),
        "steps": steps,
        "t_span": span,
        "t": None if t is None else _arguments.reals("t", t),
        "every": steps if every is None else _arguments.count("every", every),
        "seed": _arguments.seed("seed", seed),
        "scheme": None if scheme is None else _name(scheme, "scheme"),
        "single": _arguments.single(dtype),
        "moments": False,
        "quantiles": [],
        "quantile_error": None,
        "store": 0,
        "threads": _arguments.threads(threads),
        "tile": None,
        "checkpoint": None,
        "checkpoint_interval": 60.0,
        "progress": None,
    }
    states = _hpfracc.gradient_paths(text, values, settings)["paths"]
    result = loss(states)
    if not isinstance(result, tuple) or len(result) != 2:
        raise InputError("loss returned no pair, expected its value and its derivative")
    value, derivative = result
    derivative = np.asarray(derivative)
    if derivative.shape != states.shape or derivative.dtype.kind not in "biuf":
        raise InputError(
            f"the derivative of the loss has shape {derivative.shape} and type {derivative.dtype}, "
            f"expected numbers of shape {states.shape}"
        )
    derivative = derivative.astype(states.dtype, copy=False)
    found = _hpfracc.gradient_equation(text, values, settings, derivative)
    names = {
        "parameters": [name for name, _ in described["parameters"]],
        "start": described["states"],
        "orders": described["states"],
    }
    parts: dict[str, Any] = {"errors": {}}
    for part, of_part in names.items():
        numbers, errors = found[part]
        parts[part] = dict(zip(of_part, numbers.tolist()))
        parts["errors"][part] = dict(zip(of_part, errors.tolist()))
    return EnsembleGradient(value=float(value), **parts)


def _subject(model: Any) -> tuple[str | None, str]:
    """Name of a model, or None and the text of an equation."""
    if isinstance(model, os.PathLike):
        return None, Path(model).read_text(encoding="utf-8")
    if not isinstance(model, str):
        from .equation import Equation

        if isinstance(model, Equation):
            return None, model.text
        raise InputError(f"model is {model!r}, expected a name, an equation or a function")
    known = [entry["name"] for entry in _hpfracc.sde_models()]
    if model in known:
        return model, ""
    try:
        _hpfracc.sde_equation(model, [], None)
    except EquationError:
        if "=" not in model:
            listed = ", ".join(known)
            raise InputError(f"unknown model '{model}'; known are {listed}, and equations as text") from None
    return None, model


def _name(value: Any, what: str = "model") -> str:
    if not isinstance(value, str):
        raise InputError(f"{what} is {value!r}, expected a name")
    return value


def _seconds(value: Any) -> float:
    seconds = _arguments.real("checkpoint_interval", value)
    if not 0.0 < seconds < math.inf:
        raise InputError(f"checkpoint_interval is {seconds}, expected a positive finite number of seconds")
    return seconds


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "..."


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plots need matplotlib: pip install matplotlib") from None
    return plt
