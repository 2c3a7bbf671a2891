"""Backends of this computer: which there are, which one an operator goes to and why, and what was learned.

A :class:`Machine` is all backends as one: an autotuner that passes each workload to the fastest backend, by cost models
and measured times. Functions use :func:`machine`, that of this process, unless they are given another one.
"""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from . import _hpfracc
from .errors import InputError

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Backend", "Device", "Explanation", "Machine", "Summary", "Usage", "Workload", "devices", "machine"]


@dataclass(frozen=True)
class Backend:
    """A backend in an :class:`Explanation`.

    Attributes
    ----------
    name : str
        Name, as in ``Machine(backend=name)``.
    place : str
        Where it computes.
    seconds, low, high : float
        Expected time of the task, and the bounds of a 95 % interval.
    source : str
        ``"timed"``, ``"model"`` or ``"prior"``: executions of this workload, the model fitted to those of other sizes,
        or neither yet.
    samples : int
        Executions of this task by this backend.
    bytes : int or None
        Memory of the bound operator; None if it was not planned.
    reason : str
        Why it is chosen or not.
    """

    name: str
    place: str
    seconds: float
    low: float
    high: float
    source: str
    samples: int
    bytes: int | None
    reason: str


@dataclass(frozen=True)
class Workload:
    """A workload of an operator.

    Attributes
    ----------
    kind : str
        ``"CausalConvolution"``, ``"SpectralMultiplier"``, ``"TrigonometricMultiplier"``,
        ``"Dense"`` or ``"Recurrence"``.
    sizes : dict
        Its sizes.
    times : int
        Applications for one application of the operator.
    chosen : str or None
        The backend that it goes to now.
    executions : int
        Executions so far.
    backends : tuple of Backend
        All backends, the fastest first.
    """

    kind: str
    sizes: dict[str, Any]
    times: int
    chosen: str | None
    executions: int
    backends: tuple[Backend, ...]


@dataclass(frozen=True)
class Explanation:
    """Choice of a backend for an operator, from :meth:`Machine.explain`; ``str`` of it is a table.

    Attributes
    ----------
    operator, scheme : str
        Names of the operator and its scheme.
    workloads : tuple of Workload
        What the operator is made of.
    without : tuple of str
        Parts that are computed without a backend.
    text : str
        The table.
    """

    operator: str
    scheme: str
    workloads: tuple[Workload, ...]
    without: tuple[str, ...]
    text: str

    @property
    def chosen(self) -> str | None:
        """Backend of the first workload; None if the operator has no workload."""
        return self.workloads[0].chosen if self.workloads else None

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


@dataclass(frozen=True)
class Usage:
    """Executions of one workload, or of one piece of work of a solver, in one direction."""

    subject: dict[str, Any]
    dtype: str
    direction: str
    preferred: str | None
    executions: int
    seconds: float


@dataclass(frozen=True)
class Summary:
    """Executions so far, from :meth:`Machine.summary`; ``str`` of it is a table.

    Attributes
    ----------
    workloads, works : tuple of Usage
        Of backends and of methods of solvers, the longest total first.
    executed, explored : float
        Seconds executed, and seconds lost to trials of backends that were not expected to be the fastest.
    text : str
        The table.
    """

    workloads: tuple[Usage, ...]
    works: tuple[Usage, ...]
    executed: float
    explored: float
    text: str

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


@dataclass(frozen=True)
class Device:
    """A GPU as its driver describes it.

    Attributes
    ----------
    index : int
        Position in the list, as in the name of a backend: ``"wgpu-fft@1"``.
    name, interface, driver, kind : str
        Names given by the driver; the kind is ``"discrete"``, ``"integrated"``, ``"virtual"``, ``"software"`` or
        ``"other"``. A software adapter runs on the processor, for correctness only.
    f64, f16 : bool
        Whether shaders have double and half precision.
    memory_bytes : int or None
        Memory, where the driver reports it.
    """

    index: int
    name: str
    interface: str
    driver: str
    kind: str
    f64: bool
    f16: bool
    memory_bytes: int | None


class Machine(_hpfracc.MachineCore):
    """The backends of this computer as one: an autotuner that passes each workload to the fastest.

    Parameters
    ----------
    backend : str, optional
        Name of the only backend to use; None chooses for each workload. ``Machine.backend_names()`` lists the names;
        further ones are ``"wgpu-fft@1"`` (adapter 1), ``"cpu-fft-rounded-to-f32"`` (float64 computed in float32) and
        ``"wgpu-fft+cpu-parallel-fft"`` (a batch divided among both).
    threads : int, optional
        Threads of the parallel backends, 1 to 4096, in a pool of their own; by default one for each core.
    memory : int, optional
        Limit of the memory of a plan, in bytes.
    disable : str or sequence of str, optional
        Names of backends that are not used.
    wisdom : path, optional
        File of timings of earlier runs: read now, if it exists, and written when the last user of this machine is gone.
    gpu_memory : int, float or str, optional
        Limit of the buffers on a GPU: bytes, a fraction of its memory, or a text such as ``"2GiB"`` or ``"50%"``.
    gpus_from : float, optional
        Expected seconds of one application on the processor from which on GPUs are listed and considered; 0 lists them
        at once, ``inf`` never. By default 0.001.
    learning : bool, optional
        Whether executions are timed. Without it choices follow from the cost models alone.
    effort : {"estimate", "measure", "exhaustive", "wisdom-only"}, optional
        Effort before the first result of a workload: none, or measurements of the backends that could be the fastest;
        with ``"wisdom-only"`` nothing is measured, tried or learned, and every run makes the same choices.

    Raises
    ------
    DeviceError
        For an unknown backend, one on a GPU in a build without GPU support, and if no backend is left.
    InputError
        For other settings outside their ranges, and a damaged wisdom file.

    Notes
    -----
    A machine is thread-safe. It can be pickled: settings are restored, timings are not. After a fork (``os.fork``, the
    start method ``fork`` of multiprocessing) the child computes on one thread; a GPU that the parent has used is not
    available to it.

    Examples
    --------
    >>> import hpfracc
    >>> machine = hpfracc.Machine(backend="cpu-fft")
    >>> machine.explain("caputo", alpha=0.5, n=1000).chosen
    'cpu-fft'
    >>> hpfracc.Machine(backend="cpu-psychic")
    Traceback (most recent call last):
    ...
    hpfracc.errors.DeviceError: unknown backend `cpu-psychic`; known are auto, cpu-direct, ...
    """

    _arguments: dict[str, Any] | None

    def __new__(
        cls,
        backend: str | None = None,
        *,
        threads: int | None = None,
        memory: int | None = None,
        disable: str | Sequence[str] | None = None,
        wisdom: str | PathLike[str] | None = None,
        gpu_memory: float | str | None = None,
        gpus_from: float | None = None,
        learning: bool | None = None,
        effort: str | None = None,
    ) -> Self:
        arguments = {
            "backend": backend,
            "threads": threads,
            "memory": memory,
            "disable": disable,
            "wisdom": wisdom,
            "gpu_memory": gpu_memory,
            "gpus_from": gpus_from,
            "learning": learning,
            "effort": effort,
        }
        new = super().__new__(cls, arguments)
        new._arguments = {name: value for name, value in arguments.items() if value is not None}
        return new

    @classmethod
    def only(cls, name: str) -> Self:
        """A machine of one backend, by name: ``Machine(backend=name)``."""
        return cls(name)

    @property
    def backends(self) -> tuple[str, ...]:
        """Names of the backends that this machine may choose from, without variants and positions of adapters."""
        arguments = self._arguments or {}
        if arguments.get("backend", "auto") != "auto":
            return (arguments["backend"],)
        disabled = arguments.get("disable", ())
        disabled = (disabled,) if isinstance(disabled, str) else disabled
        plain = (name for name in self.backend_names() if not name.endswith(("-df64", "-rounded-to-f32")))
        return tuple(name for name in plain if name not in disabled and name not in ("auto", "reference"))

    def explain(
        self,
        operator: str,
        alpha: float = 0.5,
        n: int = 1024,
        *,
        batch: int = 1,
        scheme: str | None = None,
        dtype: str = "float64",
        transpose: bool = False,
        once: bool = False,
        measure: bool = False,
        **parameters: float,
    ) -> Explanation:
        """The backend that an operator would go to now, and why.

        Parameters
        ----------
        operator : str
            Definition, such as ``"caputo"``.
        alpha : float
            Order.
        n, batch : int
            Samples of a signal, and signals of a call.
        scheme : str, optional
            Discretisation; by default the first of the definition that is defined for the order.
        dtype : {"float64", "float32"}
            Precision.
        transpose : bool
            The transposed operator, as in gradients.
        once : bool
            Planned, bound and applied once, in place of repeated applications.
        measure : bool
            Time the backends that could be the fastest first, for about 0.2 seconds for each workload.
        **parameters : float
            Parameters of the definition by name; ``lambda_`` for lambda.

        Returns
        -------
        Explanation
            All backends with their expected times, the basis of these, and the reason for or against each.
        """
        if str(dtype) not in ("float64", "float32"):
            raise InputError(f"dtype is {dtype!r}, expected 'float64' or 'float32'")
        request = {
            "operator": operator,
            "alpha": alpha,
            "n": n,
            "batch": batch,
            "scheme": scheme,
            "single": str(dtype) == "float32",
            "transpose": transpose,
            "once": once,
            "measure": measure,
            "parameters": parameters,
        }
        document, text = self.explain_operator(request)
        read = json.loads(document)
        workloads = []
        for explained, times in zip(read["workloads"], read["times"]):
            kind, sizes = next(iter(explained["task"]["workload"].items()))
            rows = (dict(row.pop("prediction"), **row) for row in explained["rows"])
            backends = tuple(Backend(name=row.pop("candidate"), **row) for row in rows)
            chosen, executions = explained["chosen"], explained["executions"]
            workloads.append(Workload(kind, sizes, times, chosen, executions, backends))
        return Explanation(read["operator"], read["scheme"], tuple(workloads), tuple(read["without"]), text)

    def summary(self) -> Summary:
        """Executions so far: counts and times by workload, of both precisions and of methods of solvers."""
        document, text = self.summary_texts()
        read = json.loads(document)
        return Summary(
            tuple(map(_usage, read["workloads"])),
            tuple(map(_usage, read["works"])),
            _seconds(read["executed"]),
            _seconds(read["explored"]),
            text,
        )

    def __repr__(self) -> str:
        if self._arguments is None:
            return "hpfracc.machine()"
        shown = ", ".join(f"{name}={value!r}" for name, value in self._arguments.items())
        return f"Machine({shown})"

    def _repr_html_(self) -> str:
        names = ", ".join(self.backends)
        return f"<p><code>{html.escape(repr(self))}</code>: {html.escape(names)}</p>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._arguments is None:
            return machine, ()
        return _restored, (self._arguments,)


def _restored(arguments: dict[str, Any]) -> Machine:
    return Machine(**arguments)


def _seconds(duration: dict[str, int]) -> float:
    return duration["secs"] + 1e-9 * duration["nanos"]


def _usage(read: dict[str, Any]) -> Usage:
    return Usage(
        read["subject"],
        {"f32": "float32", "f64": "float64"}[read["scalar"]],
        str(read["direction"]).lower(),
        read["preferred"],
        read["executions"],
        _seconds(read["total"]),
    )


_MACHINE: Machine | None = None


def machine() -> Machine:
    """The machine of this process, with the settings of the environment.

    Functions without an argument ``machine`` use it. The variables ``HPFRACC_BACKEND``, ``HPFRACC_DISABLE``,
    ``HPFRACC_THREADS``, ``HPFRACC_WISDOM``, ``HPFRACC_LEARNING`` and ``HPFRACC_GPU_MEMORY_LIMIT`` are read when it is
    used first. Its wisdom is not written at the end of the process: see :meth:`Machine.save_wisdom`.

    Returns
    -------
    Machine
        The same one each time.

    Raises
    ------
    InputError
        For an invalid environment variable.

    Examples
    --------
    >>> import hpfracc
    >>> "cpu-fft" in hpfracc.machine().backends
    True
    """
    global _MACHINE
    if _MACHINE is None:
        found = _hpfracc.MachineCore.__new__(Machine, None)
        found._arguments = None
        _MACHINE = found
    return _MACHINE


def devices() -> tuple[Device, ...]:
    """GPUs of this computer, as their drivers describe them.

    Returns
    -------
    tuple of Device
        Empty without GPUs, and in a build without GPU support (``hpfracc.backends.GPU_SUPPORT`` tells).

    Examples
    --------
    >>> import hpfracc
    >>> [device.kind for device in hpfracc.devices()] is not None
    True
    """
    names = Device.__dataclass_fields__
    return tuple(
        Device(**{name: value for name, value in found.items() if name in names})
        for found in json.loads(_hpfracc.adapters())
    )


#: Whether this build has backends on GPUs.
GPU_SUPPORT: bool = _hpfracc.HAS_GPU_SUPPORT
