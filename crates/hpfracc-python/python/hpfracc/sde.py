"""Ensembles of stochastic differential equations: simulation, multilevel Monte Carlo and gradients."""

from __future__ import annotations

import math
import os
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _hpfracc
from . import _sde_arguments as _arguments
from ._sde_subject import name_of, subject
from .errors import InputError
from .noise import NoiseProcess
from .sde_ensemble import Ensemble
from .sde_gradient import EnsembleGradient, ensemble_gradient
from .sde_models import Model, ModelParameter, exact_moments, models, sde_schemes
from .sde_multilevel import Expectation, Level, multilevel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, DTypeLike

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
    rtol: float | None = None,
    atol: float | None = None,
    min_step: float | None = None,
    antithetic: bool = False,
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
        Number of equal steps; by default that of the model, or 1000. Of adaptive steps the longest: a power of two, 64
        by default, and not longer than what an equation does in passing.
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
        Stratonovich's, and fractional Euler-Maruyama for fractional orders. Models have their own. With adaptive steps
        the one of highest strong order among ``"sra1"``, ``"sriw1"``, ``"sric2"``, ``"milstein"`` and ``"heun"``.
    rtol, atol : float, optional
        Relative and absolute tolerance of adaptive steps, which each path chooses by halving: a step and its two halves
        differ by at most ``(atol + rtol abs(X)) (h / T)^s`` in each component, with s = 1/2 for schemes of strong order
        1, and s = 1 for those of order 3/2. Each path has its Brownian motion, whatever the steps. For independent
        Brownian motions that commute or are additive. By default `atol` is `rtol`, and `rtol` is 0.
    min_step : float, optional
        Shortest adaptive step; 2^-30 of the interval by default. A path that needs a shorter one is a SolverError.
    antithetic : bool
        Paths 2k and 2k + 1 have the same noise with opposite signs; the standard error of the mean is that of the means
        of these pairs, which is less for functions that rise or fall with the noise. For symmetric noise, and an even
        number of paths.
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
        Noise of functions; Brownian motion by default.
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
    Events of a text stop paths, as in ``when X = 1: stop``: a stopped path keeps its state, and ``stop_time`` and
    ``stop_event`` of the result have the stops.

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

    The same with adaptive steps, and with mirrored paths:

    >>> fit = hpfracc.simulate(text, rtol=1e-3, paths=200, moments=False, store=True)
    >>> fit.scheme, fit.accepted > fit.rejected
    ('sriw1', True)
    >>> mirrored = hpfracc.simulate(text, antithetic=True, steps=50, paths=2000)
    >>> bool(mirrored.standard_error[-1, 0] < 0.5 * mirrored.std[-1, 0] / 2000**0.5)
    True

    Functions of the states of many paths at a time:

    >>> fit = hpfracc.simulate(lambda t, x: -x, lambda t, x: 0.5, x0=[1.0], additive=True, steps=100, store=3)
    >>> fit.paths.shape
    (3, 101, 1)
    """
    settings: dict[str, Any] = {
        "paths": _arguments.count("paths", paths),
        "first": _arguments.seed("first", first),
        "steps": None if steps is None else _arguments.count("steps", steps),
        "tolerances": _arguments.tolerances(rtol, atol, min_step),
        "antithetic": bool(antithetic),
        "t_span": _arguments.interval(t_span),
        "t": None if t is None else _arguments.reals("t", t),
        "every": 1 if every is None else _arguments.count("every", every),
        "seed": _arguments.seed("seed", seed),
        "scheme": None if scheme is None else name_of(scheme, "scheme"),
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
    if settings["tolerances"] is not None and steps is None:
        settings["steps"] = _arguments.LONGEST_STEPS
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
    of_model, text = subject(model)
    if of_model is not None:
        found = _hpfracc.simulate_model(of_model, values, settings)
        listed = models()[of_model]
        known = {p.name: p.default for p in listed.parameters} | dict(values)
        t0 = 0.0 if settings["t_span"] is None else settings["t_span"][0]
        elapsed = np.maximum(found["t"] - t0, 0.0)
        exact_mean, exact_variance = _hpfracc.sde_exact(of_model, values, elapsed.tolist())
        return _ensemble(
            of_model,
            listed.observables,
            known,
            listed.scheme,
            settings,
            found,
            listed.steps,
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
    settings["antithetic"] |= noise.antithetic
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
        # Pairs are mirrored by the ensemble, whose standard errors are those of pairs.
        "noise": None if diffusion is None else {**noise._spec(), "antithetic": False},
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
        pair_covariance=found.get("pair_covariance"),
        accepted=found.get("accepted"),
        rejected=found.get("rejected"),
        levels=tuple(settings["quantiles"]),
        quantiles=found.get("quantiles"),
        least=found.get("least"),
        greatest=found.get("greatest"),
        paths=found.get("paths"),
        stop_time=found.get("stop_time"),
        stop_event=found.get("stop_event"),
        **exact,
    )


def _seconds(value: Any) -> float:
    seconds = _arguments.real("checkpoint_interval", value)
    if not 0.0 < seconds < math.inf:
        raise InputError(f"checkpoint_interval is {seconds}, expected a positive finite number of seconds")
    return seconds
