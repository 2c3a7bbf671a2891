"""Results of trainings: parameters, losses, forecasts, files."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from ._display import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .training import Training

__all__ = ["EpochReport", "Forecast", "OrderEstimate", "ParameterFile", "Trained", "read_parameters"]

_Floats = npt.NDArray[np.float64]
_Path = str | PathLike[str]


@dataclass(frozen=True)
class EpochReport:
    """An epoch, as callbacks receive it.

    Attributes
    ----------
    epoch, step : int
        Number of the epoch, from 0, and steps so far.
    loss : float
        Mean loss of its samples, each before its step.
    validation : float or None
        Validation loss, if it was computed.
    best : bool
        Whether that is the smallest so far.
    """

    epoch: int
    step: int
    loss: float
    validation: float | None
    best: bool


@dataclass(frozen=True)
class OrderEstimate:
    """Estimate of a learned order before the training, by least squares over the data.

    Attributes
    ----------
    order, standard_error : float
        The order and its standard error: that of sampling, without those of scheme and model.
    half_step_change : float or None
        Change of the estimate by steps of half the size; None with noise.
    identifiable : bool
        Whether the data determine the order: a standard error of at most 0.05.
    """

    order: float
    standard_error: float
    half_step_change: float | None
    identifiable: bool


@dataclass(frozen=True)
class ParameterFile:
    """Contents of a file of parameters, of :meth:`Trained.save` or of the command.

    Attributes
    ----------
    parameters : ndarray
        All parameters, float32 or float64.
    blocks : tuple
        Names and shapes of their blocks.
    mean, deviation : ndarray or None
        Standardisation of the data: networks receive (x - mean) / deviation.
    """

    parameters: npt.NDArray[Any]
    blocks: tuple[tuple[str, tuple[int, ...]], ...]
    mean: _Floats | None
    deviation: _Floats | None


@dataclass(frozen=True)
class Forecast:
    """Paths of a trained equation, in the units of the data.

    Attributes
    ----------
    t : ndarray, shape (rows,)
        Times.
    paths : ndarray, shape (paths, rows, components)
        Values of each path, with observation errors where the loss has learned them.
    names : tuple of str
        Names of the components.
    observed : ndarray, shape (rows, components), or None
        Data at these times, NaN where there are none.
    """

    t: _Floats
    paths: _Floats
    names: tuple[str, ...]
    observed: _Floats | None = None

    @property
    def mean(self) -> _Floats:
        """Mean over the paths, shape (rows, components)."""
        return self.paths.mean(axis=0)

    def quantile(self, q: npt.ArrayLike) -> _Floats:
        """Quantiles over the paths: shape (rows, components) for a number q, with that of q before it for an array."""
        return np.quantile(self.paths, np.asarray(q, dtype=np.float64), axis=0)

    def plot(self, ax: Axes | None = None, component: int = 0) -> Axes:
        """Median with the bands of 50 % and 90 % of one component, and the data."""
        ax = axes(ax)
        low, lower, median, upper, high = self.quantile([0.05, 0.25, 0.5, 0.75, 0.95])[:, :, component]
        ax.fill_between(self.t, low, high, color="C0", lw=0, alpha=0.2, label="5 to 95 %")
        ax.fill_between(self.t, lower, upper, color="C0", lw=0, alpha=0.3, label="25 to 75 %")
        ax.plot(self.t, median, color="C0", label="median")
        if self.observed is not None and not np.isnan(self.observed[:, component]).all():
            ax.plot(self.t, self.observed[:, component], "k.", label="observed")
        ax.set_xlabel("t")
        ax.set_ylabel(self.names[component])
        ax.legend()
        return ax

    def __repr__(self) -> str:
        paths, rows, _ = self.paths.shape
        return f"Forecast({paths} paths of {rows} rows of {', '.join(self.names)})"


@dataclass(frozen=True, eq=False)
class Trained:
    """Result of a training.

    Attributes
    ----------
    parameters : ndarray
        Parameters with the smallest validation loss, or the last ones without validation.
    last_parameters : ndarray
        Parameters after the last step.
    loss, validation, epoch : ndarray
        Mean loss of each epoch of this run, its validation loss (NaN if not computed), and its number.
    step, step_loss, gradient_norm, rate : ndarray
        Each step of this run: its number, the loss of its batch before it, the norm of the gradient before clipping (NaN
        if the step was skipped), and the learning rate.
    steps, epochs : int
        Steps and finished epochs, with those before a resumption.
    end : str
        ``"epochs"``, ``"steps"``, ``"patience"`` (early stopping) or ``"cancelled"`` (by a callback).
    best_validation, best_epoch
        Smallest validation loss and its epoch; None without validation.
    order_estimates : tuple of OrderEstimate
        Estimates of learned orders before the training, with their standard errors; empty if none were made.
    training : Training
        What was trained.
    """

    parameters: npt.NDArray[Any]
    last_parameters: npt.NDArray[Any]
    epoch: npt.NDArray[np.uint64]
    loss: _Floats
    validation: _Floats
    step: npt.NDArray[np.uint64]
    step_loss: _Floats
    gradient_norm: _Floats
    rate: _Floats
    steps: int
    epochs: int
    end: str
    best_validation: float | None
    best_epoch: int | None
    order_estimates: tuple[OrderEstimate, ...]
    training: Training

    @property
    def orders(self) -> _Floats:
        """Orders alpha of the components."""
        return self.training.orders(self.parameters)

    def block(self, name: str) -> npt.NDArray[Any]:
        """A block of parameters by name, in its shape."""
        return self.training.block(self.parameters, name)

    def forecast(self, rows: int | None = None, paths: int = 1000, *, start: Any = "end", seed: int | None = None) -> Forecast:
        """Forecast: see :meth:`Training.forecast`."""
        return self.training.forecast(self.parameters, rows, paths, start=start, seed=seed)

    def sample(self, rows: int | None = None, paths: int = 1000, *, seed: int | None = None) -> Forecast:
        """New sequences of a latent equation: see :meth:`Training.sample`."""
        return self.training.sample(self.parameters, rows, paths, seed=seed)

    def predict(self, x: npt.ArrayLike, rows: int | None = None, paths: int = 1, *, seed: int | None = None) -> Any:
        """Predictions: see :meth:`Training.predict`."""
        return self.training.predict(self.parameters, x, rows, paths, seed=seed)

    def save(self, path: _Path) -> None:
        """Writes the parameters, with names, shapes and standardisation, as the command does.

        ``Training.load`` of a training with the same settings and data reads the file.
        """
        _publish(path, self.training._core.parameter_file(self.parameters))

    def save_drift(self, path: _Path) -> None:
        """Writes the drift in the units of the data as JSON, which texts of equations name.

        ``net f: x -> 32 tanh -> 1 from "drift.json"``; only for drifts of dense layers.
        """
        _publish(path, self.training._core.drift_file(self.parameters).encode())

    def plot(self, ax: Axes | None = None) -> Axes:
        """Loss and validation loss of each epoch."""
        ax = axes(ax)
        ax.plot(self.epoch, self.loss, label="loss")
        if not np.isnan(self.validation).all():
            known = ~np.isnan(self.validation)
            ax.plot(self.epoch[known], self.validation[known], label="validation")
        ax.set_xlabel("epoch")
        ax.legend()
        return ax

    def _rows(self) -> list[tuple[str, str]]:
        rows = [("steps", str(self.steps)), ("epochs", f"{self.epochs}, ended by {self.end}")]
        if len(self.loss):
            rows.append(("loss", f"{self.loss[-1]:.6g}"))
        if self.best_validation is not None:
            rows.append(("validation", f"{self.best_validation:.6g} after epoch {self.best_epoch}"))
        if self.training.learns_orders:
            rows.append(("orders", ", ".join(f"{alpha:.4f}" for alpha in self.orders)))
        for found in self.order_estimates:
            note = "" if found.identifiable else ", not identifiable"
            rows.append(("order before", f"{found.order:.4f} +- {found.standard_error:.1e}{note}"))
        rows.append(("parameters", str(len(self.parameters))))
        return rows

    def __repr__(self) -> str:
        return "Trained(" + "; ".join(f"{name} {value}" for name, value in self._rows()) + ")"

    def _repr_html_(self) -> str:
        cells = "".join(f"<tr><th>{html.escape(a)}</th><td>{html.escape(b)}</td></tr>" for a, b in self._rows())
        return f"<table>{cells}</table>"


def read_parameters(path: _Path) -> ParameterFile:
    """Contents of a file of parameters, of :meth:`Trained.save` or of the command (``parameters`` in its folder).

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    ParameterFile

    Raises
    ------
    InputError
        For a file that is damaged, or no file of parameters.
    """
    parameters, blocks, units = _hpfracc.read_parameters(os.fspath(path), Path(path).read_bytes())
    mean, deviation = (None, None) if units is None else (np.array(units[0]), np.array(units[1]))
    return ParameterFile(parameters, tuple((name, tuple(shape)) for name, shape in blocks), mean, deviation)


def _publish(path: _Path, contents: bytes) -> None:
    """Writes a file completely or not at all."""
    path = Path(path)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(contents)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
