"""Fits of models to data: nonlinear least squares with exact derivatives, uncertainties and many curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from . import _hpfracc
from ._fit_progress import Progress
from .errors import InputError
from .field_model import FieldModel
from .fit_data import (
    bounds_of,
    by_name,
    data_sets,
    inputs_of,
    model_of,
    number,
    numbers,
    optional,
    relative_weights,
    settings_of,
    whole,
)
from .fit_from_file import fit_file
from .fit_result import BatchFit, Fit, FitPlan

if TYPE_CHECKING:
    import os

    from numpy.typing import ArrayLike

__all__ = ["ModelEntry", "fit", "fit_batch", "fit_file", "fit_models", "model_entry"]

Model = str | Sequence[str] | FieldModel | Callable[..., Any]
Losses = Literal["squares", "huber", "soft-l1", "cauchy", "arctan", "tukey"]


def _owned(name: str, value: Any) -> Any:
    """Copies of arrays, so that later changes of the caller's arrays do not change the data of a result."""
    if isinstance(value, Mapping):
        return {key: _owned(name, of) for key, of in value.items()}
    if isinstance(value, tuple) or (isinstance(value, list) and any(np.ndim(of) > 0 for of in value[:1])):
        return type(value)(_owned(name, of) for of in value)
    if value is None or isinstance(value, str):
        return value
    return np.array(numbers(name, value))


def _run(arguments: dict[str, Any], report: Callable[..., Any] | None = None) -> tuple[Any, list[Any]]:
    sets, starts = data_sets(arguments["model"], arguments["x"], arguments["y"], arguments)
    settings = settings_of(sets, starts, arguments)
    return _hpfracc.fit_run([of.arguments() for of in sets], settings, report), sets


@overload
def fit(
    model: Model | Mapping[str, Model],
    x: Any,
    y: Any,
    *,
    sigma: Any = None,
    weight: Any = None,
    relative: Literal["each", "modulus"] | None = None,
    start: Mapping[str, float] | Sequence[float] | None = None,
    bounds: Mapping[str, tuple[float | None, float | None]] | tuple[ArrayLike, ArrayLike] | None = None,
    fixed: Mapping[str, float] | None = None,
    tied: Mapping[str, str] | None = None,
    prior: Mapping[str, tuple[float, float]] | None = None,
    logarithmic: str | Sequence[str] = (),
    own: str | Sequence[str] = (),
    sets: Sequence[str] | None = None,
    loss: Losses = "squares",
    loss_scale: float | None = None,
    starts: int = 0,
    seed: int = 0,
    jac: Callable[..., Any] | None = None,
    parameters: Sequence[str] | None = None,
    inputs: str | Sequence[str] | None = None,
    observed: str | Sequence[str] | None = None,
    constants: Mapping[str, Any] | None = None,
    hertz: bool = False,
    nan_policy: Literal["raise", "omit"] = "raise",
    max_passes: int | None = None,
    progress: bool | Callable[[int, int, float], Any] = False,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 60.0,
    plan: Literal[False] = False,
) -> Fit: ...
@overload
def fit(model: Model | Mapping[str, Model], x: Any, y: Any, *, plan: Literal[True], **options: Any) -> FitPlan: ...
def fit(  # type: ignore[misc]  # The second overload has no list of its keywords.
    model: Model | Mapping[str, Model],
    x: Any,
    y: Any,
    *,
    sigma: Any = None,
    weight: Any = None,
    relative: Literal["each", "modulus"] | None = None,
    start: Mapping[str, float] | Sequence[float] | None = None,
    bounds: Mapping[str, tuple[float | None, float | None]] | tuple[ArrayLike, ArrayLike] | None = None,
    fixed: Mapping[str, float] | None = None,
    tied: Mapping[str, str] | None = None,
    prior: Mapping[str, tuple[float, float]] | None = None,
    logarithmic: str | Sequence[str] = (),
    own: str | Sequence[str] = (),
    sets: Sequence[str] | None = None,
    loss: Losses = "squares",
    loss_scale: float | None = None,
    starts: int = 0,
    seed: int = 0,
    jac: Callable[..., Any] | None = None,
    parameters: Sequence[str] | None = None,
    inputs: str | Sequence[str] | None = None,
    observed: str | Sequence[str] | None = None,
    constants: Mapping[str, Any] | None = None,
    hertz: bool = False,
    nan_policy: Literal["raise", "omit"] = "raise",
    max_passes: int | None = None,
    progress: bool | Callable[[int, int, float], Any] = False,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 60.0,
    plan: bool = False,
) -> Fit | FitPlan:
    """Fits a model to data by nonlinear least squares.

    Minimises ``sum(((model(x) - y)/sigma)**2)``, or a robust loss, over the free parameters within their bounds, by steps of
    Levenberg and Marquardt with geodesic acceleration and exact derivatives. Parameters in which the model is linear need no
    start: they are projected out (variable projection).

    Parameters
    ----------
    model : str, list of str, FieldModel, callable, or dict of these by set
        One of

        - a formula with its parameters, ``"y = a exp(-(t/tau)^s) + c; tau = 1 in (0, inf); s = 0.8 in (0, 2]"``; a list of
          formulas has a response each, and for complex data one formula with the imaginary unit ``i`` suffices;
        - a name of the catalogue (:func:`hpfracc.fit_models`) or a sum of names, ``"debye + cole-cole"``;
        - ``"circuit R0-p(R1,CPE1)"`` or ``"transfer (b0 + s^beta)/(1 + a1 s^alpha)"``;
        - a fractional differential equation, ``"D^alpha y = -y/tau; alpha = 0.9; tau = 1; y(0) = a; a = 1"``;
        - a :class:`hpfracc.FieldModel`, a partial differential equation on a box;
        - a function ``f(x, *parameters)`` of arrays in Python, which sees all rows of a set at once. Without ``jac`` its
          derivatives are central differences: two calls for each parameter, accurate to about 1e-10.
    x : array_like, tuple of array_like, or dict of these by set
        Inputs, shape (n,); of several inputs a row or an entry for each. A function sees `x` as it is.
    y : array_like or dict of array_like by set
        Responses, shape (n,), real or complex; several responses have shape (responses, n). Of a complex-valued model the two
        responses are parts of complex data (``eps' - i eps''`` for permittivities).
    sigma : array_like, optional
        Known standard deviations: one number, shape (n,), or a row for each response. Standard errors of parameters are then
        not scaled by the residuals.
    weight : array_like, optional
        Inverse variances up to a factor, which is estimated.
    relative : {"each", "modulus"}, optional
        Errors are proportional to each response, or to the modulus of all.
    start : dict or sequence, optional
        Starts. Others come from the text or the signature, or from a search in the data.
    bounds : dict of pairs or pair of arrays, optional
        Bounds; None for none.
    fixed : dict, optional
        Parameters that keep a value.
    tied : dict of str, optional
        Parameters that are expressions of others, such as ``{"c": "1 - a"}``.
    prior : dict of pairs, optional
        Means and standard deviations of normal priors; needs `sigma`.
    logarithmic : sequence of str, optional
        Positive scales, whose logarithms are fitted.
    own : sequence of str, optional
        Parameters that each set has for itself, called ``name@set``. Others are shared by their names.
    sets : sequence of str, optional
        Names of the sets, where `x` and `y` are lists with an entry for each in place of dictionaries.
    loss : {"squares", "huber", "soft-l1", "cauchy", "arctan", "tukey"}
        Loss of the weighted residuals.
    loss_scale : float, optional
        Residual at which outliers begin; by default 1.4826 times the median of their sizes.
    starts, seed : int
        Number of further starts, spread over the bounds, and their seed.
    jac : callable, optional
        Derivatives of a function: ``jac(x, *parameters)`` of shape (n, p), or (responses, n, p).
    parameters : sequence of str, optional
        Names of the parameters of a function; by default those of its signature.
    inputs : sequence of str, optional
        Names of the inputs of a formula; by default the one of ``x``, ``t``, ``omega`` and ``f`` that it uses.
    observed : sequence of str, optional
        Quantities of an equation that are the responses; by default its states.
    constants : dict, optional
        Numbers of the experiment in a model of the catalogue, for all sets or by set.
    hertz : bool
        The input of a spectrum is the frequency in hertz in place of the angular one.
    nan_policy : {"raise", "omit"}
        What happens to rows with a number that is not finite.
    max_passes : int, optional
        Largest number of passes over the data.
    progress : bool or callable
        True for a bar of tqdm, or a function of (passes, all passes or 0, cost).
    checkpoint, checkpoint_every : path and float, optional
        Folder of states and seconds between them: the same call goes on from there, to the same bits.
    plan : bool
        Return the memory that the fit takes beyond its data, and do not fit.

    Returns
    -------
    Fit
        Estimates with their uncertainty. With ``plan=True`` a :class:`FitPlan`.

    Raises
    ------
    InputError
        For data, models and settings that do not go together, with the place.
    EquationError
        For a text that is no formula or equation.
    MemoryLimitError
        For a fit that memory cannot hold.
    KeyboardInterrupt
        Ctrl-C ends a fit of a text at its next step, and one of a function during a call. With `checkpoint` it can go on.

    Notes
    -----
    Cost: a pass over the data for each step, 2 (p + 1)^2 operations a row for p parameters beside the model. The result owns a
    copy of the data. The bits do not depend on the number of threads. Other threads of Python run during a fit of a text;
    functions in Python are called on the calling thread during a fit, and on others during bootstraps and samplings.

    Examples
    --------
    >>> import numpy as np, hpfracc
    >>> t = np.linspace(0, 5, 30)
    >>> y = 2 * np.exp(-t / 1.5) + 0.5 + 0.01 * np.cos(40 * t)
    >>> found = hpfracc.fit("a exp(-t/tau) + c; tau = 1 in (0, inf)", t, y)
    >>> print(f"{found['tau'].value:.2f}, {found.errors['tau']:.2f}")
    1.49, 0.01
    >>> def decay(t, a, tau=1.0, c=0.0):
    ...     return a * np.exp(-t / tau) + c
    >>> same = hpfracc.fit(decay, t, y, start={"a": 1.0})
    >>> bool(abs(same["tau"].value - found["tau"].value) < 1e-8)
    True
    """
    options = {key: value for key, value in locals().items() if key not in ("progress", "plan")}
    for key in ("x", "y", "sigma", "weight"):
        options[key] = _owned(key, options[key])
    if plan:
        found, of_signature = data_sets(model, options["x"], options["y"], options)
        settings = settings_of(found, of_signature, options)
        return FitPlan(**_hpfracc.fit_plan([of.arguments() for of in found], settings))
    with Progress(progress, "passes") as report:
        result = _run(options, report)
    again = {**options, "checkpoint": None}
    of_fit = Fit(_run, again, result[0].summary())
    of_fit._result = result
    return of_fit


def fit_batch(
    model: Model,
    x: Any,
    y: Any,
    *,
    sigma: Any = None,
    weight: Any = None,
    relative: Literal["each", "modulus"] | None = None,
    start: Mapping[str, ArrayLike] | Sequence[float] | None = None,
    bounds: Mapping[str, tuple[float | None, float | None]] | tuple[ArrayLike, ArrayLike] | None = None,
    fixed: Mapping[str, ArrayLike] | None = None,
    tied: Mapping[str, str] | None = None,
    logarithmic: str | Sequence[str] = (),
    loss: Losses = "squares",
    loss_scale: float | None = None,
    jac: Callable[..., Any] | None = None,
    parameters: Sequence[str] | None = None,
    inputs: str | Sequence[str] | None = None,
    constants: Mapping[str, Any] | None = None,
    hertz: bool = False,
    nan_policy: Literal["raise", "omit"] = "raise",
    max_passes: int | None = None,
    progress: bool | Callable[[int, int, float], Any] = False,
) -> BatchFit:
    """Fits one model to many curves, each with its own parameters: pixels, wells, voxels.

    Each curve is fitted as by :func:`hpfracc.fit`, to the same bits, on all threads. A curve that cannot be fitted is reported
    by :attr:`BatchFit.failures` and does not end the others.

    Parameters
    ----------
    model, bounds, tied, logarithmic, loss, loss_scale, jac, parameters, inputs, constants, hertz, nan_policy, max_passes, progress
        As in :func:`hpfracc.fit`; functions in Python run on one thread. Progress is that of blocks of 8192 curves.
    x : array_like
        Input that all curves share, shape (n,), or of each curve, shape (curves, n); a tuple for several inputs.
    y : array_like or list of array_like
        Responses, shape (curves, n), real or complex; a list for curves of different lengths; a tuple of such for several
        responses.
    sigma, weight : array_like, optional
        Shape (n,) for all curves, or that of `y`; a tuple for several responses.
    relative : {"each", "modulus"}, optional
        Errors are proportional to the responses.
    start, fixed : dict, optional
        Values for all curves, or an array with one for each. Parameters without a start take that of a fit to the mean curve.

    Returns
    -------
    BatchFit
        Values and standard errors: a row for each curve, a column for each parameter.

    Notes
    -----
    Cost: that of the single fits, shared by the threads, without their memory. Memory: ``16 p + 40`` bytes a curve of p
    parameters.

    Examples
    --------
    >>> import numpy as np, hpfracc
    >>> t = np.arange(4.0)
    >>> tau = np.linspace(1, 3, 5)
    >>> y = np.exp(-t / tau[:, None])
    >>> found = hpfracc.fit_batch("a exp(-t/tau); a = 2; tau = 5 in (0, inf)", t, y)
    >>> bool(np.allclose(found["tau"], tau))
    True
    """
    options = {**locals(), "observed": None}
    of_y = list(y) if isinstance(y, tuple) else [y]
    ragged = any(isinstance(of, list) and len({np.size(row) for row in of}) > 1 for of in of_y)
    arrays: list[Any] = [[numbers("y", row) for row in of] if ragged else numbers("y", of) for of in of_y]
    if not ragged:
        bad = [of.shape for of in arrays if of.ndim != 2]
        if bad:
            raise InputError(f"y has the shape {bad[0]}, expected (curves, n)")
    first: Any = arrays[0][0] if ragged else arrays[0]
    complex_data = bool(np.iscomplexobj(first))
    if complex_data and (ragged or len(arrays) > 1):
        raise InputError("complex curves need one array of shape (curves, n)")
    count = 2 if complex_data else len(arrays)
    # A response as the model of one curve sees it.
    example = np.zeros(1, dtype=complex) if complex_data else np.zeros((count, 1) if count > 1 else 1)
    spec, of_signature = model_of(model, example, {**options, "start": _scalars(start), "fixed": _scalars(fixed)}, constants or {})
    responses = list(arrays)
    if complex_data:
        sign = 1.0 if spec.imaginary_sign is None else spec.imaginary_sign
        responses = [first.real, sign * first.imag]
    if len(responses) != len(spec.responses):
        raise InputError(f"y has {len(responses)} responses, expected {len(spec.responses)}: {', '.join(spec.responses)}")
    given = [key for key in ("sigma", "weight", "relative") if options[key] is not None]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} are given: errors are known by one of them")
    weights: list[Any] = []
    if given == ["relative"] and relative is not None:
        if ragged:
            raise InputError("relative needs curves of the same length")
        weights = relative_weights(relative, responses)
    elif given:
        value = options[given[0]]
        weights = list(value) if isinstance(value, tuple) else [value] * len(responses)
        weights = [np.full(first.shape[-1:], float(of)) if np.ndim(of) == 0 else of for of in weights]
    columns = [x] if spec.kind == "function" else _inputs(spec, x)
    names = [of[0] for of in spec.parameters]
    of_start = {**of_signature, **by_name("start", start, names)}
    of_fixed = dict(fixed or {})
    settings: dict[str, Any] = {
        "start": [],
        "starts": [],
        "fixed": [],
        "bounds": [(name, *ends) for name, ends in bounds_of(bounds, names).items()],
        "tied": [(name, str(text)) for name, text in (tied or {}).items()],
        "logarithmic": [logarithmic] if isinstance(logarithmic, str) else list(logarithmic),
        "loss": str(loss),
        "loss_scale": optional("loss_scale", loss_scale),
        "max_passes": None if max_passes is None else whole("max_passes", max_passes, 1),
        "weights_are_sigma": given == ["sigma"],
        "skips": nan_policy == "omit",
    }
    if nan_policy not in ("raise", "omit"):
        raise InputError(f"nan_policy is {nan_policy!r}, expected 'raise' or 'omit'")
    for name, value in of_fixed.items():
        scalar = np.ndim(value) == 0
        settings["fixed"].append((name, number("fixed", name, value if scalar else np.ravel(value)[0])))
        if not scalar:
            settings["starts"].append((name, value))
    for name, value in of_start.items():
        if name in of_fixed:
            continue
        if np.ndim(value) == 0:
            settings["start"].append((name, number("start", name, value)))
        else:
            settings["starts"].append((name, value))
    missing = [
        of[0] for of in spec.parameters if of[1] is None and of[0] not in {**of_start, **of_fixed, **(tied or {})}
    ]
    if missing and (ragged or any(np.ndim(column) != 1 for column in columns)):
        raise InputError(f"the parameters {', '.join(missing)} have no start: give them values")
    if missing:
        settings["start"] += _mean_start(model, x, first if complex_data else arrays, options, of_start, of_fixed, missing)
    x = x if spec.kind == "function" else None
    with Progress(progress, "curves") as report:
        return BatchFit(_hpfracc.fit_batch(spec, x, columns, responses, weights, settings, report))


def _scalars(values: Any) -> Any:
    """Typical values of parameters that have one for each curve."""
    if not isinstance(values, Mapping):
        return values
    return {name: value if np.ndim(value) == 0 else float(np.mean(numbers(name, value))) for name, value in values.items()}


def _inputs(spec: Any, x: Any) -> list[Any]:
    """Columns of inputs: shared ones, arrays with a row for each curve, or lists of curves."""
    if len(spec.given) == 1 and not isinstance(x, tuple):
        if isinstance(x, list) and x and np.ndim(x[0]) == 1:
            return [[numbers("x", row) for row in x]]
        return [numbers("x", x)]
    return inputs_of(spec, x)


def _mean_start(model: Any, x: Any, y: Any, options: dict[str, Any], start: Any, fixed: Any, missing: list[str]) -> Any:
    """Starts of parameters from a fit to the mean of all curves."""
    with np.errstate(invalid="ignore"):
        mean = np.mean if options["nan_policy"] == "raise" else np.nanmean
        of = mean(y, axis=0) if isinstance(y, np.ndarray) else np.stack([mean(row, axis=0) for row in y])
    if of.ndim == 2 and len(of) == 1:
        of = of[0]
    keys = ("bounds", "tied", "logarithmic", "jac", "parameters", "inputs", "constants", "hertz", "nan_policy", "max_passes")
    found = fit(model, x, of, start=_scalars(start), fixed=_scalars(fixed), **{key: options[key] for key in keys})
    return [(name, found.parameters[name]) for name in missing]


@dataclass(frozen=True)
class ModelEntry:
    """Model of the catalogue."""

    #: Name.
    name: str
    #: Title.
    title: str
    #: Description.
    about: str
    #: Publications that the model is from.
    source: str
    #: Formula.
    formula: str
    #: Formula, parameters and definitions.
    text: str
    #: Inputs: name, unit, and the range of the example.
    inputs: list[tuple[str, str | None, float, float]]
    #: Responses: name and meaning.
    responses: list[tuple[str, str]]
    #: Parameters: name, meaning, value of the example, and whether it is a constant of the experiment.
    parameters: list[tuple[str, str, float, bool]]

    def __str__(self) -> str:
        head = f"{self.name}: {self.title}\n{self.about}\nSource: {self.source}\n\n"
        return head + self.text.rstrip()


def fit_models() -> list[str]:
    """Names of the models of the catalogue.

    Examples
    --------
    >>> import hpfracc
    >>> "cole-cole" in hpfracc.fit_models()
    True
    """
    return _hpfracc.fit_models()


def model_entry(name: str) -> ModelEntry:
    """Formula, parameters, meanings and source of a model: of a name, a sum, a circuit or a transfer function.

    Examples
    --------
    >>> import hpfracc
    >>> hpfracc.model_entry("cole-cole").formula
    'eps = eps_inf + delta/(1 + (i omega tau)^alpha)'
    """
    return ModelEntry(**_hpfracc.fit_entry(name))
