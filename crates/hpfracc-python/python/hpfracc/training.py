"""Training: networks, and neural fractional, stochastic, controlled and latent differential equations.

A neural equation of orders alpha has networks on its right-hand side,

    D^alpha X = f(X) + g(X) dW/dt,

and is trained on windows of a time series, by the gradient of the discrete solution. Settings have the names of the
command ``hpfracc train``; a hyphen may be an underscore. The result depends on the data, the settings and the seed only:
a training that was interrupted and resumed has the same final bits, on any number of threads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from ._training_config import (
    of_controlled,
    of_latent,
    of_latent_loss,
    of_loss,
    of_model,
    of_training,
    KINDS,
    bar_of_epochs,
    precision_of,
    plain,
    read_series,
    read_toml,
    step,
    without_none,
)
from ._training_data import cube, delayed, responses, sequences, series_columns
from .errors import InputError
from .training_models import ControlledEquation, LatentEquation, Network, NeuralEquation
from .training_results import EpochReport, Forecast, OrderEstimate, ParameterFile, Trained, read_parameters

__all__ = [
    "ControlledEquation",
    "EpochReport",
    "Forecast",
    "LatentEquation",
    "Network",
    "NeuralEquation",
    "OrderEstimate",
    "ParameterFile",
    "Trained",
    "Training",
    "read_parameters",
    "train",
    "train_controlled",
    "train_network",
]

_Floats = npt.NDArray[np.float64]
_Path = str | PathLike[str]


class Training:
    """What is trained, with its data: a loss of parameters with its gradient, and the training itself.

    Parameters
    ----------
    data : array_like, shape (rows,) or (rows, components)
        Time series with equal steps; NaN marks a missing value. It is standardised by the mean and the standard deviation
        of the rows that are trained on; forecasts are in the units of the data.
    model : NeuralEquation or Mapping
        The equation: drift, diffusion and orders.
    windows : Mapping or int
        ``length``, rows of a window after its initial one; ``stride`` (1); ``validation`` (0.2), the fraction of rows held
        out at the end. A number is the length.
    dt : float, optional
        Step; by default that of ``t``, or 1.
    t : array_like, shape (rows,), optional
        Times with equal steps.
    names : sequence of str, optional
        Names of the components.
    delays : sequence of int
        Lags in rows: each adds the columns of data with this lag as components.
    solver : Mapping, optional
        ``steps`` per row (1); ``memory`` ("direct", "blocked", {"exponentials": {"tolerance": 1e-6}}); ``drift``
        ("rectangle", "predictor-corrector"); ``checkpoints`` ("all", "sqrt", {"binomial": {"states": 8}}); ``storage``
        ("full", "bfloat16", "float16").
    loss : str or Mapping, optional
        ``path_loss``: "mean-square", "mean-absolute", {"huber": {"delta": 1.0}}, {"gaussian-likelihood": {"floor": 0.0}},
        "energy-score", {"energy-distance": "all"}, {"marginal-energy": "all"} or "moments"; ``paths`` per window (1).
    training : Mapping, optional
        ``optimiser`` ("adam", "sgd", "fractional-descent", "fractional-adam", or a table with settings); ``schedule`` (a
        rate, or a table: linear, cosine, step, exponential, one-cycle, warm-up, sequence); ``epochs`` (100); ``steps``;
        ``batch`` (32); ``seed`` (0); ``clip``; ``loss_scale``; ``orders`` ({"estimate": True, "rate": None});
        ``validate_every`` (1); ``patience``.
    checkpoints : Mapping, optional
        ``every``, number of steps between checkpoints, besides one after each epoch; ``keep``, number of files (3).
    precision : {"f32", "f64"}
        Precision of parameters and solves.

    Attributes
    ----------
    samples, validation_samples : int
        Windows (or pairs) that are trained on, and those held out.
    size : int
        Number of parameters.
    blocks : tuple
        Names and shapes of the blocks of parameters.
    dtype : numpy.dtype
        Type of the parameters.
    order_parameters : slice
        The parameters that are learned orders, in their internal form.
    learns_orders : bool
        Whether orders are learned.

    Raises
    ------
    InputError
        For unknown names, sizes that do not match, and numbers outside their ranges.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> x = np.exp(-0.1 * np.arange(60))
    >>> training = hpfracc.Training(x, model={"drift": [8]}, windows={"length": 5}, precision="f64")
    >>> theta = training.initial(seed=1)
    >>> loss, slope = training.gradient(theta)
    >>> training.loss(theta - 0.01 * slope) < loss
    True
    """

    _core: _hpfracc.TrainingCore

    def __init__(
        self,
        data: npt.ArrayLike,
        *,
        model: NeuralEquation | Mapping[str, Any],
        windows: Mapping[str, Any] | int,
        dt: float | None = None,
        t: npt.ArrayLike | None = None,
        names: Sequence[str] | None = None,
        delays: Sequence[int] = (),
        solver: Mapping[str, Any] | None = None,
        loss: str | Mapping[str, Any] | None = None,
        training: Mapping[str, Any] | None = None,
        checkpoints: Mapping[str, Any] | None = None,
        precision: str = "f32",
    ) -> None:
        columns = series_columns("data", data)
        times = None if t is None else np.asarray(t, dtype=np.float64)
        if times is not None and times.shape != (len(columns),):
            raise InputError(f"t has the shape {times.shape}, expected {(len(columns),)} as the rows of data")
        if dt is None:
            dt = 1.0 if times is None else step(times)
        values, back = delayed(columns, delays)
        count = columns.shape[1]
        if names is None:
            names = ["x"] if count == 1 else [f"x{i}" for i in range(count)]
        if len(names) != count:
            raise InputError(f"names has {len(names)} names, expected {count} as data has columns")
        config = {
            "precision": precision_of(precision),
            "windows": {"length": windows} if isinstance(windows, (int, np.integer)) else windows,
            "model": of_model(model),
            "solver": solver or {},
            "loss": of_loss(loss or {}),
            "training": of_training(training or {}),
            "checkpoints": checkpoints or {},
        }
        arrays = {
            "values": values,
            "columns": columns[back:],
            "t": None if times is None else times[back:],
        }
        self._build("series", _config(config), {**arrays, "dt": float(dt), "names": tuple(names)})

    @classmethod
    def from_file(cls, path: _Path, **settings: Any) -> Training:
        """A training from a configuration of ``hpfracc train`` in TOML, and the CSV file that it names.

        Parameters
        ----------
        path : path
            The configuration; paths in it are relative to it.
        **settings
            Arguments of :class:`Training` that replace those of the file.

        Returns
        -------
        Training
            With the settings of the table ``[forecast]`` as the defaults of :meth:`forecast`.

        Notes
        -----
        The folder of a training by the command can be resumed, and its ``parameters`` loaded. Columns of dates need
        ``dt`` in the configuration. Python 3.11 or later.
        """
        table = read_toml(path)
        known = ("precision", "data", "windows", "model", "solver", "loss", "training", "checkpoints", "forecast")
        if unknown := [name for name in table if name not in known]:
            raise InputError(f"{path}: unknown table {unknown[0]!r}, expected one of {', '.join(known)}")
        series = read_series(plain(table.pop("data", {})), Path(path).parent)
        forecast = table.pop("forecast", {})
        made = cls(**{**table, **series, **settings})
        made._forecast = forecast
        return made

    @classmethod
    def supervised(
        cls,
        x: npt.ArrayLike,
        y: npt.ArrayLike,
        network: Network | Mapping[str, Any],
        *,
        loss: str | Mapping[str, Any] = "mean-square",
        validation: float = 0.0,
        training: Mapping[str, Any] | None = None,
        checkpoints: Mapping[str, Any] | None = None,
        precision: str = "f32",
    ) -> Training:
        """A network on pairs of inputs and targets.

        Parameters
        ----------
        x : array_like, shape (samples, features)
            Inputs.
        y : array_like, shape (samples, outputs) or (samples,)
            Targets; integers of shape (samples,) are classes from 0, for the loss ``"cross-entropy"`` of logits.
        network : Network
            The network.
        loss : str or Mapping
            "mean-square", "mean-absolute", {"huber": {"delta": 1.0}}, "cross-entropy".
        validation : float
            Fraction of the samples held out, drawn by the seed.
        training, checkpoints, precision
            As in :class:`Training`.
        """
        made = cls.__new__(cls)
        targets = np.asarray(y)
        network = network if isinstance(network, Network) else Network(network)
        classes = targets.ndim == 1 and targets.dtype.kind in "iu" and loss == "cross-entropy"
        if targets.ndim == 1 and not classes:
            targets = targets[:, np.newaxis]
        if classes and len(targets) and targets.min() < 0:
            raise InputError(f"y has the class {targets.min()}, expected 0 or more")
        config = {
            "precision": precision_of(precision),
            "network": network,
            "loss": loss,
            "validation": float(validation),
            "training": of_training(training or {}),
            "checkpoints": checkpoints or {},
        }
        made._build("supervised", _config(config), {"x": np.asarray(x), "y": targets, "classes": classes})
        return made

    @classmethod
    def controlled(
        cls,
        x: npt.ArrayLike,
        y: npt.ArrayLike,
        model: ControlledEquation | Mapping[str, Any],
        *,
        at: Sequence[int] | None = None,
        dt: float = 1.0,
        solver: Mapping[str, Any] | None = None,
        loss: str | Mapping[str, Any] = "mean-square",
        validation: float = 0.0,
        training: Mapping[str, Any] | None = None,
        checkpoints: Mapping[str, Any] | None = None,
        precision: str = "f32",
    ) -> Training:
        """A controlled equation on controls and the responses to them.

        Parameters
        ----------
        x : array_like, shape (samples, rows, channels) or (samples, rows)
            Controls at equal steps; NaN marks a missing value, which is interpolated.
        y : array_like
            Responses at the last row, shape (samples,) or (samples, outputs); or at several rows, shape (samples, observed
            rows, outputs), NaN where missing. Integers of shape (samples,) are classes from 0, for the loss
            ``"cross-entropy"`` of logits.
        model : ControlledEquation or Mapping
            The equation.
        at : sequence of int, optional
            Rows of x at which the responses are: by default the last one, or all.
        dt : float
            Step between two rows.
        solver, training, checkpoints, precision
            As in :class:`Training`.
        loss : str or Mapping
            "mean-square", "mean-absolute", {"huber": {"delta": 1.0}}, "cross-entropy", {"gaussian-likelihood": {"floor":
            0.01}}.
        validation : float
            Fraction of the samples held out, drawn by the seed.

        Notes
        -----
        Controls and responses are not standardised.
        """
        made = cls.__new__(cls)
        controls = cube("x", x, "channels")
        observed, rows, single = responses(y, controls.shape[0], controls.shape[1], at, loss)
        config = {
            "precision": precision_of(precision),
            "model": of_controlled(model),
            "solver": solver or {},
            "loss": loss,
            "validation": float(validation),
            "training": of_training(training or {}),
            "checkpoints": checkpoints or {},
        }
        arrays = {"x": controls, "y": observed, "at": rows, "dt": float(dt), "single": single}
        made._build("controlled", _config(config), arrays)
        return made

    @classmethod
    def latent(
        cls,
        data: npt.ArrayLike,
        model: LatentEquation | Mapping[str, Any],
        *,
        windows: Mapping[str, Any] | int | None = None,
        dt: float = 1.0,
        names: Sequence[str] | None = None,
        solver: Mapping[str, Any] | None = None,
        loss: str | Mapping[str, Any] | None = None,
        validation: float = 0.0,
        training: Mapping[str, Any] | None = None,
        checkpoints: Mapping[str, Any] | None = None,
        precision: str = "f32",
    ) -> Training:
        """A latent equation on sequences, by the negative evidence lower bound per sequence.

        Parameters
        ----------
        data : array_like
            Sequences of shape (samples, rows, components), or with `windows` a time series of shape (rows,) or (rows,
            components); NaN marks a missing value. Values are standardised by the mean and the standard deviation of the
            training sequences; results are in the units of the data.
        model : LatentEquation or Mapping
            The equation.
        windows : Mapping or int, optional
            ``length``, ``stride`` and ``validation`` of the windows of a time series, as in :class:`Training`.
        dt : float
            Step between two rows.
        names : sequence of str, optional
            Names of the components.
        solver, training, checkpoints, precision
            As in :class:`Training`.
        loss : str or Mapping, optional
            ``observation``: {"gaussian-likelihood": {"floor": 0.01}} (the default), of whose means and logarithms of standard
            deviations the decoder has outputs, "mean-square", "mean-absolute" or {"huber": {"delta": 1.0}}; ``paths`` per
            sequence (1); ``kl_weight`` of the divergences (1).
        validation : float
            Fraction of the sequences held out, drawn by the seed.
        """
        made = cls.__new__(cls)
        values, trained = sequences(data, windows)
        count = values.shape[2]
        if names is None:
            names = ["x"] if count == 1 else [f"x{i}" for i in range(count)]
        if len(names) != count:
            raise InputError(f"names has {len(names)} names, expected {count} as data has components")
        if windows is not None and validation:
            raise InputError("validation and windows are both given: expected validation in windows")
        config = {
            "precision": precision_of(precision),
            "model": of_latent(model),
            "solver": solver or {},
            "loss": of_latent_loss(loss or {}),
            "validation": float(validation),
            "training": of_training(training or {}),
            "checkpoints": checkpoints or {},
        }
        arrays = {"x": values, "trained": trained, "dt": float(dt), "names": tuple(names)}
        made._build("latent", _config(config), arrays)
        return made

    def _build(self, kind: str, config: str, arrays: dict[str, Any]) -> None:
        self._kind, self._config, self._arrays = kind, config, arrays
        self._forecast: dict[str, Any] = {}
        if kind == "series":
            self._core = _hpfracc.TrainingCore.of_series(config, arrays["values"], arrays["dt"])
        elif kind == "controlled":
            self._core = _hpfracc.TrainingCore.controlled(
                config, arrays["x"], arrays["y"], arrays["at"], arrays["dt"]
            )
        elif kind == "latent":
            self._core = _hpfracc.TrainingCore.latent(config, arrays["x"], arrays["trained"], arrays["dt"])
        elif arrays["classes"]:
            self._core = _hpfracc.TrainingCore.supervised(config, arrays["x"], None, arrays["y"].tolist())
        else:
            self._core = _hpfracc.TrainingCore.supervised(config, arrays["x"], arrays["y"], None)
        facts = self._facts = self._core.facts()
        self.samples: int = facts["samples"]
        self.validation_samples: int = facts["validation_samples"]
        self.size: int = facts["parameters"]
        self.blocks = tuple((name, tuple(shape)) for name, shape in facts["blocks"])
        self.dtype = np.dtype(facts["dtype"])
        self.order_parameters = slice(*facts["order_parameters"])
        self.learns_orders: bool = facts.get("learns_orders", False)

    def initial(self, seed: int | None = None) -> npt.NDArray[Any]:
        """Initial parameters of a seed; by default that of the settings."""
        return self._core.initial(self._facts["seed"] if seed is None else seed)

    def loss(
        self,
        parameters: npt.ArrayLike,
        samples: Sequence[int] | None = None,
        *,
        seed: int = 0,
        validation: bool = False,
    ) -> float:
        """Mean loss of samples, in evaluation mode (no dropout).

        Parameters
        ----------
        parameters : array_like, shape (size,), of ``dtype``
            Parameters.
        samples : sequence of int, optional
            Indices of samples; by default all.
        seed : int
            Seed of the noise: equal seeds give equal noise.
        validation : bool
            The samples held out in place of those trained on.
        """
        return self._core.evaluate(parameters, samples, seed, False, validation)[0]

    def gradient(
        self, parameters: npt.ArrayLike, samples: Sequence[int] | None = None, *, seed: int = 0
    ) -> tuple[float, npt.NDArray[Any]]:
        """Mean loss of samples, in training mode, and its gradient with respect to the parameters.

        The gradient is that of the discrete solution, with the noise held fixed: with it any optimiser can train.

        Parameters
        ----------
        parameters, samples, seed
            As in :meth:`loss`.

        Returns
        -------
        loss : float
        gradient : ndarray, shape (size,), of ``dtype``
        """
        loss, gradient = self._core.evaluate(parameters, samples, seed, True, False)
        return loss, gradient

    def estimate_orders(self, seed: int | None = None) -> tuple[npt.NDArray[Any], tuple[OrderEstimate, ...]]:
        """Estimates of learned orders by least squares, and the parameters at which a training begins with them."""
        parameters, found = self._core.estimate_orders(self._facts["seed"] if seed is None else seed)
        return parameters, tuple(OrderEstimate(*each) for each in found)

    def orders(self, parameters: npt.ArrayLike) -> _Floats:
        """Orders alpha of the components at parameters."""
        return np.array(self._core.orders(parameters))

    def block(self, parameters: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
        """A block of parameters by name, in its shape: a view."""
        first = 0
        for known, shape in self.blocks:
            size = int(np.prod(shape))
            if known == name:
                return parameters[first : first + size].reshape(shape)
            first += size
        raise InputError(f"no block {name!r}; there are {', '.join(known for known, _ in self.blocks)}")

    def run(
        self,
        *,
        folder: _Path | None = None,
        resume: bool = False,
        epochs: int | None = None,
        steps: int | None = None,
        callback: Callable[[EpochReport], Any] | None = None,
        progress: bool = False,
        threads: int | None = None,
    ) -> Trained:
        """Trains.

        Parameters
        ----------
        folder : path, optional
            Folder of checkpoints and of ``metrics.jsonl``, as the command writes it.
        resume : bool
            Continue from the newest intact checkpoint in the folder, to the same final bits as without an interruption.
        epochs, steps : int, optional
            Other numbers than in the settings.
        callback : callable, optional
            Called with an :class:`EpochReport` after each epoch; ``False`` ends the training. It runs in this thread,
            and its exceptions come through.
        progress : bool
            A bar of epochs, by the package tqdm.
        threads : int, optional
            Threads, in a pool of their own; the result is the same to the bit for any number.

        Returns
        -------
        Trained

        Raises
        ------
        SolverError
            For a loss, a gradient or a parameter that is not finite, with its epoch, batch and samples.
        FileExistsError
            For a folder that has a training already.
        InputError
            For a folder of another training; the message tells what differs.

        Notes
        -----
        The loop runs without the interpreter's lock. After Ctrl-C a training with a folder writes a checkpoint at the end
        of its step, and can be resumed.
        """
        bar = bar_of_epochs(epochs or self._settings().get("epochs", 100)) if progress else None

        def report(*of_epoch: Any) -> bool:
            told = EpochReport(*of_epoch)
            if bar is not None:
                bar.update(told.epoch + 1 - bar.n)
                bar.set_postfix_str(f"loss {told.loss:.4g}")
            return True if callback is None else callback(told) is not False

        wanted = callback is not None or bar is not None
        try:
            found = self._core.run(
                None if folder is None else os.fspath(folder),
                resume,
                threads,
                epochs,
                steps,
                report if wanted else None,
            )
        finally:
            if bar is not None:
                bar.close()
        best = found.pop("best") or (None, None)
        return Trained(
            last_parameters=found.pop("last"),
            best_validation=best[0],
            best_epoch=best[1],
            order_estimates=tuple(OrderEstimate(*each) for each in found.pop("orders")),
            training=self,
            **found,
        )

    def forecast(
        self,
        parameters: npt.ArrayLike,
        rows: int | None = None,
        paths: int | None = None,
        *,
        start: Any = None,
        seed: int | None = None,
    ) -> Forecast:
        """Paths that start from a row of the data.

        Parameters
        ----------
        parameters : array_like, shape (size,)
            Parameters.
        rows : int, optional
            Rows ahead; by default the length of a window.
        paths : int
            Number of paths; 1000 by default.
        start : {"end", "validation"} or int
            After the last row, over the held-out part, or after this row of the data. The memory of the equation begins
            there, as in the windows of the training.
        seed : int, optional
            Seed of the noise; by default one of that of the settings, independent of training and validation.

        Returns
        -------
        Forecast
            In the units of the data.
        """
        self._needs_equation("forecast")
        given = self._forecast
        rows = given.get("rows", self._settings("windows")["length"]) if rows is None else rows
        paths = given.get("paths", 1000) if paths is None else paths
        start = given.get("from", "end") if start is None else start
        count = self._facts["rows"]
        if isinstance(start, str):
            if start not in ("end", "validation"):
                raise InputError(f"start is {start!r}, expected 'end', 'validation' or a row")
            if start == "validation" and self._facts["held_out"] == count:
                raise InputError("start is 'validation', expected 'end', because validation is 0")
            row = count - 1 if start == "end" else self._facts["held_out"]
        else:
            row = int(start) + count if start < 0 else int(start)
            if not 0 <= row < count:
                raise InputError(f"start is {start}, expected a row of the {count} rows of the data")
        values = self._core.simulate(parameters, None, row, rows, paths, seed)
        columns, names = self._arrays["columns"], self._arrays["names"]
        observed = np.full((rows, columns.shape[1]), np.nan)
        later = columns[row + 1 : row + 1 + rows]
        observed[: len(later)] = later
        return Forecast(self._times(row, rows), values[:, :, : len(names)], names, observed)

    def predict(
        self,
        parameters: npt.ArrayLike,
        x: npt.ArrayLike,
        rows: int | None = None,
        paths: int = 1,
        *,
        seed: int | None = None,
    ) -> npt.NDArray[Any]:
        """Predictions from given starts, outputs of a network, responses to controls, or reconstructed sequences.

        Parameters
        ----------
        parameters : array_like, shape (size,)
            Parameters.
        x : array_like
            Of an equation: starts, shape (starts, components) or (components,), in the units of the data. Of a network:
            inputs, shape (samples, features). Of a controlled equation: controls, shape (samples, rows, channels). Of a
            latent equation: sequences, shape (samples, rows, components), in the units of the data.
        rows : int, optional
            Rows ahead, of an equation; by default the length of a window.
        paths : int
            Paths from each start, or of the posterior of each sequence.
        seed : int, optional
            Seed of the noise.

        Returns
        -------
        ndarray
            Shape (starts, paths, rows, components), without the first axis for one start; (samples, outputs) of a network;
            (samples, observed rows, outputs) of a controlled equation, without the second axis where training had one
            response for each sample; (samples, paths, rows, components) of a latent equation, the means of the observations.
        """
        if self._kind in ("controlled", "latent"):
            if rows is not None:
                raise InputError(f"rows is {rows}: a {self._kind} equation has the rows of its data")
            return self._of_data(parameters, x, paths, seed)
        if self._kind == "supervised":
            network = Network(json.loads(self._core.network()))
            return network(parameters, np.asarray(x, dtype=self.dtype))
        starts = np.asarray(x, dtype=np.float64)
        rows = self._settings("windows")["length"] if rows is None else rows
        values = self._core.simulate(parameters, np.atleast_2d(starts), None, rows, paths, seed)
        return values if starts.ndim < 2 else values.reshape(len(starts), paths, *values.shape[1:])

    def _of_data(self, parameters: npt.ArrayLike, x: npt.ArrayLike, paths: int, seed: int | None) -> npt.NDArray[Any]:
        if self._kind == "controlled":
            found = self._core.respond(parameters, cube("x", x, "channels"))
            return found[:, 0] if self._arrays["single"] else found
        given = cube("x", x, "components")
        means, _ = self._core.reconstruct(parameters, given, paths, seed)
        return means.reshape(len(given), paths, *means.shape[1:])

    def sample(
        self,
        parameters: npt.ArrayLike,
        rows: int | None = None,
        paths: int = 1000,
        *,
        seed: int | None = None,
    ) -> Forecast:
        """New sequences: paths of the prior of a latent equation.

        Parameters
        ----------
        parameters : array_like, shape (size,)
            Parameters.
        rows : int, optional
            Rows of a sequence; by default as the data.
        paths : int
            Number of sequences.
        seed : int, optional
            Seed of the noise; by default one of that of the settings, independent of training and validation.

        Returns
        -------
        Forecast
            In the units of the data, with observation errors where the decoder has learned them.
        """
        if self._kind != "latent":
            raise InputError("only a latent equation has a prior to sample from")
        rows = self._arrays["x"].shape[1] if rows is None else rows
        means, deviations = self._core.sample(parameters, rows, paths, seed)
        if deviations is not None:
            normals = np.random.default_rng(self._facts["seed"] if seed is None else seed).standard_normal(means.shape)
            means = means + deviations * normals
        return Forecast(np.arange(rows) * self._arrays["dt"], means, self._arrays["names"])

    def load(self, path: _Path) -> Trained:
        """The trained parameters of a file, of :meth:`Trained.save` or of the command (``parameters``).

        Raises
        ------
        InputError
            For a damaged file, and one of a training with other networks, precision or data.
        """
        read = read_parameters(path)
        if read.parameters.dtype != self.dtype:
            raise InputError(f"{path} has parameters of {read.parameters.dtype}, expected {self.dtype}")
        for found, expected in zip(read.blocks + (None,) * self.size, self.blocks + (None,)):
            if found != expected:
                raise InputError(f"{path} has the block {found}, expected {expected}")
        for name in ("mean", "deviation"):
            found, expected = getattr(read, name), self._facts.get(name)
            same = found is expected if found is None or expected is None else np.array_equal(found, expected)
            if not same:
                raise InputError(f"{path} is of other data: its {name} is {found}, that of these is {expected}")
        none = np.empty(0)
        whole = np.empty(0, dtype=np.uint64)
        return Trained(
            read.parameters, read.parameters, whole, none, none, whole, none, none, none, 0, 0, "loaded", None, None, (), self
        )

    def _settings(self, table: str = "training") -> dict[str, Any]:
        return json.loads(self._config).get(table, {})

    def _needs_equation(self, what: str) -> None:
        if self._kind != "series":
            raise InputError(f"a {KINDS[self._kind]} has no {what}")

    def _times(self, row: int, rows: int) -> _Floats:
        times, count = self._arrays["t"], self._facts["rows"]
        ahead = np.arange(row + 1, row + 1 + rows)
        if times is None:
            return ahead * self._arrays["dt"]
        mean = (times[-1] - times[0]) / (count - 1)
        after = times[-1] + (ahead - (count - 1)) * mean
        return np.where(ahead < count, times[np.minimum(ahead, count - 1)], after)

    def __repr__(self) -> str:
        what = KINDS[self._kind]
        held = f", {self.validation_samples} held out" if self.validation_samples else ""
        return f"Training({what} with {self.size} parameters, {self.samples} samples{held}, {self.dtype})"

    def __getstate__(self) -> dict[str, Any]:
        return {"kind": self._kind, "config": self._config, "arrays": self._arrays, "forecast": self._forecast}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._build(state["kind"], state["config"], state["arrays"])
        self._forecast = state["forecast"]


def train(
    data: npt.ArrayLike | _Path,
    *,
    folder: _Path | None = None,
    resume: bool = False,
    callback: Callable[[EpochReport], Any] | None = None,
    progress: bool = False,
    threads: int | None = None,
    **settings: Any,
) -> Trained:
    """Trains a neural fractional differential equation, stochastic or not, or a latent one, on a time series.

    Parameters
    ----------
    data : array_like, or path
        Time series, shape (rows,) or (rows, components); or a configuration of ``hpfracc train`` in TOML; or sequences of
        a latent equation.
    folder, resume, callback, progress, threads
        As in :meth:`Training.run`.
    **settings
        Arguments of :class:`Training`: model, windows, dt, t, names, delays, solver, loss, training, checkpoints,
        precision. With a :class:`LatentEquation` as the model those of :meth:`Training.latent`.

    Returns
    -------
    Trained

    Notes
    -----
    Learned orders are estimated from the data before the first step, with standard errors, where that is possible:
    ``Trained.order_estimates``.

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> x = np.exp(-0.1 * np.arange(80))
    >>> trained = hpfracc.train(
    ...     x,
    ...     dt=0.1,
    ...     model={"drift": [8]},
    ...     windows={"length": 5, "validation": 0.2},
    ...     training={"epochs": 20, "schedule": 1e-2, "seed": 1},
    ... )
    >>> bool(trained.loss[-1] < trained.loss[0])
    True
    >>> trained.forecast(rows=3, paths=1).paths.shape
    (1, 3, 1)
    """
    if isinstance(data, (str, PathLike)):
        training = Training.from_file(data, **settings)
    elif isinstance(settings.get("model"), LatentEquation):
        training = Training.latent(data, **settings)
    else:
        training = Training(data, **settings)
    return training.run(folder=folder, resume=resume, callback=callback, progress=progress, threads=threads)


def train_controlled(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    model: ControlledEquation | Mapping[str, Any],
    *,
    folder: _Path | None = None,
    resume: bool = False,
    callback: Callable[[EpochReport], Any] | None = None,
    progress: bool = False,
    threads: int | None = None,
    **settings: Any,
) -> Trained:
    """Trains a neural controlled differential equation on controls and the responses to them.

    Parameters
    ----------
    x, y, model
        As in :meth:`Training.controlled`.
    folder, resume, callback, progress, threads
        As in :meth:`Training.run`.
    **settings
        Further arguments of :meth:`Training.controlled`: at, dt, solver, loss, validation, training, checkpoints, precision.

    Returns
    -------
    Trained

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = np.linspace(0, 1, 11)
    >>> slopes = np.linspace(-1, 1, 40)
    >>> x = np.stack([np.tile(t, (40, 1)), slopes[:, None] * t**2], axis=-1)
    >>> model = hpfracc.ControlledEquation(components=4, field=[8])
    >>> fit = hpfracc.train_controlled(x, slopes, model, dt=0.1, training={"epochs": 100, "schedule": 1e-2})
    >>> bool(fit.loss[-1] < 0.1 * fit.loss[0]), fit.predict(x).shape
    (True, (40, 1))
    """
    training = Training.controlled(x, y, model, **settings)
    return training.run(folder=folder, resume=resume, callback=callback, progress=progress, threads=threads)


def train_network(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    network: Network | Mapping[str, Any],
    *,
    folder: _Path | None = None,
    resume: bool = False,
    callback: Callable[[EpochReport], Any] | None = None,
    progress: bool = False,
    threads: int | None = None,
    **settings: Any,
) -> Trained:
    """Trains a network on pairs of inputs and targets.

    Parameters
    ----------
    x, y, network
        As in :meth:`Training.supervised`.
    folder, resume, callback, progress, threads
        As in :meth:`Training.run`.
    **settings
        Further arguments of :meth:`Training.supervised`: loss, validation, training, checkpoints, precision.

    Returns
    -------
    Trained

    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> x = np.linspace(-1, 1, 64)[:, None]
    >>> net = hpfracc.Network.perceptron([1, 16, 1])
    >>> fit = hpfracc.train_network(x, x**2, net, training={"epochs": 200, "schedule": 1e-2})
    >>> bool(fit.loss[-1] < 0.1 * fit.loss[0])
    True
    """
    training = Training.supervised(x, y, network, **settings)
    return training.run(folder=folder, resume=resume, callback=callback, progress=progress, threads=threads)


def _config(config: Mapping[str, Any]) -> str:
    return json.dumps({name: without_none(value) if isinstance(value, dict) else value for name, value in plain(config).items()})
