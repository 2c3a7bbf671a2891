"""Arguments of fits as data sets, models and settings of the extension."""

from __future__ import annotations

import functools
import inspect
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._hpfracc import FitModel
from .errors import InputError
from .field_model import FieldModel

#: Name of the only set where none is given.
ONLY = "data"


def numbers(name: str, value: Any) -> np.ndarray:
    """Array of real or complex numbers; `InputError` for anything else."""
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise InputError(f"{name} is no array of numbers: {error}") from None
    if array.dtype.kind not in "buifc":
        raise InputError(f"{name} has the type {array.dtype}, expected real or complex numbers")
    return array


@dataclass
class DataSet:
    """One set: arrays as columns, and how its responses are put together."""

    name: str
    model: FitModel
    x: Any
    inputs: list[np.ndarray]
    responses: list[np.ndarray]
    weights: list[np.ndarray]
    weights_are_sigma: bool
    omit: bool
    #: Sign of the imaginary part in the second response, None for real data.
    sign: float | None

    def arguments(self) -> tuple[Any, ...]:
        return (
            self.name,
            self.model,
            self.x,
            self.inputs,
            self.responses,
            self.weights,
            self.weights_are_sigma,
            self.omit,
        )

    def new_inputs(self, x: Any) -> tuple[Any, list[np.ndarray], tuple[int, ...]]:
        """New inputs: as functions take them, as columns, and the shape of a response."""
        if self.model.kind == "function":
            x = x if isinstance(x, tuple) else numbers("x", x)
            rows = np.asarray(x[-1] if isinstance(x, tuple) else x)
            shape = rows.shape[-1:] if rows.ndim > 1 else rows.shape
            count = int(np.prod(shape, dtype=int))
            x = np.atleast_1d(x) if not shape else x
            return x, [np.zeros(count)], shape
        shape = np.shape(x[0] if isinstance(x, tuple) or len(self.model.given) > 1 else x)
        columns = inputs_of(self.model, x)
        shape = columns[0].shape if columns else shape
        return x, [column.ravel() for column in columns], shape

    def joined(self, responses: Sequence[np.ndarray], shape: tuple[int, ...]) -> Any:
        """Responses in the form of the data: complex numbers, one array, or a row for each."""
        # A model without inputs has one value.
        parts = [response.reshape(shape) if response.size != 1 else np.full(shape, response) for response in responses]
        if self.sign is not None:
            result = parts[0] + 1j * self.sign * parts[1]
        elif len(parts) == 1:
            result = parts[0]
        else:
            return np.stack(parts)
        return result[()] if not shape else result


def inputs_of(model: FitModel, x: Any) -> list[np.ndarray]:
    """Columns of the inputs that a model uses: of one array, a row for each, or a tuple."""
    given = model.given
    if isinstance(x, tuple) or len(given) > 1:
        columns = [numbers("x", column) for column in x]
    else:
        array = numbers("x", x)
        columns = list(array) if array.ndim == 2 and len(array) == 1 else [array]
    if len(given) != len(columns):
        raise InputError(f"x has {len(columns)} inputs, expected {len(given)} of the model: {', '.join(given)}")
    return [columns[given.index(name)] for name in model.inputs]


def responses_of(y: np.ndarray, sign: float | None) -> list[np.ndarray]:
    """Columns of the responses."""
    if np.iscomplexobj(y):
        return [y.real, (1.0 if sign is None else sign) * y.imag]
    return [y] if y.ndim == 1 else list(y)


def weights_of(name: str, value: Any, responses: list[np.ndarray], complex_data: bool) -> list[np.ndarray]:
    """Standard deviations or weights, an array for each response."""
    if value is None:
        return []
    array = numbers(name, value)
    shape = responses[0].shape
    if np.iscomplexobj(array):
        if not complex_data:
            raise InputError(f"{name} is complex, but y is real")
        return [array.real, array.imag]
    if array.ndim == 0:
        return [np.full(shape, float(array))] * len(responses)
    if array.ndim == 1:
        return [array] * len(responses)
    if array.shape[0] != len(responses):
        raise InputError(f"{name} has {array.shape[0]} rows, expected {len(responses)}: one for each response")
    return list(array)


def relative_weights(relative: str, responses: list[np.ndarray]) -> list[np.ndarray]:
    """Weights of errors that are proportional to each response, or to the modulus of all."""
    squares = [np.asarray(response, dtype=float) ** 2 for response in responses]
    if relative == "each":
        sizes = squares
    elif relative == "modulus":
        sizes = [np.sum(squares, axis=0)] * len(squares)
    else:
        raise InputError(f"relative is {relative!r}, expected 'each' or 'modulus'")
    if any(np.any(size == 0) for size in sizes):
        raise InputError(f"relative={relative!r} needs responses other than 0: a response is 0")
    return [1.0 / size for size in sizes]


def names_of_function(
    model: Callable[..., Any], parameters: Sequence[str] | None, start: Any
) -> tuple[list[str], dict[str, float]]:
    """Names of the parameters of a function, and the starts that its signature has."""
    if parameters is not None:
        return list(parameters), {}
    try:
        signature = inspect.signature(model)
    except (TypeError, ValueError):
        raise InputError("the signature of the function is not known: name its parameters by parameters=[...]") from None
    names: list[str] = []
    starts: dict[str, float] = {}
    for position, parameter in enumerate(signature.parameters.values()):
        if parameter.kind is parameter.VAR_POSITIONAL:
            if isinstance(start, Mapping) or start is None:
                raise InputError("the function takes *parameters: name them by parameters=[...], or give start a list")
            return names + [f"p{k}" for k in range(len(start) - len(names))], starts
        if parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD) or position == 0:
            continue
        names.append(parameter.name)
        if parameter.default is not parameter.empty:
            starts[parameter.name] = float(parameter.default)
    if not names:
        raise InputError("the function has no parameters after its first argument x")
    return names, starts


def bounds_of(bounds: Any, names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Bounds by name, of a dictionary or of SciPy's pair of lower and upper ones."""
    if bounds is None:
        return {}

    def pair(low: Any, high: Any) -> tuple[float, float]:
        return (-np.inf if low is None else float(low), np.inf if high is None else float(high))

    if isinstance(bounds, Mapping):
        try:
            return {name: pair(*ends) for name, ends in bounds.items()}
        except (TypeError, ValueError):
            raise InputError("bounds has a value that is no pair (lower, upper)") from None
    try:
        lower, upper = (np.broadcast_to(np.asarray(ends, dtype=float), (len(names),)) for ends in bounds)
    except (TypeError, ValueError):
        raise InputError("bounds is neither a dictionary of pairs nor a pair of lower and upper bounds") from None
    return {name: pair(*ends) for name, *ends in zip(names, lower, upper, strict=True)}


def by_name(argument: str, value: Any, names: Sequence[str]) -> dict[str, Any]:
    """Values by name: of a dictionary, or of a sequence in the order of the parameters."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return dict(value)
    values = list(np.atleast_1d(np.asarray(value, dtype=object)))
    if len(values) != len(names):
        raise InputError(f"{argument} has {len(values)} values, expected {len(names)}: {', '.join(names)}")
    return dict(zip(names, values, strict=True))


def number(argument: str, name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{argument} of {name!r} is {value!r}, expected a number") from None


def optional(argument: str, value: Any) -> float | None:
    """A number or None."""
    if value is None:
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{argument} is {value!r}, expected a number") from None


def whole(argument: str, value: Any, least: int = 0) -> int:
    """Whole number of at least a value."""
    try:
        exact = operator.index(value)
    except TypeError:
        raise InputError(f"{argument} is {value!r}, expected a whole number") from None
    if not least <= exact < 2**63:
        raise InputError(f"{argument} is {exact}, expected a whole number from {least} on")
    return exact


@functools.lru_cache(maxsize=64)
def text_model(
    texts: tuple[str, ...],
    inputs: tuple[str, ...] | None,
    observed: tuple[str, ...] | None,
    constants: tuple[tuple[str, float], ...],
    hertz: bool,
    complex_formula: bool,
) -> FitModel:
    """Model of texts, which is compiled once for several fits."""

    def listed(names: tuple[str, ...] | None) -> list[str] | None:
        return None if names is None else list(names)

    return FitModel.of_text(list(texts), listed(inputs), listed(observed), list(constants), hertz, complex_formula)


def model_of(
    model: Any,
    y: np.ndarray,
    options: Mapping[str, Any],
    constants: Mapping[str, float],
) -> tuple[FitModel, dict[str, float]]:
    """Model of a text, of formulas, of fields or of a function, and the starts that the signature of the latter has."""
    complex_data = bool(np.iscomplexobj(y))
    if isinstance(model, FieldModel):
        of_others = ("jac", "parameters", "inputs", "observed", "hertz")
        given = [name for name in of_others if options[name]] + (["constants"] if constants else [])
        if given:
            raise InputError(f"{', '.join(given)}: not for a FieldModel, which has its own observed and constants")
        return model._model, {}
    if callable(model):
        if y.ndim not in (1, 2):
            raise InputError(f"y has {y.ndim} dimensions, expected 1, or 2 with a row for each response")
        if options["inputs"] is not None or options["observed"] is not None or constants or options["hertz"]:
            raise InputError("inputs, observed, constants and hertz belong to models of texts, not to functions")
        names, starts = names_of_function(model, options["parameters"], options["start"])
        known = {**starts, **by_name("start", options["start"], names), **(options["fixed"] or {})}
        sizes = [abs(number("start", name, known.get(name, 0.0))) for name in names]
        sizes = [1e-2 * size if np.isfinite(size) and size > 0 else 1.0 for size in sizes]
        limits = bounds_of(options["bounds"], names)
        return FitModel.of_function(
            model,
            options["jac"],
            names,
            2 if complex_data else (1 if y.ndim == 1 else len(y)),
            complex_data,
            [name in (options["fixed"] or {}) for name in names],
            sizes,
            [limits.get(name, (-np.inf, np.inf)) for name in names],
        ), starts
    if options["jac"] is not None or options["parameters"] is not None:
        raise InputError("jac and parameters belong to functions: a text has exact derivatives and names of its own")
    texts = [model] if isinstance(model, str) else model
    if not (isinstance(texts, (list, tuple)) and all(isinstance(text, str) for text in texts)):
        raise InputError(f"model is {model!r}, expected a text, a list of formulas or a function")
    def names_of(argument: str) -> tuple[str, ...] | None:
        names = options[argument]
        if names is None:
            return None
        names = (names,) if isinstance(names, str) else tuple(names)
        if not all(isinstance(name, str) for name in names):
            raise InputError(f"{argument} is {options[argument]!r}, expected names")
        return names

    # One formula for complex data is one of complex numbers.
    complex_formula = complex_data and len(texts) == 1
    values = tuple((name, number("constants", name, value)) for name, value in constants.items())
    return text_model(
        tuple(texts), names_of("inputs"), names_of("observed"), values, bool(options["hertz"]), complex_formula
    ), {}


def data_sets(model: Any, x: Any, y: Any, options: Mapping[str, Any]) -> tuple[list[DataSet], dict[str, float]]:
    """Sets of a fit, and starts of the signatures of functions."""
    named = options["sets"]
    if isinstance(y, Mapping):
        names = [str(name) for name in y]
        if named is not None and list(named) != names:
            raise InputError(f"sets names {list(named)}, but y has {names}")
        of_y = list(y.values())
    elif named is not None:
        names, of_y = [str(name) for name in named], list(y)
    else:
        names, of_y = [ONLY], [y]
    if not names:
        raise InputError("a fit needs sets of data, found none")

    def of_set(argument: str, value: Any, position: int) -> Any:
        name = names[position]
        if isinstance(value, Mapping):
            if name not in value:
                raise InputError(f"{argument} has no value for the set {name!r}; it has {', '.join(map(str, value))}")
            return value[name]
        if named is not None and isinstance(value, (list, tuple)) and not isinstance(y, Mapping):
            if len(value) != len(names):
                raise InputError(f"{argument} has {len(value)} entries, expected {len(names)}: one for each set")
            return value[position]
        return value

    if len(of_y) != len(names):
        raise InputError(f"y has {len(of_y)} entries, expected {len(names)}: one for each set")
    constants = options["constants"] or {}
    sets, starts = [], {}
    for position, (name, values) in enumerate(zip(names, of_y, strict=True)):
        array = numbers("y", values)
        if array.ndim not in (1, 2) or (array.ndim == 2 and np.iscomplexobj(array)):
            raise InputError(
                f"y has the shape {array.shape}, expected one axis, or two with a row for each response of real numbers"
            )
        own = constants.get(name, {}) if any(isinstance(of, Mapping) for of in constants.values()) else constants
        of_model = model[name] if isinstance(model, Mapping) else model
        spec, of_signature = model_of(of_model, array, options, own)
        starts.update(of_signature)
        sets.append(data_set(name, spec, of_set("x", x, position), array, position, of_set, options))
    return sets, starts


def data_set(
    name: str,
    model: FitModel,
    x: Any,
    y: np.ndarray,
    position: int,
    of_set: Callable[[str, Any, int], Any],
    options: Mapping[str, Any],
) -> DataSet:
    complex_data = bool(np.iscomplexobj(y))
    sign = model.imaginary_sign if complex_data else None
    if complex_data and sign is None and len(model.responses) != 2:
        count = len(model.responses)
        raise InputError(f"y is complex, but the model has {count} responses: {', '.join(model.responses)}")
    if complex_data and sign is None:
        sign = 1.0
    responses = responses_of(y, sign)
    if len(responses) != len(model.responses):
        raise InputError(
            f"y has {len(responses)} responses, expected {len(model.responses)} of the model: {', '.join(model.responses)}"
        )
    given = [key for key in ("sigma", "weight", "relative") if options[key] is not None]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} are given: errors are known by one of them")
    if given == ["relative"]:
        weights = relative_weights(of_set("relative", options["relative"], position), responses)
    elif given:
        weights = weights_of(given[0], of_set(given[0], options[given[0]], position), responses, complex_data)
    else:
        weights = []
    if model.kind == "function":
        inputs = []
        x = x if isinstance(x, tuple) else np.asarray(x)
    else:
        inputs = inputs_of(model, x)
        bad = [column.shape for column in inputs if column.ndim != 1]
        if bad:
            raise InputError(f"x has the shape {bad[0]}, expected one axis")
    if options["nan_policy"] not in ("raise", "omit"):
        raise InputError(f"nan_policy is {options['nan_policy']!r}, expected 'raise' or 'omit'")
    omit = options["nan_policy"] == "omit"
    return DataSet(name, model, x, inputs, responses, weights, given == ["sigma"], omit, sign)


def settings_of(sets: Sequence[DataSet], starts: Mapping[str, float], options: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of the extension."""
    names = list(dict.fromkeys(of[0] for item in sets for of in item.model.parameters))
    start = {**starts, **by_name("start", options["start"], names)}
    fixed = dict(options["fixed"] or {})
    own = options["own"] or ()
    logarithmic = options["logarithmic"] or ()
    prior = options["prior"] or {}
    try:
        priors = [(name, float(mean), float(sd)) for name, (mean, sd) in prior.items()]
    except (TypeError, ValueError):
        raise InputError("prior has a value that is no pair (mean, standard deviation)") from None
    return {
        "start": [(name, number("start", name, value)) for name, value in start.items() if name not in fixed],
        "bounds": [(name, *ends) for name, ends in bounds_of(options["bounds"], names).items()],
        "fixed": [(name, number("fixed", name, value)) for name, value in fixed.items()],
        "tied": [(name, str(text)) for name, text in (options["tied"] or {}).items()],
        "logarithmic": [logarithmic] if isinstance(logarithmic, str) else list(logarithmic),
        "prior": priors,
        "own": [own] if isinstance(own, str) else list(own),
        "loss": str(options["loss"]),
        "loss_scale": optional("loss_scale", options["loss_scale"]),
        "starts": whole("starts", options["starts"]),
        "seed": whole("seed", options["seed"]),
        "max_passes": None if options["max_passes"] is None else whole("max_passes", options["max_passes"], 1),
        "checkpoint": None if options["checkpoint"] is None else os.fspath(options["checkpoint"]),
        "every": optional("checkpoint_every", options["checkpoint_every"]),
    }
