"""Fits of files: rows are read in blocks, and need not fit into memory."""

from __future__ import annotations

import csv
import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ._fit_progress import Progress
from ._hpfracc import FitModel, FitRows, FitSpool, fit_run
from .errors import InputError
from .field_model import FieldModel
from .fit_data import ONLY, DataSet, model_of, settings_of, whole
from .fit_result import Fit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .fitting import Losses

__all__ = ["fit_file"]

#: Rows of a block.
_BLOCK = 1 << 15
_MISSING = ("", "na", "n/a", "nan", "null", "none", "-")


def fit_file(
    model: str | Sequence[str] | FieldModel,
    path: str | os.PathLike[str],
    *,
    x: str | Sequence[str] | None = None,
    y: str | Sequence[str] | None = None,
    sigma: str | Sequence[str] | None = None,
    weight: str | Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    raw: bool = False,
    delimiter: str | None = None,
    memory: int = 1 << 28,
    start: Mapping[str, float] | Sequence[float] | None = None,
    bounds: Mapping[str, tuple[float | None, float | None]] | None = None,
    fixed: Mapping[str, float] | None = None,
    tied: Mapping[str, str] | None = None,
    prior: Mapping[str, tuple[float, float]] | None = None,
    logarithmic: str | Sequence[str] = (),
    loss: Losses = "squares",
    loss_scale: float | None = None,
    starts: int = 0,
    seed: int = 0,
    observed: str | Sequence[str] | None = None,
    constants: Mapping[str, float] | None = None,
    hertz: bool = False,
    nan_policy: Literal["raise", "omit"] = "raise",
    max_passes: int | None = None,
    progress: bool | Callable[[int, int, float], Any] = False,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 60.0,
) -> Fit:
    """Fits a model to the columns of a file of any size: to the same bits as :func:`hpfracc.fit` of arrays.

    Parameters
    ----------
    model : str, list of str or FieldModel
        Formula, name of the catalogue, equation or field, as in :func:`hpfracc.fit`. Functions need arrays.
    path : path
        File of numbers with a header of column names, comma-separated or as `delimiter` says; lines that begin with ``#``
        are left out.
    x, y : str or sequence of str, optional
        Columns of the inputs and of the responses, in the order of the model; by default those of their names, and of a
        formula without a name of its response the only other column.
    sigma, weight : str or sequence of str, optional
        Column of known standard deviations, or of inverse variances up to a factor: one, or one for each response.
    columns : sequence of str, optional
        Names of the columns of a file without a header.
    raw : bool
        The file has numbers in double precision, little-endian, row after row, as ``array.tofile`` writes them; needs
        `columns`. It is read where it is.
    delimiter : str, optional
        Separator of the columns; by default the one of comma, semicolon and tab that the first line has, or blanks.
    memory : int
        Bytes of memory for the rows; the rows of larger files are kept in a temporary file.
    start, bounds, fixed, tied, prior, logarithmic, loss, loss_scale, starts, seed, observed, constants, hertz, max_passes, progress, \
checkpoint, checkpoint_every
        As in :func:`hpfracc.fit`.
    nan_policy : {"raise", "omit"}
        What happens to rows with a missing value or a number that is not finite.

    Returns
    -------
    Fit
        As of :func:`hpfracc.fit`, without :meth:`Fit.residuals` and :meth:`Fit.plot`, which need the data in memory.

    Raises
    ------
    InputError
        For columns that the file does not have, cells that are no numbers, and whatever :func:`hpfracc.fit` refuses.
    OSError
        For a file that cannot be read.

    Notes
    -----
    Memory: `memory`, a block of 32768 rows while the file is read, and blocks of rows of each thread. An equation also keeps
    its times. Each step is a pass over the rows.

    Examples
    --------
    >>> import hpfracc, numpy as np, tempfile, pathlib
    >>> t = np.linspace(0, 5, 1000)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "decay.csv"
    ...     np.savetxt(path, np.column_stack([t, 2 * np.exp(-t / 1.5)]), delimiter=",", header="t,y", comments="")
    ...     found = hpfracc.fit_file("y = a exp(-t/tau); tau = 1 in (0, inf)", path)
    >>> f"{found['tau'].value:.6f}"
    '1.500000'
    """
    options: dict[str, Any] = {key: value for key, value in locals().items() if key != "progress"}
    options["path"] = os.path.abspath(path)
    with Progress(progress, "passes") as report:
        result = _run(options, report)
    found = Fit(_run, {**options, "checkpoint": None}, result[0].summary())
    found._result = result
    return found


def _run(options: dict[str, Any], report: Callable[..., Any] | None = None) -> tuple[Any, list[Any]]:
    if options["nan_policy"] not in ("raise", "omit"):
        raise InputError(f"nan_policy is {options['nan_policy']!r}, expected 'raise' or 'omit'")
    if callable(options["model"]):
        raise InputError("model is a function, which sees all rows at once: give fit_file a text, or fit arrays")
    names = _names(options)
    model, used = _used(options, names)
    rows = _rows(options, names, list(dict.fromkeys(used["x"] + used["y"] + used["weights"])))
    held, index = rows

    def columns(of: list[str]) -> list[Any]:
        return [(held, index[name]) for name in of]

    weights = used["weights"] * (len(used["y"]) if len(used["weights"]) == 1 else 1)
    sigma, omit = options["sigma"] is not None, options["nan_policy"] == "omit"
    data = DataSet(ONLY, model, None, columns(used["x"]), columns(used["y"]), columns(weights), sigma, omit, None)
    settings = settings_of([data], {}, {**options, "own": ()})
    return fit_run([data.arguments()], settings, report), [data]


def _list(names: str | Sequence[str] | None) -> list[str] | None:
    return None if names is None else [names] if isinstance(names, str) else [str(name) for name in names]


def _names(options: Mapping[str, Any]) -> list[str]:
    """Names of the columns of the file."""
    given = _list(options["columns"])
    if given is not None:
        if len(set(given)) != len(given):
            raise InputError(f"columns is {given}, expected different names")
        return given
    if options["raw"]:
        raise InputError("columns is missing: a raw file has no header")
    with _open(options["path"]) as lines:
        first = next(_content(lines), None)
    if first is None:
        raise InputError(f"{options['path']} is empty, expected a header and numbers")
    return [name.strip() for name in _cells(first[1], _delimiter(options, first[1]))]


def _used(options: Mapping[str, Any], names: list[str]) -> tuple[FitModel, dict[str, list[str]]]:
    """The model, and the columns of its inputs, responses and weights."""
    x, y = _list(options["x"]), _list(options["y"])
    of_model = {"inputs": None if x or isinstance(options["model"], FieldModel) else names, "observed": None, "jac": None, "parameters": None, "hertz": options["hertz"]}
    texts = options["model"]
    spec, _ = model_of(texts, np.zeros(1), {**options, **of_model}, options["constants"] or {})
    if spec.kind == "equation":
        observed = _list(options["observed"]) or [name for name in spec.responses if name in names] or None
        spec, _ = model_of(texts, np.zeros(1), {**options, **of_model, "observed": observed}, {})
    elif spec.kind == "formula" and x is None:
        # Of the columns those that it uses.
        of_model["inputs"] = spec.inputs
        spec, _ = model_of(texts, np.zeros(1), {**options, **of_model}, {})
    inputs = spec.inputs
    if x is not None:
        if len(x) != len(spec.given):
            raise InputError(f"x has {len(x)} columns, expected {len(spec.given)} of the model: {', '.join(spec.given)}")
        inputs = [x[spec.given.index(name)] for name in spec.inputs]
    given = [key for key in ("sigma", "weight") if options[key] is not None]
    if len(given) > 1:
        raise InputError("sigma and weight are given: errors are known by one of them")
    weights = (_list(options[given[0]]) or []) if given else []
    responses = y
    if responses is None:
        free = [name for name in names if name not in inputs and name not in weights]
        known = all(name in names for name in spec.responses)
        responses = spec.responses if known or len(spec.responses) != 1 or len(free) != 1 else free
    if len(responses) != len(spec.responses):
        expected = ", ".join(spec.responses)
        raise InputError(f"y has {len(responses)} columns, expected {len(spec.responses)} of the model: {expected}")
    if len(weights) not in (0, 1, len(responses)):
        raise InputError(f"{given[0]} has {len(weights)} columns, expected 1 or {len(responses)}: one for each response")
    for argument, of in (("x", inputs), ("y", responses), (given[0] if given else "", weights)):
        for name in of:
            if name not in names:
                message = f"{options['path']} has no column {name!r}; it has {', '.join(names)}"
                raise InputError(f"{argument}: {message}")
    return spec, {"x": list(inputs), "y": list(responses), "weights": weights}


def _rows(options: Mapping[str, Any], names: list[str], used: list[str]) -> tuple[FitRows, dict[str, int]]:
    """The rows, and the index of each column that is used."""
    if options["raw"]:
        return FitRows.raw(options["path"], len(names)), {name: names.index(name) for name in used}
    spool = FitSpool(len(used), whole("memory", options["memory"]))
    at = [names.index(name) for name in used]
    for block in _blocks(options, len(names), at):
        spool.push(block)
    return spool.finish(), {name: k for k, name in enumerate(used)}


def _open(path: str) -> Any:
    return open(path, newline="", encoding="utf-8-sig")


def _content(lines: Iterator[str]) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without blank ones and comments."""
    return ((k, line) for k, line in enumerate(lines, 1) if line.strip() and not line.startswith("#"))


def _delimiter(options: Mapping[str, Any], line: str) -> str | None:
    """Separator of a line; None for blanks."""
    if options["delimiter"] is not None:
        return str(options["delimiter"])
    counts = {separator: line.count(separator) for separator in (",", ";", "\t")}
    best = max(counts, key=lambda separator: counts[separator])
    return best if counts[best] else None


def _cells(line: str, delimiter: str | None) -> list[str]:
    return line.split() if delimiter is None else next(csv.reader([line], delimiter=delimiter))


def _blocks(options: Mapping[str, Any], count: int, at: list[int]) -> Iterator[NDArray[np.float64]]:
    """Blocks of rows of the columns at these places."""
    with _open(options["path"]) as lines:
        content = _content(lines)
        first = next(content, None)
        if first is None:
            return
        delimiter = _delimiter(options, first[1])
        if options["columns"] is not None:
            content = itertools.chain([first], content)
        while block := list(itertools.islice(content, _BLOCK)):
            text = [line for _, line in block]
            try:
                yield np.loadtxt(text, delimiter=delimiter, ndmin=2, usecols=at, comments=None)
            except ValueError:
                # With missing values or quotes, or with an error that needs a place.
                yield np.array([_numbers(options, row, count, at, delimiter) for row in block])


def _numbers(
    options: Mapping[str, Any], row: tuple[int, str], count: int, at: list[int], delimiter: str | None
) -> list[float]:
    line, text = row
    cells, place = _cells(text, delimiter), f"{Path(options['path'])}, line {line}"
    if len(cells) != count:
        raise InputError(f"{place} has {len(cells)} columns, expected {count}")
    numbers = []
    for column in at:
        cell = cells[column].strip()
        try:
            numbers.append(float(cell))
        except ValueError:
            if cell.lower() not in _MISSING:
                raise InputError(f"{place}, column {column + 1}: {cell!r} is no number") from None
            if options["nan_policy"] == "raise":
                message = f"{place}, column {column + 1}: the value is missing ({cell!r})"
                raise InputError(f"{message}; nan_policy='omit' leaves such rows out") from None
            numbers.append(float("nan"))
    return numbers
