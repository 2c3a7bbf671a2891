"""Configurations of trainings: names, short forms, files in TOML and time series in CSV."""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from .errors import InputError

#: Tables whose own names keep their underscores.
_AS_WRITTEN = ("network", "loss-scale")
#: Losses of a value, which as the loss of paths are taken path by path.
_LOSSES = ("mean-square", "mean-absolute", "huber", "cross-entropy", "gaussian-likelihood")
_OPTIMISERS = ("sgd", "adam", "fractional-descent", "fractional-adam")
_MISSING = ("", "na", "n/a", "nan", "null", "none")
_TIMES = ("t", "time", "date", "year")

#: What is trained, by kind.
KINDS = {
    "series": "equation",
    "supervised": "network",
    "controlled": "controlled equation",
    "latent": "latent equation",
}


def plain(value: Any) -> Any:
    """The value as JSON has it: hyphens in names, lists, numbers of Python, and the layers of networks."""
    if hasattr(value, "_spec"):
        return plain(value._spec())
    if isinstance(value, Mapping):
        names = {str(name).replace("_", "-"): name for name in value}
        return {
            name: as_written(value[key]) if name in _AS_WRITTEN else plain(value[key]) for name, key in names.items()
        }
    return _number_or_list(value, plain)


def as_written(value: Any) -> Any:
    """The same with names as they are written."""
    if hasattr(value, "_spec"):
        return as_written(value._spec())
    if isinstance(value, Mapping):
        return {str(name): as_written(inner) for name, inner in value.items()}
    return _number_or_list(value, as_written)


def _number_or_list(value: Any, inner: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"a setting is {value}, expected a finite number")
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    if isinstance(value, (Sequence, np.ndarray)):
        return [inner(item) for item in value]
    raise InputError(f"a setting is {value!r}, expected a number, a text, a list or a table")


def without_none(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table without the settings that are None."""
    return {name: value for name, value in table.items() if value is not None}


def of_model(model: Any) -> dict[str, Any]:
    """Table of a model with short forms: widths of hidden layers, numbers as orders."""
    if not isinstance(model, Mapping) and not hasattr(model, "_spec"):
        raise InputError(f"model is {model!r}, expected a NeuralEquation or a table with drift, diffusion and orders")
    return _short_forms(without_none(plain(model)), ("drift",))


def of_controlled(model: Any) -> dict[str, Any]:
    """Table of a controlled equation with short forms."""
    if not isinstance(model, Mapping) and not hasattr(model, "_spec"):
        raise InputError(f"model is {model!r}, expected a ControlledEquation or a table with components and field")
    return _short_forms(without_none(plain(model)), ("encoder", "field", "readout"))


def of_latent(model: Any) -> dict[str, Any]:
    """Table of a latent equation with short forms."""
    if not isinstance(model, Mapping) and not hasattr(model, "_spec"):
        raise InputError(f"model is {model!r}, expected a LatentEquation or a table with components, encoder and prior")
    return _short_forms(without_none(plain(model)), ("encoder", "posterior", "prior", "decoder"))


def of_latent_loss(loss: Any) -> dict[str, Any]:
    """Table of the loss of a latent equation; a name alone is that of an observed value."""
    if isinstance(loss, str):
        loss = {"observation": loss}
    table = without_none(plain(loss))
    if table.get("observation") == "gaussian-likelihood":
        table["observation"] = {"gaussian-likelihood": {}}
    return table


def _short_forms(table: dict[str, Any], networks: tuple[str, ...]) -> dict[str, Any]:
    for name in networks:
        if name in table:
            table[name] = _of_network(table[name])
    diffusion = table.get("diffusion")
    if isinstance(diffusion, (int, float)):
        table["diffusion"] = {"additive": {"start": float(diffusion)}}
    if isinstance(diffusion, dict):
        for kind in ("diagonal", "general"):
            inner = diffusion.get(kind)
            if isinstance(inner, Mapping) and "of" in inner:
                diffusion[kind] = {**inner, "of": _of_network(inner["of"])}
            elif isinstance(inner, list):
                diffusion[kind] = {"of": _of_network(inner)}
    orders = table.get("orders")
    if isinstance(orders, (int, float)):
        table["orders"] = {"fixed": [float(orders)]}
    elif isinstance(orders, list):
        table["orders"] = {"fixed": orders}
    elif orders == "learned":
        table["orders"] = {"learned": {}}
    if isinstance(table.get("orders"), Mapping) and "learned" in table["orders"]:
        given = {"lower": 0.5, "upper": 1.0, "start": 0.8, "each": False}
        table["orders"] = {"learned": {**given, **table["orders"]["learned"]}}
    return table


def _of_network(choice: Any) -> Any:
    if isinstance(choice, list):
        return {"perceptron": {"hidden": choice}}
    if isinstance(choice, Mapping) and len(choice) == 1 and next(iter(choice)) not in ("network", "perceptron"):
        return {"network": choice}
    return choice


def of_loss(loss: Any) -> dict[str, Any]:
    """Table of a loss of paths; a name alone is that of the loss."""
    if isinstance(loss, str):
        loss = {"path-loss": loss}
    table = without_none(plain(loss))
    kind = table.get("path-loss")
    name = kind if isinstance(kind, str) else next(iter(kind), None) if isinstance(kind, Mapping) else None
    if name in _LOSSES:
        table["path-loss"] = {"each": kind}
    return table


def of_training(training: Mapping[str, Any]) -> dict[str, Any]:
    """Table of a training; an optimiser may be a name, a schedule a rate."""
    table = without_none(plain(training))
    if table.get("optimiser") in _OPTIMISERS:
        table["optimiser"] = {table["optimiser"]: {}}
    if isinstance(table.get("schedule"), (int, float)):
        table["schedule"] = {"constant": float(table["schedule"])}
    return table


def read_toml(path: str | PathLike[str]) -> dict[str, Any]:
    """A configuration of ``hpfracc train``."""
    if sys.version_info < (3, 11):
        raise ImportError("files in TOML are read by Python 3.11 and later: pass the settings as arguments")
    else:
        import tomllib

        with open(path, "rb") as file:
            try:
                return tomllib.load(file)
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                raise InputError(f"{path}: {error}") from None


def read_series(data: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Columns of the CSV file of a table ``[data]``: values by row and column, names, step and times."""
    known = ("file", "columns", "time", "dt", "missing", "missing-values", "delays")
    if unknown := [name for name in data if name not in known]:
        raise InputError(f"data: unknown field {unknown[0]!r}, expected one of {', '.join(known)}")
    if "file" not in data:
        raise InputError("data: file is missing")
    path = folder / data["file"]
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    if len(rows) < 2:
        raise InputError(f"{path} has {len(rows)} rows, expected a header and numbers")
    header, rows = [name.strip() for name in rows[0]], rows[1:]
    absent = {*_MISSING, *(str(value).lower() for value in data.get("missing-values", ()))}

    def column(name: str) -> list[float]:
        if name not in header:
            raise InputError(f"{path} has no column {name!r}; it has {', '.join(header)}")
        at, numbers = header.index(name), []
        for line, row in enumerate(rows, 2):
            text = row[at].strip() if at < len(row) else ""
            try:
                numbers.append(math.nan if text.lower() in absent else float(text))
            except ValueError:
                raise InputError(f"{path}, row {line}, column {name!r}: {text!r} is no number") from None
        return numbers

    time = data.get("time") or next((name for name in header if name.lower() in _TIMES), None)
    dt, times = data.get("dt"), None
    if time is not None:
        try:
            times = np.array(column(time))
        except InputError:
            if dt is None:
                raise
    chosen = data.get("columns") or [name for name in header if name != time]
    if not data.get("columns") and len(chosen) != 1:
        raise InputError(f"{path} has the columns {', '.join(header)}: data needs columns")
    values = np.column_stack([column(name) for name in chosen])
    values, times = _without_missing(values, times, data.get("missing", "error"), path)
    if dt is None:
        if times is None:
            raise InputError(f"{path} has no column of times: data needs dt")
        dt = step(times)
    return {"data": values, "names": list(chosen), "dt": float(dt), "t": times, "delays": data.get("delays", ())}


def step(times: np.ndarray) -> float:
    """Step of equidistant times."""
    if times.ndim != 1 or len(times) < 2:
        raise InputError(f"t has the shape {times.shape}, expected at least 2 times")
    steps = np.diff(times)
    mean = (times[-1] - times[0]) / (len(times) - 1)
    if not (mean > 0 and np.all(np.abs(steps - mean) <= 1e-6 * mean)):
        worst = int(np.argmax(np.abs(steps - mean)))
        message = f"t[{worst + 1}] is {steps[worst]} after t[{worst}], expected equal steps of {mean}"
        raise InputError(f"{message}: give dt for times that are equal but for their calendar")
    return float(mean)


def _without_missing(
    values: np.ndarray, times: np.ndarray | None, rule: str, path: Path
) -> tuple[np.ndarray, np.ndarray | None]:
    absent = np.isnan(values)
    if not absent.any():
        return values, times
    if rule == "error":
        row, at = np.argwhere(absent)[0]
        message = f"{path}: the value of row {row + 2}, column {at} (from 0) is missing"
        raise InputError(f"{message}; choose missing = 'interpolate' or 'drop'")
    if rule == "drop":
        complete = np.flatnonzero(~absent.any(axis=1))
        if not len(complete):
            raise InputError(f"{path} has no complete row")
        kept = slice(complete[0], complete[-1] + 1)
        if absent[kept].any():
            raise InputError(f"{path}: a value between the first and the last complete row is missing")
        return values[kept], times if times is None else times[kept]
    if rule == "interpolate":
        rows = np.arange(len(values)) if times is None else times
        for at in range(values.shape[1]):
            gaps = absent[:, at]
            if gaps[0] or gaps[-1]:
                raise InputError(f"{path}: the first or last value of column {at} (from 0) is missing")
            values[gaps, at] = np.interp(rows[gaps], rows[~gaps], values[~gaps, at])
        return values, times
    raise InputError(f"missing is {rule!r}, expected 'error', 'interpolate' or 'drop'")


def precision_of(precision: Any) -> str:
    name = {"f32": "f32", "f64": "f64", "float32": "f32", "float64": "f64"}.get(str(precision))
    if name is None:
        raise InputError(f"precision is {precision!r}, expected 'f32' or 'f64'")
    return name


def bar_of_epochs(epochs: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True needs the package tqdm") from None
    return tqdm(total=epochs, unit="epoch")
