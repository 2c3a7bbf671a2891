"""Checks of the arguments that noises and ensembles share."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def count(name: str, value: Any, least: int = 1) -> int:
    """A whole number from ``least`` to 2^63 - 1."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}, expected a whole number") from None
    if not least <= number < 2**63:
        raise InputError(f"{name} is {number}, expected {least} to 2^63 - 1")
    return number


def seed(name: str, value: Any) -> int:
    """A whole number of 64 bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}, expected a whole number") from None
    if not 0 <= number < 2**64:
        raise InputError(f"{name} is {number}, expected 0 to 2^64 - 1")
    return number


def real(name: str, value: Any) -> float:
    """A number."""
    if isinstance(value, (str, bytes)):
        raise InputError(f"{name} is {value!r}, expected a number")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} is {value!r}, expected a number") from None


def reals(name: str, value: Any) -> list[float]:
    """One number or a sequence of numbers, as a list."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf" or array.ndim > 1 or array.size == 0:
        raise InputError(f"{name} is {value!r}, expected a number or a sequence of numbers")
    return [float(number) for number in np.atleast_1d(array)]


def single(dtype: Any) -> bool:
    """Whether a dtype is float32; only float32 and float64 are taken."""
    try:
        name = np.dtype(dtype).name
    except TypeError:
        name = str(dtype)
    if name not in ("float32", "float64"):
        raise InputError(f"dtype is {name}, expected float32 or float64")
    return name == "float32"


def threads(value: Any) -> int | None:
    """Number of threads, or None for those of the environment."""
    return None if value is None else count("threads", value)


def interval(value: Any) -> tuple[float, float] | None:
    """Ends of an interval; a single number is the end of one that starts at 0."""
    if value is None:
        return None
    ends = reals("t_span", value)
    if len(ends) == 1:
        return (0.0, ends[0])
    if len(ends) != 2:
        raise InputError(f"t_span has {len(ends)} numbers, expected start and end")
    return (ends[0], ends[1])


#: Default number of the longest steps, where steps are adaptive.
LONGEST_STEPS = 64


def tolerances(rtol: Any, atol: Any, min_step: Any) -> dict[str, Any] | None:
    """Adaptive steps, or None for equal ones; a relative tolerance alone is the absolute one too."""
    if rtol is None and atol is None:
        if min_step is not None:
            raise InputError(f"min_step={min_step!r}: only with rtol or atol, for adaptive steps")
        return None
    relative = 0.0 if rtol is None else real("rtol", rtol)
    return {
        "rtol": relative,
        "atol": relative if atol is None else real("atol", atol),
        "min_step": None if min_step is None else real("min_step", min_step),
    }


def values(parameters: Mapping[str, Any] | None, keywords: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Parameters of a mapping and of keywords, by name."""
    both = {**(parameters or {}), **keywords}
    return [(name, real(name, value)) for name, value in both.items()]


def one_of(name: str, value: Any, known: tuple[str, ...]) -> str:
    """One of these strings."""
    if value not in known:
        raise InputError(f"{name} is {value!r}, expected one of {', '.join(known)}")
    return value


def reporter(progress: Any, label: str) -> tuple[Callable[[float], None] | None, Callable[[bool], None]]:
    """A function of the completed share for ``progress``, and one that ends the display of a complete solve or not."""
    if progress is None or progress is False:
        return None, lambda complete: None
    if progress is not True:
        if not callable(progress):
            raise InputError(f"progress is {progress!r}, expected True, False or a function of the completed share")
        return progress, lambda complete: progress(1.0) if complete else None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True needs tqdm: pip install tqdm, or pass a function of the share") from None
    bar = tqdm(total=100.0, desc=label, unit="%", bar_format="{l_bar}{bar}| [{elapsed}<{remaining}]")

    def update(share: float) -> None:
        bar.update(100.0 * share - bar.n)

    def close(complete: bool) -> None:
        if complete:
            update(1.0)
        bar.close()

    return update, close
