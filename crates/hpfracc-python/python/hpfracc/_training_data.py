"""Data of trainings of controlled and latent equations: controls, responses and sequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import InputError

_Floats = npt.NDArray[np.float64]


def cube(name: str, value: npt.ArrayLike, last: str) -> _Floats:
    """Numbers of shape (samples, rows, ...); two axes have one component."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise InputError(f"{name} has the type {array.dtype}, expected real numbers")
    if array.ndim not in (2, 3):
        raise InputError(f"{name} has {array.ndim} axes, expected (samples, rows) or (samples, rows, {last})")
    if array.shape[0] == 0 or array.shape[1] < 2:
        raise InputError(f"{name} has the shape {array.shape}, expected at least 1 sample of 2 rows")
    array = array.astype(np.float64)
    return np.ascontiguousarray(array[:, :, np.newaxis] if array.ndim == 2 else array)


def responses(
    y: npt.ArrayLike, samples: int, rows: int, at: Sequence[int] | None, loss: Any
) -> tuple[_Floats, list[int], bool]:
    """Responses of shape (samples, observed rows, components), their rows, and whether there is one for each sample."""
    array = np.asarray(y)
    if array.shape[:1] != (samples,):
        raise InputError(f"y has the shape {array.shape}, expected {samples} samples as x")
    if array.ndim == 1 and array.dtype.kind in "iu" and loss == "cross-entropy":
        if array.size and array.min() < 0:
            raise InputError(f"y has the class {array.min()}, expected 0 or more")
        array = np.eye(int(array.max()) + 1)[array]
    if array.dtype.kind not in "fiub" or array.ndim not in (1, 2, 3):
        raise InputError(
            f"y has the type {array.dtype} and {array.ndim} axes, expected numbers of shape (samples,), "
            "(samples, outputs) or (samples, observed rows, outputs)"
        )
    array = array.astype(np.float64)
    single = array.ndim < 3
    array = array.reshape(samples, 1, -1) if single else array
    if at is None:
        at = [rows - 1] if single else list(range(rows))
    chosen = [int(row) + rows if row < 0 else int(row) for row in at]
    if len(chosen) != array.shape[1]:
        raise InputError(f"at has {len(chosen)} rows, expected {array.shape[1]} as y")
    if any(not 0 <= row < rows for row in chosen) or any(b <= a for a, b in zip(chosen, chosen[1:])):
        raise InputError(f"at is {list(at)}, expected rows of x from 0 to {rows - 1}, each after the one before")
    return np.ascontiguousarray(array), chosen, single


def sequences(data: npt.ArrayLike, windows: Mapping[str, Any] | int | None) -> tuple[_Floats, int | None]:
    """Sequences of shape (samples, rows, components), and the number of those that are trained on, if it is known."""
    array = np.asarray(data)
    if windows is None:
        if array.ndim < 3:
            raise InputError(f"data has {array.ndim} axes: a time series needs windows, sequences have 3 axes")
        return cube("data", array, "components"), None
    if array.ndim > 2:
        raise InputError(f"windows: data has {array.ndim} axes, sequences are not cut; expected a time series")
    table = {"length": windows} if isinstance(windows, (int, np.integer)) else dict(windows)
    if unknown := [name for name in table if name not in ("length", "stride", "validation")]:
        raise InputError(f"windows: unknown field `{unknown[0]}`, expected length, stride or validation")
    if "length" not in table:
        raise InputError("windows: length is missing")
    length, stride, fraction = int(table["length"]), int(table.get("stride", 1)), float(table.get("validation", 0.2))
    if length < 1 or stride < 1:
        raise InputError(f"windows: length is {length} and stride {stride}, expected at least 1")
    if not 0.0 <= fraction < 1.0:
        raise InputError(f"windows: validation is {fraction}, expected 0 to below 1")
    series = cube("data", array[np.newaxis], "components")[0]
    first = len(series) - int(fraction * len(series) + 0.5)
    trained, held_out = _cut(series[:first], length, stride), _cut(series[first:], length, stride)
    if len(trained) == 0 or (first < len(series) and len(held_out) == 0):
        raise InputError(
            f"windows: the parts of data have {first} and {len(series) - first} rows, and a window has {length + 1}"
        )
    return np.ascontiguousarray(np.concatenate([trained, held_out])), len(trained)


def _cut(series: _Floats, length: int, stride: int) -> _Floats:
    starts = range(0, len(series) - length, stride)
    cut = [series[start : start + length + 1] for start in starts]
    # A window without a value says nothing.
    cut = [window for window in cut if not np.isnan(window).all()]
    return np.array(cut).reshape(len(cut), length + 1, series.shape[1])


def series_columns(name: str, data: npt.ArrayLike) -> _Floats:
    values = np.asarray(data)
    if values.dtype.kind not in "fiub" or values.dtype.itemsize > 8:
        raise InputError(f"{name} has the type {values.dtype}, expected real numbers")
    if values.ndim not in (1, 2):
        raise InputError(f"{name} has {values.ndim} axes, expected 1 or 2")
    values = values.astype(np.float64)
    return np.ascontiguousarray(values[:, np.newaxis] if values.ndim == 1 else values)


def delayed(columns: _Floats, delays: Sequence[int]) -> tuple[_Floats, int]:
    delays = [int(delay) for delay in delays]
    if len({0, *delays}) != len(delays) + 1 or any(delay < 0 for delay in delays):
        raise InputError(f"delays is {delays}, expected distinct numbers of at least 1")
    back = max(delays, default=0)
    if len(columns) <= back:
        raise InputError(f"data has {len(columns)} rows, expected more than the delay {back}")
    count = len(columns) - back
    return np.column_stack([columns[back - lag : back - lag + count] for lag in (0, *delays)]), back
